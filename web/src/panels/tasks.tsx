// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the run is about and how far it got, and what became of everything that was said.
import { seekTo } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { clockText, number } from "../app/units.ts";
import { capital, words } from "../app/words.ts";
import { gradeOf } from "../scene/pair_lines.ts";
import { Fold, Unfolded } from "./fields.tsx";
import { Line } from "./line.tsx";
import { tasksAt, tasksKnown, type TaskRow } from "./standing.ts";

/** A shape of its own for every state, not a colour alone. */
export function TaskMark({ state }: { state: TaskRow["state"] | "complete" }) {
  const d = { open: "M6 10.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9z", holding: "M6 1.5l4 1.5v3c0 2.5-1.7 4-4 5-2.3-1-4-2.5-4-5v-3z", done: "M1.5 6.5 4.5 9.5 10.5 2.5", failed: "M2 2l8 8M10 2l-8 8", complete: "M3 11.5v-10h7l-2 3 2 3H3" }[state];
  return <svg class={`task-mark ${state}`} width="12" height="12" viewBox="0 0 12 12" role="img" aria-label={state === "complete" ? t.swarm.accomplished : t.swarm.state[state]}><path d={d} /></svg>;
}

function Task({ task: k }: { task: TaskRow }) {
  const when = clockText(k.since, 1);
  const word = t.swarm.state[k.state];
  return (
    <li class={`task ${k.state}`}>
      <TaskMark state={k.state} />
      <span class="name">{k.name}{k.required ? "" : <i class="dim"> {t.swarm.optional}</i>}</span>
      {k.state === "open" || k.state === "holding" ? <span class="dim" title={k.state === "holding" ? t.swarm.holdingHint : undefined}>{word}</span> : <button type="button" class="link num" title={t.swarm.since(when)} onClick={() => seekTo(k.since - 1)}>{word} {when}</button>}
      {k.detail && <span class="detail">{k.detail}</span>}
    </li>
  );
}

export function Tasks() {
  void s.pulse.value; // they follow the clock, which is no signal
  const rows = tasksAt(s.swarmNow.value, tasksKnown(s.swarm.value, s.world.value), s.events.value, s.hot.clock.time, s.world.value?.tick ?? 0.01);
  if (!rows.length) return null;
  return (
    <>
      <h3>{t.swarm.tasks}</h3>
      <ul class="tasks">{rows.map((k) => <Task task={k} />)}</ul>
      {!s.swarm.value && !s.world.value?.tasks.length && <p class="dim note">{t.swarm.told}</p>}
    </>
  );
}

/** How many of the links that are drawn are good, fair and poor. */
function Grades({ quality }: { quality: number[] }) {
  const n = [0, 0, 0, 0];
  for (const q of quality) n[gradeOf(q)]++;
  return <Line name={t.swarm.gradeTitle} value={[t.swarm.good(number(n[1], 0)), t.swarm.fair(number(n[2], 0)), t.swarm.poor(number(n[3], 0))].join(", ")} hint={t.swarm.gradeHint} />;
}

export function Radio() {
  const now = s.swarm.value;
  const radio = now?.radio;
  if (!radio?.sent) return null;
  const judged = radio.outcomes.reduce((sum, f) => sum + f.count, 0) || 1;
  const drawn = (p: { all: number; of: number[] }): string => (p.of.length / 2 < p.all ? t.swarm.cut(number(p.of.length / 2, 0), number(p.all, 0)) : number(p.all, 0));
  return (
    <dl class="radio">
      <h3>{t.swarm.radio}</h3>
      <Line name={t.swarm.sent} value={number(radio.sent, 0)} />
      {radio.outcomes.filter((f) => f.count > 0).map((f) => <Line name={capital(words(f.name))} value={number(f.count, 0)} unit={`${number((100 * f.count) / judged, f.count < judged / 100 ? 1 : 0)}\u2009%`} hint={t.swarm.outcomeHint} />)}
      {now?.links && <Line name={t.swarm.links} value={drawn(now.links)} hint={t.swarm.linksHint} />}
      {now?.links?.quality && <Grades quality={now.links.quality} />}
      {now?.detections && <Line name={t.swarm.seen} value={drawn(now.detections)} hint={t.swarm.seenHint} />}
      {now && <div class="folded"><Fold prefix="radio." label={t.fields.of(t.swarm.radio)}>{t.fields.change}</Fold><Unfolded prefix="radio." id={null} /></div>}
    </dl>
  );
}
