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

export type Margins = [top: number, right: number, bottom: number, left: number]; // px
/** Along the axes of a view: what points ask of the eye. Each one wants it behind two planes per direction, and of all only the strictest count. */
interface Demand {
  ax: number; // edges of the frame, as slopes from the middle: left and right, bottom and top
  bx: number;
  ay: number;
  by: number;
  xl: number; // x + ax z of the eye may not be more than this, x + bx z not less than xh; the same for y
  xh: number;
  yl: number;
  yh: number;
  zl: number; // how near and how far the points are
  zh: number;
}
function demandOf(c: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: Margins): Demand {
  const { right, up, back } = basis(c);
  const focal = v.height / 2 / Math.tan(FOV / 2);
  const window = (size: number, before: number, after: number): [number, number] => (size - before - after >= 80 ? [(before - size / 2) / focal, (size / 2 - after) / focal] : [-40 / focal, 40 / focal]);
  const [ax, bx] = window(v.width, keep[3], keep[1]);
  const [ay, by] = window(v.height, keep[2], keep[0]);
  const deep = c.mode === "top" ? 0 : 1;
  let [xl, xh, yl, yh, zl, zh] = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < n; k++) {
    const [e, m, u] = [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
    const x = e * right[0] + m * right[1] + u * right[2];
    const y = e * up[0] + m * up[1] + u * up[2];
    const z = e * back[0] + m * back[1] + u * back[2];
    const d = deep * z;
    xl = Math.min(xl, x + ax * d);
    xh = Math.max(xh, x + bx * d);
    yl = Math.min(yl, y + ay * d);
    yh = Math.max(yh, y + by * d);
    zl = Math.min(zl, z);
    zh = Math.max(zh, z);
  }
  return { ax, bx, ay, by, xl, xh, yl, yh, zl, zh };
}

/**
 * The same view, moved and backed off as little as brings every point into the frame, and no nearer than `least` metres.
 * Solved exactly: an iteration over projected sizes runs away where points lie one behind the other.
 */
export function fit(c: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: Margins = [56, 24, 56, 24], least = 2): Camera {
  if (n === 0) return c;
  const { right, up, back } = basis(c);
  const { ax, bx, ay, by, xl, xh, yl, yh, zl, zh } = demandOf(c, points, n, v, keep);
  const flat = c.mode === "top";
  const middle = (zl + zh) / 2;
  const reach = Math.max((xh - xl) / (bx - ax), (yh - yl) / (by - ay)); // of the eye along the view, from above the distance itself
  const distance = flat ? Math.max(least, reach) : Math.max(least, reach - middle, 0.7 * (zh - zl)); // never right before the nearest
  const at = flat ? distance : middle + distance;
  const x = (xh - bx * at + xl - ax * at) / 2;
  const y = (yh - by * at + yl - ay * at) / 2;
  const target = [0, 1, 2].map((i) => right[i] * x + up[i] * y + back[i] * middle) as Camera["target"];
  return { ...c, target, distance };
}

/** What part of the way from one camera to another of the same direction, that has every point in its frame, is needed to have them all: 0 where they are. */
export function wayNeeded(from: Camera, to: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: Margins): number {
  const { right, up, back } = basis(to);
  const d = demandOf(to, points, n, v, keep);
  const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const excess = (c: Camera): number[] => {
    const [x, y] = [dot(right, c.target), dot(up, c.target)];
    const z = to.mode === "top" ? c.distance : dot(back, c.target) + c.distance;
    return [x + d.ax * z - d.xl, d.xh - x - d.bx * z, y + d.ay * z - d.yl, d.yh - y - d.by * z];
  };
  const [a, b] = [excess(from), excess(to)];
  // The excess over each plane changes evenly along the way.
  return a.reduce((need, over, k) => (over <= 1e-6 ? need : Math.max(need, b[k] < over ? Math.min(1, over / (over - b[k])) : 1)), 0);
}
export const towards = (a: Camera, b: Camera, along: number, away = along): Camera => ({ ...a, target: [0, 1, 2].map((i) => a.target[i] + (b.target[i] - a.target[i]) * along) as Camera["target"], distance: a.distance + (b.distance - a.distance) * away });

/**
 * A step of the camera that frames everything: outwards quickly, inwards and sideways slowly, and always so far that no point leaves the frame.
 * `still`: no move at all until a point would leave it or everything has become small, and then at once.
 */
export function frameAll(c: Camera, goal: Camera, points: ArrayLike<number>, n: number, v: Viewport, keep: Margins, dt: number, still: boolean): Camera {
  if (still) return wayNeeded(c, goal, points, n, v, keep) > 0 || goal.distance < 0.6 * c.distance ? goal : c;
  const slow = Math.min(1, dt * 1.2);
  const eased = towards(c, goal, slow, goal.distance > c.distance ? Math.min(1, 3 * slow) : 0.3 * slow);
  return towards(eased, goal, wayNeeded(eased, goal, points, n, v, keep));
}

/** A step of a smooth move; `t` from 0 to 1. */
export function between(a: Camera, b: Camera, t: number): Camera {
  const e = t * t * (3 - 2 * t);
  const target = [0, 1, 2].map((i) => a.target[i] + (b.target[i] - a.target[i]) * e) as Camera["target"];
  return { mode: b.mode, target, azimuth: wrap(a.azimuth + wrap(b.azimuth - a.azimuth) * e), elevation: a.elevation + (b.elevation - a.elevation) * e, distance: Math.exp(Math.log(a.distance) + (Math.log(b.distance) - Math.log(a.distance)) * e) };
}
