// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario's regions: an outline on the ground, faint walls from floor to ceiling, and the name with its rule. The rule shows in the
// line as well as in the colour: keep in solid, keep out dashed over a hatched ground, a mark dotted. Walls without an end fade away.
import { BufferAttribute, BufferGeometry, LineSegments, Mesh, ShaderMaterial, type Scene } from "three";
import type { RegionInfo, WorldInfo } from "../../source/source.ts";
import { TINTED } from "../shaders.ts";
import { css, type Palette, type Rgb } from "../theme.ts";
import { project, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
attribute vec4 colour;
varying vec4 tint;
void main() {
  tint = colour;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const ROUND = 48; // corners of a circle
const NAMED = 24;
const WORDS = { mark: "", keep_in: "keep in", keep_out: "keep out" } as const;

type Point = readonly [number, number];
export function outline(r: RegionInfo): Point[] {
  if (r.radius <= 0) return r.corners;
  return Array.from({ length: ROUND }, (_, k): Point => [r.centre[0] + r.radius * Math.cos((2 * Math.PI * k) / ROUND), r.centre[1] + r.radius * Math.sin((2 * Math.PI * k) / ROUND)]);
}
const widest = (points: readonly Point[]): number => Math.max(...[0, 1].map((i) => Math.max(...points.map((p) => p[i])) - Math.min(...points.map((p) => p[i]))), 0.1);

/** Diagonal strokes inside an outline, however it is bent: every stroke enters and leaves it in pairs. */
export function hatch(points: readonly Point[], spacing: number): [Point, Point][] {
  const strokes: [Point, Point][] = [];
  const level = (p: Point): number => p[0] - p[1];
  const first = Math.ceil(Math.min(...points.map(level)) / spacing);
  const last = Math.floor(Math.max(...points.map(level)) / spacing);
  for (let k = first; k <= last; k++) {
    const c = (k + 1e-4) * spacing; // never exactly through a corner
    const hits: Point[] = [];
    points.forEach((a, i) => {
      const b = points[(i + 1) % points.length];
      if (level(a) > c === level(b) > c) return;
      const t = (c - level(a)) / (level(b) - level(a));
      hits.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
    });
    hits.sort((a, b) => a[0] - b[0]);
    for (let i = 0; i + 1 < hits.length; i += 2) strokes.push([hits[i], hits[i + 1]]);
  }
  return strokes;
}

/** Where the walls begin and end, and whether each end is a real one. */
export function span(r: RegionInfo, w: Pick<WorldInfo, "ground" | "hasGround">): { low: number; high: number; open: boolean } {
  const reach = Math.min(60, Math.max(8, 0.25 * widest(outline(r))));
  const low = Math.max(r.floor ?? (w.hasGround ? w.ground : (r.ceiling ?? reach) - reach), w.hasGround ? w.ground : -Infinity);
  return { low, high: r.ceiling === null ? low + reach : Math.max(low, r.ceiling), open: r.ceiling === null };
}
const colourOf = (r: RegionInfo, p: Palette): Rgb => (r.rule === "keep_out" ? p.bad : r.rule === "keep_in" ? p.accent : p.text2);
const titleOf = (r: RegionInfo): string => (WORDS[r.rule] ? `${r.name} \u00b7 ${WORDS[r.rule]}` : r.name);

class Ink {
  readonly position: number[] = [];
  readonly colour: number[] = [];
  put(p: Point, u: number, c: Rgb, alpha: number): void {
    this.position.push(p[0], p[1], u);
    this.colour.push(c[0], c[1], c[2], alpha);
  }
  /** Cut into pieces, because software renderers drop a line as a whole when one end is behind the eye; `on` of each pair are drawn. */
  line(a: Point, b: Point, u: number, c: Rgb, alpha: number, piece: number, on: number): void {
    const n = 2 * Math.min(64, Math.max(1, Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]) / piece / 2)));
    const at = (t: number): Point => [a[0] + ((b[0] - a[0]) * t) / n, a[1] + ((b[1] - a[1]) * t) / n];
    for (let k = 0; k < n; k += 2) {
      this.put(at(k), u, c, alpha);
      this.put(at(k + 2 * on), u, c, alpha);
    }
  }
  into(geometry: BufferGeometry): void {
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute("colour", new BufferAttribute(new Float32Array(this.colour), 4));
  }
}
function build(r: RegionInfo, w: WorldInfo, palette: Palette, lines: Ink, walls: Ink): void {
  const points = outline(r);
  const c = colourOf(r, palette);
  const { low, high, open } = span(r, w);
  const wide = widest(points);
  const [piece, on] = r.rule === "keep_in" ? [wide / 8, 1] : r.rule === "keep_out" ? [wide / 40, 0.6] : [wide / 80, 0.3];
  const foot = w.hasGround ? w.ground : low;
  points.forEach((a, k) => {
    const b = points[(k + 1) % points.length];
    lines.line(a, b, foot, c, 1, piece, on);
    if (low > foot) lines.line(a, b, low, c, 0.7, piece, on);
    if (!open && high > low) lines.line(a, b, high, c, 0.7, piece, on);
    if (r.radius <= 0 || k % (ROUND / 4) === 0) for (const [u, alpha] of [[low, 0.6], [high, open ? 0 : 0.6]]) lines.put(a, u, c, alpha);
    const fill = r.rule === "keep_out" ? 0.14 : 0.08;
    for (const [p, u] of [[a, low], [b, low], [b, high], [a, low], [b, high], [a, high]] as [Point, number][]) walls.put(p, u, c, u === low ? fill : open ? 0 : fill * 0.4);
  });
  if (r.rule === "keep_out") for (const [a, b] of hatch(points, wide / 16)) lines.line(a, b, foot, c, 0.55, wide / 8, 1);
}

export const regions: Renderable = {
  id: "regions",
  order: 20,
  title: "Regions",
  key: "Shift+A",
  icon: "M2 4.5 8 2l6 3-1.5 8L5 14zM4 11l7-8M6 13l7-8",
  on: true,
  create(scene: Scene): Layer {
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: TINTED, transparent: true, depthWrite: false, side: 2 });
    const lines = new LineSegments(new BufferGeometry(), material);
    const walls = new Mesh(new BufferGeometry(), material);
    for (const o of [walls, lines]) o.frustumCulled = false;
    scene.add(walls, lines);
    let on = true;
    let made: unknown[] = [];
    const at = [0, 0];

    function rebuild(view: View): void {
      const w = view.world;
      const key = [w.regions, w.ground, w.hasGround, view.light.palette.bad];
      if (key.every((x, i) => x === made[i])) return;
      made = key;
      const [ink, fill] = [new Ink(), new Ink()];
      for (const r of w.regions) build(r, w, view.light.palette, ink, fill);
      for (const [o, from] of [[lines, ink], [walls, fill]] as const) {
        o.geometry.dispose();
        o.geometry = new BufferGeometry();
        from.into(o.geometry);
      }
    }
    /** The rim's highest place on the screen carries the name, so that it stands clear of what flies inside. */
    function name(r: RegionInfo, origin: readonly number[], view: View): void {
      const { high } = span(r, view.world);
      let [x, y] = [0, Infinity];
      for (const p of outline(r)) {
        if (!project(view, p[0] - origin[0], p[1] - origin[1], high - origin[2], at) || at[0] < 0 || at[0] > view.width || at[1] < 0 || at[1] >= Math.min(y, view.height)) continue;
        [x, y] = at;
      }
      if (y < Infinity) view.labels.text(x, y, titleOf(r), { swatch: css(colourOf(r, view.light.palette)) });
    }
    return {
      update(frame, view) {
        const shown = on && !view.flat && view.world.regions.length > 0;
        lines.visible = walls.visible = shown;
        if (!shown) return;
        rebuild(view);
        for (const o of [lines, walls]) o.position.set(-frame.origin[0], -frame.origin[1], -frame.origin[2]);
      },
      draw2d(c, frame, view) {
        if (!on) return;
        const o = frame.origin;
        const put = (p: Point, first: boolean): void => {
          project(view, p[0] - o[0], p[1] - o[1], view.ground, at);
          if (first) c.moveTo(at[0], at[1]);
          else c.lineTo(at[0], at[1]);
        };
        for (const r of view.world.regions) {
          const points = outline(r);
          const colour = colourOf(r, view.light.palette);
          c.beginPath();
          points.forEach((p, k) => put(p, k === 0));
          c.closePath();
          c.fillStyle = css(colour, 0.06);
          if (r.rule !== "keep_in") c.fill();
          c.strokeStyle = css(colour);
          c.lineWidth = 1.5;
          c.setLineDash(r.rule === "keep_in" ? [] : r.rule === "keep_out" ? [8, 5] : [2, 4]);
          c.stroke();
          c.setLineDash([]);
          if (r.rule !== "keep_out") continue;
          c.strokeStyle = css(colour, 0.45);
          c.beginPath();
          for (const [a, b] of hatch(points, widest(points) / 16)) {
            put(a, true);
            put(b, false);
          }
          c.stroke();
        }
      },
      overlay(_c, frame, view) {
        if (on && !view.flat && view.camera.mode !== "cockpit") for (const r of view.world.regions.slice(0, NAMED)) name(r, frame.origin, view);
        return false;
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(lines, walls);
        for (const o of [lines, walls]) o.geometry.dispose();
        material.dispose();
      },
    };
  },
};
