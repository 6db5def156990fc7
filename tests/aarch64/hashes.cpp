// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// hashes [SCENARIO...]: what must be equal on every instruction set, a line each. Without arguments the digests of the scalar layer, of the elementary
// functions and of tables (math/lanes_test.hpp); for each scenario the state hash with one lane and with four. tools/aarch64.sh runs it natively and
// under emulation and compares the lines.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::lanes_test_units {

std::uint64_t digest_float_scalar();
std::uint64_t digest_float_lanes4();
std::uint64_t digest_double_scalar();
std::uint64_t VOLARY_FOUR_DOUBLES();

}  // namespace volary::lanes_test_units

namespace volary {
namespace {

// an emulator makes some ten thousand steps of a vehicle in a second
constexpr double kSteps = 60'000;
constexpr double kLeastTicks = 20, kMostTicks = 200;  // the most is what `volary verify` compares with tests/hashes.json

void print_digest(const char* what, int lanes, std::uint64_t digest) {
  std::printf("%s lanes=%d %016llx\n", what, lanes, static_cast<unsigned long long>(digest));
}

std::uint64_t affordable_ticks(const WorldDef& def) {
  double agents = 0;
  for (const FlockDef& f : def.flocks) agents += static_cast<double>(f.vehicles.size()) * def.worlds;
  const double ticks = std::clamp(kSteps / std::max(1.0, agents * def.substeps), kLeastTicks, kMostTicks);
  return std::min(static_cast<std::uint64_t>(ticks), planned_ticks(def));
}

// the hashes of all ticks make one: a world that comes back to the right state was wrong meanwhile
bool fly(const std::string& name, const WorldDef& def, const RunOptions& options) {
  std::string error;
  const auto world = World::create(def, options, &error);
  if (world == nullptr) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.c_str());
    return false;
  }
  const std::uint64_t ticks = affordable_ticks(def);
  std::uint64_t all = 0;
  for (std::uint64_t k = 0; k < ticks; ++k) {
    world->step(1);
    all = (all ^ world->hash()) * 0x9e3779b97f4a7c15ull + k;
  }
  std::printf("%s lanes=%d ticks=%llu %016llx %016llx\n", name.c_str(), options.lanes, static_cast<unsigned long long>(ticks),
              static_cast<unsigned long long>(world->hash()), static_cast<unsigned long long>(all));
  std::fflush(stdout);
  return true;
}

bool fly_scenario(const std::string& path) {
  const Loaded<WorldDef> def = load_scenario(path, {.assets = VOLARY_SOURCE_DIR "/assets"});
  if (!def) {
    std::fprintf(stderr, "%s\n", def.error.c_str());
    return false;
  }
  const std::string name = std::filesystem::path(path).stem().string();
  return fly(name, *def.value, {.threads = 1, .lanes = 1, .hash_every_tick = true}) &&
         fly(name, *def.value, {.threads = 2, .lanes = 4, .hash_every_tick = true, .force_split = true});
}

}  // namespace
}  // namespace volary

int main(int argc, char** argv) {
  using namespace volary;
  if (argc < 2) {
    print_digest("float", 1, lanes_test_units::digest_float_scalar());
    print_digest("float", 4, lanes_test_units::digest_float_lanes4());
    print_digest("double", 1, lanes_test_units::digest_double_scalar());
    print_digest("double", 4, lanes_test_units::VOLARY_FOUR_DOUBLES());
  }
  for (int k = 1; k < argc; ++k)
    if (!fly_scenario(argv[k])) return 1;
  return 0;
}
