// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A form for whatever the schema says about the place that is selected. Every field writes into the text and reads from it.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import * as s from "../app/state.ts";
import { Icon } from "../ui/icons.tsx";
import { DragStroke } from "./code.ts";
import { addItem, applied, choose, resetField, selectPath, setField, valueNow } from "./hands.ts";
import * as m from "./model.ts";
import { fieldAt, fieldsOf, helpOf, isMapList, isNumbers, isPoints, itemField, slider, split, titleOf, unitOf, withoutTwins, type Field } from "./schema.ts";
import { fieldOf, isNumber, numberText, Raw, type Path } from "./yaml_text.ts";

const asMap = (v: unknown): Record<string, unknown> => (typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Record<string, unknown>) : {});
const idOf = (path: Path): string => `field-${fieldOf(path)}`;
/** The object around a place: an item of a list, or a part of the scenario. */
export function formRoot(path: Path): Path {
  for (let n = path.length; n > 0; n--) {
    const f = m.schema.value && fieldAt(m.schema.value, path.slice(0, n));
    const item = typeof path[n - 1] === "number" || n === 1;
    if (f?.schema.type === "object" && item) return path.slice(0, n);
    if (n === 1 && f && isMapList(f.schema)) return path.slice(0, 1);
  }
  return [];
}
export function labelOf(value: unknown, f: Field | null, index: number): string {
  const map = asMap(value);
  if (typeof map["name"] === "string" && map["name"]) return map["name"];
  const words = (f?.schema.required ?? []).map((r) => map[r]).filter((x) => typeof x === "string" || typeof x === "number");
  const unit = f ? unitOf(f.schema.properties?.[f.schema.required?.[0] ?? ""] ?? {}) : "";
  return words.length ? words.map((w, k) => (k === 0 && typeof w === "number" && unit ? `${w}\u2009${unit}` : String(w))).join(" \u00b7 ") : `${index}`;
}

export function Form() {
  const schema = m.schema.value;
  if (!schema) return <p class="empty">Loading the schema{"\u2026"}</p>;
  const path = formRoot(m.selected.value);
  const f = fieldAt(schema, path);
  const value = valueNow(path);
  void m.good.value;
  if (!f) return <p class="empty">Nothing is known about {fieldOf(path)}. <button type="button" class="link" onClick={() => selectPath([])}>To the scenario</button></p>;
  return (
    <div class="form-body" inert={m.broken.value} key={fieldOf(path)}>
      <Crumbs path={path} />
      {m.broken.value && <p class="form-note" role="status">The text does not parse, so the form waits. <button type="button" class="link" onClick={() => s.editor.value?.nextProblem(1)}>Show the problem</button></p>}
      {isMapList(f.schema) ? <Items path={path} field={f} /> : value === undefined && path.length > 1 ? <p class="empty">It is gone. <button type="button" class="link" onClick={() => selectPath([])}>To the scenario</button></p> : <Fields path={path} field={f} />}
    </div>
  );
}
function Crumbs({ path }: { path: Path }) {
  const steps: { path: Path; title: string }[] = [{ path: [], title: "Scenario" }];
  path.forEach((p, i) => {
    const here = path.slice(0, i + 1);
    const f = fieldAt(m.schema.value!, here);
    if (typeof p === "number") steps.push({ path: here, title: labelOf(valueNow(here), f, p) });
    else if (f && (isMapList(f.schema) || i === path.length - 1)) steps.push({ path: here, title: titleOf(p) });
  });
  return <nav class="crumbs" aria-label="Where this is">{steps.map((c, k) => (k === steps.length - 1 ? <b>{c.title}</b> : <><button type="button" class="link" onClick={() => selectPath(c.path)}>{c.title}</button><Icon name="right" size={12} /></>))}</nav>;
}

/** The fields of a map: plain ones first, rare ones behind More, parts below. */
function Fields({ path, field }: { path: Path; field: Field }) {
  const given = asMap(valueNow(path));
  const all = withoutTwins(fieldsOf(field), given).filter((f) => !field.alternatives.includes(f.name));
  const plain = all.filter((f) => f.schema.type !== "object" && !isMapList(f.schema));
  const parts = all.filter((f) => f.schema.type === "object" || isMapList(f.schema));
  const { shown, more } = split(plain, given);
  const kind = field.alternatives.find((a) => a in given) ?? "";
  const first = field.alternatives.length > 0 && !plain.some((f) => f.required);
  return (
    <>
      {first && <Alternatives path={path} field={field} kind={kind} />}
      {shown.map((f) => <Row key={f.name} path={[...path, f.name]} field={f} />)}
      {more.length > 0 && <Section id={`${keyOf(path)}.more`} title={`More (${more.length})`} quiet>{more.map((f) => <Row key={f.name} path={[...path, f.name]} field={f} />)}</Section>}
      {field.alternatives.length > 0 && !first && <Alternatives path={path} field={field} kind={kind} />}
      {parts.map((f) => (path.length === 0 ? <PartLink key={f.name} path={[f.name]} field={f} /> : <Part key={f.name} path={[...path, f.name]} field={f} />))}
      {field.schema.type === "object" && all.length === 0 && !field.alternatives.length && <p class="empty">There is nothing to set here.</p>}
    </>
  );
}
/** Exactly one of several: a select, and the fields of the chosen one. */
function Alternatives({ path, field, kind }: { path: Path; field: Field; kind: string }) {
  const inner = fieldsOf(field).find((f) => f.name === kind);
  const id = `${idOf(path)}-kind`;
  return (
    <div class="kind">
      <div class="row-field">
        <label for={id}>Kind</label>
        <select id={id} value={kind} onChange={(e) => choose(path, field, e.currentTarget.value)}>
          {!kind && <option value="">{"\u2013"}</option>}
          {field.alternatives.map((a) => <option value={a}>{titleOf(a)}</option>)}
        </select>
      </div>
      {inner && <p class="help">{helpOf(inner.schema)}</p>}
      <Wrong path={path} />
      {inner && (isMapList(inner.schema) ? <Items path={[...path, kind]} field={inner} /> : <Fields path={[...path, kind]} field={inner} />)}
      {inner && <Wrong path={[...path, kind]} />}
    </div>
  );
}
const keyOf = (path: Path): string => path.map((p) => (typeof p === "number" ? "[]" : p)).join(".");
const opened = new Map<string, boolean>();
function Section({ id, title, help, children, quiet, start = false, count = 0 }: { id: string; title: string; help?: string; children: ComponentChildren; quiet?: boolean; start?: boolean; count?: number }) {
  const open = useSignal(opened.get(id) ?? start);
  return (
    <details class={quiet ? "more" : "part"} open={open.value} onToggle={(e) => { open.value = e.currentTarget.open; opened.set(id, open.value); }}>
      <summary title={help}><Icon name="right" size={12} /><span>{title}</span>{count > 0 && <span class="bad-count" aria-label={`${count} problems`}>{count}</span>}</summary>
      {open.value && <div class="part-body">{children}</div>}
    </details>
  );
}
function Part({ path, field }: { path: Path; field: Field }) {
  const list = isMapList(field.schema);
  return (
    <Section id={keyOf(path)} title={titleOf(field.name)} help={helpOf(field.schema)} start={field.alternatives.length > 0 || list} count={m.problemsUnder(path).length}>
      {!list && <p class="help">{helpOf(field.schema)}</p>}
      {list ? <Items path={path} field={field} /> : <Fields path={path} field={field} />}
      <Wrong path={path} />
    </Section>
  );
}
function PartLink({ path, field }: { path: Path; field: Field }) {
  const v = valueNow(path);
  const n = m.problemsUnder(path).length;
  return <button type="button" class="part-link" onClick={() => selectPath(path)} title={helpOf(field.schema)}><span>{titleOf(field.name)}</span>{n > 0 && <span class="bad-count">{n}</span>}<span class="grow" /><span class="dim num">{Array.isArray(v) ? v.length : v === undefined ? "not given" : ""}</span><Icon name="right" size={12} /></button>;
}
const MOST = 60;
function Items({ path, field }: { path: Path; field: Field }) {
  const shown = useSignal(MOST);
  const v = valueNow(path);
  const list = Array.isArray(v) ? v : [];
  const item = itemField(field);
  const single = /s$/.test(field.name) ? titleOf(field.name).toLowerCase().slice(0, -1) : "";
  return (
    <div class="items">
      {path.length === 1 && <p class="help">{helpOf(field.schema)}</p>}
      {list.slice(0, shown.value).map((x, k) => <button type="button" class="part-link" onClick={() => selectPath([...path, k])}><span>{labelOf(x, item, k)}</span>{m.problemsUnder([...path, k]).length > 0 && <span class="bad-count">{m.problemsUnder([...path, k]).length}</span>}<span class="grow" /><Icon name="right" size={12} /></button>)}
      {list.length > shown.value && <button type="button" class="link" onClick={() => (shown.value += 500)}>Show more of {list.length}</button>}
      {list.length === 0 && <p class="empty">None yet.</p>}
      <div><button type="button" class="button" onClick={() => addItem(path)}><Icon name="M8 3v10M3 8h10" /> Add {single ? `${/^[aeiou]/.test(single) ? "an" : "a"} ${single}` : "one"}</button></div>
      <Wrong path={path} />
    </div>
  );
}

// ---------------------------------------------------------------- one field
function Wrong({ path }: { path: Path }) {
  const found = m.problemsAt(path);
  return <>{found.map((p) => <p class={`wrong ${p.level}`} id={`wrong-${p.field}`}>{p.message}{p.suggestion && <span class="dim"> {"\u2013"} {p.suggestion}</span>}</p>)}</>;
}
function Row({ path, field }: { path: Path; field: Field }) {
  const value = valueNow(path);
  const given = value !== undefined;
  const help = helpOf(field.schema);
  const unit = unitOf(field.schema);
  const bad = m.problemsUnder(path).length > 0;
  const wide = isPoints(field.schema) || (isNumbers(field.schema) && (field.schema.minItems ?? 9) > 2);
  return (
    <div class={`field-row ${bad ? "bad" : ""}`}>
      <div class={wide ? "row-field tall" : "row-field"}>
        <label for={idOf(path)} title={help}>{titleOf(field.name)}{field.required && <i aria-label="required" title="Required">*</i>}</label>
        <Control path={path} field={field} value={value} bad={bad} />
        {!isPoints(field.schema) && <span class="unit">{unit}</span>}
        {given && !field.required ? <button type="button" class="reset" aria-label={`Reset ${titleOf(field.name)} to its default`} title={`Given here. Reset to its default${field.schema.default === undefined ? "" : `: ${JSON.stringify(field.schema.default)}`}`} onClick={() => resetField(path)}><i /></button> : <span class="reset-space" />}
      </div>
      <p class="help">{help}</p>
      <Wrong path={path} />
      {field.schema.type === "array" && m.problemsUnder(path).filter((p) => p.field !== fieldOf(path)).slice(0, 3).map((p) => <p class={`wrong ${p.level}`}>{p.field.slice(fieldOf(path).length)} {p.message}</p>)}
    </div>
  );
}
interface ControlProps {
  path: Path;
  field: Field;
  value: unknown;
  bad: boolean;
}
function Control(p: ControlProps) {
  const { schema } = p.field;
  if (schema.enum) return <Choice {...p} options={schema.enum.map(String)} />;
  const names = namesFor(p.field);
  if (names) return <Choice {...p} options={names} />;
  if (schema.type === "boolean") return <Toggle {...p} />;
  if (isPoints(schema)) return <Points {...p} />;
  if (isNumbers(schema)) return <Numbers {...p} />;
  if (schema.type === "array") return <Words {...p} />;
  return <Text {...p} />;
}
/** Names that are known elsewhere: airframes on the server, and lists of the scenario (`flock` is one of `flocks`). */
function namesFor(f: Field): string[] | null {
  if (f.schema.type !== "string") return null;
  if (f.name === "airframe") return m.airframes.value.length ? m.airframes.value.map((a) => a.name) : null;
  const list = m.schema.value?.properties?.[`${f.name}s`];
  const given = list && isMapList(list) ? valueNow([`${f.name}s`]) : null;
  return Array.isArray(given) ? given.map((x) => asMap(x)["name"]).filter((x): x is string => typeof x === "string") : null;
}
const common = ({ path, bad }: ControlProps) => ({ id: idOf(path), "aria-invalid": bad || undefined, "aria-describedby": bad ? `wrong-${fieldOf(path)}` : undefined });

function Choice(p: ControlProps & { options: string[] }) {
  const { path, field, value } = p;
  const now = value === undefined ? "" : String(value);
  const other = field.schema.default;
  return (
    <select {...common(p)} value={now} onChange={(e) => (e.currentTarget.value === "" ? resetField(path) : setField(path, e.currentTarget.value))}>
      {(!field.required || now === "") && <option value="">{other === undefined ? "\u2013" : `${String(other)} (default)`}</option>}
      {now !== "" && !p.options.includes(now) && <option value={now}>{now}</option>}
      {p.options.map((o) => <option value={o}>{o}</option>)}
    </select>
  );
}
function Toggle(p: ControlProps) {
  const { path, field, value } = p;
  const on = value === undefined ? field.schema.default === true : value === true || /^(yes|on|true)$/i.test(String(value));
  return <span class="toggle"><input type="checkbox" {...common(p)} checked={on} onChange={(e) => setField(path, e.currentTarget.checked)} /> <span class="dim">{on ? "yes" : "no"}{value === undefined ? " (default)" : ""}</span></span>;
}
/** What is typed stays until it is left, whatever happens to the form meanwhile. */
function useTyped(now: string, commit: (typed: string) => void) {
  const typed = useSignal<string | null>(null);
  type Box = { currentTarget: HTMLInputElement | HTMLTextAreaElement };
  return {
    value: typed.value ?? now,
    onInput: (e: Box) => (typed.value = e.currentTarget.value),
    onChange: (e: Box) => {
      typed.value = null;
      commit(e.currentTarget.value);
    },
    onBlur: () => (typed.value = null),
  };
}
const shownText = (v: unknown): string => (v === undefined || v === null ? "" : typeof v === "number" ? numberText(v) : String(v));
/** As typed; a number that is not one is written all the same, and the check says so. */
function commit(path: Path, field: Field, typed: string): void {
  const text = typed.trim().replaceAll("\u2212", "-");
  if (text === shownText(valueNow(path))) return;
  if (text === "" && !field.required) return void resetField(path);
  const numeric = field.schema.type === "number" || field.schema.type === "integer";
  setField(path, numeric && isNumber(text) ? new Raw(text) : numeric ? text : typed);
}
function Text(p: ControlProps) {
  const { path, field, value } = p;
  const { schema } = field;
  const numeric = schema.type === "number" || schema.type === "integer";
  const range = slider(schema);
  const other = schema.default === undefined ? "" : shownText(schema.default);
  const long = !numeric && field.name === "description";
  const typed = useTyped(shownText(value), (t) => commit(path, field, t.replaceAll("\n", " ")));
  if (long) return <textarea {...common(p)} {...typed} rows={2} placeholder={other} />;
  return (
    <span class="entry">
      {range && <Slide path={path} field={field} range={range} value={typeof value === "number" ? value : Number(schema.default ?? Math.max(range.min, Math.min(range.max, 0)))} />}
      <input {...common(p)} {...typed} class={numeric ? "num" : ""} type="text" inputMode={numeric ? "decimal" : "text"} placeholder={other} spellcheck={false} onKeyDown={(e) => numeric && spin(e, path, field, value)} />
    </span>
  );
}
/** Up and down in a number: one step, one tenth with Alt. */
function spin(e: KeyboardEvent, path: Path, field: Field, value: unknown): void {
  const sign = e.key === "ArrowUp" ? 1 : e.key === "ArrowDown" ? -1 : 0;
  if (!sign) return;
  e.preventDefault();
  const now = Number(value ?? field.schema.default ?? 0);
  const next = Math.min(field.schema.maximum ?? Infinity, Math.max(field.schema.minimum ?? -Infinity, now + sign * (field.schema.type === "integer" || !e.altKey ? 1 : 0.1)));
  if (Number.isFinite(next)) setField(path, Number(next.toFixed(6)));
}
function Slide({ path, field, range, value }: { path: Path; field: Field; range: { min: number; max: number; step: number }; value: number }) {
  const stroke = useSignal<DragStroke | null>(null);
  const base = useSignal(m.parsed.value);
  const move = (x: number): void => {
    if (!stroke.value) {
      m.parseNow();
      base.value = m.parsed.value;
      stroke.value = new DragStroke();
    }
    const next = applied(stroke.value.base, [{ path, value: x }], base.value);
    if (next !== null) stroke.value.move(next);
  };
  const end = (): void => {
    stroke.value?.end();
    stroke.value = null;
  };
  return <input type="range" aria-label={`${titleOf(field.name)}, slider`} min={range.min} max={range.max} step={range.step} value={value} onInput={(e) => move(e.currentTarget.valueAsNumber)} onChange={end} />;
}
const AXES: Record<number, string[]> = { 2: ["E", "N"], 3: ["E", "N", "U"] };
function Numbers(p: ControlProps) {
  const { path, field, value } = p;
  const n = field.schema.minItems ?? (Array.isArray(value) ? value.length : 1);
  const now = Array.isArray(value) ? value : [];
  const other = Array.isArray(field.schema.default) ? field.schema.default : [];
  const axes = /^m(\/s)?$/.test(unitOf(field.schema)) ? AXES[n] : undefined;
  const put = (k: number, typed: string): void => {
    const text = typed.trim().replaceAll("\u2212", "-");
    if (text === "" && !field.required && now.length) return void resetField(path);
    const all = Array.from({ length: n }, (_, i): unknown => now[i] ?? other[i] ?? 0);
    all[k] = isNumber(text) ? new Raw(text) : text;
    setField(path, all);
  };
  return (
    <span class="vector">
      {Array.from({ length: n }, (_, k) => <label>{axes && <span>{axes[k]}</span>}<Cell {...(k === 0 ? common(p) : {})} aria-label={`${titleOf(field.name)} ${axes?.[k] ?? k + 1}`} placeholder={shownText(other[k])} now={shownText(now[k])} put={(t) => put(k, t)} /></label>)}
    </span>
  );
}
function Cell({ now, put, ...rest }: { now: string; put: (typed: string) => void; placeholder: string; "aria-label": string }) {
  const typed = useTyped(now, (t) => t !== now && put(t));
  return <input {...rest} {...typed} class="num" type="text" inputMode="decimal" />;
}
function Points(p: ControlProps) {
  const { path, field, value } = p;
  const shown = useSignal(MOST);
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const item = itemField(field);
  return (
    <div class="points" id={idOf(path)}>
      {list.slice(0, shown.value).map((x, k) => {
        const here = [...path, k];
        const on = fieldOf(m.selected.value) === fieldOf(here);
        return <div class={`point ${on ? "on" : ""}`} onFocusCapture={() => !on && (m.selected.value = here)}><span class="dim num">{k}</span><Numbers path={here} field={{ ...item, name: `${titleOf(field.name)} ${k}`, required: true, schema: { ...item.schema, description: field.schema.description } }} value={x} bad={false} /><button type="button" class="button icon-only" aria-label={`Remove point ${k}`} onClick={() => resetField(here)}><Icon name="close" size={12} /></button></div>;
      })}
      {list.length > shown.value && <button type="button" class="link" onClick={() => (shown.value += 500)}>Show more of {list.length}</button>}
      <button type="button" class="button" onClick={() => addItem(path, nextPoint(list))}><Icon name="M8 3v10M3 8h10" /> Add a point</button>
    </div>
  );
}
/** Behind the last one, by as much as it was behind the one before it. */
export function nextPoint(list: readonly unknown[]): number[] | undefined {
  const last = list.at(-1);
  const before = list.at(-2);
  if (!Array.isArray(last)) return undefined;
  return (last as number[]).map((x, i) => x + (Array.isArray(before) ? Math.round((x - (before as number[])[i]) * 100) / 100 : i === 0 ? 5 : 0));
}
function Words(p: ControlProps) {
  const { path, field, value } = p;
  const now = Array.isArray(value) ? value.map(String).join(", ") : shownText(value);
  const typed = useTyped(now, (t) => {
    const list = t.split(",").map((x) => x.trim()).filter(Boolean);
    if (list.length) setField(path, list);
    else if (!field.required) resetField(path);
  });
  return <input {...common(p)} {...typed} type="text" placeholder="one, two" />;
}
