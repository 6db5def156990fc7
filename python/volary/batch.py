# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Batches: a scenario with many seeds and parameters, one row per run, and means with confidence intervals over them.

The runs are flown by the command ``volary batch`` in a process of its own (docs/batch.md defines all figures), so a batch of Python and one of the shell are the same.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import math
import os
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .recording import _pandas
from .scenario import ScenarioLike, overrides_of, source_of

if TYPE_CHECKING:
    import pandas

__all__ = ["batch", "summarise"]

_BAD_INPUT = 2  # exit code of a scenario or option that cannot be used
_ERROR = b"volary: batch: "  # how its errors begin


def batch(scenario: ScenarioLike = "default", seeds: int | Iterable[int] = 100, vary: Mapping[str, Iterable[Any]] | None = None, *,
          overrides: Mapping[str, Any] | Sequence[str] | None = None, out: str | os.PathLike[str] | None = None, threads: int = 0, radius: float = 10.0,
          folder: str | os.PathLike[str] | None = None, progress: bool | None = None) -> pandas.DataFrame:
    """Runs a scenario with every combination of the values in ``vary`` and every seed. Returns one row per run.

    >>> runs = volary.batch("default", seeds=20, vary={"environment.gust_sigma": [0, 1, 2]})
    >>> volary.summarise(runs)

    ``seeds``: a number n for the seeds 1 to n, a range or a list. ``overrides`` changes fields of all runs. ``out`` is a folder that keeps the results: after an
    interruption the same call flies only the missing runs, and more seeds may be added later. ``threads``: runs at the same time, 0: one per core; the number does
    not change the results. ``radius`` (m) is that of the figure ``FLOCK/largest group``. ``folder``: where a scenario that is no file finds its files.
    ``progress``: whether progress is shown on stderr; None: where that is a terminal.

    The columns are those of ``volary batch --csv``: ``verdict``, the varied fields, ``seed``, ``success``, states of tasks, counts of events, figures with their unit such as
    ``tracking error/rms (m)``, and ``state hash``. Varied fields have the values that were given; lists become tuples.
    """
    pd = _pandas()
    axes, fixed = _axes(vary), _fixed(overrides)
    for field in axes.keys() & fixed.keys():
        raise ValueError(f"vary: '{field}' is in overrides too")
    with _scenario_file(scenario, folder) as path, tempfile.TemporaryDirectory(prefix="volary-batch-") as work:
        path_of_csv = os.path.join(work, "runs.csv")
        words = ["batch", path, "--seeds", _seeds(seeds), "--out", os.fspath(out) if out is not None else os.path.join(work, "out"), "--csv", path_of_csv]
        words += ["--radius", repr(float(radius)), "--threads", str(int(threads))]
        for field, values in {**fixed, **axes}.items():
            words += ["--set", f"{field}={','.join(values)}"]
        _run_program(words, sys.stderr.isatty() if progress is None else progress)
        with open(path_of_csv, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    cells = dict(zip(rows[0], map(list, zip(*rows[1:]))))
    frame: pandas.DataFrame = pd.DataFrame({name: _values(name, texts, axes) for name, texts in cells.items() if name not in fixed})
    frame.attrs.update(scenario=_name_of(scenario), parameters=list(axes))
    return frame


def summarise(runs: pandas.DataFrame, by: str | Sequence[str] | None = None, *, confidence: float = 0.95) -> pandas.DataFrame:
    """Mean and confidence interval of every figure, for each combination of parameters: a row for each, with ``n``, ``mean``, ``low``, ``high`` and ``deviation``.

    The interval of a mean is Student's, that of a probability (``success``, ``tasks/NAME``, ``FLOCK/alive``, events that no run has twice) is Wilson's, as in
    ``volary batch``. ``by``: names of columns; None: the fields that :func:`batch` varied. The index has the parameters, if there are any, and ``figure``.
    """
    pd = _pandas()
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence!r} is not between 0 and 1")
    names = list(runs.attrs.get("parameters", ())) if by is None else [by] if isinstance(by, str) else list(by)
    for name in names:
        if name not in runs.columns:
            raise ValueError(f"summarise: the runs have no column '{name}'")
    figures = [c for c in runs.columns if c not in {*names, *runs.attrs.get("parameters", ()), "seed"} and _is_figure(pd, runs[c])]
    rows: dict[Hashable, dict[str, float]] = {}
    for key, group in _groups(runs, names):
        for figure in figures:
            values = group[figure].dropna().to_numpy(np.float64)
            if len(values):
                rows[(*key, figure) if names else figure] = _interval(figure, values, confidence)
    index = pd.MultiIndex.from_tuples(rows, names=[*names, "figure"]) if names and rows else pd.Index(list(rows), name="figure")
    table: pandas.DataFrame = pd.DataFrame(list(rows.values()), index=index, columns=["n", "mean", "low", "high", "deviation"])
    return table.astype({"n": int})


# ---------------------------------------------------------------- statistics


@functools.lru_cache(maxsize=4096)
def student_t(confidence: float, degrees: int) -> float:
    """The value that |t| of Student's distribution exceeds with probability 1 - confidence."""
    z = statistics.NormalDist().inv_cdf(0.5 + 0.5 * confidence)
    if degrees > 2000:  # series in 1 / degrees (Abramowitz and Stegun 26.7.5); the next term is below 1e-9
        return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    low, high = 0.0, 1.0
    while _within(high, degrees) < confidence:
        high *= 2
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _within(middle, degrees) < confidence else (low, middle)
    return 0.5 * (low + high)


def _within(t: float, degrees: int) -> float:
    """Probability that Student's |t| is smaller: the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4."""
    angle = math.atan2(t, math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2
    term, total = (cosine if odd else 1.0), 0.0
    for k in range(1 + odd, degrees, 2):
        total += term
        term *= k / (k + 1) * cosine * cosine
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def wilson(hits: float, n: int, confidence: float) -> tuple[float, float]:
    """The score interval of a probability after hits of n trials."""
    z2 = statistics.NormalDist().inv_cdf(0.5 + 0.5 * confidence) ** 2
    p = hits / n
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) / (1 + z2 / n) * math.sqrt(max(0.0, p * (1 - p) / n) + z2 / (4 * n * n))
    return (0.0 if hits == 0 else centre - half), (1.0 if hits == n else centre + half)


def _interval(figure: str, values: NDArray[np.float64], confidence: float) -> dict[str, float]:
    n = len(values)
    equal = bool(np.all(values == values[0]))
    mean = float(values[0]) if equal else float(values.mean())
    deviation = 0.0 if equal else float(values.std(ddof=1))
    row = {"n": n, "mean": mean, "low": math.nan, "high": math.nan, "deviation": deviation if n > 1 else math.nan}
    if is_probability(figure, values):
        row["low"], row["high"] = wilson(mean * n, n, confidence)
    elif n > 1:
        half = student_t(confidence, n - 1) * deviation / math.sqrt(n)
        row["low"], row["high"] = mean - half, mean + half
    return row


def is_probability(figure: str, values: NDArray[np.float64]) -> bool:
    """Whether each run says yes or no, or gives a share."""
    if figure.startswith("events/"):
        return bool(np.all(values <= 1))
    return figure == "success" or figure.endswith("/alive") or (figure.startswith("tasks/") and not figure.endswith("/done at (s)"))


def _groups(runs: pandas.DataFrame, names: list[str]) -> Iterator[tuple[tuple[Any, ...], pandas.DataFrame]]:
    if not names:
        yield (), runs
        return
    # in the order of the runs; by positions, because groupby() sorts, and takes tuples in cells for keys of its own
    places: dict[tuple[Any, ...], list[int]] = {}
    for k, key in enumerate(zip(*(runs[name] for name in names))):
        places.setdefault(key, []).append(k)
    for key, rows in places.items():
        yield key, runs.iloc[rows]


def _is_figure(pd: Any, column: Any) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column.dtype))


# ---------------------------------------------------------------- the command


def _seeds(seeds: int | Iterable[int]) -> str:
    if isinstance(seeds, (bool, str)) or not isinstance(seeds, (int, np.integer, Iterable)):
        raise TypeError(f"seeds: a number of runs, a range or a list of whole numbers is needed, not {seeds!r}")
    if isinstance(seeds, (int, np.integer)):
        if seeds < 1:
            raise ValueError(f"seeds: {seeds} is not a number of runs")
        return f"1..{seeds}"
    if isinstance(seeds, range) and seeds.step == 1 and len(seeds) > 0 and seeds.start >= 0:
        return f"{seeds.start}..{seeds.stop - 1}"
    numbers = list(seeds)
    for x in numbers:
        if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or x < 0:
            raise ValueError(f"seeds: {x!r} is not a whole number from 0 on")
    if not numbers:
        raise ValueError("seeds: there are none")
    return ",".join(str(x) for x in numbers)


_Axis = dict[str, Any]  # values of a field by their text on the command line


def _axes(vary: Mapping[str, Iterable[Any]] | None) -> dict[str, _Axis]:
    axes: dict[str, _Axis] = {}
    for field, values in (vary or {}).items():
        if isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
            raise TypeError(f"vary: '{field}' needs a list of values, not {values!r}")
        axes[field] = {_shielded(overrides_of({field: value})[0].partition("=")[2]): value for value in values}
        if not axes[field]:
            raise ValueError(f"vary: '{field}' has no values")
    return axes


def _fixed(overrides: Mapping[str, Any] | Sequence[str] | None) -> dict[str, list[str]]:
    pairs = (text.partition("=") for text in overrides_of(overrides))
    return {field: [_shielded(value)] for field, _, value in pairs}


def _shielded(text: str) -> str:
    """A value in which no comma is taken for the end of it: lists and maps are in brackets, a plain text with commas or quotes gets quotes."""
    if text[:1] in ("[", "{") or not re.search(r"[,'\"]", text) or re.fullmatch(r"'(?:[^']|'')*'|\"[^\"]*\"", text):
        return text
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def _scenario_file(scenario: ScenarioLike, folder: str | os.PathLike[str] | None) -> Iterator[str]:
    """The path of a file that holds the scenario. Its name depends on nothing but the content, so that an interrupted batch is known again."""
    text, path, where = source_of(scenario, folder)
    if path:
        yield path
        return
    if where:
        own = Path(where) / f".batch-{hashlib.sha256(text.encode()).hexdigest()[:16]}.yaml"
        own.write_text(text)
        try:
            yield str(own)
        finally:
            own.unlink(missing_ok=True)
        return
    made = tempfile.mkdtemp(prefix="volary-scenario-")
    try:
        own = Path(made) / "scenario.yaml"
        own.write_text(text)
        yield str(own)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _run_program(words: list[str], shows: bool) -> None:
    """The command in a process of its own. The program shows progress on a terminal only, so stderr is one where progress is wanted."""
    ours = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(x for x in (ours, os.environ.get("PYTHONPATH", "")) if x)}
    read_end, write_end = os.openpty() if shows else os.pipe()
    # a group of its own: Ctrl-C reaches it once, through _listen()
    process = subprocess.Popen([sys.executable, "-P", "-m", "volary", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=write_end, env=environment,
                               process_group=0)
    os.close(write_end)
    try:
        said = _listen(read_end, process, shows)
    finally:
        os.close(read_end)
        if process.poll() is None:  # an exception on the way
            process.terminate()
            process.wait()
    code = process.returncode
    if code == 0:
        return
    message = _message(said)
    if code == _BAD_INPUT:
        raise _core.ScenarioError(message)
    raise RuntimeError(message or f"volary batch ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}")


def _listen(read_end: int, process: subprocess.Popen[bytes], shows: bool) -> str:
    """What the program writes to stderr until it ends, shown on the way where that is wanted. An interrupt is handed on, so that the program ends in order."""
    said = bytearray()
    interrupted = False
    while True:
        try:
            if not select.select([read_end], [], [], 1.0)[0]:
                continue
            chunk = os.read(read_end, 65536)
        except KeyboardInterrupt:
            if interrupted:
                process.kill()
            interrupted = True
            process.send_signal(signal.SIGINT)
            continue
        except OSError:  # a terminal whose other end was closed
            break
        if not chunk:
            break
        said += chunk
        if shows and _ERROR not in said:  # an error becomes an exception
            sys.stderr.write(chunk.decode(errors="replace"))
            sys.stderr.flush()
    process.wait()
    if interrupted:
        raise KeyboardInterrupt(_message(said.decode(errors="replace")))
    return said.decode(errors="replace")


def _message(said: str) -> str:
    """The last thing that the program said, without its name and what a terminal needs."""
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", said).replace("\r\n", "\n")
    lines = [line.rpartition("\r")[2] for line in plain.strip().split("\n")]
    start = max((k for k, line in enumerate(lines) if line.startswith("volary: ")), default=0)
    return re.sub(r"^volary: (?:batch: )?", "", "\n".join(lines[start:])).strip()


# ---------------------------------------------------------------- the table


def _values(name: str, texts: list[str], axes: dict[str, _Axis]) -> list[Any]:
    """The cells of a column. An empty cell is a figure that the run does not have."""
    if name in axes:
        return [_hashable(axes[name][text]) for text in texts]
    if name in ("verdict", "state hash") or (name.startswith("tasks/") and name.endswith("/state")):
        return [text or None for text in texts]
    if name == "success":
        return [text == "1" for text in texts]
    if name == "seed" or name.startswith("events/"):
        return [int(text) for text in texts]
    return [float(text) if text else math.nan for text in texts]


def _hashable(value: Any) -> Any:
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple(_hashable(v) for v in value) if isinstance(value, (list, tuple)) else value


def _name_of(scenario: ScenarioLike) -> str:
    if isinstance(scenario, Mapping):
        return str(scenario.get("name", "scenario"))
    if hasattr(scenario, "to_dict"):
        return str(scenario.to_dict().get("name", "scenario"))
    text = os.fspath(scenario)
    return "scenario" if "\n" in text else Path(text).stem
