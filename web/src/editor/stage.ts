// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hands on the scene of the editor: handles are dragged, tools place and draw. All of it ends in edits of the text; while something moves
// the picture follows at once and the server's word comes after.
import { effect, untracked } from "@preact/signals";
import { select } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { nearest } from "../scene/pick.ts";
import type { Preview } from "./api.ts";
import type { Problem } from "./check.ts";
import { DragStroke, edit } from "./code.ts";
import { applied, editable, selectPath, setFields } from "./hands.ts";
import { handlesOf, type Edit, type Ground, type Handle, type V3 } from "./handles.ts";
import * as m from "./model.ts";
import { PreviewSource } from "./preview.ts";
import { fieldAt } from "./schema.ts";
import { circle, drawStage, knob, readColours, spotOfProblem } from "./stage_draw.ts";
import { listOf, Pen, pointsOf, shapes } from "./tools.ts";
import { isUnder, parse, removeIn, samePath, setQuickly, type Parsed, type Path } from "./yaml_text.ts";

const NEAR = 13; // px
interface Drag {
  handle: Handle;
  stroke: DragStroke;
  base: Parsed;
  at: V3; // unsnapped
  last: [number, number];
  moved: boolean;
  typed: string;
  edits: Edit[];
}
export interface Stage {
  readonly source: PreviewSource;
  show(p: Preview): void;
  points(): number[];
  shapes(): string[];
  may(tool: string): true | string;
  nudge(d: V3): void;
  removeMany(): boolean;
  marked(p: Problem): boolean; // at its own place in the scene
  giveUp(): boolean;
  close(): void;
}

export function startStage(host: HTMLElement): Stage {
  const source = new PreviewSource();
  const canvas = document.createElement("canvas");
  canvas.className = "edit-stage";
  host.append(canvas);
  const context = canvas.getContext("2d")!;
  let handles: Handle[] = [];
  let drag: Drag | null = null;
  let waiting: Preview | null = null; // came while something was in the hand
  let held = "";
  let hint = "";
  let hintAt: [number, number] = [0, 0];
  let dirty = true;
  let drawn = -1;
  let colours = readColours();
  let syncing = false;

  // ------------------------------------------------------------ the world and the screen
  const project = (p: V3): [number, number] | null => s.hot.picture?.project(p[0], p[1], p[2]) ?? null;
  const ground = (): Ground => ({ value: m.good.value.value, preview: m.preview.value, has: (path: Path) => new Set(Object.keys((m.schema.value && fieldAt(m.schema.value, path)?.schema.properties) ?? {})) });
  const pointer = (e: PointerEvent): [number, number] => {
    const r = host.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };
  const groundAt = (x: number, y: number, z: number): V3 | null => s.hot.picture?.groundAt(x, y, z) ?? null;
  const floor = (): number => m.preview.value?.ground ?? 0;
  /** Pixels upwards for a metre of height, never so few that a drag leaps. */
  function lift(at: V3): number {
    const [a, b] = [project(at), project([at[0], at[1], at[2] + 1])];
    return a && b ? Math.max(4, a[1] - b[1]) : 20;
  }
  function redraw(): void {
    dirty = true;
  }
  const pen = new Pen({ project, groundAt, floor });

  // ------------------------------------------------------------ handles
  function refresh(): void {
    handles = editable() === true ? handlesOf(ground(), m.selected.value) : [];
    const d = drag;
    // A large text is not parsed while something moves: what is held shows where the hand is.
    if (d && m.parsed.value.text !== m.text.value) handles = handles.map((h) => (h.key === d.handle.key && h.role !== "turn" ? { ...h, at: d.at } : h));
    redraw();
  }
  function handleAt(x: number, y: number): Handle | null {
    let best: Handle | null = null;
    let least = NEAR;
    for (const h of handles) {
      const at = knob(h, project);
      const d = at ? Math.hypot(at[0] - x, at[1] - y) - (h.role === "turn" ? 2 : 0) : Infinity;
      if (d < least) [best, least] = [h, d];
    }
    return best ?? vehicleAt(x, y);
  }
  /** A vehicle that is written one by one can be taken where it is drawn. */
  function vehicleAt(x: number, y: number): Handle | null {
    const picture = s.hot.picture;
    const k = picture ? nearest(picture.view.screen, s.hot.frame.n, x, y, NEAR) : -1;
    const whose = k < 0 ? null : source.whose(s.hot.frame.roster.ids[k]);
    if (!whose || editable() !== true) return null;
    const list = listOf(whose.flock);
    return list && (handlesOf(ground(), [...list, whose.index]).find((h) => h.role === "move" && h.path[4] === whose.index && h.path.length === 5) ?? null);
  }
  function begin(h: Handle, x: number, y: number): void {
    m.parseNow();
    const out = h.role === "turn" ? groundAt(...(knob(h, project) ?? [x, y]), h.at[2]) : null;
    drag = { handle: h, stroke: new DragStroke(), base: m.parsed.value, at: out ?? [...h.at], last: [x, y], moved: false, typed: "", edits: [] };
    held = h.key;
    m.hand.busy = true;
    if (!samePath(h.path, m.selected.value) && (h.role === "point" || typeof h.path.at(-1) === "number")) selectPath(h.path);
  }
  function move(x: number, y: number, shift: boolean, alt: boolean): void {
    const d = drag!;
    const h = d.handle;
    if (h.role === "height" || (shift && (h.role === "move" || h.role === "point"))) d.at[2] -= (y - d.last[1]) / lift(d.at);
    else {
      const [a, b] = [groundAt(...d.last, h.at[2]), groundAt(x, y, h.at[2])];
      if (a && b) d.at = [d.at[0] + b[0] - a[0], d.at[1] + b[1] - a[1], d.at[2]];
    }
    d.last = [x, y];
    hintAt = [x, y];
    if (!d.typed) put(h.put(d.at, alt));
  }
  function put(edits: Edit[]): void {
    const d = drag!;
    if (!edits.length) return;
    const next = setQuickly(d.base, edits, m.order);
    if (next === null) return;
    d.moved = true;
    d.edits = edits;
    d.stroke.move(next);
    source.ghost = d.handle.ghost?.(d.at, edits) ?? null;
    hint = d.typed || d.handle.numbers(edits);
    s.redraw();
    refresh();
  }
  function end(keep: boolean): void {
    const d = drag;
    if (!d) return;
    drag = null;
    m.hand.busy = false;
    hint = "";
    held = "";
    const proved = keep && (!d.moved || applied(d.stroke.base, d.edits, d.base) === m.text.value);
    if (proved) d.stroke.end();
    else {
      if (keep) s.notify("warn", "This is written in a way that only the text itself can change.");
      d.stroke.cancel();
      source.ghost = null;
    }
    m.textChanged(m.text.value, false);
    if (!d.moved && keep) selectPath(d.handle.path);
    if (waiting) show(waiting);
    s.redraw();
    refresh();
  }
  /** Digits while something is in the hand are its numbers: `12`, or `12 -3` for east and north. */
  function typeNumber(e: KeyboardEvent): boolean {
    const d = drag;
    if (!d) return false;
    if (e.key === "Enter") end(true);
    else if (e.key === "Escape") end(false);
    else if (e.key === "Backspace") d.typed = d.typed.slice(0, -1);
    else if (/^[\d.,\- ]$/.test(e.key)) d.typed += e.key === "," ? " " : e.key;
    else return e.key !== "Shift" && e.key !== "Alt" && e.key !== "Control";
    const numbers = (d.typed.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    if (drag && numbers.length) put(d.handle.type(numbers));
    return true;
  }

  // ------------------------------------------------------------ listening, before the camera does
  const onHandle = (e: Event): boolean => (e.target as HTMLElement).closest("button, input, select, .card, .goto, .banner, .notice, a") === null;
  let working = -1; // the pointer that a tool has
  const down = (e: PointerEvent): void => {
    if (e.button !== 0 || !onHandle(e) || e.pointerType === "touch" || e.ctrlKey || e.metaKey) return;
    const [x, y] = pointer(e);
    if (m.tool.value !== "select") {
      if (editable() !== true || !pen.down(x, y, e.altKey)) return;
      working = e.pointerId;
    } else {
      const h = handleAt(x, y);
      if (!h || (e.shiftKey && h.role !== "move" && h.role !== "point")) return;
      begin(h, x, y);
    }
    host.setPointerCapture(e.pointerId);
    (document.activeElement as HTMLElement | null)?.blur?.();
    host.focus({ preventScroll: true });
    e.preventDefault();
    e.stopImmediatePropagation();
  };
  const moved = (e: PointerEvent): void => {
    const [x, y] = pointer(e);
    if (drag) {
      if (drag.moved || Math.hypot(x - drag.last[0], y - drag.last[1]) > 3) move(x, y, e.shiftKey, e.altKey);
      e.stopImmediatePropagation();
      return;
    }
    if (m.tool.value !== "select") {
      hintAt = [x, y];
      hint = pen.move(x, y, e.altKey);
      redraw();
      if (working === e.pointerId) e.stopImmediatePropagation();
      return;
    }
    const h = e.buttons || e.pointerType === "touch" ? null : handleAt(x, y);
    if ((h?.key ?? "") !== held) {
      held = h?.key ?? "";
      redraw();
    }
    host.classList.toggle("grab", h !== null);
  };
  const up = (e: PointerEvent): void => {
    if (drag) {
      end(true);
      e.stopImmediatePropagation();
    } else if (working === e.pointerId) {
      working = -1;
      pen.up(...pointer(e), e.altKey);
      redraw();
      e.stopImmediatePropagation();
    }
  };
  const lost = (e: PointerEvent): void => {
    if (drag) end(false);
    if (working === e.pointerId) working = -1;
    pen.drop();
  };
  const twice = (e: MouseEvent): void => {
    pen.finish();
    redraw();
    e.stopImmediatePropagation();
  };
  const key = (e: KeyboardEvent): void => {
    const typing = e.target instanceof HTMLElement && e.target.closest("input, textarea, select, .cm-editor, dialog") !== null;
    if (drag ? typeNumber(e) : e.key === "Enter" && !typing && pen.finish()) {
      redraw();
      e.preventDefault();
      e.stopImmediatePropagation();
    }
  };
  const options = { capture: true };
  host.addEventListener("pointerdown", down, options);
  host.addEventListener("pointermove", moved, options);
  host.addEventListener("pointerup", up, options);
  host.addEventListener("pointercancel", lost, options);
  host.addEventListener("dblclick", twice, options);
  window.addEventListener("keydown", key, options);

  // ------------------------------------------------------------ selection of the page and of the text are one
  function fromScene(): void {
    const { primary, ids } = s.selection.value;
    if (syncing) return;
    untracked(() => follow(primary, ids.size));
  }
  function follow(primary: string | null, n: number): void {
    const whose = primary === null ? null : source.whose(primary);
    if (!whose) {
      if (n === 0 && m.selected.peek()[0] === "flocks") selectPath([]);
      return;
    }
    const list = listOf(whose.flock);
    const path: Path = list ? [...list, whose.index] : ["flocks", whose.flock];
    if (!isUnder(m.selected.peek(), path)) selectPath(path);
  }
  function toScene(): void {
    const [list, flock, , , index] = m.selected.value;
    void m.preview.value;
    syncing = true;
    const now = s.selection.peek();
    const one = list === "flocks" && typeof flock === "number" && typeof index === "number" ? source.idOf(flock, index) : null;
    // A whole flock shows itself by its handles; one of its vehicles that was clicked stays marked.
    if (one !== null) {
      if (!now.ids.has(one)) untracked(() => select([one]));
    } else if (now.ids.size && (list !== "flocks" || now.primary === null || source.whose(now.primary)?.flock !== flock)) untracked(() => select([]));
    syncing = false;
  }
  function show(p: Preview): void {
    if (drag?.handle.ghost) {
      waiting = p;
      return;
    }
    waiting = null;
    source.ghost = null;
    source.show(p, s.scope.peek());
    s.redraw();
    refresh();
  }

  const stop = [
    effect(() => void (m.selected.value, m.good.value, m.preview.value, m.broken.value, m.schema.value, refresh())),
    effect(() => void (m.problems.value, m.stale.value, redraw())),
    effect(() => {
      void s.theme.value;
      setTimeout(() => {
        colours = readColours();
        redraw();
      });
    }),
    effect(() => {
      host.classList.toggle("tool", m.tool.value !== "select");
      pen.clear();
      if (m.tool.value === "select") hint = "";
      redraw();
    }),
    effect(fromScene),
    effect(toScene),
  ];
  let going = true;
  const loop = (): void => {
    if (!going) return;
    requestAnimationFrame(loop);
    const frames = s.hot.picture?.frames ?? 0;
    if (!dirty && frames === drawn) return;
    dirty = false;
    drawn = frames;
    const device = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [host.clientWidth, host.clientHeight];
    if (canvas.width !== Math.round(w * device) || canvas.height !== Math.round(h * device)) [canvas.width, canvas.height] = [Math.round(w * device), Math.round(h * device)];
    context.setTransform(device, 0, 0, device, 0, 0);
    drawStage(context, { width: w, height: h, project, colours, preview: m.preview.peek(), value: m.good.peek().value, selected: m.selected.peek(), handles, held, problems: m.problems.peek(), pen: pen.outline(), closed: pen.closed, cursor: pen.cursor, hint, hintAt, stale: m.stale.peek() });
  };
  requestAnimationFrame(loop);

  return {
    source,
    show,
    points: () => {
      const p = m.preview.peek();
      const w = source.world;
      if (!p || !w) return [];
      const starts = p.flocks.flatMap((f) => f.starts.slice(0, 2000).flatMap(([e, n, u]) => [e, n, u]));
      const far = p.flocks.flatMap((f) => f.centres.slice(0, 1).flatMap((c) => f.curve.flatMap((q) => [q[0] + c[0], q[1] + c[1], q[2] + c[2]])));
      return [...starts, ...far, ...w.regions.flatMap((r) => (r.radius ? circle([r.centre[0], r.centre[1], p.ground], r.radius).flat() : r.corners.flatMap((q) => [q[0], q[1], p.ground])))];
    },
    shapes,
    may: (tool) => (tool === "waypoint" && !pointsOf() ? "select a flock whose mission has points" : editable()),
    nudge(d) {
      const mine = handles.filter((h) => h.role === "move" || h.role === "point");
      const h = mine.find((x) => samePath(x.path, m.selected.value)) ?? mine.find((x) => x.role === "move");
      if (!h) return s.notify("info", "Select something that has a place first.", [], 3);
      setFields(h.put([h.at[0] + d[0], h.at[1] + d[1], h.at[2] + d[2]], true));
    },
    removeMany() {
      const list = [...s.selection.value.ids].map((id) => source.whose(id)).filter((w) => w !== null);
      const home = list.length > 1 && m.selected.value.length > 2 ? listOf(list[0].flock) : null;
      if (!home || list.some((w) => w.flock !== list[0].flock)) return false;
      let text: string | null = m.parsed.value.text;
      for (const index of list.map((w) => w.index).sort((a, b) => b - a)) text = text === null ? null : removeIn(parse(text), [...home, index]);
      m.selected.value = ["flocks", list[0].flock];
      return edit(text);
    },
    marked: (p) => spotOfProblem(p, { preview: m.preview.value, value: m.good.value.value }) !== null,
    giveUp() {
      if (drag) return (end(false), true);
      redraw();
      return pen.drop();
    },
    close() {
      going = false;
      stop.forEach((f) => f());
      if (drag) end(false);
      host.removeEventListener("pointerdown", down, options);
      host.removeEventListener("pointermove", moved, options);
      host.removeEventListener("pointerup", up, options);
      host.removeEventListener("pointercancel", lost, options);
      host.removeEventListener("dblclick", twice, options);
      window.removeEventListener("keydown", key, options);
      host.classList.remove("grab", "tool");
      canvas.remove();
    },
  };
}
