// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { basis, eye, fit, FOV, frameAll, initialCamera, metresPerPixel, orbit, pan, wayNeeded, zoom, type Camera } from "./camera.ts";
import { assignLevels, levelFor } from "./lod.ts";
import { Labels } from "./labels.ts";
import { gridSeen } from "./renderables/grid.ts";
import { inBox, nearest } from "./pick.ts";
import { isNight, lightAt, parseColour, sunAt, type Palette } from "./theme.ts";

const view = { width: 800, height: 600 };
const screen = (c: Camera, p: number[]): [number, number] => {
  const { right, up, back } = basis(c);
  const d = p.map((x, i) => x - c.target[i]);
  const dot = (a: number[]): number => a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
  const focal = view.height / 2 / Math.tan(FOV / 2);
  const depth = c.mode === "top" ? c.distance : c.distance - dot(back);
  return [400 + (dot(right) * focal) / depth, 300 - (dot(up) * focal) / depth];
};

test("looking north, east is to the right", () => {
  const c = { ...initialCamera(), azimuth: 0 };
  assert.ok(eye(c)[1] < c.target[1]);
  assert.deepEqual(basis(c).right.map((x) => Math.round(x)), [1, -0, 0]);
});
test("from above north is up and east is right", () => {
  const c: Camera = { ...initialCamera(), mode: "top", azimuth: 1 };
  assert.ok(screen(c, [c.target[0] + 1, c.target[1], 0])[0] > 400);
  assert.ok(screen(c, [c.target[0], c.target[1] + 1, 0])[1] < 300);
});
test("fit brings every point into the frame and uses it", () => {
  const points: number[] = [];
  for (let k = 0; k < 300; k++) points.push(40 * Math.sin(k), 25 * Math.cos(k * 1.7), 10 + 8 * Math.sin(k * 2.3));
  for (const mode of ["orbit", "top"] as const) {
    const c = fit({ ...initialCamera(), mode }, points, 300, view, [50, 50, 50, 50]);
    let [x0, x1, y0, y1] = [1e9, -1e9, 1e9, -1e9];
    for (let k = 0; k < 300; k++) {
      const [x, y] = screen(c, points.slice(3 * k, 3 * k + 3));
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
    }
    assert.ok(x0 > 40 && x1 < 760 && y0 > 40 && y1 < 560, `${mode}: ${[x0, x1, y0, y1]}`);
    assert.ok(x1 - x0 > 640 || y1 - y0 > 440);
  }
});
test("fit holds for points one behind the other, a single point and thousands, at any angle", () => {
  const line = Array.from({ length: 11 }, (_, k) => [-55 + 0.2 * k, 30 - 7 * k, 7.5]).flat();
  const crowd = Array.from({ length: 9000 }, (_, k) => [400 * Math.sin(k), 300 * Math.cos(2.1 * k), 20 + 15 * Math.sin(0.7 * k)]).flat();
  for (const points of [line, [3, 4, 5], crowd])
    for (const [azimuth, elevation] of [[0.52, 0.34], [0, 0.05], [2.8, 1.4], [-1.2, 0.6]])
      for (const mode of ["orbit", "top"] as const) {
        const c = fit({ ...initialCamera(), mode, azimuth, elevation }, points, points.length / 3, view, [50, 40, 60, 30]);
        let [x0, x1, y0, y1] = [1e9, -1e9, 1e9, -1e9];
        for (let k = 0; k < points.length; k += 3) {
          const [x, y] = screen(c, points.slice(k, k + 3));
          [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
        }
        const words = `${mode} ${azimuth} ${points.length / 3}: ${[x0, x1, y0, y1, c.distance].map((q) => q.toFixed(1))}`;
        assert.ok(x0 > 29.9 && x1 < 760.1 && y0 > 49.9 && y1 < 540.1, words);
        assert.ok(points !== crowd || x1 - x0 > 729 || y1 - y0 > 489, words);
      }
});
test("the camera stays above the ground and under the zenith", () => {
  let c = initialCamera();
  c = orbit(c, 0, -1e5);
  assert.ok(c.elevation > 0.03);
  assert.ok(orbit(c, 0, 1e5).elevation < Math.PI / 2);
});
test("zoom at a point in top view keeps that point", () => {
  const c: Camera = { ...initialCamera(), mode: "top" };
  const m = (2 * c.distance * Math.tan(FOV / 2)) / view.height;
  const p = [c.target[0] + 100 * m, c.target[1] - 50 * m, 0];
  const [x, y] = screen(zoom(c, 0.5, 100, 50, view), p);
  assert.ok(Math.abs(x - 500) < 1e-6 && Math.abs(y - 350) < 1e-6);
});
test("panning lets go of what is followed", () => {
  assert.equal(pan({ ...initialCamera(), mode: "follow" }, 5, 5, view).mode, "orbit");
});
test("levels change with hysteresis and past the cap the farther ones drop", () => {
  assert.equal(levelFor(30, 0), 0);
  assert.equal(levelFor(30, 1), 1);
  assert.equal(levelFor(100, 0), 2);
  const level = new Uint8Array(10);
  assignLevels(10, (k) => 100 + k, level, [3, 2]);
  assert.deepEqual([...level], [0, 0, 0, 0, 0, 1, 1, 1, 2, 2]);
  assert.equal(assignLevels(10, (k) => 100 + k, level, [3, 2]), false);
});
test("the nearest within reach is picked, what is behind the eye is not", () => {
  const s = new Float32Array([10, 10, 1, 14, 10, 1, 12, 10, -1]);
  assert.equal(nearest(s, 3, 13, 10), 1);
  assert.equal(nearest(s, 3, 50, 50), -1);
  assert.deepEqual(inBox(s, 3, 20, 20, 12, 0), [1]);
});
test("no two labels overlap and none lies on a panel", () => {
  const none = (): void => {};
  const c = { measureText: (t: string) => ({ width: t.length * 7 }), fillRect: none, beginPath: none, roundRect: none, fill: none, stroke: none, fillText: none } as unknown as CanvasRenderingContext2D;
  const l = new Labels();
  l.begin(c, 400, 300, [{ x: 0, y: 0, w: 120, h: 40 }], { fill: "", text: "", edge: "" });
  for (let k = 0; k < 200; k++) l.text((k * 37) % 400, (k * 61) % 300, `uav-${k}`);
  assert.ok(l.boxes.length > 20);
  for (const a of l.boxes) {
    assert.ok(!(a.x < 120 && a.y < 40));
    for (const b of l.boxes) if (a !== b) assert.ok(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y);
  }
});
test("colours in short and long form; without an hour the theme's sky is used as it is", () => {
  assert.deepEqual(parseColour("#fff"), [1, 1, 1]);
  assert.deepEqual(parseColour("#FF0080").map((x) => Math.round(x * 255)), [255, 0, 128]);
  const p = (v: number): Palette => ({ zenith: [v, v, v], horizon: [v, v, v], ground: [v, v, v], minor: [v, v, v], major: [v, v, v], reliefLow: [v, v, v], reliefHigh: [v, v, v], solid: [v, v, v], select: [v, v, v], panel: [v, v, v], text: [1 - v, 1 - v, 1 - v], text2: [v, v, v], bad: [v, v, v], ok: [v, v, v], warn: [v, v, v], accent: [v, v, v], flocks: [] });
  assert.deepEqual(lightAt(null, "dark", p(0.9), p(0.1)).palette.zenith, [0.1, 0.1, 0.1]);
  for (const hour of [0, 6, 12, 18, 23]) {
    assert.equal(lightAt(hour, "dark", p(0.9), p(0.1)).dark, true, "the theme is one for panels and scene");
    assert.equal(lightAt(hour, "light", p(0.9), p(0.1)).dark, false);
  }
  assert.ok(isNight(0, null) && isNight(22, null) && !isNight(12, null) && !isNight(6.5, null));
});
test("a vehicle that flies away, or two that part, never leave the frame while all is framed, on a quick page and a slow one", () => {
  const keep: [number, number, number, number] = [30, 20, 30, 20];
  for (const still of [false, true])
    for (const dt of [1 / 60, 0.25])
      for (const speed of [0.5, 25, 300])
        for (const mode of ["orbit", "top"] as const) {
          let points = [0, 0, 10, 3, 2, 12];
          let c = fit({ ...initialCamera(), mode }, points, 2, view, [60, 40, 60, 40]);
          for (let k = 0; k < 200; k++) {
            const t = k * dt;
            points = [speed * t, 0.2 * speed * t, 10, 3 - 0.5 * speed * Math.sin(t), 2 - 0.1 * speed * t, 12 + 0.1 * speed * t];
            c = frameAll(c, fit(c, points, 2, view, [60, 40, 60, 40]), points, 2, view, keep, dt, still);
            for (const p of [points.slice(0, 3), points.slice(3)]) {
              const [x, y] = screen(c, p);
              assert.ok(x > 19.9 && x < 780.1 && y > 29.9 && y < 570.1, `${mode} still ${still} dt ${dt} speed ${speed} at ${t}: ${x} ${y}`);
            }
          }
        }
});
test("a still camera stays where it is as long as all is in the frame", () => {
  const points = [0, 0, 5, 10, 0, 5];
  const c = fit(initialCamera(), points, 2, view, [60, 40, 60, 40]);
  const moved = points.map((x) => x + 0.1);
  assert.equal(wayNeeded(c, fit(c, moved, 2, view, [60, 40, 60, 40]), moved, 2, view, [30, 20, 30, 20]), 0);
  assert.equal(frameAll(c, fit(c, moved, 2, view, [60, 40, 60, 40]), moved, 2, view, [30, 20, 30, 20], 0.1, true), c);
});
test("the sun stands where astronomy has it: 90 degrees less latitude plus declination at noon, in the east at six", () => {
  const london = { latitude: 51.5, year: 2026.471 }; // 21 June
  assert.ok(Math.abs(sunAt(12, london).elevation - 61.94) < 0.05 && Math.abs(Math.abs(sunAt(12, london).bearing) - 180) < 0.01);
  assert.ok(Math.abs(sunAt(12, { ...london, year: 2026.97 }).elevation - 15.06) < 0.05, "21 December");
  assert.ok(Math.abs(sunAt(12, { latitude: -33.9, year: 2026.97 }).elevation - 79.5) < 0.1 && Math.abs(Math.abs(sunAt(12, { latitude: -33.9, year: 2026.97 }).bearing)) < 0.01, "from the north in Sydney");
  const boulder = sunAt(6, { latitude: 40, year: 2026.471 }); // sin el = sin 40 sin 23.44; tan bearing = cos 23.44 / (sin 23.44 cos 40)
  assert.ok(Math.abs(boulder.elevation - 14.82) < 0.05 && Math.abs(boulder.bearing - 71.6) < 0.1);
  assert.ok(Math.abs(sunAt(6, { latitude: 0, year: 2026.219 }).elevation) < 0.3, "the equinox");
  assert.ok(Math.abs(sunAt(12, { latitude: 46.65, year: 2026 }).elevation - 43.35) < 1e-9, "no date: neither summer nor winter");
  assert.deepEqual(sunAt(6, null), { bearing: 90, elevation: 0 });
  for (let hour = 0; hour < 24; hour++) assert.ok(sunAt(hour, { latitude: 80, year: 2026.471 }).elevation > 0, "no night in the far north in June");
});
test("the label of the grid names the lines that are seen", () => {
  const near = gridSeen({ ...initialCamera(), target: [0, 0, 2], distance: 20 }, 0, view);
  assert.deepEqual([near.major, near.fine], [10, true]);
  const high = gridSeen({ ...initialCamera(), target: [0, 0, 100], distance: 20 }, 0, view);
  assert.equal(high.fine, false, "from high above the ground the fine lines are a patch");
  for (let distance = 1; distance < 5000; distance *= 1.3) {
    const g = gridSeen({ ...initialCamera(), target: [0, 0, 0], distance }, 0, view);
    const pixels = g.major / metresPerPixel({ ...initialCamera(), distance }, view);
    assert.ok(pixels > 60 && pixels < 660, `${g.major} m are ${pixels} px from ${distance} m`);
  }
});
