// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who hears whom: a line from the one that remembers what it was told to the one that said it; solid where at least 80 % of the last
// messages arrived, dashed from 50 %, dotted below.
import { pairLines } from "../pair_lines.ts";
import type { Renderable } from "../view.ts";

export const links: Renderable = {
  id: "links",
  order: 44,
  title: "Radio links",
  key: "Shift+R",
  icon: "M8 9.5v5M8 8a1 1 0 1 1 0 .01M5 11a4.3 4.3 0 0 1 0-6M11 5a4.3 4.3 0 0 1 0 6M2.8 13a7.3 7.3 0 0 1 0-10M13.2 3a7.3 7.3 0 0 1 0 10",
  on: false,
  create: (scene) => pairLines(scene, "Radio links", (swarm) => ({ pairs: swarm.links, own: swarm.decision?.hears ?? [], ownQuality: swarm.decision?.quality }), (view) => view.light.palette.text2, 0),
};
