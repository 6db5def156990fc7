// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last five seconds of flight, fading to nothing. Points sit on a fixed lattice of simulation time in a ring of blocks, so that a step
// of the clock uploads one block and the moving head; a seek fills the ring anew and gives the same picture as having waited.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, ShaderMaterial, Sphere, Vector2, type Scene } from "three";
import { css } from "../theme.ts";
import { flockColour, project, type Layer, type Renderable, type View } from "../view.ts";
import type { Frame } from "../../source/source.ts";

const LENGTH = 5; // s
const POINTS = 24;
const STEP = LENGTH / POINTS;
const ALL = 1000; // beyond this many vehicles only the selected and the nearest
const SOME = 500;
const THICK = 300;

const VERTEX = `
attribute vec4 colour; // hue, then which ring place
uniform float ages[${POINTS + 1}];
uniform vec2 shift;
varying vec4 tint;
void main() {
  vec3 p = position;
  bool lost = !(p.x == p.x);
  gl_Position = lost ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * viewMatrix * vec4(p, 1.0);
  gl_Position.xy += shift * gl_Position.w;
  float age = ages[int(colour.a * 255.0 + 0.5)];
  float a = lost ? 0.0 : clamp(1.0 - age / ${LENGTH.toFixed(1)}, 0.0, 1.0);
  // Far below zero, so that nothing is seen of the link between a known place and an unknown one.
  tint = vec4(colour.rgb, lost ? -1000.0 : a * (0.35 + 0.65 * a));
}`;
const FRAGMENT = `
precision mediump float;
varying vec4 tint;
uniform float strength, flatPaint;
void main() {
  float a = max(0.0, tint.a * strength);
  gl_FragColor = vec4(tint.rgb, flatPaint > 0.5 ? step(0.12, a) : a);
}`;

export const trails: Renderable = {
  id: "trails",
  order: 60,
  title: "Trails",
  key: "Shift+T",
  icon: "trail",
  on: true,
  create(scene: Scene): Layer {
    const ages = new Float32Array(POINTS + 1);
    const uniforms = { ages: { value: ages }, strength: { value: 0.8 }, flatPaint: { value: 0 }, shift: { value: new Vector2() } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    // Lines are one pixel wide everywhere; a second copy one pixel lower makes them two where there are few enough.
    const second = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { ...uniforms, shift: { value: new Vector2() } }, transparent: true, depthWrite: false });
    let geometry = new BufferGeometry();
    let lines = new LineSegments(geometry, [material]);
    let members: string[] = [];
    let slots: number[] = [];
    let ring = new Int32Array(POINTS).fill(-0x7fffffff); // lattice index held by each block
    let position = new BufferAttribute(new Float32Array(0), 3);
    let colour = new BufferAttribute(new Uint8Array(0), 4, true);
    let on = true;
    let chosenAt = -1;
    let key = "";
    const lower = new LineSegments(geometry, [second]);
    lower.frustumCulled = false;
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    scene.add(lines, lower);

    function choose(frame: Frame, view: View): void {
      const want: number[] = [];
      if (frame.n <= ALL) for (let k = 0; k < frame.n; k++) want.push(k);
      else {
        for (let k = 0; k < frame.n; k++) if (view.selected[k]) want.push(k);
        const order = [...Array(frame.n).keys()].filter((k) => !view.selected[k] && view.screen[3 * k + 2] > 0).sort((a, b) => view.screen[3 * b + 2] - view.screen[3 * a + 2]);
        want.push(...order.slice(0, SOME - Math.min(SOME, want.length)));
        want.sort((a, b) => a - b);
      }
      slots = want;
      const next = want.map((k) => frame.roster.ids[k]);
      const nextKey = `${frame.roster.version}:${view.light.dark}:${next.length > ALL ? "" : next.length}:${frame.n > ALL ? next.join() : ""}`;
      if (nextKey === key) return;
      key = nextKey;
      members = next;
      rebuild(frame, view);
    }

    function rebuild(frame: Frame, view: View): void {
      const n = members.length;
      const vertices = n * (POINTS + 1);
      geometry.dispose();
      geometry = new BufferGeometry();
      position = new BufferAttribute(new Float32Array(3 * vertices).fill(NaN), 3).setUsage(DynamicDrawUsage);
      colour = new BufferAttribute(new Uint8Array(4 * vertices), 4, true);
      const index = new Uint32Array(4 * n * POINTS);
      for (let block = 0; block <= POINTS; block++)
        for (let r = 0; r < n; r++) {
          const c = flockColour(view, frame.roster.flock[slots[r]]);
          colour.array.set([c[0] * 255, c[1] * 255, c[2] * 255, block], 4 * (block * n + r));
        }
      // First the links between neighbouring blocks, then the links from every block to the head: a frame draws two or three runs of these.
      for (let block = 0; block < POINTS; block++)
        for (let r = 0; r < n; r++) {
          index.set([block * n + r, ((block + 1) % POINTS) * n + r], 2 * (block * n + r));
          index.set([block * n + r, POINTS * n + r], 2 * ((POINTS + block) * n + r));
        }
      geometry.setAttribute("position", position);
      geometry.setAttribute("colour", colour);
      geometry.setIndex(new BufferAttribute(index, 1));
      geometry.boundingSphere = new Sphere();
      lines.geometry = lower.geometry = geometry;
      ring = new Int32Array(POINTS).fill(-0x7fffffff);
    }

    function fill(frame: Frame, view: View): void {
      const n = members.length;
      const newest = Math.floor(view.time / STEP);
      position.clearUpdateRanges();
      for (let back = 0; back < POINTS; back++) {
        const lattice = newest - back;
        const block = ((lattice % POINTS) + POINTS) % POINTS;
        ages[block] = view.time - lattice * STEP;
        if (ring[block] === lattice) continue;
        const there = view.source?.positions(lattice * STEP, members, frame.origin, position.array as Float32Array, 3 * block * n) ?? false;
        ring[block] = there || lattice * STEP < (view.source?.extent().first ?? 0) ? lattice : -0x7fffffff;
        position.addUpdateRange(3 * block * n, 3 * n);
      }
      ages[POINTS] = 0;
      const head = position.array as Float32Array;
      for (let r = 0; r < n; r++) {
        const to = 3 * (POINTS * n + r);
        const from = 3 * slots[r];
        head[to] = frame.position[from];
        head[to + 1] = frame.position[from + 1];
        head[to + 2] = frame.position[from + 2];
      }
      position.addUpdateRange(3 * POINTS * n, 3 * n);
      position.needsUpdate = true;
      groups(newest, n);
    }

    function groups(newest: number, n: number): void {
      const block = ((newest % POINTS) + POINTS) % POINTS;
      geometry.clearGroups();
      // The link from the newest block onwards would join head and tail: it is left out.
      if (block > 0) geometry.addGroup(0, 2 * n * block, 0);
      if (block < POINTS - 1) geometry.addGroup(2 * n * (block + 1), 2 * n * (POINTS - 1 - block), 0);
      geometry.addGroup(2 * n * (POINTS + block), 2 * n, 0);
    }

    return {
      update(frame, view) {
        lines.visible = on && frame.n > 0;
        lower.visible = lines.visible && frame.n <= THICK && !view.flat;
        second.uniforms["shift"].value.set(1 / (view.width * view.ratio), -2 / (view.height * view.ratio));
        if (!on) return;
        const due = frame.n <= ALL || Math.abs(view.time - chosenAt) > 1 || view.selectionChanged || view.rosterChanged;
        if (due) {
          chosenAt = view.time;
          choose(frame, view);
        }
        if (slots.some((k) => k >= frame.n)) return;
        uniforms.strength.value = frame.n > 300 ? 0.55 : 0.75;
        uniforms.flatPaint.value = view.flat ? 1 : 0;
        fill(frame, view);
      },
      draw2d(c, frame, view) {
        if (!on || frame.n > ALL) return;
        const at = [0, 0];
        const p = position.array;
        const n = members.length;
        const newest = Math.floor(view.time / STEP);
        c.lineWidth = 1;
        for (let r = 0; r < n; r++) {
          c.strokeStyle = css(flockColour(view, frame.roster.flock[slots[r]]), 0.5);
          c.beginPath();
          c.moveTo(view.screen[3 * slots[r]], view.screen[3 * slots[r] + 1]);
          for (let back = 0; back < POINTS; back++) {
            const block = (((newest - back) % POINTS) + POINTS) % POINTS;
            const i = 3 * (block * n + r);
            if (Number.isNaN(p[i]) || !project(view, p[i], p[i + 1], p[i + 2], at)) break;
            c.lineTo(at[0], at[1]);
          }
          c.stroke();
        }
      },
      show(v) {
        on = v;
      },
      dispose() {
        scene.remove(lines, lower);
        geometry.dispose();
        material.dispose();
      },
    };
  },
};
