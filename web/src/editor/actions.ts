// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The editor's entries in the registry of commands. The editor itself comes when it is first opened; until then these only say why not.
import type { Action } from "../app/commands.ts";
import * as s from "../app/state.ts";

/** What the editor does when it is there. Each answers true or says why not. */
export interface EditorHands {
  may(id: string): true | string;
  do(id: string, argument?: unknown): void;
  nextProblem(direction: 1 | -1): void;
}
const LIST: [id: string, title: string, ...keys: string[]][] = [
  ["run", "Check, save and run the scenario", "Ctrl+Enter"],
  ["save", "Save the scenario", "Ctrl+S"],
  ["saveAs", "Save the scenario under another name\u2026"],
  ["open", "Open or make a scenario\u2026", "Ctrl+O"],
  ["copy", "Duplicate the whole scenario\u2026"],
  ["diff", "Show what changed since it was saved"],
  ["discard", "Discard the changes\u2026"],
  ["undo", "Undo", "Ctrl+Z"],
  ["redo", "Redo", "Ctrl+Shift+Z", "Ctrl+Y"],
  ["duplicate", "Duplicate what is selected", "Ctrl+D"],
  ["remove", "Remove what is selected", "Delete"],
  ["nextProblem", "Next problem", "F8"],
  ["previousProblem", "Previous problem", "Shift+F8"],
  ["form", "Form of what is selected"],
  ["yaml", "Text of what is selected"],
  ["select", "Select and move", "1"],
  ["vehicle", "Place vehicles", "2"],
  ["waypoint", "Add waypoints", "3"],
  ["region", "Draw a region (again: another shape)", "4"],
  ["east", "Move the selection east", "Ctrl+Right"],
  ["west", "Move the selection west", "Ctrl+Left"],
  ["north", "Move the selection north", "Ctrl+Up"],
  ["south", "Move the selection south", "Ctrl+Down"],
  ["up", "Move the selection up", "Ctrl+Shift+Up"],
  ["down", "Move the selection down", "Ctrl+Shift+Down"],
  ["back", "Give up the tool, then the selection", "Esc"],
];
export const editorActions: Action[] = LIST.map(([id, title, ...keys]) => ({
  id: `edit.${id}`,
  title,
  group: "Editor",
  keys,
  when: () => (s.page.value !== "edit" ? "only in the editor" : (s.editor.value?.may(id) ?? "the editor is loading")),
  run: (argument) => s.editor.value?.do(id, argument),
}));
