// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { BufferSource } from "./log_bytes.ts";
import { LogReader } from "./log_reader.ts";
import { decodeView, newPose, sampleAt } from "./view_decoder.ts";

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
const zstd = (bytes: Uint8Array): Uint8Array => new Uint8Array((zlib as unknown as { zstdCompressSync(b: Uint8Array, o?: object): Uint8Array }).zstdCompressSync(bytes, { pledgedSrcSize: bytes.length }));

async function open(name: string): Promise<LogReader> {
  const log = await LogReader.open(new BufferSource(fixture(name)));
  assert.ok(log instanceof LogReader, String(log));
  return log;
}

const varint = (x: number): number[] => (x < 128 ? [x] : [(x % 128) + 128, ...varint(Math.floor(x / 128))]);
const signed = (x: number): number[] => varint(x >= 0 ? 2 * x : -2 * x - 1);

/** A block by hand: columns as lists of bytes. */
function payload(tracks: number, columns: Partial<Record<number, number[]>>, head: Partial<{ version: number; values: number[]; rest: number[] }> = {}): Uint8Array {
  const values = new Uint8Array(new Float64Array(head.values ?? [0.01, 0.05, 0.1, 0.01, 0.025, 0.08, 0.008]).buffer);
  const all = Array.from({ length: 14 }, (_, k) => columns[k] ?? []);
  return zstd(Uint8Array.from([head.version ?? 1, ...values, ...varint(tracks), ...all.flatMap((c) => varint(c.length)), ...all.flat(), ...(head.rest ?? [])]));
}
/** One vehicle, number 7, from tick 2 on, eleven ticks in one piece. */
const one = {
  0: signed(7), 1: [2], 2: [11], 3: [...signed(40), ...signed(-80), ...signed(400)], 4: [...signed(25), 0, 0], 5: [0, 0, 0],
  6: [20], 7: [0, 0], 8: [0], 9: [0, 0], 10: [0], 11: [10], 12: [0, 0], 13: signed(50),
};

test("500 poses of the program come out equal, to a micrometre", async () => {
  const rows = fixture("reference.bin");
  const view = new DataView(rows.buffer, rows.byteOffset);
  const logs = [await open("removal.vrec"), await open("crowd.vrec")];
  const pose = newPose();
  const worst = { position: 0, velocity: 0, attitude: 0 };
  for (let r = 0; r < 500; r++) {
    const log = logs[r < 250 ? 0 : 1];
    const tick = view.getFloat64(72 * r, true);
    const vehicle = view.getUint32(72 * r + 8, true);
    let found = false;
    for (const b of log.views) {
      if (found || tick < b.firstTick || tick > b.lastTick) continue;
      const knots = await log.load(b);
      assert.ok(knots);
      for (let t = 0; t < knots.tracks && !found; t++) found = knots.vehicle[t] === vehicle && sampleAt(knots, t, tick - b.firstTick, pose);
    }
    assert.ok(found, `vehicle ${vehicle} at tick ${tick}`);
    for (let i = 0; i < 3; i++) {
      worst.position = Math.max(worst.position, Math.abs(pose[i] - view.getFloat64(72 * r + 16 + 8 * i, true)));
      worst.velocity = Math.max(worst.velocity, Math.abs(pose[3 + i] - view.getFloat32(72 * r + 40 + 4 * i, true)));
    }
    for (let i = 0; i < 4; i++) worst.attitude = Math.max(worst.attitude, Math.abs(pose[6 + i] - view.getFloat32(72 * r + 52 + 4 * i, true)));
  }
  console.log(`  largest differences: ${worst.position.toExponential(1)} m, ${worst.velocity.toExponential(1)} m/s, ${worst.attitude.toExponential(1)} of a quaternion`);
  assert.ok(worst.position < 1e-6 && worst.velocity < 1e-5 && worst.attitude < 1e-6);
});

test("a block written by hand reads as the page describes it", () => {
  const b = decodeView(payload(1, one));
  assert.ok(!(b instanceof Error), String(b));
  const pose = newPose();
  assert.equal(b.vehicle[0], 7);
  assert.ok(!sampleAt(b, 0, 1.99, pose) && !sampleAt(b, 0, 12.01, pose));
  assert.ok(sampleAt(b, 0, 2, pose));
  assert.deepEqual([...pose.subarray(0, 6)], [1, -2, 10, 2, 0, 0]);
  assert.ok(sampleAt(b, 0, 12, pose));
  // 25 steps of 0.08 m/s for 0.1 s, in steps of 0.025 m
  assert.ok(Math.abs(pose[0] - 1 - 8 * 0.025) < 1e-12 && Math.abs(pose[3] - 2) < 1e-12);
  // 50 steps of 0.008: four times the tangent of a quarter of the angle
  assert.ok(Math.abs(2 * Math.atan2(pose[9], pose[6]) - 4 * Math.atan(0.1)) < 1e-6);
});

test("faults are values: each of these is refused with a reason", () => {
  const cases: Record<string, Uint8Array> = {
    "no zstd": Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]),
    empty: new Uint8Array(0),
    version: payload(1, one, { version: 2 }),
    "tick of zero": payload(1, one, { values: [0, 0.05, 0.1, 0.01, 0.025, 0.08, 0.008] }),
    "tick that is none": payload(1, one, { values: [NaN, 0.05, 0.1, 0.01, 0.025, 0.08, 0.008] }),
    "step of zero": payload(1, one, { values: [0.01, 0.05, 0.1, 0.01, 0, 0.08, 0.008] }),
    "bytes left": payload(1, one, { rest: [0] }),
    "more tracks than bytes": payload(2, one),
    "a million tracks": payload(2 ** 20, one),
    "negative vehicle": payload(1, { ...one, 0: signed(-1) }),
    "no ticks": payload(1, { ...one, 2: [0] }),
    "too many ticks": payload(1, { ...one, 2: varint(2 ** 20) }),
    "piece of no ticks": payload(1, { ...one, 6: [1] }),
    "piece too long": payload(1, { ...one, 6: [22] }),
    "turn too long": payload(1, { ...one, 11: [11] }),
    "column too long": payload(1, { ...one, 13: [0, 0] }),
    "column too short": payload(1, { ...one, 12: [0] }),
    "knot out of range": payload(1, { ...one, 8: signed(2 ** 52 + 1) }),
    "eleven bytes": payload(1, { ...one, 8: [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1] }),
    "varint without end": payload(1, { ...one, 13: [128] }),
  };
  for (const [name, bytes] of Object.entries(cases)) assert.ok(decodeView(bytes) instanceof Error, name);
});

test("a frame that claims to grow beyond the limit costs nothing", () => {
  const bomb = zstd(new Uint8Array(1 << 26)); // 64 MB of nothing
  const begin = performance.now();
  const got = decodeView(bomb);
  assert.ok(got instanceof Error);
  assert.ok(performance.now() - begin < 1000);
});

test("random bytes inside a sound frame never throw", () => {
  let seed = 1;
  const random = (n: number): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  for (let k = 0; k < 2000; k++) {
    const columns = Object.fromEntries(Object.entries(one).map(([c, bytes]) => [c, bytes.map((b) => (random(8) === 0 ? random(256) : b))]));
    const got = decodeView(payload(1 + random(3), columns));
    if (!(got instanceof Error)) for (let t = 0; t < got.tracks; t++) sampleAt(got, t, random(40), newPose());
  }
});
