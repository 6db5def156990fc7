// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which source is shown, and what its changes do to the state. The live one stays connected beside a recording: when its run ends the
// recording takes its place, when another run begins the page comes back to it.
import type { Geometry, ReplaySource } from "../source/replay.ts";
import { LIMITS, type EstimatesMessage } from "../wire/wire.ts";
import { readShape, type SnapshotSource, type SourceChange, type Status, type Swarm } from "../source/source.ts";
import { layerOn, select, setClock } from "./commands.ts";
import { effect } from "@preact/signals";
import * as s from "./state.ts";
import { quantity } from "./units.ts";

const replay = (): Promise<typeof import("../source/replay.ts")> => import("../source/replay.ts");
/** Loads the reader of recordings while nothing else is to do, so that a file opens even when the server is gone by then. */
export const warmUp = (): void => void replay().catch(() => {});

export function setLive(source: SnapshotSource): void {
  s.hot.live = source;
  if (s.shown.value.kind === "live") s.hot.source = source;
  source.on((c) => liveChange(source, c));
  // Links, fields and stimuli cost the server something: they are asked for while somebody looks at them.
  effect(() => {
    const there = s.shown.value.kind === "live";
    source.watch?.({
      links: there && (layerOn("links") || layerOn("detections")),
      decision: there ? s.selection.value.primary : null,
      fields: there && s.unfolded.value.size > 0,
      stimuli: there && layerOn("stimuli"),
      plots: there ? chosen(s.selection.value, s.MOST_PLOTTED) : [],
      bodies: there && !source.world?.nodes ? s.nearby.value : [],
      estimates: there && !source.world?.nodes ? chosen(s.selection.value, layerOn("estimates") ? LIMITS.estimatedVehicles : 1) : [],
      view: s.liveView.value,
    });
  });
}
/** So many of the selected vehicles, the first one first. */
const chosen = ({ ids, primary }: s.Selection, most: number): string[] => [...new Set([...(primary === null ? [] : [primary]), ...ids])].slice(0, most);
const MOST_TOLD = 4000; // estimates that are kept: ten seconds of a few vehicles
function hearEstimates(m: EstimatesMessage | null): void {
  if (!m || (s.told.length && m.tick < s.told.at(-1)!.tick)) s.told.length = 0;
  s.estimates.value = m;
  if (m) s.told.push(m);
  while (s.told.length > 2 && s.told.length * m!.vehicles.length > MOST_TOLD) s.told.shift();
  if (s.told.length > 100) s.told.shift();
}
let liveSwarm: Swarm | null = null; // what the live world told last, also while something else is shown

// ---------------------------------------------------------------- the live source
function liveChange(source: SnapshotSource, c: SourceChange): void {
  const seen = s.hot.source === source;
  switch (c.kind) {
    case "world":
      s.scope.value = source.world?.scope ?? "all";
      if (seen) s.world.value = source.world;
      liveSwarm = null;
      hearEstimates(null);
      if (seen) s.swarm.value = null;
      break;
    case "swarm":
      liveSwarm = c.swarm;
      if (seen) s.swarm.value = c.swarm;
      break;
    case "estimates":
      hearEstimates(c.estimates);
      break;
    case "reset":
      hearEstimates(null);
      s.liveStatus.value = { ...s.liveStatus.value, state: "running" };
      if (s.shown.value.kind === "ended" || seen) backToLive();
      break;
    case "status":
      liveStatus(c.status, seen);
      break;
    case "lease":
      leaseChange(c.id, c.holder);
      break;
    case "notice":
      s.notify(c.level, c.text);
      break;
    case "connection":
      if (c.up && s.connection.value.ever && !s.connection.value.up) s.notify("info", "Connected again.", [], 3);
      if (!c.up) s.lease.value = null;
      s.connection.value = { up: c.up, ever: s.connection.value.ever || c.up, retryAt: performance.now() + c.retryIn * 1000, why: c.why };
      break;
    default:
      if (seen) shownChange(source, c);
  }
  s.redraw();
}

function liveStatus(next: Status, seen: boolean): void {
  const before = s.liveStatus.value;
  const status = { ...next, profile: next.profile.length ? next.profile : before.profile };
  s.liveStatus.value = status;
  if (seen) s.status.value = status;
  if (next.state === "finished") {
    if (before.state !== "finished" && s.shown.value.kind === "live") runEnded();
    return;
  }
  if (s.shown.value.kind === "ended" || (seen && s.replaying.value)) backToLive();
  else if (!seen && before.state === "finished") s.notify("info", "Another run has begun on the server.", [{ title: "Watch it", run: backToLive }], 20);
}

function leaseChange(id: string, holder: "you" | "other" | "none"): void {
  if (holder === "you") s.lease.value = { id, since: performance.now() };
  else if (s.lease.value?.id === id) {
    s.lease.value = null;
    s.notify("info", `${s.nameOf(id)} released: it holds its position.`);
  }
  const others = new Set(s.othersLeases.value);
  if (holder === "other") others.add(id);
  else others.delete(id);
  s.othersLeases.value = others;
}

// ---------------------------------------------------------------- whatever is shown
function shownChange(source: SnapshotSource, c: SourceChange): void {
  if (s.hot.source !== source) return;
  if (c.kind === "frames") s.hot.extent = source.extent();
  else if (c.kind === "event") s.events.value = [...s.events.value, c.event];
  else if (c.kind === "goals") s.goals.value = c.goals;
  else if (c.kind === "notice") s.notify(c.level, c.text);
  s.redraw();
}

let recording: ReplaySource | null = null; // what is open, and closed when something else is shown
let asked = 0; // only the newest wish is granted

function leaveRecording(): void {
  s.versus.value = null;
  recording?.close();
  recording = null;
}

export function backToLive(): void {
  const live = s.hot.live;
  asked++;
  s.opening.value = "";
  if (!live) return;
  leaveRecording();
  s.shown.value = { kind: "live", name: "" };
  s.hot.source = live;
  s.hot.extent = live.extent();
  s.world.value = live.world;
  s.status.value = s.liveStatus.value;
  s.events.value = live.events(-Infinity, Infinity);
  s.goals.value = [];
  s.swarm.value = liveSwarm;
  s.replaying.value = false;
  setClock({ mode: "live", time: s.hot.extent.last, speed: 1, loop: false });
  // Nothing moves there any more: its recording is what can be seen of it.
  if (s.liveStatus.value.state === "finished") runEnded();
}

/** Puts a recording in the place of what was shown. Selection and camera stay. */
function showRecording(source: ReplaySource, shown: s.Shown, clock: { time: number; mode: "playing" | "paused"; loop: boolean; speed: number }): void {
  leaveRecording();
  recording = source;
  s.shown.value = shown;
  s.hot.source = source;
  s.hot.extent = source.extent();
  s.world.value = source.world;
  s.status.value = statusOf(source);
  s.events.value = source.events(-Infinity, Infinity);
  s.goals.value = [];
  s.swarm.value = null;
  s.goto.value = null;
  s.replaying.value = true;
  source.on((c) => shownChange(source, c));
  const { first, last } = s.hot.extent;
  setClock({ ...clock, time: Math.min(last, Math.max(first, clock.time)) });
}

function statusOf(source: ReplaySource): Status {
  const { log } = source;
  const metrics: Record<string, number> = {};
  for (const m of log.metrics) metrics[m.name] = m.value; // the last one told counts
  return { tick: log.lastTick, time: log.seconds(log.lastTick), state: "finished", speed: 1, factor: 0, vehicles: log.roster.length, hash: "", profile: [], metrics };
}

// ---------------------------------------------------------------- the scene on loan
/** Shows a source that stands still, of the editor or the picture tool, instead of what is shown; returns what gives the scene back as it was. */
export function borrowScene(source: SnapshotSource): () => void {
  const before = { shown: s.shown.value, source: s.hot.source, world: s.world.value, status: s.status.value, events: s.events.value, goals: s.goals.value, clock: s.hot.clock, extent: s.hot.extent, replaying: s.replaying.value };
  s.versus.value = null;
  s.followed.value = null;
  if (s.hot.camera.mode !== "top") s.hot.camera = { ...s.hot.camera, mode: "orbit" };
  s.cameraMode.value = s.hot.camera.mode;
  s.shown.value = { kind: "edit", name: "" };
  s.hot.source = source;
  s.hot.extent = source.extent();
  s.hot.clock = { mode: "paused", time: 0, speed: 1, loop: false };
  s.clockMode.value = "paused";
  s.goals.value = [];
  select([]);
  return () => {
    select([]);
    const { shown } = before;
    if (s.shown.value.kind !== "edit") return; // something else is shown already
    if (shown.kind !== "run" && shown.kind !== "file") return backToLive();
    s.shown.value = shown;
    s.hot.source = before.source;
    s.world.value = before.world;
    s.status.value = before.status;
    s.events.value = before.events;
    s.goals.value = before.goals;
    s.hot.extent = before.extent;
    s.hot.clock = before.clock;
    s.clockMode.value = before.clock.mode;
    s.replaying.value = before.replaying;
    s.redraw();
  };
}

// ---------------------------------------------------------------- opening
/** What a recording does not say of its airframes, from the run that is on and from the server's list. */
async function geometry(): Promise<(airframe: string) => Geometry | undefined> {
  const known = new Map<string, Geometry>();
  if (s.hot.live === null) return () => undefined; // a page with a recording inside asks nobody
  try {
    const answer = await fetch("/api/airframes");
    const list = answer.ok ? ((await answer.json()) as { name?: string; title?: string }[]) : [];
    for (const a of Array.isArray(list) ? list : []) for (const name of [a.name, a.title]) if (name) known.set(name, readShape(a));
  } catch {
    // Not reachable: darts instead of bodies.
  }
  for (const f of s.hot.live?.world?.flocks ?? []) known.set(f.airframe, { rotors: f.rotors, size: f.size, radius: f.radius, controller: f.controller, look: f.look, body: f.body });
  return (airframe) => known.get(airframe);
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
/** A recording of the library that is not shown yet: for a second one beside it. */
export async function open(id: string): Promise<ReplaySource | Error> {
  try {
    return await (await replay()).openRun(id, { geometry: await geometry() });
  } catch (e) {
    return e instanceof Error ? e : new Error(String(e));
  }
}

export function stopReplay(): void {
  setClock({ ...s.hot.clock, mode: "paused", loop: false });
}

/** Goes round at once in what this page has seen, and in the recording as soon as it is here. */
function runEnded(): void {
  const run = s.hot.live?.world?.run ?? "";
  s.replaying.value = true;
  if (s.hot.extent.last > s.hot.extent.first) setClock({ mode: "playing", time: s.hot.extent.first, speed: 1, loop: true });
  const end = Math.max(s.hot.extent.last, s.liveStatus.value.time);
  if (end > 0) sayFinished(end);
  if (run) void replayOf(run, end <= 0);
}
const sayFinished = (end: number): void => s.notify("info", `Finished at ${quantity(end, 2, "s")}: replaying.`, [{ title: "Stop", run: stopReplay }, { title: "Library", run: () => (s.page.value = "library") }], 20);

/** `late`: the page came after the end, and learns from the recording when that was. */
async function replayOf(run: string, late: boolean): Promise<void> {
  const mine = ++asked;
  let found = await open(run);
  // The end of the run is told before the last bytes of its file are written.
  for (let tries = 0; tries < 20 && mine === asked && (found instanceof Error || !found.log.closed); tries++) {
    await pause(250);
    const again = await open(run);
    if (!(again instanceof Error) || found instanceof Error) found = again;
  }
  if (mine !== asked) return;
  if (found instanceof Error || !found.log.hasView()) {
    const why = found instanceof Error ? found.message : "It holds no trajectories.";
    return s.notify("warn", `The recording cannot be shown, so this goes round in what the page has seen. ${why}`, [], 20);
  }
  const c = s.hot.clock;
  // A look that was paused or sent backwards meanwhile stays so.
  showRecording(found, { kind: "ended", name: run }, c.mode === "live" ? { time: found.extent().first, mode: "playing", loop: true, speed: 1 } : { time: c.time, mode: c.mode, loop: c.loop, speed: c.speed });
  if (late) sayFinished(s.hot.extent.last);
}

/** Opens a run of the library at its first moment, or at the one asked for. */
export async function openLibraryRun(id: string, at?: number): Promise<boolean> {
  return openInto(() => open(id), { kind: "run", name: id }, at);
}
export async function openRecordingFile(file: File, at?: number): Promise<boolean> {
  return openInto(() => openFile(file), { kind: "file", name: file.name, file }, at);
}
export const openFile = async (file: File): Promise<ReplaySource | Error> => (await replay()).openFile(file, { geometry: await geometry() });
/** Two runs of the library, the second beside the first. */
export async function openPair(a: string, b: string, from: s.Versus["from"] = "view"): Promise<void> {
  if (await openLibraryRun(a)) s.versus.value = { kind: "run", name: b, mode: "side", offset: 0, from };
}
async function openInto(opener: () => Promise<ReplaySource | Error>, shown: s.Shown, at?: number): Promise<boolean> {
  const mine = ++asked;
  s.opening.value = shown.name;
  const found = await opener().catch((e: unknown) => (e instanceof Error ? e : new Error(String(e))));
  if (mine !== asked) return false;
  s.opening.value = "";
  if (found instanceof Error || !found.log.hasView()) {
    s.notify("bad", `${shown.name} cannot be shown. ${found instanceof Error ? found.message : "It was recorded without trajectories."}`);
    if (!s.hot.source) backToLive();
    return false;
  }
  const early = found.extent().first;
  showRecording(found, shown, { time: at ?? early, mode: "paused", loop: false, speed: 1 });
  s.page.value = "view";
  s.hot.keepFitting = !addressed;
  s.hot.fitAround = true;
  s.said.value = `Opened ${shown.name}`;
  return true;
}
let addressed = false; // the address says where the camera is
export const cameraIsGiven = (yes: boolean): void => {
  addressed = yes;
};

function pick(then: (file: File) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".vrec";
  input.onchange = () => input.files?.[0] && then(input.files[0]);
  input.click();
}
const beside = (file: File): void => {
  s.versus.value = { kind: "file", name: file.name, file, mode: s.versus.value?.mode ?? "side", offset: 0, from: "view" };
};
export const pickFile = (): void => pick((f) => void openRecordingFile(f));
export const pickSecond = (): void => pick(beside);
/** One file is shown, or takes the place of the second run where there is one; two are compared. */
async function dropped(files: File[]): Promise<void> {
  const picture = files.find((f) => f.type.startsWith("image/")) ?? (s.page.value === "picture" ? files.find((f) => !f.name.endsWith(".vrec")) : undefined);
  if (picture && s.hot.live) return openPicture(picture);
  const before = s.shown.value;
  const back = s.page.value === "view" && (before.kind === "run" || before.kind === "file");
  if (files.length === 1 && s.versus.value && s.page.value === "view") return beside(files[0]);
  if (!(await openRecordingFile(files[0]))) return;
  if (files[1]) return beside(files[1]);
  const again = (): void => {
    s.versus.value = { kind: before.kind as "run" | "file", name: before.name, file: before.file, mode: "side", offset: 0, from: "view" };
  };
  if (back) s.notify("info", `Opened ${files[0].name}.`, [{ title: `Compare with ${before.name}`, run: again }], 12);
}
/** A picture becomes the ground of a new world. */
function openPicture(file: File): void {
  s.dropped.value = file;
  s.page.value = "picture";
}
/** Recordings and pictures that are dropped anywhere on the page are opened, and pictures that are pasted. */
export function dropFiles(): void {
  window.addEventListener("paste", (e) => {
    const list = [...(e.clipboardData?.files ?? [])].filter((f) => f.type.startsWith("image/"));
    if (list.length && s.hot.live) openPicture(list[0]);
  });
  const files = (e: DragEvent): boolean => [...(e.dataTransfer?.types ?? [])].includes("Files");
  window.addEventListener("dragover", (e) => files(e) && e.preventDefault());
  window.addEventListener("drop", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    const list = [...(e.dataTransfer?.files ?? [])];
    if (list.length) void dropped(list);
  });
}
