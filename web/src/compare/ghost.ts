// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The second run over the first: hollow darts at 35 %, a thin line from each to its partner, a broken ring about partners of the selection.
// It is drawn on the overlay, so that it reads the same in every quality and never hides what it is compared with.
import { css } from "../scene/theme.ts";
import { flockColour, project, type Layer, type Renderable, type View } from "../scene/view.ts";
import type { Frame } from "../source/source.ts";
import type { Partners } from "./partners.ts";

const FAINT = 0.35;
const DART = [[1, 0], [-0.85, 0.8], [-0.45, 0], [-0.85, -0.8]] as const; // forward, left
const TRAILS = 6; // of selected vehicles
const TRAIL = 5; // s
const STEP = 0.25;

export interface GhostRun {
  frame: Frame;
  who: Partners;
  sizes: number[]; // m, by flock
  look(time: number): void;
  positions(time: number, ids: readonly string[], origin: readonly number[], out: Float32Array): boolean;
}

/** A body vector in the world: q is w x y z at q[at]. */
export function turn(q: ArrayLike<number>, at: number, x: number, y: number, out: number[]): void {
  const [w, i, j, k] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  out[0] = (1 - 2 * (j * j + k * k)) * x + 2 * (i * j - w * k) * y;
  out[1] = 2 * (i * j + w * k) * x + (1 - 2 * (i * i + k * k)) * y;
  out[2] = 2 * (i * k - w * j) * x + 2 * (j * k + w * i) * y;
}

export function ghost(run: GhostRun): Renderable {
  const { frame: b, who } = run;
  const place = [0, 0, 0];
  const at = [0, 0];
  const v = [0, 0, 0];

  /** Position of a slot of B in the frame of the picture. */
  function put(k: number, origin: readonly number[]): void {
    for (let i = 0; i < 3; i++) place[i] = b.position[3 * k + i] + b.origin[i] - origin[i];
  }
  function dart(c: CanvasRenderingContext2D, view: View, k: number): void {
    const m = view.matrix;
    const depth = m[3] * place[0] + m[7] * place[1] + m[11] * place[2] + m[15];
    if (depth <= 1e-6) return;
    const perMetre = (view.three.projectionMatrix.elements[5] * view.height) / 2 / depth;
    const half = Math.max((run.sizes[b.roster.flock[k]] ?? 0.5) / 2, view.minPixels / 2 / perMetre) * 1.1;
    DART.forEach(([x, y], i) => {
      turn(b.attitude, 4 * k, x * half, y * half, v);
      if (!project(view, place[0] + v[0], place[1] + v[1], place[2] + v[2], at)) return;
      if (i === 0) c.moveTo(at[0], at[1]);
      else c.lineTo(at[0], at[1]);
    });
    c.closePath();
  }
  function link(c: CanvasRenderingContext2D, a: Frame, view: View, k: number): void {
    const m = a.roster.slotOf.get(who.toA.get(b.roster.ids[k]) ?? "");
    if (m === undefined || m >= a.n || view.screen[3 * m + 2] <= 0 || !project(view, place[0], place[1], place[2], at)) return;
    const [x, y] = [view.screen[3 * m], view.screen[3 * m + 1]];
    if (Math.hypot(x - at[0], y - at[1]) < 3) return;
    c.moveTo(at[0], at[1]);
    c.lineTo(x, y);
  }
  function crowd(c: CanvasRenderingContext2D, a: Frame, view: View): void {
    const flocks = new Set(b.roster.flock.subarray(0, b.n));
    for (const flock of flocks) {
      c.strokeStyle = css(flockColour(view, flock));
      for (const [width, draw] of [[1, link], [1.5, null]] as const) {
        c.lineWidth = width;
        c.beginPath();
        for (let k = 0; k < b.n; k++) {
          if (b.roster.flock[k] !== flock) continue;
          put(k, a.origin);
          if (draw) draw(c, a, view, k);
          else dart(c, view, k);
        }
        c.stroke();
      }
    }
  }
  function rings(c: CanvasRenderingContext2D, a: Frame, view: View, ids: string[]): void {
    c.strokeStyle = css(view.light.palette.select);
    c.lineWidth = 1.5;
    c.setLineDash([4, 3]);
    for (const id of ids) {
      const k = b.roster.slotOf.get(id);
      if (k === undefined || k >= b.n) continue;
      put(k, a.origin);
      if (!project(view, place[0], place[1], place[2], at)) continue;
      c.beginPath();
      c.arc(at[0], at[1], Math.max(9, view.minPixels / 2 + 4), 0, 2 * Math.PI);
      c.stroke();
    }
    c.setLineDash([]);
  }
  function trails(c: CanvasRenderingContext2D, a: Frame, view: View, ids: string[]): void {
    const list = ids.slice(0, TRAILS);
    if (!list.length) return;
    const steps = Math.round(TRAIL / STEP);
    const points = new Float32Array(3 * list.length);
    const lines: [number, number][][] = list.map(() => []);
    for (let back = 0; back <= steps; back++) {
      run.positions(view.time - back * STEP, list, a.origin, points);
      list.forEach((_, r) => {
        if (Number.isFinite(points[3 * r]) && project(view, points[3 * r], points[3 * r + 1], points[3 * r + 2], at)) lines[r].push([at[0], at[1]]);
      });
    }
    c.strokeStyle = css(view.light.palette.select);
    c.lineWidth = 1;
    c.beginPath();
    for (const line of lines) line.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.stroke();
  }

  return {
    id: "ghost",
    order: 200,
    title: "Ghost",
    on: true,
    fixed: true,
    create: (): Layer => ({
      update: (_frame, view) => run.look(view.time),
      overlay(c, a, view) {
        const ids: string[] = [];
        for (let k = 0; k < a.n; k++) if (view.selected[k]) ids.push(who.toB.get(a.roster.ids[k]) ?? "");
        c.save();
        c.globalAlpha = FAINT;
        crowd(c, a, view);
        trails(c, a, view, ids);
        c.globalAlpha = 1;
        rings(c, a, view, ids);
        c.restore();
      },
      show() {},
      dispose() {},
    }),
  };
}
