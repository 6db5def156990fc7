// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people change, as signals, and beside it the hot data as plain arrays. Panels read both and write neither: commands do.
import { computed, signal } from "@preact/signals";
import { initialCamera, type Camera } from "../scene/camera.ts";
import type { Quality } from "../scene/quality.ts";
import { isNight } from "../scene/theme.ts";
import type { Moment, Picture } from "../scene/renderer.ts";
import type { Air } from "../source/air.ts";
import type { Clock } from "../source/clock.ts";
import { EMPTY_ROSTER, newFrame, taskOf, type Extent, type Frame, type Goal, type Roster, type SimEvent, type SnapshotSource, type Status, type Swarm, type WorldInfo } from "../source/source.ts";
import type { EditorHands } from "../editor/actions.ts";
import type { Joined } from "../joined/joined.ts";
import type { EstimatesMessage, WantMessage } from "../wire/wire.ts";
import { defaults, type Settings } from "./settings.ts";

export interface Selection {
  primary: string | null;
  ids: ReadonlySet<string>;
}
export interface Notice {
  key: number;
  level: "info" | "warn" | "bad";
  text: string;
  actions: { title: string; run: () => void }[];
}
export interface Connection {
  up: boolean;
  ever: boolean;
  retryAt: number; // ms, performance.now
  why: string;
}
export interface Goto {
  ids: string[];
  position: [number, number, number]; // world
  stage: "place" | "height";
}
export interface Menu {
  x: number;
  y: number;
  items: { title: string; keys?: string; why?: string; run: () => void }[];
}
/** What is looked at: the live run, its recording once it has ended, a run of the library, or a file. */
export interface Shown {
  kind: "live" | "ended" | "run" | "file" | "edit";
  name: string; // run id or file name
  file?: File;
}
/** A second run beside the one that is shown, or over it as a ghost. */
export interface Versus {
  kind: "run" | "file";
  name: string; // run id or file name
  file?: File;
  mode: "side" | "ghost";
  offset: number; // s, what its clock shows more than the one of the page
  from: "view" | "library"; // where its end leads
}
export interface Second {
  picture: Picture | null; // its own, when it is beside
  frame: Frame;
  loading(time: number): boolean;
  draw(moment: Moment): void;
}
export type Dialog = "" | "palette" | "help" | "spawn" | "remove" | "take" | "fault" | "pose" | "reaction" | "versus";

export const world = signal<WorldInfo | null>(null);
export const roster = signal<Roster>(EMPTY_ROSTER);
export const status = signal<Status>({ tick: 0, time: 0, state: "running", speed: 1, factor: 0, vehicles: 0, hash: "", profile: [], metrics: {} });
export const liveStatus = signal<Status>(status.value); // of the world behind the socket, whatever is shown
export const shown = signal<Shown>({ kind: "live", name: "" });
export const opening = signal(""); // what is being opened
export const versus = signal<Versus | null>(null);
export const parted = signal<number | null>(null); // s: from here on the second run differs
export const connection = signal<Connection>({ up: false, ever: false, retryAt: 0, why: "" });
export const goals = signal<Goal[]>([]);
export const events = signal<SimEvent[]>([]);
export const eventKind = signal<"all" | "tasks">("all"); // which events are listed
export const unfolded = signal<ReadonlySet<string>>(new Set()); // what is open to be changed in flight
export const swarm = signal<Swarm | null>(null); // as the server last told it
export const estimates = signal<EstimatesMessage | null>(null); // of selected vehicles, as last told
/** The last ones told, the newest last: the picture takes the one of its moment. */
export const told: EstimatesMessage[] = [];
export const nearby = signal<string[]>([]); // vehicles of several bodies that are selected or near enough to be seen as such
export const air = signal<Air | null>(null); // about the view, while its layer is on
export const airHere = signal<Air | null>(null); // about the selected aircraft
/** Of so many selected vehicles lines are drawn. */
export const MOST_PLOTTED = 6;
export const selection = signal<Selection>({ primary: null, ids: new Set() });
export const hovered = signal<string | null>(null);
export const followed = signal<string | null>(null);
export const hoverTime = signal<number | null>(null);
export const filter = signal("");
export const settings = signal<Settings>(defaults());
export const dialog = signal<Dialog>("");
export const menu = signal<Menu | null>(null);
export const goto = signal<Goto | null>(null);
export const lease = signal<{ id: string; since: number } | null>(null);
export const othersLeases = signal<ReadonlySet<string>>(new Set());
export const notices = signal<Notice[]>([]);
export const said = signal(""); // for the live region
export const quality = signal<Quality>("lite");
export const cameraMode = signal<Camera["mode"]>("orbit");
export const clockMode = signal<Clock["mode"]>("live");
export const clockSpeed = signal(1);
export const replaying = signal(false); // a recording, or what is kept of a run that has ended
export const bookmarks = signal<{ time: number; name: string }[]>([]);
export const tab = signal<"state" | "plots" | "events" | "profile">("state");
export const sheet = signal<"peek" | "half" | "full">("peek");
export const sheetTab = signal<"fleet" | "inspector" | "timeline">("fleet");
export const page = signal<"view" | "edit" | "library" | "picture" | "nodes">("view");
/** What of a federation is shown: ticks that nothing changes any more, or what the nodes said last, in other ways. */
export const liveView = signal<NonNullable<WantMessage["view"]>>("committed");
export const dropped = signal<File | null>(null); // a picture on its way to the tool that makes worlds of it
export const scenario = signal(""); // that the editor shows, by its name on the server
export const editor = signal<EditorHands | null>(null); // once it is loaded
export const bare = signal(false); // panels hidden
export const stopHeld = signal(0); // 0..1 of the emergency stop's hold
export const lost = signal(""); // what the camera was following and is no more
export const tried = signal({ click: false, follow: false, timeline: false });
export const systemDark = signal(false);
export const pulse = signal(0); // ten times a second, four without a GPU: look at the hot data again
/** Panels and scene alike: as chosen, or else as the system has it, and dark when it is night in the picture. */
export const theme = computed<"light" | "dark">(() => {
  if (settings.value.theme !== "system") return settings.value.theme;
  void pulse.value; // the hour moves with the clock
  const hour = hourNow();
  return systemDark.value || (hour !== null && isNight(hour, world.value?.place ?? null)) ? "dark" : "light";
});
/** The swarm of the moment that is shown: known at the live edge only. */
export const swarmNow = computed(() => (clockMode.value === "live" && shown.value.kind === "live" ? swarm.value : null));
/** The selected vehicle carries sensors, and its present is shown. */
export const sensed = computed(() => clockMode.value === "live" && shown.value.kind === "live" && (estimates.value?.vehicles.some((v) => v.id === selection.value.primary && v.sensors.length > 0) ?? false));
/** Autopilots fly vehicles of the live run, and its present is shown. */
export const flown = computed(() => clockMode.value === "live" && shown.value.kind === "live" && world.value?.autopilots === true);
/** The hour of the day that the picture has: chosen by hand, or as the scenario counts it; null: as the theme has it. */
export const hourNow = (): number | null => settings.value.hour ?? (world.value?.hour == null ? null : (world.value.hour + hot.clock.time / 3600) % 24);
export const judged = computed(() => events.value.some((e) => taskOf(e.what) !== null)); // there are tasks, and something became of one
export const tasksOnly = computed(() => judged.value && eventKind.value === "tasks");
export const scope = signal<WorldInfo["scope"]>("all"); // what the server lets this page do
export const viewOnly = computed(() => scope.value === "view");
export const width = signal(1440); // of the window
export const phone = computed(() => width.value <= 720);

/** Read every frame, written only by the session; never a signal. */
export const hot: { frame: Frame; clock: Clock; camera: Camera; extent: Extent; source: SnapshotSource | null; live: SnapshotSource | null; still: boolean; keepFitting: boolean; fitAround: boolean; dirty: boolean; coverage: string; move: { from: Camera; to: Camera; start: number } | null; picture: Picture | null; second: Second | null; joined: Joined | null; drawn: (() => void) | null } = {
  frame: newFrame(64),
  clock: { mode: "live", time: 0, speed: 1, loop: false },
  camera: initialCamera(),
  extent: { first: 0, last: 0, gaps: [], damage: [] },
  source: null,
  live: null,
  still: false,
  keepFitting: true,
  fitAround: true, // terrain and obstacles too, not the swarm alone
  dirty: true,
  coverage: "missing",
  move: null,
  picture: null,
  second: null,
  joined: null,
  drawn: null,
};
export const redraw = (): void => {
  hot.dirty = true;
};
export const slotOf = (id: string | null): number => {
  const k = id === null ? -1 : (hot.frame.roster.slotOf.get(id) ?? -1);
  return k < hot.frame.n ? k : -1;
};
/** The flock of a vehicle that is in the world. */
export const flockOf = (id: string | null): WorldInfo["flocks"][number] | undefined => {
  const k = slotOf(id);
  return k < 0 ? undefined : world.value?.flocks[hot.frame.roster.flock[k]];
};
/** It takes a pose, and reacts to pushes in one of several ways. */
export const isPlatform = (id: string | null): boolean => flockOf(id)?.model === "platform";
export const nameOf = (id: string): string => {
  const k = roster.value.slotOf.get(id);
  return k === undefined ? `vehicle ${id}` : roster.value.names[k];
};

let nextNotice = 1;
export function notify(level: Notice["level"], text: string, actions: Notice["actions"] = [], seconds = level === "bad" ? 12 : 6): void {
  if (notices.value.some((n) => n.text === text)) return;
  const key = nextNotice++;
  notices.value = [...notices.value.slice(-3), { key, level, text, actions }];
  if (seconds) setTimeout(() => dismiss(key), seconds * 1000);
}
export const dismiss = (key: number): void => {
  notices.value = notices.value.filter((n) => n.key !== key);
};
