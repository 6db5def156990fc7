// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people see of a swarm, in real Chromium against the real program: links, detections, behaviours that change in flight, tasks.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, look, meet, newFolder, OUT, record, says, serve, skip, until, v } from "./support.mjs";

const scenario = (name) => join(import.meta.dirname, "..", "..", "scenarios", `${name}.yaml`);
const shot = (page, name) => page.screenshot({ path: join(OUT, `${name}.png`) });
/** A world that stands still at a moment, with its page. */
async function stand(name, seconds, { args = [], ...options } = {}) {
  const server = await serve({ scenario: scenario(name), args: ["--paused", ...args] });
  await server.tell("step", { ticks: Math.round(seconds * 100) });
  const t = await look(server, options);
  await until(t.page, () => window.volary?.ready);
  return { server, ...t };
}
/** Scrolls at once: a panel may draw its elements anew while Playwright waits for one of them to be stable. */
const scrollTo = (page, selector) => v(page, (s) => document.querySelector(s).scrollIntoView({ block: "nearest" }), selector);
const idsOf = (page, name) => v(page, (n) => volary.ids().filter((_, k) => volary.names()[k].startsWith(n)), name);
const lines = (page) => v(page, () => { volary.bench(1); return volary.stats().lines; });
/** The page has caught up with the world, picture and panels. */
async function settled(page) {
  await until(page, () => volary.clock().time >= volary.clock().extent.last - 1e-6 && !/\u2014/.test(document.querySelector(".list .row:not(.head)")?.innerText ?? "\u2014"));
  await v(page, () => volary.settle());
}
const plates = (page) => v(page, () => volary.labels().map((b) => b.text).join("\n"));
/** Colours of the timeline's canvas at a moment, between two heights. */
const timelineAt = (page, time, end) => page.evaluate(([t, e]) => {
  const canvas = document.querySelector(".timeline canvas");
  const x = 12 + (t / e) * (canvas.clientWidth - 24);
  const scale = canvas.width / canvas.clientWidth;
  const { data, width } = canvas.getContext("2d").getImageData((x - 2) * scale, 18 * scale, 16 * scale, 20 * scale);
  const ok = getComputedStyle(document.documentElement).getPropertyValue("--ok").trim();
  const [r, g, b] = [1, 3, 5].map((k) => parseInt(ok.slice(k, k + 2), 16));
  let n = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - r) < 12 && Math.abs(data[i + 1] - g) < 12 && Math.abs(data[i + 2] - b) < 12 && data[i + 3] > 200) n++;
  return width ? n : -1;
}, [time, end]);

test("links are drawn from who hears to who is heard, switched by key and kept in the address", { skip }, async () => {
  const { server, page, said, close } = await stand("hill_relay", 20);
  const bare = await lines(page);
  await page.keyboard.press("Shift+R");
  await until(page, () => volary.swarm()?.links?.of.length > 0);
  const told = await v(page, () => volary.swarm().links);
  assert.equal(told.of.length, 2 * told.all);
  await becomes(() => lines(page), bare + told.all, "one line for each link");
  await becomes(() => page.evaluate(() => location.hash), /layers=[^&]*\blinks\b/);
  await says(page, ".radio", /Messages sent\s+\d/i, /Delivered/i, /Links\s+\d/i);
  await scrollTo(page, ".radio");
  await shot(page, "swarm_links");
  await page.keyboard.press("Shift+R");
  await becomes(() => lines(page), bare);
  // Nobody wants them any more, so the server no longer gathers them.
  await server.tell("step", { ticks: 100 });
  await until(page, () => volary.swarm() && !volary.swarm().links);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("links show how good they are, and the messages of a vehicle what became of each", { skip }, async () => {
  // nothing but luck decides: half of what is said is lost
  const { server, page, said, close } = await stand("hill_relay", 10, { args: ["--set", "radio.loss=0.5"] });
  await page.keyboard.press("Shift+R");
  const [relay] = await idsOf(page, "relays");
  await v(page, (id) => volary.select([id]), relay);
  await until(page, () => volary.swarm()?.decision && volary.swarm()?.links);
  await server.tell("step", { ticks: 600 });
  const { quality, of } = await becomes(() => v(page, () => volary.swarm().links), (l) => assert.ok(l.quality?.some((q) => q >= 0)));
  assert.equal(2 * quality.length, of.length);
  const known = quality.filter((q) => q >= 0);
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  assert.ok(mean > 20 && mean < 80, `${mean} % of the messages arrive`);
  await says(page, ".messages", /state/, /delivered/, /random loss/, /(to|from) /);
  await scrollTo(page, ".messages");
  await settled(page);
  await shot(page, "swarm_messages");
  await v(page, () => volary.select([]));
  await says(page, ".radio", /Quality of links\s+\d+ good, \d+ fair, \d+ poor/i);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("what a script plots is drawn under Script and what it logs is an event, live and in the recording", { skip }, async () => {
  const train = join(import.meta.dirname, "..", "..", "examples", "behaviours", "train.yaml");
  /** Columns of the picture with ink of the line, of the plot with this name. */
  const ink = (page, name) => v(page, (n) => {
    const c = [...document.querySelectorAll(".plot")].find((f) => f.getAttribute("aria-label").startsWith(`${n}. `))?.querySelector("canvas");
    if (!c) return -1;
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const want = [1, 3, 5].map((i) => parseInt(accent.slice(i, i + 2), 16));
    const copy = Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).getContext("2d", { willReadFrequently: true });
    copy.drawImage(c, 0, 0);
    const p = copy.getImageData(0, 0, c.width, c.height).data;
    const found = new Set();
    for (let i = 0; i < p.length; i += 4) if (p[i + 3] > 100 && want.every((w, k) => Math.abs(p[i + k] - w) < 40)) found.add((i / 4) % c.width);
    return found.size;
  }, name);
  const server = await serve({ scenario: train, args: ["--paused", "--set", "flocks[0].behaviours[0].script.params.speed=-1"] });
  await server.tell("step", { ticks: 600 });
  const { page, said, close } = await look(server);
  await until(page, () => window.volary?.ready);
  const ids = await idsOf(page, "train");
  await v(page, (id) => volary.select([id]), ids[1]);
  await page.locator("#tab-plots").click();
  await says(page, ".plots", /Script/, /gap/, /speed/);
  // the whole of it, although nobody had asked for it before
  await becomes(() => ink(page, "gap"), (n) => assert.ok(n > 20, `${n} columns`));
  await shot(page, "swarm_plots");
  await v(page, (id) => volary.select([id]), ids[0]);
  await becomes(() => page.locator(".plots").innerText(), (text) => assert.doesNotMatch(text, /Script/), "the first one plots nothing");
  await v(page, (id) => volary.select([id]), ids[1]); // the list is that of the selection
  await server.tell("step", { ticks: 100 });
  await page.locator("#tab-events").click();
  await says(page, ".tab-body", /train: gap \d/);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();

  const runs = newFolder();
  const id = record(runs, train);
  const library = await serve({ runs, args: ["--paused"] });
  const replayed = await look(library, { hash: `#/run/${id}?t=10.000` });
  await until(replayed.page, () => window.volary?.ready);
  await v(replayed.page, (n) => volary.select([n]), (await idsOf(replayed.page, "train"))[1]);
  await replayed.page.locator("#tab-plots").click();
  await says(replayed.page, ".plots", /Script/, /gap/, /speed/);
  await becomes(() => ink(replayed.page, "gap"), (n) => assert.ok(n > 20, `${n} columns`));
  assert.deepEqual(complaints(replayed.said), []);
  await replayed.close();
  await library.end();
});

test("a plume is drawn where the simulator says it is, while its layer is on", { skip }, async () => {
  const { server, page, said, close } = await stand("gas_leak", 20);
  const drawn = () => v(page, () => { volary.bench(1); return volary.stats().triangles; });
  const bare = await drawn();
  assert.equal(await v(page, () => volary.swarm()?.stimuli), undefined); // nobody asked
  await page.keyboard.press("Shift+E");
  await until(page, () => volary.swarm()?.stimuli?.length === 1);
  const [field] = await v(page, () => volary.swarm().stimuli);
  assert.equal(field.kind, "plume");
  await becomes(drawn, (n) => n === bare + 2 * (field.columns - 1) * (field.rows - 1));
  await becomes(() => plates(page), /plume up to .* kg\/m3/);
  await becomes(() => page.evaluate(() => location.hash), /layers=[^&]*\bstimuli\b/);
  await settled(page);
  await shot(page, "swarm_plume");
  await page.keyboard.press("Shift+E");
  await becomes(drawn, bare);
  await server.tell("step", { ticks: 100 });
  await until(page, () => volary.swarm() && !volary.swarm().stimuli);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("a behaviour that is switched off in flight no longer moves the vehicle, and the inspector says which one won", { skip }, async () => {
  const { server, page, said, close } = await stand("hill_relay", 4);
  const relays = await idsOf(page, "relays");
  const last = relays.at(-1);
  await v(page, (ids) => volary.select([ids.at(-1), ...ids.slice(0, -1)]), relays);
  await says(page, ".behaviours", /relay_chain/, /avoid/);
  await until(page, () => document.querySelector(".behaviour.chosen .name")?.innerText === "relay_chain");
  await shot(page, "swarm_behaviours");
  const speed = () => v(page, (id) => volary.speed(id), last);
  await becomes(speed, (x) => x > 2, "it flies to its place");
  const weight = page.getByLabel(/^Weight of relay_chain/);
  await weight.fill("0");
  await weight.press("Enter");
  await becomes(() => weight.inputValue(), "0");
  await server.tell("step", { ticks: 800 });
  await until(page, () => volary.clock().tick === 1200);
  await becomes(speed, (x) => x < 1, "it holds");
  await becomes(() => v(page, () => volary.swarm().decision.behaviours.find((b) => b.kind === "relay_chain").weight), 0);
  await settled(page);
  await shot(page, "swarm_held");
  await weight.fill("1.5");
  await weight.press("Enter");
  await server.tell("step", { ticks: 400 });
  await until(page, () => volary.clock().tick === 1600);
  await becomes(speed, (x) => x > 2, "it flies again");
  await becomes(() => weight.inputValue(), "1.5");
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("a parameter that is changed in flight changes the flight, of a behaviour and of the radio, and a wrong one is refused in words", { skip }, async () => {
  const { server, page, said, close } = await stand("hill_relay", 4);
  const relays = await idsOf(page, "relays");
  const last = relays.at(-1);
  await v(page, (id) => volary.select([id]), last);
  const speed = () => v(page, (id) => volary.speed(id), last);
  await becomes(speed, (x) => x > 2, "it flies to its place");
  await page.getByRole("button", { name: "Parameters of relay_chain" }).click();
  const field = page.getByLabel("behaviours[0].relay_chain.speed", { exact: true });
  await becomes(() => field.inputValue(), "8");
  await field.scrollIntoViewIfNeeded();
  await shot(page, "swarm_parameters");
  await field.fill("0.5");
  await field.press("Enter");
  await server.tell("step", { ticks: 400 });
  await until(page, () => volary.clock().tick === 800);
  await becomes(speed, (x) => x < 1, "it creeps");
  await becomes(() => field.inputValue(), "0.5");
  await field.fill("fast");
  await field.press("Enter");
  await says(page, "body", /expected a number, found 'fast'/);
  await becomes(() => field.inputValue(), "0.5");
  // the radio, in the world's panel
  await v(page, () => volary.select([]));
  await page.getByRole("button", { name: "Parameters of Radio" }).click();
  const loss = page.getByLabel("radio.loss", { exact: true });
  await becomes(() => loss.inputValue(), "0");
  await loss.fill("1");
  await loss.press("Enter");
  const delivered = () => v(page, () => volary.swarm().radio.outcomes.find((f) => f.name === "delivered").count);
  await server.tell("step", { ticks: 100 });
  await until(page, () => volary.swarm()?.tick === 900);
  const before = await delivered();
  await server.tell("step", { ticks: 400 });
  await until(page, () => volary.swarm()?.tick === 1300);
  assert.equal(await delivered(), before, "nothing arrives any more");
  await shot(page, "swarm_radio_fields");
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("tasks are in the panel and on the timeline, live and in the recording, and detections are drawn", { skip }, async () => {
  const { server, page, said, close } = await stand("search_and_rescue", 60);
  await says(page, ".tasks", /the person is found/, /the rescue hears of it/, /nobody lost/);
  await until(page, () => document.querySelector(".task .task-mark")?.getAttribute("aria-label") === "open");
  await shot(page, "swarm_tasks_open");
  const bare = await lines(page);
  await page.keyboard.press("Shift+D");
  await until(page, () => volary.swarm()?.detections?.of.length > 0);
  await becomes(() => lines(page), bare + (await v(page, () => volary.swarm().detections.all)), "one line for each that is seen");
  await v(page, () => { volary.select([volary.ids()[2]]); volary.perform("camera.zoom"); });
  await until(page, () => volary.swarm()?.decision?.sees.length > 0);
  await v(page, () => volary.setCamera({ ...volary.camera(), distance: 90 }));
  await shot(page, "swarm_detections");
  await v(page, () => { volary.select([]); volary.perform("camera.reset"); });
  // On until the person is found, with the world's own word for when.
  const found = await meet(async () => {
    const { tick } = await server.tell("step", { ticks: 500 });
    const swarm = await meet(async () => { const m = await v(page, () => volary.swarm()); return m.tick >= tick && m; }, "the page never heard of it");
    return swarm.tasks[0].state === "done" && swarm.tasks[0].since / 100;
  }, "nobody found the person");
  await says(page, ".task.done", /the person is found/);
  await becomes(() => timelineAt(page, found, 240), (n) => n > 20, "a flag where the task was done");
  await becomes(() => timelineAt(page, found - 12, 240), 0, "and none elsewhere");
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("button", { name: "Tasks only" }).click();
  await says(page, ".events", /task done: the person is found/);
  await becomes(() => page.locator(".events li").count(), await v(page, () => volary.swarm().tasks.filter((t) => t.state === "done" && t.since > 6000).length));
  await settled(page);
  await shot(page, "swarm_task_done");
  // Looking back, it was open then.
  await page.getByRole("tab", { name: "State" }).click();
  await v(page, (x) => volary.seek(x), found - 5);
  await until(page, () => document.querySelector(".task .name")?.innerText === "the person is found" && document.querySelector(".task").classList.contains("open"));
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("in a recording the tasks stand as its events tell, and what it does not hold says so", { skip }, async () => {
  const runs = newFolder();
  const id = record(runs, scenario("hill_relay"));
  const server = await serve({ runs, args: ["--paused"] });
  const t = await look(server, { hash: `#/run/${id}?t=89.000` });
  await until(t.page, () => window.volary?.ready && volary.shown().kind === "run");
  await says(t.page, ".tasks", /the call arrives/);
  const row = t.page.locator(".task.done", { hasText: "the call arrives" });
  const when = await row.locator("button").innerText();
  const [, minutes, seconds] = /(?:(\d+):)?([\d.]+)$/.exec(when);
  const at = 60 * Number(minutes ?? 0) + Number(seconds);
  const end = await v(t.page, () => volary.clock().extent.last);
  await becomes(() => timelineAt(t.page, at, end), (n) => n > 20, "a flag in the recording");
  await t.page.keyboard.press("Shift+R");
  await becomes(() => plates(t.page), /^Radio links: not in a recording$/m);
  await v(t.page, () => volary.select([volary.ids()[3]]));
  await says(t.page, ".tab-body", /Decisions are not in a recording/);
  await shot(t.page, "swarm_recording");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("on a phone and in the dark the same is there, and a finger finds it", { skip }, async () => {
  const { server, page, said, close } = await stand("search_and_rescue", 120, { size: { width: 390, height: 844 }, touch: true, isMobile: true, theme: "dark" });
  await v(page, () => { volary.set({ seenCard: true, layers: { links: true } }); volary.select([volary.ids()[2]]); });
  await page.getByRole("tab", { name: "Inspector" }).tap(); // the sheet opens half
  const small = () => page.evaluate(() => [...document.querySelectorAll(".behaviour input, .task .link")].filter((e) => e.getBoundingClientRect().height < 43.5).map((e) => e.outerHTML));
  await page.locator(".behaviour input").first().waitFor();
  await scrollTo(page, ".behaviour input");
  await becomes(small, []);
  await shot(page, "swarm_phone_decision");
  await v(page, () => volary.select([]));
  await page.locator(".task.done").first().waitFor();
  await scrollTo(page, ".task.done");
  await becomes(small, []);
  await shot(page, "swarm_phone_tasks");
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("in a world where nobody speaks the layer says so", { skip }, async () => {
  const server = await serve({ args: ["--paused"] });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await t.page.keyboard.press("Shift+R");
  await becomes(() => plates(t.page), /^Radio links: no vehicle here communicates or detects$/m);
  assert.equal(await t.page.locator(".tasks, .radio").count(), 0);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});
