// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where selected vehicles touch something: a disc at each place and an arrow along the force that acts on the vehicle there, with its newtons. The length of an arrow grows
// with the root of the force, so that 1 N is seen beside 100 N. Drawn on the overlay: poles and cones are in the way of what they touch.
import type { Scene } from "three";
import { css } from "../scene/theme.ts";
import { project, type Layer, type Renderable, type View } from "../scene/view.ts";

const PER_ROOT = 0.15; // m for 1 N
const LEAST = 0.02; // N: less is no arrow
const MOST_LABELS = 4; // of one vehicle, at its strongest contacts
const HEAD = 8; // px

/** Length of the arrow of a force, m. */
export const arrowLength = (newtons: number): number => PER_ROOT * Math.sqrt(newtons);

/** Beyond the head of an arrow, or where else there is room. */
function label(view: View, at: readonly number[], tip: readonly number[], text: string): void {
  const length = Math.hypot(tip[0] - at[0], tip[1] - at[1]) || 1;
  const [x, y] = [(tip[0] - at[0]) / length, (tip[1] - at[1]) / length];
  const away = 8 + 24 * Math.abs(x) + 10 * Math.abs(y);
  if (!view.labels.text(tip[0] + away * x, tip[1] + away * y, text, { centre: true })) view.labels.text(tip[0], tip[1], text, { away: 8 });
}

/** `contactsOf` has six numbers for each contact of a vehicle at a moment: place and force, in the world. */
export function contactLayer(contactsOf: (id: string, time: number) => Float32Array | null): Renderable {
  function draw(c: CanvasRenderingContext2D, view: View, list: Float32Array, origin: readonly number[]): boolean {
    const strengths = Array.from({ length: list.length / 6 }, (_, k) => Math.hypot(list[6 * k + 3], list[6 * k + 4], list[6 * k + 5]));
    const strongest = [...strengths.keys()].sort((a, b) => strengths[b] - strengths[a]).slice(0, MOST_LABELS);
    const [at, tip] = [[0, 0], [0, 0]];
    const { select, panel } = view.light.palette;
    let any = false;
    strengths.forEach((force, k) => {
      const p = [0, 1, 2].map((i) => list[6 * k + i] - origin[i]);
      if (!project(view, p[0], p[1], p[2], at)) return;
      any = true;
      const scale = force > LEAST ? arrowLength(force) / force : 0;
      const end = p.map((x, i) => x + scale * list[6 * k + 3 + i]);
      const arrow = scale > 0 && project(view, end[0], end[1], end[2], tip);
      for (const [colour, width] of [[css(panel), 4], [css(select), 2]] as const) {
        c.strokeStyle = c.fillStyle = colour;
        c.lineWidth = width;
        c.beginPath();
        c.arc(at[0], at[1], 1.5 + width / 2, 0, 2 * Math.PI);
        c.fill();
        if (!arrow) continue;
        const angle = Math.atan2(tip[1] - at[1], tip[0] - at[0]);
        c.beginPath();
        c.moveTo(at[0], at[1]);
        c.lineTo(tip[0], tip[1]);
        for (const side of [-0.45, 0.45]) (c.moveTo(tip[0], tip[1]), c.lineTo(tip[0] - HEAD * Math.cos(angle + side), tip[1] - HEAD * Math.sin(angle + side)));
        c.stroke();
      }
      if (arrow && strongest.includes(k)) label(view, at, tip, `${force.toFixed(force < 10 ? 1 : 0)}\u2009N`);
    });
    return any;
  }
  return {
    id: "contacts",
    order: 105,
    title: "Contacts",
    on: true,
    fixed: true,
    create: (_scene: Scene): Layer => ({
      update() {},
      overlay(c, frame, view) {
        if (view.flat || view.camera.mode === "cockpit") return false;
        let any = false;
        for (let k = 0; k < frame.n; k++) {
          const list = view.selected[k] ? contactsOf(frame.roster.ids[k], frame.time) : null;
          if (list?.length && draw(c, view, list, frame.origin)) any = true;
        }
        return any;
      },
      show() {},
      dispose() {},
    }),
  };
}
