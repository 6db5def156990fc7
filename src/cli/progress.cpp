// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "runner/clock.hpp"

namespace volary::cli {

namespace {
constexpr double kRefresh = 0.1;  // s between updates of the line
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::begin(World& world, bool) {
  began_ = runner::steady_now();
  from_ = world.time();
  planned_ = planned_ticks(world.def());
  next_ = terminal_ ? 0 : 0.1;
}

void ProgressLine::after_tick(World& world) {
  if (quiet_) return;
  const double done = static_cast<double>(world.tick()) / static_cast<double>(planned_);
  if (!terminal_ && done + 1e-9 < next_) return;
  const double elapsed = runner::steady_now() - began_;
  if (terminal_ && elapsed < next_) return;
  const double factor = elapsed > 0 ? (world.time() - from_) / elapsed : 0;
  const std::string text = fmt::format("{}: {:3.0f} %  {:.2f} of {:g} s  {:.{}f} x real time", world.def().name, 100 * done, world.time(),
                                       world.def().duration, factor, factor < 100 ? 1 : 0);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    dirty_ = true;
    next_ = elapsed + kRefresh;
  } else {
    fmt::print(stderr, "{}\n", text);
    while (next_ <= done + 1e-9) next_ += 0.1;
  }
}

void ProgressLine::notice(World&, const std::string& text) {
  clear();
  fmt::print(stderr, "volary: {}\n", text);
}

void ProgressLine::end(World&) { clear(); }

void ProgressLine::clear() {
  if (std::exchange(dirty_, false)) fmt::print(stderr, "\r\033[K");
}

}  // namespace volary::cli
