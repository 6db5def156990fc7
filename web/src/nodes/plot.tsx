// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One quantity of every node over the last two minutes of the wall clock.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import { linesOf, MOST_LINES, type Past, type Quantity } from "./figures.ts";

const WINDOW = 120; // s
const HEIGHT = 96;
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const sync = uPlot.sync("nodes");

export const strokeOf = (k: number): string => `--flock-${k % 6}`;
const MANY = ["lowest", "median", "highest"];
const DASHES: (number[] | undefined)[] = [[2, 3], undefined, [7, 3]];

export interface PlotSpec {
  quantity: Quantity;
  scale: number; // from the unit of the API to the one that is shown
  title: string;
  unit: string;
  hint: string;
}
export const digitsOf = (q: Quantity): number => (q === "rate" || q === "skew" ? 0 : 1);
export function NodePlot({ spec, past, names }: { spec: PlotSpec; past: Past; names: string[] }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const many = names.length > MOST_LINES;
  const lines = many ? MANY : names;
  const theme = s.theme.value;
  const values = linesOf(past.values[spec.quantity].slice(0, many ? undefined : names.length), past.time.length).map((line) => line.map((x) => (x === null ? null : x * spec.scale)));
  useEffect(() => {
    const e = host.current!;
    const axis = { stroke: token("--text-3"), grid: { stroke: token("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui", gap: 4 };
    const p = new uPlot(
      {
        width: Math.max(160, e.clientWidth),
        height: HEIGHT,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { sync: { key: sync.key }, y: false, points: { size: 5 }, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_u, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
        axes: [{ ...axis, size: 20, space: 60, values: (_u, ticks) => ticks.map((x) => `${x}\u2009s`) }, { ...axis, size: 44, space: 24 }],
        series: [{}, ...lines.map((_, k) => ({ stroke: token(many ? (k === 1 ? "--accent" : "--text-2") : strokeOf(k)), width: many && k !== 1 ? 1.25 : 1.75, ...(many && DASHES[k] ? { dash: DASHES[k] } : {}), points: { show: false }, spanGaps: false }))],
      },
      [[], ...lines.map(() => [])] as unknown as uPlot.AlignedData,
      e,
    );
    plot.current = p;
    const watch = new ResizeObserver(() => p.setSize({ width: Math.max(160, e.clientWidth), height: HEIGHT }));
    watch.observe(e);
    return () => {
      watch.disconnect();
      p.destroy();
    };
  }, [theme, lines.join()]);
  useEffect(() => {
    const end = past.time.at(-1) ?? 0;
    plot.current?.batch((p: uPlot) => {
      p.setData([past.time, ...lines.map((_, k) => values[k] ?? past.time.map(() => null))] as unknown as uPlot.AlignedData, false);
      p.setScale("x", { min: Math.max(0, end - WINDOW), max: Math.max(end, 10) });
    });
  }, [past, theme, lines.join()]);
  const now = (k: number): string => number(values[k]?.at(-1) ?? NaN, digitsOf(spec.quantity));
  return (
    <figure class="plot" aria-label={`${spec.title}, ${spec.unit}. ${lines.map((name, k) => `${name} ${now(k)}`).join(", ")}`}>
      <figcaption title={spec.hint}>
        <b>{spec.title}</b> <span class="dim">[{spec.unit}]</span>
        <span class="legends">{lines.map((name, k) => <span class="legend"><svg width="16" height="3" aria-hidden="true"><path d="M0 1.5h16" style={{ stroke: `var(${many ? (k === 1 ? "--accent" : "--text-2") : strokeOf(k)})` }} stroke-width="3" stroke-dasharray={many ? DASHES[k]?.join() : undefined} /></svg><span class="name">{name}</span><span class="num">{now(k)}</span></span>)}</span>
      </figcaption>
      <div ref={host} />
    </figure>
  );
}
