// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sky: a vertical gradient with the sun's glow behind everything, computed at the corners of a coarse mesh, because without a GPU every
// pixel counts. Below the horizon it has the fog's colour, so that sky and ground meet without a seam.
import { BufferGeometry, BufferAttribute, Mesh, ShaderMaterial, Vector3, Matrix4, type Scene } from "three";
import { PLAIN } from "../shaders.ts";
import type { Layer, Renderable, View } from "../view.ts";

const VERTEX = `
varying vec3 tint;
uniform mat4 unproject;
uniform vec3 zenith, horizon, sun, glow;
uniform float strength;
void main() {
  gl_Position = vec4(position.xy, 1.0, 1.0);
  vec4 far = unproject * vec4(position.xy, 1.0, 1.0);
  vec4 near = unproject * vec4(position.xy, -1.0, 1.0);
  vec3 d = normalize(far.xyz / far.w - near.xyz / near.w);
  float up = clamp(d.z, 0.0, 1.0);
  vec3 c = mix(horizon, zenith, 1.0 - pow(1.0 - up, 3.0));
  float s = max(dot(d, sun), 0.0);
  tint = c + glow * strength * (0.10 * pow(s, 6.0) + 0.25 * pow(s, 60.0)) * smoothstep(-0.02, 0.05, d.z);
}`;
const COLUMNS = 12;
const ROWS = 28;

/** The first row that reaches over the horizon: what lies below has the colour that the picture is cleared with. */
function firstRow(inverse: ArrayLike<number>): number {
  const rise = (y: number): number => {
    const at = (depth: number): number => (inverse[6] * y + inverse[10] * depth + inverse[14]) / (inverse[7] * y + inverse[11] * depth + inverse[15]);
    return at(1) - at(-1);
  };
  const [low, high] = [rise(-1), rise(1)];
  if (low >= 0 || !(high > low)) return 0;
  return Math.max(0, Math.min(ROWS - 1, Math.floor((ROWS * low) / (low - high)) - 1));
}

export const sky: Renderable = {
  id: "sky",
  order: 0,
  title: "Sky",
  on: true,
  fixed: true,
  create(scene: Scene): Layer {
    const geometry = new BufferGeometry();
    const corners: number[] = [];
    const index: number[] = [];
    for (let r = 0; r <= ROWS; r++) for (let c = 0; c <= COLUMNS; c++) corners.push((2 * c) / COLUMNS - 1, (2 * r) / ROWS - 1, 0);
    for (let r = 0; r < ROWS; r++)
      for (let c = 0; c < COLUMNS; c++) {
        const at = r * (COLUMNS + 1) + c;
        index.push(at, at + 1, at + COLUMNS + 2, at, at + COLUMNS + 2, at + COLUMNS + 1);
      }
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
    geometry.setIndex(index);
    const uniforms = { unproject: { value: new Matrix4() }, zenith: { value: new Vector3() }, horizon: { value: new Vector3() }, sun: { value: new Vector3() }, glow: { value: new Vector3() }, strength: { value: 1 } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: PLAIN, uniforms, depthTest: false, depthWrite: false });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = -10;
    scene.add(mesh);
    return {
      update(_frame, view: View) {
        mesh.visible = !view.flat && view.camera.mode !== "top";
        uniforms.unproject.value.fromArray(view.matrix as unknown as number[]).invert();
        geometry.setDrawRange(6 * COLUMNS * firstRow(uniforms.unproject.value.elements), Infinity);
        const p = view.light.palette;
        uniforms.zenith.value.fromArray(p.zenith);
        uniforms.horizon.value.fromArray(p.horizon);
        uniforms.sun.value.fromArray(view.light.sun);
        uniforms.glow.value.fromArray(view.light.glow);
        uniforms.strength.value = view.light.dark ? 0.6 : 0.4;
      },
      show(on) {
        mesh.visible = on;
      },
      dispose() {
        scene.remove(mesh);
        geometry.dispose();
        material.dispose();
      },
    };
  },
};
