// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording flown again: from its start to compare every hash, or from a moment of it to go another way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "replay/recording.hpp"
#include "runner/source.hpp"
#include "scenario/files.hpp"
#include "volary/world.hpp"

namespace volary::replay {

// the inputs of a recording, each at the tick at which it was given
class RecordedInputs final : public runner::Source {
 public:
  // those given before tick `from` are in the state of the world
  RecordedInputs(const Recording& recording, std::uint64_t from);
  void forget() { next_ = inputs_.size(), forgotten_ = true; }  // the rest is left out

  std::string name() const override { return "the recording"; }
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  core::Status refused(const Input& input, const std::string& why) override;
  void reset(const World& world) override { go_to(world.tick()); }

 private:
  void go_to(std::uint64_t tick);
  std::vector<RecordedInput> inputs_;
  std::size_t next_ = 0;
  bool forgotten_ = false;
};

// the definition of what was flown; of the plugins that it brings along only those run that `may_run` lets
core::Result<WorldDef> scenario_of(const Recording& recording, const scenario::MayRun& may_run);
// the world of a recording at its tick 0; `def` is for recordings without a bundle
core::Result<std::unique_ptr<World>> make_world(const Recording& recording, const RunOptions& options, const WorldDef* def, const scenario::MayRun& may_run);

struct Verification {
  std::uint64_t compared = 0;                 // ticks whose hash was compared
  std::uint64_t skipped = 0;                  // ticks that damage keeps from being compared
  std::vector<TickRange> not_compared;        // which
  bool end_lost = false;                      // damage may have taken ticks after those, and nothing says how many
  std::optional<std::uint64_t> difference;    // the first tick that differs
  std::uint64_t recorded = 0, flown = 0;      // both hashes there
  std::vector<std::string> notes;

  bool exact() const { return !difference && skipped == 0 && !end_lost; }
};
struct VerifyOptions {
  RunOptions run;
  std::uint64_t max_ticks = kNever;
  const WorldDef* def = nullptr;                        // for recordings without a bundle
  scenario::MayRun may_run = nullptr;                   // plugins in the bundle; empty: none
  std::function<bool(double done)> progress = nullptr;  // false: stop here
};
core::Result<Verification> verify(const Recording& recording, const VerifyOptions& options);

// what looks on while a recording is flown again; an error ends the flight
class FlightWatcher {
 public:
  virtual ~FlightWatcher() = default;
  virtual core::Status begin(const World& world) = 0;  // at the first tick of the recording
  virtual core::Status after_tick(const World& world) = 0;
};
struct FlightOptions {
  RunOptions run;
  const WorldDef* def = nullptr;
  scenario::MayRun may_run = nullptr;
  std::function<void(double done)> progress = nullptr;
};
// Flies the whole recording again from its first tick to its last. An error that suggests the view layer when that cannot be done: the plugins are not
// trusted, inputs or the first checkpoint were lost, or a hash differs.
core::Status fly_again(const Recording& recording, const FlightOptions& options, FlightWatcher& watcher);

struct BranchOptions {
  RunOptions run;
  std::vector<std::string> overrides;  // of the scenario; what belongs to the past is refused
  const WorldDef* def = nullptr;
  scenario::MayRun may_run = nullptr;
};
struct Branch {
  std::unique_ptr<World> world;  // at the moment
  RecordedInputs inputs;         // that were given later; a source for its runner
  scenario::Bundle bundle;       // of the scenario with the overrides, for recording the branch
};
core::Result<Branch> branch(const Recording& recording, double time, const BranchOptions& options);

}  // namespace volary::replay
