// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Unsaved work survives a reload: one key per scenario, with the text that it was made from.
export interface Draft {
  text: string;
  base: string | null; // as the server had it; null: it never had it
}
const KEY = "volary.draft.";
const LAST = "volary.edited";
const MOST = 2_000_000; // characters

export function readDraft(name: string): Draft | null {
  try {
    const d = JSON.parse(localStorage.getItem(KEY + name) ?? "null") as Partial<Draft> | null;
    return d && typeof d.text === "string" && (d.base === null || typeof d.base === "string") ? { text: d.text, base: d.base } : null;
  } catch {
    return null;
  }
}
/** False when it could not be kept. */
export function keepDraft(name: string, draft: Draft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(KEY + name);
    else if (draft.text.length > MOST) return false;
    else localStorage.setItem(KEY + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
export function draftNames(): string[] {
  try {
    return Object.keys(localStorage).filter((k) => k.startsWith(KEY)).map((k) => k.slice(KEY.length));
  } catch {
    return [];
  }
}
export const lastEdited = (): string => {
  try {
    return localStorage.getItem(LAST) ?? "";
  } catch {
    return "";
  }
};
export const rememberEdited = (name: string): void => {
  try {
    localStorage.setItem(LAST, name);
  } catch {
    // Nothing depends on it.
  }
};
