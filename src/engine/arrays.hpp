// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agents of a flock as flat arrays: actions [world, agent, action] that become setpoints, and observations [world, agent, feature]. Vehicles that were there at the
// start lie world by world in the first slots, so a row of an array is a slot. The stepper acts and observes block by block, while the block is in the cache.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.hpp"
#include "engine/observation_terms.hpp"
#include "engine/stepper.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;

class Arrays {
 public:
  static core::Result<Arrays> make(const Data& d, std::size_t flock, const AgentArraysDef& def);

  // setpoints of some blocks, before they are stepped; and what is observed afterwards
  void act(Flock& f, Stretch blocks) const;
  void observe(const Flock& f, Stretch blocks);
  void observe_again(const Flock& f, std::size_t slot) { observe(f, {slot / kBlock, slot / kBlock + 1}); }  // after a contact
  AgentArrays view();

 private:
  core::Status choose_terms(const Flock& f, const AgentArraysDef& def);
  core::Status choose_actions(const Flock& f, const AgentArraysDef& def);
  template <class S> void act_on(S* hot, std::size_t first_slot, std::size_t lanes) const;
  template <class S> void observe_block(const S* hot, std::size_t first_slot, std::size_t lanes);

  std::size_t n_worlds_ = 0, n_agents_ = 0;
  // actions
  struct Write {
    int row;     // of the flock
    int number;  // of the action; none (-1): a constant
    double constant;
  };
  std::vector<Write> given_;  // rows that an action sets in every tick
  std::vector<Write> rest_;   // rows that are set when it takes over from another setpoint
  int level_row_ = -1;        // none: the flock knows no other setpoint
  std::uint32_t level_ = 0;
  std::size_t action_size_ = 0;
  std::vector<float> actions_;
  // observations
  struct Observed {
    const Term* term;
    int rows[3];  // where its columns begin
    std::size_t offset;
  };
  std::vector<Observed> terms_;
  std::size_t size_ = 0;
  std::vector<float> observations_;
};

core::Status make_arrays(Data& d, const AgentArraysDef& def);
std::vector<ObservationTerm> all_observation_terms();

}  // namespace volary::engine
