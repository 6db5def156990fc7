// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Our own icons on a 16 px grid with a 1.5 px stroke. They are decoration: the control that holds one always has a name of its own.
// A name that is itself a path is drawn as it is, so that a layer can bring its own.
const PATHS: Record<string, string> = {
  play: "M4.5 3v10l8-5z",
  pause: "M5 3v10M11 3v10",
  step: "M4 3v10l6-5zM12.5 3v10",
  back: "M12 3v10L6 8zM3.5 3v10",
  start: "M13 3v10L7 8zM3.5 3v10M5 8h2",
  live: "M3 3v10l6-5zM9 3v10l6-5z",
  search: "M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM10.5 10.5 14 14",
  sun: "M8 11a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.8-1.1 1.8M8 12.5v.5",
  grid: "M2 5.5h12M2 10.5h12M5.5 2v12M10.5 2v12",
  trail: "M2 13c4 0 2-6 6-6s3 4 6-4",
  label: "M2 5h8l4 3-4 3H2z",
  goal: "M8 12.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zM8 9.2A1.2 1.2 0 1 1 8 6.8 1.2 1.2 0 0 1 8 9.2z",
  shadow: "M8 2 5 6h6zM3 12c0-1 2-2 5-2s5 1 5 2-2 2-5 2-5-1-5-2z",
  dart: "M8 2l5 11-5-3-5 3z",
  orbit: "M8 10a2 2 0 1 1 0-4 2 2 0 0 1 0 4zM1.5 8c0-1.7 3-3 6.5-3s6.5 1.3 6.5 3-3 3-6.5 3-6.5-1.3-6.5-3z",
  follow: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4M8 9a1 1 0 1 1 0-2 1 1 0 0 1 0 2z",
  chase: "M8 3l3 5H5zM4 13l4-3 4 3",
  cockpit: "M2 9a6 6 0 0 1 12 0M2 9h4l1 2h2l1-2h4M8 5v2",
  top: "M3 3h10v10H3zM8 11V5M6 7l2-2 2 2",
  fit: "M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5 6h6v4H5z",
  close: "M4 4l8 8M12 4l-8 8",
  left: "M10 3 5 8l5 5",
  right: "M6 3l5 5-5 5",
  up: "M3 10l5-5 5 5",
  down: "M3 6l5 5 5-5",
  layers: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  menu: "M2 4h12M2 8h12M2 12h12",
  stop: "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5z",
  check: "M3 8.5 6.5 12 13 4",
  circle: "M8 13A5 5 0 1 1 8 3a5 5 0 0 1 0 10z",
  hand: "M5 9V4.5a1 1 0 0 1 2 0V8M7 7V3a1 1 0 0 1 2 0v4M9 7V3.5a1 1 0 0 1 2 0V8M11 7.5V6a1 1 0 0 1 2 0v4c0 2.5-1.5 4.5-4.5 4.5S5 13 3.5 10.5c-.5-.9.7-1.6 1.5-.8",
};
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  const solid = name === "play" || name === "live" || name === "step" || name === "back" || name === "start";
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill={solid ? "currentColor" : "none"} stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name] ?? (name.startsWith("M") ? name : PATHS["circle"])} />
    </svg>
  );
}
