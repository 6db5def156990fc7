# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""PX4, built by the user with its modules for fixed wings, flies aircraft in lock-step: `./volary test --px4 FILE`. Without it the flights are skipped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

pytest.importorskip("pymavlink")

from conftest import ROOT, Run
from test_autopilots import Flown, check_px4_log, note, own_log, program_of
from wings import Quadplane, Wing

FLIGHTS = int(os.environ.get("VOLARY_FLIGHTS", "10"))
SCENARIOS = {Quadplane: "px4_quadplane", Wing: "px4_wing"}


@pytest.fixture
def px4() -> str:
    program = program_of("px4")
    if not program or not (Path(program).parent / "px4-vtol_att_control").exists():
        pytest.skip("no program of px4 with vtol_att_control and fw_att_control: ./volary test --px4 FILE")
    return program


def fly_mission(start: Callable[..., Run], tmp_path: Path, pilot_of: type[Quadplane] | type[Wing], seed: int) -> tuple[Flown, dict[str, float]]:
    """A whole mission: its path, and figures of it."""
    begin = time.monotonic()
    text = (ROOT / "scenarios" / f"{SCENARIOS[pilot_of]}.yaml").read_text()
    options = ["--seed", str(seed), "--speed", "max", "--duration", "3600", "--autopilot-files", str(tmp_path / "files")]
    run = start(text=text, options=options, given=[], speed=None)
    pilot = pilot_of("px4")
    try:
        pilot.fly_mission()
        assert not pilot.told.failures(), pilot.told.failures()
    finally:
        pilot.close()
        print(run.end(), pilot.told.texts)
    wall = time.monotonic() - begin
    flown = Flown(run, "plane")
    figures = {"rate": float(flown.time[-1]) / wall, **check_px4_log(own_log(run, "px4", tmp_path))}
    assert run.replays_exactly()
    return flown, figures


def passed_at(flown: Flown, corner: tuple[float, float]) -> float:
    """m between the path, seen from above, and a corner; PX4 begins to turn before it is there."""
    return float(numpy.min(numpy.linalg.norm(flown.path[:, 0, :2] - numpy.array(corner), axis=1)))


def level_flight(flown: Flown, pilot_of: type[Quadplane] | type[Wing]) -> tuple[float, float]:
    """Lowest and greatest height over that of the mission, in m, between its first and its last corner."""
    path = flown.path[:, 0, :]
    ends = [int(numpy.argmin(numpy.linalg.norm(path[:, :2] - numpy.array(c), axis=1))) for c in (pilot_of.corners[0], pilot_of.corners[-1])]
    up = path[ends[0] : ends[1], 2]
    return float(up.min()) - pilot_of.height, float(up.max()) - pilot_of.height


@pytest.mark.parametrize("seed", range(1, FLIGHTS + 1))
def test_a_quadplane_rises_flies_on_its_wing_and_lands_where_it_began(fly: Callable[..., Run], px4: str, seed: int, tmp_path: Path) -> None:
    flown, figures = fly_mission(fly, tmp_path, Quadplane, seed)
    figures["corners_m"] = max(passed_at(flown, corner) for corner in Quadplane.corners)
    figures["landing_m"] = flown.landed_at(0)
    figures["low_m"], figures["high_m"] = level_flight(flown, Quadplane)
    note("quadplane", seed=seed, **figures)
    assert figures["corners_m"] < 60
    assert figures["landing_m"] < 3
    assert figures["low_m"] > -8 and figures["high_m"] < 8


@pytest.mark.parametrize("seed", range(1, FLIGHTS + 1))
def test_a_wing_takes_off_from_a_runway_and_lands_on_it(fly: Callable[..., Run], px4: str, seed: int, tmp_path: Path) -> None:
    flown, figures = fly_mission(fly, tmp_path, Wing, seed)
    figures["corners_m"] = max(passed_at(flown, corner) for corner in Wing.corners)
    figures["beside_m"] = abs(float(flown.path[-1, 0, 0]))
    figures["low_m"], figures["high_m"] = level_flight(flown, Wing)
    note("wing", seed=seed, **figures)
    assert figures["corners_m"] < 60
    assert figures["beside_m"] < 15
    assert figures["low_m"] > -8 and figures["high_m"] < 8
