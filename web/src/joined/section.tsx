// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The selected vehicle of several bodies: how its aircraft are tilted, what it touches, and which vehicle a latch joins it with.
import * as s from "../app/state.ts";
import { degrees, number } from "../app/units.ts";
import { Line } from "../panels/line.tsx";
import { bodyOf } from "./body.ts";
import { tiltOf } from "./pose.ts";

const TILT = "Angle between the upright axis of the aircraft and the vertical";
const FORCE = "Sum of the forces of all contacts on the vehicle";
const UNKNOWN = "A recording keeps the pose of the whole vehicle. Its aircraft are drawn upright, and its contacts are not known.";
const PAST = "The server told nothing of this vehicle at this time. Its aircraft are drawn upright, and its contacts are not known.";

export function JoinedSection({ id }: { id: string }) {
  void s.pulse.value;
  const k = s.slotOf(id);
  const joined = s.hot.joined;
  const body = k < 0 ? null : bodyOf(s.world.value?.flocks[s.hot.frame.roster.flock[k]]);
  if (!joined || !body) return null;
  const told = joined.now(id);
  const partner = joined.partner(id);
  const sum = [0, 1, 2].map((i) => told?.contacts.reduce((f, x, n) => (n % 6 === 3 + i ? f + x : f), 0) ?? 0);
  const { kind } = s.shown.value;
  return (
    <>
      <dl class="joined">
        {told && told.parts.length > 0 && <h3>Aircraft</h3>}
        {told && body.parts.map((_, n) => 4 * n < told.parts.length && <Line name={`Tilt of aircraft ${n + 1}`} value={number(degrees(tiltOf(told.parts, 4 * n)), 1)} unit={"\u00b0"} hint={TILT} />)}
        <h3>Contact</h3>
        <Line name="Joined by a latch with" value={partner || "none"} />
        {told && <Line name="Contact points" value={number(told.contacts.length / 6, 0)} />}
        {told && <Line name="Contact force" value={number(Math.hypot(...sum), 2)} unit="N" hint={FORCE} />}
      </dl>
      {!told && kind !== "edit" && <p class="empty">{kind === "run" || kind === "file" ? UNKNOWN : PAST}</p>}
    </>
  );
}
