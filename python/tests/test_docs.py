# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Every snippet of Python in the documents runs as it is printed, those of a page one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from volary import chromium

ROOT = Path(__file__).resolve().parents[2]
PAGES = [p for p in [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").glob("python*.md"))] if "```python" in p.read_text()]


def snippets(page: Path) -> list[tuple[int, str]]:
    """Line and text of every block."""
    text = page.read_text()
    return [(text[: m.start()].count("\n") + 2, m.group(1)) for m in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_snippets_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("gymnasium", "pettingzoo", "pandas", "pyarrow", "matplotlib"):
        pytest.importorskip(module)
    if ".screenshot(" in page.read_text():
        try:
            chromium.find_chromium()
        except RuntimeError as fault:
            pytest.skip(str(fault))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("VOLARY_RUNS", str(tmp_path / "runs"))
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "snippets"}
    for line, text in snippets(page):
        exec(compile("\n" * (line - 1) + text, str(page), "exec"), namespace)
