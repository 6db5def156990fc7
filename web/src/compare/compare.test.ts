// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { formatRoute, parseRoute } from "../app/router.ts";
import { openBuffer, type ReplaySource } from "../source/replay.ts";
import { makeRoster, newFrame, type Frame, type SimEvent } from "../source/source.ts";
import { moments } from "./align.ts";
import { apart, Distances, LATTICE, seriesOf } from "./distance.ts";
import { turn } from "./ghost.ts";
import { across, partners } from "./partners.ts";
import { verdictOf, verdictText, type Hashes } from "./verdict.ts";

const hashes = (first: number, list: number[], skip: number[] = []): Hashes => {
  const kept = list.map((h, k) => [first + k, h]).filter(([t]) => !skip.includes(t));
  return { tick: Float64Array.from(kept.map((e) => e[0])), hash: BigUint64Array.from(kept.map((e) => BigInt(e[1]))) };
};
const run = (name: string): Promise<ReplaySource> => readFile(new URL(`../../fixtures/${name}`, import.meta.url)).then(async (b) => (await openBuffer(b)) as ReplaySource);

test("the first tick whose hashes differ is named, with its time", () => {
  const v = verdictOf(hashes(0, [1, 2, 3, 4]), hashes(0, [1, 2, 9, 4]));
  assert.deepEqual(v, { kind: "part", tick: 2, first: false, unread: 0 });
  assert.match(verdictText({ kind: "part", tick: 4312, first: false, unread: 0 }, 0.01, 60, 60), /^Identical until tick 4,312 \(43\.12\ss\)\.$/);
  assert.match(verdictText(verdictOf(hashes(0, [1]), hashes(0, [2])), 0.01, 1, 1), /^Different from the first tick\.$/);
});
test("equal runs are identical throughout, and of two lengths the longer is named", () => {
  const long = hashes(0, [1, 2, 3, 4]);
  assert.match(verdictText(verdictOf(long, long), 0.01, 0.03, 0.03), /^Identical throughout, 4 ticks\.$/);
  assert.match(verdictText(verdictOf(long, hashes(0, [1, 2])), 0.01, 0.03, 0.01), /all 2 ticks that both have; A goes on until 0:00\.03\./);
  assert.match(verdictText(verdictOf(hashes(1, [2, 3]), long), 0.01, 0.02, 0.03), /B goes on/);
});
test("ticks that damage took are counted and say nothing", () => {
  const v = verdictOf(hashes(0, [1, 2, 3, 4, 5], [1, 2]), hashes(0, [1, 9, 9, 4, 6]));
  assert.deepEqual(v, { kind: "part", tick: 4, first: false, unread: 2 });
  assert.match(verdictText(v, 0.01, 1, 1), /2 ticks in between could not be read/);
});
test("runs without a common tick, or with ticks of another length, are not compared", () => {
  assert.equal(verdictOf(hashes(0, [1]), hashes(5, [1])).kind, "apart");
  assert.equal(verdictOf(hashes(0, []), hashes(0, [])).kind, "apart");
  assert.match(verdictText({ kind: "ticks", a: 0.01, b: 0.005 }, 0.01, 1, 1), /10\.0\sms and 5\.0\sms/);
});

test("partners have the same name, and the same id where names say nothing", () => {
  const named = (...list: string[]) => list.map((name, k) => ({ id: String(k), name }));
  const p = partners(named("a-1", "a-2", "b-1"), named("a-1", "b-1", "c-1", "c-2"));
  assert.deepEqual([...p.toB], [["0", "0"], ["2", "1"]]);
  assert.deepEqual([p.onlyA, p.onlyB], [["a-2"], ["c-1", "c-2"]]);
  assert.deepEqual([...partners(named("x", "x"), named("x", "x")).toB], [["0", "0"], ["1", "1"]]);
  assert.deepEqual([...partners(named("old-0"), named("new-0")).toB], [["0", "0"]], "a flock that was renamed");
  assert.deepEqual([...across(p.toB, ["2", "1", "nobody"])], ["1"]);
  assert.equal(partners([], named("a")).toB.size, 0);
});

const at = (ids: string[], east: number[], origin: [number, number, number] = [0, 0, 0]): Frame => {
  const f = newFrame(ids.length);
  f.n = ids.length;
  f.roster = makeRoster(1, ids.map((id) => ({ id, name: id, flock: 0 })));
  f.origin = origin;
  east.forEach((x, k) => (f.position[3 * k] = x));
  return f;
};
test("the distance of partners is that of the world, whatever each counts from", () => {
  const same = new Map(["1", "2", "3"].map((id) => [id, id]));
  const d = apart(at(["1", "2", "3"], [0, 0, 0]), at(["3", "1"], [0, -4], [10, 0, 0]), same);
  assert.deepEqual(d, { median: 8, most: 10, who: "3", pairs: 2 });
  assert.equal(apart(at(["1"], [0]), at(["2"], [0]), same), null);
  assert.equal(apart(at([], []), at(["2"], [0]), same), null);
});
test("a run is nowhere apart from itself, and a tick later it is as far as it flies in a tick", async () => {
  const a = await run("branch.vrec");
  const b = await run("branch.vrec");
  const { toB } = partners(a.log.roster, b.log.roster);
  const { first, last } = a.extent();
  for (let t = first; t <= last; t += 0.5) await Promise.all([a.ready(t), b.ready(t), b.ready(Math.min(last, t + 0.2))]);
  const origin = [0, 0, 0];
  const zero = new Distances({ a, b, toB, offset: 0, origin }).series(first, last);
  assert.ok(zero.time.length > 5 && zero.most.some((x) => x !== null));
  assert.ok(zero.most.every((x) => x === null || x === 0));
  const later = new Distances({ a, b, toB, offset: LATTICE, origin }).series(first, last);
  assert.ok(later.most.some((x) => x !== null && x > 0.01));
  assert.equal(later.most.at(-1), null, "beyond the end of B nothing is known");
  const id = a.log.roster[0].id;
  const one = seriesOf({ a, b, toB, offset: 0, origin }, [id, "nobody"], first, last, "distance");
  assert.ok(one.values[0].some((x) => x === 0) && one.values[1].every((x) => x === null));
});
test("runs are laid over each other at starts and at events that both have", () => {
  const event = (time: number, what: string, name = "uav-1"): SimEvent => ({ tick: 0, time, id: "1", name, what, level: "info" });
  const found = moments(0, 2, [event(5, "mission"), event(6, "mission"), event(9, "diverged")], [event(7, "mission"), event(9, "landed")]);
  assert.deepEqual(found.map((m) => [m.title, m.offset]), [["Same simulation time", 0], ["Both starts", 2], ["uav-1: mission", 2]]);
  assert.equal(moments(0, 0, [], []).length, 1);
  assert.ok(moments(0, 0, Array.from({ length: 500 }, (_, k) => event(k, `e${k}`)), Array.from({ length: 500 }, (_, k) => event(k, `e${k}`))).length <= 41);
});
test("a ghost points where its vehicle does", () => {
  const out = [0, 0, 0];
  const near = (want: number[]): void => want.forEach((x, i) => assert.ok(Math.abs(out[i] - x) < 1e-12, `${out} against ${want}`));
  const half = Math.SQRT1_2;
  turn([half, 0, 0, half], 0, 1, 0, out); // a quarter turn to the left: forward is north
  near([0, 1, 0]);
  turn([9, half, 0, 0, half], 1, 0, 1, out);
  near([-1, 0, 0]);
  turn([half, 0, half, 0], 0, 1, 0, out); // nose down
  near([0, 0, -1]);
});
test("the address of two runs comes back as it went, and means nothing without a first one", () => {
  const route = { page: "view" as const, run: "a", time: 2, sel: [], cam: "orbit", eye: [], speed: 1, layers: null, vs: "b/c d", ghost: true, shift: -1.25 };
  assert.deepEqual(parseRoute(formatRoute(route)), { ...route, unknown: [] });
  assert.ok(!formatRoute({ ...route, run: "" }).includes("vs="));
  assert.deepEqual(parseRoute("#/run/a?vs=b&shift=soon").unknown, ["shift"]);
});
