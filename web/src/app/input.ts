// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hands on the scene: mouse and touch turn the camera, select, and set a goal; keys go to the registry.
import { nearest, inBox } from "../scene/pick.ts";
import { orbit, pan, zoom } from "../scene/camera.ts";
import type { Picture } from "../scene/renderer.ts";
import type { Frame } from "../source/source.ts";
import { byId, byKey, editKeys, perform, select, setCamera, toggle, confirmGoto, emergencyStop } from "./commands.ts";
import { getViewport } from "./framing.ts";
import { keyName, typing, withNumbers } from "./keymap.ts";
import * as s from "./state.ts";

const ITEMS_PLATFORM = ["vehicle.pose", "vehicle.reaction"];
const ITEMS_VEHICLE = ["camera.follow", "camera.cockpit", "vehicle.goto", ...ITEMS_PLATFORM, "vehicle.unlatch", "vehicle.take", "mode.hold", "mode.mission", "mode.land", "vehicle.fault", "vehicle.remove", "page.link"];

/** What lies under the pointer: the vehicles of a picture, by the ids that the page uses. */
export interface Crowd {
  frame(): Frame;
  id(k: number): string | null;
}
const shownCrowd: Crowd = { frame: () => s.hot.frame, id: (k) => s.hot.frame.roster.ids[k] };

export function sceneInput(host: HTMLElement, picture: Picture, box: (b: { x0: number; y0: number; x1: number; y1: number } | null) => void, crowd = shownCrowd): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let start = { x: 0, y: 0, button: 0, moved: false, shift: false };
  let press = 0;
  const at = (e: PointerEvent | WheelEvent | MouseEvent): { x: number; y: number } => {
    const r = host.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  };
  const idAt = (x: number, y: number): string | null => {
    const k = nearest(picture.view.screen, crowd.frame().n, x, y, 14);
    return k < 0 ? null : crowd.id(k);
  };
  const flat = (): boolean => s.quality.value === "flat";

  function openMenu(x: number, y: number): void {
    const id = idAt(x, y);
    const r = host.getBoundingClientRect();
    const item = (action: string): { title: string; keys: string; why?: string; run: () => void } => {
      const a = byId.get(action)!;
      const may = a.when?.() ?? true;
      return { title: a.title, keys: a.keys[0] ?? "", run: () => perform(action), ...(may === true ? {} : { why: may }) };
    };
    if (id !== null) {
      if (!s.selection.value.ids.has(id)) select([id], id);
      const fits = (a: string): boolean => (ITEMS_PLATFORM.includes(a) ? s.isPlatform(id) : a !== "vehicle.unlatch" || byId.get(a)!.when?.() === true);
      s.menu.value = { x: x + r.left, y: y + r.top, items: ITEMS_VEHICLE.filter(fits).map(item) };
      return;
    }
    const g = ground(x, y);
    const items = [item("vehicle.spawn"), item("camera.fit"), item("camera.top"), item("page.link")];
    if (g && s.selection.value.ids.size) items.unshift({ ...item("vehicle.goto"), title: "Send the selection here\u2026", run: () => { perform("vehicle.goto"); place(x, y); } });
    if (g) items.push({ title: "Copy position", keys: "", run: () => void navigator.clipboard?.writeText(`${g[0].toFixed(2)}, ${g[1].toFixed(2)}`) });
    s.menu.value = { x: x + r.left, y: y + r.top, items };
  }
  function ground(x: number, y: number): [number, number, number] | null {
    const p = picture.groundAt(x, y, picture.view.ground);
    const o = s.hot.frame.origin;
    return p && [p[0] + o[0], p[1] + o[1], p[2] + o[2]];
  }
  function place(x: number, y: number): void {
    const g = ground(x, y);
    if (g && s.goto.value) s.goto.value = { ...s.goto.value, position: [round(g[0]), round(g[1]), s.goto.value.position[2]], stage: "height" };
  }
  const round = (v: number): number => Math.round(v * 10) / 10;

  host.addEventListener("pointerdown", (e) => {
    if ((e.target as HTMLElement).closest("button, input, select, .card, .goto")) return;
    host.setPointerCapture(e.pointerId);
    const p = at(e);
    pointers.set(e.pointerId, p);
    s.menu.value = null;
    start = { ...p, button: e.button, moved: false, shift: e.shiftKey };
    clearTimeout(press);
    if (e.pointerType === "touch") press = window.setTimeout(() => { if (!start.moved) { start.moved = true; openMenu(p.x, p.y); } }, 450);
  });
  host.addEventListener("pointermove", (e) => {
    const p = at(e);
    const before = pointers.get(e.pointerId);
    if (!before) return hover(p.x, p.y, e.pointerType);
    if (Math.hypot(p.x - start.x, p.y - start.y) > 4) start.moved = true;
    if (!start.moved) return;
    clearTimeout(press);
    if (pointers.size === 2) pinch(e.pointerId, before, p);
    else if (start.shift) box({ x0: start.x, y0: start.y, x1: p.x, y1: p.y });
    else if (start.button === 0 && !flat() && s.cameraMode.value !== "top") setCamera(orbit(s.hot.camera, p.x - before.x, p.y - before.y));
    else setCamera(pan(s.hot.camera, p.x - before.x, p.y - before.y, getViewport()));
    pointers.set(e.pointerId, p);
  });
  function pinch(id: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
    const other = [...pointers].find(([k]) => k !== id)![1];
    const v = getViewport();
    const ratio = Math.hypot(before.x - other.x, before.y - other.y) / Math.max(1, Math.hypot(now.x - other.x, now.y - other.y));
    let c = zoom(s.hot.camera, ratio, (now.x + other.x) / 2 - v.width / 2, (now.y + other.y) / 2 - v.height / 2, v);
    c = pan(c, (now.x - before.x) / 2, (now.y - before.y) / 2, v);
    const twist = Math.atan2(now.y - other.y, now.x - other.x) - Math.atan2(before.y - other.y, before.x - other.x);
    setCamera(flat() || c.mode === "top" ? c : { ...c, azimuth: c.azimuth - twist });
  }
  const end = (e: PointerEvent): void => {
    clearTimeout(press);
    if (!pointers.delete(e.pointerId) || pointers.size) return;
    const p = at(e);
    box(null);
    if (start.moved && start.shift) {
      const found = inBox(picture.view.screen, crowd.frame().n, start.x, start.y, p.x, p.y);
      return select(found.map((k) => crowd.id(k)).filter((id) => id !== null));
    }
    if (start.moved) return;
    if (start.button === 2) return openMenu(p.x, p.y);
    if (s.goto.value) return place(p.x, p.y);
    const id = idAt(p.x, p.y);
    if (e.ctrlKey || e.metaKey) {
      if (id !== null) toggle(id);
    } else select(id === null ? [] : [id], id);
  };
  host.addEventListener("pointerup", end);
  host.addEventListener("pointercancel", (e) => {
    pointers.delete(e.pointerId);
    clearTimeout(press);
    box(null);
  });
  host.addEventListener("pointerleave", () => (s.hovered.value = null));
  host.addEventListener("dblclick", (e) => {
    const p = at(e);
    const id = idAt(p.x, p.y);
    if (id === null) return;
    select([id], id);
    perform("camera.follow");
  });
  host.addEventListener("contextmenu", (e) => e.preventDefault());
  host.addEventListener("keydown", (e) => {
    if (e.key !== "ContextMenu" && !(e.shiftKey && e.key === "F10")) return;
    e.preventDefault();
    // By the keyboard: the menu of what is selected, or of the ground in the middle.
    const k = s.slotOf(s.selection.value.primary);
    const { width, height } = getViewport();
    openMenu(...((k < 0 ? [width / 2, height / 2] : [picture.view.screen[3 * k], picture.view.screen[3 * k + 1]]) as [number, number]));
  });
  host.addEventListener(
    "wheel",
    (e) => {
      if ((e.target as HTMLElement).closest(".card, .goto")) return;
      e.preventDefault();
      const g = s.goto.value;
      if (g?.stage === "height") {
        s.goto.value = { ...g, position: [g.position[0], g.position[1], Math.max(0.5, Math.round((g.position[2] - Math.sign(e.deltaY)) * 2) / 2)] };
        return;
      }
      const p = at(e);
      const v = getViewport();
      setCamera(zoom(s.hot.camera, Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.0015), p.x - v.width / 2, p.y - v.height / 2, v));
    },
    { passive: false },
  );
  function hover(x: number, y: number, kind: string): void {
    if (kind === "touch") return;
    const k = nearest(picture.view.screen, crowd.frame().n, x, y, 12);
    const id = k < 0 ? null : crowd.id(k);
    if (id !== s.hovered.value) s.hovered.value = id;
    host.style.cursor = s.goto.value ? "crosshair" : id === null ? "" : "pointer";
  }
}

let digits = "";
let digitsTimer = 0;
/** Typed digits take that vehicle, `12-40` a range. */
function typeDigits(key: string): void {
  digits += key;
  clearTimeout(digitsTimer);
  digitsTimer = window.setTimeout(() => {
    const m = /^(\d+)(?:-(\d+))?$/.exec(digits);
    digits = "";
    if (!m) return;
    const [a, b] = [Number(m[1]), Number(m[2] ?? m[1])];
    const found = withNumbers(s.roster.value.ids, a, b);
    if (found.length) select(found, found[0]);
    else s.notify("info", m[2] ? `No vehicle has a number from ${m[1]} to ${m[2]}.` : `No vehicle has the number ${m[1]}.`, [], 3);
  }, 700);
}

export const held = new Set<string>(); // camera and control keys that are down
const EDITING = new Set(["Camera", "Layers"]); // what the editor shares with the view
const VIEW_KEYS = new Set(["W", "A", "S", "D", "Q", "E", "ArrowUp", "ArrowDown"]);
let stopSince = 0;

export function pageKeys(): void {
  window.addEventListener("keydown", (e) => {
    if (e.key === "Backspace" && !typing(e.target)) {
      e.preventDefault();
      if (!e.repeat) stopSince = performance.now();
      return;
    }
    const name = keyName(e);
    const editing = s.page.value === "edit";
    if (typing(e.target) && name !== "Esc" && name !== "Ctrl+K" && !(editing && /^(Ctrl\+(Enter|S|O)|(Shift\+)?F8)$/.test(name))) return;
    if (editing && e.defaultPrevented) return;
    if (s.goto.value && name === "Enter") {
      e.preventDefault();
      return confirmGoto();
    }
    if (s.dialog.value && name !== "Esc" && name !== "Ctrl+K" && name !== "?") return;
    if (editing && !s.dialog.value && editKeys.has(name) && !(name !== "Esc" && document.querySelector("dialog[open]"))) {
      e.preventDefault();
      return perform(editKeys.get(name)!.id);
    }
    if (s.page.value !== "view" && s.page.value !== "nodes" && !((editing || s.page.value === "picture") && EDITING.has(byKey.get(name)?.group ?? "Camera")) && byKey.get(name)?.group !== "Page" && name !== "Esc") return;
    const raw = e.key.length === 1 ? e.key.toUpperCase() : e.key;
    const tilts = s.lease.value !== null && s.isPlatform(s.lease.value.id); // then Shift is a flight key
    if (tilts && raw === "Shift") return void held.add(raw);
    if (VIEW_KEYS.has(raw) && !e.ctrlKey && !e.metaKey && !e.altKey && (!e.shiftKey || tilts) && !inList(e.target)) {
      e.preventDefault();
      held.add(raw);
      return;
    }
    if (!editing && (/^\d$/.test(e.key) || (e.key === "-" && digits))) return typeDigits(e.key);
    if ((name === "Space" || name === "Enter") && e.target instanceof HTMLElement && e.target.matches("button:focus-visible, a:focus-visible, [role=option]:focus-visible, input[type=checkbox], summary")) return;
    if (e.target instanceof HTMLElement && e.target.closest("[role=listbox], [role=slider], input[type=range]") && /^(Shift\+)?(Up|Down|Left|Right|Home|End|PgUp|PgDn)$/.test(name)) return;
    const action = byKey.get(name);
    if (!action) return;
    e.preventDefault();
    perform(action.id);
  });
  window.addEventListener("keyup", (e) => {
    if (e.key === "Backspace") stopSince = 0;
    held.delete(e.key.length === 1 ? e.key.toUpperCase() : e.key);
  });
  window.addEventListener("blur", () => {
    held.clear();
    stopSince = 0;
  });
}
const inList = (t: EventTarget | null): boolean => t instanceof HTMLElement && t.closest("[role=listbox], [role=slider], [role=tablist]") !== null;

/** Called ten or more times a second: held camera keys, and the hold of the emergency stop. */
export function heldKeys(dt: number): void {
  if (stopSince && s.hot.live && s.liveStatus.value.state !== "finished") {
    const full = s.stopHeld.value >= 1; // a look ago: a release that waited behind something slow has been heard since
    s.stopHeld.value = Math.min(1, (performance.now() - stopSince) / 600);
    if (full && s.stopHeld.value >= 1) {
      stopSince = 0;
      s.stopHeld.value = 0;
      emergencyStop();
    }
  } else if (s.stopHeld.value && !stopByButton) s.stopHeld.value = 0;
  if (!held.size || s.lease.value) return;
  const v = getViewport();
  const speed = 420 * dt;
  const on = (k: string): number => (held.has(k) ? 1 : 0);
  let c = s.hot.camera;
  const [x, y] = [on("A") - on("D"), on("W") - on("S")];
  if (x || y) c = pan(c, x * speed, y * speed, v);
  const [turn, tilt] = [on("Q") - on("E"), on("ArrowUp") - on("ArrowDown")];
  if (turn || tilt) c = orbit(c, (turn * speed) / 2, (tilt * speed) / 2);
  setCamera(c);
}
export let stopByButton = false;
export const holdStop = (on: boolean): void => {
  stopByButton = on;
  if (on) stopSince = performance.now();
  else {
    stopSince = 0;
    s.stopHeld.value = 0;
  }
};
