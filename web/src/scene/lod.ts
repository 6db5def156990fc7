// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which of the three drawings a vehicle gets, by the pixels it covers, with hysteresis and a cap per level.

export const SPRITE = 0;
export const LOW = 1;
export const FULL = 2;
export const HIDDEN = 3;

const UP = [32, 80]; // between 20 and 32 pixels a body is still noise without smoothing, and the dart still reads
const DOWN = [27, 68]; // 15 % lower, so that nothing flickers at the border

export function levelFor(pixels: number, before: number): number {
  if (pixels > (before >= FULL && before !== HIDDEN ? DOWN[1] : UP[1])) return FULL;
  if (pixels > (before >= LOW && before !== HIDDEN ? DOWN[0] : UP[0])) return LOW;
  return SPRITE;
}

/** Past a cap the farther ones drop a level; `pixels` decides what is far. Returns whether anything changed. */
export function assignLevels(n: number, pixels: (k: number) => number, level: Uint8Array, caps: readonly [number, number]): boolean {
  let changed = false;
  const full: number[] = [];
  const low: number[] = [];
  for (let k = 0; k < n; k++) {
    const l = levelFor(pixels(k), level[k]);
    if (l === FULL) full.push(k);
    else if (l === LOW) low.push(k);
    else if (level[k] !== SPRITE) {
      level[k] = SPRITE;
      changed = true;
    }
  }
  const nearest = (a: number, b: number): number => pixels(b) - pixels(a) || a - b;
  if (full.length > caps[1]) low.push(...full.sort(nearest).splice(caps[1]));
  if (low.length > caps[0]) for (const k of low.sort(nearest).splice(caps[0])) changed = put(level, k, SPRITE) || changed;
  for (const k of full) changed = put(level, k, FULL) || changed;
  for (const k of low) changed = put(level, k, LOW) || changed;
  return changed;
}
function put(level: Uint8Array, k: number, l: number): boolean {
  if (level[k] === l) return false;
  level[k] = l;
  return true;
}
/** Smallest size of a sprite: few vehicles can afford to be seen from afar, thousands must not become one blot. */
export const minPixels = (n: number): number => (n <= 100 ? 19 : n <= 300 ? 13 : n <= 1000 ? 9 : n <= 3000 ? 7 : 5);
