// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A soft blob under every vehicle, as a point sprite flattened by the view's elevation; it fades to nothing 60 m up.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial, type Scene } from "three";
import { setSprite, SPRITE, spriteUniforms } from "../shaders.ts";
import type { Frame } from "../../source/source.ts";
import { floorUnder, type Layer, type Renderable, type View } from "../view.ts";

const VERTEX = `
${SPRITE}
attribute float floor;
uniform float most;
varying float strength;
void main() {
  float height = max(position.z - floor, 0.0);
  vec4 p = projectionMatrix * viewMatrix * vec4(position.xy, floor, 1.0);
  gl_Position = p;
  gl_Position.z -= 0.0005 * p.w; // on the ground, not in it
  // Higher vehicles throw a wider and fainter blob.
  gl_PointSize = min(sprite(size * (1.0 + height * 0.03), p.w), most) * 1.5;
  strength = 1.0 - clamp(height / 60.0, 0.0, 1.0);
  strength *= strength;
}`;
const FRAGMENT = `
precision mediump float;
uniform float squash, dark;
varying float strength;
void main() {
  vec2 d = (gl_PointCoord - 0.5) * vec2(2.0, 2.0 / squash);
  float r = dot(d, d);
  if (r > 1.0) discard;
  gl_FragColor = vec4(0.0, 0.0, 0.0, (1.0 - r) * strength * dark);
}`;

export const shadows: Renderable = {
  id: "shadows",
  order: 30,
  title: "Shadows",
  icon: "shadow",
  on: true,
  create(scene: Scene): Layer {
    const geometry = new BufferGeometry();
    const uniforms = { ...spriteUniforms(), most: { value: 300 }, squash: { value: 1 }, dark: { value: 0.4 } };
    const points = new Points(geometry, new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false }));
    points.frustumCulled = false;
    points.renderOrder = -7;
    scene.add(points);
    let on = true;
    let position = new BufferAttribute(new Float32Array(0), 3);
    let size = new BufferAttribute(new Float32Array(0), 1);
    let floor = new BufferAttribute(new Float32Array(0), 1);
    let flat = NaN; // the height that all of them have
    function setFloor(frame: Frame, view: View): void {
      if (view.world.terrain) for (let k = 0; k < frame.n; k++) floor.array[k] = floorUnder(view, frame.origin, frame.position[3 * k], frame.position[3 * k + 1]);
      else if (flat !== view.ground) floor.array.fill(view.ground);
      else return;
      flat = view.world.terrain ? NaN : view.ground;
      floor.needsUpdate = true;
    }
    return {
      update(frame, view: View) {
        points.visible = on && !view.flat && view.world.hasGround;
        if (!points.visible) return;
        if (position.array !== frame.position) {
          position = new BufferAttribute(frame.position, 3).setUsage(DynamicDrawUsage);
          geometry.setAttribute("position", position);
          size = new BufferAttribute(new Float32Array(frame.state.length), 1);
          geometry.setAttribute("size", size);
          floor = new BufferAttribute(new Float32Array(frame.state.length), 1).setUsage(DynamicDrawUsage);
          geometry.setAttribute("floor", floor);
          flat = NaN;
          view.rosterChanged = true;
        }
        if (view.rosterChanged) {
          for (let k = 0; k < frame.n; k++) size.setX(k, view.world.flocks[frame.roster.flock[k]]?.size ?? 0.5);
          size.needsUpdate = true;
        }
        position.clearUpdateRanges();
        position.addUpdateRange(0, 3 * frame.n);
        position.needsUpdate = true;
        geometry.setDrawRange(0, frame.n);
        setFloor(frame, view);
        setSprite(uniforms, view, view.minPixels * 0.8);
        uniforms.squash.value = view.camera.mode === "top" ? 1 : Math.max(0.16, Math.sin(view.camera.elevation));
        uniforms.dark.value = view.light.dark ? 0.55 : 0.3;
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
