// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "logs/log_test_support.hpp"
#include "logs/track.hpp"

namespace volary::logs {

namespace {

Flight load(const std::string& bytes) {
  core::Result<Flight> flight = load_flight(bytes, "a");
  EXPECT_TRUE(flight) << (flight ? "" : flight.error().text());
  return flight ? std::move(flight).value() : Flight{};
}
Track track_of(const std::string& bytes) { return Track{.flight = std::make_shared<const Flight>(load(bytes))}; }

void expect_circle(const SetState& s, double t, double angle_error) {
  const TestCircle c(t);
  EXPECT_NEAR(s.position_W[0], c.east, 1e-3) << t;
  EXPECT_NEAR(s.position_W[1], c.north, 1e-3) << t;
  EXPECT_NEAR(s.position_W[2], 10, 1e-3) << t;
  EXPECT_NEAR(s.velocity_W[0], c.ve, 1e-3) << t;
  EXPECT_NEAR(s.velocity_W[1], c.vn, 1e-3) << t;
  // yaw from east towards north; it turns clockwise, seen from above
  const double yaw =
      std::atan2(2 * (s.attitude[0] * s.attitude[3] + s.attitude[1] * s.attitude[2]), 1 - 2 * (s.attitude[2] * s.attitude[2] + s.attitude[3] * s.attitude[3]));
  EXPECT_NEAR(std::remainder(yaw - (1.5707963267948966 - c.yaw), 6.283185307179586), 0, angle_error) << t;
  EXPECT_NEAR(s.omega_B[2], -TestCircle::kRate, 1e-5) << t;
}

}  // namespace

TEST(flight, is_where_px4_was_between_its_samples) {
  const Track track = track_of(make_ulog());
  for (double t = 0.013; t < 19.9; t += 0.37) expect_circle(state_at(track, t), t, 1e-5);
}

TEST(flight, is_where_ardupilot_was_between_its_samples) {
  const Track track = track_of(make_dataflash());
  for (double t = 0.013; t < 19.9; t += 0.37) expect_circle(state_at(track, t), t, 2e-4);  // yaw is in hundredths of a degree
}

TEST(flight, knows_vehicle_firmware_origin_and_time) {
  const Flight px4 = load(make_ulog()), ardupilot = load(make_dataflash());
  EXPECT_EQ(px4.vehicle, "multirotor");
  EXPECT_EQ(px4.firmware, "PX4 on TEST");
  EXPECT_EQ(px4.sources, "vehicle_local_position, vehicle_attitude, vehicle_angular_velocity");
  EXPECT_EQ(ardupilot.vehicle, "multirotor");
  EXPECT_EQ(ardupilot.firmware, "ArduCopter V4.5.1 (deadbeef)");
  EXPECT_EQ(ardupilot.sources, "XKF1, ATT, IMU");
  for (const Flight* f : {&px4, &ardupilot}) {
    ASSERT_TRUE(f->origin);
    EXPECT_NEAR(f->origin->latitude, 47.4, 1e-9);
    EXPECT_NEAR(f->origin->height, 450, 1e-6);
    ASSERT_TRUE(f->utc);
    EXPECT_NEAR(*f->utc, 1.7e9, 2e-3);
    EXPECT_NEAR(f->duration(), 20, 1e-5);
  }
}

TEST(flight, has_modes_arming_and_texts_as_notes) {
  const Flight f = load(make_ulog());
  std::vector<std::string> texts;
  for (const Note& n : f.notes) texts.push_back(n.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"mode: Hold", "log: hello", "armed", "mode: Takeoff", "mode: Mission"}));
  const Track track{.flight = std::make_shared<const Flight>(f)};
  EXPECT_EQ(mode_at(track, 0.5), Mode::Disarmed);
  EXPECT_EQ(mode_at(track, 2), Mode::TakeOff);
  EXPECT_EQ(mode_at(track, 4), Mode::Mission);
  const Track other = track_of(make_dataflash());
  EXPECT_EQ(mode_at(other, 0.5), Mode::Disarmed);
  EXPECT_EQ(mode_at(other, 2), Mode::Hold);
  EXPECT_EQ(mode_at(other, 4), Mode::Mission);
}

TEST(flight, stands_still_in_a_gap_and_says_so) {
  const Track track = track_of(make_ulog({.gap_from = 5, .gap_to = 9}));
  EXPECT_EQ(track.flight->gaps, 1u);
  EXPECT_NEAR(track.flight->longest_gap, 4, 0.05);
  const SetState inside = state_at(track, 7), before = state_at(track, 5.0);
  EXPECT_EQ(inside.velocity_W, (Vec{0, 0, 0}));
  EXPECT_EQ(inside.omega_B, (Vec{0, 0, 0}));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(inside.position_W[k], before.position_W[k], 0.2);
  expect_circle(state_at(track, 9.5), 9.5, 1e-5);
  const auto notes = notes_between(track, 4.9, 5.1);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0]->text.find("log: no position for 4."), std::string::npos) << notes[0]->text;
}

TEST(flight, is_the_same_out_of_its_bytes_bit_for_bit) {
  const Flight f = load(make_dataflash({.gap_from = 5, .gap_to = 9}));
  const std::string bytes = flight_bytes(f);
  const auto again = read_flight(bytes, "a");
  ASSERT_TRUE(again);
  EXPECT_EQ(flight_bytes(again.value()), bytes);
  const Track a{.flight = std::make_shared<const Flight>(f)}, b{.flight = std::make_shared<const Flight>(again.value())};
  for (double t = -1; t < 22; t += 0.11) {
    EXPECT_EQ(state_at(a, t).position_W, state_at(b, t).position_W);
    EXPECT_EQ(state_at(a, t).attitude, state_at(b, t).attitude);
  }
  for (std::size_t n = 0; n < bytes.size(); n += 11) EXPECT_FALSE(read_flight(bytes.substr(0, n), "a")) << n;
  EXPECT_FALSE(read_flight(bytes + "x", "a"));
}

TEST(flight, of_which_a_number_is_none_or_on_no_planet_is_damaged) {
  const Flight good = load(make_ulog({}));
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto is_read = [](const Flight& f) { return static_cast<bool>(read_flight(flight_bytes(f), "a")); };
  ASSERT_TRUE(good.origin && is_read(good));
  for (const Place& place : {Place{none, 8, 400}, Place{47, 1e308, 400}, Place{47, 8, -1e300}, Place{91, 8, 400}}) {
    Flight f = good;
    f.origin = place;
    EXPECT_FALSE(is_read(f)) << place.latitude << " " << place.longitude << " " << place.height;
  }
  Flight f = good;
  f.utc = none;
  EXPECT_FALSE(is_read(f));
  f = good;
  f.longest_gap = -1;
  EXPECT_FALSE(is_read(f));
}

TEST(flight, takes_positions_from_satellites_where_there_is_no_estimate) {
  UlogWriter w(0);
  w.format("vehicle_gps_position:uint64_t timestamp;int32_t lat;int32_t lon;int32_t alt;float vel_n_m_s;float vel_e_m_s;float vel_d_m_s;uint8_t fix_type;");
  const auto id = w.subscribe("vehicle_gps_position");
  for (int k = 0; k < 10; ++k) {
    core::ByteWriter row;
    row.put(std::uint64_t(k) * 200'000), row.put(std::int32_t{474000000 + 18 * k}), row.put(std::int32_t{85000000}), row.put(std::int32_t{450000});
    row.put(1.0f), row.put(0.0f), row.put(0.0f), row.put(static_cast<std::uint8_t>(k < 2 ? 1 : 3));
    w.data(id, row);
  }
  const Flight f = load(w.take_text());
  EXPECT_EQ(f.sources, "vehicle_gps_position");
  ASSERT_EQ(f.fixes.size(), 8u) << "two had no fix";
  EXPECT_NEAR(f.fixes[7].position[1], 1.4, 0.01);
  EXPECT_EQ(f.fixes[0].velocity[1], 1);
}

TEST(flight, needs_a_position) {
  UlogWriter w(0);
  w.format("vehicle_attitude:uint64_t timestamp;float[4] q;");
  w.subscribe("vehicle_attitude");
  const auto flight = load_flight(w.take_text(), "a.ulg");
  ASSERT_FALSE(flight);
  EXPECT_NE(flight.error().text().find("a.ulg: has no position of the vehicle"), std::string::npos);
}

TEST(track, begins_where_and_when_it_is_put) {
  Track track = track_of(make_ulog());
  track.start = 3, track.from = 5, track.until = 8;
  put_at(track, {100, 200, 0});
  const Vec p = state_at(track, 0).position_W;
  EXPECT_NEAR(p[0], 100, 1e-9);
  EXPECT_NEAR(p[1], 200, 1e-9);
  EXPECT_EQ(state_at(track, 2.9).velocity_W, (Vec{0, 0, 0}));
  EXPECT_NE(state_at(track, 4).velocity_W, (Vec{0, 0, 0}));
  EXPECT_EQ(state_at(track, 20).position_W, state_at(track, 6.0).position_W);
  EXPECT_EQ(state_at(track, 20).velocity_W, (Vec{0, 0, 0}));
}

TEST(track, lies_on_the_earth_where_the_log_was) {
  Track track = track_of(make_ulog());
  put_on_earth(track, {47.4, 8.5, 400});
  EXPECT_NEAR(state_at(track, 0).position_W[2], 60, 1e-3);
  EXPECT_NEAR(state_at(track, 0).position_W[1], 30, 1e-3);
  put_on_earth(track, {47.41, 8.5, 450});
  EXPECT_NEAR(state_at(track, 0).position_W[1], 30 - 1111.9, 0.5);
}

TEST(flight, has_no_time_of_day_without_satellites) { EXPECT_EQ(load(make_dataflash({.utc = false})).utc, std::nullopt); }

}  // namespace volary::logs
