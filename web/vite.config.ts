// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// The development server hands the stream and the REST calls on to a running `volary serve` (or tools/fake_server.mjs).
const backend = process.env["VOLARY_SERVER"] ?? "127.0.0.1:8765";

export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "dist",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // What others wrote and the first look needs is one file: it stays in the cache when the page changes. What we wrote for the first look is another, without the seams that
    // many small files have (3 kB packed); parts that come later are left out by their names.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "vendor", test: /node_modules\/(three|preact|@preact)\// }, { name: "page", test: /src\/(main|app\/(?!video|webm|testing|hands)|scene\/|panels\/(?!plots|instruments)|timeline\/|ui\/(?!rare)|wire\/|editor\/actions|source\/(air|history|source|decode|live|clock|plotted))/ }] } } },
  },
  worker: { format: "es" },
  server: { proxy: { "/ws": { target: `ws://${backend}`, ws: true }, "/api": `http://${backend}` } },
});
