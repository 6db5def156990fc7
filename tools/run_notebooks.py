# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs notebooks, each in a kernel and a temporary folder of its own, and prints how long each took. Exit code 1: a cell failed.

    run_notebooks.py [--save FOLDER] [--timeout SECONDS] FILE...
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path

_LAST_LINES = 25  # of a traceback that are printed


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs notebooks in the environment of this interpreter. The files themselves are not changed.")
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="notebook (.ipynb)")
    parser.add_argument("--save", metavar="FOLDER", type=Path, help="folder for the executed copies, with their outputs and pictures")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=300, help="longest time of one cell; default 300")
    arguments = parser.parse_args()
    if missing := [str(file) for file in arguments.files if not file.is_file()]:
        parser.error(f"there is no file {', '.join(missing)}")
    if arguments.save:
        arguments.save.mkdir(parents=True, exist_ok=True)
    # pictures become outputs of their cells, with or without a display
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    failed = 0
    for file in arguments.files:
        start = time.monotonic()
        fault = run(file, arguments.save, arguments.timeout)
        print(f"{file.name:32} {time.monotonic() - start:6.1f} s  {'failed' if fault else 'passed'}", flush=True)
        if fault:
            failed += 1
            print(fault, file=sys.stderr, flush=True)
    return 1 if failed else 0


def run(file: Path, save: Path | None, timeout: float) -> str:
    """Runs one notebook. Returns the end of the traceback of the cell that failed; empty: none did."""
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    except ImportError as missing:
        sys.exit(f"run_notebooks.py: {missing}: pip install nbclient ipykernel")
    try:
        book = nbformat.read(file, as_version=4)
        nbformat.validate(book)
    except Exception as wrong:
        return f"{file}: the file is not a notebook: {wrong}"
    with tempfile.TemporaryDirectory(prefix="volary-notebook-") as folder:
        # recordings of the library and settings of IPython stay in the folder too
        os.environ.update(VOLARY_RUNS=os.path.join(folder, "runs"), IPYTHONDIR=os.path.join(folder, ".ipython"))
        client = NotebookClient(book, timeout=timeout, kernel_name="python3", extra_arguments=["--log-level=ERROR"], resources={"metadata": {"path": folder}})
        fault = ""
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            lines = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).rstrip().splitlines()
            fault = "\n".join([f"{file}:", *lines[-_LAST_LINES:]])
    if save:
        nbformat.write(book, save / file.name)
    return fault


if __name__ == "__main__":
    sys.exit(main())
