// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Over the scene while somebody flies by hand: which stick does what and where it stands, why the vehicle holds, and who else flies.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hands } from "./control.ts";
import "./hands.css";
import * as s from "./state.ts";
import { count } from "./units.ts";

const WHY = { "": "", away: "Holding: this page is not in front. Click it to fly on.", unplugged: "Holding: the gamepad is gone. Any flight key goes on.", centre: "Let go of the sticks first." } as const;

function Stick({ title, up, side, keys, read }: { title: string; up: string; side: string; keys: string; read: () => [number, number] }) {
  const knob = useRef<SVGCircleElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      const [x, y] = read();
      knob.current?.setAttribute("cx", (x * 20).toFixed(1));
      knob.current?.setAttribute("cy", (-y * 20).toFixed(1));
    }, 50);
    return () => clearInterval(timer);
  }, []);
  return (
    <figure class="hand-stick">
      <svg width="64" height="64" viewBox="-32 -32 64 64" role="img" aria-label={`${title}: up and down ${up}, sideways ${side}`}>
        <circle class="rim" r="30" />
        <path class="cross" d="M0-26V26M-26 0H26" />
        <circle class="knob" ref={knob} r="9" />
      </svg>
      <figcaption><b>{title}</b><span>{"\u2195"} {up}</span><span>{"\u2194"} {side}</span><kbd>{keys}</kbd></figcaption>
    </figure>
  );
}

function Others() {
  const others = s.othersLeases.value;
  if (others.size === 0) return null;
  const here = s.selection.value.primary;
  const [first] = others;
  return <div class="plate others" role="status">{here !== null && others.has(here) ? `${s.nameOf(here)} is flown by another client.` : others.size === 1 ? `${s.nameOf(first)} is flown by another client.` : `${count(others.size, "vehicle is", "vehicles are")} flown by other clients.`}</div>;
}

function Hands() {
  void s.pulse.value;
  const mine = s.lease.value && !s.phone.value;
  const platform = s.isPlatform(s.lease.value?.id ?? null);
  const right = hands.tilts ? { up: "pitch", side: "roll" } : { up: "forward", side: "sideways" };
  return (
    <>
      <Others />
      {mine && (
        <div class="hands plate" aria-label="Sticks">
          {hands.why && <p class="why" role="status">{WHY[hands.why]}</p>}
          <div class="hand-row">
            <Stick title="Left" up="climb" side="turn" keys={"\u2191 \u2193 Q E"} read={() => [-hands.turn, hands.climb]} />
            <Stick title="Right" {...right} keys="W S A D" read={() => (hands.tilts ? [hands.roll, hands.pitch] : [-hands.left, hands.forward])} />
            <dl class="pad">
              {hands.pad ? <><dt>A</dt><dd>hold</dd><dt>B</dt><dd>release</dd>{platform && <><dt>LB</dt><dd>tilt</dd><dt>Y</dt><dd>level</dd></>}<dt>X</dt><dd>camera</dd><dt>RT</dt><dd>faster</dd><dt>Back</dt><dd>held: stop all</dd></> : <><dt>Esc</dt><dd>release</dd>{platform && <><dt>Shift</dt><dd>tilt</dd><dt>Shift+Q</dt><dd>level</dd></>}<dd class="wide dim">A gamepad is used as soon as a button on it is pressed.</dd></>}
            </dl>
          </div>
        </div>
      )}
    </>
  );
}

let shown = false;
export function showHands(): void {
  const scene = document.getElementById("scene");
  if (shown || !scene) return;
  shown = true;
  const host = document.createElement("div");
  scene.append(host);
  render(<Hands />, host);
}
