// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace volary::cli {

namespace {
constexpr double kRefresh = 0.1;  // s between updates of the line
}

ProgressLine::ProgressLine(std::string name, double duration, bool quiet)
    : name_(std::move(name)), duration_(duration), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), next_(terminal_ ? 0 : 0.1) {}

void ProgressLine::show(double done, const Pace& pace) {
  if (quiet_ || (terminal_ ? pace.elapsed() < next_ : done + 1e-9 < next_)) return;
  const double factor = pace.real_time_factor();
  const std::string text =
      fmt::format("{}: {:3.0f} %  {:.2f} of {:g} s  {:.{}f} x real time", name_, 100 * done, done * duration_, duration_, factor, factor < 100 ? 1 : 0);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    dirty_ = true;
    next_ = pace.elapsed() + kRefresh;
  } else {
    fmt::print(stderr, "{}\n", text);
    while (next_ <= done + 1e-9) next_ += 0.1;
  }
}

void ProgressLine::finish() {
  if (std::exchange(dirty_, false)) fmt::print(stderr, "\r\033[K");
}

}  // namespace volary::cli
