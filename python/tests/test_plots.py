# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import hovering

import volary
from volary import plots
from volary.recording import Recording
from volary.recording import open as open_recording

matplotlib = pytest.importorskip("matplotlib")
pd = pytest.importorskip("pandas")


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Three vehicles on circles of 2 m around their places, and one that holds."""
    scenario = hovering(3)
    scenario["flocks"][0].update(start="mission", mission={"circle": {"radius": 2, "speed": 3, "ramp": 0}})
    scenario["flocks"].append({"name": "still", "airframe": "x500", "vehicles": {"grid": {"count": 1, "origin": [9, 0, 4]}}, "start": "hold"})
    path = tmp_path_factory.mktemp("plots") / "flight.vrec"
    world = volary.World(scenario)
    with world.recording(path):
        world.run(2)
    return open_recording(path)


def ways_of(axes: Any) -> list[Any]:
    return [segment for c in axes.collections if hasattr(c, "get_segments") for segment in c.get_segments()]


def test_the_top_view_has_a_line_for_each_vehicle_and_equal_scales(recording: Recording) -> None:
    axes = plots.top_view(recording)
    assert len(ways_of(axes)) == 4
    assert axes.get_xlabel() == "east (m)"
    assert axes.get_ylabel() == "north (m)"
    assert axes.get_aspect() == 1
    legend = axes.get_legend()
    assert legend is not None
    assert [t.get_text() for t in legend.get_texts()] == ["drones (3)", "still (1)"]
    # a line is the way of its vehicle
    ours, exact = ways_of(axes)[0], recording.trajectories(10, flock="drones").of(0)["position"]
    assert np.asarray(ours) == pytest.approx(exact[:, :2])
    assert axes.dataLim.xmin < ours[:, 0].min() + 1e-6


def test_tables_and_frames_are_drawn_as_recordings_are(recording: Recording) -> None:
    ours = [np.asarray(s) for s in ways_of(plots.top_view(recording.columns(["position"], rate=10)))]
    frame = [np.asarray(s) for s in ways_of(plots.top_view(recording.to_pandas(["position"], rate=10)))]
    assert len(ours) == len(frame) == 4
    for a, b in zip(ours, frame):
        assert a == pytest.approx(b)
    assert len(ways_of(plots.top_view(recording, flock="still"))) == 1
    with pytest.raises(ValueError, match="no trajectory"):
        plots.top_view(recording, world=1)


def test_given_axes_are_drawn_into(recording: Recording) -> None:
    axes = matplotlib.pyplot.subplots()[1]
    assert plots.top_view(recording, axes) is axes
    with pytest.raises(TypeError, match="projection"):
        plots.trajectories_3d(recording, axes)


def test_three_dimensions_have_the_same_scale(recording: Recording) -> None:
    axes = plots.trajectories_3d(recording)
    size = [high - low for low, high in (axes.get_xlim(), axes.get_ylim(), axes.get_zlim())]
    assert np.ptp(np.asarray(axes._box_aspect) / size) < 1e-9
    assert axes.get_zlabel() == "up (m)"
    assert len(axes.lines) == 4


def test_the_tracking_error_is_that_of_the_recording(recording: Recording) -> None:
    axes = plots.tracking_error(recording, rate=0)
    table = recording.columns(["tracking_error"], flock="drones")
    last = table["tracking_error"][table.tick == table.tick.max()]
    assert np.asarray(axes.lines[0].get_xydata())[-1] == pytest.approx([2.0, np.sqrt(np.mean(last**2))])
    assert axes.get_ylabel() == "tracking error (m)"
    with pytest.raises(ValueError, match="no vehicle"):
        plots.tracking_error(recording, flock="nothing")


def runs(values: list[Any]) -> Any:
    """Runs of a batch with three seeds for each value."""
    frame = pd.DataFrame({"p": [v for v in values for _ in range(3)], "seed": [1, 2, 3] * len(values)})
    frame["energy (s)"] = [k + s / 10 for k in range(len(values)) for s in range(3)]
    frame.attrs.update(parameters=["p"], scenario="s")
    return frame


def test_a_metric_is_drawn_over_the_field_that_was_varied() -> None:
    axes = plots.metric(runs([2.0, 1.0, 5.0]), "energy (s)")
    assert np.asarray(axes.lines[0].get_xydata()) == pytest.approx(np.array([[1.0, 1.1], [2.0, 0.1], [5.0, 2.1]]))
    band = axes.collections[0].get_datalim(axes.transData)
    assert (band.y0, band.y1) == pytest.approx((0.1 - 0.24841, 2.1 + 0.24841), abs=1e-4)  # 4.303 * 0.1 / sqrt(3)
    assert axes.get_xlabel() == "p"
    assert axes.get_ylabel() == "energy (s)"


def test_fields_that_are_no_numbers_are_drawn_side_by_side() -> None:
    axes = plots.metric(runs(["cascade", "rpt"]), "energy (s)")
    assert [t.get_text() for t in axes.get_xticklabels()] == ["cascade", "rpt"]
    axes = plots.metric(runs([(0, 0, 0), (4, 0, 0)]), "energy (s)")
    assert [t.get_text() for t in axes.get_xticklabels()] == ["[0, 0, 0]", "[4, 0, 0]"]
    unvaried = runs([1])
    unvaried.attrs["parameters"] = []
    assert [t.get_text() for t in plots.metric(unvaried, "energy (s)").get_xticklabels()] == ["s"]
    both = pd.concat([runs([1, 2]).assign(q="a"), runs([1, 2]).assign(q="b")], ignore_index=True)
    assert len(plots.metric(both, "energy (s)", x="p", by="q").lines) == 2
    with pytest.raises(ValueError, match=r"did you mean 'energy \(s\)'"):
        plots.metric(both, "energie (s)")


def test_delivery_falls_with_the_distance() -> None:
    scenario = hovering(25, duration=5, radio={"model": "log_distance", "exponent": 3.2})
    scenario["flocks"][0].update(vehicles={"grid": {"count": 25, "spacing": 9, "rows": 1}}, node={"state_rate": 10})
    world = volary.World(scenario)
    with pytest.raises(ValueError, match="stepped first"):
        plots.radio_delivery(world)
    world.run(3)
    axes = plots.radio_delivery({"a": world, "b": world.radio_report()})
    first, second = (np.asarray(line.get_xydata()) for line in axes.lines)
    assert first.tolist() == second.tolist()
    bins = world.radio_report().by_distance
    assert bins[0].start < first[0, 0] < bins[0].end
    assert first[0, 1] == dict(bins[0].outcomes)["delivered"] / bins[0].receivers
    assert first[0, 1] > first[-1, 1]


def test_a_missing_matplotlib_is_named(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install volary\[plot\]"):
        plots.top_view(recording)


def test_pictures_are_written(recording: Recording, tmp_path: Path) -> None:
    plots.trajectories_3d(recording).figure.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 5000
