// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Labels as elements. Without a GPU a canvas over the whole scene costs more than the scene itself, each frame, however little is drawn on
// it; while there is nothing on it but labels it is hidden, and these stand where the labels are.
import type { Labels } from "./labels.ts";

export class Plates {
  private readonly host = document.createElement("div");
  private readonly pool: { element: HTMLElement; text: string; swatch: string; place: string }[] = [];
  private used = 0;

  constructor(scene: HTMLElement, before: Element) {
    this.host.className = "plates";
    this.host.setAttribute("aria-hidden", "true"); // the fleet's list says it all
    scene.insertBefore(this.host, before.nextSibling);
  }
  /** Shows what was placed last, or nothing. */
  show(labels: Labels, on: boolean): void {
    const boxes = labels.boxes;
    const n = on ? boxes.length : 0;
    for (let k = 0; k < n; k++) this.put(k, `translate(${boxes[k].x}px, ${boxes[k].y}px)`, boxes[k].text, boxes[k].swatch);
    for (let k = n; k < this.used; k++) this.pool[k].element.hidden = true;
    this.used = n;
  }
  private put(k: number, place: string, text: string, swatch: string): void {
    if (k === this.pool.length) {
      const element = document.createElement("span");
      element.append(document.createElement("i"), document.createTextNode(""));
      this.host.append(element);
      this.pool.push({ element, text: "", swatch: "?", place: "" });
    }
    const p = this.pool[k];
    if (k >= this.used) p.element.hidden = false;
    if (p.place !== place) p.element.style.transform = p.place = place;
    if (p.text !== text) p.element.lastChild!.textContent = p.text = text;
    if (p.swatch === swatch) return;
    p.swatch = swatch;
    const i = p.element.firstChild as HTMLElement;
    i.hidden = swatch === "";
    i.style.background = swatch;
  }
  remove(): void {
    this.host.remove();
  }
}
