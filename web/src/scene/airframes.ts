// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What each kind of vehicle looks like, from the measures that its airframe tells: arms and rotors, wings and tails, wheels. Measures that are
// not told are those of a usual machine of that span. The reference point is the centre of mass, a little behind the wing's leading edge.
import type { FlockInfo, Look, Rotor } from "../source/source.ts";
import { DARK, FRAME, HUE, Shape, type Station, type Vec } from "./shape.ts";

export function shapeOf(f: FlockInfo, detailed: boolean): Shape {
  const s = new Shape();
  const l = f.look;
  if (!l) multirotor(s, f, detailed);
  else if (l.kind === "car") car(s, l, f.size, detailed);
  else if (l.kind === "flying_wing") flyingWing(s, l, f, detailed);
  else aeroplane(s, l, f, detailed);
  return s;
}

// ---------------------------------------------------------------- with wings
const lifts = (r: Rotor): boolean => Math.abs(r[6] ?? 1) > 0.7; // its axis is upright; otherwise it pulls or pushes
const radiusOf = (r: Rotor, span: number): number => r[7] || span * (lifts(r) ? 0.12 : 0.08);

function wing(s: Shape, x: number, z: number, span: number, chord: number, sweep: number, rise: number, detailed: boolean): void {
  const [root, tip] = [1.2 * chord, 0.8 * chord];
  for (const side of [-1, 1]) {
    const at = (share: number): Vec => [x - (sweep + 0.2 * chord) * share, (side * share * span) / 2, z + rise * share];
    const width = (share: number): number => root + (tip - root) * share;
    if (!detailed) {
      s.panel(at(0), at(1), root, tip, 0.12, HUE);
      continue;
    }
    // The outer parts have the flock's colour, so that it is seen from above and below alike.
    s.panel(at(0), at(0.55), root, width(0.55), 0.12, FRAME);
    s.panel(at(0.55), at(1), width(0.55), tip, 0.12, HUE);
    // ailerons: a dark line along the outer trailing edge
    const hinge = (share: number): Vec => [at(share)[0] - 0.74 * width(share), at(share)[1], at(share)[2] + 0.036 * width(share)];
    s.panel(hinge(0.55), hinge(0.95), 0.02 * chord, 0.02 * chord, 0, DARK);
  }
}

function tail(s: Shape, l: Look, x: number, z: number, span: number, chord: number, detailed: boolean): void {
  const thick = detailed ? 0.08 : 0;
  const [half, c] = [0.17 * span, 0.62 * chord];
  if (l.tail === "v") {
    for (const side of [-1, 1]) s.panel([x, side * 0.01, z], [x - 0.3 * c, side * half * 0.85, z + half * 0.7], c * 1.1, c * 0.75, thick, HUE);
    return;
  }
  for (const side of [-1, 1]) s.panel([x, 0, z], [x - 0.2 * c, side * half, z], c, c * 0.75, thick, HUE);
  s.panel([x + 0.1 * c, 0, z], [x - 0.5 * c, 0, z + half * 0.72], c * 1.2, c * 0.65, thick, HUE);
}

/** Pods of engines and what they sweep; lifting rotors stand on booms along the body, one on each side. */
function propellers(s: Shape, rotors: readonly Rotor[], span: number, detailed: boolean): void {
  for (const r of rotors) {
    const radius = radiusOf(r, span);
    const axis: Vec = [r[4] ?? 0, r[5] ?? 0, r[6] ?? 1];
    if (lifts(r) && detailed) s.tube([r[0], r[1], r[2]], radius * 0.13, radius * 0.11, -radius * 0.35, 0, 10, DARK);
    else if (!lifts(r)) s.loft([[r[0] + radius * 0.28, r[2], radius * 0.02, radius * 0.02], [r[0], r[2], radius * 0.13, radius * 0.13]], detailed ? 8 : 3, DARK, r[1]);
    s.disc([r[0], r[1], r[2]], radius, r[3] || 1, axis);
  }
}
/** Where the booms of lifting rotors run, m from the middle; 0: there are none. */
function boomPlace(rotors: readonly Rotor[], span: number): number {
  const sides = rotors.filter((r) => lifts(r) && Math.abs(r[1]) > 0.02 * span);
  return sides.length ? sides.reduce((sum, r) => sum + Math.abs(r[1]), 0) / sides.length : 0;
}
function booms(s: Shape, rotors: readonly Rotor[], y: number, span: number, under: number, end: number): void {
  const reach = rotors.filter(lifts).map((r) => r[0]);
  for (const side of [-1, 1]) s.beam([Math.max(...reach, 0), side * y, under], [Math.min(...reach, end), side * y, under], 0.02 * span, 0.02 * span, DARK);
}

/** Legs down to where the airframe meets the ground, with wheels where it is near enough to see them. */
function gear(s: Shape, l: Look, span: number, boom: number, detailed: boolean): void {
  const radius = 0.022 * span;
  const hip = (y: number): number => (boom > 0 && Math.abs(y) > 0.7 * boom ? Math.sign(y) * boom : 0.45 * y); // under the body, or under its boom
  for (const [x, y, z] of detailed ? l.wheels : []) {
    s.beam([x, hip(y), 0], [x, y, z + radius], 0.012 * span, 0.012 * span, DARK, 0.8);
    s.wheel([x, y, z + radius], radius, 0.6 * radius, 12);
  }
}

function aeroplane(s: Shape, l: Look, f: FlockInfo, detailed: boolean): void {
  const span = l.span || f.size;
  const chord = l.chord || span / 9;
  const length = l.length || 0.62 * span;
  const wide = Math.max(0.036 * span, 0.2 * chord);
  const level = f.rotors.filter((r) => !lifts(r));
  const middle = level.filter((r) => Math.abs(r[1]) < 0.05 * span);
  const pull = middle.find((r) => r[0] > 0.5 * chord);
  const push = middle.find((r) => r[0] < -0.5 * chord);
  const nose = pull ? pull[0] : 0.4 * length;
  const end = Math.min(nose - length, push && push[0] < -0.4 * length ? push[0] + 0.01 * span : 0);
  // A propeller between wing and tail: the body ends before it, and two booms carry the tail round it.
  const parted = push !== undefined && push[0] > end + 0.2 * length;
  const back = parted ? push[0] + 0.01 * span : end;
  const sides = detailed ? 12 : 4;
  const rear: Station[] = parted ? [[back, 0.1 * wide, 0.45 * wide, 0.5 * wide]] : [[0.55 * back, 0.25 * wide, 0.5 * wide, 0.55 * wide], [back, 0.45 * wide, 0.18 * wide, 0.25 * wide]];
  s.loft([[nose, -0.1 * wide, 0.16 * wide, 0.18 * wide], [nose - 0.08 * length, -0.05 * wide, 0.72 * wide, 0.75 * wide], [0.25 * chord, 0, wide, 1.1 * wide], [-0.9 * chord, 0.05 * wide, 0.92 * wide, wide], ...rear], sides, FRAME);
  if (detailed) s.loft([[0.75 * chord, 0.65 * wide, 0.3 * wide, 0.1 * wide], [0.25 * chord, 0.95 * wide, 0.6 * wide, 0.4 * wide], [-0.35 * chord, 0.9 * wide, 0.55 * wide, 0.35 * wide]], 8, DARK);
  const high = 0.95 * wide;
  wing(s, 0.42 * chord, high, span, chord, 0, 0.015 * span, detailed);
  const root = end + 0.68 * chord;
  const lifting = boomPlace(f.rotors, span);
  if (parted) {
    const y = lifting || Math.max(0.11 * span, 1.15 * radiusOf(push, span));
    booms(s, f.rotors, y, span, high - 0.02 * span, end);
    for (const side of [-1, 1]) s.panel([root, side * y, high], [root - 0.15 * chord, l.tail === "v" ? 0 : side * y, high + (l.tail === "v" ? 0.9 * y : 0.12 * span)], 0.65 * chord, 0.5 * chord, detailed ? 0.08 : 0, HUE);
    if (l.tail !== "v") s.panel([root, -y, high], [root, y, high], 0.6 * chord, 0.6 * chord, detailed ? 0.08 : 0, HUE);
  } else {
    tail(s, l, root, 0.5 * wide, span, chord, detailed);
    if (lifting) booms(s, f.rotors, lifting, span, high - 0.02 * span, 0);
  }
  for (const r of level) if (!middle.includes(r)) s.loft([[r[0], r[2], 0.4 * wide, 0.4 * wide], [r[0] - 0.6 * chord, r[2], 0.3 * wide, 0.3 * wide]], detailed ? 8 : 4, FRAME, r[1]);
  gear(s, l, span, lifting, detailed);
  propellers(s, f.rotors, span, detailed);
}

function flyingWing(s: Shape, l: Look, f: FlockInfo, detailed: boolean): void {
  const span = l.span || f.size;
  const chord = l.chord || span / 5.5;
  const sweep = 0.42 * (span / 2); // of the leading edge, from the middle to a tip
  // The centre of mass lies ahead of the quarter chord of the mean chord, which sits halfway out.
  const front = sweep / 2 + 0.2 * chord;
  const [root, tip] = [1.35 * chord, 0.65 * chord];
  for (const side of [-1, 1]) {
    const at = (share: number): Vec => [front - sweep * share, (side * share * span) / 2, 0];
    const width = (share: number): number => root + (tip - root) * share;
    if (detailed) s.panel(at(0), at(0.5), root, width(0.5), 0.13, FRAME);
    s.panel(at(detailed ? 0.5 : 0), at(1), width(detailed ? 0.5 : 0), tip, 0.11, HUE);
    const edge = at(1);
    s.panel([edge[0] - 0.15 * tip, edge[1], -0.01 * span], [edge[0] - 0.6 * tip, edge[1] * 1.01, 0.085 * span], tip * 0.95, tip * 0.55, detailed ? 0.08 : 0, FRAME);
    if (detailed) s.panel([at(0.45)[0] - 0.78 * width(0.45), at(0.45)[1], 0.035 * chord], [at(0.95)[0] - 0.78 * width(0.95), at(0.95)[1], 0.025 * chord], 0.02 * chord, 0.02 * chord, 0, DARK);
  }
  const w = 0.045 * span;
  const end = Math.min(front - root, ...f.rotors.filter((r) => Math.abs(r[1]) < 0.05 * span && r[0] < 0).map((r) => r[0] + 0.005 * span));
  s.loft([[front + 0.3 * chord, 0, 0.15 * w, 0.12 * w], [front - 0.05 * chord, 0.05 * w, 0.75 * w, 0.6 * w], [front - 0.7 * chord, 0.25 * w, w, 0.9 * w], [end, 0.1 * w, 0.4 * w, 0.35 * w]], detailed ? 12 : 4, DARK);
  gear(s, l, span, 0, detailed);
  propellers(s, f.rotors, span, detailed);
}

// ---------------------------------------------------------------- with wheels
function car(s: Shape, l: Look, size: number, detailed: boolean): void {
  const base = l.wheelbase || 0.6 * size;
  const length = l.length || 1.6 * base;
  const track = 0.88 * (l.width || 0.4 * length);
  const ahead = l.toFront || base / 2; // the front axle
  const mid = ahead - base / 2;
  const radius = 0.125 * base;
  const floor = -l.height;
  const [wide, low] = [track - 0.1 * radius, floor + 0.7 * radius];
  const [front, rear] = [mid + 0.5 * length, mid - 0.5 * length];
  const body: [number, number][] = [[front, 1.5], [front - 0.05 * length, 2.2], [mid + 0.2 * length, 2.9], [mid - 0.4 * length, 3.1], [rear, 2.6]]; // place, height in wheel radii
  for (let k = 0; k + 1 < body.length; k++) {
    const [[x0, h0], [x1, h1]] = [body[k], body[k + 1]];
    const [z0, z1] = [floor + h0 * radius, floor + h1 * radius];
    const nose = k === 0 ? 0.88 : 1;
    const [w0, w1] = [(wide / 2) * nose, wide / 2];
    s.quad([x0, w0, z0], [x1, w1, z1], [x1, -w1, z1], [x0, -w0, z0], HUE);
    for (const side of [-1, 1]) {
      const [a, b, c, d]: Vec[] = [[x0, side * w0, low], [x0, side * w0, z0], [x1, side * w1, z1], [x1, side * w1, low]];
      if (side > 0) s.quad(a, b, c, d, HUE);
      else s.quad(d, c, b, a, HUE);
    }
  }
  const ends = [[front, 0.88, body[0][1], 1], [rear, 1, body[body.length - 1][1], -1]];
  for (const [x, share, h, way] of ends) {
    const [w, z] = [((wide * share) / 2) * way, floor + h * radius];
    const sill = low + 0.45 * (z - low); // bumpers are dark
    s.quad([x, -w, low], [x, w, low], [x, w, sill], [x, -w, sill], DARK);
    s.quad([x, -w, sill], [x, w, sill], [x, w, z], [x, -w, z], HUE);
  }
  // the cabin: glass all round, a roof in the colour of the body
  const [z, roof, inner] = [floor + 3 * radius, floor + 4.6 * radius, 0.42 * wide];
  const foot = [mid + 0.16 * length, mid - 0.36 * length];
  const top = [mid - 0.02 * length, mid - 0.26 * length];
  const ring = (x: number[], y: number, up: number): Vec[] => [[x[0], y, up], [x[1], y, up], [x[1], -y, up], [x[0], -y, up]];
  const [a, b] = [ring(foot, inner, z - 0.1 * radius), ring(top, inner * 0.82, roof)];
  for (let k = 0; k < 4; k++) s.quad(a[k], a[(k + 1) % 4], b[(k + 1) % 4], b[k], DARK);
  s.quad(b[0], b[1], b[2], b[3], HUE);
  for (const x of [ahead, ahead - base]) for (const side of [-1, 1]) s.wheel([x, side * (track / 2), floor + radius], radius, 0.6 * radius, detailed ? 20 : 8);
}

// ---------------------------------------------------------------- with rotors on arms, or nothing that turns
/** Rotor radius that leaves neighbours a little room. */
function rotorRadius(f: FlockInfo): number {
  let gap = Infinity;
  f.rotors.forEach((a, i) => f.rotors.forEach((b, j) => i < j && Math.hypot(a[0] - b[0], a[1] - b[1]) > 1e-3 && (gap = Math.min(gap, Math.hypot(a[0] - b[0], a[1] - b[1])))));
  return Number.isFinite(gap) ? gap * 0.44 : f.size * 0.25;
}

function multirotor(s: Shape, f: FlockInfo, detailed: boolean): void {
  const { rotors } = f;
  const arm = rotors.length ? Math.max(...rotors.map((r) => Math.hypot(r[0], r[1]))) : f.size / 2;
  const r = rotorRadius(f);
  const b = arm * (detailed ? 0.3 : 0.36);
  if (!rotors.length) {
    // Nothing turns (a balloon, an unknown kind): a body of the right size with a nose.
    const sides = detailed ? 16 : 6;
    s.tube([0, 0, 0], f.size * 0.2, f.size * 0.5, -f.size * 0.4, 0, sides, 1);
    s.tube([0, 0, 0], f.size * 0.5, f.size * 0.15, 0, f.size * 0.4, sides, 1);
  } else {
    s.beam([-b * 1.25, 0, 0], [b * 1.35, 0, 0], b * 1.3, b * 0.62, 0, 0.72);
    s.beam([b * 1.2, 0, b * 0.04], [b * 2.1, 0, -b * 0.04], b * 0.72, b * 0.4, 1, 0.25);
    s.beam([-b, 0, b * 0.36], [b * 0.9, 0, b * 0.33], b * 0.9, b * 0.16, 1, 0.8);
  }
  for (const [x, y, z, direction] of rotors) {
    const hub: Vec = [x, y, z];
    s.beam([x * 0.2, y * 0.2, 0], [x, y, z * 0.55], arm * (detailed ? 0.085 : 0.13), arm * (detailed ? 0.07 : 0.11), 3, 0.75);
    if (detailed) {
      s.tube(hub, arm * 0.075, arm * 0.065, -arm * 0.16, -arm * 0.02, 12, 0);
      s.tube(hub, arm * 0.03, arm * 0.012, -arm * 0.02, arm * 0.05, 8, x > 0 ? 1 : 3);
    }
    s.disc(hub, r, direction || 1);
  }
  if (detailed && rotors.length) {
    const drop = -arm * 0.75;
    for (const side of [-1, 1]) {
      s.beam([b * 0.7, side * b * 0.5, 0], [b * 0.8, side * b * 1.25, drop], arm * 0.045, arm * 0.045, 3);
      s.beam([-b * 0.7, side * b * 0.5, 0], [-b * 0.8, side * b * 1.25, drop], arm * 0.045, arm * 0.045, 3);
      s.beam([-b * 1.5, side * b * 1.25, drop], [b * 1.5, side * b * 1.25, drop], arm * 0.05, arm * 0.05, 3);
    }
    s.tube([-b * 0.2, 0, b * 0.4], b * 0.28, b * 0.22, 0, b * 0.3, 12, 3);
    s.tube([b * 0.9, 0, -b * 0.62], b * 0.22, b * 0.26, -b * 0.1, b * 0.25, 10, 3);
  }
}

