// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { HEAD, open, u64s, writeFile, type Piece } from "./log_test_support.ts";
import { PlotBook, readPlots } from "./plotted.ts";
import { ReplaySource } from "./replay.ts";
import { levelOf, logOf } from "./source.ts";

test("a number holds until the next one, and vehicles that plot at other moments share one time axis", () => {
  const book = new PlotBook();
  book.add("1", "gap", 0, 5);
  book.add("2", "gap", 0.05, 7);
  book.add("1", "gap", 0.1, 6);
  book.add("1", "gap", 0.1, 99); // told again
  book.add("1", "mode", 0.1, 1);
  assert.deepEqual(book.names(["1", "2"]), ["gap", "mode"]);
  const s = book.series("gap", ["1", "2"], 0, 1, 100);
  assert.deepEqual([...s.time], [0, 0.05, 0.1]);
  assert.deepEqual([...s.values[0]], [5, 5, 6]);
  assert.deepEqual([...s.values[1]], [NaN, 7, 7]);
  assert.equal(book.series("gap", ["1"], 0, 1, 1).values[0][0], 6, "the newest one is always shown");
  assert.deepEqual([...book.series("gap", ["1"], 5, 6, 10).values[0]], [6], "and holds into a window without any");
  book.clear();
  assert.deepEqual(book.names(["1"]), []);
});

const bytes = (...parts: (Uint8Array | number[])[]): Uint8Array => Uint8Array.from(parts.flatMap((p) => [...p]));
const u32s = (...x: number[]): Uint8Array => new Uint8Array(Uint32Array.from(x).buffer);
const name = (text: string): Uint8Array => bytes(u32s(text.length), new TextEncoder().encode(text));
const block = (values: number[]): Uint8Array =>
  bytes(u64s(2), u32s(0), name("gap"), u32s(0), name("wish"), u64s(3), u32s(0, 0, 10), u32s(0, 0, 0), new Uint8Array(Uint16Array.from([0, 1, 0]).buffer), new Uint8Array(Float64Array.from(values).buffer));

test("a block of plotted numbers is read to the bit, and a damaged one is refused", () => {
  const got = readPlots(block([1.5, -2, 1e-300]), 100);
  assert.ok(!(got instanceof Error));
  assert.deepEqual(got.map((s) => [s.name, s.vehicle, s.tick, s.value]), [["gap", 0, 100, 1.5], ["wish", 0, 100, -2], ["gap", 0, 110, 1e-300]]);
  assert.ok(readPlots(block([1, 2, NaN]), 0) instanceof Error);
  assert.ok(readPlots(block([1, 2, 3]).subarray(0, -1), 0) instanceof Error);
});

test("a recording gives the names that its vehicles plot and their lines", async () => {
  const roster = bytes(u64s(0), u64s(1), [1], u32s(0), u64s(0), u64s(2 ** 40 + 7), u32s(0), u32s(0), name("scout"));
  const hashes: Piece = { type: 3, payload: u64s(0, 1, 0, 0, ...new Array<number>(21).fill(1)), first: 0, last: 20 };
  const log = await open(writeFile([HEAD, { type: 8, payload: roster }, { type: 11, payload: block([1, 2, 3]), first: 0, last: 20 }, hashes]));
  const source = new ReplaySource(log);
  assert.deepEqual(source.plotNames(["7"]), [], "not read before somebody asks");
  let told = false;
  source.on((c) => (told ||= c.kind === "frames"));
  await source.plotsReady();
  assert.deepEqual(source.plotNames(["7"]), ["gap", "wish"]);
  assert.deepEqual(source.plotNames(["8"]), []);
  const s = source.series("plot:gap", ["7"], 0, 1, 100);
  assert.deepEqual([...s.values[0]], [1, 3]);
  assert.ok(Math.abs(s.time[1] - 0.1) < 1e-12);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(told, "the page learns that there is more to draw");
});

test("a line of log() is no warning, whatever its words", () => {
  assert.deepEqual(logOf("log: flock: lost my leader: 3"), { behaviour: "flock", text: "lost my leader: 3" });
  assert.equal(levelOf("log: flock: lost my leader"), "info");
  assert.equal(levelOf("log: 12 line(s) dropped between 3 s and 4 s: at most"), "warn");
  assert.equal(logOf("landed"), null);
});
