// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One frame of zstd (RFC 8878), as recordings hold it: one frame that says its size, no dictionary. Every length is checked before it is
// used, so hostile bytes end in an Error after work in proportion to what the frame said it becomes; a checksum, if there is one, is left
// to the container, which has its own.

const MAX_BLOCK = 1 << 17;

class Fault extends Error {}
const fault = (): never => {
  throw new Fault("does not decompress");
};

/** How many bytes a frame says it becomes; -1 when it is no frame that says so. */
export function contentSize(frame: Uint8Array): number {
  return frameHeader(frame)?.size ?? -1;
}

function frameHeader(frame: Uint8Array): { size: number; at: number; checksum: boolean; window: number } | null {
  if (frame.length < 6) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = frame[4];
  if (view.getUint32(0, true) !== 0xfd2fb528 || (flags & 8) !== 0 || (flags & 3) !== 0) return null;
  const single = (flags >> 5) & 1;
  const kind = flags >> 6;
  const bytes = kind === 0 ? single : 1 << kind;
  const at = 6 - single;
  if (bytes === 0 || at + bytes > frame.length) return null;
  const low = bytes === 1 ? frame[at] : bytes === 2 ? view.getUint16(at, true) + 256 : view.getUint32(at, true);
  const size = low + (bytes === 8 ? 2 ** 32 * view.getUint32(at + 4, true) : 0);
  const base = 2 ** (10 + (frame[5] >> 3));
  return { size, at: at + bytes, checksum: (flags & 4) !== 0, window: single ? size : base + (base / 8) * (frame[5] & 7) };
}

/** What a frame becomes, or why it does not: `most` bytes, and `ratio` for each of its own, are the limits. */
export function inflate(frame: Uint8Array, most: number, ratio: number, expected = -1): Uint8Array | Error {
  const head = frameHeader(frame);
  if (!head) return new Error("is not a frame of zstd that says its size");
  if (head.size > most || Math.floor(head.size / ratio) > frame.length) return new Error("would grow beyond the limit");
  if (expected >= 0 && head.size !== expected) return new Error("says another size than its block");
  try {
    const end = frame.length - (head.checksum ? 4 : 0);
    return new Frame(frame, head.at, end, head.size, Math.min(MAX_BLOCK, head.window)).run();
  } catch (e) {
    if (e instanceof Fault || e instanceof RangeError) return new Error(e.message);
    throw e;
  }
}

// ---------------------------------------------------------------- bits, read from the end

/** A stream of bits that was written forwards and is read backwards; its last byte holds a 1 above its last bit. */
class Bits {
  bit = 0; // bits that are left
  private bytes: Uint8Array;
  private from = 0;

  constructor(bytes: Uint8Array, from: number, end: number) {
    this.bytes = bytes;
    this.from = from;
    if (end <= from || bytes[end - 1] === 0) fault();
    this.bit = 8 * (end - from) - Math.clz32(bytes[end - 1]) + 23;
  }
  /** Up to 24 bits. Before the beginning there are zeros, and `bit` is negative. */
  peek(n: number): number {
    const low = this.bit - n;
    if (low >= 0) {
      const k = this.from + (low >> 3);
      const b = this.bytes;
      // Beyond the stream are bytes of something else, which the mask takes away; beyond the frame, zeros.
      return ((b[k] | (b[k + 1] << 8) | (b[k + 2] << 16) | (b[k + 3] << 24)) >>> (low & 7)) & ((1 << n) - 1);
    }
    const left = Math.max(0, this.bit);
    if (left === 0) return 0;
    const saved = this.bit;
    this.bit = left;
    const x = this.peek(left) * 2 ** (n - left);
    this.bit = saved;
    return x;
  }
  read(n: number): number {
    if (n > 24) {
      const high = this.read(n - 16);
      return high * 65536 + this.read(16);
    }
    const x = n === 0 ? 0 : this.peek(n);
    this.bit -= n;
    return x;
  }
}

// ---------------------------------------------------------------- tables of finite states

interface States {
  log: number;
  symbol: Uint8Array;
  bits: Uint8Array;
  base: Uint16Array;
}

function buildStates(counts: Int16Array, symbols: number, log: number): States {
  const size = 1 << log;
  const [symbol, bits, base] = [new Uint8Array(size), new Uint8Array(size), new Uint16Array(size)];
  const next = new Uint16Array(symbols);
  let high = size;
  for (let s = 0; s < symbols; s++) {
    next[s] = counts[s] < 0 ? 1 : counts[s];
    if (counts[s] < 0) symbol[--high] = s; // less than one in the table: at its end
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (let s = 0; s < symbols; s++)
    for (let k = 0; k < counts[s]; k++) {
      symbol[at] = s;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  if (at !== 0) fault();
  for (let k = 0; k < size; k++) {
    const state = next[symbol[k]]++;
    bits[k] = log - (31 - Math.clz32(state));
    base[k] = (state << bits[k]) - size;
  }
  return { log, symbol, bits, base };
}

/** The description of a table at bytes[at]; where it ended is put into `after`. */
function readStates(bytes: Uint8Array, at: number, end: number, maxLog: number, maxSymbols: number, after: { at: number }): States {
  let bit = 8 * at;
  const take = (n: number): number => {
    let x = 0;
    for (let k = 0; k < n; k++, bit++) {
      if (bit >> 3 >= end) fault();
      x |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << k;
    }
    return x;
  };
  const log = take(4) + 5;
  if (log > maxLog) fault();
  const counts = new Int16Array(maxSymbols);
  let left = 1 << log;
  let s = 0;
  while (left > 0) {
    if (s >= maxSymbols) fault();
    // A number from 0 to left + 1, in as few bits as that needs: small ones take one less.
    const n = 32 - Math.clz32(left + 1);
    const short = (1 << n) - 1 - (left + 1);
    let x = take(n - 1);
    if (x >= short && take(1) === 1) {
      x += 1 << (n - 1);
      x -= short;
    }
    const count = x - 1;
    counts[s++] = count;
    left -= Math.abs(count);
    if (left < 0) fault();
    if (count !== 0) continue;
    let more: number;
    do {
      more = take(2);
      s += more;
      if (s > maxSymbols) fault();
    } while (more === 3);
  }
  after.at = (bit + 7) >> 3;
  return buildStates(counts, s, log);
}

const one = (symbol: number): States => ({ log: 0, symbol: Uint8Array.of(symbol), bits: new Uint8Array(1), base: new Uint16Array(1) });
const fixed = (counts: number[], log: number): States => buildStates(Int16Array.from(counts), counts.length, log);

// RFC 8878, 3.1.1.3.2.2: what is used when a block brings no tables, and what the codes stand for.
const LITERALS = fixed([4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1], 6);
const MATCHES = fixed([1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1], 6);
const OFFSETS = fixed([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5);
const LITERAL_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const MATCH_BITS = [...new Array<number>(32).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const bases = (bits: number[], first: number): number[] => bits.map((_, k) => bits.slice(0, k).reduce((sum, b) => sum + 2 ** b, first));
const LITERAL_BASE = bases(LITERAL_BITS, 0);
const MATCH_BASE = bases(MATCH_BITS, 3);
const MAX_OFFSET_CODE = 31;

// ---------------------------------------------------------------- Huffman codes

interface Codes {
  bits: number; // of the longest
  symbol: Uint8Array;
  length: Uint8Array;
}

function readCodes(bytes: Uint8Array, at: number, end: number, after: { at: number }): Codes {
  if (at >= end) fault();
  const head = bytes[at++];
  const weights = new Uint8Array(256);
  let n = 0;
  if (head >= 128) {
    n = head - 127;
    if (at + ((n + 1) >> 1) > end) fault();
    for (let k = 0; k < n; k++) weights[k] = k % 2 === 0 ? bytes[at + (k >> 1)] >> 4 : bytes[at + (k >> 1)] & 15;
    after.at = at + ((n + 1) >> 1);
  } else {
    if (at + head > end) fault();
    n = readWeights(bytes, at, at + head, weights);
    after.at = at + head;
  }
  return buildCodes(weights, n);
}

/** Weights packed with two states that take turns. */
function readWeights(bytes: Uint8Array, at: number, end: number, weights: Uint8Array): number {
  const after = { at };
  const table = readStates(bytes, at, end, 6, 256, after);
  const bits = new Bits(bytes, after.at, end);
  const states = [bits.read(table.log), bits.read(table.log)];
  if (bits.bit < 0) fault();
  for (let n = 0; ; n++) {
    if (n > 253) fault();
    const which = n % 2;
    weights[n] = table.symbol[states[which]];
    states[which] = table.base[states[which]] + bits.read(table.bits[states[which]]);
    if (bits.bit < 0) {
      weights[n + 1] = table.symbol[states[1 - which]];
      return n + 2;
    }
  }
}

function buildCodes(weights: Uint8Array, n: number): Codes {
  let sum = 0;
  for (let k = 0; k < n; k++) {
    if (weights[k] > 11) fault();
    if (weights[k] > 0) sum += 1 << (weights[k] - 1);
  }
  if (sum === 0) fault();
  const max = 32 - Math.clz32(sum);
  const rest = (1 << max) - sum; // belongs to the last symbol, which is not stored
  if (max > 11 || (rest & (rest - 1)) !== 0 || n > 255) fault();
  weights[n++] = 32 - Math.clz32(rest);
  const [symbol, length] = [new Uint8Array(1 << max), new Uint8Array(1 << max)];
  let at = 0;
  for (let w = 1; w <= max; w++)
    for (let k = 0; k < n; k++) {
      if (weights[k] !== w) continue;
      const size = 1 << (w - 1);
      symbol.fill(k, at, at + size);
      length.fill(max + 1 - w, at, at + size);
      at += size;
    }
  if (at !== 1 << max) fault();
  return { bits: max, symbol, length };
}

function readCoded(codes: Codes, bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number, to: number): void {
  const bits = new Bits(bytes, from, end);
  const { symbol, length, bits: n } = codes;
  for (; at < to; at++) {
    const k = bits.peek(n);
    out[at] = symbol[k];
    bits.bit -= length[k];
  }
  if (bits.bit !== 0) fault();
}

// ---------------------------------------------------------------- blocks

class Frame {
  private readonly bytes: Uint8Array;
  private at: number;
  private readonly end: number;
  private readonly most: number; // of a block
  private readonly out: Uint8Array;
  private n = 0; // bytes so far
  private readonly recent = [1, 4, 8];
  private codes: Codes | null = null;
  private tables: (States | null)[] = [null, null, null]; // literals, offsets, matches of the block before
  private readonly literals = new Uint8Array(MAX_BLOCK);

  constructor(bytes: Uint8Array, at: number, end: number, size: number, most: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.most = most;
    this.out = new Uint8Array(size);
  }

  run(): Uint8Array {
    for (let last = false; !last; ) {
      if (this.at + 3 > this.end) fault();
      const head = this.bytes[this.at] | (this.bytes[this.at + 1] << 8) | (this.bytes[this.at + 2] << 16);
      this.at += 3;
      last = (head & 1) === 1;
      this.block((head >> 1) & 3, head >> 3);
    }
    if (this.at !== this.end || this.n !== this.out.length) fault();
    return this.out;
  }

  private block(kind: number, size: number): void {
    const stored = kind === 1 ? 1 : size;
    if (kind === 3 || size > this.most || this.at + stored > this.end) fault();
    if (kind === 2) this.compressed(this.at, this.at + size);
    else {
      if (size > this.out.length - this.n) fault();
      if (kind === 0) this.out.set(this.bytes.subarray(this.at, this.at + size), this.n);
      else this.out.fill(this.bytes[this.at], this.n, this.n + size);
      this.n += size;
    }
    this.at += stored;
  }

  private compressed(at: number, end: number): void {
    const after = { at };
    const n = this.readLiterals(at, end, after);
    this.sequences(after.at, end, n);
  }

  /** Fills `literals` and says how many there are. */
  private readLiterals(at: number, end: number, after: { at: number }): number {
    const b = this.bytes;
    if (at >= end) fault();
    const kind = b[at] & 3;
    const format = (b[at] >> 2) & 3;
    const head = kind < 2 ? [1, 2, 1, 3][format] : [3, 3, 4, 5][format];
    if (at + head > end) fault();
    let word = 0;
    for (let k = head - 1; k >= 0; k--) word = word * 256 + b[at + k];
    at += head;
    if (kind < 2) {
      const n = Math.floor(word / (format % 2 === 0 ? 8 : 16));
      const stored = kind === 0 ? n : 1;
      if (n > MAX_BLOCK || at + stored > end) fault();
      if (kind === 0) this.literals.set(b.subarray(at, at + n));
      else this.literals.fill(b[at], 0, n);
      after.at = at + stored;
      return n;
    }
    const width = [10, 10, 14, 18][format];
    const n = Math.floor(word / 16) % 2 ** width;
    const stored = Math.floor(word / 2 ** (4 + width));
    if (n > MAX_BLOCK || n === 0 || at + stored > end) fault();
    after.at = at + stored;
    this.coded(kind === 2, format === 0, at, at + stored, n);
    return n;
  }

  private coded(brings: boolean, single: boolean, at: number, end: number, n: number): void {
    const after = { at };
    if (brings) this.codes = readCodes(this.bytes, at, end, after);
    const codes = this.codes ?? fault();
    at = after.at;
    if (single) return readCoded(codes, this.bytes, at, end, this.literals, 0, n);
    if (at + 6 > end) fault();
    const part = (n + 3) >> 2;
    if (3 * part > n) fault();
    const jump = [0, 2, 4].map((k) => this.bytes[at + k] | (this.bytes[at + k + 1] << 8));
    let from = at + 6;
    for (let k = 0; k < 4; k++) {
      const to = k < 3 ? from + jump[k] : end;
      if (to > end) fault();
      readCoded(codes, this.bytes, from, to, this.literals, k * part, k < 3 ? (k + 1) * part : n);
      from = to;
    }
    return undefined;
  }

  private table(mode: number, which: number, defaults: States, maxLog: number, maxSymbols: number, end: number, after: { at: number }): States {
    let t: States | null = defaults;
    if (mode === 1) {
      if (after.at >= end || this.bytes[after.at] >= maxSymbols) fault();
      t = one(this.bytes[after.at++]);
    } else if (mode === 2) t = readStates(this.bytes, after.at, end, maxLog, maxSymbols, after);
    else if (mode === 3) t = this.tables[which];
    return (this.tables[which] = t ?? fault());
  }

  private sequences(at: number, end: number, literals: number): void {
    const b = this.bytes;
    if (at >= end) fault();
    let count = b[at++];
    if (count === 255) {
      count = b[at] + (b[at + 1] << 8) + 0x7f00;
      at += 2;
    } else if (count > 127) count = ((count - 128) << 8) + b[at++];
    if (at > end) fault();
    let used = 0;
    if (count > 0) {
      if (at >= end || (b[at] & 3) !== 0) fault();
      const modes = b[at];
      const after = { at: at + 1 };
      const ll = this.table(modes >> 6, 0, LITERALS, 9, LITERAL_BITS.length, end, after);
      const of = this.table((modes >> 4) & 3, 1, OFFSETS, 8, MAX_OFFSET_CODE + 1, end, after);
      const ml = this.table((modes >> 2) & 3, 2, MATCHES, 9, MATCH_BITS.length, end, after);
      used = this.execute(count, ll, of, ml, new Bits(b, after.at, end), literals);
    } else if (at !== end) fault();
    this.copyLiterals(used, literals - used);
  }

  /** Literals and matches in turns; every one of them is checked against the size the frame gave itself. */
  private execute(count: number, ll: States, of: States, ml: States, bits: Bits, literals: number): number {
    let [a, b, c] = [bits.read(ll.log), bits.read(of.log), bits.read(ml.log)];
    let used = 0;
    for (let k = 0; k < count; k++) {
      const offsetCode = of.symbol[b];
      const value = 2 ** offsetCode + bits.read(offsetCode);
      const matchCode = ml.symbol[c];
      const match = MATCH_BASE[matchCode] + bits.read(MATCH_BITS[matchCode]);
      const literalCode = ll.symbol[a];
      const n = LITERAL_BASE[literalCode] + bits.read(LITERAL_BITS[literalCode]);
      if (n > literals - used) fault();
      this.copyLiterals(used, n);
      used += n;
      this.copyMatch(this.distance(value, n === 0), match);
      if (k + 1 < count) {
        a = ll.base[a] + bits.read(ll.bits[a]);
        c = ml.base[c] + bits.read(ml.bits[c]);
        b = of.base[b] + bits.read(of.bits[b]);
      }
      if (bits.bit < 0) fault();
    }
    if (bits.bit !== 0) fault();
    return used;
  }

  private distance(value: number, noLiterals: boolean): number {
    const r = this.recent;
    let d = value - 3;
    if (value > 3) {
      r[2] = r[1];
      r[1] = r[0];
      return (r[0] = d);
    }
    const which = value - 1 + (noLiterals ? 1 : 0);
    if (which === 0) return r[0];
    d = which === 3 ? r[0] - 1 : r[which];
    if (which > 1) r[2] = r[1];
    r[1] = r[0];
    return (r[0] = d);
  }

  private copyLiterals(from: number, n: number): void {
    if (n > this.out.length - this.n) fault();
    const { out, literals } = this;
    if (n > 32) out.set(literals.subarray(from, from + n), this.n);
    else for (let k = 0; k < n; k++) out[this.n + k] = literals[from + k];
    this.n += n;
  }
  private copyMatch(distance: number, n: number): void {
    if (distance < 1 || distance > this.n || n > this.out.length - this.n) fault();
    const out = this.out;
    const to = this.n + n;
    if (distance >= n && n > 32) out.copyWithin(this.n, this.n - distance, this.n - distance + n);
    else for (let k = this.n; k < to; k++) out[k] = out[k - distance];
    this.n = to;
  }
}
