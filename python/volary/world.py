# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Worlds that are stepped from Python."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .page import Page
from .scenario import ScenarioLike, _encode, overrides_of, source_of
from .views import View

__all__ = ["Flock", "Frame", "LEVELS", "World"]

#: Control levels and the numbers of a setpoint, in their order (docs/python.md).
LEVELS: dict[str, tuple[str, ...]] = {
    "motor_speeds": (),  # rad/s, one for each rotor
    "rates": ("thrust", "rate_x", "rate_y", "rate_z"),
    "attitude": ("thrust", "w", "x", "y", "z"),
    "acceleration": ("x", "y", "z", "yaw"),
    "velocity": ("x", "y", "z", "yaw"),
    "position": ("x", "y", "z", "yaw"),
    "trajectory": tuple(f"{what}_{axis}" for what in ("position", "velocity", "acceleration", "jerk") for axis in "xyz") + ("yaw", "yaw_rate"),
}
_MODES = ("disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop")
_MODE_MASK = 0xF


class Frame:
    """The state of every vehicle alive, the lowest id first: columns in place, without a copy."""

    def __init__(self, world: World) -> None:
        self._world = world

    def column(self, name: str) -> View:
        """A column by its name; :meth:`World.frame_columns` lists them."""
        world = self._world
        return View.over(world.frame_column(name), name, lambda: world.frame_generation)

    position = property(lambda self: self.column("position"), doc="m, world frame, (n, 3)")
    velocity = property(lambda self: self.column("velocity"), doc="m/s, world frame, (n, 3)")
    attitude = property(lambda self: self.column("attitude"), doc="unit quaternions w x y z, body to world, (n, 4)")
    wind = property(lambda self: self.column("wind"), doc="m/s, world frame, (n, 3)")
    id = property(lambda self: self.column("id"), doc="numbers of the vehicles, (n,)")
    world = property(lambda self: self.column("world"), doc="index of the world of each vehicle in the batch, (n,)")
    flock = property(lambda self: self.column("flock"), doc="index of the flock of each vehicle, (n,)")
    status = property(lambda self: self.column("status"), doc="flight mode and conditions as bits, (n,)")

    @property
    def mode(self) -> NDArray[np.str_]:
        """Flight mode of each vehicle as a text (a copy)."""
        words: NDArray[np.str_] = np.asarray(_MODES)[self.column("status") & _MODE_MASK]
        return words

    def __len__(self) -> int:
        return len(self.column("id"))

    def __repr__(self) -> str:
        return f"Frame({len(self)} vehicles at {self._world.time:.2f} s)"


class Flock:
    """The vehicles of one flock."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self.name = world, name

    @property
    def ids(self) -> list[int]:
        """Ids of the vehicles alive."""
        return self._world.vehicles(self.name)

    @property
    def rows(self) -> slice | NDArray[np.int64]:
        """Where these vehicles are in the frame: a slice where they follow each other, so that columns stay without a copy."""
        rows = np.flatnonzero(self._world.frame.flock == self._world.flocks().index(self.name))
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            return slice(int(rows[0]), int(rows[-1]) + 1)
        return rows

    position = property(lambda self: self._world.frame.position[self.rows], doc="m, world frame, (n, 3)")
    velocity = property(lambda self: self._world.frame.velocity[self.rows], doc="m/s, world frame, (n, 3)")
    attitude = property(lambda self: self._world.frame.attitude[self.rows], doc="unit quaternions w x y z, body to world, (n, 4)")
    wind = property(lambda self: self._world.frame.wind[self.rows], doc="m/s, world frame, (n, 3)")

    @property
    def time(self) -> float:
        """s, simulated."""
        return self._world.time

    def column(self, name: str) -> View:
        """A raw column in place: (blocks, 16, components). Row ``slot`` is element ``[slot // 16, slot % 16]``; slots beyond the last vehicle are padding."""
        world, flock = self._world, self.name
        return View.over(world.raw_column(flock, name), f"{flock}.{name}", lambda: world.raw_generation(flock, name))

    def values(self, name: str) -> NDArray[Any]:
        """A column as (n, components) in the order of :attr:`ids`: a copy."""
        raw = self.column(name)
        slots = np.array([self._world.slot_of(i) for i in self.ids], dtype=np.int64)
        return np.asarray(raw[slots // 16, slots % 16])

    @property
    def columns(self) -> list[_core.Column]:
        """Name, unit and meaning of every raw column."""
        return self._world.columns(self.name)

    @property
    def parameters(self) -> list[_core.Column]:
        """Name, unit and meaning of every parameter of the model."""
        return self._world.parameters(self.name)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Flock('{self.name}', {len(self)} vehicles)"


class World(_core.World):
    """A world, or a batch of equal worlds, that is stepped.

    >>> world = volary.World("default")
    >>> world.step(100)
    >>> world.frame.position.mean(axis=0)

    ``scenario`` is a name (:func:`volary.scenarios` lists them), a path, a YAML text, a dict or a :class:`volary.build.Scenario`. The same scenario and seed give the
    same bits with any number of threads. SI units; world frame east, north, up; body frame forward, left, up.
    """

    def __init__(self, scenario: ScenarioLike = "default", *, worlds: int | None = None, seed: int | None = None, threads: int = 1, lanes: int = 0, device: str = "cpu",
                 overrides: Mapping[str, Any] | Sequence[str] | None = None, folder: str | os.PathLike[str] | None = None, hash_every_tick: bool = False) -> None:
        if device != "cpu":
            raise ValueError(f"device: '{device}' is not available: worlds are computed on 'cpu'")
        if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
            raise ValueError(f"threads: {threads!r} is not a number of threads from 1 to 1024; os.cpu_count() is {os.cpu_count()}")
        if lanes not in (0, 1, 4, 8, 16):
            raise ValueError(f"lanes: {lanes!r} is not a SIMD width: 1, 4, 8, 16, or 0 for the widest of this CPU")
        changes = overrides_of(overrides)
        if worlds is not None:
            changes.append(f"worlds={int(worlds)}")
        if seed is not None:
            changes.append(f"seed={int(seed)}")
        self._source = (*source_of(scenario, folder), changes)
        self._options = (threads, lanes, hash_every_tick)
        super().__init__(*self._source, *self._options)
        self._prepare()

    def _prepare(self) -> None:
        self._controllers: dict[int, Callable[..., Any]] = {}
        self._page: Page | None = None
        self.keep_views()

    # ------------------------------------------------------------ looking

    @property
    def frame(self) -> Frame:
        """The state of all vehicles as columns."""
        return Frame(self)

    def flock(self, name: str | None = None) -> Flock:
        """A flock by its name; without a name, the only one."""
        known = self.flocks()
        if name is None:
            if len(known) != 1:
                raise ValueError(f"flock(): the world has {len(known)} flocks ({', '.join(known)}): name one")
            name = known[0]
        if name not in known:
            self.vehicles(name)  # raises, with a suggestion
        return Flock(self, name)

    # ------------------------------------------------------------ stepping

    def run(self, seconds: float | None = None) -> World:
        """Steps for so many simulated seconds; without a number, to the end of the scenario."""
        if seconds is None:
            ticks = max(0, self.planned_ticks - self.tick)
        else:
            if not seconds >= 0:
                raise ValueError(f"run: {seconds!r} is not a time in seconds")
            ticks = round(seconds / self.tick_length)
        self.step(ticks)
        return self

    def reset(self, mask: ArrayLike | None = None, episodes: ArrayLike | None = None) -> None:
        """Starts a new episode of some worlds: ``mask`` has a boolean for each world; without it, of all. Episode 0 repeats the first flight."""
        chosen = np.ones(self.n_worlds, np.uint8) if mask is None else np.ascontiguousarray(mask).astype(np.uint8)
        if chosen.shape != (self.n_worlds,):
            raise ValueError(f"reset: the mask has shape {chosen.shape}; it needs one boolean for each of the {self.n_worlds} worlds")
        numbers = None
        if episodes is not None:
            numbers = np.ascontiguousarray(np.broadcast_to(np.asarray(episodes), (self.n_worlds,)).astype(np.uint32))
        self.reset_worlds(chosen, numbers)

    # ------------------------------------------------------------ steering

    def _vehicle(self, vehicle: int | str | None, world: int = 0) -> int | None:
        if vehicle is None:
            return None
        return self.find(vehicle, world) if isinstance(vehicle, str) else int(vehicle)

    def submit(self, kind: str, *, target: int | str | None = None, at: float | None = None, **fields: Any) -> None:
        """Submits an input, such as ``submit("mode", target="drone_1", mode="land")``; docs/rest.md lists kinds and fields.

        ``target`` is the name or id of a vehicle; None: every vehicle that the input fits. ``at`` is a simulated time in s; None: the next tick.
        """
        tick = None if at is None else round(at / self.tick_length)
        self.submit_fields(kind, json.dumps(_encode(fields, "")), self._vehicle(target), tick)

    def spawn(self, position: ArrayLike, *, flock: str | None = None, at: float | None = None, **fields: Any) -> None:
        """Adds a vehicle to a flock; ``fields`` are those of a vehicle's definition, such as ``name``, ``yaw`` and ``mode``. Views of columns become stale."""
        self.submit("spawn", at=at, flock=self.flock(flock).name, vehicle={"position": np.asarray(position, dtype=np.float64).tolist(), **fields})

    def remove(self, vehicle: int | str, *, at: float | None = None) -> None:
        """Removes a vehicle from the world."""
        self.submit("remove", target=vehicle, at=at)

    def command(self, mode: str, vehicle: int | str | None = None, *, at: float | None = None) -> None:
        """Changes the flight mode: ``"take_off"``, ``"hold"``, ``"mission"``, ``"land"``, ``"armed"``, ``"disarmed"`` or ``"emergency_stop"``."""
        self.submit("mode", target=vehicle, at=at, mode=mode)

    def set(self, level: str, values: ArrayLike, *, flock: str | None = None, vehicles: Sequence[int | str] | None = None, at: float | None = None) -> None:
        """Sets the setpoints of a flock at one control level as one array: a row for each vehicle, with the numbers of :data:`LEVELS`.

        One row is for every vehicle. Where yaw is the last number it may be left out; it is then 0, eastwards. ``vehicles``: names or ids; None: all of the flock.
        """
        name = self.flock(flock).name
        ids = None if vehicles is None else np.array([self._vehicle(v) for v in vehicles], dtype=np.uint64)
        n = len(self.vehicles(name)) if ids is None else len(ids)
        self.submit_many(level, name, setpoints(level, values, n), ids, "", 0, None if at is None else round(at / self.tick_length))

    def set_states(self, values: ArrayLike, *, flock: str | None = None, vehicles: Sequence[int | str] | None = None) -> None:
        """Moves vehicles, or mirrors, to states: position (3), velocity (3), attitude (w x y z), body rate (3) in each row."""
        name = self.flock(flock).name
        ids = None if vehicles is None else np.array([self._vehicle(v) for v in vehicles], dtype=np.uint64)
        n = len(self.vehicles(name)) if ids is None else len(ids)
        self.submit_many("state", name, _rows("state", values, n, 13), ids, "", 0, None)

    def set_parameter(self, name: str, values: ArrayLike, *, flock: str | None = None, component: int = 0, vehicles: Sequence[int | str] | None = None) -> None:
        """Changes a parameter of the model, such as ``"mass"``: one value, or one for each vehicle. :attr:`Flock.parameters` lists them."""
        of = self.flock(flock)
        known = {c.name: c for c in of.parameters}
        if name not in known:
            self.parameter_of(of.ids[0], name)  # raises, with a suggestion
        if not 0 <= component < known[name].components:
            raise ValueError(f"set_parameter: '{name}' has {known[name].components} component(s), numbered from 0; there is no {component}")
        ids = None if vehicles is None else np.array([self._vehicle(v) for v in vehicles], dtype=np.uint64)
        n = len(of.ids) if ids is None else len(ids)
        self.submit_many("parameter", of.name, _rows(name, np.reshape(np.asarray(values, dtype=np.float64), (-1, 1)), n, 1), ids, name, component, None)

    def controller(self, level: str, flock: str | None = None, *, every: int = 1) -> Callable[[Callable[[Flock], Any]], Callable[[Flock], Any]]:
        """Decorates a function that steers a flock. It is called once per tick (or every so many), with the :class:`Flock`, and returns the setpoints of all its
        vehicles as one array, as :meth:`set` takes it, or None to leave them as they are. What it returns is recorded, so a recording flies again without it.

        >>> @world.controller("velocity")
        ... def home(flock):
        ...     return -0.5 * flock.position
        """
        target = self.flock(flock)
        return self._calling("controller", target, lambda result, n: setpoints(level, result, n),
                             lambda call: _core.add_controller(self, target.name, level, every, call))

    def estimator(self, flock: str | None = None, *, every: int = 1) -> Callable[[Callable[[Flock], Any]], Callable[[Flock], Any]]:
        """Decorates a function that estimates the states of a flock whose scenario says ``estimator: {kind: outside}``. It is called after each tick (or every
        so many) with the :class:`Flock`. It returns (n, 13) numbers, or four arrays: position (n, 3), velocity (n, 3), attitude (n, 4; w x y z, body to world)
        and body rate (n, 3); or None to let the IMU carry the last estimate on. Controllers and behaviours use the estimate from the next tick on. It is
        recorded.

        >>> @world.estimator("drones")
        ... def dead_reckoning(flock):
        ...     return None
        """
        target = self.flock(flock)
        return self._calling("estimator", target, _estimates, lambda call: _core.add_estimator(self, target.name, every, call))

    def sensor(self, flock: str | None, name: str, size: int = 1, *, every: int = 1) -> Callable[[Callable[[Flock], Any]], Callable[[Flock], Any]]:
        """Decorates a function that measures for an own sensor of a flock, which its scenario lists as ``sensors: {own: [{name: NAME, size: SIZE}]}``. It is
        called after each tick (or every so many) with the :class:`Flock`, and returns (n, size) numbers, or None for no new readings. Behaviours read them
        from the next tick on as ``me.sensors["own.NAME"]``, and everybody as the column ``own.NAME``. They are recorded.

        >>> @world.sensor("drones", "soil_moisture", 1)
        ... def soil_moisture(flock):
        ...     return 0.3 + 0.001 * flock.position[:, :1]
        """
        target = self.flock(flock)
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ValueError(f"sensor: size {size!r} is not a number of values from 1")

        def rows(result: Any, n: int) -> NDArray[np.float64]:
            values = np.asarray(result, dtype=np.float64)
            return _rows(f"sensor '{name}'", values[:, None] if size == 1 and values.shape == (n,) else values, n, size)

        return self._calling("sensor", target, rows, lambda call: _core.add_sensor(self, target.name, name, size, every, call))

    def _calling(self, what: str, target: Flock, rows: Callable[[Any, int], NDArray[np.float64]],
                 add: Callable[[Callable[[], Any]], int]) -> Callable[[Callable[[Flock], Any]], Callable[[Flock], Any]]:
        """The decorator of a function that is called once per tick with a flock; ``rows`` makes an array of what it returns, ``add`` hands it to the module."""
        function_keys = self.__dict__.setdefault("_function_keys", {})

        def decorate(function: Callable[[Flock], Any]) -> Callable[[Flock], Any]:
            if not callable(function):
                raise TypeError(f"{what}: a function of the flock is needed, not a {type(function).__name__}")

            def call() -> Any:
                result = function(target)
                if result is None:
                    return None
                return rows(result, len(target.ids)), []

            key = add(call)
            self._controllers[key] = call
            function_keys[function] = key
            return function

        return decorate

    def remove_controller(self, function: Callable[[Flock], Any]) -> None:
        """Removes a function that :meth:`controller`, :meth:`estimator` or :meth:`sensor` added. Vehicles keep their last setpoints, estimates and readings."""
        keys = self.__dict__.get("_function_keys", {})
        if function not in keys:
            raise ValueError(f"remove_controller: '{getattr(function, '__name__', function)}' is not a controller of this world")
        key = keys.pop(function)
        _core.remove_controller(self, key)
        del self._controllers[key]

    # ------------------------------------------------------------ recording

    def record(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Records from now on to a new file, until :meth:`stop_recording` or the end of the program. Options are those of :class:`RecordOptions`."""
        self.start_recording(os.fspath(path), _record_options(options))

    @contextmanager
    def recording(self, path: str | os.PathLike[str], **options: Any) -> Iterator[World]:
        """``with world.recording("flight.vrec"): world.run(10)``"""
        self.record(path, **options)
        try:
            yield self
        finally:
            self.stop_recording()

    # ------------------------------------------------------------ the page

    def watch(self, port: int = 0, open_browser: bool = False) -> Page:
        """Shows the world in the browser while Python steps it: a :class:`Page`, on this machine only. Commands of the page become inputs, which are recorded.

        ``port`` 0: any that is free. A world has one page: while it is open, it is returned again.
        """
        page = self._page
        if page is None or not page.is_open:
            page = self._page = Page(self, port)
        elif port not in (0, page.port):
            raise ValueError(f"watch: the world is already shown at {page.url}: close() that page first, or leave the port out")
        if open_browser:
            page.open_browser()
        return page

    # ------------------------------------------------------------ other worlds

    def branch(self, *, threads: int | None = None) -> World:
        """An independent world at the same moment. Controllers and recordings stay with this one."""
        other = type(self).__new__(type(self))
        other._source, other._options = self._source, (threads or self._options[0], *self._options[1:])
        _core.World.__init__(other, self, other._options[0])
        other._prepare()
        return other

    def __reduce__(self) -> Any:
        if self._controllers:
            raise TypeError("a world with controllers cannot be pickled: a function of Python belongs to its process; remove them first, and add them after loading")
        if self.is_recording:
            raise TypeError("a world that is being recorded cannot be pickled: call stop_recording() first")
        return _rebuild, (type(self), self._source, self._options, self.snapshot().to_bytes())

    def __copy__(self) -> World:
        return self.branch()

    def __deepcopy__(self, memo: Any) -> World:
        return self.branch()

    def __repr__(self) -> str:
        many = f", {self.n_worlds} worlds" if self.n_worlds > 1 else ""
        return f"World('{self.name}', {self.n_vehicles} vehicles{many}, tick {self.tick}, {self.time:.2f} s)"


def _rebuild(kind: type[World], source: Any, options: Any, state: bytes) -> World:
    world = kind.__new__(kind)
    world._source, world._options = source, options
    _core.World.__init__(world, *source, *options)
    world._prepare()
    world.restore(world.read_snapshot(state))
    return world


def _record_options(options: Mapping[str, Any]) -> _core.RecordOptions:
    made = _core.RecordOptions()
    known = [name for name in dir(made) if not name.startswith("_")]
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"record: there is no option '{name}'; known are {', '.join(known)}")
        setattr(made, name, value)
    return made


def _rows(what: str, values: ArrayLike, n: int, width: int) -> NDArray[np.float64]:
    """(n, width) float64; one row is for everybody."""
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim == 1:
        rows = rows[None, :]
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{what}: an array of shape {np.shape(values)} was given; it needs {width} number(s) for each of the {n} vehicles: ({n}, {width})")
    if rows.shape[0] == 1 and n != 1:
        rows = np.broadcast_to(rows, (n, width))
    if rows.shape[0] != n:
        raise ValueError(f"{what}: {rows.shape[0]} rows were given for {n} vehicles; give one row for all, or one for each")
    return np.ascontiguousarray(rows)


def _estimates(result: Any, n: int) -> NDArray[np.float64]:
    """Estimates of n vehicles: 13 numbers each, or four arrays side by side."""
    parts = (("position", 3), ("velocity", 3), ("attitude", 4), ("rate", 3))
    if not isinstance(result, tuple):
        return _rows("estimator (position, velocity, attitude, body rate)", result, n, 13)
    if len(result) != len(parts):
        raise ValueError(f"estimator: {len(result)} arrays were given; it needs four: position (n, 3), velocity (n, 3), attitude (n, 4) and body rate (n, 3)")
    return np.concatenate([_rows(f"estimator: {what}", values, n, width) for (what, width), values in zip(parts, result)], axis=1)


def setpoints(level: str, values: ArrayLike, n: int) -> NDArray[np.float64]:
    """Setpoints of n vehicles as the module takes them."""
    if level not in LEVELS:
        raise ValueError(f"there is no control level '{level}'; known are {', '.join(LEVELS)}")
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim == 1:
        rows = rows[None, :]
    width = len(LEVELS[level]) or (rows.shape[1] if rows.ndim == 2 else 0)
    if rows.ndim == 2 and rows.shape[1] == width - 1 and LEVELS[level][-1:] == ("yaw",):
        rows = np.concatenate([rows, np.zeros((len(rows), 1))], axis=1)
    numbers = f" ({', '.join(LEVELS[level])})" if LEVELS[level] else ""
    return _rows(f"{level}{numbers}", rows, n, width)
