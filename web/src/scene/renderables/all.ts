// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything the scene can draw, in drawing order. A new element is one file beside this and one line here.
import type { Renderable } from "../view.ts";
import { bodies } from "./bodies.ts";
import { formations } from "./formations.ts";
import { goals } from "./goals.ts";
import { grid } from "./grid.ts";
import { labels } from "./labels.ts";
import { regions } from "./regions.ts";
import { selection } from "./selection.ts";
import { shadows } from "./shadows.ts";
import { sky } from "./sky.ts";
import { trails } from "./trails.ts";
import { vehicles } from "./vehicles.ts";
import { wind } from "./wind.ts";

export const renderables: readonly Renderable[] = [sky, grid, regions, shadows, wind, bodies, trails, vehicles, goals, formations, selection, labels];
