// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a federation for the fake server: figures by formulas, and how far the states of nodes are apart in each view.
const TICK = 0.01;
const wave = (n, k, speed) => Math.sin(n * speed + 2.1 * k);

/** As GET /api/live/nodes answers: samples every half second since the server began. */
export function nodesText(world, names, after, states = []) {
  const last = Math.floor(world.t * 2) + 40;
  const numbers = Array.from({ length: Math.max(0, last - after) }, (_, i) => after + 1 + i);
  const column = (f) => names.map((_, k) => numbers.map((n) => f(n, k)));
  const figures = { rate: (n, k) => 99 + wave(n, k, 0.3), latency: (n, k) => 0.0008 + 0.0003 * k + 0.0002 * wave(n, k, 0.5), age: (n, k) => 0.006 + 0.001 * k + 0.0008 * wave(n, k, 0.7), skew: (n, k) => (n + k) % 3, memory: (n, k) => Math.round(24e6 + 1.5e6 * k + 1e4 * n) };
  const nodes = names.map((name, k) => ({ member: k, name, host: "", state: states[k] ?? "running", incarnation: k === 1 ? 2 : 1, tick: world.tick + 2 - (k % 3), silence: states[k] === "silent" ? 1.4 : 0.01, load: 0.2, rollbacks: 0, ...Object.fromEntries(Object.entries(figures).map(([q, f]) => [q, f(last, k)])) }));
  const views = [["committed", 0, names.length, null], ["aligned", 0, names.length, 0.009], ["newest", 3, names.length, 0.012], ["paper", 0, names.length - 1, 0.031]].map(([view, skew, n, age]) => ({ view, tick: world.tick, skew, nodes: n, age }));
  return { federation: "local", committed: world.tick, aligned: world.tick + 1, rate: 99.2, period: TICK, overloaded: false, nodes, views, samples: { number: numbers, time: numbers.map((n) => n / 2), ...Object.fromEntries(Object.entries(figures).map(([q, f]) => [q, column(f)])) } };
}

/** Seconds by which a view shows the vehicles of a node too early or too late. */
export function shift(view, tick, node) {
  const step = Math.floor(tick / 3);
  const draw = Math.abs(Math.sin(12.9898 * step + 78.233 * node) * 43758.5453) % 1;
  if (view === "newest") return (Math.floor(draw * 4) - 1) * 4 * TICK;
  return view === "paper" && draw < 0.3 ? -0.12 : 0;
}
