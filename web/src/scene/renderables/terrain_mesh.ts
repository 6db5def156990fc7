// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The same ground as a mesh of lines.
import { BufferAttribute, BufferGeometry, LineSegments, ShaderMaterial, Vector3, type Scene } from "three";
import type { TerrainInfo } from "../../source/source.ts";
import { edges, places } from "../relief.ts";
import type { Layer, Renderable } from "../view.ts";

const VERTEX = `
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 0.0005 * gl_Position.w; // on the solid ground, where that is drawn too
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 colour;
void main() { gl_FragColor = vec4(colour, 0.5); }`;

export const terrain_mesh: Renderable = {
  id: "terrain-mesh",
  order: 16,
  title: "Terrain mesh",
  icon: "M1 13 6 4l3 5 2-3 4 7zM3 9h10M6 4v9M9 9v4",
  on: false,
  create(scene: Scene): Layer {
    const uniforms = { colour: { value: new Vector3() } };
    const lines = new LineSegments(new BufferGeometry(), new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false }));
    lines.frustumCulled = false;
    scene.add(lines);
    let on = false;
    let made: TerrainInfo | null = null;
    return {
      update(frame, view) {
        const t = view.world.terrain;
        lines.visible = on && !view.flat && t !== null;
        if (!lines.visible || !t) return;
        if (made !== t) {
          made = t;
          lines.geometry.dispose();
          lines.geometry = new BufferGeometry();
          lines.geometry.setAttribute("position", new BufferAttribute(places(t), 3));
          lines.geometry.setIndex(new BufferAttribute(edges(t), 1));
        }
        uniforms.colour.value.set(...view.light.palette.text2);
        lines.position.set(-frame.origin[0], -frame.origin[1], -frame.origin[2]);
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(lines);
        lines.geometry.dispose();
        lines.material.dispose();
      },
    };
  },
};
