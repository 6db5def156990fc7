// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is kept between visits, under one versioned key. Unreadable or newer: the defaults, without an error.
import { TRAIL_COLOURS, type TrailBy } from "../scene/view.ts";

export interface Settings {
  theme: "system" | "light" | "dark";
  fleet: number; // px, 0 a rail
  inspector: number;
  layers: Record<string, boolean>;
  hour: number | null; // time of day; null follows the theme
  trailBy: TrailBy;
  trailSeconds: number | null; // null: as fits the vehicles
  trueSize: boolean;
  frame: "ENU" | "NED";
  seenCard: boolean;
  speak: boolean;
}
const KEY = "volary.viewer";
const VERSION = 1;
export const defaults = (): Settings => ({ theme: "system", fleet: -1, inspector: -1, layers: {}, hour: null, trailBy: "flock", trailSeconds: null, trueSize: false, frame: "ENU", seenCard: false, speak: false });

export function parseSettings(text: string | null): Settings {
  const base = defaults();
  try {
    const read = JSON.parse(text ?? "null") as { version?: unknown; settings?: Record<string, unknown> } | null;
    if (!read || read.version !== VERSION || typeof read.settings !== "object") return base;
    const s = read.settings;
    const number = (v: unknown, other: number): number => (typeof v === "number" && Number.isFinite(v) ? v : other);
    return {
      theme: s["theme"] === "light" || s["theme"] === "dark" ? s["theme"] : "system",
      fleet: number(s["fleet"], -1),
      inspector: number(s["inspector"], -1),
      layers: Object.fromEntries(Object.entries((s["layers"] as Record<string, unknown>) ?? {}).filter((e): e is [string, boolean] => typeof e[1] === "boolean")),
      hour: typeof s["hour"] === "number" && s["hour"] >= 0 && s["hour"] <= 24 ? s["hour"] : null,
      trailBy: TRAIL_COLOURS.find((by) => by === s["trailBy"]) ?? "flock",
      trailSeconds: typeof s["trailSeconds"] === "number" && s["trailSeconds"] >= 1 && s["trailSeconds"] <= 600 ? s["trailSeconds"] : null,
      trueSize: s["trueSize"] === true,
      frame: s["frame"] === "NED" ? "NED" : "ENU",
      seenCard: s["seenCard"] === true,
      speak: s["speak"] === true,
    };
  } catch {
    return base;
  }
}
export function load(): Settings {
  try {
    return parseSettings(localStorage.getItem(KEY));
  } catch {
    return defaults();
  }
}
export function save(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, settings }));
  } catch {
    // Storage may be full or forbidden; the page works without.
  }
}
