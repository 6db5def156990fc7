// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The inspector: the selected vehicle, or with nothing selected the swarm and its world; plots, events and the stage profile as tabs.
import { perform, seekTo, select, set } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { clockText, compass, count, degrees, modeName, number, positionText, quantity } from "../app/units.ts";
import { standingOf } from "../app/happened.ts";
import { capital, eventWords, words } from "../app/words.ts";
import { floorAt } from "../scene/relief.ts";
import { pitch, roll, yaw } from "../source/history.ts";
import { CommandButton, Hint } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { useLater } from "../ui/later.ts";
import { measureFrame } from "./swarm.ts";
import { STATE } from "../wire/wire.ts";
import { taskOf } from "../source/source.ts";
import { Behaviours } from "./behaviours.tsx";
import { Messages } from "./messages.tsx";
import { Line } from "./line.tsx";
import { TaskMark } from "./tasks.tsx";
import { WorldSection } from "./world.tsx";

const TABS = ["state", "plots", "events", "profile"] as const;

export function Inspector() {
  const many = s.selection.value.ids.size;
  const title = many === 0 ? t.panel.swarm : many === 1 ? s.nameOf(s.selection.value.primary!) : count(many, "vehicle", "vehicles");
  return (
    <div class="inspector">
      <div class="panel-title">
        <h2>{title}</h2>
        <span class="grow" />
        <Hint text={many ? t.inspector.hintChosen : t.inspector.hintNone} />
        {!s.phone.value && <button type="button" class="button icon-only" aria-label={t.panel.collapse("inspector")} title="Collapse" onClick={() => set({ inspector: 0 })}><Icon name="right" /></button>}
      </div>
      <div class="tabs" role="tablist" aria-label={t.panel.inspector}>
        {TABS.map((id) => (
          <button type="button" role="tab" id={`tab-${id}`} aria-selected={s.tab.value === id} tabIndex={s.tab.value === id ? 0 : -1} onClick={() => (s.tab.value = id)}
            onKeyDown={(e) => {
              const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
              if (!step) return;
              e.stopPropagation();
              const at = TABS.indexOf(s.tab.value);
              s.tab.value = TABS[(at + step + TABS.length) % TABS.length];
              setTimeout(() => document.getElementById(`tab-${s.tab.value}`)?.focus());
            }}>{t.tab[id]}</button>
        ))}
      </div>
      <div class="tab-body" role="tabpanel" tabIndex={0} data-region aria-labelledby={`tab-${s.tab.value}`}>
        {s.tab.value === "state" && (many ? <VehicleState /> : <SwarmState />)}
        {s.tab.value === "plots" && <Plots many={many > 0} />}
        {s.tab.value === "events" && <Events />}
        {s.tab.value === "profile" && <Profile />}
      </div>
    </div>
  );
}

/** The library that draws them comes when the tab is first opened, or once the page has nothing else to do. */
const plots = (): Promise<typeof import("./plots.tsx")> => import("./plots.tsx");
setTimeout(() => void plots().catch(() => {}), 3000);
function Plots({ many }: { many: boolean }) {
  const found = useLater(plots);
  if (found === "missing") return <p class="empty">{t.inspector.noPlots}</p>;
  return found && (many ? <found.VehiclePlots /> : <found.SwarmPlots />);
}

/** What only some runs have: instruments of aircraft. */
function Instruments({ slot }: { slot: number }) {
  const found = useLater(() => import("./instruments.tsx"));
  return found && found !== "missing" ? <found.Instruments slot={slot} /> : null;
}
/** Autopilots that fly the selected vehicle, or those of the run. They are known of the present of a live run only. */
function Autopilots({ id }: { id?: string }) {
  if (import.meta.env.MODE === "standalone") return null; // a page that was mailed has no live run
  const found = useLater(() => import("../autopilots/autopilots.tsx"));
  if (!found || found === "missing") return null;
  return id === undefined ? <found.RunAutopilots /> : <found.VehicleAutopilot key={id} id={id} />;
}

/** Aircraft, contacts and latch of a vehicle of several bodies. */
function Joined({ id }: { id: string }) {
  const found = useLater(() => import("../joined/section.tsx"));
  return found && found !== "missing" ? <found.JoinedSection id={id} /> : null;
}

/** Sensors of the selected vehicle and what its estimator makes of them, known of the present of a live run only. */
function Sensors({ id }: { id: string }) {
  if (import.meta.env.MODE === "standalone") return null;
  const found = useLater(() => import("../senses/sensors.tsx"));
  return found && found !== "missing" ? <found.Sensors id={id} /> : null;
}

function VehicleState() {
  void s.pulse.value;
  const id = s.selection.value.primary!;
  const k = s.slotOf(id);
  const f = s.hot.frame;
  const w = s.world.value;
  if (k < 0) return <p class="empty">{s.nameOf(id)} is not in the world at {clockText(s.hot.clock.time)}.</p>;
  const flock = w?.flocks[f.roster.flock[k]];
  const [e, n, u] = [0, 1, 2].map((i) => f.position[3 * k + i] + f.origin[i]);
  const v = [0, 1, 2].map((i) => f.velocity[3 * k + i]);
  const p = positionText(e, n, u, s.settings.value.frame, 2);
  const vt = positionText(v[0], v[1], v[2], s.settings.value.frame, 2);
  const goal = s.goals.value.find((g) => g.id === id);
  const standing = standingOf(id, f.state[k]);
  return (
    <>
      <div class="who"><i class="swatch" style={{ background: `var(--flock-${f.roster.flock[k] % 6})` }} /><b>{s.nameOf(id)}</b><span class="dim">{flock?.name} {"\u00b7"} {flock?.airframe}</span><span class="grow" /><span class={`badge ${standing.bad ? "bad" : ""}`}>{standing.bad && "\u2715 "}{standing.text}</span>
        {f.state[k] & STATE.fault ? <span class="badge warn" title={t.senses.faultHint}>{t.senses.fault}</span> : null}
        {f.state[k] & STATE.failsafe ? <span class="badge warn" title={t.senses.failsafeHint}>{t.senses.failsafe}</span> : null}</div>
      <div class="readouts">
        <div><span>Altitude</span><b class="num">{number(u - (w ? floorAt(w, e, n) : 0), 1)}</b><i>m AGL</i></div>
        <div><span>Speed</span><b class="num">{number(Math.hypot(...v), 1)}</b><i>m/s</i></div>
        <div><span>Heading</span><b class="num">{number(compass(yaw(f.attitude, 4 * k)), 0)}{"\u00b0"}</b><i>from north</i></div>
      </div>
      {flock?.look && flock.look.kind !== "car" && <Instruments slot={k} />}
      {s.flown.value && <Autopilots id={id} />}
      <dl>
        <h3>Position <button type="button" class="link" onClick={() => perform("page.frame")} title="Switch between ENU and NED">{s.settings.value.frame}</button></h3>
        {p.map(([name, value]) => <Line name={name} value={value} unit="m" hint="Position in the world frame, from the live stream" />)}
        <h3>Velocity {s.settings.value.frame}</h3>
        {vt.map(([name, value]) => <Line name={name} value={value} unit="m/s" />)}
        <h3 title={t.attitude.hint}>Attitude <span class="dim">{t.attitude.frame}</span></h3>
        <Line name={t.attitude.roll} value={number(degrees(roll(f.attitude, 4 * k)), 1)} unit={"\u00b0"} hint={t.attitude.hint} />
        <Line name={t.attitude.pitch} value={number(degrees(pitch(f.attitude, 4 * k)), 1)} unit={"\u00b0"} hint={t.attitude.hint} />
        <Line name={t.attitude.yaw} value={number(degrees(yaw(f.attitude, 4 * k)), 1)} unit={"\u00b0"} hint={t.attitude.hint} />
        <h3>Flight</h3>
        <Line name="Controller" value={flock?.controller || "\u2014"} />
        <Line name="Goal" value={goal ? positionText(goal.position[0], goal.position[1], goal.position[2], s.settings.value.frame).map((x) => x.join(" ")).join("  ") : "none"} unit={goal ? "m" : ""} />
        {goal && <Line name="To the goal" value={number(Math.hypot(goal.position[0] - e, goal.position[1] - n, goal.position[2] - u), 1)} unit="m" />}
      </dl>
      {flock?.body ? <Joined id={id} /> : null}
      {s.sensed.value && <Sensors id={id} />}
      <Behaviours id={id} />
      <Messages id={id} />
      <div class="buttons">
        <CommandButton id="camera.follow" icon="follow">Follow</CommandButton>
        <CommandButton id="camera.cockpit" icon="cockpit">Cockpit</CommandButton>
        {s.shown.value.kind === "live" && <>
          <CommandButton id="vehicle.goto" icon="goal">{`Go to\u2026`}</CommandButton>
          <CommandButton id="vehicle.take" icon="hand">{`Take control\u2026`}</CommandButton>
          <CommandButton id="mode.hold">Hold</CommandButton>
          <CommandButton id="mode.mission">Mission</CommandButton>
          <CommandButton id="mode.land">Land</CommandButton>
          <CommandButton id="vehicle.fault">{`Fault\u2026`}</CommandButton>
          <CommandButton id="vehicle.remove">{`Remove\u2026`}</CommandButton>
        </>}
      </div>
    </>
  );
}

/** What a figure of a run is called, its digits and its unit. */
const METRICS: Record<string, [string, string]> = { "tracking error/max": ["Tracking error, largest", "m"], "tracking error/rms": ["Tracking error, RMS", "m"], tracking_max: ["Tracking error, largest", "m"], tracking_rms: ["Tracking error, RMS", "m"] };

function SwarmState() {
  void s.pulse.value;
  const f = s.hot.frame;
  const w = s.world.value;
  const st = s.status.value;
  if (!w) return <p class="empty">No run yet. Start one with <code>./volary run scenarios/default.yaml</code>.</p>;
  const m = f.n > 0 ? measureFrame(f, w) : null;
  const modes = new Map<string, number>();
  for (let k = 0; k < f.n; k++) if ((f.state[k] & 15) !== 15 || f.state[k] & 16) modes.set(modeName(f.state[k]), (modes.get(modeName(f.state[k])) ?? 0) + 1);
  return (
    <>
      <div class="readouts">
        <div><span>Vehicles</span><b class="num">{number(f.n, 0)}</b><i>{count(w.flocks.length, "flock", "flocks")}</i></div>
        <div><span>Altitude</span><b class="num">{m ? number(m.altitude[1], 1) : "\u2014"}</b><i>m, median</i></div>
        <div title={m?.touching ? t.swarm.touchingHint : t.swarm.closestHint}><span>Closest</span><b class={`num ${m?.touching ? "bad" : ""}`}>{m ? number(m.separation, 2) : "\u2014"}</b><i class={m?.touching ? "bad" : ""}>{m && Number.isFinite(m.separation) ? (m.touching ? t.swarm.touching : "m apart") : ""}</i></div>
      </div>
      <dl>
        <h3>Swarm</h3>
        <Line name="Highest" value={m ? number(m.altitude[2], 1) : "\u2014"} unit="m" />
        <Line name="Fastest" value={m ? number(m.speed[2], 1) : "\u2014"} unit="m/s" />
        <Line name="Median speed" value={m ? number(m.speed[1], 1) : "\u2014"} unit="m/s" />
        {Object.entries(st.metrics).map(([key, value]) => <Line name={METRICS[key]?.[0] ?? capital(words(key.replace(/^events\//, "events: ")))} value={number(value, key.startsWith("events/") ? 0 : 3)} unit={METRICS[key]?.[1] ?? ""} />)}
        {[...modes].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([name, n]) => <Line name={`In ${name.toLowerCase()}`} value={number(n, 0)} />)}
      </dl>
      {s.flown.value && <Autopilots />}
      <WorldSection world={w} />
      <div class="buttons">
        {s.shown.value.kind === "live" && <CommandButton id="vehicle.spawn">{`Spawn\u2026`}</CommandButton>}
        {(s.shown.value.kind === "live" || s.shown.value.kind === "ended") && <CommandButton id="time.reset">{s.shown.value.kind === "live" ? "Reset world" : "Run again"}</CommandButton>}
      </div>
    </>
  );
}

export function Events() {
  const all = s.events.value;
  const chosen = s.selection.value.ids;
  const tasksOnly = s.tasksOnly.value;
  // A task belongs to no vehicle: it is listed whatever is selected.
  const shown = all.filter((e) => (taskOf(e.what) ? tasksOnly || !chosen.size : !tasksOnly && (!chosen.size || chosen.has(e.id)))).slice(-200).reverse();
  const list = shown.length ? null : <p class="empty">{tasksOnly ? t.swarm.noTasks : chosen.size ? t.inspector.noEventsChosen : t.inspector.noEvents}</p>;
  const kinds = s.judged.value && (
    <div class="chips kinds" role="group" aria-label={t.tab.events}>
      {(["all", "tasks"] as const).map((kind) => <button type="button" class="flock" aria-pressed={s.eventKind.value === kind} onClick={() => (s.eventKind.value = kind)}>{kind === "all" ? t.swarm.all : t.swarm.onlyTasks}</button>)}
    </div>
  );
  if (list) return <>{kinds}{list}</>;
  return (
    <>{kinds}<ol class="events">
      {shown.map((e) => (
        <li>
          <button type="button" onClick={() => { if (e.id) select([e.id], e.id); seekTo(e.time - 1); }} title={e.id ? "Select it and look at one second before" : "Look at one second before"}>
            <span class="num">{clockText(e.time)}</span>
            {taskOf(e.what) ? <TaskMark state={taskOf(e.what)!.state} /> : <Mark level={e.level} />}
            {e.name && <b>{e.name}</b>} <span class={e.name ? "" : "wide"}>{eventWords(e.what)}</span>
          </button>
        </li>
      ))}
    </ol></>
  );
}
export function Mark({ level, label }: { level: "info" | "warn" | "bad"; label?: string }) {
  const d = level === "bad" ? "M2 2h8v8H2z" : level === "warn" ? "M6 1l5 9H1z" : "M6 10A4 4 0 1 1 6 2a4 4 0 0 1 0 8z";
  return <svg width="12" height="12" viewBox="0 0 12 12" role="img" aria-label={label ?? (level === "bad" ? "error" : level === "warn" ? "warning" : "information")}><path d={d} fill={`var(--${level === "bad" ? "bad" : level === "warn" ? "warn" : "accent"})`} /></svg>;
}

function Profile() {
  const stages = s.status.value.profile;
  if (!stages.length) return <p class="empty">{t.inspector.noProfile}</p>;
  const total = stages.reduce((sum, p) => sum + p.seconds, 0) || 1;
  return (
    <div class="profile">
      <p class="dim">Seconds spent in each stage of the step, as last told by the server.</p>
      {[...stages].sort((a, b) => b.seconds - a.seconds).map((p) => (
        <div class="stage">
          <span>{p.stage}</span>
          <span class="num">{p.seconds >= 1 ? quantity(p.seconds, 2, "s") : quantity(p.seconds * 1000, 2, "ms")}</span>
          <span class="num dim">{number((100 * p.seconds) / total, 0)}{"\u2009%"}</span>
          <i class="bar" style={{ inlineSize: `${(100 * p.seconds) / total}%` }} />
        </div>
      ))}
    </div>
  );
}
