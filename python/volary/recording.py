# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Recordings: exact values by flying them again, trajectories within stated errors, tables for pandas and Arrow, and exports."""

from __future__ import annotations

import difflib
import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    import pandas

__all__ = ["Metric", "Recording", "Table", "open"]

#: Flight modes by their number in the column ``mode``.
MODES = ("disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop")
_SUFFIX = ".vrec"
_XYZ, _WXYZ = ("x", "y", "z"), ("w", "x", "y", "z")
_AXES: dict[tuple[str, int], tuple[str, ...]] = {
    ("W", 3): _XYZ, ("B", 3): _XYZ, ("WB", 4): _WXYZ, ("W", 6): (*_XYZ, "remainder_x", "remainder_y", "remainder_z")}
# of recorded trajectories
_FRAMES, _UNITS = {"position": "W", "velocity": "W", "attitude": "WB"}, {"position": "m", "velocity": "m/s"}


class Metric(NamedTuple):
    """A figure that the recording program added."""

    time: float  #: s
    tick: int
    name: str
    value: float
    unit: str


@dataclass(frozen=True, eq=False)
class Table:
    """Values of the vehicles of one flock: a row for each vehicle and moment, in the order of time, then of vehicles.

    >>> table = recording.columns(["position"], flock="inner")
    >>> table["position"]                      # (rows, 3)
    >>> table.of("inner[3]")["position"]        # the rows of one vehicle
    """

    flock: str | None  #: None: vehicles of all flocks
    time: NDArray[np.float64]  #: s, of each row
    tick: NDArray[np.uint64]  #: of each row
    vehicle: NDArray[np.int64]  #: of each row: index in :attr:`Recording.vehicles`
    columns: Mapping[str, NDArray[np.float64]]  #: by name: (rows,), or (rows, components) where a value has several numbers
    exact: bool  #: False: within the error bounds of the recording
    docs: Mapping[str, _core.Column] = field(default_factory=dict)  #: unit, frame and meaning of columns, where exact
    _vehicles: Sequence[_core.RecordedVehicle] = field(default=(), repr=False)

    @property
    def name(self) -> NDArray[np.str_]:
        """Name of the vehicle of each row."""
        return self._of_vehicles([v.name for v in self._vehicles])

    @property
    def world(self) -> NDArray[np.int64]:
        """Index of the world of each row."""
        return np.asarray([v.world for v in self._vehicles], dtype=np.int64)[self.vehicle]

    @property
    def mode(self) -> NDArray[np.str_]:
        """Flight mode of each row as a text; ``"unknown"``: not recorded."""
        numbers = np.nan_to_num(self["mode"], nan=-1).astype(np.int64)
        known = (numbers >= 0) & (numbers < len(MODES))
        return np.asarray([*MODES, "unknown"])[np.where(known, numbers, len(MODES))]

    def of(self, vehicle: str | int) -> Table:
        """The rows of one vehicle, given by its name or its index. In a batch of worlds, a name stands for a vehicle of each world."""
        if isinstance(vehicle, str):
            chosen = [k for k in np.unique(self.vehicle) if self._vehicles[k].name == vehicle]
            if not chosen:
                raise ValueError(_unknown("vehicle", vehicle, [self._vehicles[k].name for k in np.unique(self.vehicle)]))
        else:
            chosen = [vehicle]
        return self.rows(np.isin(self.vehicle, chosen))

    def rows(self, which: NDArray[Any] | slice) -> Table:
        """Some of the rows: a mask, indices or a slice."""
        columns = {name: values[which] for name, values in self.columns.items()}
        return Table(self.flock, self.time[which], self.tick[which], self.vehicle[which], columns, self.exact, self.docs, self._vehicles)

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        if column not in self.columns:
            raise KeyError(_unknown("column", column, list(self.columns)))
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.tick)

    def __repr__(self) -> str:
        return f"Table({f'{self.flock!r}, ' if self.flock else ''}{len(self)} rows: {', '.join(self.columns)})"

    def _of_vehicles(self, values: list[str]) -> NDArray[np.str_]:
        return np.asarray(values, dtype=np.str_)[self.vehicle]

    def flat(self) -> dict[str, NDArray[np.float64]]:
        """One number in each column: ``position_x``, ``position_y``, ``rotor_speed_0`` and so on. Points in names of columns become underscores."""
        made: dict[str, NDArray[np.float64]] = {}
        for name, values in self.columns.items():
            plain = name.replace(".", "_")
            if values.ndim == 1:
                made[plain] = values
                continue
            for k, part in enumerate(self._parts(name, values.shape[1])):
                made[f"{plain}_{part}"] = values[:, k]
        return made

    def _parts(self, name: str, n: int) -> Sequence[str]:
        # letters where the numbers are axes of a frame, as in exported files
        frame = self.docs[name].frame if name in self.docs else _FRAMES.get(name, "")
        return _AXES.get((frame, n)) or [str(k) for k in range(n)]


class Recording:
    """A recording that is read; :func:`volary.open` makes it.

    >>> recording = volary.open("flight.vrec")
    >>> recording.info.scenario, recording.duration
    >>> recording.verify().exact
    >>> recording.to_pandas(rate=10)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._core = _core.Recording.open(os.fspath(path))
        self._vehicles = self._core.vehicles

    # ------------------------------------------------------------ head

    @property
    def info(self) -> _core.RecordingInfo:
        """Scenario, seed, ticks, error bounds, faults of the file, result of the run."""
        return self._core.info

    @property
    def vehicles(self) -> list[_core.RecordedVehicle]:
        """Every vehicle that was ever in the world; tables refer to them by their index."""
        return self._vehicles

    @property
    def events(self) -> list[_core.Event]:
        """All events, in the order of time."""
        return self._core.events

    @property
    def metrics(self) -> list[Metric]:
        """Figures that the recording program added, such as those of the report of ``volary run``."""
        return [Metric(self.time_of(tick), tick, name, value, unit) for tick, name, value, unit in self._core.metrics()]

    @property
    def duration(self) -> float:
        """s, from the first tick to the last."""
        return self.time_of(self.info.last_tick - self.info.first_tick)

    def time_of(self, tick: int) -> float:
        """Simulated time of a tick in s."""
        return float(_seconds(np.asarray([tick]), self.info.tick_length)[0])

    def hash(self, tick: int) -> int | None:
        """State hash after a tick; None: the tick is not in the recording."""
        return self._core.hash(tick)

    def verify(self, *, threads: int = 1, allow_plugins: bool = False) -> _core.RecordingCheck:
        """Flies the recording again and compares the state hash of every tick. ``allow_plugins``: native code in the recording may run with your rights."""
        return self._core.verify(threads, allow_plugins)

    # ------------------------------------------------------------ values

    @overload
    def columns(self, names: Sequence[str] | None = None, rate: float = 0, flock: None = None, *, threads: int = 1, allow_plugins: bool = False) -> dict[str, Table]: ...

    @overload
    def columns(self, names: Sequence[str] | None = None, rate: float = 0, *, flock: str, threads: int = 1, allow_plugins: bool = False) -> Table: ...

    def columns(self, names: Sequence[str] | None = None, rate: float = 0, flock: str | None = None, *, threads: int = 1,
                allow_plugins: bool = False) -> dict[str, Table] | Table:
        """Exact values, flown again: a :class:`Table` for each flock, or that of one flock.

        ``names`` are those of :attr:`Flock.columns`, ``"mode"`` and ``"tracking_error"``; None: pose, velocity, rotor speeds, setpoint, wind and others that the
        flock has; ``["all"]``: every column. ``rate`` in samples per simulated second; 0: every tick. Missing values are NaN.
        """
        if isinstance(names, str):
            raise TypeError(f"columns: a list of names is needed, such as ['{names}'], not the text '{names}'")
        self._check_flock(flock)
        tables = {t.flock: t for t in self._tables(list(names or []), _rate(rate), threads, allow_plugins)}
        if flock is None:
            return {str(name): table for name, table in tables.items()}
        if flock not in tables:
            raise ValueError(f"columns: the flock '{flock}' has none of the columns {', '.join(names or [])}")
        return tables[flock]

    def _tables(self, names: list[str], rate: float, threads: int, allow_plugins: bool) -> Iterator[Table]:
        for flock, tick, vehicle, values, docs in self._core.tables(names, rate, threads, allow_plugins):
            described = {d.name: d for d in docs}
            ordered = {d.name: values[d.name] for d in docs}
            yield Table(flock, _seconds(tick, self.info.tick_length), tick, vehicle.astype(np.int64), ordered, True, described, self._vehicles)

    def at(self, time: float) -> Table:
        """Position, velocity, attitude and mode of every vehicle at a time in s, from the recorded trajectories; between two ticks they are interpolated."""
        vehicle, columns = self._poses(time)
        n = len(vehicle)
        tick = np.full(n, round(time / self.info.tick_length), dtype=np.uint64)
        return Table(None, np.full(n, float(time)), tick, vehicle, columns, False, {}, self._vehicles)

    @overload
    def trajectories(self, rate: float = 10, flock: None = None) -> dict[str, Table]: ...

    @overload
    def trajectories(self, rate: float = 10, *, flock: str) -> Table: ...

    def trajectories(self, rate: float = 10, flock: str | None = None) -> dict[str, Table] | Table:
        """Recorded trajectories, within the error bounds in :attr:`info`: quick, because nothing is flown again. ``rate`` in samples per s; 0: every tick."""
        self._check_flock(flock)
        ticks = _ticks(self.info, _rate(rate))
        moments = [self._poses(float(t)) for t in _seconds(ticks, self.info.tick_length)]
        counts = [len(vehicle) for vehicle, _ in moments]
        tick = np.repeat(ticks, counts)
        vehicle = np.concatenate([v for v, _ in moments]) if moments else np.zeros(0, np.int64)
        columns = {name: np.concatenate([c[name] for _, c in moments]) for name in (moments[0][1] if moments else ())}
        whole = Table(None, _seconds(tick, self.info.tick_length), tick, vehicle, columns, False, {}, self._vehicles)
        place = {name: k for k, name in enumerate(self.info.flocks)}
        flock_of = np.asarray([place.get(v.flock, -1) for v in self._vehicles], dtype=np.int64)[vehicle]
        tables = {}
        for name in self.info.flocks if flock is None else [flock]:
            part = whole.rows(flock_of == place[name])
            tables[name] = Table(name, part.time, part.tick, part.vehicle, part.columns, False, {}, self._vehicles)
        return tables if flock is None else tables[flock]

    def _poses(self, time: float) -> tuple[NDArray[np.int64], dict[str, NDArray[np.float64]]]:
        if not self.info.has_trajectories:
            raise ValueError(f"{self.info.path}: the recording has no trajectories; use columns(), which flies it again")
        vehicle, position, velocity, attitude, mode = self._core.poses(time)
        unknown = (mode < 0) | (mode >= len(MODES))
        return vehicle.astype(np.int64), {"position": position, "velocity": velocity, "attitude": attitude, "mode": np.where(unknown, np.nan, mode)}

    def _check_flock(self, flock: str | None) -> None:
        if flock is not None and flock not in self.info.flocks:
            raise ValueError(_unknown("flock", flock, self.info.flocks))

    # ------------------------------------------------------------ tables of other libraries

    def to_pandas(self, names: Sequence[str] | None = None, rate: float = 0, flock: str | None = None, *, exact: bool = True, threads: int = 1,
                  allow_plugins: bool = False) -> pandas.DataFrame:
        """A tidy table: ``time`` (s), ``tick``, ``world``, ``flock``, ``vehicle``, then one number in each column, such as ``position_x``.

        ``exact=False`` takes the recorded trajectories instead of flying again. Columns that a flock does not have are NaN. ``attrs["units"]`` has the units.
        """
        pd = _pandas()
        tables = self._tables_of(names, rate, flock, exact, threads, allow_plugins)
        vehicle_names = sorted({v.name for v in self._vehicles})
        parts, units = [], {"time": "s"}
        for table in tables:
            head: dict[str, Any] = {"time": table.time, "tick": table.tick, "world": table.world}
            head["flock"] = pd.Categorical.from_codes(np.full(len(table), self.info.flocks.index(str(table.flock))), categories=self.info.flocks)
            head["vehicle"] = pd.Categorical(table.name, categories=vehicle_names)
            flat = table.flat()
            if "mode" in flat:
                flat.pop("mode")
                head["mode"] = pd.Categorical(table.mode, categories=[*MODES, "unknown"])
            parts.append(pd.DataFrame({**head, **flat}))
            units.update(_units(table))
        frame: pandas.DataFrame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({name: [] for name in ("time", "tick", "world", "flock", "vehicle")})
        frame = frame.sort_values(["tick", "world"], kind="stable", ignore_index=True)
        frame.attrs.update(units={name: units[name] for name in frame.columns if name in units}, scenario=self.info.scenario, seed=self.info.seed)
        return frame

    def _tables_of(self, names: Sequence[str] | None, rate: float, flock: str | None, exact: bool, threads: int, allow_plugins: bool) -> list[Table]:
        if not exact:
            tables = self.trajectories(rate) if flock is None else {flock: self.trajectories(rate, flock=flock)}
            for name in names or ():
                if any(name not in table for table in tables.values()):
                    raise ValueError(_unknown("column", name, ["position", "velocity", "attitude", "mode"]) + "; recorded trajectories have no others: use exact=True")
            return [_only(table, names) for table in tables.values()]
        if flock is None:
            return list(self.columns(names, rate, threads=threads, allow_plugins=allow_plugins).values())
        return [self.columns(names, rate, flock=flock, threads=threads, allow_plugins=allow_plugins)]

    def to_arrow(self, names: Sequence[str] | None = None, rate: float = 0, flock: str | None = None, *, exact: bool = True, threads: int = 1,
                 allow_plugins: bool = False) -> Any:
        """The table of :meth:`to_pandas` as a ``pyarrow.Table``. The metadata of a field has its ``unit``."""
        frame = self.to_pandas(names, rate, flock, exact=exact, threads=threads, allow_plugins=allow_plugins)
        pa = _pyarrow()
        table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(self._about(exact))
        units = frame.attrs["units"]
        fields = [f.with_metadata({"unit": units[f.name]}) if units.get(f.name) else f for f in table.schema]
        return table.cast(pa.schema(fields, metadata=table.schema.metadata))

    def to_parquet(self, path: str | os.PathLike[str], names: Sequence[str] | None = None, rate: float = 0, flock: str | None = None, *, exact: bool = True,
                   threads: int = 1, allow_plugins: bool = False) -> None:
        """Writes the table of :meth:`to_arrow` to a new Parquet file. As with exports, a file that exists is not overwritten."""
        if os.path.lexists(path):
            raise FileExistsError(f"{os.fspath(path)}: the file exists and is not overwritten; remove it or give another name")
        table = self.to_arrow(names, rate, flock, exact=exact, threads=threads, allow_plugins=allow_plugins)
        importlib.import_module("pyarrow.parquet").write_table(table, os.fspath(path))

    def events_frame(self) -> pandas.DataFrame:
        """The events as a table: ``time`` (s), ``tick``, ``world``, ``vehicle`` and ``what``. World and vehicle are missing where an event belongs to none."""
        pd = _pandas()
        events = self.events
        ticks = np.asarray([e.tick for e in events], dtype=np.uint64)
        frame: pandas.DataFrame = pd.DataFrame({
            "time": _seconds(ticks, self.info.tick_length),
            "tick": ticks,
            "world": pd.array([e.world for e in events], dtype="Int64"),
            "vehicle": pd.array([e.name or None for e in events], dtype="string"),
            "what": pd.array([e.what for e in events], dtype="string"),
        })
        return frame

    def export(self, format: str, path: str | os.PathLike[str], *, rate: float = 0, exact: bool = True, columns: Sequence[str] | None = None, threads: int = 1,
               allow_plugins: bool = False) -> int:
        """Writes a new file: ``"csv"``, ``"npz"``, ``"mcap"``, ``"tum"`` (a folder), ``"kml"``, ``"html"`` or ``"ulog"`` (a folder) (docs/recording.md). Returns its size in bytes."""
        return self._core.export_to(format, os.fspath(path), _rate(rate), not exact, list(columns or []), threads, allow_plugins)

    def _about(self, exact: bool) -> dict[str, str]:
        i = self.info
        bounds = "exact" if exact else f"position within {i.position_error} m, velocity within {i.velocity_error} m/s, attitude within {i.attitude_error} rad"
        return {"scenario": i.scenario, "seed": str(i.seed), "program": f"volary {i.program}", "values": bounds}

    def __repr__(self) -> str:
        i = self.info
        return f"Recording('{i.scenario}', {len(self._vehicles)} vehicles, {self.duration:.2f} s{', damaged' if i.damaged else ''})"


def open(path: str | os.PathLike[str]) -> Recording:
    """Opens a recording: the path of a file, or the id of a run in the library, as ``python -m volary runs`` prints it, or a unique beginning of the id."""
    text = os.fspath(path)
    if os.path.exists(text) or os.sep in text or text.endswith(_SUFFIX):
        return Recording(text)
    folder = runs_folder()
    ids = sorted(p.stem for p in folder.glob("*" + _SUFFIX))
    found = [text] if text in ids else [i for i in ids if text and i.startswith(text)]
    if len(found) == 1:
        return Recording(folder / (found[0] + _SUFFIX))
    if found:
        raise ValueError(f"open: '{text}' is the beginning of {len(found)} runs: {', '.join(found[:5])}{', ...' if len(found) > 5 else ''}")
    raise FileNotFoundError(f"{_unknown('recording', text, ids)}; give the path of a file, or the id of a run in {folder}")


def runs_folder() -> Path:
    """The folder in which ``volary run`` records: ``VOLARY_RUNS``, or one in the data of the user."""
    if runs := os.environ.get("VOLARY_RUNS"):
        return Path(runs)
    data = os.environ.get("XDG_DATA_HOME", "")
    home = os.environ.get("HOME", "")
    if data.startswith("/"):
        return Path(data) / "volary" / "runs"
    return Path(home) / ".local/share/volary/runs" if home.startswith("/") else Path("runs")


# ---------------------------------------------------------------- helpers


def _seconds(ticks: NDArray[Any], tick_length: float) -> NDArray[np.float64]:
    # whole nanoseconds first: 7 ticks of 0.01 s are 0.07 s, not 0.07000000000000001 s
    return ticks.astype(np.int64) * round(tick_length * 1e9) / 1e9


def _ticks(info: _core.RecordingInfo, rate: float) -> NDArray[np.uint64]:
    """The ticks nearest to the rate, from the first tick to the last."""
    per_sample = 1.0 if rate == 0 else max(1.0, 1 / (rate * info.tick_length))
    length = info.last_tick - info.first_tick
    ticks = np.floor(np.arange(int(length / per_sample) + 2) * per_sample + 0.5)
    return np.asarray(info.first_tick + ticks[ticks <= length], dtype=np.uint64)


def _rate(rate: float) -> float:
    if not (rate >= 0 and np.isfinite(rate)):
        raise ValueError(f"rate: {rate!r} is not a number of samples per second; 0 stands for every tick")
    return float(rate)


def _only(table: Table, names: Sequence[str] | None) -> Table:
    if not names:
        return table
    return Table(table.flock, table.time, table.tick, table.vehicle, {n: table[n] for n in names}, table.exact, table.docs, table._vehicles)


def _units(table: Table) -> dict[str, str]:
    units = {}
    for name in table:
        unit = table.docs[name].unit if name in table.docs else _UNITS.get(name, "")
        part = Table(table.flock, table.time, table.tick, table.vehicle, {name: table[name]}, table.exact, table.docs)
        units.update({flat: unit for flat in part.flat() if unit and unit != "-"})
    return units


def _unknown(what: str, word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    few = f"known are {', '.join(known[:20])}{', ...' if len(known) > 20 else ''}" if known else f"there is no {what} at all"
    return f"there is no {what} '{word}' ({f'''did you mean '{near[0]}'?''' if near else few})"


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("this needs pandas: pip install volary[data]") from error
    return pandas


def _pyarrow() -> Any:
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise ImportError("this needs PyArrow: pip install volary[data]") from error
