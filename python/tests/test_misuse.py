# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever is wrong is an exception whose text says what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import hovering

import volary

W = volary.World
NAN = float("nan")


def flock(**more: Any) -> dict[str, Any]:
    return {"flocks": [{**hovering()["flocks"][0], **more}]}


# what is done, the exception, and words of its text
SCENARIOS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: W("defalt"), volary.ScenarioError, "did you mean 'default'"),
    (lambda: W("no/such/file.yaml"), volary.ScenarioError, "no scenario file"),
    (lambda: W(5), TypeError, "a name, a path"),
    (lambda: W(None), TypeError, "a name, a path"),
    (lambda: W([]), TypeError, "a name, a path"),
    (lambda: W({}), volary.ScenarioError, "flocks"),
    (lambda: W({"flocks": []}), volary.ScenarioError, "flocks"),
    (lambda: W({"flock": []}), volary.ScenarioError, "did you mean|flocks"),
    (lambda: W(flock(airframe="crazyfly")), volary.ScenarioError, "crazyflie"),
    (lambda: W(flock(airframe="")), volary.ScenarioError, "airframe"),
    (lambda: W(flock(vehicles={"grid": {"count": 0}})), volary.ScenarioError, "count"),
    (lambda: W(flock(vehicles={"gird": {"count": 3}})), volary.ScenarioError, "grid"),
    (lambda: W(flock(vehicles={})), volary.ScenarioError, "grid"),
    (lambda: W(flock(start="holding")), volary.ScenarioError, "hold"),
    (lambda: W(flock(yaw="north")), volary.ScenarioError, "yaw"),
    (lambda: W(flock(yaw=NAN)), volary.ScenarioError, "finite"),
    (lambda: W(flock(controller={"kind": "cascde"})), volary.ScenarioError, "cascade"),
    (lambda: W(flock(mission={"circle": {"radius": 2}})), volary.ScenarioError, "speed|period"),
    (lambda: W(flock(behaviours=[{"reynold": {}}])), volary.ScenarioError, "reynolds"),
    (lambda: W({**hovering(), "duration": -1}), volary.ScenarioError, "duration"),
    (lambda: W({**hovering(), "tick": 0.0000000005}), volary.ScenarioError, "tick"),
    (lambda: W({**hovering(), "seed": -4}), volary.ScenarioError, "seed"),
    (lambda: W({**hovering(), "seed": 1.5}), volary.ScenarioError, "seed"),
    (lambda: W({**hovering(), "worlds": 10**9}), volary.ScenarioError, "worlds"),
    (lambda: W({**hovering(), "environment": {"wnd": [1, 0, 0]}}), volary.ScenarioError, "wind"),
    (lambda: W({**hovering(), "environment": {"wind": [1, 0]}}), volary.ScenarioError, "wind"),
    (lambda: W({**hovering(), "environment": 3}), volary.ScenarioError, "environment"),
    (lambda: W({**hovering(), "tasks": [{"nam": "x"}]}), volary.ScenarioError, "tasks"),
    (lambda: W({**hovering(), 5: 3}), TypeError, "texts"),
    (lambda: W({**hovering(), "name": object()}), TypeError, "cannot be written"),
    (lambda: W({**hovering(), "name": {1, 2}}), TypeError, "cannot be written"),
    (lambda: W("flocks:\n - name: [unclosed\n"), volary.ScenarioError, "text:3:1"),
    (lambda: W("default", device="cuda"), ValueError, "'cpu'"),
    (lambda: W("default", device="gpu:0"), ValueError, "'cpu'"),
    (lambda: W("default", threads=0), ValueError, "threads"),
    (lambda: W("default", threads=-2), ValueError, "from 1 to 1024"),
    (lambda: W("default", threads=2.0), ValueError, "threads"),
    (lambda: W("default", threads=True), ValueError, "threads"),
    (lambda: W("default", lanes=3), ValueError, "1, 4, 8, 16"),
    (lambda: W("default", worlds=0), volary.ScenarioError, "worlds"),
    (lambda: W("default", seed=-1), volary.ScenarioError, "seed"),
    (lambda: W("default", overrides="seed=7"), TypeError, "dict"),
    (lambda: W("default", overrides={"sed": 7}), volary.ScenarioError, "seed"),
    (lambda: W("default", overrides=["seed"]), volary.ScenarioError, "="),
    (lambda: W("default", overrides={"flocks[9].name": "x"}), volary.ScenarioError, "flocks"),
    (lambda: W("default", overrides={"seed": NAN}), volary.ScenarioError, "finite"),
]

WORLDS: list[tuple[Callable[[volary.World], Any], type[Exception], str]] = [
    (lambda w: w.step(-1), TypeError, "step"),
    (lambda w: w.step(1.5), TypeError, "step"),
    (lambda w: w.step("ten"), TypeError, "step"),
    (lambda w: w.run(-3), ValueError, "seconds"),
    (lambda w: w.run(NAN), ValueError, "seconds"),
    (lambda w: w.flock("drone"), ValueError, "did you mean 'drones'"),
    (lambda w: w.vehicles("dron"), ValueError, "drones"),
    (lambda w: w.find("drones_9"), ValueError, "did you mean|no vehicle"),
    (lambda w: w.name_of(99), ValueError, "vehicles\\(\\)"),
    (lambda w: w.mode_of(0), ValueError, "vehicles\\(\\)"),
    (lambda w: w.frame.column("positon"), ValueError, "did you mean 'position'"),
    (lambda w: w.frame.positon, AttributeError, "positon"),
    (lambda w: w.flock().column("velocty"), ValueError, "did you mean 'velocity'"),
    (lambda w: w.flock().values("velocty"), ValueError, "velocity"),
    (lambda w: w.parameter_of(w.vehicles()[0], "mas"), ValueError, "no parameter"),
    (lambda w: w.command("takeoff"), volary.InputError, "take_off"),
    (lambda w: w.command("land", "drones_9"), ValueError, "no vehicle"),
    (lambda w: w.command("land", 12345), ValueError, "vehicles\\(\\)"),
    (lambda w: w.submit("mod", mode="land"), volary.InputError, "mode"),
    (lambda w: w.submit("mode", mod="land"), volary.InputError, "mode"),
    (lambda w: w.submit("mode", mode=3), volary.InputError, "must be one of"),
    (lambda w: w.submit("wind", wind=[1, 2]), volary.InputError, "3 numbers"),
    (lambda w: w.submit("wind", wind=[1e9, 0, 0]), volary.InputError, "wind"),
    (lambda w: w.submit("wind", wind=[NAN, 0, 0]), volary.ScenarioError, "finite"),
    (lambda w: w.submit("field", path="radio.los", value="0.1"), volary.InputError, "radio"),
    (lambda w: (w.step(10), w.submit("mode", mode="land", at=0.01)), volary.InputError, "passed|late|past"),
    (lambda w: w.spawn([0, 0, 1], flock="bees"), ValueError, "no flock"),
    (lambda w: w.spawn([0, 0]), volary.InputError, "3 numbers"),
    (lambda w: w.spawn([0, 0, 1], colour="red"), volary.InputError, "colour"),
    (lambda w: w.remove(4711), ValueError, "vehicles\\(\\)"),
    (lambda w: w.set("positon", [0, 0, 1]), ValueError, "position"),
    (lambda w: w.set("position", [0, 0]), ValueError, "x, y, z, yaw"),
    (lambda w: w.set("position", np.zeros((2, 4))), ValueError, "3 vehicles"),
    (lambda w: w.set("position", np.zeros((3, 5))), ValueError, "\\(3, 4\\)"),
    (lambda w: w.set("position", np.zeros((3, 4, 1))), ValueError, "\\(3, 4\\)"),
    (lambda w: w.set("position", [NAN, 0, 0]), volary.InputError, "position of vehicle 0"),
    (lambda w: w.set("position", "up"), ValueError, "could not convert"),
    (lambda w: w.set("position", [0, 0, 1], flock="bees"), ValueError, "no flock"),
    (lambda w: w.set("position", [0, 0, 1], vehicles=["drones_77"]), ValueError, "no vehicle"),
    (lambda w: w.set("position", [0, 0, 1], vehicles=[77]), volary.InputError, "77|vehicle"),
    (lambda w: w.set("rates", [0, 0, 0]), ValueError, "thrust"),
    (lambda w: w.set_states(np.zeros((3, 7))), ValueError, "13 number"),
    (lambda w: w.set_parameter("weight", 1), ValueError, "no parameter"),
    (lambda w: w.set_parameter(w.flock().parameters[0].name, 1, component=99), ValueError, "component"),
    (lambda w: w.set_parameter(w.flock().parameters[0].name, [1, 2]), ValueError, "3 vehicles"),
    (lambda w: w.controller("velocity", flock="bees"), ValueError, "no flock"),
    (lambda w: w.controller("speed")(lambda f: None), ValueError, "velocity|control level"),
    (lambda w: w.controller("velocity")(5), TypeError, "function"),
    (lambda w: w.controller("velocity", every=0)(lambda f: None), ValueError, "every"),
    (lambda w: (w.controller("velocity")(lambda f: np.zeros((9, 4))), w.step()), ValueError, "3 vehicles"),
    (lambda w: (w.controller("velocity")(lambda f: "fast"), w.step()), ValueError, "could not convert"),
    (lambda w: w.remove_controller(print), ValueError, "not a controller"),
    (lambda w: w.reset([True, False]), ValueError, "1 worlds|one boolean"),
    (lambda w: w.reset(episodes=[1, 2]), ValueError, "broadcast|shape"),
    (lambda w: w.restore(None), TypeError, "restore"),
    (lambda w: w.restore(volary.World(flock(airframe="x500")).snapshot()), ValueError, "another"),
    (lambda w: w.read_snapshot(b"nonsense"), ValueError, "snapshot|bytes|damaged"),
    (lambda w: w.record("/no/such/folder/a.vrec"), ValueError, "/no/such/folder"),
    (lambda w: w.record("a.vrec", speed=3), TypeError, "position_error"),
    (lambda w: w.record_metric("x", 1.0, "m"), ValueError, "record\\(path\\)"),
    (lambda w: w.frame.position.__setitem__(0, 1), ValueError, "World.set"),
]


@pytest.mark.parametrize("k", range(len(SCENARIOS)))
def test_a_scenario_that_cannot_be(k: int) -> None:
    act, kind, words = SCENARIOS[k]
    with pytest.raises(kind, match=words):
        act()


@pytest.mark.parametrize("k", range(len(WORLDS)))
def test_a_call_that_cannot_be(k: int) -> None:
    act, kind, words = WORLDS[k]
    world = volary.World(hovering())
    with pytest.raises(kind, match=words):
        act(world)


def test_there_are_a_hundred() -> None:
    assert len(SCENARIOS) + len(WORLDS) >= 100
