// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The fleet filter: words match names, flocks and states; `altitude>20`, `speed<2` compare; everything must hold.
import type { Frame, Roster, WorldInfo } from "../source/source.ts";
import { modeName } from "./units.ts";

const COMPARE = /^(altitude|alt|speed|id)\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)$/i;
export function match(text: string, roster: Roster, k: number, frame: Frame, world: WorldInfo | null): boolean {
  const words = text.trim().toLowerCase().replace(/\s*(<=|>=|<|>|=)\s*/g, "$1").split(/\s+/);
  return words.every((word) => word === "" || one(word, roster, k, frame, world));
}
function one(word: string, roster: Roster, k: number, frame: Frame, world: WorldInfo | null): boolean {
  const slot = frame.roster.slotOf.get(roster.ids[k]) ?? -1;
  const known = slot >= 0 && slot < frame.n;
  const c = COMPARE.exec(word);
  if (c) {
    const value = c[1] === "id" ? Number(roster.ids[k]) : !known ? NaN : c[1] === "speed" ? Math.hypot(frame.velocity[3 * slot], frame.velocity[3 * slot + 1], frame.velocity[3 * slot + 2]) : frame.position[3 * slot + 2] + frame.origin[2];
    const limit = Number(c[3]);
    return c[2] === "<" ? value < limit : c[2] === ">" ? value > limit : c[2] === "<=" ? value <= limit : c[2] === ">=" ? value >= limit : Math.abs(value - limit) < 0.5;
  }
  const flock = world?.flocks[roster.flock[k]]?.name ?? "";
  if (word.startsWith("flock:")) return flock.toLowerCase() === word.slice(6);
  return roster.names[k].toLowerCase().includes(word) || flock.toLowerCase().includes(word) || (known && modeName(frame.state[slot]).toLowerCase().includes(word));
}
