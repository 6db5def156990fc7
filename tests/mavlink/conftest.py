# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Worlds for MAVLink clients: the program itself, in a process of its own, with a link to a free port of this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VOLARY_PROGRAM", str(ROOT / "build/release/volary"))

SCENARIO = """
name: mavlink test
duration: {duration}
flocks:
  - name: uav
    airframe: x500
    vehicles: {{grid: {{count: {count}, spacing: 5}}}}
    start: disarmed
"""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Run:
    """A run of the program with its links; `port` and `ports` are those on which clients listen."""

    def __init__(self, folder: Path, text: str, ports: list[int], options: list[str], links: list[str] | None = None) -> None:
        self.ports = ports
        self.scenario = folder / "world.yaml"
        self.scenario.write_text(text)
        self.record = folder / "run.volary"
        if links is None:
            links = [f"udpout:127.0.0.1:{port}" for port in ports]
        arguments = [PROGRAM, "run", str(self.scenario), "--headless", "--record", str(self.record), *options]
        for link in links:
            arguments += ["--mavlink", link]
        self.log = open(folder / "log.txt", "w+")
        environment = {**os.environ, "VOLARY_RUNS": str(folder / "runs")}
        self.process = subprocess.Popen(arguments, stdout=self.log, stderr=subprocess.STDOUT, env=environment)

    @property
    def port(self) -> int:
        return self.ports[0]

    def output(self) -> str:
        self.log.flush()
        return Path(self.log.name).read_text()

    def end(self) -> str:
        """Ends the run as Ctrl-C does and returns what it printed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        return self.output()

    def replays_exactly(self) -> bool:
        """The recording is flown again, without any client."""
        done = subprocess.run([PROGRAM, "replay", str(self.record), "--verify"], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            print(done.stdout, done.stderr)
        return done.returncode == 0


@pytest.fixture
def fly(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def start(count: int = 1, *, speed: float | None = 8, links: int = 1, duration: float = 3000, options: list[str] | None = None, text: str | None = None,
              given: list[str] | None = None) -> Run:
        folder = tmp_path / str(len(runs))
        folder.mkdir(exist_ok=True)
        ports = [free_port() for _ in range(links)]
        body = text if text is not None else SCENARIO.format(count=count, duration=duration)
        paced = [] if speed is None else ["--speed", str(speed)]
        run = Run(folder, body, ports, [*paced, *(options or [])], None if given is None else [g.format(*ports) for g in given])
        runs.append(run)
        return run

    yield start
    for run in runs:
        if run.process.poll() is None:
            run.process.kill()
            run.process.wait()
        run.log.close()
