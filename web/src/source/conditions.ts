// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flags of vehicles in a recording, which has them as events only: who crashed, lies, is stuck, has a fault, follows a failsafe or is held,
// and from which tick on.
import { STATE } from "../wire/wire.ts";

export interface Flagged {
  tick: number;
  flags: number;
}
interface Happened {
  tick: number;
  vehicle: string;
  what: string;
}
const BEGINS: [RegExp, number][] = [[/^tipped over:/, STATE.tippedOver], [/^upside down:/, STATE.upsideDown], [/^stuck:/, STATE.stuck]];

class Told {
  readonly list: Flagged[] = [];
  private condition = 0;
  private failsafe = 0;
  private held = 0;
  private readonly faults = new Set<string>();

  hear(tick: number, what: string): void {
    const ended = /^fault ended: (.*)$/.exec(what)?.[1].replaceAll("_", " ");
    const begun = BEGINS.find(([words]) => words.test(what));
    if (/^crashed\b/.test(what)) this.condition = STATE.crashed;
    else if (begun && this.condition !== STATE.crashed) this.condition = begun[1];
    else if (/^(upright|free) again/.test(what) && this.condition !== STATE.crashed) this.condition = 0;
    else if (ended !== undefined) this.end(ended);
    else if (what.startsWith("fault: ")) this.begin(what.slice(7));
    else if (/failsafe: (hold|return|land|stop)$/.test(what)) this.failsafe = STATE.failsafe;
    else if (partnerOf(what) !== null) this.held = what.startsWith("latched") ? STATE.held : 0;
    else return;
    this.list.push({ tick, flags: this.condition | this.failsafe | this.held | (this.faults.size ? STATE.fault : 0) });
  }
  /** The words of a fault begin with its component; the last fault of a component counts. */
  private begin(words: string): void {
    const component = /^[a-z]+\[\d\]|^[^ ]+/.exec(words)?.[0] ?? "";
    this.end(component);
    this.faults.add(words);
  }
  private end(component: string): void {
    for (const f of this.faults) if (f.startsWith(`${component} `)) this.faults.delete(f);
  }
}

/** The vehicle that a latch joins with another one, or lets go, by its name; null: the event says something else. */
export const partnerOf = (what: string): string | null => /^(?:latched: held by|released: from) (.*)$/s.exec(what)?.[1] ?? null;

/** By vehicle, in the order of ticks. `named` has the id of a vehicle by its name and by another one of its world. */
export function flagsOf(events: readonly Happened[], named: (name: string, of: string) => string | undefined = () => undefined): Map<string, Flagged[]> {
  const all = new Map<string, Told>();
  for (const e of events) {
    if (!e.vehicle) continue;
    const partner = partnerOf(e.what);
    for (const id of [e.vehicle, partner === null ? undefined : named(partner, e.vehicle)]) {
      if (id === undefined) continue;
      const told = all.get(id) ?? new Told();
      all.set(id, told);
      told.hear(e.tick, e.what);
    }
  }
  return new Map([...all].filter(([, t]) => t.list.length).map(([id, t]) => [id, t.list]));
}
/** The flags at a tick. */
export function flagsAt(list: readonly Flagged[] | undefined, tick: number): number {
  let flags = 0;
  for (const f of list ?? []) if (f.tick <= tick) flags = f.flags;
  return flags;
}
