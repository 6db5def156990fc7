// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The wires of PX4 and ArduPilot, without sockets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "autopilot/lockstep/ardupilot_protocol.hpp"
#include "autopilot/lockstep/launch.hpp"
#include "autopilot/lockstep/px4_protocol.hpp"
#include "scenario/airframe.hpp"
#include "scenario/autopilot_file.hpp"

namespace volary::autopilot {
namespace {

Measured something() {
  Measured m;
  m.specific_force_F = {0.1, 0.2, -9.8};
  m.rate_F = {0.01, 0.02, 0.03};
  m.magnetic_F = {0.215, 0.008, 0.427};
  m.pressure = 95600, m.dynamic_pressure = 120.05, m.temperature = 285.15, m.pressure_height = 488;
  m.place = {47.397742, 8.545594, 488.123};
  m.velocity_N = m.true_velocity_N = {0, -3, 1};
  m.horizontal_accuracy = 0.3, m.vertical_accuracy = 0.4, m.satellites = 12;
  m.position_N = {1, 2, -3};
  return m;
}

// ---------------------------------------------------------------- PX4

std::vector<mavlink::Frame> frames_of(const mavlink::Bytes& bytes) {
  std::vector<mavlink::Frame> list;
  mavlink::Parser().feed(bytes, [&](const mavlink::Frame& f) { list.push_back(f); });
  return list;
}
void answer(Px4Protocol& p, std::uint64_t time, std::uint8_t mode = 129, std::uint64_t flags = 1, float control = 0.5f) {
  mavlink::HilActuatorControls m;
  m.time_usec = time, m.mode = mode, m.flags = flags;
  m.controls[0] = control, m.controls[1] = -0.5f, m.controls[2] = 2.0f, m.controls[3] = std::numeric_limits<float>::quiet_NaN(), m.controls[15] = -2.0f;
  mavlink::Bytes bytes;
  mavlink::Writer(1, 1).append(m, bytes);
  p.received(bytes);
}

TEST(px4_protocol, units_of_sensors_are_gauss_hectopascals_and_degrees) {
  Measured all = something();
  all.has_magnetic = all.has_pressure = all.has_dynamic_pressure = true;
  const mavlink::HilSensor s = sensor_message(all, 1'000'000);
  EXPECT_EQ(s.time_usec, 1'000'000u);
  EXPECT_FLOAT_EQ(s.zacc, -9.8f);
  EXPECT_FLOAT_EQ(s.ygyro, 0.02f);
  EXPECT_FLOAT_EQ(s.zmag, 0.427f);
  EXPECT_FLOAT_EQ(s.abs_pressure, 956);
  EXPECT_FLOAT_EQ(s.diff_pressure, 1.2005f);
  EXPECT_NEAR(s.temperature, 12, 1e-4);
  EXPECT_EQ(s.fields_updated, 0x1fffu);
  EXPECT_EQ(sensor_message(something(), 1).fields_updated, 0x3fu) << "the inertial ones alone";
  EXPECT_EQ(s.id, 0);
}

TEST(px4_protocol, satellite_navigation_has_centimetres_and_a_course_when_it_moves) {
  const mavlink::HilGps g = gps_message(something(), 5);
  EXPECT_EQ(g.lat, 473977420);
  EXPECT_EQ(g.lon, 85455940);
  EXPECT_EQ(g.alt, 488123);
  EXPECT_LE(g.eph, 300);
  EXPECT_LE(g.epv, 500);
  EXPECT_EQ(g.ve, -300);
  EXPECT_EQ(g.vd, 100);
  EXPECT_EQ(g.vel, 300);
  EXPECT_EQ(g.cog, 27000) << "west";
  EXPECT_EQ(g.fix_type, 3);
  EXPECT_GE(g.satellites_visible, 10);
  Measured still = something();
  still.velocity_N = {0, 0, 0};
  EXPECT_EQ(gps_message(still, 5).cog, 65535);
}

TEST(px4_protocol, each_sensor_is_told_when_it_has_said_something_and_the_clock_comes_last) {
  Px4Protocol p;
  const auto told = [&](const Measured& m, std::uint64_t time) {
    p.feed(m, time);
    mavlink::Bytes bytes;
    p.take_sends(bytes);
    return frames_of(bytes);
  };
  EXPECT_EQ(told(something(), 1'000'000).size(), 1u);
  Measured m = something();
  m.has_place = m.has_pressure = m.has_distance = true;
  m.distance = 3.21, m.least_distance = 0.05, m.greatest_distance = 8;
  const auto frames = told(m, 1'004'000);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0].id, mavlink::HilGps::kId);
  const auto below = mavlink::decode<mavlink::DistanceSensor>(frames[1]);
  EXPECT_EQ(below.current_distance, 321);
  EXPECT_EQ(below.min_distance, 5);
  EXPECT_EQ(below.max_distance, 800);
  EXPECT_EQ(below.orientation, 25) << "down";
  const auto s = mavlink::decode<mavlink::HilSensor>(frames[2]);
  EXPECT_EQ(s.fields_updated, 0x3fu | 0x1a00u) << "the barometer and no magnetometer";
}

TEST(px4_protocol, it_boots_until_its_first_answer_and_is_then_in_step) {
  Px4Protocol p;
  p.feed(something(), 1'000'000);
  EXPECT_TRUE(p.is_booting());
  p.feed(something(), 1'004'000);
  answer(p, 1'000'000);
  EXPECT_FALSE(p.is_booting());
  EXPECT_FALSE(p.has_answered()) << "to an earlier moment";
  answer(p, 1'004'000);
  EXPECT_TRUE(p.has_answered());
  const Command c = p.command();
  EXPECT_TRUE(c.armed);
  EXPECT_FLOAT_EQ(static_cast<float>(c.output[0]), 0.5f);
  EXPECT_EQ(c.output[1], -0.5) << "as a servo has it";
  EXPECT_EQ(c.output[2], 1);
  EXPECT_EQ(c.output[3], 0) << "not a number";
  EXPECT_EQ(c.output[15], -1);
  p.feed(something(), 1'008'000);
  EXPECT_FALSE(p.has_answered());
  answer(p, 1'008'000, 1);
  EXPECT_FALSE(p.command().armed);
  EXPECT_TRUE(p.fault().empty());
}

TEST(px4_protocol, a_build_without_lock_step_is_refused) {
  Px4Protocol p;
  p.feed(something(), 1'000'000);
  answer(p, 1'000'000, 129, 0);
  EXPECT_FALSE(p.fault().empty());
}

// ---------------------------------------------------------------- ArduPilot

mavlink::Bytes packet(std::uint32_t frame, std::uint16_t pwm, std::uint16_t magic = 18458, std::size_t channels = 16) {
  mavlink::Bytes b(8 + 2 * channels);
  mavlink::codec::store(magic, b.data());
  mavlink::codec::store<std::uint16_t>(1200, b.data() + 2);
  mavlink::codec::store(frame, b.data() + 4);
  for (std::size_t k = 0; k < channels; ++k) mavlink::codec::store(pwm, b.data() + 8 + 2 * k);
  return b;
}
std::string sends_of(Protocol& p) {
  mavlink::Bytes b;
  p.take_sends(b);
  return std::string(reinterpret_cast<const char*>(b.data()), b.size());
}

TEST(ardupilot_protocol, packets_have_16_or_32_channels_and_nothing_else_is_one) {
  const auto p = read_servo_packet(packet(7, 1500));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->frame_count, 7u);
  EXPECT_EQ(p->frame_rate, 1200);
  EXPECT_EQ(p->pwm[15], 1500);
  EXPECT_TRUE(read_servo_packet(packet(7, 1500, 29569, 32)));
  EXPECT_FALSE(read_servo_packet(packet(7, 1500, 29569, 16)));
  EXPECT_FALSE(read_servo_packet(packet(7, 1500, 1, 16)));
  EXPECT_FALSE(read_servo_packet({}));
}

TEST(ardupilot_protocol, the_text_has_its_keys_in_order_between_newlines_and_no_blanks) {
  const std::string t = motion_json(something(), 2'500'000);
  EXPECT_EQ(t,
            "\n{\"timestamp\":2.500000,\"imu\":{\"gyro\":[0.01,0.02,0.03],\"accel_body\":[0.1,0.2,-9.8]},\"position\":[1,2,-3],\"quaternion\":[1,0,0,0],"
            "\"velocity\":[0,-3,1],\"airspeed\":14}\n");
}

TEST(ardupilot_protocol, each_tick_is_one_question_and_its_answer) {
  ArdupilotProtocol p({.servos = {}, .arming = 0b1111});
  p.feed(something(), 1'000'000);
  EXPECT_EQ(sends_of(p), "") << "nobody has asked";
  p.received(packet(0, 0));
  EXPECT_FALSE(p.has_answered());
  EXPECT_NE(sends_of(p), "");
  EXPECT_EQ(sends_of(p), "");
  p.received(packet(1, 1000));
  EXPECT_TRUE(p.has_answered());
  EXPECT_FALSE(p.command().armed);
  EXPECT_EQ(sends_of(p), "") << "the answer is the next tick";
  for (int k = 0; k < 3; ++k) p.received(packet(1, 1000));  // the run is paused
  EXPECT_EQ(sends_of(p), "");
  p.feed(something(), 1'002'000);
  EXPECT_NE(sends_of(p).find("1.002"), std::string::npos);
  EXPECT_EQ(sends_of(p), "");
  p.received(packet(1, 1000));  // again, after a second without an answer
  EXPECT_FALSE(p.has_answered());
  EXPECT_NE(sends_of(p).find("1.002"), std::string::npos);
  p.received(packet(2, 1500));
  EXPECT_TRUE(p.has_answered());
  EXPECT_TRUE(p.command().armed);
  EXPECT_DOUBLE_EQ(p.command().output[3], 0.5);
  p.received(packet(0, 0));
  EXPECT_FALSE(p.fault().empty()) << "it has started anew";
}

// ---------------------------------------------------------------- outputs

Airframe iris() { return scenario::load_airframe("assets/vehicles/px4_iris.yaml").value(); }
AutopilotDef def_of(AutopilotKind kind, std::vector<AutopilotParameter> parameters = {}, std::vector<int> motors = {}) {
  return {kind, std::move(parameters), 10016, std::move(motors)};
}
double thrust(double speed) { return 6.0784e-6 * speed * speed; }

TEST(outputs, px4_commands_thrust_and_half_of_it_hovers) {
  const ActuatorMap map(iris(), def_of(AutopilotKind::Px4));
  EXPECT_EQ(map.size(), 4u);
  EXPECT_EQ(map.speed(0, 0), 0);
  EXPECT_EQ(map.speed(0, -1), 0) << "motors turn one way";
  EXPECT_EQ(map.speed(0, 1), 1100);
  EXPECT_NEAR(4 * thrust(map.speed(0, 0.5)), 1.5 * 9.80665, 0.005);
}

TEST(outputs, thrust_curves_follow_the_parameters_of_the_autopilot) {
  const double full = thrust(1100);
  EXPECT_NEAR(thrust(ActuatorMap(iris(), def_of(AutopilotKind::Px4, {{"THR_MDL_FAC", 1}})).speed(0, 0.5)), 0.25 * full, 0.001);
  EXPECT_NEAR(thrust(ActuatorMap(iris(), def_of(AutopilotKind::Ardupilot)).speed(0, 0.5)), (0.35 * 0.5 + 0.65 * 0.25) * full, 0.001);
}

TEST(outputs, pwm_is_an_output_between_1000_and_2000_and_zero_before_the_first) {
  EXPECT_EQ(output_from_pwm(0), 0);
  EXPECT_EQ(output_from_pwm(1000), 0);
  EXPECT_DOUBLE_EQ(output_from_pwm(1250), 0.25);
  EXPECT_EQ(output_from_pwm(2100), 1);
  EXPECT_EQ(deflection_from_pwm(0), 0);
  EXPECT_EQ(deflection_from_pwm(1000), -1);
  EXPECT_EQ(deflection_from_pwm(1500), 0);
  EXPECT_DOUBLE_EQ(deflection_from_pwm(1750), 0.5);
  EXPECT_EQ(deflection_from_pwm(2200), 1);
}

TEST(outputs, motors_are_reordered_and_rest_while_disarmed) {
  const ActuatorMap map(iris(), def_of(AutopilotKind::Px4, {}, {3, 2, 1, 0}));
  Command c{true, {1, 0, 0, 0.25}};
  EXPECT_EQ(map.setpoints(c)[3], 1100);
  EXPECT_EQ(map.setpoints(c)[0], 550);
  c.armed = false;
  EXPECT_EQ(map.setpoints(c), (std::array<double, kMostActuators>{}));
}

// ---------------------------------------------------------------- outputs of aircraft

Airframe aircraft(const std::string& name) { return scenario::load_airframe("assets/vehicles/" + name + ".yaml").value(); }
AutopilotDef def_of_aircraft(AutopilotKind kind, std::size_t rotors) {
  AutopilotDef def = def_of(kind);
  def.outputs = scenario::default_outputs(kind, rotors);
  return def;
}

TEST(outputs, px4_drives_a_quadplane_by_outputs_1_to_5_7_and_8) {
  const ActuatorMap map(aircraft("quadplane"), def_of_aircraft(AutopilotKind::Px4, 5));
  EXPECT_EQ(map.size(), 8u);
  const auto s = map.setpoints({true, {0, 0.25, 0.5, 1, 0.25, 9, 0.5, 1}});
  EXPECT_EQ(s[0], 0);
  EXPECT_EQ(s[1], 350) << "a quarter of the thrust is half of the speed";
  EXPECT_NEAR(s[2], 700 * std::sqrt(0.5), 0.01);
  EXPECT_EQ(s[3], 700);
  EXPECT_EQ(s[4], 475) << "the rotor that pushes turns faster than those that lift";
  EXPECT_NEAR(s[5], 0.22, 2e-4) << "half of the travel rolls right";
  EXPECT_NEAR(s[6], -0.44, 2e-4) << "nose up is elevator up, which counts negative";
  EXPECT_EQ(s[7], 0) << "no output drives the rudder";
}

TEST(outputs, a_surface_goes_the_way_that_rolls_right_pitches_up_and_yaws_right) {
  AutopilotDef def = def_of_aircraft(AutopilotKind::Px4, 1);
  Command c{true, {}};
  c.output[6] = c.output[7] = c.output[2] = 0.5;  // aileron, elevator, rudder
  c.output[4] = 1;
  for (const char* name : {"talon", "ultra_stick", "aerosonde"}) {
    const auto s = ActuatorMap(aircraft(name), def).setpoints(c);
    EXPECT_GT(s[0], 100) << name;
    EXPECT_GT(s[1], 0) << name << ": C_l of the aileron is positive";
    EXPECT_LT(s[2], 0) << name << ": C_m of the elevator is negative";
    EXPECT_LT(s[3], 0) << name << ": C_n of the rudder is negative";
  }
  def.outputs.aileron = -def.outputs.aileron, def.outputs.rudder = -def.outputs.rudder;
  const auto reversed = ActuatorMap(aircraft("talon"), def).setpoints(c);
  EXPECT_LT(reversed[1], 0);
  EXPECT_LT(reversed[2], 0);
  EXPECT_GT(reversed[3], 0);
  c.armed = false;
  EXPECT_EQ(ActuatorMap(aircraft("talon"), def).setpoints(c), (std::array<double, kMostActuators>{}));
}

TEST(outputs, ardupilot_bends_the_thrust_of_lift_rotors_and_not_of_the_one_that_pushes) {
  const ActuatorMap map(aircraft("quadplane"), def_of_aircraft(AutopilotKind::Ardupilot, 5));
  EXPECT_NEAR(map.speed(0, 0.5), 700 * std::sqrt(0.35 * 0.5 + 0.65 * 0.25), 0.01);
  EXPECT_NEAR(map.speed(4, 0.5), 950 * std::sqrt(0.5), 0.01);
}

TEST(outputs, the_pulses_of_ardupilots_plane_are_those_of_servos_and_a_gliding_wing_stays_armed) {
  ArdupilotProtocol p(ActuatorMap(aircraft("talon"), def_of_aircraft(AutopilotKind::Ardupilot, 1)).wiring());
  p.feed(something(), 1'000'000);
  p.received(packet(0, 0));
  sends_of(p);
  mavlink::Bytes servos = packet(1, 1500);
  const auto set = [&](std::size_t channel, std::uint16_t pwm) { mavlink::codec::store(pwm, servos.data() + 8 + 2 * (channel - 1)); };
  set(1, 1750), set(2, 1000), set(3, 1000);
  p.received(servos);
  EXPECT_TRUE(p.command().armed) << "the motor rests in a glide";
  EXPECT_DOUBLE_EQ(p.command().output[0], 0.5);
  EXPECT_EQ(p.command().output[1], -1);
  EXPECT_EQ(p.command().output[2], 0);
  EXPECT_EQ(p.command().output[3], 0);
  p.feed(something(), 1'002'000);
  sends_of(p);
  servos = packet(2, 1500);
  set(3, 0);
  p.received(servos);
  EXPECT_FALSE(p.command().armed) << "no pulses for the motor";
}

// ---------------------------------------------------------------- start-up

TEST(launch, px4_has_its_airframe_and_parameters_in_the_environment) {
  const AutopilotDef def{AutopilotKind::Px4, {{"MPC_XY_VEL_MAX", 8}, {"MPC_TILTMAX_AIR", 22.5}}, 4001, {}};
  const Launch l = px4_launch("/p/bin/px4", "/p/etc", def, {.number = 3, .sensor_period = 0.004});
  EXPECT_EQ(l.command, (std::vector<std::string>{"/p/bin/px4", "-i", "3", "-d", "-s", "start.sh", "/p/etc"}));
  ASSERT_EQ(l.files.size(), 1u);
  EXPECT_EQ(l.files[0].first, "start.sh");
  EXPECT_NE(l.files[0].second.find(". etc/init.d-posix/rcS\n"), std::string::npos) << "PX4's own script";
  EXPECT_NE(l.files[0].second.find("px4-mavlink --instance 3 start -u 13533 -o 13783 -m custom "), std::string::npos) << "and a link for companions";
  const auto has = [&](const std::string& e) { return std::find(l.environment.begin(), l.environment.end(), e) != l.environment.end(); };
  EXPECT_TRUE(has("PX4_SYS_AUTOSTART=4001"));
  EXPECT_TRUE(has("PX4_PARAM_MPC_XY_VEL_MAX=8"));
  EXPECT_TRUE(has("PX4_PARAM_MPC_TILTMAX_AIR=22.5"));
  EXPECT_EQ(px4_launch("p", "e", def, {.sensor_period = 0.002}).environment.back(), "PX4_PARAM_IMU_INTEG_RATE=500");
}

TEST(launch, ardupilot_has_home_defaults_and_a_port_that_nobody_waits_for) {
  const Launch l = ardupilot_launch("/p/arducopter", {AutopilotKind::Ardupilot, {{"FRAME_CLASS", 1}}, 0, {}},
                                    {.number = 2, .home = {47.397742, 8.545594, 488}, .heading = 90, .folder = "/f"});
  const auto after = [&](const std::string& word) { return *(std::find(l.command.begin(), l.command.end(), word) + 1); };
  EXPECT_EQ(after("--model"), "JSON:127.0.0.1");
  EXPECT_EQ(after("--instance"), "2");
  EXPECT_EQ(after("--home"), "47.39774200,8.54559400,488.000,90.00");
  EXPECT_EQ(after("--serial0"), "tcp:0");
  EXPECT_EQ(after("--defaults"), "/f/defaults.parm");
  ASSERT_EQ(l.files.size(), 1u);
  EXPECT_EQ(l.files[0].second, "FRAME_CLASS 1\n");
  EXPECT_EQ(simulator_port(AutopilotKind::Px4, 3), 4563);
  EXPECT_EQ(simulator_port(AutopilotKind::Ardupilot, 3), 9032);
}

}  // namespace
}  // namespace volary::autopilot
