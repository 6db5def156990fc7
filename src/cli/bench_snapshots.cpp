// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Snapshots of the swarm of `bench swarm` into a ring of 50, and back, each time beside a plain copy of as many bytes into as large a ring: both find their
// destination as cold as it is after 49 others.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "cli/bench_state.hpp"
#include "cli/bench_swarm.hpp"
#include "cli/paths.hpp"
#include "engine/parts.hpp"
#include "engine/snapshot.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr std::size_t kRing = 50;
constexpr double kMostBytes = 1300;   // of a vehicle
constexpr double kMostCopies = 1.5;   // times a plain copy
constexpr double kMostOfPart = 40;    // us

// of this thread: others on the machine do not count
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds_of(const std::function<void()>& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

core::Result<std::unique_ptr<World>> make_field(int agents) {
  const auto def = scenario::load_scenario_text(bench_swarm_field(agents), "bench.yaml", {scenario_paths().assets}, {});
  if (!def) return def.error();
  std::string error;
  auto world = World::create(def.value(), {.threads = 1}, &error);
  if (world == nullptr) return core::Error{.message = error};
  world->step(205);
  return world;
}

// best time of a copy of as many bytes: into the ring, and from it
struct Copies {
  double in = 1e300, out = 1e300;
};

void add_row(Report& report, const std::string& name, double seconds, double copy, std::size_t bytes) {
  report.add(name, 1e6 * seconds, "us", {{"copy_us", 1e6 * copy}, {"bytes", static_cast<std::int64_t>(bytes)}, {"times_copy", seconds / copy}, {"threshold", 1e6 * kMostCopies * copy},
                                         {"reached", seconds <= kMostCopies * copy}});
}

core::Status add_whole(Report& report, int agents) {
  auto made = make_field(agents);
  if (!made) return made.error();
  World& world = *made.value();
  std::vector<std::shared_ptr<Snapshot>> ring(kRing);
  for (auto& s : ring) world.snapshot_into(s);
  const std::size_t bytes = ring[0]->bytes();
  std::vector<std::vector<std::byte>> plain(kRing, std::vector<std::byte>(bytes));
  std::vector<std::byte> source(bytes);
  double taken = 1e300, restored = 1e300;
  Copies copies;
  for (int round = 0; round < 5; ++round) {
    double sums[4] = {0, 0, 0, 0};
    for (std::size_t k = 0; k < kRing; ++k) {
      sums[0] += seconds_of([&] { world.snapshot_into(ring[k]); });
      sums[1] += seconds_of([&] { std::memcpy(plain[k].data(), source.data(), bytes); });
    }
    for (std::size_t k = 0; k < kRing; ++k) {
      sums[2] += seconds_of([&] { world.restore(*ring[k]); });
      sums[3] += seconds_of([&] { std::memcpy(source.data(), plain[k].data(), bytes); });
    }
    for (double& sum : sums) sum /= kRing;
    taken = std::min(taken, sums[0]), copies.in = std::min(copies.in, sums[1]);
    restored = std::min(restored, sums[2]), copies.out = std::min(copies.out, sums[3]);
  }
  const std::string at = fmt::format("state/snapshot/agents={}/ring={}", agents, kRing);
  add_row(report, at + "/take", taken, copies.in, bytes);
  add_row(report, at + "/restore", restored, copies.out, bytes);
  const double each = static_cast<double>(bytes) / agents, columns = static_cast<double>(ring[0]->columns.size()) / agents;
  const double shared = static_cast<double>(ring[0]->roster->bytes()) / agents;
  report.add(at + "/bytes", each, "B per vehicle", {{"columns", columns}, {"shared_roster", shared}, {"threshold", kMostBytes}, {"reached", each <= kMostBytes}});
  return core::ok();
}

core::Status add_part(Report& report, int agents, std::size_t chosen) {
  auto made = make_field(agents);
  if (!made) return made.error();
  World& world = *made.value();
  const std::vector<VehicleId> all = world.vehicles();
  PartOf of;
  for (std::size_t k = 0; k < chosen; ++k) of.vehicles.push_back(all[k * all.size() / chosen]);
  std::shared_ptr<SnapshotPart> part;
  double taken = 1e300, restored = 1e300;
  for (int round = 0; round < 200; ++round) {
    taken = std::min(taken, seconds_of([&] { world.snapshot_part_into(part, of); }));
    restored = std::min(restored, seconds_of([&] { world.restore(*part); }));
  }
  const std::string at = fmt::format("state/part/agents={}/of={}", chosen, agents);
  for (const auto& [name, seconds] : {std::pair{"/take", taken}, {"/restore", restored}})
    report.add(at + name, 1e6 * seconds, "us", {{"bytes", static_cast<std::int64_t>(part->bytes())}, {"threshold", kMostOfPart}, {"reached", 1e6 * seconds <= kMostOfPart}});
  return core::ok();
}

}  // namespace

core::Status bench_snapshots(Report& report) {
  for (const int agents : {1'000, 10'000})
    if (const core::Status s = add_whole(report, agents); !s) return s;
  return add_part(report, 1'000, 20);
}

}  // namespace volary::cli
