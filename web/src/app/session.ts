// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one loop of the page: clock, frame, camera, picture. Nothing is drawn when nothing changed.
import { effect } from "@preact/signals";
import { between, wrap } from "../scene/camera.ts";
import { late } from "../scene/late.ts";
import type { Moment, Picture } from "../scene/renderer.ts";
import { EMPTY_WORLD } from "../scene/renderer.ts";
import { advance } from "../source/clock.ts";
import { yaw, pitch } from "../source/history.ts";
import type { SnapshotSource } from "../source/source.ts";
import { fitted, framed, getViewport } from "./framing.ts";
import { t } from "./i18n/en.ts";
import * as s from "./state.ts";
import { clockText } from "./units.ts";
import { worldNow } from "./weather.ts";

export class Loop {
  private readonly picture: Picture;
  private last = performance.now();
  private pulseAt = 0;
  private firstFit = false;
  private shownTime = -1;
  private shownRoster = -1;
  private shownSource: SnapshotSource | null = null;
  private origin: [number, number, number] | null = null;
  private drawnAt = 0;
  running = true;

  constructor(picture: Picture) {
    this.picture = s.hot.picture = picture;
    effect(() => {
      // Anything people change that the picture shows.
      void [s.selection.value, s.hovered.value, s.versus.value, s.goals.value, s.settings.value, s.theme.value, s.connection.value, s.goto.value, s.followed.value];
      s.redraw();
    });
    late.loaded = s.redraw;
    effect(() => {
      if (!s.hot.joined && s.world.value?.flocks.some((f) => f.body)) void import("../joined/joined.ts").then((m) => m.startJoined(), () => {});
    });
    picture.restarted = () => {
      s.notify("info", "Graphics restarted.");
      s.redraw();
    };
    requestAnimationFrame(this.tick);
  }

  private readonly tick = (now: number): void => {
    if (!this.running) return;
    requestAnimationFrame(this.tick);
    const dt = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    this.step(dt, now);
    if (s.hot.dirty && s.page.value !== "library") {
      this.draw();
      if (this.drawnAt && now - this.drawnAt < 1000 && this.picture.timeFrame(now - this.drawnAt)) this.resize();
      this.drawnAt = now;
    } else this.drawnAt = 0;
    if (now - this.pulseAt >= (this.picture.quality === "full" ? 100 : 250)) {
      this.pulseAt = now;
      s.pulse.value++;
    }
  };

  step(dt: number, now: number): void {
    const h = s.hot;
    const source = h.source;
    if (!source) return;
    const st = s.status.value;
    const rate = st.state === "running" && s.connection.value.up ? st.factor || st.speed || 1 : 0;
    let next = advance(h.clock, dt, { first: h.extent.first, last: h.extent.last, interval: source.interval, rate });
    // What is played waits for its bytes instead of running away from the picture.
    if (next.mode === "playing" && (source.loading?.(next.time) || h.second?.loading(next.time))) next = { ...h.clock };
    if (next.mode !== h.clock.mode) s.clockMode.value = next.mode;
    h.clock = next;
    if (next.time !== this.shownTime || h.dirty) this.show(source, next.time);
    this.moveCamera(dt, now);
  }

  private show(source: SnapshotSource, time: number): void {
    const h = s.hot;
    if (source !== this.shownSource) this.shownRoster = -1;
    this.shownSource = source;
    h.dirty = true;
    if (source.loading?.(time)) {
      h.coverage = "loading"; // the old picture stays until "frames" tells that the bytes came
      return;
    }
    h.coverage = source.at(time, h.frame);
    this.shownTime = time;
    if (h.frame.n > 0) this.keepPlace(h.frame.origin);
    if (h.frame.n > 0 && h.frame.roster.version !== this.shownRoster) {
      this.shownRoster = h.frame.roster.version;
      s.roster.value = h.frame.roster;
    }
    if (h.frame.n > 0 && !this.firstFit) {
      this.firstFit = true;
      if (h.keepFitting && s.world.value?.terrain) h.camera = { ...h.camera, elevation: Math.max(h.camera.elevation, 0.55) }; // over the hills
      if (h.keepFitting) h.camera = fitted(h.camera);
    }
  }

  /** Another source may count from another origin: the camera stays where it is in the world. */
  private keepPlace(origin: readonly [number, number, number]): void {
    const before = this.origin;
    this.origin = [...origin];
    if (!before || before.every((x, i) => x === origin[i])) return;
    const c = s.hot.camera;
    s.hot.camera = { ...c, target: c.target.map((x, i) => x + before[i] - origin[i]) as typeof c.target };
    s.hot.move = null;
  }

  private moveCamera(dt: number, now: number): void {
    const h = s.hot;
    if (h.move) {
      const t = Math.min(1, (now - h.move.start) / 250);
      h.camera = between(h.move.from, h.move.to, t);
      if (t >= 1) h.move = null;
      h.dirty = true;
    } else if (h.keepFitting && h.frame.n > 0 && h.dirty) h.camera = framed(h.camera, dt);
    this.follow(dt);
  }

  private follow(dt: number): void {
    const h = s.hot;
    const c = h.camera;
    if (c.mode !== "follow" && c.mode !== "chase" && c.mode !== "cockpit") return;
    const k = s.slotOf(s.followed.value);
    if (k < 0) {
      if (s.followed.value !== null && h.frame.n > 0 && !s.lost.value) s.lost.value = `${s.nameOf(s.followed.value)} lost at ${clockText(h.clock.time)}`;
      return;
    }
    if (s.lost.value) s.lost.value = "";
    const p = h.frame.position;
    const heading = Math.PI / 2 - yaw(h.frame.attitude, 4 * k);
    if (c.mode === "cockpit") {
      const nose = pitch(h.frame.attitude, 4 * k) * 0.3; // steadied: the horizon stays level, the view nods a little
      const d = [Math.sin(heading) * Math.cos(nose), Math.cos(heading) * Math.cos(nose), -Math.sin(nose)];
      h.camera = { ...c, target: [p[3 * k] + d[0], p[3 * k + 1] + d[1], p[3 * k + 2] + 0.05 + d[2]], azimuth: wrap(heading), elevation: nose, distance: 1 };
    } else {
      const azimuth = c.mode === "chase" ? wrap(c.azimuth + wrap(heading - c.azimuth) * (h.still ? 1 : Math.min(1, dt / 0.3))) : c.azimuth;
      h.camera = { ...c, target: [p[3 * k], p[3 * k + 1], p[3 * k + 2]], azimuth };
    }
  }

  resize(): void {
    const v = getViewport();
    this.picture.resize(v.width, v.height);
    s.redraw();
  }

  /** Why a layer of links has nothing to draw, for whoever switched it on. */
  private noSwarm(): string {
    const kind = s.shown.value.kind;
    if (kind === "edit" || s.swarmNow.value) return "";
    return kind !== "live" ? t.swarm.recorded : s.clockMode.value !== "live" ? t.swarm.past : t.swarm.alone;
  }

  /** Why a selected vehicle has no estimate. */
  private noEstimates(): string {
    const kind = s.shown.value.kind;
    return kind === "edit" ? "" : kind !== "live" ? t.swarm.recorded : s.clockMode.value !== "live" ? t.swarm.past : s.selection.value.ids.size ? t.senses.none : t.senses.choose;
  }

  /** Why the arrows are the mean wind only. */
  private noAir(): string {
    const kind = s.shown.value.kind;
    return kind === "edit" ? "" : kind !== "live" ? t.air.recorded : s.clockMode.value !== "live" ? t.air.past : "";
  }

  draw(): void {
    const h = s.hot;
    h.dirty = false;
    const moment: Moment = {
      frame: h.frame,
      time: h.clock.time,
      camera: h.camera,
      world: worldNow() ?? EMPTY_WORLD,
      source: h.source,
      goals: s.goals.value,
      swarm: s.swarmNow.value,
      noSwarm: this.noSwarm(),
      estimates: s.shown.value.kind === "live" ? s.told : [],
      noEstimates: this.noEstimates(),
      air: s.shown.value.kind === "live" && s.clockMode.value === "live" ? s.air.value : null,
      noAir: this.noAir(),
      joined: h.joined,
      selected: s.selection.value.ids,
      primary: s.selection.value.primary,
      hovered: s.hovered.value,
      followed: s.followed.value,
      hour: s.hourNow(),
      theme: s.theme.value,
      layers: s.settings.value.layers,
      trueSize: s.settings.value.trueSize,
      trailBy: s.settings.value.trailBy,
      trailSeconds: s.settings.value.trailSeconds,
      still: h.still,
      grey: !s.connection.value.up && (h.source?.can.grow ?? true),
    };
    this.picture.draw(moment);
    h.second?.draw(moment);
    h.drawn?.();
  }
}
