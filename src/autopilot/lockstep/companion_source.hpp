// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Companions of vehicles that PX4 or ArduPilot fly in lock-step: they bring them what behaviours ask for and what people order, and tell people their modes and
// messages. They have links of their own, so that the links for ground stations and programs stay free. They go by simulated time, as the autopilots do, and the run
// never waits for them. They give no inputs: what comes of them is in the rotor speeds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autopilot/companions.hpp"
#include "autopilot/link/links.hpp"
#include "autopilot/lockstep/lockstep_source.hpp"
#include "runner/source.hpp"
#include "scenario/autopilot_def.hpp"

namespace volary::autopilot {

// where a companion reaches an instance
LinkAddress companion_link(AutopilotKind kind, int instance);

class CompanionSource final : public runner::Source, public LockstepClient {
 public:
  // instances count from `first_instance` for each kind, flock by flock
  explicit CompanionSource(int first_instance, std::function<void(const std::string&)> tell) : first_instance_(first_instance), tell_(std::move(tell)) {}

  void fly(const std::vector<FlockAutopilot>& flocks) { wanted_ = flocks; }  // of the world that begins next
  // vehicles without behaviours have companions, too, from the next start on: somebody looks at them and gives orders
  void serve_people() { is_for_people_ = true; }

  std::string name() const override { return "companions of autopilots"; }
  void start(const World& world) override;
  void ask(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void stop(const World& world) override;

  std::optional<Known> known_of(VehicleId id) const override;
  core::Status order(VehicleId id, const runner::FlightOrder& order) override;
  std::vector<runner::Autopilots::Refusal> take_refusals() override;

  std::vector<Companions::Line> lines() const { return companions_ ? companions_->lines() : std::vector<Companions::Line>{}; }

 private:
  int first_instance_;
  std::function<void(const std::string&)> tell_;
  std::vector<FlockAutopilot> wanted_;
  bool is_for_people_ = false;
  std::unique_ptr<Companions> companions_;
  std::unique_ptr<Links> sockets_;
  double now_ = 0;  // s, simulated
  std::string failure_;  // ends the run
};

}  // namespace volary::autopilot
