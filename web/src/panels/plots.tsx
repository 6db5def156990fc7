// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plots on the timeline's own clock: the window follows the playhead, a click seeks, the cursor is shared by all.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { seekTo } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { t } from "../app/i18n/en.ts";
import { number } from "../app/units.ts";
import type { Quantity } from "../source/source.ts";
import { LATTICE, swarmAt } from "./swarm.ts";

const WINDOW = 30; // s
const sync = uPlot.sync("volary");
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export interface PlotSpec {
  title: string;
  unit: string;
  lines: { name: string; colour: string; width: number; dash?: number[] }[];
  whole?: boolean; // it is known from the start of the run, not from when the page was opened
  data: (from: number, to: number) => uPlot.AlignedData;
}

export function Plot({ spec, id }: { spec: PlotSpec; id: string }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const theme = s.theme.value;
  useEffect(() => {
    const e = host.current!;
    const axis = { stroke: token("text-3"), grid: { stroke: token("line"), width: 1 }, ticks: { show: false }, font: "11px system-ui", gap: 4 };
    const p = new uPlot(
      {
        width: Math.max(160, e.clientWidth),
        height: 120,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { sync: { key: sync.key }, y: false, points: { size: 5 }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_u, low, high) => padRange(low, high) } },
        axes: [{ ...axis, size: 22, space: 60, values: (_u, ticks) => ticks.map((x) => `${x}\u2009s`) }, { ...axis, size: 38, space: 28 }],
        series: [{}, ...spec.lines.map((l) => ({ stroke: l.colour.startsWith("--") ? token(l.colour.slice(2)) : l.colour, width: l.width, dash: l.dash, points: { show: false }, spanGaps: false }))],
        hooks: {
          setCursor: [(u) => (s.hoverTime.value = u.cursor.left !== undefined && u.cursor.left !== null && u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : null)],
          draw: [playhead],
        },
      },
      [[], ...spec.lines.map(() => [])] as unknown as uPlot.AlignedData,
      e,
    );
    plot.current = p;
    p.over.addEventListener("click", () => p.cursor.left !== undefined && p.cursor.left !== null && seekTo(p.posToVal(p.cursor.left, "x")));
    const watch = new ResizeObserver(() => p.setSize({ width: Math.max(160, e.clientWidth), height: 120 }));
    watch.observe(e);
    const stop = s.pulse.subscribe(() => {
      const [from, to] = range(latest.current.whole ? 0 : s.hot.extent.first);
      p.batch(() => {
        p.setData(latest.current.data(from, to), false);
        p.setScale("x", { min: from, max: to });
      });
    });
    return () => {
      stop();
      watch.disconnect();
      p.destroy();
    };
  }, [theme, id]);
  const now = summary(spec);
  return (
    <figure class="plot" aria-label={`${spec.title}${spec.unit ? `, ${spec.unit}` : ""}. ${now}`}>
      <figcaption>
        <b>{spec.title}</b> {spec.unit && <span class="dim">[{spec.unit}]</span>}
        <Legend spec={spec} plot={plot} />
      </figcaption>
      <div ref={host} />
    </figure>
  );
}
/** Every line with its stroke, its name, and its value under the cursor, or else at the moment shown. */
function Legend({ spec, plot }: { spec: PlotSpec; plot: { current: uPlot | null } }) {
  void s.pulse.value;
  const at = s.hoverTime.value ?? s.hot.clock.time;
  return (
    <span class="legends">
      {spec.lines.map((l, k) => (
        <span class="legend" key={k}>
          <svg width="14" height="8" aria-hidden="true"><line x1="0" x2="14" y1="4" y2="4" style={{ stroke: l.colour.startsWith("--") ? `var(${l.colour})` : l.colour, strokeWidth: l.width, strokeDasharray: l.dash?.join(" ") }} /></svg>
          <span class="name">{l.name}</span>
          <span class="num">{valueAt(plot.current?.data, k + 1, at)}</span>
        </span>
      ))}
    </span>
  );
}
/** The value of a line at the last of its points that is not after a time; a dash where there is none. */
export function valueAt(data: ArrayLike<ArrayLike<number | null | undefined>> | undefined, line: number, time: number): string {
  const x = data?.[0];
  if (!x?.length) return "\u2014";
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] as number) <= time + 1e-9) low = middle + 1;
    else high = middle;
  }
  const value = low > 0 ? data![line][low - 1] : null;
  return number(value ?? NaN, 2);
}
const summary = (spec: PlotSpec): string => `Lines: ${spec.lines.map((l) => l.name).join(", ")}`;
/** A flat line sits in the middle of a plot of sensible height, not on its edge. */
function padRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const pad = Math.max((high - low) * 0.12, Math.abs(high) * 0.02, 0.1);
  return [low - pad, high + pad];
}
function range(first: number): [number, number] {
  const now = s.hot.clock.time;
  const from = Math.max(first, now - WINDOW * 0.8);
  return [from, from + WINDOW];
}
function playhead(u: uPlot): void {
  const x = u.valToPos(s.hot.clock.time, "x", true);
  if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
  u.ctx.fillStyle = token("select");
  u.ctx.fillRect(Math.round(x), u.bbox.top, devicePixelRatio, u.bbox.height);
}

/** What the behaviours of these vehicles plot. A name appears when it is first used. */
function usePlotNames(ids: string[]): string[] {
  const [names, setNames] = useState("");
  const key = ids.join();
  useEffect(() => s.pulse.subscribe(() => setNames((s.hot.source?.plotNames?.(ids) ?? []).join())), [key]);
  return names === "" ? [] : names.split(",");
}

const MANY = s.MOST_PLOTTED;
function vehicleSpec(title: string, unit: string, quantity: Quantity, ids: string[]): PlotSpec {
  const shown = ids.slice(0, MANY);
  const flock = (id: string): number => s.roster.value.flock[s.roster.value.slotOf.get(id) ?? 0] ?? 0;
  return {
    title,
    unit,
    lines: shown.map((id, k) => ({ name: s.nameOf(id), colour: shown.length === 1 ? "--accent" : `--flock-${(flock(id) + k) % 6}`, width: k === 0 ? 2.5 : 1.5 })),
    data: (from, to) => {
      const series = s.hot.source?.series(quantity, shown, from, to, 300);
      return [series?.time ?? [], ...(series?.values ?? shown.map(() => []))] as unknown as uPlot.AlignedData;
    },
  };
}
function swarmSpec(title: string, unit: string, names: string[], read: (p: NonNullable<ReturnType<typeof swarmAt>>) => number[]): PlotSpec {
  return {
    title,
    unit,
    lines: names.map((name, k) => (names.length === 1 || k === 1 ? { name, colour: "--accent", width: 2 } : { name, colour: "--text-2", width: 1.25, dash: k === 0 ? [2, 3] : [7, 3] })),
    data: (from, to) => {
      const time: number[] = [];
      const columns: (number | null)[][] = names.map(() => []);
      const end = Math.min(to, s.hot.extent.last);
      for (let t = Math.ceil(from / LATTICE) * LATTICE; t <= end && s.hot.source; t += LATTICE) {
        const p = swarmAt(s.hot.source, t);
        if (!p) continue;
        time.push(t);
        read(p).forEach((v, k) => columns[k].push(Number.isFinite(v) ? v : null));
      }
      return [time, ...columns] as unknown as uPlot.AlignedData;
    },
  };
}

/** What pushes a vehicle, as it is measured, filtered, estimated and commanded: the three axes of the force, then of the torque. */
const PUSH_LINES: PlotSpec["lines"] = [
  { name: "measured", colour: "--text-2", width: 1.25 },
  { name: "felt", colour: "--accent", width: 2.5 },
  { name: "estimated", colour: "--accent", width: 1.5, dash: [2, 3] },
  { name: "commanded", colour: "--select", width: 1.5, dash: [7, 3] },
];
function pushSpec(id: string, axis: number, told: number[]): PlotSpec {
  return {
    title: `${axis < 3 ? "Force" : "Torque"} ${"xyz"[axis % 3]}`,
    unit: `${axis < 3 ? "N" : "N\u2009m"}, body`,
    lines: told.map((p) => PUSH_LINES[p]),
    data: (from, to) => {
      const series = s.hot.joined?.kept()?.series(id, axis, from, to, 600);
      return [series?.time ?? [], ...told.map((p) => series?.values[p] ?? [])] as unknown as uPlot.AlignedData;
    },
  };
}
function PushPlots({ id }: { id: string }) {
  const [told, setTold] = useState("");
  useEffect(() => s.pulse.subscribe(() => setTold(s.hot.joined?.kept()?.pushesOf(id).join() ?? "")), [id]);
  if (!told) return null;
  return (
    <>
      <h4 class="plots-of">Pushes on {s.nameOf(id)}</h4>
      {[0, 1, 2, 3, 4, 5].map((axis) => <Plot key={axis} id={`push ${id} ${told}`} spec={pushSpec(id, axis, told.split(",").map(Number))} />)}
    </>
  );
}

export function SwarmPlots() {
  const big = s.roster.value.ids.length > 3000;
  return (
    <div class="plots">
      <Plot id="altitude" spec={swarmSpec("Altitude", "m, U", ["lowest", "median", "highest"], (p) => p.altitude)} />
      <Plot id="speed" spec={swarmSpec("Speed", "m/s", ["slowest", "median", "fastest"], (p) => p.speed)} />
      {big ? <p class="empty">Separation is drawn for up to 3,000 vehicles.</p> : <Plot id="separation" spec={swarmSpec("Closest two", "m", ["distance"], (p) => [p.separation])} />}
    </div>
  );
}
export function VehiclePlots() {
  const ids = [...s.selection.value.ids];
  const primary = s.selection.value.primary;
  if (primary !== null) ids.sort((a, b) => Number(b === primary) - Number(a === primary));
  const key = ids.slice(0, MANY).join();
  const plotted = usePlotNames(ids.slice(0, MANY));
  return (
    <div class="plots">
      {ids.length > MANY && <p class="empty">The first {MANY} of {ids.length} selected vehicles are drawn.</p>}
      <Plot id={`a${key}`} spec={vehicleSpec("Altitude", "m, U", "altitude", ids)} />
      <Plot id={`s${key}`} spec={vehicleSpec("Speed", "m/s", "speed", ids)} />
      <Plot id={`r${key}`} spec={vehicleSpec(t.attitude.roll, "\u00b0", "roll", ids)} />
      <Plot id={`p${key}`} spec={vehicleSpec(t.attitude.pitch, "\u00b0", "pitch", ids)} />
      {primary !== null && <PushPlots key={primary} id={primary} />}
      {plotted.length > 0 && <h4 class="plots-of">Script</h4>}
      {plotted.map((name) => <Plot key={name} id={`plot:${name} ${key}`} spec={{ ...vehicleSpec(name, "", `plot:${name}`, ids), whole: true }} />)}
    </div>
  );
}
