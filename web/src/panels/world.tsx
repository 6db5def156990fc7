// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The world around the swarm: air, ground, regions and who is inside them, the run's numbers, the hour of the sun, and what trails show.
import { perform, select, set } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { clockText, number } from "../app/units.ts";
import { worldNow } from "../app/weather.ts";
import { TRAIL_COLOURS, type TrailBy } from "../scene/view.ts";
import { inRegion, type RegionInfo, type WorldInfo } from "../source/source.ts";
import { Line } from "./line.tsx";
import { Radio, Tasks } from "./tasks.tsx";
import { Weather } from "./weather.tsx";

const SHOWN = 12;

/** The slots of the vehicles that are inside. */
export function inside(r: RegionInfo): number[] {
  const f = s.hot.frame;
  const found: number[] = [];
  for (let k = 0; k < f.n; k++) if (inRegion(r, f.position[3 * k] + f.origin[0], f.position[3 * k + 1] + f.origin[1], f.position[3 * k + 2] + f.origin[2])) found.push(k);
  return found;
}

/** Broken when somebody is where a rule does not want them. The mark is a shape of its own for each rule, not a colour alone. */
function Region({ region: r }: { region: RegionInfo }) {
  const there = inside(r);
  const n = s.hot.frame.n;
  const broken = r.rule === "keep_out" ? there.length > 0 : r.rule === "keep_in" && there.length < n;
  const words = r.rule === "keep_in" && broken ? t.region.outside(n - there.length) : t.region.inside(there.length);
  const pick = (): void => {
    const ids = s.hot.frame.roster.ids;
    select(r.rule === "keep_in" && broken ? ids.slice(0, n).filter((_, k) => !there.includes(k)) : there.map((k) => ids[k]));
  };
  return (
    <button type="button" class="region" title={t.region.select} onClick={pick}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d={r.rule === "keep_out" ? "M1 1l10 10M11 1L1 11" : r.rule === "keep_in" ? "M1.5 1.5h9v9h-9z" : "M6 2.5v.01M6 6v.01M6 9.5v.01"} class={r.rule} /></svg>
      <span class="name">{r.name}</span>
      <span class="dim">{t.region.rule[r.rule]}</span>
      <span class={`num ${broken ? "bad" : ""}`}>{broken ? "! " : ""}{words}</span>
    </button>
  );
}

const hourText = (h: number): string => {
  const minutes = Math.floor(h * 60 + 1e-6) % 1440;
  return [Math.floor(minutes / 60), minutes % 60].map((x) => String(x).padStart(2, "0")).join(":");
};
function Sun() {
  void s.pulse.value; // the hour moves with the clock
  const hour = s.hourNow();
  return (
    <div class="hour">
      <label for="hour">{t.world.hour}</label>
      <input id="hour" type="range" min="0" max="24" step="0.25" value={hour ?? 13} aria-valuetext={hour === null ? t.world.asTheme : hourText(hour)} onInput={(e) => set({ hour: Number(e.currentTarget.value) })} />
      <span class="num">{hour === null ? t.world.theme : hourText(hour)}</span>
      <button type="button" class="link" title={t.world.autoHint} onClick={() => perform("sun.auto")} disabled={s.settings.value.hour === null}>{t.world.auto}</button>
    </div>
  );
}

const LENGTHS = [5, 10, 20, 40, 60, 120]; // s
/** What trails are coloured by, and how long they are. */
function Trails() {
  const { trailBy, trailSeconds } = s.settings.value;
  return (
    <div class="hour">
      <label for="trail-by">{t.trails.title}</label>
      <select id="trail-by" value={trailBy} onChange={(e) => set({ trailBy: e.currentTarget.value as TrailBy })}>
        {TRAIL_COLOURS.map((by) => <option key={by} value={by}>{t.trails.by[by]}</option>)}
      </select>
      <select aria-label={t.trails.length} value={trailSeconds ?? ""} onChange={(e) => set({ trailSeconds: Number(e.currentTarget.value) || null })}>
        <option value="">{t.world.auto}</option>
        {LENGTHS.map((n) => <option key={n} value={n}>{t.trails.seconds(n)}</option>)}
      </select>
    </div>
  );
}

export function WorldSection({ world: w }: { world: WorldInfo }) {
  void s.pulse.value; // regions count those inside now
  const st = s.status.value;
  return (
    <>
      <Tasks />
      <Weather world={worldNow() ?? w} />
      <dl>
        <h3>{t.world.title}</h3>
        <Line name={t.world.ground} value={w.hasGround ? number(w.ground, 1) : t.world.none} unit={w.hasGround ? "m" : ""} hint={t.world.groundHint} />
        <Line name={t.world.scenario} value={w.scenario} hint={w.description} />
        <Line name={t.world.seed} value={w.seed} />
        <Line name={t.world.tick} value={number(w.tick * 1000, w.tick < 0.01 ? 1 : 0)} unit="ms" />
        <Line name={t.world.length} value={w.duration > 0 ? clockText(w.duration, 0) : t.world.open} unit={w.duration > 0 ? "m:ss" : ""} />
        {!s.hot.source || s.hot.source.can.grow ? <Line name={t.world.hash} value={st.hash || "\u2014"} hint={t.world.hashHint} /> : <Line name={t.world.run} value={s.shown.value.name} />}
      </dl>
      <Radio />
      <h3>{t.region.title}</h3>
      {w.regions.slice(0, SHOWN).map((r) => <Region region={r} />)}
      {w.regions.length > SHOWN && <p class="dim">{t.region.more(w.regions.length - SHOWN)}</p>}
      {!w.regions.length && <p class="dim">{t.region.none}</p>}
      <Sun />
      <Trails />
    </>
  );
}
