// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two runs on one page: the bar over the scenes, the second scene, the panel with figures and plots, and the list to choose from.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { perform } from "../app/commands.ts";
import { sceneInput } from "../app/input.ts";
import { pickSecond } from "../app/sources.ts";
import * as s from "../app/state.ts";
import { clockText, count, number, quantity } from "../app/units.ts";
import { differences, matching, readRuns, sorted, type Run } from "../library/runs.ts";
import { Inspector } from "../panels/inspector.tsx";
import { Plot, type PlotSpec } from "../panels/plots.tsx";
import { Picture } from "../scene/renderer.ts";
import { Hint } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { Chooser, Modal } from "../ui/modal.tsx";
import "./compare.css";
import { seriesOf } from "./distance.ts";
import { attend, beside, clockB, distances, figures, frameB, over, pair, swap, verdict, type Pair } from "./pair.ts";

const MANY = 6;
const put = (part: Partial<s.Versus>): void => {
  if (s.versus.value) s.versus.value = { ...s.versus.value, ...part };
};

// ---------------------------------------------------------------- over the scenes
export function Scenes() {
  useEffect(attend, []);
  const p = pair.value;
  const v = s.versus.value;
  if (!v) return null;
  return (
    <>
      <Bar />
      {v.mode === "side" ? <SceneB key={p ? "b" : "none"} p={p} /> : p && <GhostB p={p} />}
    </>
  );
}

function Bar() {
  const v = s.versus.value!;
  const p = pair.value;
  const told = verdict.value;
  const at = p?.moments.find((m) => Math.abs(m.offset - v.offset) < 1e-9);
  return (
    <div class="versus-bar" role="region" aria-label="Comparison of two runs" data-region tabIndex={-1}>
      <span class="verdict" role="status">
        {!p ? `Opening ${v.name}\u2026` : told ? told.text : "Comparing the state of every tick\u2026"}
        {s.parted.value !== null && <button type="button" class="link" aria-keyshortcuts="X" title="To where the two runs part (X)" onClick={() => perform("compare.parted")}>Go there</button>}
      </span>
      <span class="grow" />
      <div class="pages" role="group" aria-label="How the two are shown">
        {(["side", "ghost"] as const).map((m) => <button type="button" aria-pressed={v.mode === m} title={m === "side" ? "Side by side (Y)" : "The second as a ghost over the first (Y)"} onClick={() => put({ mode: m })}>{m === "side" ? "Side by side" : "Ghost"}</button>)}
      </div>
      <label>Align <select aria-label="Align the two runs at" value={at?.key ?? "own"} onChange={(e) => { const m = p?.moments.find((x) => x.key === e.currentTarget.value); if (m) put({ offset: m.offset }); }}>
        {(p?.moments ?? []).map((m) => <option value={m.key}>{m.title}</option>)}
        {!at && <option value="own">At an offset</option>}
      </select></label>
      <label>Offset <input type="number" class="num" step="0.1" aria-label="Seconds that the clock of B is ahead" value={Number(v.offset.toFixed(4))} onChange={(e) => { const x = e.currentTarget.valueAsNumber; if (Number.isFinite(x)) put({ offset: x }); }} /> s</label>
      <button type="button" class="button" aria-disabled={!p} title="Show B as A and A as B" onClick={() => p && void swap()}>Swap</button>
      <button type="button" class="button icon-only" aria-label="Close the comparison" title="Close the comparison" onClick={() => perform("compare.end")}><Icon name="close" /></button>
    </div>
  );
}

/** Why there is nothing of B to see at this moment; empty when there is. */
function absence(p: Pair | null): string {
  if (!p) return "";
  const t = clockB(s.hot.clock.time);
  const { first, last, damage } = p.b.extent();
  if (t < first - 1e-9) return `B begins at ${clockText(first)}.`;
  if (t > last + 1e-9) return `B ended at ${clockText(last)}.`;
  if (frameB.n > 0 || p.b.loading(t)) return "";
  const torn = damage.find(([x, y]) => t >= x && t <= y);
  return torn ? `B: ${clockText(torn[0])} to ${clockText(torn[1])} could not be read.` : "B has no vehicle at this moment.";
}
function Which({ letter, source, time, n }: { letter: string; source: Pair["a"] | null; time: number; n: number }) {
  return <div class="which plate"><b>{letter}</b> {source ? <><span>{source.world.scenario}</span> <span class="dim num">seed {source.world.seed} {"\u00b7"} {clockText(time)} {"\u00b7"} {count(n, "vehicle", "vehicles")}</span></> : ""}</div>;
}

function SceneB({ p }: { p: Pair | null }) {
  const host = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!p) return;
    const e = host.current!;
    const picture = new Picture(e, s.quality.value);
    picture.flat = s.hot.picture?.flat ?? false;
    picture.restarted = s.redraw;
    const size = (): { width: number; height: number } => ({ width: Math.max(1, e.clientWidth), height: Math.max(1, e.clientHeight) });
    s.hot.second = beside(p, picture, size);
    const watch = new ResizeObserver(s.redraw);
    watch.observe(e);
    sceneInput(e, picture, (b) => {
      box.current!.style.display = b ? "block" : "none";
      if (b) Object.assign(box.current!.style, { left: `${Math.min(b.x0, b.x1)}px`, top: `${Math.min(b.y0, b.y1)}px`, width: `${Math.abs(b.x1 - b.x0)}px`, height: `${Math.abs(b.y1 - b.y0)}px` });
    }, { frame: () => frameB, id: (k) => p.who.toA.get(frameB.roster.ids[k]) ?? null });
    s.redraw();
    return () => {
      s.hot.second = null;
      watch.disconnect();
      picture.dispose();
    };
  }, [p]);
  void s.pulse.value;
  const why = absence(p);
  return (
    <>
      <div class="which-a"><Which letter="A" source={p?.a ?? null} time={s.hot.clock.time} n={s.hot.frame.n} /></div>
      <section ref={host} class="scene scene-b" role="application" aria-label="The second run in space" tabIndex={0} data-region>
        <Which letter="B" source={p?.b ?? null} time={clockB(s.hot.clock.time)} n={why ? 0 : frameB.n} />
        {why && <div class="middle plate">{why}</div>}
        {!p && <div class="middle plate">Opening {s.versus.value?.name}{"\u2026"}</div>}
        <div ref={box} class="box" />
      </section>
    </>
  );
}
function GhostB({ p }: { p: Pair }) {
  useEffect(() => (s.hot.picture ? over(p, s.hot.picture) : undefined), [p]);
  void s.pulse.value;
  const why = absence(p);
  return <div class="which-a"><Which letter="A" source={p.a} time={s.hot.clock.time} n={s.hot.frame.n} /><div class="which plate ghost-key"><svg width="14" height="14" viewBox="-8 -8 16 16" aria-hidden="true"><path d="M0-7 5 5 0 2.5-5 5z" fill="none" stroke="currentColor" stroke-width="1.5" /></svg><b>B</b> {why || <span>hollow, {p.b.world.scenario}, <span class="dim num">seed {p.b.world.seed}</span></span>}</div></div>;
}

// ---------------------------------------------------------------- the panel
export function Side() {
  const tab = useSignal<"comparison" | "inspector">("comparison");
  return (
    <div class="inspector compare" data-region tabIndex={-1}>
      <div class="tabs" role="tablist">
        {(["comparison", "inspector"] as const).map((t) => <button type="button" role="tab" aria-selected={tab.value === t} onClick={() => (tab.value = t)}>{t === "comparison" ? "Comparison" : "Inspector (A)"}</button>)}
      </div>
      {tab.value === "inspector" ? <Inspector /> : <div class="tab-body" tabIndex={0}><Figures /><DistancePlots /></div>}
    </div>
  );
}

function Figures() {
  const both = figures.value;
  const p = pair.value;
  if (!both || !p) return <p class="empty">{`Reading both runs\u2026`}</p>;
  const [a, b] = both;
  const tick = (x: Pair["a"]): string => quantity(x.log.tick * 1e3, 2, "ms");
  return (
    <>
      <table class="figures">
        <thead><tr><th>Figure</th><th class="right">A</th><th class="right">B</th><th class="right">B {"\u2212"} A</th></tr></thead>
        <tbody>
          {p.a.log.tick !== p.b.log.tick && <tr><td>Tick</td><td class="right num">{tick(p.a)}</td><td class="right num">{tick(p.b)}</td><td class="right">differs</td></tr>}
          {differences(a, b).map((d) => <tr><td>{d.name}</td><td class={cell(d.a)}>{short(d.a)}</td><td class={cell(d.b)}>{short(d.b)}</td><td class={`${cell(d.difference)} ${d.difference ? "" : "dim"}`}>{d.difference || "same"}</td></tr>)}
        </tbody>
      </table>
      <dl class="names">
        <div><dt>A</dt><dd title={a.id}>{a.id}</dd></div>
        <div><dt>B</dt><dd title={b.id}>{b.id}</dd></div>
      </dl>
      <Only letter="A" names={p.who.onlyA} />
      <Only letter="B" names={p.who.onlyB} />
    </>
  );
}
const cell = (text: string): string => (/^([+\u2212]?[\d,.]+(\s\S+)?|[0-9a-f]{16})$/.test(text) ? "right num whole" : "right");
/** The beginning of a hash is enough to tell it from another. */
const short = (text: string): string => (/^[0-9a-f]{16}$/.test(text) ? `${text.slice(0, 7)}\u2026` : text);
function Only({ letter, names }: { letter: string; names: string[] }) {
  return names.length ? <p class="dim">Only in {letter}: {count(names.length, "vehicle", "vehicles")} ({names.slice(0, 5).join(", ")}{names.length > 5 ? ", \u2026" : ""}).</p> : null;
}

const data = (time: number[], ...lines: (number | null)[][]): uPlot.AlignedData => [time, ...lines] as unknown as uPlot.AlignedData;
function DistancePlots() {
  const p = pair.value;
  const v = s.versus.value;
  void s.pulse.value;
  if (!p || !v) return null;
  if (p.who.toB.size === 0) return <p class="empty">The two have no vehicle in common: no name or id is in both.</p>;
  const d = distances(p, v.offset);
  const ids = [...s.selection.value.ids].filter((id) => p.who.toB.has(id));
  ids.sort((x, y) => Number(y === s.selection.value.primary) - Number(x === s.selection.value.primary));
  const shown = ids.slice(0, MANY);
  const lines = shown.map((id, k) => ({ name: s.nameOf(id), colour: k === 0 ? "--accent" : `--flock-${k % 6}`, width: k === 0 ? 2 : 1.5 }));
  const all: PlotSpec = {
    title: "Distance of partners",
    unit: "m",
    lines: [{ name: "median", colour: "--accent", width: 2 }, { name: "most", colour: "--text-3", width: 1 }],
    data: (from, to) => { const x = d.series(from, to); return data(x.time, x.median, x.most); },
  };
  const chosen = (title: string, what: "distance" | "height"): PlotSpec => ({ title, unit: "m", lines, data: (from, to) => { const x = seriesOf(d.pair, shown, from, to, what); return data(x.time, ...x.values); } });
  const key = `${shown.join()}:${v.offset}`;
  return (
    <div class="plots">
      <div class="panel-title"><h2>Differences</h2><Hint text="The distance in space between a vehicle and the one with the same name in the other run, at the same place of both clocks. Positions are as exact as the recordings keep them." /><span class="grow" /><Farthest p={p} offset={v.offset} /></div>
      <Plot id={`d${v.offset}`} spec={all} />
      {shown.length === 0 && <p class="empty">Select a vehicle to see how far it is from its partner.</p>}
      {shown.length > 0 && <Plot id={`e${key}`} spec={chosen("Distance, selected", "distance")} />}
      {shown.length > 0 && <Plot id={`h${key}`} spec={chosen("Height, B \u2212 A", "height")} />}
    </div>
  );
}
/** The pair that is farthest apart now, one click away. */
function Farthest({ p, offset }: { p: Pair; offset: number }) {
  const now = distances(p, offset).near(s.hot.clock.time);
  if (!now || now.most < 1e-3) return null;
  return <button type="button" class="link num" title="Select the two that are farthest apart now" onClick={() => (s.selection.value = { primary: now.who, ids: new Set([now.who]) })}>{s.nameOf(now.who)}: {quantity(now.most, 2, "m")}</button>;
}

// ---------------------------------------------------------------- choosing
export function Choose() {
  const runs = useSignal<Run[] | null>(null);
  const wrong = useSignal("");
  const words = useSignal("");
  const close = (): void => {
    s.dialog.value = "";
  };
  useEffect(() => {
    if (s.hot.live === null) wrong.value = "This page has no server to ask.";
    else
      fetch("/api/runs")
        .then(async (answer) => (answer.ok ? (runs.value = readRuns(await answer.json())) : Promise.reject(new Error(String(answer.status)))))
        .catch(() => (wrong.value = "The list of runs could not be read: Volary is not reachable."));
  }, []);
  const found = sorted(matching((runs.value ?? []).filter((r) => r.id !== s.shown.value.name), words.value), { by: "started", down: true }).slice(0, 100);
  const go = (r: Run): void => {
    close();
    s.versus.value = { kind: "run", name: r.id, mode: s.versus.value?.mode ?? "side", offset: 0, from: "view" };
  };
  const show = (r: Run): ComponentChildren => (
    <><span>{r.scenario}</span><span class="dim num">seed {r.seed || "\u2013"} {"\u00b7"} {quantity(r.duration, 2, "s")} {"\u00b7"} {count(r.vehicles, "vehicle", "vehicles")}</span><span class="grow" /><code>{r.id}</code></>
  );
  const empty = wrong.value || (runs.value === null ? `Loading\u2026` : runs.value.length > 1 ? `0 of ${number(runs.value.length - 1, 0)} match.` : "There is no other run in the library.");
  return (
    <Modal label="Compare with another run" wide>
      <h2>Compare with</h2>
      <Chooser id="versus" label="Search runs" list="Runs" placeholder="Scenario, seed, hash, tag" words={words.value} type={(t) => (words.value = t)} found={found} show={show} choose={go} empty={<p class="empty">{empty}</p>} />
      <div class="buttons"><button type="button" class="button" onClick={() => { close(); pickSecond(); }}>{`A file\u2026`}</button><span class="grow" /><button type="button" class="button" onClick={close}>Cancel</button></div>
    </Modal>
  );
}
