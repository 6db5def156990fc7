// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The air: mean wind, what it is like where the view is, and all of it to be changed in flight.
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import { comesFrom, speedOf } from "../scene/renderables/wind.ts";
import type { WorldInfo } from "../source/source.ts";
import { Fold, Unfolded } from "./fields.tsx";
import { Line } from "./line.tsx";

const KELVIN = 273.15;

export function Weather({ world: w }: { world: WorldInfo }) {
  const speed = speedOf(w.wind);
  const level = Math.hypot(w.wind[0], w.wind[1]) > 0.05;
  const live = s.shown.value.kind === "live";
  const here = live ? s.air.value?.middle : undefined;
  return (
    <dl class="weather">
      <h3>{t.air.title}</h3>
      <Line name={t.world.wind} value={speed < 0.05 ? t.world.calm : number(speed, 1)} unit={speed < 0.05 ? "" : "m/s"} hint={t.world.windHint} />
      {level && <Line name={t.world.from} value={number(comesFrom(w.wind), 0).padStart(3, "0")} unit={"\u00b0"} hint={t.world.windHint} />}
      <Line name={t.world.gusts} value={w.gustSigma > 0 ? number(w.gustSigma, 1) : t.world.none} unit={w.gustSigma > 0 ? "m/s" : ""} hint={t.world.gustHint} />
      {here && (
        <>
          <Line name={t.air.here} value={number(speedOf(here.wind), 1)} unit="m/s" hint={t.air.hereHint} />
          <Line name={t.air.temperature} value={number(here.temperature - KELVIN, 1)} unit={"\u00b0C"} hint={t.air.hereHint} />
          <Line name={t.air.pressure} value={number(here.pressure / 100, 1)} unit="hPa" hint={t.air.hereHint} />
          <Line name={t.air.density} value={number(here.density, 3)} unit={"kg/m\u00b3"} hint={t.air.hereHint} />
        </>
      )}
      {live && <div class="folded"><Fold prefix="environment." label={t.fields.of(t.air.title)}>{t.fields.change}</Fold><Unfolded prefix="environment." id={null} grouped /></div>}
    </dl>
  );
}
