// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A picture as ground, exactly as the simulator makes it of the scenario's `terrain: image`: the upper left corner is the origin, east to
// the right, south downwards, white at the maximum height, and bilinear between the pixels. And the scenario that says so.
import type { TerrainInfo } from "../source/source.ts";
import type { Grey } from "./png.ts";

export interface Size {
  width: number; // m, eastwards
  depth: number; // m, southwards
  low: number; // m, of black
  high: number; // m, of white
}
export interface Crew {
  airframe: string;
  count: number;
  spacing: number; // m
  east: number; // m, of the middle
  north: number;
  takeOff: number; // m above the ground
}
const DRAWN = 129; // nodes a side: what a page draws, not what vehicles land on

/** Height at a place; beyond the edges it goes on as at the edge. */
export function heightAt(p: Grey, s: Size, east: number, north: number): number {
  const clamp = (x: number, most: number): number => Math.min(most, Math.max(0, x));
  const x = clamp((east / s.width) * (p.width - 1), p.width - 1);
  const y = clamp((-north / s.depth) * (p.height - 1), p.height - 1);
  const [c, r] = [Math.min(Math.floor(x), p.width - 2), Math.min(Math.floor(y), p.height - 2)];
  const [fx, fy] = [x - c, y - r];
  const at = (i: number, j: number): number => p.grey[(r + j) * p.width + c + i];
  const grey = (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy;
  return s.low + ((s.high - s.low) * grey) / 65535;
}
export function terrainOf(p: Grey, s: Size): TerrainInfo {
  const [columns, rows] = [Math.min(p.width, DRAWN), Math.min(p.height, DRAWN)];
  const [stepEast, stepNorth] = [s.width / (columns - 1), s.depth / (rows - 1)];
  const up = new Float32Array(columns * rows);
  for (let r = 0, k = 0; r < rows; r++) for (let c = 0; c < columns; c++, k++) up[k] = heightAt(p, s, c * stepEast, r * stepNorth - s.depth);
  return { columns, rows, east: 0, north: -s.depth, stepEast, stepNorth, up };
}
/** Where a flock in a grid stands, as scenarios place it: rows from the south, the middle at its origin. */
export function standing(p: Grey, s: Size, crew: Crew): [number, number, number][] {
  const rows = Math.ceil(Math.sqrt(crew.count));
  const columns = Math.ceil(crew.count / rows);
  return Array.from({ length: crew.count }, (_, k) => {
    const [east, north] = [crew.east + crew.spacing * ((k % columns) - (columns - 1) / 2), crew.north + crew.spacing * (Math.floor(k / columns) - (rows - 1) / 2)];
    return [east, north, heightAt(p, s, east, north)];
  });
}
/** The first place where a line of sight meets the ground; null: it passes. */
export function strike(p: Grey, s: Size, from: readonly number[], to: readonly number[]): [number, number, number] | null {
  const steps = 512;
  const above = (t: number): number => from[2] + t * (to[2] - from[2]) - heightAt(p, s, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]));
  for (let k = 1; k <= steps; k++) {
    if (above(k / steps) > 0) continue;
    let [a, b] = [(k - 1) / steps, k / steps];
    for (let i = 0; i < 24; i++) above((a + b) / 2) > 0 ? (a = (a + b) / 2) : (b = (a + b) / 2);
    const at = [0, 1].map((i) => from[i] + b * (to[i] - from[i]));
    return at[0] < 0 || at[0] > s.width || at[1] > 0 || at[1] < -s.depth ? null : [at[0], at[1], heightAt(p, s, at[0], at[1])];
  }
  return null;
}

const round = (x: number): number => Math.round(x * 1000) / 1000;
export function scenarioText(name: string, picture: string, s: Size, crew: Crew): string {
  return `name: ${name}
description: ${JSON.stringify(`a world made from the picture ${picture}: ${crew.count === 1 ? "one vehicle takes off, hovers and lands" : `${crew.count} vehicles take off, hover and land`}`)}
duration: 30        # s
# the upper left corner of the picture is the origin; east to the right, south downwards, white at max_height, black at min_height
terrain: {image: {file: ${name}.png, width: ${round(s.width)}, depth: ${round(s.depth)}, min_height: ${round(s.low)}, max_height: ${round(s.high)}}}
flocks:
  - name: alpha
    airframe: ${crew.airframe}
    vehicles: {grid: {count: ${crew.count}, spacing: ${round(crew.spacing)}, origin: [${round(crew.east)}, ${round(crew.north)}, ${round(Math.min(0, s.low))}]}}
    start: take_off
    take_off_height: ${round(crew.takeOff)}
events:
  - {time: 20, what: land}
`;
}
