// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours of vehicles that an autopilot outside the world flies: they decide as always, and ask instead of steering.
#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;
using Kind = GuidanceCommand::Kind;

// mirrors on the ground that are to take off, fly east and, after 20 s, land
WorldDef mirrored(int n) {
  WorldDef w = test::talking(n);
  w.environment = {};
  FlockDef& f = w.flocks[0];
  f.mirror = true;
  f.take_off_height = 2;
  f.node.behaviours = {behaviour<swarm::Land>({.after = 20}, 3), behaviour<swarm::TakeOff>({.height = 4}, 2),
                       behaviour<swarm::GoTo>({.points = {{500, 0, 10}}, .speed = 3})};
  for (VehicleDef& v : f.vehicles) v.position_W[2] = 0, v.mode = Mode::Disarmed;
  return w;
}

void lift(World& w, double height) {
  for (const VehicleId id : w.vehicles()) {
    const Vec p = w.position_of(id);
    w.submit({.target = id, .payload = SetState{.position_W = {p[0], p[1], height}}});
  }
}
void set_mode(World& w, Mode mode) {
  for (const VehicleId id : w.vehicles()) w.submit({.target = id, .payload = SetMode{mode}});
}

TEST(guidance, a_mirror_asks_for_a_take_off_a_course_and_a_landing_and_never_moves_by_itself) {
  auto w = make(mirrored(1));
  const VehicleId id = w->vehicles()[0];
  EXPECT_EQ(w->guidance_of(id).kind, Kind::None) << "it has not decided yet";
  w->step(50);
  EXPECT_EQ(w->guidance_of(id).kind, Kind::TakeOff);
  EXPECT_EQ(w->mode_of(id), Mode::Disarmed);
  set_mode(*w, Mode::Armed);
  w->step(50);
  EXPECT_EQ(w->guidance_of(id).kind, Kind::TakeOff) << "armed on the ground is not in the air";
  EXPECT_EQ(w->mode_of(id), Mode::Armed);

  lift(*w, 1.2);
  w->step(50);
  EXPECT_EQ(w->mode_of(id), Mode::Mission) << "more than half of its take-off height";
  const GuidanceCommand climb = w->guidance_of(id);
  EXPECT_EQ(climb.kind, Kind::Position);
  EXPECT_DOUBLE_EQ(climb.position_W[2], 4);
  lift(*w, 4);
  w->step(50);
  const GuidanceCommand on = w->guidance_of(id);
  EXPECT_EQ(on.kind, Kind::Velocity);
  EXPECT_GT(on.velocity_W[0], 1);
  EXPECT_DOUBLE_EQ(w->position_of(id)[0], 0) << "what it asks for moves nothing in this world";

  w->step(2000);
  EXPECT_EQ(w->guidance_of(id).kind, Kind::Land);
  lift(*w, 0.1);
  w->step(50);
  EXPECT_EQ(w->guidance_of(id).kind, Kind::Land) << "until the rotors stop";
  set_mode(*w, Mode::Disarmed);
  w->step(50);
  EXPECT_EQ(w->guidance_of(id).kind, Kind::None);
}

TEST(guidance, height_counts_from_the_ground) {
  WorldDef def = mirrored(1);
  def.environment.ground_height = 5;
  auto w = make(def);
  set_mode(*w, Mode::Armed);
  lift(*w, 5.9);
  w->step(1);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Armed);
  lift(*w, 6.1);
  w->step(1);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Mission);
}

TEST(guidance, a_vehicle_that_others_are_not_piloting_has_none) {
  WorldDef def = test::talking(1);
  def.flocks[0].node.behaviours = {behaviour<swarm::GoTo>({.points = {{500, 0, 10}}})};
  auto w = make(def);
  w->step(100);
  EXPECT_EQ(w->guidance_of(w->vehicles()[0]), GuidanceCommand{});
  EXPECT_EQ(w->guidance_of(VehicleId{99}), GuidanceCommand{});
}

TEST(guidance, of_flocks_without_behaviours_changes_nothing) {
  WorldDef def = test::talking(20);
  auto own = make(def);
  def.flocks[0].piloted = true;
  auto piloted = make(def);
  for (World* w : {own.get(), piloted.get()}) w->step(300);
  EXPECT_EQ(own->hash(), piloted->hash());
  EXPECT_EQ(World::snapshot_bytes(*own->snapshot()), World::snapshot_bytes(*piloted->snapshot()));
}

// The rotors are commanded in every tick, as by an autopilot in lock-step: that is not somebody who takes over from the behaviours.
TEST(guidance, behaviours_go_on_deciding_while_rotors_are_commanded) {
  WorldDef def = mirrored(1);
  FlockDef& f = def.flocks[0];
  f.mirror = false;
  f.piloted = true;
  f.vehicles[0].mode = Mode::Disarmed;
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  set_mode(*w, Mode::Armed);
  w->submit({.target = id, .payload = SetState{.position_W = {0, 0, 30}}});
  Kind kind = Kind::None;
  for (int k = 0; k < 100; ++k) {
    w->submit({.payload = SetMany{.what = Many::MotorSpeeds, .flock = "birds", .values = {1600, 1600, 1600, 1600}}});
    w->step();
    kind = w->guidance_of(id).kind;
  }
  EXPECT_EQ(kind, Kind::Velocity);
  EXPECT_EQ(w->mode_of(id), Mode::Mission);
  EXPECT_EQ(w->view("birds", "setpoint.motor_speed").at(w->slot_of(id), 0), 1600) << "no decision was written as a setpoint";
}

TEST(guidance, does_not_depend_on_threads) {
  const WorldDef def = mirrored(40);
  auto one = make(def), many = make(def, {.threads = 4, .force_split = true});
  for (World* w : {one.get(), many.get()}) {
    set_mode(*w, Mode::Armed);
    lift(*w, 5);
    w->step(150);
  }
  EXPECT_EQ(one->hash(), many->hash());
  for (const VehicleId id : one->vehicles()) EXPECT_EQ(one->guidance_of(id), many->guidance_of(id));
}

TEST(guidance, is_part_of_snapshots_and_of_their_parts) {
  auto w = make(mirrored(3));
  set_mode(*w, Mode::Armed);
  lift(*w, 5);
  w->step(150);
  const VehicleId id = w->vehicles()[1];
  const GuidanceCommand then = w->guidance_of(id);
  ASSERT_EQ(then.kind, Kind::Velocity);
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  std::shared_ptr<SnapshotPart> part;
  ASSERT_TRUE(w->snapshot_part_into(part, {.vehicles = {id}}));

  set_mode(*w, Mode::Disarmed);
  lift(*w, 0);
  w->step(50);
  ASSERT_NE(w->guidance_of(id).kind, Kind::Velocity);
  ASSERT_TRUE(w->restore(*part));
  EXPECT_EQ(w->guidance_of(id), then);
  EXPECT_NE(w->guidance_of(w->vehicles()[0]).kind, Kind::Velocity) << "only the part";
  auto other = make(mirrored(3));
  std::string error;
  const auto read = other->read_snapshot(bytes, &error);
  ASSERT_NE(read, nullptr) << error;
  ASSERT_TRUE(other->restore(*read));
  EXPECT_EQ(other->guidance_of(id), then);
}

TEST(guidance, a_snapshot_of_the_same_flock_under_its_own_controller_is_refused) {
  WorldDef def = mirrored(2);
  def.flocks[0].mirror = false;
  auto own = make(def);
  def.flocks[0].piloted = true;
  auto piloted = make(def);
  std::string error;
  EXPECT_FALSE(piloted->restore(*own->snapshot(), &error));
  EXPECT_NE(error.find("another world"), std::string::npos) << error;
}

TEST(guidance, a_vehicle_whose_script_fails_asks_to_hold) {
  WorldDef def = mirrored(1);
  const char* const text = "function act(me) if me.time > 1 then error('lost') end fly(1, 0, 0) end\n";
  def.flocks[0].node.behaviours = {{.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"bad", "bad.lua", text, {}})}};
  auto w = make(def);
  set_mode(*w, Mode::Armed);
  lift(*w, 5);
  w->step(50);
  EXPECT_EQ(w->guidance_of(w->vehicles()[0]).kind, Kind::Velocity);
  w->step(100);
  EXPECT_EQ(w->guidance_of(w->vehicles()[0]).kind, Kind::Hold);
}

}  // namespace
}  // namespace volary
