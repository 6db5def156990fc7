// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// 01: load a scenario, fly it, read where everybody is, and see that two runs give the same bits.
//   01_first_swarm [SCENARIO] [ASSETS]
#include <cstdio>
#include <string>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : VOLARY_EXAMPLE_DIR "/scenarios/default.yaml";
  const std::string assets = argc > 2 ? argv[2] : VOLARY_EXAMPLE_DIR "/assets";

  // a scenario file becomes plain data; a mistake in it comes back as text with file, line and column
  const auto def = volary::load_scenario(file, {assets});
  if (!def) return std::fprintf(stderr, "%s\n", def.error.c_str()), 2;

  // how to run never changes what happens: threads and lanes are free choices
  std::string error;
  auto world = volary::World::create(*def.value, {.threads = 2}, &error);
  if (!world) return std::fprintf(stderr, "%s\n", error.c_str()), 2;

  for (int second = 0; second < 5; ++second) {
    world->step(100);
    const auto first = world->vehicles().front();
    const auto p = world->position_of(first);
    std::printf("%4.1f s  %zu vehicles  %s at %.2f %.2f %.2f\n", world->time(), world->n_vehicles(), world->name_of(first).c_str(), p[0], p[1], p[2]);
  }

  auto again = volary::World::create(*def.value, {.threads = 1, .lanes = 1}, &error);
  again->step(500);
  std::printf("state hash %016llx, and again %016llx\n", static_cast<unsigned long long>(world->hash()), static_cast<unsigned long long>(again->hash()));
  return world->hash() == again->hash() ? 0 : 1;
}
