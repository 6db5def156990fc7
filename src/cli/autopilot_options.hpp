// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a command whose vehicles PX4 or ArduPilot may fly. Programs come from the command line or the environment and devices from the command line, never from a
// scenario.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autopilot/hardware/hardware_source.hpp"
#include "autopilot/lockstep/companion_source.hpp"
#include "autopilot/lockstep/lockstep_source.hpp"
#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/load.hpp"
#include "server/service.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct AutopilotOptions {
  std::string px4, ardupilot;           // programs; empty: none
  std::string kind;                     // that flies flocks without an autopilot; empty: none
  std::vector<std::string> px4_serial;  // devices of boards, instead of a program
  int first_instance = 0;
  std::string folder;  // of their files; empty: a temporary one
};

void add_autopilot_options(CLI::App& command, AutopilotOptions& options);

// A scenario whose multirotors fly as the command line says. That is an override like any other: a recording has it.
core::Result<WorldDef> load_flown(const std::string& path, const scenario::Paths& paths, std::vector<std::string> overrides, const AutopilotOptions& options,
                                  scenario::Bundle& bundle);

// of a command that starts no autopilots: an error where a flock needs one
core::Status refuse_autopilots(const scenario::Bundle& bundle, const WorldDef& def);

class Autopilots {
 public:
  explicit Autopilots(const AutopilotOptions& options);

  // The world that begins next. An error where a flock needs a program that was not given, or that cannot be run; where devices do not fit.
  core::Status use(const scenario::Bundle& bundle, const WorldDef& def);
  bool are_used() const { return are_used_; }
  // The speed of the runs from now on. Boards fly in real time only: an error where they are used.
  core::Status pace(double speed);
  std::vector<autopilot::BoardFigures> boards() const;  // of the last run
  std::vector<runner::Source*> sources() const;
  // of a session, which can also load other scenarios
  void plug_into(server::ServeOptions& options);

 private:
  autopilot::LockstepSource* source_of(AutopilotKind kind) const { return (kind == AutopilotKind::Px4 ? px4_ : ardupilot_).get(); }

  core::Status check(const FlockAutopilot& flock) const;

  AutopilotOptions options_;
  std::unique_ptr<autopilot::LockstepSource> px4_, ardupilot_;  // empty: there is no program
  std::unique_ptr<autopilot::CompanionSource> companions_;      // of their vehicles that have behaviours, and of all where a page is served
  std::unique_ptr<autopilot::HardwareSource> boards_;           // empty: there are none
  core::Status devices_ = core::ok();                           // as they were given
  bool are_used_ = false, are_boards_used_ = false;
  double speed_ = 1;
};

}  // namespace volary::cli
