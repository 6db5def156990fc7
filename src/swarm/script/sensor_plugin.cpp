// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/sensor_plugin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "volary/sensors.hpp"

namespace volary::swarm {

namespace {

static_assert(VOLARY_READING_VALUES == kMostOwnNumbers);

bool is_finite(const volary_vec& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool is_sound(const volary_estimate& e) {
  const double* const q = e.motion.attitude;
  const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return is_finite(e.motion.position) && is_finite(e.motion.velocity) && is_finite(e.motion.rate) && std::isfinite(e.position_std) && e.position_std >= 0 &&
         length > 0.98 && length < 1.02;
}

core::Error of_another_version(std::uint32_t version, const std::string& file) {
  return core::Error{.message = "made for version " + std::to_string(version) + " of the interface of sensors; this program has version " +
                                std::to_string(VOLARY_SENSOR_PLUGIN_VERSION),
                     .file = file,
                     .suggestion = "build it again with this program: volary plugin build"};
}

}  // namespace

core::Result<std::unique_ptr<SensorPlugin>> SensorPlugin::open(Kind kind, const std::string& path, const std::string& name) {
  std::unique_ptr<SensorPlugin> p(new SensorPlugin);
  p->file_ = name;
  core::Result<SharedLibrary> library = SharedLibrary::open(path, name);
  if (!library) return library.error();
  p->library_ = std::move(library).value();
  if (const core::Status read = p->read(kind); !read) return read.error();
  return p;
}

core::Status SensorPlugin::read(Kind kind) {
  const bool measures = kind == Kind::Sensor;
  const core::Result<const void*> found = library_.call(measures ? "volary_sensor" : "volary_estimator", "sensor_plugin.h");
  if (!found) return found.error();
  // nothing but the version is where this program expects it before the version is known
  if (const auto version = *static_cast<const std::uint32_t*>(found.value()); version != VOLARY_SENSOR_PLUGIN_VERSION) return of_another_version(version, file_);
  PluginCommon common{};
  bool has_function = false;
  if (measures) {
    sensor_ = static_cast<const volary_sensor_info*>(found.value());
    common = {sensor_->version, sensor_->memory_bytes, sensor_->name, sensor_->doc, sensor_->params, sensor_->param_count};
    has_function = sensor_->measure != nullptr;
    if (sensor_->size < 1 || sensor_->size > VOLARY_READING_VALUES)
      return core::Error{.message = "a reading has 1 to 16 numbers, and not " + std::to_string(sensor_->size), .file = file_};
  } else {
    estimator_ = static_cast<const volary_estimator_info*>(found.value());
    common = {estimator_->version, estimator_->memory_bytes, estimator_->name, estimator_->doc, estimator_->params, estimator_->param_count};
    has_function = estimator_->estimate != nullptr;
  }
  core::Result<ScriptParams> defaults = read_common(common, VOLARY_SENSOR_PLUGIN_VERSION, VOLARY_SENSOR_MEMORY, has_function, file_);
  if (!defaults) return defaults.error();
  defaults_ = std::move(defaults).value();
  name_ = common.name;
  doc_ = common.doc != nullptr ? common.doc : "";
  memory_bytes_ = (common.memory_bytes + std::size_t{7}) / 8 * 8;
  return core::ok();
}

SensorPlugin::Answer SensorPlugin::measure(const volary_measuring& from, std::span<std::byte> memory, std::span<double> values) const {
  std::vector<std::byte> next(memory.begin(), memory.end());
  std::array<double, VOLARY_READING_VALUES> out{};
  bool is_new = false;
  try {
    is_new = sensor_->measure(&from, next.data(), out.data()) != 0;
  } catch (...) {
    return Answer::Refused;
  }
  const std::span<const double> given(out.data(), values.size());
  if (is_new && !std::all_of(given.begin(), given.end(), [](double x) { return std::isfinite(x); })) return Answer::Refused;
  std::copy(next.begin(), next.end(), memory.begin());
  if (!is_new) return Answer::None;
  std::copy(given.begin(), given.end(), values.begin());
  return Answer::New;
}

SensorPlugin::Answer SensorPlugin::estimate(const volary_estimating& from, std::span<std::byte> memory, volary_estimate& out) const {
  std::vector<std::byte> next(memory.begin(), memory.end());
  volary_estimate answer = out;
  try {
    estimator_->estimate(&from, next.data(), &answer);
  } catch (...) {
    return Answer::Refused;
  }
  if (!is_sound(answer)) return Answer::Refused;
  std::copy(next.begin(), next.end(), memory.begin());
  out = answer;
  return Answer::New;
}

}  // namespace volary::swarm
