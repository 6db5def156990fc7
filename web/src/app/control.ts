// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One vehicle in the user's hands: keyboard, gamepad or on-screen sticks become velocity setpoints at 20 Hz. Losing focus, hiding the tab or
// unplugging the pad sends a still setpoint at once and then nothing: the server holds after half a second of silence and releases after
// five more. The sticks of a pad count only once they have been let go of, so that taking a vehicle never makes it jump. A platform also has roll and pitch: with
// Shift or the left shoulder button held, what moves it turns it.
import { yaw } from "../source/history.ts";
import { effect } from "@preact/signals";
import { emergencyStop, perform } from "./commands.ts";
import { held } from "./input.ts";
import * as s from "./state.ts";

export const LIMIT = 5; // m/s
const CLIMB = 2.5;
const YAW = 1.2; // rad/s
const TILT = 0.4; // rad/s, roll and pitch of a platform
const DEAD = 0.12;
const EXPO = 0.3;

/** Dead zone and a softer middle, so that small corrections are possible at full range. */
export function shape(x: number): number {
  const size = Math.abs(x);
  if (size < DEAD) return 0;
  const t = Math.min(1, (size - DEAD) / (1 - DEAD));
  return Math.sign(x) * ((1 - EXPO) * t + EXPO * t * t * t);
}
/** Forward and left in the vehicle's heading to east and north. */
export function toWorld(forward: number, left: number, heading: number): [number, number] {
  return [forward * Math.cos(heading) - left * Math.sin(heading), forward * Math.sin(heading) + left * Math.cos(heading)];
}

export interface Sticks {
  forward: number;
  left: number;
  climb: number;
  turn: number;
  roll: number; // right side down
  pitch: number; // nose down
  level: boolean; // roll and pitch go back to nothing
  scale: number;
}
const STILL: Sticks = { forward: 0, left: 0, climb: 0, turn: 0, roll: 0, pitch: 0, level: false, scale: 0.6 };
export const touchSticks = { on: false, forward: 0, left: 0, climb: 0, turn: 0 };
/** What the hands do now, for the drawing of the sticks. `why`: the reason why nothing is sent, or why sticks do not count. */
export const hands: Sticks & { pad: string; why: "" | "away" | "unplugged" | "centre"; tilts: boolean } = { ...STILL, pad: "", why: "", tilts: false };

/** The flight keys that are down. */
export function keysOf(down: ReadonlySet<string>, platform: boolean): Sticks {
  const on = (k: string): number => (down.has(k) ? 1 : 0);
  const climb = on("ArrowUp") - on("ArrowDown");
  const [ahead, aside] = [on("W") - on("S"), on("D") - on("A")];
  if (platform && down.has("Shift")) return { ...STILL, climb, pitch: ahead, roll: aside, level: down.has("Q") };
  return { ...STILL, climb, forward: ahead, left: -aside, turn: on("Q") - on("E") };
}
/** Left stick climbs and turns, right stick moves or tilts, right trigger gives more. A pad that lacks an axis stands still in it. */
export function sticksOf(axes: readonly number[], trigger: number, tilts = false): Sticks {
  const a = [0, 1, 2, 3].map((k) => (Number.isFinite(axes[k]) ? shape(axes[k]) : 0));
  const right = tilts ? { pitch: -a[3], roll: a[2] } : { forward: -a[3], left: -a[2] };
  return { ...STILL, climb: -a[1], turn: -a[0], ...right, scale: 0.4 + 0.6 * Math.min(1, Math.max(0, trigger || 0)) };
}
const still = (x: Sticks): boolean => !x.forward && !x.left && !x.climb && !x.turn && !x.roll && !x.pitch && !x.level;

// ---------------------------------------------------------------- the pad
const pressed = new Map<number, number>();
let pad = ""; // the one that is used
let odd = ""; // one that cannot be used, told once
let tilting = false; // its right stick turns a platform

function gamepad(): Sticks | null {
  const all = (navigator.getGamepads?.() ?? []).filter((g) => g?.connected);
  const found = all.find((g) => g!.mapping === "standard");
  const other = all[0];
  if (!found && other && odd !== other.id) {
    odd = other.id;
    s.notify("warn", `The gamepad \u201c${other.id.slice(0, 40)}\u201d does not say which stick is which, so it is not used.`);
  }
  if (!found) {
    if (pad && s.lease.value) letGo("unplugged");
    pad = "";
    pressed.clear();
    tilting = false;
    return null;
  }
  if (!pad) centred = false;
  pad = found.id || "gamepad";
  buttons(found);
  const platform = s.isPlatform(mine);
  const tilts = platform && (found.buttons[4]?.pressed ?? false);
  const now = sticksOf(found.axes, found.buttons[7]?.value ?? 0, tilts);
  if (tilts !== tilting && (now.forward || now.left || now.roll || now.pitch)) centred = false; // it is not to mean something else all at once
  tilting = tilts;
  return { ...now, level: platform && (found.buttons[3]?.pressed ?? false) };
}
function buttons(g: Gamepad): void {
  const now = performance.now();
  g.buttons.forEach((b, i) => {
    if (!b.pressed) return void pressed.delete(i);
    const since = pressed.get(i);
    if (since === undefined) {
      pressed.set(i, now);
      press(i);
    } else if (i === 8 && since > 0 && now - since > 600) {
      pressed.set(i, -1);
      emergencyStop();
    }
  });
}
function press(i: number): void {
  const inHand = s.lease.value !== null;
  if (i === 0 && inHand) hold();
  if (i === 1 && inHand) perform("vehicle.release");
  if (i === 2) perform(s.cameraMode.value === "follow" ? "camera.follow" : s.cameraMode.value === "chase" ? "camera.cockpit" : "camera.follow");
  if (i === 4 && !inHand) perform("select.previous");
  if (i === 5 && !inHand) perform("select.next");
  if (i === 9) perform("time.play");
}

// ---------------------------------------------------------------- what is sent
let mine: string | null = null; // the vehicle that was in these hands a moment ago
let centred = true;
let gone: "" | "away" | "unplugged" = "";

function put(x: Sticks): void {
  const l = s.lease.value;
  if (!l) return;
  const k = s.slotOf(l.id);
  const heading = k < 0 ? 0 : yaw(s.hot.frame.attitude, 4 * k);
  const [e, n] = toWorld(x.forward * LIMIT * x.scale, x.left * LIMIT * x.scale, heading);
  const tilt = s.isPlatform(l.id) ? { roll_rate: x.roll * TILT, pitch_rate: x.pitch * TILT, level: x.level } : {};
  s.hot.source?.control?.(l.id, [e, n, x.climb * CLIMB], x.turn * YAW, tilt);
}
export const stop = (): void => put(STILL);
/** Stands still until the sticks have been let go of. */
function hold(): void {
  centred = false;
  stop();
  s.said.value = "Holding";
}
function letGo(why: "away" | "unplugged"): void {
  if (s.lease.value && !gone) stop();
  if (s.lease.value && why === "unplugged") s.notify("warn", "The gamepad was unplugged: the vehicle holds, and is released in 5 s unless you go on with the keyboard.");
  gone = why;
}

function tick(): void {
  const fromPad = gamepad();
  const id = s.lease.value?.id ?? null;
  if (id !== mine) {
    mine = id;
    centred = false;
    if (gone === "unplugged") gone = "";
  }
  const keys = keysOf(held, s.isPlatform(id));
  if (gone === "unplugged" && (fromPad || !still(keys) || touchSticks.on)) gone = "";
  if (!fromPad || still({ ...fromPad, level: false })) centred = true;
  const own: Sticks | null = touchSticks.on ? { ...STILL, ...touchSticks } : still(keys) ? null : keys;
  const moved = own ?? fromPad ?? STILL;
  Object.assign(hands, moved, { pad, why: gone || (centred ? "" : "centre"), tilts: s.isPlatform(id) && (held.has("Shift") || tilting) });
  if (id !== null && !gone) put(own || centred ? moved : STILL);
}

export function startControl(): void {
  setInterval(tick, 50);
  const leave = (): void => letGo("away");
  const back = (): void => {
    if (gone === "away") gone = "";
    centred = false;
  };
  window.addEventListener("blur", leave);
  window.addEventListener("focus", back);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : back()));
  // The drawing of the sticks, and who else flies, come when there is something to tell.
  const done = effect(() => {
    if (!s.lease.value && s.othersLeases.value.size === 0) return;
    void import("./hands.tsx").then((m) => m.showHands(), () => {});
    queueMicrotask(() => done());
  });
}
