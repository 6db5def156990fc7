// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Boxes, cylinders, spheres and meshes that stand in the way: solid, lit by the sun, with their edges drawn so that they read from every side.
import { BufferAttribute, BufferGeometry, LineSegments, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { ObstacleInfo } from "../../source/source.ts";
import { footprint, solid } from "../solids.ts";
import { css, type Rgb } from "../theme.ts";
import { project, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
varying vec3 side;
void main() {
  side = normal;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
// a shell is seen from both sides: its normal is turned towards the eye
const FRAGMENT = `
precision highp float;
uniform vec3 sun, colour;
uniform float sunlight, ambient;
varying vec3 side;
void main() {
  vec3 n = normalize(side);
  if (!gl_FrontFacing) n = -n;
  // wrapped around, so that walls in the shade are told apart from each other
  float light = 0.5 + 0.5 * dot(n, sun);
  gl_FragColor = vec4(colour * (ambient + 0.6 * sunlight * light * light), 1.0);
}`;
const LINE_VERTEX = `
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 0.0002 * gl_Position.w;
}`;
const LINE_FRAGMENT = `
precision mediump float;
uniform vec3 line;
void main() { gl_FragColor = vec4(line, 0.7); }`;

const colourOf = (view: View): Rgb => view.light.palette.solid;

export const obstacles: Renderable = {
  id: "obstacles",
  order: 18,
  title: "Obstacles",
  icon: "M2 14V6l4-2 4 2v8M10 14V8l4 1v5M1 14h14",
  on: true,
  create(scene: Scene): Layer {
    const uniforms = { sun: { value: new Vector3() }, colour: { value: new Vector3() }, sunlight: { value: 1 }, ambient: { value: 0.6 }, line: { value: new Vector3() } };
    const mesh = new Mesh(new BufferGeometry(), new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: 2, transparent: true })); // drawn after the grid, which has no depth
    const lines = new LineSegments(new BufferGeometry(), new ShaderMaterial({ vertexShader: LINE_VERTEX, fragmentShader: LINE_FRAGMENT, uniforms, transparent: true, depthWrite: false }));
    for (const o of [mesh, lines]) o.frustumCulled = false;
    scene.add(mesh, lines);
    let on = true;
    let made: readonly ObstacleInfo[] = [];
    const at = [0, 0];

    function rebuild(list: readonly ObstacleInfo[]): void {
      made = list;
      const shape = solid(list);
      for (const o of [mesh, lines]) {
        o.geometry.dispose();
        o.geometry = new BufferGeometry();
      }
      mesh.geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.position), 3));
      mesh.geometry.setAttribute("normal", new BufferAttribute(new Float32Array(shape.normal), 3));
      lines.geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.edges), 3));
    }
    return {
      update(frame, view) {
        const list = view.world.obstacles;
        mesh.visible = lines.visible = on && !view.flat && list.length > 0;
        if (!mesh.visible) return;
        if (made !== list) rebuild(list);
        uniforms.sun.value.set(...view.light.sun);
        uniforms.colour.value.set(...colourOf(view));
        uniforms.line.value.set(...view.light.palette.text2);
        uniforms.sunlight.value = view.light.sunlight;
        uniforms.ambient.value = view.light.ambient;
        for (const o of [mesh, lines]) o.position.set(-frame.origin[0], -frame.origin[1], -frame.origin[2]);
      },
      draw2d(c, frame, view) {
        if (!on) return;
        c.fillStyle = css(colourOf(view));
        c.strokeStyle = css(view.light.palette.text2);
        c.lineWidth = 1;
        for (const o of view.world.obstacles) {
          c.beginPath();
          footprint(o).forEach((p, k) => {
            project(view, p[0] - frame.origin[0], p[1] - frame.origin[1], view.ground, at);
            if (k === 0) c.moveTo(at[0], at[1]);
            else c.lineTo(at[0], at[1]);
          });
          c.closePath();
          c.fill();
          c.stroke();
        }
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(mesh, lines);
        for (const o of [mesh, lines]) {
          o.geometry.dispose();
          o.material.dispose();
        }
      },
    };
  },
};
