// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tools that put something new into the text: a vehicle, a waypoint, a region. What a region's shape is drawn like follows from the
// words of its schema; a shape without a gesture is made by the form.
import * as s from "../app/state.ts";
import { addItem, lastAirframe, valueNow } from "./hands.ts";
import { snap, type V3 } from "./handles.ts";
import * as m from "./model.ts";
import { fieldAt } from "./schema.ts";
import { circle, type Project } from "./stage_draw.ts";
import type { Path } from "./yaml_text.ts";

const NEAR = 13; // px: a click this near to the first corner closes an outline

// ---------------------------------------------------------------- what the schema and the text offer
type Gesture = "box" | "round" | "outline";
function gesture(kind: string): Gesture | null {
  const has = Object.keys((m.schema.value && fieldAt(m.schema.value, ["regions", 0, kind])?.schema.properties) ?? {});
  return has.includes("min") && has.includes("max") ? "box" : has.includes("radius") ? "round" : has.includes("corners") ? "outline" : null;
}
export const shapes = (): string[] => ((m.schema.value && fieldAt(m.schema.value, ["regions", 0])?.alternatives) ?? []).filter((k) => gesture(k) !== null);
/** The placement that is a list of positions, whatever the schema calls it. */
function listKind(): string | null {
  const f = m.schema.value && fieldAt(m.schema.value, ["flocks", 0, "vehicles"]);
  return f?.alternatives.find((a) => f.schema.properties?.[a]?.items?.properties?.["position"]) ?? null;
}
export function listOf(flock: number): Path | null {
  const kind = listKind();
  const path: Path = ["flocks", flock, "vehicles", kind ?? ""];
  return kind && Array.isArray(valueNow(path)) ? path : null;
}
/** The points of the selected flock's mission, and what they count from. */
export function pointsOf(): { path: Path; list: number[][]; base: V3 } | null {
  const [list, i] = m.selected.value;
  if (list !== "flocks" || typeof i !== "number") return null;
  const mission = valueNow(["flocks", i, "mission"]);
  for (const [kind, v] of Object.entries(typeof mission === "object" && mission !== null ? mission : {})) {
    const { points, centre } = (typeof v === "object" && v !== null ? v : {}) as { points?: unknown; centre?: unknown };
    if (Array.isArray(points)) return { path: ["flocks", i, "mission", kind, "points"], list: points as number[][], base: (Array.isArray(centre) ? centre : (m.preview.value?.flocks[i]?.centres[0] ?? [0, 0, 0])) as V3 };
  }
  return null;
}

// ---------------------------------------------------------------- putting things there
/** Into the selected flock when its vehicles are written one by one; else a new flock begins. */
function placeVehicle(p: V3): void {
  const [list, i] = m.selected.value;
  const own = list === "flocks" && typeof i === "number" ? listOf(i) : null;
  const kind = listKind();
  if (own) addItem(own, { position: p });
  else if (kind) addItem(["flocks"], { name: "placed", airframe: lastAirframe(), vehicles: { [kind]: [{ position: p }] } });
}
function addPoint(p: V3): void {
  const found = pointsOf();
  if (!found) return s.notify("info", "Select a flock whose mission has points first.", [], 4);
  const cut = (x: number): number => Number(x.toFixed(2));
  addItem(found.path, [cut(p[0] - found.base[0]), cut(p[1] - found.base[1]), found.list.at(-1)?.[2] ?? 5]);
}
function addRegion(kind: string, shape: unknown): void {
  if (addItem(["regions"], { name: kind, [kind]: shape })) m.tool.value = "select";
}

// ---------------------------------------------------------------- drawing
export interface Paper {
  project: Project;
  groundAt(x: number, y: number, z: number): V3 | null;
  floor(): number;
}
export class Pen {
  closed = false;
  cursor: V3 | null = null; // where a click would put something
  private points: V3[] = [];
  private start: V3 | null = null;
  private readonly paper: Paper;

  constructor(paper: Paper) {
    this.paper = paper;
  }
  private get kind(): string {
    return m.tool.value.startsWith("region:") ? m.tool.value.slice(7) : "";
  }
  private at(x: number, y: number, free: boolean): V3 | null {
    const z = this.paper.floor();
    const p = this.paper.groundAt(x, y, z);
    return p && [snap(p[0], free), snap(p[1], free), z];
  }
  outline(): V3[] {
    return this.cursor && this.points.length && !this.closed ? [...this.points, this.cursor] : this.points;
  }
  down(x: number, y: number, free: boolean): boolean {
    this.start = this.at(x, y, free);
    return this.start !== null;
  }
  /** What to say beside the pointer. */
  move(x: number, y: number, free: boolean): string {
    this.cursor = this.at(x, y, free);
    const [a, b] = [this.start, this.cursor];
    if (!b) return "";
    const how = this.kind ? gesture(this.kind) : null;
    if (!a || !how || how === "outline") return `E ${b[0]}  N ${b[1]}\u2009m`.replaceAll("-", "\u2212");
    const r = Math.hypot(b[0] - a[0], b[1] - a[1]);
    this.points = how === "box" ? [a, [b[0], a[1], a[2]], b, [a[0], b[1], a[2]]] : circle(a, r);
    this.closed = true;
    return how === "box" ? `${Math.abs(b[0] - a[0])} \u00d7 ${Math.abs(b[1] - a[1])}\u2009m` : `radius ${Number(r.toFixed(2))}\u2009m`;
  }
  up(x: number, y: number, free: boolean): void {
    const [a, p] = [this.start, this.at(x, y, free)];
    this.start = null;
    const { kind } = this;
    if (p && m.tool.value === "vehicle") placeVehicle(p);
    else if (p && m.tool.value === "waypoint") addPoint(p);
    else if (p && kind && gesture(kind) === "outline") return this.corner(p);
    else if (a && p && kind) this.spanned(kind, a, p);
    this.points = [];
  }
  private spanned(kind: string, a: V3, b: V3): void {
    const r = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const [low, high] = [[Math.min(a[0], b[0]), Math.min(a[1], b[1])], [Math.max(a[0], b[0]), Math.max(a[1], b[1])]];
    if (gesture(kind) === "box" && high[0] > low[0] && high[1] > low[1]) addRegion(kind, { min: low, max: high });
    else if (gesture(kind) === "round" && r >= 0.1) addRegion(kind, { centre: [a[0], a[1]], radius: Number(r.toFixed(2)) });
    else s.notify("info", "Drag to draw the region.", [], 3);
  }
  private corner(p: V3): void {
    const [first, here] = [this.points[0] && this.paper.project(this.points[0]), this.paper.project(p)];
    if (this.points.length >= 3 && first && here && Math.hypot(first[0] - here[0], first[1] - here[1]) < NEAR) return void this.finish();
    if (!this.points.some((q) => q[0] === p[0] && q[1] === p[1])) this.points.push(p);
    this.closed = false;
  }
  /** Closes an outline; false when none is being drawn. */
  finish(): boolean {
    const { kind } = this;
    if (!kind || gesture(kind) !== "outline" || !this.points.length) return false;
    if (this.points.length < 3) s.notify("info", "An outline needs three corners.", [], 3);
    else {
      const corners = this.points.map((p) => [p[0], p[1]]);
      this.points = [];
      addRegion(kind, { corners });
    }
    return true;
  }
  /** Gives up what is half drawn; false when nothing is. */
  drop(): boolean {
    const drawn = this.points.length > 0;
    this.points = [];
    this.start = null;
    return drawn;
  }
  clear(): void {
    this.drop();
    this.cursor = null;
  }
}
