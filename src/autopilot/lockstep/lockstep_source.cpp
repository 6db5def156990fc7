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
constexpr double kLook = 0.001;                       // s that a look waits for an answer
constexpr double kPause = 0.5;                        // s without a tick: the run was paused
constexpr int kRounds = 32;                           // of reading then: more than a socket keeps
constexpr std::size_t kLines = 5;                     // of a log that people are shown
constexpr std::size_t kNames = 3;                     // of vehicles that are named

}  // namespace

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
  const FlockDef* def = find_flock(world, wanted.flock);
  if (def == nullptr) return;
  FlockOf flock{ActuatorMap(def->airframe, wanted.def), {}};
  for (FlownVehicle& vehicle : flown_vehicles(world, wanted.flock)) {
    Pilot p{std::move(vehicle)};
    if (wanted.def.kind == AutopilotKind::Px4)
      p.protocol = std::make_unique<Px4Protocol>();
    else
      p.protocol = std::make_unique<ArdupilotProtocol>(flock.actuators.wiring());
    flock.pilots.push_back(pilots_.size());
    pilots_.push_back(std::move(p));
  }
  flocks_.emplace(wanted.flock, std::move(flock));
}

core::Status LockstepSource::start_fleet(const World& world) {
  const std::int64_t tick = world.def().tick_ns;
  every_ = options_.program.kind == AutopilotKind::Px4 ? ticks_between_px4_readings(tick) : 1;
  period_ = static_cast<double>(tick) * static_cast<double>(every_) * 1e-9;
  site_ = std::make_unique<SensorSite>(world.environment());
  std::vector<Fleet::Start> list;
  for (const FlockAutopilot& wanted : wanted_) {
    if (const core::Status senses = check_senses(world, wanted.flock); !senses) return senses;
    const std::size_t first = pilots_.size();
    add_flock(world, wanted);
    for (std::size_t k = first; k < pilots_.size(); ++k) {
      const Pilot& p = pilots_[k];
      const Quatd& q = p.start.attitude;
      const Vec3d& at = p.start.position_W;
      const double heading = compass_from_yaw(yaw_of({q.w, q.x, q.y, q.z})) * (180 / 3.14159265358979323846);
      list.push_back({wanted.def, site_->place().on_earth({at.x, at.y, at.z}), heading < 0 ? heading + 360 : heading, period_, p.protocol.get()});
    }
  }
  times_ = AnswerTimes(pilots_.size(), period_);
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
  if (pilots_.empty() || !failure_.empty()) return;
  // every tick has increments of the IMU, whether somebody is asked or not
  const bool asks = is_asked(world);
  if (asks) catch_up();
  for (const auto& [name, flock] : flocks_) {
    const SensorColumns columns(world, name);
    for (const std::size_t k : flock.pilots) {
      Pilot& p = pilots_[k];
      if (p.is_lost || !world.is_alive(p.id)) continue;
      gather_readings(p, world, columns);
      if (asks) p.protocol->feed(read_sensors(p, world, columns, *site_), sensor_time_us(world));
    }
  }
  if (!asks) return;
  asked_at_ = runner::steady_now();
  is_asking_ = true;
  times_.asked(asked_at_);
  fleet_.exchange(0);
}

// what was repeated while the run was paused gets one answer, not many
void LockstepSource::catch_up() {
  const bool was_paused = runner::steady_now() - asked_at_ > kPause;
  if (was_paused) times_.restart();
  const int rounds = was_paused ? kRounds : 1;
  for (int k = 0; k < rounds; ++k) fleet_.exchange(0);
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
  if (p.protocol->has_answered()) return times_.answered(k, now), p.has_begun = true;
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
  p.why_lost = why;
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
  is_asking_ = false;
  times_.done(runner::steady_now());
  for (const auto& [name, flock] : flocks_) {
    std::vector<Commanded> list;
    for (const std::size_t k : flock.pilots) list.push_back({&pilots_[k], pilots_[k].is_lost ? Command{} : pilots_[k].protocol->command()});
    give_commands(world, name, flock.actuators, list, kSource, inputs);
  }
  return core::ok();
}

// ---------------------------------------------------------------- for a page

const LockstepSource::Pilot* LockstepSource::find(VehicleId id) const {
  const auto it = std::find_if(pilots_.begin(), pilots_.end(), [&](const Pilot& p) { return p.id == id; });
  return it == pilots_.end() ? nullptr : &*it;
}

runner::AutopilotReport LockstepSource::report_of(VehicleId id) const {
  const Pilot* const p = find(id);
  if (p == nullptr) return {};
  runner::AutopilotReport state;
  state.kind = name_of(options_.program.kind);
  state.system = fleet_.instance(static_cast<std::size_t>(p - pilots_.data())) + 1;
  state.is_armed = p->is_armed;
  if (client_ != nullptr)
    if (auto known = client_->known_of(id)) state.mode = std::move(known->mode), state.messages = std::move(known->messages);
  if (p->is_lost)
    state.trouble = p->why_lost;
  else if (!p->has_begun)
    state.trouble = "it is starting";
  return state;
}

std::vector<runner::LockstepReport> LockstepSource::lockstep_reports() const {
  if (pilots_.empty()) return {};
  const AnswerTimes::Figures& f = times_.figures();
  runner::LockstepReport state;
  state.kind = name_of(options_.program.kind);
  state.vehicles = pilots_.size();
  state.rate = f.rate, state.factor = f.factor, state.wait = f.wait;
  if (f.slowest) state.slowest = pilots_[*f.slowest].name, state.slowest_wait = f.slowest_wait;
  const bool is_late = is_asking_ && runner::steady_now() - asked_at_ > kPause;
  for (const Pilot& p : pilots_) {
    state.gone += p.is_lost ? 1 : 0;
    if (is_late && !p.is_lost && !p.protocol->has_answered()) state.waiting_for.push_back(p.name);
  }
  return {std::move(state)};
}

core::Status LockstepSource::order(VehicleId id, const runner::FlightOrder& order) {
  const Pilot* const p = find(id);
  const char* const kind = name_of(options_.program.kind);
  if (p == nullptr) return core::Error{.message = fmt::format("{} does not fly this vehicle", kind)};
  if (p->is_lost) return core::Error{.message = fmt::format("{} is gone ({})", kind, p->why_lost)};
  if (client_ == nullptr) return core::Error{.message = fmt::format("{} flies it and takes commands on its MAVLink port only", kind)};
  return client_->order(id, order);
}

}  // namespace volary::autopilot
