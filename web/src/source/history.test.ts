// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import * as wire from "../wire/wire.ts";
import { unpackAttitude, type RawFrame } from "./decode.ts";
import { History, pitch, roll, yaw } from "./history.ts";
import { makeRoster, newFrame } from "./source.ts";

/** A snapshot of vehicles that fly p + v t; halves are exact for small whole speeds. */
function snapshot(tick: number, vehicles: { p: number[]; v: number[] }[], origin = [0, 0, 0], roster = 1): RawFrame {
  const n = vehicles.length;
  const time = tick * 0.01;
  const half = (x: number): number => {
    for (let h = 0; h < 65536; h++) if (wire.halfToNumber(h) === x) return h;
    throw new Error(`${x} is not a half`);
  };
  const at = (i: number) => Float32Array.from(vehicles, (v) => v.p[i] + v.v[i] * time - origin[i]);
  const speed = (i: number) => Uint16Array.from(vehicles, (v) => half(v.v[i]));
  return { tick, time, origin: origin as [number, number, number], n, roster, east: at(0), north: at(1), up: at(2), attitude: new Uint32Array(n).fill((512 << 20) | (512 << 10) | 512), velocityEast: speed(0), velocityNorth: speed(1), velocityUp: speed(2), state: new Uint16Array(n).fill(4) };
}
function filled(): History {
  const h = new History();
  h.rosters.set(1, makeRoster(1, [{ id: "7", name: "a", flock: 0 }, { id: "9", name: "b", flock: 1 }]));
  for (const tick of [0, 10, 20, 30]) h.push(snapshot(tick, [{ p: [0, 0, 1], v: [2, 0, 0] }, { p: [5, 5, 5], v: [0, -1, 0.5] }]));
  return h;
}

test("a snapshot time gives exactly that snapshot", () => {
  const out = newFrame(1);
  assert.equal(filled().at(0.1, out), "exact");
  assert.equal(out.n, 2);
  assert.equal(out.tick, 10);
  assert.ok(Math.abs(out.position[0] - 0.2) < 1e-6);
  assert.equal(out.state[0], 4);
});
test("between two snapshots a straight flight stays straight", () => {
  const out = newFrame(1);
  assert.equal(filled().at(0.137, out), "between");
  assert.ok(Math.abs(out.position[0] - 0.274) < 1e-5);
  assert.ok(Math.abs(out.position[4] - (5 - 0.137)) < 1e-5);
  assert.ok(Math.abs(out.velocity[5] - 0.5) < 1e-6);
});
test("seeking forwards and backwards gives equal bytes", () => {
  const h = filled();
  const [a, b] = [newFrame(2), newFrame(2)];
  h.at(0.05, a);
  h.at(0.29, b);
  h.at(0.137, a);
  h.at(0.0, b);
  h.at(0.137, b);
  assert.deepEqual(a.position, b.position);
  assert.deepEqual(a.attitude, b.attitude);
});
test("before the first snapshot there is nothing", () => {
  const out = newFrame(1);
  assert.equal(filled().at(-1, out), "missing");
  assert.equal(out.n, 0);
});
test("a gap is missing, not interpolated", () => {
  const h = filled();
  h.push(snapshot(1000, [{ p: [0, 0, 1], v: [2, 0, 0] }, { p: [5, 5, 5], v: [0, 0, 0] }]));
  assert.equal(h.at(5, newFrame(2)), "missing");
  assert.deepEqual(h.extent().gaps, [[0.3, 10]]);
});
test("an older snapshot means that the run began anew", () => {
  assert.equal(filled().push(snapshot(3, [])), false);
});
test("positions twenty kilometres away keep their centimetres", () => {
  const h = new History();
  h.rosters.set(1, makeRoster(1, [{ id: "1", name: "a", flock: 0 }]));
  h.push(snapshot(0, [{ p: [20000.01, -15000.02, 3], v: [0, 0, 0] }], [20000, -15000, 0]));
  h.push(snapshot(10, [{ p: [20000.01, -15000.02, 3], v: [0, 0, 0] }], [20000.4, -15000, 0]));
  const out = newFrame(1);
  h.at(0.05, out);
  assert.ok(Math.abs(out.position[0] + out.origin[0] - 20000.01) < 1e-4);
});
test("a vehicle that leaves is kept to its last snapshot, and others keep their identity", () => {
  const h = filled();
  h.rosters.set(2, makeRoster(2, [{ id: "9", name: "b", flock: 1 }]));
  h.push(snapshot(40, [{ p: [5, 5, 5], v: [0, -1, 0.5] }], [0, 0, 0], 2));
  const out = newFrame(2);
  h.at(0.35, out);
  assert.equal(out.n, 2);
  assert.ok(Math.abs(out.position[3] - 5) < 1e-5);
  assert.ok(Math.abs(out.position[0] - 0.6) < 1e-5);
  h.at(0.4, out);
  assert.equal(out.n, 1);
  assert.equal(out.roster.ids[0], "9");
});
test("the budget thins the older half and keeps both ends", () => {
  const h = new History(64 * 200);
  h.rosters.set(1, makeRoster(1, [{ id: "1", name: "a", flock: 0 }]));
  for (let k = 0; k <= 4000; k++) h.push(snapshot(k * 10, [{ p: [k, 0, 0], v: [0, 0, 0] }]));
  assert.ok(h.bytes <= 64 * 200);
  assert.equal(h.frames[0].tick, 0);
  assert.equal(h.frames.at(-1)!.tick, 40000);
});
test("series and trails read without decoding everything", () => {
  const h = filled();
  const s = h.series("speed", ["9", "404"], 0, 1, 100);
  assert.deepEqual([...s.time], [0, 0.1, 0.2, 0.3]);
  assert.ok(Math.abs(s.values[0][0] - Math.hypot(1, 0.5)) < 1e-6);
  assert.ok(Number.isNaN(s.values[1][0]));
  const out = new Float32Array(6);
  assert.equal(h.positions(0.15, ["7", "404"], [0, 0, 0], out, 0), true);
  assert.ok(Math.abs(out[0] - 0.3) < 1e-6);
  assert.ok(Number.isNaN(out[3]));
});
test("the quick attitude agrees with the generated one", () => {
  const [a, b] = [new Float32Array(4), new Float32Array(4)];
  for (let k = 0; k < 2000; k++) {
    const packed = (Math.imul(k, 2654435761) ^ (k << 7)) >>> 0;
    unpackAttitude(packed, a, 0);
    wire.unpackAttitude(packed, b, 0);
    for (let i = 0; i < 4; i++) assert.ok(Math.abs(a[i] - b[i]) < 1e-6);
  }
});
test("euler angles come back from a turned body", () => {
  const [c, s] = [Math.cos(0.25), Math.sin(0.25)];
  assert.ok(Math.abs(yaw([c, 0, 0, s], 0) - 0.5) < 1e-9);
  assert.ok(Math.abs(pitch([c, 0, s, 0], 0) - 0.5) < 1e-9);
  assert.ok(Math.abs(roll([c, s, 0, 0], 0) - 0.5) < 1e-9);
});
