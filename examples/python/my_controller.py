# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""A controller of your own: one function steers a whole flock along a ring, by velocities. The flight is recorded, and flown again without the function.

    python my_controller.py [RECORDING.vrec]
"""

import os
import sys

import numpy as np

import volary

RADIUS, SPEED, DISTANCE = 4.0, 1.0, 1.0  # of the ring (m), along it (m/s), to neighbours (m)
path = sys.argv[1] if len(sys.argv) > 1 else "my_controller.vrec"
if os.path.exists(path):
    sys.exit(f"{path}: the file exists and is not overwritten; give another name")
world = volary.World({"name": "a ring", "seed": 1, "environment": {"gust_sigma": 0.3}, "flocks": [
    {"name": "cf", "airframe": "crazyflie", "vehicles": {"grid": {"count": 16, "spacing": 1, "origin": [0, 0, 2]}}, "start": "hold"}]})


@world.controller("velocity")
def ring(flock):
    position = np.array(flock.position)
    outward = position[:, :2] / np.maximum(np.linalg.norm(position[:, :2], axis=1, keepdims=True), 1e-6)
    velocity = np.zeros_like(position)
    velocity[:, :2] = SPEED * outward[:, ::-1] * [-1, 1] + 0.8 * (RADIUS * outward - position[:, :2])
    velocity[:, 2] = 2 - position[:, 2]
    away = position[:, None] - position[None]
    gap = np.linalg.norm(away, axis=2) + np.eye(len(position)) * 1e6
    return velocity + np.sum(away / gap[..., None] * np.maximum(DISTANCE - gap, 0)[..., None] * 2, axis=1)


with world.recording(path):
    world.run(20)
distance = np.linalg.norm(world.frame.position[:, :2], axis=1)
exact = volary.open(path).verify().exact
print(f"after {world.time:.0f} s: {distance.min():.2f} to {distance.max():.2f} m from the centre of a ring of {RADIUS:g} m; flown again with the same bits: {exact}")
sys.exit(f"{path}: the flight without the controller differs" if not exact else 0)
