// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The editor around the scene: a bar, the outline, and one panel with form and text. On a phone the panel is all there is.
import { effect, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { borrowScene } from "../app/sources.ts";
import { moveCamera, perform } from "../app/commands.ts";
import { fittedTo } from "../app/framing.ts";
import * as s from "../app/state.ts";
import { count } from "../app/units.ts";
import { CommandButton } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { canRedo, canUndo, codeView, redoEdit, showPlace, undoEdit } from "./code.ts";
import { lastEdited } from "./drafts.ts";
import "./editor.css";
import * as files from "./files.ts";
import { Form } from "./form.tsx";
import { duplicate, editable, itemOf, movable, nextProblem, remove, selectPath, showField } from "./hands.ts";
import * as m from "./model.ts";
import { Outline } from "./outline.tsx";
import { startStage, type Stage } from "./stage.ts";
import { fieldOf, spotOf } from "./yaml_text.ts";

let stage: Stage | null = null;

// ---------------------------------------------------------------- commands
const writes = (): true | string => (m.phase.value === "open" ? m.mayWrite() : "nothing is open");
const MAY: Record<string, () => true | string> = {
  run: () => (writes() !== true ? writes() : m.errors.value.length ? `${count(m.errors.value.length, "problem", "problems")} in the way` : true),
  save: writes,
  saveAs: writes,
  copy: () => (m.phase.value === "open" ? true : "nothing is open"),
  diff: () => (m.dirty.value ? true : "nothing has changed"),
  discard: () => (m.dirty.value ? true : "nothing has changed"),
  undo: () => (canUndo() ? true : "nothing to undo"),
  redo: () => (canRedo() ? true : "nothing to redo"),
  duplicate: movable,
  remove: movable,
  vehicle: editable,
  waypoint: () => stage?.may("waypoint") ?? editable(),
  region: () => (m.schema.value?.properties?.["regions"] ? editable() : "this server knows no regions"),
};
const DO: Record<string, () => void> = {
  run: () => (commitTyping(), void files.run()),
  save: () => (commitTyping(), void files.save()),
  saveAs: () => (m.modal.value = "save"),
  open: () => (m.modal.value = "open"),
  copy: () => void files.openNew(files.freeName(`${m.file.value!.name}-copy`), m.text.value).then(() => (s.scenario.value = m.file.value!.name)),
  diff: () => (m.modal.value = "diff"),
  discard: () => (m.modal.value = "discard"),
  undo: undoEdit,
  redo: redoEdit,
  duplicate,
  remove: () => (stage?.removeMany() ? undefined : remove()),
  nextProblem: () => nextProblem(1),
  previousProblem: () => nextProblem(-1),
  form: () => (m.panel.value = "form"),
  yaml: () => showField(m.selected.value),
  select: () => (m.tool.value = "select"),
  vehicle: () => (m.tool.value = "vehicle"),
  waypoint: () => (m.tool.value = "waypoint"),
  region: () => (m.tool.value = nextShape()),
  east: () => stage?.nudge([1, 0, 0]),
  west: () => stage?.nudge([-1, 0, 0]),
  north: () => stage?.nudge([0, 1, 0]),
  south: () => stage?.nudge([0, -1, 0]),
  up: () => stage?.nudge([0, 0, 1]),
  down: () => stage?.nudge([0, 0, -1]),
  back,
};
/** What is typed in a field counts before it is left. */
function commitTyping(): void {
  const e = document.activeElement;
  if (e instanceof HTMLElement && e.closest(".form-body")) e.blur();
}
function nextShape(): m.Tool {
  const shapes = stage?.shapes() ?? [];
  const at = shapes.findIndex((x) => m.tool.value === `region:${x}`);
  return shapes.length ? `region:${shapes[(at + 1) % shapes.length]}` : "select";
}
function back(): void {
  if (s.menu.value) s.menu.value = null;
  else if (m.modal.value) m.modal.value = "";
  else if (stage?.giveUp()) return;
  else if (m.tool.value !== "select") m.tool.value = "select";
  else if (m.selected.value.length) selectPath([]);
}

// ---------------------------------------------------------------- coming and going
/** The scene shows the scenario instead of what it showed, until the editor is left. */
function enter(): () => void {
  stage = startStage(document.getElementById("scene")!);
  s.editor.value = { may: (id) => MAY[id]?.() ?? true, do: (id) => void DO[id]?.(), nextProblem };
  const giveBack = borrowScene(stage.source);
  offerTests();
  const stop = [effect(() => void (m.text.value, m.file.value, files.keepSoon())), effect(showPreview)];
  const look = setInterval(() => void files.lookAgain(), 4000);
  return () => {
    stop.forEach((f) => f());
    clearInterval(look);
    files.keep();
    stage?.close();
    stage = null;
    s.editor.value = null;
    giveBack();
  };
}
/** For tests, where the page offers itself to them (?test=1). */
function offerTests(): void {
  const tests = (window as unknown as { volary?: Record<string, unknown> }).volary;
  if (!tests) return;
  const marks = () => m.problems.value.map((p) => ({ line: p.line, inScene: stage?.marked(p) ?? false }));
  tests["editor"] = () => ({ text: m.text.value, selected: fieldOf(m.selected.value), problems: m.problems.value, broken: m.broken.value, dirty: m.dirty.value, checked: m.phase.value === "open" && (m.verdict.value?.text === m.text.value || m.parsed.value.text === m.text.value && m.broken.value), shapes: stage?.shapes() ?? [], regions: s.world.value?.regions.length ?? 0, marks: marks() });
}
let fittedFor = "";
function showPreview(): void {
  const p = m.preview.value;
  const name = m.file.value?.name ?? "";
  if (!p || !stage) return;
  stage.show(p);
  s.world.value = stage.source.world;
  s.hot.extent = stage.source.extent();
  s.redraw();
  if (fittedFor === name) return;
  fittedFor = name;
  const points = stage.points();
  if (points.length) moveCamera(fittedTo({ ...s.hot.camera, mode: s.hot.camera.mode === "top" ? "top" : "orbit" }, points));
  s.hot.keepFitting = false;
}

// ---------------------------------------------------------------- what is seen
const TOOLS: [id: string, icon: string, label: string][] = [["select", "M3 2l9 5-4 1-1 4z", "Select and move"], ["vehicle", "M8 2v8M4 6h8M5 13h6", "Place vehicles"], ["waypoint", "M3 13a1.5 1.5 0 1 1 0-.1M8 5a1.5 1.5 0 1 1 0-.1M13 11a1.5 1.5 0 1 1 0-.1M4 12l3-6M9 6l3 4", "Add waypoints"]];
const SHAPE_ICONS: Record<string, string> = { box: "M3 4h10v8H3z", cylinder: "M3 5c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 5v6c0 1.1 2.2 2 5 2s5-.9 5-2V5", polygon: "M8 2l6 4.5-2 7H4l-2-7z" };

function Bar() {
  const f = m.file.value;
  const n = m.errors.value.length;
  const warn = m.problems.value.length - n;
  void m.text.value;
  const chosen = m.tool.value;
  return (
    <div class="edit-bar" role="toolbar" aria-label="Editor">
      <button type="button" class="button file" onClick={() => perform("edit.open")} title="Open or make a scenario (Ctrl+O)"><Icon name="M2 4h4l2 2h6v7H2z" /> <b>{f?.name ?? "Open\u2026"}</b>{f && <span class="badge">{f.base === null ? "new" : f.saved ? "yours" : "shipped"}</span>}</button>
      {m.dirty.value && <button type="button" class="link changed" onClick={() => perform("edit.diff")}>{f?.base === null ? "not saved yet" : `${count(m.changes.value, "line", "lines")} changed`}</button>}
      <CommandButton id="edit.undo" icon="M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7" />
      <CommandButton id="edit.redo" icon="M10 3l3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9" />
      {!s.phone.value && <span class="tool-group" role="group" aria-label="Tools">
        {TOOLS.map(([id, icon, label]) => <CommandButton id={`edit.${id}`} icon={icon} label={label} pressed={chosen === id} />)}
        {(stage?.shapes() ?? []).map((shape) => <button type="button" class="button icon-only" aria-label={`Draw a region: ${shape}`} title={`Draw a region: ${shape} (4)`} aria-pressed={chosen === `region:${shape}`} onClick={() => (m.tool.value = `region:${shape}`)}><Icon name={SHAPE_ICONS[shape] ?? "circle"} /></button>)}
      </span>}
      <span class="grow" />
      <button type="button" class={`button problems ${n ? "bad" : warn ? "warn" : ""}`} onClick={() => perform("edit.nextProblem")} title="Next problem (F8)" aria-label={n || warn ? `${count(n, "error", "errors")}, ${count(warn, "warning", "warnings")}: go to the next` : "No problems"}>{n ? count(n, "problem", "problems") : warn ? count(warn, "warning", "warnings") : m.phase.value !== "open" ? "" : m.unreachable.value ? "not checked" : m.verdict.value?.text === m.text.value ? <><Icon name="check" /> {s.phone.value ? "" : count(m.verdict.value.vehicles, "vehicle", "vehicles")}</> : `checking\u2026`}</button>
      <CommandButton id="edit.save" className={m.dirty.value ? "" : "quiet"}>Save</CommandButton>
      <CommandButton id="edit.run" className="primary run-button"><Icon name="play" size={12} /> Run</CommandButton>
    </div>
  );
}

function Code() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    host.current!.append(codeView().dom);
    codeView().requestMeasure();
  }, []);
  return <div class="code" ref={host} />;
}
function Conflicted() {
  if (m.theirs.value === null) return null;
  return (
    <div class="strip warn" role="alert"><span><b>{m.file.value?.name}</b> changed on the server since you opened it.</span>
      <button type="button" class="link" onClick={files.keepMine}>Mine</button><button type="button" class="link" onClick={files.takeTheirs}>Theirs</button><button type="button" class="link" onClick={() => (m.modal.value = "conflict")}>Diff</button></div>
  );
}
function Unreachable() {
  if (!m.unreachable.value || m.phase.value !== "open") return null;
  return <div class="strip warn" role="alert"><span>Not checked: {m.unreachable.value}. Your text is kept in this browser.</span><button type="button" class="link" onClick={() => void m.checkNow()}>Retry</button></div>;
}
function Problems() {
  const open = useSignal(true);
  const list = m.problems.value;
  if (!list.length) return null;
  return (
    <section class="problem-list" aria-label="Problems">
      <button type="button" class="problem-head" aria-expanded={open.value} onClick={() => (open.value = !open.value)}><Icon name={open.value ? "M3 6l5 5 5-5" : "right"} size={12} /> {count(list.length, "problem", "problems")} <span class="grow" /><kbd>F8</kbd></button>
      {open.value && <ul>{list.slice(0, 50).map((p) => (
        <li><button type="button" class={p.level} onClick={() => { if (p.field && !m.broken.value) m.selected.value = itemOf(p.field); m.panel.value = "yaml"; setTimeout(() => showPlace(p.from, p.to, true)); }}>
          <span class="sign" aria-hidden="true">{p.level === "error" ? "\u25a0" : "\u25b2"}</span><span class="num">{p.line}:{p.column}</span><span>{p.field && <code>{p.field}</code>} {p.message}{p.suggestion && <span class="dim"> {"\u2013"} {p.suggestion}</span>}</span></button></li>
      ))}</ul>}
    </section>
  );
}

export function Panel() {
  const wide = s.width.value >= 1800;
  const phone = s.phone.value;
  const narrow = s.width.value < 1100;
  const tab = !narrow && m.panel.value === "outline" ? "form" : m.panel.value;
  const names = narrow ? (["outline", "form", "yaml"] as const) : (["form", "yaml"] as const);
  const ready = m.phase.value === "open";
  return (
    <aside class={`edit-panel ${wide ? "wide" : ""}`} aria-label="Scenario" data-region tabIndex={-1}>
      <Conflicted />
      <Unreachable />
      {!wide && <div class="tabs" role="tablist">{names.map((t) => <button type="button" role="tab" aria-selected={tab === t} onClick={() => { m.panel.value = t; if (t === "yaml") setTimeout(() => { codeView().requestMeasure(); const spot = spotOf(m.parsed.value, m.selected.value); if (m.selected.value.length) showPlace(spot.from, spot.to, false); }); }}>{t === "yaml" ? "YAML" : t[0].toUpperCase() + t.slice(1)}</button>)}</div>}
      <div class="edit-both">
        {!ready && <Empty />}
        {narrow && ready && tab === "outline" && <Outline />}
        <div class="edit-form" hidden={!ready || (!wide && tab !== "form")} tabIndex={-1}>{ready && (wide || tab === "form") && <Form />}</div>
        <div class="edit-yaml" hidden={!ready || (!wide && tab !== "yaml")}><Code /></div>
      </div>
      {ready && <Problems />}
      {phone && ready && <p class="phone-note">Placing by hand needs a larger screen; text and form do everything.</p>}
    </aside>
  );
}
function Empty() {
  if (m.phase.value === "loading") return <p class="empty">Opening {s.scenario.value}{"\u2026"}</p>;
  if (m.phase.value === "failed") return <div class="empty"><p role="alert">{s.scenario.value} could not be opened: {m.failure.value}.</p><div class="buttons"><button type="button" class="button primary" onClick={() => void files.open(s.scenario.value)}>Try again</button><button type="button" class="button" onClick={() => perform("edit.open")}>Open another{"\u2026"}</button></div></div>;
  return <div class="empty"><p>A scenario says who flies where, in what air, and what happens to them.</p><div class="buttons"><button type="button" class="button primary" onClick={() => perform("edit.open")}>Open or make one{"\u2026"}</button></div></div>;
}

function Dialogs() {
  const [found, setFound] = useState<{ Modals: ComponentType } | null>(null);
  useEffect(() => {
    import("./modals.tsx").then(setFound, () => {
      m.modal.value = "";
      s.notify("bad", "This dialog could not be loaded: the server is not reachable.");
    });
  }, []);
  return found && <found.Modals />;
}

/** Without a name: what was edited last, or what is running. */
async function firstName(): Promise<string> {
  if (m.file.value) return m.file.value.name;
  const last = lastEdited();
  if (last) return last;
  const all = await files.scenarios();
  // The list may be here before the live world has introduced itself.
  for (let k = 0; k < 100 && !s.hot.live?.world; k++) await new Promise((done) => setTimeout(done, 50));
  const running = s.hot.live?.world?.scenario;
  return all instanceof Error ? "" : (all.find((e) => e.title === running)?.name ?? "");
}
export function Editor() {
  useEffect(enter, []);
  const name = s.scenario.value;
  useEffect(() => {
    if (name) void files.open(name);
    else void firstName().then((n) => { if (s.scenario.value) return; if (n) s.scenario.value = n; else void files.open(""); }); // unless another was asked for meanwhile
  }, [name]);
  const now = m.file.value?.name;
  useEffect(() => {
    if (now && m.phase.value === "open" && s.scenario.value !== now) s.scenario.value = now;
  }, [now]);
  useEffect(() => void document.getElementById("scene")?.classList.toggle("stale", m.stale.value), [m.stale.value]);
  useEffect(() => () => document.getElementById("scene")?.classList.remove("stale"), []);
  return (
    <div class="editor">
      <Bar />
      {s.width.value >= 1100 && <Outline />}
      <Panel />
      {m.modal.value && <Dialogs />}
      <span class="sr" id="edit-selected">{fieldOf(m.selected.value)}</span>
    </div>
  );
}
