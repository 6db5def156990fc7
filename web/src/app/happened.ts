// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What became of vehicles, from the events: who crashed and since when, which list and inspector mark.
import { computed } from "@preact/signals";
import type { SimEvent } from "../source/source.ts";
import * as s from "./state.ts";
import { STATE } from "../wire/wire.ts";
import { modeName } from "./units.ts";

/** By id, when each vehicle crashed. */
export function crashesOf(events: readonly SimEvent[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const e of events) if (e.id && /^crashed\b/.test(e.what) && !first.has(e.id)) first.set(e.id, e.time);
  return first;
}
const crashes = computed(() => crashesOf(s.events.value));

const EMERGENCY = 6;
const CONDITIONS: [number, string][] = [[STATE.crashed, "Crashed"], [STATE.upsideDown, "Upside down"], [STATE.tippedOver, "Tipped over"], [STATE.stuck, "Stuck"]];
/** How a vehicle stands at the moment shown, and whether that is bad: it crashed, was stopped in an emergency, diverged, lies or is stuck. */
export function standingOf(id: string, state: number): { text: string; short: string; bad: boolean } {
  const crashed = crashes.value.get(id);
  if (crashed !== undefined && crashed <= s.hot.clock.time + 1e-6) return { text: "Crashed", short: "Crashed", bad: true };
  const condition = CONDITIONS.find(([bit]) => state & bit)?.[1];
  if (condition) return { text: condition, short: condition, bad: true };
  const text = modeName(state);
  const stopped = (state & 15) === EMERGENCY && (state & 16) === 0;
  return { text, short: stopped ? "E-stop" : text, bad: stopped || (state & 16) !== 0 };
}
