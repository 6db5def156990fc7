// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of renderables: a view from above or aslant without a canvas, a frame of given places, and a 2D context that counts calls.
import { OrthographicCamera } from "three";
import { makeRoster, newFrame, type Frame, type WorldInfo } from "../source/source.ts";
import { initialCamera } from "./camera.ts";
import type { Light, Palette, Rgb } from "./theme.ts";
import type { View } from "./view.ts";

const grey = (v: number): Rgb => [v, v, v];
const palette: Palette = { zenith: grey(0.9), horizon: grey(0.9), ground: grey(0.8), minor: grey(0.7), major: grey(0.6), reliefLow: grey(0.7), reliefHigh: grey(0.9), solid: grey(0.5), select: [1, 0.5, 0], panel: grey(1), text: grey(0), text2: grey(0.3), bad: [0.7, 0.1, 0.1], ok: [0, 0.5, 0.2], warn: [0.5, 0.4, 0], accent: [0, 0.4, 0.7], flocks: [[0, 0, 1], [1, 0, 0], [0, 1, 0], grey(0.2), grey(0.3), grey(0.4)] };
const light: Light = { palette, dark: false, sun: [0, 0, 1], glow: [1, 1, 1], sunlight: 1, ambient: 1 };
const world: WorldInfo = { scenario: "test", description: "", seed: "1", tick: 0.01, duration: 0, worlds: 1, flocks: [], ground: 0, hasGround: true, scope: "all", run: "", epoch: 0, wind: [0, 0, 0], gustSigma: 0, hour: null, place: null, regions: [], tasks: [], terrain: null, obstacles: [] };

/** From above, north up, ten pixels to a metre, the origin in the middle of 800 by 600. */
export function testView(part: Partial<WorldInfo> = {}): { view: View; texts: string[] } {
  const texts: string[] = [];
  const three = new OrthographicCamera(-40, 40, 30, -30, -1e3, 1e3);
  const matrix = new Float64Array([1 / 40, 0, 0, 0, 0, 1 / 30, 0, 0, 0, 0, -1e-3, 0, 0, 0, 0, 1]);
  const labels = { text: (_x: number, _y: number, text: string): boolean => texts.push(text) > 0 };
  const view: View = { width: 800, height: 600, ratio: 1, lite: true, flat: false, trueSize: false, still: true, camera: { ...initialCamera(), mode: "top", target: [0, 0, 0] }, three, matrix, light, world: { ...world, ...part }, source: null, time: 0, ground: 0, radius: 10, screen: new Float32Array(0), level: new Uint8Array(0), selected: new Uint8Array(0), hovered: -1, followed: -1, goals: [], swarm: null, noSwarm: "", estimates: [], noEstimates: "", air: null, noAir: "", joined: null, trailBy: "flock", trailSeconds: null, minPixels: 9, levelsChanged: true, rosterChanged: true, selectionChanged: true, labels };
  return { view, texts };
}
export function testFrame(places: readonly [number, number, number][], flock: (k: number) => number = () => 0): Frame {
  const f = newFrame(places.length + 1);
  f.n = places.length;
  f.roster = makeRoster(1, places.map((_, k) => ({ id: String(k), name: `uav-${k}`, flock: flock(k) })));
  places.forEach((p, k) => f.position.set(p, 3 * k));
  return f;
}
/** Counts what is called on it, and swallows everything. */
export function testCanvas(): { context: CanvasRenderingContext2D; calls: Record<string, number> } {
  const calls: Record<string, number> = {};
  const context = new Proxy({}, { get: (_t, name) => (...a: unknown[]) => ((calls[String(name)] = (calls[String(name)] ?? 0) + 1), a[0]), set: () => true }) as CanvasRenderingContext2D;
  return { context, calls };
}
