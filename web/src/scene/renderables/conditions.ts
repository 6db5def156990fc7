// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Marks of vehicles that crashed, lie, are stuck, have a fault, follow a failsafe or are held. What draws them comes with the first of them.
import { lateLayer } from "../late.ts";
import type { Renderable } from "../view.ts";

const MARKED = 8128; // every flag of the state from tipped over to held

export const conditions: Renderable = {
  id: "conditions",
  order: 96,
  title: "Conditions",
  on: true,
  fixed: true,
  create: (scene) =>
    lateLayer(
      scene,
      () => import("../../senses/marks.ts").then((m) => m.markLayer),
      (frame) => {
        for (let k = 0; k < frame.n; k++) if (frame.state[k] & MARKED) return true;
        return false;
      },
    ),
};
