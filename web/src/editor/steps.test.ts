// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type TransactionSpec } from "@codemirror/state";
import { editStep, Stroke } from "./steps.ts";
import { parse, setIn } from "./yaml_text.ts";

const TEXT = "list:\n  - [0, 0, 0]   # here\n  - [2, 0, 0]\n";
class Hand {
  state = EditorState.create({ doc: TEXT, extensions: [history()] });
  do(...specs: (TransactionSpec | null)[]): void {
    for (const s of specs) if (s) this.state = this.state.update(s).state;
  }
  undo = (): boolean => undo({ state: this.state, dispatch: (t) => (this.state = t.state) });
  redo = (): boolean => redo({ state: this.state, dispatch: (t) => (this.state = t.state) });
  get text(): string {
    return this.state.doc.toString();
  }
}
const at = (x: number, text = TEXT): string => setIn(parse(text), ["list", 0, 0], x)!;

test("a drag is one step, and undo restores the bytes", () => {
  const hand = new Hand();
  const stroke = new Stroke(hand.state);
  for (const x of [1, 5, 12, 107]) {
    hand.do(stroke.move(at(x)));
    assert.equal(hand.text, at(x));
  }
  hand.do(stroke.move(at(7)), stroke.seal);
  assert.equal(hand.text, at(7));
  assert.ok(hand.undo());
  assert.equal(hand.text, TEXT);
  assert.ok(!hand.undo(), "there was only one step");
  assert.ok(hand.redo());
  assert.equal(hand.text, at(7));
});

test("a drag that is given up leaves nothing behind", () => {
  const hand = new Hand();
  const stroke = new Stroke(hand.state);
  assert.equal(stroke.move(TEXT), null);
  hand.do(stroke.move(at(9)), stroke.move(at(11)), stroke.seal);
  assert.ok(stroke.moved && hand.undo());
  assert.equal(hand.text, TEXT);
  assert.ok(!hand.undo());
});

test("edits of the form are steps of their own, between typing and drags", () => {
  const hand = new Hand();
  hand.do({ changes: { from: 0, insert: "# mine\n" }, userEvent: "input.type" });
  const typed = hand.text;
  hand.do(editStep(hand.state, at(3, typed)));
  hand.do(editStep(hand.state, at(4, hand.text)));
  const stroke = new Stroke(hand.state);
  hand.do(stroke.move(at(8, stroke.base)), stroke.move(at(9, stroke.base)), stroke.seal);
  const dragged = hand.text;
  hand.do({ changes: { from: hand.text.indexOf("9") + 1, insert: "5" }, userEvent: "input.type" });
  const seen: string[] = [];
  while (hand.undo()) seen.push(hand.text);
  assert.deepEqual(seen, [dragged, at(4, typed), at(3, typed), typed, TEXT]);
});
