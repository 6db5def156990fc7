// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From when to when latches joined vehicles, as the events say it: live and in recordings alike.
import { partnerOf } from "../source/conditions.ts";
import type { SimEvent } from "../source/source.ts";

export interface Held {
  id: string; // of the vehicle whose cylinder a cone holds
  name: string;
  by: string; // name of the vehicle with the cone
  from: number; // s
  to: number; // s; Infinity: it is still held
}
export function heldSpans(events: readonly SimEvent[]): Held[] {
  const list: Held[] = [];
  for (const e of events) {
    const by = partnerOf(e.what);
    if (by === null) continue;
    const open = list.findLast((h) => h.name === e.name && h.to === Infinity);
    if (e.what.startsWith("released")) {
      if (open) open.to = e.time;
      else list.push({ id: e.id, name: e.name, by, from: -Infinity, to: e.time }); // the page came later
    } else if (!open) list.push({ id: e.id, name: e.name, by, from: e.time, to: Infinity });
  }
  return list;
}
/** The name of the vehicle that one is joined with at a moment; empty: none. */
export function partnerAt(spans: readonly Held[], name: string, time: number): string {
  const now = spans.find((h) => (h.name === name || h.by === name) && h.from <= time + 1e-6 && time < h.to);
  return !now ? "" : now.name === name ? now.by : now.name;
}

/** A bar for each, from a full disc where the latch closed to a ring where it opened; of these vehicles only, if there are any. `range` is what the page has seen, in s. */
export function drawSpans(c: CanvasRenderingContext2D, spans: readonly Held[], names: ReadonlySet<string>, x: (time: number) => number, range: readonly [number, number], y: number, colour: string): void {
  c.fillStyle = c.strokeStyle = colour;
  c.lineWidth = 2;
  for (const h of spans) {
    if (names.size > 0 && !names.has(h.name) && !names.has(h.by)) continue;
    const a = x(h.from > -Infinity ? h.from : range[0]);
    const b = Math.max(a, x(h.to < Infinity ? h.to : range[1]));
    c.globalAlpha = 0.5;
    c.fillRect(a, y - 1.5, Math.max(1, b - a), 3);
    c.globalAlpha = 1;
    c.beginPath();
    if (h.from > -Infinity) c.arc(a, y, 4, 0, 2 * Math.PI);
    c.fill();
    c.beginPath();
    if (h.to < Infinity) c.arc(b, y, 3.5, 0, 2 * Math.PI);
    c.stroke();
  }
}
