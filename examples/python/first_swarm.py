# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Flies a scenario, prints where its vehicles are once per second, and checks that a second flight gives the same bits.

    python first_swarm.py [SCENARIO]        SCENARIO: a name in volary.scenarios(), or the path of a file
"""

import sys

import numpy as np

import volary

scenario = sys.argv[1] if len(sys.argv) > 1 else "default"
try:
    world = volary.World(scenario)
except (volary.ScenarioError, OSError) as error:
    sys.exit(str(error))

for _ in range(5):
    world.run(1)
    centre, speed = world.frame.position.mean(axis=0), np.linalg.norm(world.frame.velocity, axis=1).mean()
    print(f"{world.time:4.1f} s  {len(world.frame)} vehicles  centre {centre.round(2)} m  mean speed {speed:.2f} m/s  {world.frame.mode[0]}")

# the number of threads and the SIMD width never change what happens
again = volary.World(scenario, threads=2, lanes=1).run(5)
print(f"state hash {world.hash():016x}, and again {again.hash():016x}")
sys.exit(0 if again.hash() == world.hash() else 1)
