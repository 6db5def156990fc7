// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A dialog that makes a component of the selected vehicles fail, or work again. It offers what the vehicle has, as the server tells it.
import { useEffect, useState } from "preact/hooks";
import { ids, send } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { count } from "../app/units.ts";
import { capital, words } from "../app/words.ts";
import { Modal } from "../ui/modal.tsx";
import { faultArgs, fieldsOf, readFailing, type Failing, type Kind, type Values } from "./faults.ts";
import "./senses.css";

const close = (): void => {
  s.dialog.value = "";
};

function Form({ failing, who }: { failing: Failing; who: string[] }) {
  const [name, setName] = useState(failing.components[0].name);
  const [kind, setKind] = useState<Kind>(failing.components[0].kinds[0]);
  const [values, setValues] = useState<Values>({});
  const [duration, setDuration] = useState(0);
  const component = failing.components.find((c) => c.name === name)!;
  const fitting = component.kinds.includes(kind) ? kind : component.kinds[0];
  const fields = fieldsOf(fitting, component.unit);
  const chosen = Object.fromEntries(fields.map((f) => [f.name, values[f.name] ?? f.start])) as Values;
  const submit = (e: Event): void => {
    e.preventDefault();
    close();
    void send("fault", { ...faultArgs(who, name, fitting, chosen, duration) }, `${name}: ${words(fitting)}, for ${count(who.length, "vehicle", "vehicles")}.`);
  };
  return (
    <form onSubmit={submit}>
      <label class="form">
        Component{" "}
        <select autofocus value={name} onChange={(e) => { setName(e.currentTarget.value); setValues({}); }}>
          {failing.components.map((c) => <option value={c.name}>{words(c.name)}</option>)}
        </select>
      </label>
      <label class="form">
        Kind{" "}
        <select value={fitting} onChange={(e) => { setKind(e.currentTarget.value as Kind); setValues({}); }}>
          {component.kinds.map((k) => <option value={k}>{capital(words(k))}</option>)}
        </select>
      </label>
      {fields.map((f) => (
        <label class="form" key={`${name}.${fitting}.${f.name}`}>
          {f.title}{" "}
          <input class="num" type="number" step="any" required min={f.min} max={f.max} value={chosen[f.name]}
            onInput={(e) => setValues({ ...values, [f.name]: e.currentTarget.valueAsNumber })} />{" "}
          <span class="dim">{f.unit}</span>
        </label>
      ))}
      <label class="form">
        Lasts <input class="num" type="number" step="any" min="0" required value={duration} onInput={(e) => setDuration(e.currentTarget.valueAsNumber)} />{" "}
        <span class="dim">s; 0: for good</span>
      </label>
      <p class="dim">The fault is part of the recording. A component has one fault at a time: the last one.</p>
      <div class="buttons">
        <span class="grow" />
        <button type="button" class="button" onClick={close}>Cancel</button>
        <button class="button danger">Fail</button>
      </div>
    </form>
  );
}

function Now({ failing, who }: { failing: Failing; who: string[] }) {
  if (!failing.faults.length) return null;
  const end = (component: string): void => {
    close();
    void send("fault", { ...faultArgs(who, component, "none", {}, 0) }, `${component} works again.`);
  };
  return (
    <ul class="fault-now" aria-label="Faults now">
      {failing.faults.map((f) => (
        <li>
          <span>{words(f.component)}: {words(f.kind)}</span>
          <span class="grow" />
          <button type="button" class="button" onClick={() => end(f.component)}>End this fault</button>
        </li>
      ))}
    </ul>
  );
}

export function FaultDialog() {
  const [who] = useState(ids);
  const primary = s.selection.value.primary!;
  const [failing, setFailing] = useState<Failing | "missing" | null>(null);
  useEffect(() => {
    void fetch(`/api/live/vehicles/${encodeURIComponent(primary)}/senses`)
      .then(async (answer) => setFailing((answer.ok && readFailing(await answer.json())) || "missing"))
      .catch(() => setFailing("missing"));
  }, []);
  const nothing = failing !== null && failing !== "missing" && failing.components.length === 0;
  const empty = failing === "missing" ? "The server does not tell which components this vehicle has." : nothing ? "No component of this vehicle can fail." : "";
  return (
    <Modal label="Fault">
      <h2>Fault of {who.length === 1 ? s.nameOf(primary) : count(who.length, "vehicle", "vehicles")}</h2>
      {who.length > 1 && <p class="dim">Components are those of {s.nameOf(primary)}.</p>}
      {failing && failing !== "missing" && <Now failing={failing} who={who} />}
      {failing && !empty ? <Form failing={failing as Failing} who={who} /> : (
        <>
          <p>{empty || `Asking the server\u2026`}</p>
          <div class="buttons"><span class="grow" /><button type="button" class="button" onClick={close}>Close</button></div>
        </>
      )}
    </Modal>
  );
}
