// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A button that is a command: name, key, reason why not, all from the registry.
import type { ComponentChildren } from "preact";
import { byId, perform } from "../app/commands.ts";
import { ariaKeys } from "../app/keymap.ts";
import { Icon } from "./icons.tsx";

export function CommandButton({ id, icon, label, children, pressed, className = "" }: { id: string; icon?: string; label?: string; children?: ComponentChildren; pressed?: boolean; className?: string }) {
  const a = byId.get(id)!;
  const may = a.when?.() ?? true;
  const title = `${label ?? a.title}${a.keys[0] ? ` (${a.keys[0]})` : ""}${may === true ? "" : `: ${may}`}`;
  return (
    <button type="button" class={`button ${icon && !children ? "icon-only" : ""} ${className}`} title={title} aria-label={label ?? a.title} aria-keyshortcuts={a.keys.length ? ariaKeys(a.keys) : undefined} aria-pressed={pressed} aria-disabled={may !== true} onClick={() => perform(id)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
/** A panel title's question mark: two sentences where the question arises. */
export function Hint({ text }: { text: string }) {
  return (
    <details class="hint">
      <summary aria-label="What is this?">?</summary>
      <p>{text}</p>
    </details>
  );
}
