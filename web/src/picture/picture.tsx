// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world from a picture (Cybulski VIII): drop it, say how wide, deep and high it is, see the ground, place a flock, save, fly.
import { effect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { borrowScene } from "../app/sources.ts";
import { layerOn, moveCamera, perform, set } from "../app/commands.ts";
import { fittedTo } from "../app/framing.ts";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import { PreviewSource } from "../editor/preview.ts";
import type { Camera } from "../scene/camera.ts";
import { Icon } from "../ui/icons.tsx";
import { heightAt, standing, strike, terrainOf } from "./ground.ts";
import "./picture.css";
import type { Pixels } from "./pixels.ts";
import * as w from "./work.ts";

const ACCEPT = "image/*,.png,.jpg,.jpeg,.webp,.gif,.bmp";

// ---------------------------------------------------------------- the scene
const source = new PreviewSource();
let shownPicture: Pixels | null = null; // the camera goes to a new one

function show(): void {
  const [p, size, crew] = [w.pixels.value, w.size.value, w.crew.value];
  const look = w.airframes.value.find((a) => a.name === crew.airframe);
  const starts = p ? standing(p, size, crew).map(([e, n, u]): [number, number, number, number] => [e, n, u, 0]) : [];
  const flock = { name: "alpha", airframe: crew.airframe, model: look?.model ?? "", controller: "", rotors: look?.rotors ?? [], size_m: look?.size_m ?? 0.3, look: look?.look, count: starts.length, starts, centres: [], curve: [] };
  source.show({ name: p ? w.name.value : "a world from a picture", seed: "1", duration: 30, ground: p ? size.low : 0, has_ground: true, flocks: [flock] }, s.scope.peek());
  source.world = { ...source.world!, terrain: p ? terrainOf(p, size) : null };
  s.world.value = source.world;
  s.hot.extent = source.extent();
  s.redraw();
  if (p && (p !== shownPicture || untouched())) fitGround();
  shownPicture = p;
}
let chosen: Camera | null = null; // what fitGround wanted
/** Nobody moved the camera since the ground was fitted into it: it follows when the ground becomes larger. */
const untouched = (): boolean => {
  const now = s.hot.move?.to ?? s.hot.camera;
  return chosen !== null && now.distance === chosen.distance && now.azimuth === chosen.azimuth && now.elevation === chosen.elevation && now.target.every((x, i) => x === chosen!.target[i]);
};
function fitGround(): void {
  const { width, depth, low, high } = w.size.peek();
  const corners = [0, width].flatMap((e) => [0, -depth].flatMap((n) => [low, high].flatMap((u) => [e, n, u])));
  chosen = fittedTo({ ...s.hot.camera, mode: s.hot.camera.mode === "top" ? "top" : "orbit", elevation: 0.6 }, corners);
  moveCamera(chosen);
  s.hot.keepFitting = false;
}
/** A click that is no drag places the flock. */
function placing(host: HTMLElement): () => void {
  let from = [0, 0];
  const down = (e: PointerEvent): void => void (from = [e.clientX, e.clientY]);
  const click = (e: MouseEvent): void => {
    const [p, picture] = [w.pixels.value, s.hot.picture];
    if (!p || !picture || e.button !== 0 || Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4 || (e.target as HTMLElement).closest("button, input, .card, .notice, a")) return;
    const r = host.getBoundingClientRect();
    const { low, high } = w.size.value;
    const margin = (high - low) * 0.01;
    const [a, b] = [high + margin, low - margin].map((z) => picture.groundAt(e.clientX - r.left, e.clientY - r.top, z));
    const at = a && b && strike(p, w.size.value, a, b);
    if (at) w.crew.value = { ...w.crew.value, east: tidy(at[0]), north: tidy(at[1]) };
  };
  host.addEventListener("pointerdown", down, { capture: true });
  host.addEventListener("click", click);
  return () => {
    host.removeEventListener("pointerdown", down, { capture: true });
    host.removeEventListener("click", click);
  };
}
const tidy = (x: number): number => Math.round(x * 100) / 100;

function enter(): () => void {
  const giveBack = borrowScene(source);
  shownPicture = null;
  const stop = [effect(show), effect(takeDropped), placing(document.getElementById("scene")!)];
  void w.learn();
  const tests = (window as unknown as { volary?: Record<string, unknown> }).volary;
  if (tests) tests["picture"] = () => ({ name: w.name.value, size: w.size.value, crew: w.crew.value, fault: w.fault.value, busy: w.busy.value, saved: w.isSaved.value, text: w.text.value, bits: w.pixels.value?.bits ?? 0 });
  if (tests) tests["pictureHeights"] = (at: [number, number][]) => (w.pixels.value ? at.map(([e, n]) => heightAt(w.pixels.value!, w.size.value, e, n)) : []);
  return () => {
    stop.forEach((f) => f());
    giveBack();
  };
}
/** What was dropped or pasted anywhere on the page. */
function takeDropped(): void {
  const file = s.dropped.value;
  if (!file) return;
  s.dropped.value = null;
  void w.take(file);
}

// ---------------------------------------------------------------- the panel
function Numeral({ label, unit, value, least, most, step = 1, put }: { label: string; unit: string; value: number; least: number; most: number; step?: number; put: (x: number) => void }) {
  const read = (e: HTMLInputElement): void => {
    const x = e.valueAsNumber;
    const good = Number.isFinite(x) && x >= least && x <= most;
    e.toggleAttribute("aria-invalid", !good);
    if (good) put(x);
  };
  return (
    <label class="pic-field"><span>{label}</span>
      <input type="number" class="num" step={step} min={least} max={most} value={tidy(value)} onInput={(e) => read(e.currentTarget)} onBlur={(e) => { e.currentTarget.value = String(tidy(value)); e.currentTarget.removeAttribute("aria-invalid"); }} />
      <span class="dim">{unit}</span></label>
  );
}
function Thumbnail({ pixels: p }: { pixels: Pixels }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const c = ref.current!;
    const scale = Math.min(1, 96 / Math.max(p.width, p.height));
    [c.width, c.height] = [Math.max(1, Math.round(p.width * scale)), Math.max(1, Math.round(p.height * scale))];
    const context = c.getContext("2d")!;
    const image = context.createImageData(c.width, c.height);
    for (let y = 0, k = 0; y < c.height; y++)
      for (let x = 0; x < c.width; x++, k++) {
        const v = p.grey[Math.min(p.height - 1, Math.floor(y / scale)) * p.width + Math.min(p.width - 1, Math.floor(x / scale))] >> 8;
        image.data.set([v, v, v, 255], 4 * k);
      }
    context.putImageData(image, 0, 0);
  }, [p]);
  return <canvas class="pic-thumb" ref={ref} role="img" aria-label={`${p.name}, brightness only`} />;
}
function Chooser() {
  const input = useRef<HTMLInputElement>(null);
  const p = w.pixels.value;
  return (
    <div class={`pic-drop ${p ? "has" : ""}`}>
      {p && <Thumbnail pixels={p} />}
      <div>
        {p ? <p><b>{p.name}</b><br /><span class="dim num">{p.width} {"\u00d7"} {p.height} pixels, {p.bits} bits of grey</span></p> : <p><b>Drop a picture here</b>, or paste one.<br /><span class="dim">Bright is high, dark is low. PNG, JPEG, WebP, GIF, BMP.</span></p>}
        <button type="button" class={`button ${p ? "" : "primary"}`} onClick={() => input.current!.click()}>{p ? "Another picture\u2026" : "Choose a picture\u2026"}</button>
        <input ref={input} type="file" accept={ACCEPT} hidden aria-label="Picture" onChange={(e) => { const f = e.currentTarget.files?.[0]; e.currentTarget.value = ""; if (f) void w.take(f); }} />
      </div>
    </div>
  );
}
function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return <fieldset class="pic-part"><legend>{title}</legend>{children}</fieldset>;
}
function Ground() {
  const z = w.size.value;
  return (
    <Part title="Ground">
      <Numeral label="Width" unit="m, west to east" value={z.width} least={0.01} most={1e6} put={(width) => w.resize({ width })} />
      <Numeral label="Depth" unit="m, north to south" value={z.depth} least={0.01} most={1e6} put={(depth) => { w.proportions.value = false; w.resize({ depth }); }} />
      <label class="pic-check"><input type="checkbox" checked={w.proportions.value} onChange={(e) => { w.proportions.value = e.currentTarget.checked; if (e.currentTarget.checked) w.resize({ width: z.width }); }} /> As deep as the picture's own proportions</label>
      <Numeral label="White is at" unit="m" value={z.high} least={-1e4} most={1e4} put={(high) => w.resize({ high })} />
      <Numeral label="Black is at" unit="m" value={z.low} least={-1e4} most={1e4} put={(low) => w.resize({ low })} />
      {!(z.low < z.high) && <p class="pic-wrong" role="alert">White must be higher than black.</p>}
      <div class="pic-look" role="group" aria-label="How the ground is drawn">
        {([["Solid", true, false], ["Mesh", false, true], ["Both", true, true]] as const).map(([title, solid, mesh]) => <button type="button" class="button" aria-pressed={layerOn("terrain") === solid && layerOn("terrain-mesh") === mesh} onClick={() => set({ layers: { ...s.settings.value.layers, terrain: solid, "terrain-mesh": mesh } })}>{title}</button>)}
        <span class="grow" />
        <button type="button" class="button" onClick={fitGround}><Icon name="fit" /> Show all</button>
      </div>
      <p class="dim">The upper left corner of the picture is the origin; east is to the right, south downwards.</p>
    </Part>
  );
}
function Flock() {
  const c = w.crew.value;
  const z = w.size.value;
  const put = (part: Partial<typeof c>): void => void (w.crew.value = { ...c, ...part });
  const p = w.pixels.value!;
  return (
    <Part title="Vehicles">
      <label class="pic-field"><span>Airframe</span><select value={c.airframe} onChange={(e) => put({ airframe: e.currentTarget.value })}>{(w.airframes.value.length ? w.airframes.value.map((a) => [a.name, a.title] as const) : [[c.airframe, c.airframe] as const]).map(([name, title]) => <option value={name}>{title}</option>)}</select></label>
      <Numeral label="How many" unit="" value={c.count} least={1} most={1000} put={(count) => Number.isInteger(count) && put({ count })} />
      <Numeral label="Apart" unit="m" value={c.spacing} least={0.1} most={1000} step={0.5} put={(spacing) => put({ spacing })} />
      <Numeral label="East" unit="m" value={c.east} least={0} most={z.width} put={(east) => put({ east })} />
      <Numeral label="North" unit="m" value={c.north} least={-z.depth} most={0} put={(north) => put({ north })} />
      <Numeral label="Take off to" unit="m above the ground" value={c.takeOff} least={0.1} most={1000} put={(takeOff) => put({ takeOff })} />
      <p class="dim">Click the ground to place them. It is {number(heightAt(p, z, c.east, c.north), 2)}{"\u2009"}m high there.</p>
    </Part>
  );
}
function Save() {
  const may = w.mayWrite.value;
  const why = w.wrong.value || may;
  const busy = w.busy.value;
  const saved = w.isSaved.value;
  return (
    <Part title="Scenario">
      <label class="pic-field"><span>Name</span><input type="text" value={w.name.value} spellcheck={false} maxLength={64} onInput={(e) => { w.name.value = e.currentTarget.value; w.taken.value = false; }} /></label>
      {w.wrong.value && <p class="pic-wrong" role="alert">Not yet: {w.wrong.value}.</p>}
      {may && !w.wrong.value && <p class="dim">It cannot be saved here: {may}. It can be downloaded: keep both files in one folder.</p>}
      <div class="buttons">
        <button type="button" class="button pic-download" aria-disabled={w.wrong.value !== ""} onClick={() => void w.download()} title="The scenario and its picture, two files">Download</button>
        <span class="grow" />
        {w.taken.value && <button type="button" class="button danger" onClick={() => void w.save(true)}>Replace it</button>}
        <button type="button" class={`button pic-save ${saved || why ? "" : "primary"}`} aria-disabled={why !== "" || busy !== ""} onClick={() => !why && void w.save()}>{busy === "saving" ? "Saving\u2026" : saved ? "Saved" : "Save"}</button>
        <button type="button" class={`button pic-fly ${saved ? "primary" : ""}`} aria-disabled={why !== "" || busy !== ""} title={saved ? "Start it" : "Save it and start it"} onClick={() => !why && void w.fly()}><Icon name="play" size={12} /> {busy === "starting" ? "Starting\u2026" : "Fly it"}</button>
      </div>
      {saved && <p class="dim">Saved as {w.name.value}, with its picture. <button type="button" class="link" onClick={() => { s.scenario.value = w.name.value; perform("page.edit"); }}>Open it in the editor</button></p>}
    </Part>
  );
}
export function PicturePage() {
  useEffect(enter, []);
  return (
    <aside class="pic-panel" aria-label="A world from a picture" data-region tabIndex={-1}>
      <h2>A world from a picture</h2>
      <Chooser />
      {w.busy.value === "reading" && <p role="status">Reading the picture{"\u2026"}</p>}
      {w.fault.value && <p class="pic-wrong" role="alert">{w.fault.value}</p>}
      {w.pixels.value && <><Ground /><Flock /><Save /></>}
      {!w.pixels.value && <p class="dim">A map, a photograph, a drawing: its brightness becomes ground that vehicles take off from, land on and bump into. You set how wide, how deep and how high it is, see it at once, and save it as a scenario of your own.</p>}
    </aside>
  );
}
