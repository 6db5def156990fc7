// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Texts above the scene, on a 2D canvas: greedy placement on an 8 px grid, so that no plate covers another, a panel or its own vehicle.
import type { LabelSink } from "./view.ts";

const CELL = 8;
export interface Plate {
  fill: string;
  text: string;
  edge: string;
}
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
export interface Placed extends Box {
  text: string;
  swatch: string; // empty: none
}
export class Labels implements LabelSink {
  private grid = new Uint8Array(0);
  private columns = 0;
  private rows = 0;
  private context: CanvasRenderingContext2D | null = null;
  private plate: Plate = { fill: "", text: "", edge: "" };
  private readonly widths = new Map<string, number>();
  readonly boxes: Placed[] = [];

  begin(context: CanvasRenderingContext2D, width: number, height: number, keepOut: readonly Box[], plate: Plate): void {
    this.context = context;
    this.plate = plate;
    this.columns = Math.ceil(width / CELL);
    this.rows = Math.ceil(height / CELL);
    if (this.grid.length < this.columns * this.rows) this.grid = new Uint8Array(this.columns * this.rows);
    this.grid.fill(0);
    this.boxes.length = 0;
    for (const b of keepOut) this.take(b);
  }
  /** Marks a vehicle's own place, so that other vehicles' labels avoid it where they can. */
  block(x: number, y: number, half: number): void {
    this.take({ x: x - half, y: y - half, w: 2 * half, h: 2 * half });
  }
  text(x: number, y: number, text: string, options: { plate?: boolean; swatch?: string; strong?: boolean; away?: number; colour?: string; centre?: boolean } = {}): boolean {
    const c = this.context;
    if (!c) return false;
    c.font = `${options.strong ? 600 : 400} 12px system-ui, sans-serif`;
    const key = (options.strong ? "*" : "") + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 4000) this.widths.clear();
      this.widths.set(key, (width = c.measureText(text).width));
    }
    const w = width + 12 + (options.swatch ? 12 : 0);
    const h = 18;
    const away = options.away ?? 10;
    const places: [number, number][] = options.centre ? [[x - w / 2, y - h / 2]] : [[x + away, y - h / 2], [x - away - w, y - h / 2], [x - w / 2, y - away - h], [x - w / 2, y + away]];
    for (const [px, py] of places) {
      const box = { x: Math.round(px), y: Math.round(py), w, h, text, swatch: options.swatch ?? "" };
      if (!this.free(box)) continue;
      this.take(box);
      this.boxes.push(box);
      this.paint(c, box, text, options);
      return true;
    }
    return false;
  }
  private paint(c: CanvasRenderingContext2D, b: Box, text: string, o: { plate?: boolean; swatch?: string; strong?: boolean; colour?: string }): void {
    if (o.plate !== false) {
      c.fillStyle = this.plate.fill;
      c.beginPath();
      c.roundRect(b.x, b.y, b.w, b.h, 4);
      c.fill();
      if (o.strong) {
        c.strokeStyle = this.plate.edge;
        c.lineWidth = 1;
        c.stroke();
      }
    }
    let x = b.x + 6;
    if (o.swatch) {
      c.fillStyle = o.swatch;
      c.fillRect(x, b.y + 5, 8, 8);
      x += 12;
    }
    c.fillStyle = o.colour ?? this.plate.text;
    c.textBaseline = "middle";
    c.fillText(text, x, b.y + b.h / 2 + 0.5);
  }
  private span(b: Box): [number, number, number, number] {
    return [Math.floor(b.x / CELL), Math.floor(b.y / CELL), Math.floor((b.x + b.w - 0.01) / CELL), Math.floor((b.y + b.h - 0.01) / CELL)];
  }
  private free(b: Box): boolean {
    const [x0, y0, x1, y1] = this.span(b);
    if (x0 < 0 || y0 < 0 || x1 >= this.columns || y1 >= this.rows) return false;
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) if (this.grid[y * this.columns + x]) return false;
    return true;
  }
  private take(b: Box): void {
    const [x0, y0, x1, y1] = this.span(b);
    for (let y = Math.max(0, y0); y <= Math.min(this.rows - 1, y1); y++) for (let x = Math.max(0, x0); x <= Math.min(this.columns - 1, x1); x++) this.grid[y * this.columns + x] = 1;
  }
}
