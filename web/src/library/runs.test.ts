// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, matching, readRuns, readTags, sorted } from "./runs.ts";

const told = [
  { id: "b", scenario: "ring", seed: "7", hash: "ff", duration: 30, ticks: 3000, vehicles: 61, started: "2026-01-02T10:00:00Z", bytes: 90961, state: "finished", tags: ["night"], metrics: { "tracking error/max": 0.2 } },
  { id: "a", scenario: "ring", seed: "10", hash: "fe", duration: 3, ticks: 300, vehicles: 9, started: "2026-01-02T09:00:00Z", bytes: 200, state: "cut off", tags: [], metrics: { "tracking error/max": 0.25, spare: 1 } },
];
test("runs are read with care: what is not told is empty, what is no run is left out", () => {
  assert.deepEqual(readRuns({ error: "x" }), []);
  const [odd] = readRuns([null, 3, { id: 4 }, { id: "x", duration: "long", tags: "no", metrics: { a: "b" } }]);
  assert.deepEqual({ ...odd, started: 0 }, { id: "x", scenario: "unnamed", seed: "", hash: "", duration: 0, ticks: 0, vehicles: 0, started: 0, bytes: 0, state: "", tags: [], metrics: {} });
});
test("every word of a search has to be found", () => {
  const runs = readRuns(told);
  assert.deepEqual(matching(runs, "ring night").map((r) => r.id), ["b"]);
  assert.equal(matching(runs, " ").length, 2);
  assert.equal(matching(runs, "ring square").length, 0);
});
test("sorting compares numbers as numbers, and seeds as people count", () => {
  const runs = readRuns(told);
  assert.deepEqual(sorted(runs, { by: "seed", down: false }).map((r) => r.id), ["b", "a"]);
  assert.deepEqual(sorted(runs, { by: "bytes", down: true }).map((r) => r.id), ["b", "a"]);
  assert.deepEqual(sorted(runs, { by: "started", down: false }).map((r) => r.id), ["a", "b"]);
  assert.deepEqual(sorted(runs, { by: "scenario", down: false }).map((r) => r.id), ["b", "a"]);
});
test("a difference is signed, and a figure that only one has is a dash", () => {
  const [b, a] = readRuns(told);
  const found = Object.fromEntries(differences(b, a).map((d) => [d.name, d]));
  assert.equal(found["Scenario"].difference, "");
  assert.ok(found["Tracking error, largest"].difference.startsWith("+0.0500"));
  assert.equal(found["spare"].a, "\u2013");
  assert.ok(found["Simulated"].difference.startsWith("\u2212"));
});
test("tags are parted by commas and spaces, each once", () => {
  assert.deepEqual(readTags(" night, windy;night  figure_3 "), ["night", "windy", "figure_3"]);
  assert.deepEqual(readTags(" , "), []);
});
