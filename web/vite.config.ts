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
    // What others wrote and the first look needs is one file: it packs better and stays in the cache when the page changes. So do the small parts of ours that
    // the first look shares with pages that come later.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "vendor", test: /node_modules\/(three|preact|@preact)\// }, { name: "shared", test: /src\/(source\/(history|source|decode)|app\/keymap|scene\/pick)\.ts/ }] } } },
  },
  worker: { format: "es" },
  server: { proxy: { "/ws": { target: `ws://${backend}`, ws: true }, "/api": `http://${backend}` } },
});
