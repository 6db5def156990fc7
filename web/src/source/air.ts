// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the server tells of the air (GET /api/air): wind at places of a grid, and what the air is like in its middle.

type Triple = [number, number, number];
export interface Air {
  time: number; // s
  height: number; // m above the ground, of all places
  places: number;
  wind: Float64Array; // six for each place: east, north, up in m, then the wind there in m/s
  middle: { wind: Triple; density: number; temperature: number; pressure: number }; // m/s, kg/m3, K, Pa
}
export interface AirBox {
  box: [west: number, south: number, east: number, north: number]; // m
  height: number; // m above the ground
  side: number; // places along each side
}
const MOST = 2000;

export const airAddress = ({ box, height, side }: AirBox): string => `api/air?box=${box.map((x) => Number(x.toFixed(1))).join(",")}&heights=${Number(height.toFixed(1))}&side=${side}`;

/** Null when the numbers do not fit together. */
export function readAir(x: unknown, height: number): Air | null {
  const o = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
  const m = (typeof o["middle"] === "object" && o["middle"] !== null ? o["middle"] : {}) as Record<string, unknown>;
  const numbers = (v: unknown, n: number): v is number[] => Array.isArray(v) && v.length === n && v.every((q) => typeof q === "number" && Number.isFinite(q));
  const list = Array.isArray(o["wind"]) ? (o["wind"] as unknown[]) : [];
  const [time, density, temperature, pressure] = [o["time"], m["density"], m["temperature"], m["pressure"]];
  const wind = m["wind"];
  if (list.length === 0 || list.length > MOST || !list.every((w) => numbers(w, 6)) || !numbers(wind, 3) || !numbers([time, density, temperature, pressure], 4)) return null;
  return { time: time as number, height, places: list.length, wind: Float64Array.from((list as number[][]).flat()), middle: { wind: wind as Triple, density: density as number, temperature: temperature as number, pressure: pressure as number } };
}

/** The wind of the whole grid, as one: its mean. */
export function meanOf(air: Air): Triple {
  const sum: Triple = [0, 0, 0];
  for (let k = 0; k < air.places; k++) for (let i = 0; i < 3; i++) sum[i] += air.wind[6 * k + 3 + i] / air.places;
  return sum;
}
