// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who sees whom: a broken line from the one that looks to the one it has noticed.
import { pairLines } from "../pair_lines.ts";
import type { Renderable } from "../view.ts";

export const detections: Renderable = {
  id: "detections",
  order: 45,
  title: "Detections",
  key: "Shift+D",
  icon: "M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8c-1.5 3-3.8 4.5-6.5 4.5S3 11 1.5 8zM8 10a2 2 0 1 1 0-4 2 2 0 0 1 0 4z",
  on: false,
  create: (scene) => pairLines(scene, "Detections", (swarm) => ({ pairs: swarm.detections, own: swarm.decision?.sees ?? [] }), (view) => view.light.palette.accent, 14),
};
