// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the camera has to hold: the swarm now and in a moment, a second run, the ground around.
import { fit, frameAll, type Camera, type Margins, type Viewport } from "../scene/camera.ts";
import { surroundings } from "../scene/surroundings.ts";
import * as s from "./state.ts";

let viewport: Viewport = { width: 820, height: 740 };
export const setViewport = (v: Viewport): void => {
  viewport = v;
};
export const getViewport = (): Viewport => viewport;

const keepOut = (): Margins => (s.versus.value?.mode === "side" ? [64, 24, 80, 60] : s.phone.value ? [60, 20, 90, 20] : [64, 40, 64, 40]);
const AHEAD = 1.5; // s of the viewer: how far the camera that frames all looks ahead
/** How many seconds of the world pass in one of the viewer, and which way. */
const pace = (): number => (s.hot.clock.mode === "playing" ? s.hot.clock.speed : s.hot.clock.mode === "live" && s.status.value.state === "running" ? s.status.value.factor || 1 : 0);
/** The vehicles of this moment and where they will be soon; a second run, which shares their origin; and what stands around. */
function allPoints(): Float32Array {
  const f = s.hot.frame;
  const b = s.hot.second?.frame;
  const around = s.hot.fitAround && s.world.value ? surroundings(s.world.value, f.position, f.n, f.origin) : [];
  const ahead = s.hot.keepFitting ? AHEAD * Math.max(-4, Math.min(4, pace())) : 0;
  const n = 3 * f.n;
  const all = new Float32Array(2 * n + 3 * (b?.n ?? 0) + around.length);
  for (let k = 0; k < n; k++) all[n + k] = (all[k] = f.position[k]) + ahead * f.velocity[k];
  if (b) all.set(b.position.subarray(0, 3 * b.n), 2 * n);
  all.set(around, all.length - around.length);
  return all;
}
/** No nearer than shows the largest vehicle whole. */
function leastDistance(): number {
  const { n, roster } = s.hot.frame;
  let size = 0.3;
  for (let k = 0; k < n; k++) size = Math.max(size, s.world.value?.flocks[roster.flock[k]]?.size ?? 0);
  return 6 * size;
}
export function fitted(c: Camera): Camera {
  return s.hot.frame.n ? fittedTo(c, allPoints(), leastDistance()) : c;
}
/** A view of some points, no nearer than `least` metres. */
export const fittedTo = (c: Camera, points: ArrayLike<number>, least = 2): Camera => fit(c, points, points.length / 3, viewport, keepOut(), Math.max(2, least));
/** The next camera while all is framed: whatever else it does, every vehicle stays inside a narrower edge. */
export function framed(c: Camera, dt: number): Camera {
  const f = s.hot.frame;
  return frameAll(c, fitted(c), f.position, f.n, viewport, keepOut().map((x) => 0.5 * x) as Margins, dt, s.hot.still);
}
