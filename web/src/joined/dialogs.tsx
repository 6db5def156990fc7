// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Dialogs that give a platform a pose and a reaction to pushes. Units and bounds are those of the server.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ids, send } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { count, degrees } from "../app/units.ts";
import { capital } from "../app/words.ts";
import { pitch, roll, yaw } from "../source/history.ts";
import { Modal } from "../ui/modal.tsx";
import { bodyOf } from "./body.ts";
import { DOES, fieldsOf, KINDS, onOneLine, reactionFields, readAsked, type Asked } from "./inputs.ts";
import "./joined.css";
import { PUSHES, REACTS, type ReactionKind } from "./told.ts";

const close = (): void => {
  s.dialog.value = "";
};
const title = (who: readonly string[]): string => (who.length === 1 ? s.nameOf(who[0]) : count(who.length, "platform", "platforms"));
const round = (x: number, digits: number): number => Number(x.toFixed(digits)) || 0;

/** What the server asks for; null: it is on its way. */
function useAsked(kind: "pose" | "reaction"): Asked[] | "missing" | null {
  const [asked, setAsked] = useState<Asked[] | "missing" | null>(null);
  useEffect(() => {
    void fetch("/api/schema")
      .then(async (answer) => setAsked((answer.ok && readAsked(await answer.json(), kind)) || "missing"))
      .catch(() => setAsked("missing"));
  }, []);
  return asked;
}

function Numbers({ asked, values, set }: { asked: readonly Asked[]; values: readonly number[]; set: (values: number[]) => void }) {
  return (
    <div class="numbers">
      {asked.map((a, k) => (
        <label>
          <span>{a.title}</span>
          <input class="num" type="number" step="any" required min={a.min} max={a.max} value={values[k]}
            onInput={(e) => set(values.map((x, i) => (i === k ? e.currentTarget.valueAsNumber : x)))} />
          <span class="dim">{a.unit}</span>
        </label>
      ))}
    </div>
  );
}
/** It takes the focus when it comes: it is not there yet when the dialog opens. */
function Form({ go, submit, children }: { go: string; submit: () => void; children: ComponentChildren }) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>("select, input")?.focus(), []);
  return (
    <form ref={ref} onSubmit={(e) => { e.preventDefault(); close(); submit(); }}>
      {children}
      <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={close}>Cancel</button><button class="button primary">{go}</button></div>
    </form>
  );
}
function Frame({ label, who, asked, children }: { label: string; who: readonly string[]; asked: Asked[] | "missing" | null; children: ComponentChildren }) {
  return (
    <Modal label={label}>
      <h2>{label} of {title(who)}</h2>
      {Array.isArray(asked) ? children : (
        <>
          <p>{asked ? "The server does not tell the fields of this input." : "Asking the server\u2026"}</p>
          <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={close}>Close</button></div>
        </>
      )}
    </Modal>
  );
}

/** Where it is now. */
function presentPose(id: string): number[] {
  const k = s.slotOf(id);
  const f = s.hot.frame;
  if (k < 0) return [0, 0, 0, 0, 0, 0];
  return [...[0, 1, 2].map((i) => round(f.position[3 * k + i] + f.origin[i], 2)), ...[roll, pitch, yaw].map((angle) => round(degrees(angle(f.attitude, 4 * k)), 1))];
}
export function PoseDialog() {
  const [who] = useState(() => [s.selection.value.primary!]);
  const [values, setValues] = useState(() => presentPose(who[0]));
  const asked = useAsked("pose");
  const line = onOneLine(bodyOf(s.flockOf(who[0]))?.parts.map((p) => p.joint) ?? []);
  const submit = (): void => {
    void send("input", { kind: "pose", ids: who, fields: fieldsOf(asked as Asked[], values) }, `${s.nameOf(who[0])} flies to its pose.`);
  };
  return (
    <Frame label="Pose" who={who} asked={asked}>
      <Form go="Fly there" submit={submit}>
        {Array.isArray(asked) && <Numbers asked={asked} values={values} set={setValues} />}
        <p class="dim">Position of the central body in the world, and its roll (right side down), pitch (nose down) and yaw (from east towards north).{line && " The joints of this platform lie on one line: no thrust turns it about that line."}</p>
      </Form>
    </Frame>
  );
}

/** What is commanded now, of the first selected vehicle. */
function presentReaction(id: string): { kind: ReactionKind; wrench: number[] } {
  const now = s.hot.joined?.now(id);
  const at = 6 * PUSHES.indexOf("commanded");
  return { kind: now?.reaction ?? "stiff", wrench: [0, 1, 2, 3, 4, 5].map((k) => round(now?.pushes[at + k] ?? 0, 3)) };
}
export function ReactionDialog() {
  const [who] = useState(ids);
  const [now] = useState(() => presentReaction(s.selection.value.primary!));
  const [kind, setKind] = useState(now.kind);
  const [wrench, setWrench] = useState(now.wrench);
  const asked = useAsked("reaction");
  const submit = (): void => {
    const fields = reactionFields(kind, kind === "press" ? fieldsOf(asked as Asked[], wrench) : {});
    void send("input", { kind: "reaction", ids: who, fields }, `${title(who)}: ${REACTS[kind]}.`);
  };
  return (
    <Frame label="Reaction" who={who} asked={asked}>
      <Form go="Set" submit={submit}>
        <label class="form">
          To pushes{" "}
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value as ReactionKind)}>
            {KINDS.map((k) => <option value={k}>{capital(k)}</option>)}
          </select>
        </label>
        {kind === "press" && Array.isArray(asked) && <Numbers asked={asked} values={wrench} set={setWrench} />}
        <p class="dim">{DOES[kind]}{kind === "press" && " Let it touch its surroundings first, for example by a pose."}</p>
      </Form>
    </Frame>
  );
}
