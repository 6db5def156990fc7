// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Problems in the text: a sign in the gutter of their line and a line under their words, both with the message.
import { RangeSet, StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from "@codemirror/view";
import type { Problem } from "./check.ts";

type Mark = Pick<Problem, "level" | "from" | "to" | "message" | "suggestion">;
const setMarks = StateEffect.define<readonly Mark[]>();
const words = (m: Mark): string => (m.suggestion ? `${m.message} (${m.suggestion})` : m.message);

class Sign extends GutterMarker {
  private readonly level: string;
  private readonly title: string;
  constructor(level: string, title: string) {
    super();
    this.level = level;
    this.title = title;
  }
  override eq(other: Sign): boolean {
    return other.level === this.level && other.title === this.title;
  }
  override toDOM(): HTMLElement {
    const e = document.createElement("span");
    e.className = `cm-sign ${this.level}`;
    if (!this.level) return e; // only room
    e.title = this.title;
    e.setAttribute("role", "img");
    e.setAttribute("aria-label", `${this.level}: ${this.title}`);
    e.textContent = this.level === "error" ? "\u25a0" : "\u25b2";
    return e;
  }
}
interface Marks {
  under: DecorationSet;
  signs: RangeSet<GutterMarker>;
}
const NOTHING: Marks = { under: Decoration.none, signs: RangeSet.empty };
const field = StateField.define<Marks>({
  create: () => NOTHING,
  update(value, tr) {
    let next = tr.docChanged ? { under: value.under.map(tr.changes), signs: value.signs.map(tr.changes) } : value;
    for (const e of tr.effects) if (e.is(setMarks)) next = made(e.value, tr.state.doc.length, (at) => tr.state.doc.lineAt(at).from);
    return next;
  },
  provide: (f) => EditorView.decorations.from(f, (v) => v.under),
});
function made(list: readonly Mark[], size: number, lineAt: (at: number) => number): Marks {
  const under: Range<Decoration>[] = [];
  const lines = new Map<number, Mark[]>();
  for (const m of list) {
    const from = Math.min(m.from, size);
    const to = Math.min(Math.max(m.to, from), size);
    if (to > from) under.push(Decoration.mark({ class: `cm-under ${m.level}`, attributes: { title: words(m) } }).range(from, to));
    lines.set(lineAt(from), [...(lines.get(lineAt(from)) ?? []), m]);
  }
  const signs = [...lines].map(([at, here]) => new Sign(here.some((m) => m.level === "error") ? "error" : "warning", here.map(words).join("\n")).range(at));
  return { under: Decoration.set(under, true), signs: RangeSet.of(signs, true) };
}
export const problemMarks: Extension = [field, gutter({ class: "cm-problems", markers: (v) => v.state.field(field).signs, initialSpacer: () => new Sign("", "") })];
export const showMarks = (view: EditorView, list: readonly Mark[]): void => view.dispatch({ effects: setMarks.of(list) });
