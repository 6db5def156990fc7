// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot_bytes.hpp"

#include <random>

#include "engine/engine_test_support.hpp"

namespace volary::engine {

namespace {

// a world with a bit of everything: a removal, a spawn, an override, a failed rotor, inputs that wait
std::unique_ptr<World> lived_in() {
  auto w = test::make(test::circling(20));
  auto give = [&](VehicleId id, Payload p, std::uint64_t tick) {
    Input in;
    in.tick = tick;
    in.source = 3;
    in.target = id;
    in.payload = std::move(p);
    w->submit(in);
  };
  const auto ids = w->vehicles();
  give(ids[4], Remove{}, 3);
  give(ids[5], SetParameter{"mass", 0, 0.033}, 4);
  give(ids[6], FailRotor{2, true}, 5);
  give({}, Spawn{"birds", {.name = "new", .position_W = {0, 0, 9}}}, 6);
  give(ids[7], SetSetpoint{.position_W = {1, 2, 3}}, 40);
  give({}, SetWind{{3, 0, 0}}, 45);
  w->step(20);
  return w;
}

TEST(SnapshotBytes, AWorldRestoredFromBytesFliesOnTheSame) {
  auto w = lived_in();
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  auto other = test::make(test::circling(20));
  std::string error;
  const auto read = other->read_snapshot(bytes, &error);
  ASSERT_NE(read, nullptr) << error;
  other->restore(*read);
  EXPECT_EQ(other->tick(), 20u);
  EXPECT_EQ(other->n_vehicles(), w->n_vehicles());
  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(other->hash(), w->hash()) << k;
    w->step(1), other->step(1);
  }
}

TEST(SnapshotBytes, AWorldIsReadWhereOneThatSawOthersIsGoneAndNobodySeesAnyoneAnyMore) {
  WorldDef def = test::talking(3);
  def.flocks[0].node.detection.range = 8;
  auto w = test::make(def);
  w->step(50);
  const auto ids = w->vehicles();
  w->submit({.target = ids[2], .payload = Remove{}});
  w->submit({.target = ids[1], .payload = SetState{.position_W = {100, 0, 10}}});
  w->step(50);
  std::string error;
  EXPECT_NE(test::make(def)->read_snapshot(World::snapshot_bytes(*w->snapshot()), &error), nullptr) << error;
}

TEST(SnapshotBytes, BytesOfAnotherWorldAreRefused) {
  const auto bytes = World::snapshot_bytes(*lived_in()->snapshot());
  WorldDef seed = test::circling(20), name = test::circling(20, "fish"), tick = test::circling(20), precise = test::circling(20);
  seed.seed = 43;
  tick.tick_ns = 5'000'000;
  precise.precision = Precision::Double;
  for (const WorldDef& def : {seed, name, tick, precise}) {
    std::string error;
    EXPECT_EQ(test::make(def)->read_snapshot(bytes, &error), nullptr);
    EXPECT_NE(error.find("another world"), std::string::npos) << error;
  }
}

TEST(SnapshotBytes, SpoiltBytesNeverCrash) {
  const auto bytes = World::snapshot_bytes(*lived_in()->snapshot());
  auto w = test::make(test::circling(20));
  std::mt19937 random(5);
  for (std::size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 500) EXPECT_EQ(w->read_snapshot(std::span(bytes).first(n), nullptr), nullptr);
  // bookkeeping is at the front: every bit of it once, and some of the rest
  for (std::size_t at = 0; at < 3000; ++at) {
    auto spoilt = bytes;
    spoilt[at] ^= static_cast<std::byte>(1u << (random() % 8));
    if (at % 7 == 0) spoilt[random() % spoilt.size()] ^= static_cast<std::byte>(0x80);
    const auto read = w->read_snapshot(spoilt, nullptr);
    if (read == nullptr) continue;  // what passes has other values, which is the checksum's business, but flies
    w->restore(*read);
    w->step(2);
  }
}

TEST(SnapshotBytes, TheHashOfTheSweepIsTheHashOfTheStateAlsoWhileInputsWait) {
  RunOptions every;
  every.hash_every_tick = true;
  auto a = test::make(test::circling(20), every), b = test::make(test::circling(20));
  for (World* w : {a.get(), b.get()}) {
    Input in;
    in.tick = 30;
    in.payload = SetWind{{5, 0, 0}};
    w->submit(in);
  }
  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(a->hash(), b->hash()) << k;
    a->step(1), b->step(1);
  }
}

}  // namespace

}  // namespace volary::engine
