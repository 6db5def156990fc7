// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page: regions and their sizes. Below 720 px the panels become a sheet.
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { set } from "../app/commands.ts";
import * as s from "../app/state.ts";
import { Fleet } from "../panels/fleet.tsx";
import { Inspector } from "../panels/inspector.tsx";
import { TopBar } from "../panels/topbar.tsx";
import { Timeline, Transport } from "../timeline/timeline.tsx";
import { ContextMenu, Dialogs } from "./dialogs.tsx";
import { Icon } from "./icons.tsx";
import { Caption, Cockpit, Connecting, ControlBanner, FlatBanner, GotoMark, GotoPanel, Notices, SceneFoot, SceneTools, TryThis } from "./scene_ui.tsx";

export type SceneMount = (host: HTMLElement) => (p: [number, number, number]) => [number, number] | null;

function Scene({ mount }: { mount: SceneMount }) {
  const host = useRef<HTMLElement>(null);
  const project = useRef<((p: [number, number, number]) => [number, number] | null) | null>(null);
  useEffect(() => {
    project.current = mount(host.current!);
  }, []);
  return (
    <section id="scene" class={`scene ${s.connection.value.up || !s.connection.value.ever || s.replaying.value ? "" : "grey"}`} ref={host} inert={s.page.value === "library"} tabIndex={0} data-region role="application" aria-label="The swarm in space" aria-describedby="caption">
      <Caption />
      <GotoMark project={(p) => project.current?.(p) ?? null} />
      <SceneTools />
      <Cockpit />
      <FlatBanner />
      <ControlBanner />
      <Connecting />
      <GotoPanel />
      <TryThis />
      <SceneFoot />
      {s.page.value === "view" && <Notices />}
    </section>
  );
}

/** The library comes when it is first asked for; the scene stays underneath, so that coming back costs nothing. */
function LibraryPage() {
  const [page, setPage] = useState<{ Library: ComponentType } | null>(null);
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    import("../library/library.tsx").then(setPage, () => setWrong(true));
  }, []);
  return (
    <main class="library" aria-label="Library">
      {page ? <page.Library /> : <p class="empty">{wrong ? "The library could not be loaded: the server is not reachable. Reload the page when it is." : "Loading\u2026"}</p>}
      <Notices />
    </main>
  );
}

function Rail({ name, side, open }: { name: string; side: "left" | "right"; open: () => void }) {
  return <button type="button" class="rail" aria-label={`Open ${name}`} title={`Open ${name}`} onClick={open}><Icon name={side === "left" ? "right" : "left"} /><span>{name}</span></button>;
}
function Border({ side, width }: { side: "fleet" | "inspector"; width: number }) {
  return (
    <div class={`border ${side}`} role="separator" aria-orientation="vertical" aria-label={`Width of the ${side}`}
      onDblClick={() => set({ [side]: -1 })}
      onPointerDown={(e) => {
        const [x0, target] = [e.clientX, e.currentTarget];
        target.setPointerCapture(e.pointerId);
        const move = (m: PointerEvent): void => set({ [side]: Math.round(Math.max(200, Math.min(innerWidth * 0.4, width + (side === "fleet" ? m.clientX - x0 : x0 - m.clientX)))) });
        target.addEventListener("pointermove", move);
        target.addEventListener("pointerup", () => target.removeEventListener("pointermove", move), { once: true });
      }} />
  );
}

function Sheet() {
  const cycle = { peek: "half", half: "full", full: "peek" } as const;
  const start = useRef(0);
  return (
    <div class={`sheet ${s.sheet.value}`}>
      <div class="sheet-head" onPointerDown={(e) => (start.current = e.clientY)} onPointerUp={(e) => { const d = start.current - e.clientY; if (Math.abs(d) > 30) s.sheet.value = d > 0 ? (s.sheet.value === "peek" ? "half" : "full") : s.sheet.value === "full" ? "half" : "peek"; }}>
        <button type="button" class="grip" aria-label={`Panels: ${s.sheet.value}`} onClick={() => (s.sheet.value = cycle[s.sheet.value])} />
        <div class="tabs" role="tablist">
          {(["fleet", "inspector", "timeline"] as const).map((t) => <button type="button" role="tab" aria-selected={s.sheetTab.value === t} onClick={() => { s.sheetTab.value = t; if (s.sheet.value === "peek") s.sheet.value = "half"; }}>{t[0].toUpperCase() + t.slice(1)}</button>)}
        </div>
      </div>
      {s.sheet.value !== "peek" && (
        <div class="sheet-body">
          {s.sheetTab.value === "fleet" && <Fleet />}
          {s.sheetTab.value === "inspector" && <Inspector />}
          {s.sheetTab.value === "timeline" && <Timeline />}
        </div>
      )}
    </div>
  );
}

export function App({ mount }: { mount: SceneMount }) {
  const phone = s.phone.value;
  const wide = s.width.value >= 1800;
  const bare = s.bare.value;
  const kept = s.settings.value;
  const fleet = kept.fleet === 0 || (kept.fleet < 0 && s.width.value < 1280) ? 0 : kept.fleet > 0 ? kept.fleet : wide ? 320 : 280;
  const inspector = kept.inspector === 0 || (kept.inspector < 0 && s.width.value < 1000) ? 0 : kept.inspector > 0 ? kept.inspector : wide ? 400 : 340;
  const library = s.page.value === "library";
  const columns = phone || bare ? "minmax(0, 1fr)" : `${fleet || 44}px minmax(0, 1fr) ${inspector || 44}px`;
  return (
    <div class={`shell ${phone ? "phone" : ""} ${bare ? "bare" : ""}`} style={{ gridTemplateColumns: columns, ["--timeline-height" as string]: wide ? "88px" : "72px" }}>
      <a class="skip" href="#scene" onClick={(e) => { e.preventDefault(); document.getElementById("scene")?.focus(); }}>Skip to the scene</a>
      {(!bare || library) && <TopBar />}
      {!phone && !bare && (fleet ? <aside class="side fleet-side" aria-label="Fleet" inert={library}><Fleet /><Border side="fleet" width={fleet} /></aside> : <Rail name="Fleet" side="left" open={() => set({ fleet: 280 })} />)}
      <Scene mount={mount} />
      {!phone && !bare && (inspector ? <aside class="side inspector-side" aria-label="Inspector" inert={library}><Border side="inspector" width={inspector} /><Inspector /></aside> : <Rail name="Inspector" side="right" open={() => set({ inspector: 340 })} />)}
      {!bare && (
        <footer class="bottom" inert={library}>
          <Transport />
          {!phone && <Timeline />}
        </footer>
      )}
      {phone && !bare && !library && <Sheet />}
      {library && <LibraryPage />}
      <Dialogs />
      <ContextMenu />
      <div class="sr" aria-live="polite">{s.said.value}</div>
    </div>
  );
}
