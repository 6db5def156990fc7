// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/readings.hpp"

#include <algorithm>

#include "sensors/all.hpp"

namespace volary::swarm {

namespace {

struct Names {
  std::vector<std::string>& out;
  template <class X> void operator()(const math::Field& f, X&) { out.emplace_back(f.name); }
};
template <class X> void add_names(std::vector<std::string>& out) {
  typename X::template Reading<double> reading{};
  Names names{out};
  X::template Reading<double>::fields(reading, names);
}
template <class... Xs> std::vector<std::string> list_names(core::TypeList<Xs...>) {
  std::vector<std::string> out = {"imu.gyro", "imu.accelerometer", "imu.delta_angle", "imu.delta_velocity"};
  (add_names<Xs>(out), ...);
  return out;
}

const std::vector<std::string>& names_of_sensors() {
  static const std::vector<std::string> list = list_names(sensors::AllSensors{});
  return list;
}

}  // namespace

const Reading* ReadingList::find(std::string_view name) const {
  for (const Reading& r : all_)
    if (r.name == name) return &r;
  return nullptr;
}

bool is_reading(std::string_view name) {
  const std::vector<std::string>& known = names_of_sensors();
  return name.starts_with(kOwnPrefix) || std::find(known.begin(), known.end(), name) != known.end();
}
std::vector<std::string> known_readings() { return names_of_sensors(); }

}  // namespace volary::swarm
