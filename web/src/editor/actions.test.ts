// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRoute, parseRoute } from "../app/router.ts";
import { isPlainName, plainName } from "./names.ts";

test("the address of a scenario comes back as it went", () => {
  const at = (scenario: string): string => formatRoute({ ...parseRoute(""), page: "edit", scenario });
  assert.equal(at("default"), "#/edit/default");
  for (const name of ["default", "my-own_2", "a b/c", ""]) assert.deepEqual([parseRoute(at(name)).page, parseRoute(at(name)).scenario], ["edit", name]);
  assert.deepEqual(parseRoute("#/edit").unknown, []);
});

test("names to save under are plain, and words become one", () => {
  for (const good of ["a", "my-own_2", "x".repeat(64)]) assert.ok(isPlainName(good), good);
  for (const bad of ["", "A", "a b", "../x", "a.yaml", "\u00e9", "x".repeat(65)]) assert.ok(!isPlainName(bad), bad);
  assert.equal(plainName("Two Worlds (copy)"), "two-worlds-copy");
  assert.ok(isPlainName(plainName(`${"long ".repeat(40)}name`)));
});
