# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""What every environment is made of: a scenario with a section ``learning``, as episodes of one batch of worlds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..page import Page
from ..scenario import ScenarioLike, overrides_of
from ..world import World

__all__ = ["Task", "gymnasium_or_advice"]


def gymnasium_or_advice() -> Any:
    """The module gymnasium, or an error that says how to get it."""
    try:
        import gymnasium
    except ImportError as fault:
        raise ImportError("environments need Gymnasium: pip install 'volary[gym]'") from fault
    return gymnasium


class Task:
    """Episodes of a scenario, made anew when another seed is asked for. ``task`` replaces fields of the section ``learning``: ``{"time_limit": 5}``."""

    def __init__(self, scenario: ScenarioLike, *, worlds: int, autoreset: str, threads: int = 1, task: Mapping[str, Any] | None = None,
                 overrides: Mapping[str, Any] | Sequence[str] | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        changes = overrides_of(overrides) + overrides_of({f"learning.{path}": value for path, value in (task or {}).items()})

        def make(seed: int | None) -> World:
            return World(scenario, worlds=worlds, seed=seed, threads=threads, overrides=changes, folder=folder)

        self._make_world = make
        self._autoreset = autoreset
        self.seed: int | None = None
        self._page: Page | None = None
        self._begin(None)

    def _begin(self, seed: int | None) -> None:
        self.close()
        self.world = self._make_world(seed)
        self.episodes = _core.Episodes(self.world, self._autoreset)
        self.seed = self.world.seed

    def reset(self, seed: int | None, mask: np.ndarray | None = None) -> bool:
        """Begins the next episodes; with a seed, the first episodes of that seed. True: the arrays are new ones."""
        if seed is not None and seed != self.seed:
            self._begin(seed)
            return True
        episodes = np.zeros(self.episodes.worlds, np.uint32) if seed is not None else None
        self.episodes.reset(None if mask is None else np.ascontiguousarray(mask).astype(np.uint8), episodes)
        return False

    def render(self, mode: str | None) -> NDArray[np.uint8] | None:
        """Shows the world on its page, which is opened at the first call; with ``"rgb_array"``, returns a picture of it."""
        if mode is None:
            return None
        if self._page is None:
            self._page = self.world.watch(open_browser=mode == "human")
        self._page.update()
        return self._page.screenshot() if mode == "rgb_array" else None

    def close(self) -> None:
        """Closes the page, if there is one."""
        page, self._page = self._page, None
        if page is not None:
            page.close()

    def end_name(self, number: int) -> str:
        """What ended an episode: a condition of the scenario, or ``"vehicle_gone"``."""
        ends = self.episodes.ends
        return ends[number - 1] if 0 < number <= len(ends) else "vehicle_gone"
