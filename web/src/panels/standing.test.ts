// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { levelOf, taskOf, type SimEvent, type Swarm } from "../source/source.ts";
import { flagsOf, tasksAt, tasksKnown } from "./standing.ts";

const event = (time: number, what: string): SimEvent => ({ tick: time * 100, time, id: "", name: "", what, level: levelOf(what) });
const events = [event(10, "task done: the person is found"), event(12, "landed"), event(20, "task failed: nobody lost (not always: 1 crashed)"), event(30, "task open again: near (1 of 2 arrived)"), event(40, "mission complete")];
const tasks: Swarm["tasks"] = [
  { name: "the person is found", required: true, state: "done", since: 1000, detail: "1 detected" },
  { name: "late", required: false, state: "open", since: 0, detail: "0 of 1" },
];

test("an event of a task is told from any other, with its name and its reason", () => {
  assert.deepEqual(taskOf("task done: a (b)"), { name: "a (b)", state: "done", detail: "" });
  assert.deepEqual(taskOf("task failed: apart (not always: nearest two 1.00 m apart)"), { name: "apart", state: "failed", detail: "not always: nearest two 1.00 m apart" });
  assert.deepEqual(taskOf("task open again: arrive (1 of 2 (so far))"), { name: "arrive", state: "open", detail: "1 of 2 (so far)" });
  assert.deepEqual(taskOf("task holding: nobody lost (of five)"), { name: "nobody lost (of five)", state: "holding", detail: "" });
  assert.equal(taskOf("task kept so far: nobody lost")?.state, "holding", "as recordings of earlier builds say");
  assert.equal(taskOf("mission complete")?.state, "complete");
  for (const other of ["landed", "crashed into uav-3", "refused: task", "multitask done: x"]) assert.equal(taskOf(other), null, other);
});
test("how grave it is comes from what became of the task, not from the words in its name", () => {
  assert.equal(levelOf("task done: nobody lost"), "info");
  assert.equal(levelOf("task failed: all fine"), "bad");
  assert.equal(levelOf("mission complete"), "info");
  assert.equal(levelOf("crashed into uav-3"), "bad");
});
test("at the live edge the server's word counts", () => {
  const rows = tasksAt({ tick: 5000, roster: 1, tasks }, tasks, events, 50, 0.01);
  assert.deepEqual(rows.map((r) => [r.name, r.state, r.since, r.detail]), [["the person is found", "done", 10, "1 detected"], ["late", "open", 0, "0 of 1"]]);
});
test("looking back, a task stands as it stood then", () => {
  const before = tasksAt(null, tasks, events, 9.99, 0.01);
  assert.deepEqual(before.find((r) => r.name === "the person is found")?.state, "open");
  const after = tasksAt(null, tasks, events, 10, 0.01);
  assert.deepEqual(after.find((r) => r.name === "the person is found")?.state, "done");
  assert.equal(after.find((r) => r.name === "late")?.required, false);
});
test("a page that came late flags what became of tasks before, once each", () => {
  const late = tasks.map((k) => ({ ...k, name: `${k.name}!` }));
  assert.deepEqual(flagsOf(events, tasks, 0.01).map((f) => [f.time, f.state]), [[10, "done"], [20, "failed"], [30, "open"], [40, "complete"]]);
  assert.deepEqual(flagsOf([], late, 0.01), [{ time: 10, state: "done" }]);
  assert.deepEqual(tasksAt(null, tasks, [], 11, 0.01).map((r) => [r.state, r.since]), [["done", 10], ["open", 0]]);
  assert.deepEqual(tasksAt(null, tasks, [], 9, 0.01).map((r) => r.state), ["open", "open"]);
});
test("in a recording the tasks are those that its events name", () => {
  const rows = tasksAt(null, [], events, 25, 0.01);
  assert.deepEqual(rows.map((r) => [r.name, r.state]), [["the person is found", "done"], ["nobody lost", "failed"], ["near", "open"]]);
  assert.equal(rows[1].detail, "not always: 1 crashed");
  assert.equal(rows[1].since, 20);
});
test("a safety task holds until the run ends, and is flagged only when it is lost or done", () => {
  const run = [event(0.1, "task holding: nobody lost"), event(60, "task done: nobody lost"), event(60, "mission complete")];
  assert.deepEqual(tasksAt(null, [], run, 30, 0.01).map((r) => [r.state, r.since]), [["holding", 0.1]]);
  assert.deepEqual(tasksAt(null, [], run, 60, 0.01).map((r) => r.state), ["done"]);
  assert.deepEqual(flagsOf(run, [], 0.01).map((f) => [f.time, f.state]), [[60, "done"], [60, "complete"]]);
  assert.deepEqual(flagsOf([], [{ name: "nobody lost", required: true, state: "holding", since: 10, detail: "" }], 0.01), []);
  assert.equal(levelOf("task holding: nobody lost"), "info");
});
test("a recording that names its tasks shows also those of which nothing became, at every moment", () => {
  const world = { tasks: [{ name: "near", required: true }, { name: "never", required: false }] };
  const known = tasksKnown(null, world);
  const run = [event(10, "task done: near"), event(20, "task open again: near (1 of 2 arrived)")];
  const at = (time: number) => tasksAt(null, known, run, time, 0.01).map((r) => [r.name, r.state, r.required]);
  assert.deepEqual(at(5), [["near", "open", true], ["never", "open", false]]);
  assert.deepEqual(at(15), [["near", "done", true], ["never", "open", false]]);
  assert.deepEqual(at(25), [["near", "open", true], ["never", "open", false]]);
  assert.deepEqual(tasksKnown(null, null), []);
});
