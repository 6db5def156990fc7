// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import * as s from "../app/state.ts";
import { testFrame } from "../scene/test_view.ts";
import { levelOf, type FlockInfo } from "../source/source.ts";
import { chooseNear, Joined } from "./joined.ts";
import { STAR } from "./testing.ts";
import { sampleOf } from "./told.ts";

const flock = (body?: unknown): FlockInfo => ({ name: "a", airframe: "a", model: "platform", rotors: [], size: 1, radius: 0.5, controller: "", look: null, body });
const tilted = [Math.cos(0.2), Math.sin(0.2), 0, 0];

test("the server is asked about selected platforms and about those that are near, the primary one first", () => {
  const frame = testFrame(Array.from({ length: 6 }, (_, k): [number, number, number] => [k, 0, 0]), (k) => k % 2); // odd ones are plain
  const flocks = [flock(STAR), flock()];
  const level = [0, 2, 1, 2, 2, 2];
  const none = { primary: null, ids: new Set<string>() };
  assert.deepEqual(chooseNear(frame, flocks, level, none, 32), ["2", "4"]);
  assert.deepEqual(chooseNear(frame, flocks, level, { primary: "4", ids: new Set(["0", "1", "4"]) }, 32), ["4", "0", "2"]);
  assert.deepEqual(chooseNear(frame, flocks, level, { primary: "4", ids: new Set(["0", "4"]) }, 2), ["4", "0"]);
  assert.deepEqual(chooseNear(frame, [flock(), flock()], level, none, 32), []);
});

test("aircraft are as they were told in the live run and its recording, and upright elsewhere", () => {
  const joined = new Joined();
  const frame = testFrame([[0, 0, 5]]);
  frame.attitude.set([1, 0, 0, 0]);
  frame.time = 2;
  joined.book.add("0", sampleOf({ id: "0", parts: [...tilted, ...tilted, ...tilted], contacts: [1, 0, 5, -2, 0, 0], held_by: "3" }, 2));
  const lean = (): number => joined.poses(frame, 0, flock(STAR))[4];
  const before = s.hot.frame;
  assert.ok(Math.abs(lean()) < 1e-6, "another frame: that of a second run");
  s.hot.frame = frame;
  try {
    for (const kind of ["live", "ended"] as const) {
      s.shown.value = { kind, name: "" };
      assert.ok(Math.abs(lean() - Math.sin(0.2)) < 1e-6, kind);
      assert.equal(joined.now("0")!.contacts.length, 6);
    }
    for (const kind of ["run", "file", "edit"] as const) {
      s.shown.value = { kind, name: "" };
      assert.ok(Math.abs(lean()) < 1e-6, kind);
      assert.equal(joined.now("0"), null);
      assert.equal(joined.kept(), null);
    }
  } finally {
    s.hot.frame = before;
    s.shown.value = { kind: "live", name: "" };
  }
});

test("who is joined with whom is what the server told of this moment, or else what the events say", () => {
  const joined = new Joined();
  const before = s.hot.frame;
  s.hot.frame = testFrame([[0, 0, 5], [1, 0, 5]]);
  s.roster.value = s.hot.frame.roster;
  const what = "latched: held by uav-0";
  s.events.value = [{ tick: 100, time: 1, id: "1", name: "uav-1", what, level: levelOf(what) }];
  try {
    s.hot.frame.time = s.hot.clock.time = 2;
    assert.equal(joined.partner("1"), "uav-0");
    assert.equal(joined.partner("0"), "uav-1");
    joined.book.add("1", sampleOf({ id: "1" }, 2));
    assert.equal(joined.partner("1"), "", "the event that it opened has not come yet");
    joined.book.add("1", sampleOf({ id: "1", held_by: "0" }, 2));
    assert.equal(joined.partner("1"), "uav-0");
  } finally {
    s.hot.frame = before;
    s.hot.clock.time = 0;
    s.events.value = [];
  }
});
