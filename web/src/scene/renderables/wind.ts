// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The wind as a field of arrows at the height of the camera's target. Where the server tells the air (a live run), every arrow is the wind at its
// foot, coloured by its speed; elsewhere the mean wind of the scenario drifts along in simulation time. In calm air there is nothing to draw, and
// the legend says so.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, ShaderMaterial, type Scene } from "three";
import { meanOf, type Air, type AirBox } from "../../source/air.ts";
import type { WorldInfo } from "../../source/source.ts";
import { basis, eye, metresPerPixel, type Camera, type Viewport } from "../camera.ts";
import { colourAt, rampOn, rangeOf, type Legend } from "../ramp.ts";
import { floorAt } from "../relief.ts";
import { TINTED } from "../shaders.ts";
import { css, type Rgb } from "../theme.ts";
import { project, type Layer, type Renderable, type View } from "../view.ts";

const SIDE = 12; // arrows along each side of the field
const CELL = 96; // px between two of them, at the target
const PIXELS = 8; // length of an arrow per m/s, at the target
const [SHORT, LONG] = [12, 64];
const [SHAFT, BARB] = [2, 9]; // px: width of the shaft, width and length of the head
const CORNERS = 7;
const CALM = 0.05; // m/s
const VERTEX = `
attribute vec4 colour;
varying vec4 tint;
void main() {
  tint = colour;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

export const speedOf = (wind: ArrayLike<number>): number => Math.hypot(wind[0], wind[1], wind[2]);
/** Where the wind comes from, degrees from north, clockwise, as forecasts say it. */
export const comesFrom = (wind: readonly number[]): number => ((Math.atan2(-wind[0], -wind[1]) * 180) / Math.PI + 360) % 360;
export const lengthOf = (speed: number): number => Math.min(LONG, Math.max(SHORT, PIXELS * speed));
export function legend(wind: readonly number[], gusts: number): string {
  const speed = speedOf(wind);
  const gusty = gusts > 0 ? ` \u00b7 gusts \u03c3 ${gusts.toFixed(1)}\u2009m/s` : "";
  if (speed < CALM) return gusty ? `No mean wind${gusty}` : "Calm: no wind in this world";
  const level = Math.hypot(wind[0], wind[1]) > CALM ? ` from ${comesFrom(wind).toFixed(0).padStart(3, "0")}\u00b0` : wind[2] > 0 ? " upwards" : " downwards";
  return `Wind ${speed.toFixed(1)}\u2009m/s${level}${gusty}`;
}

const cellOf = (camera: Camera, view: Viewport): number => 2 ** Math.round(Math.log2(metresPerPixel(camera, view) * CELL));
/** Where the arrows stand: at whole multiples of a power of two in the world, so that they stay while the camera moves. */
export function arrowGrid(camera: Camera, view: Viewport, origin: readonly number[], world: Pick<WorldInfo, "terrain" | "ground">): AirBox {
  const cell = cellOf(camera, view);
  const at = [0, 1, 2].map((i) => camera.target[i] + origin[i]);
  const [west, south] = [0, 1].map((i) => (Math.round(at[i] / cell) - SIDE / 2 + 0.5) * cell);
  const reach = (SIDE - 1) * cell;
  const up = at[2] - floorAt(world, at[0], at[1]);
  const step = 2 ** Math.floor(Math.log2(Math.max(4, up))) / 4;
  return { box: [west, south, west + reach, south + reach], height: Math.max(1, Math.round(up / step) * step), side: SIDE };
}

/** Flat arrows that face the eye, all in one mesh. */
class Arrows {
  readonly position: BufferAttribute;
  readonly colour: BufferAttribute;
  readonly geometry = new BufferGeometry();
  n = 0;
  private readonly eye: number[] = [0, 0, 0];
  private readonly right: number[] = [1, 0, 0];
  private far = false;
  constructor(most: number) {
    this.position = new BufferAttribute(new Float32Array(3 * CORNERS * most), 3).setUsage(DynamicDrawUsage);
    this.colour = new BufferAttribute(new Uint8Array(4 * CORNERS * most), 4, true).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", this.position);
    this.geometry.setAttribute("colour", this.colour);
    this.geometry.setIndex(Array.from({ length: most }, (_, k) => [0, 1, 2, 0, 2, 3, 4, 5, 6].map((i) => CORNERS * k + i)).flat());
  }
  begin(camera: Camera): void {
    this.n = 0;
    this.far = camera.mode === "top";
    this.eye.splice(0, 3, ...eye(camera));
    this.right.splice(0, 3, ...basis(camera).right);
  }
  /** From a foot along a unit vector; `pixel` is what one is worth in metres. */
  add(foot: readonly number[], along: readonly number[], long: number, pixel: number, c: Rgb, alpha: number): void {
    if (CORNERS * (this.n + 1) > this.position.count || !(alpha > 0.01)) return;
    const d = this.far ? [0, 0, 1] : [0, 1, 2].map((i) => this.eye[i] - foot[i]);
    let side = [along[1] * d[2] - along[2] * d[1], along[2] * d[0] - along[0] * d[2], along[0] * d[1] - along[1] * d[0]];
    const l = Math.hypot(side[0], side[1], side[2]);
    side = l > 1e-6 * Math.hypot(d[0], d[1], d[2]) ? side.map((x) => x / l) : this.right; // straight at the eye
    let v = CORNERS * this.n++;
    const put = (way: number, off: number, a: number): void => {
      this.position.setXYZ(v, foot[0] + along[0] * way + side[0] * off, foot[1] + along[1] * way + side[1] * off, foot[2] + along[2] * way + side[2] * off);
      this.colour.setXYZW(v++, c[0], c[1], c[2], a);
    };
    const [neck, half, wide] = [long - BARB * pixel, (SHAFT * pixel) / 2, (BARB * pixel) / 2];
    put(0, -half, alpha * 0.25);
    put(0, half, alpha * 0.25);
    put(neck, half, alpha);
    put(neck, -half, alpha);
    put(neck, -wide, alpha);
    put(long, 0, alpha);
    put(neck, wide, alpha);
  }
  end(): void {
    this.geometry.setDrawRange(0, 9 * this.n);
    this.position.needsUpdate = this.colour.needsUpdate = true;
  }
  /** The same for the flat view, from the corners that are built already. */
  stroke(c: CanvasRenderingContext2D, view: View): void {
    const at = [0, 0];
    for (let k = 0; k < this.n; k++) {
      const v = CORNERS * k;
      c.fillStyle = css([this.colour.getX(v), this.colour.getY(v), this.colour.getZ(v)], this.colour.getW(v + 5));
      c.beginPath();
      [0, 1, 2, 6, 5, 4, 3].forEach((i, first) => {
        project(view, this.position.getX(v + i), this.position.getY(v + i), this.position.getZ(v + i), at);
        if (first === 0) c.moveTo(at[0], at[1]);
        else c.lineTo(at[0], at[1]);
      });
      c.fill();
    }
  }
}

export const wind: Renderable = {
  id: "wind",
  order: 40,
  title: "Wind",
  key: "Shift+W",
  icon: "M2 5.5h7.5a2 2 0 1 0-2-2M2 8.5h10a2 2 0 1 1-2 2M2 11.5h4.5a1.5 1.5 0 1 1-1.5 1.5",
  on: false,
  create(scene: Scene): Layer {
    const arrows = new Arrows(2 * SIDE * SIDE);
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: TINTED, transparent: true, depthWrite: false, side: 2 });
    const mesh = new Mesh(arrows.geometry, material);
    mesh.frustumCulled = false;
    scene.add(mesh);
    let on = false;
    let range: [number, number] | null = null; // of the speeds, where there are several
    let scale: readonly Rgb[] = [];
    const faint = (away: number, reach: number): number => Math.max(0, 1 - (away / reach) ** 2);

    /** Every arrow is the wind at its foot. */
    function local(view: View, origin: readonly number[], air: Air): void {
      const pixel = metresPerPixel(view.camera, view);
      const reach = cellOf(view.camera, view) * SIDE * 0.6;
      const t = view.camera.target;
      let [low, high] = [Infinity, -Infinity];
      for (let k = 0; k < air.places; k++) {
        const speed = speedOf(air.wind.subarray(6 * k + 3));
        [low, high] = [Math.min(low, speed), Math.max(high, speed)];
      }
      range = rangeOf(low, high, range);
      scale = rampOn(view.light.dark);
      for (let k = 0; k < air.places; k++) {
        const [e, n, u, x, y, z] = air.wind.subarray(6 * k, 6 * k + 6);
        const speed = Math.hypot(x, y, z);
        if (speed < CALM) continue;
        const foot = [e - origin[0], n - origin[1], u - origin[2]];
        arrows.add(foot, [x / speed, y / speed, z / speed], pixel * lengthOf(speed), pixel, colourAt(scale, (speed - range[0]) / (range[1] - range[0])), 0.9 * faint(foot[0] - t[0], reach) * faint(foot[1] - t[1], reach));
      }
    }
    /** Cells stand still in the world along and across the wind; within them the arrows drift, faint at both ends. */
    function mean(view: View, origin: readonly number[]): void {
      const w = view.world.wind;
      const speed = speedOf(w);
      if (speed < CALM) return;
      const pixel = metresPerPixel(view.camera, view);
      const cell = cellOf(view.camera, view);
      const s = Math.hypot(w[0], w[1]);
      const ahead = s > 1e-6 ? [w[0] / s, w[1] / s] : [0, 1];
      const side = [-ahead[1], ahead[0]];
      const t = view.camera.target;
      const along = (t[0] + origin[0]) * ahead[0] + (t[1] + origin[1]) * ahead[1];
      const across = (t[0] + origin[0]) * side[0] + (t[1] + origin[1]) * side[1];
      const drift = view.still ? 0.5 : (((view.time * speed) / cell) % 1 + 1) % 1;
      const up = Math.max(t[2], view.ground + 0.2);
      const edge = 4 * drift * (1 - drift) * 0.8 + 0.2;
      for (let i = 0; i < SIDE; i++)
        for (let j = 0; j < SIDE; j++) {
          const a = (Math.floor(along / cell) + i - SIDE / 2 + drift) * cell;
          const b = (Math.floor(across / cell) + j - SIDE / 2 + 0.5) * cell;
          const foot = [a * ahead[0] + b * side[0] - origin[0], a * ahead[1] + b * side[1] - origin[1], up];
          arrows.add(foot, [w[0] / speed, w[1] / speed, w[2] / speed], pixel * lengthOf(speed), pixel, view.light.palette.text2, 0.8 * edge * faint(a - along, cell * SIDE * 0.55) * faint(b - across, cell * SIDE * 0.55));
        }
    }
    const seen = (view: View): boolean => on && !view.flat && view.camera.mode !== "cockpit";
    function words(view: View): string {
      const air = view.air;
      if (air) return `${legend(meanOf(air), 0)}, ${Math.round(air.height)}\u2009m above ground`;
      const text = legend(view.world.wind, view.world.gustSigma);
      return view.noAir ? `${text} \u00b7 ${view.noAir}` : text;
    }
    return {
      update(frame, view) {
        mesh.visible = seen(view);
        if (!mesh.visible) return;
        arrows.begin(view.camera);
        if (view.air) local(view, frame.origin, view.air);
        else {
          range = null;
          mean(view, frame.origin);
        }
        arrows.end();
        mesh.visible = arrows.n > 0;
      },
      legend: (): Legend | null => (on && range ? { title: "Wind", unit: "m/s", low: range[0], high: range[1], colours: scale } : null),
      draw2d(c, _frame, view) {
        if (seen(view)) arrows.stroke(c, view);
      },
      overlay(c, _frame, view) {
        if (!on || view.flat) return false;
        const text = words(view);
        // The foot of the picture, or its head, wherever there is room for it.
        const places = [0.5, 0.75, 0.3].flatMap((x) => [26, 56, 86, view.height - 76, view.height - 185].map((y) => [x * view.width, view.height - y]));
        const at = places.find(([x, y]) => view.labels.text(x, y, text, { centre: true }));
        if (!at || view.air || speedOf(view.world.wind) < CALM) return false;
        const [long, y] = [lengthOf(speedOf(view.world.wind)), at[1] - 18];
        c.strokeStyle = css(view.light.palette.text);
        c.lineWidth = 1.5;
        c.beginPath();
        c.moveTo(at[0] - long / 2, y);
        c.lineTo(at[0] + long / 2, y);
        c.moveTo(at[0] + long / 2 - 5, y - 3);
        c.lineTo(at[0] + long / 2, y);
        c.lineTo(at[0] + long / 2 - 5, y + 3);
        c.stroke();
        return true;
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(mesh);
        arrows.geometry.dispose();
        material.dispose();
      },
    };
  },
};
