// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of the whole swarm on a fixed lattice of simulation time, each computed once: panels ask ten times a second.
import { newFrame, type Frame, type SnapshotSource, type WorldInfo } from "../source/source.ts";

export interface SwarmPoint {
  altitude: [number, number, number]; // least, median, most
  speed: [number, number, number];
  separation: number; // m, NaN when not computed
  touching: boolean; // two are nearer than the sum of their radii
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
  const point = measureFrame(scratch, source.world, 0);
  // The newest moment may still be filled in; only what lies behind the edge is kept.
  if (key * LATTICE < source.extent().last) cache.set(key, point);
  return point;
}
const [DISARMED, EMERGENCY_STOP] = [0, 6];
/** Heights are above `ground`. Who stands parked or was stopped comes near nobody. */
export function measureFrame(f: Frame, world: Pick<WorldInfo, "flocks" | "ground"> | null, ground = world?.ground ?? 0): SwarmPoint {
  const { position, velocity, n } = f;
  const altitude = new Float32Array(n);
  const speed = new Float32Array(n);
  for (let k = 0; k < n; k++) {
    altitude[k] = position[3 * k + 2] + f.origin[2] - ground;
    speed[k] = Math.hypot(velocity[3 * k], velocity[3 * k + 1], velocity[3 * k + 2]);
  }
  altitude.sort();
  speed.sort();
  const three = (a: Float32Array): [number, number, number] => [a[0], a[n >> 1], a[n - 1]];
  const flying = Array.from({ length: n }, (_, k) => k).filter((k) => (f.state[k] & 15) !== DISARMED && (f.state[k] & 15) !== EMERGENCY_STOP);
  const nearest = flying.length > 1 && n <= SEPARATION_UP_TO ? nearestPair(position, flying, (k) => world?.flocks[f.roster.flock[k]]?.radius ?? 0) : { separation: NaN, touching: false };
  return { altitude: three(altitude), speed: three(speed), ...nearest };
}
/** Smallest distance of any two, and whether any two touch: swept along east, so that only near neighbours are compared. */
export function nearestPair(p: Float32Array, who: number[], radius: (k: number) => number): { separation: number; touching: boolean } {
  const order = [...who].sort((a, b) => p[3 * a] - p[3 * b]);
  const radii = order.map(radius);
  const widest = radii.reduce((a, b) => Math.max(a, b), 0);
  let [separation, touching] = [Infinity, false];
  for (let i = 0; i < order.length; i++)
    for (let j = i + 1; j < order.length; j++) {
      const [a, b] = [3 * order[i], 3 * order[j]];
      const dx = p[b] - p[a];
      if (dx >= separation && (touching || dx >= radii[i] + widest)) break;
      const distance = Math.hypot(dx, p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
      separation = Math.min(separation, distance);
      touching ||= distance < radii[i] + radii[j];
    }
  return { separation, touching };
}
