// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The first ten seconds in the air of a flight of PX4 (v1.18.0-beta1-394, commit bd62df5e), recorded from the scenario px4_square by the sensors that it
// carries, and flown again without PX4. Where the physics changes, `volary replay --at 0 --branch` flies the same inputs again and writes a new recording.
#include "record_support_test.hpp"

namespace volary::replay {

namespace {

const std::string kFlight = std::string(VOLARY_SOURCE_DIR) + "/tests/recordings/px4_flight.vrec";

TEST(Px4Flight, ReplaysToTheSameBitsWithoutPx4) {
  const auto r = open_recording(kFlight);
  ASSERT_NE(r, nullptr);
  EXPECT_TRUE(r->problems().empty());
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 6251u);
}

TEST(Px4Flight, StandsUntilPx4IsReadyClimbsAndHeadsNorth) {
  const auto r = open_recording(kFlight);
  ASSERT_NE(r, nullptr);
  auto again = branch(*r, 0, {});
  ASSERT_TRUE(again) << again.error().text();
  double highest = 0, lift_off = 0;
  VehicleId quad = {};
  fly_on(again.value(), r->last_tick(), [&](World& w) {
    quad = w.vehicles("quad").front();
    const double height = w.position_of(quad)[2];
    if (lift_off == 0 && height > 0.3) lift_off = w.time();
    highest = std::max(highest, height);
    EXPECT_EQ(w.hash(), r->hash(w.tick()));
  });
  EXPECT_NEAR(lift_off, 14.4, 1);
  EXPECT_NEAR(highest, 10, 0.5);
  const World& world = *again.value().world;
  EXPECT_GT(world.position_of(quad)[1], 0.5);
  EXPECT_EQ(world.mode_of(quad), Mode::Armed);
}

// one input for each change of the rotor speeds, and none while they stand
TEST(Px4Flight, HasTheRotorSpeedsAsItsOnlyCommands) {
  const auto r = open_recording(kFlight);
  ASSERT_NE(r, nullptr);
  std::size_t speeds = 0, modes = 0;
  for (const RecordedInput& in : r->inputs()) {
    if (const auto* many = std::get_if<SetMany>(&in.input.payload)) {
      EXPECT_EQ(many->what, Many::MotorSpeeds);
      ++speeds;
    } else {
      EXPECT_TRUE(std::holds_alternative<SetMode>(in.input.payload));
      ++modes;
    }
  }
  EXPECT_EQ(modes, 1u);
  EXPECT_GT(speeds, 2000u);
  EXPECT_LT(speeds, 4000u);  // of 6250 ticks
}

}  // namespace

}  // namespace volary::replay
