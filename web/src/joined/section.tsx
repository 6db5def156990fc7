// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The selected vehicle of several bodies: how its aircraft are tilted, what it touches, what it does about pushes, and which vehicle a latch joins it with.
import * as s from "../app/state.ts";
import { degrees, number } from "../app/units.ts";
import { Line } from "../panels/line.tsx";
import { CommandButton } from "../ui/controls.tsx";
import { bodyOf, docks } from "./body.ts";
import { DOES } from "./inputs.ts";
import { tiltOf } from "./pose.ts";
import { PUSHES, REACTS, type Sample } from "./told.ts";

const TILT = "Angle between the upright axis of the aircraft and the vertical";
const FORCE = "Sum of the forces of all contacts on the vehicle";
const UNKNOWN = "A recording keeps the pose of the whole vehicle. Its aircraft are drawn upright, and its contacts are not known.";
const PAST = "The server told nothing of this vehicle at this time. Its aircraft are drawn upright, and its contacts are not known.";

const WANTED = "Wanted push from outside about the origin of the central body, in the axes of the vehicle: x forward, y left, z up";

/** What a platform does about pushes. */
function Reaction({ told }: { told: Sample }) {
  if (!told.reaction) return null;
  const at = 6 * PUSHES.indexOf("commanded");
  const three = (from: number): string => [0, 1, 2].map((k) => number(told.pushes[from + k], 1)).join("\u2002");
  return (
    <>
      <h3>Pushes from outside</h3>
      <Line name="The platform" value={REACTS[told.reaction]} hint={DOES[told.reaction]} />
      {told.reaction === "press" && <Line name="Wanted force" value={three(at)} unit="N" hint={WANTED} />}
      {told.reaction === "press" && <Line name="Wanted torque" value={three(at + 3)} unit={"N\u2009m"} hint={WANTED} />}
    </>
  );
}

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
        {told && <Reaction told={told} />}
      </dl>
      {!told && kind !== "edit" && <p class="empty">{kind === "run" || kind === "file" ? UNKNOWN : PAST}</p>}
      {kind === "live" && (
        <div class="buttons">
          {s.isPlatform(id) && <CommandButton id="vehicle.pose">{`Pose\u2026`}</CommandButton>}
          {s.isPlatform(id) && <CommandButton id="vehicle.reaction">{`Reaction\u2026`}</CommandButton>}
          {docks(body) && <CommandButton id="vehicle.unlatch">Release latch</CommandButton>}
        </div>
      )}
    </>
  );
}
