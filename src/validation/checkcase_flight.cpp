// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/checkcase_flight.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "environment/atmosphere.hpp"
#include "math/euler.hpp"
#include "scenario/daveml.hpp"
#include "vehicles/imported_aircraft.hpp"

namespace volary::validation {

namespace {

using airframe::FlightSignals;
using airframe::ImportedAircraft;
using math::Vec3;
using vehicles::GeodeticBody;
using vehicles::GeodeticState;

constexpr double kFoot = 0.3048, kDegree = 0.017453292519943295;
constexpr double kTrimmed = 1e-6;  // m/s2 and rad/s2 that may be left
constexpr const char* kLateralInput = "lateralDeviationError";

core::Error error_of(const CheckCaseDef& def, std::string message, std::string suggestion = "") {
  core::Error error;
  error.field = "case " + def.id;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

// the body, and how far it has come to the right of its course line
struct FlightState {
  GeodeticBody<double> body;
  double lateral = 0;  // m
};
FlightState fma(double s, const FlightState& rate, const FlightState& x) {
  return {vehicles::fma(s, rate.body, x.body), math::fma(s, rate.lateral, x.lateral)};
}

class CaseFlyer {
 public:
  CaseFlyer(const CheckCaseList& list, const CheckCaseDef& def, ImportedAircraft aircraft)
      : list_(list), def_(def), aircraft_(std::move(aircraft)), workspace_(aircraft_.workspace()), atmosphere_(environment::make_atmosphere({})) {
    planet_.ellipsoid = def.earth == EarthShape::Wgs84 ? environment::kWgs84 : environment::kRoundEarth;
    planet_.rate = def.rotating ? environment::kEarthRate : 0;
    planet_.gravitation = def.gravity == GravityLaw::J2 ? vehicles::Gravitation::Oblate : vehicles::Gravitation::Round;
    sea_level_density_ = environment::air_at(atmosphere_, 0.0).density;
  }

  core::Result<CaseFlight> fly(GeodeticState<double> first, const std::vector<double>& times, double step) {
    CaseFlight flight;
    course_ = math::atan2(first.velocity_N.y, first.velocity_N.x);
    if (def_.trimmed) {
      core::Result<Trim> trim = find_trim(first);
      if (!trim) return trim.error();
      flight.trim = trim.value();
      first = at_pitch(first, flight.trim.pitch);
    }
    if (const core::Status s = begin(first); !s) return s.error();
    FlightState x{vehicles::body_from_geodetic(planet_, first, times.front()), 0};
    flight.rows.push_back(quantities(x, times.front()));
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double span = times[k] - times[k - 1];
      const int n = std::max(1, static_cast<int>(math::round(span / step)));
      for (int i = 0; i < n; ++i)
        if (const core::Status s = advance(x, times[k - 1] + span * i / n, span / n); !s) return s.error();
      flight.rows.push_back(quantities(x, times[k]));
    }
    return flight;
  }

 private:
  // ---------------------------------------------------------------- what the vehicle feels
  Vec3<double> wind_at(double height) const {
    if (def_.wind.empty()) return {0, 0, 0};
    std::size_t k = 0;
    while (k + 2 < def_.wind.size() && height >= def_.wind[k + 1].height) ++k;
    const auto vector = [](const WindLevel& l) { return Vec3<double>{l.velocity[0], l.velocity[1], l.velocity[2]}; };
    const WindLevel &low = def_.wind[k], &high = def_.wind[std::min(k + 1, def_.wind.size() - 1)];
    if (high.height == low.height) return vector(low);
    const double part = math::clamp((height - low.height) / (high.height - low.height), 0.0, 1.0);
    return vector(low) + part * (vector(high) - vector(low));
  }

  FlightSignals signals_of(const GeodeticState<double>& s) const {
    const environment::Air<double> air = environment::air_at(atmosphere_, environment::geopotential_from_geometric(s.place.height));
    const math::Mat3<double> R_NB = math::rotation_matrix(s.q_NB);
    const math::EulerAngles<double> angles = math::euler_from_matrix(R_NB);
    // the air turns with the Earth
    const Vec3<double> earth_N = {planet_.rate * math::cos(s.place.latitude), 0, -planet_.rate * math::sin(s.place.latitude)};
    FlightSignals f;
    f.air_velocity_B = math::transpose_times(R_NB, s.velocity_N - wind_at(s.place.height));
    f.omega_B = s.omega_B - math::transpose_times(R_NB, earth_N);
    f.true_airspeed = math::norm(f.air_velocity_B);
    f.equivalent_airspeed = f.true_airspeed * math::sqrt(air.density / sea_level_density_);
    f.mach = f.true_airspeed / air.speed_of_sound;
    f.dynamic_pressure = 0.5 * air.density * f.true_airspeed * f.true_airspeed;
    f.angle_of_attack = math::atan2(f.air_velocity_B.z, f.air_velocity_B.x);
    f.sideslip = f.true_airspeed > 0 ? math::asin(math::clamp(f.air_velocity_B.y / f.true_airspeed, -1.0, 1.0)) : 0;
    f.altitude = s.place.height;
    f.latitude = s.place.latitude;
    f.longitude = s.place.longitude;
    f.yaw = angles.yaw;
    f.pitch = angles.pitch;
    f.roll = angles.roll;
    return f;
  }

  FlightState rate_of(const FlightState& x, double time) {
    const GeodeticState<double> s = vehicles::geodetic_from_body(planet_, x.body, time);
    if (def_.tracks_course) (void)aircraft_.set(workspace_, kLateralInput, x.lateral * lateral_per_metre_ + lateral_change_);
    const vehicles::Wrench<double> w = aircraft_.wrench(workspace_, signals_of(s));
    FlightState rate{vehicles::body_rate(planet_, aircraft_.mass(), x.body, w), 0};
    if (def_.tracks_course) rate.lateral = s.velocity_N.y * math::cos(course_) - s.velocity_N.x * math::sin(course_);
    return rate;
  }

  // ---------------------------------------------------------------- commands and steps
  core::Status set_si(const std::string& name, double si) {
    const core::Result<double> value = aircraft_.in_unit_of(name, si);
    return value ? aircraft_.set(workspace_, name, value.value()) : core::Status(value.error());
  }

  // the control model holds what it finds, and the switches that trimming moved go back to what the case says
  core::Status begin(const GeodeticState<double>& first) {
    const FlightSignals f = signals_of(first);
    const std::pair<std::string, double> held[] = {
        {"altitudeMslCommand", f.altitude}, {"equivalentAirspeedCommand", f.equivalent_airspeed}, {"trueBaseCourseCommand", course_}};
    for (const auto& [name, si] : held)
      if (aircraft_.has(name))
        if (const core::Status s = set_si(name, si); !s) return s;
    for (const auto& [name, value] : def_.settings.items)
      if (aircraft_.has(name))
        if (const core::Status s = aircraft_.set(workspace_, name, value); !s) return s;
    if (def_.design_from_trim) {
      if (const core::Status s = set_si(list_.trim.design_angle_of_attack, f.angle_of_attack); !s) return s;
      if (const core::Status s = set_si(list_.trim.design_pitch, f.pitch); !s) return s;
    }
    if (def_.tracks_course) {
      const core::Result<double> metre = aircraft_.in_unit_of(kLateralInput, 1);
      if (!metre) return metre.error();
      lateral_per_metre_ = metre.value();
    }
    for (const CommandChange& c : def_.commands) {
      const core::Result<double> before = aircraft_.value_of(workspace_, c.input);
      if (!before) return before.error();
      before_.push_back(before.value());
    }
    return core::ok();
  }

  // inputs change at the begin of a step, never inside it
  core::Status apply_commands(double time) {
    const auto sum_of = [&](const std::string& input) {
      double sum = 0;
      for (const CommandChange& c : def_.commands)
        if (c.input == input && time > c.at - 1e-9) sum += c.change;
      return sum;
    };
    lateral_change_ = sum_of(kLateralInput);
    for (std::size_t k = 0; k < def_.commands.size(); ++k) {
      const std::string& input = def_.commands[k].input;
      if (def_.tracks_course && input == kLateralInput) continue;  // rate_of() sets it
      if (const core::Status s = aircraft_.set(workspace_, input, before_[k] + sum_of(input)); !s) return s;
    }
    return core::ok();
  }

  core::Status advance(FlightState& x, double time, double h) {
    if (const core::Status s = apply_commands(time); !s) return s;
    const double offset[] = {0, h / 2, h / 2, h};
    x = math::rk4(x, math::step_size<double>(h), [&](int stage, const FlightState& y) { return rate_of(y, time + offset[stage]); });
    x.body.q_IB = math::normalize(x.body.q_IB);
    const double sum = math::dot(x.body.velocity_I, x.body.position_I) + x.body.omega_B.x + x.body.q_IB.w;
    if (!(sum - sum == 0)) return error_of(def_, fmt::format("the flight diverged after {:.2f} s", time));
    return core::ok();
  }

  Quantities quantities(const FlightState& x, double time) const {
    const GeodeticState<double> s = vehicles::geodetic_from_body(planet_, x.body, time);
    const math::EulerAngles<double> a = math::euler_from_quat(s.q_NB);
    return {s.place.height / kFoot, s.velocity_N.x / kFoot, s.velocity_N.y / kFoot, s.velocity_N.z / kFoot,
            a.yaw / kDegree,        a.pitch / kDegree,      a.roll / kDegree};
  }

  // ---------------------------------------------------------------- trim
  static GeodeticState<double> at_pitch(GeodeticState<double> s, double pitch) {
    math::EulerAngles<double> a = math::euler_from_quat(s.q_NB);
    a.pitch = pitch;
    s.q_NB = math::quat_from_euler(a);
    return s;
  }

  // along the track, away from the level (which bends down with the Earth), and in pitch: m/s2, m/s2, rad/s2
  Vec3<double> accelerations(const GeodeticState<double>& level, const Vec3<double>& unknown) {
    (void)aircraft_.set(workspace_, list_.trim.throttle, unknown.y);
    (void)aircraft_.set(workspace_, list_.trim.pitch_control, unknown.z);
    const GeodeticState<double> s = at_pitch(level, unknown.x);
    const GeodeticBody<double> body = vehicles::body_from_geodetic(planet_, s, 0.0);
    const GeodeticBody<double> rate = vehicles::body_rate(planet_, aircraft_.mass(), body, aircraft_.wrench(workspace_, signals_of(s)));
    const Vec3<double> earth = {0, 0, planet_.rate};
    const Vec3<double> relative_I = rate.velocity_I - (2.0 * math::cross(earth, body.velocity_I) - math::cross(earth, math::cross(earth, body.position_I)));
    const Vec3<double> a_N = math::transpose_times(math::rotation_matrix(vehicles::quat_of_north(s.place, 0.0)), relative_I);
    const Vec3<double>& v = s.velocity_N;
    const double sine = math::sin(s.place.latitude), speed = math::sqrt(v.x * v.x + v.y * v.y);
    const double bend = v.y * v.y / (environment::prime_vertical_radius(planet_.ellipsoid, sine) + s.place.height) +
                        v.x * v.x / (environment::meridian_radius(planet_.ellipsoid, sine) + s.place.height);
    return {(a_N.x * v.x + a_N.y * v.y) / speed, a_N.z - bend, rate.omega_B.y};
  }

  static double largest(const Vec3<double>& v) { return std::max({math::abs(v.x), math::abs(v.y), math::abs(v.z)}); }

  // Newton's method on pitch, throttle and pitch control. Thrust is flat where the throttle is at its stop, and a search that
  // ends there knows no way back: it begins again with another throttle.
  core::Result<Trim> find_trim(const GeodeticState<double>& first) {
    for (const auto& [name, value] : list_.trim.settings.items)
      if (const core::Status s = aircraft_.set(workspace_, name, value); !s) return s.error();
    for (const std::string& name : {list_.trim.throttle, list_.trim.pitch_control})
      if (const core::Status s = aircraft_.set(workspace_, name, 0); !s) return s.error();
    Trim best;
    for (const double throttle : {0.2, 0.5, 0.8}) {
      const Trim trim = search_trim(first, {math::euler_from_quat(first.q_NB).pitch, throttle, 0});
      if (throttle == 0.2 || trim.residual < best.residual) best = trim;
      if (best.residual < kTrimmed) break;
    }
    (void)accelerations(first, {best.pitch, best.throttle, best.pitch_control});  // the controls stay where trim left them
    if (best.residual < kTrimmed) return best;
    return error_of(def_, fmt::format("the vehicle does not trim: {:.2g} m/s2 or rad/s2 are left at pitch {:.2f} deg, throttle {:.3f}, pitch control {:.3f}",
                                      best.residual, best.pitch / kDegree, best.throttle, best.pitch_control));
  }

  // moves are kept small and halved until they help
  Trim search_trim(const GeodeticState<double>& first, Vec3<double> x) {
    Vec3<double> f = accelerations(first, x);
    int round = 0;
    for (; round < 60 && largest(f) > 1e-12; ++round) {
      const Vec3<double> move = newton_move(first, x, f);
      const double length = largest(move);
      if (!(length > 0)) break;
      double part = length > 0.1 ? 0.1 / length : 1;
      Vec3<double> next = x + part * move, g = accelerations(first, next);
      for (int half = 0; half < 20 && !(largest(g) < largest(f)); ++half) {
        part /= 2;
        next = x + part * move;
        g = accelerations(first, next);
      }
      if (!(largest(g) < largest(f))) break;  // as good as rounding lets it be, or no way on
      x = next;
      f = g;
    }
    return {x.x, x.y, x.z, largest(f), round};
  }

  Vec3<double> newton_move(const GeodeticState<double>& first, const Vec3<double>& x, const Vec3<double>& f) {
    constexpr double h = 1e-6;
    const Vec3<double> a = (1 / h) * (accelerations(first, {x.x + h, x.y, x.z}) - f);
    const Vec3<double> b = (1 / h) * (accelerations(first, {x.x, x.y + h, x.z}) - f);
    const Vec3<double> c = (1 / h) * (accelerations(first, {x.x, x.y, x.z + h}) - f);
    // Cramer's rule: the columns of the Jacobian are a, b, c
    const double determinant = math::dot(a, math::cross(b, c));
    return (-1 / determinant) * Vec3<double>{math::dot(f, math::cross(b, c)), math::dot(a, math::cross(f, c)), math::dot(a, math::cross(b, f))};
  }

  const CheckCaseList& list_;
  const CheckCaseDef& def_;
  ImportedAircraft aircraft_;
  ImportedAircraft::Workspace workspace_;
  environment::Atmosphere<double> atmosphere_;
  vehicles::Planet planet_;
  double sea_level_density_ = 1.225;
  double course_ = 0;                                          // rad, of the first velocity
  std::vector<double> before_;  // by command: what its input was before
  double lateral_change_ = 0, lateral_per_metre_ = 0;  // in the unit of the input
};

core::Result<std::optional<airframe::ImportedModel>> load_model(const std::string& folder, const std::string& file) {
  if (file.empty()) return std::optional<airframe::ImportedModel>();
  core::Result<scenario::DaveModel> dave = scenario::load_daveml((std::filesystem::path(folder) / file).string());
  if (!dave) return dave.error();
  if (const core::Result<scenario::DaveSelfTest> test = scenario::run_self_test(dave.value()); !test) return test.error();
  return std::optional<airframe::ImportedModel>(std::move(dave.value().model));
}

}  // namespace

core::Result<CaseFlight> fly_case(const CheckCaseList& list, const CheckCaseDef& def, const std::string& models_folder, const GeodeticState<double>& first,
                                  const std::vector<double>& times, double step) {
  const CaseVehicle& vehicle = *list.find_vehicle(def.vehicle);
  airframe::ImportedParts parts;
  std::optional<airframe::ImportedModel> inertia;
  const std::pair<const std::string*, std::optional<airframe::ImportedModel>*> files[] = {
      {&vehicle.inertia, &inertia}, {&vehicle.aerodynamics, &parts.aerodynamics}, {&vehicle.propulsion, &parts.propulsion}, {&def.control, &parts.control}};
  for (const auto& [file, part] : files) {
    core::Result<std::optional<airframe::ImportedModel>> model = load_model(models_folder, *file);
    if (!model) return model.error();
    *part = std::move(model).value();
  }
  parts.inertia = std::move(*inertia);
  airframe::Settings settings = def.settings.items, fixed = def.fixed.items;
  settings.insert(settings.end(), vehicle.settings.items.begin(), vehicle.settings.items.end());
  fixed.insert(fixed.end(), vehicle.fixed.items.begin(), vehicle.fixed.items.end());
  for (const char* held : {"altitudeMslCommand", "equivalentAirspeedCommand", "trueBaseCourseCommand"}) settings.emplace_back(held, 0);
  core::Result<ImportedAircraft> aircraft = ImportedAircraft::create(std::move(parts), settings, fixed);
  if (!aircraft) return aircraft.error();
  return CaseFlyer(list, def, std::move(aircraft).value()).fly(first, times, step);
}

}  // namespace volary::validation
