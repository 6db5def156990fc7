// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks that autopilots fly, as a source of the runner: it asks them by sending what their sensors measure after the last tick, is ready when all have answered, and
// gives their outputs as rotor speeds. It is one source for all vehicles of a kind, because their answers become one input per flock, and a recording keeps that
// instead of one per vehicle. The recording replays without any autopilot.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "autopilot/lockstep/fleet.hpp"
#include "autopilot/lockstep/flown_vehicle.hpp"
#include "runner/source.hpp"

namespace volary::autopilot {

struct LockstepOptions {
  ProgramOptions program;
  double start_limit = 60;  // s of the wall until an autopilot has answered for the first time
  double silence = 10;  // s of the wall without an answer, after which an autopilot counts as gone
  std::function<void(const std::string&)> tell = {};  // people
};

class LockstepSource final : public runner::Source {
 public:
  explicit LockstepSource(LockstepOptions options);

  // the flocks of the world that begins next; those of the other kind are left out
  void fly(const std::vector<FlockAutopilot>& flocks);

  std::string name() const override;  // with the vehicles that have not answered
  runner::Patience patience() const override;
  void start(const World& world) override;
  void ask(const World& world) override;
  bool is_ready(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void reset(const World& world) override;
  void stop(const World& world) override;

 private:
  struct Pilot : FlownVehicle {
    std::unique_ptr<Protocol> protocol = nullptr;
    bool has_begun = false;  // it has answered at least once
    bool is_lost = false;
  };
  struct FlockOf {
    RotorMap rotors;
    std::vector<std::size_t> pilots;
  };
  void add_flock(const World& world, const FlockAutopilot& flock);
  core::Status start_fleet(const World& world);
  bool is_asked(const World& world) const { return world.tick() % every_ == 0; }
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
  std::string failure_;  // ends the run
};

}  // namespace volary::autopilot
