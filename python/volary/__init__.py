# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Volary simulates swarms of UAVs, with the same results, bit for bit, on every machine.

>>> import volary
>>> world = volary.World("default")
>>> world.run(5)
>>> world.frame.position
"""

import importlib
import sys
from typing import Any

from . import _core
from ._core import Event, InputError, RecordOptions, ScenarioError, Snapshot, available_lanes, home_folder
from .batch import batch, summarise
from .page import Page
from .recording import Metric, Recording, Table, open
from .scenario import find_scenario, scenarios
from .views import StaleViewError, View
from .world import LEVELS, Flock, Frame, World

# who has imported Gymnasium finds the environments there
if "gymnasium" in sys.modules:
    importlib.import_module(".envs", __name__)

__version__ = _core.version()
__all__ = [
    "LEVELS",
    "Event",
    "Flock",
    "Frame",
    "InputError",
    "Metric",
    "Page",
    "RecordOptions",
    "Recording",
    "ScenarioError",
    "Snapshot",
    "StaleViewError",
    "Table",
    "View",
    "World",
    "available_lanes",
    "batch",
    "build",
    "envs",
    "find_scenario",
    "home_folder",
    "plots",
    "scenarios",
    "summarise",
]


def __getattr__(name: str) -> Any:
    # large, or only for some: loaded when they are first used
    if name in ("build", "envs", "plots"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'volary' has no attribute '{name}'")
