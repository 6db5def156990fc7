// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What comes from outside, applied at the start of its tick in the order (tick, source, seq).
#include <algorithm>
#include <tuple>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "swarm/change_field.hpp"

namespace volary::engine {

namespace {

// writes the rows of a named column; false when this flock has no such column
bool write_column(Flock& f, std::size_t slot, const char* name, const double* values, int n) {
  const ColumnInfo* c = f.find_column(name);
  if (c == nullptr) return false;
  for (int k = 0; k < n && k < c->rows; ++k) f.set_value(slot, c->row + k, values[k]);
  return true;
}
bool write_column(Flock& f, std::size_t slot, const char* name, const Vec& v) { return write_column(f, slot, name, v.data(), 3); }

// a position is a value and its remainder: six rows
bool write_position(Flock& f, std::size_t slot, const char* name, const Vec& p) {
  double rows[6];
  for (std::size_t k = 0; k < 3; ++k) {
    rows[k] = f.bytes == 4 ? static_cast<double>(static_cast<float>(p[k])) : p[k];
    rows[3 + k] = p[k] - rows[k];
  }
  return write_column(f, slot, name, rows, 6);
}

struct Target {
  Data& d;
  Flock& f;
  std::size_t slot;
};

bool apply(Target t, const SetMode& p) {
  if (!t.f.guided() && p.mode != Mode::Disarmed && p.mode != Mode::EmergencyStop && p.mode != Mode::Mission && p.mode != Mode::Armed) return false;
  enter_mode(t.d, t.f, t.slot, p.mode);
  return true;
}

bool apply(Target t, const SetSetpoint& p) {
  Flock& f = t.f;
  const ColumnInfo* rung = f.find_column("setpoint.rung");
  if (rung == nullptr) {
    if (p.rung != Rung::Rates) return false;
    return write_column(f, t.slot, "setpoint.thrust", &p.thrust, 1) && write_column(f, t.slot, "setpoint.rate", p.rate_B);
  }
  // a vehicle that is told where to go is not on its mission any more; it must be armed to follow
  const std::uint64_t mode = f.status(t.slot) & control::kModeMask;
  if (mode == static_cast<std::uint64_t>(Mode::Disarmed) || mode == static_cast<std::uint64_t>(Mode::EmergencyStop)) return false;
  f.set_status(t.slot, (f.status(t.slot) & ~static_cast<std::uint64_t>(control::kModeMask)) | static_cast<std::uint64_t>(Mode::Armed));
  f.set_word(t.slot, rung->row, static_cast<std::uint64_t>(p.rung));
  write_position(f, t.slot, "setpoint.position", p.position_W);
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
bool apply(Target t, const SetParameter& p) {
  const ColumnInfo* c = t.f.find_param(p.name);
  if (c == nullptr || p.component < 0 || p.component >= c->rows) return false;
  t.f.set_override(t.slot, c->row + p.component, p.value);
  return true;
}

// a rotor that stops turning: the parameters of this vehicle are derived anew without it
bool apply(Target t, const FailRotor& p) {
  Flock& f = t.f;
  std::vector<bool>& failed = f.failed[t.slot];
  if (p.rotor < 0 || p.rotor >= 8) return false;
  failed.resize(8, false);
  failed[static_cast<std::size_t>(p.rotor)] = p.failed;
  FlockSetup setup = f.setup;
  setup.failed = failed;
  const auto values = f.program->derive(f.def.airframe.definition.get(), setup);
  if (!values) return false;
  for (std::size_t k = 0; k < values.value().size(); ++k) {
    const bool differs = values.value()[k] != f.param_values[k];
    const bool listed = std::any_of(f.overrides.begin(), f.overrides.end(), [&](const Override& o) { return o.row == static_cast<int>(k); });
    if (differs || listed) f.set_override(t.slot, static_cast<int>(k), values.value()[k]);
  }
  return true;
}

bool apply(Target t, const SetState& p) {
  return write_position(t.f, t.slot, "position", p.position_W) && write_column(t.f, t.slot, "velocity", p.velocity_W) &&
         write_column(t.f, t.slot, "omega", p.omega_B) && write_column(t.f, t.slot, "attitude", p.attitude.data(), 4);
}
bool apply(Target t, const Remove&) {
  remove(t.d, t.f.ids[t.slot]);
  return true;
}
bool apply(Target, const Spawn&) { return false; }
bool apply(Target, const SetField&) { return false; }
bool apply(Target t, const SetBehaviour& p) {
  Society& s = t.d.societies[t.d.locations[t.f.ids[t.slot].number() - 1].flock];
  std::vector<std::string> names;
  for (const Installed& b : s.library) names.push_back(b.name);
  const std::vector<std::size_t> found = swarm::find_named(names, p.kind);
  for (const std::size_t k : found) s.weights[t.slot * s.library.size() + k] = p.weight;
  return !found.empty();
}

// Who is told what to do from outside does not decide by itself: for a second after a setpoint, for good after a mode, until it is
// sent on its mission again.
void take_in_hand(Data& d, const Flock& f, std::size_t slot, const Payload& payload) {
  if (!d.is_social) return;
  std::uint64_t& until = d.societies[d.locations[f.ids[slot].number() - 1].flock].nodes[slot].in_hand_until;
  constexpr std::uint64_t kForGood = ~std::uint64_t{0};
  if (const auto* m = std::get_if<SetMode>(&payload)) until = m->mode == Mode::Mission ? 0 : kForGood;
  if (std::holds_alternative<SetSetpoint>(payload) && until != kForGood) until = d.tick + static_cast<std::uint64_t>(1'000'000'000 / d.def.tick_ns);
}

void spawn_from(Data& d, const Spawn& p) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (d.flocks[k].def.name != p.flock) continue;
    const auto id = spawn(d, k, p.vehicle);
    if (id)
      add_event(d, id.value(), d.flocks[k].names[locate(d, id.value())->slot], "spawned");
    else
      add_event(d, {}, p.vehicle.name, "refused: " + id.error().message);
    return;
  }
  add_event(d, {}, p.vehicle.name, "refused: there is no flock '" + p.flock + "'");
}

const char* name_of(const Payload& p) {
  static constexpr const char* kNames[] = {"mode",  "setpoint", "wind",   "wrench",    "parameter", "rotor failure",
                                           "state", "spawn",    "remove", "behaviour", "field"};
  return kNames[p.index()];
}

// numbers that are not numbers never reach a state
bool is_finite(const Payload& payload) {
  auto good = [](double x) { return x - x == 0; };
  auto all = [&](const auto& list) { return std::all_of(list.begin(), list.end(), good); };
  if (const auto* s = std::get_if<SetSetpoint>(&payload))
    return all(s->position_W) && all(s->velocity_W) && all(s->acceleration_W) && all(s->jerk_W) && good(s->yaw) && good(s->yaw_rate) && good(s->thrust) &&
           all(s->attitude) && all(s->rate_B) && all(s->motor_speed);
  if (const auto* s = std::get_if<SetWind>(&payload)) return all(s->wind_W);
  if (const auto* s = std::get_if<SetWrench>(&payload)) return all(s->force_W) && all(s->torque_B);
  if (const auto* s = std::get_if<SetParameter>(&payload)) return good(s->value);
  if (const auto* s = std::get_if<SetBehaviour>(&payload)) return good(s->weight);
  if (const auto* s = std::get_if<SetState>(&payload)) return all(s->position_W) && all(s->velocity_W) && all(s->omega_B) && all(s->attitude);
  if (const auto* s = std::get_if<Spawn>(&payload)) return all(s->vehicle.position_W) && all(s->vehicle.velocity_W) && good(s->vehicle.yaw);
  return true;
}

void apply_input(Data& d, const Input& in) {
  if (!is_finite(in.payload)) return add_event(d, in.target, "", std::string("refused: ") + name_of(in.payload) + " with a number that is not finite");
  if (const auto* s = std::get_if<Spawn>(&in.payload)) return spawn_from(d, *s);
  if (const auto* s = std::get_if<SetField>(&in.payload)) return set_live(d, in.target, *s);
  d.frame_is_stale = true;
  if (const auto* s = std::get_if<SetWind>(&in.payload); s != nullptr && !in.target) return set_wind(d, s->wind_W);
  auto one = [&](Flock& f, std::size_t slot) {
    const bool done = std::visit([&](const auto& p) { return apply(Target{d, f, slot}, p); }, in.payload);
    if (done && f.ids[slot]) take_in_hand(d, f, slot, in.payload);
    return done;
  };
  if (in.target) {
    const Location* l = locate(d, in.target);
    if (l == nullptr) return add_event(d, in.target, "", std::string("refused: ") + name_of(in.payload) + " for a vehicle that is not there");
    Flock& f = d.flocks[l->flock];
    if (!one(f, l->slot)) add_event(d, in.target, f.names[l->slot], std::string("refused: ") + name_of(in.payload) + " does not fit this vehicle now");
    return;
  }
  for (Flock& f : d.flocks)
    for (std::size_t s = 0; s < f.slots; ++s)
      if (f.ids[s] && locate(d, f.ids[s]) != nullptr) one(f, s);
}

}  // namespace

void submit(Data& d, Input in) {
  in.tick = std::max(in.tick, d.tick);
  std::uint32_t& next = d.next_seq[in.source];
  if (in.seq == 0) in.seq = ++next;
  next = std::max(next, in.seq);
  auto before = [](const Input& a, const Input& b) { return std::tie(a.tick, a.source, a.seq) < std::tie(b.tick, b.source, b.seq); };
  if (d.keeps_submitted) d.submitted.push_back(in);
  const auto first = d.inputs.begin() + static_cast<std::ptrdiff_t>(d.next_input);
  d.inputs.insert(std::upper_bound(first, d.inputs.end(), in, before), std::move(in));
}

void take_inputs(Data& d) {
  while (d.next_input < d.inputs.size() && d.inputs[d.next_input].tick <= d.tick) {
    const Input in = d.inputs[d.next_input];  // a copy: applying may submit more
    ++d.next_input;
    apply_input(d, in);
  }
}

}  // namespace volary::engine
