// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the aircraft of a platform are, and how they hang where nobody told it: aircraft carry by thrust that points up, so in a joint that lets them they are upright.
// Quaternions are w x y z, body to world.
import type { Vec } from "../scene/shape.ts";
import type { BodyInfo, PartInfo } from "./body.ts";

type Quat = readonly [number, number, number, number];

export function turned(q: Quat, v: Vec): [number, number, number] {
  const [w, x, y, z] = q;
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}
export const product = (a: Quat, b: Quat): Quat => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
const about = (axis: Vec, angle: number): Quat => {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
};
const UP: Vec = [0, 0, 1];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** As upright as its joint lets it be, at the yaw that it keeps. */
export function restAttitude(q: Quat, part: PartInfo): Quat {
  if (part.link === "fixed") return product(q, about(UP, part.yaw));
  if (part.link === "spherical") {
    const heading = Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] ** 2 + q[3] ** 2));
    return about(UP, heading + part.yaw);
  }
  // the angle about the axis that brings its upright axis nearest to that of the world
  const a = part.axis;
  const up = turned([q[0], -q[1], -q[2], -q[3]], UP);
  const across: Vec = [UP[1] * up[2] - UP[2] * up[1], UP[2] * up[0] - UP[0] * up[2], UP[0] * up[1] - UP[1] * up[0]];
  return product(product(q, about(a, Math.atan2(dot(a, across), dot(UP, up) - dot(a, UP) * dot(a, up)))), about(UP, part.yaw));
}

/** Seven numbers for each aircraft (scene/view.ts): with the attitudes that were told, four numbers each, or as they hang. */
export function posesOf(body: BodyInfo, q: Quat, told: ArrayLike<number> | null, out: Float32Array): Float32Array {
  const known = told && told.length >= 4 * body.parts.length ? told : null;
  body.parts.forEach((part, k) => {
    const at = 4 * k;
    out.set(turned(q, part.joint), 7 * k);
    out.set(known ? [known[at], known[at + 1], known[at + 2], known[at + 3]] : restAttitude(q, part), 7 * k + 3);
  });
  return out;
}

/** Angle between the upright axis of an attitude and the vertical, rad. */
export const tiltOf = (q: ArrayLike<number>, at = 0): number => Math.acos(Math.max(-1, Math.min(1, 1 - 2 * (q[at + 1] ** 2 + q[at + 2] ** 2))));
