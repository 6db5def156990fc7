# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Thousands of worlds as one batch in one process, for Gymnasium."""

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
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

__all__ = ["VectorEnv"]

Array = NDArray[np.float32]
#: reward(observations, actions, rewards, terminated) -> rewards, each with a row for every world
Reward = Callable[[Array, Array, Array, NDArray[np.bool_]], Array]

_MODES = {AutoresetMode.NEXT_STEP: "next_step", AutoresetMode.SAME_STEP: "same_step", AutoresetMode.DISABLED: "disabled"}


class VectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc, name-defined]
    """A batch of worlds with one agent each.

    ``autoreset_mode`` is that of Gymnasium; ``metadata["autoreset_mode"]`` states it. With SAME_STEP, ``infos["final_obs"]`` has the last observations of the episodes
    that ended, and ``infos["_final_obs"]`` says which. ``infos["episode"]`` has return and length of each finished episode, where ``infos["_episode"]`` says so.
    With ``copy=False``, step() and reset() return the buffers themselves, which the next step overwrites. ``reward`` is one function over arrays.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, scenario: ScenarioLike = "learn_hover", num_envs: int = 1, *, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, threads: int = 1,
                 copy: bool = True, render_mode: str | None = None, task: Mapping[str, Any] | None = None, reward: Reward | None = None,
                 overrides: Mapping[str, Any] | Sequence[str] | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        try:
            mode = autoreset_mode if isinstance(autoreset_mode, AutoresetMode) else AutoresetMode[str(autoreset_mode).upper()]
        except KeyError:
            raise ValueError(f"autoreset_mode: '{autoreset_mode}' is not one of {', '.join(m.name for m in AutoresetMode)}") from None
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise ValueError(f"num_envs: {num_envs!r} is not a number of worlds from 1 on")
        self.num_envs, self.render_mode, self._copy, self._reward = int(num_envs), render_mode, copy, reward
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._mode = mode
        self._task = Task(scenario, worlds=self.num_envs, autoreset=_MODES[mode], threads=threads, task=task, overrides=overrides, folder=folder)
        episodes = self._task.episodes
        if episodes.agents != 1:
            raise ValueError(f"the scenario has {episodes.agents} agents in a world: a VectorEnv has one; use volary.envs.multi.ParallelEnv")
        limit = 1.0 if episodes.action_low else np.inf
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (episodes.observation_size,), np.float32)
        self.single_action_space = gymnasium.spaces.Box(-limit, limit, (episodes.action_size,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._take_arrays()

    def _take_arrays(self) -> None:
        e = self._task.episodes
        self._actions, self._observations, self._final = e.actions[:, 0], e.observations[:, 0], e.final_observations[:, 0]
        self._rewards, self._ends, self._truncated = e.rewards[:, 0], e.terminated[:, 0], e.truncated[:, 0].view(np.bool_)
        self._finished = e.finished.view(np.bool_)
        self._returns, self._lengths = e.episode_return[:, 0], e.episode_length[:, 0]

    @property
    def world(self) -> World:
        """The batch of worlds, to look at."""
        return self._task.world

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins new episodes. A seed is for all worlds: each draws by its number in the batch. ``options={"reset_mask": mask}`` chooses worlds."""
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise ValueError("reset: give one seed: the worlds of a batch draw by their number in it, so their episodes differ")
        mask = None if options is None else options.get("reset_mask")
        if mask is not None and (seed is not None or np.shape(mask) != (self.num_envs,)):
            raise ValueError(f"reset: 'reset_mask' has one boolean for each of the {self.num_envs} worlds, and no seed goes with it")
        if seed is not None:
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(int(seed))
        if self._task.reset(None if seed is None else int(seed), None if mask is None else np.asarray(mask, np.bool_)):
            self._take_arrays()
        return self._given(self._observations), {}

    def step(self, actions: Any) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        np.copyto(self._actions, actions)
        self._task.episodes.step()
        terminated = self._ends != 0
        rewards = self._given(self._rewards)
        if self._reward is not None:
            seen = self._observations
            if self._mode == AutoresetMode.SAME_STEP and self._finished.any():
                seen = np.where(self._finished[:, None], self._final, seen)
            rewards = self._reward(seen, self._actions, rewards, terminated)
        infos: dict[str, Any] = {}
        if self._finished.any():
            done = self._finished.copy()
            infos["episode"], infos["_episode"] = {"r": self._returns.copy(), "l": self._lengths.copy()}, done
            infos["end"], infos["_end"] = self._ends.copy(), terminated & done
            if self._mode == AutoresetMode.SAME_STEP:
                infos["final_obs"], infos["_final_obs"] = self._final.copy(), done
        return self._given(self._observations), rewards, terminated, self._given(self._truncated), infos

    @property
    def end_names(self) -> list[str]:
        """Names of the conditions that end an episode: ``infos["end"]`` has their numbers, from 1."""
        return list(self._task.episodes.ends)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        picture = self._task.render(self.render_mode)
        return None if picture is None else (picture,)

    def close_extras(self, **arguments: Any) -> None:
        self._task.close()
