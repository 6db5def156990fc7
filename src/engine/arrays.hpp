// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agents of a flock as flat arrays: actions [world, agent, action] that become setpoints, and observations [world, agent, feature]. Vehicles that were there at the
// start lie world by world in the first slots, so a row of an array is a slot. The stepper acts and observes block by block, while the block is in the cache.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "agents/observation_terms.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/action_range.hpp"
#include "engine/agent_task.hpp"
#include "engine/stepper.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;

inline constexpr int kMostNumbers = 16;  // of an action

class Arrays {
 public:
  static core::Result<Arrays> make(const Data& d, std::size_t flock, const AgentArraysDef& def);

  // A call of World::step() is a step of the agents: whether the next tick is its first, and its last.
  void begin_tick(bool first, bool last);
  void prepare(std::uint64_t tick);  // before the sweep
  // setpoints of some blocks, before they are stepped; and what comes of it for the agents
  void act(Flock& f, Stretch blocks);
  void judge(const Flock& f, Stretch blocks) { look(f, blocks, true); }
  void observe(const Flock& f, Stretch blocks) { look(f, blocks, false); }
  void observe_again(const Flock& f, std::size_t slot);  // after something was written to it
  // a world begins an episode; its vehicles, in slots [first, last), are observed afterwards
  void begin(const Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key);
  AgentArrays view();

 private:
  core::Status choose_terms(const Flock& f, const AgentArraysDef& def);
  core::Status choose_actions(const Flock& f, const AgentArraysDef& def);
  void look(const Flock& f, Stretch blocks, bool after_tick);
  std::size_t blocks() const { return (n_worlds_ * n_agents_ + kBlock - 1) / kBlock; }
  // the numbers of the actions of a block, row by row, and who acts
  struct Acting {
    alignas(64) float numbers[kMostNumbers * kBlock];
    alignas(64) std::int32_t acts[kBlock];
    bool all = true, any = false;
  };
  void gather(Acting& a, std::size_t block) const;
  void scale(Acting& a) const;
  template <class S> void take_over(Acting& a, S* hot) const;
  template <class S> void act_on(S* hot, std::size_t block);
  template <class S> void look_at(const Flock& f, std::size_t block, bool after_tick);

  std::size_t n_worlds_ = 0, n_agents_ = 0;
  // actions
  struct Write {
    int row;  // of the flock
    int number;  // of the action; none (-1): a constant
    double constant;
  };
  std::vector<Write> given_;  // rows that an action sets in every tick
  std::vector<Write> rest_;  // rows that are set when it takes over from another setpoint
  int level_row_ = -1;  // none: the flock knows no other setpoint
  std::uint32_t level_ = 0;
  std::size_t action_size_ = 0;
  ActionRange range_;  // what actions of -1 and 1 stand for; none: they are setpoints
  bool is_attitude_ = false;
  core::Buffer actions_;  // of whole blocks, as are observations
  // observations
  struct Observed {
    const agents::Term* term;
    int rows[3];  // where its columns begin
    bool in_joined[3];  // in what is kept of the bodies, and not in the hot record
    int size;
    std::size_t offset;
  };
  std::vector<Observed> terms_;
  std::size_t size_ = 0;
  core::Buffer observations_;
  std::optional<AgentTask> task_;
};

core::Status make_arrays(Data& d, const AgentArraysDef& def);
std::vector<ObservationTerm> all_observation_terms();

}  // namespace volary::engine
