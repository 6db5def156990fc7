// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Figures as colours: one scale for trails and wind (viridis, which reads the same to everyone), the part of it that stands out from the
// ground, ranges that end in round figures and do not shiver, and what a legend needs to say about them.
import { mix, parseColour, type Rgb } from "./theme.ts";

const VIRIDIS = ["#440154", "#472D7B", "#3B528B", "#2C728E", "#21918C", "#28AE80", "#5EC962", "#ADDC30", "#FDE725"].map(parseColour);
export const STEPS = 6; // colours that a shader gets; it mixes between them

export interface Legend {
  title: string;
  unit: string;
  low: number;
  high: number;
  colours: readonly Rgb[];
}

function viridis(x: number): Rgb {
  const at = Math.min(1, Math.max(0, x)) * (VIRIDIS.length - 1);
  const k = Math.min(VIRIDIS.length - 2, Math.floor(at));
  return mix(VIRIDIS[k], VIRIDIS[k + 1], at - k);
}
const [onLight, onDark] = [[0, 0.72], [0.3, 1]].map(([a, b]) => Array.from({ length: STEPS }, (_, k) => viridis(a + ((b - a) * k) / (STEPS - 1))));
/** The colours from low to high, on a light or a dark ground. */
export const rampOn = (dark: boolean): readonly Rgb[] => (dark ? onDark : onLight);
export function colourAt(colours: readonly Rgb[], share: number): Rgb {
  const at = Math.min(1, Math.max(0, share)) * (colours.length - 1);
  const k = Math.min(colours.length - 2, Math.floor(at));
  return mix(colours[k], colours[k + 1], at - k);
}

/** The same in a vertex shader: `ramp(share)`. */
export const RAMP = `
uniform vec3 scale[${STEPS}];
vec3 ramp(float share) {
  float at = clamp(share, 0.0, 1.0) * ${(STEPS - 1).toFixed(1)};
  int k = int(min(at, ${(STEPS - 2).toFixed(1)}));
  return mix(scale[k], scale[k + 1], at - float(k));
}`;

/** A colour of its own for each of many: hues a golden angle apart, so that neighbours differ. */
export function colourOf(k: number, dark: boolean): Rgb {
  const h = (k * 0.618034) % 1;
  const [light, strong] = dark ? [0.64, 0.72] : [0.42, 0.78];
  const c = (1 - Math.abs(2 * light - 1)) * strong;
  const part = (shift: number): number => light + c * (Math.min(1, Math.max(0, Math.abs(((h + shift) % 1) * 6 - 3) - 1)) - 0.5);
  return [part(0), part(2 / 3), part(1 / 3)];
}

const round = (x: number): number => {
  const unit = 10 ** Math.floor(Math.log10(x));
  return ([1, 2, 5, 10].find((k) => k * unit >= x * 0.999) ?? 10) * unit;
};
/** A range with round ends about all of it; the one before as long as it holds everything and is not more than twice too wide. */
export function rangeOf(low: number, high: number, before: readonly [number, number] | null): [number, number] {
  if (!(high >= low)) return before ? [before[0], before[1]] : [0, 1];
  const least = Math.max(1, 0.02 * Math.abs(high)); // a swarm at one speed is one colour, not a rainbow of rounding
  const wide = Math.max(high - low, least);
  if (before && low >= before[0] && high <= before[1] && before[1] - before[0] <= 2.5 * wide) return [before[0], before[1]];
  const step = round(wide / 4);
  const floor = Math.floor(low / step) * step;
  return [floor, Math.max(Math.ceil(high / step) * step, floor + round(least))];
}
