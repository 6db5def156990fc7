// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where two runs part. A recording holds the hash of the whole state after every tick, so this is no matter of tolerance: up to the tick
// that is named the two were the same to the last bit.
import { clockText, number, quantity } from "../app/units.ts";

export interface Hashes {
  tick: Float64Array; // rising
  hash: BigUint64Array;
}
export type Verdict =
  | { kind: "same"; ticks: number; last: number; unread: number } // last: the last tick that both have
  | { kind: "part"; tick: number; first: boolean; unread: number } // the first tick that differs; whether it is the first that both have
  | { kind: "ticks"; a: number; b: number } // s, of different length
  | { kind: "apart" };

/** `unread`: ticks between the first and the last one compared of which one of the two has no hash, because of damage. */
export function verdictOf(a: Hashes, b: Hashes): Verdict {
  let both = 0;
  let first = NaN;
  let last = NaN;
  let unread = 0;
  for (let i = 0, j = 0; i < a.tick.length && j < b.tick.length; ) {
    if (a.tick[i] < b.tick[j]) i++;
    else if (a.tick[i] > b.tick[j]) j++;
    else {
      const tick = a.tick[i];
      if (both === 0) first = tick;
      else unread += tick - last - 1;
      if (a.hash[i] !== b.hash[j]) return { kind: "part", tick, first: both === 0, unread };
      last = tick;
      both++;
      i++;
      j++;
    }
  }
  return both > 0 ? { kind: "same", ticks: both, last: Math.max(last, first), unread } : { kind: "apart" };
}

/** One sentence, or two where one of the runs goes on. */
export function verdictText(v: Verdict, tick: number, endA: number, endB: number): string {
  const unread = v.kind === "same" || v.kind === "part" ? v.unread : 0;
  const torn = unread > 0 ? ` ${number(unread, 0)} ticks in between could not be read.` : "";
  switch (v.kind) {
    case "part":
      return v.first ? `Different from the first tick.${torn}` : `Identical until tick ${number(v.tick, 0)} (${quantity(v.tick * tick, 2, "s")}).${torn}`;
    case "ticks":
      return `Ticks of ${quantity(v.a * 1e3, 1, "ms")} and ${quantity(v.b * 1e3, 1, "ms")}: their states cannot be compared tick by tick.`;
    case "apart":
      return "They share no tick whose state could be compared.";
    case "same":
      if (endA === endB) return `Identical throughout, ${number(v.ticks, 0)} ticks.${torn}`;
      return `Identical in all ${number(v.ticks, 0)} ticks that both have; ${endA > endB ? "A" : "B"} goes on until ${clockText(Math.max(endA, endB))}.${torn}`;
  }
}
