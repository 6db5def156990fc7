// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where selected vehicles believe to be: a hollow body, the three-sigma ellipsoid of the position as rings and as an ellipse on the ground, and a
// thin line to where they are. It is drawn on the overlay, so that it reads the same in every quality and hides nothing.
import type { Scene } from "three";
import type { Frame } from "../source/source.ts";
import { css } from "../scene/theme.ts";
import { flockColour, floorUnder, project, type Layer, type View } from "../scene/view.ts";
import { believedAt, rootOf, spreadOf, type Believed } from "./told.ts";

const SIGMAS = 3;
const STEPS = 40; // of a ring
const DART = [[1, 0], [-0.85, 0.8], [-0.45, 0], [-0.85, -0.8]] as const; // forward, left
const BODY = 24; // px from which rotors are drawn

/** A body vector in the world. */
export function turned(q: readonly number[], x: number, y: number, z: number): [number, number, number] {
  const [w, i, j, k] = q;
  return [
    (1 - 2 * (j * j + k * k)) * x + 2 * (i * j - w * k) * y + 2 * (i * k + w * j) * z,
    2 * (i * j + w * k) * x + (1 - 2 * (i * i + k * k)) * y + 2 * (j * k - w * i) * z,
    2 * (i * k - w * j) * x + 2 * (j * k + w * i) * y + (1 - 2 * (i * i + j * j)) * z,
  ];
}

/** Offsets in m of three rings of the ellipsoid: about up, north and east where the axes are those of the world. */
export function ringsOf(covariance: readonly number[], steps = STEPS): [number, number, number][][] {
  const [a, b, e, d, f, g] = rootOf(covariance).map((x) => SIGMAS * x);
  return [[0, 1], [0, 2], [1, 2]].map(([i, j]) =>
    Array.from({ length: steps }, (_, k): [number, number, number] => {
      const u = [0, 0, 0];
      [u[i], u[j]] = [Math.cos((2 * Math.PI * k) / steps), Math.sin((2 * Math.PI * k) / steps)];
      return [a * u[0], b * u[0] + e * u[1], d * u[0] + f * u[1] + g * u[2]];
    }),
  );
}

export function estimateLayer(_scene: Scene): Layer {
  let on = false;
  const at = [0, 0];

  function ring(c: CanvasRenderingContext2D, view: View, points: readonly (readonly number[])[]): boolean {
    let first = true;
    for (const p of points) {
      if (!project(view, p[0], p[1], p[2], at)) return false;
      if (first) c.moveTo(at[0], at[1]);
      else c.lineTo(at[0], at[1]);
      first = false;
    }
    c.closePath();
    return true;
  }
  function body(c: CanvasRenderingContext2D, frame: Frame, view: View, k: number, b: Believed, place: readonly number[]): void {
    const flock = view.world.flocks[frame.roster.flock[k]];
    const size = flock?.size ?? 0.5;
    const perMetre = Math.max(view.screen[3 * k + 2], 1e-3);
    const half = Math.max(size / 2, view.minPixels / 2 / perMetre) * 1.1;
    const placed = (x: number, y: number, z: number): number[] => turned(b.attitude, x, y, z).map((v, i) => v + place[i]);
    ring(c, view, DART.map(([x, y]) => placed(x * half, y * half, 0)));
    if (size * perMetre < BODY) return;
    for (const [x, y, z] of flock?.rotors ?? []) {
      const radius = size / 6;
      ring(c, view, Array.from({ length: 12 }, (_, n) => placed(x + radius * Math.cos((Math.PI * n) / 6), y + radius * Math.sin((Math.PI * n) / 6), z)));
    }
  }
  function one(c: CanvasRenderingContext2D, frame: Frame, view: View, k: number, b: Believed): void {
    const place = b.position.map((x, i) => x - frame.origin[i]);
    const floor = floorUnder(view, frame.origin, place[0], place[1]) + 0.02;
    const colour = flockColour(view, frame.roster.flock[k]);
    const rings = ringsOf(b.covariance);
    c.strokeStyle = css(colour, 0.9);
    c.fillStyle = css(colour, 0.12);
    c.lineWidth = 1.5;
    c.beginPath();
    if (ring(c, view, rings[0].map((p) => [place[0] + p[0], place[1] + p[1], floor]))) c.fill();
    c.stroke();
    c.lineWidth = 1;
    c.strokeStyle = css(colour, 0.6);
    c.beginPath();
    for (const r of rings) ring(c, view, r.map((p) => p.map((x, i) => x + place[i])));
    c.stroke();
    c.strokeStyle = css(colour);
    c.lineWidth = 1.5;
    c.beginPath();
    body(c, frame, view, k, b, place);
    c.stroke();
    if (!project(view, place[0], place[1], place[2], at) || view.screen[3 * k + 2] <= 0) return;
    c.strokeStyle = css(view.light.palette.select);
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(at[0], at[1]);
    c.lineTo(view.screen[3 * k], view.screen[3 * k + 1]);
    c.stroke();
    if (view.selected[k] !== 2) return;
    const off = Math.hypot(...[0, 1, 2].map((i) => place[i] - frame.position[3 * k + i]));
    const spread = SIGMAS * spreadOf(b.covariance)[0];
    view.labels.text(at[0], at[1], `estimate ${off.toFixed(2)}\u2009m off, 3\u03c3 ${spread.toFixed(2)}\u2009m`, { away: 22, swatch: css(colour) });
  }

  return {
    update() {},
    overlay(c, frame, view) {
      if (!on || view.flat || frame.n === 0) return false;
      let drawn = 0;
      c.save();
      for (let k = 0; k < frame.n; k++) {
        if (!view.selected[k]) continue;
        const b = believedAt(view.estimates, frame.roster.ids[k], frame.time, view.world.tick);
        if (!b) continue;
        one(c, frame, view, k, b);
        drawn++;
      }
      c.restore();
      const why = drawn === 0 && view.noEstimates ? `Estimates: ${view.noEstimates}` : "";
      for (let y = 76; why && y < 240; y += 24) if (view.labels.text(view.width / 2, y, why, { centre: true })) break;
      return drawn > 0;
    },
    show(v) {
      on = v;
    },
    dispose() {},
  };
}
