// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/earth_check.hpp"

#include <string>
#include <utility>

namespace volary::inline VOLARY_ISA::environment {
namespace {

constexpr double kHalfTurn = 3.141592653589794, kQuarterTurn = kHalfTurn / 2;

// 12.5 rather than 12.500000
std::string plain(double x) {
  std::string text = std::to_string(x);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

struct Range {
  const char* field;
  double value, low, high;
  const char* unit;
};

core::Status within(const Range& r) {
  if (r.value >= r.low && r.value <= r.high) return core::ok();
  return core::Error{.message = plain(r.value) + " is not between " + plain(r.low) + " and " + plain(r.high) + (*r.unit ? " " : "") + r.unit, .field = r.field};
}

core::Status check_gust(const DiscreteGust<double>& g, int i) {
  const std::string field = "gusts[" + std::to_string(i) + "]";
  if (!(g.length > 0)) return core::Error{.message = "needs a length above 0 m", .field = field + ".length"};
  const double ahead = norm(g.ahead_W);
  if (ahead != 0 && !(abs(ahead - 1) < 1e-6)) return core::Error{.message = "has length " + plain(ahead) + " instead of 1 or 0", .field = field + ".ahead"};
  if (!(norm(g.amplitude_W) <= 100)) return core::Error{.message = "is stronger than 100 m/s", .field = field + ".amplitude"};
  return core::ok();
}

core::Status check_turbulence(const TurbulenceLevels<double>& l) {
  if (!l.even) return within({"turbulence.intensity", l.wind_at_20_feet, 0, 60, "m/s"});
  // beyond these lengths the waves of the field no longer hold the energy
  const Range ranges[] = {{"turbulence.sigma", l.same.sigma_level, 0, 30, "m/s"},
                          {"turbulence.sigma", l.same.sigma_up, 0, 30, "m/s"},
                          {"turbulence.length", l.same.length_level, 2, 1000, "m"},
                          {"turbulence.length", l.same.length_up, 2, 1000, "m"}};
  for (const Range& r : ranges)
    if (core::Status s = within(r); !s) return s;
  return core::ok();
}

core::Status check_wind(const MeanWindDef& w) {
  if (!(norm(w.velocity_W) <= 100)) return core::Error{.message = "is stronger than 100 m/s", .field = "wind"};
  if (w.shear == Shear::None) return core::ok();
  const Range ranges[] = {{"shear.reference_height", w.reference_height, 0.1, 1000, "m"},
                          {"shear.exponent", w.exponent, 0, 1, ""},
                          {"shear.roughness", w.roughness, 1e-5, 10, "m"},
                          {"shear.top", w.top, w.reference_height, 20000, "m"}};
  for (const Range& r : ranges)
    if (core::Status s = within(r); !s) return s;
  if (w.shear == Shear::Log && !(w.roughness < 0.5 * w.reference_height))
    return core::Error{.message = "must be below half the reference height of " + plain(w.reference_height) + " m", .field = "shear.roughness"};
  return core::ok();
}

}  // namespace

core::Status check_earth(const EarthDef& d, const magnetic::Model& model) {
  const Range ranges[] = {{"origin.latitude", d.origin.latitude, -kQuarterTurn, kQuarterTurn, "rad"},
                          {"origin.longitude", d.origin.longitude, -kHalfTurn, kHalfTurn, "rad"},
                          {"origin.height", d.origin.height, -1000, 10000, "m"},
                          {"year", d.year, model.epoch, model.last_year, "(the years of the magnetic model)"},
                          {"atmosphere.temperature", d.air.temperature, -60, 60, "K"},
                          {"atmosphere.pressure", d.air.pressure, -20000, 20000, "Pa"},
                          {"atmosphere.humidity", d.air.humidity, 0, 1, ""},
                          {"fading.mean", d.fading.mean, 0, 10, "1/s"},
                          {"fading.local", d.fading.local, 0, 10, "1/s"},
                          {"gusts", static_cast<double>(d.gusts), 0, kMostGusts, ""}};
  for (const Range& r : ranges)
    if (core::Status s = within(r); !s) return s;
  if (core::Status s = check_wind(d.wind); !s) return s;
  if (core::Status s = d.turbulent ? check_turbulence(d.levels) : core::ok(); !s) return s;
  for (int i = 0; i < d.gusts; ++i)
    if (core::Status s = check_gust(d.gust[i], i); !s) return s;
  return core::ok();
}

}  // namespace volary::inline VOLARY_ISA::environment
