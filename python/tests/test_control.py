# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import hovering

import volary


@pytest.mark.parametrize("level, row, moved", [
    ("position", [2, 1, 3, 0], lambda p: np.allclose(p, [2, 1, 3], atol=0.1)),
    ("velocity", [1, 0, 0.2, 0], lambda p: (p[:, 0] > 2).all()),
    ("acceleration", [0.3, 0, 0, 0], lambda p: (p[:, 0] > 1).all()),
    ("trajectory", [2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], lambda p: np.allclose(p, [2, 1, 3], atol=0.1)),
    ("attitude", [0, 1, 0, 0, 0], lambda p: (p[:, 2] < 1).all()),
    ("rates", [0, 0, 0, 0], lambda p: (p[:, 2] < 1).all()),
    ("motor_speeds", [0, 0, 0, 0], lambda p: (p[:, 2] < 1).all()),
])
def test_a_setpoint_of_every_level_is_one_array(level: str, row: list[float], moved: object) -> None:
    world = volary.World(hovering(1))
    world.set(level, [row])
    world.run(5)
    assert moved(np.array(world.frame.position))  # type: ignore[operator]


def test_rows_are_vehicles_and_yaw_may_be_left_out(world: volary.World) -> None:
    goals = np.array([[0, 0, 1], [0, 2, 2], [0, 4, 3.0]])
    world.set("position", goals)
    world.run(5)
    assert np.allclose(world.frame.position, goals, atol=0.05)
    world.set("position", [1, 1, 1], vehicles=["drones[1]"])
    world.run(5)
    assert np.allclose(world.frame.position[1], [1, 1, 1], atol=0.05)
    assert np.allclose(world.frame.position[2], goals[2], atol=0.05)


def test_a_function_steers_a_whole_flock_once_per_tick(world: volary.World) -> None:
    calls: list[float] = []

    @world.controller("velocity")
    def gather(flock: volary.Flock) -> np.ndarray:
        calls.append(flock.time)
        return 0.8 * (np.array([5, 5, 2]) - flock.position)

    world.run(8)
    assert len(calls) == 800
    assert np.allclose(world.frame.position, [5, 5, 2], atol=0.1)
    world.remove_controller(gather)
    world.step(10)
    assert len(calls) == 800


def test_a_function_may_be_called_less_often_and_may_keep_silent(world: volary.World) -> None:
    calls = []

    @world.controller("position", every=10)
    def now_and_then(flock: volary.Flock) -> None:
        calls.append(flock.time)

    hash_before = volary.World(hovering()).run(1).hash()
    world.run(1)
    assert len(calls) == 10
    assert world.hash() == hash_before


def test_the_run_replays_without_python(tmp_path: Path) -> None:
    world = volary.World(hovering(3, environment={"gust_sigma": 1}))

    @world.controller("acceleration", every=3)
    def wobble(flock: volary.Flock) -> np.ndarray:
        return np.sin(flock.time) * np.ones((3, 3)) - flock.velocity

    with world.recording(tmp_path / "wobble.vrec"):
        world.run(3)
        world.set("velocity", [0, 0, 1])
        world.run(1)
    check = volary._core.Recording.open(str(tmp_path / "wobble.vrec")).verify(1, False)
    assert check.exact and check.compared == 401


def test_an_exception_of_a_controller_reaches_the_caller(world: volary.World) -> None:
    @world.controller("velocity")
    def broken(flock: volary.Flock) -> np.ndarray:
        if flock.time > 0.1:
            raise ZeroDivisionError("my own fault")
        return np.zeros((3, 3))

    with pytest.raises(ZeroDivisionError, match="my own fault"):
        world.run(1)
    assert world.tick == 11
    world.remove_controller(broken)
    world.run(1)


def test_a_controller_cannot_step_its_world(world: volary.World) -> None:
    @world.controller("velocity")
    def cheat(flock: volary.Flock) -> None:
        world.step()

    with pytest.raises(RuntimeError, match="being stepped"):
        world.step()


def test_commands_modes_parameters_and_wind(world: volary.World) -> None:
    world.command("land", "drones[0]")
    world.submit("wind", wind=[1, 0, 0])
    world.run(6)
    assert world.frame.mode[0] in ("disarmed", "armed", "land")
    assert world.frame.position[0, 2] < 0.2 < world.frame.position[1, 2]
    names = [p.name for p in world.flock().parameters]
    before = [world.parameter_of(i, names[0]) for i in world.vehicles()]
    world.set_parameter(names[0], np.array(before) * 1.01)
    world.step()
    assert [world.parameter_of(i, names[0]) for i in world.vehicles()] == pytest.approx([1.01 * x for x in before], rel=1e-5)


def test_states_can_be_set_as_one_array(world: volary.World) -> None:
    rows = np.zeros((3, 13))
    rows[:, :3] = [[10, 0, 5], [20, 0, 5], [30, 0, 5]]
    rows[:, 6] = 1
    world.set_states(rows)
    world.step()
    assert np.allclose(world.frame.position[:, 0], [10, 20, 30], atol=0.1)
