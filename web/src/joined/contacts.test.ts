// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "three";
import { testCanvas, testFrame, testView } from "../scene/test_view.ts";
import { arrowLength, contactLayer } from "./contacts.ts";

const seen = (contacts: Record<string, number[]>, selected: number[]) => {
  const layer = contactLayer((id) => (contacts[id] ? Float32Array.from(contacts[id]) : null)).create(new Scene());
  const frame = testFrame([[0, 0, 5], [10, 0, 5]]);
  const { view, texts } = testView();
  view.selected = Uint8Array.from(selected);
  const { context, calls } = testCanvas();
  return { drawn: layer.overlay!(context, frame, view), calls, texts };
};

test("contacts of selected vehicles are drawn with an arrow along their force and its newtons, and those of others are not", () => {
  const contacts = { "0": [1, 0, 5, -4.2, 0, 0, 1, 0.1, 5, 0, 0, 0], "1": [11, 0, 5, -30, 0, 0] };
  const one = seen(contacts, [2, 0]);
  assert.equal(one.drawn, true);
  assert.deepEqual(one.texts, ["4.2\u2009N"], "a contact without force is a disc alone");
  assert.equal(one.calls["fill"], 4, "two discs, each with a halo");
  assert.equal(one.calls["stroke"], 2, "one arrow, with a halo");
  assert.deepEqual(seen(contacts, [2, 1]).texts, ["4.2\u2009N", "30\u2009N"]);
  assert.equal(seen(contacts, [0, 0]).drawn, false);
  assert.equal(seen({}, [2, 1]).drawn, false);
});
test("of many contacts only the strongest are labelled", () => {
  const many = Array.from({ length: 10 }, (_, k) => [k, 0, 5, 0, k + 1, 0]).flat();
  assert.deepEqual(seen({ "0": many }, [2, 0]).texts.sort(), ["10\u2009N", "7.0\u2009N", "8.0\u2009N", "9.0\u2009N"]);
});
test("arrows grow with the root of the force", () => {
  assert.ok(Math.abs(arrowLength(100) / arrowLength(1) - 10) < 1e-9);
});
