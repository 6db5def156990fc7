# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""The same behaviours steer vehicles that Volary, PX4 and ArduPilot fly: scenarios/leader_follower.yaml, flown three times.

PX4 and ArduPilot come from the user: `./volary test --px4 FILE --ardupilot FILE`. Without a program its flights are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy
import pytest

from conftest import PROGRAM

FIGURES = Path(os.environ.get("VOLARY_FIGURES", "autopilot_figures.jsonl"))
COURSE = numpy.array([[10, 0, 6], [40, 0, 6], [40, 30, 6], [0, 30, 6]], float)
PLACES = [(-3.5355, -3.5355), (-3.5355, 3.5355)]  # m ahead and left of the leader
LANDING = 125.0  # s


def options_of(kind: str) -> list[str]:
    if kind == "volary":
        return []
    if not os.environ.get("VOLARY_" + kind.upper(), ""):
        pytest.skip(f"no program of {kind}: ./volary test --{kind} FILE")
    return ["--autopilot", kind, "--speed", "max"]


def flown(record: Path) -> tuple[Any, Any, Any]:
    out = record.with_suffix(".npz")
    command = [PROGRAM, "replay", str(record), "--export", "npz", str(out), "--columns", "position,velocity", "--rate", "10"]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    table = numpy.load(out)
    return table["time"], table["trio/position"], table["trio/velocity"]


def off_course(position: Any) -> Any:
    """Distances to the course, whose first leg begins where the path does."""
    points = [position[0], *COURSE]
    best = numpy.full(len(position), numpy.inf)
    for a, b in zip(points, points[1:], strict=False):
        along = numpy.clip(((position - a) @ (b - a)) / max(float((b - a) @ (b - a)), 1e-9), 0, 1)
        best = numpy.minimum(best, numpy.linalg.norm(position - a - along[:, None] * (b - a), axis=1))
    return best


def figures_of(record: Path) -> dict[str, float]:
    time, position, velocity = flown(record)
    up = numpy.nonzero(position[:, :, 2].min(axis=1) > 5.5)[0][0]
    air = (time > time[up]) & (time < LANDING)
    leader, course = position[air, 0], velocity[air, 0, :2]
    speed = numpy.linalg.norm(course, axis=1)
    # on straight legs, a few seconds after the course has changed: the behaviour turns the formation slowly
    heading = numpy.unwrap(numpy.arctan2(course[:, 1], course[:, 0]))
    steady = numpy.array([speed[k] > 1.5 and k >= 60 and numpy.ptp(heading[k - 60 : k + 1]) < 0.2 for k in range(len(speed))])
    assert steady.sum() > 100
    errors = []
    for follower, (ahead, left) in enumerate(PLACES, start=1):
        c, s = numpy.cos(heading), numpy.sin(heading)
        place = leader + numpy.stack([ahead * c - left * s, ahead * s + left * c, numpy.zeros_like(c)], axis=1)
        errors.append(numpy.linalg.norm(position[air, follower] - place, axis=1)[steady])
    off = off_course(leader)
    together = numpy.concatenate(errors)
    return {
        "all_up_s": float(time[up]),
        "follower_rms_m": float(numpy.sqrt(numpy.mean(together**2))),
        "follower_max_m": float(together.max()),
        "leader_off_course_rms_m": float(numpy.sqrt(numpy.mean(off**2))),
        "leader_off_course_max_m": float(off.max()),
        "leader_speed_m_s": float(numpy.median(speed[steady])),
    }


@pytest.mark.parametrize("kind", ["volary", "px4", "ardupilot"])
def test_a_leader_and_two_followers_fly_their_course_and_land(kind: str, tmp_path: Path) -> None:
    record = tmp_path / "run.vrec"
    run = [PROGRAM, "run", "leader_follower", "--headless", "--record", str(record), *options_of(kind)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    # the inputs are in the recording: nobody flies them now
    without = {k: v for k, v in os.environ.items() if k not in ("VOLARY_PX4", "VOLARY_ARDUPILOT")}
    again = subprocess.run([PROGRAM, "replay", str(record), "--verify"], capture_output=True, text=True, timeout=1800, env=without)
    assert again.returncode == 0, again.stdout + again.stderr
    figures = figures_of(record)
    with FIGURES.open("a") as file:
        file.write(json.dumps({"test": "leader_follower", "kind": kind, **figures}) + "\n")
    assert figures["follower_rms_m"] < 0.5, figures
    assert figures["leader_off_course_rms_m"] < 0.3, figures


@pytest.mark.skipif(not (os.environ.get("VOLARY_PX4") and os.environ.get("VOLARY_ARDUPILOT")), reason="needs a PX4 and an ArduPilot")
def test_four_autopilots_share_a_world(tmp_path: Path) -> None:
    """The fourth vehicle is one of Volary's own in another process, with a mirror in this world."""
    record = tmp_path / "run.vrec"
    outside = tmp_path / "outside.yaml"
    outside.write_text("name: outside\nduration: 3600\nflocks:\n  - {name: real, airframe: px4_iris, vehicles: {list: [{position: [0, 0, 0]}]}, start: disarmed}\n")
    link = "127.0.0.1:14600"
    real = subprocess.Popen([PROGRAM, "run", str(outside), "--headless", "--no-record", "--quiet", "--mavlink", f"udpout:{link}"])
    try:
        run = [PROGRAM, "run", "mixed_autopilots", "--headless", "--record", str(record), "--mirror", f"udpin:{link},vehicles=4-4"]
        done = subprocess.run(run, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        real.terminate()
        real.wait(30)
    out = tmp_path / "run.npz"
    command = [PROGRAM, "replay", str(record), "--export", "npz", str(out), "--columns", "position", "--rate", "10"]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    table = numpy.load(out)
    for flock in ("px4", "ardupilot", "own", "mirror"):
        height = table[f"{flock}/position"][:, 0, 2]
        assert height.max() > 5, f"{flock} did not take off: {done.stderr}"
        assert height[-1] < 1, f"{flock} did not land: {done.stderr}"
    again = subprocess.run([PROGRAM, "replay", str(record), "--verify"], capture_output=True, text=True, timeout=1800)
    assert again.returncode == 0, again.stdout + again.stderr
