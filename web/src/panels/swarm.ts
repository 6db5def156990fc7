// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of the whole swarm on a fixed lattice of simulation time, each computed once: panels ask ten times a second.
import { newFrame, type SnapshotSource } from "../source/source.ts";

export interface SwarmPoint {
  altitude: [number, number, number]; // least, median, most
  speed: [number, number, number];
  separation: number; // m, NaN when not computed
}
export const LATTICE = 0.5; // s
const SEPARATION_UP_TO = 3000;
const scratch = newFrame(64);
let cache = new Map<number, SwarmPoint>();
let owner: SnapshotSource | null = null;

export function forget(): void {
  cache = new Map();
}
export function swarmAt(source: SnapshotSource, time: number): SwarmPoint | null {
  if (owner !== source) {
    owner = source;
    forget();
  }
  const key = Math.round(time / LATTICE);
  const known = cache.get(key);
  if (known) return known;
  if ((source.glance?.(key * LATTICE, scratch) ?? source.at(key * LATTICE, scratch)) === "missing" || scratch.n === 0) return null;
  const point = measure(scratch.position, scratch.velocity, scratch.n, scratch.origin[2]);
  // The newest moment may still be filled in; only what lies behind the edge is kept.
  if (key * LATTICE < source.extent().last) cache.set(key, point);
  return point;
}
export function measure(position: Float32Array, velocity: Float32Array, n: number, up: number): SwarmPoint {
  const altitude = new Float32Array(n);
  const speed = new Float32Array(n);
  for (let k = 0; k < n; k++) {
    altitude[k] = position[3 * k + 2] + up;
    speed[k] = Math.hypot(velocity[3 * k], velocity[3 * k + 1], velocity[3 * k + 2]);
  }
  altitude.sort();
  speed.sort();
  const three = (a: Float32Array): [number, number, number] => [a[0], a[n >> 1], a[n - 1]];
  return { altitude: three(altitude), speed: three(speed), separation: n > 1 && n <= SEPARATION_UP_TO ? separation(position, n) : NaN };
}
/** Smallest distance of any two: swept along east, so that only near neighbours are compared. */
export function separation(p: Float32Array, n: number): number {
  const order = Array.from({ length: n }, (_, k) => k).sort((a, b) => p[3 * a] - p[3 * b]);
  let best = Infinity;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [a, b] = [3 * order[i], 3 * order[j]];
      const dx = p[b] - p[a];
      if (dx >= best) break;
      best = Math.min(best, Math.hypot(dx, p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]));
    }
  return best;
}
