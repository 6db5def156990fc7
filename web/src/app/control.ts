// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One vehicle in the user's hands: keyboard or gamepad becomes velocity setpoints at 20 Hz. Losing focus, hiding the tab or unplugging
// the pad sends a still setpoint at once; the server holds after half a second of silence and releases after five more.
import { yaw } from "../source/history.ts";
import { byId, emergencyStop, perform, send } from "./commands.ts";
import { held } from "./input.ts";
import * as s from "./state.ts";

export const LIMIT = 5; // m/s
const CLIMB = 2.5;
const YAW = 1.2; // rad/s
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

interface Sticks {
  forward: number;
  left: number;
  climb: number;
  turn: number;
  scale: number;
}
export const touchSticks = { on: false, forward: 0, left: 0, climb: 0, turn: 0 };

function keyboard(): Sticks {
  const on = (k: string): number => (held.has(k) ? 1 : 0);
  return { forward: on("W") - on("S"), left: on("A") - on("D"), turn: on("Q") - on("E"), climb: on("ArrowUp") - on("ArrowDown"), scale: 0.6 };
}
const pressed = new Map<number, number>();
let hadPad = false;

function gamepad(): Sticks | null {
  const pad = navigator.getGamepads?.().find((g) => g?.connected && g.mapping === "standard");
  if (!pad) {
    if (hadPad && s.lease.value) {
      stop();
      s.notify("warn", "The gamepad was unplugged: the vehicle holds.");
    }
    hadPad = false;
    return null;
  }
  hadPad = true;
  buttons(pad);
  const a = pad.axes.map(shape);
  return { forward: -a[3], left: -a[2], climb: -a[1], turn: -a[0], scale: 0.4 + 0.6 * (pad.buttons[7]?.value ?? 0) };
}
function buttons(pad: Gamepad): void {
  const now = performance.now();
  pad.buttons.forEach((b, i) => {
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
  if (i === 0 && inHand) void send("mode", { ids: [s.lease.value!.id], mode: "hold" });
  if (i === 1 && inHand) perform("vehicle.release");
  if (i === 2) perform(s.cameraMode.value === "follow" ? "camera.follow" : s.cameraMode.value === "chase" ? "camera.cockpit" : "camera.follow");
  if (i === 4 && !inHand) perform("select.previous");
  if (i === 5 && !inHand) perform("select.next");
  if (i === 9 && byId.has("time.play")) perform("time.play");
}

export function stop(): void {
  if (s.lease.value) s.hot.source?.control?.(s.lease.value.id, [0, 0, 0], 0);
}

let away = false;
function tick(): void {
  const pad = gamepad();
  const l = s.lease.value;
  if (!l || away) return;
  const k = s.slotOf(l.id);
  const heading = k < 0 ? 0 : yaw(s.hot.frame.attitude, 4 * k);
  const keys = keyboard();
  const sticks: Sticks = touchSticks.on ? { ...touchSticks, scale: 0.6 } : pad && !(keys.forward || keys.left || keys.turn || keys.climb) ? pad : keys;
  const [e, n] = toWorld(sticks.forward * LIMIT * sticks.scale, sticks.left * LIMIT * sticks.scale, heading);
  s.hot.source?.control?.(l.id, [e, n, sticks.climb * CLIMB], sticks.turn * YAW);
}

export function startControl(): void {
  setInterval(tick, 50);
  const leave = (): void => {
    stop();
    away = true;
  };
  window.addEventListener("blur", leave);
  window.addEventListener("focus", () => (away = false));
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : (away = false)));
}
