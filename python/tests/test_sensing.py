# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Estimators and sensors that are functions of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import volary


def sensing(n: int = 3, kind: str = "outside", **sensors: Any) -> dict[str, Any]:
    """n Crazyflies with a perfect IMU and an own sensor of two numbers that hold their places at 1.5 m."""
    carried = {"imu": {}, "own": [{"name": "gas", "size": 2}, {"name": "light_level"}], **sensors}
    flock = {"name": "drones", "airframe": "crazyflie", "vehicles": {"grid": {"count": n, "spacing": 1}}, "start": "hold", "sensors": carried, "estimator": {"kind": kind}}
    return {"name": "sensing", "duration": 10, "flocks": [flock]}


def truth(flock: volary.Flock, offset: Any = (0, 0, 0)) -> tuple[np.ndarray, ...]:
    return np.array(flock.position) + offset, np.array(flock.velocity), np.array(flock.attitude), flock.values("omega")


def estimated(world: volary.World) -> np.ndarray:
    raw = world.flock().values("estimate.position")
    return np.asarray(raw[:, :3] + raw[:, 3:], dtype=np.float64)


def test_an_estimator_is_called_after_every_tick_and_its_vehicles_fly_by_what_it_says() -> None:
    world = volary.World(sensing())
    start = np.array(world.frame.position)
    calls: list[int] = []

    @world.estimator("drones")
    def shifted(flock: volary.Flock) -> tuple[np.ndarray, ...]:
        calls.append(world.tick)
        return truth(flock, (0.5, 0, 0))

    world.run(8)
    assert calls == list(range(800))
    assert np.allclose(world.frame.position, start - [0.5, 0, 0], atol=0.05)
    assert np.allclose(estimated(world), start, atol=0.05)
    world.remove_controller(shifted)
    world.step(10)
    assert len(calls) == 800


def test_thirteen_numbers_in_a_row_are_the_same_as_four_arrays_and_none_changes_nothing() -> None:
    hashes = set()
    for put in (lambda parts: parts, lambda parts: np.concatenate(parts, axis=1)):
        world = volary.World(sensing())
        world.estimator(every=5)(lambda flock, put=put: put(truth(flock, (0, 0.2, 0))))  # type: ignore[misc]
        hashes.add(world.run(1).hash())
    assert len(hashes) == 1
    silent = volary.World(sensing())
    silent.estimator()(lambda flock: None)
    assert silent.run(1).hash() == volary.World(sensing()).run(1).hash() not in hashes


def test_readings_of_an_own_sensor_are_columns_and_behaviours_read_them(tmp_path: Path) -> None:
    (tmp_path / "upwind.lua").write_text("function act(me)\n  local gas = me.sensors['own.gas']\n  fly(0, gas[2], 1.5 - me.position.z)\nend\n")
    scenario = sensing(kind="none")
    scenario["flocks"][0]["behaviours"] = [{"script": {"file": "upwind.lua"}}]
    world = volary.World(scenario, folder=tmp_path)

    @world.sensor("drones", "gas", 2)
    def gas(flock: volary.Flock) -> np.ndarray:
        return np.stack([np.full(len(flock), flock.time), [0.0, 0.2, 0.4]], axis=1)

    world.step(5)
    assert np.allclose(world.flock().values("own.gas"), [[0.04, 0], [0.04, 0.2], [0.04, 0.4]], atol=1e-6)
    assert (world.flock().values("own.gas.tick") == 4).all() and (world.flock().values("own.gas.valid") == 1).all()
    assert (world.flock().values("own.light_level.valid") == 0).all()
    start = np.array(world.frame.position)
    world.run(4)
    moved = world.frame.position[:, 1] - start[:, 1]
    assert abs(moved[0]) < 0.1 and 0.5 < moved[1] < 1 and 1 < moved[2] < 2


def test_one_number_needs_no_second_axis() -> None:
    world = volary.World(sensing())
    world.sensor("drones", "light_level")(lambda flock: np.array([1.0, 2.0, 3.0]))
    world.step()
    assert world.flock().values("own.light_level")[:, 0].tolist() == [1, 2, 3]


def test_the_flight_replays_without_python(tmp_path: Path) -> None:
    world = volary.World(sensing())

    @world.estimator("drones", every=2)
    def wobble(flock: volary.Flock) -> tuple[np.ndarray, ...]:
        return truth(flock, (0.1 * np.sin(flock.time), 0, 0))

    @world.sensor("drones", "gas", 2)
    def gas(flock: volary.Flock) -> np.ndarray:
        return np.cos(flock.position[:, :2])

    with world.recording(tmp_path / "wobble.vrec"):
        world.run(3)
    check = volary._core.Recording.open(str(tmp_path / "wobble.vrec")).verify(1, False)
    assert check.exact and check.compared == 301
    assert world.hash() != volary.World(sensing()).run(3).hash()


def test_an_exception_reaches_the_caller() -> None:
    world = volary.World(sensing())

    @world.sensor("drones", "gas", 2)
    def broken(flock: volary.Flock) -> np.ndarray:
        raise ZeroDivisionError("my own fault")

    with pytest.raises(ZeroDivisionError, match="my own fault"):
        world.step()


@pytest.mark.parametrize("result, words", [
    (np.zeros((3, 12)), r"position, velocity, attitude, body rate\): an array of shape \(3, 12\).*\(3, 13\)"),
    (np.zeros((2, 13)), "2 rows were given for 3 vehicles"),
    ((np.zeros((3, 3)), np.zeros((3, 3))), "2 arrays were given; it needs four"),
    ((np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))), r"attitude: an array of shape \(3, 3\)"),
    ("here", "could not convert"),
])
def test_an_estimate_of_another_shape_is_refused(result: Any, words: str) -> None:
    world = volary.World(sensing())
    world.estimator("drones")(lambda flock: result)
    with pytest.raises(ValueError, match=words):
        world.step()


def test_numbers_that_are_no_estimate_end_the_step() -> None:
    for broken, words in ((float("nan"), "position of vehicle 0"), (None, "quaternion of length 1")):
        world = volary.World(sensing())
        rows = np.zeros((3, 13))
        rows[:, 6] = 1
        rows[0, 0 if broken else 6] = broken or 0
        world.estimator("drones")(lambda flock, rows=rows: rows)  # type: ignore[misc]
        with pytest.raises(RuntimeError, match=words):
            world.step()


def test_what_the_scenario_does_not_declare_is_refused_with_a_suggestion() -> None:
    world = volary.World(sensing(kind="ekf"))
    with pytest.raises(ValueError, match="estimator: {kind: outside}"):
        world.estimator("drones")(lambda flock: None)
    with pytest.raises(ValueError, match="did you mean 'gas'"):
        world.sensor("drones", "gass", 2)(lambda flock: None)
    with pytest.raises(ValueError, match="has 2 number.* in the scenario, and 3 here"):
        world.sensor("drones", "gas", 3)(lambda flock: None)
    with pytest.raises(ValueError, match="not a number of values"):
        world.sensor("drones", "gas", 0)
    with pytest.raises(ValueError, match="did you mean 'drones'"):
        world.estimator("drone")
    with pytest.raises(ValueError, match="0 ticks"):
        world.sensor("drones", "gas", 2, every=0)(lambda flock: None)
    with pytest.raises(TypeError, match="a function of the flock is needed"):
        world.sensor("drones", "gas", 2)(5)  # type: ignore[arg-type]
    blind = sensing()
    del blind["flocks"][0]["sensors"]["imu"]
    with pytest.raises(volary.ScenarioError, match="outside needs an IMU"):
        volary.World(blind)
