// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a federation: what state each is in, how it does, and what the scene would look like were their states aligned in another way, or not at all.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { perform } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { count, number, quantity } from "../app/units.ts";
import { addSamples, emptyPast, readFederation, VIEWS, type Federation, type Node, type Past, type Quantity, type View } from "./figures.ts";
import { digitsOf, NodePlot, strokeOf, type PlotSpec } from "./plot.tsx";
import { Icon } from "../ui/icons.tsx";
import "./nodes.css";

const EVERY = 500; // ms between two looks

const VIEW_WORDS: Record<View, { title: string; what: string }> = {
  committed: { title: "Committed", what: "Ticks that no late input and no rollback can change any more. Recordings contain these." },
  aligned: { title: "Aligned", what: "The newest tick for which the states of all nodes have arrived. All vehicles are shown at one instant." },
  newest: { title: "Unaligned", what: "The newest state of each node, whatever its tick. Vehicles of different nodes are shown at different instants, and jump against each other." },
  paper: { title: "Paper", what: "The alignment algorithm of the SIGMA paper as printed. After a lost message a node is missing, and its vehicles stay where they were." },
};
const PLOTS: PlotSpec[] = [
  { quantity: "rate", scale: 1, title: "Rate", unit: "ticks/s", hint: "Ticks that the node simulates per second" },
  { quantity: "latency", scale: 1e3, title: "Latency", unit: "ms", hint: "Mean time of a message from the node to the coordinator" },
  { quantity: "age", scale: 1e3, title: "Age", unit: "ms", hint: "Mean age of the newest state of the node at the coordinator" },
  { quantity: "skew", scale: 1, title: "Skew", unit: "ticks", hint: "Ticks that the node is behind the node that is furthest" },
  { quantity: "memory", scale: 1e-6, title: "Memory", unit: "MB", hint: "Memory of the process; shared memory is divided among the processes that use it" },
];

/** The state of a member in words, and whether it is a bad one. */
export function stateWords(n: Node): { word: string; detail: string; kind: "ok" | "warn" | "bad" | "" } {
  switch (n.state) {
    case "running": return { word: "running", detail: n.incarnation > 1 ? `process ${n.incarnation} in this place` : "", kind: "ok" };
    case "starting": return { word: "starting", detail: "it has joined and computes its first tick", kind: "warn" };
    case "missing": return { word: "missing", detail: "no process has this place yet", kind: "warn" };
    case "silent": return { word: "silent", detail: `not heard for ${quantity(n.silence, 1, "s")}`, kind: "bad" };
    case "frozen": return { word: "frozen", detail: "the process is dead; its vehicles stay where they were", kind: "bad" };
    case "extrapolated": return { word: "extrapolated", detail: "the process is dead; its vehicles continue straight", kind: "bad" };
    case "removed": return { word: "removed", detail: "the process is dead; its vehicles are gone", kind: "bad" };
    case "left": return { word: "left", detail: "it has left the federation", kind: "" };
    default: return { word: n.state || "unknown", detail: "", kind: "" };
  }
}

const newest = (past: Past, q: Quantity, member: number): number => past.values[q][member]?.at(-1) ?? NaN;

/** The largest distance that a vehicle moves in so many ticks now. */
function metresOf(ticks: number): number {
  const f = s.hot.frame;
  let fastest = 0;
  for (let k = 0; k < f.n; k++) fastest = Math.max(fastest, Math.hypot(f.velocity[3 * k], f.velocity[3 * k + 1], f.velocity[3 * k + 2]));
  return fastest * ticks * (s.world.value?.tick ?? 0.01);
}

function LiveWorld() {
  return (
    <section class="node-part" aria-labelledby="views-title">
      <h3 id="views-title">What the scene shows</h3>
      <p class="dim">The world of the coordinator. The federation is live: each node simulates its own vehicles by the clock. Here they move straight on from their last state that arrived. The recording contains this world.</p>
    </section>
  );
}

function ViewSwitch({ now }: { now: Federation }) {
  void s.pulse.value;
  const view = s.liveView.value;
  const at = now.views.find((v) => v.view === view);
  const choose = (step: number): void => {
    s.liveView.value = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length];
    setTimeout(() => document.getElementById(`view-${s.liveView.value}`)?.focus());
  };
  return (
    <section class="node-part" aria-labelledby="views-title">
      <h3 id="views-title">What the scene shows</h3>
      <div class="segments" role="radiogroup" aria-labelledby="views-title"
        onKeyDown={(e) => {
          const step = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
          if (!step) return;
          e.preventDefault();
          e.stopPropagation();
          choose(step);
        }}>
        {VIEWS.map((v) => <button type="button" id={`view-${v}`} role="radio" aria-checked={v === view} tabIndex={v === view ? 0 : -1} onClick={() => (s.liveView.value = v)}>{VIEW_WORDS[v].title}</button>)}
      </div>
      <p class="dim">{VIEW_WORDS[view].what}</p>
      {at && (
        <dl class="readouts">
          <div><span>Skew in the frame</span><b class="num">{count(at.skew, "tick", "ticks")}</b><i>{at.skew > 0 ? `up to ${quantity(metresOf(at.skew), 2, "m")} apart` : "one instant"}</i></div>
          <div><span>Nodes in the frame</span><b class="num">{number(at.nodes, 0)} of {number(now.nodes.length, 0)}</b><i class={at.nodes < now.nodes.length ? "bad" : ""}>{at.nodes < now.nodes.length ? "incomplete" : "complete"}</i></div>
          <div><span>Age of the oldest state</span><b class="num">{at.age === null ? "\u2014" : number(at.age * 1000, at.age < 0.1 ? 1 : 0)}</b><i>{at.age === null ? "not measured" : "ms"}</i></div>
        </dl>
      )}
    </section>
  );
}

function Table({ now, past }: { now: Federation; past: Past }) {
  return (
    <div class="node-scroll" tabIndex={0} data-region role="region" aria-label="Nodes">
      <table class="node-table">
        <thead><tr><th>Node</th><th>State</th><th class="right">Tick</th>{PLOTS.map((p) => <th class="right" title={p.hint}>{p.title}<span class="dim">{p.unit}</span></th>)}</tr></thead>
        <tbody>
          {now.nodes.map((n, k) => {
            const { word, detail, kind } = stateWords(n);
            return (
              <tr key={n.member}>
                <td>{now.nodes.length <= 6 && <span class="swatch" style={{ background: `var(${strokeOf(k)})` }} />} {n.name}{n.host && <span class="id">{n.host}</span>}</td>
                <td><span class={`badge ${kind}`}>{word}</span>{detail && <span class="why">{detail}</span>}</td>
                <td class="right num">{number(n.tick, 0)}</td>
                {PLOTS.map((p) => <td class="right num">{number(newest(past, p.quantity, k) * p.scale, digitsOf(p.quantity))}</td>)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function Nodes() {
  const now = useSignal<Federation | null>(null);
  const past = useSignal<Past>(emptyPast());
  const wrong = useSignal("");
  useEffect(() => {
    let over = false;
    let timer = 0;
    const look = async (): Promise<void> => {
      try {
        const answer = await fetch(`/api/live/nodes?after=${past.value.last}`);
        const told: unknown = await answer.json();
        if (!answer.ok) throw new Error(String((told as { error?: unknown }).error ?? answer.status));
        now.value = readFederation(told);
        past.value = addSamples(past.value, told);
        wrong.value = "";
      } catch (e) {
        wrong.value = e instanceof TypeError ? "Volary is not reachable" : (e as Error).message;
      }
      if (!over) timer = window.setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
      s.liveView.value = "committed"; // other pages show what nothing changes any more
    };
  }, []);
  const f = now.value;
  return (
    <div class="node-panel">
      <div class="node-head">
        <h2>Nodes</h2>
        <button type="button" class="button icon-only" aria-label="Back to the view" title="Back to the view" onClick={() => perform("page.view")}><Icon name="right" /></button>
        {f && <span class="dim num">{`federation ${f.name} \u00b7 ${count(f.nodes.length, "node", "nodes")} \u00b7 ${f.live ? `live \u00b7 tick ${number(f.aligned, 0)}` : `tick ${number(f.committed, 0)} committed, ${number(f.aligned, 0)} aligned`} \u00b7 ${number(f.rate, 0)} ticks/s${f.period > 0 ? ` of ${number(1 / f.period, 0)}` : ""}`}</span>}
        {f?.overloaded && <span class="badge bad" title="Nodes need most of the time between two ticks, or answer late. The federation lowers its rate; the time step stays as it is.">overloaded</span>}
      </div>
      {wrong.value && <p class="node-wrong" role="alert">{wrong.value}.</p>}
      {!f && !wrong.value && <p class="empty">{"Asking the coordinator\u2026"}</p>}
      {f && <>
        {f.live ? <LiveWorld /> : <ViewSwitch now={f} />}
        <Table now={f} past={past.value} />
        <div class="plots">{PLOTS.map((p) => <NodePlot key={p.quantity} spec={p} past={past.value} names={f.nodes.map((n) => n.name)} />)}</div>
      </>}
    </div>
  );
}
