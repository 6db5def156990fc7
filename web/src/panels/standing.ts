// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the tasks stand at the moment that is shown: at the live edge as the server says, otherwise as the events up to then tell.
import { taskOf, type SimEvent, type Swarm, type WorldInfo } from "../source/source.ts";

export interface TaskRow {
  name: string;
  required: boolean;
  state: Swarm["tasks"][number]["state"];
  since: number; // s
  detail: string;
}

export interface Flag {
  time: number; // s
  state: "open" | "done" | "failed" | "complete";
}
/** Where the timeline shows that something became of a task (of one that only holds nothing has yet): from the events, and for a page that came later from how the tasks stand. */
export function flagsOf(events: readonly SimEvent[], known: Swarm["tasks"], tick: number): Flag[] {
  const flags: Flag[] = [];
  const told = new Set<string>();
  for (const e of events) {
    const task = taskOf(e.what);
    if (!task) continue;
    told.add(task.name);
    if (task.state !== "holding") flags.push({ time: e.time, state: task.state });
  }
  for (const k of known) if (k.state !== "open" && k.state !== "holding" && !told.has(k.name)) flags.push({ time: k.since * tick, state: k.state });
  return flags;
}

/** The tasks of a world before anything became of them: as the server tells them, or as the head of a recording names them. */
export const tasksKnown = (live: Swarm | null, world: Pick<WorldInfo, "tasks"> | null): Swarm["tasks"] => live?.tasks ?? (world?.tasks ?? []).map((k) => ({ ...k, state: "open", since: 0, detail: "" }));

export function tasksAt(live: Swarm | null, known: Swarm["tasks"], events: readonly SimEvent[], time: number, tick: number): TaskRow[] {
  if (live) return live.tasks.map((k) => ({ ...k, since: k.since * tick }));
  const told = new Set(events.map((e) => taskOf(e.what)?.name));
  // Of what became of a task before the page came there is no event.
  const early = (k: Swarm["tasks"][number]): boolean => !told.has(k.name) && k.since * tick <= time + 1e-9;
  const rows = new Map<string, TaskRow>(known.map((k) => [k.name, { name: k.name, required: k.required, state: early(k) ? k.state : "open", since: early(k) ? k.since * tick : 0, detail: "" }]));
  for (const e of events) {
    const task = taskOf(e.what);
    if (!task || task.state === "complete") continue;
    const row = rows.get(task.name) ?? { name: task.name, required: true, state: "open", since: 0, detail: "" };
    rows.set(task.name, row);
    if (e.time > time + 1e-9) continue;
    Object.assign(row, { state: task.state, since: e.time, detail: task.detail });
  }
  return [...rows.values()];
}
