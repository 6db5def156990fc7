// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The text itself: one CodeMirror for as long as the page lives, mounted where the panel wants it. It holds the one stack of undo.
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorState, type TransactionSpec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { effect } from "@preact/signals";
import { tags } from "@lezer/highlight";
import { perform } from "../app/commands.ts";
import { problemMarks, showMarks } from "./code_marks.ts";
import * as m from "./model.ts";
import { editStep, Stroke } from "./steps.ts";
import { pathAt } from "./yaml_text.ts";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.keyword, tags.labelName, tags.typeName], color: "var(--ok)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--text-2)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);
const ours = Annotation.define<boolean>(); // from the form or the scene
const command = (key: string, id: string) => ({ key, preventDefault: true, run: () => (perform(id), true) });
const keys = keymap.of([command("Mod-Enter", "edit.run"), command("Mod-s", "edit.save"), command("F8", "edit.nextProblem"), command("Shift-F8", "edit.previousProblem"), { key: "Mod-f", preventDefault: true, run: (v) => (void find(v), true) }]);
const finding = new Compartment();
/** Searching comes when it is first asked for. */
async function find(v: EditorView): Promise<void> {
  const found = await import("@codemirror/search").catch(() => null);
  if (!found) return;
  if ([finding.get(v.state) ?? []].flat().length === 0) v.dispatch({ effects: finding.reconfigure([found.search({ top: true }), found.highlightSelectionMatches(), keymap.of(found.searchKeymap.filter((k) => k.key !== "Mod-d"))]) });
  found.openSearchPanel(v);
}

let view: EditorView | null = null;
const extensions = [
  keys, lineNumbers(), foldGutter(), codeFolding(), problemMarks, finding.of([]), history(), drawSelection(), yaml(), indentUnit.of("  "), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
  syntaxHighlighting(colours), EditorView.contentAttributes.of({ "aria-label": "Scenario as YAML" }),
  keymap.of([...defaultKeymap.filter((k) => k.key !== "Mod-Enter"), ...historyKeymap, ...foldKeymap, indentWithTab]),
  EditorView.updateListener.of((u) => {
    if (u.docChanged) {
      const typed = !u.transactions.some((t) => t.annotation(ours) || t.isUserEvent("undo") || t.isUserEvent("redo"));
      m.textChanged(u.state.doc.toString(), typed);
    } else if (u.selectionSet && u.view.hasFocus) follow(u.state);
  }),
];
/** The cursor in the text selects what it stands in: the item of a list, not each of its numbers. */
function follow(state: EditorState): void {
  if (m.parsed.value.text !== state.doc.toString() || m.broken.value) return;
  const path = pathAt(m.parsed.value, state.selection.main.head);
  const last = path.findLastIndex((p) => typeof p === "number");
  const item = typeof path.at(-1) === "number" && typeof path.at(-2) === "number" ? path.slice(0, -1) : path.slice(0, last + 1);
  m.selected.value = item.length ? item : path.slice(0, 1);
}

export function codeView(): EditorView {
  if (view) return view;
  view = new EditorView({ state: EditorState.create({ doc: m.text.value, extensions }) });
  effect(() => {
    const list = m.problems.value;
    if (m.parsed.value.text === view!.state.doc.toString()) showMarks(view!, list);
  });
  return view;
}
/** Another text: its history begins here. */
export function loadText(text: string): void {
  codeView().setState(EditorState.create({ doc: text, extensions }));
  m.textChanged(text, false);
}
const dispatch = (spec: TransactionSpec): void => codeView().dispatch({ ...spec, annotations: [ours.of(true), ...[spec.annotations ?? []].flat()] });

/** One step of the history. */
export function edit(next: string | null): boolean {
  if (next === null) return false;
  if (next !== m.text.value) dispatch(editStep(codeView().state, next));
  return true;
}
export const canUndo = (): boolean => view !== null && undoDepth(view.state) > 0;
export const canRedo = (): boolean => view !== null && redoDepth(view.state) > 0;
export const undoEdit = (): boolean => undo(codeView());
export const redoEdit = (): boolean => redo(codeView());

/** A drag from the scene: texts on the way are shown, the whole is one step. */
export class DragStroke {
  private readonly stroke = new Stroke(codeView().state);
  readonly base = this.stroke.base;
  move(next: string): void {
    const spec = this.stroke.move(next);
    if (spec) dispatch(spec);
  }
  end(): void {
    dispatch(this.stroke.seal);
  }
  cancel(): void {
    this.end();
    if (this.stroke.moved) undoEdit();
  }
}
export function showPlace(from: number, to: number, focus: boolean): void {
  const v = codeView();
  const size = v.state.doc.length;
  const [a, b] = [Math.min(from, size), Math.min(to, size)];
  v.dispatch({ selection: { anchor: a, head: focus ? b : a }, effects: EditorView.scrollIntoView(a, { y: "center" }) });
  if (focus) v.focus();
}
