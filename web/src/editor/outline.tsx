// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario as a tree: its parts and the items of its lists, with the number of problems in each. One tab stop; arrows walk.
import { useRef } from "preact/hooks";
import { count } from "../app/units.ts";
import { Icon } from "../ui/icons.tsx";
import { labelOf } from "./form.tsx";
import { addItem, duplicate, remove, selectPath, valueNow } from "./hands.ts";
import * as m from "./model.ts";
import { fieldsOf, helpOf, isMapList, itemField, rootField, titleOf, type Field } from "./schema.ts";
import { fieldOf, isUnder, pathOf, samePath, type Path } from "./yaml_text.ts";

interface Node {
  path: Path;
  title: string;
  detail: string;
  level: number;
  swatch: number; // -1 none
  add: boolean; // a list that can get another item
  help: string;
}
const MOST = 200; // items of one list
const FLOCKS = "flocks"; // they have colours in the scene

export function outlineNodes(): Node[] {
  const schema = m.schema.value;
  if (!schema) return [];
  const root = rootField(schema);
  const nodes: Node[] = [{ path: [], title: String(valueNow(["name"]) ?? "Scenario"), detail: "", level: 1, swatch: -1, add: false, help: "The scenario as a whole" }];
  for (const f of fieldsOf(root)) {
    if (isMapList(f.schema)) list(nodes, f);
    else if (f.schema.type === "object") nodes.push({ path: [f.name], title: titleOf(f.name), detail: valueNow([f.name]) === undefined ? "default" : "", level: 1, swatch: -1, add: false, help: helpOf(f.schema) });
  }
  return nodes;
}
function list(nodes: Node[], f: Field): void {
  const v = valueNow([f.name]);
  const items = Array.isArray(v) ? v : [];
  nodes.push({ path: [f.name], title: titleOf(f.name), detail: String(items.length), level: 1, swatch: -1, add: true, help: helpOf(f.schema) });
  items.slice(0, MOST).forEach((x, k) => {
    const path: Path = [f.name, k];
    const n = f.name === FLOCKS ? m.preview.value?.flocks[k]?.count : undefined;
    nodes.push({ path, title: labelOf(x, itemField(f), k), detail: n === undefined ? "" : String(n), level: 2, swatch: f.name === FLOCKS ? k % 6 : -1, add: false, help: "" });
    if (isUnder(m.selected.value, path)) entries(nodes, path, x);
  });
  if (items.length > MOST) nodes.push({ path: [f.name], title: `and ${items.length - MOST} more`, detail: "", level: 2, swatch: -1, add: false, help: "" });
}
/** Of the item that is selected: the lists of maps inside it, one level down (vehicles placed one by one). */
function entries(nodes: Node[], path: Path, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [k, v] of Object.entries(value))
    if (Array.isArray(v) && v.length && typeof v[0] === "object" && !Array.isArray(v[0])) v.slice(0, MOST).forEach((x: unknown, i) => nodes.push({ path: [...path, k, i], title: labelOf(x, null, i), detail: place(x), level: 3, swatch: -1, add: false, help: "" }));
    else if (!Array.isArray(v)) entries(nodes, [...path, k], v);
}
const place = (x: unknown): string => {
  const p = (x as { position?: unknown } | null)?.position;
  return Array.isArray(p) ? p.join(", ") : "";
};

/** Problems that belong to no part of the tree but to the scenario itself. */
const ofTheWhole = (nodes: readonly Node[]): number => m.problems.value.filter((p) => !nodes.some((n) => n.path.length === 1 && pathOf(p.field)[0] === n.path[0])).length;

export function Outline() {
  const ref = useRef<HTMLDivElement>(null);
  const nodes = outlineNodes();
  const at = Math.max(0, nodes.findLastIndex((n) => isUnder(m.selected.value, n.path)));
  const go = (k: number): void => {
    const next = nodes[Math.max(0, Math.min(nodes.length - 1, k))];
    selectPath(next.path);
    setTimeout(() => ref.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <aside class="edit-outline" aria-label="Outline">
      <div class="panel-title"><h2>Outline</h2></div>
      <div class="tree" role="tree" aria-label="Parts of the scenario" ref={ref} data-region tabIndex={-1}
        onKeyDown={(e) => {
          const step = e.key === "ArrowDown" ? at + 1 : e.key === "ArrowUp" ? at - 1 : e.key === "Home" ? 0 : e.key === "End" ? nodes.length - 1 : -1;
          if (e.key === "Insert" || e.key === "+") addItem(m.selected.value.slice(0, 1));
          else if (e.key === "ArrowLeft" && nodes[at].path.length) go(nodes.findIndex((n) => samePath(n.path, nodes[at].path.slice(0, typeof nodes[at].path.at(-1) === "number" ? -1 : 0))));
          else if (step >= 0 && !e.ctrlKey) go(step);
          else return;
          e.preventDefault();
          e.stopPropagation();
        }}>
        {nodes.map((n, k) => {
          const bad = n.path.length ? m.problemsUnder(n.path).length : ofTheWhole(nodes);
          const on = k === at;
          return (
            <div key={`${fieldOf(n.path)}-${k}`} role="treeitem" aria-level={n.level} aria-selected={on} tabIndex={on ? 0 : -1} title={n.help || n.title} class={`node level-${n.level} ${on ? "on" : ""}`} onClick={() => selectPath(n.path)}>
              {n.swatch >= 0 && <span class="swatch" style={{ background: `var(--flock-${n.swatch})` }} />}
              <span class="name">{n.title}</span>
              {bad > 0 && <span class="bad-count" aria-label={count(bad, "problem", "problems")}>{bad}</span>}
              <span class="grow" />
              <span class="dim num">{n.detail}</span>
              {n.add && <button type="button" class="button icon-only" tabIndex={-1} aria-label={`Add to ${n.title.toLowerCase()}`} title={`Add to ${n.title.toLowerCase()}`} onClick={(e) => { e.stopPropagation(); addItem(n.path); }}><Icon name="M8 3v10M3 8h10" size={12} /></button>}
              {on && typeof n.path.at(-1) === "number" && <>
                <button type="button" class="button icon-only" tabIndex={-1} aria-label={`Duplicate ${n.title}`} title="Duplicate (Ctrl+D)" onClick={(e) => { e.stopPropagation(); duplicate(); }}><Icon name="M3 3h7v7H3zM6 10v3h7V6h-3" size={12} /></button>
                <button type="button" class="button icon-only" tabIndex={-1} aria-label={`Remove ${n.title}`} title="Remove (Delete)" onClick={(e) => { e.stopPropagation(); remove(); }}><Icon name="close" size={12} /></button>
              </>}
            </div>
          );
        })}
      </div>
    </aside>
  );
}
