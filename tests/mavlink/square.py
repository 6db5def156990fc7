# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""A square as a mission, flown through MAVLink alike by Volary's own autopilot, PX4 and ArduPilot."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from typing import Any

os.environ["MAVLINK20"] = "1"

from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mavlink

LATITUDE, LONGITUDE = 47.397742, 8.545594  # of the worlds' origin, deg
SQUEEZE = 1 - 0.00669437999014 * math.sin(math.radians(LATITUDE)) ** 2
MERIDIAN = (6378137 * (1 - 0.00669437999014)) / SQUEEZE**1.5 + 488  # m: radii of WGS 84 there, north and east
PARALLEL = (6378137 / math.sqrt(SQUEEZE) + 488) * math.cos(math.radians(LATITUDE))
HEIGHT = 10.0  # m above the start
CORNERS = [(20.0, 0.0), (20.0, 20.0), (0.0, 20.0), (0.0, 0.0)]  # m north and east of the start
ACCEPTANCE = 1.0  # m from a corner; PX4 takes 10 m where none is given, ArduPilot always its own 2 m
GUIDED = 4  # ArduPilot's number of this mode of its copter
ANYWHERE = float("nan")


@dataclass
class Told:
    """What an autopilot has told during a flight."""

    texts: list[str] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)
    reached: list[int] = field(default_factory=list)

    def failures(self) -> list[str]:
        bad = [t for t in self.texts if any(word in t.lower() for word in ("failsafe", "ekf variance", "crash", "emergency", "lost", "stale", "timeout"))]
        return bad + [f"system status {s}" for s in self.statuses if s in (mavlink.MAV_STATE_CRITICAL, mavlink.MAV_STATE_EMERGENCY)]


def connect(kind: str, instance: int, port: int = 0) -> Any:
    if kind == "ardupilot":
        return mavutil.mavlink_connection(f"tcp:127.0.0.1:{5760 + 10 * instance}", retries=600, autoreconnect=False, source_system=255, dialect="ardupilotmega")
    return mavutil.mavlink_connection(f"udpin:127.0.0.1:{port or 14540 + instance}", source_system=255, dialect="ardupilotmega")


class Pilot:
    """One vehicle, as its ground station sees it. `patience` is in seconds of the wall."""

    acceptance = ACCEPTANCE

    def __init__(self, kind: str, instance: int = 0, *, port: int = 0, offset: tuple[float, float] = (0, 0), patience: float = 300) -> None:
        self.kind, self.system = kind, instance + 1
        self.offset = offset  # of its start from the origin: m north and east
        self.link = connect(kind, instance, port)
        self.told = Told()
        self.is_armed = False
        self.mode = -1
        self.position: Any = None  # LOCAL_POSITION_NED
        self.last_heartbeat = 0.0
        self.end = time.monotonic() + patience

    def close(self) -> None:
        self.link.close()

    # ------------------------------------------------------------ messages

    def hear(self, seconds: float = 0.2) -> Any:
        """The next message of the vehicle, or None; what it tells is kept."""
        now = time.monotonic()
        assert now < self.end, f"no time is left; told: {self.told.texts[-20:]}"
        if now - self.last_heartbeat > 0.1:  # simulated time may be many times as fast
            self.last_heartbeat = now
            self.link.mav.heartbeat_send(mavlink.MAV_TYPE_GCS, mavlink.MAV_AUTOPILOT_INVALID, 0, 0, mavlink.MAV_STATE_ACTIVE)
        message = self.link.recv_match(blocking=seconds > 0, timeout=seconds)
        if message is None or message.get_srcSystem() != self.system or message.get_srcComponent() != 1:
            return None
        kind = message.get_type()
        if kind == "HEARTBEAT":
            self.is_armed = bool(message.base_mode & mavlink.MAV_MODE_FLAG_SAFETY_ARMED)
            self.told.statuses.add(message.system_status)
            if message.custom_mode != self.mode:
                self.mode = message.custom_mode
                self.told.modes.append(self.mode)
        elif kind == "STATUSTEXT":
            self.told.texts.append(message.text)
        elif kind == "MISSION_ITEM_REACHED":
            self.told.reached.append(message.seq)
        elif kind == "LOCAL_POSITION_NED":
            self.position = message
        return message

    def wait(self, kind: str, seconds: float = 5, **fields: Any) -> Any:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.hear()
            if message is not None and message.get_type() == kind and all(getattr(message, k) == v for k, v in fields.items()):
                return message
        return None

    def command(self, number: int, *params: float) -> int:
        """The result of a command; -1: no answer."""
        values = list(params) + [0.0] * (7 - len(params))
        for confirmation in range(5):
            self.link.mav.command_long_send(self.system, 1, number, confirmation, *values)
            if (answer := self.wait("COMMAND_ACK", 2 + 2 * confirmation, command=number)) is not None:
                return int(answer.result)
        return -1

    # ------------------------------------------------------------ the mission

    def place(self, north: float, east: float) -> tuple[float, float]:
        """Latitude and longitude of a place, in metres from the start."""
        north, east = north + self.offset[0], east + self.offset[1]
        return LATITUDE + math.degrees(north / MERIDIAN), LONGITUDE + math.degrees(east / PARALLEL)

    def plan(self) -> list[tuple[int, float, float, float]]:
        """Command, latitude, longitude, height."""
        start = self.place(0, 0)
        corners = [(mavlink.MAV_CMD_NAV_WAYPOINT, *self.place(*corner), HEIGHT) for corner in CORNERS]
        return [(mavlink.MAV_CMD_NAV_TAKEOFF, *start, HEIGHT), *corners, (mavlink.MAV_CMD_NAV_LAND, *start, 0.0)]

    def items(self) -> list[tuple[int, float, float, float]]:
        # the first item of ArduPilot is its home, whatever is sent
        home = [(mavlink.MAV_CMD_NAV_WAYPOINT, *self.place(0, 0), 0.0)]
        return [*home, *self.plan()] if self.kind == "ardupilot" else self.plan()

    def upload(self) -> None:
        plan = self.items()
        while True:  # until hear() has no time left: many autopilots on few cores are slow
            while self.hear(0) is not None:
                pass  # what belongs to an attempt before
            self.link.mav.mission_count_send(self.system, 1, len(plan), mavlink.MAV_MISSION_TYPE_MISSION)
            if self.send_items(plan):
                return

    def send_items(self, plan: list[tuple[int, float, float, float]]) -> bool:
        sent = -1
        while (message := self.wait_for_any("MISSION_REQUEST", "MISSION_REQUEST_INT", "MISSION_ACK")) is not None:
            if message.get_type() == "MISSION_ACK":
                return bool(message.type == mavlink.MAV_MISSION_ACCEPTED)
            if message.seq < sent:
                continue  # asked for again before the answer came
            sent = message.seq
            number, latitude, longitude, height = plan[sent]
            yaw = ANYWHERE if self.kind != "ardupilot" else 0.0
            accepted = self.acceptance if number == mavlink.MAV_CMD_NAV_WAYPOINT else 0.0
            self.link.mav.mission_item_int_send(self.system, 1, sent, mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, number, 0, 1, 0.0, accepted, 0.0, yaw,
                                                round(latitude * 1e7), round(longitude * 1e7), height, mavlink.MAV_MISSION_TYPE_MISSION)
        return False

    def wait_for_any(self, *kinds: str) -> Any:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            message = self.hear()
            if message is not None and message.get_type() in kinds:
                return message
        return None

    # ------------------------------------------------------------ a flight

    def arm(self) -> None:
        while self.mode < 0:
            self.hear()
        if self.kind == "ardupilot":
            self.link.mav.request_data_stream_send(self.system, 1, mavlink.MAV_DATA_STREAM_ALL, 4, 1)
        while not self.is_armed:
            if self.kind == "ardupilot" and self.mode != GUIDED:
                self.command(mavlink.MAV_CMD_DO_SET_MODE, mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, GUIDED)
            self.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1)
            self.wait("HEARTBEAT", 1.5)
        self.told = Told(modes=[self.mode])  # what was said before is about booting

    def start(self) -> None:
        if self.kind != "ardupilot":
            # AUTO.MISSION of PX4
            reply = self.command(mavlink.MAV_CMD_DO_SET_MODE, mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, 4, 4)
            assert reply == 0, f"mission mode: {reply}; told: {self.told.texts[-5:]}"
        reply = self.command(mavlink.MAV_CMD_MISSION_START, 0, 0)
        assert reply == 0, f"mission start: {reply}; told: {self.told.texts[-5:]}"

    def is_landed(self) -> bool:
        return not self.is_armed

    def fly_square(self) -> None:
        self.fly_mission()

    def fly_mission(self) -> None:
        self.upload()
        self.arm()
        self.start()
        while not self.is_landed():
            self.hear()
