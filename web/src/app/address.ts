// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The address of what is seen. While it plays the bar keeps still; a link that is copied names the moment.
import { renderables } from "../scene/renderables/all.ts";
import { formatRoute } from "./router.ts";
import * as s from "./state.ts";

export function address(exact: boolean): string {
  const c = s.hot.camera;
  const deg = 180 / Math.PI;
  const layers = renderables.filter((r) => !r.fixed);
  const changed = layers.some((r) => (s.settings.value.layers[r.id] ?? r.on) !== r.on);
  const { kind, name } = s.shown.value;
  const mode = s.clockMode.value;
  const vs = s.versus.value;
  return formatRoute({
    page: s.page.value,
    ...(s.page.value === "edit" ? { scenario: s.scenario.value } : {}),
    run: kind === "run" || (exact && kind === "ended") ? name : "",
    time: mode === "paused" || (exact && mode === "playing") ? s.hot.clock.time : "live",
    sel: [...s.selection.value.ids],
    cam: c.mode,
    eye: s.hot.keepFitting || c.mode === "cockpit" ? [] : [c.azimuth * deg, c.elevation * deg, c.distance, ...c.target],
    speed: s.clockSpeed.value,
    layers: changed ? layers.filter((r) => s.settings.value.layers[r.id] ?? r.on).map((r) => r.id) : null,
    ...(vs?.kind === "run" ? { vs: vs.name, ghost: vs.mode === "ghost", shift: vs.offset } : {}),
  });
}
