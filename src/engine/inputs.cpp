// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What comes from outside, applied at the start of its tick in the order (tick, source, seq).
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/bulk.hpp"
#include "engine/conditions.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"
#include "engine/slots.hpp"
#include "engine/tracks.hpp"
#include "swarm/change_field.hpp"

namespace volary::engine {

namespace {

// writes the rows of a named column; false when this flock has no such column
bool write_column(Flock& f, std::size_t slot, const char* name, const double* values, int n) {
  const ColumnInfo* c = f.find_column(name);
  if (c == nullptr) return false;
  for (int k = 0; k < n && k < c->rows; ++k) f.patches.front().value(slot, c->row + k, values[k]);
  return true;
}
bool write_column(Flock& f, std::size_t slot, const char* name, const Vec& v) { return write_column(f, slot, name, v.data(), 3); }

std::size_t flock_of(const Data& d, const Flock& f) { return static_cast<std::size_t>(&f - d.flocks.data()); }

struct Target {
  Data& d;
  Flock& f;
  std::size_t slot;
};

// as the inputs before have left it
Mode mode_now(Target t) {
  if (t.f.patches.front().is_noted(t.slot)) apply_patches(t.d, t.f);
  return static_cast<Mode>(status_of(t.d, t.f.index, t.slot) & control::kModeMask);
}

bool apply(Target t, const SetMode& p) {
  // a wreck does not fly again
  if (p.mode != Mode::Disarmed && p.mode != Mode::EmergencyStop && t.d.interaction.has_crashed(t.f.ids[t.slot])) return false;
  if (!t.f.guided() && p.mode != Mode::Disarmed && p.mode != Mode::EmergencyStop && p.mode != Mode::Mission && p.mode != Mode::Armed) return false;
  // it is armed already: a take-off goes on
  if (p.mode == Mode::Armed && mode_now(t) == Mode::TakeOff) return true;
  enter_mode(t.d, t.f, t.slot, p.mode);
  return true;
}

bool apply(Target t, const SetSetpoint& p) {
  Flock& f = t.f;
  const ColumnInfo* level = f.find_column("setpoint.level");
  if (level == nullptr) {
    if (p.level != ControlLevel::Rates) return false;
    return write_column(f, t.slot, "setpoint.thrust", &p.thrust, 1) && write_column(f, t.slot, "setpoint.rate", p.rate_B);
  }
  // a vehicle that is told where to go is not on its mission any more; it must be armed to follow
  const Mode mode = mode_now(t);
  if (mode == Mode::Disarmed || mode == Mode::EmergencyStop) return false;
  Patches& to = f.patches.front();
  to.note(t.slot);
  to.mode(t.slot, Mode::Armed);
  to.word(t.slot, level->row, static_cast<std::uint64_t>(p.level));
  if (const ColumnInfo* c = f.find_column("setpoint.position")) to.position(t.slot, c->row, f.bytes, p.position_W);
  write_column(f, t.slot, "setpoint.velocity", p.velocity_W);
  write_column(f, t.slot, "setpoint.acceleration", p.acceleration_W);
  write_column(f, t.slot, "setpoint.jerk", p.jerk_W);
  write_column(f, t.slot, "setpoint.yaw", &p.yaw, 1);
  write_column(f, t.slot, "setpoint.yaw_rate", &p.yaw_rate, 1);
  write_column(f, t.slot, "setpoint.thrust", &p.thrust, 1);
  write_column(f, t.slot, "setpoint.attitude", p.attitude.data(), 4);
  write_column(f, t.slot, "setpoint.rate", p.rate_B);
  return write_column(f, t.slot, "setpoint.motor_speed", p.motor_speed.data(), 8);
}

// weather is everybody's: the wind of one vehicle alone would be gone at the next tick
bool apply(Target t, const SetWind& p) { return !t.d.weather.is_on && write_column(t.f, t.slot, "wind", p.wind_W); }
bool apply(Target t, const SetWrench& p) {
  return write_column(t.f, t.slot, "external_force", p.force_W) && write_column(t.f, t.slot, "external_torque", p.torque_B);
}
// A platform goes where it is told, and turns there as a whole.
bool apply(Target t, const SetPose& p) {
  if (t.f.find_column("setpoint.angle") == nullptr) return false;
  const bool goes = apply(t, SetSetpoint{.level = ControlLevel::Position, .position_W = p.position_W, .velocity_W = p.velocity_W, .yaw = p.yaw});
  return goes && write_column(t.f, t.slot, "setpoint.angle", {p.roll, p.pitch, p.yaw}) && write_column(t.f, t.slot, "setpoint.angle_rate", {0, 0, 0}) &&
         write_column(t.f, t.slot, "setpoint.angle_acceleration", {0, 0, 0});
}
bool apply(Target t, const SetReaction& p) {
  const ColumnInfo* kind = t.f.find_column("setpoint.reaction");
  if (kind == nullptr) return false;
  t.f.patches.front().word(t.slot, kind->row, static_cast<std::uint64_t>(p.kind));
  const double wrench[] = {p.force_B[0], p.force_B[1], p.force_B[2], p.torque_B[0], p.torque_B[1], p.torque_B[2]};
  return write_column(t.f, t.slot, "setpoint.wrench", wrench, 6);
}
bool apply(Target t, const SetParameter& p) {
  const ColumnInfo* c = t.f.find_param(p.name);
  if (c == nullptr || p.component < 0 || p.component >= c->rows || is_of_bodies(t.f, p.name)) return false;
  t.f.patches.front().parameter(t.slot, c->row + p.component, p.value);
  return true;
}

// a rotor that stops turning: the parameters of this vehicle are derived anew without it
bool apply(Target t, const FailRotor& p) {
  Flock& f = t.f;
  apply_patches(t.d, f);  // it looks which parameters differ already
  const auto derived = [&](const std::vector<bool>& failed) {
    FlockSetup setup = f.setup;
    setup.failed = failed;
    return f.program->derive(f.def.airframe.definition.get(), setup);
  };
  // a vehicle that is the same without its rotor does not have one
  std::vector<bool> failed(8, false);
  failed[static_cast<std::size_t>(p.rotor)] = true;
  if (const auto without = derived(failed); !without || without.value() == f.param_values) return false;
  failed = f.failed[t.slot];
  failed.resize(8, false);
  failed[static_cast<std::size_t>(p.rotor)] = p.failed;
  const auto values = derived(failed);
  if (!values) return false;
  f.failed[t.slot] = failed;
  ++t.d.traits_version;
  t.d.worlds.changed[f.worlds[t.slot]] = 1;
  for (std::size_t k = 0; k < values.value().size(); ++k) {
    const bool differs = values.value()[k] != f.param_values[k];
    const bool listed = std::any_of(f.overrides.begin(), f.overrides.end(), [&](const Override& o) { return o.row == static_cast<int>(k); });
    if (differs || listed) f.patches.front().parameter(t.slot, static_cast<int>(k), values.value()[k]);
  }
  return true;
}

bool apply(Target t, const SetState& p) {
  if (!write_state(t.f, t.slot, p)) return false;
  // its filter cannot have followed it there
  if (t.f.senses != nullptr) apply_patches(t.d, t.f), begin_senses(t.d, t.f, t.slot, t.slot + 1);
  return true;
}
bool apply(Target t, const Remove&) {
  remove(t.d, t.f.ids[t.slot]);
  return true;
}
bool apply(Target t, const Release&) { return release(t.d, t.f, t.slot); }
bool apply(Target t, const Detach& p) {
  detach(t.d, t.f, t.slot, static_cast<std::uint64_t>(std::llround(p.straight * 1e9 / static_cast<double>(t.d.def.tick_ns))));
  return true;
}
bool apply(Target t, const Say& p) { return say(t.d, t.f.ids[t.slot], p); }
bool apply(Target t, const SetFault& p) { return apply_fault(t.d, t.f, t.slot, p); }
bool apply(Target, const Assign&) { return false; }
bool apply(Target, const Spawn&) { return false; }
bool apply(Target, const SetField&) { return false; }
bool apply(Target, const SetMany&) { return false; }
bool apply(Target t, const SetBehaviour& p) {
  Society& s = t.d.societies[flock_of(t.d, t.f)];
  std::vector<std::string> names;
  for (const Installed& b : s.library) names.push_back(b.name);
  const std::vector<std::size_t> found = swarm::find_named(names, p.kind);
  for (const std::size_t k : found) s.weights[t.slot * s.library.size() + k] = p.weight;
  ++t.d.traits_version;
  return !found.empty();
}

constexpr std::uint64_t kForGood = ~std::uint64_t{0};

// after a mode for good, until it is sent on its mission again
void take_in_hand(Data& d, std::size_t flock, std::size_t slot, Mode mode) {
  overrule_failsafe(d, d.flocks[flock], slot);
  if (!d.is_social || d.societies[flock].is_piloted) return;
  Node& node = d.societies[flock].nodes[slot];
  node.in_hand_until = mode == Mode::Mission ? 0 : kForGood;
  node.holds = 0;
}

void spawn_from(Data& d, const Spawn& p) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (d.flocks[k].def.name != p.flock) continue;
    const auto id = spawn(d, k, p.vehicle);
    if (id)
      add_event(d, id.value(), d.flocks[k].names[locate(d, id.value())->slot], "spawned");
    else
      add_event(d, {}, p.vehicle.name, "refused: " + id.error().message, p.vehicle.world);
    return;
  }
}

// For people, and not for tasks: a replay is given the input at the tick at which it acted.
void tell(Data& d, const Input& in, std::string what, std::uint32_t world = kEveryWorld) {
  const Location* l = locate(d, in.target);
  d.events.push_back({d.tick, in.target, l == nullptr ? "" : d.flocks[l->flock].names[l->slot], std::move(what), world});
}

bool is_emergency_stop(const Input& in) {
  const auto* mode = std::get_if<SetMode>(&in.payload);
  return mode != nullptr && mode->mode == Mode::EmergencyStop;
}

// without a target: to every vehicle, or to those of one world
void apply_input(Data& d, const Input& in, std::uint32_t world = kEveryWorld) {
  if (const auto* s = std::get_if<Spawn>(&in.payload)) return spawn_from(d, *s);
  if (const auto* s = std::get_if<SetField>(&in.payload)) return set_live(d, in.target, *s);
  if (const auto* s = std::get_if<SetMany>(&in.payload)) return apply_many(d, *s);
  if (const auto* s = std::get_if<Assign>(&in.payload)) return assign(d, *s);
  if (const auto* s = std::get_if<SetWind>(&in.payload); s != nullptr && !in.target)
    return world == kEveryWorld ? set_wind(d, s->wind_W) : set_wind_of_world(d, world, s->wind_W);
  auto one = [&](std::size_t flock, std::size_t slot) {
    Flock& f = d.flocks[flock];
    if (!in.target && std::holds_alternative<Say>(in.payload) && !is_own(d, flock, slot)) return false;  // its own process lets it say that
    const bool goes = std::holds_alternative<Remove>(in.payload) || std::holds_alternative<Detach>(in.payload);
    if (!goes && d.interaction.is_detached(f.ids[slot])) return false;
    const bool done = std::visit([&](const auto& p) { return apply(Target{d, f, slot}, p); }, in.payload);
    if (const auto* s = std::get_if<SetSetpoint>(&in.payload); done && s != nullptr) take_in_hand(d, flock, slot, s->level);
    if (done && std::holds_alternative<SetPose>(in.payload)) take_in_hand(d, flock, slot, ControlLevel::Position);
    if (const auto* m = std::get_if<SetMode>(&in.payload); done && m != nullptr) take_in_hand(d, flock, slot, m->mode);
    return done;
  };
  if (in.target) {
    const Location* l = locate(d, in.target);
    if (l == nullptr) return add_event(d, in.target, "", "refused: " + name_of(in.payload) + " for a vehicle that does not exist");
    const std::string& name = d.flocks[l->flock].names[l->slot];
    if (!one(l->flock, l->slot)) return add_event(d, in.target, name, "refused: " + name_of(in.payload) + " does not fit this vehicle now");
    if (is_emergency_stop(in)) add_event(d, in.target, name, "emergency stop");
    return;
  }
  if (is_emergency_stop(in)) tell(d, in, "emergency stop: every vehicle", world);
  const auto one_alive = [&](std::size_t flock, std::size_t slot) {
    if (const VehicleId id = d.flocks[flock].ids[slot]; id && locate(d, id) != nullptr) one(flock, slot);
  };
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (world != kEveryWorld)
      each_slot_of_world(d, k, world, [&](std::size_t s) { one_alive(k, s); });
    else
      for (std::size_t s = 0; s < d.flocks[k].slots; ++s) one_alive(k, s);
  }
}

// the events of the definition, in every world at its own tick
void follow_agenda(Data& d) {
  const std::vector<Input>& agenda = d.worlds.agenda;
  if (agenda.empty() || d.def.worlds == 1) return;
  const WorldTime time(d);
  for (std::uint32_t world = 0; world < d.worlds.start.size(); ++world) {
    const std::uint64_t now = time.of_world(world);
    auto next = std::lower_bound(agenda.begin(), agenda.end(), now, [](const Input& in, std::uint64_t tick) { return in.tick < tick; });
    if (time.is_shared() && (next == agenda.end() || next->tick != now)) return;
    for (; next != agenda.end() && next->tick == now; ++next) {
      Input in = *next;
      if (in.target) in.target.value += world * kNumbersPerWorld;  // ids of the worlds differ by this
      apply_input(d, in, world);
    }
  }
}

// once in every second for each source
void tell_late(Data& d, const Input& in, std::uint64_t late) {
  ++d.late_inputs;
  const auto second = static_cast<std::uint64_t>(1'000'000'000 / d.def.tick_ns);
  const auto [it, is_first] = d.late_told.try_emplace(in.source, d.tick);
  if (!is_first && d.tick >= it->second && d.tick - it->second < second) return;
  it->second = d.tick;
  tell(d, in, fmt::format("late: {} of source {} came {} ticks after its time and acts now; {} inputs were late so far", name_of(in.payload), in.source, late,
                          d.late_inputs));
}

Submitted refuse(Data& d, const Input& in, const std::string& why) {
  Submitted answer{false, name_of(in.payload) + ": " + why, 0};
  tell(d, in, "refused: " + answer.why);
  return answer;
}

}  // namespace

// A place to go to holds until the vehicle is sent on its mission again. Lower levels are streamed by somebody who flies it: a second after the last of them the
// behaviours take over again. Whoever flies a piloted vehicle does so at the wish of its behaviours, which go on.
void take_in_hand(Data& d, std::size_t flock, std::size_t slot, ControlLevel level) {
  overrule_failsafe(d, d.flocks[flock], slot);
  if (!d.is_social || d.societies[flock].is_piloted) return;
  d.societies[flock].nodes[slot].holds = 0;
  std::uint64_t& until = d.societies[flock].nodes[slot].in_hand_until;
  if (level == ControlLevel::Position || level == ControlLevel::Trajectory) until = kForGood;
  if (until != kForGood) until = tick_of_world(d, d.flocks[flock].worlds[slot]) + static_cast<std::uint64_t>(1'000'000'000 / d.def.tick_ns);
}

Submitted submit(Data& d, Input in, Late policy) {
  const std::uint64_t late = in.tick != 0 && in.tick < d.tick ? d.tick - in.tick : 0;
  if (late > 0 && policy == Late::Refuse) {
    Submitted answer = refuse(d, in, fmt::format("is {} ticks late", late));
    answer.late = late;
    return answer;
  }
  if (const core::Status sound = check_input(d, in); !sound) return refuse(d, in, sound.error().text());
  in.tick = std::max(in.tick, d.tick);
  std::uint32_t& next = d.next_seq[in.source];
  if (in.seq == 0) in.seq = ++next;
  next = std::max(next, in.seq);
  if (late > 0) tell_late(d, in, late);
  if (d.keeps_submitted) d.submitted.push_back(in);
  d.pending[in.tick].push_back(std::move(in));
  return {true, "", late};
}

void take_inputs(Data& d) {
  follow_agenda(d);
  follow_tracks(d);
  apply_patches(d);
  while (!d.pending.empty() && d.pending.begin()->first <= d.tick) {
    std::vector<Input> due = std::move(d.pending.begin()->second);
    d.pending.erase(d.pending.begin());
    in_order(due);
    for (const Input& in : due) apply_input(d, in);
    apply_patches(d);  // before the inputs go, which hold what many are given
  }
  begin_elsewhere(d);
  if (d.interaction.detached.empty()) return;
  carry_detached(d);
  apply_patches(d);
}

void in_order(std::vector<Input>& inputs) {
  std::stable_sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return std::tie(a.tick, a.source, a.seq) < std::tie(b.tick, b.source, b.seq); });
}

}  // namespace volary::engine
