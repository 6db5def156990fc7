// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/run_recorder.hpp"

#include <fmt/format.h>

#include "cli/paths.hpp"
#include "scenario/scene.hpp"

namespace volary::cli {

namespace {

void say(const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }

}  // namespace

void RunRecorder::begin(World& world) {
  auto opened = start_recording(options_, world, bundle_, scenario::scene_of(world.def()).dump());
  if (!opened) return say(opened.error().text() + ": this run is not recorded");
  const std::lock_guard lock(mutex_);
  recorder_ = std::move(opened).value();
  path_ = recorder_ == nullptr ? "" : recorder_->path();
  id_ = stem_of(path_);
}

void RunRecorder::event(const Event& event) {
  if (recorder_ != nullptr) recorder_->event(event);
}

void RunRecorder::after_tick(World& world) {
  if (recorder_ == nullptr) return;
  recorder_->after_tick(world);
  show_notices(*recorder_);
}

void RunRecorder::end(World& world, const FlightLog& log) {
  if (recorder_ == nullptr) return;
  if (log.error.samples > 0) {
    recorder_->metric(world.tick(), "tracking error/max", log.error.max, "m");
    recorder_->metric(world.tick(), "tracking error/rms", log.error.rms(), "m");
  }
  for (const auto& [kind, n] : log.events) recorder_->metric(world.tick(), "events/" + kind, static_cast<double>(n));
  const core::Status closed = recorder_->close();
  show_notices(*recorder_);
  if (!closed) say(closed.error().text());
  const std::lock_guard lock(mutex_);
  bytes_ = recorder_->stats().bytes;
  recorder_.reset();
}

std::string RunRecorder::id() const {
  const std::lock_guard lock(mutex_);
  return id_;
}
std::string RunRecorder::path() const {
  const std::lock_guard lock(mutex_);
  return path_;
}
bool RunRecorder::recording() const {
  const std::lock_guard lock(mutex_);
  return recorder_ != nullptr && recorder_->recording();
}
std::uint64_t RunRecorder::bytes() const {
  const std::lock_guard lock(mutex_);
  return recorder_ != nullptr ? recorder_->stats().bytes : bytes_;
}

}  // namespace volary::cli
