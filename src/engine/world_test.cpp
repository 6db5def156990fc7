// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <set>

#include "engine/backend.hpp"
#include "engine/engine_test_support.hpp"
#include "engine/snapshot.hpp"

namespace volary {
namespace {

using test::circling;
using test::make;
using test::small_quadrotor;

TEST(world, gives_the_same_hash_on_any_threads_and_lanes) {
  const WorldDef def = circling(300);
  std::uint64_t expected = 0;
  for (const int lanes : available_lanes())
    for (const int threads : {1, 2, 7}) {
      auto w = make(def, {.threads = threads, .lanes = lanes, .hash_every_tick = true, .force_split = true});
      w->step(150);
      if (expected == 0) expected = w->hash();
      EXPECT_EQ(w->hash(), expected) << lanes << " lanes, " << threads << " threads";
    }
}

TEST(world, gives_the_same_hash_with_kernels_that_are_not_optimised) {
  if (engine::find_backend(1, false) == nullptr) GTEST_SKIP() << "built without them";
  const WorldDef def = circling(20);
  auto fast = make(def), slow = make(def, {.lanes = 1, .optimised = false});
  fast->step(60);
  slow->step(60);
  EXPECT_EQ(fast->hash(), slow->hash());
}

TEST(world, hashes_the_same_in_the_sweep_as_afterwards) {
  auto a = make(circling(40), {.hash_every_tick = true}), b = make(circling(40));
  a->step(50);
  b->step(50);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(world, steps_one_by_one_as_all_at_once) {
  auto a = make(circling(33)), b = make(circling(33));
  a->step(1000);
  for (int k = 0; k < 1000; ++k) b->step(1);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(world, flies_a_vehicle_in_hand_alone_as_beside_others_on_their_missions) {
  // the mission of all faces forward; the one in hand keeps its yaw, whoever else is in its block
  WorldDef many = circling(16);
  for (std::size_t k = 0; k < many.flocks[0].vehicles.size(); ++k) {
    many.flocks[0].vehicles[k].id = many.flocks[0].vehicles[k].place = k + 1;
    many.flocks[0].vehicles[k].harmonic.face_forward = true;
  }
  WorldDef alone = many;
  alone.flocks[0].vehicles = {many.flocks[0].vehicles[3]};
  const VehicleId id = make_vehicle_id(4, 1);
  auto fly = [&](const WorldDef& def, int lanes) {
    auto w = make(def, {.lanes = lanes});
    w->step(100);
    SetSetpoint s;
    s.level = ControlLevel::Velocity;
    s.velocity_W = {1, 1, 0};
    s.yaw = -2;
    w->submit({.tick = w->tick(), .source = 1, .target = id, .payload = s});
    w->step(200);
    return w;
  };
  auto w = fly(alone, 1);
  const View q = w->view("birds", "attitude");
  const std::size_t slot = w->slot_of(id);
  EXPECT_NEAR(2 * std::atan2(q.at(slot, 3), q.at(slot, 0)), -2, 0.1);
  for (const int lanes : available_lanes()) EXPECT_EQ(fly(many, lanes)->hash_of(id), w->hash_of(id)) << lanes << " lanes";
}

TEST(world, flies_one_vehicle_alone_as_among_a_thousand) {
  WorldDef many = circling(1000);
  for (std::size_t k = 0; k < many.flocks[0].vehicles.size(); ++k) many.flocks[0].vehicles[k].id = many.flocks[0].vehicles[k].place = k + 1;
  WorldDef alone = many;
  alone.flocks[0].vehicles = {many.flocks[0].vehicles[536]};
  auto a = make(many), b = make(alone);
  a->step(300);
  b->step(300);
  const VehicleId id = b->vehicles()[0];
  EXPECT_EQ(id.number(), 537u);
  EXPECT_EQ(a->hash_of(id), b->hash_of(id));
  EXPECT_EQ(a->position_of(id), b->position_of(id));
}

TEST(world, changes_its_hash_when_one_bit_of_a_state_changes) {
  auto a = make(circling(5)), b = make(circling(5));
  const auto view = b->view("birds", "omega");
  auto* value = reinterpret_cast<std::uint32_t*>(const_cast<void*>(view.pointer)) + 3;
  *value ^= 1u;
  EXPECT_NE(a->hash(), b->hash());
}

TEST(world, keeps_the_remainder_of_every_axis_of_a_position) {
  WorldDef def = circling(3);
  def.flocks[0].vehicles[1].position_W = {12345.678901234, -9876.54321098, 321.123456789};
  def.flocks[0].vehicles[1].mode = Mode::Hold;
  auto w = make(def);
  const Vec p = w->position_of(w->vehicles()[1]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p[k], def.flocks[0].vehicles[1].position_W[k], 1e-9) << k;
}

TEST(world, flies_as_well_twenty_kilometres_from_home) {
  WorldDef near = circling(4), far = circling(4);
  near.environment.gust_sigma = far.environment.gust_sigma = 0;
  for (VehicleDef& v : far.flocks[0].vehicles)
    for (std::size_t k = 0; k < 2; ++k) v.position_W[k] += 20000, v.centre_W[k] += 20000;
  auto a = make(near), b = make(far);
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {
    a->step(1);
    b->step(1);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec p = a->position_of(a->vehicles()[i]), q = b->position_of(b->vehicles()[i]);
      for (std::size_t x = 0; x < 3; ++x) worst = std::max(worst, std::abs(q[x] - p[x] - (x < 2 ? 20000 : 0)));
    }
  }
  EXPECT_LT(worst, 1e-3);
}

TEST(world, agrees_between_float_and_double_to_a_millimetre_after_ten_seconds) {
  WorldDef single = circling(6), twice = circling(6);
  twice.precision = Precision::Double;
  auto a = make(single), b = make(twice);
  a->step(1000);
  b->step(1000);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec p = a->position_of(a->vehicles()[i]), q = b->position_of(b->vehicles()[i]);
    for (std::size_t x = 0; x < 3; ++x) EXPECT_NEAR(p[x], q[x], 1e-3);
  }
}

TEST(world, runs_double_worlds_to_the_same_bits_at_both_widths) {
  WorldDef def = circling(21);
  def.precision = Precision::Double;
  auto a = make(def, {.lanes = 1}), b = make(def);
  a->step(100);
  b->step(100);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(world, keeps_worlds_of_a_batch_apart_and_gives_each_its_own_gusts) {
  WorldDef def = circling(5);
  def.worlds = 3;
  auto batch = make(def);
  def.worlds = 1;
  auto single = make(def);
  batch->step(200);
  single->step(200);
  ASSERT_EQ(batch->n_vehicles(), 15u);
  EXPECT_EQ(batch->position_of(batch->vehicles()[2]), single->position_of(single->vehicles()[2]));
  EXPECT_NE(batch->position_of(batch->vehicles()[2]), batch->position_of(batch->vehicles()[7]));
}

TEST(snapshot, brings_back_the_same_future) {
  auto w = make(circling(40));
  w->step(100);
  const auto s = w->snapshot();
  w->step(150);
  const std::uint64_t first = w->hash();
  w->restore(*s);
  EXPECT_EQ(w->tick(), 100u);
  w->step(150);
  EXPECT_EQ(w->hash(), first);
}

TEST(snapshot, forgets_nothing_that_decides_the_future_even_when_all_else_is_poisoned) {
  auto a = make(circling(20));
  a->step(50);
  const auto s = a->snapshot();
  a->step(100);
  // another world, another seed and other states, from which everything that counts is replaced
  WorldDef other = circling(20);
  for (VehicleDef& v : other.flocks[0].vehicles) v.velocity_W = {3, -2, 1};
  auto b = make(other);
  b->submit({.target = b->vehicles()[3], .payload = SetMode{Mode::EmergencyStop}});
  b->step(37);
  b->restore(*s);
  b->step(100);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(snapshot, carries_removed_and_spawned_vehicles_and_pending_inputs) {
  auto w = make(circling(18));
  w->submit({.tick = 10, .target = w->vehicles()[4], .payload = Remove{}});
  w->submit({.tick = 30, .payload = Spawn{"birds", {.position_W = {0, 5, 3}, .mode = Mode::Hold}}});
  w->step(20);
  const auto s = w->snapshot();
  w->step(60);
  EXPECT_EQ(w->n_vehicles(), 18u);
  const std::uint64_t first = w->hash();
  w->restore(*s);
  EXPECT_EQ(w->n_vehicles(), 17u);
  w->step(60);
  EXPECT_EQ(w->hash(), first);
}

TEST(snapshot, branches_go_their_own_way) {
  auto w = make(circling(10));
  w->step(50);
  auto b = w->branch({});
  EXPECT_EQ(w->hash(), b->hash());
  b->submit({.payload = SetWind{{5, 5, 0}}});
  w->step(50);
  b->step(50);
  EXPECT_NE(w->hash(), b->hash());
}

TEST(snapshot_ring, keeps_what_fits_into_its_bytes_and_finds_the_one_before_a_tick) {
  auto w = make(circling(4));
  const std::size_t each = w->snapshot()->bytes(), shared = w->snapshot()->roster->bytes();
  engine::SnapshotRing ring(3 * each + shared);
  for (int k = 0; k < 5; ++k) {
    ring.take(*w);
    w->step(10);
  }
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(ring.bytes(), 3 * each + shared);
  EXPECT_EQ(ring.at_or_before(35)->tick, 30u);
  EXPECT_EQ(ring.at_or_before(5), nullptr);
}

TEST(snapshot_ring, uses_memory_again_but_never_that_of_a_snapshot_that_somebody_holds) {
  auto w = make(circling(4));
  engine::SnapshotRing ring(w->snapshot()->bytes() * 3);
  std::set<const void*> places;
  for (int k = 0; k < 40; ++k) {
    ring.take(*w);
    places.insert(ring.at_or_before(w->tick())->columns.data());
    w->step();
  }
  EXPECT_LE(places.size(), 4u);
  const auto held = ring.at_or_before(w->tick());
  const std::uint64_t then = held->tick;
  for (int k = 0; k < 10; ++k) ring.take(*w), w->step();
  EXPECT_EQ(held->tick, then);
  ASSERT_TRUE(w->restore(*held));
  EXPECT_EQ(w->tick(), then);
}

TEST(snapshot_ring, holds_the_newest_even_when_it_does_not_fit) {
  auto w = make(circling(4));
  engine::SnapshotRing ring(1);
  for (int k = 0; k < 3; ++k) ring.take(*w), w->step();
  EXPECT_EQ(ring.size(), 1u);
  EXPECT_EQ(ring.at_or_before(99)->tick, 2u);
}

TEST(vehicles, come_and_go_while_running_and_old_ids_are_noticed) {
  auto w = make(circling(3));
  const VehicleId old = w->vehicles()[1];
  w->submit({.target = old, .payload = Remove{}});
  w->step(1);
  EXPECT_FALSE(w->is_alive(old));
  EXPECT_EQ(w->n_vehicles(), 2u);
  w->submit({.payload = Spawn{"birds", {.name = "newcomer", .id = old.number(), .position_W = {9, 9, 5}, .mode = Mode::Hold}}});
  w->step(1);
  EXPECT_EQ(w->n_vehicles(), 3u);
  EXPECT_FALSE(w->is_alive(old)) << "the same number, another generation";
  w->submit({.target = old, .payload = SetMode{Mode::Land}});
  w->take_events();
  w->step(1);
  const auto events = w->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(events[0].what.find("refused"), std::string::npos);
}

TEST(vehicles, spawned_into_a_full_flock_move_the_views_and_say_so) {
  auto w = make(circling(16));
  const View before = w->view("birds", "position");
  for (int k = 0; k < 20; ++k) w->submit({.payload = Spawn{"birds", {.position_W = {1.0 * k, 8, 4}, .mode = Mode::Hold}}});
  w->step(1);
  const View after = w->view("birds", "position");
  EXPECT_NE(before.generation, after.generation);
  EXPECT_EQ(after.n, 36u);
  w->step(200);
  EXPECT_EQ(w->n_vehicles(), 36u);
}

TEST(vehicles, stop_by_name_within_one_tick_when_their_numbers_go_bad) {
  auto w = make(circling(20));
  w->step(10);
  const VehicleId id = w->vehicles()[7];
  const Vec before = w->position_of(id);
  const View v = w->view("birds", "velocity");
  auto* x = static_cast<float*>(const_cast<void*>(v.pointer)) + 7;
  *x = std::numeric_limits<float>::quiet_NaN();
  w->step(1);
  const auto events = w->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].vehicle, id);
  EXPECT_EQ(events[0].name, "birds[7]");
  EXPECT_NE(events[0].what.find("diverged"), std::string::npos);
  EXPECT_FALSE(w->is_alive(id));
  EXPECT_EQ(w->n_vehicles(), 19u);
  w->step(100);
  EXPECT_EQ(w->n_vehicles(), 19u) << "nobody else is taken along";
  (void)before;
}

TEST(inputs, apply_in_the_order_of_tick_source_and_seq_whatever_the_order_of_arrival) {
  auto a = make(circling(4)), b = make(circling(4));
  const Input one{.tick = 5, .source = 1, .seq = 1, .payload = SetWind{{3, 0, 0}}};
  const Input two{.tick = 5, .source = 2, .seq = 1, .payload = SetWind{{0, 3, 0}}};
  a->submit(one);
  a->submit(two);
  b->submit(two);
  b->submit(one);
  a->step(60);
  b->step(60);
  EXPECT_EQ(a->hash(), b->hash());
  EXPECT_DOUBLE_EQ(a->view("birds", "wind").at(0, 1), 3) << "source 2 comes last";
}

TEST(inputs, a_goto_is_flown_and_then_held) {
  WorldDef def = circling(1);
  def.environment.gust_sigma = 0;
  def.environment.wind_W = {0, 0, 0};
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {4, -2, 5}, .yaw = 0.5}});
  w->step(1200);
  const Vec p = w->position_of(id);
  EXPECT_NEAR(p[0], 4, 0.02);
  EXPECT_NEAR(p[1], -2, 0.02);
  EXPECT_NEAR(p[2], 5, 0.02);
}

TEST(inputs, a_failed_rotor_changes_that_vehicle_only) {
  auto a = make(circling(4)), b = make(circling(4));
  a->submit({.target = a->vehicles()[1], .payload = FailRotor{2, true}});
  a->step(30);
  b->step(30);
  EXPECT_NE(a->position_of(a->vehicles()[1]), b->position_of(b->vehicles()[1]));
  EXPECT_EQ(a->position_of(a->vehicles()[2]), b->position_of(b->vehicles()[2]));
}

TEST(inputs, a_parameter_of_one_vehicle_can_differ) {
  auto a = make(circling(4)), b = make(circling(4));
  a->submit({.target = a->vehicles()[3], .payload = SetParameter{"mass", 0, 0.05}});
  a->submit({.target = a->vehicles()[3], .payload = SetParameter{"inv_mass", 0, 20}});
  a->step(30);
  b->step(30);
  EXPECT_LT(a->position_of(a->vehicles()[3])[2], b->position_of(b->vehicles()[3])[2]);
  EXPECT_EQ(a->position_of(a->vehicles()[0]), b->position_of(b->vehicles()[0]));
}

TEST(modes, arming_in_flight_does_not_break_off_a_take_off) {
  WorldDef def = circling(1);
  def.flocks[0].vehicles[0].position_W[2] = 0;
  def.flocks[0].vehicles[0].mode = Mode::TakeOff;
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->step(60);
  ASSERT_EQ(w->mode_of(id), Mode::TakeOff);
  w->submit({.target = id, .payload = SetMode{Mode::Armed}});
  w->step(1);
  EXPECT_EQ(w->mode_of(id), Mode::TakeOff);
  w->step(600);
  EXPECT_EQ(w->mode_of(id), Mode::Hold);
  EXPECT_GT(w->position_of(id)[2], 0.5);
}

TEST(modes, take_off_from_the_ground_mission_land_and_disarm) {
  WorldDef def = circling(3);
  for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[2] = 0, v.mode = Mode::Disarmed;
  auto w = make(def);
  const VehicleId id = w->vehicles()[1];
  w->step(100);
  EXPECT_EQ(w->mode_of(id), Mode::Disarmed);
  w->submit({.payload = SetMode{Mode::Mission}});
  w->step(1);
  EXPECT_EQ(w->mode_of(id), Mode::TakeOff);
  w->step(1000);
  EXPECT_EQ(w->mode_of(id), Mode::Mission);
  EXPECT_LT(w->tracking().max, 0.5);
  w->submit({.payload = SetMode{Mode::Land}});
  w->step(1500);
  EXPECT_EQ(w->mode_of(id), Mode::Disarmed);
  EXPECT_LT(w->position_of(id)[2], 0.1);
}

TEST(modes, an_emergency_stop_stops_the_rotors_at_once) {
  auto w = make(circling(2));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetMode{Mode::EmergencyStop}});
  w->step(60);
  EXPECT_LT(w->velocity_of(id)[2], -3);
  EXPECT_GT(w->position_of(w->vehicles()[1])[2], 3);
}

TEST(mirrors, go_on_as_they_were_last_seen_with_the_age_of_that_and_stand_still_when_it_is_old) {
  WorldDef def = circling(2);
  FlockDef mirror = def.flocks[0];
  mirror.name = "ghosts";
  mirror.mirror = true;
  def.flocks.push_back(mirror);
  auto w = make(def);
  const VehicleId ghost = w->vehicles("ghosts")[0];
  const std::uint64_t before = w->hash_of(ghost);
  w->submit({.target = ghost, .payload = SetState{.position_W = {1, 2, 3}, .velocity_W = {0.5, 0, 0}, .omega_B = {0, 0, 0.4}}});
  w->step(1);
  EXPECT_NE(w->hash_of(ghost), before);
  EXPECT_NEAR(w->position_of(ghost)[0], 1.005, 1e-6) << "one tick after it was seen";
  w->step(49);
  const std::size_t slot = w->slot_of(ghost);
  EXPECT_NEAR(w->position_of(ghost)[0], 1.25, 1e-5);
  EXPECT_NEAR(w->view("ghosts", "age").at(slot), 0.5, 1e-5);
  EXPECT_NEAR(w->view("ghosts", "attitude").at(slot, 3), std::sin(0.5 * 0.4 * 0.5), 1e-5) << "it turns as it did";
  w->step(100);
  EXPECT_NEAR(w->position_of(ghost)[0], 1.5, 1e-5) << "no farther than a second";
  EXPECT_EQ(w->velocity_of(ghost), (Vec{0, 0, 0}));
  EXPECT_NEAR(w->view("ghosts", "age").at(slot), 1.5, 1e-4);
}

TEST(mirrors, that_are_told_only_where_they_are_get_their_velocity_from_pose_to_pose) {
  WorldDef def;
  FlockDef f;
  f.name = "ghosts";
  f.airframe = small_quadrotor();
  f.mirror = true;
  for (int k = 0; k < 40; ++k) f.vehicles.push_back({.position_W = {1.0 * k, 0, 5}});
  def.flocks = {f};
  auto w = make(def);
  const std::vector<VehicleId> ids = w->vehicles();
  const std::size_t n = ids.size();
  // a pose in every fifth tick of vehicles that move at 2 m/s to the north and turn at 0.3 rad/s
  for (int tick = 0; tick < 50; ++tick) {
    if (tick % 5 == 0) {
      const double t = 0.01 * tick;
      std::vector<double> values(7 * n, 0.0);
      for (std::size_t k = 0; k < n; ++k) {
        values[k] = static_cast<double>(k), values[n + k] = 2 * t, values[2 * n + k] = 5;
        values[3 * n + k] = std::cos(0.15 * t), values[6 * n + k] = std::sin(0.15 * t);
      }
      w->submit({.payload = SetMany{.what = Many::Pose, .flock = "ghosts", .ids = ids, .values = values}});
    }
    w->step(1);
    if (tick < 10) continue;
    const double t = 0.01 * (tick + 1);
    EXPECT_NEAR(w->position_of(ids[17])[1], 2 * t, 1e-4) << tick;
    EXPECT_NEAR(w->velocity_of(ids[17])[1], 2, 1e-3) << tick;
    EXPECT_NEAR(w->view("ghosts", "omega").at(17, 2), 0.3, 1e-3) << tick;
  }
  EXPECT_EQ(w->program_of("ghosts"), "mirror/extrapolated");
  EXPECT_FALSE(w->find_view("ghosts", "rotor_speed")) << "of the airframe only the size counts";
}

TEST(views, show_the_columns_where_they_lie) {
  auto w = make(circling(20));
  const View v = w->view("birds", "position");
  EXPECT_EQ(v.dtype, Dtype::Float32);
  EXPECT_EQ(v.shape[0], 2u);
  EXPECT_EQ(v.shape[1], 16u);
  EXPECT_EQ(v.shape[2], 6u);
  EXPECT_EQ(v.n, 20u);
  EXPECT_NEAR(v.at(17, 0), 2.1 * 17, 1e-4);
  w->step(100);
  EXPECT_NEAR(v.at(17, 0), w->position_of(w->vehicles()[17])[0], 1e-4) << "no copy was made";
  EXPECT_FALSE(w->find_view("birds", "positon"));
  EXPECT_FALSE(w->find_view("bird", "position"));
  try {
    w->view("birds", "positon");
    FAIL() << "a wrong name was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "flock 'birds' has no column 'positon' (did you mean 'position'?)");
  }
  EXPECT_THROW(w->view("bird", "position"), std::invalid_argument);
}

TEST(world, refuses_a_definition_that_cannot_be_run) {
  WorldDef def = circling(1);
  def.substeps = 0;
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  EXPECT_NE(error.find("substeps"), std::string::npos);
}

TEST(world, mixes_kinds_freely) {
  WorldDef def = circling(10);
  FlockDef basic = circling(10).flocks[0];
  basic.name = "basic";
  basic.full_physics = false;
  FlockDef rates = basic;
  rates.name = "rates";
  rates.controller.level = ControlLevel::Rates;
  def.flocks.push_back(basic);
  def.flocks.push_back(rates);
  auto w = make(def);
  w->step(300);
  EXPECT_EQ(w->n_vehicles(), 30u);
  EXPECT_EQ(w->program_of("rates"), "multirotor/rotors=4/features=basic/control=rate");
}

// rotors on a ring, spins in turn, each leaning a little so that yaw can be held with an odd number of them
Airframe ring_of_rotors(int n) {
  Airframe quad = test::small_quadrotor();
  auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(quad.definition.get()));
  def->name = "ring of rotors";
  def->rotors.clear();
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * 3.141592653589793 * k / n, spin = k % 2 == 0 ? 1 : -1;
    airframe::RotorDef r;
    r.position = {0.05 * std::cos(angle), 0.05 * std::sin(angle), 0};
    r.axis = {0.2 * spin * std::sin(angle), -0.2 * spin * std::cos(angle), 1};
    r.spin = static_cast<int>(spin);
    def->rotors.push_back(r);
  }
  return {"multirotor", def->name, def};
}

TEST(world, flies_five_and_seven_rotors_the_same_at_every_width) {
  for (const int rotors : {5, 7}) {
    WorldDef def = circling(20);
    def.flocks[0].airframe = ring_of_rotors(rotors);
    std::uint64_t expected = 0;
    for (const int lanes : available_lanes()) {
      auto w = make(def, {.lanes = lanes});
      w->step(500);
      if (expected == 0) expected = w->hash();
      EXPECT_EQ(w->hash(), expected) << rotors << " rotors, " << lanes << " lanes";
      EXPECT_EQ(w->n_vehicles(), 20u) << rotors << " rotors";
      EXPECT_LT(w->tracking().max, 0.5) << rotors << " rotors";
    }
  }
}

TEST(world, integrates_with_semi_implicit_euler_when_asked) {
  WorldDef rk = circling(3), euler = circling(3);
  euler.integrator = Integrator::SemiImplicitEuler;
  auto a = make(rk), b = make(euler);
  a->step(300);
  b->step(300);
  EXPECT_NE(a->hash(), b->hash());
  const Vec p = a->position_of(a->vehicles()[0]), q = b->position_of(b->vehicles()[0]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p[k], q[k], 0.02);
}

}  // namespace
}  // namespace volary
