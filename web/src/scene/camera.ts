// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The camera as plain values and pure functions: the same input gives the same picture, and tests need no canvas.

export type CameraMode = "orbit" | "follow" | "chase" | "cockpit" | "top";
export interface Camera {
  mode: CameraMode;
  target: [number, number, number]; // m, relative to the scene's origin
  azimuth: number; // rad, compass bearing of the view
  elevation: number; // rad, how far the view looks down
  distance: number; // m
}
export interface Viewport {
  width: number;
  height: number;
}
export const FOV = (42 * Math.PI) / 180;
const LOW = (2 * Math.PI) / 180;
const HIGH = (89 * Math.PI) / 180;
const clamp = (x: number, a: number, b: number): number => Math.min(b, Math.max(a, x));

export const initialCamera = (): Camera => ({ mode: "orbit", target: [0, 0, 3], azimuth: 0.52, elevation: 0.34, distance: 40 });

/** View basis: right, up and back (towards the eye), in world axes. */
export function basis(c: Camera): { right: [number, number, number]; up: [number, number, number]; back: [number, number, number] } {
  const el = c.mode === "top" ? Math.PI / 2 : c.elevation;
  const az = c.mode === "top" ? 0 : c.azimuth;
  const [s, k, se, ce] = [Math.sin(az), Math.cos(az), Math.sin(el), Math.cos(el)];
  return { right: [k, -s, 0], up: [s * se, k * se, ce], back: [-s * ce, -k * ce, se] };
}
export function eye(c: Camera): [number, number, number] {
  const b = basis(c).back;
  return [c.target[0] + b[0] * c.distance, c.target[1] + b[1] * c.distance, c.target[2] + b[2] * c.distance];
}
export const metresPerPixel = (c: Camera, v: Viewport): number => (2 * c.distance * Math.tan(FOV / 2)) / v.height;

export function orbit(c: Camera, dx: number, dy: number): Camera {
  return { ...c, mode: c.mode === "top" ? "orbit" : c.mode, azimuth: wrap(c.azimuth + dx * 0.006), elevation: clamp(c.elevation + dy * 0.006, LOW, HIGH) };
}
export function pan(c: Camera, dx: number, dy: number, v: Viewport): Camera {
  const m = metresPerPixel(c, v);
  const { right } = basis(c);
  const forward = c.mode === "top" ? [0, 1] : [Math.sin(c.azimuth), Math.cos(c.azimuth)];
  const lift = c.mode === "top" ? 1 : 1 / Math.max(0.35, Math.sin(c.elevation));
  const t: Camera["target"] = [c.target[0] - right[0] * dx * m + forward[0] * dy * m * lift, c.target[1] - right[1] * dx * m + forward[1] * dy * m * lift, c.target[2]];
  return { ...c, target: t, mode: c.mode === "follow" || c.mode === "chase" ? "orbit" : c.mode };
}
/** Zooms so that the point under the cursor stays there; (x, y) from the centre in pixels. */
export function zoom(c: Camera, factor: number, x: number, y: number, v: Viewport): Camera {
  const distance = clamp(c.distance * factor, 0.3, 50_000);
  if (c.mode === "follow" || c.mode === "chase" || c.mode === "cockpit") return { ...c, distance };
  const shift = (metresPerPixel(c, v) * (c.distance - distance)) / c.distance;
  const { right, up } = basis(c);
  const t: Camera["target"] = [0, 1, 2].map((i) => c.target[i] + right[i] * x * shift - up[i] * y * shift) as Camera["target"];
  return { ...c, distance, target: c.mode === "top" ? t : [t[0], t[1], Math.max(0, t[2])] };
}
export const wrap = (a: number): number => a - 2 * Math.PI * Math.floor((a + Math.PI) / (2 * Math.PI));

/** The same view, moved and backed off until every point is inside the frame with a margin. `keep` in pixels: top, right, bottom, left. */
export function fit(c: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: [number, number, number, number] = [56, 24, 56, 24]): Camera {
  if (n === 0) return c;
  let next: Camera = c;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < n; k++)
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], points[3 * k + i]);
      high[i] = Math.max(high[i], points[3 * k + i]);
    }
  const span = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 2);
  next = { ...next, target: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2], distance: span * 3 };
  // A few rounds: measure the frame's use at the present distance, correct centre and distance.
  for (let round = 0; round < 6; round++) next = fitOnce(next, points, n, v, keep);
  return { ...next, distance: Math.max(next.distance, 2) };
}
function fitOnce(c: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: [number, number, number, number]): Camera {
  const { right, up, back } = basis(c);
  const focal = v.height / 2 / Math.tan(FOV / 2);
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  const step = Math.max(1, Math.floor(n / SAMPLES));
  for (let k = 0; k < n; k += step) {
    const dx = points[3 * k] - c.target[0];
    const dy = points[3 * k + 1] - c.target[1];
    const dz = points[3 * k + 2] - c.target[2];
    const depth = c.mode === "top" ? c.distance : Math.max(c.distance * 0.05, c.distance - (dx * back[0] + dy * back[1] + dz * back[2]));
    const x = ((dx * right[0] + dy * right[1] + dz * right[2]) * focal) / depth;
    const y = ((dx * up[0] + dy * up[1] + dz * up[2]) * focal) / depth;
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    y0 = Math.min(y0, y);
    y1 = Math.max(y1, y);
  }
  const room = [Math.max(80, v.width - keep[1] - keep[3]), Math.max(80, v.height - keep[0] - keep[2])];
  const scale = Math.max((x1 - x0) / room[0], (y1 - y0) / room[1], 1e-3);
  const m = c.distance / focal;
  const sx = ((x0 + x1) / 2 - (keep[3] - keep[1]) / 2) * m;
  const sy = ((y0 + y1) / 2 - (keep[2] - keep[0]) / 2) * m;
  const target = [0, 1, 2].map((i) => c.target[i] + right[i] * sx + up[i] * sy) as Camera["target"];
  return { ...c, target, distance: c.distance * scale };
}
const SAMPLES = 1500; // of a large swarm: the margins cover what falls between

/** A step of a smooth move; `t` from 0 to 1. */
export function between(a: Camera, b: Camera, t: number): Camera {
  const e = t * t * (3 - 2 * t);
  const target = [0, 1, 2].map((i) => a.target[i] + (b.target[i] - a.target[i]) * e) as Camera["target"];
  return { mode: b.mode, target, azimuth: wrap(a.azimuth + wrap(b.azimuth - a.azimuth) * e), elevation: a.elevation + (b.elevation - a.elevation) * e, distance: Math.exp(Math.log(a.distance) + (Math.log(b.distance) - Math.log(a.distance)) * e) };
}
