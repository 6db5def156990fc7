// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lines that differ between two texts (Myers, "An O(ND) difference algorithm", 1986), and the parts to show of them.
export interface Line {
  kind: " " | "-" | "+";
  text: string;
  a: number; // line numbers from 1; 0 where it has none
  b: number;
}
const MOST = 3000; // differences to look for; beyond that everything in between counts as changed

export const linesOf = (text: string): string[] => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

export function diffLines(before: string, after: string): Line[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = script(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const kinds: Line["kind"][] = [...Array<" ">(head).fill(" "), ...middle, ...Array<" ">(tail).fill(" ")];
  let [i, j] = [0, 0];
  return kinds.map((kind) => (kind === "+" ? { kind, text: b[j++], a: 0, b: j } : kind === "-" ? { kind, text: a[i++], a: i, b: 0 } : { kind, text: b[j++], a: ++i, b: j }));
}
function script(a: string[], b: string[]): Line["kind"][] {
  const replaced = (): Line["kind"][] => [...a.map(() => "-" as const), ...b.map(() => "+" as const)];
  if (!a.length || !b.length) return replaced();
  const most = Math.min(a.length + b.length, MOST);
  const size = 2 * most + 3;
  const v = new Int32Array(size);
  const trace: Int32Array[] = [];
  const at = (k: number): number => k + most + 1;
  for (let d = 0; d <= most; d++) {
    trace.push(v.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[at(k - 1)] < v[at(k + 1)]) ? v[at(k + 1)] : v[at(k - 1)] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      v[at(k)] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a.length, b.length, at);
    }
  }
  return replaced();
}
function walkBack(trace: Int32Array[], n: number, m: number, at: (k: number) => number): Line["kind"][] {
  const out: Line["kind"][] = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d > 0; d--) {
    const v = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && v[at(k - 1)] < v[at(k + 1)]);
    const before = down ? k + 1 : k - 1;
    const [px, py] = [v[at(before)], v[at(before)] - before];
    while (x > px && y > py && x > 0 && y > 0 && !(down ? x === px : y === py)) {
      out.push(" ");
      x--;
      y--;
    }
    out.push(down ? "+" : "-");
    [x, y] = [px, py];
  }
  while (x > 0 && y > 0) {
    out.push(" ");
    x--;
    y--;
  }
  return out.reverse();
}

/** Lines that are new or different, and lines that are gone without another in their place. */
export function changedLines(lines: readonly Line[]): number {
  let [n, minus, plus] = [0, 0, 0];
  for (const l of [...lines, { kind: " " } as Line]) {
    if (l.kind === "-") minus++;
    else if (l.kind === "+") plus++;
    else {
      n += Math.max(minus, plus);
      [minus, plus] = [0, 0];
    }
  }
  return n;
}
export interface Hunk {
  head: string; // @@ -1,4 +1,5 @@
  lines: Line[];
}
export function hunks(lines: readonly Line[], context = 3): Hunk[] {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - context), i + context + 1).some((l) => l.kind !== " "));
  const found: Hunk[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!near[i]) continue;
    let end = i;
    while (end < lines.length && near[end]) end++;
    const part = lines.slice(i, end);
    const [inA, inB] = [part.filter((l) => l.a), part.filter((l) => l.b)];
    found.push({ head: `@@ -${inA[0]?.a ?? 0},${inA.length} +${inB[0]?.b ?? 0},${inB.length} @@`, lines: part });
    i = end;
  }
  return found;
}
