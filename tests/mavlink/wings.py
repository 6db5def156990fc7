# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Missions of aircraft, flown through MAVLink by PX4 and ArduPilot."""

from __future__ import annotations

from pymavlink.dialects.v20 import ardupilotmega as mavlink

from square import Pilot

Item = tuple[int, float, float, float]  # command, latitude, longitude, height


class Quadplane(Pilot):
    """Takes off vertically, flies a rectangle on its wing and lands vertically where it began."""

    acceptance = 0.0  # that of the autopilot
    height = 40.0  # m above the start
    corners = [(0.0, 400.0), (300.0, 400.0), (300.0, 0.0)]  # m north and east of the start

    def plan(self) -> list[Item]:
        start = self.place(0, 0)
        corners = [(mavlink.MAV_CMD_NAV_WAYPOINT, *self.place(*corner), self.height) for corner in self.corners]
        return [(mavlink.MAV_CMD_NAV_VTOL_TAKEOFF, *start, self.height), *corners, (mavlink.MAV_CMD_NAV_VTOL_LAND, *start, 0.0)]


class Wing(Pilot):
    """Takes off from a runway towards the east, flies a rectangle and lands in the same direction."""

    acceptance = 0.0
    height = 40.0  # m above the start
    corners = [(0.0, 500.0), (300.0, 500.0), (300.0, -500.0)]  # m north and east of the start
    approach = (0.0, -450.0, 40.0)  # and up: a descent of 5 degrees

    def plan(self) -> list[Item]:
        corners = [(mavlink.MAV_CMD_NAV_WAYPOINT, *self.place(*corner), self.height) for corner in self.corners]
        north, east, height = self.approach
        take_off = (mavlink.MAV_CMD_NAV_TAKEOFF, *self.place(0, 300), self.height)
        return [take_off, *corners, (mavlink.MAV_CMD_NAV_WAYPOINT, *self.place(north, east), height), (mavlink.MAV_CMD_NAV_LAND, *self.place(0, 0), 0.0)]
