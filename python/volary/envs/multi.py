# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Several agents in one world, for PettingZoo's parallel API."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scenario import ScenarioLike
from ..world import World
from .task import Task, gymnasium_or_advice

gymnasium = gymnasium_or_advice()
try:
    from pettingzoo import ParallelEnv as _ParallelEnv
except ImportError as fault:
    raise ImportError("environments of several agents need PettingZoo: pip install 'volary[multi]'") from fault

__all__ = ["Coverage", "Flocking", "Formation", "ParallelEnv", "Search", "coverage", "flocking", "formation", "search"]

Array = NDArray[np.float32]


class ParallelEnv(_ParallelEnv):  # type: ignore[misc]
    """The agents of a scenario with a section ``learning``, each with the observations and rewards of the scenario.

    A class that derives from it adds what lies between agents: :meth:`begin` when an episode begins, :meth:`relate` for further numbers of the observations and
    :meth:`judge` for the rewards. Each is one function over arrays with a row for every agent.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "name": "volary", "is_parallelizable": True}
    extra = 0  # numbers that relate() adds to the observation of an agent

    def __init__(self, scenario: ScenarioLike, *, render_mode: str | None = None, task: Mapping[str, Any] | None = None, overrides: Mapping[str, Any] | None = None) -> None:
        self.render_mode = render_mode
        self._task = Task(scenario, worlds=1, autoreset="disabled", task=task, overrides=overrides)
        world, episodes = self._task.world, self._task.episodes
        self.possible_agents = [world.name_of(i) for i in world.vehicles(episodes.flock)]
        self.agents: list[str] = []
        self._episode = 0
        size = episodes.observation_size + self.extra
        limit = 1.0 if episodes.action_low else np.inf
        self._observation_spaces = {a: gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32) for a in self.possible_agents}
        self._action_spaces = {a: gymnasium.spaces.Box(-limit, limit, (episodes.action_size,), np.float32) for a in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(-np.inf, np.inf, (size * len(self.possible_agents),), np.float32)
        self.random = np.random.default_rng(0)

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    # ------------------------------------------------------------ what a task adds

    def begin(self) -> None:
        """An episode begins; what is random comes from ``self.random``, which follows from seed and episode."""

    def relate(self) -> Array:
        """Numbers of each agent beside those of the scenario: (agents, extra)."""
        return np.zeros((len(self.possible_agents), self.extra), np.float32)

    def judge(self, rewards: Array) -> Array:
        """The rewards of the step, from those of the scenario: (agents,)."""
        return rewards

    def is_over(self) -> bool:
        """Whether the task is done: the episode of every agent ends."""
        return False

    # ------------------------------------------------------------ what is known of the agents

    @property
    def world(self) -> World:
        """The world, to look at."""
        return self._task.world

    def term(self, name: str) -> Array:
        """A term of the observations of all agents: (agents, numbers)."""
        for term, offset, size, _ in self._task.episodes.terms:
            if term == name:
                rows: Array = self._task.episodes.observations[0, :, offset : offset + size]
                return rows
        raise ValueError(f"the scenario has no observation '{name}'; it has {', '.join(t[0] for t in self._task.episodes.terms)}")

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Agents whose episode has not ended: (agents,)."""
        return np.isin(self.possible_agents, self.agents)

    def _observe(self) -> Array:
        own = self._task.episodes.observations[0]
        return np.concatenate([own, np.asarray(self.relate(), np.float32)], axis=1) if self.extra else own.copy()

    def state(self) -> Array:
        """The observations of all agents, one after the other."""
        return self._observe().reshape(-1)

    # ------------------------------------------------------------ PettingZoo

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Array], dict[str, dict[str, Any]]]:
        self._task.reset(seed)
        self._episode = 0 if seed is not None else self._episode + 1
        self.random = np.random.default_rng([self._task.seed or 0, self._episode])
        self.agents = list(self.possible_agents)
        self.begin()
        seen = self._observe()
        return {a: seen[k] for k, a in enumerate(self.possible_agents)}, {a: {} for a in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Array], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        episodes = self._task.episodes
        for k, agent in enumerate(self.possible_agents):
            if agent in actions:
                episodes.actions[0, k] = actions[agent]
        episodes.step()
        before, ends = self.agents, episodes.terminated[0]
        rewards = self.judge(episodes.rewards[0].copy())
        over, cut = self.is_over(), episodes.truncated[0] != 0
        seen = self._observe()
        index = {a: self.possible_agents.index(a) for a in before}
        observations = {a: seen[k] for a, k in index.items()}
        terminated = {a: bool(ends[k] != 0 or over) for a, k in index.items()}
        truncated = {a: bool(cut[k]) for a, k in index.items()}
        infos: dict[str, dict[str, Any]] = {a: {"end": self._task.end_name(int(ends[k]))} if ends[k] else {} for a, k in index.items()}
        self.agents = [a for a in before if not terminated[a] and not truncated[a]]
        if self.render_mode == "human":
            self.render()
        return observations, {a: float(rewards[k]) for a, k in index.items()}, terminated, truncated, infos

    def render(self) -> NDArray[np.uint8] | None:
        return self._task.render(self.render_mode)

    def close(self) -> None:
        self._task.close()


def _scenario(name: str, n: int, *, level: str, spacing: float, time_limit: float, ticks: int, action: Mapping[str, Any], ends: list[dict[str, Any]]) -> dict[str, Any]:
    """n Crazyflies side by side at 2 m, which observe where they are and how they move."""
    return {
        "name": name,
        "duration": time_limit,
        "flocks": [{
            "name": "agents",
            "airframe": "crazyflie",
            "controller": {"level": "trajectory"},
            "vehicles": {"grid": {"count": n, "spacing": spacing, "origin": [0, 0, 2]}},
            "mission": {"hold": {"height": 0}},
            "start": "hold",
            "node": {"contact": {"policy": "crash"}},
        }],
        "learning": {
            "flock": "agents",
            "action": {"level": level, **action},
            "observations": ["position", "velocity", "rotation", "angular_velocity"],
            "ends": [{"term": "crashed", "reward": -10}, {"term": "on_ground", "reward": -10}, {"term": "diverged", "reward": -10}, *ends],
            "time_limit": time_limit,
            "ticks": ticks,
        },
    }


@functools.cache
def _slots(n: int, distance: float, angle: float) -> NDArray[np.float64]:
    """Places of a V formation, forward and left of its leader, which is the first (SIGMA eq. 16, with id / 2 rounded up: rounded down, the first follower would be on
    the leader)."""
    rank = (np.arange(n) + 1) // 2
    right = np.where(np.arange(n) % 2 == 1, 1.0, -1.0) * rank * distance * np.cos(angle)
    return np.stack([-rank * distance * np.sin(angle), -right, np.zeros(n)], axis=1)


def _nearest(position: Array, velocity: Array, k: int, alive: NDArray[np.bool_]) -> Array:
    """Relative positions and velocities of the k nearest other agents, (agents, 6 k); zeros where there are fewer."""
    n = len(position)
    way = position[None] - position[:, None]
    distance = np.linalg.norm(way, axis=2)
    distance[np.arange(n), np.arange(n)] = np.inf
    distance[:, ~alive] = np.inf
    out = np.zeros((n, k, 6), np.float32)
    order = np.argsort(distance, axis=1, kind="stable")[:, :k]
    for place in range(order.shape[1]):
        other = order[:, place]
        known = np.isfinite(distance[np.arange(n), other])
        out[known, place, :3] = way[np.arange(n), other][known]
        out[known, place, 3:] = (velocity[other] - velocity)[known]
    return out.reshape(n, -1)


def _too_near(position: Array, distance: float, alive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How many others are nearer than a distance, by agent."""
    way = np.linalg.norm(position[None] - position[:, None], axis=2)
    near = (way < distance) & alive[None] & alive[:, None]
    others: NDArray[np.float64] = near.sum(axis=1) - np.diag(near)
    return others


class Formation(ParallelEnv):
    """A V formation about a leader that is drawn in each episode, from fixed starts, with thrust and attitude as actions (the learning task of SIGMA).

    The leader follows a point that moves north at ``speed``; every other agent keeps its place behind the leader. An agent observes its own state, whether it leads, the
    vector to its place, the velocity of what it follows, and its nearest neighbours. Its reward is 1 at its place and falls with the distance.
    """

    neighbours = 2
    extra = 1 + 3 + 3 + 6 * neighbours

    def __init__(self, n: int = 5, *, distance: float = 1.5, angle: float = 0.8, speed: float = 0.5, time_limit: float = 20, **options: Any) -> None:
        if n < 2:
            raise ValueError(f"formation: {n} agents: a formation has at least 2")
        self._speed, self._offsets = speed, _slots(n, distance, angle)
        far = [{"term": "above", "limit": 20, "reward": -10}, {"term": "tilted", "limit": 1.3, "reward": -10}]
        super().__init__(_scenario("formation", n, level="attitude", spacing=1.5, time_limit=time_limit, ticks=2, action={}, ends=far), **options)

    def begin(self) -> None:
        self.leader = int(self.random.integers(len(self.possible_agents)))
        self._start = self.term("position")[self.leader].astype(np.float64)
        others = [k for k in range(len(self.possible_agents)) if k != self.leader]
        self._slot_of = np.zeros(len(self.possible_agents), np.int64)
        self._slot_of[others] = np.arange(1, len(others) + 1)

    def _ways(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """From each agent to its place, and the velocity of the place."""
        position, velocity = self.term("position").astype(np.float64), self.term("velocity").astype(np.float64)
        seconds = self._task.episodes.steps[0] * self._task.episodes.ticks * self.world.tick_length
        goal = self._start + np.array([0, self._speed * seconds, 0])
        # the formation faces north: forward is north and left is west
        offset = self._offsets[self._slot_of]
        place = position[self.leader] + np.stack([-offset[:, 1], offset[:, 0], offset[:, 2]], axis=1)
        place[self.leader] = goal
        follows = np.tile(velocity[self.leader], (len(position), 1))
        follows[self.leader] = [0, self._speed, 0]
        return place - position, follows

    def relate(self) -> Array:
        way, follows = self._ways()
        position, velocity = self.term("position"), self.term("velocity")
        leads = (np.arange(len(position)) == self.leader)[:, None]
        return np.concatenate([leads, way, follows - velocity, _nearest(position, velocity, self.neighbours, self.alive)], axis=1).astype(np.float32)

    def judge(self, rewards: Array) -> Array:
        way, _ = self._ways()
        judged: Array = (rewards + 1 / (1 + np.square(way).sum(axis=1)) - _too_near(self.term("position"), 0.3, self.alive)).astype(np.float32)
        return judged


class Flocking(ParallelEnv):
    """Agents that stay together, keep apart and fly the same way, each knowing its nearest neighbours; actions are velocities."""

    neighbours = 4
    extra = 6 * neighbours

    def __init__(self, n: int = 10, *, spacing: float = 1.5, apart: float = 1.0, speed: float = 1.0, time_limit: float = 20, **options: Any) -> None:
        self._apart, self._speed = apart, speed
        reach = {"low": [-2, -2, -1, -0.1], "high": [2, 2, 1, 0.1]}
        super().__init__(_scenario("flocking", n, level="velocity", spacing=spacing, time_limit=time_limit, ticks=10, action=reach, ends=[]), **options)

    def relate(self) -> Array:
        return _nearest(self.term("position"), self.term("velocity"), self.neighbours, self.alive)

    def judge(self, rewards: Array) -> Array:
        position, velocity, alive = self.term("position"), self.term("velocity"), self.alive
        middle, mean = position[alive].mean(axis=0), velocity[alive].mean(axis=0)
        cohesion = np.linalg.norm(position - middle, axis=1)
        alignment = np.linalg.norm(velocity - mean, axis=1)
        pace = abs(float(np.linalg.norm(mean[:2])) - self._speed)
        judged: Array = (rewards + 1 - 0.05 * cohesion - 0.5 * alignment - 0.5 * pace - _too_near(position, self._apart, alive)).astype(np.float32)
        return judged


class Coverage(ParallelEnv):
    """As many landmarks as agents: each landmark should have an agent near it. All share the reward; actions are velocities."""

    neighbours = 2

    def __init__(self, n: int = 3, *, size: float = 4, time_limit: float = 15, **options: Any) -> None:
        self._size, self.extra = size, 3 * n + 6 * self.neighbours
        reach = {"low": [-2, -2, -1, -0.1], "high": [2, 2, 1, 0.1]}
        super().__init__(_scenario("coverage", n, level="velocity", spacing=1, time_limit=time_limit, ticks=10, action=reach, ends=[]), **options)

    def begin(self) -> None:
        n = len(self.possible_agents)
        self.landmarks = np.concatenate([self.random.uniform(-self._size, self._size, (n, 2)), np.full((n, 1), 2.0)], axis=1)

    def relate(self) -> Array:
        position = self.term("position")
        ways = (self.landmarks[None] - position[:, None]).reshape(len(position), -1)
        return np.concatenate([ways, _nearest(position, self.term("velocity"), self.neighbours, self.alive)], axis=1).astype(np.float32)

    def judge(self, rewards: Array) -> Array:
        position, alive = self.term("position"), self.alive
        distance = np.linalg.norm(self.landmarks[:, None] - position[alive][None], axis=2).min(axis=1) if alive.any() else np.full(len(self.landmarks), self._size)
        judged: Array = (rewards - distance.mean() - _too_near(position, 0.4, alive)).astype(np.float32)
        return judged


class Search(ParallelEnv):
    """Hidden targets on a square: an agent that comes within ``reach`` finds one. Cells that nobody has visited are worth a little. Actions are velocities.

    An agent observes its own state, which of the eight cells around it and its own nobody has visited, the share of targets that were found, and its nearest neighbours.
    """

    neighbours = 2
    extra = 9 + 1 + 6 * neighbours

    def __init__(self, n: int = 4, *, targets: int = 5, size: float = 20, cell: float = 2, reach: float = 1.0, time_limit: float = 60, **options: Any) -> None:
        if not 0 < cell <= size:
            raise ValueError(f"search: cells of {cell} m do not fit a square of {size} m")
        self._size, self._cell, self._reach, self._n_targets, self._cells = size, cell, reach, targets, int(np.ceil(size / cell))
        speeds = {"low": [-3, -3, -1, -0.1], "high": [3, 3, 1, 0.1]}
        super().__init__(_scenario("search", n, level="velocity", spacing=1.5, time_limit=time_limit, ticks=10, action=speeds, ends=[]), **options)

    def begin(self) -> None:
        self.targets = self.random.uniform(-self._size / 2, self._size / 2, (self._n_targets, 2))
        self.found = np.zeros(self._n_targets, bool)
        self.visited = np.zeros((self._cells, self._cells), bool)
        self._visit()

    def _cell_of(self) -> NDArray[np.int64]:
        cells: NDArray[np.int64] = np.floor((self.term("position")[:, :2] + self._size / 2) / self._cell).astype(np.int64)
        return cells

    def _visit(self) -> NDArray[np.float64]:
        """Marks the cells of the agents; 1 for each agent that is the first in its cell."""
        new = np.zeros(len(self.possible_agents))
        for k, (x, y) in enumerate(self._cell_of()):
            if self.alive[k] and 0 <= x < self._cells and 0 <= y < self._cells and not self.visited[x, y]:
                self.visited[x, y], new[k] = True, 1
        return new

    def relate(self) -> Array:
        around = np.pad(~self.visited, 1, constant_values=False)
        open_cells = np.zeros((len(self.possible_agents), 9), np.float32)
        for k, (x, y) in enumerate(self._cell_of()):
            if 0 <= x < self._cells and 0 <= y < self._cells:
                open_cells[k] = around[x : x + 3, y : y + 3].reshape(-1)
        share = np.full((len(open_cells), 1), self.found.mean(), np.float32)
        return np.concatenate([open_cells, share, _nearest(self.term("position"), self.term("velocity"), self.neighbours, self.alive)], axis=1)

    def judge(self, rewards: Array) -> Array:
        near = np.linalg.norm(self.targets[None] - self.term("position")[:, None, :2], axis=2) < self._reach
        new = near & ~self.found[None] & self.alive[:, None]
        self.found |= new.any(axis=0)
        judged: Array = (rewards + 10 * new.sum(axis=1) + 0.1 * self._visit() - 0.01).astype(np.float32)
        return judged

    def is_over(self) -> bool:
        return bool(self.found.all())


def formation(**options: Any) -> Formation:
    """A V formation about a random leader; options of :class:`Formation`."""
    return Formation(**options)


def flocking(**options: Any) -> Flocking:
    """Cohesion, separation and alignment; options of :class:`Flocking`."""
    return Flocking(**options)


def coverage(**options: Any) -> Coverage:
    """Landmarks that agents share out among themselves; options of :class:`Coverage`."""
    return Coverage(**options)


def search(**options: Any) -> Search:
    """Hidden targets; options of :class:`Search`."""
    return Search(**options)
