// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { capital, eventWords, settingWords, words } from "./words.ts";

test("names of fields and outcomes are words", () => {
  assert.equal(capital(words("inbox_full")), "Inbox full");
  assert.equal(words("gust_sigma"), "gust standard deviation");
});
test("an event names the unit and the frame of every figure", () => {
  assert.equal(eventWords("crashed: into the ground at (1.00, -2.50, 0.00), 3.20 m/s"), "crashed: into the ground at (1.00, -2.50, 0.00) m ENU, 3.20 m/s");
  assert.equal(eventWords("sees: uav-3 at (1.00, -2.50, 0.00) m ENU"), "sees: uav-3 at (1.00, -2.50, 0.00) m ENU", "once");
  assert.equal(eventWords("set: environment.gust_sigma to 2"), "set: gust standard deviation to 2\u2009m/s");
  assert.equal(eventWords("set: environment.wind to [1, 2, 0]"), "set: wind to [1, 2, 0]\u2009m/s ENU");
  assert.equal(eventWords("set: behaviours.reynolds.max_speed to 3"), "set: behaviours, reynolds: max speed to 3");
  assert.equal(eventWords("task done: all (of them)"), "task done: all (of them)");
});
test("what was set for a run is said in words, with its unit where it is known", () => {
  assert.equal(settingWords("environment.gust_sigma=2"), "gust standard deviation = 2\u2009m/s");
  assert.equal(settingWords("flocks[0].vehicles.grid.count=[3, 3, 1]"), "flocks[0], vehicles, grid: count = [3, 3, 1]");
});
