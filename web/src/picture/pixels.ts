// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Any picture that the browser can read, as brightness. What is no picture, or too much of one, is an Error with words for people.
import { headOf, luma, readDeepPng, type Grey } from "./png.ts";

export interface Pixels extends Grey {
  name: string; // of the file
  bits: 8 | 16;
}
export const MOST_SIDE = 8192; // pixels, as the simulator's reader has it
export const MOST_BYTES = 32 * 2 ** 20;
const STRIP = 1 << 20; // pixels that are looked at in one go

const tooLarge = (name: string, width: number, height: number): Error => new Error(`${name} is ${width} \u00d7 ${height} pixels: at most ${MOST_SIDE} a side. Scale it down first`);
/** What is wrong with a picture of this size, or null. */
export function sizeFault(name: string, width: number, height: number): Error | null {
  if (width > MOST_SIDE || height > MOST_SIDE) return tooLarge(name, width, height);
  return width < 2 || height < 2 ? new Error(`${name} is ${width} \u00d7 ${height} pixels: two a side are needed`) : null;
}

/** Its size before all of it is unpacked: a few bytes may claim to be gigabytes. */
function load(file: File): Promise<HTMLImageElement | null> {
  return new Promise((done) => {
    const image = new Image();
    const address = URL.createObjectURL(file);
    const end = (found: HTMLImageElement | null): void => {
      setTimeout(() => URL.revokeObjectURL(address), 60_000); // a drawing is read when it is drawn
      done(found);
    };
    image.onload = () => end(image);
    image.onerror = () => end(null);
    image.src = address;
  });
}
async function readEight(name: string, file: File): Promise<Pixels | Error> {
  const image = await load(file);
  if (!image) return new Error(`${name} is no picture that this browser can read. PNG, JPEG, WebP, GIF and BMP can be read`);
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const fault = sizeFault(name, width, height);
  if (fault) return fault;
  // numbers as they are in the file, whatever profile it names; a drawing (SVG) has none
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: "none", premultiplyAlpha: "none" }).catch(() => image);
  const rows = Math.max(1, Math.min(height, Math.floor(STRIP / width)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, rows];
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const grey = new Uint16Array(width * height);
  for (let y = 0; y < height; y += rows) {
    context.clearRect(0, 0, width, rows);
    context.drawImage(bitmap, 0, -y);
    const n = Math.min(rows, height - y);
    const { data } = context.getImageData(0, 0, width, n);
    for (let k = 0; k < width * n; k++) grey[y * width + k] = 257 * luma(data[4 * k], data[4 * k + 1], data[4 * k + 2]);
  }
  if ("close" in bitmap) bitmap.close();
  return { name, width, height, grey, bits: 8 };
}
export async function readPicture(file: File): Promise<Pixels | Error> {
  const name = file.name || "picture";
  if (file.size === 0) return new Error(`${name} is empty`);
  if (file.size > MOST_BYTES) return new Error(`${name} has ${(file.size / 2 ** 20).toFixed(0)} MB: at most ${MOST_BYTES / 2 ** 20} MB. Scale it down first`);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const head = headOf(bytes);
    const fault = head && sizeFault(name, head.width, head.height);
    if (fault) return fault;
    const deep = await readDeepPng(bytes);
    return deep ? { ...deep, name, bits: 16 } : await readEight(name, file);
  } catch {
    return new Error(`${name} could not be read`);
  }
}
