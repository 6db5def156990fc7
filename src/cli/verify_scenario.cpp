// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/verify_scenario.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "cli/flight.hpp"
#include "engine/backend.hpp"
#include "scenario/joined_flocks.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr std::uint64_t kTicks = 200;

// agent-substeps that one run may take: a large swarm is compared over fewer ticks, so that the slow
// backends stay within seconds
double budget(const RunOptions& o) { return o.optimised ? 1.5e6 * std::max(1, o.lanes) : 8e5; }
constexpr double kWholeBudget = 1.5e8, kWholeNarrowBudget = 1.5e7;

class Verifier {
 public:
  Verifier(const WorldDef& def, Verified& out) : def_(def), out_(out) {
    for (const FlockDef& f : def.flocks) agents_ += static_cast<double>(f.vehicles.size()) * def.worlds;
    widest_ = available_lanes().back();
  }

  bool make_reference();
  void compare_backends();
  void compare_chunks();
  void compare_alone();
  void run_whole();

 private:
  std::uint64_t affordable(double limit) const { return static_cast<std::uint64_t>(limit / std::max(1.0, agents_ * def_.substeps)); }
  std::unique_ptr<World> make(const WorldDef& def, const RunOptions& o) { return World::create(def, o, &out_.error); }
  void compare(const RunOptions& o);
  void compare_one_alone(const FlockDef& flock, std::size_t index, VehicleId id, const World& all);

  const WorldDef& def_;
  Verified& out_;
  double agents_ = 0;
  int widest_ = 1;
  std::vector<std::uint64_t> hashes_;  // after tick 1, 2, ...
};

bool Verifier::make_reference() {
  const auto world = make(def_, {.threads = 1, .lanes = widest_, .hash_every_tick = true});
  if (world == nullptr) return false;
  out_.ticks = std::min(kTicks, planned_ticks(def_));
  for (std::uint64_t k = 0; k < out_.ticks; ++k) {
    world->step(1);
    hashes_.push_back(world->hash());
  }
  out_.hash = hashes_.back();
  return true;
}

void Verifier::compare(const RunOptions& o) {
  const auto world = make(def_, o);
  if (world == nullptr) return;
  const std::uint64_t ticks = std::min(out_.ticks, std::max<std::uint64_t>(5, affordable(budget(o))));
  Claim claim{fmt::format("threads={}/lanes={}{}", o.threads, o.lanes, o.optimised ? "" : "/o0"), true, "", ticks};
  for (std::uint64_t k = 0; k < ticks && claim.holds; ++k) {
    world->step(1);
    claim.holds = world->hash() == hashes_[k];
    if (!claim.holds) claim.detail = fmt::format("differs from tick {} on", k + 1);
  }
  out_.claims.push_back(std::move(claim));
}

void Verifier::compare_backends() {
  for (const int lanes : available_lanes())
    for (const int threads : {1, 2, 7})
      if (lanes != widest_ || threads != 1) compare({.threads = threads, .lanes = lanes, .hash_every_tick = true, .force_split = true});
  // the optimiser must not change a bit either
  for (const engine::Backend* b : engine::all_backends())
    if (!b->optimised && b->supported()) compare({.threads = 1, .lanes = b->lanes, .optimised = false, .hash_every_tick = true});
}

// step(200) at once, and in pieces of 7: the same as 200 times step(1); without the hash of every tick
void Verifier::compare_chunks() {
  for (const std::uint64_t chunk : {out_.ticks, std::uint64_t{7}}) {
    const auto world = make(def_, {.threads = 2, .lanes = widest_, .force_split = true});
    if (world == nullptr) return;
    while (world->tick() < out_.ticks) world->step(std::min(chunk, out_.ticks - world->tick()));
    const bool holds = world->hash() == out_.hash;
    out_.claims.push_back({fmt::format("step={}", chunk), holds, holds ? "" : "differs from single steps", out_.ticks});
  }
}

// the same vehicle with its id, and nobody else; events that do not concern it are left out
void Verifier::compare_one_alone(const FlockDef& flock, std::size_t index, VehicleId id, const World& all) {
  WorldDef def = def_;
  def.worlds = 1;
  def.flocks = {flock};
  def.flocks[0].vehicles = {flock.vehicles[index]};
  def.flocks[0].vehicles[0].id = id.number();
  def.flocks[0].vehicles[0].place = index + 1;
  def.tasks.clear();
  def.events.clear();
  for (EventDef e : def_.events) {
    if (!e.flock.empty() && e.flock != flock.name) continue;
    if (e.vehicle >= 0 && e.vehicle != static_cast<std::int64_t>(index)) continue;
    def.events.push_back(e);
  }
  const auto alone = make(def, {.threads = 1, .lanes = widest_});
  if (alone == nullptr) return;
  alone->step(out_.ticks);
  const bool holds = alone->hash_of(id) == all.hash_of(id);
  out_.claims.push_back({fmt::format("alone/{}[{}]", flock.name, index), holds, holds ? "" : "flies differently among all vehicles", out_.ticks});
}

void Verifier::compare_alone() {
  const auto flock = std::find_if(def_.flocks.begin(), def_.flocks.end(), [&](const FlockDef& f) {
    // those that listen to others, bump into them, dock or carry a load with them are not expected to fly alone as among all
    return !f.mirror && !scenario::has_partners(f, def_) && !f.vehicles.empty() && f.node.behaviours.empty() && f.node.contact.policy == ContactPolicy::Ignore;
  });
  if (flock == def_.flocks.end()) return;
  const auto all = make(def_, {.threads = 2, .lanes = widest_, .force_split = true});
  if (all == nullptr) return;
  const std::vector<VehicleId> ids = all->vehicles(flock->name);
  all->step(out_.ticks);
  const std::size_t n = flock->vehicles.size(), last = n - 1;
  for (const std::size_t index : {std::size_t{0}, last})
    if (index < ids.size() && (index == 0 || n > 1)) compare_one_alone(*flock, index, ids[index], *all);
}

// The whole length, and beside it the same on the narrowest kernels: what happens late, a landing or a failure, must not depend on the width either.
void Verifier::run_whole() {
  const RunOptions wide{.threads = 2, .lanes = widest_, .force_split = true}, narrow{.threads = 1, .lanes = available_lanes().front()};
  const auto world = make(def_, wide), other = make(def_, narrow);
  if (world == nullptr || other == nullptr) return;
  out_.whole_ticks = std::min(planned_ticks(def_), std::max(out_.ticks, affordable(kWholeBudget)));
  const std::uint64_t compared = std::min(out_.whole_ticks, affordable(kWholeNarrowBudget)), stride = std::max<std::uint64_t>(1, compared / 64);
  Claim claim{fmt::format("whole/threads={}/lanes={}", narrow.threads, narrow.lanes), true, "", compared};
  while (world->tick() < compared && claim.holds) {
    const std::uint64_t from = world->tick(), ticks = std::min(stride, compared - from);
    world->step(ticks);
    other->step(ticks);
    claim.holds = world->hash() == other->hash();
    if (!claim.holds) claim.detail = fmt::format("differs somewhere between ticks {} and {}", from + 1, from + ticks);
  }
  out_.claims.push_back(std::move(claim));
  world->step(out_.whole_ticks - world->tick());
  out_.whole_hash = world->hash();
}

}  // namespace

Verified verify_scenario(const WorldDef& def, bool quick) {
  const auto begin = std::chrono::steady_clock::now();
  Verified out;
  Verifier v(def, out);
  if (v.make_reference()) {
    v.compare_backends();
    v.compare_chunks();
    v.compare_alone();
    if (!quick) v.run_whole();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace volary::cli
