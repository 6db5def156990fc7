// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/resimulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "math/scalar.hpp"
#include "runner/runner.hpp"
#include "scenario/load.hpp"

namespace volary::replay {

namespace {

core::Error file_error(const Recording& r, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message), .file = r.path(), .suggestion = std::move(suggestion)};
}

core::Result<WorldDef> load_def(const Recording& r, const scenario::Bundle& bundle, const WorldDef* def, const scenario::MayRun& may_run) {
  if (def != nullptr) return *def;
  if (bundle.main.empty()) return file_error(r, "holds no scenario: its world was made by a program, which must give the definition");
  return scenario::load_bundle(bundle, scenario::Paths{}.max_vehicles, may_run);
}

core::Result<std::unique_ptr<World>> create(const Recording& r, const WorldDef& def, RunOptions options) {
  std::string error;
  options.hash_every_tick = true;
  auto world = World::create(def, options, &error);
  if (world == nullptr) return file_error(r, "its world cannot be made: " + error);
  return world;
}

core::Status restore_checkpoint(const Recording& r, World& world, std::uint64_t tick) {
  const auto raw = r.checkpoint(tick);
  if (!raw) return raw.error();
  std::string error;
  const auto snapshot = world.read_snapshot(raw.value(), &error);
  if (snapshot == nullptr) return file_error(r, fmt::format("the checkpoint at {:.2f} s: {}", r.seconds(tick), error));
  if (!world.restore(*snapshot, &error)) return file_error(r, fmt::format("the checkpoint at {:.2f} s: {}", r.seconds(tick), error));
  if (world.tick() != tick) return file_error(r, fmt::format("the checkpoint of tick {} is of tick {}", tick, world.tick()));
  return core::ok();
}

// the last checkpoint in [first, tick], or none
std::optional<std::uint64_t> checkpoint_before(const Recording& r, std::uint64_t first, std::uint64_t tick) {
  std::optional<std::uint64_t> best;
  for (const std::uint64_t t : r.checkpoint_ticks())
    if (t >= first && t <= tick && (!best || t > *best)) best = t;
  return best;
}
std::optional<std::uint64_t> checkpoint_after(const Recording& r, std::uint64_t first, std::uint64_t last) {
  std::optional<std::uint64_t> best;
  for (const std::uint64_t t : r.checkpoint_ticks())
    if (t >= first && t <= last && (!best || t < *best)) best = t;
  return best;
}

// flies a world with its recorded inputs as fast as it goes; sinks and interruptions as the caller wants
core::Status fly_to(World& world, RecordedInputs& inputs, std::uint64_t end, runner::Sink* sink = nullptr, std::function<bool()> is_interrupted = {}) {
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  runner.add(inputs);
  if (sink != nullptr) runner.add(*sink);
  runner.begin(world, {.end = end, .is_interrupted = std::move(is_interrupted)});
  if (runner.run() == runner::Outcome::Failed) return core::Error{.message = runner.failure()};
  return core::ok();
}

// it starts from the scenario, and not from a checkpoint
bool starts_at_the_scenario(const Recording& r) { return r.first_tick() == 0 && !r.head().continues; }

class Verifier final : public runner::Sink {
 public:
  Verifier(const Recording& r, const VerifyOptions& o) : r_(r), o_(o), last_(std::min(r.end_tick(), capped(r.first_tick(), o.max_ticks))) {}
  core::Result<Verification> run();

 private:
  static std::uint64_t capped(std::uint64_t first, std::uint64_t n) { return n > kNever - first ? kNever : first + n; }
  core::Status fly_stretch(TickRange stretch);
  core::Result<std::unique_ptr<World>> world_at_or_after(TickRange stretch);
  void compare(const World& world);
  void begin(World& world, bool) override { compare(world); }
  void after_tick(World& world) override;
  void note_gap(TickRange range);

  const Recording& r_;
  const VerifyOptions& o_;
  std::uint64_t last_;
  std::uint64_t next_ = r_.first_tick();  // to compare
  bool stopped_ = false;
  Verification v_;
};

// the start is made from the scenario, later stretches from the first checkpoint inside them
core::Result<std::unique_ptr<World>> Verifier::world_at_or_after(TickRange stretch) {
  auto world = make_world(r_, o_.run, o_.def, o_.may_run);
  if (!world) return world;
  if (stretch.first == 0 && starts_at_the_scenario(r_)) return world;
  const auto tick = checkpoint_after(r_, stretch.first, stretch.last);
  if (!tick) return std::unique_ptr<World>();
  if (const core::Status s = restore_checkpoint(r_, *world.value(), *tick); !s) return s.error();
  return world;
}

void Verifier::note_gap(TickRange range) {
  v_.not_compared.push_back(range);
  v_.skipped += range.last - range.first + 1;
}

void Verifier::compare(const World& world) {
  const auto recorded = r_.hash(world.tick());
  if (!recorded || world.tick() < next_) return;
  if (world.tick() > next_) note_gap({next_, world.tick() - 1});
  next_ = world.tick() + 1;
  ++v_.compared;
  if (*recorded == world.hash()) return;
  v_.difference = world.tick();
  v_.recorded = *recorded;
  v_.flown = world.hash();
}

void Verifier::after_tick(World& world) {
  compare(world);
  const double done = static_cast<double>(world.tick() - r_.first_tick()) / static_cast<double>(std::max<std::uint64_t>(1, last_ - r_.first_tick()));
  stopped_ = o_.progress && !o_.progress(done);
}

core::Status Verifier::fly_stretch(TickRange stretch) {
  auto made = world_at_or_after(stretch);
  if (!made) return made.error();
  if (made.value() == nullptr) {
    v_.notes.push_back(fmt::format("no checkpoint is left between {:.2f} s and {:.2f} s: not compared", r_.seconds(stretch.first), r_.seconds(stretch.last)));
    return core::ok();
  }
  World& world = *made.value();
  RecordedInputs inputs(r_, world.tick());
  return fly_to(world, inputs, std::min(stretch.last, last_), this, [this] { return v_.difference.has_value() || stopped_; });
}

core::Result<Verification> Verifier::run() {
  for (const TickRange& stretch : r_.known_inputs()) {
    if (stretch.first > last_ || v_.difference || stopped_) break;
    if (const core::Status s = fly_stretch(stretch); !s) return s.error();
  }
  if (stopped_) v_.notes.push_back("stopped before the end");
  if (!v_.difference && !stopped_) {
    if (next_ <= last_) note_gap({next_, last_});
    v_.end_lost = last_ == r_.end_tick() && r_.end_is_lost();
  }
  return v_;
}

// an exact export was asked for, and cannot be had
core::Error cannot_fly(const Recording& r, const core::Error& why) {
  core::Error error = why;
  error.file = r.path();
  error.message = "cannot be flown again: " + (why.file.empty() || why.file == r.path() ? why.message : why.file + ": " + why.message);
  const char* view = "--view exports the recorded trajectories, within their error bounds";
  if (r.has_view()) error.suggestion += (error.suggestion.empty() ? "" : "; ") + std::string(view);
  return error;
}

// the world at the first tick of a recording, all of whose inputs must be there
core::Result<std::unique_ptr<World>> world_at_start(const Recording& r, const FlightOptions& o) {
  const std::vector<TickRange> known = r.known_inputs();
  if (known.empty() || known.front().first != r.first_tick()) return file_error(r, "its first inputs were lost");
  if (known.front().last < r.last_tick()) return file_error(r, fmt::format("inputs after {:.2f} s were lost", r.seconds(known.front().last)));
  auto world = make_world(r, o.run, o.def, o.may_run);
  if (!world || starts_at_the_scenario(r)) return world;
  if (const core::Status s = restore_checkpoint(r, *world.value(), r.first_tick()); !s) return s.error();
  return world;
}

// compares the hashes on the way, and hands the world on to who watches
class Reflight final : public runner::Sink {
 public:
  Reflight(const Recording& r, const FlightOptions& o, FlightWatcher& watcher) : r_(r), o_(o), watcher_(watcher) {}
  void begin(World& world, bool) override {
    if (compare(world)) note(watcher_.begin(world));
  }
  void after_tick(World& world) override {
    if (!compare(world)) return;
    note(watcher_.after_tick(world));
    if (o_.progress) o_.progress(static_cast<double>(world.tick() - r_.first_tick()) / static_cast<double>(std::max<std::uint64_t>(1, r_.last_tick() - r_.first_tick())));
  }
  bool has_failed() const { return error_.has_value(); }
  core::Status status() const { return error_ ? core::Status(*error_) : core::ok(); }

 private:
  bool compare(const World& world) {
    const auto recorded = r_.hash(world.tick());
    if (error_ || !recorded || *recorded == world.hash()) return !error_;
    error_ = cannot_fly(r_, {.message = fmt::format("it differs from the recording at {:.2f} s, tick {}", r_.seconds(world.tick()), world.tick())});
    return false;
  }
  void note(const core::Status& s) {
    if (!s) error_ = s.error();
  }

  const Recording& r_;
  const FlightOptions& o_;
  FlightWatcher& watcher_;
  std::optional<core::Error> error_;
};

// what may be changed at a moment: what is not already part of the state
core::Status check_overrides(const std::vector<std::string>& overrides) {
  static constexpr std::array kAllowed = {"duration", "environment", "metrics_from", "name", "description", "compare_controllers"};
  for (const std::string& o : overrides) {
    const std::string path = o.substr(0, o.find('='));
    const std::string top = path.substr(0, path.find_first_of(".["));
    const bool gains = top == "flocks" && path.find("].controller") != std::string::npos;
    if (gains || std::find(kAllowed.begin(), kAllowed.end(), top) != kAllowed.end()) continue;
    return core::Error{.message = "cannot be changed at a branch",
                       .field = path,
                       .suggestion = "duration, environment.* and flocks[..].controller.* can; for the rest run the scenario from its start"};
  }
  return core::ok();
}

// the wind is part of the state: a new one, or the end of all weather, is an input
void change_wind(const WorldDef& before, World& world) {
  const EnvironmentDef& now = world.def().environment;
  const bool other_wind = now.wind_W != before.environment.wind_W;
  if (!other_wind && now.weather == before.environment.weather) return;
  Input in;
  in.tick = world.tick();
  in.payload = SetWind{other_wind ? now.wind_W : world.environment().wind_W};
  world.submit(std::move(in));
}

}  // namespace

RecordedInputs::RecordedInputs(const Recording& recording, std::uint64_t from) : inputs_(recording.inputs()) { go_to(from); }

void RecordedInputs::go_to(std::uint64_t tick) {
  if (forgotten_) return;
  next_ = 0;
  while (next_ < inputs_.size() && inputs_[next_].given < tick) ++next_;
}

core::Status RecordedInputs::give(const World& world, std::vector<Input>& inputs) {
  for (; next_ < inputs_.size() && inputs_[next_].given <= world.tick(); ++next_) inputs.push_back(inputs_[next_].input);
  return core::ok();
}

core::Status RecordedInputs::refused(const Input&, const std::string& why) { return core::Error{.message = "an input does not fit the scenario: " + why}; }

core::Result<WorldDef> scenario_of(const Recording& recording, const scenario::MayRun& may_run) {
  return load_def(recording, recording.head().bundle, nullptr, may_run);
}

core::Result<std::unique_ptr<World>> make_world(const Recording& recording, const RunOptions& options, const WorldDef* def,
                                                const scenario::MayRun& may_run) {
  if (recording.head().format < kFormat)
    return file_error(
        recording, fmt::format("is of format {}: this version simulates it differently; it can be viewed and exported only", recording.head().format),
        "run its scenario again");
  const auto loaded = load_def(recording, recording.head().bundle, def, may_run);
  if (!loaded) return file_error(recording, "its scenario: " + loaded.error().text());
  return create(recording, loaded.value(), options);
}

core::Result<Verification> verify(const Recording& recording, const VerifyOptions& options) { return Verifier(recording, options).run(); }

core::Status fly_again(const Recording& r, const FlightOptions& o, FlightWatcher& watcher) {
  auto world = world_at_start(r, o);
  if (!world) return cannot_fly(r, world.error());
  RecordedInputs inputs(r, world.value()->tick());
  Reflight flight(r, o, watcher);
  const core::Status flown = fly_to(*world.value(), inputs, r.last_tick(), &flight, [&] { return flight.has_failed(); });
  if (flight.has_failed()) return flight.status();
  return flown ? flown : cannot_fly(r, flown.error());
}

core::Result<Branch> branch(const Recording& r, double time, const BranchOptions& o) {
  if (const core::Status s = check_overrides(o.overrides); !s) return s.error();
  const double wanted = time / r.head().tick_seconds();
  if (!(wanted >= static_cast<double>(r.first_tick()) && wanted < static_cast<double>(r.last_tick()) + 0.5)) {
    return file_error(
        r, fmt::format("{} s is not in the recording, which goes from {:.2f} s to {:.2f} s", time, r.seconds(r.first_tick()), r.seconds(r.last_tick())));
  }
  const auto tick = static_cast<std::uint64_t>(math::round(wanted));

  auto made = make_world(r, o.run, o.def, o.may_run);
  if (!made) return made.error();
  // the stretch of known inputs that holds the tick, from its start or its last checkpoint before
  std::optional<TickRange> stretch;
  for (const TickRange& s : r.known_inputs())
    if (s.first <= tick && tick <= s.last) stretch = s;
  const auto from = stretch ? checkpoint_before(r, stretch->first, tick) : std::nullopt;
  const bool from_start = stretch && stretch->first == 0 && starts_at_the_scenario(r);
  if (!from && !from_start) return file_error(r, fmt::format("{} s cannot be reached: inputs or checkpoints before it were lost", time));
  if (from && !(from_start && *from == 0))
    if (const core::Status s = restore_checkpoint(r, *made.value(), *from); !s) return s.error();

  std::unique_ptr<World> world = std::move(made).value();
  RecordedInputs inputs(r, world->tick());
  if (const core::Status s = fly_to(*world, inputs, tick); !s) return s.error();
  if (const auto recorded = r.hash(tick); recorded && *recorded != world->hash())
    return file_error(r, fmt::format("flown again it differs from the recording at {:.2f} s", r.seconds(tick)), "volary replay FILE --verify says where first");

  scenario::Bundle bundle = r.head().bundle;
  if (o.overrides.empty()) return Branch{std::move(world), std::move(inputs), std::move(bundle)};
  bundle.overrides.insert(bundle.overrides.end(), o.overrides.begin(), o.overrides.end());
  const WorldDef before = world->def();
  if (o.def != nullptr) return file_error(r, "a world without a scenario has nothing to override");
  const auto def = load_def(r, bundle, nullptr, o.may_run);
  if (!def) return def.error();
  auto changed = create(r, def.value(), o.run);
  if (!changed) return changed.error();
  std::string error;
  const auto snapshot = changed.value()->read_snapshot(World::snapshot_bytes(*world->snapshot()), &error);
  if (snapshot == nullptr) return file_error(r, "the changes need another kind of state than the recorded one: " + error);
  if (!changed.value()->restore(*snapshot, &error)) return file_error(r, error);
  change_wind(before, *changed.value());
  return Branch{std::move(changed).value(), std::move(inputs), std::move(bundle)};
}

}  // namespace volary::replay
