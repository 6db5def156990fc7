// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last messages of a vehicle, the newest first: when, with whom, about what, and what became of each.
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { clockText, number } from "../app/units.ts";
import { words } from "../app/words.ts";
import type { LoggedMessage } from "../wire/wire.ts";

function Row({ message: l }: { message: LoggedMessage }) {
  const name = l.other < 0 ? t.swarm.nobody : (s.roster.value.names[l.other] ?? t.swarm.nobody);
  const lost = l.outcome !== "delivered";
  return (
    <li class={`message ${lost ? "lost" : ""}`}>
      <span class="num">{clockText(l.tick * (s.world.value?.tick ?? 0.01), 1)}</span>
      <span class="name">{l.sent ? t.swarm.to(name) : t.swarm.from(name)} <span class="dim">{words(l.topic)}</span></span>
      <span class="outcome">{lost ? "\u2715 " : ""}{words(l.outcome)}</span>
      <span class="num dim">{l.sinr === undefined ? "" : `${number(l.sinr, 0)}\u2009dB`}</span>
    </li>
  );
}

export function Messages({ id }: { id: string }) {
  const decision = s.swarmNow.value?.decision;
  if (decision?.id !== id || !decision.messages?.length) return null;
  return (
    <>
      <h3 title={t.swarm.messagesHint}>{t.swarm.messages}</h3>
      <ul class="messages">{[...decision.messages].reverse().slice(0, 16).map((l) => <Row message={l} />)}</ul>
    </>
  );
}
