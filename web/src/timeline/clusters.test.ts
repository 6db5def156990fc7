// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { crashesOf, standingOf } from "../app/happened.ts";
import { levelOf, type SimEvent } from "../source/source.ts";
import { clustersOf, eventNear } from "./clusters.ts";

const event = (time: number, what: string, id = "3"): SimEvent => ({ tick: time * 100, time, id, name: "uav", what, level: levelOf(what) });
const events = [event(1, "spawned"), event(1.1, "crashed: into uav-4 at (1.00, 2.00, 3.00) m ENU, 2.00 m/s"), event(1.2, "touched: the ground"), event(5, "emergency stop: every vehicle", ""), event(5.1, "task failed: nobody lost"), event(9, "landed")];

test("a crash and an emergency stop are never hidden by what happened beside them", () => {
  const found = clustersOf(events, (t) => 20 * t, 11);
  assert.deepEqual(found.map((c) => [c.at, c.level, c.more]), [[20, "bad", 2], [100, "bad", 0], [180, "info", 0]]);
});
test("a click on a mark means its gravest event", () => {
  assert.match(eventNear(events, 1, 0.5)!.what, /^crashed/);
  assert.match(eventNear(events, 5, 0.05)!.what, /^emergency/);
  assert.equal(eventNear(events, 7, 0.5), undefined);
});
test("who crashed is known with the time, and stays so", () => {
  assert.deepEqual([...crashesOf([...events, event(2, "crashed: into the ground")])], [["3", 1.1]]);
  assert.equal(crashesOf([event(1, "task failed: nobody crashed", "")]).size, 0);
});
test("an emergency stop and a divergence are marked in the list, and a flight mode is not", () => {
  assert.deepEqual(standingOf("1", 6), { text: "Emergency stop", short: "E-stop", bad: true });
  assert.deepEqual(standingOf("1", 4), { text: "Mission", short: "Mission", bad: false });
  assert.equal(standingOf("1", 16 | 6).short, "Diverged");
  assert.equal(standingOf("1", 16 | 4).bad, true);
});
