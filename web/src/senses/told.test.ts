// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Estimate, EstimatesMessage } from "../wire/wire.ts";
import { turned, ringsOf } from "./estimates.ts";
import { believedAt, healthWords, rootOf, spreadOf } from "./told.ts";

const STILL = { attitude: [1, 0, 0, 0], covariance: [4, 1, 0, 9, 0, 1], health: 7, sensors: [] };
const one = (east: number, more: Partial<Estimate> = {}): Estimate => ({ id: "7", position: [east, 2, 3], velocity: [4, 0, 0], ...STILL, ...more });
const message = (tick: number, ...vehicles: Estimate[]): EstimatesMessage => ({ type: "estimates", tick, vehicles });
const near = (a: number, b: number, e = 1e-9): void => assert.ok(Math.abs(a - b) < e, `${a} is not ${b}`);

test("between two messages the estimate is between them, and beyond the last it goes on with its velocity", () => {
  const told = [message(100, one(10)), message(110, one(20)), message(120, one(30))];
  assert.deepEqual(believedAt(told, "7", 1, 0.01)!.position, [10, 2, 3]);
  near(believedAt(told, "7", 1.05, 0.01)!.position[0], 15);
  near(believedAt(told, "7", 1.12, 0.01)!.position[0], 22);
  near(believedAt(told, "7", 1.3, 0.01)!.position[0], 30.4);
  near(believedAt(told, "7", 0.9, 0.01)!.position[0], 9.6);
});
test("where nothing is known of the moment there is no estimate", () => {
  const told = [message(100, one(10)), message(300, one(20))];
  assert.equal(believedAt([], "7", 1, 0.01), null);
  assert.equal(believedAt(told, "8", 1, 0.01), null);
  assert.equal(believedAt(told, "7", 2, 0.01), null); // two seconds lie between the messages
  assert.equal(believedAt(told, "7", 5, 0.01), null);
  assert.equal(believedAt([message(100, { id: "7", sensors: [] })], "7", 1, 0.01), null); // sensors, and no estimator
});
test("attitudes are turned the short way between two messages", () => {
  const h = Math.SQRT1_2;
  const told = [message(0, one(0, { attitude: [1, 0, 0, 0] })), message(10, one(0, { attitude: [-h, 0, 0, -h] }))];
  const q = believedAt(told, "7", 0.05, 0.01)!.attitude;
  near(Math.abs(q[0]), Math.cos(Math.PI / 8), 1e-6);
  near(q[3] / q[0], Math.tan(Math.PI / 8), 1e-6);
});
test("every point of the rings is three standard deviations away, and the first ring is the ellipse on the ground", () => {
  const c = [4, 1, 0.5, 9, -0.3, 1];
  // inverse of the covariance, by Cramer
  const [xx, xy, xz, yy, yz, zz] = c;
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const inverse = [
    [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy],
    [xz * yz - xy * zz, xx * zz - xz * xz, xy * xz - xx * yz],
    [xy * yz - xz * yy, xy * xz - xx * yz, xx * yy - xy * xy],
  ].map((r) => r.map((x) => x / det));
  for (const ring of ringsOf(c))
    for (const p of ring) near(p.reduce((sum, x, i) => sum + x * p.reduce((s, y, j) => s + inverse[i][j] * y, 0), 0), 9, 1e-9);
  const ground = ringsOf(c, 360)[0].map(([x, y]) => Math.hypot(x, y));
  near(Math.max(...ground), 3 * spreadOf(c)[0], 1e-2);
});
test("a covariance without an extent, or with bad numbers, makes rings of finite numbers", () => {
  for (const c of [[0, 0, 0, 0, 0, 0], [-1, 0, 0, -1, 0, -1], [1, 2, 0, 1, 0, 1], [0, 5, 5, 1, 0, 1]]) {
    assert.ok(rootOf(c).every(Number.isFinite), String(c));
    assert.ok(ringsOf(c).flat(2).every(Number.isFinite), String(c));
    assert.ok(spreadOf(c).every(Number.isFinite), String(c));
  }
});
test("a body vector is turned as the quaternion says", () => {
  const h = Math.SQRT1_2;
  const at = (q: number[], v: [number, number, number], to: number[]): void => turned(q, ...v).forEach((x, i) => near(x, to[i], 1e-12));
  at([1, 0, 0, 0], [1, 2, 3], [1, 2, 3]);
  at([h, 0, 0, h], [1, 0, 0], [0, 1, 0]); // to the left
  at([h, h, 0, 0], [0, 0, 1], [0, -1, 0]); // right side down
});
test("the health of a filter is told in words, the gravest first", () => {
  assert.deepEqual(healthWords(7), { text: "attitude, velocity and position known", level: "ok" });
  assert.equal(healthWords(3).text, "position not known");
  assert.equal(healthWords(0).text, "attitude, velocity, position not known");
  assert.equal(healthWords(15).level, "warn");
  assert.equal(healthWords(31).level, "bad");
});
