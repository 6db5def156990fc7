// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a vehicle notices by itself and what the failsafe of its flock makes of it. Only own vehicles: others react in their process.
#include <algorithm>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/conditions.hpp"
#include "engine/data.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr double kStillFor = 0.03;  // s for which telemetry sees a rotor below its idle speed before it counts as lost
constexpr double kArrived = 1;      // m from home: a return becomes a landing
constexpr const char* kActions[] = {"nothing", "hold", "return", "land", "stop"};

Mode mode_now(const Data& d, const Flock& f, std::size_t slot) { return static_cast<Mode>(status_of(d, f.index, slot) & control::kModeMask); }

// ---------------------------------------------------------------- a rotor that stands still

// Telemetry of the motors: a rotor that turns more slowly than at idle although the vehicle flies is lost. No command goes below idle, so only rotors with faults can.
void look_at_rotors(Data& d, ActiveFault& a) {
  const Component c = component_of_code(a.component);
  Flock& f = d.flocks[a.flock];
  if (c.part != Unit::Rotor || !f.def.failsafe.telemetry || a.is_noticed != 0 || !is_own(d, a.flock, a.slot) || !flies(d, f, a.slot)) return;
  const ColumnInfo* idle = f.find_param("rotor.speed_min");
  const double least = idle == nullptr ? 0 : 0.95 * f.parameter(a.slot, idle->row + static_cast<int>(c.index));
  a.still_ticks = rotor_speed_of(f, a.slot, c.index) < least ? a.still_ticks + 1 : 0;
  if (static_cast<double>(a.still_ticks) * static_cast<double>(d.def.tick_ns) * 1e-9 < kStillFor) return;
  a.is_noticed = 1;
  lose_rotor(d, f, a.slot, c.index);
}

// Whether at least four rotors are left and each of them can give its share of the weight, with a tenth to spare: three can only hold a vehicle that spins.
bool carries(const Flock& f, const std::vector<double>& params, const std::vector<bool>& failed) {
  const ColumnInfo *share = f.find_param("mixer.thrust"), *least = f.find_param("mixer.lo"), *most = f.find_param("mixer.hi");
  const ColumnInfo *mass = f.find_param("mass"), *gravity = f.find_param("gravity");
  if (share == nullptr || least == nullptr || most == nullptr || mass == nullptr || gravity == nullptr) return false;
  const auto at = [&](const ColumnInfo& c, int k) { return params[static_cast<std::size_t>(c.row + k)]; };
  const double weight = at(*mass, 0) * at(*gravity, 0);
  int left = 0;
  for (int i = 0; i < share->rows; ++i) {
    if ((static_cast<std::size_t>(i) < failed.size() && failed[static_cast<std::size_t>(i)]) || at(*most, i) <= 0) continue;
    const double thrust = at(*share, i) * weight;
    if (thrust < at(*least, i) || 1.1 * thrust > at(*most, i)) return false;
    ++left;
  }
  return left >= 4;
}

// ---------------------------------------------------------------- nothing heard

void look_at_link(Data& d, Flock& f, std::size_t slot) {
  const FailsafeRuleDef& rule = f.def.failsafe.link_lost;
  Lying& x = lying_of(d, f, slot);
  const std::uint64_t heard = d.societies[f.index].digests[slot];
  x.link_looks = heard == x.heard ? x.link_looks + 1 : 0;
  x.heard = heard;
  if (x.link_looks == 0 && x.failsafe == 0) x.overruled &= ~kLinkLoss;
  if (x.failsafe != 0 || (x.overruled & kLinkLoss) != 0 || !flies(d, f, slot)) return;
  if (static_cast<double>(x.link_looks) < std::max(1.0, rule.after * kLooksPerSecond)) return;
  react_to(d, f, slot, rule.action, fmt::format("link lost: nothing heard for {:g} s", static_cast<double>(x.link_looks) / kLooksPerSecond));
}

void look_at_links(Data& d) {
  const WorldTime time(d);
  const std::uint64_t every = ticks_between_looks(d);
  for (Flock& f : d.flocks) {
    if (f.def.failsafe.link_lost.action == FailsafeAction::None || d.air.medium == nullptr) continue;
    for (std::size_t s = 0; s < f.slots; ++s)
      if (time.of(f, s) % every == 0 && f.ids[s] && locate(d, f.ids[s]) != nullptr && is_own(d, f.index, s)) look_at_link(d, f, s);
  }
}

// ---------------------------------------------------------------- on the way home

Vec home_of(const Data& d, const Flock& f, std::size_t slot) {
  if (d.is_social) {
    const swarm::V3& h = d.societies[f.index].homes[slot];
    return {h.x, h.y, h.z};
  }
  const std::vector<VehicleDef>& all = d.def.flocks[f.index].vehicles;
  const std::uint64_t place = f.place_of(slot);
  return place >= 1 && place <= all.size() ? all[place - 1].position_W : position_of(d, f.index, slot);
}

// where the vehicle is for all that its controllers know
Vec known_position(const Data& d, const Flock& f, std::size_t slot) {
  const bool flies_by_it = f.senses != nullptr && f.senses->believes && !f.senses->by_truth;
  const ColumnInfo* const estimate = flies_by_it ? f.find_column("estimate.position") : nullptr;
  if (estimate == nullptr) return position_of(d, f.index, slot);
  const std::vector<double> p = read_column(f, *estimate, slot);
  return {p[0], p[1], p[2]};
}

// a place above home, at the height it has
void fly_home(Data& d, Flock& f, std::size_t slot) {
  const ColumnInfo *level = f.find_column("setpoint.level"), *position = f.find_column("setpoint.position");
  if (level == nullptr || position == nullptr) return enter_mode(d, f, slot, Mode::Land);
  const Vec home = home_of(d, f, slot), here = known_position(d, f, slot);
  Patches& to = f.patches.front();
  to.mode(slot, Mode::Armed);
  to.word(slot, level->row, static_cast<std::uint64_t>(ControlLevel::Position));
  to.position(slot, position->row, f.bytes, {home[0], home[1], std::max(here[2], home[2])});
  for (const char* name : {"setpoint.velocity", "setpoint.acceleration", "setpoint.jerk"})
    if (const ColumnInfo* c = f.find_column(name))
      for (int k = 0; k < 3; ++k) to.value(slot, c->row + k, 0);
  apply_patches(d, f);  // its mode is looked at in this very tick
  lying_of(d, f, slot).is_returning = 1;
}

void land_at_home(Data& d) {
  for (std::size_t k = 0; k < d.conditions.of.size(); ++k) {
    Flock& f = d.flocks[k];
    for (std::size_t s = 0; s < d.conditions.of[k].size() && s < f.slots; ++s) {
      Lying& x = d.conditions.of[k][s];
      if (x.is_returning == 0 || x.id != f.ids[s].value || locate(d, f.ids[s]) == nullptr || !is_own(d, k, s)) continue;
      const Vec home = home_of(d, f, s), here = known_position(d, f, s);
      const double way = math::sqrt((home[0] - here[0]) * (home[0] - here[0]) + (home[1] - here[1]) * (home[1] - here[1]));
      if (mode_now(d, f, s) != Mode::Armed) x.is_returning = 0;  // somebody has decided otherwise
      if (x.is_returning == 0 || way > kArrived) continue;
      x.is_returning = 0;
      enter_mode(d, f, s, Mode::Land);
    }
  }
}

}  // namespace

bool flies(const Data& d, const Flock& f, std::size_t slot) {
  const Mode m = mode_now(d, f, slot);
  return m != Mode::Disarmed && m != Mode::EmergencyStop && !d.interaction.has_crashed(f.ids[slot]);
}

void react_to(Data& d, Flock& f, std::size_t slot, FailsafeAction action, const std::string& what) {
  d.told.faults.push_back({f.ids[slot], fmt::format("{}, failsafe: {}", what, kActions[static_cast<std::size_t>(action)])});
  follow_failsafe(d, f, slot, static_cast<std::uint32_t>(action));
}

void lose_rotor(Data& d, Flock& f, std::size_t slot, std::size_t rotor) {
  const bool carries = drop_rotor(d, f, slot, rotor);
  react_to(d, f, slot, carries ? f.def.failsafe.rotor_lost.action : FailsafeAction::Stop,
           fmt::format("lost rotor[{}]: {}", rotor, carries ? "the other rotors carry it" : "the other rotors cannot carry it"));
}

void follow_failsafe(Data& d, Flock& f, std::size_t slot, std::uint32_t action) {
  const auto what = static_cast<FailsafeAction>(action);
  if (what == FailsafeAction::None || !flies(d, f, slot)) return;
  lying_of(d, f, slot).failsafe = action;
  if (d.is_social && !d.societies[f.index].is_piloted) d.societies[f.index].nodes[slot].in_hand_until = ~std::uint64_t{0};
  if (what == FailsafeAction::Return) return fly_home(d, f, slot);
  enter_mode(d, f, slot, what == FailsafeAction::Hold ? Mode::Hold : what == FailsafeAction::Land ? Mode::Land : Mode::EmergencyStop);
}

void overrule_failsafe(Data& d, const Flock& f, std::size_t slot) {
  if (f.index >= d.conditions.of.size() || slot >= d.conditions.of[f.index].size()) return;
  Lying& x = d.conditions.of[f.index][slot];
  if (x.id != f.ids[slot].value || x.failsafe == 0) return;
  x.failsafe = x.is_returning = 0;
  x.overruled = kEveryLoss;
}

bool drop_rotor(Data& d, Flock& f, std::size_t slot, std::size_t rotor) {
  apply_patches(d, f);
  FlockSetup setup = f.setup;
  setup.failed = f.failed[slot];
  setup.failed.resize(8, false);
  setup.failed[rotor] = true;
  const auto values = f.program->derive(f.def.airframe.definition.get(), setup);
  if (!values) return false;
  if (!carries(f, values.value(), setup.failed)) return false;
  // only what the controller knows: what the rotor does is up to its fault
  for (const ColumnInfo& c : f.program->params) {
    if (!std::string_view(c.name).starts_with("mixer.") && std::string_view(c.name) != "ladder.thrust_max") continue;
    for (int k = 0; k < c.rows; ++k) {
      const auto row = static_cast<std::size_t>(c.row + k);
      if (values.value()[row] != f.parameter(slot, c.row + k)) f.patches.front().parameter(slot, c.row + k, values.value()[row]);
    }
  }
  f.failed[slot] = setup.failed;
  ++d.traits_version;
  d.worlds.changed[f.worlds[slot]] = 1;
  apply_patches(d, f);
  return true;
}

void react(Data& d) {
  for (ActiveFault& a : d.faults.list) look_at_rotors(d, a);
  look_at_wrenches(d);
  look_at_links(d);
  look_at_sensors(d);
  land_at_home(d);
}

void watch(Data& d) {
  follow_faults(d);
  watch_conditions(d);
  react(d);
  apply_patches(d);
}

}  // namespace volary::engine
