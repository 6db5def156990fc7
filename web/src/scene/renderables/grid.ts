// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The ground: a plane that ends in fog, and a grid of decades whose finer lines fade away before they would shimmer. At most 200 line
// segments, because a grid computed per pixel costs four times as much without a GPU.
import { BufferAttribute, BufferGeometry, LineSegments, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import { metresPerPixel, eye, type Camera } from "../camera.ts";
import { PLAIN } from "../shaders.ts";
import { css } from "../theme.ts";
import { project, type Layer, type Renderable, type View } from "../view.ts";

const HALF = [19, 16, 11]; // lines on each side of the middle, for a tenth, once and ten times the spacing: 194 in all with the axes

const PLANE_V = `
uniform vec3 ground, fog, eye, centre;
uniform float range, lift, level;
varying vec3 tint;
void main() {
  // Rings about the point under the eye, wider with distance: fog depends on little else, so corners are enough to carry it.
  vec3 world = vec3(eye.xy + position.xy * range * 12.0, level);
  float d = distance(world, eye);
  float f = 1.0 - exp(-pow(d / range, 2.0));
  float near = exp(-pow(distance(world.xy, centre.xy) / (range * 0.25), 2.0));
  tint = mix(ground + lift * near, fog, f);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;
const RINGS = 40;
const SECTORS = 48;

function rings(): BufferGeometry {
  const corners = [0, 0, 0];
  const index: number[] = [];
  for (let r = 1; r <= RINGS; r++)
    for (let k = 0; k < SECTORS; k++) {
      const radius = (r / RINGS) ** 3.5;
      const a = (2 * Math.PI * k) / SECTORS;
      corners.push(radius * Math.cos(a), radius * Math.sin(a), 0);
      const [at, next] = [1 + (r - 1) * SECTORS + k, 1 + (r - 1) * SECTORS + ((k + 1) % SECTORS)];
      if (r === 1) index.push(0, at, next);
      else index.push(at - SECTORS, at, next, at - SECTORS, next, next - SECTORS);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.setIndex(index);
  return geometry;
}
const LINE_V = `
attribute float major;
varying vec3 world;
varying float kind;
void main() {
  world = position;
  kind = major;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
const LINE_F = `
precision highp float;
varying vec3 world;
varying float kind;
uniform vec3 minor, majorColour, axisE, axisN, eye, centre;
uniform float range, minorReach, majorReach, farReach, minorAlpha, flatPaint;
void main() {
  float reach = kind < 0.5 ? minorReach : kind < 1.5 ? majorReach : farReach;
  float d = distance(world.xy, centre.xy);
  float a = 1.0 - smoothstep(reach * 0.35, reach, d);
  a *= exp(-pow(distance(world, eye) / range, 2.0));
  vec3 c = kind < 0.5 ? minor : kind < 1.5 ? majorColour : kind < 2.5 ? axisE : kind < 3.5 ? axisN : majorColour;
  a *= kind < 0.5 ? minorAlpha : kind < 1.5 ? 0.75 : kind < 3.5 ? 1.0 : 0.75;
  gl_FragColor = vec4(c, flatPaint > 0.5 ? step(0.3, a) : a);
}`;

const decade = (x: number): number => 10 ** Math.floor(Math.log10(Math.max(1e-3, x)));

/** How far away the ground is seen: near a high vehicle that is much more than the distance of the camera's target. */
export function sightOf(camera: Camera, ground: number): number {
  return camera.mode === "top" ? camera.distance : Math.max(camera.distance, (camera.mode === "cockpit" ? 3 : 1.5) * (eye(camera)[2] - ground));
}

/** Major spacing in metres: the decade of at least 64 pixels at the camera's target; the minor one is a tenth. */
export function spacing(metres: number): { major: number; minorAlpha: number } {
  const major = decade(metres * 64 * 10);
  const minorPixels = major / 10 / metres;
  return { major, minorAlpha: Math.min(1, Math.max(0, (minorPixels - 8) / 16)) };
}

/** The grid that a camera sees over flat ground, for the picture and for the label that names it. */
export function gridSeen(camera: Camera, ground: number, view: { width: number; height: number }): { major: number; minorAlpha: number; fine: boolean } {
  const sight = sightOf(camera, ground);
  const s = spacing(metresPerPixel({ ...camera, distance: sight }, view));
  // Fine lines lie about the point below the target: from far above them they are a patch, and what is seen is the bold ones.
  return { ...s, fine: s.minorAlpha > 0.25 && sight < 1.5 * camera.distance };
}

export const grid: Renderable = {
  id: "grid",
  order: 10,
  title: "Grid",
  key: "Shift+G",
  icon: "grid",
  on: true,
  create(scene: Scene): Layer {
    const shared = { eye: { value: new Vector3() }, centre: { value: new Vector3() }, range: { value: 100 } };
    const planeUniforms = { ...shared, ground: { value: new Vector3() }, fog: { value: new Vector3() }, lift: { value: 0.02 }, level: { value: 0 } };
    const plane = new Mesh(rings(), new ShaderMaterial({ vertexShader: PLANE_V, fragmentShader: PLAIN, uniforms: planeUniforms, depthWrite: false, depthTest: false }));
    plane.frustumCulled = false;
    plane.renderOrder = -9;
    const lineUniforms = { ...shared, minor: { value: new Vector3() }, majorColour: { value: new Vector3() }, axisE: { value: new Vector3() }, axisN: { value: new Vector3() }, minorReach: { value: 1 }, majorReach: { value: 1 }, farReach: { value: 1 }, minorAlpha: { value: 1 }, flatPaint: { value: 0 } };
    const capacity = 2 * (2 * (HALF[0] + HALF[1] + HALF[2]) + 3) + 2;
    const position = new BufferAttribute(new Float32Array(6 * capacity), 3);
    const kind = new BufferAttribute(new Float32Array(2 * capacity), 1);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", position);
    geometry.setAttribute("major", kind);
    const lines = new LineSegments(geometry, new ShaderMaterial({ vertexShader: LINE_V, fragmentShader: LINE_F, uniforms: lineUniforms, transparent: true, depthWrite: false, depthTest: false }));
    lines.frustumCulled = false;
    lines.renderOrder = -8;
    scene.add(plane, lines);
    let on = true;
    let major = 10;
    let reach = 100;

    function build(view: View, centre: readonly number[], origin: readonly number[]): void {
      let v = 0;
      const m = view.matrix;
      const near = view.camera.mode === "top" ? -Infinity : view.camera.distance * 0.02;
      const depth = (x: number, y: number): number => m[3] * x + m[7] * y + m[11] * view.ground + m[15];
      // Cut off what lies behind the eye here: software renderers drop such lines as a whole.
      const put = (x0: number, y0: number, x1: number, y1: number, k: number): void => {
        const [a, b] = [depth(x0, y0) - near, depth(x1, y1) - near];
        if (a <= 0 && b <= 0) return;
        const cut = a / (a - b);
        if (a <= 0) [x0, y0] = [x0 + (x1 - x0) * cut, y0 + (y1 - y0) * cut];
        else if (b <= 0) [x1, y1] = [x0 + (x1 - x0) * cut, y0 + (y1 - y0) * cut];
        position.setXYZ(v, x0, y0, view.ground);
        kind.setX(v++, k);
        position.setXYZ(v, x1, y1, view.ground);
        kind.setX(v++, k);
      };
      // Lines sit at whole multiples in the world, so they stand still while the camera moves.
      const family = (step: number, half: number, k: number): void => {
        const snap = (i: 0 | 1): number => Math.round((centre[i] + origin[i]) / step) * step - origin[i];
        const [ce, cn, r] = [snap(0), snap(1), half * step];
        for (let j = -half; j <= half; j++) {
          const [e, n] = [ce + j * step, cn + j * step];
          if (Math.abs(e + origin[0]) > step / 4) put(e, cn - r, e, cn + r, k);
          if (Math.abs(n + origin[1]) > step / 4) put(ce - r, n, ce + r, n, k);
        }
      };
      family(major / 10, HALF[0], 0);
      family(major, HALF[1], 1);
      family(major * 10, HALF[2], 4);
      const r = HALF[2] * 10 * major;
      put(centre[0] - r, -origin[1], centre[0] + r, -origin[1], 2);
      put(-origin[0], centre[1] - r, -origin[0], centre[1] + r, 3);
      geometry.setDrawRange(0, v);
      position.needsUpdate = kind.needsUpdate = true;
    }

    return {
      update(frame, view) {
        const p = view.light.palette;
        const sight = sightOf(view.camera, view.ground);
        const s = gridSeen(view.camera, view.ground, view);
        major = s.major;
        reach = HALF[1] * major;
        const centre = view.camera.target;
        shared.range.value = Math.max(view.radius * 5, sight * 2.4);
        shared.eye.value.fromArray(eye(view.camera));
        shared.centre.value.fromArray(centre);
        if (view.camera.mode === "top") shared.range.value = 1e9;
        planeUniforms.ground.value.fromArray(p.ground);
        planeUniforms.fog.value.fromArray(p.horizon);
        planeUniforms.lift.value = view.flat ? 0 : view.light.dark ? 0.035 : 0.012;
        planeUniforms.level.value = view.ground;
        plane.visible = view.world.hasGround && !view.flat && view.camera.mode !== "top";
        lineUniforms.minor.value.fromArray(p.minor);
        lineUniforms.majorColour.value.fromArray(p.major);
        lineUniforms.axisE.value.fromArray(view.light.dark ? [0.85, 0.42, 0.4] : [0.72, 0.22, 0.2]);
        lineUniforms.axisN.value.fromArray(view.light.dark ? [0.42, 0.75, 0.5] : [0.12, 0.5, 0.28]);
        lineUniforms.minorAlpha.value = s.minorAlpha;
        lineUniforms.minorReach.value = (HALF[0] * major) / 10;
        lineUniforms.farReach.value = HALF[2] * 10 * major;
        lineUniforms.majorReach.value = reach;
        lineUniforms.flatPaint.value = view.flat ? 1 : 0;
        build(view, centre, frame.origin);
      },
      draw2d(c, frame, view) {
        if (!on) return;
        const [a, b]: [number[], number[]] = [[0, 0], [0, 0]];
        const t = view.camera.target;
        for (const [step, colour] of [[major / 10, view.light.palette.minor], [major, view.light.palette.major]] as const) {
          c.strokeStyle = css(colour, 0.7);
          c.lineWidth = 1;
          c.beginPath();
          for (let j = -60; j <= 60; j++) {
            for (const axis of [0, 1] as const) {
              const snap = Math.round((t[axis] + frame.origin[axis]) / step) * step - frame.origin[axis] + j * step;
              const r = 60 * step;
              project(view, axis ? t[0] - r : snap, axis ? snap : t[1] - r, view.ground, a);
              project(view, axis ? t[0] + r : snap, axis ? snap : t[1] + r, view.ground, b);
              c.moveTo(a[0], a[1]);
              c.lineTo(b[0], b[1]);
            }
          }
          c.stroke();
        }
      },
      overlay(_c, frame, view) {
        if (!on || view.flat || view.camera.mode === "cockpit") return false;
        // The axes are lettered where they leave the middle of the picture, with the distance that they reach there.
        const out = [0, 0];
        const step = major;
        const span = Math.max(step, Math.round((sightOf(view.camera, view.ground) * 0.45) / step) * step);
        const far = `${span >= 1000 ? span / 1000 : span} ${span >= 1000 ? "km" : "m"}`;
        const o = frame.origin;
        if (project(view, span - o[0], -o[1], view.ground, out)) view.labels.text(out[0], out[1], `E ${far}`, { centre: true });
        if (project(view, -o[0], span - o[1], view.ground, out)) view.labels.text(out[0], out[1], `N ${far}`, { centre: true });
        return false;
      },
      show(v) {
        on = v;
        lines.visible = v;
      },
      dispose() {
        scene.remove(plane, lines);
        geometry.dispose();
        plane.geometry.dispose();
      },
    };
  },
};
