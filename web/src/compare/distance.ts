// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How far partners are from each other, on a fixed lattice of time. Each moment is computed once; a look at the plot may spend only a few
// milliseconds on new ones, and the rest comes with the next look.
import { newFrame, type Frame, type SnapshotSource } from "../source/source.ts";

export const LATTICE = 0.2; // s
const SPEND = 8; // ms per look
export interface Apart {
  median: number; // m
  most: number;
  who: string; // id in A of the farthest
  pairs: number;
}

const scratch = { a: newFrame(64), b: newFrame(64), distance: new Float32Array(64) };

/** Null when no two partners are there. */
export function apart(a: Frame, b: Frame, toB: ReadonlyMap<string, string>): Apart | null {
  if (scratch.distance.length < a.n) scratch.distance = new Float32Array(2 * a.n);
  const d = scratch.distance;
  const shift = [0, 1, 2].map((i) => b.origin[i] - a.origin[i]);
  let n = 0;
  let who = "";
  let most = -1;
  for (let k = 0; k < a.n; k++) {
    const m = b.roster.slotOf.get(toB.get(a.roster.ids[k]) ?? "");
    if (m === undefined || m >= b.n) continue;
    const x = Math.hypot(b.position[3 * m] - a.position[3 * k] + shift[0], b.position[3 * m + 1] - a.position[3 * k + 1] + shift[1], b.position[3 * m + 2] - a.position[3 * k + 2] + shift[2]);
    if (!Number.isFinite(x)) continue;
    d[n++] = x;
    if (x > most) {
      most = x;
      who = a.roster.ids[k];
    }
  }
  if (n === 0) return null;
  const sorted = d.subarray(0, n).sort();
  return { median: n % 2 ? sorted[n >> 1] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2, most, who, pairs: n };
}

/** Two runs laid over each other. */
export interface Pairing {
  a: SnapshotSource;
  b: SnapshotSource;
  toB: ReadonlyMap<string, string>;
  offset: number; // s, what the clock of B shows more than the clock of A
  origin: readonly number[]; // both are read relative to it, so that a difference stays exact far from home
}
/** Distance, or difference in height, of some partners: from positions alone, without decoding the rest. */
export function seriesOf(pair: Pairing, ids: readonly string[], from: number, to: number, what: "distance" | "height"): { time: number[]; values: (number | null)[][] } {
  const time: number[] = [];
  const values: (number | null)[][] = ids.map(() => []);
  const { first, last } = pair.a.extent();
  const others = ids.map((id) => pair.toB.get(id) ?? "");
  const [p, q] = [new Float32Array(3 * ids.length), new Float32Array(3 * ids.length)];
  for (const key of lattice(Math.max(from, first), Math.min(to, last))) {
    const t = key * LATTICE;
    pair.a.positions(t, ids, pair.origin, p, 0);
    pair.b.positions(t + pair.offset, others, pair.origin, q, 0);
    time.push(t);
    for (let r = 0; r < ids.length; r++) {
      const [e, n, u] = [0, 1, 2].map((i) => q[3 * r + i] - p[3 * r + i]);
      const x = what === "height" ? u : Math.hypot(e, n, u);
      values[r].push(Number.isFinite(x) ? x : null);
    }
  }
  return { time, values };
}

export class Distances {
  readonly pair: Pairing;
  private readonly known = new Map<number, Apart | null>();

  constructor(pair: Pairing) {
    this.pair = pair;
  }

  /** Undefined while it is not known; null where nothing can be known. */
  at(key: number): Apart | null | undefined {
    if (this.known.has(key)) return this.known.get(key);
    const { a, b, toB, offset } = this.pair;
    const [x, y] = [glance(a, key * LATTICE, scratch.a), glance(b, key * LATTICE + offset, scratch.b)];
    if (x === "missing" || y === "missing") return undefined;
    const found = apart(scratch.a, scratch.b, toB);
    this.known.set(key, found);
    return found;
  }

  /** The lattice point nearest to a moment, when it is known. */
  near(time: number): Apart | null {
    return this.known.get(Math.round(time / LATTICE)) ?? null;
  }

  series(from: number, to: number): { time: number[]; median: (number | null)[]; most: (number | null)[] } {
    const out = { time: [] as number[], median: [] as (number | null)[], most: [] as (number | null)[] };
    const { first, last } = this.pair.a.extent();
    const end = performance.now() + SPEND;
    for (const key of lattice(Math.max(from, first), Math.min(to, last))) {
      const p = this.known.has(key) || performance.now() < end ? this.at(key) : undefined;
      out.time.push(key * LATTICE);
      out.median.push(p?.median ?? null); // a gap where nothing is known
      out.most.push(p?.most ?? null);
    }
    return out;
  }
}
const glance = (s: SnapshotSource, time: number, out: Frame): string => s.glance?.(time, out) ?? s.at(time, out);
function* lattice(from: number, to: number): Generator<number> {
  for (let key = Math.ceil(from / LATTICE - 1e-9); key * LATTICE <= to + 1e-9; key++) yield key;
}
