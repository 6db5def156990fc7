// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Autopilots that fly vehicles of the run: what each one does and says, the links on which clients meet them, and how fast a run in lock-step goes.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as s from "../app/state.ts";
import { clockText, count, number, quantity } from "../app/units.ts";
import { capital } from "../app/words.ts";
import { Mark } from "../panels/inspector.tsx";
import { Line } from "../panels/line.tsx";
import { CommandButton } from "../ui/controls.tsx";
import { gradeOf, named, newMessages, readTold, type Autopilot, type Link, type Lockstep, type Message, type Told } from "./told.ts";
import "./autopilots.css";

const EVERY = 500; // ms between two looks
const SHOWN = 8; // messages

/** The latest answer of the server to `query`, asked twice a second while the component is shown; null: no answer to this query yet. */
function useTold(query: string): Told | null {
  const told = useSignal<{ query: string; told: Told } | null>(null);
  useEffect(() => {
    let over = false;
    let timer = 0;
    const look = async (): Promise<void> => {
      try {
        const answer = document.hidden ? null : await fetch(`/api/live/autopilots?${query}`);
        const now = answer?.ok ? readTold(await answer.json()) : null;
        if (now && !over) told.value = { query, told: now };
      } catch {
        // Not reachable: the banner says so, and the next look asks again.
      }
      if (!over) timer = window.setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [query]);
  return told.value?.query === query ? told.value.told : null;
}

const about = (kind: string): string => (kind === "Volary" ? "Volary's own controllers fly this vehicle. Over MAVLink it answers like PX4." : "Flight code outside of Volary flies this vehicle.");

function Said({ message: m }: { message: Message }) {
  const grade = gradeOf(m.severity);
  return (
    <li class={grade}>
      <span class="num">{clockText(m.time, 1)}</span>
      <Mark level={grade} label={m.severity} />
      <span>{grade !== "info" && <span class="severity">{capital(m.severity)}: </span>}{m.text}</span>
    </li>
  );
}

/** Warnings and worse are spoken when they come, not those that were there when the vehicle was selected. */
function useSpoken(name: string, autopilot: Autopilot | null): void {
  const heard = useRef<{ id: string; messages: Message[] } | null>(null);
  useEffect(() => {
    if (!autopilot) return;
    const before = heard.current?.id === autopilot.id ? heard.current.messages : null;
    const grave = before && newMessages(before, autopilot.messages).findLast((m) => gradeOf(m.severity) !== "info");
    heard.current = { id: autopilot.id, messages: autopilot.messages };
    if (grave) s.said.value = `${name}, ${grave.severity}: ${grave.text}`;
  }, [autopilot]);
}

export function VehicleAutopilot({ id }: { id: string }) {
  const told = useTold(`ids=${encodeURIComponent(id)}`);
  const a = told?.vehicles.find((v) => v.id === id) ?? null;
  useSpoken(s.nameOf(id), a);
  if (!a) return null;
  const messages = a.messages.slice(-SHOWN).reverse();
  return (
    <section class="autopilot" aria-labelledby="autopilot-title">
      <h3 id="autopilot-title" title={about(a.kind)}>Autopilot <span class="dim">{[a.kind, a.system > 0 ? `MAVLink system ${a.system}` : ""].filter(Boolean).join(" \u00b7 ")}</span></h3>
      <dl>
        <Line name="Mode" value={a.mode || "not known"} hint="Flight mode as ground stations call it" />
        <Line name="Armed" value={a.armed ? "yes" : "no"} />
        {a.companion && <Line name="Companion" value={a.companion} hint="What Volary does as the companion computer of the vehicle" />}
      </dl>
      {a.trouble && <p class="trouble">{`\u2715 Trouble with ${a.kind || "the autopilot"}: ${a.trouble}.`}</p>}
      <div class="buttons orders">
        <CommandButton id={a.armed ? "mode.disarm" : "mode.arm"}>{a.armed ? "Disarm" : "Arm"}</CommandButton>
        <CommandButton id="mode.take_off">Take off</CommandButton>
        <CommandButton id="mode.return">Return</CommandButton>
      </div>
      <h3 id="said-title">Status texts</h3>
      {messages.length ? <ul class="said" aria-labelledby="said-title">{messages.map((m) => <Said message={m} />)}</ul> : <p class="dim note">The autopilot has said nothing yet.</p>}
    </section>
  );
}

const linkKind = (state: string): string => (state === "connected" ? "ok" : state === "listening" ? "" : "warn");
const rate = (perSecond: number): string => number(perSecond, perSecond < 9.95 ? 1 : 0);

function LinkPart({ link: l }: { link: Link }) {
  return (
    <div class="mav-link">
      <div class="head"><code title={l.address}>{l.address}</code><span class="grow" /><span class={`badge ${linkKind(l.state)}`}>{l.state}</span></div>
      <dl>
        <Line name="Heard from" value={l.peers.length ? named(l.peers, 1) : "none"} hint={l.peers.join(", ") || "No peer has sent a frame in the last 5 s"} />
        <Line name="Frames received" value={rate(l.receivedRate)} unit="/s" />
        <Line name="Frames sent" value={rate(l.sentRate)} unit="/s" />
        <Line name="Lost, bad, refused" value={[l.lost, l.bad, l.refused].map((n) => number(n, 0)).join(", ")} hint="Frames that did not arrive, frames with a wrong checksum, and frames that were not signed as they must be or spoke for a vehicle" />
        {l.dropped > 0 && <Line name="Dropped" value={number(l.dropped, 0)} hint="Frames that the line did not take, because the other end does not read" />}
        <Line name="Signed" value={l.signed ? "yes" : "no"} hint="Whether messages are signed with a key, and others refused" />
      </dl>
    </div>
  );
}

function LockstepPart({ state: l }: { state: Lockstep }) {
  return (
    <section class="lockstep" aria-label={`Lock-step: ${l.kind}`}>
      <dl>
        <h3>Lock-step: {l.kind}</h3>
        <Line name="Vehicles" value={number(l.vehicles, 0)} hint="Vehicles that autopilots of this kind fly" />
        {l.gone > 0 && <div class="line" title="Autopilots that have ended or do not answer"><dt>Autopilots gone</dt><dd class="num bad">{number(l.gone, 0)}<span class="unit" /></dd></div>}
        <Line name="Exchanges" value={rate(l.rate)} unit="/s" hint="How often all autopilots get their sensors and answer, per second of real time" />
        <Line name="Against real time" value={number(l.factor, 2)} unit={"\u00d7"} hint="Simulated seconds per second" />
        <Line name="Wait per exchange" value={number(l.wait * 1e3, 2)} unit="ms" hint="Mean time until all autopilots have answered" />
        {l.slowest && <Line name="Slowest" value={`${l.slowest}, ${quantity(l.slowestWait * 1e3, 2, "ms")}`} hint="The vehicle whose autopilot answers last, and its mean time" />}
      </dl>
      {l.waitingFor.length > 0 && <p class="waits" role="status">{`\u26a0 The run waits for ${named(l.waitingFor)}.`}</p>}
    </section>
  );
}

export function RunAutopilots() {
  const told = useTold("limit=1");
  if (!told) return null;
  return (
    <>
      {told.lockstep.map((l) => <LockstepPart state={l} />)}
      {told.links.length > 0 && (
        <section aria-labelledby="links-title">
          <h3 id="links-title">MAVLink links <span class="dim">{`${count(told.total, "vehicle", "vehicles")} with autopilots`}</span></h3>
          {told.links.map((l) => <LinkPart link={l} />)}
        </section>
      )}
    </>
  );
}
