# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Small worlds that tests share."""

from __future__ import annotations

from typing import Any

import pytest

import volary


def hovering(n: int = 3, **more: Any) -> dict[str, Any]:
    """n Crazyflies that hold their places at 1.5 m, a metre apart."""
    return {
        "name": "hovering",
        "duration": 10,
        "flocks": [{"name": "drones", "airframe": "crazyflie", "vehicles": {"grid": {"count": n, "spacing": 1}}, "start": "hold"}],
        **more,
    }


@pytest.fixture
def world() -> volary.World:
    return volary.World(hovering())
