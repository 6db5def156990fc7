// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is being made of a picture: its size, who stands on it, and where it was saved. It stays when another page is looked at.
import { computed, signal } from "@preact/signals";
import { backToLive } from "../app/sources.ts";
import * as s from "../app/state.ts";
import * as api from "../editor/api.ts";
import type { Rotor } from "../source/source.ts";
import { isPlainName, plainName } from "../editor/names.ts";
import { scenarioText, type Crew, type Size } from "./ground.ts";
import { MOST_BYTES, readPicture, type Pixels } from "./pixels.ts";
import { writePng } from "./png.ts";

export const pixels = signal<Pixels | null>(null);
export const size = signal<Size>({ width: 100, depth: 100, low: 0, high: 20 });
export const proportions = signal(true); // depth follows width
export const crew = signal<Crew>({ airframe: "crazyflie", count: 9, spacing: 2, east: 50, north: -50, takeOff: 3 });
export const name = signal("");
export const fault = signal(""); // why the last picture was not taken, or the last save failed
export const busy = signal<"" | "reading" | "saving" | "starting">("");
export const saved = signal(""); // the text that is saved under the name
export const taken = signal(false); // the name is: saving would replace what is there
export const airframes = signal<(api.AirframeEntry & { rotors?: Rotor[]; size_m?: number; look?: unknown })[]>([]);
const mine = new Set<string>(); // names saved here: they may be saved again

export const text = computed(() => (pixels.value ? scenarioText(name.value, pixels.value.name, size.value, crew.value) : ""));
export const isSaved = computed(() => saved.value !== "" && saved.value === text.value);
/** What keeps it from being saved, in words; empty: nothing. */
export const wrong = computed(() => {
  if (!pixels.value) return "choose a picture first";
  if (!isPlainName(name.value)) return "a name has small letters, digits, - and _, at most 64";
  return size.value.low < size.value.high ? "" : "white must be higher than black";
});
export const mayWrite = computed(() => (s.viewOnly.value ? "this token may only look" : s.connection.value.up ? "" : "Volary is not reachable"));

// ---------------------------------------------------------------- the picture
let asked = 0;
export async function take(file: File): Promise<void> {
  const mineNow = ++asked;
  busy.value = "reading";
  const found = await readPicture(file);
  if (mineNow !== asked) return;
  busy.value = "";
  fault.value = found instanceof Error ? `${found.message}.` : "";
  if (found instanceof Error) return; // what was there stays
  const first = pixels.value === null;
  pixels.value = found;
  saved.value = "";
  if (proportions.value) size.value = { ...size.value, depth: depthOf(size.value.width) };
  name.value = first || !name.value ? freeName(plainName(found.name.replace(/\.[^.]*$/, "")) || "picture") : name.value;
  const { width, depth } = size.value;
  crew.value = { ...crew.value, east: width / 2, north: -depth / 2 };
  s.said.value = `${found.name}, ${found.width} by ${found.height} pixels`;
}
const depthOf = (width: number): number => {
  const p = pixels.value;
  return p ? Math.max(0.01, Math.round(((width * (p.height - 1)) / (p.width - 1)) * 1000) / 1000) : width;
};
export function resize(next: Partial<Size>): void {
  const before = size.value;
  const now = { ...before, ...next };
  if (proportions.value && next.width) now.depth = depthOf(now.width);
  size.value = now;
  // the flock stays where it was on the picture
  const c = crew.value;
  crew.value = { ...c, east: (c.east / before.width) * now.width, north: (c.north / before.depth) * now.depth };
}

// ---------------------------------------------------------------- names, files
let known: api.Entry[] = [];
export async function learn(): Promise<void> {
  const [list, frames] = await Promise.all([api.listScenarios(), api.listAirframes()]);
  if (!(list instanceof Error)) known = list;
  if (!(frames instanceof Error) && Array.isArray(frames)) airframes.value = frames;
}
function freeName(like: string): string {
  const all = new Set(known.map((e) => e.name));
  for (let k = 1; ; k++) {
    const wish = k === 1 ? like.slice(0, 60) : `${like.slice(0, 56)}-${k}`;
    if (!all.has(wish)) return wish;
  }
}
const pngOf = async (p: Pixels): Promise<Uint8Array<ArrayBuffer> | Error> => {
  const png = await writePng(p, p.bits);
  return png.length <= MOST_BYTES ? png : new Error(`as PNG it has ${(png.length / 2 ** 20).toFixed(0)} MB, at most ${MOST_BYTES / 2 ** 20}. Scale the picture down first`);
};
async function putPicture(png: Uint8Array<ArrayBuffer>, replace: boolean): Promise<Error | null> {
  const answer = await fetch(`/api/scenarios/${encodeURIComponent(name.value)}/picture${replace ? "?replace=1" : ""}`, { method: "PUT", headers: { "Content-Type": "image/png" }, body: png }).catch(() => null);
  if (!answer) return new Error("Volary is not reachable");
  if (answer.ok) return null;
  const words = ((await answer.json().catch(() => ({}))) as { error?: unknown }).error;
  return new Error(String(words ?? `the server answered ${answer.status}`));
}
/** The picture first: a scenario without it would be broken. Nothing that others made is replaced unasked. */
export async function save(replace = false): Promise<boolean> {
  const p = pixels.value;
  if (!p || wrong.value || busy.value) return false;
  busy.value = "saving";
  fault.value = "";
  taken.value = false;
  const [wanted, words] = [name.value, text.value];
  const fail = (why: string): false => ((fault.value = `Not saved: ${why}.`), false);
  try {
    await learn();
    const same = known.find((e) => e.name === wanted);
    if (same && !same.saved) return fail(`${wanted} comes with Volary and is not overwritten`);
    if (same && !replace && !mine.has(wanted)) return ((taken.value = true), fail(`you have a scenario called ${wanted}`));
    const png = await pngOf(p);
    if (png instanceof Error) return fail(png.message);
    const refused = await putPicture(png, replace || mine.has(wanted));
    if (refused) return ((taken.value = refused.message.includes("already")), fail(refused.message));
    const done = await api.saveScenario(wanted, words);
    if (done instanceof Error) return fail(done.message);
    mine.add(wanted);
    if (!done.ok) return fail(done.problems[0]?.message ?? "the server does not take it");
    saved.value = words;
    s.notify("info", `Saved as ${wanted} in your own folder.`, [], 4);
    return true;
  } finally {
    busy.value = "";
  }
}
export async function fly(): Promise<void> {
  if (busy.value || (!isSaved.value && !(await save()))) return;
  busy.value = "starting";
  const started = await api.startScenario(name.value);
  busy.value = "";
  if (started instanceof Error) return void (fault.value = `Not started: ${started.message}.`);
  s.hot.keepFitting = false; // the same camera
  s.page.value = "view";
  backToLive();
}
/** Both files to the user's own disk, for a page whose server keeps nothing. */
export async function download(): Promise<void> {
  const p = pixels.value;
  if (!p || wrong.value) return;
  const png = await pngOf(p);
  if (png instanceof Error) return void (fault.value = `Not saved: ${png.message}.`);
  for (const [file, blob] of [[`${name.value}.yaml`, new Blob([text.value], { type: "text/yaml" })], [`${name.value}.png`, new Blob([png], { type: "image/png" })]] as const) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}
