# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import volary

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from volary.envs import TASKS  # noqa: E402


@pytest.mark.parametrize("name", list(TASKS))
def test_gymnasium_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that observations are not bounded
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", list(TASKS))
def test_an_episode_ends(name: str) -> None:
    env = gymnasium.make(name)
    env.reset(seed=3)
    env.action_space.seed(3)
    for _ in range(5000):
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert np.isfinite(reward)
        if terminated or truncated:
            break
    assert terminated or truncated
    assert not terminated or info["end"] in env.unwrapped._task.episodes.ends


def flown(env: Any, seed: int, steps: int = 60) -> list[np.ndarray]:
    seen = [env.reset(seed=seed)[0]]
    actions = np.random.default_rng(seed).uniform(-0.2, 0.2, (steps, *env.action_space.shape)).astype(np.float32)
    for action in actions:
        seen.append(np.array(env.step(action)[0]))
    return seen


@pytest.mark.parametrize("name", list(TASKS))
def test_the_same_seed_gives_the_same_episode(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    a, b, other, again = flown(env, 7), flown(gymnasium.make(name).unwrapped, 7), flown(env, 8), flown(env, 7)
    assert all(np.array_equal(x, y) for x, y in zip(a, b))
    assert all(np.array_equal(x, y) for x, y in zip(a, again))
    assert any(not np.array_equal(x, y) for x, y in zip(a, other))


@pytest.mark.parametrize("name", list(TASKS))
def test_a_seed_is_that_of_the_command_line(name: str) -> None:
    env = gymnasium.make(name).unwrapped
    env.reset(seed=11)
    for _ in range(25):
        env.step(np.full(env.action_space.shape, np.nan, np.float32))  # leaves the agent as it is
    ticks = 25 * env._task.episodes.ticks
    alone = volary.World(TASKS[name], seed=11)
    alone.step(ticks)
    assert env.world.hash_of_world(0) == alone.hash_of_world(0)
    command = [sys.executable, "-m", "volary", "run", TASKS[name], "--seed", "11", "--duration", str(ticks * alone.tick_length), "--headless", "--no-record", "--quiet", "--hash"]
    assert f"{alone.hash():016x}" == subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_world_3777_of_a_batch_is_the_world_alone(threads: int) -> None:
    env = gymnasium.make_vec("volary/Wind-v0", num_envs=4096, vectorization_mode="vector_entry_point", threads=threads)
    env.reset(seed=5)
    for _ in range(20):
        env.step(np.full((4096, 4), np.nan, np.float32))
    alone = volary.World("learn_wind", seed=5, overrides={"worlds": 1, "first_world": 3777})
    alone.step(20 * env._task.episodes.ticks)
    assert env.world.hash_of_world(3777) == alone.hash_of_world(0)


def test_a_pair_that_docks_is_the_same_in_a_batch_and_alone() -> None:
    n, world = 20, 17
    env = gymnasium.make_vec("volary/Docking-v0", num_envs=n, vectorization_mode="vector_entry_point", threads=2)
    seen, _ = env.reset(seed=5)
    starts = seen[:, :3].copy()
    assert len(np.unique(starts, axis=0)) == n
    north = np.tile(np.array([0, 0.2, 0, 0], np.float32), (n, 1))
    for _ in range(100):
        seen, *_ = env.step(north)
    alone = volary.envs.env("learn_docking", overrides={"worlds": 1, "first_world": world})
    mine, _ = alone.reset(seed=5)
    assert np.array_equal(mine[:3], starts[world])
    for _ in range(100):
        mine, *_ = alone.step(north[0])
    assert np.array_equal(mine, seen[world])
    assert env.unwrapped.world.hash_of_world(world) == alone.world.hash_of_world(0)


def test_a_batch_flies_as_single_environments_do() -> None:
    n, steps = 9, 300
    batch = volary.envs.vector_env("learn_hover", n, autoreset_mode="SAME_STEP")
    seen = batch.reset(seed=2)[0]
    actions = np.random.default_rng(1).uniform(-0.4, 0.4, (steps, n, 4)).astype(np.float32)
    for k in range(n):
        single = volary.envs.env("learn_hover", overrides={"worlds": 1, "first_world": k})
        mine, episode = [single.reset(seed=2)[0]], 0
        assert np.array_equal(mine[0], seen[k])
    total = np.zeros(n)
    for t in range(steps):
        seen, rewards, terminated, truncated, infos = batch.step(actions[t])
        total += rewards
        done = terminated | truncated
        assert np.array_equal(done, infos.get("_final_obs", np.zeros(n, bool)))
        for k in np.flatnonzero(done):
            assert infos["episode"]["r"][k] == pytest.approx(total[k], rel=1e-4, abs=1e-3)
            assert infos["episode"]["l"][k] > 0
        total[done] = 0
    assert seen.flags.owndata


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_modes_are_those_of_gymnasium(mode: AutoresetMode) -> None:
    n = 4
    env = volary.envs.vector_env("learn_hover", n, autoreset_mode=mode, task={"time_limit": 0.1})
    assert env.metadata["autoreset_mode"] == mode
    first, _ = env.reset(seed=1)
    limit = env._task.episodes.step_limit
    for _ in range(limit):
        seen, _, _, truncated, infos = env.step(np.zeros((n, 4), np.float32))
    assert truncated.all()
    if mode == AutoresetMode.SAME_STEP:
        assert infos["_final_obs"].all() and not np.array_equal(infos["final_obs"], seen)
    after, rewards, _, truncated, _ = (env.step(np.zeros((n, 4), np.float32)))
    if mode == AutoresetMode.NEXT_STEP:
        assert (rewards == 0).all() and not truncated.any()
    if mode == AutoresetMode.DISABLED:
        seen, _ = env.reset(options={"reset_mask": np.array([True, False, True, False])})
        assert list(env._task.episodes.steps) == [0, limit, 0, limit] or env._task.episodes.steps[0] == 0


def test_buffers_can_be_given_out_without_a_copy() -> None:
    env = volary.envs.vector_env("learn_hover", 16, copy=False)
    a, _ = env.reset(seed=1)
    b = env.step(np.zeros((16, 4), np.float32))[0]
    assert a.__array_interface__["data"] == b.__array_interface__["data"]
    for array in (env._task.episodes.observations, env._task.episodes.actions, env._task.episodes.rewards):
        assert array.__array_interface__["data"][0] % 64 == 0 and array.flags.c_contiguous
    assert np.shares_memory(np.from_dlpack(env._task.episodes.observations), env._task.episodes.observations)


def test_a_reward_of_ones_own_is_one_function_over_arrays() -> None:
    def speed(observations: np.ndarray, actions: np.ndarray, rewards: np.ndarray, terminated: np.ndarray) -> np.ndarray:
        assert observations.shape[0] == actions.shape[0] == rewards.shape[0] == 8
        return -np.linalg.norm(observations, axis=1)

    env = volary.envs.vector_env("learn_hover", 8, reward=speed)
    env.reset(seed=1)
    seen, rewards, *_ = env.step(np.zeros((8, 4), np.float32))
    assert np.allclose(rewards, -np.linalg.norm(seen, axis=1))


def test_a_task_can_be_declared_in_python() -> None:
    env = volary.envs.env("learn_hover", task={"observations": ["to_goal", "velocity"], "rewards": [{"term": "goal_distance", "weight": -1}], "ends": []})
    seen, _ = env.reset(seed=1)
    assert seen.shape == (6,)
    seen, reward, *_ = env.step(np.zeros(4, np.float32))
    assert reward == pytest.approx(-np.linalg.norm(seen[:3]), rel=1e-5)


@pytest.mark.parametrize("make, kind, words", [
    (lambda: volary.envs.env("default"), volary.ScenarioError, "learning"),
    (lambda: volary.envs.env("learn_hovr"), volary.ScenarioError, "learn_hover"),
    (lambda: volary.envs.env("learn_hover", render_mode="ascii"), ValueError, "rgb_array"),
    (lambda: volary.envs.env("learn_hover", task={"observations": ["to_gaol"]}), volary.ScenarioError, "to_goal"),
    (lambda: volary.envs.env("learn_hover", task={"rewards": [{"term": "speeed"}]}), volary.ScenarioError, "speed"),
    (lambda: volary.envs.vector_env("learn_hover", 0), ValueError, "num_envs"),
    (lambda: volary.envs.vector_env("learn_hover", 4, autoreset_mode="sometimes"), ValueError, "SAME_STEP"),
    (lambda: volary.envs.vector_env("learn_hover", 4).reset(seed=[1, 2, 3, 4]), ValueError, "one seed"),
    (lambda: volary.envs.vector_env("learn_hover", 4).reset(options={"reset_mask": [True]}), ValueError, "4 worlds"),
    (lambda: volary.envs.env("learn_hover").step(np.zeros(3, np.float32)), ValueError, "numbers"),
    (lambda: volary.envs.env("learn_hover").world.step(), RuntimeError, "environment"),
])
def test_misuse_says_what_to_do(make: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        make()
