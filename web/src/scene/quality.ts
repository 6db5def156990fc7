// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which look the machine can carry, and how much resolution. Software renderers name themselves; the rest is measured.

export type Quality = "lite" | "full" | "flat";

export function detect(wish: string | null): Quality {
  if (wish === "flat") return "flat";
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "flat";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  if (wish === "lite" || wish === "full") return wish;
  return /swiftshader|llvmpipe|basic render|software/i.test(name) ? "lite" : "full";
}

const STEPS = [1, 0.67, 0.5];
/** Steps the resolution down when frames are slow and up again when they have long been quick. */
export class Governor {
  scale = 1;
  private step = 0;
  private readonly times: number[] = [];
  median = 0;
  pinned = false; // tests state the resolution they measure at
  add(ms: number, lite: boolean): boolean {
    if (this.pinned) return false;
    this.times.push(ms);
    if (this.times.length < 60) return false;
    this.median = [...this.times].sort((a, b) => a - b)[30];
    this.times.length = 0;
    if (!lite) return false;
    const before = this.step;
    if (this.median > 90 && this.step < 2) this.step++;
    else if (this.median < 25 && this.step > 0) this.step--;
    this.scale = STEPS[this.step];
    return before !== this.step;
  }
}
