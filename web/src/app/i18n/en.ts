// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the panels say, in one typed dictionary: a translation is another object of the same type. Titles of commands stay in
// app/commands.ts and those of layers in their own files, each once; `say` is the gate they pass.
import { count, number } from "../units.ts";

const en = {
  chip: { offline: "OFFLINE", connecting: "CONNECTING", replay: "REPLAY", replayPaused: "REPLAY \u00b7 PAUSED", viewPaused: "VIEW PAUSED", lookingBack: "LOOKING BACK", worldPaused: "WORLD PAUSED", live: "LIVE" },
  panel: { fleet: "Fleet", inspector: "Inspector", timeline: "Timeline", swarm: "Swarm", open: (name: string) => `Open ${name}`, collapse: (name: string) => `Collapse the ${name}`, sheet: "Panels", larger: "Larger panels", close: "Close the panels", layers: "Layers", width: (name: string) => `Width of the ${name}` },
  tab: { state: "State", plots: "Plots", events: "Events", profile: "Profile" },
  fleet: {
    hint: "Every vehicle of the run. Click selects, Ctrl+click adds, a flock's chip takes the flock; altitude>20 or speed<1 in the filter compares.",
    filter: "Filter the fleet",
    example: "Name, flock, altitude>20",
    clear: "Clear filter",
    empty: "This world has no vehicles.",
    before: "Vehicles appear here once a run is connected: ./volary run scenarios/default.yaml",
  },
  inspector: {
    hintChosen: "State of the selected vehicles at the moment shown. Positions are in the frame named beside them.",
    hintNone: "Nothing is selected: this is the swarm and its world. Click a vehicle to see its own figures.",
    noEvents: "Take-offs, goals reached, faults and commands appear here with their time.",
    noEventsChosen: "No events of the selection yet.",
    noPlots: "The plots could not be loaded: the server is not reachable. Reload the page when it is.",
    noProfile: "The time that the simulator spends in each stage appears here while a run is live.",
  },
  world: {
    title: "World",
    wind: "Wind",
    windHint: "Mean wind, and where it comes from, in degrees from north",
    calm: "calm",
    from: "Wind from",
    gusts: "Gusts",
    gustHint: "Standard deviation of each component of the gusts",
    ground: "Ground",
    groundHint: "Height of the ground in the world frame",
    none: "none",
    scenario: "Scenario",
    seed: "Seed",
    tick: "Tick",
    length: "Length",
    open: "open",
    hash: "State hash",
    hashHint: "Hash of the whole state at the last reported tick",
    run: "Run",
    hour: "Time of day",
    theme: "theme",
    asTheme: "as the theme",
    auto: "auto",
    autoHint: "The time of the scenario, or else that of the theme",
  },
  swarm: {
    recorded: "not in a recording",
    past: "known at the live edge only",
    alone: "no vehicle here communicates or detects",
    tasks: "Tasks",
    accomplished: "mission complete",
    told: "From the recorded events. A task that never changed is not in a recording.",
    state: { open: "open", holding: "holding", done: "done", failed: "failed" },
    holdingHint: "A safety task that is true so far; it is done when the run ends",
    optional: "not required",
    since: (when: string) => `${when}: show this moment`,
    radio: "Radio",
    sent: "Messages sent",
    fateHint: "Outcomes, one for every vehicle that a message reached or could have reached",
    links: "Links",
    linksHint: "Pairs of vehicles of which one remembers the state of the other",
    good: (n: string) => `${n} good`,
    fair: (n: string) => `${n} fair`,
    poor: (n: string) => `${n} poor`,
    gradeHint: "Share of the last 16 messages of a link that arrived: good from 80 % (solid line), fair from 50 % (dashed), poor below (dotted)",
    gradeTitle: "Quality of links",
    letters: "Messages",
    lettersHint: "The last messages that this vehicle sent or should have received, each with its outcome at one receiver",
    to: (name: string) => `to ${name}`,
    from: (name: string) => `from ${name}`,
    nobody: "no vehicle",
    seen: "Detections",
    seenHint: "Pairs of vehicles of which one has detected the other",
    cut: (shown: string, all: string) => `${shown} of ${all} drawn`,
    behaviours: "Behaviours",
    trigger: "trigger",
    weight: "weight",
    weightOf: (kind: string) => `Weight of ${kind}`,
    weightHint: "Weight in the choice between behaviours; 0 switches it off. A change applies to the selected vehicles of this flock.",
    won: "chosen: this behaviour acts",
    active: "its trigger is above its threshold",
    idle: "its trigger is not above its threshold",
    mindRecorded: "Decisions are not in a recording.",
    mindPast: "Decisions are shown at the live edge only.",
    changed: (kind: string, weight: string) => `The weight of ${kind} is ${weight} now.`,
    all: "All events",
    onlyTasks: "Tasks only",
    noTasks: "No task was done or failed yet.",
  },
  fields: {
    change: "Change in flight",
    node: "Node",
    of: (kind: string) => `Parameters of ${kind}`,
    range: (min: string, max: string) => `${min} to ${max}`,
    changed: (name: string, value: string, unit: string) => `${name} is ${value}${unit && `\u2009${unit}`} now.`,
  },
  air: {
    title: "Air",
    recorded: "local wind is not in a recording",
    past: "local wind is known at the live edge only",
    here: "Wind at the view",
    hereHint: "At the height of the point that the camera looks at, while the wind layer is on or this section is open",
    temperature: "Temperature",
    pressure: "Pressure",
    density: "Density",
  },
  pilot: {
    air: "Airspeed",
    airHint: "Speed through the surrounding air",
    meanHint: "Speed through the mean wind; the surrounding air is known at the live edge of a live run only",
    climb: "Climb",
    path: "Flight path",
    pathHint: "Angle between the flight path and the horizon",
    bank: "Bank",
    nose: "Nose",
    right: "right",
    left: "left",
    up: "up",
    down: "down",
    attitude: (bank: string, right: boolean, nose: string, up: boolean) => `Bank ${bank} degrees ${right ? "right" : "left"}, nose ${nose} degrees ${up ? "up" : "down"}`,
  },
  trails: {
    title: "Trails",
    by: { flock: "by flock", vehicle: "by vehicle", speed: "by speed", height: "by height" },
    length: "Length of trails",
    seconds: (n: number) => `${n}\u2009s`,
  },
  region: {
    title: "Regions",
    rule: { mark: "marked", keep_in: "keep in", keep_out: "keep out" },
    inside: (n: number) => `${number(n, 0)} inside`,
    outside: (n: number) => `${number(n, 0)} outside`,
    select: "Select those inside, or those outside where a rule is broken",
    none: "This scenario names no regions.",
    more: (n: number) => `and ${count(n, "more region", "more regions")}`,
  },
};
export type Strings = typeof en;

/** A made-up language, two fifths longer and full of accents: where it does not fit, a real one will not either. */
const ACCENTS: Record<string, string> = { a: "\u00e5", e: "\u00eb", i: "\u00ee", o: "\u00f8", u: "\u00fc", A: "\u00c5", E: "\u00cb", I: "\u00ce", O: "\u00d8", U: "\u00dc" };
export const pseudo = (text: string): string => text.replace(/[aeiouAEIOU]/g, (c) => ACCENTS[c]) + "~".repeat(Math.ceil(text.length * 0.4));
function translate<T>(x: T, by: (text: string) => string): T {
  if (typeof x === "string") return by(x) as T;
  if (typeof x === "function") return ((...a: unknown[]) => by(String((x as unknown as (...b: unknown[]) => unknown)(...a)))) as T;
  return Object.fromEntries(Object.entries(x as object).map(([k, v]) => [k, translate(v as unknown, by)])) as T;
}
const wished = typeof location === "undefined" ? null : new URLSearchParams(location.search).get("lang");
export const t: Strings = wished === "pseudo" ? translate(en, pseudo) : en;
export const say = (text: string): string => (wished === "pseudo" ? pseudo(text) : text);
