// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each flock as one thing: the outline of its members at their mean altitude, its centre, its name and how many fly in it. The outline
// joins the outermost member in each of 24 directions, which needs no sorting however large the flock is.
import type { Frame } from "../../source/source.ts";
import { css } from "../theme.ts";
import { flockColour, project, type Layer, type Renderable } from "../view.ts";

const DIRECTIONS = 24;
const COS = Float64Array.from({ length: DIRECTIONS }, (_, d) => Math.cos((2 * Math.PI * d) / DIRECTIONS));
const SIN = Float64Array.from({ length: DIRECTIONS }, (_, d) => Math.sin((2 * Math.PI * d) / DIRECTIONS));
const LOST = 16; // diverged: no part of a formation any more

export interface Formation {
  count: number;
  centre: [number, number, number];
  far: Float64Array; // per direction: how far out,
  who: Int32Array; // and the slot of that member
}
const empty = (): Formation => ({ count: 0, centre: [0, 0, 0], far: new Float64Array(DIRECTIONS), who: new Int32Array(DIRECTIONS) });

/** Fills `out`, one per flock; places are relative to the frame's origin. */
export function measureFlocks(frame: Frame, flocks: number, out: Formation[]): void {
  while (out.length < flocks) out.push(empty());
  for (const f of out) {
    f.count = f.centre[0] = f.centre[1] = f.centre[2] = 0;
    f.far.fill(-Infinity);
  }
  for (let k = 0; k < frame.n; k++) {
    const f = out[frame.roster.flock[k]];
    if (!f || frame.state[k] & LOST) continue;
    const [x, y] = [frame.position[3 * k], frame.position[3 * k + 1]];
    f.count++;
    f.centre[0] += x;
    f.centre[1] += y;
    f.centre[2] += frame.position[3 * k + 2];
    for (let d = 0; d < DIRECTIONS; d++) {
      const far = x * COS[d] + y * SIN[d];
      if (far <= f.far[d]) continue;
      f.far[d] = far;
      f.who[d] = k;
    }
  }
  for (const f of out) for (let i = 0; i < 3; i++) f.centre[i] /= f.count || 1;
}

export const formations: Renderable = {
  id: "formations",
  order: 90,
  title: "Formations",
  key: "Shift+F",
  icon: "M8 2l5.5 4-2 7h-7l-2-7zM8 7v3M6.5 8.5h3",
  on: false,
  create(): Layer {
    let on = false;
    const found: Formation[] = [];
    const at = [0, 0];
    return {
      update(frame, view) {
        if (on && !view.flat) measureFlocks(frame, view.world.flocks.length, found);
      },
      overlay(c, frame, view) {
        if (!on || view.flat || view.camera.mode === "cockpit") return false;
        c.lineWidth = 1.5;
        view.world.flocks.forEach((flock, k) => {
          const f = found[k];
          if (!f?.count) return;
          c.strokeStyle = css(flockColour(view, k));
          c.setLineDash(k >= 6 ? [6, 4] : []);
          c.beginPath();
          let open = false;
          let whole = true;
          for (let d = 0; d < DIRECTIONS; d++) {
            if (d > 0 && f.who[d] === f.who[d - 1]) continue;
            const p = 3 * f.who[d];
            if (!project(view, frame.position[p], frame.position[p + 1], f.centre[2], at)) {
              open = whole = false;
              continue;
            }
            if (open) c.lineTo(at[0], at[1]);
            else c.moveTo(at[0], at[1]);
            open = true;
          }
          if (whole) c.closePath();
          c.stroke();
          c.setLineDash([]);
          if (!project(view, f.centre[0], f.centre[1], f.centre[2], at)) return;
          const [x, y] = at;
          c.beginPath();
          c.moveTo(x - 5, y);
          c.lineTo(x + 5, y);
          c.moveTo(x, y - 5);
          c.lineTo(x, y + 5);
          c.stroke();
          const swatch = css(flockColour(view, k));
          for (const away of [10, 34, 58]) if (view.labels.text(x, y, `${flock.name} \u00b7 ${f.count}`, { swatch, away })) break;
        });
        return true;
      },
      show(v) {
        on = v;
      },
      dispose() {},
    };
  },
};
