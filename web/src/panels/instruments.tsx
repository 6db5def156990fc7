// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a pilot looks at, for the selected aircraft: artificial horizon, airspeed, climb. Signs are those of aviation: bank to the right, nose up.
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import { worldNow } from "../app/weather.ts";
import { pitch, roll } from "../source/history.ts";
import { Line } from "./line.tsx";

const DEGREES = 180 / Math.PI;
const PER_DEGREE = 1.1; // px

function Horizon({ bank, nose }: { bank: number; nose: number }) {
  const drop = Math.max(-40, Math.min(40, nose * PER_DEGREE));
  return (
    <svg class="horizon-dial" width="92" height="92" viewBox="-46 -46 92 92" role="img" aria-label={t.pilot.attitude(number(Math.abs(bank), 0), bank >= 0, number(Math.abs(nose), 0), nose >= 0)}>
      <clipPath id="dial"><circle r="44" /></clipPath>
      <g clip-path="url(#dial)">
        <g transform={`rotate(${-bank}) translate(0 ${drop})`}>
          <rect class="sky" x="-90" y="-140" width="180" height="140" />
          <rect class="earth" x="-90" y="0" width="180" height="140" />
          <path d={[-20, -10, 10, 20].map((d) => `M${-6 - Math.abs(d) * 0.3} ${-d * PER_DEGREE}h${12 + Math.abs(d) * 0.6}`).join("") + "M-90 0h180"} />
        </g>
        <path class="marks" d={[-60, -30, 0, 30, 60].map((a) => `M${44 * Math.sin(a / DEGREES)} ${-44 * Math.cos(a / DEGREES)}L${38 * Math.sin(a / DEGREES)} ${-38 * Math.cos(a / DEGREES)}`).join("")} />
        <path class="pointer" d="M0 -37l-4 7h8z" transform={`rotate(${-bank})`} />
      </g>
      <path class="plane" d="M-24 0h14l4 5M24 0h-14l-4 5M0 -1.5v3" />
    </svg>
  );
}

export function Instruments({ slot: k }: { slot: number }) {
  void s.pulse.value;
  const f = s.hot.frame;
  const v = [0, 1, 2].map((i) => f.velocity[3 * k + i]);
  const here = s.shown.value.kind === "live" && s.clockMode.value === "live" ? s.airHere.value?.middle.wind : undefined;
  const wind = here ?? worldNow()?.wind ?? [0, 0, 0];
  const air = Math.hypot(v[0] - wind[0], v[1] - wind[1], v[2] - wind[2]);
  const [bank, nose] = [roll(f.attitude, 4 * k) * DEGREES, -pitch(f.attitude, 4 * k) * DEGREES];
  const level = Math.hypot(v[0], v[1]);
  return (
    <div class="instruments">
      <Horizon bank={bank} nose={nose} />
      <dl>
        <Line name={t.pilot.air} value={number(air, 1)} unit="m/s" hint={here ? t.pilot.airHint : t.pilot.meanHint} />
        <Line name={t.pilot.climb} value={number(v[2], 1)} unit="m/s" />
        <Line name={t.pilot.path} value={number(level > 0.5 ? Math.atan2(v[2], level) * DEGREES : 0, 0)} unit={"\u00b0"} hint={t.pilot.pathHint} />
        <Line name={t.pilot.bank} value={number(Math.abs(bank), 0)} unit={`\u00b0 ${bank >= 0 ? t.pilot.right : t.pilot.left}`} />
        <Line name={t.pilot.nose} value={number(Math.abs(nose), 0)} unit={`\u00b0 ${nose >= 0 ? t.pilot.up : t.pilot.down}`} />
      </dl>
    </div>
  );
}
