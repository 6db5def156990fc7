// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Name of the run, what state it is in, its clock; page switch, palette, emergency stop, theme, help.
import { perform } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import { holdStop } from "../app/input.ts";
import * as s from "../app/state.ts";
import { clockText, count, number } from "../app/units.ts";
import { CommandButton } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";

export function stateChip(): { text: string; kind: string } {
  const st = s.status.value;
  if (s.page.value === "edit" || s.page.value === "picture") return { text: "EDITING", kind: "replay" };
  if (!s.connection.value.up && s.hot.source?.can.grow) return { text: s.connection.value.ever ? t.chip.offline : t.chip.connecting, kind: "bad" };
  if (s.replaying.value) return { text: s.clockMode.value === "paused" ? t.chip.replayPaused : t.chip.replay, kind: "replay" };
  if (s.clockMode.value !== "live") return { text: s.clockMode.value === "paused" ? t.chip.viewPaused : t.chip.lookingBack, kind: "replay" };
  return st.state === "paused" ? { text: t.chip.worldPaused, kind: "paused" } : { text: t.chip.live, kind: "live" };
}

export function StopButton() {
  const up = s.connection.value.up;
  const why = s.viewOnly.value ? "this token may only look" : up ? "" : "not connected";
  return (
    <button type="button" class="stop" aria-label="Emergency stop: hold for 0.6 seconds" title={why ? `Emergency stop: ${why}` : "Emergency stop: hold 0.6 s (or hold Backspace). Every vehicle takes its safe action."} aria-disabled={why !== ""}
      onPointerDown={() => !why && holdStop(true)} onPointerUp={() => holdStop(false)} onPointerLeave={() => holdStop(false)}
      onKeyDown={(e) => (e.key === " " || e.key === "Enter") && !e.repeat && !why && holdStop(true)} onKeyUp={() => holdStop(false)}>
      <span class="stop-fill" style={{ transform: `scaleX(${s.stopHeld.value})` }} />
      <Icon name="stop" />
      <span class="stop-word">Stop</span>
    </button>
  );
}

const PAGES = [["view", "View", "The world that is running, or a recording"], ["edit", "Edit", "Scenarios, as text, form and scene"], ["picture", "New world", "Make a world from a picture"], ["library", "Library", "Every recorded run"], ["nodes", "Nodes", "The processes that simulate this world"]] as const;
function Pages() {
  void s.world.value; // a federation has one page more
  return (
    <nav class="pages" aria-label="Pages">
      {s.hot.live !== null && PAGES.filter(([p]) => p !== "nodes" || s.hot.live?.world?.nodes).map(([p, title, hint]) => <button type="button" title={hint} aria-current={s.page.value === p ? "page" : undefined} onClick={() => perform(`page.${p}`)}>{title}</button>)}
    </nav>
  );
}

export function TopBar() {
  void s.pulse.value;
  const w = s.world.value;
  const chip = stateChip();
  const st = s.status.value;
  const behind = s.clockMode.value !== "live" && !s.replaying.value;
  const phone = s.phone.value;
  return (
    <header class="top" role="banner">
      <div class="brand" aria-label="Volary">
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path d="M2 3l8 14 8-14-8 5z" fill="var(--accent)" /></svg>
        {!phone && <b>Volary</b>}
      </div>
      {!phone && <Pages />}
      <h1 class="run" title={s.shown.value.name || w?.description}>{w?.scenario ?? "Volary"}</h1>
      <span class={`chip ${chip.kind}`} title={s.shown.value.name ? `Recording ${s.shown.value.name}` : undefined}>{chip.text}</span>
      {!phone && <span class="clock num" aria-label="Simulation time">{clockText(s.hot.clock.time)}</span>}
      {!phone && w && (
        <span class="facts num">
          {behind ? `simulating ${clockText(st.time, 1)} \u00b7 viewing ${clockText(s.hot.clock.time, 1)}` : `${number(worldFactor(), 2)}\u00d7`}
          {!behind && w && <span class="dim wide">{s.replaying.value ? "" : <> of {st.speed === 0 ? "max" : `${number(st.speed, st.speed < 1 ? 2 : 0)}\u00d7`}</>} {"\u00b7"} {count(s.hot.frame.n || st.vehicles, "vehicle", "vehicles")} {"\u00b7"} seed {w.seed}</span>}
        </span>
      )}
      <span class="grow" />
      {!phone && (
        <button type="button" class="button search" onClick={() => perform("page.palette")} aria-label="Find anything" aria-keyshortcuts="Control+K">
          <Icon name="search" /> Find <kbd>Ctrl K</kbd>
        </button>
      )}
      {s.liveStatus.value.state !== "finished" && <StopButton />}
      <CommandButton id="page.theme" icon={s.theme.value === "dark" ? "sun" : "moon"} />
      {phone ? <CommandButton id="page.palette" icon="menu" label="Menu" /> : <CommandButton id="page.help" icon="help" />}
    </header>
  );
}
const worldFactor = (): number => (s.clockMode.value === "live" ? s.status.value.factor : s.hot.clock.mode === "paused" ? 0 : s.hot.clock.speed);
