// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers that behaviours plot (docs/scripts.md): by vehicle and name, from a live server or from blocks of a recording. A number holds
// until the vehicle plots the next one.
import { Reader } from "./log_bytes.ts";
import type { Series } from "./source.ts";

const MOST = 500_000; // samples of one vehicle and name that are kept
interface Line {
  time: number[]; // s, ascending
  value: number[];
}

export class PlotBook {
  private readonly lines = new Map<string, Map<string, Line>>(); // by vehicle, by name

  clear(): void {
    this.lines.clear();
  }
  /** Samples that are told again, or come late, are left out. */
  add(id: string, name: string, time: number, value: number): void {
    let of = this.lines.get(id);
    if (!of) this.lines.set(id, (of = new Map()));
    let line = of.get(name);
    if (!line) of.set(name, (line = { time: [], value: [] }));
    if (line.time.length > 0 && time <= line.time[line.time.length - 1]) return;
    line.time.push(time);
    line.value.push(value);
    if (line.time.length > MOST) line.time.splice(0, MOST / 10), line.value.splice(0, MOST / 10);
  }
  /** What these vehicles plot, by name. */
  names(ids: readonly string[]): string[] {
    return [...new Set(ids.flatMap((id) => [...(this.lines.get(id)?.keys() ?? [])]))].sort();
  }
  /** At every moment at which one of the vehicles plotted, thinned out to so many points; NaN before the first number of a vehicle. */
  series(name: string, ids: readonly string[], from: number, to: number, points: number): Series {
    const lines = ids.map((id) => this.lines.get(id)?.get(name) ?? { time: [], value: [] });
    const moments = new Set<number>();
    for (const l of lines) {
      const last = after(l.time, to);
      for (let k = Math.max(0, after(l.time, from) - 1); k < last; k++) moments.add(l.time[k]);
    }
    const all = Float64Array.from(moments).sort();
    const stride = Math.max(1, Math.ceil(all.length / Math.max(1, points)));
    // the newest one is always shown
    const time = all.filter((_, k) => (all.length - 1 - k) % stride === 0);
    const values = lines.map((l) => time.map((t) => l.value[after(l.time, t) - 1] ?? NaN));
    return { time, values };
  }
}

/** How many of the ascending times are not after a moment. */
function after(times: readonly number[], moment: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (times[mid] <= moment) low = mid + 1;
    else high = mid;
  }
  return low;
}

export interface PlotSample {
  vehicle: number; // index in the roster
  name: string;
  tick: number;
  value: number;
}
/** What a block "plots" of a recording holds. */
export function readPlots(payload: Uint8Array, firstTick: number): PlotSample[] | Error {
  const r = new Reader(payload);
  const names = Array.from({ length: r.count(8) }, () => (r.u32(), r.text(64))); // of a flock, which the vehicle tells as well
  const n = r.count(18);
  const ticks = Array.from({ length: n }, () => firstTick + r.u32());
  const vehicles = Array.from({ length: n }, () => r.u32());
  const of = Array.from({ length: n }, () => r.u16());
  const values = Array.from({ length: n }, () => r.f64());
  const sound = r.good && r.left === 0 && of.every((k) => k < names.length) && values.every(Number.isFinite);
  return sound ? ticks.map((tick, k) => ({ vehicle: vehicles[k], name: names[of[k]], tick, value: values[k] })) : new Error("cannot be understood");
}
