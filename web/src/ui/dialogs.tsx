// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Dialogs and the context menu. Focus goes in and comes back.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { actions, perform, seekTo, select } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { clockText } from "../app/units.ts";
import { parseTime } from "../source/clock.ts";
import { Chooser, Modal } from "./modal.tsx";

type Rare = "help" | "spawn" | "remove" | "take" | "fault" | "pose" | "reaction";

interface Found {
  title: string;
  detail: string;
  why: string;
  run: () => void;
}
export function search(text: string): Found[] {
  const q = text.trim().toLowerCase();
  const found: Found[] = [];
  const time = q ? parseTime(q, s.hot.clock.time, s.world.value?.tick ?? 0.01) : null;
  if (time !== null) found.push({ title: `Go to ${clockText(time)}`, detail: "time", why: "", run: () => seekTo(time) });
  for (const a of actions) {
    if (a.id === "page.palette" || a.quiet) continue;
    if (q && !q.split(/\s+/).every((w) => a.title.toLowerCase().includes(w) || a.group.toLowerCase().includes(w))) continue;
    const may = a.when?.() ?? true;
    found.push({ title: a.title, detail: a.keys.join("  "), why: may === true ? "" : may, run: () => perform(a.id) });
  }
  for (const b of s.bookmarks.value) if (`bookmark ${b.name}`.includes(q)) found.push({ title: `Bookmark ${b.name}`, detail: "bookmark", why: "", run: () => seekTo(b.time) });
  const r = s.roster.value;
  if (q) for (let k = 0; k < r.ids.length && found.length < 60; k++) if (r.names[k].toLowerCase().includes(q)) found.push({ title: r.names[k], detail: "vehicle", why: "", run: () => { select([r.ids[k]], r.ids[k]); } });
  return found.sort((a, b) => Number(Boolean(a.why)) - Number(Boolean(b.why))).slice(0, 60);
}

function Palette() {
  const text = useSignal("");
  const go = (f: Found): void => {
    s.dialog.value = "";
    setTimeout(f.run);
  };
  const show = (f: Found): ComponentChildren => <><span>{f.title}</span><span class="grow" />{f.why ? <span class="dim">{f.why}</span> : f.detail && <kbd>{f.detail}</kbd>}</>;
  return (
    <Modal label="Find anything">
      <Chooser id="palette" label="Find anything" list="Found" placeholder="A command, a vehicle, a time (12.5, -10, tick 400)" words={text.value} type={(t) => (text.value = t)} found={search(text.value)} show={show} choose={go} off={(f) => f.why !== ""}
        empty={<p class="empty">Nothing matches {"\u201c"}{text.value}{"\u201d"}.</p>} />
    </Modal>
  );
}

export function ContextMenu() {
  const m = s.menu.value;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!m) return;
    const before = document.activeElement as HTMLElement | null;
    ref.current?.querySelector("button")?.focus();
    return () => {
      if (!document.activeElement || document.activeElement === document.body) before?.focus?.();
    };
  }, [m]);
  if (!m) return null;
  const x = Math.min(m.x, innerWidth - 240);
  const y = Math.min(m.y, innerHeight - m.items.length * 30 - 16);
  return (
    <div ref={ref} class="menu" role="menu" style={{ insetInlineStart: `${x}px`, insetBlockStart: `${y}px` }}
      onKeyDown={(e) => {
        const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
        if (!step) return;
        e.preventDefault();
        e.stopPropagation();
        const all = [...ref.current!.querySelectorAll("button")];
        all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length].focus();
      }}>
      {m.items.map((i) => <button type="button" role="menuitem" aria-disabled={Boolean(i.why)} title={i.why} onClick={() => { s.menu.value = null; i.run(); }}>{i.title}<span class="grow" />{i.keys && <kbd>{i.keys}</kbd>}</button>)}
    </div>
  );
}

/** Dialogs whose code comes when one of them is first opened. */
function Rarer({ name }: { name: Rare }) {
  const [found, setFound] = useState<((name: Rare) => ComponentChildren) | null>(null);
  useEffect(() => {
    import("./rare_dialogs.tsx").then((m) => setFound(() => m.rareDialog), () => {
      s.dialog.value = "";
      s.notify("bad", "The dialog cannot be opened now: the server is not reachable.");
    });
  }, []);
  return <>{found?.(name)}</>;
}

export function Dialogs() {
  switch (s.dialog.value) {
    case "palette":
      return <Palette />;
    case "help":
    case "spawn":
    case "remove":
    case "take":
    case "fault":
    case "pose":
    case "reaction":
      return <Rarer name={s.dialog.value} />;
    default:
      return null;
  }
}
