// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The mean wind: a field of arrows at the height of the camera's target that drift with the air in simulation time, and a legend with an
// arrow of known speed. In calm air there is nothing to draw, and the legend says so.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, ShaderMaterial, Vector3, type Scene } from "three";
import { metresPerPixel } from "../camera.ts";
import { css } from "../theme.ts";
import type { Layer, Renderable, View } from "../view.ts";

const COLUMNS = 12;
const ROWS = 8;
const PIXELS = 8; // length of an arrow per m/s, at the target
const [SHORT, LONG] = [12, 64];
const VERTEX = `
attribute float fade;
varying float strength;
void main() {
  strength = fade;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 colour;
varying float strength;
void main() { gl_FragColor = vec4(colour, strength); }`;

export const speedOf = (wind: readonly number[]): number => Math.hypot(wind[0], wind[1], wind[2]);
/** Where the wind comes from, degrees from north, clockwise, as forecasts say it. */
export const comesFrom = (wind: readonly number[]): number => ((Math.atan2(-wind[0], -wind[1]) * 180) / Math.PI + 360) % 360;
export const lengthOf = (speed: number): number => Math.min(LONG, Math.max(SHORT, PIXELS * speed));
export function legend(wind: readonly number[], gusts: number): string {
  const speed = speedOf(wind);
  const gusty = gusts > 0 ? ` \u00b7 gusts \u03c3 ${gusts.toFixed(1)}\u2009m/s` : "";
  if (speed < 0.05) return gusty ? `No mean wind${gusty}` : "Calm: no wind in this world";
  const level = Math.hypot(wind[0], wind[1]) > 0.05 ? ` from ${comesFrom(wind).toFixed(0).padStart(3, "0")}\u00b0` : wind[2] > 0 ? " upwards" : " downwards";
  return `Wind ${speed.toFixed(1)}\u2009m/s${level}${gusty}`;
}

export const wind: Renderable = {
  id: "wind",
  order: 40,
  title: "Wind",
  key: "Shift+W",
  icon: "M2 5.5h7.5a2 2 0 1 0-2-2M2 8.5h10a2 2 0 1 1-2 2M2 11.5h4.5a1.5 1.5 0 1 1-1.5 1.5",
  on: false,
  create(scene: Scene): Layer {
    const geometry = new BufferGeometry();
    const vertices = 6 * COLUMNS * ROWS;
    const position = new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage);
    const fade = new BufferAttribute(new Float32Array(vertices), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", position);
    geometry.setAttribute("fade", fade);
    const uniforms = { colour: { value: new Vector3() } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    const lines = new LineSegments(geometry, material);
    lines.frustumCulled = false;
    scene.add(lines);
    let on = false;

    /** Cells stand still in the world along and across the wind; within them the arrows drift, faint at both ends. */
    function build(view: View, origin: readonly number[]): void {
      const w = view.world.wind;
      const speed = speedOf(w);
      const m = metresPerPixel(view.camera, view);
      const cell = 2 ** Math.round(Math.log2(m * 96));
      const [f, s] = [[w[0] / speed, w[1] / speed, w[2] / speed], Math.hypot(w[0], w[1])];
      const side = s > 1e-6 ? [-w[1] / s, w[0] / s] : [1, 0];
      const ahead = s > 1e-6 ? [w[0] / s, w[1] / s] : [0, 1];
      const t = view.camera.target;
      const along = (t[0] + origin[0]) * ahead[0] + (t[1] + origin[1]) * ahead[1];
      const across = (t[0] + origin[0]) * side[0] + (t[1] + origin[1]) * side[1];
      const drift = view.still ? 0.5 : (((view.time * speed) / cell) % 1 + 1) % 1;
      const [long, barb, up] = [m * lengthOf(speed), m * 5, Math.max(t[2], view.ground + 0.2)];
      const edge = 4 * drift * (1 - drift) * 0.8 + 0.2;
      let v = 0;
      const put = (x: number, y: number, z: number, alpha: number): void => {
        position.setXYZ(v, x, y, z);
        fade.setX(v++, alpha);
      };
      for (let i = 0; i < COLUMNS; i++)
        for (let j = 0; j < ROWS; j++) {
          const a = (Math.floor(along / cell) + i - COLUMNS / 2 + drift) * cell;
          const b = (Math.floor(across / cell) + j - ROWS / 2 + 0.5) * cell;
          const [x, y] = [a * ahead[0] + b * side[0] - origin[0], a * ahead[1] + b * side[1] - origin[1]];
          const alpha = edge * Math.max(0, 1 - ((a - along) / (cell * COLUMNS * 0.55)) ** 2) * Math.max(0, 1 - ((b - across) / (cell * ROWS * 0.6)) ** 2);
          const [hx, hy, hz] = [x + f[0] * long, y + f[1] * long, up + f[2] * long];
          put(x, y, up, alpha * 0.15);
          put(hx, hy, hz, alpha);
          for (const k of [-1, 1]) {
            put(hx, hy, hz, alpha);
            put(hx - f[0] * barb + side[0] * k * barb * 0.6, hy - f[1] * barb + side[1] * k * barb * 0.6, hz - f[2] * barb, alpha);
          }
        }
      position.needsUpdate = fade.needsUpdate = true;
    }
    /** The same field for the flat view, from the vertices that are built already. */
    function stroke(c: CanvasRenderingContext2D, view: View): void {
      const [p, e] = [position.array, view.matrix];
      c.strokeStyle = css(view.light.palette.text2, 0.7);
      c.lineWidth = 1;
      c.beginPath();
      for (let v = 0; v < vertices; v++) {
        const x = (e[0] * p[3 * v] + e[4] * p[3 * v + 1] + e[12]) * 0.5 + 0.5;
        const y = 0.5 - (e[1] * p[3 * v] + e[5] * p[3 * v + 1] + e[13]) * 0.5;
        if (v % 2) c.lineTo(x * view.width, y * view.height);
        else c.moveTo(x * view.width, y * view.height);
      }
      c.stroke();
    }
    const blows = (view: View): boolean => on && !view.flat && view.camera.mode !== "cockpit" && speedOf(view.world.wind) >= 0.05;
    return {
      update(frame, view) {
        lines.visible = blows(view);
        if (!lines.visible) return;
        uniforms.colour.value.fromArray(view.light.palette.text2);
        build(view, frame.origin);
      },
      draw2d(c, _frame, view) {
        if (blows(view)) stroke(c, view);
      },
      overlay(c, _frame, view) {
        if (!on || view.flat) return false;
        const w = view.world.wind;
        const text = legend(w, view.world.gustSigma);
        // The foot of the picture, wherever there is room for it.
        const places = [0.5, 0.75, 0.3].flatMap((x) => [26, 56, 86].map((y) => [x * view.width, view.height - y]));
        const at = places.find(([x, y]) => view.labels.text(x, y, text, { centre: true }));
        if (!at || speedOf(w) < 0.05) return false;
        const [long, y] = [lengthOf(speedOf(w)), at[1] - 18];
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
        scene.remove(lines);
        geometry.dispose();
        material.dispose();
      },
    };
  },
};
