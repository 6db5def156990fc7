// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the server told of vehicles of several bodies: attitudes of their aircraft, pushes, contacts, who holds them, their loads. It is kept for looking back, as long as the live run is.
import type { Series } from "../source/source.ts";
import type { BodyState } from "../wire/wire.ts";

export const PUSHES = ["measured", "felt", "estimated", "commanded"] as const;
const FIELDS = ["wrench", "felt", "estimated", "commanded"] as const;
const LONGEST = 0.6; // s between two samples over which is interpolated, and beyond the last one
const MOST = 120_000; // samples of all vehicles that are kept: minutes of many, an hour of one

export interface Sample {
  time: number; // s
  parts: Float32Array; // four numbers for each aircraft: w x y z, body to world
  pushes: Float32Array; // six numbers for each of PUSHES: force in N and torque in N m about the origin, body axes; NaN: the vehicle has none
  contacts: Float32Array; // six numbers each: place in m and force on the vehicle in N, world
  heldBy: string; // id; empty: it flies by itself
  load: Float32Array; // place in m and attitude w x y z of the load, then seven numbers for each cable: upper end and hook in m, tension in N; world
  reaction: ReactionKind | null; // to pushes; null: it has none
}
export type ReactionKind = NonNullable<BodyState["reaction"]>;
/** What a platform does about pushes. */
export const REACTS: Record<ReactionKind, string> = { stiff: "keeps its pose", yield: "gives way", press: "presses" };

const list = (x: readonly number[] | undefined, of: number): Float32Array => (x && x.length % of === 0 ? Float32Array.from(x) : new Float32Array(0));
export function sampleOf(v: BodyState, time: number): Sample {
  const pushes = new Float32Array(24).fill(NaN);
  FIELDS.forEach((field, k) => v[field]?.length === 6 && pushes.set(v[field], 6 * k));
  return { time, parts: list(v.parts, 4), pushes, contacts: list(v.contacts, 6), heldBy: v.held_by ?? "", reaction: v.reaction ?? null, load: v.load?.length === 7 ? Float32Array.from([...v.load, ...list(v.cables, 7)]) : new Float32Array(0) };
}

export class JoinedBook {
  private readonly lines = new Map<string, Sample[]>();
  private count = 0;
  private readonly most: number;

  constructor(most = MOST) {
    this.most = most;
  }
  clear(): void {
    this.lines.clear();
    this.count = 0;
  }
  /** A moment that is told again takes the place of what was told before. */
  add(id: string, sample: Sample): void {
    let line = this.lines.get(id);
    if (!line) this.lines.set(id, (line = []));
    while (line.length && line[line.length - 1].time >= sample.time) (line.pop(), this.count--);
    line.push(sample);
    if (++this.count > this.most) this.forget();
  }
  /** The oldest tenth of everybody. */
  private forget(): void {
    for (const [id, line] of this.lines) {
      const n = Math.ceil(line.length / 10);
      line.splice(0, n);
      this.count -= n;
      if (!line.length) this.lines.delete(id);
    }
  }
  /** The last sample that is not after a moment, and the one after it. */
  private around(id: string, time: number): [Sample | undefined, Sample | undefined] {
    const line = this.lines.get(id) ?? [];
    const k = after(line, time + 1e-6);
    return [line[k - 1], line[k]];
  }
  /** What was true at a moment; null: nobody told. Contacts come and go, so nothing is interpolated. */
  at(id: string, time: number): Sample | null {
    const [a] = this.around(id, time);
    return a && time - a.time <= LONGEST ? a : null;
  }
  /** Attitudes of the aircraft at a moment, between the samples about it; null: nobody told. */
  partsAt(id: string, time: number): Float32Array | null {
    const [a, b] = this.around(id, time);
    if (a && b && b.time - a.time <= LONGEST && a.parts.length === b.parts.length) return blend(a.parts, b.parts, (time - a.time) / (b.time - a.time));
    const near = a && time - a.time <= LONGEST ? a : b && b.time - time <= LONGEST ? b : null;
    return near?.parts.length ? near.parts : null;
  }
  /** The load and its cables at a moment, between the samples about it; null: nobody told. */
  loadAt(id: string, time: number): Float32Array | null {
    const [a, b] = this.around(id, time);
    if (!a?.load.length || time - a.time > LONGEST) return null;
    if (!b || b.time - a.time > LONGEST || a.load.length !== b.load.length) return a.load;
    const share = (time - a.time) / (b.time - a.time);
    const between = a.load.map((x, k) => x * (1 - share) + b.load[k] * share);
    between.set(blend(a.load.subarray(3, 7), b.load.subarray(3, 7), share), 3);
    return between;
  }
  /** One axis (0 to 2 of the force, 3 to 5 of the torque) of every push over a time, thinned out to so many points. */
  series(id: string, axis: number, from: number, to: number, points: number): Series {
    const line = this.lines.get(id) ?? [];
    const [first, last] = [Math.max(0, after(line, from) - 1), after(line, to)];
    const stride = Math.max(1, Math.ceil((last - first) / Math.max(1, points)));
    // on a lattice that does not move with the window; the newest one is always shown
    const kept = line.slice(first, last).filter((_, k, all) => k === all.length - 1 || (first + k) % stride === 0);
    return { time: Float64Array.from(kept, (s) => s.time), values: PUSHES.map((_, p) => Float64Array.from(kept, (s) => s.pushes[6 * p + axis])) };
  }
  /** Which pushes are told of a vehicle, as places in PUSHES. */
  pushesOf(id: string): number[] {
    const last = this.lines.get(id)?.at(-1);
    return last ? PUSHES.map((_, p) => p).filter((p) => !Number.isNaN(last.pushes[6 * p])) : [];
  }
}

/** How many samples are not after a moment. */
function after(line: readonly Sample[], time: number): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (line[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
/** Between two attitudes each, the short way round. */
function blend(a: Float32Array, b: Float32Array, share: number): Float32Array {
  const out = new Float32Array(a.length);
  for (let at = 0; at < a.length; at += 4) {
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += a[at + i] * b[at + i];
    let length = 0;
    for (let i = 0; i < 4; i++) {
      out[at + i] = a[at + i] * (1 - share) + (dot < 0 ? -share : share) * b[at + i];
      length += out[at + i] ** 2;
    }
    for (let i = 0; i < 4; i++) out[at + i] /= Math.sqrt(length) || 1;
  }
  return out;
}
