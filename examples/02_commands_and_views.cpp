// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// 02: build a world by hand, command it while it runs, read columns without copying, go back and branch.
//   02_commands_and_views [ASSETS]
#include <cmath>
#include <cstdio>
#include <string>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

using namespace volary;

namespace {

WorldDef nine_on_the_ground(const Airframe& airframe) {
  WorldDef def;
  def.name = "nine";
  def.environment.wind_W = {1, 0, 0};
  FlockDef flock;
  flock.name = "nine";
  flock.airframe = airframe;
  for (int i = 0; i < 9; ++i) {
    VehicleDef v;
    v.position_W = {1.5 * (i % 3), 1.5 * (i / 3), 0};
    v.mode = Mode::Disarmed;
    flock.vehicles.push_back(v);
  }
  def.flocks.push_back(flock);
  return def;
}

// the mean height, straight from the column: blocks of 16 agents, six rows of a position (value, remainder)
double mean_height(const World& world) {
  const View v = world.view("nine", "position");
  double sum = 0;
  for (std::size_t slot = 0; slot < v.n; ++slot) {
    const auto* block = static_cast<const char*>(v.pointer) + static_cast<std::ptrdiff_t>(slot / 16) * v.strides[0];
    const auto* z = reinterpret_cast<const float*>(block + static_cast<std::ptrdiff_t>(slot % 16) * v.strides[1] + 2 * v.strides[2]);
    sum += static_cast<double>(*z);
  }
  return sum / static_cast<double>(v.n);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string assets = argc > 1 ? argv[1] : VOLARY_EXAMPLE_DIR "/assets";
  const auto airframe = load_airframe("crazyflie", {assets});
  if (!airframe) return std::fprintf(stderr, "%s\n", airframe.error.c_str()), 2;
  std::string error;
  auto world = World::create(nine_on_the_ground(*airframe.value), {}, &error);
  if (!world) return std::fprintf(stderr, "%s\n", error.c_str()), 2;

  // everything from outside is an input; without a target it is for all
  world->submit({.payload = SetMode{Mode::TakeOff}});
  world->step(500);
  std::printf("after take-off: mean height %.2f m\n", mean_height(*world));

  // send one vehicle somewhere, and remember this moment
  const VehicleId scout = world->vehicles()[4];
  world->submit({.target = scout, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {1.5, 1.5, 4}, .yaw = 1.57}});
  world->step(600);
  const auto moment = world->snapshot();
  const Vec there = world->position_of(scout);
  std::printf("the scout is at %.2f %.2f %.2f\n", there[0], there[1], there[2]);

  // two futures of the same moment: a gale in one of them
  auto calm = world->branch({}), gale = world->branch({});
  gale->submit({.payload = SetWind{{6, 3, 0}}});
  calm->step(200);
  gale->step(200);
  const Vec a = calm->position_of(scout), b = gale->position_of(scout);
  std::printf("two seconds later: calm %.2f m, gale %.2f m from there\n", std::hypot(a[0] - there[0], a[1] - there[1]),
              std::hypot(b[0] - there[0], b[1] - there[1]));

  // going back costs a copy
  world->step(100);
  world->restore(*moment);
  for (const Event& e : world->take_events()) std::printf("event: %s %s\n", e.name.c_str(), e.what.c_str());
  return std::abs(there[2] - 4) < 0.1 && world->tick() == 1100 ? 0 : 1;
}
