// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the scenario that can be changed in flight, as the server lists them: unfolded below what they belong to, and asked for only then.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ids, send } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { capital, words } from "../app/words.ts";
import type { Field } from "../wire/wire.ts";

/** Those of the selection that belong to the flock of this vehicle: others may not have the behaviour. */
export function flockmates(id: string): string[] {
  const r = s.roster.value;
  const flock = r.flock[r.slotOf.get(id) ?? -1];
  return ids().filter((other) => r.flock[r.slotOf.get(other) ?? -1] === flock);
}

async function change(id: string | null, field: Field, name: string, value: string): Promise<void> {
  const whose = id === null ? {} : { ids: [id] };
  if (!(await send("field", { ...whose, path: field.path, value }, t.fields.changed(capital(words(name)), value, field.unit === "-" ? "" : field.unit)))) return;
  const now = s.swarm.value;
  if (!now?.fields) return;
  // Shown at once; the server says the same after its next tick.
  s.swarm.value = { ...now, fields: now.fields.map((f) => (f.path === field.path ? { ...f, value } : f)) };
}

/** What is being typed is not overwritten by what the world says meanwhile. */
function Value({ field: f, name, onChange }: { field: Field; name: string; onChange: (value: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const range = f.min !== undefined && f.max !== undefined ? t.fields.range(String(f.min), String(f.max)) : "";
  const shared = { "aria-label": f.path, title: [f.doc, range].filter(Boolean).join("\n") || name, disabled: s.viewOnly.value };
  if (f.choices)
    return <select {...shared} value={f.value} onChange={(e) => onChange(e.currentTarget.value)}>{f.choices.map((c) => <option key={c}>{c}</option>)}</select>;
  const commit = (text: string): void => {
    setDraft(null);
    if (text.trim() !== "" && text.trim() !== f.value) onChange(text.trim());
  };
  return (
    <input type="text" inputMode={Number.isNaN(Number(f.value)) ? "text" : "decimal"} class="num" {...shared} value={draft ?? f.value}
      onInput={(e) => setDraft(e.currentTarget.value)}
      onBlur={(e) => (draft === null ? undefined : commit(e.currentTarget.value))}
      onKeyDown={(e) => {
        if (e.key === "Enter") commit(e.currentTarget.value);
        else if (e.key === "Escape") setDraft(null);
        else return;
        e.stopPropagation();
      }} />
  );
}

/** The fields whose path begins with `prefix`; `id` is a vehicle of the flock, or nobody for those of the world. */
function FieldList({ prefix, id, grouped }: { prefix: string; id: string | null; grouped?: boolean }) {
  // A weight is every vehicle's own and stands beside its behaviour.
  const listed = s.swarmNow.value?.fields?.filter((f) => f.path.startsWith(prefix) && !/^behaviours\[\d+\]\.weight$/.test(f.path));
  if (!listed?.length) return null;
  let shown = "";
  return (
    <dl class="fields">
      {listed.map((f) => {
        const name = prefix.endsWith(".") ? f.path.slice(prefix.length) : f.path;
        const group = grouped ? /^(.*)\./.exec(name)?.[1] : undefined;
        const title = group && group !== shown && <h4>{words((shown = group))}</h4>;
        return <div key={f.path}>{title}<dt title={f.path}>{words(group ? name.slice(group.length + 1) : name)}</dt><dd><Value field={f} name={name} onChange={(value) => void change(id, f, name, value)} /><span class="unit dim">{f.unit === "-" ? "" : f.unit}</span></dd></div>;
      })}
    </dl>
  );
}

export function isOpen(prefix: string): boolean {
  return s.unfolded.value.has(prefix);
}
/** A button that unfolds the fields below a prefix; the list stands wherever the caller puts it. */
export function Fold({ prefix, label, children }: { prefix: string; label: string; children: ComponentChildren }) {
  const toggle = (): void => {
    const next = new Set(s.unfolded.value);
    if (!next.delete(prefix)) next.add(prefix);
    s.unfolded.value = next;
  };
  return <button type="button" class="fold name" aria-expanded={isOpen(prefix)} aria-label={label} title={label} onClick={toggle}>{children}</button>;
}
/** `grouped`: what belongs together stands under a heading of its own. */
export function Unfolded({ prefix, also, id, grouped }: { prefix: string; also?: string; id: string | null; grouped?: boolean }) {
  return isOpen(prefix) ? <><FieldList prefix={prefix} id={id} grouped={grouped} />{also && <FieldList prefix={also} id={id} />}</> : null;
}
