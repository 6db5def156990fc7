// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transport and timeline. The canvas draws ruler, events and bookmarks in uniform simulation time; behind it is a slider for the keyboard.
import { useEffect, useRef } from "preact/hooks";
import { perform, seekTo, setSpeed, worldClock } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { clockText, number, roundDown } from "../app/units.ts";
import { eventWords } from "../app/words.ts";
import { parseTime } from "../source/clock.ts";
import { flagsOf } from "../panels/standing.ts";
import { clustersOf, eventNear } from "./clusters.ts";
import { CommandButton } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const BOTH_WAYS = [-16, -8, -4, -2, -1, -0.5, ...SPEEDS];
const window_ = { from: NaN, to: NaN }; // NaN: all

export function Transport() {
  void s.pulse.value;
  const c = s.clockMode.value;
  const st = s.status.value;
  const ofWorld = worldClock();
  const running = ofWorld ? st.state === "running" : c === "playing";
  const what = ofWorld ? (running ? "Pause world" : "Run world") : running ? "Pause view" : "Play view";
  const speed = ofWorld ? st.speed : s.clockSpeed.value;
  const behind = c !== "live" && st.state !== "finished";
  return (
    <div class="transport" role="toolbar" aria-label="Time">
      <CommandButton id="time.start" icon="start" />
      <CommandButton id="time.stepBack" icon="back" />
      <CommandButton id="time.play" icon={running ? "pause" : "play"} label={what} className="play">{s.phone.value ? null : what}</CommandButton>
      <CommandButton id="time.step" icon="step" />
      {s.replaying.value ? (
        <button type="button" class="button go-live" onClick={() => perform("time.live")} title="To the end (End)"><Icon name="live" /> End</button>
      ) : (
        <button type="button" class={`button go-live ${c === "live" ? "on" : ""}`} onClick={() => perform("time.live")} title="To the present (End)" aria-pressed={c === "live"}>
          <Icon name="live" /> {behind ? "Jump to live" : "Live"}
        </button>
      )}
      {(s.shown.value.kind === "run" || s.shown.value.kind === "file") && s.connection.value.up && s.hot.live?.world && <button type="button" class="button" onClick={() => perform("page.live")} title="To the run on the server">Back to live</button>}
      <label class="speed">
        <span class="dim">Speed</span>
        <select value={String(speed)} aria-label={ofWorld ? "Speed of the world" : "Speed of the view"} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
          {!(ofWorld ? SPEEDS : BOTH_WAYS).includes(speed) && speed !== 0 && <option value={String(speed)}>{number(speed, 2)}{"\u00d7"}</option>}
          {(ofWorld ? SPEEDS : BOTH_WAYS).map((x) => <option value={String(x)}>{number(x, Number.isInteger(x) ? 0 : 2)}{"\u00d7"}</option>)}
          {ofWorld && <option value="0">max</option>}
        </select>
      </label>
      <span class="grow" />
      <TimeField />
      <span class="num dim of">/ {clockText(s.replaying.value ? s.hot.extent.last : Math.max(s.hot.extent.last, s.world.value?.duration ?? 0), 1)}</span>
    </div>
  );
}

function TimeField() {
  return (
    <input class="time-field num" aria-label="Time shown: type 12.5, 1:23.4, +5 or tick 400" value={clockText(s.hot.clock.time)} spellcheck={false}
      onFocus={(e) => e.currentTarget.select()}
      onKeyDown={(e) => {
        if (e.key !== "Enter") return;
        const t = parseTime(e.currentTarget.value, s.hot.clock.time, s.world.value?.tick ?? 0.01);
        if (t === null) s.notify("warn", `\u201c${e.currentTarget.value}\u201d is not a time. Try 12.5, 1:23.4, +5 or tick 400.`);
        else seekTo(t);
        e.currentTarget.blur();
      }} />
  );
}

const everything = (): [number, number] => {
  const x = s.hot.extent;
  return [Math.min(0, x.first), Math.max(x.last, s.replaying.value ? 0 : (s.world.value?.duration ?? 0), x.first + 1)];
};
const span = (): [number, number] => (Number.isNaN(window_.from) ? everything() : [window_.from, window_.to]);

export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => s.pulse.subscribe(() => canvas.current && paint(canvas.current)), []);
  useEffect(() => {
    const e = host.current!;
    let dragging = false;
    const timeAt = (x: number): number => {
      const r = e.getBoundingClientRect();
      const [a, b] = span();
      return a + ((x - r.left - 12) / (r.width - 24)) * (b - a);
    };
    const down = (ev: PointerEvent): void => {
      dragging = true;
      e.setPointerCapture(ev.pointerId);
      press(timeAt(ev.clientX), ev.offsetY);
    };
    const press = (t: number, y: number): void => {
      const [a, b] = span();
      const near = ((b - a) / e.clientWidth) * 6;
      const hit = y > 18 && y < 40 ? eventNear(s.events.value, t, near) : undefined;
      if (hit?.id) perform("select.none");
      seekTo(hit ? hit.time - 1 : t);
      if (hit?.id) s.selection.value = { primary: hit.id, ids: new Set([hit.id]) };
    };
    const move = (ev: PointerEvent): void => {
      const t = timeAt(ev.clientX);
      s.hoverTime.value = t;
      const [a, b] = span();
      const hit = eventNear(s.events.value, t, ((b - a) / e.clientWidth) * 6);
      e.title = hit ? `${clockText(hit.time)} ${hit.name} ${eventWords(hit.what)}` : "";
      if (dragging) seekTo(t);
    };
    const up = (): void => {
      dragging = false;
    };
    const leave = (): void => {
      s.hoverTime.value = null;
    };
    const wheel = (ev: WheelEvent): void => {
      ev.preventDefault();
      const [a, b] = span();
      const t = timeAt(ev.clientX);
      const k = Math.exp(ev.deltaY * 0.002);
      const all = everything();
      window_.from = Math.max(all[0], t - (t - a) * k);
      window_.to = Math.min(all[1], t + (b - t) * k);
      if (window_.from <= all[0] && window_.to >= all[1]) window_.from = window_.to = NaN;
    };
    const whole = (): void => {
      window_.from = window_.to = NaN;
    };
    const list: [string, EventListener][] = [["pointerdown", down as EventListener], ["pointermove", move as EventListener], ["pointerup", up], ["pointerleave", leave], ["dblclick", whole]];
    for (const [name, f] of list) e.addEventListener(name, f);
    e.addEventListener("wheel", wheel, { passive: false });
    return () => {
      for (const [name, f] of list) e.removeEventListener(name, f);
      e.removeEventListener("wheel", wheel);
    };
  }, []);
  void s.pulse.value;
  return (
    <div class="timeline" ref={host} role="slider" tabIndex={0} data-region aria-label="Timeline" aria-valuemin={s.hot.extent.first} aria-valuemax={s.hot.extent.last} aria-valuenow={Number(s.hot.clock.time.toFixed(2))} aria-valuetext={`${clockText(s.hot.clock.time)} of ${clockText(s.hot.extent.last)}`}
      onKeyDown={(e) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[e.key];
        if (step !== undefined) seekTo(s.hot.clock.time + step * (e.shiftKey ? (s.world.value?.tick ?? 0.01) : 1));
        else if (e.key === "Home") seekTo(s.hot.extent.first);
        else if (e.key === "End") perform("time.live");
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}>
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}

let colours: Record<string, string> = {};
let coloursOf = "";
function colour(name: string): string {
  if (coloursOf !== s.theme.value) {
    coloursOf = s.theme.value;
    colours = {};
  }
  return (colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

function paint(canvas: HTMLCanvasElement): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  if (!w || !h) return;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) [canvas.width, canvas.height] = [Math.round(w * ratio), Math.round(h * ratio)];
  const c = canvas.getContext("2d", { willReadFrequently: s.quality.value !== "full" })!;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, w, h);
  const [a, b] = span();
  const x = (t: number): number => 12 + ((t - a) / (b - a)) * (w - 24);
  for (const [from, to] of s.hot.extent.gaps) hatch(c, x(from), x(to), h, w, "text-3");
  for (const [from, to] of s.hot.extent.damage) hatch(c, x(from), x(to), h, w, "bad");
  ruler(c, a, b, w, x);
  if (!s.tasksOnly.value) marks(c, x);
  overview(c, h, w, x);
  flags(c, h, x);
  bookmarks(c, x);
  s.hot.joined?.paintLatches(c, x, h - 20, colour("accent"));
  if (s.parted.value !== null) parting(c, x(s.parted.value), h);
  const now = x(s.hot.clock.time);
  if (s.hoverTime.value !== null) {
    c.fillStyle = colour("text-3");
    c.fillRect(Math.round(x(s.hoverTime.value)), 0, 1, h);
  }
  c.fillStyle = colour("select");
  c.fillRect(Math.round(now) - 1, 0, 2, h);
  c.beginPath();
  c.moveTo(now - 6, 0);
  c.lineTo(now + 6, 0);
  c.lineTo(now, 8);
  c.fill();
}
/** From here on a second run differs: a broken line with a fork at its foot. */
function parting(c: CanvasRenderingContext2D, at: number, h: number): void {
  c.strokeStyle = colour("text");
  c.lineWidth = 1.5;
  c.beginPath();
  for (let y = 18; y < h - 24; y += 6) {
    c.moveTo(at, y);
    c.lineTo(at, y + 3);
  }
  c.moveTo(at, h - 24);
  c.lineTo(at, h - 21);
  c.lineTo(at + 6, h - 15);
  c.moveTo(at, h - 21);
  c.lineTo(at + 6, h - 25);
  c.stroke();
}
function ruler(c: CanvasRenderingContext2D, a: number, b: number, w: number, x: (t: number) => number): void {
  const least = (b - a) / Math.max(1, w / 90);
  const step = STEPS.find((x) => x >= least) ?? roundDown(least * 2.01);
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  c.textAlign = "center";
  for (let t = Math.ceil(a / step - 1e-9) * step; t <= b + 1e-9; t += step) {
    const at = Math.round(x(t));
    c.fillStyle = colour("line");
    c.fillRect(at, 16, 1, 200);
    c.fillStyle = colour("text-3");
    const label = clockText(t, step < 1 ? (step < 0.1 ? 2 : 1) : 0);
    const half = c.measureText(label).width / 2;
    c.fillText(label, Math.min(w - half - 2, Math.max(half + 2, at)), 9);
  }
}
function marks(c: CanvasRenderingContext2D, x: (t: number) => number): void {
  const y = 28;
  for (const { at, level, more: crowd } of clustersOf(s.events.value, x, 11)) {
    c.fillStyle = colour(level === "bad" ? "bad" : level === "warn" ? "warn" : "accent");
    c.beginPath();
    if (level === "bad") c.rect(at - 4.5, y - 4.5, 9, 9);
    else if (level === "warn") {
      c.moveTo(at, y - 6);
      c.lineTo(at + 6, y + 4.5);
      c.lineTo(at - 6, y + 4.5);
    } else c.arc(at, y, 4.5, 0, 2 * Math.PI);
    c.fill();
    more(c, at, y, crowd);
  }
}
/** Where a task was done or failed, or the mission complete: a pole with a flag, a cross, or a full flag, never hidden by other events. */
function flags(c: CanvasRenderingContext2D, h: number, x: (t: number) => number): void {
  const y = 23;
  for (const task of flagsOf(s.events.value, s.swarm.value?.tasks ?? [], s.world.value?.tick ?? 0.01)) {
    const at = Math.round(x(task.time));
    if (at < 0) continue;
    c.fillStyle = c.strokeStyle = colour(task.state === "failed" ? "bad" : task.state === "open" ? "warn" : "ok");
    c.fillRect(at, y - 5, 1.5, h - 16 - y);
    c.lineWidth = 2;
    c.beginPath();
    if (task.state === "failed") {
      c.moveTo(at + 4, y - 4);
      c.lineTo(at + 12, y + 4);
      c.moveTo(at + 12, y - 4);
      c.lineTo(at + 4, y + 4);
      c.stroke();
      continue;
    }
    c.moveTo(at, y - 5);
    c.lineTo(at + 11, y - (task.state === "complete" ? 5 : 0));
    if (task.state === "complete") {
      c.lineTo(at + 8, y);
      c.lineTo(at + 11, y + 5);
    }
    c.lineTo(at, y + 5);
    c.closePath();
    if (task.state === "open") c.stroke();
    else c.fill();
  }
}
function bookmarks(c: CanvasRenderingContext2D, x: (t: number) => number): void {
  for (const b of s.bookmarks.value) {
    const at = x(b.time);
    c.fillStyle = colour("select");
    c.beginPath();
    c.moveTo(at, 38);
    c.lineTo(at + 5, 44);
    c.lineTo(at, 50);
    c.lineTo(at - 5, 44);
    c.fill();
  }
}
/** How many events lie under the one that is drawn. */
function more(c: CanvasRenderingContext2D, at: number, y: number, crowd: number): void {
  if (!crowd) return;
  c.fillStyle = colour("text-2");
  c.textAlign = "center";
  c.fillText(`+${crowd}`, at, y + 12);
}
/** A range of which nothing is known, or which could not be read, at its true width. */
function hatch(c: CanvasRenderingContext2D, from: number, to: number, h: number, w: number, name: string): void {
  const [a, b] = [Math.max(12, from), Math.min(w - 12, Math.max(to, from + 2))];
  if (b <= a) return;
  c.save();
  c.beginPath();
  c.rect(a, 18, b - a, h - 18);
  c.clip();
  c.globalAlpha = 0.14;
  c.fillStyle = c.strokeStyle = colour(name);
  c.fillRect(a, 18, b - a, h - 18);
  c.globalAlpha = 0.8;
  c.lineWidth = 1.5;
  c.beginPath();
  for (let at = Math.floor((a - h) / 8) * 8; at < b; at += 8) {
    c.moveTo(at, h);
    c.lineTo(at + h - 18, 18);
  }
  c.stroke();
  c.restore();
}
function overview(c: CanvasRenderingContext2D, h: number, w: number, x: (t: number) => number): void {
  const y = h - 14;
  const e = s.hot.extent;
  c.fillStyle = colour("line");
  c.fillRect(12, y, w - 24, 4);
  // What the page has kept, with its gaps left blank at true width.
  c.fillStyle = colour("accent");
  let from = e.first;
  for (const [a, b] of [...e.gaps, [e.last, e.last] as [number, number]]) {
    c.fillRect(x(from), y, Math.max(1, x(a) - x(from)), 4);
    from = b;
  }
  c.fillStyle = colour("bad");
  for (const [a, b] of e.damage) c.fillRect(x(a), y, x(b) - x(a), 4);
}
