// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "engine/engine_test_support.hpp"
#include "server/wire.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary::server {
namespace {

std::span<const std::byte> bytes_of(const char* text) { return std::as_bytes(std::span(text, std::strlen(text))); }

TEST(frame, the_checksum_is_that_of_zlib) {
  EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926u);
  EXPECT_EQ(crc32(bytes_of("")), 0u);
  EXPECT_EQ(crc32(bytes_of("The quick brown fox jumps over the lazy dog")), 0x414FA339u);
}

TEST(frame, every_half_float_survives) {
  for (std::uint32_t h = 0; h < 65536; ++h) {
    const float x = from_half(static_cast<std::uint16_t>(h));
    if (std::isnan(x)) continue;
    EXPECT_EQ(to_half(x), h);
  }
  EXPECT_EQ(to_half(65519.0f), 0x7bffu);
  EXPECT_EQ(to_half(65520.0f), 0x7c00u);
  EXPECT_EQ(to_half(1e30f), 0x7c00u);
  EXPECT_EQ(to_half(-1e30f), 0xfc00u);
  EXPECT_TRUE(std::isnan(from_half(to_half(std::nanf("")))));
}

TEST(frame, half_floats_are_rounded_to_the_nearest) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(-40, 40);
  for (int k = 0; k < 100000; ++k) {
    const float x = any(random);
    EXPECT_LE(std::abs(from_half(to_half(x)) - x), std::max(std::abs(x) / 2048, 0x1p-25f));
  }
}

TEST(frame, attitudes_keep_a_fifth_of_a_degree) {
  std::mt19937 random(2);
  std::normal_distribution<float> any;
  double worst = 0;
  for (int k = 0; k < 100000; ++k) {
    float q[4], r[4];
    float norm = 0;
    for (float& x : q) x = any(random), norm += x * x;
    for (float& x : q) x /= std::sqrt(norm);
    unpack_attitude(pack_attitude(q), r);
    const double dot = std::abs(double{q[0]} * r[0] + double{q[1]} * r[1] + double{q[2]} * r[2] + double{q[3]} * r[3]);
    worst = std::max(worst, 2 * std::acos(std::min(1.0, dot)));
  }
  EXPECT_LT(worst * 57.2957795, 0.25);
}

TEST(frame, an_attitude_that_is_none_is_level) {
  const float zero[4] = {0, 0, 0, 0};
  float q[4];
  unpack_attitude(pack_attitude(zero), q);
  EXPECT_NEAR(q[0], 1, 1e-3);
}

void expect_equal_to_world(WorldDef def, std::uint64_t ticks) {
  std::string error;
  const auto world = World::create(def, {}, &error);
  ASSERT_NE(world, nullptr) << error;
  world->step(ticks);
  const Roster roster = make_roster(*world, {});
  std::vector<std::byte> bytes;
  encode_frame(*world, roster, {}, bytes);
  const auto frame = decode_frame(bytes);
  ASSERT_TRUE(frame) << frame.error().text();
  ASSERT_EQ(frame.value().vehicles.size(), world->n_vehicles());
  EXPECT_EQ(frame.value().tick, world->tick());
  EXPECT_EQ(frame.value().time, world->time());
  EXPECT_LE(bytes.size(), 24 * roster.entries.size() + wire::kHeaderBytes + 8);
  for (std::size_t k = 0; k < roster.entries.size(); ++k) {
    const auto& v = frame.value().vehicles[k];
    const Vec p = world->position_of(roster.entries[k].id), u = world->velocity_of(roster.entries[k].id);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_NEAR(v.position_W[a], p[a], 1e-4);
      EXPECT_NEAR(v.velocity_W[a], u[a], 0.01);
    }
    EXPECT_EQ(v.state & wire::kModeMask, static_cast<int>(world->mode_of(roster.entries[k].id)));
  }
}

TEST(frame, says_what_the_world_says) {
  expect_equal_to_world(test::circling(37), 123);
  WorldDef precise = test::circling(17);
  precise.precision = Precision::Double;
  expect_equal_to_world(precise, 50);
}

TEST(frame, a_vehicle_that_its_behaviours_steer_is_on_its_mission) {
  WorldDef def = test::talking(3);
  def.flocks[0].node.behaviours = {test::behaviour<swarm::GoTo>({.points = {{500, 0, 10}}, .speed = 3}, 1)};
  const auto world = test::make(def);
  world->step(300);
  const Roster roster = make_roster(*world, {});
  std::vector<std::byte> bytes;
  encode_frame(*world, roster, {}, bytes);
  const auto frame = decode_frame(bytes);
  ASSERT_TRUE(frame) << frame.error().text();
  for (const auto& v : frame.value().vehicles) EXPECT_EQ(v.state & wire::kModeMask, static_cast<int>(Mode::Mission));
}

TEST(frame, keeps_a_tenth_of_a_millimetre_twenty_kilometres_away) {
  WorldDef def = test::circling(5);
  for (auto& v : def.flocks[0].vehicles) v.position_W[0] += 20123.456, v.centre_W[0] += 20123.456;
  expect_equal_to_world(def, 20);
}

TEST(frame, an_empty_world_makes_an_empty_frame) {
  WorldDef def = test::circling(1);
  def.flocks[0].vehicles.clear();
  expect_equal_to_world(def, 1);
}

TEST(frame, damage_is_noticed) {
  std::string error;
  const auto world = World::create(test::circling(3), {}, &error);
  std::vector<std::byte> bytes;
  encode_frame(*world, make_roster(*world, {}), {}, bytes);
  ASSERT_TRUE(decode_frame(bytes));
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decode_frame(std::span(bytes).first(n)));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    bytes[n] ^= std::byte{0x10};
    EXPECT_FALSE(decode_frame(bytes)) << n;
    bytes[n] ^= std::byte{0x10};
  }
}

}  // namespace
}  // namespace volary::server
