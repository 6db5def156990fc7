# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""One agent in one world, for Gymnasium."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scenario import ScenarioLike
from ..world import World
from .task import Task, gymnasium_or_advice

gymnasium = gymnasium_or_advice()

__all__ = ["Env"]

Array = NDArray[np.float32]
#: reward(observation, action, reward, terminated) -> reward
Reward = Callable[[Array, Array, float, bool], float]


class Env(gymnasium.Env):  # type: ignore[misc, name-defined]
    """A task for one agent. Actions are in [-1, 1]; observations are copies.

    ``scenario`` has a section ``learning`` (docs/learning.md); ``task`` and ``overrides`` change it. ``reward`` replaces the reward of the scenario by a function of
    observation, action, reward and end of the step. ``reset(seed=s)`` begins the first episode of seed ``s``: the world that ``volary run --seed s`` flies.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 30}

    def __init__(self, scenario: ScenarioLike = "learn_hover", *, render_mode: str | None = None, task: Mapping[str, Any] | None = None, reward: Reward | None = None,
                 overrides: Mapping[str, Any] | Sequence[str] | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode: '{render_mode}' is not one of {', '.join(self.metadata['render_modes'])}")
        self.render_mode = render_mode
        self._task = Task(scenario, worlds=1, autoreset="disabled", task=task, overrides=overrides, folder=folder)
        if self._task.episodes.agents != 1:
            raise ValueError(f"the scenario has {self._task.episodes.agents} agents: an environment of Gymnasium has one; use volary.envs.multi.ParallelEnv or VectorEnv")
        self._reward = reward
        self._take_arrays()
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._task.episodes.observation_size,), np.float32)
        scaled = bool(self._task.episodes.action_low)
        limit = 1.0 if scaled else np.inf
        self.action_space = gymnasium.spaces.Box(-limit, limit, (self._task.episodes.action_size,), np.float32)

    def _take_arrays(self) -> None:
        episodes = self._task.episodes
        self._step_one = episodes.step_one
        self._row = episodes.observations[0, 0]
        self._end_name = self._task.end_name

    @property
    def world(self) -> World:
        """The world, to look at."""
        return self._task.world

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        if self._task.reset(seed):
            self._take_arrays()
        if self.render_mode == "human":
            self.render()
        return self._row.copy(), {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        numbers = np.asarray(action, np.float32)
        reward, end, truncated = self._step_one(numbers)
        observation = self._row.copy()
        if self._reward is not None:
            reward = float(self._reward(observation, numbers, reward, end != 0))
        if self.render_mode == "human":
            self.render()
        return observation, reward, end != 0, truncated, {"end": self._end_name(end)} if end else {}

    def render(self) -> NDArray[np.uint8] | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render mode: make the environment with render_mode='human' or 'rgb_array'")
        return self._task.render(self.render_mode)

    def close(self) -> None:
        self._task.close()
