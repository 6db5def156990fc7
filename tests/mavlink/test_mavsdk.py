# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Vehicles of a world flown by MAVSDK as it comes from PyPI, each call of it by name."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mavsdk")

from mavsdk.asyncio import ComponentType, Configuration, Mavsdk, System
from mavsdk.asyncio.plugins.action import ActionAsync, ActionError
from mavsdk.asyncio.plugins.geofence import Circle, FenceType, GeofenceAsync, GeofenceData, Point, Polygon
from mavsdk.asyncio.plugins.info import InfoAsync
from mavsdk.asyncio.plugins.manual_control import ManualControlAsync
from mavsdk.asyncio.plugins.mission import MissionAsync, MissionItem, MissionPlan
from mavsdk.asyncio.plugins.offboard import (
    AccelerationNed,
    Attitude,
    AttitudeRate,
    OffboardAsync,
    OffboardError,
    PositionGlobalYaw,
    PositionNedYaw,
    VelocityBodyYawspeed,
    VelocityNedYaw,
)
from mavsdk.asyncio.plugins.param import ParamAsync
from mavsdk.asyncio.plugins.telemetry import FlightMode, LandedState, TelemetryAsync

from conftest import Run

METRE = 1 / 111_111  # deg of latitude


class Vehicle:
    def __init__(self, system: System) -> None:
        self.system = system
        self.action = ActionAsync(system)
        self.telemetry = TelemetryAsync(system)
        self.offboard = OffboardAsync(system)
        self.param = ParamAsync(system)
        self.mission = MissionAsync(system)
        self.geofence = GeofenceAsync(system)
        self.manual = ManualControlAsync(system)
        self.info = InfoAsync(system)

    async def ready(self) -> None:
        await until(self.telemetry.health_all_ok)

    async def take_off(self, height: float) -> None:
        await self.ready()
        await self.action.set_takeoff_altitude(height)
        await self.action.arm()
        await self.action.takeoff()
        await self.climbed_to(height)

    async def climbed_to(self, height: float) -> None:
        async def is_there() -> bool:
            position = await self.telemetry.position()
            mode = await self.telemetry.flight_mode()
            return abs(position.relative_altitude_m - height) < 0.5 and mode == FlightMode.HOLD

        await until(is_there)

    async def ned(self) -> tuple[float, float, float]:
        p = (await self.telemetry.position_velocity_ned()).position
        return p.north_m, p.east_m, p.down_m

    async def comes_to(self, north: float, east: float, down: float, within: float = 0.5) -> None:
        async def is_there() -> bool:
            return math.dist(await self.ned(), (north, east, down)) < within

        await until(is_there)

    async def landed(self) -> None:
        async def is_down() -> bool:
            return not await self.telemetry.armed() and await self.telemetry.landed_state() == LandedState.ON_GROUND

        await until(is_down)


async def until(condition: Callable[[], Awaitable[Any]], seconds: float = 60) -> None:
    async def wait() -> None:
        while not await condition():
            await asyncio.sleep(0.02)

    await asyncio.wait_for(wait(), seconds)


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Mavsdk]:
    configuration = Configuration.create_with_component_type(ComponentType.GROUND_STATION)
    async with Mavsdk(configuration) as mavsdk:
        await mavsdk.add_any_connection(f"udpin://127.0.0.1:{port}")
        yield mavsdk


async def with_vehicle(run: Run, flight: Callable[[Vehicle], Awaitable[None]]) -> None:
    async with connected(run.port) as mavsdk:
        system = await mavsdk.first_autopilot(timeout_s=20)
        assert system is not None, run.output()
        await flight(Vehicle(system))


def flown(run: Run, flight: Callable[[Vehicle], Awaitable[None]]) -> None:
    asyncio.run(with_vehicle(run, flight))
    run.end()
    assert run.replays_exactly()


def test_takes_off_goes_to_a_place_returns_and_lands(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.take_off(5)
        home = await v.telemetry.position()
        await v.action.goto_location(home.latitude_deg + 20 * METRE, home.longitude_deg, home.absolute_altitude_m + 3, 90)
        await v.comes_to(20, 0, -8)
        await v.action.hold()
        await v.action.set_return_to_launch_altitude(12)
        assert await v.action.get_return_to_launch_altitude() == 12
        await v.action.return_to_launch()
        await v.comes_to(20, 0, -12, within=1)
        await v.landed()
        assert math.dist(await v.ned(), (0, 0, 0)) < 0.6

    flown(fly(), flight)


def test_arming_take_off_and_landing_are_refused_where_they_make_no_sense(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.ready()
        with pytest.raises(ActionError):
            await v.action.takeoff()  # not armed
        await v.action.arm()
        await until(v.telemetry.armed)
        await v.action.disarm()

        async def disarmed() -> bool:
            return not await v.telemetry.armed()

        await until(disarmed)
        await v.take_off(4)
        with pytest.raises(ActionError):
            await v.action.disarm()  # in the air
        with pytest.raises(ActionError):
            await v.action.takeoff()  # flies already
        await v.action.land()
        await v.landed()
        await v.action.arm()  # and again
        await v.action.kill()
        await until(disarmed)

    flown(fly(), flight)


def test_parameters_are_read_listed_and_set(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        assert await v.param.get_param_float("MIS_TAKEOFF_ALT") == 2.5
        await v.param.set_param_float("MPC_XY_CRUISE", 3.5)
        assert await v.param.get_param_float("MPC_XY_CRUISE") == 3.5
        await v.param.set_param_int("GF_ACTION", 3)
        assert await v.param.get_param_int("GF_ACTION") == 3
        everything = await v.param.get_all_params()
        names = [p.name for p in everything.float_params] + [p.name for p in everything.int_params]
        assert len(names) == len(set(names)) > 20 and "RTL_RETURN_ALT" in names
        with pytest.raises(Exception):
            await v.param.set_param_int("MAV_SYS_ID", 9)  # cannot be changed
        with pytest.raises(Exception):
            await v.param.get_param_float("NO_SUCH_THING")

    flown(fly(), flight)


def square(latitude: float, longitude: float, height: float, side: float) -> list[MissionItem]:
    corners = [(side, 0.0), (side, side), (0.0, side), (0.0, 0.0)]
    east = METRE / math.cos(math.radians(latitude))
    return [
        MissionItem(
            latitude_deg=latitude + north * METRE, longitude_deg=longitude + right * east, relative_altitude_m=height, speed_m_s=6, is_fly_through=True,
            acceptance_radius_m=1, loiter_time_s=0, gimbal_pitch_deg=0, gimbal_yaw_deg=0,
        )
        for north, right in corners
    ]


def test_a_mission_goes_up_comes_down_equal_and_is_flown(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.ready()
        home = await v.telemetry.home()
        items = square(home.latitude_deg, home.longitude_deg, 6, 25)
        await v.mission.set_return_to_launch_after_mission(True)
        await v.mission.upload_mission(MissionPlan(mission_items=items))
        back = await v.mission.download_mission()
        assert len(back.mission_items) == len(items)
        for up, down in zip(items, back.mission_items):
            assert abs(up.latitude_deg - down.latitude_deg) < 1e-6 and abs(up.longitude_deg - down.longitude_deg) < 1e-6
            assert up.relative_altitude_m == down.relative_altitude_m and up.speed_m_s == down.speed_m_s and up.is_fly_through == down.is_fly_through
        await v.action.arm()
        await v.mission.start_mission()
        places: list[tuple[float, float, float]] = []
        async for progress in v.mission.subscribe_mission_progress():
            places.append(await v.ned())
            if progress.current == progress.total:
                break
        assert await v.mission.is_mission_finished()
        for corner in [(25, 0), (25, 25), (0, 25)]:
            assert min(math.dist(p[:2], corner) for p in places) < 4
        await v.landed()

    flown(fly(), flight)


def test_a_mission_is_paused_and_goes_on_at_a_chosen_item(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.ready()
        home = await v.telemetry.home()
        await v.mission.upload_mission(MissionPlan(mission_items=square(home.latitude_deg, home.longitude_deg, 5, 30)))
        await v.action.arm()
        await v.mission.start_mission()
        await v.comes_to(10, 0, -5, within=5)
        await v.mission.pause_mission()

        async def holds() -> bool:
            return await v.telemetry.flight_mode() == FlightMode.HOLD

        await until(holds)
        await v.mission.set_current_mission_item(3)
        await v.mission.start_mission()
        await v.comes_to(0, 0, -5, within=2)
        await v.mission.clear_mission()
        assert (await v.mission.download_mission()).mission_items == []

    flown(fly(), flight)


def test_offboard_positions_velocities_attitudes_and_rates(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.take_off(5)
        with pytest.raises(OffboardError):
            await v.offboard.start()  # no setpoint yet
        await v.offboard.set_position_ned(PositionNedYaw(10, 5, -7, 90))
        await v.offboard.start()
        assert await v.telemetry.flight_mode() == FlightMode.OFFBOARD or await v.offboard.is_active()
        await v.comes_to(10, 5, -7)

        async def looks_east() -> bool:
            return abs((await v.telemetry.attitude_euler()).yaw_deg - 90) < 5

        await until(looks_east)
        await v.offboard.set_velocity_ned(VelocityNedYaw(-2, 0, 0, 90))

        async def goes_south() -> bool:
            return abs((await v.telemetry.position_velocity_ned()).velocity.north_m_s + 2) < 0.3

        await until(goes_south)
        await v.offboard.set_velocity_body(VelocityBodyYawspeed(1.5, 0, 0, 0))  # forwards is east

        async def goes_east() -> bool:
            velocity = (await v.telemetry.position_velocity_ned()).velocity
            return abs(velocity.east_m_s - 1.5) < 0.3 and abs(velocity.north_m_s) < 0.3

        await until(goes_east)
        await v.offboard.set_acceleration_ned(AccelerationNed(0, 0, 0))
        await v.offboard.set_position_ned(PositionNedYaw(0, 0, -20, 0))
        await v.comes_to(0, 0, -20)
        await v.offboard.set_attitude(Attitude(0, -10, 0, 0.6))

        async def pitches() -> bool:
            return abs((await v.telemetry.attitude_euler()).pitch_deg + 10) < 2

        await until(pitches)
        await v.offboard.set_attitude_rate(AttitudeRate(0, 0, 40, 0.6))

        async def turns() -> bool:
            return abs((await v.telemetry.attitude_angular_velocity_body()).yaw_rad_s - math.radians(40)) < 0.1

        await until(turns)
        await v.offboard.set_position_ned(PositionNedYaw(0, 0, -5, 0))
        await v.comes_to(0, 0, -5)
        await v.offboard.stop()

        async def holds() -> bool:
            return await v.telemetry.flight_mode() == FlightMode.HOLD

        await until(holds)

    flown(fly(speed=4), flight)


def test_a_breach_of_the_geofence_sends_it_home(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.ready()
        home = await v.telemetry.home()
        east = METRE / math.cos(math.radians(home.latitude_deg))
        corners = [Point(home.latitude_deg + n * METRE, home.longitude_deg + e * east) for n, e in [(-30, -30), (30, -30), (30, 30), (-30, 30)]]
        fence = GeofenceData([Polygon(corners, FenceType.INCLUSION)], [Circle(Point(home.latitude_deg, home.longitude_deg), 40, FenceType.INCLUSION)])
        await v.geofence.upload_geofence(fence)
        back = await v.geofence.download_geofence()
        assert len(back.polygons) == 1 and len(back.polygons[0].points) == 4 and back.circles[0].radius == 40
        await v.param.set_param_int("GF_ACTION", 3)
        await v.param.set_param_float("RTL_RETURN_ALT", 6)
        await v.take_off(5)
        texts: list[str] = []

        async def listen() -> None:
            async for text in v.telemetry.subscribe_status_text():
                texts.append(text.text)

        listener = asyncio.create_task(listen())
        position = await v.telemetry.position()
        await v.action.goto_location(home.latitude_deg + 50 * METRE, home.longitude_deg, position.absolute_altitude_m, 0)

        async def returns() -> bool:
            return await v.telemetry.flight_mode() == FlightMode.RETURN_TO_LAUNCH

        await until(returns)
        assert 29 < (await v.ned())[0] < 40
        await v.landed()
        assert any("Geofence" in text for text in texts)
        await v.geofence.clear_geofence()
        listener.cancel()

    flown(fly(), flight)


def test_sticks_fly_it_in_position_mode(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.take_off(5)
        stop = asyncio.Event()
        sticks = [0.0, 0.0, 0.5, 0.0]

        async def move() -> None:
            while not stop.is_set():
                await v.manual.set_manual_control_input(*sticks)
                await asyncio.sleep(0.02)

        await v.manual.set_manual_control_input(*sticks)
        mover = asyncio.create_task(move())
        await v.manual.start_position_control()

        async def in_position_mode() -> bool:
            return await v.telemetry.flight_mode() == FlightMode.POSCTL

        await until(in_position_mode)
        before = await v.ned()
        heading = math.radians((await v.telemetry.attitude_euler()).yaw_deg)
        sticks[0] = 0.8

        async def went_forwards() -> bool:
            north, east, _ = await v.ned()
            return (north - before[0]) * math.cos(heading) + (east - before[1]) * math.sin(heading) > 5

        await until(went_forwards)
        sticks[0] = 0.0

        async def stands() -> bool:
            velocity = (await v.telemetry.position_velocity_ned()).velocity
            return abs(velocity.north_m_s) + abs(velocity.east_m_s) < 0.2

        await until(stands)
        stop.set()
        await mover
        await v.action.land()
        await v.landed()

    flown(fly(), flight)


def test_speed_home_and_the_end_of_a_flight(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.take_off(8)
        origin = await v.telemetry.get_gps_global_origin()
        position = await v.telemetry.position()
        assert abs(origin.latitude_deg - position.latitude_deg) < 1e-5 and abs(origin.altitude_m + 8 - position.absolute_altitude_m) < 0.6
        assert (await v.telemetry.battery()).remaining_percent == -1  # not known: there is no model of it
        await v.action.goto_location(position.latitude_deg + 60 * METRE, position.longitude_deg, position.absolute_altitude_m, 0)
        await v.action.set_current_speed(2)

        async def goes_slowly() -> bool:
            return abs((await v.telemetry.position_velocity_ned()).velocity.north_m_s - 2) < 0.3

        await until(goes_slowly)
        await v.offboard.set_position_global(PositionGlobalYaw(position.latitude_deg, position.longitude_deg, 6, 0, PositionGlobalYaw.AltitudeType.REL_HOME))
        await v.offboard.start()
        await v.comes_to(0, 0, -6)
        await v.action.set_home(False, position.latitude_deg + 10 * METRE, position.longitude_deg, origin.altitude_m)

        async def home_moved() -> bool:
            return abs((await v.telemetry.home()).latitude_deg - position.latitude_deg - 10 * METRE) < 1e-6

        await until(home_moved)
        await v.action.terminate()

        async def fell() -> bool:
            return not await v.telemetry.armed() and (await v.telemetry.position()).relative_altitude_m < 1

        await until(fell)

    flown(fly(speed=4), flight)


def test_telemetry_comes_at_the_rates_that_were_asked_for(fly: Callable[..., Run]) -> None:
    async def flight(v: Vehicle) -> None:
        await v.ready()
        await v.telemetry.set_rate_attitude_euler(50)
        await v.telemetry.set_rate_odometry(20)
        times: list[int] = []
        async for angle in v.telemetry.subscribe_attitude_euler():
            times.append(angle.timestamp_us)
            if len(times) > 60:
                break
        gaps = [b - a for a, b in zip(times[10:], times[11:])]
        assert sorted(gaps)[len(gaps) // 2] == 20_000  # us of simulated time
        odometry = await v.telemetry.odometry()
        assert abs(odometry.position_body.z_m) < 1
        version = await v.info.get_version()
        assert version.flight_sw_major == 1
        assert (await v.telemetry.gps_info()).num_satellites >= 10

    flown(fly(speed=1), flight)


def test_twenty_vehicles_fly_at_once(fly: Callable[..., Run]) -> None:
    async def all_of_them(run: Run) -> None:
        async with connected(run.port) as mavsdk:

            async def complete() -> bool:
                return len(await mavsdk.get_systems()) == 20

            await until(complete)
            vehicles = [Vehicle(s) for s in await mavsdk.get_systems()]
            await asyncio.gather(*(v.take_off(4 + 0.2 * k) for k, v in enumerate(vehicles)))
            await asyncio.gather(*(v.action.land() for v in vehicles))
            await asyncio.gather(*(v.landed() for v in vehicles))

    run = fly(20, speed=2)
    asyncio.run(all_of_them(run))
    run.end()
    assert run.replays_exactly()
