// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/measured.hpp"

#include <algorithm>
#include <utility>

#include "math/frames.hpp"
#include "sensors/imu.hpp"

namespace volary::autopilot {

namespace {

constexpr double kGaussPerTesla = 1e4;
// no receiver claims to be better than this, and PX4 divides by it
constexpr double kLeastHorizontal = 0.3, kLeastVertical = 0.4;  // m

Vec3d vec3(const View& v, std::size_t slot) { return {v.at(slot, 0), v.at(slot, 1), v.at(slot, 2)}; }

LatLon on_earth(const SensorSite& site, const Vec3d& at_W) { return site.place().on_earth({at_W.x, at_W.y, at_W.z}); }

// within about 2 degrees
bool looks_down(const Vec& direction_B) {
  const auto& [x, y, z] = direction_B;
  return z < 0 && x * x + y * y < 1e-3 * z * z;
}

// whether a reading is a new one; a reading that was lost keeps the tick of the last one
bool is_new(const SensorColumns::Column& tick, std::size_t slot, std::uint64_t& told) {
  if (!tick) return false;
  const auto now = static_cast<std::uint64_t>(tick->at(slot));
  return std::exchange(told, now) != now;
}

}  // namespace

SensorColumns::SensorColumns(const World& world, const std::string& flock) {
  const auto find = [&](const char* name) { return world.find_view(flock, name); };
  delta_angle = find("imu.delta_angle"), delta_velocity = find("imu.delta_velocity");
  field = find("magnetometer.field"), field_tick = find("magnetometer.tick");
  pressure = find("barometer.pressure"), pressure_tick = find("barometer.tick");
  dynamic_pressure = find("airspeed.pressure"), dynamic_tick = find("airspeed.tick");
  position = find("gnss.position"), velocity = find("gnss.velocity"), satellites = find("gnss.satellites");
  accuracy_h = find("gnss.accuracy_h"), accuracy_v = find("gnss.accuracy_v"), position_tick = find("gnss.tick");
  const auto def = std::find_if(world.def().flocks.begin(), world.def().flocks.end(), [&](const FlockDef& f) { return f.name == flock; });
  if (def == world.def().flocks.end()) return;
  if (def->sensors.imu) latency = def->sensors.imu->latency;
  if (!def->sensors.range_finder || !looks_down(def->sensors.range_finder->direction_B)) return;
  least_distance = def->sensors.range_finder->min, greatest_distance = def->sensors.range_finder->max;
  distance = find("range_finder.distance"), distance_tick = find("range_finder.tick");
}

// ---------------------------------------------------------------- inertial sensors

void InertialSum::add(const Vec3d& angle_B, const Vec3d& velocity_B) {
  ++ticks_;
  velocity_ = velocity_ + sensors::rotate(turn_, velocity_B);
  turn_ = turn_ * sensors::quat_from_small(angle_B);
}
Vec3d InertialSum::rate(double tick) const { return (1 / (ticks_ * tick)) * sensors::rotation_vector(turn_); }
Vec3d InertialSum::specific_force(double tick) const {
  const Quatd halfway = sensors::quat_from_small(0.5 * sensors::rotation_vector(turn_));
  return (1 / (ticks_ * tick)) * math::transpose_times(math::rotation_matrix(halfway), velocity_);
}

void SensorReader::gather(const SensorColumns& columns, std::size_t slot, double tick) {
  if (!columns.delta_angle || !columns.delta_velocity) return;
  late_.push_back({vec3(*columns.delta_angle, slot), vec3(*columns.delta_velocity, slot)});
  // a latency is a whole number of ticks
  if (static_cast<double>(late_.size() - 1) * tick < columns.latency - 0.5 * tick) return;
  sum_.add(late_.front().angle_B, late_.front().velocity_B);
  late_.pop_front();
}

// ---------------------------------------------------------------- all of them

Measured SensorReader::read(const SensorColumns& columns, std::size_t slot, const SensorSite& site, const Truth& truth, const Vec3d& home_W, double tick) {
  Measured& m = last_;
  if (!sum_.is_empty())
    m.rate_F = math::frd_from_flu(sum_.rate(tick)), m.specific_force_F = math::frd_from_flu(sum_.specific_force(tick));
  else if (!has_felt_)
    m.specific_force_F = math::frd_from_flu(math::transpose_times(math::rotation_matrix(truth.attitude), Vec3d{0, 0, site.gravity()}));
  has_felt_ = has_felt_ || !sum_.is_empty();
  sum_ = {};

  m.has_magnetic = is_new(columns.field_tick, slot, magnetic_);
  if (m.has_magnetic) m.magnetic_F = kGaussPerTesla * math::frd_from_flu(vec3(*columns.field, slot));
  m.has_pressure = is_new(columns.pressure_tick, slot, pressure_);
  if (m.has_pressure) {
    m.pressure = columns.pressure->at(slot);
    m.pressure_height = environment::pressure_height(m.pressure);
  }
  m.has_dynamic_pressure = is_new(columns.dynamic_tick, slot, dynamic_);
  if (m.has_dynamic_pressure) m.dynamic_pressure = columns.dynamic_pressure->at(slot);
  m.has_place = is_new(columns.position_tick, slot, place_);
  if (m.has_place) {
    m.place = on_earth(site, vec3(*columns.position, slot));
    m.velocity_N = math::ned_from_enu(vec3(*columns.velocity, slot));
    m.horizontal_accuracy = math::max(kLeastHorizontal, columns.accuracy_h->at(slot));
    m.vertical_accuracy = math::max(kLeastVertical, columns.accuracy_v->at(slot));
    m.satellites = static_cast<int>(columns.satellites->at(slot));
  }
  m.has_distance = is_new(columns.distance_tick, slot, distance_);
  if (m.has_distance) m.distance = columns.distance->at(slot);
  m.least_distance = columns.least_distance, m.greatest_distance = columns.greatest_distance;

  m.temperature = site.temperature_at(on_earth(site, truth.position_W).altitude);
  m.position_N = math::ned_from_enu(truth.position_W - home_W);
  m.true_velocity_N = math::ned_from_enu(truth.velocity_W);
  m.attitude_N = math::ned_frd_from_enu_flu(truth.attitude);
  return m;
}

// ---------------------------------------------------------------- the place

SensorSite::SensorSite(const EnvironmentDef& e)
    : place_(e.weather.origin),
      atmosphere_(environment::make_atmosphere({e.weather.atmosphere.temperature, e.weather.atmosphere.pressure, e.weather.atmosphere.humidity})),
      gravity_(e.gravity) {}

double SensorSite::temperature_at(double altitude) const {
  return environment::air_at<double>(atmosphere_, environment::geopotential_from_geometric(altitude)).temperature;
}

}  // namespace volary::autopilot
