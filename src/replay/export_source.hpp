// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The two sources of an export: the run flown again, which knows every column, task and message, and the view layer.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "replay/export_writer.hpp"

namespace volary::replay {

// The moments of an export: every `step` ticks from the first on. A flight has states at whole ticks only, so there the nearest ones are taken.
class SampleTimes {
 public:
  SampleTimes(const Recording& recording, double rate, bool whole);
  double tick(std::uint64_t k) const;
  std::uint64_t count() const { return count_; }

 private:
  double first_, step_;
  bool whole_;
  std::uint64_t count_ = 0;
};

// give a writer everything from its head on, but do not finish it
core::Status feed_flight(const Recording& recording, const ExportOptions& options, ExportWriter& writer, Exported& done);
core::Status feed_view(const Recording& recording, const ExportOptions& options, ExportWriter& writer, Exported& done);

}  // namespace volary::replay
