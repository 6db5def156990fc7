// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of PX4 (docs.px4.io, "uORB Message Reference") as a flight. Position: vehicle_local_position, vehicle_global_position, vehicle_gps_position or
// sensor_gps. Attitude: vehicle_attitude. Body rates: vehicle_angular_velocity, or those in vehicle_attitude of old logs. The first that has rows is taken.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "logs/flight_builder.hpp"

namespace volary::logs {

namespace {

// nav_state of vehicle_status
constexpr const char* kModes[] = {"Manual",          "Altitude", "Position", "Mission",   "Hold",           "Return",    "Position Slow", "Free",
                                  "Altitude Cruise", "Free",     "Acro",     "Free",      "Descend",        "Terminate", "Offboard",      "Stabilized",
                                  "Rattitude",       "Takeoff",  "Land",     "Follow Me", "Precision Land", "Orbit",     "VTOL Takeoff"};

Mode mode_of(int nav_state) {
  switch (nav_state) {
    case 17:
    case 22: return Mode::TakeOff;
    case 12:
    case 18:
    case 20: return Mode::Land;
    case 13: return Mode::EmergencyStop;
    case 3:
    case 5:
    case 14:
    case 19:
    case 21: return Mode::Mission;
    default: return Mode::Hold;
  }
}

// a number that should be a small integer; -1: it is none
int whole(double x) { return x >= 0 && x < 1e6 ? static_cast<int>(x) : -1; }

bool add_local(const Log& log, FlightBuilder& to) {
  const Picked p(log, "vehicle_local_position", {"x", "y", "z", "vx", "vy", "vz"});
  const Picked reference(log, "vehicle_local_position", {"ref_lat", "ref_lon", "ref_alt"});
  for (std::size_t k = 0; k < p.rows(); ++k) {
    if (!p.flag(k, "xy_valid", true) || !p.flag(k, "z_valid", true)) continue;
    Vec3d position = p.vector(k, 0);
    // the origin of the estimator may move during a flight
    if (reference && reference.flag(k, "xy_global", true)) {
      const Place here{reference.at(k, 0), reference.at(k, 1), reference.at(k, 2)};
      if (!to.flight.origin && (here.latitude != 0 || here.longitude != 0)) to.flight.origin = here;
      if (const auto& o = to.flight.origin; o && (o->latitude != here.latitude || o->longitude != here.longitude || o->height != here.height))
        position = position + ned_between(*o, here);
    }
    const bool moves = p.flag(k, "v_xy_valid", true) && p.flag(k, "v_z_valid", true);
    to.positions.push_back({p.time_us(k), position, moves ? std::optional(p.vector(k, 3)) : std::nullopt});
  }
  if (!to.positions.empty()) to.use("vehicle_local_position");
  return !to.positions.empty();
}

bool add_global(const Log& log, FlightBuilder& to) {
  const Picked p(log, "vehicle_global_position", {"lat", "lon", "alt"});
  const Picked velocity(log, "vehicle_global_position", {"vel_n", "vel_e", "vel_d"});
  for (std::size_t k = 0; k < p.rows(); ++k)
    to.add_place(p.time_us(k), {p.at(k, 0), p.at(k, 1), p.at(k, 2)}, velocity ? std::optional(velocity.vector(k, 0)) : std::nullopt);
  if (!to.positions.empty()) to.use("vehicle_global_position");
  return !to.positions.empty();
}

// degrees and metres, or in logs before PX4 1.14 1e-7 degrees and millimetres
bool add_satellites(const Log& log, const char* table, FlightBuilder& to) {
  const Picked now(log, table, {"latitude_deg", "longitude_deg", "altitude_msl_m"}), before(log, table, {"lat", "lon", "alt"});
  const Picked& p = now ? now : before;
  const double degrees = now ? 1 : 1e-7, metres = now ? 1 : 1e-3;
  const Picked velocity(log, table, {"vel_n_m_s", "vel_e_m_s", "vel_d_m_s"});
  const Picked fix(log, table, {"fix_type"});
  for (std::size_t k = 0; k < p.rows(); ++k) {
    if (fix && fix.at(k, 0) < 3) continue;
    to.add_place(p.time_us(k), {p.at(k, 0) * degrees, p.at(k, 1) * degrees, p.at(k, 2) * metres},
                 velocity ? std::optional(velocity.vector(k, 0)) : std::nullopt);
  }
  if (!to.positions.empty()) to.use(table);
  return !to.positions.empty();
}

void add_rotation(const Log& log, FlightBuilder& to) {
  const Picked q(log, "vehicle_attitude", {"q"});
  for (std::size_t k = 0; k < q.rows(); ++k) to.attitudes.emplace_back(q.time_us(k), Quatd{q.at(k, 0, 0), q.at(k, 0, 1), q.at(k, 0, 2), q.at(k, 0, 3)});
  if (q) to.use("vehicle_attitude");
  const Picked omega(log, "vehicle_angular_velocity", {"xyz"});
  for (std::size_t k = 0; k < omega.rows(); ++k) to.rates.emplace_back(omega.time_us(k), Vec3d{omega.at(k, 0, 0), omega.at(k, 0, 1), omega.at(k, 0, 2)});
  if (omega) return to.use("vehicle_angular_velocity");
  const Picked old(log, "vehicle_attitude", {"rollspeed", "pitchspeed", "yawspeed"});
  for (std::size_t k = 0; k < old.rows(); ++k) to.rates.emplace_back(old.time_us(k), old.vector(k, 0));
}

void add_status(const Log& log, FlightBuilder& to) {
  const Picked p(log, "vehicle_status", {"arming_state", "nav_state"});
  int armed = -1, mode = -1;
  for (std::size_t k = 0; k < p.rows(); ++k) {
    const int armed_now = p.at(k, 0) == 2 ? 1 : 0, mode_now = whole(p.at(k, 1));
    if (armed_now == armed && mode_now == mode) continue;
    if (armed_now != armed && (armed >= 0 || armed_now == 1)) to.notes.emplace_back(p.time_us(k), armed_now == 1 ? "armed" : "disarmed");
    if (mode_now != mode) {
      const bool known = mode_now >= 0 && static_cast<std::size_t>(mode_now) < std::size(kModes);
      to.notes.emplace_back(p.time_us(k), "mode: " + (known ? std::string(kModes[mode_now]) : fmt::format("{}", mode_now)));
    }
    armed = armed_now, mode = mode_now;
    to.modes.emplace_back(p.time_us(k), armed == 0 ? Mode::Disarmed : mode_of(mode));
  }
}

void add_outputs(const Log& log, FlightBuilder& to) {
  const Picked motors(log, "actuator_motors", {"control"}), old(log, "actuator_outputs", {"output", "noutputs"});
  const Picked& p = motors ? motors : old;
  if (!p) return;
  const std::size_t most = std::min<std::size_t>(p.table().find(motors ? "control" : "output")->count, 16);
  for (std::size_t k = 0; k < p.rows(); ++k) {
    Outputs o{p.time_us(k), {}};
    const std::size_t n = motors ? most : std::min(most, static_cast<std::size_t>(std::max(0, whole(p.at(k, 1)))));
    for (std::size_t m = 0; m < n; ++m) o.values.push_back(static_cast<float>(p.at(k, 0, m)));
    while (motors && !o.values.empty() && !(o.values.back() == o.values.back())) o.values.pop_back();  // motors that are not there are NaN
    to.outputs.push_back(std::move(o));
  }
}

void add_time(const Log& log, FlightBuilder& to) {
  for (const char* table : {"vehicle_gps_position", "sensor_gps"}) {
    const Picked p(log, table, {"time_utc_usec"});
    for (std::size_t k = 0; k < p.rows() && !to.utc; ++k)
      if (const double utc = p.at(k, 0) * 1e-6; is_a_date(utc)) to.utc = std::pair{p.time_us(k), utc};
  }
}

// version 0xMMmmppTT: major, minor, patch and kind
std::string release_of(const std::string& number) {
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  if (!(value >= 0 && value < 4294967296.0)) return number;
  const auto v = static_cast<std::uint32_t>(value);
  const char* const kind = (v & 255) >= 255   ? ""
                           : (v & 255) >= 192 ? " release candidate"
                           : (v & 255) >= 128 ? " beta"
                           : (v & 255) >= 64  ? " alpha"
                                              : " development";
  return fmt::format("{}.{}.{}{}", v >> 24, (v >> 16) & 255, (v >> 8) & 255, kind);
}

void add_names(const Log& log, FlightBuilder& to) {
  const auto info = [&](const char* key) {
    const auto found = log.info.find(key);
    return found == log.info.end() ? std::string() : found->second;
  };
  to.flight.firmware = info("sys_name").empty() ? "PX4" : info("sys_name");
  if (!info("ver_sw_release").empty()) to.flight.firmware += " " + release_of(info("ver_sw_release"));
  if (!info("ver_hw").empty()) to.flight.firmware += " on " + info("ver_hw");
  constexpr const char* kTypes[] = {"unknown", "multirotor", "fixed wing", "rover", "airship"};
  const Picked p(log, "vehicle_status", {"vehicle_type"});
  const double type = p ? p.at(p.rows() - 1, 0) : 0;
  to.flight.vehicle = kTypes[type >= 0 && type < 5 ? static_cast<std::size_t>(type) : 0];
  if (p && p.flag(p.rows() - 1, "is_vtol", false)) to.flight.vehicle = "VTOL";
}

}  // namespace

void gather_px4(const Log& log, FlightBuilder& to) {
  add_names(log, to);
  if (!add_local(log, to) && !add_global(log, to) && !add_satellites(log, "vehicle_gps_position", to)) add_satellites(log, "sensor_gps", to);
  add_rotation(log, to);
  add_status(log, to);
  add_outputs(log, to);
  add_time(log, to);
}

}  // namespace volary::logs
