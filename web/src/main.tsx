// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the page: settings and address, the live source, the picture, the loop, and with ?test=1 the handles that tests use.
import { effect } from "@preact/signals";
import { render } from "preact";
import "./style/tokens.css";
import "./style/app.css";
import { address } from "./app/address.ts";
import { startAir } from "./app/air.ts";
import { keepBookmarks } from "./app/bookmarks.ts";
import { perform, seekTo, select } from "./app/commands.ts";
import { startControl } from "./app/control.ts";
import { setViewport } from "./app/framing.ts";
import { heldKeys, pageKeys, sceneInput } from "./app/input.ts";
import { parseRoute, type Route } from "./app/router.ts";
import { Loop } from "./app/session.ts";
import { load } from "./app/settings.ts";
import { backToLive, cameraIsGiven, dropFiles, openLibraryRun, openRecordingFile, setLive, warmUp } from "./app/sources.ts";
import * as s from "./app/state.ts";
import { detect } from "./scene/quality.ts";
import { Picture } from "./scene/renderer.ts";
import { renderables } from "./scene/renderables/all.ts";
import { LiveSource } from "./source/live.ts";
import { App } from "./ui/app.tsx";

const query = new URLSearchParams(location.search);

/** A token that came in the address is taken out of it at once, whatever follows, and exchanged for a session that scripts cannot read. */
async function login(): Promise<void> {
  const [path, rest = ""] = location.hash.replace(/^#token=/, "#?token=").split("?");
  const inside = new URLSearchParams(rest);
  const token = query.get("token") ?? inside.get("token");
  if (!token) return;
  query.delete("token");
  inside.delete("token");
  const search = query.toString();
  history.replaceState(null, "", `${location.pathname}${search ? `?${search}` : ""}${path === "#" ? "" : path}${inside.size ? `?${inside}` : ""}`);
  try {
    const answer = await fetch("api/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
    const words = answer.ok ? "" : String(((await answer.json()) as { error?: unknown }).error ?? answer.status);
    if (words) s.notify("bad", `The token was refused: ${words}.`, [], 0);
  } catch {
    // Not reachable: the source says so in its banner.
  }
}

/** A socket that is refused says nothing about the reason; the same question over HTTP does. */
async function askWhy(): Promise<void> {
  try {
    const answer = await fetch("api/version");
    if (answer.status === 401) s.connection.value = { ...s.connection.value, why: "a token is needed: open the address that volary printed, with #token=" };
  } catch {
    // Nobody is there, which the banner says already.
  }
}

function watchMedia(text: string, then: (on: boolean) => void): void {
  const m = matchMedia(text);
  then(m.matches);
  m.addEventListener("change", () => then(m.matches));
}

/** The page and the run that an address names: at the start, and when Back or Forward is pressed. */
function goWhere(first: boolean): void {
  const r = parseRoute(location.hash);
  s.page.value = r.page;
  written = location.hash;
  if (r.page === "edit") s.scenario.value = r.scenario ?? "";
  if (r.page !== "view") return;
  const now = s.shown.value;
  if (r.run && (now.kind !== "run" || now.name !== r.run)) {
    if (first) s.shown.value = { kind: "run", name: r.run };
    cameraIsGiven(r.eye.length > 0);
    void openLibraryRun(r.run, r.time === "live" ? undefined : r.time).then((shown) => {
      cameraIsGiven(false);
      if (shown) goVersus(r);
    });
  } else if (!r.run && !first && now.kind !== "live" && now.kind !== "ended") backToLive();
  else goVersus(r);
}
function goVersus(r: Route): void {
  const now = s.versus.value;
  if (r.vs && (now?.kind !== "run" || now.name !== r.vs)) s.versus.value = { kind: "run", name: r.vs, mode: r.ghost ? "ghost" : "side", offset: r.shift ?? 0, from: "view" };
  else if (!r.vs && now?.kind === "run") s.versus.value = null;
}

function applyRoute(): void {
  const r = parseRoute(location.hash);
  if (r.unknown.length) s.notify("info", `Parts of the address were not understood: ${r.unknown.join(", ")}.`);
  if (r.layers) s.settings.value = { ...s.settings.value, layers: Object.fromEntries(renderables.filter((x) => !x.fixed).map((x) => [x.id, r.layers!.includes(x.id)])) };
  if (r.sel.length) select(r.sel, r.sel[0]);
  if (r.eye.length) {
    const [az, el, distance, e, n, u] = r.eye;
    s.hot.camera = { mode: "orbit", azimuth: (az * Math.PI) / 180, elevation: (el * Math.PI) / 180, distance, target: [e, n, u] };
    s.hot.keepFitting = false;
  }
  if (r.cam !== "orbit") {
    s.hot.camera = { ...s.hot.camera, mode: r.cam as typeof s.hot.camera.mode };
    s.cameraMode.value = s.hot.camera.mode;
    s.followed.value = r.cam === "top" ? null : (r.sel[0] ?? null);
  }
  if (r.time !== "live" && !r.run) pendingTime = r.time;
}
let pendingTime: number | null = null;

let written = "";
function writeRoute(): void {
  if (pendingTime !== null && s.hot.extent.last >= pendingTime) {
    seekTo(pendingTime);
    pendingTime = null;
  }
  if (s.opening.value || (s.page.value === "view" && (pendingTime !== null || !s.world.value))) return;
  const hash = address(false);
  if (hash === written) return;
  // Another page or another run is a step that Back undoes; all else is the same step.
  const path = (h: string): string => [parseRoute(h).page, parseRoute(h).run, parseRoute(h).vs, parseRoute(h).scenario].join();
  if (path(hash) === path(written)) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  written = hash;
}

/** A recording that came inside the page (`volary replay FILE --export html OUT`): no server is asked for anything. */
async function openInside(element: HTMLElement): Promise<void> {
  const text = atob(element.textContent ?? "");
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  element.remove();
  if (await openRecordingFile(new File([bytes], "recording"))) perform("time.play");
}

async function start(): Promise<void> {
  s.settings.value = load();
  const wish = query.get("theme");
  if (wish === "light" || wish === "dark") s.settings.value = { ...s.settings.value, theme: wish };
  watchMedia("(prefers-color-scheme: dark)", (on) => (s.systemDark.value = on));
  watchMedia("(prefers-reduced-motion: reduce)", (on) => (s.hot.still = on));
  effect(() => {
    document.documentElement.dataset["theme"] = s.theme.value;
  });
  if (!document.getElementById("recording")) await login();
  const measure = (): void => {
    s.width.value = innerWidth;
  };
  measure();
  addEventListener("resize", measure);
  s.quality.value = detect(query.get("quality"));
  const inside = document.getElementById("recording");
  const source = inside ? null : new LiveSource(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  if (source) {
    goWhere(true);
    setLive(source);
    source.on((c) => c.kind === "connection" && !c.up && !s.connection.value.ever && void askWhy());
  }
  applyRoute();
  if (s.quality.value === "flat") {
    s.hot.camera = { ...s.hot.camera, mode: "top" };
    s.cameraMode.value = "top";
  }

  const mount = (host: HTMLElement): ((p: [number, number, number]) => [number, number] | null) => {
    const picture = new Picture(host, s.quality.value);
    picture.flat = query.get("paint") === "flat";
    const loop = new Loop(picture);
    const box = document.createElement("div");
    box.className = "box";
    host.append(box);
    const size = (): void => {
      const v = { width: Math.max(1, host.clientWidth), height: Math.max(1, host.clientHeight) };
      setViewport(v);
      loop.resize();
      const edge = host.getBoundingClientRect();
      picture.keepOut = [...host.querySelectorAll<HTMLElement>(".tools, .card, .scale, .banner, .goto")].map((e) => {
        const r = e.getBoundingClientRect();
        return { x: r.left - edge.left, y: r.top - edge.top, w: r.width, h: r.height };
      });
    };
    new ResizeObserver(size).observe(host);
    setInterval(size, 1000);
    size();
    sceneInput(host, picture, (b) => {
      box.style.display = b ? "block" : "none";
      if (b) Object.assign(box.style, { left: `${Math.min(b.x0, b.x1)}px`, top: `${Math.min(b.y0, b.y1)}px`, width: `${Math.abs(b.x1 - b.x0)}px`, height: `${Math.abs(b.y1 - b.y0)}px` });
    });
    if (query.get("test") === "1") void import("./app/testing.ts").then((t) => t.offerTests(picture, loop, source));
    return (p) => picture.project(p[0] - s.hot.frame.origin[0], p[1] - s.hot.frame.origin[1], p[2] - s.hot.frame.origin[2]);
  };
  const root = document.getElementById("app")!;
  root.textContent = "";
  render(<App mount={mount} />, root);
  if (inside) void openInside(inside);
  pageKeys();
  keepBookmarks();
  dropFiles();
  addEventListener("hashchange", () => goWhere(false));
  effect(() => {
    void [s.page.value, s.scenario.value, s.shown.value, s.versus.value?.name];
    setTimeout(writeRoute);
  });
  setTimeout(warmUp, 3000);
  startControl();
  if (!inside) startAir();
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    heldKeys(Math.min(0.1, (now - last) / 1000));
    last = now;
  }, 30);
  setInterval(writeRoute, 500);
}
void start();
