// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, type PartInfo } from "./body.ts";
import { posesOf, product, restAttitude, tiltOf, turned } from "./pose.ts";
import { STAR } from "./testing.ts";

type Quat = [number, number, number, number];
const about = (axis: number[], angle: number): Quat => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))] as Quat;
const part = (link: PartInfo["link"], axis: PartInfo["axis"] = [1, 0, 0], yaw = 0): PartInfo => ({ joint: [0, 0, 0], yaw, link, axis, size: 1, rotors: [], effectors: [] });
const near = (a: ArrayLike<number>, b: ArrayLike<number>, what = ""): void => {
  for (let i = 0; i < b.length; i++) assert.ok(Math.abs(a[i] - b[i]) < 1e-6, `${what} ${Array.from(a)} is not ${Array.from(b)}`);
};
const yaw = (q: ArrayLike<number>): number => Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] ** 2 + q[3] ** 2));

test("turning and putting turns together agree", () => {
  const [a, b] = [about([0, 0, 1], 0.7), about([0, 1, 0], -0.4)];
  near(turned(product(a, b), [1, 2, 3]), turned(a, turned(b, [1, 2, 3])));
  near(turned(about([0, 0, 1], Math.PI / 2), [1, 0, 0]), [0, 1, 0]);
});
test("on a ball joint an aircraft hangs upright at the platform's heading; one that is fixed goes with the platform", () => {
  const q = product(about([0, 0, 1], 0.8), about([0, 1, 0], 0.5));
  const free = restAttitude(q, part("spherical", [1, 0, 0], 0.3));
  assert.ok(tiltOf(free) < 1e-6);
  assert.ok(Math.abs(yaw(free) - 1.1) < 1e-6);
  near(restAttitude(q, part("fixed")), q);
  assert.ok(Math.abs(tiltOf(q) - 0.5) < 1e-9);
});
test("on a hinge it is as upright as the hinge lets it be", () => {
  const pitched = about([0, 1, 0], 0.5);
  assert.ok(tiltOf(restAttitude(pitched, part("hinge", [0, 1, 0]))) < 1e-6, "the hinge takes the pitch away");
  const across = restAttitude(pitched, part("hinge", [1, 0, 0]));
  assert.ok(Math.abs(tiltOf(across) - 0.5) < 1e-6, "a hinge along x cannot");
  const both = product(pitched, about([1, 0, 0], 0.3));
  assert.ok(tiltOf(restAttitude(both, part("hinge", [1, 0, 0]))) < tiltOf(both));
});
test("aircraft are in their joints, with the attitudes that were told, or else as they hang", () => {
  const body = bodyOf({ body: STAR })!;
  const out = new Float32Array(56);
  const q = about([0, 0, 1], Math.PI / 2);
  const told = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  posesOf(body, q, told, out);
  near(out.subarray(0, 3), [0, 0.48, 0.07], "turned to the left");
  near(out.subarray(10, 14), [0, 1, 0, 0]);
  near(out.subarray(17, 21), [0, 0, 1, 0]);
  for (const nothing of [null, [1, 0, 0, 0]]) {
    posesOf(body, q, nothing, out);
    assert.ok(tiltOf(out, 3) < 1e-3 && tiltOf(out, 10) < 1e-3);
    assert.ok(Math.abs(yaw(out.subarray(10, 14)) - Math.PI / 2 - 0.5) < 1e-6);
  }
});
