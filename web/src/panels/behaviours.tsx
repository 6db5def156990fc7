// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a vehicle is about: its behaviours, how much each wants to act, which one won, and how much each counts, which can be changed in flight.
import { useState } from "preact/hooks";
import { send } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import type { Behaviour } from "../wire/wire.ts";
import { flockmates, Fold, Unfolded } from "./fields.tsx";

async function weigh(id: string, place: number, kind: string, weight: number): Promise<void> {
  if (!(await send("behaviour", { ids: flockmates(id), kind, weight }, t.swarm.changed(kind, String(weight))))) return;
  const now = s.swarm.value;
  if (now?.decision?.id !== id) return;
  // Shown at once; the server says the same within half a second.
  s.swarm.value = { ...now, decision: { ...now.decision, behaviours: now.decision.behaviours.map((b, k) => (k === place ? { ...b, weight } : b)) } };
}

/** What is being typed is not overwritten by what the world says meanwhile. */
function Weight({ id, behaviour: b, place, kind }: { id: string; behaviour: Behaviour; place: number; kind: string }) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = (text: string): void => {
    const weight = Number(text);
    setDraft(null);
    if (text.trim() !== "" && Number.isFinite(weight) && weight >= 0 && weight !== b.weight) void weigh(id, place, kind, weight);
  };
  return (
    <input type="number" min="0" step="any" class="num" aria-label={t.swarm.weightOf(kind)} title={t.swarm.weightHint} value={draft ?? String(Number(b.weight.toPrecision(6)))} disabled={s.viewOnly.value}
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

/** `kind` names this one where there are several: formation[1]. */
function Row({ id, behaviour: b, place, kind }: { id: string; behaviour: Behaviour; place: number; kind: string }) {
  const words = b.chosen ? t.swarm.won : b.active ? t.swarm.active : b.active === false ? t.swarm.idle : t.swarm.elsewhere;
  return (
    <li class={`behaviour ${b.chosen ? "chosen" : ""}`} title={words}>
      <svg width="12" height="12" viewBox="0 0 12 12" role="img" aria-label={words}><path d={b.chosen ? "M3 1.5v9l7-4.5z" : b.active ? "M6 9a3 3 0 1 1 0-6 3 3 0 0 1 0 6z" : "M3 6h6"} /></svg>
      <Fold prefix={`behaviours[${place}].`} label={t.fields.of(kind)}>{kind}</Fold>
      <span class="num">{b.trigger === undefined ? "\u2014" : number(b.trigger, 2)}</span>
      <Weight id={id} behaviour={b} place={place} kind={kind} />
      <Unfolded prefix={`behaviours[${place}].`} id={id} />
    </li>
  );
}

/** As the server takes names: the n-th of several of a kind has its number, one alone has none. */
export function namesOf(kinds: readonly string[]): string[] {
  const several = (kind: string): boolean => kinds.indexOf(kind) !== kinds.lastIndexOf(kind);
  return kinds.map((kind, k) => (several(kind) ? `${kind}[${kinds.slice(0, k).filter((other) => other === kind).length}]` : kind));
}

export function Behaviours({ id }: { id: string }) {
  const now = s.swarmNow.value;
  const past = s.shown.value.kind !== "live" ? t.swarm.decisionRecorded : s.swarm.value && !now ? t.swarm.decisionPast : "";
  if (past) return <><h3>{t.swarm.behaviours}</h3><p class="dim note">{past}</p></>;
  const decision = now?.decision?.id === id ? now.decision : null;
  if (!decision) return null;
  const names = namesOf(decision.behaviours.map((b) => b.kind));
  return (
    <>
      {decision.behaviours.length > 0 && <h3 class="behaviours-title"><span>{t.swarm.behaviours}</span><span class="dim">{t.swarm.trigger}</span><span class="dim">{t.swarm.weight}</span></h3>}
      <ul class="behaviours">{decision.behaviours.map((b, k) => <Row key={`${id}:${k}`} id={id} behaviour={b} place={k} kind={names[k]} />)}</ul>
      <div class="folded"><Fold prefix="node." label={t.fields.of(t.fields.node)}>{t.fields.node}</Fold><Unfolded prefix="node." also="emits" id={id} /></div>
    </>
  );
}
