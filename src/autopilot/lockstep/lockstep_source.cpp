// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/lockstep_source.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autopilot/lockstep/ardupilot_protocol.hpp"
#include "autopilot/lockstep/px4_protocol.hpp"
#include "autopilot/vehicle_state.hpp"
#include "runner/clock.hpp"

namespace volary::autopilot {

namespace {

constexpr std::uint32_t kSource = 0x4c4f434b;         // of the inputs
constexpr std::uint64_t kFirstMoment = 1'000'000;     // us: clocks of autopilots do not begin at zero
constexpr std::int64_t kPx4Period = 4'000'000;        // ns between two readings of the sensors, at most
constexpr double kLook = 0.001;                       // s that a look waits for an answer
constexpr double kPause = 0.5;                        // s without a tick: the run was paused
constexpr int kRounds = 32;                           // of reading then: more than a socket keeps
constexpr std::size_t kLines = 5;                     // of a log that people are shown
constexpr std::size_t kNames = 3;                     // of vehicles that are named

Vec3d vec3(const Vec& v) { return {v[0], v[1], v[2]}; }

}  // namespace

Truth truth_of(const World& world, const std::string& flock, VehicleId id) {
  Truth t;
  t.position_W = vec3(world.position_of(id));
  t.velocity_W = vec3(world.velocity_of(id));
  const std::size_t slot = world.slot_of(id);
  if (const auto q = world.find_view(flock, "attitude")) t.attitude = {q->at(slot, 0), q->at(slot, 1), q->at(slot, 2), q->at(slot, 3)};
  if (const auto w = world.find_view(flock, "omega")) t.omega_B = {w->at(slot, 0), w->at(slot, 1), w->at(slot, 2)};
  return t;
}

LockstepSource::LockstepSource(LockstepOptions options) : options_(std::move(options)), fleet_(options_.program) {
  if (!options_.tell) options_.tell = [](const std::string&) {};
}

void LockstepSource::fly(const std::vector<FlockAutopilot>& flocks) {
  wanted_.clear();
  for (const FlockAutopilot& f : flocks)
    if (f.def.kind == options_.program.kind) wanted_.push_back(f);
}

std::string LockstepSource::name() const {
  std::vector<std::string> missing;
  for (const Pilot& p : pilots_)
    if (!p.is_lost && !p.protocol->has_answered()) missing.push_back(p.name);
  const std::string kind = name_of(options_.program.kind);
  if (missing.empty()) return kind;
  const std::size_t n = missing.size();
  missing.resize(std::min(n, kNames));
  return fmt::format("{} of {}{}", kind, fmt::join(missing, ", "), n > kNames ? fmt::format(" and {} more", n - kNames) : "");
}

// who is silent for too long is lost by is_ready(), vehicle by vehicle; this is for the case that nobody looks
runner::Patience LockstepSource::patience() const { return {1, options_.start_limit + options_.silence, runner::Patience::Then::Fail}; }

// ---------------------------------------------------------------- beginning and end

void LockstepSource::start(const World& world) {
  failure_.clear();
  pilots_.clear();
  flocks_.clear();
  if (wanted_.empty()) return;
  if (const core::Status started = start_fleet(world); !started) failure_ = started.error().text();
}

void LockstepSource::add_flock(const World& world, const FlockAutopilot& wanted) {
  const auto& defs = world.def().flocks;
  const auto def = std::find_if(defs.begin(), defs.end(), [&](const FlockDef& f) { return f.name == wanted.flock; });
  if (def == defs.end()) return;
  FlockOf flock{RotorMap(def->airframe, wanted.def), {}};
  for (const VehicleId id : world.vehicles(wanted.flock)) {
    Pilot p;
    p.id = id;
    p.name = world.name_of(id);
    p.flock = wanted.flock;
    p.before = truth_of(world, wanted.flock, id);
    p.home_W = p.before.position_W;
    if (wanted.def.kind == AutopilotKind::Px4)
      p.protocol = std::make_unique<Px4Protocol>();
    else
      p.protocol = std::make_unique<ArdupilotProtocol>(flock.rotors.n_rotors());
    flock.pilots.push_back(pilots_.size());
    pilots_.push_back(std::move(p));
  }
  flocks_.emplace(wanted.flock, std::move(flock));
}

core::Status LockstepSource::start_fleet(const World& world) {
  const std::int64_t tick = world.def().tick_ns;
  every_ = options_.program.kind == AutopilotKind::Px4 ? static_cast<std::uint64_t>(std::max<std::int64_t>(1, kPx4Period / tick)) : 1;
  period_ = static_cast<double>(tick) * static_cast<double>(every_) * 1e-9;
  site_ = std::make_unique<SensorSite>(world.environment());
  std::vector<Fleet::Start> list;
  for (const FlockAutopilot& wanted : wanted_) {
    const std::size_t first = pilots_.size();
    add_flock(world, wanted);
    for (std::size_t k = first; k < pilots_.size(); ++k) {
      const Pilot& p = pilots_[k];
      const Quatd& q = p.before.attitude;
      const double heading = compass_from_yaw(yaw_of({q.w, q.x, q.y, q.z})) * (180 / 3.14159265358979323846);
      list.push_back(
          {wanted.def, site_->place().on_earth({p.home_W.x, p.home_W.y, p.home_W.z}), heading < 0 ? heading + 360 : heading, period_, p.protocol.get()});
    }
  }
  return fleet_.start(list);
}

void LockstepSource::stop(const World&) {
  fleet_.stop();
  pilots_.clear();
  flocks_.clear();
}

void LockstepSource::reset(const World&) {
  if (!pilots_.empty()) failure_ = "an autopilot cannot go back in time: begin the run again instead";
}

// ---------------------------------------------------------------- a tick

void LockstepSource::ask(const World& world) {
  if (pilots_.empty() || !failure_.empty() || !is_asked(world)) return;
  // what was repeated while the run was paused gets one answer, not many
  const int rounds = runner::steady_now() - asked_at_ > kPause ? kRounds : 1;
  for (int k = 0; k < rounds; ++k) fleet_.exchange(0);
  const WorldDef& def = world.def();
  const std::uint64_t time = kFirstMoment + world.tick() * static_cast<std::uint64_t>(def.tick_ns) / 1000;
  const Noise& noise = options_.program.kind == AutopilotKind::Px4 ? kPx4Noise : kNoNoise;
  for (Pilot& p : pilots_) {
    if (p.is_lost || !world.is_alive(p.id)) continue;
    const Truth now = truth_of(world, p.flock, p.id);
    const Vec wind = world.air_at({now.position_W.x, now.position_W.y, now.position_W.z}).wind_W;
    const Draw draw{def.seed, static_cast<std::uint32_t>(def.first_world), def.episode, p.id.number(), world.tick()};
    p.protocol->feed(site_->measure(p.before, now, world.tick() > 0 ? period_ : 0, vec3(wind), p.home_W, noise, draw), time);
    p.before = now;
  }
  asked_at_ = runner::steady_now();
  fleet_.exchange(0);
}

bool LockstepSource::is_ready(const World& world) {
  if (pilots_.empty() || !failure_.empty() || !is_asked(world)) return true;
  const auto all_done = [&] {
    bool all = true;
    for (std::size_t k = 0; k < pilots_.size() && failure_.empty(); ++k) all = (!world.is_alive(pilots_[k].id) || is_done(k, runner::steady_now())) && all;
    return all || !failure_.empty();
  };
  fleet_.exchange(0);
  if (all_done()) return true;
  fleet_.exchange(kLook);
  return all_done();
}

bool LockstepSource::is_done(std::size_t k, double now) {
  Pilot& p = pilots_[k];
  if (p.is_lost) return true;
  if (const std::string fault = p.protocol->fault(); !fault.empty()) return lose(k, fault), true;
  if (p.protocol->has_answered()) return p.has_begun = true;
  if (const std::string gone = fleet_.gone(k); !gone.empty()) return lose(k, gone), true;
  const double waited = now - asked_at_;
  // it is there and boots: simulated time passes as time on the wall does
  if (fleet_.is_connected(k) && p.protocol->is_booting()) return waited >= period_;
  const double limit = p.has_begun ? options_.silence : options_.start_limit;
  if (waited < limit) return false;
  lose(k, fmt::format("no answer for {:g} s", limit));
  return true;
}

// One that never flew ends the run: something is wrong with the program. One that is lost in flight is left to fall, the others fly on.
void LockstepSource::lose(std::size_t k, const std::string& why) {
  Pilot& p = pilots_[k];
  p.is_lost = true;
  fleet_.end(k);
  const std::string words = fleet_.last_lines(k, kLines);
  const std::string text = fmt::format("{} of {} (instance {}): {}; {}\nits files are kept in {}", name_of(options_.program.kind), p.name, fleet_.instance(k),
                                       why, words.empty() ? "it wrote nothing" : "it wrote last:\n" + words, fleet_.folder(k));
  if (!p.has_begun) {
    failure_ = text;
    return;
  }
  options_.tell(text + fmt::format("\n{} is without commands from now on: its rotors stop", p.name));
}

// ---------------------------------------------------------------- inputs

core::Status LockstepSource::give(const World& world, std::vector<Input>& inputs) {
  if (!failure_.empty()) return core::Error{.message = failure_};
  if (pilots_.empty() || !is_asked(world)) return core::ok();
  for (auto& [name, flock] : flocks_) command_flock(name, flock, world, inputs);
  return core::ok();
}

void LockstepSource::command_flock(const std::string& name, FlockOf& flock, const World& world, std::vector<Input>& inputs) {
  SetMany many{.what = Many::MotorSpeeds, .flock = name};
  std::vector<const Pilot*> armed;
  bool is_new = false;
  for (const std::size_t k : flock.pilots) {
    Pilot& p = pilots_[k];
    if (!world.is_alive(p.id) || world.has_crashed(p.id)) continue;
    const Command command = p.is_lost ? Command{} : p.protocol->command();
    if (command.armed != p.is_armed) inputs.push_back({.source = kSource, .target = p.id, .payload = SetMode{command.armed ? Mode::Armed : Mode::Disarmed}});
    const auto speeds = flock.rotors.speeds(command);
    is_new = is_new || (command.armed && (!p.is_armed || speeds != p.speeds));
    p.is_armed = command.armed;
    p.speeds = speeds;
    if (p.is_armed) armed.push_back(&p);
  }
  if (!is_new) return;
  for (const Pilot* p : armed) many.ids.push_back(p->id);
  for (std::size_t r = 0; r < flock.rotors.n_rotors(); ++r)
    for (const Pilot* p : armed) many.values.push_back(p->speeds[r]);
  inputs.push_back({.source = kSource, .payload = std::move(many)});
}

}  // namespace volary::autopilot
