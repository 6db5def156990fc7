# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import hovering

import volary


def fly(world: volary.World) -> int:
    world.step(50)
    return world.hash()


def test_a_pickled_world_flies_on_in_another_process() -> None:
    world = volary.World(hovering(3, environment={"gust_sigma": 1}), threads=2)
    world.step(20)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(fly, (world,))
    assert there == fly(world)


def test_a_world_of_one_thread_survives_a_fork_and_one_of_two_says_what_to_do() -> None:
    alone, pair = volary.World(hovering()), volary.World(hovering(), threads=2)
    expected = alone.branch()
    expected.step(10)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        alone.step(10)
        try:
            pair.step()
            said = "nothing"
        except RuntimeError as fault:
            said = str(fault)
        os.write(write, f"{alone.hash()}|{said}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    hash_there, said = os.read(read, 10_000).decode().split("|")
    assert int(hash_there) == expected.hash()
    assert "spawn" in said and "fork" in said


def test_what_cannot_be_pickled_says_why(tmp_path: Path) -> None:
    world = volary.World(hovering())
    world.controller("velocity")(lambda flock: None)
    with pytest.raises(TypeError, match="controllers"):
        pickle.dumps(world)
    other = volary.World(hovering())
    with other.recording(tmp_path / "a.vrec"), pytest.raises(TypeError, match="stop_recording"):
        pickle.dumps(other)


def test_ctrl_c_ends_a_long_step_between_two_ticks() -> None:
    code = "import volary; w = volary.World('default', overrides={'duration': 1e6})\nprint('ready', flush=True)\ntry:\n w.step(10**9)\nexcept KeyboardInterrupt:\n w.step(1); print('ticks', w.tick > 0)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=10)
    assert out == "ticks True\n"


def test_other_threads_run_while_a_world_steps() -> None:
    world = volary.World("default", overrides={"duration": 1e6})
    stop, counted = threading.Event(), 0

    def count() -> None:
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    before, during = counted, 0
    for _ in range(100):
        world.step(500)
        during = counted - before
        if during > 5:
            break
    stop.set()
    thread.join()
    assert during > 5


def test_two_threads_cannot_step_one_world_at_once() -> None:
    world = volary.World("default", overrides={"duration": 1e6})
    faults: list[str] = []
    started = threading.Event()

    def steps() -> None:
        started.set()
        world.step(2000)

    thread = threading.Thread(target=steps)
    thread.start()
    started.wait()
    for _ in range(50):
        try:
            world.step()
        except RuntimeError as fault:
            faults.append(str(fault))
        time.sleep(0.001)
    thread.join()
    assert any("being stepped" in f for f in faults)


def test_views_of_a_snapshot_travel_as_copies() -> None:
    world = volary.World(hovering())
    copy = pickle.loads(pickle.dumps(world.frame.position))
    assert type(copy) is np.ndarray and np.array_equal(copy, world.frame.position)
