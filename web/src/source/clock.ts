// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one clock of the page, as pure functions of plain values. Live follows the newest snapshot a little behind it; playing and
// paused look at what is kept.

export type ClockMode = "live" | "playing" | "paused";
export interface Clock {
  mode: ClockMode;
  time: number; // s, what is shown
  speed: number; // of playing, negative is backwards
  loop: boolean; // begin again at the other end
}
export interface Edge {
  first: number;
  last: number; // s, what can be shown
  interval: number; // s of simulation between two snapshots
  rate: number; // simulated seconds per second at the live edge
}

export function advance(clock: Clock, dt: number, edge: Edge): Clock {
  if (clock.mode === "paused") return clock;
  if (clock.mode === "live") return { ...clock, time: follow(clock.time, dt, edge) };
  let time = clock.time + dt * clock.speed;
  if (time > edge.last) time = clock.loop ? edge.first : edge.last;
  if (time < edge.first) time = clock.loop ? edge.last : edge.first;
  const stuck = !clock.loop && (time === edge.last || time === edge.first) && clock.time === time;
  return { ...clock, time, mode: stuck ? "paused" : "playing" };
}

/** One and a half snapshots behind the newest, approached without a jump unless it is far away. */
function follow(time: number, dt: number, edge: Edge): number {
  const behind = edge.rate > 0 ? Math.min(1.5 * edge.interval, 2) : 0;
  const goal = Math.max(edge.first, edge.last - behind);
  if (edge.rate <= 0) return time < goal ? Math.min(goal, time + Math.max(dt, 0.25 * (goal - time))) : goal;
  const ahead = time + dt * edge.rate;
  const error = goal - ahead;
  if (Math.abs(error) > Math.max(1, 8 * edge.interval)) return goal;
  // Only slow or hasten: a live picture never runs backwards.
  return Math.min(edge.last, Math.max(time, ahead + error * Math.min(1, 2 * dt)));
}

export function seek(clock: Clock, time: number, edge: Pick<Edge, "first" | "last">): Clock {
  const to = Math.min(edge.last, Math.max(edge.first, time));
  return { ...clock, time: to, mode: clock.mode === "live" ? "paused" : clock.mode };
}

const SPEEDS = [0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16];
export function nextSpeed(speed: number, up: boolean): number {
  const size = Math.abs(speed) || 1;
  const sign = speed < 0 ? -1 : 1;
  const found = up ? SPEEDS.find((s) => s > size) : SPEEDS.findLast((s) => s < size);
  return sign * (found ?? size);
}

/** `12.5`, `1:23.4`, `+5`, `-10`, `tick 400`; null when it is none of these. */
export function parseTime(text: string, now: number, tick: number): number | null {
  const t = text.trim().toLowerCase();
  const ticks = /^tick\s+(\d+)$/.exec(t);
  if (ticks) return Number(ticks[1]) * tick;
  const parts = /^([+-]?)(?:(\d+):)?(\d+(?:\.\d+)?)$/.exec(t);
  if (!parts) return null;
  const seconds = Number(parts[2] ?? 0) * 60 + Number(parts[3]);
  return parts[1] === "+" ? now + seconds : parts[1] === "-" ? now - seconds : seconds;
}
