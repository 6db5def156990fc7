// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBookmarks, withRun } from "./bookmarks.ts";
import { keysOf, shape, sticksOf, toWorld } from "./control.ts";

test("a stick at rest is at rest however worn it is, and its full range is kept", () => {
  for (const x of [0, 0.05, -0.119]) assert.equal(shape(x), 0);
  assert.equal(shape(1), 1);
  assert.equal(shape(-1), -1);
  assert.equal(shape(1.4), 1);
  assert.ok(shape(0.13) > 0 && shape(0.13) < 0.02, "it begins at nothing");
  assert.ok(shape(0.5) < 0.4, "the middle is soft");
});
test("left climbs and turns, right moves, the trigger gives more", () => {
  assert.deepEqual(sticksOf([0, 0, 0, -1], 0), { forward: 1, left: -0, climb: -0, turn: -0, roll: 0, pitch: 0, level: false, scale: 0.4 });
  const x = sticksOf([1, -1, -1, 0], 1);
  assert.deepEqual([x.turn, x.climb, x.left, x.scale], [-1, 1, 1, 1]);
});
test("a right stick that tilts moves nothing: ahead is nose down, to the right is right side down", () => {
  const x = sticksOf([0, -1, 1, -1], 0, true);
  assert.deepEqual([x.forward, x.left, x.climb, x.pitch, x.roll], [0, 0, 1, 1, 1]);
});
test("Shift turns the keys that move a platform into those that tilt it; other vehicles have no such keys", () => {
  const down = (...keys: string[]) => new Set(["Shift", ...keys]);
  const both = keysOf(down("W", "A", "ArrowUp"), true);
  assert.deepEqual([both.pitch, both.roll, both.climb, both.forward, both.left], [1, -1, 1, 0, 0]);
  const level = keysOf(down("Q"), true);
  assert.deepEqual([level.level, level.turn], [true, 0]);
  assert.deepEqual(keysOf(down("W", "Q"), false), keysOf(new Set(["W", "Q"]), true));
  const plain = keysOf(new Set(["W", "A", "Q"]), true);
  assert.deepEqual([plain.forward, plain.left, plain.turn, plain.pitch, plain.level], [1, 1, 1, 0, false]);
});
test("a pad that lacks axes or tells nonsense stands still in them", () => {
  for (const axes of [[], [0, NaN], [0, 0, Infinity, undefined as unknown as number]]) assert.ok(Object.values(sticksOf(axes, NaN)).every((v) => Number.isFinite(v) && (Math.abs(v) < 1e-12 || v === 0.4) || v === false));
});
test("forward is where the nose points", () => {
  const [e, n] = toWorld(1, 0, Math.PI / 2);
  assert.ok(Math.abs(e) < 1e-12 && Math.abs(n - 1) < 1e-12);
});

test("bookmarks that cannot be read are none, and the sound ones stay", () => {
  for (const text of [null, "", "{", "[]", '{"version":2,"runs":{}}', '{"version":1,"runs":[]}', '{"version":1,"runs":{"a":3}}']) assert.deepEqual(parseBookmarks(text), {});
  assert.deepEqual(parseBookmarks('{"version":1,"runs":{"a":[{"time":1,"name":"x"},{"time":null},null,{"time":2}]}}'), { a: [{ time: 1, name: "x" }] });
});
test("a run without bookmarks is not kept, and the oldest runs make room", () => {
  const one = [{ time: 1, name: "x" }];
  let kept = withRun({}, "a", one);
  assert.deepEqual(withRun(kept, "a", []), {});
  for (let k = 0; k < 300; k++) kept = withRun(kept, `run-${k}`, one);
  assert.equal(Object.keys(kept).length, 200);
  assert.ok(!("a" in kept) && "run-299" in kept);
});
