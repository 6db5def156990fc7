// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The second run of a comparison: opened, laid over the first, and drawn with the same camera, clock and selection.
import { effect, signal, untracked } from "@preact/signals";
import { open, openFile, openLibraryRun, openRecordingFile } from "../app/sources.ts";
import * as s from "../app/state.ts";
import type { Run } from "../library/runs.ts";
import { Picture, type Moment as Drawn } from "../scene/renderer.ts";
import type { ReplaySource } from "../source/replay.ts";
import { newFrame, type Frame } from "../source/source.ts";
import { moments, type Moment } from "./align.ts";
import { Distances } from "./distance.ts";
import { ghost } from "./ghost.ts";
import { across, partners, type Partners } from "./partners.ts";
import { verdictOf, verdictText, type Hashes, type Verdict } from "./verdict.ts";

export interface Pair {
  a: ReplaySource;
  b: ReplaySource;
  who: Partners;
  moments: Moment[];
}
export const pair = signal<Pair | null>(null);
export const verdict = signal<{ text: string; kind: Verdict["kind"] } | null>(null);
export const figures = signal<[Run, Run] | null>(null);
export const frameB: Frame = newFrame(64);
export const clockB = (time: number): number => time + (s.versus.value?.offset ?? 0);

// ---------------------------------------------------------------- opening
let asked = 0;
const failed = (e: unknown): Error => (e instanceof Error ? e : new Error(String(e)));

/** Opens what `s.versus` names, whenever it names something else, until it names nothing. Returns what ends that. */
export function attend(): () => void {
  let name: string | null = null;
  let file: File | undefined;
  const end = effect(() => {
    const v = s.versus.value;
    if (v && v.name === name && v.file === file) return;
    [name, file] = [v?.name ?? null, v?.file];
    untracked(() => {
      forget();
      if (v) void fetchSecond(v);
    });
  });
  return () => {
    end();
    forget();
  };
}
function forget(): void {
  asked++;
  pair.value?.b.close();
  pair.value = null;
  verdict.value = figures.value = null;
  s.parted.value = null;
  frameB.n = 0;
  s.redraw();
}

async function fetchSecond(v: s.Versus): Promise<void> {
  const mine = ++asked;
  const a = s.hot.source as ReplaySource | null;
  if (!a || a.can.grow) return refuse(v, "What is shown is no recording.");
  // While it is compared a new run on the server must not take its place.
  if (s.shown.value.kind === "ended") s.shown.value = { kind: "run", name: s.shown.value.name };
  const b = await (v.kind === "run" ? open(v.name) : openFile(v.file!)).catch(failed);
  if (mine !== asked) return void (b instanceof Error || b.close());
  if (b instanceof Error) return refuse(v, b.message);
  if (!b.log.hasView()) return refuse(v, "It was recorded without trajectories.");
  b.origin = a.origin; // one scene, one origin
  b.on((c) => (c.kind === "frames" ? s.redraw() : c.kind === "notice" ? s.notify(c.level, `B: ${c.text}`) : undefined));
  const [x, y] = [a.extent(), b.extent()];
  pair.value = { a, b, who: partners(a.log.roster, b.log.roster), moments: moments(x.first, y.first, a.events(-Infinity, Infinity), b.events(-Infinity, Infinity)) };
  s.said.value = `Comparing with ${v.name}`;
  s.redraw();
  await judge(pair.value, v.name, mine);
}
function refuse(v: s.Versus, why: string): void {
  s.versus.value = null;
  s.notify("bad", `${v.name} cannot be compared. ${why}`);
}

/** Reads the hashes of both: where they part, and the figures of each. */
async function judge({ a, b }: Pair, name: string, mine: number): Promise<void> {
  const [x, y] = await Promise.all([a.log.hashes(), b.log.hashes()].map((p) => p.catch((): Hashes => ({ tick: new Float64Array(0), hash: new BigUint64Array(0) }))));
  if (mine !== asked) return;
  const v: Verdict = a.log.head.tickNs !== b.log.head.tickNs ? { kind: "ticks", a: a.log.tick, b: b.log.tick } : verdictOf(x, y);
  figures.value = [runOf(a, s.shown.value.name, x), runOf(b, name, y)];
  verdict.value = { kind: v.kind, text: verdictText(v, a.log.tick, a.extent().last, b.extent().last) };
  s.parted.value = v.kind === "part" ? a.log.seconds(v.tick) : null;
}
function runOf(source: ReplaySource, id: string, hashes: Hashes): Run {
  const { log, world } = source;
  const { first, last } = source.extent();
  const metrics: Record<string, number> = {};
  for (const m of log.metrics) metrics[m.name] = m.value; // the last one told counts
  const hash = hashes.hash.length ? hashes.hash[hashes.hash.length - 1].toString(16).padStart(16, "0") : "";
  return { id, scenario: world.scenario, seed: world.seed, hash, duration: last - first, planned: log.head.duration, ticks: log.lastTick - log.head.startTick, vehicles: log.roster.length, started: NaN, bytes: log.size, state: "", verdict: log.verdict, reason: "", overrides: log.head.bundle.overrides.filter((o) => !o.startsWith("seed=")), tags: [], metrics };
}

/** The second becomes the first at the moment that is seen, and the other way round. */
export async function swap(): Promise<void> {
  const v = s.versus.value;
  const { kind, name, file } = s.shown.value;
  if (!v || (kind !== "run" && kind !== "file")) return;
  const at = clockB(s.hot.clock.time);
  const shown = v.kind === "run" ? await openLibraryRun(v.name, at) : await openRecordingFile(v.file!, at);
  if (shown) s.versus.value = { ...v, kind, name, file, offset: -v.offset };
}

// ---------------------------------------------------------------- drawing
let seen: { from: unknown; to: Set<string> } = { from: null, to: new Set() };
function chosen(ids: ReadonlySet<string>, who: Partners): Set<string> {
  if (seen.from !== ids) seen = { from: ids, to: across(who.toB, ids) };
  return seen.to;
}
/** Where everybody of B is at a moment of the page's clock; what is still on its way leaves the old picture. */
export function look(b: ReplaySource, time: number): void {
  const t = clockB(time);
  if (!b.loading(t)) b.at(t, frameB);
}

/** B in its own picture. */
export function beside(p: Pair, picture: Picture, size: () => { width: number; height: number }): s.Second {
  const other = (id: string | null): string | null => (id === null ? null : (p.who.toB.get(id) ?? null));
  return {
    picture,
    frame: frameB,
    loading: (time) => p.b.loading(clockB(time)),
    draw(m: Drawn) {
      look(p.b, m.time);
      const { width, height } = size();
      picture.governor.scale = s.hot.picture?.governor.scale ?? 1;
      picture.resize(width, height);
      picture.draw({ ...m, frame: frameB, time: clockB(m.time), world: p.b.world, source: p.b, goals: [], swarm: null, selected: chosen(m.selected, p.who), primary: other(m.primary), hovered: other(m.hovered), followed: other(m.followed) });
    },
  };
}
/** B over A: a layer of A's picture. */
export function over(p: Pair, picture: Picture): () => void {
  s.hot.second = { picture: null, frame: frameB, loading: (time) => p.b.loading(clockB(time)), draw: () => {} };
  const end = picture.add(ghost({ frame: frameB, who: p.who, look: (time) => look(p.b, time), positions: (time, ids, origin, out) => p.b.positions(clockB(time), ids, origin, out, 0), sizes: p.b.world.flocks.map((f) => f.size) }));
  s.redraw();
  return () => {
    end();
    s.hot.second = null;
    s.redraw();
  };
}

let kept: { pair: Pair; offset: number; distances: Distances } | null = null;
export function distances(p: Pair, offset: number): Distances {
  if (kept?.pair !== p || kept.offset !== offset) kept = { pair: p, offset, distances: new Distances({ a: p.a, b: p.b, toB: p.who.toB, offset, origin: p.a.origin }) };
  return kept.distances;
}
