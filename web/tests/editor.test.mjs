// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The editor in real Chromium against the real program.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes, complaints, look as lookAt, MINUTE, newFolder, OUT, reads, serve as serveProgram, skip, until } from "./support.mjs";

const shipped = (name) => readFileSync(join(import.meta.dirname, "../../scenarios", `${name}.yaml`), "utf8");
let server;

async function serve() {
  const data = newFolder();
  const s = await serveProgram({ args: ["--no-record"], env: { VOLARY_DATA: data } });
  const at = (name) => `${s.base}/api/scenarios/${name}`;
  return { ...s, data, text: async (name) => (await fetch(at(name))).text(), put: (name, body) => fetch(at(name), { method: "PUT", body, headers: { "Content-Type": "text/yaml" } }) };
}
before(async () => {
  if (!skip) server = await serve();
});
after(() => server?.end());

async function look(name, { at = server, ...options } = {}) {
  const t = await lookAt(at, { hash: `#/edit/${name}`, ...options });
  if (name) await checked(t.page);
  return t;
}
/** Until the server has said what it thinks of the text that is shown. */
const checked = (page) => page.waitForFunction(() => window.volary?.editor?.().checked, null, MINUTE);
const textOf = (page) => page.evaluate(() => volary.editor().text);
const state = (page) => page.evaluate(() => volary.editor());
const changed = (a, b) => b.split("\n").filter((l, k) => l !== a.split("\n")[k]);
/** The text, once it is as wanted. */
const becomesText = (page, wanted) => becomes(() => textOf(page), wanted, "the text");
/** What of the text is another than before, once it is as wanted. */
const differs = (page, before, wanted) => becomes(async () => changed(before, await textOf(page)), wanted, "the lines that changed");
const selects = (page, field) => becomes(async () => (await state(page)).selected, field, "what is selected");
const node = (page, name) => page.locator(".node", { has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
async function screen(page, e, n, u) {
  const p = await page.evaluate((q) => volary.projectPoint(...q), [e, n, u]);
  const box = await page.locator("#scene").boundingBox();
  return [box.x + p[0], box.y + p[1]];
}
async function dragBy(page, from, to, { shift = false, alt = false } = {}) {
  await page.mouse.move(...from);
  await page.mouse.down();
  if (shift) await page.keyboard.down("Shift");
  if (alt) await page.keyboard.down("Alt");
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
  if (shift) await page.keyboard.up("Shift");
  if (alt) await page.keyboard.up("Alt");
}
const settle = (page) => page.evaluate(() => volary.settle());
/** The server knows the text, a vehicle is where it should be, and the picture shows it there: now it can be taken hold of. */
async function drawn(page, holds, id) {
  await checked(page);
  await becomes(() => page.evaluate((x) => volary.position(x), id), holds, `where ${id} is`);
  await settle(page);
}
/** Types over a line of the text, behind its indent. */
async function typeLine(page, line, text) {
  await page.getByRole("tab", { name: "YAML" }).click();
  await page.evaluate(() => new Promise((done) => setTimeout(done))); // the tab puts the cursor on what is selected, a moment later
  await page.locator(".cm-content").click({ position: { x: 60, y: 10 } });
  await page.keyboard.press("Control+Home");
  for (let k = 1; k < line; k++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type(text);
}
const LIST = `name: by hand   # a name
flocks:
  - name: alpha
    airframe: crazyflie
    vehicles:
      list:
        - position: [0, 0, 0]    # the leader
        - position: [6, 0, 0]    # its wing
          yaw_deg: 90
    start: armed
    mission: {waypoints: {points: [[0, 0, 2], [8, 0, 2], [8, 8, 2]], speed: 2}}   # a tour
`;

test("a shipped scenario opens with outline, form, text and a picture of its start", { skip }, async () => {
  for (const theme of ["light", "dark"]) {
    const t = await look("default", { theme });
    await becomesText(t.page, shipped("default"));
    await until(t.page, () => volary.ids().length === 61);
    await becomes(() => t.page.locator(".node.level-2 .name").allInnerTexts(), ["inner", "outer", "eights", "crown", "5\u2009s \u00b7 mission", "26\u2009s \u00b7 land"]);
    await node(t.page, "outer").click();
    await becomes(() => t.page.locator("[id='field-flocks[1].name']").inputValue(), "outer");
    await settle(t.page);
    await t.page.screenshot({ path: join(OUT, `editor-form-1440x900-${theme}.png`) });
    await t.page.getByRole("tab", { name: "YAML" }).click();
    await settle(t.page);
    await t.page.screenshot({ path: join(OUT, `editor-yaml-1440x900-${theme}.png`) });
    assert.deepEqual(complaints(t.said), []);
    await t.close();
  }
});

test("a drag changes one line and keeps its comment; undo restores the bytes; Shift lifts, Alt frees, digits are numbers", { skip }, async () => {
  await server.put("by-hand", LIST);
  const t = await look("by-hand");
  const undone = async () => {
    await t.page.keyboard.press("Control+z");
    await becomesText(t.page, LIST);
    await drawn(t.page, (p) => p?.[0] === 6 && p[2] === 0, "2");
  };
  await t.page.evaluate(() => volary.setCamera({ mode: "top", target: [2, 0, 0], azimuth: 0, elevation: 0.9, distance: 40 }));
  await drawn(t.page, (p) => p?.[0] === 6, "2");
  await dragBy(t.page, await screen(t.page, 6, 0, 0), await screen(t.page, 9.2, -3.3, 0));
  await differs(t.page, LIST, ["        - position: [9, -3, 0]    # its wing"]);
  await until(t.page, () => volary.position("2")?.[0] === 9);
  await undone();
  await dragBy(t.page, await screen(t.page, 6, 0, 0), await screen(t.page, 7.25, 0, 0), { alt: true });
  await differs(t.page, LIST, ([line]) => Math.abs(Number(/\[(7\.\d+), /.exec(line ?? "")?.[1]) - 7.25) < 0.1); // freely with Alt
  await until(t.page, () => volary.position("2")?.[0] > 7);
  await undone();
  await t.page.evaluate(() => volary.setCamera({ mode: "orbit", target: [2, 0, 0], azimuth: 0, elevation: 0.3, distance: 30 }));
  await settle(t.page);
  const [x, y] = await screen(t.page, 6, 0, 0);
  await dragBy(t.page, [x, y], [x, y - 120], { shift: true });
  await differs(t.page, LIST, (lines) => /^ {8}- position: \[6, 0, [1-9]\d*\] {4}# its wing$/.test(lines.join()));
  await until(t.page, () => volary.position("2")?.[2] >= 1);
  await undone();
  await t.page.mouse.move(x, y);
  await t.page.mouse.down();
  await t.page.mouse.move(x + 30, y, { steps: 3 });
  await t.page.keyboard.type("12.5 4");
  await t.page.keyboard.press("Enter");
  await t.page.mouse.up();
  await differs(t.page, LIST, ["        - position: [12.5, 4, 0]    # its wing"]);
  await until(t.page, () => volary.position("2")?.[0] === 12.5);
  await undone();
  await t.page.mouse.move(x, y);
  await t.page.mouse.down();
  await t.page.mouse.move(x + 30, y, { steps: 3 });
  await becomesText(t.page, (text) => text !== LIST); // it is in the hand
  await t.page.keyboard.press("Escape");
  await t.page.mouse.up();
  await becomesText(t.page, LIST); // Esc gives it up
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("vehicles are placed with a click, turned by their ring, doubled and removed; waypoints likewise", { skip }, async () => {
  await server.put("by-hand", LIST);
  const t = await look("by-hand");
  await t.page.evaluate(() => volary.setCamera({ mode: "top", target: [2, 0, 0], azimuth: 0, elevation: 0.9, distance: 40 }));
  await node(t.page, "alpha").click();
  await selects(t.page, "flocks[0]");
  await t.page.getByRole("button", { name: "Place vehicles" }).click();
  await settle(t.page);
  await t.page.mouse.click(...(await screen(t.page, -4.1, 3.2, 0)));
  await differs(t.page, LIST, (lines) => lines[0] === "        - position: [-4, 3, 0]");
  await until(t.page, () => volary.ids().length === 3);
  await t.page.keyboard.press("Escape");
  // the ring of the one that was placed
  await drawn(t.page, (p) => p?.[0] === -4, "3");
  const [x, y] = await screen(t.page, -4, 3, 0);
  await dragBy(t.page, [x + 44, y], [x, y - 60]);
  await becomesText(t.page, /- position: \[-4, 3, 0\]\n {10}yaw_deg: 90/);
  await t.page.keyboard.press("Control+d");
  await until(t.page, () => volary.ids().length === 4);
  await becomesText(t.page, /- position: \[-3, 3, 0\]\n {10}yaw_deg: 90/);
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Control+ArrowRight");
  await becomesText(t.page, /- position: \[-2, 3, 0\]/);
  await t.page.keyboard.press("Delete");
  await until(t.page, () => volary.ids().length === 3);
  // a waypoint by its handle: relative to the first vehicle's start
  await node(t.page, "alpha").click();
  await selects(t.page, "flocks[0]");
  await checked(t.page);
  await settle(t.page);
  await dragBy(t.page, await screen(t.page, 8, 8, 2), await screen(t.page, 10, 6, 2));
  await becomesText(t.page, /points: \[\[0, 0, 2\], \[8, 0, 2\], \[10, 6, 2\]\], speed: 2\}\} {3}# a tour/);
  await t.page.getByRole("button", { name: "Add waypoints" }).click();
  await t.page.mouse.click(...(await screen(t.page, -3, -5, 0)));
  await becomesText(t.page, /\[10, 6, 2\], \[-3, -5, 2\]\], speed/);
  await settle(t.page);
  await t.page.screenshot({ path: join(OUT, "editor-hands.png") });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("an error is shown on its line in gutter, under its field, in the outline and in the scene; F8 goes there; Run waits", { skip }, async () => {
  await server.put("by-hand", LIST);
  const t = await look("by-hand");
  await typeLine(t.page, 4, "airframe: crazyfly");
  await becomesText(t.page, /airframe: crazyfly\n/);
  await checked(t.page);
  await t.page.locator(".cm-sign.error").waitFor();
  await becomes(() => t.page.evaluate(() => { const sign = document.querySelector(".cm-problems .cm-sign.error").getBoundingClientRect(); return [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find((e) => Math.abs(e.getBoundingClientRect().top - sign.top) < 8)?.textContent; }), "4", "the line with the sign");
  await becomes(() => node(t.page, "alpha").locator(".bad-count").innerText(), /1/);
  await becomes(async () => (await state(t.page)).marks.map((m) => [m.line, m.inScene]), [[4, true]]);
  await reads(t.page, ".problem-list", /4:15[\s\S]*crazyfl/);
  await reads(t.page, ".edit-bar .problems", /1 problem/);
  await t.page.screenshot({ path: join(OUT, "editor-error.png") });
  await t.page.getByRole("tab", { name: "Form" }).click();
  await node(t.page, "alpha").click();
  await reads(t.page, "[id='wrong-flocks[0].airframe']", /crazyfl/);
  await becomes(() => t.page.locator("[id='field-flocks[0].airframe']").getAttribute("aria-invalid"), "true");
  await t.page.keyboard.press("F8");
  await until(t.page, () => document.activeElement?.id === "field-flocks[0].airframe");
  const runs = (await server.get("/api/live")).tick;
  await t.page.keyboard.press("Control+Enter");
  await t.page.locator(".notice", { hasText: /problem/ }).waitFor();
  assert.equal(await t.page.evaluate(() => volary.shown().page), "edit");
  assert.ok((await server.get("/api/live")).tick >= runs, "the world that is running goes on");
  // the form mends it
  await t.page.locator("[id='field-flocks[0].airframe']").selectOption("x500");
  await until(t.page, () => volary.editor().problems.length === 0);
  // broken text: the last good picture stays, dimmed
  await typeLine(t.page, 2, "flocks: [");
  await until(t.page, () => volary.editor().broken && document.getElementById("scene").classList.contains("stale"));
  await becomes(() => t.page.evaluate(() => volary.ids().length), 2);
  await t.page.keyboard.press("Control+z");
  await until(t.page, () => !document.getElementById("scene").classList.contains("stale"));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("airframe, controller and trajectory are chosen by form; a field is reset by its dot; a slider is one step", { skip }, async () => {
  await server.put("by-hand", LIST);
  const t = await look("by-hand");
  await node(t.page, "alpha").click();
  const field = (path) => t.page.locator(`[id='field-${path}']`);
  await field("flocks[0].airframe").selectOption("hexacopter");
  await t.page.locator("summary", { hasText: "Controller" }).click();
  await field("flocks[0].controller.kind").selectOption("geometric");
  await t.page.locator("[id='field-flocks[0].mission-kind']").selectOption("circle");
  await field("flocks[0].mission.circle.radius").fill("4.50");
  await checked(t.page); // what is typed stays while the form learns what the server thinks
  await field("flocks[0].mission.circle.radius").press("Enter");
  await until(t.page, () => /radius: 4\.50/.test(volary.editor().text));
  await becomesText(t.page, /airframe: hexacopter\n {4}controller: \{kind: geometric\}\n {4}vehicles:/);
  await becomesText(t.page, /mission: \{circle: \{radius: 4\.50, speed: 2\}\} {3}# a tour/); // what both kinds have is kept
  await checked(t.page);
  await becomes(async () => (await state(t.page)).problems, []);
  await t.page.getByRole("button", { name: "Reset Start to its default" }).click();
  await becomesText(t.page, (text) => !/start: armed/.test(text));
  await t.page.locator("[id='field-flocks[0].vehicles-kind']").selectOption("ring");
  await until(t.page, () => /vehicles:\n {6}ring: \{count: 1, radius: 1\}|vehicles: \{ring: \{count: 1, radius: 1\}\}/.test(volary.editor().text));
  const before = await textOf(t.page);
  await t.page.getByLabel("Yaw, slider").focus();
  for (let k = 0; k < 3; k++) await t.page.keyboard.press("ArrowRight");
  await becomesText(t.page, /yaw_deg: 15/);
  for (let k = 0; k < 8 && (await textOf(t.page)) !== before; k++) await t.page.evaluate(() => volary.perform("edit.undo"));
  assert.equal(await textOf(t.page), before);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("regions are drawn with the mouse: box, cylinder and polygon, each with handles", { skip }, async () => {
  await server.put("by-hand", LIST);
  const t = await look("by-hand");
  if (!(await t.page.evaluate(() => volary.editor().shapes.length))) return t.close(); // a program without regions
  await t.page.evaluate(() => volary.setCamera({ mode: "top", target: [0, 0, 0], azimuth: 0, elevation: 0.9, distance: 80 }));
  await settle(t.page);
  await t.page.getByRole("button", { name: "Draw a region: box" }).click();
  await dragBy(t.page, await screen(t.page, -20, -15, 0), await screen(t.page, -5, 5, 0));
  await becomesText(t.page, /\nregions:\n {2}- name: box\n {4}box: \{min: \[-20, -15\], max: \[-5, 5\]\}\n/);
  await checked(t.page);
  await until(t.page, () => volary.editor().regions === 1);
  await settle(t.page);
  await dragBy(t.page, await screen(t.page, -5, 5, 0), await screen(t.page, -2, 9, 0));
  await becomesText(t.page, /box: \{min: \[-20, -15\], max: \[-2, 9\]\}/);
  await t.page.getByRole("button", { name: "Draw a region: cylinder" }).click();
  await dragBy(t.page, await screen(t.page, 15, 0, 0), await screen(t.page, 21, 0, 0));
  await becomesText(t.page, /cylinder: \{centre: \[15, 0\], radius: 6\}/);
  await t.page.getByRole("button", { name: "Draw a region: polygon" }).click();
  for (const [e, n] of [[0, 10], [10, 12], [5, 20]]) await t.page.mouse.click(...(await screen(t.page, e, n, 0)));
  await t.page.keyboard.press("Enter");
  await becomesText(t.page, /polygon: \{corners: \[\[0, 10\], \[10, 12\], \[5, 20\]\]\}/);
  await checked(t.page);
  await until(t.page, () => volary.editor().regions === 3);
  await t.page.locator("[id='field-regions[2].rule']").selectOption("keep_out");
  await until(t.page, () => volary.editor().regions === 3 && /rule: keep_out/.test(volary.editor().text));
  await checked(t.page);
  await settle(t.page);
  await t.page.screenshot({ path: join(OUT, "editor-regions.png") });
  await becomes(async () => (await state(t.page)).problems, []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("saving goes to the own folder, a diff says what, a draft survives a reload, two versions are told apart", { skip }, async () => {
  const t = await look("landing");
  const original = shipped("landing");
  await node(t.page, "landers").click();
  await t.page.locator("[id='field-flocks[0].vehicles.grid.spacing']").fill("2");
  await t.page.keyboard.press("Enter");
  await t.page.locator(".changed", { hasText: "1 line changed" }).click();
  await t.page.locator(".hunk .plus", { hasText: "spacing: 2" }).waitFor();
  await t.page.screenshot({ path: join(OUT, "editor-diff.png") });
  await t.page.keyboard.press("Escape");
  await t.page.reload();
  await t.page.locator(".notice", { hasText: "unsaved changes are back" }).waitFor();
  await checked(t.page);
  await becomesText(t.page, /spacing: 2\}/);
  await t.page.keyboard.press("Control+s");
  await t.page.getByRole("dialog", { name: "Save under a name" }).getByRole("textbox").fill("landing-wide");
  await t.page.keyboard.press("Enter");
  await t.page.locator(".notice", { hasText: "Saved as landing-wide" }).waitFor();
  assert.match(await server.text("landing-wide"), /spacing: 2\}/);
  assert.equal(await server.text("landing"), original);
  assert.ok(existsSync(join(server.data, "scenarios", "landing-wide.yaml")) || (await server.get("/api/scenarios")).some((e) => e.name === "landing-wide" && e.saved));
  await until(t.page, () => location.hash === "#/edit/landing-wide");
  // somebody else saves it too
  const mine = await textOf(t.page);
  await t.page.locator("[id='field-flocks[0].vehicles.grid.spacing']").or(t.page.locator(".node", { hasText: "landers" })).first().click();
  await node(t.page, "landers").click();
  await t.page.locator("[id='field-flocks[0].vehicles.grid.spacing']").fill("3");
  await t.page.keyboard.press("Enter");
  await server.put("landing-wide", mine.replace("duration: 15", "duration: 20"));
  await t.page.keyboard.press("Control+s");
  const conflict = t.page.getByRole("dialog", { name: "The file changed on the server" });
  await conflict.waitFor();
  await conflict.locator(".hunk .minus", { hasText: "duration: 20" }).waitFor();
  await t.page.screenshot({ path: join(OUT, "editor-conflict.png") });
  assert.match(await server.text("landing-wide"), /duration: 20/, "nothing was overwritten");
  await conflict.getByRole("button", { name: "Decide later" }).click();
  await t.page.locator(".strip", { hasText: "changed on the server" }).getByRole("button", { name: "Mine" }).click();
  await t.page.keyboard.press("Control+s");
  await until(t.page, () => !volary.editor().dirty);
  assert.match(await server.text("landing-wide"), /spacing: 3\}/);
  // unchanged here, changed there: theirs is taken
  await server.put("landing-wide", mine.replace("duration: 15", "duration: 25"));
  await until(t.page, () => /duration: 25/.test(volary.editor().text));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a new scenario is made, and run: it flies with the camera that was set", { skip }, async () => {
  const t = await look("");
  await checked(t.page); // without a name it shows what is running
  await until(t.page, () => /^#\/edit\/[a-z]/.test(location.hash));
  await t.page.evaluate(() => volary.perform("edit.open"));
  await t.page.getByRole("button", { name: "New scenario" }).click();
  await t.page.getByRole("dialog").getByRole("textbox").fill("my-first");
  await t.page.keyboard.press("Enter");
  await until(t.page, () => location.hash === "#/edit/my-first" && volary.editor().checked);
  await t.page.evaluate(() => volary.setCamera({ ...volary.camera(), azimuth: 1.234, distance: 33 }));
  await server.tell("speed", { factor: 0.1 }); // it is not to end while a slow page looks at it
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Control+Enter");
  await until(t.page, () => volary.shown().page === "view" && volary.shown().kind === "live" && volary.ids().length === 9 && volary.clock().tick > 5);
  await reads(t.page, ".chip", /LIVE/);
  const camera = await t.page.evaluate(() => volary.camera());
  assert.ok(Math.abs(camera.azimuth - 1.234) < 1e-6 && Math.abs(camera.distance - 33) < 1e-6, "the same camera");
  await becomes(() => server.get("/api/scenarios"), (all) => all.some((e) => e.name === "my-first" && e.saved));
  // a shipped one that was changed runs under a name of its own
  await t.page.goto(`${server.base}/?test=1&quality=lite#/edit/landing`);
  await t.page.reload();
  await checked(t.page);
  await node(t.page, "landers").click();
  await t.page.locator("[id='field-flocks[0].vehicles.grid.count']").fill("4");
  await t.page.keyboard.press("Enter");
  await t.page.keyboard.press("Control+Enter");
  await until(t.page, () => volary.shown().page === "view" && volary.ids().length === 4);
  assert.equal(await server.text("landing"), shipped("landing"));
  await becomes(() => server.text("landing-mine"), /count: 4/);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a kind that the page has never seen gets a form of its own", { skip }, async () => {
  const t = await look("default");
  await t.page.route("**/api/schema", async (route) => {
    const all = await (await route.fetch()).json();
    const vehicles = all.scenario.properties.flocks.items.properties.vehicles;
    vehicles.properties.spiral = { type: "object", additionalProperties: false, required: ["turns"], properties: { turns: { type: "integer", minimum: 2, maximum: 40, description: "how often it goes round" }, pitch: { type: "number", default: 0.5, description: "between two turns [m]" }, origin: { type: "array", minItems: 3, maxItems: 3, items: { type: "number" }, default: [0, 0, 0], description: "centre [m]" } }, description: "inwards from a rim" };
    vehicles.description += ", spiral";
    await route.fulfill({ json: all });
  });
  await t.page.reload();
  await checked(t.page);
  await node(t.page, "inner").click();
  await t.page.locator("[id='field-flocks[0].vehicles-kind']").selectOption("spiral");
  await becomesText(t.page, /vehicles: \{spiral: \{turns: 2\}\}/);
  const turns = t.page.locator("[id='field-flocks[0].vehicles.spiral.turns']");
  await becomes(() => turns.inputValue(), "2");
  await becomes(() => t.page.locator("[id='field-flocks[0].vehicles.spiral.pitch']").getAttribute("placeholder"), "0.5");
  await t.page.getByLabel("Turns, slider").waitFor(); // both ends are known
  await turns.fill("1");
  await turns.press("Enter");
  await until(t.page, () => volary.editor().problems.some((p) => /out of range: must be between 2 and 40/.test(p.message)));
  await until(t.page, () => volary.editor().checked && volary.editor().problems.length > 0);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the keyboard alone reaches everything, and every control has a name", { skip }, async () => {
  const t = await look("default");
  const seen = new Set();
  await t.page.locator("#scene").focus();
  for (let k = 0; k < 60; k++) {
    await t.page.keyboard.press("Tab");
    seen.add(await t.page.evaluate(() => { const e = document.activeElement; return e.closest(".tree") ? "tree" : e.closest(".edit-form") ? "form" : e.closest(".edit-bar") ? `bar:${e.getAttribute("aria-label") ?? e.textContent.trim()}` : e.getAttribute("role") === "tab" ? "tab" : ""; }));
  }
  for (const part of ["tree", "form", "tab"]) assert.ok(seen.has(part), `${part} among ${[...seen].join(", ")}`);
  await t.page.locator(".node[tabindex='0']").focus();
  for (let before = (await state(t.page)).selected, k = 0; before !== "flocks[0]" && k < 20; before = (await state(t.page)).selected, k++) {
    await t.page.keyboard.press("ArrowDown");
    await becomes(async () => (await state(t.page)).selected, (now) => now !== before); // the next key walks on from there
    await until(t.page, () => document.activeElement?.matches(".node[aria-selected=true]"));
  }
  await selects(t.page, "flocks[0]");
  const bad = await t.page.evaluate(() => [...document.querySelectorAll(".editor button, .editor input, .editor select, .editor textarea")].filter((e) => e.offsetParent !== null).filter((e) => { const r = e.getBoundingClientRect(); const name = e.getAttribute("aria-label") ?? e.textContent.trim() ?? ""; return (!name && !e.labels?.length && !e.title) || r.height < 23.5; }).map((e) => e.outerHTML.slice(0, 140)));
  assert.deepEqual(bad, []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a wide screen has form and text side by side; a phone has text and form and no drag", { skip }, async () => {
  const wide = await look("mixed", { size: { width: 1920, height: 1080 } });
  for (const part of [".edit-form", ".cm-editor"]) await wide.page.locator(part).waitFor();
  await settle(wide.page);
  await wide.page.screenshot({ path: join(OUT, "editor-1920x1080.png") });
  assert.deepEqual(complaints(wide.said), []);
  await wide.close();
  for (const theme of ["light", "dark"]) {
    const phone = await look("mixed", { size: { width: 390, height: 844 }, theme, touch: true });
    await phone.page.locator("#scene").waitFor({ state: "hidden" });
    await phone.page.getByRole("tab", { name: "Outline" }).click();
    await node(phone.page, "racers").click();
    await phone.page.getByRole("tab", { name: "Form" }).click();
    await becomes(() => phone.page.locator("[id='field-flocks[1].name']").inputValue(), "racers");
    await phone.page.screenshot({ path: join(OUT, `editor-390x844-${theme}.png`) });
    assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
    assert.deepEqual(complaints(phone.said), []);
    await phone.close();
  }
});

test("a name that is not there, a server that goes and comes back: words and an action, and no work lost", { skip }, async () => {
  const own = await serve();
  const t = await look("", { at: own });
  await t.page.evaluate(() => (location.hash = "#/edit/nowhere"));
  await t.page.locator(".edit-panel [role=alert]", { hasText: "nowhere could not be opened" }).waitFor();
  await t.page.evaluate(() => (location.hash = "#/edit/landing"));
  await checked(t.page);
  await own.end();
  await typeLine(t.page, 3, "name: offline");
  await t.page.locator(".strip", { hasText: "Not checked" }).waitFor();
  await t.page.keyboard.press("Control+Enter");
  await t.page.locator(".notice", { hasText: /Not started/ }).waitFor();
  await becomesText(t.page, /name: offline/);
  await t.page.screenshot({ path: join(OUT, "editor-offline.png") });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});
