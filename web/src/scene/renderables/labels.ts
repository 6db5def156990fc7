// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Names beside vehicles: the selected, followed and hovered first, then the nearest as far as there is room. A label once shown keeps its
// turn for a while, so that a crowd does not flicker.
import { css } from "../theme.ts";
import { flockColour, type Layer, type Renderable, type View } from "../view.ts";
import type { Frame } from "../../source/source.ts";

const MOST = 60;
const PHONE = 16;
const CROWD = 200; // above this many vehicles only the chosen ones are named

export const labels: Renderable = {
  id: "labels",
  order: 110,
  title: "Labels",
  key: "Shift+L",
  icon: "label",
  on: true,
  create(): Layer {
    let on = true;
    let shown: string[] = [];
    let lastPick = 0;
    let order: number[] = [];
    function pick(frame: Frame, view: View): void {
      const now = performance.now();
      if (now - lastPick < 400 && !view.selectionChanged && order.every((k) => k < frame.n)) return;
      lastPick = now;
      const kept = new Set(shown);
      const score = (k: number): number => view.screen[3 * k + 2] * (kept.has(frame.roster.ids[k]) ? 1.3 : 1);
      const rest: number[] = [];
      const most = view.width < 500 ? PHONE : MOST;
      if (frame.n <= CROWD) for (let k = 0; k < frame.n; k++) if (view.screen[3 * k + 2] > 0) rest.push(k);
      order = rest.sort((a, b) => score(b) - score(a)).slice(0, Math.min(most, 12));
      order.sort((a, b) => a - b);
    }
    return {
      update() {},
      overlay(_c, frame, view) {
        if (view.flat || view.camera.mode === "cockpit") return false;
        const chosen: number[] = [];
        for (let k = 0; k < frame.n && chosen.length < MOST; k++) if (view.selected[k] === 2 || k === view.hovered || k === view.followed) chosen.push(k);
        for (let k = 0; k < frame.n && chosen.length < MOST; k++) if (view.selected[k] === 1) chosen.push(k);
        const place = (k: number, strong: boolean): boolean => {
          const away = Math.max(view.minPixels, (view.world.flocks[frame.roster.flock[k]]?.size ?? 0.5) * view.screen[3 * k + 2]) / 2 + 6;
          const altitude = frame.position[3 * k + 2] + frame.origin[2] - view.world.ground;
          const text = strong ? `${frame.roster.names[k]}  ${altitude.toFixed(1)}\u2009m` : frame.roster.names[k];
          return view.labels.text(view.screen[3 * k], view.screen[3 * k + 1], text, { strong, away, swatch: css(flockColour(view, frame.roster.flock[k])) });
        };
        for (const k of chosen) if (view.screen[3 * k + 2] > 0) place(k, true);
        if (!on) return false;
        pick(frame, view);
        shown = [];
        for (const k of order) if (k < frame.n && !chosen.includes(k) && place(k, false)) shown.push(frame.roster.ids[k]);
        return false;
      },
      show(v) {
        on = v;
      },
      dispose() {},
    };
  },
};
