// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The library: every recorded run of the server, found, sorted, opened, deleted, and any two compared.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { perform } from "../app/commands.ts";
import { openLibraryRun, openPair, pickFile } from "../app/sources.ts";
import * as s from "../app/state.ts";
import { count, number, quantity } from "../app/units.ts";
import { settingWords } from "../app/words.ts";
import { Icon } from "../ui/icons.tsx";
import "./library.css";
import { matching, outcomeOf, readRuns, readTags, size, sorted, type Column, type Order, type Run } from "./runs.ts";

const COLUMNS: [Column, string, boolean][] = [["scenario", "Scenario", false], ["verdict", "Outcome", false], ["started", "Started", false], ["duration", "Simulated", true], ["vehicles", "Vehicles", true], ["seed", "Seed", true], ["hash", "State hash", false], ["bytes", "Size", true]];
const AGAIN = 5000; // ms between two looks at the list

const when = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "\u2013");
async function reason(answer: Response): Promise<string> {
  try {
    return String(((await answer.json()) as { error?: unknown }).error ?? answer.status);
  } catch {
    return `the server answered ${answer.status}`;
  }
}

export function Library() {
  const runs = useSignal<Run[] | null>(null);
  const wrong = useSignal("");
  const words = useSignal("");
  const order = useSignal<Order>({ by: "started", down: true });
  const chosen = useSignal<string[]>([]);
  const doomed = useSignal<Run | null>(null);

  const load = async (): Promise<void> => {
    try {
      const answer = await fetch("/api/runs");
      if (!answer.ok) throw new Error(await reason(answer));
      runs.value = readRuns(await answer.json());
      wrong.value = "";
      chosen.value = chosen.value.filter((id) => runs.value!.some((r) => r.id === id));
    } catch (e) {
      wrong.value = e instanceof TypeError ? "Volary is not reachable" : (e as Error).message;
    }
  };
  useEffect(() => {
    void load();
    const timer = setInterval(() => void load(), AGAIN);
    return () => clearInterval(timer);
  }, []);

  const shown = sorted(matching(runs.value ?? [], words.value), order.value);
  const pair = chosen.value.map((id) => runs.value?.find((r) => r.id === id)).filter((r) => r !== undefined);
  const choose = (id: string): void => {
    chosen.value = chosen.value.includes(id) ? chosen.value.filter((x) => x !== id) : [...chosen.value.slice(-1), id];
  };
  return (
    <div class="lib">
      <div class="lib-head">
        <button type="button" class="button" onClick={() => perform("page.view")}><Icon name="left" /> Back to the view</button>
        <h2>Library</h2>
        <span class="dim num">{runs.value && count(runs.value.length, "run", "runs")}{runs.value && shown.length !== runs.value.length ? `, ${number(shown.length, 0)} shown` : ""}</span>
        <span class="grow" />
        <label class="field"><Icon name="search" /><input type="search" aria-label="Search runs" placeholder="Scenario, outcome, parameter" value={words.value} onInput={(e) => (words.value = e.currentTarget.value)} /></label>
        <button type="button" class="button" aria-disabled={pair.length !== 2} title={pair.length === 2 ? "See the two beside each other" : "Tick two runs to compare them"} onClick={() => (pair.length === 2 ? void openPair(pair[0].id, pair[1].id, "library") : s.notify("info", "Tick two runs to compare them.", [], 3))}>Compare</button>
        <button type="button" class="button" onClick={pickFile} title="A .vrec file; it can also be dropped on the page">{`Open a file\u2026`}</button>
      </div>
      {wrong.value && <p class="lib-wrong" role="alert">The list of runs could not be read: {wrong.value}. <button type="button" class="link" onClick={() => void load()}>Retry</button></p>}
      {runs.value && runs.value.length === 0 && <Empty />}
      {runs.value && runs.value.length > 0 && shown.length === 0 && <p class="empty">0 of {number(runs.value.length, 0)} match <code>{words.value}</code>. <button type="button" class="link" onClick={() => (words.value = "")}>Clear search</button></p>}
      {shown.length > 0 && <Table runs={shown} order={order.value} chosen={chosen.value} sort={(by) => (order.value = { by, down: order.value.by === by ? !order.value.down : by === "started" || by === "bytes" })} choose={choose} remove={(r) => (doomed.value = r)} change={(r) => (runs.value = (runs.value ?? []).map((x) => (x.id === r.id ? r : x)))} />}
      {doomed.value && <Delete run={doomed.value} close={() => (doomed.value = null)} gone={load} />}
    </div>
  );
}

function Empty() {
  return (
    <div class="lib-empty">
      <h2>No runs yet</h2>
      <p>Every run that is recorded appears here with its figures, ready to be replayed and compared. This makes one:</p>
      <p><code>./volary run scenarios/default.yaml</code></p>
      <p class="dim">A recording from elsewhere (.vrec) can be dropped on this page, and so can a picture: it becomes <button type="button" class="link" onClick={() => perform("page.picture")}>the ground of a new world</button>.</p>
    </div>
  );
}

interface TableProps {
  runs: Run[];
  order: Order;
  chosen: string[];
  sort: (by: Column) => void;
  choose: (id: string) => void;
  remove: (run: Run) => void;
  change: (run: Run) => void;
}
function Table({ runs, order, chosen, sort, choose, remove, change }: TableProps) {
  return (
    <div class="lib-scroll" tabIndex={0} data-region role="region" aria-label="Runs">
      <table class="runs">
        <thead>
          <tr>
            <th class="tick"><span class="sr">Compare</span></th>
            {COLUMNS.map(([by, title, right]) => (
              <th class={`${by} ${right ? "right" : ""}`} aria-sort={order.by === by ? (order.down ? "descending" : "ascending") : "none"}>
                <button type="button" onClick={() => sort(by)}>{title}<i aria-hidden="true">{order.by === by ? (order.down ? "\u2193" : "\u2191") : ""}</i></button>
              </th>
            ))}
            <th class="tags">Tags</th>
            <th><span class="sr">Actions</span></th>
          </tr>
        </thead>
        <tbody>{runs.map((r) => <Row key={r.id} run={r} on={chosen.includes(r.id)} choose={choose} remove={remove} change={change} />)}</tbody>
      </table>
    </div>
  );
}
function Row({ run: r, on, choose, remove, change }: { run: Run; on: boolean } & Pick<TableProps, "choose" | "remove" | "change">) {
  const busy = s.opening.value === r.id;
  const outcome = outcomeOf(r);
  const writing = r.state === "running" || r.state === "recording";
  return (
    <tr class={on ? "on" : ""} onDblClick={() => void openLibraryRun(r.id)}>
      <td class="tick"><label><input type="checkbox" checked={on} aria-label={`Compare ${r.id}`} onChange={() => choose(r.id)} /></label></td>
      <td class="scenario"><button type="button" class="link" onClick={() => void openLibraryRun(r.id)} title={`Open ${r.id}`}>{r.scenario}</button><span class="id">{r.id}</span>{r.overrides.length > 0 && <ul class="set" aria-label="Parameters that differ from the scenario">{r.overrides.map((o) => <li title={o}>{settingWords(o)}</li>)}</ul>}</td>
      <td class="verdict"><span class={`badge ${outcome.bad ? "bad" : outcome.word === "passed" ? "ok" : ""}`}>{outcome.word}</span>{outcome.detail && <span class="why">{outcome.detail}</span>}</td>
      <td class="started">{when(r.started)}</td>
      <td class="duration right num">{quantity(r.duration, 2, "s")}</td>
      <td class="vehicles right num">{number(r.vehicles, 0)}</td>
      <td class="seed right num">{r.seed || "\u2013"}</td>
      <td class="hash"><code>{r.hash || "\u2013"}</code></td>
      <td class="bytes right num">{size(r.bytes)}</td>
      <td class="tags"><Tags run={r} change={change} /></td>
      <td class="act">
        <button type="button" class="button" aria-label={`Open ${r.id}`} onClick={() => void openLibraryRun(r.id)}>{busy ? "Opening\u2026" : "Open"}</button>
        <button type="button" class="button" aria-label={`Delete ${r.id}`} aria-disabled={writing || s.viewOnly.value} title={writing ? "It is still being recorded" : s.viewOnly.value ? "This token may only look" : "Delete this recording"} onClick={() => !writing && !s.viewOnly.value && remove(r)}>{`Delete\u2026`}</button>
      </td>
    </tr>
  );
}

/** Words of one's own, changed in place: a comma or a space parts them. */
function Tags({ run, change }: { run: Run; change: (run: Run) => void }) {
  const text = useSignal<string | null>(null); // what is being typed
  const busy = useSignal(false);
  const back = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), [text.value !== null]);
  const leave = (): void => {
    text.value = null;
    setTimeout(() => back.current?.focus());
  };
  const save = async (): Promise<void> => {
    if (text.value === null || busy.value) return;
    const tags = readTags(text.value);
    if (tags.join() === run.tags.join()) return leave();
    busy.value = true;
    try {
      const answer = await fetch(`/api/runs/${encodeURIComponent(run.id)}`, { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ tags }) });
      if (!answer.ok) throw new Error(await reason(answer));
      const [told] = readRuns([await answer.json().catch(() => null)]);
      change(told?.id === run.id ? told : { ...run, tags });
      leave();
    } catch (e) {
      s.notify("bad", `The tags of ${run.id} were not changed: ${e instanceof TypeError ? "Volary is not reachable" : (e as Error).message}.`);
    }
    busy.value = false;
  };
  const why = s.viewOnly.value ? "This token may only look" : "";
  if (text.value !== null)
    return (
      <input class="tag-field" ref={field} aria-label={`Tags of ${run.id}`} placeholder="night, windy" value={text.value} disabled={busy.value}
        onInput={(e) => (text.value = e.currentTarget.value)}
        onBlur={() => void save()}
        onDblClick={(e) => e.stopPropagation()}
        onKeyDown={(e) => {
          if (e.key !== "Enter" && e.key !== "Escape") return;
          e.preventDefault();
          e.stopPropagation();
          if (e.key === "Enter") void save();
          else leave();
        }} />
    );
  return (
    <button ref={back} type="button" class="tag-edit" aria-label={`Tags of ${run.id}: ${run.tags.join(", ") || "none"}. Change`} aria-disabled={why !== ""} title={why || "Change the tags"} onClick={() => !why && (text.value = run.tags.join(", "))} onDblClick={(e) => e.stopPropagation()}>
      {run.tags.length ? run.tags.map((t) => <span class="badge">{t}</span>) : <span class="none">{why ? "\u2013" : "+ tag"}</span>}
    </button>
  );
}

function Delete({ run, close, gone }: { run: Run; close: () => void; gone: () => Promise<void> }) {
  const ref = useRef<HTMLDialogElement>(null);
  const busy = useSignal(false);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    return () => before?.focus?.();
  }, []);
  const go = async (): Promise<void> => {
    busy.value = true;
    try {
      const answer = await fetch(`/api/runs/${encodeURIComponent(run.id)}`, { method: "DELETE" });
      if (!answer.ok) s.notify("bad", `${run.id} was not deleted: ${await reason(answer)}.`);
      else s.notify("info", `${run.id} deleted.`);
    } catch {
      s.notify("bad", `${run.id} was not deleted: Volary is not reachable.`);
    }
    close();
    await gone();
  };
  return (
    <dialog ref={ref} aria-label="Delete a run" onCancel={(e) => { e.preventDefault(); close(); }} onKeyDown={(e) => { if (e.key === "Escape") { e.preventDefault(); e.stopPropagation(); close(); } }}>
      <div class="dialog-body">
        <h2>Delete this recording?</h2>
        <p><b>{run.scenario}</b>, seed {run.seed}, {when(run.started)}, {size(run.bytes)}.<br /><code>{run.id}</code></p>
        <p>The file is removed from the library. This cannot be undone.</p>
        <div class="buttons"><span class="grow" /><button type="button" class="button" autofocus onClick={close}>Keep</button><button type="button" class="button danger" disabled={busy.value} onClick={() => void go()}>Delete</button></div>
      </div>
    </dialog>
  );
}
