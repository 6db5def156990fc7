// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// TUM trajectories: a folder with a file for each vehicle, and lines of timestamp tx ty tz qx qy qz qw.
#include <fmt/format.h>

#include <memory>

#include "replay/export_writer.hpp"
#include "replay/vehicle_files.hpp"

namespace volary::replay {

namespace {

class TumWriter final : public ExportWriter {
 public:
  explicit TumWriter(const std::string& folder) : files_(folder, "tum") {}

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Result<Exported> finish() override { return files_.finish(); }

 private:
  VehicleFiles files_;
  std::string header_;
};

core::Status TumWriter::begin(const ExportHead& head) {
  const Bounds& b = head.recording.head().bounds;
  header_ = fmt::format("# timestamp [s] tx ty tz [m, ENU, error {:g}] qx qy qz qw [FLU to ENU, error {:g}]\n# {}\n", head.exact ? 0 : b.position,
                        head.exact ? 0 : b.angle / 2, describe_source(head));
  return files_.create(head.recording);
}

core::Status TumWriter::moment(const Moment& m) {
  for (const FlockMoment& flock : m.flocks)
    for (std::size_t k = 0; k < flock.vehicles.size(); ++k) {
      const ExportPose& p = flock.poses[k];
      const std::string head = files_.is_new(flock.vehicles[k]) ? header_ : "";
      const std::string line = fmt::format("{}{} {} {} {} {} {} {} {}\n", head, m.time, p[0], p[1], p[2], p[4], p[5], p[6], p[3]);
      if (const core::Status s = files_.put(flock.vehicles[k], line); !s) return s;
    }
  return core::ok();
}

}  // namespace

std::unique_ptr<ExportWriter> tum_writer(const std::string& folder) { return std::make_unique<TumWriter>(folder); }

}  // namespace volary::replay
