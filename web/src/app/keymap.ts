// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From a key press to the name the registry uses: one table feeds handler, help and aria-keyshortcuts.
const NAMES: Record<string, string> = { " ": "Space", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down", Escape: "Esc", PageUp: "PgUp", PageDown: "PgDn", ContextMenu: "Menu" };
export interface KeyLike {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}
export function keyName(e: KeyLike): string {
  let key = NAMES[e.key] ?? (e.key.length === 1 ? e.key.toUpperCase() : e.key);
  const letter = /^[A-Z]$/.test(key);
  // Signs such as ? already hold their Shift; for letters and named keys it is part of the name.
  const shift = e.shiftKey && (letter || key.length > 1);
  if (key === "+") key = "=";
  return `${e.ctrlKey || e.metaKey ? "Ctrl+" : ""}${e.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${key}`;
}
export const ariaKeys = (keys: readonly string[]): string => keys.map((k) => k.replace("Ctrl", "Control").replace("Esc", "Escape").replace(/^(.*)(Left|Right|Up|Down)$/, "$1Arrow$2")).join(" ");
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !(target instanceof HTMLInputElement && /^(range|checkbox|radio|button)$/.test(target.type));
}

/** Those whose number is in a range. An id is the number, and where several vehicles had the same one after each other also which: `12.2`. */
export const withNumbers = (ids: readonly string[], from: number, to: number): string[] => ids.filter((id) => /^\d+(\.\d+)?$/.test(id) && Number.parseInt(id, 10) >= from && Number.parseInt(id, 10) <= to);
