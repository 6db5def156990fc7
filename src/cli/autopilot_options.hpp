// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a command whose vehicles PX4 or ArduPilot may fly. Programs come from the command line or the environment and never from a scenario.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autopilot/lockstep/guidance_source.hpp"
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
  std::string px4, ardupilot;  // programs; empty: none
  std::string kind;            // that flies flocks without an autopilot; empty: none
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

  // The world that begins next. An error where a flock needs a program that was not given, or that cannot be run.
  core::Status use(const scenario::Bundle& bundle, const WorldDef& def);
  bool are_used() const { return are_used_; }
  std::vector<runner::Source*> sources() const;
  // of a session, which can also load other scenarios
  void plug_into(server::ServeOptions& options);

 private:
  autopilot::LockstepSource* source_of(AutopilotKind kind) const { return (kind == AutopilotKind::Px4 ? px4_ : ardupilot_).get(); }

  AutopilotOptions options_;
  std::unique_ptr<autopilot::LockstepSource> px4_, ardupilot_;  // empty: there is no program
  std::unique_ptr<autopilot::GuidanceSource> guidance_;         // of those of their vehicles that have behaviours
  bool are_used_ = false;
};

}  // namespace volary::cli
