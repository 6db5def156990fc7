// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Rings about what is selected, hovered and followed, and for selected vehicles a stem down to the ground with the altitude: shadows alone
// do not tell which is whose. Drawn on the overlay, so that the ring is 2 sharp pixels at any distance.
import { css } from "../theme.ts";
import { floorUnder, project, type Layer, type Renderable, type View } from "../view.ts";

const STEMS = 24;

export const selection: Renderable = {
  id: "selection",
  order: 100,
  title: "Selection",
  on: true,
  fixed: true,
  create(): Layer {
    const at = [0, 0];
    function ring(c: CanvasRenderingContext2D, view: View, k: number, width: number, colour: string, halo: boolean, size: number): void {
      const radius = Math.max(8, Math.max(view.minPixels, size * view.screen[3 * k + 2]) / 2 + 4);
      c.beginPath();
      c.arc(view.screen[3 * k], view.screen[3 * k + 1], radius, 0, 2 * Math.PI);
      if (halo) {
        c.lineWidth = width + 2;
        c.strokeStyle = css(view.light.palette.panel);
        c.stroke();
      }
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.stroke();
    }
    return {
      update() {},
      overlay(c, frame, view) {
        if (view.camera.mode === "cockpit") return false;
        const colour = css(view.light.palette.select);
        let [stems, rings] = [0, 0];
        for (let k = 0; k < frame.n; k++) {
          if (!view.selected[k] || view.screen[3 * k + 2] <= 0) continue;
          const size = view.world.flocks[frame.roster.flock[k]]?.size ?? 0.5;
          if (stems++ < STEMS && view.camera.mode !== "top" && project(view, frame.position[3 * k], frame.position[3 * k + 1], floorUnder(view, frame.origin, frame.position[3 * k], frame.position[3 * k + 1]), at)) {
            c.lineWidth = 1;
            c.strokeStyle = colour;
            c.beginPath();
            c.moveTo(view.screen[3 * k], view.screen[3 * k + 1]);
            c.lineTo(at[0], at[1]);
            c.stroke();
            c.beginPath();
            c.ellipse(at[0], at[1], 4, 2, 0, 0, 2 * Math.PI);
            c.stroke();
          }
          rings++;
          ring(c, view, k, view.selected[k] === 2 ? 2 : 1.5, colour, true, size);
        }
        const hovered = view.hovered >= 0 && view.hovered < frame.n && view.screen[3 * view.hovered + 2] > 0;
        if (hovered) ring(c, view, view.hovered, 1, css(view.light.palette.text), false, view.world.flocks[frame.roster.flock[view.hovered]]?.size ?? 0.5);
        return hovered || rings > 0;
      },
      show() {},
      dispose() {},
    };
  },
};
