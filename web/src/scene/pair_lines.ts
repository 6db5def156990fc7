// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Thin lines between two vehicles each, for layers that say who knows of whom. A line is strong at the one that hears or sees and fades
// towards the other, so that what goes one way only is told from what goes both ways; those of the selected vehicle stand out. They lie under
// vehicles and labels and go through hills: they are knowledge, not things.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, ShaderMaterial, Sphere, Vector3, type Scene } from "three";
import type { Frame, Swarm } from "../source/source.ts";
import { css, type Rgb } from "./theme.ts";
import { project, type Layer, type View } from "./view.ts";

const VERTEX = `
attribute vec2 ink; // how strong, and where on the line
attribute float grade;
varying vec2 tint;
varying float good;
void main() {
  tint = ink;
  good = grade;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 colour, chosen, ok, warn, bad;
uniform float dashes;
varying vec2 tint;
varying float good;
void main() {
  // how good a link is shows in its pattern as well as in its colour: solid, dashed, dotted
  float n = good > 2.5 ? 40.0 : good > 1.5 ? 14.0 : dashes;
  if (n > 0.0 && fract(tint.y * n) > (good > 2.5 ? 0.4 : 0.55)) discard;
  vec3 plain = good > 2.5 ? bad : good > 1.5 ? warn : good > 0.5 ? ok : colour;
  gl_FragColor = vec4(tint.x > 1.0 ? chosen : plain, min(tint.x > 1.0 ? tint.x - 1.0 : tint.x, 1.0) * mix(1.0, 0.3, tint.y));
}`;
const CROWD = 300; // more lines than this are drawn fainter

/** Pairs of places as the server tells them, and those of the selected vehicle, which are never thinned out. */
export interface Knowledge {
  all: number;
  of: readonly number[];
  own: readonly number[];
  who: number; // slot of the selected vehicle, -1 none
  quality?: readonly number[]; // percent, of each pair; -1: not known
  ownQuality?: readonly number[];
}
export type Pick = (swarm: Swarm) => { pairs: Swarm["links"]; own: readonly number[]; ownQuality?: readonly number[] };

/** 0 not known, 1 good, 2 fair, 3 poor: by how much of what is said arrives. */
export const gradeOf = (percent: number | undefined): number => (percent === undefined || percent < 0 ? 0 : percent >= 80 ? 1 : percent >= 50 ? 2 : 3);

export function knowledge(swarm: Swarm | null, frame: Frame, pick: Pick): Knowledge | null {
  if (!swarm || swarm.roster !== frame.roster.version) return null;
  const { pairs, own, ownQuality } = pick(swarm);
  return pairs ? { ...pairs, own, ownQuality, who: (swarm.decision && frame.roster.slotOf.get(swarm.decision.id)) ?? -1 } : null;
}
/** Writes two places per line and how strong each end is (above 1: of the selected vehicle); returns how many lines. */
export function fillLines(k: Knowledge, frame: Frame, strength: number, position: Float32Array, ink: Float32Array, grade?: Float32Array): number {
  let n = 0;
  const faint = k.all > CROWD ? strength / 2 : strength;
  const line = (a: number, b: number, ends: number, percent: number | undefined): void => {
    if (a >= frame.n || b >= frame.n || 6 * n + 6 > position.length) return;
    for (let i = 0; i < 3; i++) {
      position[6 * n + i] = frame.position[3 * a + i];
      position[6 * n + 3 + i] = frame.position[3 * b + i];
    }
    grade?.fill(gradeOf(percent), 2 * n, 2 * n + 2);
    ink.set([ends, 0, ends, 1], 4 * n++);
  };
  for (let i = 0; i + 1 < k.of.length; i += 2) if (k.of[i] !== k.who) line(k.of[i], k.of[i + 1], faint, k.quality?.[i / 2]);
  k.own.forEach((other, i) => k.who >= 0 && line(k.who, other, 1.95, k.ownQuality?.[i]));
  return n;
}
const room = (k: Knowledge): number => k.of.length / 2 + k.own.length;

export function pairLines(scene: Scene, title: string, pick: Pick, colourOf: (view: View) => Rgb, dashes: number): Layer {
  const uniforms = { colour: { value: new Vector3() }, chosen: { value: new Vector3() }, ok: { value: new Vector3() }, warn: { value: new Vector3() }, bad: { value: new Vector3() }, dashes: { value: dashes } };
  const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthTest: false, depthWrite: false });
  let geometry = new BufferGeometry();
  const mesh = new LineSegments(geometry, material);
  mesh.frustumCulled = false;
  mesh.visible = false;
  scene.add(mesh);
  let [position, ink, grade] = [3, 2, 1].map((size) => new BufferAttribute(new Float32Array(0), size));
  let on = false;
  let lines = 0;

  function reserve(n: number): void {
    if (position.array.length >= 6 * n) return;
    const size = Math.ceil(1.5 * n) + 16;
    geometry.dispose();
    geometry = mesh.geometry = new BufferGeometry();
    position = new BufferAttribute(new Float32Array(6 * size), 3).setUsage(DynamicDrawUsage);
    ink = new BufferAttribute(new Float32Array(4 * size), 2).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", position);
    geometry.setAttribute("ink", ink);
    grade = new BufferAttribute(new Float32Array(2 * size), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("grade", grade);
    geometry.boundingSphere = new Sphere();
  }
  return {
    update(frame, view) {
      const k = on && !view.flat ? knowledge(view.swarm, frame, pick) : null;
      lines = 0;
      if (k) {
        reserve(room(k));
        lines = fillLines(k, frame, dashes > 0 ? 0.9 : 0.5, position.array as Float32Array, ink.array as Float32Array, grade.array as Float32Array);
        position.needsUpdate = ink.needsUpdate = grade.needsUpdate = true;
        geometry.setDrawRange(0, 2 * lines);
        uniforms.colour.value.set(...colourOf(view));
        uniforms.chosen.value.set(...view.light.palette.select);
        for (const name of ["ok", "warn", "bad"] as const) uniforms[name].value.set(...view.light.palette[name]);
      }
      mesh.visible = lines > 0;
    },
    draw2d(c, _frame, view) {
      const [p, s] = [position.array, ink.array];
      c.lineWidth = 1;
      const out = [0, 0, 0, 0];
      for (let n = 0; n < lines; n++) {
        const chosen = s[4 * n] > 1;
        const level = grade.array[2 * n];
        const { ok, warn, bad } = view.light.palette;
        c.strokeStyle = css(chosen ? view.light.palette.select : [colourOf(view), ok, warn, bad][level], chosen ? 0.9 : s[4 * n]);
        if (level > 1) c.setLineDash(level > 2 ? [1, 3] : [5, 4]);
        else c.setLineDash(dashes > 0 ? [5, 4] : []);
        if (!project(view, p[6 * n], p[6 * n + 1], p[6 * n + 2], out, 0) || !project(view, p[6 * n + 3], p[6 * n + 4], p[6 * n + 5], out, 2)) continue;
        c.beginPath();
        c.moveTo(out[0], out[1]);
        c.lineTo(out[2], out[3]);
        c.stroke();
      }
      c.setLineDash([]);
    },
    /** Where there is nothing to know, a plate says why. */
    overlay(_c, frame, view) {
      if (!on || view.flat || frame.n === 0 || !view.noSwarm) return false;
      for (let y = 76; y < 240; y += 24) if (view.labels.text(view.width / 2, y, `${title}: ${view.noSwarm}`, { centre: true })) break;
      return false;
    },
    show(v) {
      on = v;
    },
    dispose() {
      scene.remove(mesh);
      geometry.dispose();
      material.dispose();
    },
  };
}
