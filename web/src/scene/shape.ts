// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Corners and triangles of a machine, put together from a few plain solids in body axes (x forward, y left, z up, metres). Every corner says
// what it belongs to, so that one shader draws all of it: bare frame, flock colour, rotor disc, dark parts.

export const [FRAME, HUE, DISC, DARK] = [0, 1, 2, 3];
export type Vec = readonly [number, number, number];
const minus = (a: Vec, b: Vec): [number, number, number] => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec, b: Vec): [number, number, number] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vec): [number, number, number] => {
  const l = Math.hypot(...a) || 1;
  return [a[0] / l, a[1] / l, a[2] / l];
};

/** A cut through a fuselage: place along x, height of its middle, half width, half height. */
export type Station = readonly [x: number, z: number, wide: number, high: number];

export class Shape {
  position: number[] = [];
  normal: number[] = [];
  part: number[] = [];
  index: number[] = [];

  /** Four corners, counter-clockwise seen from outside; a and b, or c and d, may be one. */
  quad(a: Vec, b: Vec, c: Vec, d: Vec, kind: number): void {
    const n = unit(cross(minus(c, a), minus(d, b)));
    const at = this.position.length / 3;
    for (const p of [a, b, c, d]) {
      this.position.push(...p);
      this.normal.push(...n);
      this.part.push(kind, 0, 0, 0);
    }
    const same = (p: Vec, q: Vec): boolean => p.every((x, i) => x === q[i]);
    if (!same(a, b)) this.index.push(at, at + 1, at + 2);
    if (!same(c, d)) this.index.push(at, at + 2, at + 3);
  }
  /** A box from a to b along its axis, w wide and h high, narrower by `taper` at b. */
  beam(a: Vec, b: Vec, w: number, h: number, kind: number, taper = 1): void {
    const f = unit(minus(b, a));
    const flat = Math.hypot(f[0], f[1]);
    const s: Vec = flat > 0.3 ? [-f[1] / flat, f[0] / flat, 0] : [0, 1, 0];
    const t = cross(f, s);
    const corner = (p: Vec, i: number, j: number, k: number): [number, number, number] => [0, 1, 2].map((c) => p[c] + (s[c] * i * w * k) / 2 + (t[c] * j * h * k) / 2) as [number, number, number];
    const A = [corner(a, -1, -1, 1), corner(a, 1, -1, 1), corner(a, 1, 1, 1), corner(a, -1, 1, 1)];
    const B = [corner(b, -1, -1, taper), corner(b, 1, -1, taper), corner(b, 1, 1, taper), corner(b, -1, 1, taper)];
    for (let k = 0; k < 4; k++) this.quad(A[k], A[(k + 1) % 4], B[(k + 1) % 4], B[k], kind);
    this.quad(A[3], A[2], A[1], A[0], kind);
    this.quad(B[0], B[1], B[2], B[3], kind);
  }
  /** An upright cylinder, or a cone frustum when the radii differ. */
  tube(c: Vec, r0: number, r1: number, z0: number, z1: number, sides: number, kind: number): void {
    const at = (k: number, r: number, z: number): [number, number, number] => [c[0] + r * Math.cos((2 * Math.PI * k) / sides), c[1] + r * Math.sin((2 * Math.PI * k) / sides), c[2] + z];
    for (let k = 0; k < sides; k++) {
      this.quad(at(k, r0, z0), at(k + 1, r0, z0), at(k + 1, r1, z1), at(k, r1, z1), kind);
      this.quad(at(k, r1, z1), at(k + 1, r1, z1), [c[0], c[1], c[2] + z1], [c[0], c[1], c[2] + z1], kind);
    }
  }
  /** A round thing on an axle along y, with a corner right below it where the sides are a multiple of four: its outer face and the tread. */
  wheel(c: Vec, radius: number, width: number, sides: number): void {
    const at = (k: number, y: number): [number, number, number] => [c[0] + radius * Math.cos((2 * Math.PI * k) / sides), c[1] + y, c[2] + radius * Math.sin((2 * Math.PI * k) / sides)];
    const w = width / 2;
    for (let k = 0; k < sides; k++) {
      this.quad(at(k, -w), at(k, w), at(k + 1, w), at(k + 1, -w), DARK);
      const [y, turn] = c[1] > 0 ? [w, 1] : [-w, 0];
      this.quad([c[0], c[1] + y, c[2]], [c[0], c[1] + y, c[2]], at(k + turn, y), at(k + 1 - turn, y), sides > 8 && k % 2 ? FRAME : DARK);
    }
  }
  /** A fuselage through stations from the nose back, closed at both ends; y m to the left of the middle. */
  loft(stations: readonly Station[], sides: number, kind: number, y = 0): void {
    const at = ([x, z, w, h]: Station, k: number): [number, number, number] => {
      const a = (2 * Math.PI * (k + 0.5)) / sides;
      return [x, y + w * Math.cos(a), z + h * Math.sin(a)];
    };
    for (let i = 0; i + 1 < stations.length; i++) for (let k = 0; k < sides; k++) this.quad(at(stations[i], k), at(stations[i + 1], k), at(stations[i + 1], k + 1), at(stations[i], k + 1), kind);
    for (const [s, turn] of [[stations[0], 1], [stations[stations.length - 1], -1]] as const) for (let k = 0; k < sides; k++) this.quad([s[0], y, s[1]], [s[0], y, s[1]], at(s, turn > 0 ? k : k + 1), at(s, turn > 0 ? k + 1 : k), kind);
  }
  /** Half a wing, a fin: from the leading edges of root and tip back by their chords, as thick as `thick` of the chord; 0: a plate. */
  panel(root: Vec, tip: Vec, chordRoot: number, chordTip: number, thick: number, kind: number): void {
    const up = unit(cross([-1, 0, 0], minus(tip, root)));
    const high: Vec = up[2] < 0 || (up[2] === 0 && up[1] < 0) ? [-up[0], -up[1], -up[2]] : up;
    const cut = (p: Vec, c: number): [Vec, Vec, Vec, Vec] => {
      const hill = (s: number): Vec => [p[0] - 0.3 * c + (high[0] * s * thick * c) / 2, p[1] + (high[1] * s * thick * c) / 2, p[2] + (high[2] * s * thick * c) / 2];
      return [p, hill(1), [p[0] - c, p[1], p[2]], hill(-1)];
    };
    const [a, b] = [cut(root, chordRoot), cut(tip, chordTip)];
    if (thick === 0) return this.quad(a[0], b[0], b[2], a[2], kind);
    // outwards whichever side it is on: from the middle of the solid
    const middle: Vec = [0, 1, 2].map((i) => (a[1][i] + a[3][i] + b[1][i] + b[3][i]) / 4) as [number, number, number];
    const face = (p: Vec, q: Vec, r: Vec, s: Vec): void => {
      const n = cross(minus(r, p), minus(s, q));
      const out = minus(p, middle);
      if (n[0] * out[0] + n[1] * out[1] + n[2] * out[2] > 0) this.quad(p, q, r, s, kind);
      else this.quad(s, r, q, p, kind);
    };
    for (let k = 0; k < 4; k++) face(a[k], a[(k + 1) % 4], b[(k + 1) % 4], b[k]);
    face(b[0], b[1], b[2], b[3]);
  }
  /** What a turning rotor sweeps, across its axis. */
  disc(c: Vec, radius: number, direction: number, axis: Vec = [0, 0, 1]): void {
    const n = unit(axis);
    const u = unit(Math.abs(n[2]) > 0.9 ? cross([0, 1, 0], n) : cross([0, 0, 1], n));
    const v = cross(n, u);
    const at = this.position.length / 3;
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      this.position.push(...[0, 1, 2].map((i) => c[i] + (u[i] * x + v[i] * y) * radius));
      this.normal.push(...n);
      this.part.push(DISC, direction, x, y);
    }
    this.index.push(at, at + 1, at + 2, at, at + 2, at + 3);
  }
}
