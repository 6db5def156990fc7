// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where selected vehicles believe to be: a switch here, and the drawing in senses/estimates.ts once it is on.
import { lateLayer } from "../late.ts";
import type { Renderable } from "../view.ts";

export const estimates: Renderable = {
  id: "estimates",
  order: 95,
  title: "Estimates",
  key: "Shift+I",
  icon: "M3 8a5 3 0 1 0 10 0 5 3 0 1 0-10 0M8 5v6M5 8h6",
  on: false,
  create: (scene) => lateLayer(scene, () => import("../../senses/estimates.ts").then((m) => m.estimateLayer), (_frame, on) => on),
};
