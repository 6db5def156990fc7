// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The mean wind of a moment: that of the scenario, and what was changed since, which events tell. So a recording has it too.
import { computed } from "@preact/signals";
import type { SimEvent, WorldInfo } from "../source/source.ts";
import * as s from "./state.ts";

export type Change = Pick<WorldInfo, "wind"> | Pick<WorldInfo, "gustSigma">;
/** What an event says of the wind; null: nothing. */
export function changeOf(what: string): Change | null {
  const [, field, text] = /^set: environment\.(wind|gust_sigma) to (.*)$/.exec(what) ?? [];
  if (!field) return null;
  const numbers = text.replace(/[[\]]/g, "").split(",").map(Number);
  if (!numbers.every(Number.isFinite) || numbers.length !== (field === "wind" ? 3 : 1)) return null;
  return field === "wind" ? { wind: numbers as [number, number, number] } : { gustSigma: numbers[0] };
}
const told = computed(() => s.events.value.flatMap((e: SimEvent) => {
  const change = changeOf(e.what);
  return change ? [{ time: e.time, change }] : [];
}));

let kept: { world: WorldInfo; list: unknown; n: number; now: WorldInfo } | null = null;
/** The world as it is at the moment shown; the same object as long as nothing of it changes. */
export function worldNow(): WorldInfo | null {
  const world = s.world.value;
  const list = told.value;
  if (!world || !list.length) return world;
  const n = list.filter((c) => c.time <= s.hot.clock.time + 1e-6).length;
  if (kept?.world !== world || kept.list !== list || kept.n !== n) kept = { world, list, n, now: list.slice(0, n).reduce((w, c) => ({ ...w, ...c.change }), world) };
  return kept.now;
}
