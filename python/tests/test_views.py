# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import hovering

import volary


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_a_view_is_no_copy_and_shows_every_tick(world: volary.World) -> None:
    position = world.frame.position
    assert position.shape == (3, 3) and position.dtype == np.float64
    before = np.array(position)
    world.set("velocity", [1, 0, 0])
    world.step(50)
    assert address(world.frame.position) == address(position)
    assert position[0, 0] > before[0, 0] + 0.1
    assert address(world.flock().position) == address(position)


def test_what_is_computed_from_a_view_is_an_ordinary_array(world: volary.World) -> None:
    position = world.frame.position
    for made in (position + 1, position.mean(axis=0), np.linalg.norm(position, axis=1), position.copy(), np.concatenate([position, position])):
        assert type(made) is not volary.View
    assert isinstance(position[0], volary.View)


def test_a_view_cannot_be_written(world: volary.World) -> None:
    position = world.frame.position
    with pytest.raises(ValueError, match="read-only"):
        position[0] = 0
    with pytest.raises(ValueError, match="read-only|output array is read-only|assignment destination"):
        np.asarray(position)[0] = 0


@pytest.mark.parametrize("use", [
    lambda v: v[0], lambda v: v + 1, lambda v: v.sum(), lambda v: v.copy(), lambda v: v.tolist(), lambda v: np.linalg.norm(v), lambda v: list(v), lambda v: str(v),
    lambda v: np.concatenate([v, v]), lambda v: v.mean(axis=0), lambda v: v.reshape(-1), lambda v: pickle.dumps(v), lambda v: v.astype(np.float32), lambda v: v.max(),
    lambda v: v @ np.ones(v.shape[-1]), lambda v: np.where(v > 0, v, 0), lambda v: v == v, lambda v: v.ravel(),
])
def test_a_view_kept_over_growth_raises(use: object) -> None:
    world = volary.World(hovering(2))
    kept, part = world.frame.position, world.frame.position[1:]
    world.spawn([3, 3, 2])
    world.step()
    assert kept.is_stale and part.is_stale
    assert "stale" in repr(kept)
    for view in (kept, part):
        with pytest.raises(volary.StaleViewError, match="take it again"):
            use(view)  # type: ignore[operator]
    use(world.frame.position)  # type: ignore[operator]


def test_memory_of_a_stale_view_is_still_there() -> None:
    world = volary.World(hovering(2))
    plain = np.asarray(world.frame.position)
    then = plain.copy()
    for _ in range(200):
        world.spawn([3, 3, 2])
    world.step(3)
    assert np.isfinite(plain).all() and plain.shape == then.shape
    assert len(world.frame) == 202


def test_a_removed_vehicle_makes_views_stale_too(world: volary.World) -> None:
    kept = world.frame.velocity
    world.remove(world.vehicles()[1])
    world.step()
    with pytest.raises(volary.StaleViewError):
        kept[0]
    assert len(world.frame.position) == 2


def test_raw_columns_are_blocks_of_sixteen(world: volary.World) -> None:
    raw = world.flock().column("velocity")
    assert raw.shape[1] == 16 and raw.shape[2] >= 3
    world.step(10)
    assert np.allclose(raw[0, :3, :3], world.frame.velocity, atol=1e-6)
    assert address(world.flock().column("velocity")) == address(raw)
    assert np.allclose(world.flock().values("velocity")[:, :3], world.frame.velocity)


def test_views_show_resets_and_snapshots() -> None:
    world = volary.World(hovering(2, environment={"wind": [4, 0, 0]}), worlds=3)
    position, start = world.frame.position, world.snapshot()
    first = np.array(position)
    world.step(100)
    moved = np.array(position)
    assert not np.allclose(moved, first, atol=1e-3)
    world.reset([True, False, False])
    assert np.array_equal(position[:2], first[:2]) and np.array_equal(position[2:], moved[2:])
    world.restore(start)
    assert np.array_equal(position, first)


def test_a_view_outlives_its_world() -> None:
    world = volary.World(hovering(2))
    position = world.frame.position
    copy = np.array(position)
    del world
    assert np.array_equal(position, copy)
