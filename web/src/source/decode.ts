// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the generated wire code leaves to the reader: a table for half floats, since a snapshot of 10,000 vehicles holds 30,000 of them.
import { halfToNumber, type Frame } from "../wire/wire.ts";

export type RawFrame = Frame;

let halves: Float32Array | null = null;
export function halfTable(): Float32Array {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let h = 0; h < 65536; h++) halves[h] = halfToNumber(h);
  return halves;
}

export const bytesOf = (frame: RawFrame): number => frame.east.buffer.byteLength;

const STEP = Math.SQRT2 / 1023;
/** Smallest three, written out without a loop: this runs for every vehicle of every frame drawn. */
export function unpackAttitude(packed: number, out: Float32Array, at: number): void {
  const largest = packed >>> 30;
  const a = ((packed >>> 20) & 1023) * STEP - Math.SQRT1_2;
  const b = ((packed >>> 10) & 1023) * STEP - Math.SQRT1_2;
  const c = (packed & 1023) * STEP - Math.SQRT1_2;
  const d = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
  out[at] = largest === 0 ? d : a;
  out[at + 1] = largest === 0 ? a : largest === 1 ? d : b;
  out[at + 2] = largest <= 1 ? b : largest === 2 ? d : c;
  out[at + 3] = largest === 3 ? d : c;
}
