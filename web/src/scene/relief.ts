// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A terrain as vertices: places, normals and triangles for the solid picture, edges for the mesh.
import type { TerrainInfo, WorldInfo } from "../source/source.ts";

export function places(t: TerrainInfo): Float32Array {
  const out = new Float32Array(3 * t.up.length);
  for (let r = 0, k = 0; r < t.rows; r++) for (let c = 0; c < t.columns; c++, k++) out.set([t.east + c * t.stepEast, t.north + r * t.stepNorth, t.up[k]], 3 * k);
  return out;
}
/** Central differences, as the simulator has them; one-sided at the edges. */
export function normals(t: TerrainInfo): Float32Array {
  const out = new Float32Array(3 * t.up.length);
  const clamp = (x: number, n: number): number => Math.min(n - 1, Math.max(0, x));
  for (let r = 0, k = 0; r < t.rows; r++)
    for (let c = 0; c < t.columns; c++, k++) {
      const [w, e, s, n] = [clamp(c - 1, t.columns), clamp(c + 1, t.columns), clamp(r - 1, t.rows), clamp(r + 1, t.rows)];
      const dx = (t.up[r * t.columns + e] - t.up[r * t.columns + w]) / ((e - w) * t.stepEast);
      const dy = (t.up[n * t.columns + c] - t.up[s * t.columns + c]) / ((n - s) * t.stepNorth);
      const length = Math.hypot(dx, dy, 1);
      out.set([-dx / length, -dy / length, 1 / length], 3 * k);
    }
  return out;
}
export function triangles(t: TerrainInfo): Uint32Array {
  const out = new Uint32Array(6 * (t.columns - 1) * (t.rows - 1));
  let at = 0;
  for (let r = 0; r + 1 < t.rows; r++)
    for (let c = 0; c + 1 < t.columns; c++) {
      const a = r * t.columns + c;
      out.set([a, a + 1, a + t.columns + 1, a, a + t.columns + 1, a + t.columns], at);
      at += 6;
    }
  return out;
}
/** Walls from the edge of the ground down to its lowest place, so that it reads as a body and not as a sheet: places and normals, three vertices to a triangle. */
export function skirt(t: TerrainInfo, low: number): { position: number[]; normal: number[] } {
  const [position, normal]: number[][] = [[], []];
  const wall = (a: number, b: number, out: readonly number[]): void => {
    const at = (k: number, up: number): number[] => [t.east + (k % t.columns) * t.stepEast, t.north + Math.floor(k / t.columns) * t.stepNorth, up];
    position.push(...at(a, low), ...at(b, low), ...at(b, t.up[b]), ...at(a, low), ...at(b, t.up[b]), ...at(a, t.up[a]));
    for (let k = 0; k < 6; k++) normal.push(...out);
  };
  const last = (t.rows - 1) * t.columns;
  for (let c = 0; c + 1 < t.columns; c++) {
    wall(c, c + 1, [0, -1, 0]);
    wall(last + c + 1, last + c, [0, 1, 0]);
  }
  for (let r = 0; r + 1 < t.rows; r++) {
    wall((r + 1) * t.columns, r * t.columns, [-1, 0, 0]);
    wall((r + 1) * t.columns - 1, (r + 2) * t.columns - 1, [1, 0, 0]);
  }
  return { position, normal };
}
export function edges(t: TerrainInfo): Uint32Array {
  const out: number[] = [];
  for (let r = 0; r < t.rows; r++)
    for (let c = 0; c < t.columns; c++) {
      const a = r * t.columns + c;
      if (c + 1 < t.columns) out.push(a, a + 1);
      if (r + 1 < t.rows) out.push(a, a + t.columns);
    }
  return Uint32Array.from(out);
}
/** Height of the ground at a place, from the nodes that are drawn; beyond the edges it goes on. */
export function groundAt(t: TerrainInfo, east: number, north: number): number {
  const inside = (x: number, n: number): number => Math.min(n - 1, Math.max(0, x));
  const [x, y] = [inside((east - t.east) / t.stepEast, t.columns), inside((north - t.north) / t.stepNorth, t.rows)];
  const [c, r] = [Math.min(Math.floor(x), t.columns - 2), Math.min(Math.floor(y), t.rows - 2)];
  const [fx, fy] = [x - c, y - r];
  const at = (i: number, j: number): number => t.up[(r + j) * t.columns + c + i];
  return (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy;
}
/** The same of any world: flat ground has one height. */
export const floorAt = (world: Pick<WorldInfo, "terrain" | "ground">, east: number, north: number): number => (world.terrain ? groundAt(world.terrain, east, north) : world.ground);
/** Metres between two contour lines: about two dozen from the lowest to the highest place. */
export function contour(t: TerrainInfo): number {
  let [low, high] = [Infinity, -Infinity];
  for (const u of t.up) [low, high] = [Math.min(low, u), Math.max(high, u)];
  const wanted = Math.max(high - low, 1e-3) / 24;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((k) => k * ten).find((k) => k >= wanted)!;
}
