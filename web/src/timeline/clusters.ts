// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Events that would lie on each other on the timeline are one mark: that of the gravest among them, with how many more there are.
import { logOf, taskOf, type SimEvent } from "../source/source.ts";

export interface Cluster {
  at: number; // px, of its first event
  level: SimEvent["level"];
  more: number;
}
const GRAVITY = { info: 0, warn: 1, bad: 2 } as const;

/** In the order of time. Events of tasks have flags of their own, and lines of log() would hide the rest. */
export function clustersOf(events: readonly SimEvent[], x: (time: number) => number, gap: number): Cluster[] {
  const list: Cluster[] = [];
  for (const e of events) {
    const at = x(e.time);
    if (at < 0 || taskOf(e.what) || logOf(e.what)) continue;
    const last = list[list.length - 1];
    if (!last || at - last.at >= gap) {
      list.push({ at, level: e.level, more: 0 });
      continue;
    }
    last.more++;
    if (GRAVITY[e.level] > GRAVITY[last.level]) last.level = e.level;
  }
  return list;
}

/** The gravest event near a time, and of equals the first: what a click on a mark means. */
export function eventNear(events: readonly SimEvent[], time: number, within: number): SimEvent | undefined {
  let found: SimEvent | undefined;
  for (const e of events) if (Math.abs(e.time - time) < within && !logOf(e.what) && (!found || GRAVITY[e.level] > GRAVITY[found.level])) found = e;
  return found;
}
