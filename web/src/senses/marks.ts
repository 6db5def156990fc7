// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Marks beside vehicles: a square with a cross where one crashed, lies or is stuck, a triangle where one has a fault or follows a failsafe, a disc with a bar where
// a latch joins it with another one. Shape and words say what it is, not the colour alone. The words are written where there is room.
import type { Scene } from "three";
import { css } from "../scene/theme.ts";
import type { Layer } from "../scene/view.ts";
import { STATE } from "../wire/wire.ts";

const MOST = 200; // marks in one picture
const CONDITIONS: [number, string][] = [
  [STATE.crashed, "crashed"],
  [STATE.upsideDown, "upside down"],
  [STATE.tippedOver, "tipped over"],
  [STATE.stuck, "stuck"],
];

export interface Mark {
  text: string;
  grave: boolean;
  calm?: true; // it is no trouble
}
/** What the flags of a state say; null: nothing. */
export function markOf(state: number): Mark | null {
  const condition = CONDITIONS.find(([bit]) => state & bit)?.[1];
  const words = [condition, state & STATE.fault ? "fault" : "", state & STATE.failsafe && !(state & STATE.crashed) ? "failsafe" : ""].filter(Boolean);
  if (words.length) return { text: [...words, ...(state & STATE.held ? ["held"] : [])].join(", "), grave: condition !== undefined };
  return state & STATE.held ? { text: "held", grave: false, calm: true } : null;
}

export function markLayer(_scene: Scene): Layer {
  return {
    update() {},
    overlay(c, frame, view) {
      if (view.flat || view.camera.mode === "cockpit") return false;
      let drawn = 0;
      for (let k = 0; k < frame.n && drawn < MOST; k++) {
        const mark = view.screen[3 * k + 2] > 0 ? markOf(frame.state[k]) : null;
        if (!mark) continue;
        const half = Math.min(60, Math.max(view.minPixels, (view.world.flocks[frame.roster.flock[k]]?.size ?? 0.5) * view.screen[3 * k + 2]) / 2);
        const [x, y] = [view.screen[3 * k] + 0.7 * half + 6, view.screen[3 * k + 1] - 0.7 * half - 6];
        if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
        drawn++;
        const { panel, bad, warn, accent } = view.light.palette;
        c.fillStyle = css(mark.grave ? bad : mark.calm ? accent : warn);
        c.strokeStyle = css(panel);
        c.lineWidth = 1.5;
        c.beginPath();
        if (mark.grave) c.rect(x - 6, y - 6, 12, 12);
        else if (mark.calm) c.arc(x, y, 6, 0, 2 * Math.PI);
        else {
          c.moveTo(x, y - 7);
          c.lineTo(x + 7, y + 6);
          c.lineTo(x - 7, y + 6);
          c.closePath();
        }
        c.fill();
        c.stroke();
        c.beginPath();
        if (mark.grave) for (const [a, b] of [[-3, -3], [-3, 3]]) (c.moveTo(x + a, y + b), c.lineTo(x - a, y - b));
        else if (mark.calm) (c.moveTo(x - 3, y), c.lineTo(x + 3, y));
        else (c.moveTo(x, y - 3), c.lineTo(x, y + 4));
        c.stroke();
        view.labels.text(x, y, mark.text, { away: 9 });
      }
      return drawn > 0;
    },
    show() {},
    dispose() {},
  };
}
