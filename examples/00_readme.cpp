// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// 00: the lines of the README, with the checks that a program needs.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

int main() {
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  std::filesystem::create_directories("volary_readme");
  std::filesystem::current_path("volary_readme");
  std::error_code ignored;
  std::filesystem::remove("assets", ignored);  // of another clone
  std::filesystem::create_directory_symlink(VOLARY_EXAMPLE_DIR "/assets", "assets", ignored);
  std::ofstream("my_swarm.yaml") << "name: ring\nflocks: [{name: ring, airframe: crazyflie, vehicles: {ring: {count: 24, radius: 4}}}]\n";

  const auto def = volary::load_scenario("my_swarm.yaml", {.assets = "assets"});
  if (!def) return std::fprintf(stderr, "%s\n", def.error.c_str()), 2;
  std::string error;
  auto world = volary::World::create(*def.value, {.threads = 2}, &error);
  if (!world) return std::fprintf(stderr, "%s\n", error.c_str()), 2;
  world->step(100);
  const volary::View position = world->view("ring", "position");  // the columns where they lie, no copy
  std::printf("%zu vehicles after %.1f s, first at up %.2f m\n", world->n_vehicles(), world->time(), position.at(0, 2));
  return 0;
}
