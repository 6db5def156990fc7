// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_report.hpp"

#include <algorithm>
#include <limits>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"
#include "vehicles/multirotor_drag.hpp"

namespace volary::airframe {
namespace {

constexpr double kSubstep = 0.0025;  // s, the default of a world

void add_thrust(const Figures& f, std::vector<ReportRow>& rows) {
  rows.push_back({"mass", f.weight / kStandardGravity, "kg", ""});
  rows.push_back({"maximum thrust", f.max_thrust, "N", "along body z, all rotors at full speed"});
  rows.push_back({"thrust to weight", f.thrust_to_weight, "-", f.thrust_to_weight < 1.5 ? "little is left for control" : ""});
  rows.push_back({"hover throttle", f.weight / f.max_thrust, "-", "weight over maximum thrust"});
  rows.push_back({"hover rotor speed", f.hover_speed, "rad/s", "the same for all rotors"});
  rows.push_back({"idle thrust", f.idle_thrust / f.weight, "-", "fraction of the weight"});
  rows.push_back({"torque over thrust", f.torque_ratio, "m", "at hover speed"});
}

// how far each principal moment is below the sum of the other two; below 0 no body has them
void add_inertia(const MultirotorDef& def, std::vector<ReportRow>& rows) {
  const Triple e = eigenvalues({def.inertia, def.inertia_products});
  const double sum = e[0] + e[1] + e[2];
  const char* names[3] = {"smallest principal moment", "middle principal moment", "largest principal moment"};
  for (std::size_t k = 0; k < 3; ++k) rows.push_back({names[k], e[k], "kg m2", ""});
  rows.push_back({"inertia triangle margin", (sum - 2 * e[2]) / e[2], "-", "sum of the two smaller moments divided by the largest, minus 1; a value below 0 is impossible"});
}

// Roll and pitch end where the hubs climb at stall speed and thrust is gone, yaw where rotor drag takes
// the torque: far above what a controller commands, but bounds all the same.
void add_turning(const MultirotorDef& def, const Figures& f, std::vector<ReportRow>& rows) {
  const char* axes[3] = {"roll", "pitch", "yaw"};
  for (std::size_t k = 0; k < 3; ++k)
    rows.push_back({std::string(axes[k]) + " acceleration", f.acceleration[k], "rad/s2", "attainable in either direction from hover"});
  double reach[2] = {0, 0}, damping = 0;
  for (const RotorDef& r : def.rotors) {
    reach[0] = std::max(reach[0], math::abs(r.position[1])), reach[1] = std::max(reach[1], math::abs(r.position[0]));
    damping += def.motor.drag * f.hover_speed * (r.position[0] * r.position[0] + r.position[1] * r.position[1]);
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (reach[k] > 0) rows.push_back({std::string(axes[k]) + " rate", def.motor.stall_speed / reach[k], "rad/s", "bound: the outer hubs reach stall speed"});
  if (damping > 0) rows.push_back({"yaw rate", f.acceleration[2] * def.inertia[2] / damping, "rad/s", "bound: rotor drag takes the torque"});
}

void add_motion(const MultirotorDef& def, const Figures& f, std::vector<ReportRow>& rows) {
  const double ratio = f.thrust_to_weight;
  rows.push_back({"vertical acceleration", kStandardGravity * (ratio - 1), "m/s2", "upwards, from rest"});
  rows.push_back({"horizontal acceleration", kStandardGravity * math::sqrt(ratio * ratio - 1), "m/s2", "at constant height, from rest"});
  rows.push_back({"maximum tilt", f.max_tilt, "rad", "at which full thrust just holds the height"});
  if (has_drag(def))
    rows.push_back({"level speed", f.level_speed, "m/s", "estimate from drag and thrust loss"});
  else
    rows.push_back({"level speed", std::numeric_limits<double>::quiet_NaN(), "-", "no drag limits it: set motor.drag, linear_drag or quadratic_drag"});
  rows.push_back({"climb speed", f.climb_speed, "m/s", "estimate from drag and thrust loss"});
  rows.push_back({"motor lag up", def.motor.time_constant_up, "s", ""});
  rows.push_back({"motor lag down", def.motor.time_constant_down, "s", ""});
}

ReportRow feature_row(const MultirotorDef& def) {
  const char* notes[3] = {"basic", "full: rotor drag, curves, gyroscopics or anisotropic drag",
                          "tilted: hubs out of one plane, tilted axes or products of inertia"};
  const int level = static_cast<int>(needed_features(def));
  return {"feature set", static_cast<double>(level), "-", notes[level]};
}

}  // namespace

std::vector<ReportRow> report_multirotor(const MultirotorDef& def) {
  const Figures f = figures(def, kStandardGravity);
  std::vector<ReportRow> rows;
  add_thrust(f, rows);
  add_inertia(def, rows);
  add_turning(def, f, rows);
  add_motion(def, f, rows);
  rows.push_back(feature_row(def));
  rows.push_back({"rest height", rest_height(def, kStandardGravity, kSubstep), "m", "centre of mass above the ground when parked"});
  return rows;
}

}  // namespace volary::airframe
