// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every action of the page: buttons, keys, menus, palette, help and tests read this list. `when` answers true or says why not.
import { zoom, type Camera } from "../scene/camera.ts";
import { renderables } from "../scene/renderables/all.ts";
import { lengthFor } from "../scene/renderables/trails.ts";
import { TRAIL_COLOURS } from "../scene/view.ts";
import { nextSpeed } from "../source/clock.ts";
import * as clock from "../source/clock.ts";
import { editorActions } from "../editor/actions.ts";
import { address } from "./address.ts";
import { match } from "./filter.ts";
import { fitted, fittedTo, getViewport } from "./framing.ts";
import { defaults, save } from "./settings.ts";
import { backToLive, pickSecond } from "./sources.ts";
import { say } from "./i18n/en.ts";
import * as s from "./state.ts";
import { clockText, count } from "./units.ts";
import { compass } from "./units.ts";
import { yaw } from "../source/history.ts";
import { MODE, STATE } from "../wire/wire.ts";

export interface Action {
  id: string;
  title: string;
  group: "Time" | "Camera" | "Selection" | "Layers" | "Vehicles" | "Compare" | "Editor" | "Page";
  keys: string[];
  quiet?: boolean; // not in the palette
  when?: () => true | string;
  run: (argument?: unknown) => void;
}

const live = (): true | string => (s.hot.source?.can.command ? (s.viewOnly.value ? "this token may only look" : s.connection.value.up ? true : "not connected") : "only in a live run");
/** Whatever is shown, the world behind the socket can be stopped and begun anew. */
const reachable = (): true | string => (s.hot.live === null ? "only with a server" : s.viewOnly.value ? "this token may only look" : s.connection.value.up ? true : "not connected");
const ALWAYS = new Set(["reset", "emergency_stop"]);
const chosen = (): true | string => (s.selection.value.ids.size ? true : "select a vehicle first");
const both = (): true | string => (live() === true ? chosen() : live());
export const ids = (): string[] => [...s.selection.value.ids];

/** Sends a command and shows a refusal in words. */
export async function send(name: string, args: Record<string, unknown> = {}, done = ""): Promise<boolean> {
  const may = ALWAYS.has(name) ? reachable() : live();
  if (may !== true) {
    s.notify("warn", `Not sent: ${may}.`);
    return false;
  }
  const ack = await (ALWAYS.has(name) ? s.hot.live! : s.hot.source!).send!({ name, args });
  if (!ack.ok) s.notify("bad", `${String(args["mode"] ?? (name === "input" ? args["kind"] : name)).replace("_", " ")} was refused: ${ack.error || "no reason given"}.`);
  else if (done) s.notify("info", done);
  return ack.ok;
}

// ---------------------------------------------------------------- time
export function setClock(c: clock.Clock): void {
  s.hot.clock = c;
  s.clockMode.value = c.mode;
  s.clockSpeed.value = c.speed;
  s.redraw();
}
export function seekTo(time: number): void {
  s.tried.value = { ...s.tried.value, timeline: true };
  setClock(clock.seek(s.hot.clock, time, s.hot.extent));
}
export function toLive(): void {
  if (s.status.value.state === "finished" || !s.hot.source?.can.grow) return seekTo(s.hot.extent.last);
  setClock({ ...s.hot.clock, mode: "live", speed: 1 });
}
/** At the live edge Space stops the world; behind it, only the view. */
export const worldClock = (): boolean => s.clockMode.value === "live" && s.status.value.state !== "finished";
function playPause(): void {
  if (worldClock()) {
    const pausing = s.status.value.state === "running";
    void send(pausing ? "pause" : "resume");
    s.said.value = pausing ? `Paused at ${clockText(s.hot.clock.time)}` : "Running";
    return;
  }
  const c = s.hot.clock;
  const { first, last } = s.hot.extent;
  const atEnd = c.speed > 0 ? c.time >= last - 1e-6 : c.time <= first + 1e-6;
  setClock(c.mode === "paused" ? { ...c, mode: "playing", time: atEnd ? (c.speed > 0 ? first : last) : c.time } : { ...c, mode: "paused" });
  s.said.value = c.mode === "paused" ? "Playing" : `Paused at ${clockText(c.time)}`;
}
function step(ticks: number): void {
  const tick = s.world.value?.tick ?? 0.01;
  if (ticks > 0 && worldClock()) return void send("step", { ticks });
  const at = s.hot.clock.time / tick;
  const whole = Math.abs(at - Math.round(at)) < 1e-6 ? Math.round(at) : ticks > 0 ? Math.floor(at) : Math.ceil(at); // between two ticks: to the next one
  seekTo((whole + ticks) * tick);
  if (s.hot.clock.mode === "playing") setClock({ ...s.hot.clock, mode: "paused" });
}
export function setSpeed(speed: number): void {
  if (worldClock()) void send("speed", { factor: Math.abs(speed) });
  else setClock({ ...s.hot.clock, speed });
}
const speedNow = (): number => (worldClock() ? s.status.value.speed || 16 : s.hot.clock.speed);
function shuttle(direction: 1 | -1): void {
  const c = s.hot.clock;
  const same = c.mode === "playing" && Math.sign(c.speed) === direction;
  setClock({ ...c, mode: "playing", speed: same ? nextSpeed(c.speed, true) : direction });
}
function mark(direction: 1 | -1): void {
  const times = [...s.events.value.map((e) => e.time), ...s.bookmarks.value.map((b) => b.time), ...(s.parted.value === null ? [] : [s.parted.value])].sort((a, b) => a - b);
  const now = s.hot.clock.time;
  const found = direction > 0 ? times.find((t) => t > now + 0.01) : times.findLast((t) => t < now - 0.01);
  if (found !== undefined) seekTo(found);
}

function bookmark(): void {
  const time = s.hot.clock.time;
  if (s.bookmarks.value.some((b) => Math.abs(b.time - time) < 1e-3)) return;
  s.bookmarks.value = [...s.bookmarks.value, { time, name: clockText(time) }].sort((a, b) => a.time - b.time);
  s.said.value = `Bookmark at ${clockText(time)}`;
}
function unmark(): void {
  const away = (b: { time: number }): number => Math.abs(b.time - s.hot.clock.time);
  const near = s.bookmarks.value.reduce<{ time: number } | null>((best, b) => (best && away(best) <= away(b) ? best : b), null);
  if (!near) return s.notify("info", "There is no bookmark to remove.", [], 3);
  s.bookmarks.value = s.bookmarks.value.filter((b) => b !== near);
  s.said.value = `Bookmark at ${clockText(near.time)} removed`;
}
/** The address of exactly what is seen now: also while it plays the moment is in it. */
async function copyLink(): Promise<void> {
  const link = new URL(address(true), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    s.notify("info", "Link copied.");
  } catch {
    history.replaceState(null, "", link);
    s.notify("warn", "This page may not use the clipboard: the link is in the address bar now.");
  }
}

// ---------------------------------------------------------------- two runs, and films
const recorded = (): true | string => (s.hot.source && !s.hot.source.can.grow ? true : "only with a recording");
const compared = (): true | string => (s.versus.value ? true : "no second run is open");
function endComparison(): void {
  const from = s.versus.value?.from ?? "view";
  s.versus.value = null;
  s.page.value = from;
}
const film = (what: "toggle" | "whole"): void => void import("./video.ts").then((v) => v[what](), () => s.notify("bad", "Films cannot be recorded now: the server is not reachable."));

// ---------------------------------------------------------------- selection
export function select(list: Iterable<string>, primary?: string | null): void {
  const set = new Set(list);
  const first = primary ?? (s.selection.value.primary !== null && set.has(s.selection.value.primary) ? s.selection.value.primary : ([...set][0] ?? null));
  s.selection.value = { primary: first, ids: set };
  if (set.size) s.tried.value = { ...s.tried.value, click: true };
  const k = s.slotOf(first);
  s.said.value = set.size === 0 ? "Nothing selected" : set.size > 1 ? `${set.size} vehicles selected` : `${s.nameOf(first!)} selected${k >= 0 ? `, altitude ${(s.hot.frame.position[3 * k + 2] + s.hot.frame.origin[2]).toFixed(0)} metres` : ""}`;
  s.redraw();
}
export function toggle(id: string): void {
  const set = new Set(s.selection.value.ids);
  if (!set.delete(id)) set.add(id);
  select(set, set.has(id) ? id : null);
}
export const filtered = (): string[] => {
  const r = s.roster.value;
  return r.ids.filter((_, k) => match(s.filter.value, r, k, s.hot.frame, s.world.value));
};
function next(direction: 1 | -1): void {
  const list = filtered();
  if (!list.length) return;
  const at = s.selection.value.primary === null ? (direction > 0 ? -1 : 0) : list.indexOf(s.selection.value.primary);
  const id = list[(at + direction + list.length) % list.length];
  select([id], id);
  if (s.cameraMode.value !== "orbit" && s.cameraMode.value !== "top") s.followed.value = id;
}

// ---------------------------------------------------------------- camera
export function moveCamera(to: Camera): void {
  s.cameraMode.value = to.mode;
  if (s.hot.still) {
    s.hot.camera = to;
    s.hot.move = null;
  } else s.hot.move = { from: s.hot.camera, to, start: performance.now() };
  s.redraw();
}
export function setCamera(c: Camera): void {
  s.hot.camera = c;
  s.hot.move = null;
  s.hot.keepFitting = false;
  if (s.cameraMode.value !== c.mode) s.cameraMode.value = c.mode;
  s.redraw();
}
function fitSwarm(): void {
  const again = s.hot.keepFitting === false && performance.now() - lastFit < 1200;
  lastFit = performance.now();
  s.hot.fitAround = false; // the swarm alone was asked for
  const base: Camera = s.hot.camera.mode === "top" ? s.hot.camera : { ...s.hot.camera, mode: "orbit", elevation: s.hot.camera.mode === "cockpit" ? 0.42 : s.hot.camera.elevation };
  moveCamera(fitted(base));
  s.hot.keepFitting = again;
  s.followed.value = null;
}
let lastFit = 0;
function zoomSelection(): void {
  const f = s.hot.frame;
  const points: number[] = [];
  for (const id of s.selection.value.ids) {
    const k = s.slotOf(id);
    if (k >= 0) points.push(f.position[3 * k], f.position[3 * k + 1], f.position[3 * k + 2]);
  }
  moveCamera(fittedTo({ ...s.hot.camera, mode: s.hot.camera.mode === "top" ? "top" : "orbit" }, points, 6 * sizeOf(s.selection.value.primary)));
  s.hot.keepFitting = false;
}
const sizeOf = (id: string | null): number => {
  const k = s.slotOf(id);
  return k < 0 ? 0.5 : (s.world.value?.flocks[s.hot.frame.roster.flock[k]]?.size ?? 0.5);
};
function follow(): void {
  const id = s.selection.value.primary ?? s.followed.value ?? lastFollowed;
  const k = s.slotOf(id);
  if (id === null || k < 0) return;
  const again = (s.cameraMode.value === "follow" || s.cameraMode.value === "chase") && s.followed.value === id;
  s.followed.value = lastFollowed = id;
  s.lost.value = "";
  s.tried.value = { ...s.tried.value, follow: true };
  const p = s.hot.frame.position;
  const mode = again && s.cameraMode.value === "follow" ? "chase" : "follow";
  const near = Math.min(s.hot.camera.distance, 5.5 * sizeOf(id) + 0.6);
  moveCamera({ ...s.hot.camera, mode, target: [p[3 * k], p[3 * k + 1], p[3 * k + 2]], distance: s.hot.camera.mode === "cockpit" ? 5.5 * sizeOf(id) + 0.6 : near, elevation: Math.min(Math.max(s.hot.camera.elevation, 0.2), 0.6) });
  s.hot.keepFitting = false;
}
let lastFollowed: string | null = null;
function cockpit(): void {
  const id = s.selection.value.primary ?? s.followed.value;
  if (s.slotOf(id) < 0) return;
  s.followed.value = lastFollowed = id;
  s.hot.move = null;
  s.hot.keepFitting = false;
  s.hot.camera = { ...s.hot.camera, mode: "cockpit" };
  s.cameraMode.value = "cockpit";
  s.redraw();
}
function toOrbit(): void {
  const c = s.hot.camera;
  s.followed.value = null;
  moveCamera(c.mode === "cockpit" ? fitted({ ...c, mode: "orbit", elevation: 0.42 }) : { ...c, mode: "orbit" });
}
function top(): void {
  const c = s.hot.camera;
  s.followed.value = null;
  s.hot.move = null;
  setCamera(c.mode === "top" ? { ...c, mode: "orbit" } : fitted({ ...c, mode: "top" }));
}

// ---------------------------------------------------------------- one step back
function back(): void {
  if (s.menu.value) s.menu.value = null;
  else if (s.dialog.value) s.dialog.value = "";
  else if (s.page.value !== "view") s.page.value = "view";
  else if (s.goto.value) s.goto.value = null;
  else if (s.lease.value) void send("release", { id: s.lease.value.id });
  else if (s.bare.value) s.bare.value = false;
  else if (s.cameraMode.value === "cockpit" || s.cameraMode.value === "follow" || s.cameraMode.value === "chase") toOrbit();
  else if (s.selection.value.ids.size) select([]);
}

export function set(part: Partial<typeof s.settings.value>): void {
  s.settings.value = { ...s.settings.value, ...part };
  save(s.settings.value);
  s.redraw();
}
export const layerOn = (id: string): boolean => s.settings.value.layers[id] ?? renderables.find((r) => r.id === id)?.on ?? false;

const trailSeconds = (): number => s.settings.value.trailSeconds ?? lengthFor(s.world.value ?? { flocks: [] });

const round1 = (x: number): number => Math.round(x * 10) / 10;
function startGoto(): void {
  const list = ids();
  const k = s.slotOf(s.selection.value.primary);
  const f = s.hot.frame;
  const position: [number, number, number] = k >= 0 ? [round1(f.position[3 * k] + f.origin[0]), round1(f.position[3 * k + 1] + f.origin[1]), Math.max(1, Math.round(f.position[3 * k + 2] + f.origin[2]))] : [0, 0, 10];
  s.goto.value = { ids: list, position, stage: "place" };
}
export function confirmGoto(): void {
  const g = s.goto.value;
  if (!g) return;
  s.goto.value = null;
  void send("goto", { ids: g.ids, position: g.position, keep_offsets: true }, `${count(g.ids.length, "vehicle", "vehicles")} sent. Commands to a live world cannot be undone.`);
}
export function emergencyStop(): void {
  void send("emergency_stop", {}, "Emergency stop sent to every vehicle.");
}
/** Opens the latch of every selected vehicle that one holds, once for each pair. */
function unlatch(): void {
  const list = latched().filter((id, k, all) => !all.slice(0, k).some((other) => s.hot.joined?.partner(id) === s.nameOf(other)));
  void send("input", { kind: "release", ids: list }, `${count(list.length, "latch", "latches")} opened.`);
}
export const take = (id: string): Promise<boolean> => send("take", { id });

/** Buttons that ask look again with every pulse. */
const stateOf = (id: string): number => (s.pulse.value, s.hot.frame.state[s.slotOf(id)] ?? 0);
const platforms = (): true | string => (both() !== true ? both() : ids().every(s.isPlatform) ? true : "only for platforms");
const posable = (): true | string => {
  const may = platforms();
  if (may !== true || ids().length > 1) return may === true ? "select one platform only" : may;
  const mode = stateOf(ids()[0]) & STATE.modeMask;
  return mode === MODE.disarmed || mode === MODE.emergencyStop ? "it does not fly" : true;
};
const latched = (): string[] => ids().filter((id) => stateOf(id) & STATE.held);
const held = (): true | string => (both() !== true ? both() : latched().length ? true : "no latch holds it");
const flown = (): true | string => (s.flown.value ? both() : "only with an autopilot, in a live run");
const pick = (name: string, title: string, when = both): Action => ({ id: `mode.${name}`, title, group: "Vehicles", keys: [], when, run: () => void send("mode", { ids: ids(), mode: name }) });

export const actions: Action[] = [
  { id: "time.play", title: "Play or pause", group: "Time", keys: ["Space", "K"], run: playPause },
  { id: "time.step", title: "One tick forward", group: "Time", keys: [".", "Shift+Right"], run: () => step(1) },
  { id: "time.stepBack", title: "One tick back", group: "Time", keys: [",", "Shift+Left"], run: () => step(-1) },
  { id: "time.forward", title: "1 s forward", group: "Time", keys: ["Right"], run: () => seekTo(s.hot.clock.time + 1) },
  { id: "time.back", title: "1 s back", group: "Time", keys: ["Left"], run: () => seekTo(s.hot.clock.time - 1) },
  { id: "time.forward10", title: "10 s forward", group: "Time", keys: ["Ctrl+Right"], run: () => seekTo(s.hot.clock.time + 10) },
  { id: "time.back10", title: "10 s back", group: "Time", keys: ["Ctrl+Left"], run: () => seekTo(s.hot.clock.time - 10) },
  { id: "time.reverse", title: "Play backwards (again: faster)", group: "Time", keys: ["J"], run: () => shuttle(-1) },
  { id: "time.play2", title: "Play what was seen (again: faster)", group: "Time", keys: ["L"], run: () => shuttle(1) },
  { id: "time.slower", title: "Slower", group: "Time", keys: ["-"], run: () => setSpeed(nextSpeed(speedNow(), false)) },
  { id: "time.faster", title: "Faster", group: "Time", keys: ["="], run: () => setSpeed(nextSpeed(speedNow(), true)) },
  { id: "time.max", title: "As fast as the machine can", group: "Time", keys: [], when: live, run: () => void send("speed", { factor: 0 }) },
  { id: "time.start", title: "To the start", group: "Time", keys: ["Home"], run: () => seekTo(s.hot.extent.first) },
  { id: "time.live", title: "To the present of a live run, or to the end", group: "Time", keys: ["End"], run: toLive },
  { id: "time.reset", title: "Reset the world to its start", group: "Time", keys: [], when: reachable, run: () => void send("reset") },
  { id: "time.bookmark", title: "Bookmark this moment", group: "Time", keys: ["B"], run: bookmark },
  { id: "time.unmark", title: "Remove the nearest bookmark", group: "Time", keys: ["Shift+B"], run: unmark },
  { id: "time.prevMark", title: "Previous event or bookmark", group: "Time", keys: ["["], run: () => mark(-1) },
  { id: "time.nextMark", title: "Next event or bookmark", group: "Time", keys: ["]"], run: () => mark(1) },

  { id: "camera.orbit", title: "Orbit camera", group: "Camera", keys: ["O"], run: toOrbit },
  { id: "camera.follow", title: "Follow (again: chase)", group: "Camera", keys: ["F"], when: () => (s.selection.value.primary !== null || lastFollowed !== null ? true : "select a vehicle first"), run: follow },
  { id: "camera.cockpit", title: "Cockpit camera", group: "Camera", keys: ["C"], when: chosen, run: cockpit },
  { id: "camera.top", title: "Top view, north up", group: "Camera", keys: ["T"], run: top },
  { id: "camera.fit", title: "Fit the swarm (twice: keep fitting)", group: "Camera", keys: ["V"], run: fitSwarm },
  { id: "camera.zoom", title: "Zoom to the selection", group: "Camera", keys: ["Z"], when: chosen, run: zoomSelection },
  { id: "camera.reset", title: "Reset the camera", group: "Camera", keys: ["R"], run: () => { s.followed.value = null; s.hot.fitAround = true; moveCamera(fitted({ mode: "orbit", target: [0, 0, 0], azimuth: 0.52, elevation: 0.34, distance: 40 })); s.hot.keepFitting = true; } },
  { id: "camera.in", title: "Zoom in", group: "Camera", keys: ["PgUp"], run: () => setCamera(zoom(s.hot.camera, 0.8, 0, 0, getViewport())) },
  { id: "camera.out", title: "Zoom out", group: "Camera", keys: ["PgDn"], run: () => setCamera(zoom(s.hot.camera, 1.25, 0, 0, getViewport())) },

  { id: "select.next", title: "Next vehicle", group: "Selection", keys: ["N"], run: () => next(1) },
  { id: "select.previous", title: "Previous vehicle", group: "Selection", keys: ["P"], run: () => next(-1) },
  { id: "select.all", title: "Select all that match the filter", group: "Selection", keys: ["Ctrl+A"], run: () => select(filtered()) },
  { id: "select.none", title: "One step back", group: "Selection", keys: ["Esc"], run: back },
  { id: "select.inspect", title: "Open the inspector", group: "Selection", keys: ["Enter"], when: chosen, run: () => { set({ inspector: s.settings.value.inspector === 0 ? -1 : s.settings.value.inspector }); s.sheetTab.value = "inspector"; if (s.phone.value) s.sheet.value = "half"; } },
  { id: "select.filter", title: "Filter the fleet", group: "Selection", keys: ["/"], run: () => { if (s.settings.value.fleet === 0) set({ fleet: -1 }); s.sheetTab.value = "fleet"; if (s.phone.value) s.sheet.value = "half"; setTimeout(() => document.querySelector<HTMLInputElement>("#filter")?.focus(), 30); } },

  ...renderables.filter((r) => !r.fixed).map((r): Action => ({ id: `layer.${r.id}`, title: `${r.title} on or off`, group: "Layers", keys: r.key ? [r.key] : [], run: () => set({ layers: { ...s.settings.value.layers, [r.id]: !layerOn(r.id) } }) })),
  { id: "sun.later", title: "The sun one hour later", group: "Layers", keys: [], run: () => set({ hour: ((s.settings.value.hour ?? 12) + 1) % 24 }) },
  { id: "sun.earlier", title: "The sun one hour earlier", group: "Layers", keys: [], run: () => set({ hour: ((s.settings.value.hour ?? 14) + 23) % 24 }) },
  { id: "sun.auto", title: "The sun as the theme has it", group: "Layers", keys: [], run: () => set({ hour: null }) },
  ...TRAIL_COLOURS.map((by): Action => ({ id: `trails.${by}`, title: `Trails coloured by ${by}`, group: "Layers", keys: [], run: () => set({ trailBy: by, layers: { ...s.settings.value.layers, trails: true } }) })),
  { id: "trails.longer", title: "Trails twice as long", group: "Layers", keys: [], run: () => set({ trailSeconds: Math.min(600, 2 * trailSeconds()) }) },
  { id: "trails.shorter", title: "Trails half as long", group: "Layers", keys: [], run: () => set({ trailSeconds: Math.max(2.5, trailSeconds() / 2) }) },
  { id: "trails.auto", title: "Trails as long as fits the vehicles", group: "Layers", keys: [], run: () => set({ trailSeconds: null }) },
  { id: "layer.trueSize", title: "True size or legible size", group: "Layers", keys: [], run: () => set({ trueSize: !s.settings.value.trueSize }) },

  { id: "vehicle.goto", title: "Go to\u2026", group: "Vehicles", keys: ["G"], when: both, run: startGoto },
  { id: "vehicle.take", title: "Take control\u2026", group: "Vehicles", keys: [], when: () => (s.lease.value ? "release the vehicle in your hands first" : s.othersLeases.value.has(s.selection.value.primary ?? "") ? "another client flies it" : both()), run: () => (s.dialog.value = "take") },
  { id: "vehicle.release", title: "Release control", group: "Vehicles", keys: [], when: () => (s.lease.value ? true : "no vehicle is in your hands"), run: () => void send("release", { id: s.lease.value!.id }) },
  { id: "vehicle.pose", title: "Pose of a platform\u2026", group: "Vehicles", keys: ["U"], when: posable, run: () => (s.dialog.value = "pose") },
  { id: "vehicle.reaction", title: "Reaction to pushes\u2026", group: "Vehicles", keys: ["I"], when: platforms, run: () => (s.dialog.value = "reaction") },
  { id: "vehicle.unlatch", title: "Release the latch", group: "Vehicles", keys: [], when: held, run: unlatch },
  pick("hold", "Hold position"),
  pick("mission", "Resume the mission"),
  pick("take_off", "Take off"),
  pick("land", "Land"),
  pick("return", "Return to the start and land", flown),
  pick("arm", "Arm", flown),
  pick("disarm", "Disarm", flown),
  { id: "vehicle.spawn", title: "Spawn a vehicle\u2026", group: "Vehicles", keys: [], when: live, run: () => (s.dialog.value = "spawn") },
  { id: "vehicle.fault", title: "Fault\u2026", group: "Vehicles", keys: [], when: both, run: () => (s.dialog.value = "fault") },
  { id: "vehicle.remove", title: "Remove the selection\u2026", group: "Vehicles", keys: ["Delete"], when: both, run: () => (s.dialog.value = "remove") },
  { id: "vehicle.stop", title: "Emergency stop (hold Backspace)", group: "Vehicles", keys: [], when: reachable, run: emergencyStop },

  { id: "compare.with", title: "Compare with another run\u2026", group: "Compare", keys: ["Shift+V"], when: recorded, run: () => (s.dialog.value = "versus") },
  { id: "compare.file", title: "Compare with a file\u2026", group: "Compare", keys: [], when: recorded, run: pickSecond },
  { id: "compare.mode", title: "Side by side or ghost", group: "Compare", keys: ["Y"], when: compared, run: () => (s.versus.value = { ...s.versus.value!, mode: s.versus.value!.mode === "side" ? "ghost" : "side" }) },
  { id: "compare.parted", title: "To where the two runs part", group: "Compare", keys: ["X"], when: () => (compared() === true ? (s.parted.value === null ? "they do not part, or it is not known" : true) : compared()), run: () => seekTo(s.parted.value!) },
  { id: "compare.end", title: "End the comparison", group: "Compare", keys: [], when: compared, run: endComparison },

  ...editorActions,

  { id: "page.view", title: "To the view", group: "Page", keys: [], run: () => (s.page.value = "view") },
  { id: "page.edit", title: "To the editor of scenarios", group: "Page", keys: [], when: () => (s.hot.live ? true : "only with a server"), run: () => (s.page.value = "edit") },
  { id: "page.picture", title: "A new world from a picture\u2026", group: "Page", keys: [], when: () => (s.hot.live ? true : "only with a server"), run: () => (s.page.value = "picture") },
  { id: "page.library", title: "To the library of runs", group: "Page", keys: [], run: () => (s.page.value = "library") },
  { id: "page.nodes", title: "To the nodes of the federation", group: "Page", keys: [], when: () => (s.hot.live?.world?.nodes ? true : "only in a federation"), run: () => (s.page.value = "nodes") },
  { id: "page.live", title: "Back to live", group: "Page", keys: [], when: () => (s.shown.value.kind === "live" ? "this is live" : s.hot.live?.world ? true : "no server is connected"), run: () => { backToLive(); s.page.value = "view"; } },
  { id: "page.palette", title: "Find anything", group: "Page", keys: ["Ctrl+K"], run: () => (s.dialog.value = s.dialog.value === "palette" ? "" : "palette") },
  { id: "page.help", title: "Keys and help", group: "Page", keys: ["?"], run: () => (s.dialog.value = s.dialog.value === "help" ? "" : "help") },
  { id: "page.hide", title: "Hide or show the panels", group: "Page", keys: ["H"], run: () => (s.bare.value = !s.bare.value) },
  { id: "page.theme", title: "Light or dark", group: "Page", keys: [], run: () => set({ theme: s.theme.value === "dark" ? "light" : "dark" }) },
  { id: "page.system", title: "Theme of the system", group: "Page", keys: [], run: () => set({ theme: "system" }) },
  { id: "page.frame", title: "Positions in ENU or NED", group: "Page", keys: [], run: () => set({ frame: s.settings.value.frame === "ENU" ? "NED" : "ENU" }) },
  { id: "page.link", title: "Copy a link to this view", group: "Page", keys: [], run: () => void copyLink() },
  { id: "page.film", title: "Record a film of the view (again: stop)", group: "Page", keys: ["Shift+M"], run: () => film("toggle") },
  { id: "page.filmAll", title: "Record the whole run as a smooth film", group: "Page", keys: [], when: recorded, run: () => film("whole") },
  { id: "page.card", title: "Show the \u201cTry this\u201d card", group: "Page", keys: [], run: () => { s.tried.value = { click: false, follow: false, timeline: false }; set({ seenCard: false }); } },
  { id: "page.reset", title: "Reset the layout", group: "Page", keys: [], run: () => set({ ...defaults(), seenCard: s.settings.value.seenCard }) },
  { id: "page.region", title: "Next region", group: "Page", keys: ["F6"], run: () => region(1) },
  { id: "page.regionBack", title: "Previous region", group: "Page", keys: ["Shift+F6"], run: () => region(-1) },
];

function region(direction: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((e) => e.offsetParent !== null);
  const at = all.findIndex((e) => e.contains(document.activeElement));
  all[(at + direction + all.length) % all.length]?.focus();
}
for (const a of actions) a.title = say(a.title);
export const byId = new Map(actions.map((a) => [a.id, a]));
/** By key: the editor has its own on top of those of the page. */
const keyed = (list: readonly Action[]): Map<string, Action> => new Map(list.flatMap((a) => a.keys.map((k) => [k, a] as const)));
export const byKey = keyed(actions.filter((a) => a.group !== "Editor"));
export const editKeys = keyed(editorActions);
export function perform(id: string, argument?: unknown): void {
  const a = byId.get(id);
  if (!a) return;
  const may = a.when?.() ?? true;
  if (may !== true) return s.notify("info", `${a.title}: ${may}.`, [], 3);
  a.run(argument);
}
export const headingOf = (k: number): number => compass(yaw(s.hot.frame.attitude, 4 * k));
