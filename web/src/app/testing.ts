// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Handles for tests, offered as window.volary with ?test=1 only.
import { nearest } from "../scene/pick.ts";
import type { Picture } from "../scene/renderer.ts";
import type { LiveSource } from "../source/live.ts";
import { actions, perform, seekTo, select, set, setCamera } from "./commands.ts";
import type { Loop } from "./session.ts";
import * as s from "./state.ts";

export function offerTests(picture: Picture, loop: Loop, source: LiveSource | null): void {
  const settle = async (): Promise<void> => {
    for (let k = 0; k < 3; k++) await new Promise((done) => requestAnimationFrame(done));
    s.redraw();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  };
  let framed = 0;
  const outside = new Map<string, { name: string; time: number; at: number[] }>();
  const drawAlone = loop.draw.bind(loop);
  loop.draw = () => {
    drawAlone();
    const f = s.hot.frame;
    const { screen, width, height } = picture.view;
    if (!s.hot.keepFitting || s.hot.move || !f.n) return;
    framed++;
    for (let k = 0; k < f.n; k++) {
      const at = [screen[3 * k], screen[3 * k + 1], screen[3 * k + 2]];
      if (at[0] < 0 || at[0] > width || at[1] < 0 || at[1] > height || at[2] <= 0) outside.set(f.roster.ids[k], { name: f.roster.names[k], time: f.time, at: at.map(Math.round) });
    }
  };
  const api = {
    get ready(): boolean {
      return s.world.value !== null && s.hot.frame.n > 0 && picture.frames > 1;
    },
    settle,
    seek: async (time: number): Promise<number> => {
      seekTo(time);
      await settle();
      return s.hot.clock.time;
    },
    /** Where a vehicle is on the scene, in css pixels. */
    project(id: string): [number, number] | null {
      const k = s.slotOf(id);
      return k < 0 ? null : [picture.view.screen[3 * k], picture.view.screen[3 * k + 1]];
    },
    position(id: string): number[] | null {
      const k = s.slotOf(id);
      return k < 0 ? null : [0, 1, 2].map((i) => s.hot.frame.position[3 * k + i] + s.hot.frame.origin[i]);
    },
    projectPoint: (e: number, n: number, u: number): [number, number] | null => picture.project(e - s.hot.frame.origin[0], n - s.hot.frame.origin[1], u - s.hot.frame.origin[2]),
    pick(x: number, y: number): string | null {
      const k = nearest(picture.view.screen, s.hot.frame.n, x, y);
      return k < 0 ? null : s.hot.frame.roster.ids[k];
    },
    /** Attitudes of the aircraft of a platform as they are drawn, w x y z each. */
    aircraft(id: string): number[][] {
      const k = s.slotOf(id);
      const f = s.world.value?.flocks[s.hot.frame.roster.flock[k]];
      const all = k < 0 || !f ? undefined : s.hot.joined?.poses(s.hot.frame, k, f);
      return all ? [0, 1, 2].map((n) => [...all.slice(7 * n + 3, 7 * n + 7)]) : [];
    },
    speed(id: string): number {
      const k = s.slotOf(id);
      return k < 0 ? NaN : Math.hypot(...s.hot.frame.velocity.subarray(3 * k, 3 * k + 3));
    },
    names: (): string[] => s.hot.frame.roster.names.slice(0, s.hot.frame.n),
    ids: (): string[] => s.hot.frame.roster.ids.slice(0, s.hot.frame.n),
    levels: (): number[] => [0, 1, 2, 3].map((l) => picture.view.level.slice(0, s.hot.frame.n).filter((x) => x === l).length),
    flocks: (): number[] => [...s.hot.frame.roster.flock.slice(0, s.hot.frame.n)],
    palette: (): number[][] => picture.view.light.palette.flocks.map((c) => c.map((v) => Math.round(v * 255))),
    ground: (): number[] => picture.view.light.palette.ground.map((v) => Math.round(v * 255)),
    /** Over all frames since the last look: how many were drawn while the camera framed all, and which vehicles were outside the picture in any of them. */
    strays(): { frames: number; outside: { name: string; time: number; at: number[] }[] } {
      const found = { frames: framed, outside: [...outside.values()] };
      framed = 0;
      outside.clear();
      return found;
    },
    labels: () => picture.labels.boxes.map((b) => ({ ...b })),
    camera: () => ({ ...s.hot.camera }),
    setCamera,
    perform,
    actions: () => actions.map((a) => ({ id: a.id, title: a.title, keys: a.keys, may: a.when?.() ?? true })),
    select: (ids: string[]) => select(ids, ids[0] ?? null),
    selection: () => [...s.selection.value.ids],
    set,
    shown: () => ({ ...s.shown.value, page: s.page.value, opening: s.opening.value, coverage: s.hot.coverage }),
    live: () => s.liveStatus.value,
    clock: () => ({ ...s.hot.clock, tick: s.hot.frame.tick, extent: { ...s.hot.extent } }),
    status: () => s.status.value,
    swarm: () => s.swarm.value,
    world: () => s.world.value,
    /** Draws n frames back to back and waits for each to be finished: milliseconds of each. */
    bench(n: number): number[] {
      const times: number[] = [];
      for (let k = 0; k < n; k++) {
        const start = performance.now();
        loop.draw();
        picture.finish();
        times.push(performance.now() - start);
      }
      return times;
    },
    stats: () => ({ ...picture.info(), labels: picture.labels.boxes.length, bytes: source?.history.bytes ?? 0, kept: source?.history.frames.length ?? 0, frames: picture.frames, script: picture.lastMs, frameTimes: [...picture.times], quality: picture.quality, scale: picture.governor.scale, nodes: document.getElementsByTagName("*").length }),
    /** Draws at this part of the window's resolution from now on, however long frames take. */
    pin(scale: number): void {
      picture.governor.pinned = true;
      picture.governor.scale = scale;
      loop.resize();
    },
    loseContext: () => picture.loseContext(),
    /** Pixels of the drawing buffer after a fresh draw, for counting colours: RGBA, bottom row first. */
    pixels(): { width: number; height: number; data: Uint8ClampedArray } {
      loop.draw();
      const copy = document.createElement("canvas");
      copy.width = picture.canvas.width;
      copy.height = picture.canvas.height;
      const c = copy.getContext("2d", { willReadFrequently: true })!;
      c.drawImage(picture.canvas, 0, 0);
      return { width: copy.width, height: copy.height, data: c.getImageData(0, 0, copy.width, copy.height).data };
    },
    /** How many pixels have each of these colours exactly, and the box they lie in. */
    count(colours: number[][]): { n: number; x0: number; y0: number; x1: number; y1: number }[] {
      const { width, data } = api.pixels();
      const found = colours.map(() => ({ n: 0, x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity }));
      for (let i = 0; i < data.length; i += 4)
        colours.forEach((c, k) => {
          if (Math.abs(data[i] - c[0]) > 1 || Math.abs(data[i + 1] - c[1]) > 1 || Math.abs(data[i + 2] - c[2]) > 1) return;
          const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
          const f = found[k];
          f.n++;
          f.x0 = Math.min(f.x0, x);
          f.x1 = Math.max(f.x1, x);
          f.y0 = Math.min(f.y0, y);
          f.y1 = Math.max(f.y1, y);
        });
      return found;
    },
  };
  (window as unknown as { volary: typeof api }).volary = api;
}
