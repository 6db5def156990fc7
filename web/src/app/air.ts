// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the server for the air while somebody looks at it: about the view for the layer of arrows, and around the selected aircraft for its
// airspeed. Once a second at most, and not again while nothing moved.
import { arrowGrid } from "../scene/renderables/wind.ts";
import { floorAt } from "../scene/relief.ts";
import { airAddress, readAir, type Air, type AirBox } from "../source/air.ts";
import { layerOn } from "./commands.ts";
import { getViewport } from "./framing.ts";
import * as s from "./state.ts";

const EVERY = 500; // ms between two looks at what is wanted
let silent: unknown = null; // the world whose server tells nothing of its air

/** Known of the live edge of a live run only. */
const there = (): boolean => s.shown.value.kind === "live" && s.clockMode.value === "live" && s.connection.value.up && s.world.value !== null && s.world.value !== silent;

/** Two metres about the selected vehicle, if it is one that flies by the air. */
function aboutSelected(): AirBox | null {
  const k = s.slotOf(s.selection.value.primary);
  const w = s.world.value;
  const f = s.hot.frame;
  const look = k < 0 ? null : w?.flocks[f.roster.flock[k]]?.look;
  if (!w || !look || look.kind === "car") return null;
  const [e, n, u] = [0, 1, 2].map((i) => f.position[3 * k + i] + f.origin[i]);
  return { box: [e - 1, n - 1, e + 1, n + 1], height: u - floorAt(w, e, n), side: 2 };
}

class Asker {
  private asked = "";
  private busy = false;
  private readonly put: (air: Air | null) => void;
  constructor(put: (air: Air | null) => void) {
    this.put = put;
  }
  async look(want: AirBox | null): Promise<void> {
    if (!want) {
      if (this.asked) this.put(null);
      this.asked = "";
      return;
    }
    const address = airAddress(want);
    const key = `${address} ${s.liveStatus.value.state === "running" ? Math.floor(s.hot.extent.last) : s.hot.extent.last}`;
    if (this.busy || key === this.asked) return;
    this.busy = true;
    this.asked = key;
    const world = s.world.value;
    try {
      const answer = await fetch(address);
      const air = answer.ok ? readAir(await answer.json(), want.height) : null;
      if (!air) silent = world;
      if (this.asked) this.put(air);
    } catch {
      this.asked = ""; // not reachable: the banner says so, and the next look asks again
    }
    this.busy = false;
  }
}

export function startAir(): void {
  const grid = new Asker((air) => {
    s.air.value = air;
    s.redraw();
  });
  const here = new Asker((air) => (s.airHere.value = air));
  setInterval(() => {
    const live = there();
    void grid.look(live && (layerOn("wind") || s.unfolded.value.has("environment.")) ? arrowGrid(s.hot.camera, getViewport(), s.hot.frame.origin, s.world.value!) : null);
    void here.look(live ? aboutSelected() : null);
  }, EVERY);
}
