// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What lies over the scene: layer and camera switches, gizmo, scale, captions, the card for newcomers, goto and control.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { confirmGoto, layerOn, perform, set } from "../app/commands.ts";
import { LIMIT, touchSticks } from "../app/control.ts";
import { getViewport } from "../app/framing.ts";
import { say, t } from "../app/i18n/en.ts";
import { pickFile } from "../app/sources.ts";
import * as s from "../app/state.ts";
import { clockText, compass, number, roundDown } from "../app/units.ts";
import { worldNow } from "../app/weather.ts";
import { metresPerPixel } from "../scene/camera.ts";
import { gridSeen } from "../scene/renderables/grid.ts";
import { renderables } from "../scene/renderables/all.ts";
import type { Legend } from "../scene/ramp.ts";
import { floorAt } from "../scene/relief.ts";
import { css } from "../scene/theme.ts";
import { legend } from "../scene/renderables/wind.ts";
import { pitch, yaw } from "../source/history.ts";
import { CommandButton } from "./controls.tsx";
import { Icon } from "./icons.tsx";

const CAMERAS = [["orbit", "camera.orbit", "orbit"], ["follow", "camera.follow", "follow"], ["cockpit", "camera.cockpit", "cockpit"], ["top", "camera.top", "top"]] as const;

export function SceneTools() {
  const open = useSignal(false); // on a phone the switches come when asked for
  return (
    <>
      <div class="tools left" role="toolbar" aria-label={t.panel.layers}>
        {s.phone.value && <button type="button" class="button icon-only" aria-label={t.panel.layers} aria-expanded={open.value} onClick={() => (open.value = !open.value)}><Icon name="layers" /></button>}
        {(!s.phone.value || open.value) && renderables.filter((r) => !r.fixed).map((r) => <CommandButton id={`layer.${r.id}`} icon={r.icon ?? "circle"} label={say(r.title)} pressed={layerOn(r.id)} />)}
      </div>
      <div class="tools right">
        <div class="cameras" role="toolbar" aria-label="Camera">
          {CAMERAS.map(([mode, id, icon]) => <CommandButton id={id} icon={mode === "follow" && s.cameraMode.value === "chase" ? "chase" : icon} pressed={s.cameraMode.value === mode || (mode === "follow" && s.cameraMode.value === "chase")} />)}
          <CommandButton id="camera.fit" icon="fit" />
        </div>
        <Gizmo />
      </div>
    </>
  );
}

/** The mean wind through the middle of the gizmo, 11 px each way, and shorter where it blows along the view; null in calm air. */
function windOn(e: [string, number, number], n: [string, number, number]): [number, number] | null {
  const w = worldNow()?.wind;
  const speed = w ? Math.hypot(w[0], w[1]) : 0;
  return w && speed > 0.05 ? [(11 * (w[0] * e[1] + w[1] * n[1])) / speed, (11 * (w[0] * e[2] + w[1] * n[2])) / speed] : null;
}

/** East, north and up as the camera sees them; a click on a letter is not needed, the keys turn. */
function Gizmo() {
  void s.pulse.value;
  const c = s.hot.camera;
  const topView = c.mode === "top" || s.quality.value === "flat";
  const [az, el] = topView ? [0, Math.PI / 2] : [c.azimuth, c.elevation];
  const axes: [string, number, number][] = [
    ["E", Math.cos(az), -Math.sin(az) * Math.sin(el)],
    ["N", -Math.sin(az), -Math.cos(az) * Math.sin(el)],
    ["U", 0, -Math.cos(el)],
  ];
  const wind = windOn(axes[0], axes[1]);
  return (
    <svg class="gizmo" width="72" height="72" viewBox="-36 -36 72 72" role="img" aria-label="Directions east, north and up">
      <circle r="35" />
      {axes.map(([name, x, y]) => Math.hypot(x, y) > 0.12 && (
        <g class={`axis ${name}`}>
          <line x2={x * 20} y2={y * 20} />
          <text x={x * 27} y={y * 27} dy="0.35em" text-anchor="middle">{name}</text>
        </g>
      ))}
      {wind && <path class="wind" d={`M${-wind[0]} ${-wind[1]}L${wind[0]} ${wind[1]}M${wind[0] + wind[1] * 0.3 - wind[0] * 0.4} ${wind[1] - wind[0] * 0.3 - wind[1] * 0.4}L${wind[0]} ${wind[1]}L${wind[0] - wind[1] * 0.3 - wind[0] * 0.4} ${wind[1] + wind[0] * 0.3 - wind[1] * 0.4}`}><title>{legend(worldNow()!.wind, worldNow()!.gustSigma)}</title></path>}
    </svg>
  );
}

export function SceneFoot() {
  void s.pulse.value;
  const v = getViewport();
  const m = metresPerPixel(s.hot.camera, v);
  const bar = roundDown(m * 120);
  const text = (x: number): string => (x >= 1000 ? `${number(x / 1000, 0)}\u2009km` : x >= 1 ? `${number(x, 0)}\u2009m` : `${number(x * 100, 0)}\u2009cm`);
  const cockpit = s.cameraMode.value === "cockpit";
  const ground = (s.world.value?.ground ?? 0) - s.hot.frame.origin[2];
  const grid = gridSeen(s.hot.camera, ground, v);
  return (
    <div class="foot">
      {!cockpit && (
        <div class="scale plate" title="At the distance of the camera's target">
          <span class="bar" style={{ inlineSize: `${bar / m}px` }} />
          <span class="num">{text(bar)}</span>
          {layerOn("grid") && <span class="dim">{grid.fine ? `grid ${text(grid.major / 10)}, bold ${text(grid.major)}` : `grid ${text(grid.major)}`}</span>}
          <span class="dim">{s.settings.value.frame}</span>
        </div>
      )}
      {s.hot.picture?.legends().map((l) => <Scale legend={l} />)}
      <span class="grow" />
      {s.quality.value !== "full" && <span class="plate dim" title={s.quality.value === "lite" ? "Software graphics: fewer details. Add ?quality=full to try the full look." : "No WebGL: the flat view from above"}>{s.quality.value}</span>}
    </div>
  );
}

/** Colours from low to high with the figures at both ends. */
function Scale({ legend: l }: { legend: Legend }) {
  const digits = l.high - l.low < 4 ? 1 : 0;
  return (
    <div class="scale plate legend">
      <span>{say(l.title)}</span>
      <span class="num">{number(l.low, digits)}</span>
      <i style={{ background: `linear-gradient(to right, ${l.colours.map((c) => css(c)).join(", ")})` }} />
      <span class="num">{number(l.high, digits)}{"\u2009"}{l.unit}</span>
    </div>
  );
}

const KINDS: Record<string | number, string> = { 4: "quadrotors", 6: "hexarotors", 8: "octorotors", aeroplane: "aeroplanes", flying_wing: "flying wings", quadplane: "quadplanes", car: "cars" };
export function Caption() {
  void s.pulse.value;
  const w = s.world.value;
  if (!w) return null;
  const names = new Set(w.flocks.map((f) => KINDS[f.look?.kind ?? f.rotors.length]));
  const kind = names.size === 1 ? [...names][0] : undefined;
  return <span id="caption" class="sr">{`${number(s.hot.frame.n, 0)} ${kind ?? "vehicles"}, ${w.scenario}, seed ${w.seed}, ${clockText(s.hot.clock.time)}`}</span>;
}

export function Connecting() {
  const c = s.connection.value;
  void s.pulse.value;
  if (s.opening.value) return <div class="middle plate">Opening {s.opening.value}{"\u2026"}</div>;
  if (s.replaying.value && s.hot.source?.can.grow === false && (c.up || s.shown.value.kind === "file")) return <Unrecorded />;
  if (c.up) return s.hot.frame.n === 0 && s.hot.coverage !== "missing" && s.world.value ? <div class="middle plate">This world has no vehicles. <button type="button" class="link" onClick={() => perform("vehicle.spawn")}>Spawn</button></div> : null;
  const wait = Math.max(0, Math.ceil((c.retryAt - performance.now()) / 1000));
  if (!c.ever && !c.retryAt) return <div class="middle plate">Connecting{"\u2026"}</div>;
  return (
    <div class="banner bad" role="alert">
      Volary is not reachable at {location.host}{c.why ? ` (${c.why})` : ""}. {wait ? `Retrying in ${wait}\u2009s.` : `Retrying\u2026`}
      <button type="button" class="button" onClick={() => s.hot.live?.retry?.()}>Retry</button>
      <button type="button" class="button" onClick={pickFile}>Open a recording</button>
    </div>
  );
}

/** Nothing is drawn where nothing is known: vehicles are hidden, not guessed. */
function Unrecorded() {
  const { clock, extent, frame, coverage } = s.hot;
  if (frame.n > 0 || coverage === "loading") return null;
  const torn = extent.damage.find(([a, b]) => clock.time >= a && clock.time <= b);
  return <div class="middle plate">{torn ? `${clockText(torn[0])} to ${clockText(torn[1])} could not be read. The rest is intact.` : "No vehicle was recorded at this moment."}</div>;
}

export function FlatBanner() {
  if (s.quality.value !== "flat" || forcedFlat) return null;
  return <div class="banner">3D needs WebGL; showing the flat view. <a href="https://get.webgl.org/troubleshooting/" rel="noreferrer">How to enable it</a></div>;
}
const forcedFlat = new URLSearchParams(location.search).get("quality") === "flat";

export function TryThis() {
  const t = s.tried.value;
  void s.pulse.value;
  if (s.settings.value.seenCard || !s.world.value || s.hot.frame.n === 0) return null;
  const items: [boolean, string][] = [[t.click, s.phone.value ? "Tap a vehicle" : "Click a vehicle"], [t.follow, s.phone.value ? "Double-tap to follow it" : "Press F to follow it"], [t.timeline, "Drag the timeline back"]];
  const all = items.every((i) => i[0]);
  return (
    <aside class="card" aria-label="Try this">
      <div class="panel-title"><h2>Try this</h2><span class="grow" /><button type="button" class="button icon-only" aria-label="Dismiss" onClick={() => set({ seenCard: true })}><Icon name="close" /></button></div>
      <ul>{items.map(([done, text]) => <li class={done ? "done" : ""}><Icon name={done ? "check" : "circle"} /> {text}</li>)}</ul>
      {all && <p>Press <kbd>?</kbd> for all keys, <kbd>Ctrl K</kbd> for everything.</p>}
    </aside>
  );
}

export function GotoPanel() {
  const g = s.goto.value;
  if (!g) return null;
  void s.pulse.value;
  const k = s.slotOf(g.ids[0]);
  const f = s.hot.frame;
  const d = k < 0 ? NaN : Math.hypot(g.position[0] - f.position[3 * k] - f.origin[0], g.position[1] - f.position[3 * k + 1] - f.origin[1], g.position[2] - f.position[3 * k + 2] - f.origin[2]);
  const put = (i: number, value: number): void => {
    if (!Number.isFinite(value)) return;
    const p: [number, number, number] = [...g.position];
    p[i] = value;
    s.goto.value = { ...g, position: p, stage: "height" };
  };
  const top = Math.max(60, Math.ceil(g.position[2] / 20) * 20 + 20);
  return (
    <div class="goto plate" role="dialog" aria-label="Go to">
      <b>Go to</b> <span class="dim">{g.stage === "place" ? "Click the ground, or type." : "Wheel or slider sets the altitude."} Offsets within the selection are kept.</span>
      <div class="goto-row">
        {["E", "N", "U"].map((name, i) => (
          <label>{name} <input type="number" class="num" step={i === 2 ? 0.5 : 1} value={g.position[i]} onChange={(e) => put(i, e.currentTarget.valueAsNumber)} /></label>
        ))}
        <span class="dim">m ENU</span>
      </div>
      <input type="range" min="0" max={top} step="5" aria-label="Altitude" value={g.position[2]} onInput={(e) => put(2, Math.max(0.5, e.currentTarget.valueAsNumber))} />
      <div class="goto-row">
        <span class="dim num">{Number.isFinite(d) ? `${number(d, 1)}\u2009m away` : ""}</span>
        <span class="grow" />
        <button type="button" class="button" onClick={() => (s.goto.value = null)}>Cancel</button>
        <button type="button" class="button primary" onClick={confirmGoto}>Go ({g.ids.length})</button>
      </div>
    </div>
  );
}

export function GotoMark({ project }: { project: (p: [number, number, number]) => [number, number] | null }) {
  const g = s.goto.value;
  if (!g) return null;
  void s.pulse.value;
  const head = project(g.position);
  const foot = project([g.position[0], g.position[1], s.world.value?.ground ?? 0]);
  if (!head || !foot) return null;
  const k = s.slotOf(g.ids[0]);
  const f = s.hot.frame;
  const from = k < 0 ? null : project([0, 1, 2].map((i) => f.position[3 * k + i] + f.origin[i]) as [number, number, number]);
  return (
    <svg class="goto-mark" aria-hidden="true">
      {from && <line class="path" x1={from[0]} y1={from[1]} x2={head[0]} y2={head[1]} />}
      <line x1={head[0]} y1={head[1]} x2={foot[0]} y2={foot[1]} />
      <circle cx={head[0]} cy={head[1]} r="7" />
      <ellipse cx={foot[0]} cy={foot[1]} rx="6" ry="3" />
    </svg>
  );
}

export function ControlBanner() {
  const l = s.lease.value;
  if (!l) return null;
  void s.pulse.value;
  const k = s.slotOf(l.id);
  const f = s.hot.frame;
  return (
    <>
      <div class="control-frame" aria-hidden="true" />
      <div class="banner select" role="status">
        <b>{s.nameOf(l.id)}</b> is in your hands, at most {LIMIT}{"\u2009"}m/s. <span class="num">{k < 0 ? "" : `${number(f.position[3 * k + 2] + f.origin[2], 1)}\u2009m`}</span>
        <button type="button" class="button" onClick={() => perform("vehicle.release")}>Release (Esc)</button>
      </div>
      {s.phone.value && <><Stick side="left" /><Stick side="right" /></>}
    </>
  );
}
function Stick({ side }: { side: "left" | "right" }) {
  const knob = useRef<HTMLElement>(null);
  const move = (e: PointerEvent): void => {
    const r = (e.currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [(e.clientX - r.left - r.width / 2) / (r.width / 2), (e.clientY - r.top - r.height / 2) / (r.height / 2)].map((v) => Math.max(-1, Math.min(1, v)));
    touchSticks.on = true;
    if (side === "left") [touchSticks.turn, touchSticks.climb] = [-x, -y];
    else [touchSticks.left, touchSticks.forward] = [-x, -y];
    knob.current!.style.transform = `translate(${x * 30}px, ${y * 30}px)`;
  };
  const end = (): void => {
    if (side === "left") touchSticks.turn = touchSticks.climb = 0;
    else touchSticks.left = touchSticks.forward = 0;
    touchSticks.on = Boolean(touchSticks.turn || touchSticks.climb || touchSticks.left || touchSticks.forward);
    knob.current!.style.transform = "";
  };
  return <div class={`stick ${side}`} aria-label={side === "left" ? "Climb and turn" : "Move"} onPointerDown={(e) => { e.stopPropagation(); e.currentTarget.setPointerCapture(e.pointerId); move(e); }} onPointerMove={(e) => e.buttons && move(e)} onPointerUp={end} onPointerCancel={end}><i ref={knob} /></div>;
}

export function Cockpit() {
  if (s.cameraMode.value !== "cockpit") return null;
  void s.pulse.value;
  const k = s.slotOf(s.followed.value);
  if (k < 0) return null;
  const f = s.hot.frame;
  const v = getViewport();
  const [e, n, up] = [0, 1, 2].map((i) => f.position[3 * k + i] + f.origin[i]);
  const fov = (42 * 1.6 * Math.PI) / 180;
  const drop = (Math.tan(pitch(f.attitude, 4 * k) * 0.3) / Math.tan(fov / 2)) * (v.height / 2);
  return (
    <div class="cockpit" aria-label="Cockpit readings">
      <i class="horizon" style={{ insetBlockStart: `${v.height / 2 - drop}px` }} />
      <div class="plate num left"><span>Speed</span><b>{number(Math.hypot(f.velocity[3 * k], f.velocity[3 * k + 1], f.velocity[3 * k + 2]), 1)}</b>m/s</div>
      <div class="plate num right"><span>Altitude</span><b>{number(up - (s.world.value ? floorAt(s.world.value, e, n) : 0), 1)}</b>m AGL</div>
      <div class="plate num heading">{s.nameOf(s.followed.value!)} {"\u00b7"} {number(compass(yaw(f.attitude, 4 * k)), 0).padStart(3, "0")}{"\u00b0"}</div>
    </div>
  );
}

export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {s.lost.value && <div class="notice warn">{s.lost.value}</div>}
      {s.notices.value.map((n) => (
        <div key={n.key} class={`notice ${n.level}`} role={n.level === "bad" ? "alert" : "status"}>
          <span>{n.text}</span>
          {n.actions.map((a) => <button type="button" class="link" onClick={() => { a.run(); s.dismiss(n.key); }}>{a.title}</button>)}
          <button type="button" class="button icon-only" aria-label="Dismiss" onClick={() => s.dismiss(n.key)}><Icon name="close" size={12} /></button>
        </div>
      ))}
    </div>
  );
}
