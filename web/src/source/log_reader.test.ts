// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Block } from "./log_blocks.ts";
import { modeAt } from "./log_lists.ts";
import { fixture, HEAD, json, open, readAll, Remote, u64s, writeFile } from "./log_test_support.ts";

test("head, roster, events, metrics and hashes are those of the run", async () => {
  const log = await open(fixture("removal.vrec"));
  assert.equal(log.head.scenario, "removal");
  assert.equal(log.head.seed, "5");
  assert.equal(log.tick, 0.01);
  assert.deepEqual([log.head.startTick, log.lastTick, log.closed, log.indexed], [0, 1200, true, false]);
  assert.deepEqual(log.head.flocks.map((f) => f.name), ["holders", "circlers"]);
  assert.equal(log.roster.length, 15);
  assert.deepEqual(log.roster.filter((v) => v.removalTick < Infinity).map((v) => v.flock), [0, 1, 1, 1, 1, 1, 1]);
  assert.equal(log.roster[3].spawnTick, 0);
  assert.ok(Math.abs(log.roster[3].removalTick - 400) <= 1);
  assert.equal(log.events.filter((e) => e.what === "removed").length, 7);
  assert.equal(log.events[0].vehicle, log.roster[3].id);
  assert.ok(log.metrics.some((m) => m.name.includes("rms") && m.value > 0));
  const { tick, hash } = await log.hashes();
  assert.equal(tick.length, 1201);
  assert.deepEqual([tick[0], tick[1200]], [0, 1200]);
  assert.equal(hash[1200].toString(16).padStart(16, "0"), "07b93bf950791bb0"); // as the program printed it
  assert.deepEqual([log.damage, log.problems()], [[], []]);
});

test("from afar the index is used, and gives the same without reading the trajectories", async () => {
  const bytes = fixture("crowd.vrec");
  const near = await open(bytes);
  const remote = new Remote(bytes);
  const far = await open(remote);
  assert.ok(far.indexed);
  assert.ok(remote.bytes < bytes.length + 70_000 && remote.reads < 12, `${remote.reads} readings of ${remote.bytes} bytes`);
  const plain = (b: Block): Block => ({ ...b, link: undefined });
  assert.deepEqual(far.blocks.map(plain), near.blocks.map(plain));
  assert.deepEqual(far.roster, near.roster);
  assert.equal(await readAll(far), 1000);
  assert.equal(await readAll(near), 1000);
});

test("a branch begins in the state of its run and leaves it some ticks later", async () => {
  const [run, branch] = [await open(fixture("removal.vrec")), await open(fixture("branch.vrec"))];
  assert.equal(branch.head.startTick, 600);
  const [a, b] = [await run.hashes(), await branch.hashes()];
  const first = b.tick.findIndex((tick, k) => a.hash[a.tick.indexOf(tick)] !== b.hash[k]);
  assert.ok(b.tick[0] === 600 && first > 0 && first < 10, `they part at tick ${b.tick[first]}`);
});

const u32s = (...values: number[]): number[] => [...new Uint8Array(Uint32Array.from(values).buffer)];
const spawnOf = (index: number): number[] => [1, ...u32s(index), ...u64s(0, index + 1), ...u32s(0, 0, 1), 65];
const modesOf = (index: number, tick: number, count: number, mode: number): number[] => [3, ...u32s(index), ...u64s(tick), ...u32s(count), mode];

test("flight modes are those of their range of vehicles, each from its tick on", async () => {
  const roster = new Uint8Array([...u64s(0, 6), ...spawnOf(0), ...spawnOf(1), ...spawnOf(2), ...modesOf(0, 0, 3, 3), ...modesOf(1, 40, 2, 5), ...modesOf(1, 90, 4_000_000_000, 0)]);
  const log = await open(writeFile([HEAD, { type: 8, last: 100, payload: roster }]));
  const at = (tick: number): number[] => log.roster.map((v) => modeAt(v, tick));
  assert.deepEqual([at(-1), at(0), at(39.9), at(40), at(89), at(90), at(1e9)], [[15, 15, 15], [3, 3, 3], [3, 3, 3], [3, 5, 5], [3, 5, 5], [3, 0, 0], [3, 0, 0]]);
  assert.deepEqual(log.damage, []);
  const older = await open(fixture("removal.vrec"));
  assert.ok(older.roster.every((v) => v.modes.length === 0 && modeAt(v, 5) === 15), "a recording that does not say it");
});

test("after a lost block of the roster a mode is unknown until the vehicle's next change that is left", async () => {
  const hashes = (first: number, last: number, roster: number): { type: number; first: number; last: number; payload: Uint8Array } => ({ type: 3, first, last, payload: new Uint8Array([...u64s(0, roster, 0, 0), ...new Uint8Array(8 * (last - first + 1))]) });
  const roster = (first: number, tick: number, ...entries: number[][]): { type: number; first: number; last: number; payload: Uint8Array } => ({ type: 8, first: tick, last: tick + 9, payload: new Uint8Array([...u64s(first, entries.length), ...entries.flat()]) });
  const [a, b, c] = [roster(0, 0, spawnOf(0), spawnOf(1), modesOf(0, 0, 2, 3)), roster(3, 10, modesOf(0, 12, 2, 5)), roster(4, 20, modesOf(1, 25, 1, 4))];
  const pieces = [HEAD, a, hashes(0, 9, 3), b, hashes(10, 19, 4), c, hashes(20, 29, 5)].map((p, sequence) => ({ ...p, sequence }));
  const modes = async (lost: number[]): Promise<number[][]> => {
    const log = await open(writeFile(pieces.filter((_, k) => !lost.includes(k))));
    if (lost.includes(3) || lost.includes(5)) assert.match(log.problems().join(), /modes are unknown from tick/);
    return [9, 10, 12, 24, 25, 29].map((tick) => log.roster.map((v) => modeAt(v, tick, log.modesUnknownFrom)));
  };
  assert.deepEqual(await modes([]), [[3, 3], [3, 3], [5, 5], [5, 5], [5, 4], [5, 4]]);
  assert.deepEqual(await modes([3]), [[3, 3], [15, 15], [15, 15], [15, 15], [15, 4], [15, 4]]);
  assert.deepEqual(await modes([5]), [[3, 3], [3, 3], [5, 5], [15, 15], [15, 15], [15, 15]], "the last one: the hashes count it");
  assert.deepEqual(await modes([2]), await modes([]), "hashes alone take no modes along");
});

test("ranges of modes that repeat without end are cut, and one that is no mode is refused", async () => {
  const n = 3000;
  const many = [...Array(n).keys()].flatMap(spawnOf);
  for (let k = 0; k < 5000; k++) many.push(...modesOf(0, k, 4_000_000_000, k % 7));
  const log = await open(writeFile([HEAD, { type: 8, payload: new Uint8Array([...u64s(0, n + 5000), ...many]) }]));
  assert.equal(log.roster.reduce((sum, v) => sum + v.modes.length, 0), 2 ** 22);
  const wrong = await open(writeFile([HEAD, { type: 8, payload: new Uint8Array([...u64s(0, 2), ...spawnOf(0), ...modesOf(0, 0, 1, 16)]) }]));
  assert.match(wrong.problems().join(), /roster: cannot be understood/);
});

test("hostile blocks with sound checksums are refused one by one", async () => {
  const many = new Uint8Array([...u64s(0, 2 ** 40), 1]);
  const spawn = (index: number): Uint8Array => new Uint8Array([...u64s(0, 1), 1, ...new Uint8Array(Uint32Array.from([index]).buffer), ...u64s(0, 7), 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 65]);
  const log = await open(
    writeFile([
      HEAD,
      { type: 8, payload: many },
      { type: 8, payload: spawn(4_000_000_000) },
      { type: 8, payload: spawn(0).subarray(0, 30) },
      { type: 6, payload: json({ first: -1, events: [] }) },
      { type: 6, payload: json({ first: 0, events: [{ tick: -4 }, { tick: "x" }, 7, null] }) },
      { type: 6, payload: json([1, 2]) },
      { type: 7, payload: new TextEncoder().encode("[[[[".repeat(10_000)) },
      { type: 3, first: 0, last: 2 ** 50, payload: u64s(0, 0, 0, 0, 1) },
      { type: 5, first: 0, last: 2 ** 50, payload: u64s(1) },
      { type: 5, first: 0, last: 10, payload: u64s(1, 2, 3) },
      { type: 9, payload: u64s(2 ** 50, 1) },
    ]),
  );
  await readAll(log);
  assert.equal(log.roster.length, 0);
  assert.equal(log.events.length, 0);
  assert.equal(log.head.seed, "18446744073709551615");
  assert.equal(log.lastTick, 10);
  assert.ok(log.damage.length >= 7, log.problems().join("\n"));
});
