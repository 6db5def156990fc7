// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The crowd: every vehicle too small for a mesh is one point sprite whose nose is the heading: a dart, or the plan of an aircraft or a car. Its
// two halves are shaded apart, so that it reads as a thing in space; from 8 px it has a rim of its own colour.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial, type Scene } from "three";
import { setSprite, SPRITE, spriteUniforms, TURN } from "../shaders.ts";
import type { Look } from "../../source/source.ts";
import { css } from "../theme.ts";
import { flockColour, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
attribute vec4 attitude; // w x y z
attribute vec4 colour;   // hue, then what to draw: 0 nothing, 1 cross (diverged or crashed), 2 dart, 3 aeroplane, 4 flying wing, 5 quadplane, 6 car; 8 more: hollow
${SPRITE}
${TURN}
uniform float aspect, high;
varying vec4 tint;
varying vec4 axes; // nose direction on the screen, then length and width of the dart
varying float points;
void main() {
  vec4 p = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_Position = p;
  float s = sprite(size, p.w);
  points = s;
  gl_PointSize = colour.a * 255.0 < 0.5 ? 0.0 : s * 1.25;
  if (gl_PointSize == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  vec2 stretch = vec2(aspect, 1.0) * high;
  vec4 f = projectionMatrix * viewMatrix * vec4(position + turn(attitude, vec3(1.0, 0.0, 0.0)) * size, 1.0);
  vec4 l = projectionMatrix * viewMatrix * vec4(position + turn(attitude, vec3(0.0, 1.0, 0.0)) * size, 1.0);
  vec2 c = p.xy / p.w * stretch;
  vec2 fs = f.xy / f.w * stretch - c;
  vec2 ls = l.xy / l.w * stretch - c;
  float whole = max(max(length(fs), length(ls)), 1e-9);
  vec2 nose = length(fs) > 1e-9 ? normalize(fs) : vec2(0.0, 1.0);
  float across = abs(dot(ls, vec2(-nose.y, nose.x)));
  axes = vec4(nose, clamp(length(fs) / whole, 0.62, 1.0), clamp(across / whole, 0.5, 1.0));
  tint = colour;
}`;
const FRAGMENT = `
precision mediump float;
varying vec4 tint;
varying vec4 axes;
varying float points;
uniform float flatPaint;
void main() {
  vec2 d = (gl_PointCoord - 0.5) * 2.5;
  d.y = -d.y;
  vec2 b = vec2(dot(d, axes.xy) / axes.z, dot(d, vec2(-axes.y, axes.x)) / axes.w); // forward, left; the dart fills -1..1
  float kind = floor(tint.a * 255.0 + 0.5);
  bool hollow = kind > 7.5;
  if (hollow) kind -= 8.0;
  float w = flatPaint > 0.5 ? 0.0 : 1.6 / points;
  float side;
  if (kind < 1.5) {
    float arm = min(abs(b.x - b.y), abs(b.x + b.y));
    side = max(arm - 0.32, max(abs(b.x), abs(b.y)) - 0.85);
  } else if (points < 6.0) {
    side = length(d) - 0.8;
  } else if (kind > 5.5) {
    // A body with a narrower front.
    side = max(abs(b.x) - 0.85, abs(b.y) - (b.x > 0.35 ? 0.34 : 0.52));
  } else if ((kind > 3.5 && kind < 4.5) || (kind > 2.5 && points < 12.0)) {
    // Two swept halves; a plan of wing and tail is but a cross when it is this small, so a body is added instead.
    side = max(abs(b.x + abs(b.y) * 0.75 - 0.22) - (0.42 - 0.16 * abs(b.y)), abs(b.y) - 1.0);
    if (kind < 3.5 || kind > 4.5) side = min(side, max(abs(b.x + 0.1) - 0.85, abs(b.y) - 0.17));
  } else if (kind > 2.5) {
    // Body, wing and tail; a quadplane has a bar for its rotors on either side.
    float body = max(abs(b.x) - 0.95, abs(b.y) - 0.15);
    float wing = max(abs(b.x - 0.18 + 0.12 * abs(b.y)) - 0.24, abs(b.y) - 1.0);
    float tail = max(abs(b.x + 0.8) - 0.15, abs(b.y) - 0.42);
    side = min(min(body, wing), tail);
    if (kind > 4.5) side = min(side, max(abs(b.x - 0.1) - 0.7, abs(abs(b.y) - 0.5) - 0.1));
  } else {
    // Nose at +1, wing tips at -0.85, a notch cut into the tail.
    float edge = abs(b.y) * 0.92 + b.x * 0.42 - 0.42;
    float notch = -b.x - 0.45 - abs(b.y) * 0.55;
    side = max(edge, max(notch, -b.x - 0.9));
  }
  if (hollow) side = max(side, -(side + (kind > 2.5 ? 0.14 : 0.32)));
  float a = w > 0.0 ? 1.0 - smoothstep(-w, w, side) : step(side, 0.0);
  if (a < 0.02) discard;
  vec3 c = tint.rgb;
  if (flatPaint < 0.5 && points >= 6.0) {
    c *= b.y > 0.0 ? 1.10 : 0.80;
    if (points >= 8.0) c = mix(c, tint.rgb * 0.55, smoothstep(-2.0 * w, -0.6 * w, side));
  }
  gl_FragColor = vec4(c, a);
}`;

const GLYPHS = { aeroplane: 3, flying_wing: 4, quadplane: 5, car: 6 } as const;
export const glyphOf = (look: Look | null | undefined): number => (look ? GLYPHS[look.kind] : 2);

export const vehicles: Renderable = {
  id: "vehicles",
  order: 70,
  title: "Vehicles",
  icon: "dart",
  on: true,
  create(scene: Scene): Layer {
    const geometry = new BufferGeometry();
    const uniforms = { ...spriteUniforms(), aspect: { value: 1 }, high: { value: 1 }, flatPaint: { value: 0 } };
    const points = new Points(geometry, new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true }));
    points.frustumCulled = false;
    points.renderOrder = 2;
    scene.add(points);
    let on = true;
    let dark: boolean | null = null;
    const own: { position: BufferAttribute; attitude: BufferAttribute; colour: BufferAttribute; size: BufferAttribute } = {
      position: new BufferAttribute(new Float32Array(0), 3),
      attitude: new BufferAttribute(new Float32Array(0), 4),
      colour: new BufferAttribute(new Uint8Array(0), 4, true),
      size: new BufferAttribute(new Float32Array(0), 1),
    };
    let states = new Uint16Array(0);
    return {
      update(frame, view: View) {
        points.visible = on && frame.n > 0;
        if (!on) return;
        let recolour = view.levelsChanged || view.rosterChanged || dark !== view.light.dark;
        dark = view.light.dark;
        if (own.position.array !== frame.position) {
          own.position = new BufferAttribute(frame.position, 3).setUsage(DynamicDrawUsage);
          own.attitude = new BufferAttribute(frame.attitude, 4).setUsage(DynamicDrawUsage);
          own.colour = new BufferAttribute(new Uint8Array(4 * frame.state.length), 4, true);
          own.size = new BufferAttribute(new Float32Array(frame.state.length), 1);
          states = new Uint16Array(frame.state.length);
          for (const [name, attribute] of Object.entries(own)) geometry.setAttribute(name, attribute);
          recolour = true;
        }
        for (let k = 0; k < frame.n; k++)
          if (states[k] !== frame.state[k]) {
            states[k] = frame.state[k];
            recolour = true;
          }
        if (recolour) {
          for (let k = 0; k < frame.n; k++) {
            const flock = frame.roster.flock[k];
            const c = flockColour(view, flock);
            const kind = view.level[k] !== 0 ? 0 : frame.state[k] & 528 ? 1 : glyphOf(view.world.flocks[flock]?.look) + (flock >= 6 ? 8 : 0);
            own.colour.array.set([c[0] * 255 + 0.5, c[1] * 255 + 0.5, c[2] * 255 + 0.5, kind], 4 * k);
            own.size.array[k] = view.world.flocks[flock]?.size ?? 0.5;
          }
          own.colour.needsUpdate = own.size.needsUpdate = true;
        }
        for (const a of [own.position, own.attitude]) {
          a.clearUpdateRanges();
          a.addUpdateRange(0, a.itemSize * frame.n);
          a.needsUpdate = true;
        }
        geometry.setDrawRange(0, frame.n);
        setSprite(uniforms, view, view.minPixels);
        uniforms.aspect.value = view.width / view.height;
        uniforms.flatPaint.value = view.flat ? 1 : 0;
        (points.material as ShaderMaterial).transparent = !view.flat;
      },
      draw2d(c, frame, view) {
        if (!on) return;
        const s = view.minPixels / 2;
        for (let k = 0; k < frame.n; k++) {
          const [x, y] = [view.screen[3 * k], view.screen[3 * k + 1]];
          const q = frame.attitude;
          const yaw = Math.atan2(2 * (q[4 * k] * q[4 * k + 3] + q[4 * k + 1] * q[4 * k + 2]), 1 - 2 * (q[4 * k + 2] ** 2 + q[4 * k + 3] ** 2));
          const [ca, sa] = [Math.cos(yaw) * s, -Math.sin(yaw) * s];
          c.fillStyle = css(flockColour(view, frame.roster.flock[k]));
          c.beginPath();
          c.moveTo(x + ca, y + sa);
          c.lineTo(x - 0.8 * ca + 0.75 * sa, y - 0.8 * sa - 0.75 * ca);
          c.lineTo(x - 0.4 * ca, y - 0.4 * sa);
          c.lineTo(x - 0.8 * ca - 0.75 * sa, y - 0.8 * sa + 0.75 * ca);
          c.fill();
        }
      },
      show(v) {
        on = v;
        points.visible = v;
      },
      dispose() {
        scene.remove(points);
        geometry.dispose();
      },
    };
  },
};
