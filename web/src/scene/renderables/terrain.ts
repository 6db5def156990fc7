// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ground that is not flat, solid: lit by the sun, lighter with height, with contour lines. It hides what is behind it.
import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { TerrainInfo } from "../../source/source.ts";
import { contour, normals, places, triangles } from "../relief.ts";
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
uniform vec3 sun, ground, line, haze;
uniform float sunlight, ambient, low, high, step_m, reach;
varying vec3 side;
varying float up;
varying float far;
void main() {
  float light = ambient + sunlight * max(dot(normalize(side), sun), 0.0);
  vec3 colour = ground * (0.85 + 0.5 * (up - low) / max(high - low, 0.001)) * light;
  float d = abs(fract(up / step_m + 0.5) - 0.5) * step_m;
  float width = fwidth(up);
  float stroke = (1.0 - smoothstep(0.0, 1.2 * width, d)) * clamp(1.0 - 3.0 * width / step_m, 0.0, 1.0);
  colour = mix(colour, line, 0.35 * stroke);
  gl_FragColor = vec4(mix(colour, haze, clamp(far / reach - 0.4, 0.0, 0.75)), 1.0);
}`;

export const terrain: Renderable = {
  id: "terrain",
  order: 15,
  title: "Terrain",
  icon: "M1 13 6 4l3 5 2-3 4 7z",
  on: true,
  create(scene: Scene): Layer {
    const uniforms = { sun: { value: new Vector3() }, ground: { value: new Vector3() }, line: { value: new Vector3() }, haze: { value: new Vector3() }, sunlight: { value: 1 }, ambient: { value: 0.6 }, low: { value: 0 }, high: { value: 1 }, step_m: { value: 10 }, reach: { value: 1e4 } };
    const mesh = new Mesh(new BufferGeometry(), new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: 2 }));
    mesh.frustumCulled = false;
    scene.add(mesh);
    let on = true;
    let made: TerrainInfo | null = null;
    function rebuild(t: TerrainInfo): void {
      made = t;
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry();
      mesh.geometry.setAttribute("position", new BufferAttribute(places(t), 3));
      mesh.geometry.setAttribute("normal", new BufferAttribute(normals(t), 3));
      mesh.geometry.setIndex(new BufferAttribute(triangles(t), 1));
      uniforms.step_m.value = contour(t);
      uniforms.low.value = t.up.reduce((a, b) => Math.min(a, b), Infinity);
      uniforms.high.value = t.up.reduce((a, b) => Math.max(a, b), -Infinity);
      uniforms.reach.value = 4 * Math.max(t.columns * t.stepEast, t.rows * t.stepNorth);
    }
    return {
      update(frame, view) {
        const t = view.world.terrain;
        mesh.visible = on && !view.flat && t !== null;
        if (!mesh.visible || !t) return;
        if (made !== t) rebuild(t);
        const { palette, sun, sunlight, ambient } = view.light;
        uniforms.sun.value.set(...(sun as [number, number, number]));
        uniforms.ground.value.set(...palette.ground);
        uniforms.line.value.set(...palette.major);
        uniforms.haze.value.set(...palette.horizon);
        uniforms.sunlight.value = sunlight;
        uniforms.ambient.value = ambient;
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
