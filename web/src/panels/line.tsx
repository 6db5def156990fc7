// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One figure of a panel: what it is, how much, in which unit.
export function Line({ name, value, unit, hint }: { name: string; value: string; unit?: string; hint?: string }) {
  return <div class="line" title={hint}><dt>{name}</dt><dd class="num">{value}<span class="unit">{unit ?? ""}</span></dd></div>;
}
