// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Grey PNG, as far as heights need it: written with 8 or 16 bits, and read where a browser would halve the 16 bits (W3C PNG, third edition).

export interface Grey {
  width: number;
  height: number;
  grey: Uint16Array; // 0 black to 65535 white, row by row from the top
}
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 }; // by colour type
const GREY = 0;

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) c = TABLE[(c ^ b) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}
const through = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Brightness of a colour: the weights of the simulator's own reader, so that a picture is the same ground however it came. */
export const luma = (r: number, g: number, b: number): number => (77 * r + 150 * g + 29 * b) >> 8;

// ---------------------------------------------------------------- writing
function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let k = 0; k < 4; k++) out[4 + k] = type.charCodeAt(k);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc(out.subarray(4, 8 + data.length)));
  return out;
}
/** Each row as its difference to the one above: smooth ground packs well. */
function rowsOf(p: Grey, size: 1 | 2): Uint8Array<ArrayBuffer> {
  const stride = size * p.width;
  const out = new Uint8Array((stride + 1) * p.height);
  const byte = (x: number, y: number, low: boolean): number => (y < 0 ? 0 : low ? p.grey[y * p.width + x] & 255 : p.grey[y * p.width + x] >> 8);
  for (let y = 0, at = 0; y < p.height; y++) {
    out[at++] = 2;
    for (let x = 0; x < p.width; x++) for (let k = 0; k < size; k++) out[at++] = byte(x, y, k === 1) - byte(x, y - 1, k === 1);
  }
  return out;
}
export async function writePng(p: Grey, bits: 8 | 16): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, p.width);
  view.setUint32(4, p.height);
  head[8] = bits;
  head[9] = GREY;
  const packed = await through(rowsOf(p, bits === 16 ? 2 : 1), new CompressionStream("deflate"));
  const parts = [new Uint8Array(SIGNATURE), chunk("IHDR", head), chunk("IDAT", packed), chunk("IEND", new Uint8Array(0))];
  const out = new Uint8Array(parts.reduce((n, x) => n + x.length, 0));
  parts.reduce((at, x) => (out.set(x, at), at + x.length), 0);
  return out;
}

// ---------------------------------------------------------------- reading
interface Head {
  width: number;
  height: number;
  bits: number;
  colour: number;
  interlaced: boolean;
}
/** What a PNG says of itself; null: it is none. */
export function headOf(bytes: Uint8Array): Head | null {
  if (bytes.length < 33 || SIGNATURE.some((b, k) => bytes[k] !== b)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20), bits: bytes[24], colour: bytes[25], interlaced: bytes[28] !== 0 };
}
const paeth = (a: number, b: number, c: number): number => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};
/** Undoes the filters in place; false when a row has one that does not exist. */
function unfilter(raw: Uint8Array, height: number, stride: number, size: number): boolean {
  for (let y = 0; y < height; y++) {
    const row = y * (stride + 1) + 1;
    const kind = raw[row - 1];
    if (kind > 4) return false;
    for (let x = 0; x < stride; x++) {
      const a = x < size ? 0 : raw[row + x - size];
      const b = y === 0 ? 0 : raw[row + x - stride - 1];
      const c = x < size || y === 0 ? 0 : raw[row + x - size - stride - 1];
      raw[row + x] += kind === 0 ? 0 : kind === 1 ? a : kind === 2 ? b : kind === 3 ? (a + b) >> 1 : paeth(a, b, c);
    }
  }
  return true;
}
/** A PNG of 16 bits with all of them; null: it is another kind, which browsers read well, or damaged, which they say. */
export async function readDeepPng(bytes: Uint8Array): Promise<Grey | null> {
  const head = headOf(bytes);
  const channels = head ? CHANNELS[head.colour] : undefined;
  if (!head || !channels || head.bits !== 16 || head.interlaced) return null;
  const data: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) if (view.getUint32(at + 4) === 0x49444154) data.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  const stride = 2 * channels * head.width;
  const raw = await through(new Uint8Array(await new Blob(data as Uint8Array<ArrayBuffer>[]).arrayBuffer()), new DecompressionStream("deflate")).catch(() => null);
  if (!raw || raw.length < head.height * (stride + 1) || !unfilter(raw, head.height, stride, 2 * channels)) return null;
  const grey = new Uint16Array(head.width * head.height);
  const value = (at: number): number => (raw[at] << 8) | raw[at + 1];
  for (let y = 0, k = 0; y < head.height; y++)
    for (let x = 0; x < head.width; x++, k++) {
      const at = y * (stride + 1) + 1 + 2 * channels * x;
      grey[k] = channels < 3 ? value(at) : luma(value(at), value(at + 2), value(at + 4));
    }
  return { width: head.width, height: head.height, grey };
}
