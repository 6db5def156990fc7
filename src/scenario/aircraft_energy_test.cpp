// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every aircraft that is shipped, thrown with its motors off in still air: whatever way it tumbles, the air takes energy and never gives any.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenario/airframe.hpp"
#include "vehicles/aircraft_test_support.hpp"

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

constexpr const char* kShipped[] = {"aerosonde", "ultra_stick", "flying_wing", "talon", "quadplane"};

std::vector<airframe::AircraftDef> all_shipped() {
  std::vector<airframe::AircraftDef> defs;
  for (const std::string name : kShipped) {
    const core::Result<Airframe> a = scenario::load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
    if (!a) throw std::runtime_error(a.error().text());
    defs.push_back(*static_cast<const airframe::AircraftDef*>(a.value().definition.get()));
  }
  return defs;
}
// the same with their coefficients in tables
std::vector<airframe::AircraftDef> tabulated(std::vector<airframe::AircraftDef> defs) {
  for (airframe::AircraftDef& d : defs) d = test::tabulated(d);
  return defs;
}

struct Throw {
  double velocity[3], rates[3], attitude[4];
};
Throw any_throw(double fastest, double quickest) {
  const auto number = [](double most) { return most * (*rc::gen::inRange(-1000, 1001)) / 1000.0; };
  Throw t;
  for (double& v : t.velocity) v = number(fastest);
  for (double& w : t.rates) w = number(quickest);
  for (double& q : t.attitude) q = number(1);
  t.attitude[0] += 1e-3;  // never all zero
  return t;
}

// the most that a tick added, and that all of them did, as shares of the energy of motion
struct Gain {
  double tick = 0, all = 0;
};

template <int Rotors, AeroForm Form, class S> Gain tumble_as(const airframe::AircraftDef& def, const Throw& t) {
  VehicleDef start = test::in_the_air(3000);
  start.mode = Mode::Disarmed;
  test::Flight<AircraftProgram<Rotors, Form>, S> f(def, start);
  const auto s = [](double x) { return static_cast<S>(x); };
  f.agent.body.velocity_W = {s(t.velocity[0]), s(t.velocity[1]), s(t.velocity[2])};
  f.agent.body.omega_B = {s(t.rates[0]), s(t.rates[1]), s(t.rates[2])};
  f.agent.body.q_WB = normalize(Quat<S>{s(t.attitude[0]), s(t.attitude[1]), s(t.attitude[2]), s(t.attitude[3])});
  const double height = f.height(), weight = f.p.mass * f.p.gravity, least = 0.5 * f.p.mass;  // 1 m/s: below that, shares say nothing
  const auto energy = [&] { return f.kinetic_energy() + weight * (f.height() - height); };
  const double first = energy();
  double before = first, kinetic = first;
  Gain gain;
  f.fly(10, [&] {
    const double now = energy();
    const double tick = (now - before) / std::max(kinetic, least), all = (now - first) / std::max(first, least);
    // written so that what is not a number counts
    if (!(tick <= gain.tick)) gain.tick = tick;
    if (!(all <= gain.all)) gain.all = all;
    before = now, kinetic = f.kinetic_energy();
  });
  return gain;
}

// by the kernel that a flock of them would fly in
template <class S> Gain tumble(const airframe::AircraftDef& def, const Throw& t) {
  const bool tables = !def.table_blob.empty() || !def.rotors.front().table_blob.empty();
  if (def.rotors.size() > 1) return tables ? tumble_as<5, AeroForm::Tables, S>(def, t) : tumble_as<5, AeroForm::Linear, S>(def, t);
  return tables ? tumble_as<1, AeroForm::Tables, S>(def, t) : tumble_as<1, AeroForm::Linear, S>(def, t);
}

RC_GTEST_PROP(shipped_aircraft, thrown_anyhow_without_power_in_still_air_never_gain_energy, ()) {
  static const std::vector<airframe::AircraftDef> linear = all_shipped(), tables = tabulated(linear);
  const double fastest = *rc::gen::elementOf(std::vector<double>{1, 8, 40}), quickest = *rc::gen::elementOf(std::vector<double>{4, 12, 40});
  const Throw t = any_throw(fastest, quickest);
  const bool narrow = *rc::gen::arbitrary<bool>();
  for (const airframe::AircraftDef& def : *rc::gen::arbitrary<bool>() ? tables : linear) {
    const Gain gain = narrow ? tumble<float>(def, t) : tumble<double>(def, t);
    // what rounding may do; of what was tried no tick gained anything
    RC_LOG() << def.name << (narrow ? " in float" : " in double") << ": " << gain.tick << " in a tick, " << gain.all << " in all\n";
    RC_ASSERT(gain.tick <= 1e-6);
    RC_ASSERT(gain.all <= 1e-6);
  }
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
