// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// dist/standalone.html: the whole page in one file, with a place for a recording (`volary replay FILE --export html OUT` fills it).
// It is the same source as the served page; it asks no server for anything.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { notices } from "./notices.mjs";

const root = join(import.meta.dirname, "..");
const out = mkdtempSync(join(tmpdir(), "volary-standalone-"));
try {
  await build({
    root,
    mode: "standalone", // without the editor
    logLevel: "warn",
    build: { outDir: out, emptyOutDir: true, rolldownOptions: { output: { codeSplitting: false } } },
  });
  let html = readFileSync(join(out, "index.html"), "utf8");
  const text = (name) => readFileSync(join(out, name.replace(/^\.\//, "")), "utf8");
  const inScript = (code) => code.replaceAll("</script", "<\\/script");
  // a function, because code may hold what replace() takes for patterns
  html = html.replace(/<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g, (_, name) => `<style>${text(name)}</style>`);
  html = html.replace(/<link rel="modulepreload"[^>]*>/g, "");
  html = html.replace(/<script src="([^"]+)"><\/script>/g, (_, name) => `<script>${inScript(text(name))}</script>`);
  const main = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/.exec(html);
  if (!main) throw new Error("index.html has no module script");
  html = html.replace(main[0], "");
  html = html.replace("</body>", () => `<!--recording--><script type="module">${inScript(text(main[1]))}</script><script id="third-party" type="text/plain">${inScript(notices())}</script></body>`);
  for (const name of readdirSync(join(out, "assets")))
    if (name.endsWith(".js") && html.includes(`import("./${name}`)) throw new Error(`${name} is still a file of its own`);
  writeFileSync(join(root, "dist", "standalone.html"), html);
  console.log(`standalone.html ${(html.length / 1000).toFixed(1)} kB`);
} finally {
  rmSync(out, { recursive: true, force: true });
}
