// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, matching, outcomeOf, readRuns, readTags, sorted } from "./runs.ts";

const told = [
  { id: "b", scenario: "ring", seed: "7", hash: "ff", duration: 30, ticks: 3000, vehicles: 61, started: "2026-01-02T10:00:00Z", bytes: 90961, state: "finished", planned: 30, verdict: "passed", reason: "2 of 2 required tasks done", overrides: ["environment.gust_sigma=2", "duration=30"], tags: ["night"], metrics: { "tracking error/max": 0.2 } },
  { id: "a", scenario: "ring", seed: "10", hash: "fe", duration: 3, ticks: 300, vehicles: 9, started: "2026-01-02T09:00:00Z", bytes: 200, state: "finished", planned: 240, verdict: "incomplete", reason: "the run ended before its planned time; 1 of 2 required tasks done", overrides: ["environment.gust_sigma=1"], tags: [], metrics: { "tracking error/max": 0.25, spare: 1 } },
];
test("runs are read with care: what is not told is empty, what is no run is left out", () => {
  assert.deepEqual(readRuns({ error: "x" }), []);
  const [odd] = readRuns([null, 3, { id: 4 }, { id: "x", duration: "long", tags: "no", metrics: { a: "b" } }]);
  assert.deepEqual({ ...odd, started: 0 }, { id: "x", scenario: "unnamed", seed: "", hash: "", duration: 0, planned: 0, ticks: 0, vehicles: 0, started: 0, bytes: 0, state: "", verdict: "", reason: "", overrides: [], tags: [], metrics: {} });
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
  assert.equal(found["Spare"].a, "\u2013");
  assert.ok(found["Simulated"].difference.startsWith("\u2212"));
});
test("tags are parted by commas and spaces, each once", () => {
  assert.deepEqual(readTags(" night, windy;night  figure_3 "), ["night", "windy", "figure_3"]);
  assert.deepEqual(readTags(" , "), []);
});
test("a run says what became of it, and one that ended early says when", () => {
  const [b, a] = readRuns(told);
  assert.deepEqual(outcomeOf(b), { word: "passed", bad: false, detail: "2 of 2 required tasks done" });
  assert.deepEqual(outcomeOf(a), { word: "incomplete", bad: false, detail: "stopped at 3.0 of 240\u2009s; 1 of 2 required tasks done" });
  assert.equal(outcomeOf({ ...a, duration: 24 }).detail.split(";")[0], "stopped at 24 of 240\u2009s");
  assert.deepEqual(outcomeOf({ ...b, verdict: "failed", reason: "arrive is still open" }), { word: "failed", bad: true, detail: "arrive is still open" });
  assert.deepEqual(outcomeOf({ ...b, state: "damaged" }).word, "damaged");
  assert.deepEqual(outcomeOf({ ...a, state: "recording", verdict: "", reason: "" }), { word: "recording", bad: false, detail: "" });
  assert.equal(outcomeOf({ ...b, verdict: "", reason: "" }).word, "finished", "a recording of an earlier build");
});
test("a search finds verdicts and parameters, in words or as they were typed", () => {
  const runs = readRuns(told);
  assert.deepEqual(matching(runs, "passed").map((r) => r.id), ["b"]);
  assert.deepEqual(matching(runs, "gust_sigma=1").map((r) => r.id), ["a"]);
  assert.equal(matching(runs, "gust standard").length, 2);
});
test("of the parameters those are compared that differ", () => {
  const [b, a] = readRuns(told);
  const found = differences(b, a).filter((d) => ["Gust standard deviation", "Duration"].includes(d.name));
  assert.deepEqual(found.map((d) => [d.name, d.a, d.b]), [["Duration", "30", "as in the file"], ["Gust standard deviation", "2", "1"]]);
  assert.deepEqual(differences(b, b).filter((d) => d.difference), []);
});
