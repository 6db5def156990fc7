# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

import volary

pytest.importorskip("pettingzoo")
import volary.envs.multi  # noqa: E402
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

MAKERS = {"formation": volary.envs.formation, "flocking": volary.envs.flocking, "coverage": volary.envs.coverage, "search": volary.envs.search}


@pytest.mark.parametrize("name", list(MAKERS))
def test_pettingzoo_accepts_the_environment(name: str) -> None:
    parallel_api_test(MAKERS[name](), num_cycles=200)


@pytest.mark.parametrize("name", list(MAKERS))
def test_the_same_seed_gives_the_same_episode(name: str) -> None:
    parallel_seed_test(MAKERS[name], num_cycles=60)


def test_pettingzoo_accepts_vehicles_that_dock() -> None:
    env = volary.envs.multi.ParallelEnv("learn_docking", task={"time_limit": 0.4})
    assert env.possible_agents == ["agent[0]"]
    parallel_api_test(env, num_cycles=200)


def test_the_leader_of_a_formation_is_drawn_in_each_episode() -> None:
    env = volary.envs.formation(n=5)
    leaders = set()
    for seed in range(30):
        env.reset(seed=seed)
        leaders.add(env.leader)
        starts = env.term("position").copy()
    assert leaders == set(range(5))
    env.reset(seed=99)
    assert np.array_equal(env.term("position"), starts), "starts are fixed"


def test_an_agent_in_its_place_is_worth_most() -> None:
    env = volary.envs.formation(n=3)
    env.reset(seed=1)
    way, _ = env._ways()
    rewards = env.judge(np.zeros(3, np.float32))
    assert np.argmin(np.linalg.norm(way, axis=1)) == np.argmax(rewards)


def test_agents_steer_to_their_landmarks() -> None:
    env = volary.envs.coverage(n=3)
    env.reset(seed=4)
    first = last = 0.0
    for step in range(80):
        way = env.landmarks - env.term("position")
        actions = {a: np.concatenate([np.clip(0.4 * way[k], -1, 1), [0]]).astype(np.float32) for k, a in enumerate(env.possible_agents)}
        _, rewards, *_ = env.step(actions)
        last = rewards[env.possible_agents[0]]
        first = last if step == 0 else first
    assert last > -0.3 > first


def test_targets_are_found_once() -> None:
    env = volary.envs.search(n=1, targets=1, size=10)
    env.reset(seed=1)
    goal = np.array([*env.targets[0], 2.0])
    for _ in range(100):
        way = goal - env.term("position")
        actions = {a: np.concatenate([np.clip(0.3 * way[k], -1, 1), [0]]).astype(np.float32) for k, a in enumerate(env.possible_agents)}
        _, rewards, terminated, _, _ = env.step(actions)
        if not env.agents:
            break
    assert env.found.all() and all(terminated.values()) and max(rewards.values()) > 9
