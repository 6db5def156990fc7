// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The address of a view: what is shown lives in the fragment, so that a mailed file has it too and no server sees it.
export interface Route {
  page: "view" | "edit" | "library" | "picture" | "nodes";
  scenario?: string; // that is edited
  run: string; // of the library; empty: live
  time: number | "live";
  sel: string[];
  cam: string;
  eye: number[]; // azimuth and elevation in degrees, distance, east, north, up
  speed: number;
  layers: string[] | null;
  vs?: string; // the run that is compared with it
  ghost?: boolean; // over it instead of beside it
  shift?: number; // s, what the clock of that run shows more
  unknown: string[];
}
const isPlain = (page: string): page is "library" | "picture" | "nodes" => ["library", "picture", "nodes"].includes(page);
export function parseRoute(hash: string): Route {
  const route: Route = { page: "view", run: "", time: "live", sel: [], cam: "orbit", eye: [], speed: 1, layers: null, unknown: [] };
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [part = "live", id = ""] = path.split("/").filter(Boolean);
  if (isPlain(part)) route.page = part;
  else if (part === "edit") {
    route.page = part;
    route.scenario = decode(id);
  }
  else if (part === "run" && id) route.run = decode(id);
  else if (part !== "live" && part !== "file") route.unknown.push(part); // a file cannot be opened by its name
  for (const [key, value] of new URLSearchParams(query)) {
    const n = Number(value);
    if (key === "t") route.time = value === "live" || !Number.isFinite(n) ? "live" : n;
    else if (key === "sel") route.sel = value.split(",").filter(Boolean).slice(0, 1000);
    else if (key === "cam" && ["orbit", "follow", "chase", "cockpit", "top"].includes(value)) route.cam = value;
    else if (key === "eye") {
      const eye = value.split(",").map(Number);
      if (eye.length === 6 && eye.every(Number.isFinite) && eye[2] > 0) route.eye = eye;
      else route.unknown.push(key);
    } else if (key === "speed" && Number.isFinite(n)) route.speed = n;
    else if (key === "layers") route.layers = value.split(",").filter(Boolean);
    else if (key === "vs" && value) route.vs = value;
    else if (key === "as" && value === "ghost") route.ghost = true;
    else if (key === "shift" && Number.isFinite(n)) route.shift = n;
    else route.unknown.push(key);
  }
  return route;
}
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
const trim = (x: number, digits: number): string => String(Number(x.toFixed(digits)));
export function formatRoute(r: Omit<Route, "unknown">): string {
  const parts = [`t=${r.time === "live" ? "live" : r.time.toFixed(3)}`];
  if (r.sel.length && r.sel.length <= 100) parts.push(`sel=${r.sel.map(encodeURIComponent).join(",")}`);
  if (r.cam !== "orbit") parts.push(`cam=${r.cam}`);
  if (r.eye.length === 6) parts.push(`eye=${r.eye.map((x, i) => trim(x, i < 2 ? 1 : 2)).join(",")}`);
  if (r.speed !== 1) parts.push(`speed=${trim(r.speed, 4)}`);
  if (r.layers) parts.push(`layers=${r.layers.join(",")}`);
  if (r.run && r.vs) {
    parts.push(`vs=${encodeURIComponent(r.vs)}`);
    if (r.ghost) parts.push("as=ghost");
    if (r.shift) parts.push(`shift=${trim(r.shift, 4)}`);
  }
  if (r.page === "edit") return `#/edit/${encodeURIComponent(r.scenario ?? "")}`;
  return isPlain(r.page) ? `#/${r.page}` : `#/${r.run ? `run/${encodeURIComponent(r.run)}` : "live"}?${parts.join("&")}`;
}
