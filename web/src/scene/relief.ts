// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A terrain as vertices: places, normals and triangles for the solid picture, edges for the mesh.
import type { TerrainInfo } from "../source/source.ts";

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
/** Metres between two contour lines: about two dozen from the lowest to the highest place. */
export function contour(t: TerrainInfo): number {
  let [low, high] = [Infinity, -Infinity];
  for (const u of t.up) [low, high] = [Math.min(low, u), Math.max(high, u)];
  const wanted = Math.max(high - low, 1e-3) / 24;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((k) => k * ten).find((k) => k >= wanted)!;
}
