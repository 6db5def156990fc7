// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles of several bodies on the page, loaded when a run has some: which of them the server is asked about, what it told, and how they are drawn.
import * as s from "../app/state.ts";
import { late } from "../scene/late.ts";
import { LOW } from "../scene/lod.ts";
import type { BodySource } from "../scene/view.ts";
import type { FlockInfo, Frame } from "../source/source.ts";
import { LIMITS } from "../wire/wire.ts";
import { bodyOf, shapesOf } from "./body.ts";
import { contactLayer } from "./contacts.ts";
import { loadLayer, type Load } from "./loads.ts";
import { drawSpans, heldSpans, partnerAt, type Held } from "./latches.ts";
import { posesOf } from "./pose.ts";
import { JoinedBook, sampleOf, type Sample } from "./told.ts";

const EVERY = 250; // ms between two looks at who is near

/** Selected ones first, then those that are drawn as bodies, the primary one before all. */
export function chooseNear(frame: Frame, flocks: readonly FlockInfo[], level: ArrayLike<number>, { primary, ids }: s.Selection, most: number): string[] {
  const has = (k: number): boolean => bodyOf(flocks[frame.roster.flock[k]]) !== null;
  const rank = (k: number): number => (frame.roster.ids[k] === primary ? 0 : ids.has(frame.roster.ids[k]) ? 1 : level[k] >= LOW ? 2 : 3);
  const slots = Array.from({ length: frame.n }, (_, k) => k).filter((k) => has(k) && rank(k) < 3);
  return slots.sort((a, b) => rank(a) - rank(b) || a - b).slice(0, most).map((k) => frame.roster.ids[k]);
}

export class Joined implements BodySource {
  readonly book = new JoinedBook();
  private readonly out = new Float32Array(7 * 8);
  private spans: Held[] = [];
  private spansOf: unknown = null;

  /** What was told of the run that is shown: of the live one, also when its recording has taken its place; null: nothing. */
  kept(): JoinedBook | null {
    const { kind } = s.shown.value;
    return kind === "live" || kind === "ended" ? this.book : null;
  }
  /** A second run beside it has frames of its own. */
  private of(frame: Frame): JoinedBook | null {
    return frame === s.hot.frame ? this.kept() : null;
  }
  shapes = shapesOf;
  poses(frame: Frame, k: number, f: FlockInfo): Float32Array {
    const body = bodyOf(f);
    if (!body) return this.out;
    const q = frame.attitude;
    const parts = this.of(frame)?.partsAt(frame.roster.ids[k], frame.time) ?? null;
    return posesOf(body, [q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]], parts, this.out);
  }
  /** What is known of a vehicle at the moment that is shown; null: nothing. */
  now(id: string): Sample | null {
    return this.kept()?.at(id, s.hot.frame.time) ?? null;
  }
  /** The load of a vehicle of the frame that is shown; null: it has none, or nobody told. */
  load(k: number, time: number): Load | null {
    const size = bodyOf(s.world.value?.flocks[s.hot.frame.roster.flock[k]])?.load;
    const told = size ? this.kept()?.loadAt(s.hot.frame.roster.ids[k], time) : null;
    return size && told ? { size, told } : null;
  }
  held(): readonly Held[] {
    if (this.spansOf !== s.events.value) {
      this.spansOf = s.events.value;
      this.spans = heldSpans(s.events.value);
    }
    return this.spans;
  }
  /** The name of the vehicle that one is joined with now; empty: none. */
  partner(id: string): string {
    const told = this.now(id);
    if (told) return told.heldBy && s.nameOf(told.heldBy);
    return partnerAt(this.held(), s.nameOf(id), s.hot.clock.time);
  }
  paintLatches(c: CanvasRenderingContext2D, x: (time: number) => number, y: number, colour: string): void {
    const { first, last } = s.hot.extent;
    drawSpans(c, this.held(), new Set([...s.selection.value.ids].map(s.nameOf)), x, [first, last], y, colour);
  }
}

/** Begins once, and goes on as long as the page is there. */
export function startJoined(): void {
  if (s.hot.joined) return;
  const joined = new Joined();
  s.hot.joined = joined;
  s.hot.live?.on((c) => {
    if (c.kind === "reset") joined.book.clear();
    if (c.kind !== "bodies") return;
    const time = c.bodies.tick * (s.hot.live?.world?.tick ?? 0.01);
    for (const v of c.bodies.vehicles) joined.book.add(v.id, sampleOf(v, time));
    s.redraw();
  });
  const layers = [contactLayer((id) => joined.now(id)?.contacts ?? null), loadLayer((k, time) => joined.load(k, time))];
  let added = false;
  setInterval(() => {
    const { picture, frame } = s.hot;
    if (!added && picture) (layers.forEach((layer) => picture.add(layer)), (added = true));
    const near = s.shown.value.kind === "live" && picture ? chooseNear(frame, s.world.value?.flocks ?? [], picture.view.level, s.selection.value, LIMITS.bodyVehicles) : [];
    if (near.join() !== s.nearby.value.join()) s.nearby.value = near;
  }, EVERY);
  late.loaded();
}
