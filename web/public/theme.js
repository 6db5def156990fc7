// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sets the theme before anything is painted, so that a dark page never flashes white. A file of its own because the server allows no
// inline scripts.
try {
  const kept = (JSON.parse(localStorage.getItem("volary.viewer") || "{}") || {}).settings || {};
  const asked = new URLSearchParams(location.search).get("theme") || kept.theme;
  const dark = asked === "dark" || (asked !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
} catch {
  document.documentElement.dataset.theme = "light";
}
