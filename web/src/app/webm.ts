// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// WebM files: one video track, written whole with its duration and an index, so that any player can show how long it is and seek in it;
// and the duration put into a file that a browser recorded without knowing its end.

const ID = { ebml: 0x1a45dfa3, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, muxer: 0x4d80, writer: 0x5741, tracks: 0x1654ae6b, entry: 0xae, number: 0xd7, uid: 0x73c5, type: 0x83, lacing: 0x9c, codec: 0x86, video: 0xe0, width: 0xb0, height: 0xba, cluster: 0x1f43b675, time: 0xe7, block: 0xa3, cues: 0x1c53bb6b, cue: 0xbb, cueTime: 0xb3, cuePlaces: 0xb7, cueTrack: 0xf7, cuePlace: 0xf1 } as const;
const SCALE = 1_000_000; // ns: times are in milliseconds
const CLUSTER = 5000; // ms
type Part = Uint8Array<ArrayBuffer>;

function idBytes(id: number): number[] {
  const out: number[] = [];
  for (let x = id; x > 0; x = Math.floor(x / 256)) out.unshift(x % 256);
  return out;
}
/** A length in eight bytes: longer than needed, and known before what it counts. */
function sizeBytes(n: number): number[] {
  return [1, ...uint(n, 7)];
}
function uint(n: number, bytes: number): number[] {
  const out: number[] = [];
  for (let k = 0, x = n; k < bytes; k++, x = Math.floor(x / 256)) out.unshift(x % 256);
  return out;
}
export function element(id: number, ...content: (ArrayLike<number> | Part)[]): Part {
  const length = content.reduce((sum, c) => sum + c.length, 0);
  const head = [...idBytes(id), ...sizeBytes(length)];
  const out = new Uint8Array(head.length + length);
  out.set(head);
  let at = head.length;
  for (const c of content) {
    out.set(c, at);
    at += c.length;
  }
  return out;
}
const text = (s: string): Part => new TextEncoder().encode(s) as Part;
function float(x: number): Part {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, x);
  return out;
}

interface Cluster {
  time: number; // ms
  blocks: Part[];
  bytes: number;
}
export class Webm {
  private readonly clusters: Cluster[] = [];
  private readonly codec: string;
  private readonly size: { width: number; height: number };
  private end = 0; // ms

  constructor(codec: "V_VP8" | "V_VP9", size: { width: number; height: number }) {
    [this.codec, this.size] = [codec, size];
  }

  /** Frames in the order of their times; the first must be a key frame. */
  add(data: Uint8Array, time: number, key: boolean, lasts: number): void {
    let c = this.clusters.at(-1);
    if (!c || (key && time - c.time >= CLUSTER) || time - c.time > 30_000) this.clusters.push((c = { time: Math.round(time), blocks: [], bytes: 0 }));
    const offset = Math.round(time) - c.time;
    const block = element(ID.block, [0x81, (offset >> 8) & 255, offset & 255, key ? 0x80 : 0], data);
    c.blocks.push(block);
    c.bytes += block.length;
    this.end = Math.max(this.end, time + lasts);
  }

  finish(): Part[] {
    const head = element(ID.ebml, element(0x4286, [1]), element(0x42f7, [1]), element(0x42f2, [4]), element(0x42f3, [8]), element(0x4282, text("webm")), element(0x4287, [4]), element(0x4285, [2]));
    const info = element(ID.info, element(ID.scale, uint(SCALE, 4)), element(ID.duration, float(this.end)), element(ID.muxer, text("Volary")), element(ID.writer, text("Volary")));
    const video = element(ID.video, element(ID.width, uint(this.size.width, 4)), element(ID.height, uint(this.size.height, 4)));
    const tracks = element(ID.tracks, element(ID.entry, element(ID.number, [1]), element(ID.uid, [1]), element(ID.type, [1]), element(ID.lacing, [0]), element(ID.codec, text(this.codec)), video));
    const clusters = this.clusters.flatMap((c) => {
      const time = element(ID.time, uint(c.time, 4));
      return [new Uint8Array([...idBytes(ID.cluster), ...sizeBytes(time.length + c.bytes)]), time, ...c.blocks] as Part[];
    });
    const cues = this.cues(info.length + tracks.length);
    const length = info.length + tracks.length + cues.length + clusters.reduce((sum, c) => sum + c.length, 0);
    return [head, new Uint8Array([...idBytes(ID.segment), ...sizeBytes(length)]), info, tracks, cues, ...clusters];
  }
  /** The index stands before what it points to: every number in it has a fixed length, so that its own is known. */
  private cues(before: number): Part {
    const build = (from: number): Part => {
      let at = from;
      return element(ID.cues, ...this.clusters.map((c) => {
        const cue = element(ID.cue, element(ID.cueTime, uint(c.time, 4)), element(ID.cuePlaces, element(ID.cueTrack, [1]), element(ID.cuePlace, uint(at, 7))));
        at += 12 + 13 + c.bytes; // id and length of the cluster, its time
        return cue;
      }));
    };
    return build(before + build(0).length);
  }
}

// ---------------------------------------------------------------- what a browser recorded
interface Found {
  at: number; // of the id
  from: number; // of the content
  to: number; // Infinity: not told
}
/** The element at a place, or null when there is none. */
export function readElement(bytes: Uint8Array, at: number): (Found & { id: number }) | null {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  if (idLength > 4 || sizeLength > 8 || sizeAt + sizeLength > bytes.length) return null;
  let id = 0;
  for (let k = 0; k < idLength; k++) id = id * 256 + bytes[at + k];
  let size = bytes[sizeAt] & (255 >> sizeLength);
  let all = size === 255 >> sizeLength;
  for (let k = 1; k < sizeLength; k++) {
    size = size * 256 + bytes[sizeAt + k];
    all &&= bytes[sizeAt + k] === 255;
  }
  const from = sizeAt + sizeLength;
  return { id, at, from, to: all ? Infinity : from + size };
}
function find(bytes: Uint8Array, id: number, from: number, to: number): Found | null {
  for (let at = from; at < Math.min(to, bytes.length); ) {
    const e = readElement(bytes, at);
    if (!e) return null;
    if (e.id === id) return e;
    at = e.to;
  }
  return null;
}
/** The same film with its duration told. What is not understood comes back as it was. */
export function withDuration(bytes: Uint8Array<ArrayBuffer>, ms: number): Part[] {
  const segment = find(bytes, ID.segment, 0, bytes.length);
  const info = segment && find(bytes, ID.info, segment.from, segment.to);
  if (!segment || !info || info.to > bytes.length || segment.to !== Infinity) return [bytes];
  const told = find(bytes, ID.duration, info.from, info.to);
  const scale = find(bytes, ID.scale, info.from, info.to);
  let unit = 0;
  for (let k = scale?.from ?? 0; scale && k < scale.to; k++) unit = unit * 256 + bytes[k];
  const duration = element(ID.duration, float((ms * 1e6) / (unit || SCALE)));
  const rest = told ? [bytes.subarray(info.from, told.at), bytes.subarray(told.to, info.to)] : [bytes.subarray(info.from, info.to)];
  return [bytes.slice(0, info.at), element(ID.info, ...rest, duration), bytes.slice(info.to)];
}
