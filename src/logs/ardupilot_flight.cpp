// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of ArduPilot (ardupilot.org, "Onboard Message Log Messages") as a flight. Position: XKF1, NKF1 or EKF1 of the first core, POS, AHR2, GPS.
// Attitude: ATT, AHR2. Body rates: IMU. The first that has rows is taken.
#include <fmt/format.h>

#include <algorithm>

#include "logs/flight_builder.hpp"
#include "math/euler.hpp"

namespace volary::logs {

namespace {

constexpr double kDegree = 0.017453292519943295;  // rad
constexpr std::size_t kMostChanges = 2000;         // of the mode or of arming

struct ModeName {
  int number;
  const char* name;
  Mode mode = Mode::Hold;
};
constexpr ModeName kCopter[] = {{0, "Stabilize"},
                                {1, "Acro"},
                                {2, "Altitude Hold"},
                                {3, "Auto", Mode::Mission},
                                {4, "Guided", Mode::Mission},
                                {5, "Loiter"},
                                {6, "RTL", Mode::Mission},
                                {7, "Circle", Mode::Mission},
                                {9, "Land", Mode::Land},
                                {11, "Drift"},
                                {13, "Sport"},
                                {14, "Flip"},
                                {15, "Autotune"},
                                {16, "Position Hold"},
                                {17, "Brake"},
                                {18, "Throw"},
                                {19, "Avoid ADSB"},
                                {20, "Guided without GPS", Mode::Mission},
                                {21, "Smart RTL", Mode::Mission},
                                {22, "Flow Hold"},
                                {23, "Follow", Mode::Mission},
                                {24, "Zigzag", Mode::Mission},
                                {25, "System Identification"},
                                {26, "Autorotate", Mode::Land},
                                {27, "Auto RTL", Mode::Mission},
                                {28, "Turtle"}};
constexpr ModeName kPlane[] = {{0, "Manual"},
                               {1, "Circle", Mode::Mission},
                               {2, "Stabilize"},
                               {3, "Training"},
                               {4, "Acro"},
                               {5, "Fly By Wire A"},
                               {6, "Fly By Wire B"},
                               {7, "Cruise"},
                               {8, "Autotune"},
                               {10, "Auto", Mode::Mission},
                               {11, "RTL", Mode::Mission},
                               {12, "Loiter"},
                               {13, "Takeoff", Mode::TakeOff},
                               {14, "Avoid ADSB"},
                               {15, "Guided", Mode::Mission},
                               {16, "Initialising"},
                               {17, "QStabilize"},
                               {18, "QHover"},
                               {19, "QLoiter"},
                               {20, "QLand", Mode::Land},
                               {21, "QRTL", Mode::Mission},
                               {22, "QAutotune"},
                               {23, "QAcro"},
                               {24, "Thermal"},
                               {25, "Loiter to QLand", Mode::Land}};
constexpr ModeName kRover[] = {{0, "Manual"},
                               {1, "Acro"},
                               {3, "Steering"},
                               {4, "Hold"},
                               {5, "Loiter"},
                               {6, "Follow", Mode::Mission},
                               {7, "Simple"},
                               {8, "Dock", Mode::Mission},
                               {9, "Circle", Mode::Mission},
                               {10, "Auto", Mode::Mission},
                               {11, "RTL", Mode::Mission},
                               {12, "Smart RTL", Mode::Mission},
                               {15, "Guided", Mode::Mission},
                               {16, "Initialising"}};

std::span<const ModeName> modes_of(const std::string& firmware) {
  if (firmware.find("Plane") != std::string::npos) return kPlane;
  if (firmware.find("Rover") != std::string::npos) return kRover;
  return kCopter;
}

void add_names(const Log& log, FlightBuilder& to) {
  to.flight.firmware = "ArduPilot";
  to.flight.vehicle = "unknown";
  constexpr std::pair<const char*, const char*> kKinds[] = {
      {"Copter", "multirotor"}, {"Plane", "fixed wing"}, {"Rover", "rover"}, {"Sub", "submarine"}, {"Tracker", "antenna tracker"}};
  for (const Line& line : log.lines)
    for (const auto& [word, kind] : kKinds)
      if (line.text.find(word) != std::string::npos && line.text.find(" V") != std::string::npos) {
        to.flight.firmware = line.text;
        to.flight.vehicle = kind;
        return;
      }
}

// where the estimator has its origin: ORGN says it, or a place at a time when the position about the origin is known
void find_origin(const Log& log, FlightBuilder& to) {
  const Picked told(log, "ORGN", {"Type", "Lat", "Lng", "Alt"});
  for (std::size_t k = 0; k < told.rows(); ++k)
    if (told.at(k, 0) == 0 && !to.flight.origin) to.flight.origin = Place{told.at(k, 1), told.at(k, 2), told.at(k, 3)};
  const Picked place(log, "POS", {"Lat", "Lng", "Alt"});
  if (to.flight.origin || place.rows() == 0 || to.positions.empty()) return;
  const std::int64_t time = place.time_us(0);
  const auto nearest = std::min_element(to.positions.begin(), to.positions.end(),
                                        [&](const auto& a, const auto& b) { return std::abs(a.time_us - time) < std::abs(b.time_us - time); });
  to.flight.origin = place_at({place.at(0, 0), place.at(0, 1), place.at(0, 2)}, -nearest->position_N);
}

bool add_estimate(const Log& log, const char* table, FlightBuilder& to) {
  const Picked p(log, table, {"PN", "PE", "PD", "VN", "VE", "VD"});
  const Column* core = p ? p.table().find("C") : nullptr;
  for (std::size_t k = 0; k < p.rows(); ++k)
    if (core == nullptr || p.table().number(k, *core) == 0) to.positions.push_back({p.time_us(k), p.vector(k, 0), p.vector(k, 3)});
  if (to.positions.empty()) return false;
  to.use(table);
  find_origin(log, to);
  return true;
}

bool add_places(const Log& log, const char* table, FlightBuilder& to) {
  const Picked p(log, table, {"Lat", "Lng", "Alt"});
  for (std::size_t k = 0; k < p.rows(); ++k)
    if (p.at(k, 0) != 0 || p.at(k, 1) != 0) to.add_place(p.time_us(k), {p.at(k, 0), p.at(k, 1), p.at(k, 2)}, std::nullopt);
  if (!to.positions.empty()) to.use(table);
  return !to.positions.empty();
}

void add_satellites(const Log& log, FlightBuilder& to) {
  const Picked p(log, "GPS", {"Lat", "Lng", "Alt", "Status", "Spd", "GCrs", "VZ"});
  const Column* receiver = p ? p.table().find("I") : nullptr;
  for (std::size_t k = 0; k < p.rows(); ++k) {
    if (p.at(k, 3) < 3 || (receiver != nullptr && p.table().number(k, *receiver) != 0)) continue;
    double s, c;
    math::sincos(p.at(k, 5) * kDegree, s, c);
    to.add_place(p.time_us(k), {p.at(k, 0), p.at(k, 1), p.at(k, 2)}, Vec3d{p.at(k, 4) * c, p.at(k, 4) * s, p.at(k, 6)});
  }
  if (!to.positions.empty()) to.use("GPS");
}

void add_rotation(const Log& log, FlightBuilder& to) {
  for (const char* table : {"ATT", "AHR2"}) {
    const Picked p(log, table, {"Yaw", "Pitch", "Roll"});
    for (std::size_t k = 0; k < p.rows(); ++k)
      to.attitudes.emplace_back(p.time_us(k),
                                math::quat_from_euler(math::EulerAngles<double>{p.at(k, 0) * kDegree, p.at(k, 1) * kDegree, p.at(k, 2) * kDegree}));
    if (p) to.use(table);
    if (p) break;
  }
  const Picked p(log, "IMU", {"GyrX", "GyrY", "GyrZ"});
  const Column* sensor = p ? p.table().find("I") : nullptr;
  for (std::size_t k = 0; k < p.rows(); ++k)
    if (sensor == nullptr || p.table().number(k, *sensor) == 0) to.rates.emplace_back(p.time_us(k), p.vector(k, 0));
  if (p) to.use("IMU");
}

// ARM, or in old logs the events 10 and 11
std::vector<std::pair<std::int64_t, bool>> armings(const Log& log) {
  std::vector<std::pair<std::int64_t, bool>> list;
  const Picked told(log, "ARM", {"ArmState"}), events(log, "EV", {"Id"});
  for (std::size_t k = 0; k < told.rows(); ++k) list.emplace_back(told.time_us(k), told.at(k, 0) != 0);
  for (std::size_t k = 0; !told && k < events.rows(); ++k)
    if (const double id = events.at(k, 0); id == 10 || id == 11) list.emplace_back(events.time_us(k), id == 10);
  list.resize(std::min(list.size(), kMostChanges));
  return list;
}

void add_status(const Log& log, FlightBuilder& to) {
  const auto armed = armings(log);
  const Picked with_number(log, "MODE", {"ModeNum"}), old(log, "MODE", {"Mode"});
  const Picked& p = with_number ? with_number : old;
  const std::size_t rows = std::min(p.rows(), kMostChanges);
  const auto known = modes_of(to.flight.firmware);
  const auto find = [&](double number) { return std::find_if(known.begin(), known.end(), [&](const ModeName& m) { return m.number == number; }); };
  const auto is_armed_at = [&](std::int64_t time) {
    bool is = armed.empty();
    for (const auto& [when, what] : armed)
      if (when <= time) is = what;
    return is;
  };
  const auto mode_at = [&](std::int64_t time) {
    Mode mode = Mode::Hold;
    for (std::size_t k = 0; k < rows; ++k)
      if (const auto m = find(p.at(k, 0)); p.time_us(k) <= time && m != known.end()) mode = m->mode;
    return mode;
  };
  const auto note = [&](std::int64_t time, std::string text) {
    to.notes.emplace_back(time, std::move(text));
    to.modes.emplace_back(time, is_armed_at(time) ? mode_at(time) : Mode::Disarmed);
  };
  for (const auto& [time, is] : armed) note(time, is ? "armed" : "disarmed");
  for (std::size_t k = 0; k < rows; ++k) {
    const auto m = find(p.at(k, 0));
    note(p.time_us(k), "mode: " + (m != known.end() ? std::string(m->name) : fmt::format("{}", p.at(k, 0))));
  }
}

void add_outputs(const Log& log, FlightBuilder& to) {
  const Table* t = log.find("RCOU");
  if (t == nullptr) return;
  std::vector<const Column*> channels;
  for (int k = 1; k <= 14; ++k)
    for (const char* name : {"C", "Ch", "Chan"})
      if (const Column* c = t->find(fmt::format("{}{}", name, k))) channels.push_back(c);
  for (std::size_t k = 0; k < t->rows(); ++k) {
    Outputs o{t->time_us[k], {}};
    for (const Column* c : channels) o.values.push_back(static_cast<float>(t->number(k, *c)));
    to.outputs.push_back(std::move(o));
  }
}

void add_time(const Log& log, FlightBuilder& to) {
  const Picked now(log, "GPS", {"GWk", "GMS", "Status"}), old(log, "GPS", {"Week", "TimeMS", "Status"});
  const Picked& p = now ? now : old;
  for (std::size_t k = 0; k < p.rows() && !to.utc; ++k)
    if (const double utc = utc_of_gps(p.at(k, 0), p.at(k, 1)); p.at(k, 2) >= 3 && is_a_date(utc)) to.utc = std::pair{p.time_us(k), utc};
}

}  // namespace

void gather_ardupilot(const Log& log, FlightBuilder& to) {
  add_names(log, to);
  const bool estimated = add_estimate(log, "XKF1", to) || add_estimate(log, "NKF1", to) || add_estimate(log, "EKF1", to);
  if (!estimated && !add_places(log, "POS", to) && !add_places(log, "AHR2", to)) add_satellites(log, to);
  add_rotation(log, to);
  add_status(log, to);
  add_outputs(log, to);
  add_time(log, to);
}

}  // namespace volary::logs
