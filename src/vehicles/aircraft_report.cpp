// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/aircraft_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vehicles/aircraft_model.hpp"
#include "vehicles/aircraft_steady.hpp"

namespace volary::airframe {

namespace {

using Rows = std::vector<ReportRow>;
using vehicles::SteadyFlight;
using vehicles::Trim;

constexpr double kSubstep = 0.0025;  // s, the default of a world

// one aircraft with the program that flies it
template <class P> struct Flown {
  using V = typename P::V;
  const AircraftDef& def;
  vehicles::AircraftParams<double, P::kRotors> p;
  std::vector<double> tables;

  Trim level(double airspeed) const { return vehicles::trim_level<V>(airspeed, kSeaLevel, p, tables.data()); }
  SteadyFlight steady(double airspeed, double bank) const { return vehicles::steady_flight<V>(airspeed, kSeaLevel, bank, p, tables.data()); }
  double stall() const { return vehicles::stall_airspeed<V>(p, tables.data()); }
  double full_thrust(double airspeed) const { return vehicles::thrust_at<V>(airspeed, p.rotor.speed_max[P::kRotors - 1], p, tables.data()); }
  // W: what the motor gives its shaft
  double shaft_power(const Trim& t) const {
    vehicles::Actuation<double, P::kRotors> act{};
    double speed[P::kRotors]{}, rate[P::kRotors]{};
    speed[P::kRotors - 1] = t.speed;
    double s, c;
    math::sincos(t.alpha, s, c);
    vehicles::load_rotors<V>(act, speed, rate, {t.airspeed * c, 0, -t.airspeed * s}, {0, 0, 0}, t.density, p.rotor, tables.data());
    return -p.rotor.spin[P::kRotors - 1] * dot(act.torque_B, p.rotor.axis_B[P::kRotors - 1]) * t.speed;
  }
};

template <class P> core::Result<Flown<P>> make_flown(const AircraftDef& def) {
  const EnvironmentDef standard;
  const auto p = derive_aircraft<P::kRotors>(def, standard, kSubstep, {});
  if (!p) return p.error();
  return Flown<P>{def, p.value(), tables_of(def, P::kRotors)};
}

double degrees(double radians) { return radians * 57.29577951308232; }
std::string in_degrees(double radians) { return fmt::format("{:.1f} deg", degrees(radians)); }

void add_size(const AircraftDef& def, double thrust, Rows& rows) {
  rows.push_back({"mass", def.mass, "kg", ""});
  rows.push_back({"wing loading", def.mass / def.wing.area, "kg/m2", ""});
  rows.push_back({"aspect ratio", def.wing.span * def.wing.span / def.wing.area, "-", ""});
  rows.push_back({"static thrust", thrust, "N", fmt::format("{:.2f} of the weight", thrust / (def.mass * kStandardGravity))});
}

template <class P> void add_cruise(const Flown<P>& f, const Trim& t, Rows& rows) {
  const double stall = f.stall();
  rows.push_back({"stall airspeed", stall, "m/s", "level, at the lift of the stall angle"});
  rows.push_back({"cruise airspeed", t.airspeed, "m/s", fmt::format("{:.2f} of the stall airspeed", t.airspeed / stall)});
  rows.push_back({"cruise angle of attack", t.alpha, "rad", fmt::format("{}, stall at {}", in_degrees(t.alpha), in_degrees(f.p.aero.stall))});
  rows.push_back({"cruise elevator", t.elevator, "rad", fmt::format("{} of {}", in_degrees(t.elevator), in_degrees(f.p.surface.most[1]))});
  rows.push_back({"cruise throttle", t.throttle, "-", "share of static thrust"});
  rows.push_back({"cruise rotor speed", t.speed, "rad/s", ""});
  rows.push_back({"cruise shaft power", f.shaft_power(t), "W", ""});
  rows.push_back({"cruise drag", t.drag, "N", ""});
  rows.push_back({"climb at cruise", (f.full_thrust(t.airspeed) - t.drag) * t.airspeed / (f.p.mass * f.p.gravity), "m/s", "at full throttle"});
}

// why level flight at this trim is not to be had; empty where it is
template <class P> std::string obstacle(const Flown<P>& f, const Trim& t) {
  if (!t.found) return "there is no balance";
  if (t.alpha > f.p.aero.stall) return "the wing stalls";
  if (math::abs(t.elevator) > f.p.surface.most[1]) return "the elevator has not enough travel";
  return "";
}

// the airspeed at which something is least
struct Best {
  double value = 1e30, airspeed = 0;
  void take(double v, double at) {
    if (v < value) value = v, airspeed = at;
  }
};

// Airspeeds from the stall to well beyond the greatest that is flown, in steps of half a per cent: the best of each kind.
template <class P> void add_performance(const Flown<P>& f, Rows& rows) {
  const double weight = f.p.mass * f.p.gravity;
  const double most = 1.5 * (f.def.speeds.max > 0 ? f.def.speeds.max : 1.5 * f.def.speeds.cruise);
  Best glide, sink, power, range;
  double slowest = 0, slowest_glide = 0, fastest = 0;
  std::string slow_because;
  bool ended = false;
  for (double v = f.stall(); v < most; v *= 1.005) {
    const Trim t = f.level(v);
    if (const std::string why = obstacle(f, t); !why.empty()) {
      if (slowest == 0) slow_because = why;
      continue;
    }
    if (slowest == 0) slowest = v;
    // the same angle of attack without thrust: lift and drag together carry the weight, at another airspeed
    const double carried = math::sqrt(t.lift * t.lift + t.drag * t.drag), gliding = v * math::sqrt(weight / carried);
    glide.take(t.drag / t.lift, gliding), sink.take(gliding * t.drag / carried, gliding);
    if (slowest_glide == 0) slowest_glide = gliding;
    ended = ended || (t.throttle > 1 && fastest > 0);
    if (t.throttle > 1) continue;
    if (!ended) fastest = v;
    const double watts = f.shaft_power(t);
    power.take(watts, v), range.take(watts / v, v);
  }
  if (slowest == 0) return;
  const auto note = [&](const Best& b, std::string words) {
    if (b.airspeed == slowest || b.airspeed == slowest_glide)
      words += words.empty() ? "the slowest it can be trimmed at" : "; the slowest it can be trimmed at";
    return words;
  };
  rows.push_back({"least level airspeed", slowest, "m/s", slow_because.empty() ? "" : "below it " + slow_because});
  rows.push_back({"best glide airspeed", glide.airspeed, "m/s", note(glide, "")});
  rows.push_back({"best glide ratio", 1 / glide.value, "-", "forward over down, without the drag of a stopped propeller"});
  rows.push_back({"least sink airspeed", sink.airspeed, "m/s", note(sink, "")});
  rows.push_back({"least sink", sink.value, "m/s", "in a glide"});
  if (fastest == 0) return;
  rows.push_back({"endurance airspeed", power.airspeed, "m/s", note(power, fmt::format("least shaft power, {:.4g} W", power.value))});
  rows.push_back({"range airspeed", range.airspeed, "m/s", note(range, fmt::format("least shaft power over airspeed, {:.4g} J/m", range.value))});
  rows.push_back({"greatest level airspeed", fastest, "m/s", ended ? "at full throttle" : "or more: the motor has power left"});
}

template <class P> void add_turn(const Flown<P>& f, Rows& rows) {
  const double bank = f.def.handling.max_bank, v = f.def.speeds.cruise;
  const SteadyFlight s = f.steady(v, bank);
  const double load = 1 / math::cos(bank);
  rows.push_back({"turn bank", bank, "rad", fmt::format("{}, load factor {:.2f}", in_degrees(bank), load)});
  const auto& c = s.controls;
  const double throttle = c.rotor_speed / f.p.rotor.speed_max[P::kRotors - 1];
  std::string problem;
  if (!s.found) problem = "there is no balance";
  if (s.found && s.alpha > f.p.aero.stall) problem = "its wing stalls";
  if (s.found && throttle > 1) problem = "its motor cannot hold the airspeed";
  if (s.found && math::abs(c.elevator) > f.p.surface.most[1]) problem = "its elevator has not enough travel";
  if (!problem.empty()) {
    rows.back().note += "; cannot be held at the cruise airspeed: " + problem;
    return;
  }
  rows.push_back({"turn radius", v / s.turn_rate, "m", fmt::format("{:.1f} deg/s at the cruise airspeed", degrees(s.turn_rate))});
  rows.push_back({"turn angle of attack", s.alpha, "rad", in_degrees(s.alpha)});
  rows.push_back({"turn elevator", c.elevator, "rad", in_degrees(c.elevator)});
  rows.push_back({"turn aileron", c.aileron, "rad", in_degrees(c.aileron)});
  if (f.p.aero.yaw.rudder != 0)
    rows.push_back({"turn rudder", c.rudder, "rad", in_degrees(c.rudder)});
  else
    rows.push_back({"turn sideslip", s.beta, "rad", in_degrees(s.beta) + ": there is no rudder"});
  rows.push_back({"turn throttle", throttle * throttle, "-", "share of static thrust"});
}

void add_oscillation(const std::string& name, const Mode2& m, Rows& rows) {
  if (!m.oscillates()) {
    rows.push_back({name, std::max(m.first.real, m.second.real), "1/s", "does not oscillate; the slower of its rates, below 0 it decays"});
    return;
  }
  const double period = 2 * 3.141592653589793 / math::abs(m.first.imaginary);
  rows.push_back({name + " frequency", m.frequency(), "rad/s", fmt::format("period {:.3g} s", period)});
  rows.push_back({name + " damping", m.damping(), "-", m.damping() < 0 ? "it grows" : ""});
}

std::string time_words(double rate) {
  const double time = 0.6931471805599453 / math::abs(rate);
  return fmt::format("{} in {:.3g} s", rate < 0 ? "halves" : "doubles", time);
}

template <class P> void add_stability(const Flown<P>& f, const SteadyFlight& s, Rows& rows) {
  const vehicles::Stiffness k = vehicles::stiffness<typename P::V>(s, f.p, f.tables.data());
  rows.push_back({"pitch stiffness C_m_alpha", k.pitch_alpha, "1/rad", k.pitch_alpha < 0 ? "stable" : "unstable: it should be below 0"});
  rows.push_back({"static margin", -k.pitch_alpha / k.lift_alpha, "-", "of the chord"});
  rows.push_back({"yaw stiffness C_n_beta", k.yaw_beta, "1/rad", k.yaw_beta > 0 ? "stable" : "unstable: it should be above 0"});
  rows.push_back({"dihedral effect C_l_beta", k.roll_beta, "1/rad", k.roll_beta < 0 ? "stable" : "unstable: it should be below 0"});
  const vehicles::LinearFlight linear = vehicles::linearise<typename P::V>(s, f.p, f.tables.data());
  const LongitudinalModes lengthwise = longitudinal_modes(linear.longitudinal);
  add_oscillation("short period", lengthwise.short_period, rows);
  add_oscillation("phugoid", lengthwise.phugoid, rows);
  const LateralModes sideways = lateral_modes(linear.lateral);
  if (!sideways.usual) {
    double fastest_growth = sideways.roots[0].real;
    for (const Root& z : sideways.roots) fastest_growth = std::max(fastest_growth, z.real);
    rows.push_back({"lateral growth", fastest_growth, "1/s", "roll, spiral and Dutch roll cannot be distinguished; below 0 all decay"});
    return;
  }
  add_oscillation("Dutch roll", sideways.dutch_roll, rows);
  rows.push_back({"roll time constant", -1 / sideways.roll, "s", sideways.roll < 0 ? "" : "it grows"});
  rows.push_back({"spiral", sideways.spiral, "1/s", time_words(sideways.spiral)});
}

template <class P> core::Result<Rows> report_as(const AircraftDef& def) {
  const core::Result<Flown<P>> made = make_flown<P>(def);
  if (!made) return made.error();
  const Flown<P>& f = made.value();
  const core::Result<Trim> cruise = vehicles::cruise_trim<typename P::V>(def, f.p, f.tables.data());
  if (!cruise) return cruise.error();
  Rows rows;
  add_size(def, f.p.thrust_max, rows);
  add_cruise(f, cruise.value(), rows);
  add_performance(f, rows);
  add_turn(f, rows);
  const SteadyFlight straight = f.steady(def.speeds.cruise, 0);
  if (straight.found) add_stability(f, straight, rows);
  if constexpr (P::V::kHovers) {
    double lift = 0;
    for (const AircraftRotorDef& r : def.rotors) lift += r.use == RotorUse::Lift ? static_thrust(r) : 0;
    rows.push_back({"lift thrust to weight", lift / (f.p.mass * f.p.gravity), "-", "of the rotors that lift, at full speed"});
  }
  return rows;
}

// calls use<P>() with the program that flies it
template <class Use> auto with_program(const AircraftDef& def, Use&& use) {
  const int chosen = vehicles::Aircraft::choose(def, {});
  std::optional<decltype(use.template operator()<vehicles::AircraftProgram<1, vehicles::AeroForm::Linear>>())> result;
  int index = 0;
  core::for_each_type(vehicles::Aircraft::Programs{}, [&]<class P>() {
    if (index++ != chosen) return;
    if constexpr (!P::kSensed) result = use.template operator()<P>();
  });
  return result;
}

}  // namespace

core::Result<Rows> report_aircraft(const AircraftDef& def) {
  auto rows = with_program(def, [&]<class P>() { return report_as<P>(def); });
  if (!rows) return core::Error{.message = "there is no kernel for this aircraft"};
  return *std::move(rows);
}

core::Status check_trim(const AircraftDef& def) {
  const auto status = with_program(def, [&]<class P>() -> core::Status {
    const core::Result<Flown<P>> made = make_flown<P>(def);
    if (!made) return core::ok();  // what a substep of its own may allow is said when it is flown
    const auto trim = vehicles::cruise_trim<typename P::V>(def, made.value().p, made.value().tables.data());
    return trim ? core::ok() : core::Status(trim.error());
  });
  return status.value_or(core::ok());
}

std::optional<FlightLimits> flight_limits(const AircraftDef& def, double gravity) {
  engine::FlockSetup setup;
  setup.environment.gravity = gravity;
  return with_program(def,
                      [&]<class P>() -> std::optional<FlightLimits> {
                        const auto p = vehicles::Aircraft::derive<P>(def, setup);
                        if (!p) return std::nullopt;
                        const auto& w = p.value().wing;
                        return FlightLimits{w.airspeed_min, w.airspeed_max, w.climb_max};
                      })
      .value_or(std::nullopt);
}

}  // namespace volary::airframe
