// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a vehicle is about: its behaviours, how much each wants to act, which one won, and how much each counts, which can be changed in flight.
import { useState } from "preact/hooks";
import { ids, send } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import type { Behaviour } from "../wire/wire.ts";

/** Those of the selection that belong to the flock of this vehicle: others may not have the behaviour. */
function flockmates(id: string): string[] {
  const r = s.roster.value;
  const flock = r.flock[r.slotOf.get(id) ?? -1];
  return ids().filter((other) => r.flock[r.slotOf.get(other) ?? -1] === flock);
}

async function weigh(id: string, kind: string, weight: number): Promise<void> {
  if (!(await send("behaviour", { ids: flockmates(id), kind, weight }, t.swarm.changed(kind, String(weight))))) return;
  const now = s.swarm.value;
  if (now?.mind?.id !== id) return;
  // Shown at once; the server says the same within half a second.
  s.swarm.value = { ...now, mind: { ...now.mind, behaviours: now.mind.behaviours.map((b) => (b.kind === kind ? { ...b, weight } : b)) } };
}

/** What is being typed is not overwritten by what the world says meanwhile. */
function Weight({ id, behaviour: b }: { id: string; behaviour: Behaviour }) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = (text: string): void => {
    const weight = Number(text);
    setDraft(null);
    if (text.trim() !== "" && Number.isFinite(weight) && weight >= 0 && weight !== b.weight) void weigh(id, b.kind, weight);
  };
  return (
    <input type="number" min="0" step="any" class="num" aria-label={t.swarm.weightOf(b.kind)} title={t.swarm.weightHint} value={draft ?? String(Number(b.weight.toPrecision(6)))} disabled={s.viewOnly.value}
      onInput={(e) => setDraft(e.currentTarget.value)}
      onBlur={(e) => (draft === null ? undefined : commit(e.currentTarget.value))}
      onKeyDown={(e) => {
        if (e.key === "Enter") commit(e.currentTarget.value);
        else if (e.key === "Escape") setDraft(null);
        else return;
        e.stopPropagation();
      }} />
  );
}

function Row({ id, behaviour: b }: { id: string; behaviour: Behaviour }) {
  const words = b.chosen ? t.swarm.won : b.active ? t.swarm.active : t.swarm.idle;
  return (
    <li class={`behaviour ${b.chosen ? "chosen" : ""}`} title={words}>
      <svg width="12" height="12" viewBox="0 0 12 12" role="img" aria-label={words}><path d={b.chosen ? "M3 1.5v9l7-4.5z" : b.active ? "M6 9a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" : "M3 6h6"} /></svg>
      <span class="name">{b.kind}</span>
      <span class="num">{b.trigger === undefined ? "\u2014" : number(b.trigger, 2)}</span>
      <Weight id={id} behaviour={b} />
    </li>
  );
}

export function Behaviours({ id }: { id: string }) {
  const now = s.swarmNow.value;
  const past = s.shown.value.kind !== "live" ? t.swarm.mindRecorded : s.swarm.value && !now ? t.swarm.mindPast : "";
  if (past) return <><h3>{t.swarm.behaviours}</h3><p class="dim note">{past}</p></>;
  const mind = now?.mind?.id === id ? now.mind : null;
  if (!mind?.behaviours.length) return null;
  return (
    <>
      <h3 class="behaviours-title"><span>{t.swarm.behaviours}</span><span class="dim">{t.swarm.trigger}</span><span class="dim">{t.swarm.weight}</span></h3>
      <ul class="behaviours">{mind.behaviours.map((b, k) => <Row key={`${id}:${k}`} id={id} behaviour={b} />)}</ul>
    </>
  );
}
