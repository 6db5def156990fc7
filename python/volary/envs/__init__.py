# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Environments of Gymnasium and PettingZoo.

>>> import gymnasium
>>> env = gymnasium.make("volary/Hover-v0")
>>> envs = gymnasium.make_vec("volary/Hover-v0", num_envs=4096)     # one batch in one process
>>> formation = volary.envs.formation()                             # PettingZoo, parallel
"""

from __future__ import annotations

from typing import Any

__all__ = ["TASKS", "coverage", "env", "flocking", "formation", "register_all", "search", "vector_env"]

#: Ids of the environments of Gymnasium and the scenarios that they are made of.
TASKS: dict[str, str] = {
    "volary/Hover-v0": "learn_hover",
    "volary/Waypoints-v0": "learn_waypoints",
    "volary/Trajectory-v0": "learn_trajectory",
    "volary/Landing-v0": "learn_landing",
    "volary/Wind-v0": "learn_wind",
    "volary/Gate-v0": "learn_gate",
    "volary/Docking-v0": "learn_docking",
}


def register_all() -> None:
    """Registers the environments with Gymnasium, where it is installed. ``import volary.envs`` does it, and ``import volary`` after ``import gymnasium``."""
    try:
        import gymnasium
    except ImportError:
        return
    for name, scenario in TASKS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="volary.envs.single:Env", vector_entry_point="volary.envs.vector:VectorEnv", kwargs={"scenario": scenario})


def env(scenario: Any, **options: Any) -> Any:
    """One agent in one world, for Gymnasium: any scenario with a section ``learning``."""
    from .single import Env

    return Env(scenario, **options)


def vector_env(scenario: Any, num_envs: int, **options: Any) -> Any:
    """Many worlds with one agent each as one batch, for Gymnasium."""
    from .vector import VectorEnv

    return VectorEnv(scenario, num_envs, **options)


_MULTI = ("formation", "flocking", "coverage", "search")


def __getattr__(name: str) -> Any:
    # PettingZoo is an extra: it is imported where it is used
    if name in _MULTI:
        from . import multi

        return getattr(multi, name)
    raise AttributeError(f"module 'volary.envs' has no attribute '{name}'")


register_all()
