// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours that steer vehicles which PX4 or ArduPilot fly in lock-step: a companion for each, over the same links that other programs use. It goes by simulated
// time, as its autopilots do, and the run never waits for it. It gives no inputs: what comes of it is in the rotor speeds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autopilot/companions.hpp"
#include "autopilot/link/links.hpp"
#include "runner/source.hpp"
#include "scenario/autopilot_def.hpp"

namespace volary::autopilot {

// where a program reaches an instance in simulation. Ground stations have links of their own.
LinkAddress program_link(AutopilotKind kind, int instance);

class GuidanceSource final : public runner::Source {
 public:
  // instances count from `first_instance` for each kind, flock by flock
  explicit GuidanceSource(int first_instance, std::function<void(const std::string&)> tell) : first_instance_(first_instance), tell_(std::move(tell)) {}

  void fly(const std::vector<FlockAutopilot>& flocks) { wanted_ = flocks; }  // of the world that begins next

  std::string name() const override { return "behaviours of autopilots"; }
  void start(const World& world) override;
  void ask(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void stop(const World& world) override;

  std::vector<Companions::Line> lines() const { return companions_ ? companions_->lines() : std::vector<Companions::Line>{}; }

 private:
  int first_instance_;
  std::function<void(const std::string&)> tell_;
  std::vector<FlockAutopilot> wanted_;
  std::unique_ptr<Companions> companions_;
  std::unique_ptr<Links> sockets_;
  std::string failure_;  // ends the run
};

}  // namespace volary::autopilot
