// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Obstacles as triangles with a normal per corner, as edges, and as outlines seen from above.
import type { ObstacleInfo } from "../source/source.ts";

type Vec = readonly [number, number, number];
type Flat = readonly [number, number];
const ROUND = 32; // corners of a circle
const BANDS = 12; // of a sphere, from pole to pole

/** Corners one after another; every three make a triangle, every two an edge. */
export interface Solid {
  position: number[];
  normal: number[];
  edges: number[];
}

const around = (k: number, n = ROUND): Flat => [Math.cos((2 * Math.PI * k) / n), Math.sin((2 * Math.PI * k) / n)];

class Shape implements Solid {
  readonly position: number[] = [];
  readonly normal: number[] = [];
  readonly edges: number[] = [];
  triangle(corners: readonly Vec[], normals: readonly Vec[]): void {
    corners.forEach((p, i) => {
      this.position.push(...p);
      this.normal.push(...normals[i % normals.length]);
    });
  }
  quad(a: Vec, b: Vec, c: Vec, d: Vec, normals: readonly [Vec, Vec, Vec, Vec]): void {
    this.triangle([a, b, c], [normals[0], normals[1], normals[2]]);
    this.triangle([a, c, d], [normals[0], normals[2], normals[3]]);
  }
  edge(a: Vec, b: Vec): void {
    this.edges.push(...a, ...b);
  }
}

function box(o: ObstacleInfo, s: Shape): void {
  const [c, n] = [Math.cos(o.yaw), Math.sin(o.yaw)];
  const turn = (x: number, y: number, z: number): Vec => [c * x - n * y, n * x + c * y, z];
  const at = (x: number, y: number, z: number): Vec => {
    const t = turn((x * o.size[0]) / 2, (y * o.size[1]) / 2, (z * o.size[2]) / 2);
    return [o.centre[0] + t[0], o.centre[1] + t[1], o.centre[2] + t[2]];
  };
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      // the two other axes, in the order that turns left seen from outside
      const corner = (u: number, v: number): Vec => at(...(([0, 1, 2].map((k) => (k === axis ? side : k === (axis + 1) % 3 ? u : v)) as [number, number, number])));
      const normal = turn(...([0, 1, 2].map((k) => (k === axis ? side : 0)) as [number, number, number]));
      const q = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      if (side < 0) q.reverse();
      s.quad(q[0], q[1], q[2], q[3], [normal, normal, normal, normal]);
      if (side < 0) continue;
      for (const u of [-1, 1]) for (const v of [-1, 1]) {
        const end = (w: number): Vec => at(...(([0, 1, 2].map((k) => (k === axis ? w : k === (axis + 1) % 3 ? u : v)) as [number, number, number])));
        s.edge(end(-1), end(1));
      }
    }
}

function cylinder(o: ObstacleInfo, s: Shape): void {
  const [radius, height] = o.size;
  const at = (k: number, z: number): Vec => [o.centre[0] + radius * around(k)[0], o.centre[1] + radius * around(k)[1], o.centre[2] + z];
  for (let k = 0; k < ROUND; k++) {
    const [n, m] = [k, k + 1].map((i): Vec => [...around(i), 0]);
    s.quad(at(k, 0), at(k + 1, 0), at(k + 1, height), at(k, height), [n, m, m, n]);
    s.triangle([[o.centre[0], o.centre[1], o.centre[2] + height], at(k, height), at(k + 1, height)], [[0, 0, 1]]);
    s.triangle([[...o.centre], at(k + 1, 0), at(k, 0)], [[0, 0, -1]]);
    for (const z of [0, height]) s.edge(at(k, z), at(k + 1, z));
  }
}

function sphere(o: ObstacleInfo, s: Shape): void {
  const [radius] = o.size;
  const normal = (k: number, band: number): Vec => {
    const polar = (Math.PI * band) / BANDS;
    return [around(k)[0] * Math.sin(polar), around(k)[1] * Math.sin(polar), -Math.cos(polar)];
  };
  const at = (n: Vec): Vec => [o.centre[0] + radius * n[0], o.centre[1] + radius * n[1], o.centre[2] + radius * n[2]];
  for (let band = 0; band < BANDS; band++)
    for (let k = 0; k < ROUND; k++) {
      const n = [normal(k, band), normal(k + 1, band), normal(k + 1, band + 1), normal(k, band + 1)] as const;
      if (band > 0) s.triangle([at(n[0]), at(n[1]), at(n[2])], [n[0], n[1], n[2]]);
      if (band < BANDS - 1) s.triangle([at(n[0]), at(n[2]), at(n[3])], [n[0], n[2], n[3]]);
      if (2 * band === BANDS) s.edge(at(n[0]), at(n[1]));
    }
}

function mesh(o: ObstacleInfo, s: Shape): void {
  const at = (i: number): Vec => [o.vertices[3 * i], o.vertices[3 * i + 1], o.vertices[3 * i + 2]];
  const seen = new Map<number, { normal: Vec; a: number; b: number; drawn: boolean }>();
  const n = o.vertices.length / 3;
  for (let k = 0; k < o.triangles.length; k += 3) {
    const index = [o.triangles[k], o.triangles[k + 1], o.triangles[k + 2]];
    const [a, b, c] = index.map(at);
    const [u, v] = [b, c].map((p) => p.map((x, i) => x - a[i]));
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...cross) || 1;
    const normal: Vec = [cross[0] / length, cross[1] / length, cross[2] / length];
    s.triangle([a, b, c], [normal]);
    // an edge is drawn where the surface bends by more than 25 degrees, or ends
    for (let i = 0; i < 3; i++) {
      const [p, q] = [Math.min(index[i], index[(i + 1) % 3]), Math.max(index[i], index[(i + 1) % 3])];
      const known = seen.get(p * n + q);
      if (known === undefined) seen.set(p * n + q, { normal, a: p, b: q, drawn: true });
      else known.drawn = known.normal[0] * normal[0] + known.normal[1] * normal[1] + known.normal[2] * normal[2] < 0.9;
    }
  }
  for (const e of seen.values()) if (e.drawn) s.edge(at(e.a), at(e.b));
}

export function solid(obstacles: readonly ObstacleInfo[]): Solid {
  const s = new Shape();
  const build = { box, cylinder, sphere, mesh };
  for (const o of obstacles) build[o.kind](o, s);
  return s;
}

/** The smallest convex outline about places (Andrew 1979), turning left. */
export function hull(points: readonly Flat[]): Flat[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Flat[]): Flat[] => {
    const out: Flat[] = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = out.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** What it covers, seen from above. */
export function footprint(o: ObstacleInfo): Flat[] {
  if (o.kind === "mesh") return hull(Array.from({ length: o.vertices.length / 3 }, (_, i): Flat => [o.vertices[3 * i], o.vertices[3 * i + 1]]));
  if (o.kind !== "box") return Array.from({ length: ROUND }, (_, k): Flat => [o.centre[0] + o.size[0] * around(k)[0], o.centre[1] + o.size[0] * around(k)[1]]);
  const [c, n] = [Math.cos(o.yaw), Math.sin(o.yaw)];
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]): Flat => {
    const [x, y] = [(u * o.size[0]) / 2, (v * o.size[1]) / 2];
    return [o.centre[0] + c * x - n * y, o.centre[1] + n * x + c * y];
  });
}
