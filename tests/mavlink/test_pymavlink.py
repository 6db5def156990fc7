# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Vehicles of a world met by pymavlink as it comes from PyPI: the connection sequence of QGroundControl, damaged and forged messages, many vehicles."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

os.environ["MAVLINK20"] = "1"
pytest.importorskip("pymavlink")

from pymavlink import mavutil
from pymavlink.dialects.v20 import development as common

from conftest import PROGRAM, SCENARIO, Run


class Client:
    """A ground station with system id 255 on a UDP port."""

    def __init__(self, port: int) -> None:
        self.link: Any = mavutil.mavlink_connection(f"udpin:127.0.0.1:{port}", source_system=255, source_component=190, dialect="development")
        self.mav = self.link.mav
        self.kept: list[Any] = []  # answers that nobody has waited for yet

    def wait(self, kind: str | list[str], seconds: float = 20, **fields: Any) -> Any:
        kinds = [kind] if isinstance(kind, str) else kind

        def fits(message: Any) -> bool:
            return message.get_type() in kinds and all(getattr(message, name) == value for name, value in fields.items())

        for k, message in enumerate(self.kept):
            if fits(message):
                del self.kept[: k + 1]
                return message
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.link.recv_match(blocking=True, timeout=0.2)
            if message is not None and fits(message):
                return message
            if message is not None and message.get_type() in ("AUTOPILOT_VERSION", "AVAILABLE_MODES", "PARAM_VALUE", "MISSION_ACK"):
                self.kept.append(message)
        raise AssertionError(f"no {kind} {fields} within {seconds} s")

    def command(self, command: int, *params: float, system: int = 1) -> int:
        values = list(params) + [0.0] * (7 - len(params))
        for confirmation in range(5):
            self.mav.command_long_send(system, 1, command, confirmation, *values)
            try:
                return int(self.wait("COMMAND_ACK", 2, command=command).result)
            except AssertionError:
                continue
        raise AssertionError(f"command {command} was not answered")

    def close(self) -> None:
        self.link.close()


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Callable[[Run], Client]:
    def connect(run: Run) -> Client:
        made = Client(run.port)
        request.addfinalizer(made.close)
        made.wait("HEARTBEAT")
        return made

    return connect


def test_the_connection_sequence_of_qgroundcontrol(fly: Callable[..., Run], client: Callable[[Run], Client]) -> None:
    c = client(fly(speed=1))
    heartbeat = c.wait("HEARTBEAT")
    assert heartbeat.autopilot == 12 and heartbeat.base_mode & 1 and heartbeat.get_srcComponent() == 1
    # version and capabilities
    assert c.command(512, 148) == 0
    version = c.wait("AUTOPILOT_VERSION")
    assert version.capabilities & common.MAV_PROTOCOL_CAPABILITY_MAVLINK2 and version.capabilities & common.MAV_PROTOCOL_CAPABILITY_MISSION_INT
    assert not version.capabilities & common.MAV_PROTOCOL_CAPABILITY_FTP and version.uid != 0
    # modes: all, then one by one
    assert c.command(512, 435, 0) == 0
    number = c.wait("AVAILABLE_MODES").number_modes
    names = set()
    for index in range(1, number + 1):
        assert c.command(512, 435, index) == 0
        names.add(c.wait("AVAILABLE_MODES", mode_index=index).mode_name)
    assert {"Hold", "Mission", "Return", "Offboard", "Position", "Land", "Takeoff"} == names
    # what it does not have is said at once, not after a time-out
    assert c.command(512, 397) == 3 and c.command(512, 395) == 3
    # parameters: the whole list, then those that went missing by their index
    c.mav.param_request_list_send(1, 1)
    parameters: dict[int, Any] = {}
    first = c.wait("PARAM_VALUE")
    parameters[first.param_index] = first
    while len(parameters) < first.param_count:
        value = c.wait("PARAM_VALUE")
        parameters[value.param_index] = value
    c.mav.param_request_read_send(1, 1, b"", 3)
    assert c.wait("PARAM_VALUE", param_index=3).param_id == parameters[3].param_id
    assert {p.param_id for p in parameters.values()} >= {"SYS_AUTOSTART", "CAL_GYRO0_ID", "MPC_XY_CRUISE"}
    # plans: mission, fence, rally points
    for kind in (0, 1, 2):
        c.mav.mission_request_list_send(1, 1, kind)
        assert c.wait("MISSION_COUNT", mission_type=kind).count == 0
    # and a clock
    c.mav.timesync_send(0, 12345)
    assert c.wait("TIMESYNC", ts1=12345).tc1 > 0
    c.mav.ping_send(0, 77, 0, 0)
    assert c.wait("PING", seq=77).target_system == 255


def test_damage_and_nonsense_do_no_harm(fly: Callable[..., Run], client: Callable[[Run], Client]) -> None:
    run = fly(speed=1)
    c = client(run)
    good = c.mav.command_long_encode(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0).pack(c.mav)
    draw = random.Random(7)
    for _ in range(300):
        bad = bytearray(good)
        bad[draw.randrange(1, len(bad))] ^= 1 << draw.randrange(8)
        c.link.write(bytes(bad))  # a wrong checksum
        c.link.write(bytes(draw.randrange(256) for _ in range(draw.randrange(1, 280))))
    unknown = b"\xfd\x01\x00\x00\x00\xff\xbe\x00\x00\xf0\x00" + b"\x00\x00"
    c.link.write(unknown)
    time.sleep(0.3)
    assert not c.wait("HEARTBEAT").base_mode & 0x80
    assert c.command(400, 1) == 0
    assert c.wait("HEARTBEAT").base_mode & 0x80
    assert run.process.poll() is None


def test_signed_messages(fly: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a passphrase\n")
    run = fly(speed=1, options=["--mavlink-key", str(tmp_path / "key")])
    c = Client(run.port)
    key = hashlib.sha256(b"a passphrase").digest()
    try:
        c.mav.signing.allow_unsigned_callback = lambda mav, id: True
        c.wait("HEARTBEAT")
        c.mav.command_long_send(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0)  # not signed
        with pytest.raises(AssertionError):
            c.wait("COMMAND_ACK", 1)
        c.link.setup_signing(key, sign_outgoing=True)
        assert c.command(400, 1) == 0
        # an eavesdropper sends the same bytes again
        packed = c.mav.command_long_encode(1, 1, 400, 0, 0, 0, 0, 0, 0, 0, 0).pack(c.mav)
        c.link.write(packed)
        c.wait("COMMAND_ACK", command=400)
        assert c.command(400, 1) == 0
        c.link.write(packed)
        with pytest.raises(AssertionError):
            c.wait("COMMAND_ACK", 1)
    finally:
        c.close()


def test_a_mission_with_a_hole_is_refused(fly: Callable[..., Run], client: Callable[[Run], Client]) -> None:
    c = client(fly(speed=1))
    c.mav.mission_count_send(1, 1, 3, 0)
    assert c.wait("MISSION_REQUEST_INT").seq == 0
    c.mav.mission_item_int_send(1, 1, 0, 6, 16, 0, 1, 0, 0, 0, 0, 473977420, 85455940, 5, 0)
    while (answer := c.wait(["MISSION_REQUEST_INT", "MISSION_ACK"])).get_type() == "MISSION_REQUEST_INT":
        assert answer.seq == 1
        c.mav.mission_item_int_send(1, 1, 2, 6, 16, 0, 1, 0, 0, 0, 0, 473977420, 85455940, 5, 0)
        time.sleep(0.05)
    assert answer.type == common.MAV_MISSION_INVALID_SEQUENCE


def test_old_clients_with_mavlink_1_and_set_mode(fly: Callable[..., Run], client: Callable[[Run], Client]) -> None:
    c = client(fly())
    old = common.MAVLink(None, srcSystem=255, srcComponent=190)
    c.link.write(old.command_long_encode(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0).pack(old, force_mavlink1=True))
    assert c.wait("COMMAND_ACK", command=400).result == 0
    assert c.command(22, 0, 0, 0, 0, 0, 0, float("nan")) == 0
    c.wait("HEARTBEAT", custom_mode=0x03040000)  # hold, after the take-off
    c.mav.set_mode_send(1, 1, 0x06040000)  # land
    c.wait("HEARTBEAT", custom_mode=0x06040000)


def test_three_hundred_vehicles_over_two_links(fly: Callable[..., Run]) -> None:
    pytest.importorskip("mavsdk")
    from mavsdk.asyncio.plugins.action import ActionAsync
    from test_mavsdk import connected, until

    async def one_link(port: int, count: int) -> None:
        async with connected(port) as mavsdk:

            async def complete() -> bool:
                return len(await mavsdk.get_systems()) == count

            await until(complete)
            actions = [ActionAsync(s) for s in await mavsdk.get_systems()]
            await asyncio.gather(*(a.arm() for a in actions))
            await asyncio.gather(*(a.takeoff() for a in actions))

    async def both(run: Run) -> None:
        await asyncio.gather(one_link(run.ports[0], 150), one_link(run.ports[1], 150))
        await asyncio.sleep(6)

    run = fly(300, speed=1, links=2, given=["udpout:127.0.0.1:{0},vehicles=1-150", "udpout:127.0.0.1:{1},vehicles=151-300"])
    asyncio.run(both(run))
    run.end()
    assert run.replays_exactly()
    exported = subprocess.run([PROGRAM, "replay", str(run.record), "--export", "npz", str(run.record.with_suffix(".npz"))], capture_output=True, text=True)
    assert exported.returncode == 0, exported.stderr
    data = numpy.load(run.record.with_suffix(".npz"))
    assert (data["uav/position"][-1, :, 2] > 1.5).all()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--mavlink", "udp:127.0.0.1:14550"], "udpout"),
        (["--mavlink", "udpout:127.0.0.1"], "port"),
        (["--mavlink", "udpout:127.0.0.1:99999"], "port"),
        (["--mavlink", "udpin:0.0.0.0:14550"], "--mavlink-key"),
        (["--mavlink", "udpout:127.0.0.1:14550,vehicles=5"], "vehicles=1-150"),
        (["--mavlink", "udpout:127.0.0.1:14550,vehicles=1-300"], "250"),
        (["--mavlink", "udpout:127.0.0.1:14550,vehicles=1-10", "--mavlink", "udpout:127.0.0.1:14551,vehicles=5-20"], "overlap"),
        (["--mavlink", "udpout:127.0.0.1:14550,vehicle=1-3"], "vehicles="),
        (["--mavlink", "serial:/dev/none:57600"], "/dev/none"),
        (["--mavlink-key", "/nonexistent", "--mavlink", "udpout:127.0.0.1:14550"], "/nonexistent"),
        (["--mavlink-key", "/nonexistent"], "--mavlink"),
    ],
)
def test_bad_links_are_refused_with_a_suggestion(tmp_path: Path, arguments: list[str], words: str) -> None:
    scenario = tmp_path / "w.yaml"
    scenario.write_text(SCENARIO.format(count=1, duration=1))
    done = subprocess.run([PROGRAM, "run", str(scenario), "--headless", "--no-record", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and words in done.stderr, done.stderr
