// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles near enough to be seen as machines, built from the airframe's own rotor places: a low-poly body from 20 pixels, a detailed one
// from 80, each one instanced draw per airframe and level. Rotors are blurred discs with a faint blade pattern that turns with simulation
// time; a disarmed vehicle shows still blades.
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, Mesh, ShaderMaterial, Vector3, type Scene } from "three";
import type { FlockInfo, Frame } from "../../source/source.ts";
import { FULL, LOW } from "../lod.ts";
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

class Shape {
  position: number[] = [];
  normal: number[] = [];
  part: number[] = [];
  index: number[] = [];
  private quad(a: number[], b: number[], c: number[], d: number[], kind: number): void {
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [d[0] - a[0], d[1] - a[1], d[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const l = Math.hypot(n[0], n[1], n[2]) || 1;
    const at = this.position.length / 3;
    for (const p of [a, b, c, d]) {
      this.position.push(...p);
      this.normal.push(n[0] / l, n[1] / l, n[2] / l);
      this.part.push(kind, 0, 0, 0);
    }
    this.index.push(at, at + 1, at + 2, at, at + 2, at + 3);
  }
  /** A box from a to b along its axis, w wide and h high, narrower by `taper` at b. */
  beam(a: number[], b: number[], w: number, h: number, kind: number, taper = 1): void {
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const l = Math.hypot(...d) || 1;
    const f = d.map((x) => x / l);
    const flat = Math.hypot(f[0], f[1]);
    const s = flat > 0.3 ? [-f[1] / flat, f[0] / flat, 0] : [0, 1, 0];
    const t = [f[1] * s[2] - f[2] * s[1], f[2] * s[0] - f[0] * s[2], f[0] * s[1] - f[1] * s[0]];
    const corner = (p: number[], i: number, j: number, k: number): number[] => p.map((x, c) => x + (s[c] * i * w * k) / 2 + (t[c] * j * h * k) / 2);
    const A = [corner(a, -1, -1, 1), corner(a, 1, -1, 1), corner(a, 1, 1, 1), corner(a, -1, 1, 1)];
    const B = [corner(b, -1, -1, taper), corner(b, 1, -1, taper), corner(b, 1, 1, taper), corner(b, -1, 1, taper)];
    for (let k = 0; k < 4; k++) this.quad(A[k], A[(k + 1) % 4], B[(k + 1) % 4], B[k], kind);
    this.quad(A[3], A[2], A[1], A[0], kind);
    this.quad(B[0], B[1], B[2], B[3], kind);
  }
  /** An upright cylinder, or a cone frustum when the radii differ. */
  tube(c: number[], r0: number, r1: number, z0: number, z1: number, sides: number, kind: number): void {
    const at = (k: number, r: number, z: number): number[] => [c[0] + r * Math.cos((2 * Math.PI * k) / sides), c[1] + r * Math.sin((2 * Math.PI * k) / sides), c[2] + z];
    for (let k = 0; k < sides; k++) {
      this.quad(at(k, r0, z0), at(k + 1, r0, z0), at(k + 1, r1, z1), at(k, r1, z1), kind);
      this.quad(at(k, r1, z1), at(k + 1, r1, z1), [c[0], c[1], c[2] + z1], [c[0], c[1], c[2] + z1], kind);
    }
  }
  disc(c: number[], radius: number, direction: number): void {
    const at = this.position.length / 3;
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      this.position.push(c[0] + x * radius, c[1] + y * radius, c[2]);
      this.normal.push(0, 0, 1);
      this.part.push(2, direction, x, y);
    }
    this.index.push(at, at + 1, at + 2, at, at + 2, at + 3);
  }
}

/** Rotor radius that leaves neighbours a little room. */
function rotorRadius(f: FlockInfo): number {
  let gap = Infinity;
  f.rotors.forEach((a, i) => f.rotors.forEach((b, j) => i < j && Math.hypot(a[0] - b[0], a[1] - b[1]) > 1e-3 && (gap = Math.min(gap, Math.hypot(a[0] - b[0], a[1] - b[1])))));
  return Number.isFinite(gap) ? gap * 0.44 : f.size * 0.25;
}

export function shapeOf(f: FlockInfo, detailed: boolean): Shape {
  const s = new Shape();
  const rotors: FlockInfo["rotors"] = f.rotors.length ? f.rotors : [];
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
    const hub = [x, y, z];
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
  return s;
}

interface Batch {
  mesh: Mesh;
  geometry: InstancedBufferGeometry;
  place: InstancedBufferAttribute;
  attitude: InstancedBufferAttribute;
  colour: InstancedBufferAttribute;
  level: number;
  airframe: string;
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
      const key = view.world.flocks.map((f) => `${f.airframe}:${f.size}:${f.rotors.length}`).join();
      if (key === made) return;
      made = key;
      clear();
      const seen = new Set<string>();
      for (const f of view.world.flocks) {
        if (seen.has(f.airframe)) continue;
        seen.add(f.airframe);
        for (const level of [LOW, FULL]) batches.push(batch(f, level, view.lite ? (level === LOW ? 60 : 4) : level === LOW ? 500 : 32));
      }
    }
    function batch(f: FlockInfo, level: number, capacity: number): Batch {
      const shape = shapeOf(f, level === FULL);
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
      return { mesh, geometry, place, attitude, colour, level, airframe: f.airframe };
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
        if (view.world.flocks[flock]?.airframe !== b.airframe) continue;
        for (let i = 0; i < 3; i++) b.place.array[3 * count + i] = frame.position[3 * k + i];
        for (let i = 0; i < 4; i++) b.attitude.array[4 * count + i] = frame.attitude[4 * k + i];
        const c = flockColour(view, flock);
        const mode = frame.state[k] & 15;
        b.colour.array.set([c[0], c[1], c[2], mode === 0 || mode === 6 || frame.state[k] & 16 ? 0 : 1], 4 * count);
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
