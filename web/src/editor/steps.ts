// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One stack of undo for text, form and scene: CodeMirror's. An edit from the form is one step; so is a whole drag, however many
// texts it passed through on the way.
import { isolateHistory } from "@codemirror/commands";
import type { EditorState, TransactionSpec } from "@codemirror/state";
import { changeBetween } from "./yaml_text.ts";

export function editStep(state: EditorState, next: string): TransactionSpec {
  return { changes: changeBetween(state.doc.toString(), next), annotations: isolateHistory.of("full") };
}

/** A drag. Its first change opens a step of the history, all later ones join it: CodeMirror joins what is composed, wherever it is. */
export class Stroke {
  readonly base: string;
  private shown: string;
  private begun = false;

  constructor(state: EditorState) {
    this.base = this.shown = state.doc.toString();
  }
  /** Shows another text on the way; null when it is the one that is shown. */
  move(next: string): TransactionSpec | null {
    if (next === this.shown) return null;
    const changes = changeBetween(this.shown, next);
    const spec: TransactionSpec = this.begun ? { changes, userEvent: "input.type.compose" } : { changes, annotations: isolateHistory.of("before") };
    this.shown = next;
    this.begun = true;
    return spec;
  }
  /** Whether there is anything to undo, and the seal that keeps later typing out of this step. */
  get moved(): boolean {
    return this.begun;
  }
  readonly seal: TransactionSpec = { annotations: isolateHistory.of("after") };
}
