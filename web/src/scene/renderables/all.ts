// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The list in drawing order.
import type { Renderable } from "../view.ts";
import * as list from "./list.ts";

export const renderables: readonly Renderable[] = Object.values(list).sort((a, b) => a.order - b.order);
