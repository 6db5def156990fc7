// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last seconds of flight, fading to nothing, in the colour of the flock, of the vehicle, or of how fast or high it was. Points sit on a
// fixed lattice of simulation time in a ring of blocks, so that a step of the clock uploads one block and the moving head; a seek fills the
// ring anew and gives the same picture as having waited.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, ShaderMaterial, Sphere, Vector2, Vector3, type Scene } from "three";
import { colourAt, colourOf, RAMP, rampOn, rangeOf, STEPS, type Legend } from "../ramp.ts";
import { css, type Rgb } from "../theme.ts";
import { flockColour, project, type Layer, type Renderable, type View } from "../view.ts";
import type { Frame, WorldInfo } from "../../source/source.ts";

const SHORT = 5; // s: what shows the way of something that can stop and turn
const LONG = 40; // s: a circle of an aircraft and more
const ALL = 1000; // beyond this many vehicles only the selected and the nearest
const SOME = 500;
const THICK = 300;
const NOTHING = -0x7fffffff;

/** Seconds that trails are long where nobody chose: until a circle closes, for those that cannot stop. */
export const lengthFor = (world: Pick<WorldInfo, "flocks">): number => (world.flocks.some((f) => f.look && f.look.kind !== "car") ? LONG : SHORT);
/** Long ones show curves with as many points as a software renderer still draws for so many vehicles. */
export const pointsFor = (seconds: number, vehicles: number): number => (seconds <= 6 ? 24 : vehicles <= 100 ? 120 : vehicles <= THICK ? 60 : 40);

const VERTEX = `
attribute vec4 colour; // hue, then which ring place
attribute float value;
uniform vec3 clock; // s since the newest block, which block that is, s between two
uniform float blocks;
uniform vec2 shift;
uniform vec2 range; // of the values
uniform float byValue, seconds;
varying vec4 tint;
${RAMP}
void main() {
  vec3 p = position;
  bool lost = !(p.x == p.x);
  gl_Position = lost ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * viewMatrix * vec4(p, 1.0);
  gl_Position.xy += shift * gl_Position.w;
  float block = floor(colour.a * 255.0 + 0.5);
  float age = block >= blocks ? 0.0 : clock.x + clock.z * mod(clock.y - block + blocks, blocks);
  float a = lost ? 0.0 : clamp(1.0 - age / seconds, 0.0, 1.0);
  // Far below zero, so that nothing is seen of the link between a known place and an unknown one.
  vec3 hue = byValue > 0.5 ? ramp((value - range.x) / (range.y - range.x)) : colour.rgb;
  tint = vec4(hue, lost ? -1000.0 : a * (0.35 + 0.65 * a));
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
    const uniforms = { clock: { value: new Vector3() }, blocks: { value: 24 }, strength: { value: 0.8 }, flatPaint: { value: 0 }, shift: { value: new Vector2() }, range: { value: new Vector2(0, 1) }, byValue: { value: 0 }, seconds: { value: SHORT }, scale: { value: Array.from({ length: STEPS }, () => new Vector3()) } };
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false });
    // Lines are one pixel wide everywhere; a second copy one pixel lower makes them two where there are few enough.
    const second = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { ...uniforms, shift: { value: new Vector2() } }, transparent: true, depthWrite: false });
    let geometry = new BufferGeometry();
    let lines = new LineSegments(geometry, [material]);
    let members: string[] = [];
    let slots: number[] = [];
    let points = 24;
    let step = SHORT / points; // s between two of them
    let ring = new Int32Array(0); // lattice index held by each block
    let position = new BufferAttribute(new Float32Array(0), 3);
    let colour = new BufferAttribute(new Uint8Array(0), 4, true);
    let value = new BufferAttribute(new Float32Array(0), 1);
    let range: [number, number] | null = null;
    let by: View["trailBy"] = "flock";
    let dark = false;
    let on = true;
    let chosenAt = -1;
    let key = "";
    const lower = new LineSegments(geometry, [second]);
    lower.frustumCulled = false;
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    scene.add(lines, lower);
    const blockOf = (lattice: number): number => ((lattice % points) + points) % points;

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
      const nextKey = `${frame.roster.version}:${view.light.dark}:${view.trailBy}:${points}:${step}:${next.length > ALL ? "" : next.length}:${frame.n > ALL ? next.join() : ""}`;
      if (nextKey === key) return;
      key = nextKey;
      members = next;
      rebuild(frame, view);
    }

    function rebuild(frame: Frame, view: View): void {
      const n = members.length;
      const vertices = n * (points + 1);
      geometry.dispose();
      geometry = new BufferGeometry();
      position = new BufferAttribute(new Float32Array(3 * vertices).fill(NaN), 3).setUsage(DynamicDrawUsage);
      colour = new BufferAttribute(new Uint8Array(4 * vertices), 4, true);
      value = new BufferAttribute(new Float32Array(vertices), 1).setUsage(DynamicDrawUsage);
      const index = new Uint32Array(4 * n * points);
      for (let r = 0; r < n; r++) {
        const c = hueOf(frame, view, slots[r]);
        for (let block = 0; block <= points; block++) colour.array.set([c[0] * 255, c[1] * 255, c[2] * 255, block], 4 * (block * n + r));
      }
      // First the links between neighbouring blocks, then the links from every block to the head: a frame draws two or three runs of these.
      for (let block = 0; block < points; block++)
        for (let r = 0; r < n; r++) {
          index.set([block * n + r, ((block + 1) % points) * n + r], 2 * (block * n + r));
          index.set([block * n + r, points * n + r], 2 * ((points + block) * n + r));
        }
      geometry.setAttribute("position", position);
      geometry.setAttribute("colour", colour);
      geometry.setAttribute("value", value);
      geometry.setIndex(new BufferAttribute(index, 1));
      geometry.boundingSphere = new Sphere();
      lines.geometry = lower.geometry = geometry;
      ring = new Int32Array(points).fill(NOTHING);
    }
    const hueOf = (frame: Frame, view: View, slot: number): Rgb => (view.trailBy === "vehicle" ? colourOf(slot, view.light.dark) : flockColour(view, frame.roster.flock[slot]));

    function fill(frame: Frame, view: View): void {
      const n = members.length;
      const newest = Math.floor(view.time / step);
      position.clearUpdateRanges();
      value.clearUpdateRanges();
      let before = false; // the block that is younger was filled anew
      for (let back = 0; back < points; back++) {
        const lattice = newest - back;
        const block = blockOf(lattice);
        const stale = ring[block] !== lattice;
        if (stale) {
          const there = view.source?.positions(lattice * step, members, frame.origin, position.array as Float32Array, 3 * block * n) ?? false;
          ring[block] = there || lattice * step < (view.source?.extent().first ?? 0) ? lattice : NOTHING;
          position.addUpdateRange(3 * block * n, 3 * n);
        }
        // A speed is the way from one block to the next: it is known once the older of the two is there.
        if (back > 0 && (stale || before)) weigh(view, blockOf(lattice + 1), block, back === points - 1);
        before = stale;
      }
      uniforms.clock.value.set(view.time - newest * step, blockOf(newest), step);
      uniforms.blocks.value = points;
      head(frame, view);
      position.needsUpdate = value.needsUpdate = true;
      groups(newest, n);
    }
    function weigh(view: View, younger: number, older: number, last: boolean): void {
      if (by !== "speed" && by !== "height") return;
      const n = members.length;
      const p = position.array;
      const v = value.array as Float32Array;
      for (let r = 0; r < n; r++) {
        const [a, b] = [3 * (younger * n + r), 3 * (older * n + r)];
        const x = by === "height" ? p[a + 2] - view.ground : Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]) / step;
        v[younger * n + r] = Number.isNaN(x) ? v[points * n + r] : x;
        if (last) v[older * n + r] = v[younger * n + r]; // it has no older one, and is all but invisible
      }
      value.addUpdateRange(younger * n, n);
      if (last) value.addUpdateRange(older * n, n);
    }
    function head(frame: Frame, view: View): void {
      const n = members.length;
      const p = position.array as Float32Array;
      const v = value.array as Float32Array;
      let [low, high] = [Infinity, -Infinity];
      for (let r = 0; r < n; r++) {
        const to = 3 * (points * n + r);
        const from = 3 * slots[r];
        for (let i = 0; i < 3; i++) p[to + i] = frame.position[from + i];
        const x = by === "height" ? p[to + 2] - view.ground : by === "speed" ? Math.hypot(frame.velocity[from], frame.velocity[from + 1], frame.velocity[from + 2]) : 0;
        v[points * n + r] = x;
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      position.addUpdateRange(3 * points * n, 3 * n);
      value.addUpdateRange(points * n, n);
      if (by === "speed" || by === "height") range = rangeOf(low, high, range);
    }

    function groups(newest: number, n: number): void {
      const block = blockOf(newest);
      geometry.clearGroups();
      // The link from the newest block onwards would join head and tail: it is left out.
      if (block > 0) geometry.addGroup(0, 2 * n * block, 0);
      if (block < points - 1) geometry.addGroup(2 * n * (block + 1), 2 * n * (points - 1 - block), 0);
      geometry.addGroup(2 * n * (points + block), 2 * n, 0);
    }
    function dress(frame: Frame, view: View): void {
      const seconds = view.trailSeconds ?? lengthFor(view.world);
      points = pointsFor(seconds, frame.n);
      step = seconds / points;
      if (by !== view.trailBy) range = null;
      by = view.trailBy;
      dark = view.light.dark;
      uniforms.seconds.value = seconds;
      uniforms.byValue.value = by === "speed" || by === "height" ? 1 : 0;
      rampOn(dark).forEach((c, k) => uniforms.scale.value[k].set(...c));
    }

    return {
      update(frame, view) {
        lines.visible = on && frame.n > 0;
        lower.visible = lines.visible && frame.n <= THICK && !view.flat;
        second.uniforms["shift"].value.set(1 / (view.width * view.ratio), -2 / (view.height * view.ratio));
        if (!on) return;
        dress(frame, view);
        const due = frame.n <= ALL || Math.abs(view.time - chosenAt) > 1 || view.selectionChanged || view.rosterChanged;
        if (due) {
          chosenAt = view.time;
          choose(frame, view);
        }
        if (slots.some((k) => k >= frame.n)) return;
        uniforms.strength.value = frame.n > 300 ? 0.55 : 0.75;
        uniforms.flatPaint.value = view.flat ? 1 : 0;
        fill(frame, view);
        if (range) uniforms.range.value.set(range[0], range[1]);
      },
      legend: (): Legend | null => (on && range && (by === "speed" || by === "height") ? { title: by === "speed" ? "Speed" : "Height", unit: by === "speed" ? "m/s" : "m", low: range[0], high: range[1], colours: rampOn(dark) } : null),
      draw2d(c, frame, view) {
        if (!on || frame.n > ALL) return;
        const at = [0, 0];
        const p = position.array;
        const n = members.length;
        const newest = Math.floor(view.time / step);
        const shade = (r: number): Rgb => (range && uniforms.byValue.value > 0 ? colourAt(rampOn(dark), (value.array[points * n + r] - range[0]) / (range[1] - range[0])) : hueOf(frame, view, slots[r]));
        c.lineWidth = 1;
        for (let r = 0; r < n; r++) {
          c.strokeStyle = css(shade(r), 0.5);
          c.beginPath();
          c.moveTo(view.screen[3 * slots[r]], view.screen[3 * slots[r] + 1]);
          for (let back = 0; back < points; back++) {
            const i = 3 * (blockOf(newest - back) * n + r);
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
