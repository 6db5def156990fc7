// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { testCanvas } from "../scene/test_view.ts";
import { flagsAt, flagsOf } from "../source/conditions.ts";
import { levelOf, type SimEvent } from "../source/source.ts";
import { STATE } from "../wire/wire.ts";
import { drawSpans, heldSpans, partnerAt } from "./latches.ts";

const event = (time: number, name: string, what: string): SimEvent => ({ tick: time * 100, time, id: name, name, what, level: levelOf(what) });
const FLIGHT = [event(5, "b", "latched: held by a"), event(6, "d", "latched: held by c"), event(7, "b", "landed"), event(9, "b", "released: from a"), event(12, "b", "latched: held by a")];

test("a latch joins two vehicles from one event to the next", () => {
  const spans = heldSpans(FLIGHT);
  assert.deepEqual(spans.map((h) => [h.name, h.by, h.from, h.to]), [["b", "a", 5, 9], ["d", "c", 6, Infinity], ["b", "a", 12, Infinity]]);
  assert.equal(partnerAt(spans, "a", 6), "b");
  assert.equal(partnerAt(spans, "b", 6), "a");
  assert.equal(partnerAt(spans, "b", 10), "");
  assert.equal(partnerAt(spans, "b", 4.9), "");
  assert.equal(partnerAt(spans, "a", 100), "b");
  assert.equal(partnerAt(spans, "nobody", 6), "");
});
test("a page that came late knows of a latch from where it opens", () => {
  const spans = heldSpans([event(9, "b", "released: from a")]);
  assert.deepEqual(spans.map((h) => [h.from, h.to]), [[-Infinity, 9]]);
  assert.equal(partnerAt(spans, "b", 3), "a");
  assert.deepEqual(heldSpans([event(1, "b", "released"), event(2, "b", "latched on")]), []);
});
test("latches are no trouble", () => {
  for (const e of FLIGHT) assert.equal(e.level, "info");
});
test("in a recording both vehicles have the flag, from the events", () => {
  const told = FLIGHT.map((e) => ({ tick: e.tick, vehicle: e.name, what: e.what }));
  const flags = flagsOf(told, (name) => name);
  for (const id of ["a", "b"]) assert.deepEqual([499, 500, 899, 900, 1200].map((t) => flagsAt(flags.get(id), t) & STATE.held), [0, STATE.held, STATE.held, 0, STATE.held], id);
  assert.equal(flagsAt(flags.get("c"), 700), STATE.held);
  assert.equal(flagsOf(told).get("a"), undefined, "nobody knows who that is");
});
test("the timeline has a bar for each, with a disc where it closed and a ring where it opened; of the selected vehicles if there are any", () => {
  const spans = heldSpans(FLIGHT);
  const draw = (names: string[]): Record<string, number> => {
    const { context, calls } = testCanvas();
    drawSpans(context, spans, new Set(names), (t) => 10 * t, [0, 20], 50, "blue");
    return calls;
  };
  assert.deepEqual([draw([])["fillRect"], draw([])["arc"]], [3, 4], "three closed, one opened");
  assert.equal(draw(["a"])["fillRect"], 2);
  assert.equal(draw(["c"])["fillRect"], 1);
  assert.equal(draw(["x"])["fillRect"], undefined);
});
