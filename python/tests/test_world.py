# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import hovering

import volary


def program(*words: str) -> str:
    """What the command line prints."""
    return subprocess.run([sys.executable, "-m", "volary", *words], check=True, capture_output=True, text=True).stdout


def test_six_lines_hover_a_crazyflie() -> None:
    world = volary.World({"flocks": [{"name": "cf", "airframe": "crazyflie", "vehicles": {"list": [{"position": [0, 0, 0]}]}, "start": "take_off"}]})
    world.run(5)
    assert world.frame.position[0] == pytest.approx([0, 0, 1.5], abs=0.03)  # above where its feet stood
    assert world.frame.mode[0] == "hold"


def test_a_scenario_is_a_name_a_path_a_text_or_a_dict(tmp_path: Path) -> None:
    text = json.dumps(hovering())
    (tmp_path / "a.yaml").write_text(text)
    hashes = {volary.World(s).run(0.5).hash() for s in (hovering(), text + "\n", tmp_path / "a.yaml", str(tmp_path / "a.yaml"))}
    assert len(hashes) == 1
    assert volary.World("default").n_vehicles > 1


@pytest.mark.parametrize("name", ["default", "rpt_circle"])
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_same_seed_gives_the_hash_of_the_command_line(name: str, threads: int) -> None:
    ours = volary.World(name, seed=5, threads=threads).run()
    theirs = program("run", name, "--seed", "5", "--headless", "--no-record", "--hash", "--quiet")
    assert f"{ours.hash():016x}" == theirs.strip()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_world_3777_of_4096_is_that_of_the_command_line(threads: int) -> None:
    gusty = hovering(1, environment={"gust_sigma": 2})
    batch = volary.World(gusty, worlds=4096, threads=threads)
    batch.step(50)
    alone = volary.World(gusty, overrides={"worlds": 1, "first_world": 3777})
    alone.step(50)
    assert batch.hash_of_world(3777) == alone.hash_of_world(0)
    assert batch.hash_of_world(3777) != batch.hash_of_world(3776)
    path = Path("world_3777.yaml")
    path.write_text(json.dumps(gusty))
    theirs = program("run", str(path), "--world", "3777", "--duration", "0.5", "--headless", "--no-record", "--hash", "--quiet").strip()
    path.unlink()
    assert f"{alone.hash():016x}" == theirs


def test_overrides_are_those_of_the_command_line() -> None:
    a = volary.World("default", overrides={"environment.wind": [3, 0, 0], "seed": 7}).run(1)
    b = volary.World("default", overrides=["environment.wind=[3,0,0]"], seed=7).run(1)
    assert a.hash() == b.hash() != volary.World("default", seed=7).run(1).hash()


def test_a_snapshot_brings_back_the_moment(world: volary.World) -> None:
    world.step(10)
    moment, then = world.snapshot(), world.hash()
    world.step(30)
    later = world.hash()
    world.restore(moment)
    assert (world.tick, world.hash()) == (10, then)
    world.step(30)
    assert world.hash() == later
    other = volary.World(hovering())
    other.restore(other.read_snapshot(moment.to_bytes()))
    assert other.hash() == then


def test_two_futures_from_one_past(world: volary.World) -> None:
    world.step(10)
    other = world.branch()
    copied = copy.deepcopy(world)
    assert other.hash() == copied.hash() == world.hash()
    other.set("position", [5, 5, 5])
    for w in (world, other, copied):
        w.step(50)
    assert world.hash() == copied.hash() != other.hash()


def test_events_and_tasks_are_objects() -> None:
    world = volary.World(hovering(1))
    world.spawn([1, 1, 1], name="late")
    world.step(5)
    events = world.take_events()
    assert [(e.what, e.name, e.tick, e.world) for e in events] == [("spawned", "late", 0, 0)]
    assert all(e.tick <= world.tick for e in events)
    assert world.take_events() == []
    assert volary.World("search_and_rescue").tasks()[0].state in ("open", "holding")


def test_a_batch_starts_again_world_by_world() -> None:
    world = volary.World(hovering(2, environment={"gust_sigma": 1}), worlds=5)
    first = [world.hash_of_world(k) for k in range(5)]
    world.step(20)
    after = [world.hash_of_world(k) for k in range(5)]
    world.reset([False, True, False, True, False], episodes=0)
    assert [world.hash_of_world(k) == first[k] for k in range(5)] == [False, True, False, True, False]
    assert [world.tick_of_world(k) for k in range(5)] == [20, 0, 20, 0, 20]
    world.step(20)
    assert world.hash_of_world(1) == after[1]
    world.reset()
    assert world.episode_of_world(0) == 1


def test_parameters_and_air_can_be_asked(world: volary.World) -> None:
    drone = world.vehicles()[0]
    names = [p.name for p in world.flock().parameters]
    assert names
    assert world.parameter_of(drone, names[0]) == pytest.approx(world.parameter_of(drone, names[0]))
    assert world.air_at([0, 0, 1]).density == pytest.approx(1.225, rel=0.01)
    assert world.frame_columns()[0].unit == "m"


def test_looking_changes_nothing() -> None:
    seen, unseen = volary.World("default"), volary.World("default")
    for _ in range(20):
        seen.step()
        np.array(seen.frame.position), np.array(seen.frame.attitude), seen.frame.mode, seen.tasks(), seen.swarm_report()
    unseen.step(20)
    assert seen.hash() == unseen.hash()
