// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How far a run is, on stderr: one line that updates on a terminal, a line for every tenth otherwise.
#pragma once

#include <string>

#include "server/pace.hpp"

namespace volary::cli {

using server::Pace;

class ProgressLine {
 public:
  ProgressLine(std::string name, double duration, bool quiet);

  void show(double done, const Pace& pace);
  void finish();  // leaves the terminal on a fresh line

 private:
  std::string name_;
  double duration_;
  bool quiet_, terminal_;
  double next_ = 0;  // s of elapsed time on a terminal, share of the run otherwise
  bool dirty_ = false;
};

}  // namespace volary::cli
