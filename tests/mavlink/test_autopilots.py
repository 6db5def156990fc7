# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""PX4 and ArduPilot, built by the user, fly in lock-step: `./volary test --px4 FILE --ardupilot FILE`. Without a program its flights are skipped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

pytest.importorskip("pymavlink")

from conftest import PROGRAM, ROOT, Run
from square import CORNERS, HEIGHT, Pilot

FLIGHTS = int(os.environ.get("VOLARY_FLIGHTS", "10"))
VEHICLES = int(os.environ.get("VOLARY_AUTOPILOTS", "10"))
SPACING = 40.0  # m between vehicles
FAST_LOG = 442366  # LOG_BITMASK of ArduPilot: its default, and every sample of the inertial sensors
FIGURES = Path(os.environ.get("VOLARY_FIGURES", "autopilot_figures.jsonl"))

TICKS = {"px4": 0.004, "ardupilot": 0.002, "volary": 0.004}
AUTOPILOTS = {
    "px4": "autopilot: {kind: px4}",
    "ardupilot": "autopilot: {kind: ardupilot, parameters: fast.parm}",
    "volary": "",
}
# what people build into a survey copter, instead of the presets for simulated autopilots
REAL_SENSORS = """
    sensors:
      imu: {preset: icm42688p}
      gnss: {preset: zed_f9p}
      barometer: {preset: ms5611}
      magnetometer: {preset: lis3mdl}
      range_finder: {preset: tfmini, time: {rate: 50}}"""
SCENARIO = """
name: a square
duration: 3600
tick: {tick}
substeps: {substeps}
environment: {{origin: {{latitude: 47.397742, longitude: 8.545594, height: 488}}}}
flocks:
  - name: quad
    airframe: px4_iris
    vehicles: {{list: [{places}]}}
    start: disarmed
    {autopilot}
"""


def program_of(kind: str) -> str:
    return os.environ.get("VOLARY_" + kind.upper(), "")


@pytest.fixture(params=["px4", "ardupilot"])
def kind(request: pytest.FixtureRequest) -> str:
    if not program_of(request.param):
        pytest.skip(f"no program of {request.param}: ./volary test --{request.param} FILE")
    return str(request.param)


@pytest.fixture
def world(fly: Callable[..., Run], tmp_path: Path) -> Iterator[Callable[..., Run]]:
    def start(kind: str, count: int = 1, *, seed: int = 1, speed: str = "max", sensors: str = "") -> Run:
        tick = TICKS[kind]
        places = ", ".join(f"{{position: [{SPACING * k}, 0, 0]}}" for k in range(count))
        text = SCENARIO.format(tick=tick, substeps=round(tick / 0.002), places=places, autopilot=AUTOPILOTS[kind] + sensors)
        options = ["--seed", str(seed), "--speed", speed]
        if kind == "volary":
            return fly(text=text, speed=4, options=options[:2])
        shipped = (ROOT / "assets/autopilots/ardupilot_copter.parm").read_text()
        options += ["--autopilot-files", str(tmp_path / "files")]
        (tmp_path / "0").mkdir(exist_ok=True)
        (tmp_path / "0" / "fast.parm").write_text(f"{shipped}LOG_BITMASK {FAST_LOG}\n")
        return fly(text=text, options=options, given=[], speed=None)

    yield start


# ---------------------------------------------------------------- what was flown


class Flown:
    """The true motion of a run, from its recording, in metres north, east and up."""

    def __init__(self, run: Run, flock: str = "quad") -> None:
        out = run.record.with_suffix(".npz")
        subprocess.run([PROGRAM, "replay", str(run.record), "--export", "npz", str(out), "--columns", "position,attitude", "--rate", "50"], check=True,
                       capture_output=True, timeout=600)
        table = numpy.load(out)
        self.time = table["time"]
        position = table[f"{flock}/position"]
        self.start = position[0]
        self.path = (position - position[0])[:, :, [1, 0, 2]]
        self.attitude = table[f"{flock}/attitude"]

    def distance_to(self, vehicle: int, corner: tuple[float, float]) -> float:
        path = self.path[:, vehicle, :]
        return float(numpy.min(numpy.linalg.norm(path - numpy.array([*corner, HEIGHT]), axis=1)))

    def landed_at(self, vehicle: int) -> float:
        return float(numpy.linalg.norm(self.path[-1, vehicle, :2]))

    def flight(self, vehicle: int) -> Any:
        """The path from the first movement on, and the tilt there, 50 times per second."""
        high = numpy.nonzero(self.path[:, vehicle, 2] > 0.3)[0]
        part = slice(high[0], high[-1] + 1)
        w, x, y, z = (self.attitude[part, vehicle, k] for k in range(4))
        return self.path[part, vehicle, :], numpy.degrees(numpy.arccos(numpy.clip(1 - 2 * (x * x + y * y), -1, 1)))


def check_square(flown: Flown, vehicle: int) -> dict[str, float]:
    nearest = [flown.distance_to(vehicle, corner) for corner in CORNERS]
    assert max(nearest) < 2.5, nearest  # ArduPilot accepts 2 m
    assert flown.landed_at(vehicle) < 1.5
    path, tilt = flown.flight(vehicle)
    return {"corners_m": max(nearest), "landing_m": flown.landed_at(vehicle), "flight_s": len(path) / 50, "tilt_deg": float(tilt.max())}


def note(what: str, **figures: Any) -> None:
    with FIGURES.open("a") as file:
        file.write(json.dumps({"what": what, **figures}) + "\n")


# ---------------------------------------------------------------- what the autopilots say in their own logs


def own_log(run: Run, kind: str, tmp_path: Path, instance: int = 0) -> Path:
    found = sorted((tmp_path / "files").glob(f"{kind}_1/instance_{instance}/**/*." + ("ulg" if kind == "px4" else "BIN")))
    assert found, "no log"
    return found[-1]  # PX4 begins another one when it is armed again


def check_px4_log(path: Path) -> dict[str, float]:
    from pyulog import ULog

    log = ULog(str(path))
    assert not log.dropouts, [d.duration for d in log.dropouts]
    data = {d.name: d.data for d in log.data_list if d.multi_id == 0}
    assert not data["vehicle_status"]["failsafe"].any()
    status = data["vehicle_imu_status"]
    for sensor in ("accel", "gyro"):
        assert not status[f"{sensor}_error_count"].any() and (status[f"{sensor}_raw_rate_hz"] == 250).all()
    # Its integrator takes two samples together where its thread was late. The logger itself may skip rows at many times real time.
    samples = data["sensor_combined"]
    late = int((samples["accelerometer_integral_dt"] != 4000).sum())
    assert late <= samples["timestamp"].size // 1000 and not (samples["accelerometer_integral_dt"] % 4000).any()
    estimator = data["estimator_status"]
    assert not estimator["time_slip"].any() and not estimator["timeout_flags"].any() and not estimator["filter_fault_flags"].any()
    return {"samples": int(samples["timestamp"].size), "late": late, "slip_s": float(estimator["time_slip"].max())}


def check_ardupilot_log(path: Path) -> dict[str, float]:
    from pymavlink import DFReader

    log = DFReader.DFReader_binary(str(path))
    times, faults, long_loops = [], [], 0
    while (message := log.recv_match(type=["IMU", "ERR", "PM"])) is not None:
        if message.get_type() == "IMU" and message.I == 0:
            times.append(int(message.TimeUS))
            assert message.EG == 0 and message.EA == 0 and message.GH == 1 and message.AH == 1
        elif message.get_type() == "ERR":
            faults.append((message.Subsys, message.ECode))
        elif message.get_type() == "PM":
            long_loops += message.NLon
    assert not faults, faults
    gaps = numpy.diff(times)
    return {"samples": len(times), "shortest_us": int(gaps.min()), "longest_us": int(gaps.max()), "long_loops": long_loops}


# ---------------------------------------------------------------- flights


@pytest.mark.parametrize("seed", range(1, FLIGHTS + 1))
def test_a_square_is_flown_and_landed_without_a_failsafe(world: Callable[..., Run], kind: str, seed: int, tmp_path: Path) -> None:
    begin = time.monotonic()
    run = world(kind, seed=seed)
    pilot = Pilot(kind)
    try:
        pilot.fly_square()
        assert not pilot.told.failures(), pilot.told.failures()
    finally:
        pilot.close()
        output = run.end()
        print(output)
    wall = time.monotonic() - begin
    flown = Flown(run)
    figures = check_square(flown, 0)
    figures |= (check_px4_log if kind == "px4" else check_ardupilot_log)(own_log(run, kind, tmp_path))
    note("square", kind=kind, seed=seed, rate=float(flown.time[-1]) / wall, **figures)
    assert run.replays_exactly()


def test_px4_flies_by_the_sensors_of_a_real_copter(world: Callable[..., Run], tmp_path: Path) -> None:
    if not program_of("px4"):
        pytest.skip("no program of px4: ./volary test --px4 FILE")
    run = world("px4", sensors=REAL_SENSORS)
    pilot = Pilot("px4")
    try:
        pilot.fly_square()
        assert not pilot.told.failures(), pilot.told.failures()
    finally:
        pilot.close()
        print(run.end())
    flown = Flown(run)
    note("real sensors", kind="px4", **check_square(flown, 0), **check_px4_log(own_log(run, "px4", tmp_path)))
    assert run.replays_exactly()


def test_ten_vehicles_fly_in_one_world(world: Callable[..., Run], kind: str, tmp_path: Path) -> None:
    begin = time.monotonic()
    run = world(kind, VEHICLES)
    pilots = fly_all(kind, VEHICLES)
    run.end()
    wall = time.monotonic() - begin
    flown = Flown(run)
    for vehicle, pilot in enumerate(pilots):
        assert not pilot.told.failures(), (vehicle, pilot.told.failures())
        check_square(flown, vehicle)
        (check_px4_log if kind == "px4" else check_ardupilot_log)(own_log(run, kind, tmp_path, vehicle))
    note("ten", kind=kind, vehicles=VEHICLES, simulated_s=float(flown.time[-1]), rate=float(flown.time[-1]) / wall)
    assert run.replays_exactly()


def fly_all(kind: str, count: int, *, until: Callable[[list[Pilot]], None] | None = None, lost: int = -1) -> list[Pilot]:
    """All vehicles at once, each by a client of its own; one may be lost on the way."""
    pilots = [Pilot(kind, k, offset=(0, SPACING * k), patience=580) for k in range(count)]
    faults: list[tuple[int, BaseException]] = []

    def fly_one(k: int) -> None:
        try:
            pilots[k].fly_square()
        except BaseException as fault:
            if k != lost:
                faults.append((k, fault))

    threads = [threading.Thread(target=fly_one, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    if until is not None:
        until(pilots)
    for k, thread in enumerate(threads):
        if k != lost:
            thread.join()
    if lost >= 0:
        pilots[lost].end = 0
        threads[lost].join()
    for pilot in pilots:
        pilot.close()
    assert not faults, faults
    return pilots


def children_of(pid: int) -> list[int]:
    """In the order in which they were started."""
    return sorted(int(p) for task in Path(f"/proc/{pid}/task").iterdir() for p in (task / "children").read_text().split())


def test_an_autopilot_that_dies_in_flight_is_reported_and_the_others_fly_on(world: Callable[..., Run], kind: str) -> None:
    run = world(kind, 3)

    def kill_the_second(pilots: list[Pilot]) -> None:
        while pilots[1].position is None or pilots[1].position.z > -5:
            time.sleep(0.05)
        os.kill(children_of(run.process.pid)[1], signal.SIGKILL)

    pilots = fly_all(kind, 3, until=kill_the_second, lost=1)
    output = run.end()
    assert "of quad[1] (instance 1): " in output and "quad[1] is without commands from now on" in output, output
    flown = Flown(run)
    for vehicle in (0, 2):
        assert not pilots[vehicle].told.failures()
        check_square(flown, vehicle)
    assert flown.path[-1, 1, 2] < 0.5  # it has fallen
    assert run.replays_exactly()


def test_attitude_and_position_beside_those_of_our_own_autopilot(world: Callable[..., Run], kind: str) -> None:
    paths = {}
    for who in (kind, "volary"):
        run = world(who)
        pilot = Pilot(who, port=run.port if who == "volary" else 0)
        try:
            pilot.fly_square()
        finally:
            pilot.close()
            run.end()
        paths[who] = Flown(run).flight(0)
    figures = {}
    for who, (path, tilt) in paths.items():
        figures[who] = {"flight_s": len(path) / 50, "off_the_square_m": off_the_square(path), "tilt_deg": float(tilt.max()), "tilt_rms_deg": float(numpy.sqrt((tilt**2).mean()))}
        figures[who]["height_m"] = float(path[:, 2].max())
    note("beside", kind=kind, figures=figures)
    for who, f in figures.items():
        assert f["off_the_square_m"] < 3 and f["height_m"] < HEIGHT + 1.5, figures


def off_the_square(path: Any) -> float:
    """The greatest distance, seen from above, from the lines between the corners."""
    corners = numpy.array([(0.0, 0.0), *CORNERS])
    best = numpy.full(len(path), numpy.inf)
    for a, b in zip(corners[:-1], corners[1:], strict=True):
        along = (b - a) / numpy.linalg.norm(b - a)
        s = numpy.clip((path[:, :2] - a) @ along, 0, numpy.linalg.norm(b - a))
        best = numpy.minimum(best, numpy.linalg.norm(path[:, :2] - (a + s[:, None] * along), axis=1))
    return float(best.max())
