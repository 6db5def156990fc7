// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flies an uploaded mission, item by item: a state machine over the state of the vehicle after each tick. It gives orders through the pilot and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "autopilot/mission_plan.hpp"
#include "autopilot/parameters.hpp"
#include "autopilot/pilot.hpp"

namespace volary::autopilot {

class MissionFlight {
 public:
  MissionFlight(const VehicleFacts& facts, const Place& place, const Parameters& parameters) : facts_(facts), place_(place), parameters_(parameters) {}

  void load(const MissionPlan& plan);
  const MissionPlan& plan() const { return plan_; }
  bool set_current(std::size_t index);   // false: there is no such item
  void start();                          // from the current item; from the first after the last
  void pause() { phase_ = Phase::Idle; }
  void step(Pilot& pilot);               // after a tick, while it flies

  std::size_t current() const { return current_; }
  bool is_finished() const { return is_finished_; }
  bool wants_return() const { return phase_ == Phase::Return; }
  std::vector<std::uint16_t> take_reached();

 private:
  enum class Phase { Idle, Begin, TakingOff, Going, Waiting, Landing, Return };
  void begin(Pilot& pilot);
  void begin_take_off(Pilot& pilot, double height);
  void go(Pilot& pilot, const Vec& position_W);
  void arrive(Pilot& pilot);
  void reach();         // the current item is done
  void jump(const MissionItem& item);
  bool is_there(const Pilot& pilot) const;
  const MissionItem& item() const { return plan_[current_]; }

  const VehicleFacts& facts_;
  const Place& place_;
  const Parameters& parameters_;
  MissionPlan plan_;
  std::size_t current_ = 0;
  Phase phase_ = Phase::Idle;
  bool is_finished_ = false;
  bool after_take_off_ = false;       // the item that waits for the end of a take-off goes on to its place
  Vec target_W_ = {0, 0, 0};
  double wait_until_ = 0;             // s, simulated
  double speed_ = 0;                  // m/s, of the last change of speed; 0: the parameter's
  std::map<std::size_t, int> jumps_;  // how often each jump was made
  std::vector<std::uint16_t> reached_;
};

}  // namespace volary::autopilot
