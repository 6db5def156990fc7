// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last messages of a vehicle, the newest first: when, with whom, about what, and what became of each.
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { clockText, number } from "../app/units.ts";
import { words } from "../app/words.ts";
import type { Letter } from "../wire/wire.ts";

function Row({ letter: l }: { letter: Letter }) {
  const name = l.other < 0 ? t.swarm.nobody : (s.roster.value.names[l.other] ?? t.swarm.nobody);
  const lost = l.fate !== "delivered";
  return (
    <li class={`letter ${lost ? "lost" : ""}`}>
      <span class="num">{clockText(l.tick * (s.world.value?.tick ?? 0.01), 1)}</span>
      <span class="name">{l.sent ? t.swarm.to(name) : t.swarm.from(name)} <span class="dim">{words(l.topic)}</span></span>
      <span class="fate">{lost ? "\u2715 " : ""}{words(l.fate)}</span>
      <span class="num dim">{l.sinr === undefined ? "" : `${number(l.sinr, 0)}\u2009dB`}</span>
    </li>
  );
}

export function Letters({ id }: { id: string }) {
  const mind = s.swarmNow.value?.mind;
  if (mind?.id !== id || !mind.letters?.length) return null;
  return (
    <>
      <h3 title={t.swarm.lettersHint}>{t.swarm.letters}</h3>
      <ul class="letters">{[...mind.letters].reverse().slice(0, 16).map((l) => <Row letter={l} />)}</ul>
    </>
  );
}
