// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks that autopilots fly, as a source of the runner: it asks them by sending what their sensors measure after the last tick, is ready when all have answered, and
// gives their outputs as rotor speeds and deflections. It is one source for all vehicles of a kind, because their answers become one input per flock, and a recording
// keeps that instead of one per vehicle. The recording replays without any autopilot.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autopilot/lockstep/answer_times.hpp"
#include "autopilot/lockstep/fleet.hpp"
#include "autopilot/lockstep/flown_vehicle.hpp"
#include "runner/autopilots.hpp"
#include "runner/source.hpp"

namespace volary::autopilot {

struct LockstepOptions {
  ProgramOptions program;
  double start_limit = 60;  // s of the wall until an autopilot has answered for the first time
  double silence = 10;  // s of the wall without an answer, after which an autopilot counts as gone
  std::function<void(const std::string&)> tell = {};  // people
};

// A MAVLink client of autopilots in lock-step. Their simulator link says neither their mode nor their messages, and takes no commands: their MAVLink port does.
class LockstepClient {
 public:
  virtual ~LockstepClient() = default;

  struct Known {
    std::string mode;
    std::vector<runner::AutopilotMessage> messages;
  };
  virtual std::optional<Known> known_of(VehicleId id) const = 0;  // nothing: it was not heard yet
  // both as runner::Autopilots has them
  virtual core::Status order(VehicleId id, const runner::FlightOrder& order) = 0;
  virtual std::vector<runner::Autopilots::Refusal> take_refusals() { return {}; }
};

class LockstepSource final : public runner::Source, public runner::Autopilots {
 public:
  explicit LockstepSource(LockstepOptions options);

  // the flocks of the world that begins next; those of the other kind are left out
  void fly(const std::vector<FlockAutopilot>& flocks);
  void use_client(LockstepClient* client) { client_ = client; }  // which outlives the run; none: the page shows no modes and gives no orders

  std::string name() const override;  // with the vehicles that have not answered
  runner::Patience patience() const override;
  void start(const World& world) override;
  void ask(const World& world) override;
  bool is_ready(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void reset(const World& world) override;
  void stop(const World& world) override;

  bool is_used() const override { return !pilots_.empty(); }
  bool flies(VehicleId id) const override { return find(id) != nullptr; }
  runner::AutopilotReport report_of(VehicleId id) const override;
  std::vector<runner::LockstepReport> lockstep_reports() const override;
  core::Status order(VehicleId id, const runner::FlightOrder& order) override;
  std::vector<Refusal> take_refusals() override { return client_ != nullptr ? client_->take_refusals() : std::vector<Refusal>{}; }

 private:
  struct Pilot : FlownVehicle {
    std::unique_ptr<Protocol> protocol = nullptr;
    bool has_begun = false;  // it has answered at least once
    bool is_lost = false;
    std::string why_lost = {};
  };
  struct FlockOf {
    ActuatorMap actuators;
    std::vector<std::size_t> pilots;
  };
  const Pilot* find(VehicleId id) const;
  void add_flock(const World& world, const FlockAutopilot& flock);
  core::Status start_fleet(const World& world);
  bool is_asked(const World& world) const { return world.tick() % every_ == 0; }
  void catch_up();
  bool is_done(std::size_t k, double now);  // nothing is to be waited for
  void lose(std::size_t k, const std::string& why);

  LockstepOptions options_;
  std::vector<FlockAutopilot> wanted_;
  Fleet fleet_;
  std::unique_ptr<SensorSite> site_;
  std::vector<Pilot> pilots_;
  std::map<std::string, FlockOf> flocks_;
  std::uint64_t every_ = 1;  // ticks between two readings of the sensors
  double asked_at_ = 0;  // s of the wall
  double period_ = 0;  // s between two readings
  AnswerTimes times_;
  bool is_asking_ = false;
  LockstepClient* client_ = nullptr;
  std::string failure_;  // ends the run
};

}  // namespace volary::autopilot
