// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How far a run is, on stderr: one line that updates on a terminal, a line for every tenth otherwise.
#pragma once

#include <string>

#include "runner/sink.hpp"

namespace volary::cli {

class ProgressLine final : public runner::Sink {
 public:
  explicit ProgressLine(bool quiet);

  void begin(World& world, bool again) override;
  void after_tick(World& world) override;
  void notice(World& world, const std::string& text) override;  // quiet or not
  void end(World& world) override;                            // leaves the terminal on a fresh line

 private:
  void clear();
  bool quiet_, terminal_;
  double began_ = 0, from_ = 0;  // s of the wall, simulated
  std::uint64_t planned_ = 1;    // ticks
  double next_ = 0;              // s of elapsed time on a terminal, share of the run otherwise
  bool dirty_ = false;
};

}  // namespace volary::cli
