// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, nextSpeed, parseTime, seek, type Clock } from "./clock.ts";

const live: Clock = { mode: "live", time: 5, speed: 1, loop: false };
const edge = { first: 0, last: 6, interval: 1 / 30, rate: 1 };

test("live follows the newest snapshot one and a half intervals behind", () => {
  let c = live;
  let last = 5;
  for (let k = 0; k < 600; k++) c = advance(c, 1 / 60, { ...edge, last: (last += 1 / 60) });
  assert.ok(Math.abs(last - c.time - 0.05) < 0.01, `${last - c.time}`);
});
test("live never runs backwards and never passes the edge", () => {
  let c = live;
  for (let k = 0; k < 100; k++) {
    const next = advance(c, 0.05, { ...edge, last: 5.2 });
    assert.ok(next.time >= c.time && next.time <= 5.2);
    c = next;
  }
});
test("when the world stands still the view comes to its last moment", () => {
  let c = live;
  for (let k = 0; k < 200; k++) c = advance(c, 1 / 60, { ...edge, rate: 0 });
  assert.equal(c.time, 6);
});
test("playing ends at the edge, and a loop begins anew", () => {
  const p: Clock = { mode: "playing", time: 5.9, speed: 2, loop: false };
  const there = advance(p, 0.1, edge);
  assert.equal(there.time, 6);
  assert.equal(advance(there, 0.1, edge).mode, "paused");
  assert.equal(advance({ ...p, loop: true }, 0.1, edge).time, 0);
  assert.equal(advance({ ...p, time: 0.1, speed: -2, loop: true }, 0.1, edge).time, 6);
});
test("seeking in live pauses the view and stays inside", () => {
  assert.deepEqual(seek(live, 99, edge), { ...live, mode: "paused", time: 6 });
});
test("speeds step by two and keep their sign", () => {
  assert.equal(nextSpeed(1, true), 2);
  assert.equal(nextSpeed(-4, false), -2);
  assert.equal(nextSpeed(16, true), 16);
});
test("typed times", () => {
  assert.equal(parseTime("12.5", 3, 0.01), 12.5);
  assert.equal(parseTime("1:23.4", 3, 0.01), 83.4);
  assert.equal(parseTime("+5", 3, 0.01), 8);
  assert.equal(parseTime("tick 400", 3, 0.01), 4);
  assert.equal(parseTime("noon", 3, 0.01), null);
});
