// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything the scene can draw. A new element is one file beside this, its test, and one line here.
export { bodies } from "./bodies.ts";
export { conditions } from "./conditions.ts";
export { detections } from "./detections.ts";
export { estimates } from "./estimates.ts";
export { formations } from "./formations.ts";
export { goals } from "./goals.ts";
export { grid } from "./grid.ts";
export { labels } from "./labels.ts";
export { links } from "./links.ts";
export { obstacles } from "./obstacles.ts";
export { regions } from "./regions.ts";
export { selection } from "./selection.ts";
export { shadows } from "./shadows.ts";
export { sky } from "./sky.ts";
export { stimuli } from "./stimuli.ts";
export { terrain } from "./terrain.ts";
export { terrain_mesh } from "./terrain_mesh.ts";
export { trails } from "./trails.ts";
export { vehicles } from "./vehicles.ts";
export { wind } from "./wind.ts";
