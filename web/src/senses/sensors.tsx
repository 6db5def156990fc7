// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sensors of the selected vehicle with the age of their readings and their innovation, and how far its estimate is from the truth.
import * as s from "../app/state.ts";
import { number } from "../app/units.ts";
import { capital, words } from "../app/words.ts";
import { Line } from "../panels/line.tsx";
import { Mark } from "../panels/inspector.tsx";
import type { Estimate, SensorState } from "../wire/wire.ts";
import { believedAt, healthWords, spreadOf } from "./told.ts";
import "./senses.css";

const AGE = "Time since the state that the last reading measured";
const INNOVATION = "Normalised innovation squared of the last reading, summed over its numbers. It is about their count where sensor and estimate agree.";

/** How a sensor stands, in words. */
export function standingOf(x: SensorState): { level: "info" | "warn" | "bad"; text: string } {
  if ((x.refused ?? 0) > 0) return { level: "bad", text: `refused for ${number(x.refused!, 1)}\u2009s` };
  return x.valid ? { level: "info", text: "valid" } : { level: "warn", text: "no reading" };
}

const titleOf = (name: string): string => capital(words(name)).replace(/^(Imu|Gnss|Uwb)\b/, (m) => m.toUpperCase());

function Row({ sensor: x }: { sensor: SensorState }) {
  const { level, text } = standingOf(x);
  return (
    <li class={`sensor ${level}`}>
      <Mark level={level} label={text} />
      <span class="name">{titleOf(x.name)} {level !== "info" && <span class="why">{text}</span>}</span>
      <span class="num" title={AGE}>{x.age === undefined ? "\u2014" : `${number(x.age, 2)}\u2009s`}</span>
      <span class="num" title={INNOVATION}>{x.nis === undefined ? "\u2014" : number(x.nis, 1)}</span>
    </li>
  );
}

function Estimated({ id, estimate: e }: { id: string; estimate: Estimate }) {
  const f = s.hot.frame;
  const k = s.slotOf(id);
  const b = believedAt(s.told, id, f.time, s.world.value?.tick ?? 0.01);
  const off = b && k >= 0 ? [0, 1, 2].map((i) => b.position[i] - f.position[3 * k + i] - f.origin[i]) : null;
  const [level, up] = e.covariance ? spreadOf(e.covariance) : [NaN, NaN];
  const health = e.health === undefined ? null : healthWords(e.health);
  return (
    <dl>
      <h3>Estimate</h3>
      <Line name="Error, horizontal" value={off ? number(Math.hypot(off[0], off[1]), 2) : "\u2014"} unit="m" hint="Horizontal distance of estimate and truth" />
      <Line name="Error, up" value={off ? number(off[2], 2) : "\u2014"} unit="m" hint="Estimated height minus true height" />
      <Line name={"3\u03c3, horizontal"} value={number(3 * level, 2)} unit="m" hint="Three standard deviations on the longest axis, as the estimator has it" />
      <Line name={"3\u03c3, up"} value={number(3 * up, 2)} unit="m" hint="Three standard deviations of the height, as the estimator has it" />
      {health && <div class={`line health ${health.level}`}><dt>Health</dt><dd>{health.text}</dd></div>}
    </dl>
  );
}

export function Sensors({ id }: { id: string }) {
  void s.pulse.value;
  const v = s.estimates.value?.vehicles.find((x) => x.id === id);
  if (!v) return null;
  return (
    <section class="senses" aria-labelledby="senses-title">
      {v.position && <Estimated id={id} estimate={v} />}
      <h3 id="senses-title" class="senses-title"><span>Sensors</span><span class="dim">age</span><span class="dim">innovation</span></h3>
      <ul class="sensors" aria-labelledby="senses-title">{v.sensors.map((x) => <Row key={x.name} sensor={x} />)}</ul>
    </section>
  );
}
