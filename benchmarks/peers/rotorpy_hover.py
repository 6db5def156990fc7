# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""One Crazyflie in rotorpy 3.0.0 with NumPy, under positions and under body rates. One JSON object per line."""

import json
import time

import numpy as np
from rotorpy.controllers.quadrotor_control import SE3Control
from rotorpy.trajectories.hover_traj import HoverTraj
from rotorpy.vehicles.crazyflie_params import quad_params
from rotorpy.vehicles.multirotor import Multirotor

ROUNDS, STEPS, DT = 27, 300, 0.01


def first_state() -> dict:
    """Near the setpoint: exactly at rest, the solver would begin each call with a needlessly short step."""
    speed = np.sqrt(quad_params["mass"] * 9.81 / (4 * quad_params["k_eta"]))
    return {"x": np.array([0.3, -0.2, 0.1]), "v": np.zeros(3), "q": np.array([0, 0, 0, 1.0]), "w": np.zeros(3), "wind": np.zeros(3),
            "rotor_speeds": np.full(4, speed)}


def report(level: str, conditions: str, control, vehicle: Multirotor) -> None:
    """The best of several repetitions, by CPU time and by wall time."""
    cpu, wall = [], []
    for k in range(ROUNDS + 1):
        state = first_state()
        c, w = time.process_time(), time.perf_counter()
        for step in range(STEPS):
            state = vehicle.step(state, control(step * DT, state), DT)
        if k > 0:
            cpu.append(time.process_time() - c), wall.append(time.perf_counter() - w)
    print(json.dumps({"name": f"rotorpy/world/control={level}/worlds=1", "worlds": 1, "steps_per_s": STEPS / min(cpu), "wall": STEPS / min(wall),
                      "conditions": "rotorpy 3.0.0 with NumPy, " + conditions}), flush=True)


controller, trajectory = SE3Control(quad_params), HoverTraj(x0=np.zeros(3))
solver = "at 100 Hz, one call of SciPy's RK45 (adaptive steps) per 10 ms, aerodynamics on"
report("position", f"Multirotor and SE3Control {solver}", lambda t, state: controller.update(t, state, trajectory.update(t)),
       Multirotor(quad_params, control_abstraction="cmd_motor_speeds"))
rates = {"cmd_thrust": quad_params["mass"] * 9.81, "cmd_w": np.array([0.0, 0.0, 0.1])}
report("rates", f"Multirotor under thrust and body rates {solver}", lambda t, state: rates, Multirotor(quad_params, control_abstraction="cmd_ctbr"))
