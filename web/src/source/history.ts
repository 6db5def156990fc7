// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the page has seen of a run, kept as it came over the wire (24 bytes per vehicle), and the poses between two snapshots.
// When the budget is full the older half loses every second snapshot: the whole run stays open to seeking, only coarser.
import { bytesOf, halfTable, unpackAttitude, type RawFrame } from "./decode.ts";
import { reserve, type Coverage, type Extent, type Frame, type Measured, type Roster, type Series } from "./source.ts";

const GAP = 1.5; // s without a snapshot count as a gap, not as something to interpolate over

export class History {
  readonly frames: RawFrame[] = [];
  readonly rosters = new Map<number, Roster>();
  origin: [number, number, number] = [0, 0, 0];
  bytes = 0;
  private readonly gaps: [number, number][] = [];
  private readonly budget: number;
  private readonly cursor = { at: 0 };
  private scratch = new Float32Array(8);

  constructor(budget = 192e6) {
    this.budget = budget;
  }

  clear(): void {
    this.frames.length = 0;
    this.gaps.length = 0;
    this.bytes = 0;
  }

  forgetFrom(tick: number): void {
    while (this.frames.length && this.frames.at(-1)!.tick >= tick) this.bytes -= bytesOf(this.frames.pop()!);
  }

  /** False when the snapshot is older than the newest one: the run began anew. */
  push(frame: RawFrame): boolean {
    const last = this.frames.at(-1);
    if (last && frame.tick < last.tick) return false;
    if (last && frame.tick === last.tick) {
      this.frames[this.frames.length - 1] = frame; // the same moment again, e.g. after a spawn while paused
      this.bytes += bytesOf(frame) - bytesOf(last);
      return true;
    }
    if (last && frame.time - last.time > GAP) this.gaps.push([last.time, frame.time]);
    if (!last) this.origin = [Math.round(frame.origin[0]), Math.round(frame.origin[1]), Math.round(frame.origin[2])];
    this.frames.push(frame);
    this.bytes += bytesOf(frame);
    if (this.bytes > this.budget) this.thin();
    return true;
  }

  private thin(): void {
    const half = this.frames.length >> 1;
    let kept = 0;
    this.frames.forEach((f, i) => {
      if (i > 0 && i < half && i % 2 === 1) this.bytes -= bytesOf(f);
      else this.frames[kept++] = f;
    });
    this.frames.length = kept;
    this.cursor.at = 0;
  }

  extent(): Extent {
    return { first: this.frames[0]?.time ?? 0, last: this.frames.at(-1)?.time ?? 0, gaps: this.gaps, damage: [] };
  }

  get interval(): number {
    const n = this.frames.length;
    if (n < 2) return 1 / 30;
    const back = Math.min(8, n - 1);
    return Math.max(1e-3, (this.frames[n - 1].time - this.frames[n - 1 - back].time) / back);
  }

  /** Index of the last snapshot at or before `time`, -1 when there is none. Playing forwards it is found in one or two steps. */
  indexAt(time: number): number {
    const f = this.frames;
    if (f.length === 0 || time < f[0].time) return -1;
    let i = Math.min(this.cursor.at, f.length - 1);
    if (f[i].time <= time && time - f[i].time < 1) {
      while (i + 1 < f.length && f[i + 1].time <= time) i++;
    } else {
      let low = 0;
      let high = f.length - 1;
      while (low < high) {
        const mid = (low + high + 1) >> 1;
        if (f[mid].time <= time) low = mid;
        else high = mid - 1;
      }
      i = low;
    }
    this.cursor.at = i;
    return i;
  }

  at(time: number, out: Frame): Coverage {
    const i = this.indexAt(time);
    if (i < 0) return this.missing(out);
    const a = this.frames[i];
    const b = this.frames[i + 1];
    const between = b !== undefined && time > a.time;
    if (between && this.isGap(a.time, b.time)) return this.missing(out);
    const roster = this.rosters.get(a.roster);
    if (!roster || roster.ids.length < a.n) return this.missing(out);
    reserve(out, a.n);
    out.n = a.n;
    out.roster = roster;
    out.origin = this.origin;
    out.time = between ? time : a.time;
    out.tick = between ? a.tick + Math.round(((b.tick - a.tick) * (time - a.time)) / (b.time - a.time)) : a.tick;
    if (!between) {
      this.decodeInto(a, out);
      return "exact";
    }
    if (b.roster === a.roster) this.blendInto(a, b, time, null, out);
    else this.blendInto(a, b, time, this.rosters.get(b.roster) ?? roster, out);
    return "between";
  }

  /** Snapshots thinned out are far apart too, but nothing is missing between them. */
  private isGap(from: number, to: number): boolean {
    return to - from > GAP && this.gaps.some(([a, b]) => a >= from && b <= to);
  }

  private missing(out: Frame): Coverage {
    out.n = 0;
    return "missing";
  }

  private decodeInto(a: RawFrame, out: Frame): void {
    const half = halfTable();
    const [oe, on, ou] = [a.origin[0] - this.origin[0], a.origin[1] - this.origin[1], a.origin[2] - this.origin[2]];
    for (let k = 0; k < a.n; k++) {
      out.position[3 * k] = a.east[k] + oe;
      out.position[3 * k + 1] = a.north[k] + on;
      out.position[3 * k + 2] = a.up[k] + ou;
      out.velocity[3 * k] = half[a.velocityEast[k]];
      out.velocity[3 * k + 1] = half[a.velocityNorth[k]];
      out.velocity[3 * k + 2] = half[a.velocityUp[k]];
      unpackAttitude(a.attitude[k], out.attitude, 4 * k);
      out.state[k] = a.state[k];
    }
  }

  /** Cubic Hermite between two snapshots: the velocities are in the stream, so the path has no corners at 30 Hz. */
  private blendInto(a: RawFrame, b: RawFrame, time: number, other: Roster | null, out: Frame): void {
    const half = halfTable();
    const h = b.time - a.time;
    const u = (time - a.time) / h;
    const h00 = (1 + 2 * u) * (1 - u) * (1 - u);
    const h10 = u * (1 - u) * (1 - u) * h;
    const h01 = u * u * (3 - 2 * u);
    const h11 = u * u * (u - 1) * h;
    const [ae, an, au] = [a.origin[0] - this.origin[0], a.origin[1] - this.origin[1], a.origin[2] - this.origin[2]];
    const [be, bn, bu] = [b.origin[0] - this.origin[0], b.origin[1] - this.origin[1], b.origin[2] - this.origin[2]];
    const q = this.scratch;
    const { position: p, velocity: v, attitude: w } = out;
    for (let k = 0; k < a.n; k++) {
      const m = other ? (other.slotOf.get(out.roster.ids[k]) ?? -1) : k;
      out.state[k] = a.state[k];
      unpackAttitude(a.attitude[k], w, 4 * k);
      const vae = half[a.velocityEast[k]];
      const van = half[a.velocityNorth[k]];
      const vau = half[a.velocityUp[k]];
      if (m < 0 || m >= b.n) {
        // Gone in the next snapshot: it stays where it was until then.
        p[3 * k] = a.east[k] + ae;
        p[3 * k + 1] = a.north[k] + an;
        p[3 * k + 2] = a.up[k] + au;
        v[3 * k] = vae;
        v[3 * k + 1] = van;
        v[3 * k + 2] = vau;
        continue;
      }
      const vbe = half[b.velocityEast[m]];
      const vbn = half[b.velocityNorth[m]];
      const vbu = half[b.velocityUp[m]];
      p[3 * k] = h00 * (a.east[k] + ae) + h10 * vae + h01 * (b.east[m] + be) + h11 * vbe;
      p[3 * k + 1] = h00 * (a.north[k] + an) + h10 * van + h01 * (b.north[m] + bn) + h11 * vbn;
      p[3 * k + 2] = h00 * (a.up[k] + au) + h10 * vau + h01 * (b.up[m] + bu) + h11 * vbu;
      v[3 * k] = vae + u * (vbe - vae);
      v[3 * k + 1] = van + u * (vbn - van);
      v[3 * k + 2] = vau + u * (vbu - vau);
      unpackAttitude(b.attitude[m], q, 0);
      const dot = w[4 * k] * q[0] + w[4 * k + 1] * q[1] + w[4 * k + 2] * q[2] + w[4 * k + 3] * q[3];
      const ub = dot < 0 ? -u : u;
      let norm = 0;
      for (let c = 0; c < 4; c++) {
        const x = w[4 * k + c] * (1 - u) + q[c] * ub;
        w[4 * k + c] = x;
        norm += x * x;
      }
      const s = 1 / Math.sqrt(norm || 1);
      for (let c = 0; c < 4; c++) w[4 * k + c] *= s;
    }
  }

  positions(time: number, ids: readonly string[], origin: readonly number[], out: Float32Array, offset: number): boolean {
    const saved = this.cursor.at;
    const i = this.indexAt(time);
    this.cursor.at = saved; // trails look back; the playhead's own place must not move
    const a = this.frames[i];
    const ra = a && this.rosters.get(a.roster);
    if (i < 0 || !a || !ra) {
      out.fill(NaN, offset, offset + 3 * ids.length);
      return false;
    }
    const next = this.frames[i + 1];
    const b = next && next.roster === a.roster && !this.isGap(a.time, next.time) ? next : a;
    const u = b === a ? 0 : (time - a.time) / (b.time - a.time);
    const [oe, on, ou] = [a.origin[0] - origin[0], a.origin[1] - origin[1], a.origin[2] - origin[2]];
    const [de, dn, du] = [b.origin[0] - a.origin[0], b.origin[1] - a.origin[1], b.origin[2] - a.origin[2]];
    for (let r = 0; r < ids.length; r++) {
      const k = ra.slotOf.get(ids[r]) ?? -1;
      const at = offset + 3 * r;
      if (k < 0 || k >= a.n) {
        out[at] = out[at + 1] = out[at + 2] = NaN;
        continue;
      }
      out[at] = a.east[k] + oe + u * (b.east[k] + de - a.east[k]);
      out[at + 1] = a.north[k] + on + u * (b.north[k] + dn - a.north[k]);
      out[at + 2] = a.up[k] + ou + u * (b.up[k] + du - a.up[k]);
    }
    return true;
  }

  series(quantity: Measured, ids: readonly string[], from: number, to: number, points: number): Series {
    const saved = this.cursor.at;
    const first = Math.max(0, this.indexAt(from));
    const last = this.indexAt(to);
    this.cursor.at = saved;
    const stride = Math.max(1, Math.ceil((last - first + 1) / points));
    const start = first - (first % stride); // on a fixed lattice, so that a moving window does not make the line shiver
    const count = last < 0 ? 0 : Math.max(0, Math.floor((last - start) / stride) + 1);
    const time = new Float64Array(count);
    const values = ids.map(() => new Float64Array(count));
    for (let c = 0; c < count; c++) {
      const f = this.frames[start + c * stride];
      time[c] = f.time;
      const roster = this.rosters.get(f.roster);
      ids.forEach((id, r) => {
        const k = roster?.slotOf.get(id) ?? -1;
        values[r][c] = k < 0 || k >= f.n ? NaN : read(f, k, quantity, this.scratch);
      });
    }
    return { time, values };
  }
}

function read(f: RawFrame, k: number, quantity: Measured, q: Float32Array): number {
  const half = halfTable();
  switch (quantity) {
    case "altitude":
      return f.up[k] + f.origin[2];
    case "east":
      return f.east[k] + f.origin[0];
    case "north":
      return f.north[k] + f.origin[1];
    case "climb":
      return half[f.velocityUp[k]];
    case "speed":
      return Math.hypot(half[f.velocityEast[k]], half[f.velocityNorth[k]], half[f.velocityUp[k]]);
    default:
      unpackAttitude(f.attitude[k], q, 0);
      return (quantity === "roll" ? roll(q, 0) : quantity === "pitch" ? pitch(q, 0) : yaw(q, 0)) * (180 / Math.PI);
  }
}

// Euler angles of body FLU in world ENU, rad; q is w x y z at q[at].
export const roll = (q: ArrayLike<number>, at: number): number => Math.atan2(2 * (q[at] * q[at + 1] + q[at + 2] * q[at + 3]), 1 - 2 * (q[at + 1] ** 2 + q[at + 2] ** 2));
export const pitch = (q: ArrayLike<number>, at: number): number => Math.asin(Math.max(-1, Math.min(1, 2 * (q[at] * q[at + 2] - q[at + 3] * q[at + 1]))));
export const yaw = (q: ArrayLike<number>, at: number): number => Math.atan2(2 * (q[at] * q[at + 3] + q[at + 1] * q[at + 2]), 1 - 2 * (q[at + 2] ** 2 + q[at + 3] ** 2));
