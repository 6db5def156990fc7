// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The style sheet of a report: colours for light, dark and paper, and the classes that svg_plot.hpp draws with.
#pragma once

namespace volary::cli {

inline constexpr const char* kHtmlStyle = R"css(:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2024; --quiet: #60646c; --line: #d9dde2; --panel: #f6f7f9;
  --good: #1a7f37; --bad: #c62828; --warn: #9a6700;
  --c0: #1f6fb4; --c1: #c2410c; --c2: #2e7d32; --c3: #7b3fa0; --c4: #8d5b3f; --c5: #b83280; --c6: #5f6b76; --c7: #00798c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111418; --text: #e6e9ed; --quiet: #9aa3ad; --line: #333a43; --panel: #1a1f25;
    --good: #4ac26b; --bad: #ff7b72; --warn: #e3b341;
    --c0: #6cb6ff; --c1: #ffa657; --c2: #7ee787; --c3: #d2a8ff; --c4: #e0b08c; --c5: #ff9bce; --c6: #b1bac4; --c7: #56d4dd;
  }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --text: #000; --quiet: #444; --line: #bbb; --panel: #fff; --good: #1a7f37; --bad: #c62828; --warn: #9a6700;
    --c0: #1f6fb4; --c1: #c2410c; --c2: #2e7d32; --c3: #7b3fa0; --c4: #8d5b3f; --c5: #b83280; --c6: #5f6b76; --c7: #00798c;
  }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: .6rem 0 .2rem; font-size: 1.6rem; }
h2 { margin: 2.2rem 0 .6rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); font-size: 1.15rem; }
h3 { margin: 1.2rem 0 .4rem; font-size: 1rem; }
.verdict { margin: 0; padding: .7rem 1rem; border-left: .4rem solid var(--quiet); background: var(--panel); font-size: 1.15rem; overflow-wrap: anywhere; }
.verdict.passed { border-color: var(--good); } .verdict.passed strong { color: var(--good); }
.verdict.failed { border-color: var(--bad); } .verdict.failed strong { color: var(--bad); }
.verdict.incomplete, .verdict.mixed { border-color: var(--warn); } .verdict.incomplete strong, .verdict.mixed strong { color: var(--warn); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 600; } th:empty { padding: 0; border: 0; }
tr.done td:nth-child(2) { color: var(--good); } tr.failed td:nth-child(2) { color: var(--bad); font-weight: 600; } tr.open td:nth-child(2) { color: var(--warn); }
.warnings { margin: 0; padding: .5rem 1rem .5rem 2rem; border-left: .4rem solid var(--warn); background: var(--panel); }
figure { margin: 0 0 1.6rem; }
figcaption { margin-bottom: .3rem; color: var(--quiet); font-size: .9rem; } figcaption b { color: var(--text); }
.key { margin-left: .7rem; white-space: nowrap; } .key::before { content: ""; display: inline-block; width: 1.2em; margin-right: .3em; border-top: .2em solid var(--c); vertical-align: .25em; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--quiet); font-size: 12px; }
.grid { stroke: var(--line); stroke-width: 1; }
.curve { fill: none; stroke: var(--c); stroke-width: 1.5; stroke-linejoin: round; } .band { fill: var(--c); opacity: .18; } .bar { fill: var(--c); }
.start { fill: var(--page); stroke: var(--c); stroke-width: 1.2; } .end { fill: var(--c); }
summary { margin: .8rem 0 .4rem; cursor: pointer; }
)css";

}  // namespace volary::cli
