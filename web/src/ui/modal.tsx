// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What dialogs are made of: a frame that takes the focus and gives it back, and a field with a list under it to choose from.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import * as s from "../app/state.ts";

export function Modal({ label, children, wide }: { label: string; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null); // asked before a field inside takes the focus
  useEffect(() => {
    ref.current?.showModal();
    // A moment later: until the dialog is gone nothing outside can take the focus.
    return () => void setTimeout(() => before.current?.isConnected && before.current.focus());
  }, []);
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-label={label} onCancel={(e) => { e.preventDefault(); s.dialog.value = ""; }} onClick={(e) => e.target === ref.current && (s.dialog.value = "")}>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Type to narrow the list, arrows and Enter or a click to choose. `id` makes the names of its parts. */
export function Chooser<T>({ id, label, list, placeholder, words, type, found, show, choose, off, empty }: {
  id: string;
  label: string;
  list: string; // name of the list
  placeholder: string;
  words: string;
  type: (words: string) => void;
  found: readonly T[];
  show: (item: T) => ComponentChildren;
  choose: (item: T) => void;
  off?: (item: T) => boolean;
  empty: ComponentChildren;
}) {
  const at = useSignal(0);
  return (
    <>
      <input class="palette-input" autofocus role="combobox" aria-label={label} aria-expanded="true" aria-controls={`${id}-list`} aria-activedescendant={`${id}-${at.value}`} placeholder={placeholder} value={words}
        onInput={(e) => { type(e.currentTarget.value); at.value = 0; }}
        onKeyDown={(e) => {
          if (e.key === "ArrowDown") at.value = Math.max(0, Math.min(found.length - 1, at.value + 1));
          else if (e.key === "ArrowUp") at.value = Math.max(0, at.value - 1);
          else if (e.key === "Enter") { if (at.value < found.length) choose(found[at.value]); }
          else return;
          e.preventDefault();
          document.getElementById(`${id}-${at.value}`)?.scrollIntoView({ block: "nearest" });
        }} />
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label={list}>
        {found.map((item, k) => <div id={`${id}-${k}`} role="option" aria-selected={k === at.value} class={`option ${k === at.value ? "on" : ""} ${off?.(item) ? "off" : ""}`} onClick={() => choose(item)}>{show(item)}</div>)}
        {!found.length && empty}
      </div>
    </>
  );
}
