// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/run_recorder.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/paths.hpp"
#include "cli/verdict.hpp"
#include "scenario/scene.hpp"

namespace volary::cli {

namespace {

void say(const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }

// "run-2.vrec" of "run.vrec"
std::string part_of(const std::string& file, int part) {
  const std::filesystem::path path(file);
  return (path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), part, path.extension().string())).string();
}

}  // namespace

void RunRecorder::begin(World& world, bool) {
  part_ = 1;
  open(world, false);
}

void RunRecorder::open(World& world, bool continues) {
  RecordOptions options = options_;
  options.continues = continues;
  if (part_ > 1 && !options.file.empty()) options.file = part_of(options.file, part_);
  auto opened = start_recording(options, world, bundle_, scenario::scene_of(world.def()).dump());
  if (!opened) return say(opened.error().text() + ": this run is not recorded");
  const std::lock_guard lock(mutex_);
  recorder_ = std::move(opened).value();
  path_ = recorder_ == nullptr ? "" : recorder_->path();
  id_ = stem_of(path_);
}

void RunRecorder::event(World& world, const Event& event) {
  if (recorder_ != nullptr) recorder_->event(world, event);
}

void RunRecorder::after_tick(World& world) {
  if (recorder_ == nullptr) return;
  recorder_->after_tick(world);
  show_notices(*recorder_);
}

void RunRecorder::add_figures(std::uint64_t tick) {
  if (log_.error.samples > 0) {
    recorder_->metric(tick, "tracking error/max", log_.error.max, "m");
    recorder_->metric(tick, "tracking error/rms", log_.error.rms(), "m");
  }
  for (const auto& [kind, n] : log_.events) recorder_->metric(tick, "events/" + kind, static_cast<double>(n));
}

void RunRecorder::restored(World& world) {
  if (recorder_ == nullptr) return;
  add_figures(recorder_->tick());
  recorder_->restored(world);
  close();
  ++part_;
  open(world, true);
}

void RunRecorder::end(World& world) {
  if (recorder_ == nullptr) return;
  add_figures(world.tick());
  const Verdict verdict = verdict_of(world.standings(), log_, world.tick() >= planned_ticks(world.def()));
  recorder_->judge(verdict.word, verdict.reason);
  close();
}

void RunRecorder::close() {
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
