// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bookmarks stay with their run, in this browser, under one versioned key. Those made while it was live are there in its replay.
import { effect, untracked } from "@preact/signals";
import * as s from "./state.ts";

export interface Bookmark {
  time: number; // s
  name: string;
}
type Kept = Record<string, Bookmark[]>; // by run, the one used last at the end
const KEY = "volary.bookmarks";
const VERSION = 1;
const RUNS = 200;
const EACH = 500;

export function parseBookmarks(text: string | null): Kept {
  try {
    const read = JSON.parse(text ?? "null") as { version?: unknown; runs?: Record<string, unknown> } | null;
    if (!read || read.version !== VERSION || typeof read.runs !== "object" || read.runs === null) return {};
    return Object.fromEntries(Object.entries(read.runs).map(([run, list]) => [run, sound(list)] as const).filter((e) => e[1].length > 0));
  } catch {
    return {};
  }
}
function sound(list: unknown): Bookmark[] {
  if (!Array.isArray(list)) return [];
  return list.filter((b): b is Bookmark => Number.isFinite((b as Bookmark | null)?.time) && typeof (b as Bookmark).name === "string").slice(0, EACH);
}
/** What is kept with one run changed; without bookmarks it is not kept at all, and the oldest runs make room. */
export function withRun(kept: Kept, run: string, list: readonly Bookmark[]): Kept {
  const { [run]: _, ...rest } = kept;
  const entries = Object.entries(list.length ? { ...rest, [run]: list.slice(0, EACH) } : rest);
  return Object.fromEntries(entries.slice(-RUNS));
}

/** A world that is not recorded has no name to keep them under. */
function runName(): string {
  const { kind, name } = s.shown.value;
  return kind === "live" ? (s.world.value?.run ?? "") : kind === "file" ? `file ${name}` : name;
}
const read = (): Kept => {
  try {
    return parseBookmarks(localStorage.getItem(KEY));
  } catch {
    return {};
  }
};
export function keepBookmarks(): void {
  let run: string | null = null;
  effect(() => {
    const now = runName();
    const list = s.bookmarks.value;
    if (now !== run) {
      run = now;
      const known = now ? (read()[now] ?? []) : [];
      return untracked(() => void (s.bookmarks.value = known));
    }
    if (!now) return;
    try {
      localStorage.setItem(KEY, JSON.stringify({ version: VERSION, runs: withRun(read(), now, list) }));
    } catch {
      // Storage may be full or forbidden; they are there until the page is closed.
    }
  });
}
