// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles near enough to be seen as machines, built from the airframe's own rotor places: a low-poly body from 20 pixels, a detailed one
// from 80, each one instanced draw per airframe, level and body: aircraft of a platform tilt by themselves. Rotors are blurred discs with a faint blade pattern that turns with simulation
// time; a disarmed vehicle shows still blades.
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { FlockInfo, Frame } from "../../source/source.ts";
import { FULL, LOW } from "../lod.ts";
import { shapeOf } from "../airframes.ts";
import type { Shape } from "../shape.ts";
import { TURN } from "../shaders.ts";
import { flockColour, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
attribute vec3 normal3;
attribute vec4 part;   // kind: 0 frame, 1 flock colour, 2 rotor disc, 3 dark; then the rotor's angle direction, disc coordinates
attribute vec3 place;
attribute vec4 attitude;
attribute vec4 colour; // hue, spinning
uniform vec3 sun;
uniform float sunlight, ambient, darkest;
varying vec4 tint;
varying vec3 disc; // x, y on the rotor disc, kind
varying float spinning;
varying float turning;
${TURN}
void main() {
  vec3 w = place + turn(attitude, position);
  vec3 n = turn(attitude, normal3);
  gl_Position = projectionMatrix * viewMatrix * vec4(w, 1.0);
  float lit = ambient * (0.75 + 0.25 * n.z) + sunlight * max(dot(n, sun), 0.0) * 0.55;
  vec3 base = part.x < 0.5 ? vec3(0.58, 0.61, 0.65) : part.x < 1.5 ? colour.rgb : part.x < 2.5 ? mix(vec3(0.55, 0.6, 0.66), colour.rgb, 0.45) : vec3(darkest, darkest * 1.08, darkest * 1.2);
  tint = vec4(base * (0.35 + lit), 1.0);
  disc = vec3(part.zw, part.x);
  spinning = colour.a;
  turning = part.y;
}`;
const FRAGMENT = `
precision mediump float;
varying vec4 tint;
varying vec3 disc;
varying float spinning;
varying float turning;
uniform float angle, contrast;
void main() {
  vec4 c = tint;
  if (disc.z > 1.5 && disc.z < 2.5) {
    float r = length(disc.xy);
    if (r > 1.0) discard;
    float phi = atan(disc.y, disc.x) - angle * turning;
    float blades = pow(abs(cos(phi)), 10.0);
    float blade = step(abs(sin(phi)) * r, 0.09 * (1.25 - 0.5 * r));
    float rim = smoothstep(0.86, 0.95, r) * (1.0 - smoothstep(0.97, 1.0, r));
    float blur = 0.2 + 0.2 * blades * r + 0.4 * rim;
    c.a = spinning > 0.5 ? blur * contrast : blade * 0.95;
    if (c.a < 0.02) discard;
  }
  gl_FragColor = c;
}`;

interface Batch {
  mesh: Mesh;
  geometry: InstancedBufferGeometry;
  place: InstancedBufferAttribute;
  attitude: InstancedBufferAttribute;
  colour: InstancedBufferAttribute;
  level: number;
  airframe: string;
  body: number; // 0: the whole, or the central one; then its aircraft
}

export const bodies: Renderable = {
  id: "bodies",
  order: 50,
  title: "Bodies",
  on: true,
  fixed: true,
  create(scene: Scene): Layer {
    const uniforms = { sun: { value: new Vector3(0, 0, 1) }, sunlight: { value: 0.8 }, ambient: { value: 0.6 }, angle: { value: 0 }, contrast: { value: 1 }, darkest: { value: 0.17 } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, side: 2 });
    let batches: Batch[] = [];
    let made = "";
    let on = true;

    function rebuild(view: View): void {
      const key = view.world.flocks.map((f) => `${f.airframe}:${f.size}:${f.rotors.length}:${JSON.stringify([f.look, view.joined && f.body])}`).join();
      if (key === made) return;
      made = key;
      clear();
      const seen = new Set<string>();
      for (const f of view.world.flocks) {
        if (seen.has(f.airframe)) continue;
        seen.add(f.airframe);
        for (const level of [LOW, FULL]) {
          const shapes = (f.body ? view.joined?.shapes(f, level === FULL) : null) ?? [shapeOf(f, level === FULL)];
          shapes.forEach((shape, body) => batches.push(batch(f, shape, body, level, view.lite ? (level === LOW ? 60 : 4) : level === LOW ? 500 : 32)));
        }
      }
    }
    function batch(f: FlockInfo, shape: Shape, body: number, level: number, capacity: number): Batch {
      const geometry = new InstancedBufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.position), 3));
      geometry.setAttribute("normal3", new BufferAttribute(new Float32Array(shape.normal), 3));
      geometry.setAttribute("part", new BufferAttribute(new Float32Array(shape.part), 4));
      geometry.setIndex(shape.index);
      const place = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
      const attitude = new InstancedBufferAttribute(new Float32Array(4 * capacity), 4).setUsage(DynamicDrawUsage);
      const colour = new InstancedBufferAttribute(new Float32Array(4 * capacity), 4).setUsage(DynamicDrawUsage);
      geometry.setAttribute("place", place);
      geometry.setAttribute("attitude", attitude);
      geometry.setAttribute("colour", colour);
      geometry.instanceCount = 0;
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 0;
      scene.add(mesh);
      return { mesh, geometry, place, attitude, colour, level, airframe: f.airframe, body };
    }
    function clear(): void {
      for (const b of batches) {
        scene.remove(b.mesh);
        b.geometry.dispose();
      }
      batches = [];
    }
    function fill(b: Batch, frame: Frame, view: View): void {
      let count = 0;
      const capacity = b.place.count;
      for (let k = 0; k < frame.n && count < capacity; k++) {
        if (view.level[k] !== b.level) continue;
        const flock = frame.roster.flock[k];
        const f = view.world.flocks[flock];
        if (f?.airframe !== b.airframe) continue;
        const pose = b.body ? view.joined?.poses(frame, k, f) : undefined;
        const at = 7 * (b.body - 1);
        for (let i = 0; i < 3; i++) b.place.array[3 * count + i] = frame.position[3 * k + i] + (pose ? pose[at + i] : 0);
        for (let i = 0; i < 4; i++) b.attitude.array[4 * count + i] = pose ? pose[at + 3 + i] : frame.attitude[4 * k + i];
        const c = flockColour(view, flock);
        const mode = frame.state[k] & 15;
        b.colour.array.set([c[0], c[1], c[2], mode === 0 || mode === 6 || frame.state[k] & 528 ? 0 : 1], 4 * count);
        count++;
      }
      b.geometry.instanceCount = count;
      b.mesh.visible = on && count > 0;
      if (count) b.place.needsUpdate = b.attitude.needsUpdate = b.colour.needsUpdate = true;
    }
    return {
      update(frame, view) {
        rebuild(view);
        uniforms.sun.value.fromArray(view.light.sun);
        uniforms.sunlight.value = view.light.sunlight;
        uniforms.ambient.value = view.light.ambient;
        uniforms.darkest.value = view.light.dark ? 0.4 : 0.17; // arms and legs must stand out from the ground
        uniforms.contrast.value = view.light.dark ? 1.1 : 1.6;
        uniforms.angle.value = view.still ? 0 : (view.time * 9) % (2 * Math.PI); // a stroboscopic pace; the true one would alias
        for (const b of batches) fill(b, frame, view);
      },
      show(v) {
        on = v;
      },
      dispose() {
        clear();
        material.dispose();
      },
    };
  },
};
