// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Loads below vehicles: a box, and a line for each cable, dashed where it is slack. Of selected vehicles with the tension in newtons.
import type { Scene } from "three";
import { css } from "../scene/theme.ts";
import type { Vec } from "../scene/shape.ts";
import { project, type Layer, type Renderable, type View } from "../scene/view.ts";
import { turned } from "./pose.ts";

const SLACK = 1e-3; // N
const FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]] as const;

/** The eight corners of a box with these edges; `pose` is its place and its attitude. */
export function cornersOf(size: Vec, pose: ArrayLike<number>): Vec[] {
  const q = [pose[3], pose[4], pose[5], pose[6]] as const;
  return Array.from({ length: 8 }, (_, k): Vec => {
    const at = turned(q, [(k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1], (k & 4 ? 0.5 : -0.5) * size[2]]);
    return [at[0] + pose[0], at[1] + pose[1], at[2] + pose[2]];
  });
}

export interface Load {
  size: Vec; // m
  told: Float32Array; // told.ts
}
/** `loadOf` has the load of the k-th vehicle of a frame at its moment; null: it has none, or nobody told. */
export function loadLayer(loadOf: (k: number, time: number) => Load | null): Renderable {
  function draw(c: CanvasRenderingContext2D, view: View, { size, told }: Load, origin: readonly number[], labelled: boolean): boolean {
    const spot = (p: ArrayLike<number>, at = 0): number[] | null => {
      const out = [0, 0];
      return project(view, p[at] - origin[0], p[at + 1] - origin[1], p[at + 2] - origin[2], out) ? out : null;
    };
    const corners = cornersOf(size, told).map((p) => spot(p));
    const { select, text } = view.light.palette;
    c.strokeStyle = css(text);
    c.fillStyle = css(select);
    c.lineWidth = 1.5;
    let any = false;
    for (const face of FACES) {
      const around = face.map((k) => corners[k]);
      if (around.some((p) => !p)) continue;
      any = true;
      c.beginPath();
      around.forEach((p, k) => (k ? c.lineTo(p![0], p![1]) : c.moveTo(p![0], p![1])));
      c.closePath();
      c.globalAlpha = 0.25;
      c.fill();
      c.globalAlpha = 1;
      c.stroke();
    }
    for (let at = 7; at + 7 <= told.length; at += 7) {
      const [upper, hook, tension] = [spot(told, at), spot(told, at + 3), told[at + 6]];
      if (!upper || !hook) continue;
      any = true;
      c.setLineDash(tension > SLACK ? [] : [4, 4]);
      c.beginPath();
      c.moveTo(upper[0], upper[1]);
      c.lineTo(hook[0], hook[1]);
      c.stroke();
      if (labelled) view.labels.text((upper[0] + hook[0]) / 2, (upper[1] + hook[1]) / 2, `${tension.toFixed(tension < 10 ? 1 : 0)}\u2009N`, { away: 8 });
    }
    c.setLineDash([]);
    return any;
  }
  return {
    id: "loads",
    order: 104,
    title: "Loads",
    on: true,
    fixed: true,
    create: (_scene: Scene): Layer => ({
      update() {},
      overlay(c, frame, view) {
        if (view.flat) return false;
        let any = false;
        for (let k = 0; k < frame.n; k++) {
          const load = loadOf(k, frame.time);
          if (load && draw(c, view, load, frame.origin, view.selected[k] > 0)) any = true;
        }
        return any;
      },
      show() {},
      dispose() {},
    }),
  };
}
