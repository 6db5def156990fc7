# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Crazyflies in crazyflow 0.4.0 on one core of the CPU: 10,000 worlds of one, and one world. One JSON object per line."""

import json
import os
import time

# JAX sizes its pool of threads by the cores that it may use
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax  # noqa: E402
import numpy as np  # noqa: E402
from crazyflow.control import Control  # noqa: E402
from crazyflow.dynamics import Dynamics  # noqa: E402
from crazyflow.envs import ReachPosEnv  # noqa: E402
from crazyflow.sim import Sim  # noqa: E402
from crazyflow.sim.integration import Integrator  # noqa: E402

ROUNDS, WORLDS = 27, 10_000


def report(name: str, worlds: int, conditions: str, step, state) -> None:
    """The best of several repetitions, by CPU time and by wall time; a step is 10 ms of one Crazyflie. The first calls compile."""
    cpu, wall, steps = [], [], 20 if worlds > 1 else 300
    for k in range(ROUNDS + 1):
        c, w = time.process_time(), time.perf_counter()
        for _ in range(steps):
            step()
        jax.block_until_ready(state())
        if k > 0:
            cpu.append(time.process_time() - c), wall.append(time.perf_counter() - w)
    count = worlds * steps
    print(json.dumps({"name": f"crazyflow/{name}/worlds={worlds}", "worlds": worlds, "steps_per_s": count / min(cpu), "wall": count / min(wall),
                      "conditions": "crazyflow 0.4.0, JAX on one core, " + conditions}), flush=True)


def measure_env(worlds: int, dynamics: Dynamics) -> None:
    """Attitude and thrust is the only control that its environments have on the way to body rates."""
    env = ReachPosEnv(num_envs=worlds, freq=100, dynamics=dynamics, max_episode_time=3.0)
    env.reset(seed=1)
    hover = 9.81 * float(np.mean(env.sim.data.params.mass))
    noise = np.random.default_rng(1).uniform(-0.02, 0.02, (worlds, 4)).astype(np.float32)
    action = noise + np.array([0, 0, 0, hover], np.float32)
    last = [None]

    def step() -> None:
        last[0] = env.step(action)

    conditions = f"ReachPosEnv, attitude and thrust at 100 Hz, 5 Euler substeps of 2 ms, {dynamics.value} dynamics, observations, rewards and resets"
    report(f"env/control=attitude/dynamics={dynamics.value}", worlds, conditions, step, lambda: (last[0][:4], env.sim.data))


def measure_sim(worlds: int, control: Control, freq: int, integrator: Integrator) -> None:
    """The simulator alone: no observations, rewards and resets."""
    sim = Sim(n_worlds=worlds, dynamics=Dynamics.first_principles, control=control, integrator=integrator, freq=freq,
              attitude_freq=freq, body_rate_freq=freq, force_torque_freq=freq)
    if control == Control.state:
        setpoint = np.zeros((worlds, 1, 16), np.float32)
        setpoint[..., 2], setpoint[..., 12] = 1, 1
    else:
        setpoint = np.zeros((worlds, 1, 4), np.float32)
        setpoint[..., 3] = 1.02 * 9.81 * float(np.mean(sim.data.params.mass))  # it starts on the ground and climbs
    give = sim.state_control if control == Control.state else sim.body_rate_control

    def step() -> None:
        give(setpoint)
        sim.step(freq // 100)

    level = "position" if control == Control.state else "rates"
    conditions = (f"Sim, {control.value} setpoints at 100 Hz, {freq // 100} substeps of {1000 / freq:g} ms ({integrator.value}), first_principles dynamics, "
                  "no observations, rewards and resets")
    report(f"sim/control={level}/integrator={integrator.value}", worlds, conditions, step, lambda: sim.data)


for n in (WORLDS, 1):
    measure_env(n, Dynamics.so_rpy)
    for level in (Control.body_rate, Control.state):
        measure_sim(n, level, 400, Integrator.rk4)
measure_env(WORLDS, Dynamics.first_principles)
measure_sim(WORLDS, Control.body_rate, 500, Integrator.euler)
