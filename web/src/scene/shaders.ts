// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Shader text that more than one renderable needs, once.
import type { View } from "./view.ts";

/** A vector of the body turned into the world by a quaternion w x y z. */
export const TURN = `vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }`;

/** A point sprite as large as its vehicle: `size` in metres becomes drawing pixels at the depth w, and never fewer than `least`. */
export const SPRITE = `
attribute float size;
uniform float pixels, least;
float sprite(float metres, float w) { return max(metres * pixels / w, least); }`;
export const spriteUniforms = (): { pixels: { value: number }; least: { value: number } } => ({ pixels: { value: 1 }, least: { value: 7 } });
export function setSprite(u: ReturnType<typeof spriteUniforms>, view: View, least: number): void {
  u.pixels.value = (view.three.projectionMatrix.elements[5] * view.height * view.ratio) / 2;
  u.least.value = least * view.ratio;
}

/** Colours from the corners, as they are. */
export const PLAIN = `
precision mediump float;
varying vec3 tint;
void main() { gl_FragColor = vec4(tint, 1.0); }`;
export const TINTED = `
precision mediump float;
varying vec4 tint;
void main() { gl_FragColor = tint; }`;
