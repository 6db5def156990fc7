// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of the view of a recording: bytes to knots, and where a vehicle was at any moment between them. docs/recording-view.md has the
// format. The integers of a knot are predicted in doubles exactly as the program does it: another rounding would read another flight.
import { inflate } from "./zstd.ts";

export const MAX_TICKS = 2 ** 20; // of a block
const MAX_TRACKS = 2 ** 20;
const MAX_SAMPLES = 2 ** 28;
const MAX_BYTES = 2 ** 28; // of a block, decompressed
const MAX_RATIO = 2 ** 14;
const LARGEST = 2 ** 52; // integers of a knot
const FIELDS = 14;
const POSE = 10;

/** Knots of all tracks of a block, column by column. Knots of track t are [motionOf[t], motionOf[t + 1]), turns likewise. */
export interface ViewBlock {
  readonly tick: number; // s
  readonly bounds: { position: number; velocity: number; angle: number }; // m, m/s, rad
  readonly steps: { position: number; velocity: number; turn: number }; // what one unit of an integer means
  readonly tracks: number;
  readonly vehicle: Uint32Array; // index in the roster
  readonly first: Uint32Array; // tick, counted from the start of the block
  readonly count: Uint32Array; // ticks
  readonly motionOf: Uint32Array;
  readonly motionTick: Uint32Array; // counted from the start of the track
  readonly straight: Uint8Array; // 1: the piece that ends here is not a cubic
  readonly position: Float64Array; // 3 per knot, whole numbers of steps
  readonly velocity: Float64Array;
  readonly turnOf: Uint32Array;
  readonly turnTick: Uint32Array;
  readonly attitude: Float32Array; // w x y z per knot
  readonly bytes: number; // of memory, about
}

/** A pose as ten numbers: position (m), velocity (m/s), attitude (w x y z). */
export const newPose = (): Float64Array => new Float64Array(POSE);

class Fault extends Error {}
const fault = (what: string): never => {
  throw new Fault(what);
};

/** Reads a column of varints. Past its end, or at a number that no writer makes, it faults. */
class Column {
  private readonly bytes: Uint8Array;
  private at: number;
  private readonly end: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  get left(): number {
    return this.end - this.at;
  }
  get position(): number {
    return this.at;
  }
  unsigned(): number {
    if (this.at >= this.end) fault("a column ends too early");
    const first = this.bytes[this.at++];
    return first < 0x80 ? first : this.rest(first - 0x80);
  }
  signed(): number {
    const u = this.unsigned();
    return u % 2 === 0 ? u / 2 : -(u + 1) / 2;
  }
  // Sums of doubles are exact up to 2^53; a knot within 2^52 of zero never needs more.
  private rest(low: number): number {
    let x = low;
    for (let scale = 128; scale < 2 ** 56; scale *= 128) {
      if (this.at >= this.end) fault("a column ends too early");
      const byte = this.bytes[this.at++];
      x += (byte & 0x7f) * scale;
      if (byte < 0x80) return x <= Number.MAX_SAFE_INTEGER ? x : fault("a number is out of range");
    }
    return fault("a number is out of range");
  }
}

/** The nearest whole number, halves up, as the program rounds. */
const whole = (x: number): number => Math.floor((x < -LARGEST ? -LARGEST : x > LARGEST ? LARGEST : x) + 0.5);
const checked = (x: number): number => (x >= -LARGEST && x <= LARGEST ? x : fault("a knot is out of range"));
const between = (x: number, low: number, high: number): boolean => x >= low && x <= high;

interface Head {
  values: number[]; // tick, three bounds, three steps
  tracks: number;
  columns: Column[];
}

function readHead(bytes: Uint8Array): Head {
  if (bytes.length < 57 || bytes[0] !== 1) fault("a version of the view that this page does not know");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = Array.from({ length: 7 }, (_, k) => view.getFloat64(1 + 8 * k, true));
  const head = new Column(bytes, 57, bytes.length);
  const tracks = head.unsigned();
  const sizes = Array.from({ length: FIELDS }, () => head.unsigned());
  let at = head.position;
  const columns = sizes.map((size) => {
    if (size > bytes.length - at) fault("a column is longer than the block");
    return new Column(bytes, at, (at += size));
  });
  if (at !== bytes.length) fault("the columns do not fill the block");
  if (!between(values[0], 1e-9, 1e3) || !values.slice(1).every((x) => between(x, 1e-9, 1e9))) fault("the head is out of range");
  // Every track takes at least a byte of its column, every knot one of its own: nothing below can outgrow the bytes.
  if (tracks > MAX_TRACKS || tracks > columns[2].left) fault("more tracks than bytes");
  return { values, tracks, columns };
}

/** Fills the columns of a block track by track. */
class Builder {
  private readonly head: Head;
  private readonly tick: number;
  private readonly ratio: number; // of the steps of velocity and position
  private readonly turnStep: number;
  private readonly start = [0, 0, 0, 0, 0, 0]; // of the track before
  private readonly slope = [0, 0, 0];
  private readonly u = [0, 0, 0];
  private readonly q = [1, 0, 0, 0];
  private m = 0; // knots so far
  private a = 0;
  readonly motionTick: Uint32Array;
  readonly straight: Uint8Array;
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly turnTick: Uint32Array;
  readonly attitude: Float32Array;

  constructor(head: Head) {
    this.head = head;
    this.tick = head.values[0];
    this.ratio = head.values[5] / head.values[4];
    this.turnStep = head.values[6];
    const motions = head.tracks + head.columns[6].left;
    const turns = head.tracks + head.columns[11].left;
    this.motionTick = new Uint32Array(motions);
    this.straight = new Uint8Array(motions);
    this.position = new Float64Array(3 * motions);
    this.velocity = new Float64Array(3 * motions);
    this.turnTick = new Uint32Array(turns);
    this.attitude = new Float32Array(4 * turns);
  }
  get motions(): number {
    return this.m;
  }
  get turns(): number {
    return this.a;
  }

  addMotion(count: number): void {
    const c = this.head.columns;
    for (let i = 0; i < 3; i++) {
      this.position[3 * this.m + i] = this.start[i] = checked(this.start[i] + c[3].signed());
      this.velocity[3 * this.m + i] = this.start[3 + i] = checked(this.start[3 + i] + c[4].signed());
    }
    this.slope.fill(0);
    this.m++;
    for (let at = 0; at + 1 < count; ) {
      const word = c[6].unsigned();
      const n = Math.floor(word / 2);
      if (n === 0 || n > count - 1 - at) fault("a piece of a path does not fit into its track");
      this.straight[this.m] = word % 2;
      this.motionTick[this.m] = at += n;
      for (let i = 0; i < 3; i++) this.addAxis(i, n);
      this.m++;
    }
  }

  private addAxis(i: number, n: number): void {
    const c = this.head.columns;
    const k = 3 * this.m + i;
    const v0 = this.velocity[k - 3];
    const v1 = checked(v0 + whole(0.375 * this.slope[i] * n) + c[i < 2 ? 7 : 8].signed());
    const way = whole(0.5 * (v0 + v1) * (n * this.tick) * this.ratio);
    this.velocity[k] = v1;
    this.position[k] = checked(this.position[k - 3] + way + c[i < 2 ? 9 : 10].signed());
    this.slope[i] = (v1 - v0) / n;
  }

  addTurns(count: number): void {
    const c = this.head.columns;
    for (let i = 0; i < 3; i++) this.u[i] = checked(c[5].signed());
    this.q[0] = 1;
    this.q[1] = this.q[2] = this.q[3] = 0;
    this.slope.fill(0);
    this.pushTurn(0);
    for (let at = 0; at + 1 < count; ) {
      const n = c[11].unsigned();
      if (n === 0 || n > count - 1 - at) fault("a piece of an attitude does not fit into its track");
      for (let i = 0; i < 3; i++) {
        this.u[i] = checked(whole(0.375 * this.slope[i] * n) + c[i < 2 ? 12 : 13].signed());
        this.slope[i] = this.u[i] / n;
      }
      this.pushTurn((at += n));
    }
  }

  /** The knot that follows by a turn of so many steps about the axes of the body. */
  private pushTurn(tick: number): void {
    const q = this.q;
    const [ux, uy, uz] = [this.u[0] * this.turnStep, this.u[1] * this.turnStep, this.u[2] * this.turnStep];
    const m = (ux * ux + uy * uy + uz * uz) / 16;
    const f = 1 / (1 + m);
    const [w, x, y, z] = [(1 - m) * f, 0.5 * ux * f, 0.5 * uy * f, 0.5 * uz * f];
    const pw = q[0] * w - q[1] * x - q[2] * y - q[3] * z;
    const px = q[0] * x + q[1] * w + q[2] * z - q[3] * y;
    const py = q[0] * y - q[1] * z + q[2] * w + q[3] * x;
    const pz = q[0] * z + q[1] * y - q[2] * x + q[3] * w;
    const scale = 1 / Math.sqrt(pw * pw + px * px + py * py + pz * pz);
    q[0] = pw * scale;
    q[1] = px * scale;
    q[2] = py * scale;
    q[3] = pz * scale;
    this.turnTick[this.a] = tick;
    this.attitude.set(q, 4 * this.a++);
  }
}

function readBlock(bytes: Uint8Array): ViewBlock {
  const head = readHead(bytes);
  const { tracks, columns, values } = head;
  const b = new Builder(head);
  const [vehicle, first, count] = [new Uint32Array(tracks), new Uint32Array(tracks), new Uint32Array(tracks)];
  const [motionOf, turnOf] = [new Uint32Array(tracks + 1), new Uint32Array(tracks + 1)];
  let index = 0;
  let samples = 0;
  for (let t = 0; t < tracks; t++) {
    index += columns[0].signed();
    if (!between(index, 0, 0xffffffff)) fault("the index of a vehicle is out of range");
    vehicle[t] = index;
    const [from, n] = [columns[1].unsigned(), columns[2].unsigned()];
    if (n === 0 || from > MAX_TICKS || n > MAX_TICKS - from) fault("the ticks of a track are out of range");
    first[t] = from;
    count[t] = n;
    samples += n;
    if (samples > MAX_SAMPLES) fault("more samples than a block may hold");
    b.addMotion(n);
    b.addTurns(n);
    motionOf[t + 1] = b.motions;
    turnOf[t + 1] = b.turns;
  }
  if (columns.some((c) => c.left > 0)) fault("a column is longer than its knots");
  const { motionTick, straight, position, velocity, turnTick, attitude } = b;
  const memory = [vehicle, first, count, motionOf, turnOf, motionTick, straight, position, velocity, turnTick, attitude].reduce((sum, x) => sum + x.byteLength, 0);
  return {
    tick: values[0],
    bounds: { position: values[1], velocity: values[2], angle: values[3] },
    steps: { position: values[4], velocity: values[5], turn: values[6] },
    tracks, vehicle, first, count, motionOf, motionTick, straight, position, velocity, turnOf, turnTick, attitude,
    bytes: memory,
  };
}

/** The knots of a payload, or what is wrong with it. No bytes make it throw, hang or take more memory than they could stand for. */
export function decodeView(payload: Uint8Array): ViewBlock | Error {
  const bytes = inflate(payload, MAX_BYTES, MAX_RATIO);
  if (bytes instanceof Error) return bytes;
  try {
    return readBlock(bytes);
  } catch (e) {
    if (e instanceof Fault || e instanceof RangeError) return new Error(e.message);
    throw e;
  }
}

/** The last of [begin, end) at or before a tick, but not the last of all unless it is alone. */
function pieceAt(ticks: Uint32Array, begin: number, end: number, tick: number): number {
  let low = begin;
  let high = end - 1; // the answer is in [low, high)
  while (low + 1 < high) {
    const mid = (low + high) >>> 1;
    if (ticks[mid] <= tick) low = mid;
    else high = mid;
  }
  return low;
}

/** Where a track is at a tick of its block, which need not be whole: ten numbers at out[at]. False outside its ticks. */
export function sampleAt(b: ViewBlock, track: number, tickInBlock: number, out: Float64Array, at = 0): boolean {
  const tick = tickInBlock - b.first[track];
  if (!(tick >= 0 && tick <= b.count[track] - 1)) return false;
  motionAt(b, track, tick, out, at);
  turnAt(b, track, tick, out, at + 6);
  return true;
}

function motionAt(b: ViewBlock, track: number, tick: number, out: Float64Array, at: number): void {
  const k = pieceAt(b.motionTick, b.motionOf[track], b.motionOf[track + 1], tick);
  const k1 = b.count[track] > 1 ? k + 1 : k;
  const n = Math.max(1, b.motionTick[k1] - b.motionTick[k]);
  const s = (tick - b.motionTick[k]) / n;
  const seconds = n * b.tick;
  const { position: qp, velocity: qv } = b.steps;
  for (let i = 0; i < 3; i++) {
    const p0 = b.position[3 * k + i];
    const v0 = b.velocity[3 * k + i] * qv;
    const v1 = b.velocity[3 * k1 + i] * qv;
    const way = (b.position[3 * k1 + i] - p0) * qp;
    if (b.straight[k1] === 1) {
      out[at + i] = p0 * qp + s * way;
      out[at + 3 + i] = v0 + s * (v1 - v0);
      continue;
    }
    const m0 = v0 * seconds;
    const m1 = v1 * seconds;
    const c2 = 3 * way - 2 * m0 - m1;
    const c3 = m0 + m1 - 2 * way;
    out[at + i] = p0 * qp + s * (m0 + s * (c2 + s * c3));
    out[at + 3 + i] = v0 + (s * (2 * c2 + s * 3 * c3)) / seconds;
  }
}

function turnAt(b: ViewBlock, track: number, tick: number, out: Float64Array, at: number): void {
  const k = pieceAt(b.turnTick, b.turnOf[track], b.turnOf[track + 1], tick);
  const k1 = b.count[track] > 1 ? k + 1 : k;
  const s = (tick - b.turnTick[k]) / Math.max(1, b.turnTick[k1] - b.turnTick[k]);
  let length2 = 0;
  for (let i = 0; i < 4; i++) {
    const q0 = b.attitude[4 * k + i];
    const q = q0 + s * (b.attitude[4 * k1 + i] - q0);
    out[at + i] = q;
    length2 += q * q;
  }
  const sound = length2 > 1e-12;
  const f = sound ? 1 / Math.sqrt(length2) : 1;
  for (let i = 0; i < 4; i++) out[at + i] = sound ? out[at + i] * f : b.attitude[4 * k + i];
}
