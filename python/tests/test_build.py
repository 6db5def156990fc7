# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

import volary
from volary import _core, build
from volary.build import Apart, Avoid, Behaviour, Circle, Flock, Formation, Grid, Mission, Node, Placement, Predicate, Reynolds, Scenario, Task, Vehicle

ROOT = Path(__file__).resolve().parents[2]


def test_the_builders_are_those_of_the_schema() -> None:
    generate = runpy.run_path(str(ROOT / "tools" / "generate_builders.py"))["generate"]
    assert (ROOT / "python" / "volary" / "build.py").read_text() == generate(_core.scenario_schema()), "run tools/generate_builders.py"


def test_only_what_was_given_is_written() -> None:
    assert Grid(count=4).to_dict() == {"count": 4}
    assert Flock(name="a", airframe="x500", vehicles=Placement(grid=Grid(count=4, spacing=0))).to_dict() == {
        "name": "a", "airframe": "x500", "vehicles": {"grid": {"count": 4, "spacing": 0}}}


def test_a_kind_may_stand_for_the_map_that_holds_it() -> None:
    short = Flock(name="a", vehicles=Grid(count=4), mission=Circle(radius=2, speed=1), behaviours=[Reynolds(), Behaviour(avoid=Avoid(), weight=2)])
    long = Flock(name="a", vehicles=Placement(grid=Grid(count=4)), mission=Mission(circle=Circle(radius=2, speed=1)),
                 behaviours=[Behaviour(reynolds=Reynolds()), Behaviour(avoid=Avoid(), weight=2)])
    assert short.to_dict() == long.to_dict()
    assert short.to_dict()["behaviours"] == [{"reynolds": {}}, {"avoid": {}, "weight": 2}]


def test_words_of_python_have_an_underscore() -> None:
    task = Task(name="apart", not_=Predicate(not_=Apart(flock="a", distance=1)))
    assert task.to_dict() == {"name": "apart", "not": {"not": {"apart": {"flock": "a", "distance": 1}}}}
    assert Behaviour(reynolds=Reynolds(), from_=3).to_dict() == {"reynolds": {}, "from": 3}


def test_arrays_tuples_and_paths_become_plain_values() -> None:
    vehicle = Vehicle(position=np.array([1.0, 2.0, 3.0]), yaw=np.float64(0.5))
    assert json.dumps(vehicle.to_dict()) == '{"position": [1.0, 2.0, 3.0], "yaw": 0.5}'
    assert Scenario(include=[Path("a.yaml")], obstacles=()).to_dict() == {"include": ["a.yaml"], "obstacles": []}


def test_a_world_of_builders_is_that_of_the_dict() -> None:
    plain = {
        "name": "built", "seed": 5, "duration": 2, "environment": {"gust_sigma": 1},
        "radio": {"model": "log_distance", "exponent": 2.5},
        "flocks": [{"name": "a", "airframe": "crazyflie", "vehicles": {"formation": {"shape": "v", "count": 5, "spacing": 2}}, "start": "hold",
                    "node": {"state_rate": 5}, "behaviours": [{"reynolds": {"spacing": 4}}]}],
        "tasks": [{"name": "apart", "always": {"apart": {"flock": "a", "distance": 0.1}}}],
    }
    built = Scenario(
        name="built", seed=5, duration=2, environment=build.Environment(gust_sigma=1), radio=build.Radio(model="log_distance", exponent=2.5),
        flocks=[Flock(name="a", airframe="crazyflie", vehicles=Formation(shape="v", count=5, spacing=2), start="hold", node=Node(state_rate=5), behaviours=[Reynolds(spacing=4)])],
        tasks=[Task(name="apart", always=Apart(flock="a", distance=0.1))])
    assert built.to_dict() == plain
    assert volary.World(built).run().hash() == volary.World(plain).run().hash()


def test_values_are_checked_when_the_scenario_is_read() -> None:
    with pytest.raises(volary.ScenarioError, match="count"):
        volary.World(Scenario(flocks=[Flock(name="a", airframe="x500", vehicles=Grid(count=0))]))
    with pytest.raises(TypeError, match="cout"):
        Grid(cout=4)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="count"):
        Grid()  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="sede"):
        Scenario().sede = 4  # type: ignore[attr-defined]


def test_docstrings_have_units_bounds_and_defaults() -> None:
    assert "spacing: distance between neighbours in the grid [m] (0.01 to 100000" in str(Grid.__doc__)
    assert all(getattr(build, name).__doc__ for name in build.__all__ if not name.endswith("Like"))
