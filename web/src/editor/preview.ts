// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario as a source that stands still: the server says where vehicles start, and a drag moves them at once until it says so anew.
import { makeRoster, newFrame, readShape, readSurroundings, reserve, type Coverage, type Extent, type Frame, type Roster, type Series, type SimEvent, type SnapshotSource, type SourceChange, type WorldInfo } from "../source/source.ts";
import { EMPTY_ROSTER } from "../source/source.ts";
import type { Preview } from "./api.ts";

/** What a drag does to a flock, or to one of its vehicles, before the server has answered. */
export interface Ghost {
  flock: number;
  index: number; // -1: all of it
  shift: readonly [number, number, number];
  scale: number;
  about: readonly [number, number, number];
  turn: number; // rad about `about` (or about itself, of one vehicle)
}
const UNKNOWN_MODE = 15;
let version = -1000; // of rosters; never one that a run has

export class PreviewSource implements SnapshotSource {
  readonly can = { seek: false, command: false, grow: false };
  readonly interval = 1;
  world: WorldInfo | null = null;
  ghost: Ghost | null = null;
  private readonly frame: Frame = newFrame(16);
  private readonly now: Frame = newFrame(16);
  private roster: Roster = EMPTY_ROSTER;
  private readonly listeners = new Set<(c: SourceChange) => void>();

  show(p: Preview, scope: WorldInfo["scope"]): void {
    this.world = {
      scenario: p.name, description: "", seed: p.seed, tick: 0.01, duration: p.duration, worlds: 1,
      flocks: p.flocks.map((f) => ({ name: f.name, airframe: f.airframe, model: f.model, rotors: [], size: 0.3, radius: 0.15, controller: "", look: null, ...readShape(f) })),
      ground: p.ground, hasGround: p.has_ground, scope, run: "", epoch: 0, ...readSurroundings(p),
    };
    const vehicles = p.flocks.flatMap((f, flock) => f.starts.map((_, k) => ({ name: f.count > 1 ? `${f.name}-${k}` : f.name, flock })));
    const sameCrew = vehicles.length === this.roster.ids.length && vehicles.every((v, k) => v.name === this.roster.names[k] && v.flock === this.roster.flock[k]);
    if (!sameCrew) this.roster = makeRoster(--version, vehicles.map((v, k) => ({ ...v, id: String(k + 1) })));
    this.fill(p, vehicles.length);
    this.tell({ kind: "frames" });
  }
  private fill(p: Preview, n: number): void {
    const f = this.frame;
    reserve(f, n);
    f.n = n;
    f.roster = this.roster;
    let k = 0;
    for (const flock of p.flocks)
      for (const [e, north, u, yaw] of flock.starts) {
        f.position.set([e, north, u], 3 * k);
        f.attitude.set([Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)], 4 * k);
        f.state[k++] = UNKNOWN_MODE;
      }
  }
  /** Flock and number of a vehicle by its id. */
  whose(id: string): { flock: number; index: number } | null {
    const slot = this.roster.slotOf.get(id);
    if (slot === undefined) return null;
    const flock = this.roster.flock[slot];
    return { flock, index: slot - this.roster.flock.indexOf(flock) };
  }
  idOf(flock: number, index: number): string | null {
    const first = this.roster.flock.indexOf(flock);
    return first < 0 || this.roster.flock[first + index] !== flock ? null : this.roster.ids[first + index];
  }

  extent = (): Extent => ({ first: -1e6, last: 0, gaps: [], damage: [] });
  at(time: number, out: Frame): Coverage {
    const f = this.frame;
    reserve(out, f.n);
    out.time = time;
    out.tick = 0;
    out.n = f.n;
    out.roster = f.roster;
    out.origin = [0, 0, 0];
    out.position.set(f.position.subarray(0, 3 * f.n));
    out.attitude.set(f.attitude.subarray(0, 4 * f.n));
    out.velocity.fill(0, 0, 3 * f.n);
    out.state.set(f.state.subarray(0, f.n));
    if (this.ghost) this.move(this.ghost, out);
    return "exact";
  }
  private move(g: Ghost, out: Frame): void {
    const first = this.roster.flock.indexOf(g.flock);
    const [c, s] = [Math.cos(g.turn), Math.sin(g.turn)];
    for (let k = 0; k < out.n; k++) {
      if (this.roster.flock[k] !== g.flock || (g.index >= 0 && k - first !== g.index)) continue;
      const p = out.position.subarray(3 * k, 3 * k + 3);
      const [x, y] = [p[0] - g.about[0], p[1] - g.about[1]];
      const turn = g.index < 0; // one vehicle turns about itself, a flock about its origin
      p[0] = g.about[0] + g.scale * (turn ? c * x - s * y : x) + g.shift[0];
      p[1] = g.about[1] + g.scale * (turn ? s * x + c * y : y) + g.shift[1];
      p[2] += g.shift[2];
      const [w, z] = [out.attitude[4 * k], out.attitude[4 * k + 3]];
      const [ch, sh] = [Math.cos(g.turn / 2), Math.sin(g.turn / 2)];
      out.attitude[4 * k] = ch * w - sh * z;
      out.attitude[4 * k + 3] = ch * z + sh * w;
    }
  }

  /** Where they are now, whenever it is asked about, and never to be remembered: so nothing that is dragged leaves a trail. */
  positions(_time: number, ids: readonly string[], _origin: readonly number[], out: Float32Array, offset: number): boolean {
    this.at(0, this.now);
    ids.forEach((id, k) => {
      const slot = this.roster.slotOf.get(id) ?? 0;
      out.set(this.now.position.subarray(3 * slot, 3 * slot + 3), offset + 3 * k);
    });
    return false;
  }
  series = (_q: string, ids: readonly string[]): Series => ({ time: new Float64Array(0), values: ids.map(() => new Float64Array(0)) });
  events = (): SimEvent[] => [];
  want(): void {}
  close(): void {}
  on(f: (c: SourceChange) => void): () => void {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }
  private tell(c: SourceChange): void {
    for (const f of this.listeners) f(c);
  }
}
