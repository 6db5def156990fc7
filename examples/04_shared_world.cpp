// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// 04: one world that two members share. Here both are in one program and hand each other their frames; in a federation each is a process of its own.
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

int main() {
  const auto def = volary::load_scenario(VOLARY_EXAMPLE_DIR "/scenarios/default.yaml", {VOLARY_EXAMPLE_DIR "/assets"});
  if (!def) return std::fprintf(stderr, "%s\n", def.error.c_str()), 2;

  std::string error;
  std::vector<std::unique_ptr<volary::World>> members;
  for (std::uint32_t member = 0; member < 2; ++member) {
    auto world = volary::World::create(*def.value, {}, &error);
    volary::Sharing sharing{.member = member, .members = 2};
    sharing.parts = {{"inner", 1, 0}, {"outer", 1, 1}, {"eights", 1, 0}, {"crown", 1, 1}};
    world->share(sharing, &error);
    if (!error.empty()) return std::fprintf(stderr, "%s\n", error.c_str()), 2;
    members.push_back(std::move(world));
  }

  // every member moves its own vehicles, and works out with the frames of all what happens between them
  for (int tick = 0; tick < 500; ++tick) {
    std::vector<std::vector<std::byte>> made;
    for (auto& world : members) {
      std::vector<std::byte> frame;
      world->advance(frame);
      made.push_back(std::move(frame));
    }
    const std::vector<std::span<const std::byte>> frames(made.begin(), made.end());
    for (auto& world : members) {
      world->settle(frames, &error);
      if (!error.empty()) return std::fprintf(stderr, "%s\n", error.c_str()), 1;
    }
  }

  std::uint64_t sum = 0;
  for (auto& world : members) {
    sum += world->own_hash();
  }
  auto whole = volary::World::create(*def.value, {}, &error);
  whole->step(500);
  const std::uint64_t shared = members[0]->hash_with(sum);
  std::printf("state hash of two members %016llx, of one process %016llx\n", static_cast<unsigned long long>(shared), static_cast<unsigned long long>(whole->hash()));
  return shared == whole->hash() ? 0 : 1;
}
