// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and estimators as shared libraries (include/volary/sensor_plugin.h). Like the plugins of behaviours they run in the program, with all that a program may do.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/result.hpp"
#include "swarm/readings.hpp"
#include "swarm/script/library_file.hpp"
#include "swarm/script/shared_library.hpp"
#include "volary/sensor_plugin.h"

namespace volary::swarm {

// what a scenario names, as the definition of a flock holds it
struct SensorPluginDef {
  std::string name;
  LibraryFile path;
  ScriptParams params;
};

class SensorPlugin {
 public:
  enum class Kind { Sensor, Estimator };
  static core::Result<std::unique_ptr<SensorPlugin>> open(Kind kind, const std::string& path, const std::string& name);
  static core::Result<std::unique_ptr<SensorPlugin>> open(Kind kind, const LibraryFile& file) { return open(kind, file.path(), file.name()); }

  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  std::size_t memory_bytes() const { return memory_bytes_; }
  std::size_t size() const { return sensor_ == nullptr ? 0 : sensor_->size; }  // numbers of a reading
  const ScriptParams& defaults() const { return defaults_; }                   // in the order in which they are given

  // Any thread may call these. Refused: a number is not finite, or an exception left the library; memory and result are as before then.
  enum class Answer { None, New, Refused };
  Answer measure(const volary_measuring& from, std::span<std::byte> memory, std::span<double> values) const;
  Answer estimate(const volary_estimating& from, std::span<std::byte> memory, volary_estimate& out) const;

 private:
  SensorPlugin() = default;
  core::Status read(Kind kind);

  SharedLibrary library_;
  const volary_sensor_info* sensor_ = nullptr;        // or
  const volary_estimator_info* estimator_ = nullptr;
  std::string file_, name_, doc_;
  std::size_t memory_bytes_ = 0;
  ScriptParams defaults_;
};

}  // namespace volary::swarm
