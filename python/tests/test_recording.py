# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import volary
from volary.recording import Recording, Table
from volary.recording import open as open_recording

TICKS = 120


def scenario() -> dict[str, Any]:
    """Two flocks, one of them on circles, in gusts; a task and a vehicle in a closed region give events."""
    return {
        "name": "two flocks",
        "seed": 3,
        "duration": 10,
        "environment": {"gust_sigma": 1},
        "flocks": [
            {"name": "ring", "airframe": "crazyflie", "vehicles": {"ring": {"count": 4, "radius": 3}}, "start": "mission",
             "mission": {"circle": {"radius": 1, "speed": 1, "height": 2}}},
            {"name": "pair", "airframe": "x500", "vehicles": {"list": [{"position": [20, 0, 5], "name": "left"}, {"position": [26, 0, 5], "name": "right"}]},
             "start": "hold"},
        ],
        "events": [{"time": 0.5, "what": "land", "flock": "pair"}],
        "regions": [{"name": "closed", "rule": "keep_out", "cylinder": {"centre": [26, 0], "radius": 2}}],
        "tasks": [{"name": "soon", "time_after": 0.3}],
    }


@pytest.fixture(scope="module")
def flight(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """The path of a recording, and what the world had at every tick: position of all vehicles, and the hash."""
    path = tmp_path_factory.mktemp("recording") / "flight.vrec"
    world = volary.World(scenario(), hash_every_tick=True)
    moments = []
    with world.recording(path, position_error=0.01):
        for _ in range(TICKS):
            world.step()
            moments.append((np.array(world.frame.position), world.hash()))
        world.record_metric("height", 1.5, "m")
    return path, moments


@pytest.fixture(scope="module")
def recording(flight: tuple[Path, list[Any]]) -> Recording:
    return open_recording(flight[0])


def test_the_head_names_what_was_recorded(recording: Recording) -> None:
    assert recording.info.scenario == "two flocks"
    assert recording.info.seed == 3
    assert recording.info.flocks == ["ring", "pair"]
    assert [v.name for v in recording.vehicles][-2:] == ["left", "right"]
    assert recording.duration == pytest.approx(TICKS * 0.01)
    assert recording.metrics == [(1.2, TICKS, "height", 1.5, "m")]
    assert "two flocks" in repr(recording)


def test_the_hashes_are_those_of_the_world_and_flying_again_gives_them(recording: Recording, flight: tuple[Path, list[Any]]) -> None:
    assert recording.hash(TICKS) == flight[1][-1][1]
    assert recording.hash(TICKS + 1) is None
    check = recording.verify()
    assert check.exact
    assert check.compared >= TICKS


def test_exact_columns_are_the_positions_of_the_world_at_every_tick(recording: Recording, flight: tuple[Path, list[Any]]) -> None:
    tables = recording.columns(["position"])
    assert list(tables) == ["ring", "pair"]
    for tick, (position, _) in enumerate(flight[1], start=1):
        ours = np.concatenate([t["position"][t.tick == tick] for t in tables.values()])
        assert ours.astype(np.float32).tolist() == position.astype(np.float32).tolist()


def test_a_table_has_time_names_worlds_and_modes(recording: Recording) -> None:
    pair = recording.columns(flock="pair", rate=10)
    assert pair.exact
    assert pair.time[:2].tolist() == [0.0, 0.0]
    assert np.unique(pair.time).tolist() == [k / 10 for k in range(13)]
    assert pair.name[:2].tolist() == ["left", "right"]
    assert set(pair.world.tolist()) == {0}
    assert pair.mode[0] == "hold"
    assert pair.mode[-1] == "land"
    assert pair.docs["velocity"].unit == "m/s"
    right = pair.of("right")
    assert len(right) == 13
    assert right["position"].shape == (13, 3)
    assert set(right.name.tolist()) == {"right"}


def test_names_that_do_not_exist_are_answered_with_the_nearest(recording: Recording) -> None:
    with pytest.raises(ValueError, match="did you mean 'pair'"):
        recording.columns(flock="pare")
    with pytest.raises(ValueError, match="position"):
        recording.columns(["positon"])
    with pytest.raises(TypeError, match=r"\['position'\]"):
        recording.columns("position")
    table = recording.columns(["position"], flock="pair")
    with pytest.raises(KeyError, match="did you mean 'position'"):
        table["positions"]
    with pytest.raises(ValueError, match="did you mean 'left'"):
        table.of("lift")
    with pytest.raises(ValueError, match="samples per second"):
        recording.columns(rate=-1)


def test_trajectories_stay_within_the_error_that_was_asked_for(recording: Recording) -> None:
    exact, near = recording.columns(["position", "velocity"]), recording.trajectories(rate=0)
    for flock in ("ring", "pair"):
        assert near[flock].tick.tolist() == exact[flock].tick.tolist()
        assert near[flock].vehicle.tolist() == exact[flock].vehicle.tolist()
        assert not near[flock].exact
        error = np.linalg.norm(near[flock]["position"] - exact[flock]["position"], axis=1)
        assert error.max() <= recording.info.position_error + 1e-6
        assert error.max() > 0
    assert isinstance(recording.trajectories(flock="pair"), Table)


def test_a_moment_between_two_ticks_is_interpolated(recording: Recording) -> None:
    now = recording.at(0.305)
    before, after = recording.at(0.30), recording.at(0.31)
    assert now.time.tolist() == [0.305] * 6
    assert now.name.tolist()[-1] == "right"
    moved = np.linalg.norm(after["position"] - before["position"], axis=1)
    assert np.all(np.linalg.norm(now["position"] - before["position"], axis=1) <= moved + 1e-9)


def test_a_recording_without_trajectories_says_what_to_use_instead(tmp_path: Path) -> None:
    world = volary.World(scenario())
    with world.recording(tmp_path / "a.vrec", trajectories=False):
        world.step(5)
    bare = open_recording(tmp_path / "a.vrec")
    assert not bare.info.has_trajectories
    with pytest.raises(ValueError, match=r"columns\(\)"):
        bare.trajectories()
    assert len(bare.columns(["position"], flock="pair")) == 2 * 6


def test_pandas_gets_one_number_in_each_column(recording: Recording) -> None:
    pytest.importorskip("pandas")
    frame = recording.to_pandas(rate=10)
    assert list(frame.columns[:5]) == ["time", "tick", "world", "flock", "vehicle"]
    assert {"position_x", "position_y", "position_z", "attitude_w", "rotor_speed_0", "mode"} <= set(frame.columns)
    assert len(frame) == 13 * 6
    assert frame.attrs["units"]["velocity_x"] == "m/s"
    assert frame["time"].is_monotonic_increasing
    one = frame[frame["vehicle"] == "right"]
    assert one[["position_x", "position_y", "position_z"]].to_numpy().tolist() == recording.columns(["position"], 10, flock="pair").of("right")["position"].tolist()
    attitude = recording.columns(["attitude"], 10, flock="pair").of("right")["attitude"]
    assert one[["attitude_w", "attitude_x", "attitude_y", "attitude_z"]].to_numpy().tolist() == attitude.tolist()
    near = recording.to_pandas(["position"], rate=10, flock="pair", exact=False)
    assert list(near.columns) == ["time", "tick", "world", "flock", "vehicle", "position_x", "position_y", "position_z"]
    assert len(near) == 13 * 2
    with pytest.raises(ValueError, match="exact=True"):
        recording.to_pandas(["wind"], exact=False)


def test_arrow_and_parquet_keep_values_and_units(recording: Recording, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    recording.to_parquet(path, ["position", "mode"], rate=20)
    table = parquet.read_table(path)
    frame = recording.to_pandas(["position", "mode"], rate=20)
    assert table.num_rows == len(frame)
    assert table["position_x"].to_pylist() == frame["position_x"].tolist()
    assert [str(x) for x in table["mode"].to_pylist()] == frame["mode"].tolist()
    assert table.schema.field("position_x").metadata[b"unit"] == b"m"
    assert table.schema.metadata[b"scenario"] == b"two flocks"
    with pytest.raises(FileExistsError, match="not overwritten"):
        recording.to_parquet(path)


def test_events_are_a_table(recording: Recording) -> None:
    pd = pytest.importorskip("pandas")
    frame = recording.events_frame()
    assert len(frame) == len(recording.events) > 0
    assert list(frame.columns) == ["time", "tick", "world", "vehicle", "what"]
    assert frame["tick"].is_monotonic_increasing
    done = frame[frame["what"].str.contains("task done")].iloc[0]
    assert done["time"] == pytest.approx(done["tick"] * 0.01)
    assert pd.isna(done["vehicle"])
    assert frame[frame["what"].str.contains("closed")]["vehicle"].tolist()[0] == "right"


@pytest.mark.parametrize("exact", [True, False])
def test_an_export_is_written_once(recording: Recording, tmp_path: Path, exact: bool) -> None:
    path = tmp_path / "a.npz"
    size = recording.export("npz", path, rate=10, exact=exact, columns=["position"])
    assert path.stat().st_size == size
    with np.load(path) as arrays:
        values = arrays["pair/position"].reshape(-1, 3)
    ours = recording.columns(["position"], 10, flock="pair") if exact else recording.trajectories(10, flock="pair")
    assert values == pytest.approx(ours["position"], abs=1e-9)
    with pytest.raises(ValueError, match="npz"):
        recording.export("npy", tmp_path / "b.npy")
    with pytest.raises(ValueError):
        recording.export("npz", path)


def test_a_run_of_the_library_is_opened_by_the_beginning_of_its_id(flight: tuple[Path, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOLARY_RUNS", str(tmp_path))
    for name in ("20260101-1200-a", "20260101-1300-b"):
        (tmp_path / f"{name}.vrec").write_bytes(flight[0].read_bytes())
    assert open_recording("20260101-12").info.path.endswith("20260101-1200-a.vrec")
    with pytest.raises(ValueError, match="beginning of 2 runs"):
        open_recording("2026")
    with pytest.raises(FileNotFoundError, match="there is no recording"):
        open_recording("1200-a")
    with pytest.raises(ValueError, match=r"nothing\.vrec"):
        open_recording(tmp_path / "nothing.vrec")


def test_a_missing_library_is_named(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install volary\[data\]"):
        recording.to_pandas()
