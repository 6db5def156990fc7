# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""One quadrotor in PyFlyt 0.29.0: an environment of Gymnasium under body rates, and the simulator alone under positions. One JSON object per line."""

import json
import time

import gymnasium
import numpy as np
import PyFlyt.gym_envs  # noqa: F401  registers the environments
from PyFlyt.core import Aviary

ROUNDS, STEPS = 27, 500


def report(name: str, conditions: str, work) -> None:
    """The best of several repetitions, by CPU time and by wall time."""
    cpu, wall = [], []
    work()
    for _ in range(ROUNDS):
        c, w = time.process_time(), time.perf_counter()
        work()
        cpu.append(time.process_time() - c), wall.append(time.perf_counter() - w)
    print(json.dumps({"name": "pyflyt/" + name, "worlds": 1, "steps_per_s": STEPS / min(cpu), "wall": STEPS / min(wall), "conditions": conditions}), flush=True)


# 120 Hz is the rate of control next to 100 Hz that it allows
env = gymnasium.make("PyFlyt/QuadX-Hover-v4", agent_hz=120)
seen, _ = env.reset(seed=1)
actions = np.random.default_rng(1).uniform(-0.02, 0.02, (STEPS, 4))


def learn() -> None:
    global seen
    for action in actions.copy():
        # its resets are slow: thrust that holds the height of 1 m keeps episodes long
        action[3] += 0.33 + 0.1 * (1 - seen[12]) - 0.1 * seen[9]
        seen, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            seen, _ = env.reset()


report("env/control=rates/worlds=1", "PyFlyt 0.29.0, QuadX-Hover-v4 with its default airframe, thrust and body rates at 120 Hz, 2 physics steps of 1/240 s, "
       "observations, rewards and resets", learn)
env.close()

aviary = Aviary(start_pos=np.array([[0.0, 0.0, 1.0]]), start_orn=np.zeros((1, 3)), drone_type="quadx")
aviary.set_mode(7)
aviary.set_setpoint(0, np.array([0.0, 0.0, 0.0, 1.0]))


def fly() -> None:
    for _ in range(STEPS):
        aviary.step()


report("world/control=position/worlds=1", "PyFlyt 0.29.0, Aviary with one quadx, position control (mode 7) at 120 Hz, 2 physics steps of 1/240 s", fly)
