// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a first look has to hold beside the vehicles: the ground that is not flat and what stands on it, as far as it is near.
import type { ObstacleInfo, TerrainInfo, WorldInfo } from "../source/source.ts";
import { footprint } from "./solids.ts";

const NEAR = 1000; // m about the swarm, or three times its own reach: a map may be as wide as a country

interface Box {
  low: [number, number];
  high: [number, number];
}
function near(position: ArrayLike<number>, n: number, origin: readonly number[]): Box {
  const box: Box = { low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
  for (let k = 0; k < n; k++)
    for (const i of [0, 1] as const) {
      box.low[i] = Math.min(box.low[i], position[3 * k + i] + origin[i]);
      box.high[i] = Math.max(box.high[i], position[3 * k + i] + origin[i]);
    }
  const reach = Math.max(NEAR, 3 * Math.max(box.high[0] - box.low[0], box.high[1] - box.low[1]));
  for (const i of [0, 1] as const) [box.low[i], box.high[i]] = [box.low[i] - reach, box.high[i] + reach];
  return box;
}
const spans = new WeakMap<TerrainInfo, [number, number]>();
function spanOf(t: TerrainInfo): [number, number] {
  const known = spans.get(t);
  if (known) return known;
  const found: [number, number] = [t.up.reduce((a, b) => Math.min(a, b), Infinity), t.up.reduce((a, b) => Math.max(a, b), -Infinity)];
  spans.set(t, found);
  return found;
}
function heights(o: ObstacleInfo): [number, number] {
  const z = o.centre[2];
  if (o.kind === "box") return [z - o.size[2] / 2, z + o.size[2] / 2];
  if (o.kind === "cylinder") return [z, z + o.size[1]];
  if (o.kind === "sphere") return [z - o.size[0], z + o.size[0]];
  return [0, 1].map((high) => o.vertices.reduce((best, v, i) => (i % 3 !== 2 ? best : high ? Math.max(best, v) : Math.min(best, v)), high ? -Infinity : Infinity)) as [number, number];
}
const corners = new WeakMap<ObstacleInfo, number[]>();
function cornersOf(o: ObstacleInfo): number[] {
  const known = corners.get(o);
  if (known) return known;
  const found = footprint(o).flatMap((p) => heights(o).flatMap((z) => [p[0], p[1], z]));
  corners.set(o, found);
  return found;
}
/** Corners relative to the origin, three numbers each. */
export function surroundings(world: Pick<WorldInfo, "terrain" | "obstacles">, position: ArrayLike<number>, n: number, origin: readonly number[]): number[] {
  const { terrain: t, obstacles } = world;
  if ((!t && !obstacles.length) || n === 0) return [];
  const box = near(position, n, origin);
  const clamp = (x: number, i: 0 | 1): number => Math.min(box.high[i], Math.max(box.low[i], x)) - origin[i];
  const out: number[] = [];
  if (t) {
    const [e, north] = [t.east + (t.columns - 1) * t.stepEast, t.north + (t.rows - 1) * t.stepNorth];
    for (const x of [t.east, e]) for (const y of [t.north, north]) for (const z of spanOf(t)) out.push(clamp(x, 0), clamp(y, 1), z - origin[2]);
  }
  for (const o of obstacles) {
    if (o.centre[0] < box.low[0] || o.centre[0] > box.high[0] || o.centre[1] < box.low[1] || o.centre[1] > box.high[1]) continue;
    cornersOf(o).forEach((x, i) => out.push(x - origin[i % 3]));
  }
  return out;
}
