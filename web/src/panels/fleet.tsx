// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The fleet: filter, flock chips, and a list that only ever holds the rows on screen.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { filtered, perform, select, set, toggle } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { standingOf } from "../app/happened.ts";
import { number } from "../app/units.ts";
import { Icon } from "../ui/icons.tsx";
import { Hint } from "../ui/controls.tsx";

const rowHeight = (): number => (s.phone.value ? 44 : 28);

function Chips() {
  const w = s.world.value;
  const r = s.roster.value;
  const counts = new Array<number>(w?.flocks.length ?? 0).fill(0);
  for (const f of r.flock) counts[f] = (counts[f] ?? 0) + 1;
  return (
    <div class="chips" role="group" aria-label="Flocks">
      {w?.flocks.map((f, k) => (
        <button type="button" class="flock" title={`Select the flock ${f.name}: ${f.airframe}`} onClick={() => select(r.ids.filter((_, i) => r.flock[i] === k))}>
          <i class="swatch" style={{ background: `var(--flock-${k % 6})` }} />
          {f.name}
          <span class="num dim">{counts[k]}</span>
        </button>
      ))}
    </div>
  );
}

export function Fleet() {
  void s.pulse.value;
  const ROW = rowHeight();
  const host = useRef<HTMLDivElement>(null);
  const scroll = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const e = host.current!;
    const watch = new ResizeObserver(() => (height.value = e.clientHeight));
    watch.observe(e);
    return () => watch.disconnect();
  }, []);
  const primary = s.selection.value.primary;
  const list = s.filter.value ? filtered() : s.roster.value.ids;
  useEffect(() => {
    // A vehicle chosen in the scene is brought into sight here.
    const at = primary === null ? -1 : list.indexOf(primary);
    const e = host.current;
    if (at < 0 || !e || (at * ROW >= e.scrollTop && (at + 1) * ROW <= e.scrollTop + e.clientHeight)) return;
    e.scrollTop = at * ROW - e.clientHeight / 2;
  }, [primary]);
  const first = Math.max(0, Math.floor(scroll.value / ROW) - 2);
  const last = Math.min(list.length, Math.ceil((scroll.value + height.value) / ROW) + 2);
  const move = (e: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
    const from = s.selection.value.primary; // not the one last drawn: keys may come faster
    const at = from === null ? -1 : list.indexOf(from);
    const to = e.key === "Home" ? 0 : e.key === "End" ? list.length - 1 : step === undefined ? -1 : Math.max(0, Math.min(list.length - 1, at + step));
    if (to < 0 || !list.length) return;
    e.preventDefault();
    e.stopPropagation();
    select(e.shiftKey ? [...s.selection.value.ids, list[to]] : [list[to]], list[to]);
  };
  return (
    <div class="fleet">
      <div class="panel-title">
        <h2>{t.panel.fleet}</h2>
        <span class="num dim">{list.length === s.roster.value.ids.length ? number(list.length, 0) : `${number(list.length, 0)} of ${number(s.roster.value.ids.length, 0)}`}</span>
        <span class="grow" />
        <Hint text={t.fleet.hint} />
        {!s.phone.value && <button type="button" class="button icon-only" aria-label={t.panel.collapse("fleet")} title="Collapse" onClick={() => set({ fleet: 0 })}><Icon name="left" /></button>}
      </div>
      <div class="field">
        <Icon name="search" size={14} />
        <input id="filter" type="search" placeholder={t.fleet.example} aria-label={t.fleet.filter} value={s.filter.value} onInput={(e) => (s.filter.value = e.currentTarget.value)} onKeyDown={(e) => e.key === "Escape" && (e.stopPropagation(), (s.filter.value = ""), e.currentTarget.blur())} />
      </div>
      <Chips />
      <div class="row head" aria-hidden="true"><span /><span>Name</span><span class="num">Alt m</span><span class="num">m/s</span><span>State</span></div>
      <div class="list" ref={host} role="listbox" aria-label="Vehicles" aria-multiselectable="true" tabIndex={0} data-region aria-activedescendant={primary !== null ? `row-${primary}` : undefined} onKeyDown={move} onScroll={(e) => (scroll.value = e.currentTarget.scrollTop)}>
        {list.length === 0 && (
          <p class="empty">
            {s.filter.value ? <>0 of {number(s.roster.value.ids.length, 0)} match <code>{s.filter.value}</code>. <button type="button" class="link" onClick={() => (s.filter.value = "")}>{t.fleet.clear}</button></> : s.world.value ? <>{t.fleet.empty} <button type="button" class="link" onClick={() => perform("vehicle.spawn")}>Spawn</button></> : t.fleet.before}
          </p>
        )}
        <div style={{ height: `${list.length * ROW}px`, position: "relative" }}>
          {list.slice(first, last).map((id, i) => <Row key={id} id={id} top={(first + i) * ROW} place={first + i + 1} of={list.length} />)}
        </div>
      </div>
    </div>
  );
}

function Row({ id, top, place, of }: { id: string; top: number; place: number; of: number }) {
  void s.pulse.value;
  const f = s.hot.frame;
  const k = s.slotOf(id);
  const r = s.roster.value;
  const flock = r.flock[r.slotOf.get(id) ?? 0];
  const speed = k < 0 ? NaN : Math.hypot(f.velocity[3 * k], f.velocity[3 * k + 1], f.velocity[3 * k + 2]);
  const state = k < 0 ? { text: "", short: "\u2014", bad: false } : standingOf(id, f.state[k]);
  return (
    <div id={`row-${id}`} class={`row ${s.selection.value.ids.has(id) ? "on" : ""} ${s.selection.value.primary === id ? "primary" : ""} ${s.hovered.value === id ? "lit" : ""}`} role="option" aria-selected={s.selection.value.ids.has(id)} aria-posinset={place} aria-setsize={of} title={t.fleet.number(s.nameOf(id), id)} style={{ transform: `translateY(${top}px)` }}
      onClick={(e) => (e.ctrlKey || e.metaKey ? toggle(id) : select([id], id))} onDblClick={() => perform("camera.follow")} onPointerEnter={() => (s.hovered.value = id)} onPointerLeave={() => (s.hovered.value = null)}>
      <i class="swatch" style={{ background: `var(--flock-${flock % 6})` }} />
      <span class="name"><bdi>{s.nameOf(id)}</bdi></span>
      <span class="num">{k < 0 ? "\u2014" : number(f.position[3 * k + 2] + f.origin[2] - (s.world.value?.ground ?? 0), 1)}</span>
      <span class="num">{number(speed, 1)}</span>
      <span class={`mode ${state.bad ? "bad" : ""}`} title={state.text || undefined}>{state.bad && "\u2715 "}{state.short}</span>
    </div>
  );
}
