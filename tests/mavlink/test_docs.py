# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""The commands and the program of docs/mavlink.md, as they are printed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

os.environ["MAVLINK20"] = "1"
pytest.importorskip("pymavlink")
from pymavlink import mavutil

from conftest import PROGRAM, ROOT

TEXT = (ROOT / "docs/mavlink.md").read_text()
COMMANDS = [c for c in re.findall(r"^    \./volary (run .*)$", TEXT, re.M) if "--mirror" not in c]
MIRRORS = [c for c in re.findall(r"^    \./volary (run .*)$", TEXT, re.M) if "--mirror" in c]
SCENARIOS = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.M | re.S)
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.M | re.S)


def start(command: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "VOLARY_RUNS": str(folder / "runs")}
    return subprocess.Popen(
        [PROGRAM, *shlex.split(command), "--headless", *more], env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_brings_heartbeats_to_the_ports_it_names(command: str, tmp_path: Path) -> None:
    ports = [int(port) for port in re.findall(r"udpout:127.0.0.1:(\d+)", command)]
    links = [mavutil.mavlink_connection(f"udpin:127.0.0.1:{port}", source_system=255) for port in ports]
    process = start(command, tmp_path)
    try:
        for link in links:
            assert link.wait_heartbeat(timeout=30) is not None
    finally:
        for link in links:
            link.close()
        end(process)


def test_the_program_flies_there_and_back(tmp_path: Path) -> None:
    assert len(PROGRAMS) == 1 and len(COMMANDS) == 3
    process = start(COMMANDS[1], tmp_path, "--speed", "4")
    try:
        done = subprocess.run([sys.executable, "-c", PROGRAMS[0]], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    finally:
        end(process)


def test_the_mirror_flies_a_vehicle_of_another_program(tmp_path: Path) -> None:
    assert len(MIRRORS) == 1 and len(SCENARIOS) == 1
    (tmp_path / "real.yaml").write_text(SCENARIOS[0])
    link = mavutil.mavlink_connection("udpin:127.0.0.1:14551", source_system=255)
    port = re.search(r"udpin:127.0.0.1:(\d+)", MIRRORS[0])
    assert port is not None
    outside = start(f"run ground_station --mavlink udpout:127.0.0.1:{port[1]} --mavlink udpout:127.0.0.1:14551", tmp_path)
    mirrors = start(MIRRORS[0], tmp_path)
    try:
        # the mirror of the first asks for a take-off and a place ten metres north
        end_of_patience = time.monotonic() + 90
        north = 0.0
        while north < 9 and time.monotonic() < end_of_patience:
            heard = link.recv_match(type="LOCAL_POSITION_NED", blocking=True, timeout=10)
            if heard is not None and heard.get_srcSystem() == 1:
                north = heard.x
        assert north >= 9
    finally:
        link.close()
        end(mirrors)
        end(outside)
