// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is told of a vehicle that is more than one body or has end effectors (`body` of a flock in schema/wire.json), and the shapes of its bodies: the central one with arms out to
// its joints, poles, plates, cylinders and cones, and each aircraft by itself.
import { shapeOf } from "../scene/airframes.ts";
import { DARK, FRAME, HUE, Shape, type Vec } from "../scene/shape.ts";
import { readShape, type FlockInfo, type Rotor } from "../source/source.ts";

export interface PartInfo {
  joint: Vec; // m, in the frame of the central body
  yaw: number; // rad
  link: "spherical" | "hinge" | "fixed";
  axis: Vec; // of a hinge, in the frame of the central body
  size: number; // m, tip to tip
  rotors: Rotor[];
  effectors: EffectorInfo[]; // in its own frame
}
export interface EffectorInfo {
  kind: "pole" | "plate" | "cylinder" | "cone";
  position: Vec; // m, of its root
  direction: Vec; // a unit vector, from its root to its tip; out of the mouth of a cone
  length: number; // m
  radius: number; // m; of a plate half of its edges, of a cone that of its bottom
  mouth: number; // m, radius of the mouth of a cone
}
export interface BodyInfo {
  centre: Vec | null; // m, edges of the central body; null: it is a multirotor
  parts: PartInfo[];
  effectors: EffectorInfo[];
  load: Vec | null; // m, edges of the box that hangs below it on a cable
}

const MOST = 8; // parts, and end effectors
const object = (x: unknown): Record<string, unknown> => (typeof x === "object" && x !== null ? (x as Record<string, unknown>) : {});
const list = (x: unknown): unknown[] => (Array.isArray(x) ? x.slice(0, MOST) : []);
const finite = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x) && Math.abs(x) < 1000;
const vec = (x: unknown): Vec | null => (Array.isArray(x) && x.length === 3 && x.every(finite) ? [x[0], x[1], x[2]] : null);
const unit = (v: Vec): Vec => {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : [1, 0, 0];
};
const oneOf = <T extends string>(words: readonly T[], x: unknown): T | undefined => words.find((w) => w === x);

function readPart(x: unknown): PartInfo[] {
  const o = object(x);
  const joint = vec(o["joint"]);
  const { rotors = [], size = 0.3 } = readShape(o);
  return joint ? [{ joint, yaw: finite(o["yaw"]) ? o["yaw"] : 0, link: oneOf(["hinge", "fixed"] as const, o["link"]) ?? "spherical", axis: unit(vec(o["axis"]) ?? [1, 0, 0]), size, rotors, effectors: list(o["effectors"]).flatMap(readEffector) }] : [];
}
function readEffector(x: unknown): EffectorInfo[] {
  const o = object(x);
  const kind = oneOf(["pole", "plate", "cylinder", "cone"] as const, o["kind"]);
  const position = vec(o["position"]);
  const [length, radius, mouth] = ["length", "radius", "mouth"].map((name) => (finite(o[name]) && o[name] > 0 ? o[name] : 0));
  return kind && position && length && radius ? [{ kind, position, direction: unit(vec(o["direction"]) ?? [1, 0, 0]), length, radius, mouth: mouth || 2 * radius }] : [];
}

/** A latch could hold it. */
export const docks = (body: BodyInfo): boolean => [body, ...body.parts].some((b) => b.effectors.some((e) => e.kind === "cone" || e.kind === "cylinder"));

const known = new WeakMap<object, BodyInfo | null>();
/** Null: it is one plain body, or nothing that is told of it makes sense. */
export function bodyOf(f: Pick<FlockInfo, "body"> | undefined): BodyInfo | null {
  if (typeof f?.body !== "object" || f.body === null) return null;
  let found = known.get(f.body);
  if (found === undefined) {
    const o = object(f.body);
    const parts = list(o["parts"]).flatMap(readPart);
    const effectors = list(o["effectors"]).flatMap(readEffector);
    const load = vec(o["load"]);
    found = parts.length + effectors.length || load ? { centre: parts.length ? (vec(o["centre"]) ?? [0.2, 0.2, 0.05]) : null, parts, effectors, load } : null;
    known.set(f.body, found);
  }
  return found;
}

// ---------------------------------------------------------------- shapes
const along = (a: Vec, d: Vec, way: number): Vec => [a[0] + d[0] * way, a[1] + d[1] * way, a[2] + d[2] * way];
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A round bar from a along a direction, or a frustum; its ends are closed, where asked for. */
function rod(s: Shape, a: Vec, d: Vec, length: number, r0: number, r1: number, sides: number, kind: number, ends = true): void {
  const u = unit(Math.abs(d[2]) > 0.9 ? cross([0, 1, 0], d) : cross([0, 0, 1], d));
  const v = cross(d, u);
  const b = along(a, d, length);
  const at = (p: Vec, r: number, k: number): Vec => {
    const angle = (2 * Math.PI * (k + 0.5)) / sides;
    return along(along(p, u, r * Math.cos(angle)), v, r * Math.sin(angle));
  };
  for (let k = 0; k < sides; k++) {
    s.quad(at(a, r0, k), at(a, r0, k + 1), at(b, r1, k + 1), at(b, r1, k), kind);
    if (!ends) continue;
    s.quad(at(b, r1, k), at(b, r1, k + 1), b, b, kind);
    s.quad(at(a, r0, k + 1), at(a, r0, k), a, a, kind);
  }
}

function effector(s: Shape, e: EffectorInfo, detailed: boolean): void {
  const { position: root, direction: d, length, radius: r } = e;
  const sides = detailed ? 12 : 6;
  if (e.kind === "plate") return s.beam(root, along(root, d, length), 2 * r, 2 * r, HUE);
  if (e.kind === "cone") {
    // what holds a cylinder: open at its mouth, which has the colour of the flock
    const rim = 0.85;
    const wide = r + (e.mouth - r) * rim;
    rod(s, root, d, rim * length, r, wide, sides, FRAME, false);
    rod(s, along(root, d, rim * length), d, (1 - rim) * length, wide, e.mouth, sides, HUE, false);
    return rod(s, root, d, 0, 0, r, sides, DARK, false);
  }
  const tip = Math.min(0.2 * length, e.kind === "pole" ? 2 * r : 0.15 * length);
  rod(s, root, d, length - tip, r, r, sides, DARK);
  rod(s, along(root, d, length - tip), d, tip, r, e.kind === "pole" ? 0.4 * r : 0.8 * r, sides, HUE);
}

function central(s: Shape, b: BodyInfo, detailed: boolean): void {
  const [x, y, z] = b.centre!;
  s.beam([-x / 2, 0, 0], [x / 2, 0, 0], y, z, FRAME);
  // the nose, and a lid in the colour of the flock
  s.beam([x / 2, 0, 0], [0.75 * x, 0, 0], 0.5 * y, 0.8 * z, HUE, 0.3);
  if (detailed) s.beam([-0.4 * x, 0, 0.55 * z], [0.4 * x, 0, 0.55 * z], 0.8 * y, 0.12 * z, HUE);
  const reach = Math.max(...b.parts.map((p) => Math.hypot(...p.joint)));
  const thick = Math.min(0.06 * reach, Math.max(0.4 * z, 0.02));
  for (const p of b.parts) {
    if (Math.hypot(...p.joint) > 1e-3) s.beam([0, 0, 0], p.joint, thick, thick, DARK, 0.7);
    s.tube(p.joint, 0.8 * thick, 0.8 * thick, -0.8 * thick, 0.8 * thick, detailed ? 10 : 4, p.link === "fixed" ? FRAME : DARK);
  }
}

/** The whole without its aircraft, then each aircraft in its own frame; null: it is one plain body. */
export function shapesOf(f: FlockInfo, detailed: boolean): Shape[] | null {
  const b = bodyOf(f);
  if (!b) return null;
  const s = b.centre ? new Shape() : shapeOf(f, detailed);
  if (b.centre) central(s, b, detailed);
  for (const e of b.effectors) effector(s, e, detailed);
  const aircraft = b.parts.map((p) => {
    const shape = shapeOf({ ...f, look: null, rotors: p.rotors, size: p.size }, detailed);
    for (const e of p.effectors) effector(shape, e, detailed);
    return shape;
  });
  return [s, ...aircraft];
}
