// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of a recording come from (memory, a dropped file, ranges over HTTP), its checksum and its little-endian numbers.

export interface ByteSource {
  readonly local?: boolean; // reading all of it costs nothing worth saving
  size(): Promise<number>;
  read(offset: number, length: number): Promise<Uint8Array>; // shorter at the end of the file
}

export class BufferSource implements ByteSource {
  readonly local = true;
  private readonly bytes: Uint8Array;
  constructor(bytes: ArrayBuffer | Uint8Array) {
    this.bytes = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  }
  async size(): Promise<number> {
    return this.bytes.length;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    return this.bytes.subarray(offset, offset + length);
  }
}

/** A file that was dropped on the page or chosen. */
export class BlobSource implements ByteSource {
  readonly local = true;
  private readonly blob: Blob;
  constructor(blob: Blob) {
    this.blob = blob;
  }
  async size(): Promise<number> {
    return this.blob.size;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }
}

/** Ranges of a file on a server. A small file comes whole with the first question. */
export class HttpSource implements ByteSource {
  private readonly url: string;
  private readonly options: RequestInit;
  private readonly opening: number;
  private total = -1;
  private start: Uint8Array | null = null; // the first bytes, or all of them

  constructor(url: string, options: RequestInit = {}, opening = 4 << 20) {
    this.url = url;
    this.options = options;
    this.opening = opening;
  }
  get local(): boolean {
    return this.start !== null && this.start.length === this.total;
  }
  async size(): Promise<number> {
    if (this.total < 0) await this.open();
    return this.total;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    if (this.total < 0) await this.open();
    const end = Math.min(offset + length, this.total);
    if (end <= offset) return new Uint8Array(0);
    if (this.start && end <= this.start.length) return this.start.subarray(offset, end);
    const { bytes, from } = await this.range(offset, end);
    return from === offset ? bytes : bytes.subarray(offset, end);
  }

  private async open(): Promise<void> {
    const { bytes, total } = await this.range(0, this.opening);
    this.total = total;
    this.start = bytes;
  }
  private async range(from: number, end: number): Promise<{ bytes: Uint8Array; from: number; total: number }> {
    const headers = new Headers(this.options.headers);
    headers.set("Range", `bytes=${from}-${end - 1}`);
    const answer = await fetch(this.url, { ...this.options, headers });
    if (answer.status === 416) return { bytes: new Uint8Array(0), from, total: Number(/\/(\d+)$/.exec(answer.headers.get("Content-Range") ?? "")?.[1] ?? 0) };
    if (!answer.ok) throw new Error(`${this.url}: the server answered ${answer.status}${answer.status === 404 ? ", there is no such recording" : ""}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 206) {
      // A server without ranges sends everything: kept, so that it does so once.
      this.total = bytes.length;
      this.start = bytes;
      return { bytes, from: 0, total: bytes.length };
    }
    const said = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get("Content-Range") ?? "");
    if (!said || Number(said[1]) !== from || Number(said[2]) - from + 1 !== bytes.length) throw new Error(`${this.url}: the server sent another range than was asked for`);
    return { bytes, from, total: Number(said[3]) };
  }
}

// ---------------------------------------------------------------- checksums and numbers

let tables: Uint32Array[] | null = null;
function crcTables(): Uint32Array[] {
  if (tables) return tables;
  tables = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
    tables[0][n] = c >>> 0;
  }
  for (let t = 1; t < 8; t++) for (let n = 0; n < 256; n++) tables[t][n] = (tables[t - 1][n] >>> 8) ^ tables[0][tables[t - 1][n] & 255];
  return tables;
}

/** CRC-32C (Castagnoli), eight bytes at a time. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables();
  let crc = 0xffffffff;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t7[crc & 255] ^ t6[(crc >>> 8) & 255] ^ t5[(crc >>> 16) & 255] ^ t4[crc >>> 24] ^ t3[bytes[i + 4]] ^ t2[bytes[i + 5]] ^ t1[bytes[i + 6]] ^ t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Reads little-endian records. Past the end everything is zero and `good` stays false: check once, after a record. */
export class Reader {
  good = true;
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  u8(): number {
    return this.has(1) ? this.bytes[this.at++] : 0;
  }
  u16(): number {
    return this.has(2) ? this.view.getUint16((this.at += 2) - 2, true) : 0;
  }
  f64(): number {
    return this.has(8) ? this.view.getFloat64((this.at += 8) - 8, true) : 0;
  }
  u32(): number {
    return this.has(4) ? this.view.getUint32((this.at += 4) - 4, true) : 0;
  }
  /** As a number: ticks, counts and offsets. What does not fit into one is a fault. */
  u64(): number {
    const x = this.u32() + 2 ** 32 * this.u32();
    if (x > Number.MAX_SAFE_INTEGER) this.good = false;
    return x;
  }
  id(): bigint {
    return this.has(8) ? this.view.getBigUint64((this.at += 8) - 8, true) : 0n;
  }
  /** A count of things that take at least so many bytes each. */
  count(least: number): number {
    const n = this.u64();
    if (n * least > this.left) this.good = false;
    return this.good ? n : 0;
  }
  text(most: number): string {
    const n = this.u32();
    if (n > most || !this.has(n)) {
      this.good = false;
      return "";
    }
    return new TextDecoder().decode(this.bytes.subarray(this.at, (this.at += n)));
  }
  private has(n: number): boolean {
    if (n > this.left) this.good = false;
    return this.good;
  }
}
