// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scene's colours: those of the page's theme, always, so that canvas and panels never differ. The time of day moves the sun and tints sky and
// ground without making them lighter or darker: what stands out by day stands out at every hour. That the page is dark at night is the theme's business.

export type Rgb = [number, number, number]; // 0..1, as in the style sheet: nothing here is linear light
export interface Palette {
  zenith: Rgb;
  horizon: Rgb;
  ground: Rgb;
  minor: Rgb;
  major: Rgb;
  reliefLow: Rgb; // of terrain, at its lowest and its highest
  reliefHigh: Rgb;
  solid: Rgb; // of obstacles
  select: Rgb;
  panel: Rgb;
  text: Rgb;
  text2: Rgb;
  bad: Rgb;
  ok: Rgb;
  warn: Rgb;
  accent: Rgb;
  flocks: Rgb[];
}
export interface Light {
  palette: Palette;
  dark: boolean;
  sun: Rgb; // direction towards the sun, east north up
  glow: Rgb;
  sunlight: number; // 0..1
  ambient: number;
}

export function parseColour(text: string): Rgb {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim()); // style sheets are made smaller when built
  const hex = short ? [short[1], short[2], short[3]].map((x) => x + x).join("") : /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (!hex) return [1, 0, 1];
  const v = parseInt(hex, 16);
  return [(v >> 16) / 255, ((v >> 8) & 255) / 255, (v & 255) / 255];
}
export const css = (c: Rgb, alpha = 1): string => `rgb(${Math.round(c[0] * 255)} ${Math.round(c[1] * 255)} ${Math.round(c[2] * 255)} / ${alpha})`;
export const mix = (a: Rgb, b: Rgb, t: number): Rgb => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

export function readPalette(theme: "light" | "dark"): Palette {
  const probe = document.createElement("div");
  probe.dataset["theme"] = theme;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const get = (name: string): Rgb => parseColour(style.getPropertyValue(`--${name}`));
  const palette: Palette = {
    zenith: get("sky-zenith"),
    horizon: get("sky-horizon"),
    ground: get("ground"),
    minor: get("grid-minor"),
    major: get("grid-major"),
    reliefLow: get("relief-low"),
    reliefHigh: get("relief-high"),
    solid: get("solid"),
    select: get("select"),
    panel: get("panel"),
    text: get("text"),
    text2: get("text-2"),
    bad: get("bad"),
    ok: get("ok"),
    warn: get("warn"),
    accent: get("accent"),
    flocks: [0, 1, 2, 3, 4, 5].map((k) => get(`flock-${k}`)),
  };
  probe.remove();
  return palette;
}

const DAWN = { sky: parseColour("#6f8fc0"), low: parseColour("#f0b080"), glow: parseColour("#ffb870") };
const DUSK = { sky: parseColour("#5a6aa8"), low: parseColour("#e08a66"), glow: parseColour("#ff8f50") };
const NIGHT = { sky: parseColour("#3050a0"), low: parseColour("#4060a8"), glow: parseColour("#8fa8d8") };
const DAYLIGHT: Rgb = [1, 0.98, 0.92];

const linear = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
export const luminance = (c: Rgb): number => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
/** A colour on its way to another, as light as it was: contrast with everything else stays. */
export function tint(c: Rgb, to: Rgb, part: number): Rgb {
  const wanted = luminance(c);
  const mixed = mix(c, to, part);
  const end: Rgb = luminance(mixed) < wanted ? [1, 1, 1] : [0, 0, 0];
  let [low, high] = [0, 1];
  for (let k = 0; k < 20; k++) {
    const middle = (low + high) / 2;
    const short = end[0] ? luminance(mix(mixed, end, middle)) < wanted : luminance(mix(mixed, end, middle)) > wanted;
    if (short) low = middle;
    else high = middle;
  }
  return mix(mixed, end, high);
}

const RADIANS = Math.PI / 180;
/** Where the sun stands at an hour of the day, in degrees: bearing from north and elevation. Of a place on the Earth and its season by the sun's declination and hour
    angle (within a degree or so; a whole year is no date, and counts as neither summer nor winter); of nowhere: up at six in the east, highest at noon. */
export function sunAt(hour: number, place: { latitude: number; year: number } | null): { bearing: number; elevation: number } {
  if (!place) return { bearing: 90 + ((hour - 6) / 12) * 180, elevation: 62 * Math.sin(((hour - 6) / 12) * Math.PI) };
  const [latitude, day] = [place.latitude * RADIANS, (place.year % 1) * 365.25];
  const declination = day === 0 ? 0 : -23.44 * RADIANS * Math.cos((2 * Math.PI * (day + 10)) / 365.25);
  const turn = (hour - 12) * 15 * RADIANS;
  const up = Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(turn);
  const east = -Math.cos(declination) * Math.sin(turn);
  const north = Math.sin(declination) * Math.cos(latitude) - Math.cos(declination) * Math.sin(latitude) * Math.cos(turn);
  return { bearing: Math.atan2(east, north) / RADIANS, elevation: Math.asin(Math.max(-1, Math.min(1, up))) / RADIANS };
}

/** Whether it is night at an hour: the sun has set long enough for lamps. */
export const isNight = (hour: number, place: { latitude: number; year: number } | null): boolean => sunAt(hour, place).elevation < -4;

export function lightAt(hour: number | null, theme: "light" | "dark", light: Palette, dark: Palette, place: { latitude: number; year: number } | null = null): Light {
  const isDark = theme === "dark";
  const base = isDark ? dark : light;
  if (hour === null) return { palette: base, dark: isDark, sun: direction(isDark ? 150 : 140, isDark ? 38 : 48), glow: isDark ? [0.32, 0.4, 0.5] : DAYLIGHT, sunlight: isDark ? 0.55 : 0.8, ambient: isDark ? 0.55 : 0.62 };
  const { bearing, elevation } = sunAt(hour, place);
  const key = elevation < -4 ? NIGHT : hour < 12 ? DAWN : DUSK;
  // Low sun has the keyed colours; high or deep below it the tokens take over.
  const day = Math.min(1, Math.max(0, (elevation - 4) / 20));
  const part = elevation < -4 ? 0.35 : 0.55 * (1 - day);
  const ground = (c: Rgb): Rgb => tint(c, key.low, 0.4 * part);
  const palette: Palette = { ...base, zenith: tint(base.zenith, key.sky, part), horizon: tint(base.horizon, key.low, part), ground: ground(base.ground), minor: ground(base.minor), major: ground(base.major), reliefLow: ground(base.reliefLow), reliefHigh: ground(base.reliefHigh), solid: ground(base.solid) };
  return { palette, dark: isDark, sun: direction(bearing, Math.max(3, elevation)), glow: mix(key.glow, isDark ? [0.5, 0.52, 0.5] : DAYLIGHT, day), sunlight: Math.max(0.25, Math.min(isDark ? 0.65 : 0.85, 0.3 + elevation / 40)), ambient: isDark ? 0.52 : 0.62 };
}

function direction(bearing: number, elevation: number): Rgb {
  const b = (bearing * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  return [Math.sin(b) * Math.cos(e), Math.cos(b) * Math.cos(e), Math.sin(e)];
}
