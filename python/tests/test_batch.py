# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import hovering

import volary
from volary.batch import batch, student_t, summarise, wilson

pd = pytest.importorskip("pandas")


def gusty() -> dict[str, Any]:
    """Crazyflies that hold their places in gusts, some of them within 4 cm."""
    scenario = hovering(3, environment={"gust_sigma": 1}, duration=1, tasks=[{"name": "near", "always": {"tracking": {"flock": "drones", "within": 0.04}}}])
    scenario["flocks"][0].update(start="mission", mission={"hold": {"height": 5}})
    return scenario


@pytest.fixture(scope="module")
def runs() -> Any:
    return batch(gusty(), seeds=4, vary={"environment.wind": [[0, 0, 0], [4, 0, 0]]})


def test_a_batch_has_a_row_for_each_run(runs: Any) -> None:
    assert len(runs) == 8
    assert runs["seed"].tolist() == [1, 2, 3, 4] * 2
    assert runs["environment.wind"].tolist() == [(0, 0, 0)] * 4 + [(4, 0, 0)] * 4
    assert runs["success"].dtype == bool
    assert runs["tasks/near/state"].isin(["open", "done", "failed"]).all()
    assert (runs["tracking error/rms (m)"] > 0).all()
    assert runs["state hash"].nunique() == 8
    assert runs.attrs["parameters"] == ["environment.wind"]


def test_a_run_of_a_batch_is_the_flight_of_a_world(runs: Any) -> None:
    row = runs[(runs["seed"] == 3) & (runs["environment.wind"].map(lambda w: w == (4, 0, 0)))].iloc[0]
    alone = volary.World(gusty(), seed=3, overrides={"environment.wind": [4, 0, 0]}).run()
    assert row["state hash"] == f"{alone.hash():016x}"


def test_results_that_are_there_are_not_flown_again(tmp_path: Path) -> None:
    first = batch(gusty(), seeds=[1, 2], out=tmp_path / "kept")
    results = tmp_path / "kept" / "results.jsonl"
    marked = [json.loads(line) for line in results.read_text().splitlines()]
    marked[0]["values"]["tracking error/rms"] = 7.5
    results.write_text("".join(json.dumps(line) + "\n" for line in marked))
    more = batch(gusty(), seeds=range(1, 4), out=tmp_path / "kept")
    assert more["tracking error/rms (m)"].tolist()[:2] == [7.5, first["tracking error/rms (m)"][1]]
    assert more["seed"].tolist() == [1, 2, 3]
    with pytest.raises(volary.ScenarioError, match="another batch"):
        batch(hovering(), seeds=1, out=tmp_path / "kept")


def test_an_interrupt_ends_the_program_in_order_and_keeps_what_was_flown(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"

    def interrupt() -> None:
        while not (results.exists() and results.read_text().count("\n") > 2):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt, match="interrupted after"):
        batch(gusty(), seeds=100_000, out=tmp_path, threads=1)
    flown = [json.loads(line)["seed"] for line in results.read_text().splitlines()]
    assert flown == list(range(1, len(flown) + 1))
    assert len(batch(gusty(), seeds=3, out=tmp_path)) == 3


def test_overrides_are_those_of_a_world(tmp_path: Path) -> None:
    changes = {"environment.wind": [3, 0, 0], "flocks[0].mission.hold.height": 8, "name": "a, b"}
    made = batch(gusty(), seeds=[9], overrides=changes, radius=0.5)
    assert made["state hash"][0] == f"{volary.World(gusty(), seed=9, overrides=changes).run().hash():016x}"
    assert not set(changes) & set(made.columns)
    assert made["drones/largest group"][0] < 1  # they are a metre apart
    with pytest.raises(ValueError, match="overrides too"):
        batch(gusty(), overrides={"duration": 1}, vary={"duration": [2]})


def test_files_beside_a_scenario_are_found_and_nothing_is_left_there(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(json.dumps(gusty()))
    made = batch({"include": ["base.yaml"], "duration": 0.2}, seeds=1, folder=tmp_path)
    assert len(made) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["base.yaml"]


def test_errors_have_the_text_of_the_program() -> None:
    with pytest.raises(volary.ScenarioError, match="did you mean 'gust_sigma'"):
        batch(gusty(), seeds=1, vary={"environment.gust_sgma": [1]})
    with pytest.raises(volary.ScenarioError, match="did you mean 'default'"):
        batch("defualt", seeds=1)
    with pytest.raises(ValueError, match="no values"):
        batch(gusty(), vary={"duration": []})
    with pytest.raises(TypeError, match="needs a list of values"):
        batch(gusty(), vary={"duration": 3})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="not a whole number"):
        batch(gusty(), seeds=[1, -2])
    with pytest.raises(TypeError, match="seeds"):
        batch(gusty(), seeds="1..3")  # type: ignore[arg-type]


def test_progress_of_the_program_is_shown_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    batch(hovering(1, duration=0.1), seeds=2, progress=True)
    assert "2 of 2 runs" in capsys.readouterr().err
    batch(hovering(1, duration=0.1), seeds=2, progress=False)
    assert capsys.readouterr().err == ""


def test_the_summary_is_that_of_the_program(tmp_path: Path, runs: Any) -> None:
    path = tmp_path / "gusty.yaml"
    path.write_text(json.dumps(gusty()))
    words = ["batch", str(path), "--seeds", "1..4", "--set", "environment.wind=[0, 0, 0],[4, 0, 0]", "--out", str(tmp_path / "out"), "--json"]
    printed = subprocess.run([sys.executable, "-P", "-m", "volary", *words], check=True, capture_output=True, text=True).stdout
    table = summarise(runs)
    compared = 0
    for row in json.loads(printed)["rows"]:
        field, _, figure = row["name"].partition("/")
        wind = tuple(json.loads(field.partition("=")[2]))
        ours = table.loc[[(wind, f"{figure} ({row['unit']})" if row.get("unit") else figure)]].iloc[0]
        assert ours["mean"] == pytest.approx(row["value"], rel=1e-12)
        assert ours["n"] == row["n"]
        if "low" in row:
            assert (ours["low"], ours["high"]) == pytest.approx((row["low"], row["high"]), rel=1e-9, abs=1e-12)
            compared += 1
    assert compared > 10


def test_intervals_are_those_of_published_tables() -> None:
    # quantiles of Student's t in NIST/SEMATECH e-Handbook 1.3.6.7.2; example of Wilson's interval in docs/batch.md
    for degrees, t in ((1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042), (100, 1.984), (10**6, 1.960)):
        assert student_t(0.95, degrees) == pytest.approx(t, abs=6e-4)
    assert student_t(0.9, 7) == pytest.approx(1.895, abs=6e-4)
    assert student_t(0.95, 2000) == pytest.approx(student_t(0.95, 2001), abs=1e-6)
    assert wilson(20, 20, 0.95) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_a_single_run_has_no_interval_of_its_mean_and_equal_runs_one_without_width() -> None:
    one = summarise(pd.DataFrame({"seed": [1], "success": [True], "separation/min (m)": [2.0]}))
    assert one.loc["success", "low"] == pytest.approx(wilson(1, 1, 0.95)[0])
    assert one["low"].isna().tolist() == [False, True]
    equal = summarise(pd.DataFrame({"separation/min (m)": [0.1] * 3}))
    assert equal[["low", "mean", "high"]].to_numpy().tolist() == [[0.1, 0.1, 0.1]]


def test_events_that_no_run_has_twice_are_probabilities() -> None:
    table = summarise(pd.DataFrame({"events/crashed": [0, 1, 1, 0], "events/landed": [2, 3, 3, 2]}))
    assert tuple(table.loc["events/crashed", ["low", "high"]]) == pytest.approx(wilson(2, 4, 0.95))
    half = student_t(0.95, 3) * np.std([2, 3, 3, 2], ddof=1) / 2
    assert tuple(table.loc["events/landed", ["low", "high"]]) == pytest.approx((2.5 - half, 2.5 + half))
