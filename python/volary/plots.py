# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Plots of recordings, batches and radio reports with Matplotlib. Each function draws into ``ax``, or into a new figure, and returns the axes."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .batch import is_probability, summarise, wilson
from .recording import Recording, Table, _pandas

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

__all__ = ["metric", "radio_delivery", "top_view", "tracking_error", "trajectories_3d"]

#: What can be drawn as trajectories: a recording, tables by flock, or the table of :meth:`Recording.to_pandas`.
Trajectories = Union[Recording, Mapping[str, Table], "pandas.DataFrame"]
_RATE = 10.0  # samples per simulated second, where none is given
_AXES = ("east (m)", "north (m)", "up (m)")


def top_view(source: Trajectories, ax: Axes | None = None, *, flock: str | None = None, world: int = 0, rate: float = _RATE) -> Axes:
    """Trajectories seen from above, north upwards, a colour for each flock; a dot marks the start of each vehicle.

    A recording is drawn from its recorded trajectories where it has them, at ``rate`` samples per simulated second, and is flown again otherwise.
    """
    axes = _new_axes() if ax is None else ax
    from matplotlib.collections import LineCollection

    for name, lines, colour in _coloured(axes, source, flock, world, rate):
        made = LineCollection([p[:, :2] for p in lines], colors=colour, linewidths=1, alpha=_opacity(len(lines)), label=f"{name} ({len(lines)})", capstyle="round")
        axes.add_collection(made)
        starts = np.array([p[0, :2] for p in lines])
        axes.scatter(starts[:, 0], starts[:, 1], s=9, color=colour, zorder=3)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.05)
    axes.autoscale_view()
    axes.set_xlabel(_AXES[0])
    axes.set_ylabel(_AXES[1])
    axes.grid(True, alpha=0.3)
    _legend(axes, "flock (vehicles)")
    return axes


def trajectories_3d(source: Trajectories, ax: Axes | None = None, *, flock: str | None = None, world: int = 0, rate: float = _RATE) -> Any:
    """Trajectories in space, with equal scales on all axes; otherwise as :func:`top_view`. ``ax`` needs ``projection="3d"``."""
    axes: Any = _new_axes(projection="3d") if ax is None else ax
    if not hasattr(axes, "set_zlabel"):
        raise TypeError('trajectories_3d: the axes are flat; make them with plt.subplots(subplot_kw={"projection": "3d"})')
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for name, lines, colour in _coloured(axes, source, flock, world, rate):
        for k, p in enumerate(lines):
            axes.plot(p[:, 0], p[:, 1], p[:, 2], color=colour, linewidth=1, alpha=_opacity(len(lines)), label=f"{name} ({len(lines)})" if k == 0 else None)
            low, high = np.minimum(low, np.nanmin(p, axis=0)), np.maximum(high, np.nanmax(p, axis=0))
        starts = np.array([p[0] for p in lines])
        axes.scatter(starts[:, 0], starts[:, 1], starts[:, 2], s=9, color=colour, depthshade=False)
    # the same scale everywhere, with a box no flatter than a quarter of its width
    size = np.maximum(high - low, 1e-3) * 1.08
    size = np.maximum(size, size.max() / 4)
    middle = 0.5 * (low + high)
    for k, limit in enumerate((axes.set_xlim, axes.set_ylim, axes.set_zlim)):
        limit(middle[k] - size[k] / 2, middle[k] + size[k] / 2)
    axes.set_box_aspect(size)
    axes.set_xlabel(_AXES[0], labelpad=10)
    axes.set_ylabel(_AXES[1], labelpad=10)
    axes.set_zlabel(_AXES[2])
    axes.locator_params(nbins=6)
    axes.locator_params(axis="z", nbins=4)
    _legend(axes, "flock (vehicles)")
    return axes


def tracking_error(recording: Recording | Mapping[str, Table], ax: Axes | None = None, *, flock: str | None = None, rate: float = _RATE) -> Axes:
    """Distance from the setpoint over time, exact: for each flock the root mean square over its vehicles, and the largest error above it as a shade."""
    tables = recording if isinstance(recording, Mapping) else recording.columns(["tracking_error"], rate)
    axes = _new_axes() if ax is None else ax
    drawn = 0
    for name, table in tables.items():
        if (flock is not None and name != flock) or "tracking_error" not in table:
            continue
        time, rms, largest = _error_over_time(table)
        if len(time):
            line = axes.plot(time, rms, label=f"{name} ({len(np.unique(table.vehicle))})")[0]
            axes.fill_between(time, rms, largest, color=line.get_color(), alpha=0.2, linewidth=0)
            drawn += 1
    if drawn == 0:
        raise ValueError(f"tracking_error: no vehicle{f' of the flock {flock!r}' if flock else ''} is on a mission")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("tracking error (m)")
    axes.set_ylim(bottom=0)
    axes.grid(True, alpha=0.3)
    _legend(axes, "root mean square,\nshaded up to the largest")
    return axes


def metric(runs: pandas.DataFrame, name: str, x: str | None = None, by: str | None = None, ax: Axes | None = None, *, confidence: float = 0.95) -> Axes:
    """A figure of a batch over a varied field: means joined by a line, with a band of confidence.

    ``name`` is a column of :func:`volary.batch`. ``x`` is the field on the horizontal axis (default: the first that was varied), ``by`` another one with a line for each
    value (default: the second). Fields that are no numbers, and a batch in which nothing was varied, are drawn as points with error bars beside dots for the runs.
    """
    for field in (name, x, by):
        if field is not None:
            _check_column(runs, field)
    others = [p for p in runs.attrs.get("parameters", ()) if p not in (x, by) and runs[p].nunique() > 1]
    x = others.pop(0) if x is None and others else x
    by = others.pop(0) if by is None and others else by
    if others:
        raise ValueError(f"metric: {', '.join(others)} was varied too; choose the runs with one value, or set attrs['parameters'] to average over it")
    axes = _new_axes() if ax is None else ax
    pd = _pandas()
    groups = [(None, runs)] if by is None else [(value, runs[[v == value for v in runs[by]]]) for value in dict.fromkeys(runs[by])]
    is_number = x is not None and pd.api.types.is_numeric_dtype(runs[x].dtype) and not pd.api.types.is_bool_dtype(runs[x].dtype)
    places = list(dict.fromkeys(runs[x])) if x is not None else [runs.attrs.get("scenario", "runs")]
    for k, (value, part) in enumerate(groups):
        label = None if by is None else _text(value)
        means = summarise(part[[c for c in (x, name) if c is not None]], [] if x is None else [x], confidence=confidence)
        table = means.xs(name, level="figure") if x is not None else means.loc[[name]]
        if is_number:
            table = table.sort_index()
            line = axes.plot(table.index, table["mean"], marker="o", markersize=4, label=label)[0]
            axes.fill_between(table.index.to_numpy(float), table["low"].to_numpy(float), table["high"].to_numpy(float), color=line.get_color(), alpha=0.2, linewidth=0)
        else:
            keys = list(table.index) if x is not None else places
            _draw_points(axes, part, name, x, places, keys, table, label, (k - 0.5 * (len(groups) - 1), 0.7 / len(groups)))
    if not is_number:
        axes.set_xticks(range(len(places)), [_text(p) for p in places])
        axes.set_xlim(-0.6, len(places) - 0.4)
    axes.set_xlabel(x or "")
    axes.set_ylabel(name)
    if is_probability(name, runs[name].dropna().to_numpy(float)):
        axes.set_ylim(-0.02, 1.02)
    axes.set_title(f"mean and {100 * confidence:g} % interval", fontsize="medium")
    axes.grid(True, alpha=0.3)
    _legend(axes, by or "")
    return axes


def radio_delivery(reports: Any, ax: Axes | None = None, *, confidence: float = 0.95) -> Axes:
    """Share of delivered messages over the distance from the sender, by ranges of distances, with a band of confidence (Wilson's interval).

    ``reports`` is a :class:`World`, what its ``radio_report()`` returned, or a dict of several such by their labels.
    """
    axes = _new_axes() if ax is None else ax
    named = reports if isinstance(reports, Mapping) else {"": reports}
    drawn = 0
    for label, source in named.items():
        rows = _delivery(source if isinstance(source, _core.RadioReport) else source.radio_report(), confidence)
        if len(rows) == 0:
            continue
        line = axes.plot(rows[:, 0], rows[:, 1], marker="o", markersize=4, label=label or None)[0]
        axes.fill_between(rows[:, 0], rows[:, 2], rows[:, 3], color=line.get_color(), alpha=0.2, linewidth=0)
        axes.hlines(rows[:, 1], rows[:, 4], rows[:, 5], colors=line.get_color(), linewidth=1, alpha=0.6)
        drawn += 1
    if drawn == 0:
        raise ValueError("radio_delivery: no message had a receiver in reach; the world needs vehicles that send, and has to be stepped first")
    axes.set_xlabel("distance from the sender (m)")
    axes.set_ylabel("delivered share of messages")
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(-0.02, 1.02)
    axes.grid(True, alpha=0.3)
    _legend(axes, "")
    return axes


# ---------------------------------------------------------------- what is drawn


def _coloured(axes: Any, source: Trajectories, flock: str | None, world: int, rate: float) -> Iterator[tuple[str, list[NDArray[np.float64]], Any]]:
    drawn = 0
    for name, lines in _lines(source, flock, world, rate):
        drawn += len(lines)
        if lines:
            yield name, lines, axes._get_lines.get_next_color()
    if drawn == 0:
        raise ValueError(f"there is no trajectory to draw in world {world}{f' of the flock {flock!r}' if flock else ''}")


def _lines(source: Trajectories, flock: str | None, world: int, rate: float) -> Iterator[tuple[str, list[NDArray[np.float64]]]]:
    """The positions of each vehicle, (moments, 3), by flock."""
    if isinstance(source, Recording):
        source = source.trajectories(rate) if source.info.has_trajectories else source.columns(["position"], rate)
    if isinstance(source, Mapping):
        for name, table in source.items():
            if flock is None or name == flock:
                rows = table.rows(table.world == world)
                yield name, _split(rows.vehicle, rows["position"])
        return
    for column in ("position_x", "position_y", "position_z"):
        _check_column(source, column)
    frame = source[source["world"] == world] if "world" in source.columns else source
    for name in dict.fromkeys(frame["flock"]):
        if flock is None or name == flock:
            part = frame[frame["flock"] == name]
            yield str(name), _split(part["vehicle"].to_numpy(), part[["position_x", "position_y", "position_z"]].to_numpy(float))


def _split(vehicle: NDArray[Any], position: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    order = np.argsort(vehicle, kind="stable")
    cuts = np.flatnonzero(vehicle[order][1:] != vehicle[order][:-1]) + 1
    return [p for p in np.split(position[order], cuts) if len(p)]


def _error_over_time(table: Table) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    known = ~np.isnan(table["tracking_error"])
    error = table["tracking_error"][known]
    ticks, place = np.unique(table.tick[known], return_inverse=True)
    n = np.bincount(place, minlength=len(ticks))
    rms = np.sqrt(np.bincount(place, weights=error**2, minlength=len(ticks)) / n) if len(ticks) else np.zeros(0)
    largest = np.zeros(len(ticks))
    np.maximum.at(largest, place, error)
    first = {int(t): float(s) for t, s in zip(table.tick[known][::-1], table.time[known][::-1])}
    return np.array([first[int(t)] for t in ticks]), rms, largest


def _delivery(report: _core.RadioReport, confidence: float) -> NDArray[np.float64]:
    """Distance, share and its interval, and the range of distances. Ranges double, so their middle is that of their logarithms; the first begins at 0."""
    rows = []
    for d in report.by_distance:
        if d.receivers > 0:
            start, delivered = max(d.start, d.end / 2), dict(d.outcomes).get("delivered", 0)
            rows.append((math.sqrt(start * d.end), delivered / d.receivers, *wilson(delivered, d.receivers, confidence), start, d.end))
    return np.array(rows, dtype=float)


def _draw_points(axes: Any, runs: Any, name: str, x: str | None, places: list[Any], keys: list[Any], table: Any, label: str | None,
                 place: tuple[float, float]) -> None:
    step, width = place
    at = np.array([places.index(key) for key in keys]) + step * width
    mean, low, high = (table[c].to_numpy(float) for c in ("mean", "low", "high"))
    bars = np.nan_to_num([mean - low, high - mean])
    drawn = axes.errorbar(at, mean, yerr=bars, fmt="o", markersize=5, capsize=4, label=label, zorder=3)
    for key, centre in zip(keys, at):
        values = runs[name] if x is None else runs[name][[v == key for v in runs[x]]]
        axes.plot(np.full(len(values), centre + 0.35 * min(width, 0.3)), values.astype(float), ".", color=drawn[0].get_color(), alpha=0.35, markersize=4)


# ---------------------------------------------------------------- helpers


def _new_axes(**keywords: Any) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("this needs Matplotlib: pip install volary[plot]") from error
    return plt.subplots(subplot_kw=keywords, layout="constrained")[1]


def _legend(axes: Any, title: str) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    legend = axes.legend(title=title or None, fontsize="small", title_fontsize="small", ncols=2 if len(labels) > 12 else 1)
    # lines of many vehicles are faint where they are drawn, not here
    for handle in legend.legend_handles:
        if handle is not None:
            handle.set_alpha(1)


def _opacity(n: int) -> float:
    return float(np.clip(8 / max(1, n), 0.15, 0.9))


def _text(value: Any) -> str:
    return str(list(value)) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)


def _check_column(frame: Any, name: str) -> None:
    if name not in frame.columns:
        near = difflib.get_close_matches(name, [str(c) for c in frame.columns], n=1)
        raise ValueError(f"there is no column '{name}'" + (f" (did you mean '{near[0]}'?)" if near else f" (known are {', '.join(str(c) for c in frame.columns)})"))
