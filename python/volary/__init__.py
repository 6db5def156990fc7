# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Volary simulates swarms of UAVs, with the same results, bit for bit, on every machine.

>>> import volary
>>> world = volary.World("default")
>>> world.run(5)
>>> world.frame.position
"""

from . import _core, envs
from ._core import Event, InputError, RecordOptions, ScenarioError, Snapshot, available_lanes, home_folder
from .scenario import find_scenario, scenarios
from .views import StaleViewError, View
from .world import LEVELS, Flock, Frame, World

__version__ = _core.version()
__all__ = [
    "LEVELS",
    "Event",
    "Flock",
    "Frame",
    "InputError",
    "RecordOptions",
    "ScenarioError",
    "Snapshot",
    "StaleViewError",
    "View",
    "World",
    "available_lanes",
    "envs",
    "find_scenario",
    "home_folder",
    "scenarios",
]
