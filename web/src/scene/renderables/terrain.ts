// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ground that is not flat, solid: lit by the sun, from the colour of valleys to that of peaks, with contour lines. It hides what is behind it, the grid too.
import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { TerrainInfo } from "../../source/source.ts";
import { contour, normals, places, skirt, triangles } from "../relief.ts";
import type { Layer, Renderable } from "../view.ts";

const VERTEX = `
varying vec3 side;
varying float up;
varying float far;
void main() {
  side = normal;
  up = position.z;
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  far = -p.z;
  gl_Position = projectionMatrix * p;
}`;
const FRAGMENT = `
precision highp float;
uniform vec3 sun, valley, peak, line, haze;
uniform float low, high, step_m, reach;
varying vec3 side;
varying float up;
varying float far;
void main() {
  // Against flat ground in the same sun: slopes that face it are a little lighter, those that turn away clearly darker, nothing is washed out.
  float light = dot(normalize(side), sun) / max(sun.z, 0.2);
  vec3 colour = mix(valley, peak, (up - low) / max(high - low, 0.001)) * clamp(0.45 + 0.55 * light, 0.45, 1.08);
  float d = abs(fract(up / step_m + 0.5) - 0.5) * step_m;
  float width = fwidth(up);
  // a plain that lies at the height of a line is not one
  float stroke = width < 1e-4 * step_m ? 0.0 : (1.0 - smoothstep(0.0, 1.2 * width, d)) * clamp(1.0 - 3.0 * width / step_m, 0.0, 1.0);
  colour = mix(colour, line, 0.45 * stroke);
  gl_FragColor = vec4(mix(colour, haze, clamp(far / reach - 0.4, 0.0, 0.75)), 1.0);
}`;

export const terrain: Renderable = {
  id: "terrain",
  order: 15,
  title: "Terrain",
  icon: "M1 13 6 4l3 5 2-3 4 7z",
  on: true,
  create(scene: Scene): Layer {
    const uniforms = { sun: { value: new Vector3() }, valley: { value: new Vector3() }, peak: { value: new Vector3() }, line: { value: new Vector3() }, haze: { value: new Vector3() }, low: { value: 0 }, high: { value: 1 }, step_m: { value: 10 }, reach: { value: 1e4 } };
    const mesh = new Mesh(new BufferGeometry(), new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: 2, transparent: true })); // drawn after the grid, which has no depth, and over it
    mesh.frustumCulled = false;
    scene.add(mesh);
    let on = true;
    let made: TerrainInfo | null = null;
    function rebuild(t: TerrainInfo): void {
      made = t;
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry();
      uniforms.low.value = t.up.reduce((a, b) => Math.min(a, b), Infinity);
      const walls = skirt(t, uniforms.low.value);
      const first = t.up.length; // vertex of the walls
      const join = (a: Float32Array, b: number[]): BufferAttribute => {
        const all = new Float32Array(a.length + b.length);
        all.set(a);
        all.set(b, a.length);
        return new BufferAttribute(all, 3);
      };
      mesh.geometry.setAttribute("position", join(places(t), walls.position));
      mesh.geometry.setAttribute("normal", join(normals(t), walls.normal));
      const cells = triangles(t);
      const index = new Uint32Array(cells.length + walls.position.length / 3);
      index.set(cells);
      for (let k = cells.length; k < index.length; k++) index[k] = first + k - cells.length;
      mesh.geometry.setIndex(new BufferAttribute(index, 1));
      uniforms.step_m.value = contour(t);
      uniforms.high.value = t.up.reduce((a, b) => Math.max(a, b), -Infinity);
      uniforms.reach.value = 4 * Math.max(t.columns * t.stepEast, t.rows * t.stepNorth);
    }
    return {
      update(frame, view) {
        const t = view.world.terrain;
        mesh.visible = on && !view.flat && t !== null;
        if (!mesh.visible || !t) return;
        if (made !== t) rebuild(t);
        const { palette, sun } = view.light;
        uniforms.sun.value.set(...(sun as [number, number, number]));
        uniforms.valley.value.set(...palette.reliefLow);
        uniforms.peak.value.set(...palette.reliefHigh);
        uniforms.line.value.set(...palette.major);
        uniforms.haze.value.set(...palette.horizon);
        mesh.position.set(-frame.origin[0], -frame.origin[1], -frame.origin[2]);
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(mesh);
        mesh.geometry.dispose();
        mesh.material.dispose();
      },
    };
  },
};
