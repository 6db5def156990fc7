// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page: regions and their sizes. Below 720 px the panels become a sheet.
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { set } from "../app/commands.ts";
import { t } from "../app/i18n/en.ts";
import * as s from "../app/state.ts";
import { Fleet } from "../panels/fleet.tsx";
import { Events, Inspector } from "../panels/inspector.tsx";
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
      {s.page.value !== "library" && <Notices />}
    </section>
  );
}

/** A page whose code comes when it is first asked for. */
function Lazy({ load, name }: { load: () => Promise<ComponentType>; name: string }) {
  const [page, setPage] = useState<{ Page: ComponentType } | null>(null);
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    load().then((Page) => setPage({ Page }), () => setWrong(true));
  }, []);
  return page ? <page.Page /> : <p class="empty">{wrong ? `${name} could not be loaded: the server is not reachable. Reload the page when it is.` : "Loading\u2026"}</p>;
}
/** The scene stays underneath the library, so that coming back costs nothing; the editor, the picture tool and the nodes lie around it. */
function LaterPage({ page }: { page: string }) {
  if (page === "library") return <main class="library" aria-label="Library"><Lazy name="The library" load={() => import("../library/library.tsx").then((m) => m.Library)} /><Notices /></main>;
  if (import.meta.env.MODE === "standalone") return null; // a page that was mailed has none of the others, nor their code
  if (page === "edit") return <Lazy name="The editor" load={() => import("../editor/editor.tsx").then((m) => m.Editor)} />;
  if (page === "picture") return <Lazy name="This tool" load={() => import("../picture/picture.tsx").then((m) => m.PicturePage)} />;
  return page === "nodes" ? <aside class="side" aria-label="Nodes"><Lazy name="This page" load={() => import("../nodes/nodes.tsx").then((m) => m.Nodes)} /></aside> : null;
}

/** Two runs: beside each other or one over the other. Their code comes when it is first needed. */
function Compare({ part }: { part: "Scenes" | "Side" | "Choose" }) {
  const [found, setFound] = useState<Record<"Scenes" | "Side" | "Choose", ComponentType> | null>(null);
  const fail = (): void => {
    s.versus.value = null;
    if (s.dialog.value === "versus") s.dialog.value = "";
    s.notify("bad", "Runs cannot be compared now: the server is not reachable.");
  };
  useEffect(() => {
    import("../compare/compare.tsx").then(setFound, fail);
  }, []);
  const Part = found?.[part];
  return Part ? <Part /> : null;
}

function Rail({ name, side, open }: { name: string; side: "left" | "right"; open: () => void }) {
  return <button type="button" class="rail" data-region aria-label={t.panel.open(name)} title={t.panel.open(name)} onClick={open}><Icon name={side === "left" ? "right" : "left"} /><span>{name}</span></button>;
}
function Border({ side, width }: { side: "fleet" | "inspector"; width: number }) {
  const put = (x: number): void => set({ [side]: Math.round(Math.max(200, Math.min(innerWidth * 0.4, x))) });
  return (
    <div class={`border ${side}`} role="separator" tabIndex={0} aria-orientation="vertical" aria-label={t.panel.width(side)} aria-valuenow={width} aria-valuemin={200} aria-valuemax={Math.round(innerWidth * 0.4)}
      onKeyDown={(e) => {
        const step = e.key === "ArrowLeft" ? -16 : e.key === "ArrowRight" ? 16 : 0;
        if (step) put(width + (side === "fleet" ? step : -step));
        else if (e.key === "Enter") set({ [side]: -1 });
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}
      onDblClick={() => set({ [side]: -1 })}
      onPointerDown={(e) => {
        const [x0, target] = [e.clientX, e.currentTarget];
        target.setPointerCapture(e.pointerId);
        const move = (m: PointerEvent): void => put(width + (side === "fleet" ? m.clientX - x0 : x0 - m.clientX));
        target.addEventListener("pointermove", move);
        target.addEventListener("pointerup", () => target.removeEventListener("pointermove", move), { once: true });
      }} />
  );
}

const SHEET = ["fleet", "inspector", "timeline"] as const;
const SIZES = ["peek", "half", "full"] as const;
function Sheet() {
  const start = useRef(0);
  const size = s.sheet.value;
  const to = (step: number): void => {
    s.sheet.value = SIZES[Math.max(0, Math.min(2, SIZES.indexOf(size) + step))];
  };
  const open = (tab: (typeof SHEET)[number]): void => {
    s.sheetTab.value = tab;
    if (size === "peek") s.sheet.value = "half";
  };
  const turn = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    e.stopPropagation();
    open(SHEET[(SHEET.indexOf(s.sheetTab.value) + step + 3) % 3]);
    setTimeout(() => document.getElementById(`sheet-${s.sheetTab.value}`)?.focus());
  };
  return (
    <div class={`sheet ${size}`}>
      <div class="sheet-head" onPointerDown={(e) => (start.current = e.clientY)} onPointerUp={(e) => Math.abs(start.current - e.clientY) > 30 && to(Math.sign(start.current - e.clientY))}>
        <div class="tabs" role="tablist" aria-label={t.panel.sheet} onKeyDown={turn}>
          {SHEET.map((tab) => <button type="button" role="tab" id={`sheet-${tab}`} aria-selected={s.sheetTab.value === tab} aria-controls="sheet-body" tabIndex={s.sheetTab.value === tab ? 0 : -1} onClick={() => open(tab)}>{t.panel[tab]}</button>)}
        </div>
        <button type="button" class="button icon-only" aria-label={size === "full" ? t.panel.close : t.panel.larger} aria-expanded={size !== "peek"} onClick={() => (size === "full" ? (s.sheet.value = "peek") : to(1))}><Icon name={size === "full" ? "down" : "up"} /></button>
      </div>
      {size !== "peek" && (
        <div id="sheet-body" class="sheet-body" role="tabpanel" aria-labelledby={`sheet-${s.sheetTab.value}`}>
          {s.sheetTab.value === "fleet" && <Fleet />}
          {s.sheetTab.value === "inspector" && (s.versus.value ? <Compare part="Side" /> : <Inspector />)}
          {s.sheetTab.value === "timeline" && <><Transport /><Timeline /><div class="tab-body"><Events /></div></>}
        </div>
      )}
    </div>
  );
}

/** One sentence every two seconds at most: what came meanwhile is said last. */
function Speaker() {
  const [text, setText] = useState("");
  useEffect(() => {
    let last = -Infinity;
    let timer = 0;
    return s.said.subscribe((words) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        last = performance.now();
        setText(words);
      }, Math.max(0, last + 2000 - performance.now()));
    });
  }, []);
  return <div class="sr" aria-live="polite">{text}</div>;
}

const editColumns = (width: number): string => (width < 720 ? "minmax(0, 1fr)" : width >= 1800 ? "240px minmax(0, 1fr) 840px" : width >= 1100 ? "240px minmax(0, 1fr) 440px" : "0 minmax(0, 1fr) 400px");
export function App({ mount }: { mount: SceneMount }) {
  const phone = s.phone.value;
  const wide = s.width.value >= 1800;
  const bare = s.bare.value;
  const kept = s.settings.value;
  const page = s.page.value;
  const making = page === "picture";
  const around = page === "edit" || making; // the scene is on loan
  const panels = !around && page !== "nodes" && !phone && !bare;
  const versus = around || page === "nodes" ? null : s.versus.value;
  const fleet = kept.fleet === 0 || (kept.fleet < 0 && s.width.value < (versus ? 1800 : 1280)) ? 0 : kept.fleet > 0 ? kept.fleet : wide ? 320 : 280;
  const inspector = kept.inspector === 0 || (kept.inspector < 0 && s.width.value < 1000) ? 0 : kept.inspector > 0 ? kept.inspector : wide ? 400 : 340;
  const library = page === "library";
  const edit = page === "edit";
  const columns = edit ? editColumns(s.width.value) : (making || page === "nodes") && !phone ? `minmax(0, 1fr) ${making ? "380px" : "clamp(360px, 38%, 640px)"}` : phone || bare ? "minmax(0, 1fr)" : `${fleet || 44}px minmax(0, 1fr) ${inspector || 44}px`;
  return (
    <div class={`shell ${phone ? "phone" : ""} ${bare && !around ? "bare" : ""} ${edit ? "editing" : making ? "making" : page === "nodes" ? page : ""}`} style={{ gridTemplateColumns: columns, ["--timeline-height" as string]: wide ? "88px" : "72px" }}>
      <a class="skip" href="#scene" onClick={(e) => { e.preventDefault(); document.getElementById("scene")?.focus(); }}>Skip to the scene</a>
      {(!bare || page !== "view") && <TopBar />}
      {panels && (fleet ? <aside class="side fleet-side" aria-label={t.panel.fleet} inert={library}><Fleet /><Border side="fleet" width={fleet} /></aside> : <Rail name={t.panel.fleet} side="left" open={() => set({ fleet: 280 })} />)}
      <div class={`scenes ${versus?.mode ?? ""}`}>
        <Scene mount={mount} />
        {versus && <Compare part="Scenes" />}
      </div>
      {panels && (inspector ? <aside class="side inspector-side" aria-label={t.panel.inspector} inert={library}><Border side="inspector" width={inspector} />{versus ? <Compare part="Side" /> : <Inspector />}</aside> : <Rail name={t.panel.inspector} side="right" open={() => set({ inspector: 340 })} />)}
      {page === "nodes" && <LaterPage page={page} />}
      {!bare && !around && (
        <footer class="bottom" inert={library}>
          <Transport />
          {!phone && <Timeline />}
        </footer>
      )}
      {phone && !bare && page === "view" && <Sheet />}
      {page !== "nodes" && <LaterPage key={page} page={page} />}
      <Dialogs />
      {s.dialog.value === "versus" && <Compare part="Choose" />}
      <ContextMenu />
      <Speaker />
    </div>
  );
}
