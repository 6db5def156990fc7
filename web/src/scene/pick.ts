// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Picking from the array of projected positions: no ray, no reading back of pixels.

export function nearest(screen: Float32Array, n: number, x: number, y: number, within = 12): number {
  let best = -1;
  let score = Infinity;
  for (let k = 0; k < n; k++) {
    const scale = screen[3 * k + 2];
    if (scale <= 0) continue;
    const d = Math.hypot(screen[3 * k] - x, screen[3 * k + 1] - y);
    // Among those under the cursor the nearer one to the eye wins.
    const s = d - Math.min(2, scale * 0.01);
    if (d <= within && s < score) {
      best = k;
      score = s;
    }
  }
  return best;
}
export function inBox(screen: Float32Array, n: number, x0: number, y0: number, x1: number, y1: number): number[] {
  const found: number[] = [];
  for (let k = 0; k < n; k++) {
    const [x, y] = [screen[3 * k], screen[3 * k + 1]];
    if (screen[3 * k + 2] > 0 && x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1)) found.push(k);
  }
  return found;
}
