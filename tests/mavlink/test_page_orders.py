# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Orders of a page to vehicles that PX4 and ArduPilot fly, and what the page is told of them: `./volary test --px4 FILE --ardupilot FILE`.

The orders go the way of the page, over HTTP to `volary serve`. The links for programs of users stay free. Without a program its flights are skipped.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import os
import signal
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conftest import PROGRAM

PATIENCE = 300.0  # s of the wall for one step
FIGURES = Path(os.environ.get("VOLARY_FIGURES", "autopilot_figures.jsonl"))


@dataclass
class Kind:
    name: str
    scenario: str
    hold: str
    go: str
    steered: str
    back: str
    land: str
    free_ports: list[tuple[int, int]]  # kind of socket, port: links for programs


KINDS = {
    "px4": Kind("PX4", "px4_square", "Hold", "Hold", "Offboard", "Return", "Land", [(socket.SOCK_DGRAM, 14540), (socket.SOCK_DGRAM, 14550)]),
    "ardupilot": Kind("ArduPilot", "ardupilot_square", "BRAKE", "GUIDED", "GUIDED", "RTL", "LAND", [(socket.SOCK_STREAM, 5760), (socket.SOCK_STREAM, 5762)]),
}


@dataclass
class Page:
    """A program that serves a world, as its page speaks with it."""

    process: subprocess.Popen[str]
    port: int
    log: Path
    vehicle: str = "quad[0]"
    modes: list[str] = field(default_factory=list)

    def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/live{path}", data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def order(self, mode: str) -> tuple[int, Any]:
        return self.ask("/mode", {"ids": [self.vehicle], "mode": mode})

    def must(self, mode: str) -> None:
        status, answer = self.order(mode)
        assert status == 200, answer

    def told(self) -> Any:
        (vehicle,) = self.ask("/autopilots")[1]["vehicles"]
        if vehicle["mode"] and (not self.modes or self.modes[-1] != vehicle["mode"]):
            self.modes.append(vehicle["mode"])
        return vehicle

    def position(self) -> list[float]:
        return list(self.ask(f"/vehicles?ids={self.vehicle}&columns=position")[1]["vehicles"][0]["columns"]["position"])

    def until(self, what: str, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, f"{what}: {self.told()}; at {self.position()}; modes {self.modes}"
            time.sleep(0.1)

    def until_mode(self, mode: str) -> None:
        self.until(f"no mode {mode}", lambda: self.told()["mode"] == mode)

    def until_at(self, x: float, y: float, z: float, within: float = 0.8) -> None:
        self.until(f"not at {x}, {y}, {z}", lambda: math.dist(self.position(), (x, y, z)) < within)

    def texts(self) -> str:
        return "\n".join(m["text"] for m in self.told()["messages"])


class Hands:
    """The stream of a page, as much of WebSocket as steering needs."""

    def __init__(self, page: Page) -> None:
        self.socket = socket.create_connection(("127.0.0.1", page.port))
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{page.port}"
        self.socket.sendall(f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(65536)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert b" 101 " in head, head
        self.seq = 0
        self.notices: list[str] = []

    def say(self, **message: Any) -> None:
        self.seq += 1
        data = json.dumps({"seq": self.seq, **message}).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + size + bytes(4) + data)  # masked with zeros

    def hear(self, seconds: float) -> list[Any]:
        """Texts that have come; notices are kept."""
        self.socket.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            self.buffer += self.socket.recv(1 << 20)
        texts = []
        while len(self.buffer) >= 10:
            size, start = self.buffer[1] & 0x7F, 2
            if size == 126:
                size, start = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif size == 127:
                size, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
            if len(self.buffer) < start + size:
                break
            if self.buffer[0] & 0xF == 1:
                texts.append(json.loads(self.buffer[start : start + size]))
            self.buffer = self.buffer[start + size :]
        self.notices += [m["text"] for m in texts if m["type"] == "notice"]
        return texts

    def command(self, name: str, **args: Any) -> Any:
        self.say(type="command", name=name, args=args)
        seq, end = self.seq, time.monotonic() + 30
        while time.monotonic() < end:
            for m in self.hear(0.1):
                if m["type"] == "ack" and m["seq"] == seq:
                    return m
        raise AssertionError(f"no answer to {name}")


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def start(scenario: str, *options: str) -> Page:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = int(s.getsockname()[1])
        log = tmp_path / "log.txt"
        command = [PROGRAM, "serve", scenario, "--port", str(port), "--speed", "max", "--set", "duration=3600", "--record", str(tmp_path / "run.vrec"), *options]
        process = subprocess.Popen(command, stdout=log.open("w"), stderr=subprocess.STDOUT, text=True, env={**os.environ, "VOLARY_RUNS": str(tmp_path / "runs")})
        page = Page(process, port, log)
        pages.append(page)
        end = time.monotonic() + 60
        while True:
            try:
                if page.ask("/autopilots")[1]["vehicles"]:
                    return page
            except OSError:
                pass
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.1)

    yield start
    for page in pages:
        if page.process.poll() is None:
            page.process.kill()
            page.process.wait()


@pytest.fixture(params=["px4", "ardupilot"])
def kind(request: pytest.FixtureRequest) -> Kind:
    if not os.environ.get("VOLARY_" + request.param.upper(), ""):
        pytest.skip(f"no program of {request.param}: ./volary test --{request.param} FILE")
    return KINDS[request.param]


def take_off(page: Page) -> None:
    """Pressed again until the autopilot has found its position, as a person would."""

    def is_up() -> bool:
        vehicle = page.told()
        if vehicle["mode"] and not vehicle["armed"]:
            page.order("take_off")
            time.sleep(1)
        return page.position()[2] > 1.2

    page.until("no take-off", is_up)


def test_a_page_flies_a_vehicle_and_sees_its_modes_and_messages(kind: Kind, serve: Callable[..., Page], tmp_path: Path) -> None:
    page = serve(kind.scenario)
    page.until("no mode", lambda: page.told()["mode"] != "")
    assert page.told()["autopilot"] == kind.name and page.told()["system"] == 1

    # what cannot be is refused at once
    status, answer = page.ask("/goto", {"ids": [page.vehicle], "position": [10, 5, 8]})
    assert status == 409 and "stands on the ground" in answer["error"], answer
    # the links for programs are nobody's: PX4 sends to the one, ArduPilot waits for a client at the other
    for socket_kind, port in kind.free_ports:
        with socket.socket(socket.AF_INET, socket_kind) as s:
            if socket_kind == socket.SOCK_DGRAM:
                s.bind(("127.0.0.1", port))
            else:
                s.connect(("127.0.0.1", port))

    take_off(page)
    status, answer = page.order("take_off")
    assert status == 409 and "in the air already" in answer["error"], answer
    assert page.ask("/goto", {"ids": [page.vehicle], "position": [10, 5, 8]})[0] == 200
    page.until_mode(kind.go)
    page.until_at(10, 5, 8)
    page.must("hold")
    page.until_mode(kind.hold)
    assert page.ask("/goto", {"ids": [page.vehicle], "position": [-6, 12, 6]})[0] == 200
    page.until_at(-6, 12, 6)
    # an autopilot does not disarm in the air, and says so
    page.must("disarm")
    time.sleep(2)
    assert page.told()["armed"] and page.position()[2] > 5
    page.must("return")
    page.until_mode(kind.back)
    page.until("not at home", lambda: math.hypot(*page.position()[:2]) < 1.5)
    page.must("land")
    page.until_mode(kind.land)
    page.until("not landed", lambda: page.position()[2] < 0.3)
    page.until("armed", lambda: not page.told()["armed"])

    take_off(page)  # once more, from the mode in which it has landed
    page.must("land")
    page.until("not landed", lambda: page.position()[2] < 0.3 and not page.told()["armed"])
    assert page.told()["messages"], "no messages"
    with FIGURES.open("a") as file:
        file.write(json.dumps({"what": "page_orders", "kind": kind.name, "modes": page.modes, "messages": page.texts().split("\n")}) + "\n")
    page.process.send_signal(signal.SIGINT)
    assert page.process.wait(60) == 0, page.log.read_text()

    # the orders are no inputs: their effect is in the rotor speeds, and replays without the autopilot
    without = {k: v for k, v in os.environ.items() if k not in ("VOLARY_PX4", "VOLARY_ARDUPILOT")}
    again = subprocess.run([PROGRAM, "replay", str(tmp_path / "run.vrec"), "--verify"], capture_output=True, text=True, timeout=1800, env=without)
    assert again.returncode == 0, again.stdout + again.stderr


def test_a_person_steers_a_vehicle_by_hand_and_is_told_what_its_autopilot_refuses(kind: Kind, serve: Callable[..., Page]) -> None:
    page = serve(kind.scenario)
    take_off(page)
    page.must("hold")
    page.until_mode(kind.hold)
    assert page.ask("/speed", {"factor": 1})[0] == 200
    hands = Hands(page)
    number = str(page.ask(f"/vehicles?ids={page.vehicle}")[1]["vehicles"][0]["id"])

    def until(is_so: Callable[[], bool]) -> bool:
        end = time.monotonic() + 60
        while not is_so() and time.monotonic() < end:
            hands.hear(0.05)
        return is_so()

    taken = hands.command("take", id=number)
    assert taken["ok"], taken
    start, end = page.position(), time.monotonic() + 60
    while page.position()[0] < start[0] + 5:
        assert time.monotonic() < end, (page.told(), hands.notices)
        hands.say(type="control", id=number, velocity=[2, 0, 0], yaw_rate=0)
        hands.hear(0.05)
    assert page.told()["mode"] == kind.steered
    there = page.position()
    assert abs(there[1] - start[1]) < 1 and abs(there[2] - start[2]) < 1, (start, there)
    # hands that rest are a hold, and the autopilot holds by itself
    assert until(lambda: page.told()["mode"] == kind.hold), (page.told(), hands.notices)
    assert not hands.notices, hands.notices

    # a refusal that comes after the answer to the order is a notice with the autopilot's words
    answer = hands.command("mode", ids=[number], mode="disarm")
    assert answer["ok"], answer
    assert until(lambda: any(f"{kind.name} was asked to disarm" in text for text in hands.notices)), (hands.notices, page.texts())
    with FIGURES.open("a") as file:
        file.write(json.dumps({"what": "page_refusal", "kind": kind.name, "notices": hands.notices}) + "\n")
    assert page.told()["armed"]

    # an emergency stop is the one order that disarms in the air
    assert page.ask("/emergency_stop", {"ids": [page.vehicle]})[0] == 200
    assert until(lambda: not page.told()["armed"] and page.position()[2] < 0.5), page.told()
