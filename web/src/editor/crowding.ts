// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that start inside each other: allowed, seldom meant.
import type { Preview } from "./api.ts";
import type { Path } from "./yaml_text.ts";

const MOST = 5000; // vehicles looked at

/** One warning for each flock that has a vehicle too near to another one. */
export function crowded(p: Preview): { path: Path; message: string; suggestion: string }[] {
  const size = Math.max(0.05, ...p.flocks.map((f) => f.size_m || 0));
  const cells = new Map<string, { flock: number; at: readonly number[]; size: number }[]>();
  const worst = new Map<number, number>();
  let n = 0;
  const key = (a: number, b: number, c: number): string => `${a},${b},${c}`;
  p.flocks.forEach((f, flock) => {
    for (const at of f.starts) {
      if (n++ > MOST) return;
      const cell = [0, 1, 2].map((i) => Math.floor(at[i] / size));
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++)
          for (let dz = -1; dz <= 1; dz++)
            for (const o of cells.get(key(cell[0] + dx, cell[1] + dy, cell[2] + dz)) ?? []) {
              const d = Math.hypot(at[0] - o.at[0], at[1] - o.at[1], at[2] - o.at[2]);
              if (d < 0.9 * Math.min(size, ((f.size_m || 0) + o.size) / 2)) worst.set(flock, Math.min(worst.get(flock) ?? Infinity, d));
            }
      const home = key(cell[0], cell[1], cell[2]);
      if (!cells.has(home)) cells.set(home, []);
      cells.get(home)!.push({ flock, at, size: f.size_m || 0 });
    }
  });
  return [...worst].map(([flock, d]) => ({ path: ["flocks", flock, "vehicles"], message: d < 0.005 ? "two vehicles start in the same place" : `vehicles start ${d.toFixed(2)} m apart, nearer than they are wide`, suggestion: "more room between them" }));
}
