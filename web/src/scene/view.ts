// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What every renderable is given and what it must offer. No renderable imports another; the list is in renderables/list.ts.
import type { Camera as Three, Scene } from "three";
import type { Air } from "../source/air.ts";
import type { FlockInfo, Frame, Goal, SnapshotSource, Swarm, WorldInfo } from "../source/source.ts";
import type { EstimatesMessage } from "../wire/wire.ts";
import type { Camera } from "./camera.ts";
import { groundAt } from "./relief.ts";
import type { Legend } from "./ramp.ts";
import type { Shape } from "./shape.ts";
import type { Light } from "./theme.ts";

export const TRAIL_COLOURS = ["flock", "vehicle", "speed", "height"] as const;
export type TrailBy = (typeof TRAIL_COLOURS)[number];

/** How vehicles of several bodies are drawn, once that is loaded. */
export interface BodySource {
  /** The central body with its end effectors, then each aircraft; null: it is one plain body. */
  shapes(flock: FlockInfo, detailed: boolean): Shape[] | null;
  /** Seven numbers for each aircraft: where it is from the centre of the vehicle in m, and its attitude w x y z, both in the world. */
  poses(frame: Frame, slot: number, flock: FlockInfo): ArrayLike<number>;
}
export interface View {
  width: number; // css pixels
  height: number;
  ratio: number; // device pixels per css pixel of the drawing buffer
  lite: boolean;
  flat: boolean; // pure colours for counting pixels
  trueSize: boolean;
  still: boolean; // reduced motion
  camera: Camera;
  three: Three;
  matrix: Float64Array; // world to clip, column-major
  light: Light;
  world: WorldInfo;
  source: SnapshotSource | null;
  time: number;
  ground: number; // m, relative to the frame's origin
  radius: number; // m, of the swarm about the target
  screen: Float32Array; // per vehicle: x, y in css pixels, pixels per metre there (<= 0 behind the eye)
  level: Uint8Array; // per vehicle: 0 sprite, 1 low poly, 2 detailed, 3 not drawn
  selected: Uint8Array; // per vehicle: 1 in the set, 2 primary
  hovered: number; // slot, -1 none
  followed: number;
  goals: readonly Goal[];
  swarm: Swarm | null; // what is known of who knows of whom, now
  noSwarm: string; // why nothing is, in words
  estimates: readonly EstimatesMessage[]; // of selected vehicles, the last ones told
  noEstimates: string; // why there is none, in words
  air: Air | null; // about the view, as the server tells it
  noAir: string; // why it does not, in words
  joined: BodySource | null;
  trailBy: TrailBy;
  trailSeconds: number | null; // null: as fits the vehicles
  minPixels: number;
  levelsChanged: boolean;
  rosterChanged: boolean;
  selectionChanged: boolean;
  labels: LabelSink;
}
export interface LabelSink {
  /** Places a text on a plate beside a point unless it would cover another; higher priority first is the caller's duty. */
  text(x: number, y: number, text: string, options?: { plate?: boolean; swatch?: string; strong?: boolean; away?: number; colour?: string; centre?: boolean }): boolean;
}
export interface Layer {
  update(frame: Frame, view: View): void;
  draw2d?(context: CanvasRenderingContext2D, frame: Frame, view: View): void; // the flat view, instead of three
  overlay?(context: CanvasRenderingContext2D, frame: Frame, view: View): boolean | void; // above the picture, in both; false: labels at most, and nothing drawn on the context
  legend?(): Legend | null; // of colours that stand for figures, while there are any
  show(on: boolean): void;
  dispose(): void;
}
export interface Renderable {
  id: string;
  order: number; // of drawing: sky 0, ground 10, ..., labels 110
  title: string;
  key?: string;
  icon?: string;
  on: boolean;
  fixed?: boolean; // no switch: always part of the picture
  create(scene: Scene): Layer;
}

export function project(view: Pick<View, "matrix" | "width" | "height">, x: number, y: number, z: number, out: Float32Array | number[], at = 0): boolean {
  const m = view.matrix;
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  if (w <= 1e-6) {
    out[at] = out[at + 1] = -1e4;
    return false;
  }
  out[at] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w / 2 + 0.5) * view.width;
  out[at + 1] = (0.5 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w / 2) * view.height;
  return true;
}

/** Height of the ground under a place, both relative to the frame's origin. */
export function floorUnder(view: Pick<View, "world" | "ground">, origin: readonly number[], east: number, north: number): number {
  const t = view.world.terrain;
  return t ? groundAt(t, east + origin[0], north + origin[1]) - origin[2] : view.ground;
}
export const flockColour = (view: View, flock: number): [number, number, number] => view.light.palette.flocks[flock % 6];
