// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One picture: takes a frame and a camera, keeps the projected positions that picking and labels share, and asks every renderable to draw.
// Without WebGL the same renderables draw on a 2D canvas from above.
import { ColorManagement, LinearSRGBColorSpace, Matrix4, OrthographicCamera, PerspectiveCamera, Scene as ThreeScene, WebGLRenderer } from "three";
import { newFrame, type Frame, type Goal, type SnapshotSource, type Swarm, type WorldInfo } from "../source/source.ts";
import type { Air } from "../source/air.ts";
import type { EstimatesMessage } from "../wire/wire.ts";
import { basis, eye, FOV, initialCamera, type Camera } from "./camera.ts";
import { Labels, type Box, type Plate } from "./labels.ts";
import { assignLevels, HIDDEN, minPixels } from "./lod.ts";
import { Plates } from "./plates.ts";
import { Governor, type Quality } from "./quality.ts";
import type { Legend } from "./ramp.ts";
import { renderables } from "./renderables/all.ts";
import { css, lightAt, readPalette, type Palette } from "./theme.ts";
import { project, type BodySource, type Layer, type Renderable, type TrailBy, type View } from "./view.ts";

ColorManagement.enabled = false;

export interface Moment {
  frame: Frame;
  time: number;
  camera: Camera;
  world: WorldInfo;
  source: SnapshotSource | null;
  goals: readonly Goal[];
  swarm: Swarm | null;
  noSwarm: string;
  estimates: readonly EstimatesMessage[];
  noEstimates: string;
  air: Air | null;
  noAir: string;
  joined: BodySource | null;
  selected: ReadonlySet<string>;
  primary: string | null;
  hovered: string | null;
  followed: string | null;
  hour: number | null;
  theme: "light" | "dark";
  layers: Readonly<Record<string, boolean>>;
  trailBy: TrailBy;
  trailSeconds: number | null;
  trueSize: boolean;
  still: boolean;
  grey: boolean;
}

export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly over: HTMLCanvasElement;
  readonly labels = new Labels();
  readonly governor = new Governor();
  quality: Quality;
  flat = false;
  keepOut: Box[] = [];
  frames = 0;
  lastMs = 0;
  restarted: () => void = () => {};
  readonly times: number[] = [];
  private renderer: WebGLRenderer | null = null;
  private readonly scene = new ThreeScene();
  private readonly perspective = new PerspectiveCamera((FOV * 180) / Math.PI, 1, 0.1, 1e6);
  private readonly top = new OrthographicCamera(-1, 1, 1, -1, -1e5, 1e5);
  private readonly layers = new Map<string, Layer>();
  private readonly guests = new Set<Layer>();
  private readonly palettes: { light: Palette; dark: Palette };
  private readonly context: CanvasRenderingContext2D;
  private readonly flatContext: CanvasRenderingContext2D | null = null;
  private readonly plates: Plates | null;
  private readonly matrix4 = new Matrix4();
  private rosterVersion = -2;
  private selectionKey: unknown = null;
  private frameArrays: unknown = null;
  readonly view: View;

  constructor(host: HTMLElement, quality: Quality) {
    this.quality = quality;
    this.canvas = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.canvas.className = "scene-canvas";
    this.over.className = "scene-over";
    host.prepend(this.canvas, this.over);
    this.context = this.over.getContext("2d", { willReadFrequently: quality !== "full" })!; // without a GPU a canvas in plain memory is quicker
    this.plates = quality === "full" ? null : new Plates(host, this.over);
    this.palettes = { light: readPalette("light"), dark: readPalette("dark") };
    if (quality === "flat") this.flatContext = this.canvas.getContext("2d");
    else this.renderer = this.makeRenderer(quality);
    for (const r of renderables) this.layers.set(r.id, r.create(this.scene));
    this.view = { width: 1, height: 1, ratio: 1, lite: quality !== "full", flat: false, trueSize: false, still: false, camera: initialCamera(), three: this.perspective, matrix: new Float64Array(16), light: lightAt(null, "light", this.palettes.light, this.palettes.dark), world: EMPTY_WORLD, source: null, time: 0, ground: 0, radius: 10, screen: new Float32Array(0), level: new Uint8Array(0), selected: new Uint8Array(0), hovered: -1, followed: -1, goals: [], swarm: null, noSwarm: "", estimates: [], noEstimates: "", air: null, noAir: "", joined: null, trailBy: "flock", trailSeconds: null, minPixels: 14, levelsChanged: true, rosterChanged: true, selectionChanged: true, labels: this.labels };
  }

  private makeRenderer(quality: Quality): WebGLRenderer {
    const r = new WebGLRenderer({ canvas: this.canvas, antialias: quality === "full", powerPreference: "high-performance", alpha: false, stencil: false });
    r.outputColorSpace = LinearSRGBColorSpace; // tokens are drawn as they are
    r.sortObjects = false; // the list in renderables/all.ts is the drawing order
    this.canvas.addEventListener("webglcontextlost", (e) => e.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.restarted());
    return r;
  }
  /** A layer that comes and goes, such as the ghost of a second run; returns what ends it. */
  add(r: Renderable): () => void {
    const layer = r.create(this.scene);
    this.guests.add(layer);
    return () => {
      this.guests.delete(layer);
      layer.dispose();
    };
  }
  /** The end of a picture that stood beside another one. */
  dispose(): void {
    for (const layer of [...this.layers.values(), ...this.guests]) layer.dispose();
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.canvas.remove();
    this.over.remove();
    this.plates?.remove();
  }

  resize(width: number, height: number): void {
    const device = Math.min(2, window.devicePixelRatio || 1);
    const ratio = (this.quality === "lite" ? Math.min(1, device) * this.governor.scale : device) || 1;
    const v = this.view;
    if (v.width === width && v.height === height && v.ratio === ratio && this.over.width === Math.round(width * device)) return;
    [v.width, v.height, v.ratio] = [width, height, ratio];
    if (this.renderer) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    } else {
      this.canvas.width = Math.round(width * device);
      this.canvas.height = Math.round(height * device);
    }
    this.over.width = Math.round(width * device);
    this.over.height = Math.round(height * device);
  }

  /** Everything that depends on the moment, without drawing: cameras, projected positions, levels. */
  prepare(m: Moment): View {
    const v = this.view;
    const f = m.frame;
    v.flat = this.flat;
    v.camera = this.quality === "flat" && m.camera.mode !== "top" ? { ...m.camera, mode: "top" } : m.camera;
    v.light = lightAt(m.hour, m.theme, this.palettes.light, this.palettes.dark, m.world.place);
    v.world = m.world;
    v.source = m.source;
    v.time = m.time;
    v.goals = m.goals;
    v.swarm = m.swarm;
    v.noSwarm = m.noSwarm;
    v.estimates = m.estimates;
    v.noEstimates = m.noEstimates;
    v.air = m.air;
    v.noAir = m.noAir;
    v.joined = m.joined;
    v.still = m.still;
    v.trueSize = m.trueSize;
    v.trailBy = m.trailBy;
    v.trailSeconds = m.trailSeconds;
    v.ground = m.world.ground - f.origin[2];
    v.minPixels = m.trueSize ? 2 : minPixels(f.n);
    if (v.level.length < f.state.length) {
      v.screen = new Float32Array(3 * f.state.length);
      v.level = new Uint8Array(f.state.length);
      v.selected = new Uint8Array(f.state.length);
    }
    v.rosterChanged = f.roster.version !== this.rosterVersion || this.frameArrays !== f.position;
    this.rosterVersion = f.roster.version;
    this.frameArrays = f.position;
    this.aim(v, f);
    this.projectAll(v, f);
    this.select(v, m);
    return v;
  }

  private aim(v: View, f: Frame): void {
    const c = v.camera;
    const at = eye(c);
    if (c.mode === "top") {
      const h = c.distance * Math.tan(FOV / 2);
      Object.assign(this.top, { left: (-h * v.width) / v.height, right: (h * v.width) / v.height, top: h, bottom: -h });
      this.top.position.set(c.target[0], c.target[1], 0);
      this.top.up.set(0, 1, 0);
      this.top.lookAt(c.target[0], c.target[1], -1);
      this.top.updateProjectionMatrix();
      this.top.updateMatrixWorld();
      v.three = this.top;
    } else {
      const p = this.perspective;
      p.aspect = v.width / v.height;
      p.fov = ((c.mode === "cockpit" ? 1.6 : 1) * FOV * 180) / Math.PI;
      p.near = Math.max(0.02, c.distance * 0.01);
      p.far = Math.max(2000, c.distance * 60);
      p.position.set(...at);
      if (c.mode !== "cockpit" && at[2] < v.ground + 0.2) p.position.z = v.ground + 0.2;
      const b = basis(c);
      p.up.set(...b.up);
      p.lookAt(c.target[0], c.target[1], c.target[2]);
      p.updateProjectionMatrix();
      p.updateMatrixWorld();
      v.three = p;
    }
    this.matrix4.multiplyMatrices(v.three.projectionMatrix, v.three.matrixWorldInverse);
    v.matrix.set(this.matrix4.elements);
    let r = 1;
    for (let k = 0; k < f.n; k++) r = Math.max(r, Math.abs(f.position[3 * k] - c.target[0]), Math.abs(f.position[3 * k + 1] - c.target[1]));
    v.radius = r;
  }

  private projectAll(v: View, f: Frame): void {
    const m = v.matrix;
    const scale = (v.three.projectionMatrix.elements[5] * v.height) / 2;
    const { position: p } = f;
    for (let k = 0; k < f.n; k++) {
      const x = p[3 * k];
      const y = p[3 * k + 1];
      const z = p[3 * k + 2];
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      v.screen[3 * k] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w / 2 + 0.5) * v.width;
      v.screen[3 * k + 1] = (0.5 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w / 2) * v.height;
      v.screen[3 * k + 2] = w > 1e-6 ? scale / w : -1;
    }
    const flocks = v.world.flocks;
    const caps: [number, number] = v.flat ? [0, 0] : v.lite ? [60, 4] : [500, 32];
    const inside = (k: number): boolean => Math.abs(v.screen[3 * k] - v.width / 2) < v.width && Math.abs(v.screen[3 * k + 1] - v.height / 2) < v.height;
    v.levelsChanged = assignLevels(f.n, (k) => (v.screen[3 * k + 2] > 0 && inside(k) ? (flocks[f.roster.flock[k]]?.size ?? 0.5) * v.screen[3 * k + 2] : 0), v.level, caps) || v.rosterChanged;
  }

  private select(v: View, m: Moment): void {
    const f = m.frame;
    const key = m.selected;
    v.selectionChanged = key !== this.selectionKey || v.rosterChanged;
    this.selectionKey = key;
    v.selected.fill(0, 0, f.n);
    for (const id of m.selected) {
      const k = f.roster.slotOf.get(id);
      if (k !== undefined && k < f.n) v.selected[k] = id === m.primary ? 2 : 1;
    }
    const slot = (id: string | null): number => {
      const k = id === null ? -1 : (f.roster.slotOf.get(id) ?? -1);
      return k < f.n ? k : -1;
    };
    v.hovered = slot(m.hovered);
    v.followed = slot(m.followed);
    if (v.camera.mode === "cockpit" && v.followed >= 0) {
      if (v.level[v.followed] !== HIDDEN) v.levelsChanged = true;
      v.level[v.followed] = HIDDEN;
    }
  }

  draw(m: Moment): void {
    const start = performance.now();
    const v = this.prepare(m);
    for (const r of renderables) {
      const layer = this.layers.get(r.id)!;
      layer.show(m.layers[r.id] ?? r.on);
      layer.update(m.frame, v);
    }
    for (const layer of this.guests) layer.update(m.frame, v);
    const p = v.light.palette;
    if (this.renderer) {
      const clear = v.flat ? p.ground : v.camera.mode === "top" ? p.ground : p.horizon;
      this.renderer.setClearColor((Math.round(clear[0] * 255) << 16) | (Math.round(clear[1] * 255) << 8) | Math.round(clear[2] * 255), 1);
      this.renderer.render(this.scene, v.three);
    } else this.drawFlat(m, v);
    this.drawOver(m, v);
    this.frames++;
    this.lastMs = performance.now() - start;
  }

  private drawFlat(m: Moment, v: View): void {
    const c = this.flatContext!;
    const s = this.canvas.width / v.width;
    c.setTransform(s, 0, 0, s, 0, 0);
    c.fillStyle = css(v.light.palette.ground);
    c.fillRect(0, 0, v.width, v.height);
    for (const r of renderables) this.layers.get(r.id)!.draw2d?.(c, m.frame, v);
  }

  private drawOver(m: Moment, v: View): void {
    const c = this.context;
    const s = this.over.width / v.width;
    c.setTransform(s, 0, 0, s, 0, 0);
    c.clearRect(0, 0, v.width, v.height);
    const ui = this.palettes[m.theme];
    const plate: Plate = { fill: css(ui.panel, 0.88), text: css(ui.text), edge: css(ui.select) };
    this.labels.begin(c, v.width, v.height, this.keepOut, plate);
    for (let k = 0; k < m.frame.n && m.frame.n <= 200; k++) if (v.screen[3 * k + 2] > 0) this.labels.block(v.screen[3 * k], v.screen[3 * k + 1], Math.min(60, Math.max(v.minPixels / 2, (v.world.flocks[m.frame.roster.flock[k]]?.size ?? 0.5) * v.screen[3 * k + 2] * 0.35) - 2));
    let ink = false;
    const over = (layer: Layer): void => {
      if (layer.overlay && layer.overlay(c, m.frame, v) !== false) ink = true;
    };
    for (const r of renderables) if (r.id !== "labels" && r.id !== "grid") over(this.layers.get(r.id)!);
    for (const layer of this.guests) over(layer);
    for (const id of ["labels", "grid"]) over(this.layers.get(id)!);
    if (!this.plates) return;
    this.plates.show(this.labels, !ink);
    this.over.hidden = !ink; // still painted: a film takes its labels from there
  }

  /** What the colours of the layers stand for, where they stand for figures. */
  legends(): Legend[] {
    return [...this.layers.values()].flatMap((layer) => layer.legend?.() ?? []);
  }
  /** Where a ray through a pixel meets the horizontal plane at height z; null above the horizon. */
  groundAt(x: number, y: number, z: number): [number, number, number] | null {
    const inverse = this.matrix4.clone().invert().elements;
    const at = (depth: number): number[] => {
      const [nx, ny] = [(x / this.view.width) * 2 - 1, 1 - (y / this.view.height) * 2];
      const w = inverse[3] * nx + inverse[7] * ny + inverse[11] * depth + inverse[15];
      return [0, 1, 2].map((i) => (inverse[i] * nx + inverse[4 + i] * ny + inverse[8 + i] * depth + inverse[12 + i]) / w);
    };
    const [a, b] = [at(-1), at(1)];
    const t = (z - a[2]) / (b[2] - a[2]);
    if (!(t >= 0 && t <= 1)) return null;
    return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, z];
  }
  project(x: number, y: number, z: number): [number, number] | null {
    const out = [0, 0];
    return project(this.view, x, y, z, out) ? [out[0], out[1]] : null;
  }
  timeFrame(ms: number): boolean {
    this.times.push(ms);
    if (this.times.length > 240) this.times.shift();
    return this.governor.add(ms, this.quality === "lite");
  }
  /** Waits for the GPU (or its software) to be done: only then does a frame time mean anything. */
  finish(): void {
    this.renderer?.getContext().finish();
    const gl = this.renderer?.getContext();
    if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
  loseContext(): void {
    const extension = this.renderer?.getContext().getExtension("WEBGL_lose_context"); // asked for now: a lost context gives none
    extension?.loseContext();
    setTimeout(() => extension?.restoreContext(), 300);
  }
  info(): { calls: number; points: number; triangles: number; lines: number; geometries: number; textures: number } {
    const i = this.renderer?.info;
    return { calls: i?.render.calls ?? 0, points: i?.render.points ?? 0, triangles: i?.render.triangles ?? 0, lines: i?.render.lines ?? 0, geometries: i?.memory.geometries ?? 0, textures: i?.memory.textures ?? 0 };
  }
}

export const EMPTY_WORLD: WorldInfo = { scenario: "", description: "", seed: "", tick: 0.01, duration: 0, worlds: 1, flocks: [], ground: 0, hasGround: true, scope: "view", run: "", epoch: 0, wind: [0, 0, 0], gustSigma: 0, hour: null, place: null, regions: [], tasks: [], terrain: null, obstacles: [] };
export const emptyFrame = (): Frame => newFrame(64);
