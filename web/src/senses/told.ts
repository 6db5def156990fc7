// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the server tells of estimates: where a vehicle believed to be at a moment, and what the numbers of its filter mean.
import type { Estimate, EstimatesMessage } from "../wire/wire.ts";

type Vec = [number, number, number];
export interface Believed {
  position: Vec; // m, world
  attitude: number[]; // w x y z
  covariance: readonly number[]; // m2: xx xy xz yy yz zz
}
const LONGEST = 0.6; // s between two messages over which is interpolated, and beyond the last one

type Whole = Estimate & Required<Pick<Estimate, "position" | "velocity" | "attitude">>;
const has = (e: Estimate | undefined): e is Whole => e?.position !== undefined && e.velocity !== undefined && e.attitude?.length === 4;
const of = (m: EstimatesMessage, id: string): Estimate | undefined => m.vehicles.find((v) => v.id === id);

/** Between the two messages about a time, or carried on from the nearest one; null where nothing is known. `tick` is in s. */
export function believedAt(told: readonly EstimatesMessage[], id: string, time: number, tick: number): Believed | null {
  let [before, after]: [number, number] = [-1, -1];
  for (let k = told.length - 1; k >= 0 && before < 0; k--) {
    if (!has(of(told[k], id))) continue;
    if (told[k].tick * tick <= time + 1e-9) before = k;
    else after = k;
  }
  const near = before >= 0 ? before : after;
  if (near < 0) return null;
  const [a, from] = [of(told[near], id)!, told[near].tick * tick];
  if (!has(a)) return null;
  const covariance = a.covariance?.length === 6 ? a.covariance : [0, 0, 0, 0, 0, 0];
  const b = before >= 0 && after >= 0 ? of(told[after], id) : undefined;
  const until = b ? told[after].tick * tick : 0;
  if (has(b) && until - from <= LONGEST) {
    const share = (time - from) / (until - from);
    const sign = a.attitude.reduce((sum, x, i) => sum + x * b.attitude[i], 0) < 0 ? -1 : 1;
    const q = a.attitude.map((x, i) => x * (1 - share) + sign * b.attitude[i] * share);
    const length = Math.hypot(...q) || 1;
    return { position: a.position.map((x, i) => x + (b.position[i] - x) * share) as Vec, attitude: q.map((x) => x / length), covariance };
  }
  if (Math.abs(time - from) > LONGEST) return null;
  return { position: a.position.map((x, i) => x + a.velocity[i] * (time - from)) as Vec, attitude: a.attitude, covariance };
}

/** The root of a covariance as a lower triangle, row by row; what is not positive counts as nothing. */
export function rootOf(c: readonly number[]): [number, number, number, number, number, number] {
  const root = (x: number): number => Math.sqrt(Math.max(0, x));
  const a = root(c[0]);
  const [b, d] = a > 0 ? [c[1] / a, c[2] / a] : [0, 0];
  const e = root(c[3] - b * b);
  const f = e > 0 ? (c[4] - b * d) / e : 0;
  return [a, b, e, d, f, root(c[5] - d * d - f * f)];
}
/** Standard deviations in m: along the longest axis on the ground, and upwards. */
export function spreadOf(c: readonly number[]): [number, number] {
  const [mean, half] = [(c[0] + c[3]) / 2, (c[0] - c[3]) / 2];
  return [Math.sqrt(Math.max(0, mean + Math.hypot(half, c[1]))), Math.sqrt(Math.max(0, c[5]))];
}

const KNOWN = ["attitude", "velocity", "position"];
/** The health of a filter in words. */
export function healthWords(bits: number): { text: string; level: "ok" | "warn" | "bad" } {
  const lacks = KNOWN.filter((_, k) => !(bits & (1 << k)));
  if (bits & 16) return { text: "bad numbers: it began anew", level: "bad" };
  if (lacks.length) return { text: `${lacks.join(", ")} not known`, level: "bad" };
  return bits & 8 ? { text: "reset by a sensor", level: "warn" } : { text: "attitude, velocity and position known", level: "ok" };
}
