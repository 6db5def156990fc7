# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Speed of the Python package beside the same loop in C++, the yardstick and other simulators: ./volary bench python [--json] [--quick] [--peers FOLDER].

Rates are per CPU time of the whole process, the best of several repetitions. The field `wall` has the rate per wall-clock time.
docs/python-speed.md describes the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import volary
import volary.envs

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "build" / "release"
PEERS = ("pyflyt", "crazyflow", "rotorpy")
WORLDS, VARIANTS, SUBSTEPS = 10_000, 32, 4
EPISODE = 300  # steps of an episode that nothing ends
ROUNDS = 27    # the best of them; many and short, so that some find the machine idle

Row = dict[str, Any]


class Report:
    """Rows in the form of the program's reports."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(self, name: str, value: Any, unit: str, **extra: Any) -> None:
        self.rows.append({"name": name, "value": value, "unit": unit, **extra})
        print(f"{name}: {text_of(value)} {unit}", file=sys.stderr)

    def add_rate(self, name: str, rate: float, wall: float, unit: str, threshold: float, **extra: Any) -> None:
        self.add(name, rate, unit, wall=wall, threshold=threshold, reached=rate >= threshold, **extra)

    def find(self, start: str, end: str = "") -> Row:
        return next(row for row in self.rows if row["name"].startswith(start) and row["name"].endswith(end))


def text_of(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:.5g}" if isinstance(value, float) else str(value)


def warn(text: str) -> None:
    print(f"volary: warning: {text}", file=sys.stderr)


def best_of(work: Callable[[], Any], rounds: int) -> tuple[float, float]:
    """Least CPU time and least wall time of several repetitions, in seconds."""
    cpu = wall = float("inf")
    for _ in range(rounds):
        c, w = time.process_time(), time.perf_counter()
        work()
        cpu, wall = min(cpu, time.process_time() - c), min(wall, time.perf_counter() - w)
    return cpu, wall


# ---------------------------------------------------------------- worlds of one Crazyflie
def hover_scenario(level: str) -> dict[str, Any]:
    """The task of the rows state/episodes/features=full of `volary bench state`, and variants of the motor's drag and thrust as well."""
    action: dict[str, Any] = {"level": level}
    if level == "position":
        action |= {"low": [-1, -1, 9, 0], "high": [1, 1, 11, 0]}
    return {
        "name": "bench", "tick": 0.01, "substeps": SUBSTEPS, "environment": {"wind": [1, 0, 0]},
        "flocks": [{
            "name": "bench", "airframe": "crazyflie", "controller": {"level": level}, "vehicles": {"list": [{"position": [0, 0, 10]}]}, "start": "armed",
            "variants": {"count": VARIANTS, "spread": {"mass": 0.2, "inertia": 0.2, "motor.drag": 0.2, "motor.thrust2": 0.05}},
        }],
        "learning": {
            "action": action, "observations": ["to_goal", "rotation", "velocity", "angular_velocity"],
            "goal": {"points": [[0, 0, 10]], "low": [-0.5] * 3, "high": [0.5] * 3},
            "rewards": [{"term": "goal_closeness", "weight": 1, "scale": 0.5}, {"term": "spin", "weight": -0.01}, {"term": "effort", "weight": -0.01},
                        {"term": "action_change", "weight": -0.01}],
            "ends": [{"term": "too_far", "limit": 3, "reward": -1}, {"term": "tilted", "limit": 1.2, "reward": -1}, {"term": "diverged"}],
            "time_limit": EPISODE / 100,
        },
    }


def measure_vector(report: Report, level: str, copy: bool, rounds: int, threshold: float) -> None:
    envs = volary.envs.vector_env(hover_scenario(level), WORLDS, copy=copy)
    envs.reset(seed=1)
    # small random actions about hover, others in each world and for ten steps
    rng = np.random.default_rng(1)
    noise = rng.random((64, WORLDS, 4), dtype=np.float32) - np.float32(0.5)
    actions = np.float32(0.05) * noise
    actions[:, :, 0] = np.float32(0.2) * noise[:, :, 0] + np.float32(0.05 if level == "rates" else 0)
    # a world in 300 begins anew in each of 300 steps: from then on, episodes end in every step
    first = rng.integers(EPISODE, size=WORLDS)
    for step in range(EPISODE):
        envs.step(actions[step // 10 % 64])
        envs.reset(options={"reset_mask": first == step})
    cpu, wall, ended, steps = float("inf"), float("inf"), 0, 40
    for k in range(rounds):
        c_sum = w_sum = 0.0
        for step in range(steps):
            chosen = actions[(k * steps + step) // 10 % 64]
            c, w = time.process_time(), time.perf_counter()
            infos = envs.step(chosen)[4]
            c_sum, w_sum = c_sum + time.process_time() - c, w_sum + time.perf_counter() - w
            ended += int(infos["_episode"].sum()) if "_episode" in infos else 0
        cpu, wall = min(cpu, c_sum), min(wall, w_sum)
    done = WORLDS * steps
    report.add_rate(f"python/vector/control={level}/features=full/substeps={SUBSTEPS}/worlds={WORLDS}/variants={VARIANTS}/copy={int(copy)}", done / cpu,
                    done / wall, "agent-steps/s", threshold, steps_per_episode=done * rounds / max(ended, 1),
                    observations=envs.single_observation_space.shape[0])


def measure_single(report: Report, rounds: int, steps: int) -> None:
    alone = {"flocks": [{"name": "bench", "airframe": "crazyflie", "vehicles": {"list": [{"position": [0, 0, 10]}]}, "start": "armed"}]}
    world = volary.World(alone)

    def fly() -> None:
        for _ in range(steps):
            world.step(1)

    fly()
    cpu, wall = best_of(fly, rounds)
    report.add_rate(f"python/world_step/control=position/substeps={SUBSTEPS}", steps / cpu, steps / wall, "steps/s", 200e3)

    env = gymnasium.make("volary/Hover-v0")
    env.reset(seed=1)
    noise = np.random.default_rng(1).uniform(-0.02, 0.02, (steps, 4)).astype(np.float32)
    actions = list(noise + np.array([-0.04, 0, 0, 0], np.float32))  # about hover

    ended = 0

    def learn() -> None:
        nonlocal ended
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
                ended += 1

    learn()
    cpu, wall = best_of(learn, rounds)
    report.add_rate(f"python/env_step/control=rates/substeps={SUBSTEPS}", steps / cpu, steps / wall, "steps/s", 60e3,
                    steps_per_episode=steps * (rounds + 1) / max(ended, 1))


def measure_view(report: Report, rounds: int) -> None:
    grid = {"grid": {"count": 1000, "spacing": 2, "origin": [0, 0, 10]}}
    world = volary.World({"flocks": [{"name": "bench", "airframe": "crazyflie", "full_physics": False, "vehicles": grid, "start": "armed"}]}, worlds=1000)
    calls = 1000

    def take() -> None:
        for _ in range(calls):
            world.frame.position

    before = np.asarray(world.frame.position).ctypes.data
    cpu, wall = best_of(take, rounds)
    later, after = [], np.asarray(world.frame.position).ctypes.data
    for _ in range(rounds):
        world.step(1)
        later.append(best_of(lambda: world.frame.position, 1))
    moved = np.asarray(world.frame.position).ctypes.data
    name = f"python/frame_view/vehicles={world.n_vehicles}"
    report.add(name, 1e6 * cpu / calls, "us", wall=1e6 * wall / calls, threshold=10.0, reached=1e6 * cpu / calls <= 10)
    # the tick has swept the caches: the call finds its own code in memory
    report.add(name + "/after=step", 1e6 * min(c for c, _ in later), "us", wall=1e6 * min(w for _, w in later))
    report.add(name + "/same_address", before == after == moved, "-")


def measure_package(report: Report, rounds: int) -> None:
    def seconds_of(module: str) -> tuple[float, float]:
        code = f"import time; c, w = time.process_time(), time.perf_counter(); import {module}; print(time.process_time() - c, time.perf_counter() - w)"
        runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() for _ in range(rounds)]
        return min(float(c) for c, _ in runs), min(float(w) for _, w in runs)

    numpy_alone, (cpu, wall) = seconds_of("numpy")[0], seconds_of("volary")
    report.add("python/import", cpu, "s", wall=wall, numpy_alone=numpy_alone)
    for wheel in sorted((ROOT / "build" / "python" / "dist").glob("volary-*.whl")):
        report.add("python/wheel", wheel.stat().st_size / 1e6, "MB", file=wheel.name)


# ---------------------------------------------------------------- beside them
def lines_of(command: list[str], environment: dict[str, str] | None = None) -> list[Row]:
    """The lines of a program's output that are JSON objects."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{Path(command[-1]).name} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def add_yardstick(report: Report, lanes: int) -> None:
    program = PROGRAMS / "quadrotor_limit_cpu"
    try:
        found = {str(row.get("name")): row["value"] for row in lines_of([str(program), "--quick"]) if isinstance(row.get("value"), (int, float))}
    except (OSError, RuntimeError) as fault:
        return warn(f"no yardstick: {fault}; ratios are left out")
    name = f"limit/lanes={lanes}/agents={WORLDS}/threads=1/fused=1"
    if name not in found:
        return warn(f"the yardstick has no row {name}: ratios are left out")
    report.add(name, float(found[name]), "agent-steps/s")
    for row in report.rows:
        if row["name"].startswith("python/vector/"):
            row["ratio_to_yardstick"] = SUBSTEPS * row["value"] / found[name]


def add_cpp(report: Report) -> None:
    try:
        done = subprocess.run([str(PROGRAMS / "volary"), "bench", "state", "--json"], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)["rows"]
    except (OSError, subprocess.CalledProcessError, ValueError) as fault:
        return warn(f"no rows of the same loop in C++: {fault}")
    for row in (r for r in found if r["name"].startswith("state/episodes/features=full/")):
        report.add(**row)
        level = row["name"].split("/control=")[1].split("/")[0]
        for ours in report.rows:
            if ours["name"].startswith(f"python/vector/control={level}/"):
                ours["ratio_to_cpp"] = ours["value"] / row["value"]


def ours_like(report: Report, peer: Row) -> Row:
    """The row that a peer's is compared with: an environment with an environment, a batch with the batch that copies its results."""
    level = "position" if "/control=position/" in peer["name"] else "rates"
    if peer["worlds"] > 1:
        return report.find(f"python/vector/control={level}/", "/copy=1")
    return report.find("python/env_step/" if "/env/" in peer["name"] else "python/world_step/")


def add_peers(report: Report, folder: Path) -> None:
    one_core = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu",
                "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    for peer in PEERS:
        python = folder / peer / "bin" / "python"
        if not python.exists():
            warn(f"--peers: {python} does not exist: {peer} is left out")
            continue
        try:
            found = lines_of([str(python), str(ROOT / "benchmarks" / "peers" / f"{peer}_hover.py")], one_core)
        except (OSError, RuntimeError, ValueError) as fault:
            warn(f"{peer} is left out: {fault}")
            continue
        for row in found:
            ours = ours_like(report, row)
            report.add(f"python/peer/{row['name']}", row["steps_per_s"], "steps/s", wall=row["wall"], ours=ours["name"],
                       ratio_of_ours=ours["value"] / row["steps_per_s"], conditions=row["conditions"])


# ---------------------------------------------------------------- the report
def machine() -> dict[str, Any]:
    names = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {"cpu": names[0] if names else "unknown", "cores": os.cpu_count(), "lanes": volary.available_lanes(),
            "os": f"{platform.system()} {platform.release()} {platform.machine()}", "python": platform.python_version(), "numpy": np.__version__,
            "load": round(os.getloadavg()[0], 2)}


def print_table(report: Report) -> None:
    header = ["case", "CPU", "wall", "unit", "threshold", "", "x C++", "x yardstick", "ours / peer"]
    cells = [header]
    for row in report.rows:
        judged = "" if "reached" not in row else "reached" if row["reached"] else "NOT reached"
        keys = ("wall", "threshold", "ratio_to_cpp", "ratio_to_yardstick", "ratio_of_ours")
        wall, threshold, cpp, yardstick, peer = (text_of(row.get(key, "")) for key in keys)
        cells.append([row["name"], text_of(row["value"]), wall, row["unit"], threshold, judged, cpp, yardstick, peer])
    width = [max(len(line[k]) for line in cells) for k in range(len(header))]
    for line in cells:
        print(("  " + "   ".join(x.ljust(n) if k in (0, 3, 5) else x.rjust(n) for k, (x, n) in enumerate(zip(line, width)))).rstrip())
    for row in report.rows:
        if "conditions" in row:
            print(f"\n  {row['name']}: {row['conditions']}", end="")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(prog="volary bench python", description="Measures the Python package beside the same loop in C++ and the yardstick.")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object on stdout")
    parser.add_argument("--quick", action="store_true", help="nine repetitions instead of 27, and no loop in C++, which takes a minute")
    parser.add_argument("--peers", type=Path, metavar="FOLDER",
                        help="also measure other simulators: FOLDER/NAME/bin/python is an interpreter that has the package NAME, one of " + ", ".join(PEERS))
    options = parser.parse_args()
    rounds, report, host = 9 if options.quick else ROUNDS, Report(), machine()
    for level, threshold in (("rates", 8e6), ("position", 6e6)):
        for copy in (False, True):
            measure_vector(report, level, copy, rounds, threshold)
    measure_single(report, rounds, 10_000)
    measure_view(report, rounds)
    measure_package(report, min(rounds, 9))
    add_yardstick(report, max(host["lanes"]))
    if not options.quick:
        add_cpp(report)
    if options.peers is not None:
        add_peers(report, options.peers)
    if options.json:
        print(json.dumps({"command": "bench", "version": volary.__version__, "machine": host, "rows": report.rows}, indent=2))
    else:
        print_table(report)


if __name__ == "__main__":
    main()
