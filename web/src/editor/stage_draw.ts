// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the editor draws over the scene: curves of missions, handles, the shape under the pen, numbers while something moves, problems.
import type { Preview } from "./api.ts";
import type { Problem } from "./check.ts";
import type { Handle, V3 } from "./handles.ts";
import { valueAt, pathOf, type Path } from "./yaml_text.ts";

export type Project = (p: V3) => [number, number] | null;
export interface Scenery {
  width: number;
  height: number;
  project: Project;
  colours: Record<string, string>;
  preview: Preview | null;
  value: unknown; // the document
  selected: Path;
  handles: readonly Handle[];
  held: string; // key of the handle under the pointer or in the hand
  problems: readonly Problem[];
  pen: V3[]; // of the shape that is being drawn
  closed: boolean;
  cursor: V3 | null; // where a click would put something
  hint: string;
  hintAt: [number, number];
  stale: boolean;
}
export const RING = 44; // px from a vehicle to the knob that turns it
const CURVES = 24; // of the selected flock

export function readColours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const names = ["text", "text-2", "panel", "plate", "select", "accent", "bad", "warn", "line-strong", ...[0, 1, 2, 3, 4, 5].map((k) => `flock-${k}`)];
  return Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}
/** Where a turning knob stands: a fixed number of pixels from what it turns. */
export function knob(h: Handle, project: Project): [number, number] | null {
  if (h.role !== "turn") return project(h.at);
  const a = project(h.at);
  const b = project([h.at[0] + Math.cos(h.angle) * 0.5, h.at[1] + Math.sin(h.angle) * 0.5, h.at[2]]);
  if (!a || !b) return null;
  const d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [a[0] + ((b[0] - a[0]) / d) * RING, a[1] + ((b[1] - a[1]) / d) * RING];
}

export function drawStage(c: CanvasRenderingContext2D, v: Scenery): void {
  c.clearRect(0, 0, v.width, v.height);
  c.lineJoin = "round";
  c.globalAlpha = v.stale ? 0.5 : 1;
  curves(c, v);
  region(c, v);
  c.globalAlpha = 1;
  taken.length = 0;
  for (const h of [...v.handles].sort((a, b) => Number(b.key === v.held) - Number(a.key === v.held))) handle(c, v, h);
  pen(c, v);
  marks(c, v);
  if (v.hint) plate(c, v, v.hintAt[0] + 16, v.hintAt[1] - 24, v.hint, v.colours["select"]);
}
const taken: [number, number, number, number][] = []; // by labels, in this picture
/** A label where there is room for it; what is in the hand always has one. */
function label(c: CanvasRenderingContext2D, v: Scenery, x: number, y: number, text: string, must: boolean): void {
  const w = text.length * 7 + 12;
  if (!must && taken.some(([a, b, e, f]) => x < e && x + w > a && y - 10 < f && y + 10 > b)) return;
  taken.push([x, y - 10, x + w, y + 10]);
  plate(c, v, x, y, text, null);
}
function line(c: CanvasRenderingContext2D, points: readonly V3[], project: Project, closed = false): void {
  c.beginPath();
  let down = false;
  for (const p of closed ? [...points, points[0]] : points) {
    const at = project(p);
    if (!at) down = false;
    else if (down) c.lineTo(at[0], at[1]);
    else {
      c.moveTo(at[0], at[1]);
      down = true;
    }
  }
  c.stroke();
}
function curves(c: CanvasRenderingContext2D, v: Scenery): void {
  v.preview?.flocks.forEach((f, i) => {
    if (f.curve.length < 2) return;
    const on = v.selected[0] === "flocks" && v.selected[1] === i;
    const seen = new Set<string>();
    c.strokeStyle = v.colours[`flock-${i % 6}`];
    c.lineWidth = on ? 1.5 : 1;
    c.setLineDash([6, 4]);
    const before = c.globalAlpha;
    c.globalAlpha = before * (on ? 0.9 : 0.5);
    for (const centre of f.centres) {
      if (seen.size >= (on ? CURVES : 1)) break;
      if (seen.has(centre.join())) continue;
      seen.add(centre.join());
      line(c, f.curve.map((p): V3 => [p[0] + centre[0], p[1] + centre[1], p[2] + centre[2]]), v.project);
    }
    c.globalAlpha = before;
    c.setLineDash([]);
  });
}
/** The outline of the selected region as the text has it now, before the server has drawn it. */
function region(c: CanvasRenderingContext2D, v: Scenery): void {
  const corners = v.handles.filter((h) => h.role === "corner" || (h.role === "point" && h.title.startsWith("corner")));
  c.strokeStyle = v.colours["select"];
  c.lineWidth = 2;
  if (corners.length >= 3) line(c, corners.map((h): V3 => [h.at[0], h.at[1], corners[0].at[2]]), v.project, true);
  const round = v.selected[0] === "regions" ? v.handles.find((h) => h.role === "size") : undefined;
  if (round?.foot) line(c, circle(round.foot, Math.hypot(round.at[0] - round.foot[0], round.at[1] - round.foot[1])), v.project, true);
}
export const circle = (at: V3, r: number): V3[] => Array.from({ length: 64 }, (_, k): V3 => [at[0] + r * Math.cos((Math.PI * k) / 32), at[1] + r * Math.sin((Math.PI * k) / 32), at[2]]);

function handle(c: CanvasRenderingContext2D, v: Scenery, h: Handle): void {
  const at = knob(h, v.project);
  if (!at) return;
  const on = h.key === v.held || (h.role === "point" && v.selected.join() === h.path.join());
  const foot = h.role === "turn" ? v.project(h.at) : h.foot && v.project(h.foot);
  c.strokeStyle = v.colours["select"];
  c.lineWidth = 1;
  if (h.role === "turn" && foot) {
    c.beginPath();
    c.arc(foot[0], foot[1], RING, 0, 2 * Math.PI);
    c.globalAlpha = 0.5;
    c.stroke();
    c.globalAlpha = 1;
  }
  if (foot) {
    c.setLineDash([3, 3]);
    c.beginPath();
    c.moveTo(foot[0], foot[1]);
    c.lineTo(at[0], at[1]);
    c.stroke();
    c.setLineDash([]);
  }
  c.fillStyle = on ? v.colours["select"] : v.colours["panel"];
  c.lineWidth = 2;
  c.beginPath();
  const r = h.title === "position" ? 9 : on ? 7 : 5.5;
  if (h.role === "move") c.rect(at[0] - r, at[1] - r, 2 * r, 2 * r);
  else if (h.role === "height") [[0, -r - 2], [r, r], [-r, r]].forEach(([x, y], k) => (k ? c.lineTo(at[0] + x, at[1] + y) : c.moveTo(at[0] + x, at[1] + y)));
  else if (h.role === "size" || h.role === "count") [[0, -r - 1], [r + 1, 0], [0, r + 1], [-r - 1, 0]].forEach(([x, y], k) => (k ? c.lineTo(at[0] + x, at[1] + y) : c.moveTo(at[0] + x, at[1] + y)));
  else c.arc(at[0], at[1], r, 0, 2 * Math.PI);
  c.closePath();
  if (h.title !== "position") c.fill(); // a vehicle stays visible inside its handle
  c.stroke();
  if (on || h.role === "size" || h.role === "count" || h.role === "height" || h.role === "turn") label(c, v, at[0] + 10, at[1] - 10, h.title, on);
  else if (h.role === "point" && v.handles.length < 60) label(c, v, at[0] + 9, at[1] - 9, String(h.path.at(-1)), false);
}
function plate(c: CanvasRenderingContext2D, v: Scenery, x: number, y: number, text: string, edge: string | null): void {
  c.font = "600 12px system-ui, sans-serif";
  c.textBaseline = "middle";
  const w = c.measureText(text).width + 12;
  const left = Math.max(2, Math.min(v.width - w - 2, x));
  const top = Math.max(12, Math.min(v.height - 12, y));
  c.fillStyle = v.colours["plate"];
  c.beginPath();
  c.roundRect(left, top - 10, w, 20, 4);
  c.fill();
  if (edge) {
    c.strokeStyle = edge;
    c.lineWidth = 1;
    c.stroke();
  }
  c.fillStyle = v.colours["text"];
  c.fillText(text, left + 6, top + 0.5);
}
function pen(c: CanvasRenderingContext2D, v: Scenery): void {
  c.strokeStyle = v.colours["select"];
  c.lineWidth = 2;
  if (v.pen.length > 1) line(c, v.pen, v.project, v.closed);
  const at = v.cursor && v.project(v.cursor);
  if (!at) return;
  c.lineWidth = 1.5;
  c.beginPath();
  c.ellipse(at[0], at[1], 8, 4, 0, 0, 2 * Math.PI);
  c.moveTo(at[0] - 13, at[1]);
  c.lineTo(at[0] + 13, at[1]);
  c.moveTo(at[0], at[1] - 9);
  c.lineTo(at[0], at[1] + 9);
  c.stroke();
}

// ---------------------------------------------------------------- problems
/** Where in the world a problem is: at the flock or the region that it belongs to. */
export function spotOfProblem(p: Problem, v: Pick<Scenery, "preview" | "value">): V3 | null {
  const [list, i] = pathOf(p.field);
  if (typeof i !== "number") return null;
  if (list === "flocks") {
    const starts = v.preview?.flocks[i]?.starts;
    if (!starts?.length) return null;
    const mean = [0, 1, 2].map((k) => starts.reduce((a, s) => a + s[k], 0) / starts.length);
    return [mean[0], mean[1], mean[2]];
  }
  if (list !== "regions") return null;
  const numbers: number[][] = [];
  const walk = (x: unknown): void => {
    if (Array.isArray(x) && x.length >= 2 && x.every((y) => typeof y === "number")) numbers.push(x as number[]);
    else if (typeof x === "object" && x !== null) Object.values(x).forEach(walk);
  };
  walk(valueAt(v.value, ["regions", i]));
  return numbers.length ? [numbers.reduce((a, n) => a + n[0], 0) / numbers.length, numbers.reduce((a, n) => a + n[1], 0) / numbers.length, 0] : null;
}
function marks(c: CanvasRenderingContext2D, v: Scenery): void {
  let row = 0;
  for (const p of v.problems.slice(0, 8)) {
    const place = spotOfProblem(p, v);
    const at = (place && v.project(place)) ?? null;
    const inside = at && at[0] > 0 && at[0] < v.width && at[1] > 0 && at[1] < v.height;
    const [x, y] = inside ? at : [24, 68 + 24 * row++];
    const colour = v.colours[p.level === "error" ? "bad" : "warn"];
    plate(c, v, x + 14, y, `${inside ? "" : `line ${p.line}: `}${p.message.length > 60 ? `${p.message.slice(0, 58)}\u2026` : p.message}`, colour);
    c.fillStyle = colour;
    c.beginPath();
    if (p.level === "error") c.rect(x - 7, y - 7, 14, 14);
    else {
      c.moveTo(x, y - 9);
      c.lineTo(x + 9, y + 7);
      c.lineTo(x - 9, y + 7);
    }
    c.closePath();
    c.fill();
    c.fillStyle = v.colours["panel"];
    c.font = "700 11px system-ui, sans-serif";
    c.fillText("!", x - 2, y + 1);
  }
}
