// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What can be taken hold of in the scene. Handles follow the words of the schema (origin, centre, radius, spacing, count, points, corners,
// min and max, heading): a new kind that uses them can be dragged without a line here. Each handle says what the text becomes.
import type { Preview } from "./api.ts";
import type { Ghost } from "./preview.ts";
import { valueAt, type Path } from "./yaml_text.ts";

export type V3 = [number, number, number];
export interface Edit {
  path: Path;
  value: unknown;
}
export interface Handle {
  key: string;
  role: "move" | "point" | "corner" | "size" | "turn" | "height" | "count";
  title: string;
  path: Path; // what it belongs to, for the selection
  at: V3; // of a turn: what it turns about
  angle: number; // rad, of a turn
  foot: V3 | null; // from where a line leads to it
  put(p: V3, free: boolean): Edit[];
  type(numbers: readonly number[]): Edit[];
  numbers(edits: readonly Edit[]): string; // what is shown while it moves
  ghost: ((p: V3, edits: readonly Edit[]) => Ghost) | null;
}
export interface Ground {
  value: unknown; // the document
  preview: Preview | null;
  has(path: Path): ReadonlySet<string>; // fields that the schema knows there
}

const MOST = 400;
const isVec = (v: unknown, n: number): v is number[] => Array.isArray(v) && v.length === n && v.every((x) => typeof x === "number" && Number.isFinite(x));
const asMap = (v: unknown): Record<string, unknown> => (typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Record<string, unknown>) : {});
const num = (v: unknown, other: number): number => (typeof v === "number" && Number.isFinite(v) ? v : other);
const vec = (v: unknown): V3 | null => (isVec(v, 3) ? [v[0], v[1], v[2]] : isVec(v, 2) ? [v[0], v[1], 0] : null);
const cut = (x: number): number => Math.round(x * 100) / 100 + 0;
export const snap = (x: number, free: boolean): number => (free ? cut(x) : Math.round(x) + 0);
/** Sizes snap to a metre when they are large, to less when they are small. */
export function snapSize(x: number, free: boolean): number {
  if (free) return cut(x);
  const step = x >= 5 ? 1 : x >= 1 ? 0.25 : 0.05;
  return cut(Math.max(step, Math.round(x / step) * step));
}
const away = (a: V3, b: V3): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const plus = (a: V3, b: readonly number[]): V3 => [a[0] + b[0], a[1] + b[1], a[2] + (b[2] ?? 0)];
const text = (x: unknown): string => (typeof x === "number" ? String(Number(x.toFixed(2))) : String(x)).replace("-", "\u2212");
const showVec = (v: unknown): string => (Array.isArray(v) ? `${v.map((x, i) => `${"ENU"[i]} ${text(x)}`).join("  ")}\u2009m` : text(v));
const word = (name: string, unit: string) => (edits: readonly Edit[]): string => `${name} ${text(edits[0]?.value)}${unit ? `\u2009${unit}` : ""}`;
const NONE = { angle: 0, foot: null, ghost: null };

/** A place that is written as two or three numbers; `base` is what they count from. */
function place(role: "move" | "point" | "corner", path: Path, base: V3, v: number[], title: string, ghost: Handle["ghost"] = null): Handle {
  const to = (p: V3, free: boolean): number[] => [snap(p[0] - base[0], free), snap(p[1] - base[1], free), ...(v.length > 2 ? [p[2] === base[2] + v[2] ? v[2] : snap(p[2] - base[2], free)] : [])];
  return {
    ...NONE, key: `${path.join(".")}:${role}`, role, title, path, at: plus(base, v), ghost,
    put: (p, free) => [{ path, value: to(p, free) }],
    type: (n) => [{ path, value: v.map((x, i) => n[i] ?? x) }],
    numbers: (e) => showVec(e[0]?.value),
  };
}
function size(path: Path, about: V3, at: V3, factor: number, title: string, least: number, ghost: Handle["ghost"] = null): Handle {
  return {
    ...NONE, key: `${path.join(".")}:size`, role: "size", title, path: path.slice(0, -1), at, foot: about, ghost,
    put: (p, free) => [{ path, value: Math.max(least, snapSize(away(p, about) * factor, free)) }],
    type: (n) => (n[0] > 0 ? [{ path, value: n[0] }] : []),
    numbers: word(title, "m"),
  };
}
function height(path: Path, at: V3, zero: number, title: string): Handle {
  return {
    ...NONE, key: `${path.join(".")}:height`, role: "height", title, path: path.slice(0, -1), at, foot: [at[0], at[1], zero],
    put: (p, free) => [{ path, value: free ? cut(p[2] - zero) : Math.round((p[2] - zero) * 2) / 2 + 0 }],
    type: (n) => [{ path, value: n[0] }],
    numbers: word(title, "m"),
  };
}
/** An angle from east towards north, under its name or its name with _deg: whichever is written. */
function turn(map: Path, name: string, given: Record<string, unknown>, other: number, about: V3, ghost: ((turn: number, about: V3) => Ghost) | null): Handle {
  const radians = name in given;
  const now = radians ? num(given[name], 0) : `${name}_deg` in given ? (num(given[`${name}_deg`], 0) * Math.PI) / 180 : other;
  const path = [...map, radians ? name : `${name}_deg`];
  const made = (deg: number): Edit[] => [{ path, value: radians ? Number(((deg * Math.PI) / 180).toFixed(4)) : deg }];
  const wrapped = (deg: number): number => ((((deg + 180) % 360) + 360) % 360) - 180 + 0;
  return {
    ...NONE, key: `${path.join(".")}:turn`, role: "turn", title: name, path: map, at: about, angle: now,
    put: (p, free) => made(wrapped(Math.round(((Math.atan2(p[1] - about[1], p[0] - about[0]) * 180) / Math.PI) / (free ? 1 : 5)) * (free ? 1 : 5))),
    type: (n) => made(n[0]),
    numbers: word(name, radians ? "rad" : "\u00b0"),
    ghost: ghost && ((_p, e) => ghost((radians ? (e[0].value as number) : ((e[0].value as number) * Math.PI) / 180) - now, about)),
  };
}

// ---------------------------------------------------------------- a map with shapes in it
interface Shape {
  map: Path;
  given: Record<string, unknown>;
  has: ReadonlySet<string>;
  base: V3; // where it is when it does not say so itself
  z: number; // of two-dimensional places
  ghosts: { shift(d: V3): Ghost; scale(k: number, about: V3): Ghost; turn(a: number, about: V3): Ghost } | null;
}
function shapeHandles(s: Shape): Handle[] {
  const { map, given, has, ghosts } = s;
  const found: Handle[] = [];
  const own = (["origin", "centre"] as const).find((k) => has.has(k) && (k === "origin" || vec(given[k])));
  const flat = own && isVec(given[own], 2);
  const home: V3 = own ? (vec(given[own]) ?? [0, 0, 0]) : s.base;
  const centre: V3 = flat ? [home[0], home[1], s.z] : own === "centre" ? plus(home, [0, 0, num(given["height"], 0)]) : home;
  if (own) {
    const lift: V3 = [0, 0, flat ? s.z : centre[2] - home[2]];
    found.push(place("move", [...map, own], lift, flat ? (given[own] as number[]) : home, own, ghosts && own === "origin" ? (_p, e) => ghosts.shift(delta(e[0].value, home)) : null));
  }
  const lengths: [string, V3, number][] = [["radius", [1, 0, 0], 1], ["length", [0.5, 0, 0], 2], ["width", [0, 0.5, 0], 2]];
  for (const [name, along, factor] of lengths) {
    const v = given[name];
    if (!has.has(name) || typeof v !== "number") continue;
    found.push(size([...map, name], centre, plus(centre, along.map((a) => a * v)), factor, name, 0.01, ghosts && own === "origin" ? (_p, e) => ghosts.scale((e[0].value as number) / v, centre) : null));
  }
  found.push(...crowdHandles(s, centre));
  if (has.has("heading")) found.push(turn(map, "heading", given, 0, centre, ghosts && ((a, about) => ghosts.turn(a, about))));
  for (const name of ["points", "corners"]) if (has.has(name) && Array.isArray(given[name])) found.push(...pointHandles([...map, name], given[name] as unknown[], s, own === "centre" ? home : s.base));
  const [low, high] = [given["min"], given["max"]];
  if (has.has("min") && has.has("max") && vec(low) && vec(high)) found.push(...boxHandles(map, low as number[], high as number[], s.z));
  if (has.has("height") && own !== "origin" && !has.has("points")) found.push(height([...map, "height"], [centre[0], centre[1], own ? centre[2] : s.base[2]], (own ? centre[2] : s.base[2]) - num(given["height"], 1.5), "height"));
  return found;
}
const delta = (v: unknown, from: V3): V3 => (isVec(v, 3) ? [v[0] - from[0], v[1] - from[1], v[2] - from[2]] : [0, 0, 0]);
/** How many and how near: spacing pulls the crowd apart, count makes it larger at the same spacing. */
function crowdHandles(s: Shape, centre: V3): Handle[] {
  const { map, given, has, ghosts } = s;
  const found: Handle[] = [];
  const count = num(given["count"], 1);
  const spacing = num(given["spacing"], 1);
  const spread = Math.max(1, Math.sqrt(count) / 2); // reach in spacings
  if (has.has("spacing")) found.push(size([...map, "spacing"], centre, plus(centre, [spacing * spread, 0, 0]), 1 / spread, "spacing", 0.01, ghosts && ((_p, e) => ghosts.scale((e[0].value as number) / spacing, centre))));
  const reach = has.has("spacing") ? spacing * spread : has.has("radius") ? num(given["radius"], 1) * 1.3 : 0;
  if (has.has("count") && reach > 0) {
    const path = [...map, "count"];
    const power = has.has("spacing") ? 2 : 1;
    found.push({
      ...NONE, key: `${path.join(".")}:count`, role: "count", title: "count", path: map, at: plus(centre, [0, -reach, 0]), foot: centre,
      put: (p) => [{ path, value: Math.max(1, Math.min(100_000, Math.round(count * (away(p, centre) / reach) ** power))) }],
      type: (n) => (n[0] >= 1 ? [{ path, value: Math.round(n[0]) }] : []),
      numbers: word("count", ""),
    });
  }
  return found;
}
function pointHandles(path: Path, list: unknown[], s: Shape, base: V3): Handle[] {
  const found = list.slice(0, MOST).flatMap((v, k) => (isVec(v, 3) ? [place("point", [...path, k], base, v, `point ${k}`)] : isVec(v, 2) ? [place("point", [...path, k], [0, 0, s.z], v, `corner ${k}`)] : []));
  const flat = list.filter((v) => isVec(v, 2)) as number[][];
  if (flat.length < 3) return found;
  const middle: V3 = [flat.reduce((a, v) => a + v[0], 0) / flat.length, flat.reduce((a, v) => a + v[1], 0) / flat.length, s.z];
  return [...found, together([...path], middle, (d) => [{ path, value: flat.map((v) => [cut(v[0] + d[0]), cut(v[1] + d[1])]) }])];
}
/** One handle that takes several places along. */
function together(path: Path, at: V3, by: (d: V3) => Edit[]): Handle {
  return {
    ...NONE, key: `${path.join(".")}:together`, role: "move", title: "all of it", path: path.slice(0, -1), at,
    put: (p, free) => by([snap(p[0] - at[0], free), snap(p[1] - at[1], free), 0]),
    type: (n) => by([(n[0] ?? at[0]) - at[0], (n[1] ?? at[1]) - at[1], 0]),
    numbers: (e) => (e[0] ? `moved` : ""),
  };
}
function boxHandles(map: Path, low: number[], high: number[], z: number): Handle[] {
  const [zLow, zHigh] = [low[2] ?? z, high[2] ?? z];
  const corner = (i: 0 | 1, j: 0 | 1): Handle => {
    const ends = [low, high];
    const at: V3 = [ends[i][0], ends[j][1], i + j === 2 ? zHigh : zLow];
    const made = (e: number, n: number): Edit[] => {
      const [a, b] = [[...low], [...high]];
      [a, b][i][0] = i ? Math.max(e, cut(low[0] + 0.1)) : Math.min(e, cut(high[0] - 0.1));
      [a, b][j][1] = j ? Math.max(n, cut(low[1] + 0.1)) : Math.min(n, cut(high[1] - 0.1));
      return [{ path: [...map, "min"], value: a }, { path: [...map, "max"], value: b }];
    };
    return { ...NONE, key: `${map.join(".")}:corner${i}${j}`, role: "corner", title: "corner", path: map, at, put: (p, free) => made(snap(p[0], free), snap(p[1], free)), type: (n) => made(n[0], n[1] ?? ends[j][1]), numbers: (e) => `${text((e[1].value as number[])[0] - (e[0].value as number[])[0])} \u00d7 ${text((e[1].value as number[])[1] - (e[0].value as number[])[1])}\u2009m` };
  };
  const middle: V3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, zLow];
  const all = together([...map, "min"], middle, (d) => [{ path: [...map, "min"], value: low.map((x, k) => cut(x + d[k])) }, { path: [...map, "max"], value: high.map((x, k) => cut(x + d[k])) }]);
  return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), { ...all, path: map }];
}

// ---------------------------------------------------------------- flocks and regions
const kindOf = (map: unknown): string | null => Object.entries(asMap(map)).find(([, v]) => typeof v === "object" && v !== null)?.[0] ?? null;

export function flockHandles(g: Ground, i: number, selected: Path): Handle[] {
  const root: Path = ["flocks", i];
  const flock = asMap(valueAt(g.value, root));
  const seen = g.preview?.flocks[i];
  const found: Handle[] = [];
  const ghost = (part: Partial<Ghost>): Ghost => ({ flock: i, index: -1, shift: [0, 0, 0], scale: 1, about: [0, 0, 0], turn: 0, ...part });
  const kind = kindOf(flock["vehicles"]);
  const own = kind ? asMap(flock["vehicles"])[kind] : null;
  if (kind && Array.isArray(own)) {
    const yaw = "yaw_deg" in flock ? (num(flock["yaw_deg"], 0) * Math.PI) / 180 : num(flock["yaw"], 0);
    own.forEach((x, k) => {
      if (k >= MOST && selected[4] !== k) return;
      const entry = asMap(x);
      const at = vec(entry["position"]);
      if (!at) return;
      const path = [...root, "vehicles", kind, k];
      found.push({ ...place("move", [...path, "position"], [0, 0, 0], at, "position", (_p, e) => ghost({ index: k, shift: delta(e[0].value, at), about: at })), path });
      if (selected.length === path.length && selected[4] === k) found.push(turn(path, "yaw", entry, yaw, at, (a) => ghost({ index: k, turn: a, about: at })));
    });
  } else if (kind) {
    const map = [...root, "vehicles", kind];
    const ghosts = { shift: (d: V3) => ghost({ shift: d }), scale: (k: number, about: V3) => ghost({ scale: k, about }), turn: (a: number, about: V3) => ghost({ turn: a, about }) };
    found.push(...shapeHandles({ map, given: asMap(own), has: g.has(map), base: [0, 0, 0], z: 0, ghosts }));
  }
  const flown = kindOf(flock["mission"]);
  if (flown) {
    const map = [...root, "mission", flown];
    const base: V3 = seen?.centres[0] ?? [0, 0, 0];
    found.push(...shapeHandles({ map, given: asMap(asMap(flock["mission"])[flown]), has: g.has(map), base, z: base[2], ghosts: null }));
  }
  return found;
}
export function regionHandles(g: Ground, i: number): Handle[] {
  const root: Path = ["regions", i];
  const region = asMap(valueAt(g.value, root));
  const kind = kindOf(region);
  if (!kind) return [];
  const map = [...root, kind];
  const ground = g.preview?.ground ?? 0;
  const z = Math.max(ground, num(region["floor"], ground));
  const found = shapeHandles({ map, given: asMap(region[kind]), has: g.has(map), base: [0, 0, z], z, ghosts: null });
  const middle = found.find((h) => h.role === "move")?.at;
  if (middle) for (const name of ["floor", "ceiling"]) if (typeof region[name] === "number") found.push(height([...root, name], [middle[0], middle[1], region[name]], 0, name));
  return found;
}
export function handlesOf(g: Ground, selected: Path): Handle[] {
  const [list, i] = selected;
  if (typeof i !== "number") return [];
  if (list === "flocks") return flockHandles(g, i, selected);
  return list === "regions" ? regionHandles(g, i) : [];
}
