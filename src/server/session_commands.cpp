// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What clients ask of a session: the run, its vehicles, and flying one of them by hand. Everything becomes an Input.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control/guide.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/scenario_def.hpp"
#include "server/session.hpp"
#include "swarm/change_field.hpp"
#include "vehicles/model.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

constexpr double kHoldAfter = static_cast<double>(wire::kControlHoldMs) * 1e-3;  // s
constexpr double kReleaseAfter = kHoldAfter + static_cast<double>(wire::kControlReleaseMs) * 1e-3;
constexpr double kLongestTurn = 0.2;           // s of a yaw rate that one message may stand for
constexpr double kMostTilt = 0.6;              // rad: roll and pitch of a platform in hand
constexpr double kLevelRate = 0.4;             // rad/s
constexpr std::size_t kMostSpawned = 100'000;  // in a session

core::Error refuse(std::string message, std::string suggestion = "") { return core::Error{.message = std::move(message), .suggestion = std::move(suggestion)}; }

}  // namespace

core::Status Session::act(std::uint32_t client, const Action& a) {
  using wire::Command;
  switch (a.command) {
    case Command::Pause:
    case Command::Resume:
    case Command::Step:
    case Command::Speed:
    case Command::Reset:
    case Command::Stop:
    case Command::Start: return act_on_run(client, a);
    default: break;
  }
  if (state() == LiveState::Finished) return refuse("the run is over", "reset it, or start another");
  refusal_ = core::ok();
  core::Status done = act_on_vehicles(client, a);
  if (done) done = refused_input();
  if (done && state() == LiveState::Paused && client != 0 && a.command != Command::Release) notice(client, "info", "paused: this happens at the next tick");
  return done;
}

core::Status Session::act_on_run(std::uint32_t, const Action& a) {
  if (options_.remote && options_.remote->change_run) {
    status_due_ = true;
    return options_.remote->change_run(a);
  }
  const core::Status done = change_run(a);
  hold_remote();
  return done;
}

core::Status Session::change_run(const Action& a) {
  using wire::Command;
  const bool over = state() == LiveState::Finished;
  status_due_ = true;
  switch (a.command) {
    case Command::Pause:
      if (over) return refuse("the run is over");
      return runner_->pause(), core::ok();
    case Command::Resume:
      if (over) return refuse("the run is over", "reset it, or start another");
      return runner_->resume(), core::ok();
    case Command::Step:
      if (over) return refuse("the run is over", "reset it, or start another");
      return runner_->step(a.ticks), core::ok();
    case Command::Speed:
      if (options_.check_speed)
        if (const core::Status can = options_.check_speed(a.factor); !can) return can;
      if (!options_.remote) return runner_->set_speed(a.factor), core::ok();
      if (const core::Status paced = options_.remote->pace(a.factor); !paced) return paced;
      remote_speed_ = a.factor;
      return core::ok();
    case Command::Stop: return finish(), core::ok();
    default: return start(a);
  }
}

// reset is the same scenario again
core::Status Session::start(const Action& a) {
  WorldDef def;
  if (options_.remote && a.command == wire::Command::Start)
    return refuse("a federation simulates one scenario", "end it and run 'volary federation up' with the other scenario");
  if (a.command == wire::Command::Reset) {
    if (options_.remote && !options_.remote->restart) return refuse("this federation cannot be reset", "end it and run 'volary federation up' again");
    if (options_.remote)
      if (const core::Status restarted = options_.remote->restart(); !restarted) return restarted;
    def = world_->def();
  } else {
    if (!options_.load) return refuse("no other scenario can be started here");
    core::Result<WorldDef> loaded = options_.load(a.scenario, a.overrides);
    if (!loaded) return loaded.error();
    def = std::move(loaded).value();
  }
  const bool again = a.command == wire::Command::Reset;
  if (const core::Status begun = begin(def, again ? state() == LiveState::Paused : a.paused, again); !begun) return begun;
  return send_hello(), core::ok();
}

core::Status Session::act_on_vehicles(std::uint32_t client, const Action& given) {
  using wire::Command;
  const core::Result<std::vector<VehicleId>> ids = look_up(given.who);
  if (!ids) return ids.error();
  Action a = given;
  a.ids = ids.value();
  if (a.command != Command::EmergencyStop && a.command != Command::Spawn)
    if (const core::Status good = check_ids(client, a.ids); !good) return good;
  switch (a.command) {
    case Command::Goto: return go_to(client, a);
    case Command::Mode: return change_mode(client, a);
    case Command::EmergencyStop: return emergency_stop(client, a);
    case Command::Spawn: return spawn(client, a);
    case Command::Behaviour: return set_behaviour(client, a);
    case Command::Field: return set_field(client, a);
    case Command::Remove: return give_input(client, a, Remove{});
    case Command::Parameter: return give_input(client, a, SetParameter{a.name, a.component, a.value});
    case Command::Fault: return set_fault(client, a);
    case Command::Input: return give_input(client, a, a.payload);
    case Command::Take: return take(client, a);
    case Command::Release: return release(client, a);
    default: return refuse("not a command for vehicles");
  }
}

const RosterEntry* Session::find(VehicleId id) const {
  const auto it = places_.find(id.value);
  return it == places_.end() ? nullptr : &roster_.entries[it->second];
}

core::Result<std::vector<VehicleId>> Session::look_up(const std::vector<std::string>& who) const {
  std::vector<VehicleId> ids;
  for (const std::string& word : who) {
    const auto it = called_.find(word);
    if (it != called_.end()) {
      ids.push_back(it->second);
      continue;
    }
    std::vector<std::string> known;
    for (std::size_t k = 0; k < std::min<std::size_t>(roster_.entries.size(), 1000); ++k) known.push_back(roster_.entries[k].name);
    const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? refuse("no vehicle has the id " + word, "it may have been removed") : refuse("no vehicle is called '" + word.substr(0, 64) + "'", core::did_you_mean(word, known));
  }
  return ids;
}

core::Status Session::check_ids(std::uint32_t client, const std::vector<VehicleId>& ids) const {
  for (const VehicleId id : ids) {
    const RosterEntry* e = find(id);
    if (e == nullptr) return refuse("no vehicle has the id " + id_text(id), "it may have been removed");
    if (e->diverged || !world_->is_alive(id)) return refuse(e->name + " diverged and is out of the run");
    const auto lease = leases_.find(id);
    if (lease != leases_.end() && lease->second.client != client) return refuse(e->name + " is flown by hand by another client");
  }
  return core::ok();
}

core::Status Session::check_place(const Vec& position, const std::string& who) const {
  const EnvironmentDef& env = world_->def().environment;
  if (env.ground && position[2] < env.ground_height)
    return refuse(fmt::format("{} would be {:.2f} m under the ground", who, env.ground_height - position[2]), "a higher position");
  return core::ok();
}

double Session::yaw_of(const RosterEntry& e) const {
  const View q = world_->find_view(flocks_[e.flock].name, "attitude").value_or(View{});
  if (q.pointer == nullptr || e.slot >= q.n) return 0;
  const double w = q.at(e.slot, 0), x = q.at(e.slot, 1), y = q.at(e.slot, 2), z = q.at(e.slot, 3);
  return math::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

void Session::submit(std::uint32_t client, VehicleId id, Payload payload, std::uint64_t tick) {
  Input in;
  in.tick = std::max(tick, world_->tick());
  in.source = client + 1;  // 0 is the scenario
  in.target = id;
  in.payload = std::move(payload);
  options_.remote ? hand_on(std::move(in)) : given_.push_back(std::move(in));
}

void Session::forget_plans(VehicleId id) {
  if (goals_.erase(id) > 0) goals_due_ = true;
  pending_.erase(id);
}

core::Status Session::go_to(std::uint32_t client, const Action& a) {
  Vec centre = {0, 0, 0};
  for (const VehicleId id : a.ids) {
    const Vec p = world_->position_of(id);
    for (std::size_t k = 0; k < 3; ++k) centre[k] += p[k] / static_cast<double>(a.ids.size());
  }
  // first all checks, then all effects: half a formation must not leave
  std::vector<Vec> goals;
  for (const VehicleId id : a.ids) {
    const RosterEntry& e = *find(id);
    const FlockFacts& flock = flocks_[e.flock];
    const bool is_ours = autopilot_of(id) == nullptr;
    if (is_ours && !flock.takes_positions) return refuse(fmt::format("{} is a {} of flock '{}', which takes no positions", e.name, flock.model, flock.name));
    if (is_ours && world_->mode_of(id) == Mode::EmergencyStop) return refuse(e.name + " was stopped in an emergency", "command the mode hold first");
    Vec goal = a.position;
    const Vec p = world_->position_of(id);
    for (std::size_t k = 0; k < 3 && a.keep_offsets; ++k) goal[k] += p[k] - centre[k];
    if (const core::Status good = check_place(goal, e.name); !good) return good;
    goals.push_back(goal);
  }
  Refusals refusals;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const VehicleId id = a.ids[k];
    if (leases_.contains(id)) end_lease(id, false);
    forget_plans(id);
    if (autopilot_of(id) == nullptr)
      fly_to(client, id, goals[k]);
    else if (!refusals.note(order(id, {.kind = runner::FlightOrder::Kind::GoTo, .position_W = goals[k]})))
      continue;
    goals_[id] = goals[k];
  }
  goals_due_ = true;
  return refusals.status(a.ids.size());
}

// An external position takes over from hold and mission alike; a vehicle on the ground takes off first.
void Session::fly_to(std::uint32_t client, VehicleId id, const Vec& position) {
  const Mode mode = world_->mode_of(id);
  if (mode == Mode::Disarmed) {
    submit(client, id, SetMode{Mode::Hold});
    pending_[id] = {client, position};
    return;
  }
  if (mode == Mode::TakeOff) {
    pending_[id] = {client, position};
    return;
  }
  SetSetpoint s;
  s.level = ControlLevel::Position;
  s.position_W = position;
  s.yaw = yaw_of(*find(id));
  submit(client, id, s);
}

void Session::follow_up() {
  for (auto it = pending_.begin(); it != pending_.end();) {
    const auto [id, plan] = *it;
    const Mode mode = world_->mode_of(id);
    if (world_->is_alive(id) && (mode == Mode::TakeOff || mode == Mode::Disarmed)) {
      ++it;
      continue;
    }
    it = pending_.erase(it);
    // a take-off ends in hold, or in the mission it was meant for; anything else is somebody's later command
    const bool ready = world_->is_alive(id) && (mode == Mode::Hold || mode == Mode::Mission);
    if (ready) fly_to(plan.client, id, plan.position);
  }
}

core::Status Session::change_mode(std::uint32_t client, const Action& a) {
  for (const VehicleId id : a.ids) {
    if (autopilot_of(id) != nullptr) continue;
    const RosterEntry& e = *find(id);
    const FlockFacts& flock = flocks_[e.flock];
    if (!a.mode) return refuse(fmt::format("{} has no autopilot that could {}", e.name, a.name), "make it a MAVLink vehicle with --mavlink LINK");
    const bool always = a.mode == Mode::EmergencyStop || a.mode == Mode::Mission;
    if (!always && !flock.guided) return refuse(fmt::format("{} is a {} of flock '{}', which has no mode {}", e.name, flock.model, flock.name, a.name));
  }
  Refusals refusals;
  for (const VehicleId id : a.ids) {
    if (leases_.contains(id)) end_lease(id, false);
    forget_plans(id);
    if (a.mode == Mode::EmergencyStop)
      stop_rotors(client, id);
    else if (autopilot_of(id) != nullptr)
      refusals.note(order(id, {.kind = a.order}));
    else
      submit(client, id, SetMode{*a.mode});
  }
  return refusals.status(a.ids.size());
}

// never refused because somebody else has the vehicle
core::Status Session::emergency_stop(std::uint32_t client, const Action& a) {
  for (const VehicleId id : a.ids)
    if (find(id) == nullptr) return refuse("no vehicle has the id " + id_text(id), "it may have been removed");
  const bool all = a.ids.empty();
  while (all && !leases_.empty()) end_lease(leases_.begin()->first, false);
  if (all) {
    goals_.clear();
    pending_.clear();
    goals_due_ = true;
    submit(client, {}, SetMode{Mode::EmergencyStop});
    for (const RosterEntry& e : roster_.entries) tell_stopped(e.id);
    return core::ok();
  }
  for (const VehicleId id : a.ids) {
    if (leases_.contains(id)) end_lease(id, false);
    forget_plans(id);
    if (world_->is_alive(id)) stop_rotors(client, id);
  }
  return core::ok();
}

core::Status Session::check_new(const std::string& name) const {
  if (n_spawned_ >= kMostSpawned) return refuse(fmt::format("{} vehicles were added to this run, no more are allowed", kMostSpawned));
  const bool taken = std::any_of(roster_.entries.begin(), roster_.entries.end(), [&](const RosterEntry& e) { return e.name == name; });
  if (!name.empty() && (taken || spawning_.contains(name))) return refuse("a vehicle is already called '" + name + "'", "give it a name of its own");
  return core::ok();
}

core::Status Session::spawn(std::uint32_t client, const Action& a) {
  std::vector<std::string> known;
  const FlockFacts* flock = nullptr;
  for (const FlockFacts& f : flocks_) {
    known.push_back(f.name);
    if (f.name == a.flock) flock = &f;
  }
  if (flock == nullptr) return refuse("no flock is called '" + a.flock.substr(0, 60) + "'", core::did_you_mean(a.flock, known));
  if (const core::Status good = check_place(a.position, "the new vehicle"); !good) return good;
  if (const core::Status good = check_new(a.name); !good) return good;
  Spawn s;
  s.flock = a.flock;
  s.vehicle.name = a.name;
  s.vehicle.position_W = s.vehicle.centre_W = a.position;
  s.vehicle.mode = flock->guided ? Mode::Hold : Mode::Mission;
  submit_new(client, std::move(s));
  return core::ok();
}

void Session::submit_new(std::uint32_t client, Spawn s, std::uint64_t tick) {
  if (!s.vehicle.name.empty()) spawning_.insert(s.vehicle.name);
  ++n_spawned_;
  submit(client, {}, std::move(s), tick);
}

core::Status Session::set_behaviour(std::uint32_t client, const Action& a) {
  for (const VehicleId id : a.ids) {
    std::vector<std::string> names, known;
    for (const DecisionState::Behaviour& b : world_->decision_state_of(id).behaviours) {
      names.push_back(b.kind);
      if (std::find(known.begin(), known.end(), b.kind) == known.end()) known.push_back(b.kind);
    }
    const RosterEntry& e = *find(id);
    if (known.empty()) return refuse(fmt::format("{} decides nothing: flock '{}' has no behaviours", e.name, flocks_[e.flock].name));
    if (swarm::find_named(names, a.name).empty())
      return refuse(fmt::format("{} has no behaviour '{}'", e.name, a.name.substr(0, 60)), core::did_you_mean(a.name, known));
  }
  for (const VehicleId id : a.ids) submit(client, id, SetBehaviour{a.name, a.value});
  return core::ok();
}

// once for each flock: its vehicles share the field
core::Status Session::set_field(std::uint32_t client, const Action& a) {
  std::map<std::size_t, VehicleId> of_flock;
  for (const VehicleId id : a.ids) of_flock.emplace(find(id)->flock, id);
  if (a.ids.empty() || a.name.starts_with("radio.") || a.name.starts_with("environment.")) of_flock = {{0, VehicleId{}}};
  const SetField field{a.name, a.text};
  for (const auto& [flock, id] : of_flock)
    if (const std::string why = world_->why_not({.target = id, .payload = field}); !why.empty()) return refuse(why);
  for (const auto& [flock, id] : of_flock) submit(client, id, field);
  return core::ok();
}

// ---------------------------------------------------------------- flying by hand

core::Status Session::take(std::uint32_t client, const Action& a) {
  const VehicleId id = a.ids.front();
  const RosterEntry& e = *find(id);
  if (client == 0) return refuse("a vehicle can be taken over a WebSocket only: it is released when the connection ends");
  const bool is_ours = autopilot_of(id) == nullptr;
  if (!is_ours && world_->mode_of(id) == Mode::Disarmed) return refuse(e.name + " is disarmed", "let it take off first");
  if (is_ours && !flocks_[e.flock].takes_positions)
    return refuse(e.name + " cannot be flown by hand: flock '" + flocks_[e.flock].name + "' takes no velocities");
  if (world_->mode_of(id) == Mode::EmergencyStop) return refuse(e.name + " was stopped in an emergency", "command the mode hold first");
  const bool is_to_hold = world_->mode_of(id) != Mode::TakeOff;
  if (!is_ours && is_to_hold)
    if (const core::Status held = order(id, {.kind = runner::FlightOrder::Kind::Hold}); !held) return held;
  forget_plans(id);
  if (is_ours && is_to_hold) submit(client, id, SetMode{Mode::Hold});
  leases_[id] = {client, options_.clock->now(), true, yaw_of(e), world_->time()};
  send(client, dump(Json{{"type", wire::kLease}, {"id", id_text(id)}, {"holder", "you"}}));
  send(0, dump(Json{{"type", wire::kLease}, {"id", id_text(id)}, {"holder", "other"}}), client);
  ++look_;
  return core::ok();
}

core::Status Session::release(std::uint32_t, const Action& a) {
  if (!leases_.contains(a.ids.front())) return refuse("no client flies this vehicle by hand");
  end_lease(a.ids.front(), true);
  return core::ok();
}

void Session::end_lease(VehicleId id, bool is_to_hold) {
  const auto lease = leases_.find(id);
  if (lease == leases_.end()) return;
  const std::uint32_t client = lease->second.client;
  const bool flies = world_->is_alive(id) && world_->mode_of(id) != Mode::Disarmed && world_->mode_of(id) != Mode::EmergencyStop;
  if (is_to_hold && !lease->second.holding && flies) hold(client, id);
  leases_.erase(lease);
  send(0, dump(Json{{"type", wire::kLease}, {"id", id_text(id)}, {"holder", "none"}}));
  ++look_;
}

core::Status Session::control(std::uint32_t client, const ControlMessage& m) {
  const core::Result<std::vector<VehicleId>> named = look_up({m.who});
  if (!named) return named.error();
  const VehicleId id = named.value().front();
  const auto it = leases_.find(id);
  if (it == leases_.end() || it->second.client != client) return refuse("take the vehicle first", "command take");
  Lease& lease = it->second;
  lease.heard = options_.clock->now();
  const RosterEntry& e = *find(id);
  const bool takes_poses = autopilot_of(id) == nullptr && flocks_[e.flock].takes_poses;
  if (!takes_poses && (m.is_levelling || m.roll_rate != 0 || m.pitch_rate != 0))
    return refuse(fmt::format("{} is a {} of flock '{}', which takes no roll and pitch", e.name, flocks_[e.flock].model, flocks_[e.flock].name));
  const double passed = std::clamp(world_->time() - lease.time, 0.0, kLongestTurn);
  lease.time = world_->time();
  const Mode mode = world_->mode_of(id);
  // words that come while it takes off or while time stands still only keep the lease
  if (mode == Mode::TakeOff || state() != LiveState::Running) return core::ok();
  if (mode == Mode::Disarmed || mode == Mode::EmergencyStop) return end_lease(id, false), refuse("the vehicle stands still", "take it again to fly it");
  lease.yaw += m.yaw_rate * passed;
  if (lease.holding) lease.tilt.reset();  // holding levels a platform
  lease.holding = false;
  if (autopilot_of(id) != nullptr) return order(id, {.kind = runner::FlightOrder::Kind::Steer, .velocity_W = m.velocity, .yaw_rate = m.yaw_rate});
  SetSetpoint s;
  s.level = ControlLevel::Velocity;
  s.velocity_W = m.velocity;
  s.yaw = lease.yaw;
  s.yaw_rate = m.yaw_rate;
  refusal_ = core::ok();
  if (takes_poses) tilt(client, m, passed, e, lease);
  submit(client, id, s);
  return refused_input();
}

// Roll and pitch of a platform begin with those it was commanded last, and stay until the client turns it. They need an input of their own; the setpoint that
// follows in the same tick takes the place of its position.
void Session::tilt(std::uint32_t client, const ControlMessage& m, double passed, const RosterEntry& e, Lease& lease) {
  const View angle = world_->view(flocks_[e.flock].name, "setpoint.angle");
  const bool is_first = !lease.tilt;
  const std::array<double, 2> before = lease.tilt.value_or(std::array<double, 2>{angle.at(e.slot, 0), angle.at(e.slot, 1)});
  lease.tilt = before;
  const double rates[] = {m.roll_rate, m.pitch_rate};
  for (std::size_t k = 0; k < 2; ++k) {
    const double most = std::max(kMostTilt, std::abs(before[k]));  // it may have come with more
    const double way = m.is_levelling ? -std::clamp(before[k], -kLevelRate * passed, kLevelRate * passed) : rates[k] * passed;
    (*lease.tilt)[k] = std::clamp(before[k] + way, -most, most);
  }
  const auto [roll, pitch] = *lease.tilt;
  if (is_first || lease.tilt != before) submit(client, e.id, SetPose{world_->position_of(e.id), m.velocity, roll, pitch, lease.yaw});
}

void Session::leave(std::uint32_t client) {
  wishes_.erase(client);
  plot_wishes_.erase(client);
  estimates_.wishes.erase(client);
  bodies_.wishes.erase(client);
  tell_watched();
  std::vector<VehicleId> held;
  for (const auto& [id, lease] : leases_)
    if (lease.client == client) held.push_back(id);
  for (const VehicleId id : held) end_lease(id, true);
}

void Session::watch_leases(double now) {
  std::vector<VehicleId> silent;
  for (auto& [id, lease] : leases_) {
    const double silence = now - lease.heard;
    if (silence > kReleaseAfter) silent.push_back(id);
    if (silence <= kHoldAfter || lease.holding) continue;
    lease.holding = true;
    if (world_->is_alive(id) && state() != LiveState::Finished && world_->mode_of(id) == Mode::Armed) hold(lease.client, id);
  }
  for (const VehicleId id : silent) end_lease(id, true);
}

}  // namespace volary::server
