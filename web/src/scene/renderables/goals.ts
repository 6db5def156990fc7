// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where vehicles were told to go: a ring at the goal's altitude with a stem, and a dashed line from the vehicle.
import { css } from "../theme.ts";
import { floorUnder, project, type Layer, type Renderable } from "../view.ts";

const MOST = 300;

export const goals: Renderable = {
  id: "goals",
  order: 80,
  title: "Goals",
  key: "Shift+P",
  icon: "goal",
  on: true,
  create(): Layer {
    let on = true;
    const at = [0, 0];
    const foot = [0, 0];
    return {
      update() {},
      overlay(c, frame, view) {
        if (!on || view.flat) return false;
        let drawn = 0;
        const colour = css(view.light.palette.accent);
        const o = frame.origin;
        for (const goal of view.goals) {
          const k = frame.roster.slotOf.get(goal.id);
          if (k === undefined || k >= frame.n || drawn > MOST || (view.goals.length > 60 && !view.selected[k])) continue;
          const p = goal.position;
          if (!project(view, p[0] - o[0], p[1] - o[1], p[2] - o[2], at)) continue;
          drawn++;
          c.strokeStyle = colour;
          c.lineWidth = 1.5;
          if (view.screen[3 * k + 2] > 0 && (view.goals.length <= 24 || view.selected[k])) {
            c.setLineDash([6, 4]);
            c.beginPath();
            c.moveTo(view.screen[3 * k], view.screen[3 * k + 1]);
            c.lineTo(at[0], at[1]);
            c.stroke();
            c.setLineDash([]);
          }
          c.beginPath();
          c.ellipse(at[0], at[1], 7, view.camera.mode === "top" ? 7 : Math.max(3, 7 * Math.sin(view.camera.elevation)), 0, 0, 2 * Math.PI);
          c.stroke();
          if (view.camera.mode !== "top" && project(view, p[0] - o[0], p[1] - o[1], floorUnder(view, o, p[0] - o[0], p[1] - o[1]), foot)) {
            c.lineWidth = 1;
            c.globalAlpha = 0.5;
            c.beginPath();
            c.moveTo(at[0], at[1]);
            c.lineTo(foot[0], foot[1]);
            c.stroke();
            c.globalAlpha = 1;
          }
        }
        return drawn > 0;
      },
      show(v) {
        on = v;
      },
      dispose() {},
    };
  },
};
