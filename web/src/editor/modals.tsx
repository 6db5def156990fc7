// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The editor's dialogs: open or make a scenario, what changed, save under a name, two versions of one file, discard.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import * as s from "../app/state.ts";
import { count } from "../app/units.ts";
import type { Entry } from "./api.ts";
import * as api from "./api.ts";
import { changedLines, diffLines, hunks } from "./diff.ts";
import { draftNames } from "./drafts.ts";
import * as files from "./files.ts";
import * as m from "./model.ts";
import { isPlainName } from "./names.ts";

const close = (): void => {
  m.modal.value = "";
};
function Modal({ label, children, wide }: { label: string; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-label={label} onCancel={(e) => { e.preventDefault(); close(); }} onClick={(e) => e.target === ref.current && close()}>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

export function Diff({ before, after, names }: { before: string; after: string; names: [string, string] }) {
  const parts = hunks(diffLines(before, after));
  if (!parts.length) return <p class="empty">The two texts are the same.</p>;
  return (
    <div class="diff" role="region" aria-label="Changes" tabIndex={0}>
      <div class="diff-head"><span class="minus">{"\u2212"} {names[0]}</span> <span class="plus">+ {names[1]}</span></div>
      {parts.slice(0, 200).map((h) => (
        <div class="hunk">
          <div class="at">{h.head}</div>
          {h.lines.map((l) => <div class={l.kind === "+" ? "plus" : l.kind === "-" ? "minus" : ""}><i class="num">{l.a || ""}</i><i class="num">{l.b || ""}</i><b>{l.kind === "-" ? "\u2212" : l.kind}</b><code>{l.text || " "}</code></div>)}
        </div>
      ))}
    </div>
  );
}
function Changes() {
  const f = m.file.value!;
  return (
    <Modal label="What changed" wide>
      <h2>{f.base === null ? "Not saved yet" : `${count(m.changes.value, "line", "lines")} changed`}</h2>
      <Diff before={f.base ?? ""} after={m.text.value} names={[f.saved ? "saved" : "shipped", "yours"]} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => (m.modal.value = "discard")}>Discard changes{"\u2026"}</button>
        <span class="grow" />
        <button type="button" class="button" onClick={close}>Close</button>
        <button type="button" class="button primary" onClick={() => { close(); void files.save(); }}>Save</button>
      </div>
    </Modal>
  );
}
function Conflict() {
  const f = m.file.value!;
  const other = m.theirs.value ?? "";
  const n = changedLines(diffLines(other, m.text.value));
  return (
    <Modal label="The file changed on the server" wide>
      <h2>{f.name} changed on the server</h2>
      <p>Somebody saved it since you opened it. Yours differs from theirs in {count(n, "line", "lines")}; nothing is overwritten until you choose.</p>
      <Diff before={other} after={m.text.value} names={["theirs", "mine"]} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => (m.modal.value = "save")}>Save mine under another name{"\u2026"}</button>
        <span class="grow" />
        <button type="button" class="button" onClick={close}>Decide later</button>
        <button type="button" class="button" onClick={files.takeTheirs}>Take theirs</button>
        <button type="button" class="button primary" onClick={() => { files.keepMine(); void files.save(); }}>Keep mine and save</button>
      </div>
    </Modal>
  );
}
function NameField({ value, onInput, taken }: { value: string; onInput: (v: string) => void; taken: string }) {
  return (
    <>
      <label class="form name-form">Name <input type="text" autofocus value={value} maxLength={64} spellcheck={false} aria-describedby="name-wrong" onInput={(e) => onInput(e.currentTarget.value)} /></label>
      <p class="wrong error" id="name-wrong" role="status">{value && !isPlainName(value) ? "Small letters, digits, _ and -, at most 64." : taken}</p>
    </>
  );
}
function useEntries(): { list: Entry[] | null; wrong: string } {
  const list = useSignal<Entry[] | null>(null);
  const wrong = useSignal("");
  useEffect(() => {
    void files.scenarios().then((found) => (found instanceof Error ? (wrong.value = found.message) : (list.value = found)));
  }, []);
  return { list: list.value, wrong: wrong.value };
}
function SaveAs() {
  const f = m.file.value!;
  const { list } = useEntries();
  const name = useSignal(f.saved ? f.name : files.freeName(`${f.name}-mine`));
  const same = list?.find((e) => e.name === name.value);
  const taken = same && !same.saved ? "This name comes with Volary and is not overwritten." : same && same.name !== f.name ? "You have a scenario of this name: it would be replaced." : "";
  const may = isPlainName(name.value) && !(same && !same.saved);
  return (
    <Modal label="Save under a name">
      <form onSubmit={(e) => { e.preventDefault(); if (may) void files.saveAs(name.value); }}>
        <h2>Save as</h2>
        {!f.saved && <p>{f.name} comes with Volary and stays as it is. Your version goes to your own folder.</p>}
        <NameField value={name.value} onInput={(v) => (name.value = v)} taken={taken} />
        <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={close}>Cancel</button><button class="button primary" aria-disabled={!may}>Save</button></div>
      </form>
    </Modal>
  );
}
function Discard() {
  const n = m.changes.value;
  return (
    <Modal label="Discard changes">
      <h2>Discard {count(n, "changed line", "changed lines")}?</h2>
      <p>{m.file.value?.base === null ? "This scenario was never saved: it goes away." : "The text becomes what the server has. Undo brings nothing back."}</p>
      <div class="buttons"><span class="grow" /><button type="button" class="button" autofocus onClick={close}>Keep</button><button type="button" class="button danger" onClick={files.discard}>Discard</button></div>
    </Modal>
  );
}

function Open() {
  const { list, wrong } = useEntries();
  const words = useSignal("");
  const from = useSignal<string | null>(null); // what a new one begins with; "" is the blank one
  const name = useSignal("");
  const drafts = new Set(draftNames());
  const shown = (list ?? []).filter((e) => words.value.toLowerCase().split(/\s+/).every((w) => `${e.name} ${e.title} ${e.description}`.toLowerCase().includes(w)));
  const unsaved = [...drafts].filter((d) => list && !list.some((e) => e.name === d));
  const go = (n: string): void => {
    close();
    s.scenario.value = n;
    void files.open(n);
  };
  const begin = (source: string): void => {
    from.value = source;
    name.value = files.freeName(source ? `${source}-copy` : "my-scenario");
  };
  const make = async (): Promise<void> => {
    if (!isPlainName(name.value) || list?.some((e) => e.name === name.value)) return;
    const text = from.value ? await api.readScenario(from.value) : files.BLANK;
    if (text instanceof Error) return s.notify("bad", `${from.value} could not be read: ${text.message}.`);
    close();
    await files.openNew(name.value, text);
    s.scenario.value = name.value;
  };
  if (from.value !== null)
    return (
      <Modal label="New scenario">
        <form onSubmit={(e) => { e.preventDefault(); void make(); }}>
          <h2>{from.value ? `A copy of ${from.value}` : "New scenario"}</h2>
          <NameField value={name.value} onInput={(v) => (name.value = v)} taken={list?.some((e) => e.name === name.value) ? "There is a scenario of this name." : ""} />
          <p class="dim">It is kept in this browser until you save it to your own folder.</p>
          <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={() => (from.value = null)}>Back</button><button class="button primary">Make it</button></div>
        </form>
      </Modal>
    );
  return (
    <Modal label="Open a scenario" wide>
      <div class="open-head"><h2>Scenarios</h2><span class="grow" /><label class="field"><input type="search" autofocus aria-label="Search scenarios" placeholder="Search" value={words.value} onInput={(e) => (words.value = e.currentTarget.value)} /></label><button type="button" class="button" onClick={() => { close(); s.page.value = "picture"; }}>From a picture{"\u2026"}</button><button type="button" class="button primary" onClick={() => begin("")}>New scenario</button></div>
      {wrong && <p class="wrong error" role="alert">The list could not be read: {wrong}.</p>}
      {!list && !wrong && <p class="empty">Loading{"\u2026"}</p>}
      <ul class="open-list">
        {unsaved.map((d) => <li><button type="button" class="open-item" onClick={() => go(d)}><b>{d}</b><span class="dim">only in this browser, not saved yet</span></button></li>)}
        {shown.map((e) => (
          <li>
            <button type="button" class="open-item" onClick={() => go(e.name)}><b>{e.name}</b><span class="badge">{e.saved ? "yours" : "shipped"}</span>{drafts.has(e.name) && <span class="badge">draft</span>}<span class="dim">{e.description || e.title}</span></button>
            <button type="button" class="button" aria-label={`Duplicate ${e.name}`} onClick={() => begin(e.name)}>Duplicate</button>
          </li>
        ))}
      </ul>
      {list && shown.length === 0 && <p class="empty">{list.length ? "None matches." : "There are no scenarios yet."} {words.value && <button type="button" class="link" onClick={() => (words.value = "")}>Clear search</button>}</p>}
      <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={() => { close(); if (m.phase.value === "empty") s.page.value = "view"; }}>{m.phase.value === "empty" ? "Back to the view" : "Close"}</button></div>
    </Modal>
  );
}

export function Modals() {
  switch (m.modal.value) {
    case "open":
      return <Open />;
    case "diff":
      return m.file.value && <Changes />;
    case "save":
      return m.file.value && <SaveAs />;
    case "conflict":
      return m.file.value && m.theirs.value !== null ? <Conflict /> : null;
    case "discard":
      return m.file.value && <Discard />;
    default:
      return null;
  }
}
