// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How much is done, as a line that is written over, on a terminal only.
#pragma once

#include <unistd.h>

#include <cstdio>

namespace volary::cli {

class Percent {
 public:
  explicit Percent(bool quiet) : on_(!quiet && ::isatty(STDERR_FILENO) != 0) {}
  ~Percent() {
    if (shown_ >= 0) std::fprintf(stderr, "\r%20s\r", "");
  }
  Percent(const Percent&) = delete;
  Percent& operator=(const Percent&) = delete;

  void show(double done) {
    const int now = static_cast<int>(100 * done);
    if (!on_ || now == shown_) return;
    shown_ = now;
    std::fprintf(stderr, "\r%3d %%", now);
    std::fflush(stderr);
  }

 private:
  bool on_;
  int shown_ = -1;
};

}  // namespace volary::cli
