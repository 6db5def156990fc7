// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BodyState } from "../wire/wire.ts";
import { JoinedBook, PUSHES, sampleOf } from "./told.ts";

const tilted = (angle: number): number[] => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
const state = (more: Partial<BodyState> = {}): BodyState => ({ id: "1", ...more });
const put = (book: JoinedBook, time: number, more: Partial<BodyState> = {}): void => book.add("1", sampleOf(state(more), time));

test("a message becomes a sample; what does not fit together is left out", () => {
  const s = sampleOf(state({ parts: tilted(0.2), wrench: [1, 2, 3, 4, 5, 6], commanded: [1], contacts: [1, 2, 3, 0, 0, 4], held_by: "7" }), 2);
  assert.deepEqual([s.time, s.parts.length, s.heldBy], [2, 4, "7"]);
  assert.deepEqual([...s.pushes.slice(0, 6)], [1, 2, 3, 4, 5, 6]);
  assert.ok(s.pushes.slice(6).every(Number.isNaN));
  assert.equal(s.reaction, null);
  assert.equal(sampleOf(state({ reaction: "yield" }), 0).reaction, "yield");
  assert.deepEqual([...s.contacts], [1, 2, 3, 0, 0, 4]);
  const spoilt = sampleOf(state({ parts: [1, 0, 0], contacts: [1, 2] }), 0);
  assert.deepEqual([spoilt.parts.length, spoilt.contacts.length, spoilt.heldBy], [0, 0, ""]);
});
test("between two samples aircraft turn evenly; beyond the last one they stay a little, and then nothing is known", () => {
  const book = new JoinedBook();
  put(book, 1, { parts: tilted(0) });
  put(book, 1.2, { parts: tilted(0.4).map((x) => -x) }); // the same attitude, written the other way
  const middle = book.partsAt("1", 1.1)!;
  assert.ok(Math.abs(2 * Math.atan2(middle[2], middle[0]) - 0.2) < 1e-3, `${[...middle]}`);
  assert.ok(Math.abs(Math.hypot(...middle) - 1) < 1e-6);
  assert.ok(Math.abs(Math.abs(book.partsAt("1", 1.5)![2]) - Math.sin(0.2)) < 1e-6);
  assert.equal(book.partsAt("1", 3), null);
  assert.equal(book.partsAt("2", 1), null);
  assert.ok(book.partsAt("1", 0.9), "the first sample is near enough");
  put(book, 5, { parts: tilted(1) });
  assert.equal(book.partsAt("1", 3), null, "nothing is made up over a gap");
});
test("contacts are those that were told last, never those that came later", () => {
  const book = new JoinedBook();
  put(book, 1);
  put(book, 1.1, { contacts: [1, 2, 3, 0, 0, 4] });
  assert.equal(book.at("1", 1.05)!.contacts.length, 0);
  assert.equal(book.at("1", 1.15)!.contacts.length, 6);
  assert.equal(book.at("1", 0.9), null);
  assert.equal(book.at("1", 9), null);
});
test("a moment that is told again replaces what was told of it, and of what came after", () => {
  const book = new JoinedBook();
  for (const t of [1, 1.1, 1.2]) put(book, t, { held_by: "7" });
  put(book, 1.1);
  assert.equal(book.at("1", 1.15)!.heldBy, "");
  assert.equal(book.at("1", 1.2)!.time, 1.1);
  book.clear();
  assert.equal(book.at("1", 1.1), null);
});
test("pushes are series by axis, thinned out on a lattice that does not move with the window", () => {
  const book = new JoinedBook();
  for (let k = 0; k < 400; k++) put(book, k / 20, { wrench: [k, 0, 0, -k, 0, 0], estimated: [2 * k, 0, 0, 0, 0, 0] });
  assert.deepEqual(book.pushesOf("1").map((p) => PUSHES[p]), ["measured", "estimated"]);
  assert.deepEqual(book.pushesOf("2"), []);
  const all = book.series("1", 0, 0, 20, 1000);
  assert.equal(all.time.length, 400);
  assert.deepEqual([all.values[0][100], all.values[2][100], all.values.length], [100, 200, 4]);
  assert.ok(Number.isNaN(all.values[1][100]));
  assert.equal(book.series("1", 3, 0, 20, 1000).values[0][7], -7);
  const [a, b] = [book.series("1", 0, 5, 15, 50), book.series("1", 0, 5.05, 15.05, 50)];
  assert.ok(a.time.length <= 53);
  const shared = [...a.time].slice(1, -1).filter((t) => b.time.includes(t));
  assert.equal(shared.length, a.time.length - 2, "the same samples, however the window moves");
  assert.equal(b.time.at(-1), 15.05, "the newest one is always there");
  assert.equal(book.series("1", 0, 30, 40, 10).time.length, 1, "the last value before the window");
  assert.equal(book.series("2", 0, 0, 1, 10).time.length, 0);
});
test("the oldest samples are forgotten when there are too many", () => {
  const book = new JoinedBook(100);
  for (let k = 0; k < 500; k++) put(book, k / 20);
  assert.equal(book.at("1", 0), null);
  assert.equal(book.at("1", 499 / 20)!.time, 499 / 20);
  assert.ok(book.series("1", 0, 0, 100, 1000).time.length <= 101);
});
