// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Moments at which two runs can be laid over each other: the same simulation time, both starts, or an event that both have.
import type { SimEvent } from "../source/source.ts";

export interface Moment {
  key: string;
  title: string;
  offset: number; // s, clock of B less clock of A
}
const MOST = 40;

/** An event is the same when it says the same of the same name; of several the first counts. */
export function moments(firstA: number, firstB: number, a: readonly SimEvent[], b: readonly SimEvent[]): Moment[] {
  const out: Moment[] = [{ key: "time", title: "Same simulation time", offset: 0 }];
  if (firstA !== firstB) out.push({ key: "start", title: "Both starts", offset: firstB - firstA });
  const first = new Map<string, SimEvent>();
  for (const e of b) if (!first.has(keyOf(e))) first.set(keyOf(e), e);
  const seen = new Set<string>();
  for (const e of a) {
    const key = keyOf(e);
    const other = first.get(key);
    if (!other || seen.has(key) || out.length >= MOST) continue;
    seen.add(key);
    out.push({ key, title: `${e.name ? `${e.name}: ` : ""}${e.what}`, offset: other.time - e.time });
  }
  return out;
}
const keyOf = (e: SimEvent): string => `${e.name}\n${e.what}`;
