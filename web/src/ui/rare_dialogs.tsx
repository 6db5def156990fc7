// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Dialogs that a page loads when one of them is first opened: keys, spawn, remove, take control, faults, pose and reaction of platforms.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { actions, ids, perform, send, take } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { count } from "../app/units.ts";
import { LIMIT } from "../app/control.ts";
import { PoseDialog, ReactionDialog } from "../joined/dialogs.tsx";
import { FaultDialog } from "../senses/fault.tsx";
import { Modal } from "./modal.tsx";

const MOUSE: [string, string][] = [["Drag", "orbit"], ["Right drag", "pan"], ["Wheel", "zoom at the cursor"], ["Click, Ctrl+click", "select, add"], ["Shift+drag", "select a box"], ["Double click", "follow"], ["Right click", "menu"], ["W A S D \u00b7 Q E \u00b7 \u2191 \u2193", "pan \u00b7 turn \u00b7 tilt"], ["0-9, 12-40", "select by number, a range"], ["Hold Backspace", "emergency stop"]];
function Help() {
  const groups = [...new Set(actions.map((a) => a.group))];
  return (
    <Modal label="Keys and help" wide>
      <h2>Keys</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label="Keys" autofocus><div class="keys">
        {groups.map((g) => (
          <section>
            <h3>{g}</h3>
            {actions.filter((a) => a.group === g && a.keys.length).map((a) => <div class="key"><span>{a.title}</span><span>{a.keys.map((k) => <kbd>{k}</kbd>)}</span></div>)}
          </section>
        ))}
        <section><h3>Mouse and more</h3>{MOUSE.map(([k, what]) => <div class="key"><span>{what}</span><kbd>{k}</kbd></div>)}</section>
      </div></div>
      <div class="buttons">
        <button type="button" class="button" onClick={() => { s.dialog.value = ""; perform("page.card"); }}>Show the first steps again</button>
        <button type="button" class="button" onClick={() => perform("page.reset")}>Reset layout</button>
        <span class="grow" />
        <button type="button" class="button primary" onClick={() => (s.dialog.value = "")}>Close</button>
      </div>
    </Modal>
  );
}

function Spawn() {
  const w = s.world.value!;
  const c = s.hot.camera.target;
  const o = s.hot.frame.origin;
  const flock = useSignal(w.flocks[0]?.name ?? "");
  const p = useSignal<[number, number, number]>([Math.round(c[0] + o[0]), Math.round(c[1] + o[1]), Math.max(1, Math.round(c[2] + o[2]))]);
  return (
    <Modal label="Spawn a vehicle">
      <form onSubmit={(e) => { e.preventDefault(); s.dialog.value = ""; void send("spawn", { flock: flock.value, position: p.value }, `Spawned a vehicle of ${flock.value}.`); }}>
        <h2>Spawn a vehicle</h2>
        <label class="form">Flock <select value={flock.value} onChange={(e) => (flock.value = e.currentTarget.value)}>{w.flocks.map((f) => <option value={f.name}>{f.name} ({f.airframe})</option>)}</select></label>
        <div class="form">Position {["E", "N", "U"].map((n, i) => <label>{n} <input class="num" type="number" step="any" value={p.value[i]} onInput={(e) => { const q: [number, number, number] = [...p.value]; q[i] = e.currentTarget.valueAsNumber || 0; p.value = q; }} /></label>)} <span class="dim">m ENU</span></div>
        <p class="dim">It joins the live world at once and is part of the recording.</p>
        <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={() => (s.dialog.value = "")}>Cancel</button><button class="button primary">Spawn</button></div>
      </form>
    </Modal>
  );
}
function Remove() {
  const list = ids();
  return (
    <Modal label="Remove vehicles">
      <form onSubmit={(e) => { e.preventDefault(); s.dialog.value = ""; void send("remove", { ids: list }, `${count(list.length, "vehicle", "vehicles")} removed.`); }}>
        <h2>Remove {list.length === 1 ? s.nameOf(list[0]) : count(list.length, "vehicle", "vehicles")}?</h2>
        <p>They leave the live world now. This cannot be undone; the recording keeps what they did.</p>
        <div class="buttons"><span class="grow" /><button type="button" class="button" autofocus onClick={() => (s.dialog.value = "")}>Keep</button><button class="button danger">Remove</button></div>
      </form>
    </Modal>
  );
}
function Take() {
  const id = s.selection.value.primary!;
  const part = useSignal(0);
  const timer = useRef(0);
  const flock = s.world.value?.flocks[s.roster.value.flock[s.roster.value.slotOf.get(id) ?? 0]]?.name ?? "its flock";
  const hold = (): void => {
    const since = performance.now();
    clearInterval(timer.current);
    timer.current = window.setInterval(() => {
      const full = part.value >= 1; // a look ago: a release that waited behind something slow has been heard since
      part.value = Math.min(1, (performance.now() - since) / 600);
      if (!full) return;
      leave();
      s.dialog.value = "";
      void take(id).then((ok) => ok && perform("camera.follow"));
    }, 30);
  };
  const leave = (): void => {
    clearInterval(timer.current);
    part.value = 0;
  };
  useEffect(() => () => clearInterval(timer.current), []);
  return (
    <Modal label="Take control">
      <h2>Take control of {s.nameOf(id)}</h2>
      <p>{s.nameOf(id)} leaves <b>{flock}</b> and holds its position; you fly it at up to {LIMIT}{"\u2009"}m/s. Esc or <i>Release</i> gives it back. If this page goes silent it holds after 0.5{"\u2009"}s and is released 5{"\u2009"}s later.</p>
      <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={() => (s.dialog.value = "")}>Cancel</button>
        <button type="button" class="button primary hold" autofocus onPointerDown={hold} onPointerUp={leave} onPointerLeave={leave} onKeyDown={(e) => (e.key === "Enter" || e.key === " ") && !e.repeat && hold()} onKeyUp={leave}><span class="stop-fill" style={{ transform: `scaleX(${part.value})` }} />Hold to take</button>
      </div>
    </Modal>
  );
}

export function rareDialog(name: "help" | "spawn" | "remove" | "take" | "fault" | "pose" | "reaction"): ComponentChildren {
  if (name === "help") return <Help />;
  if (name === "spawn") return s.world.value ? <Spawn /> : null;
  if (name === "remove") return <Remove />;
  if (s.selection.value.primary === null) return null;
  if (name === "pose") return <PoseDialog />;
  if (name === "reaction") return <ReactionDialog />;
  return name === "fault" ? <FaultDialog /> : <Take />;
}
