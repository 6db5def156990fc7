// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The judge of a mission: looks at the facts of one world again and again and says which tasks hold. Tasks are judged on the state
// of the moment (Cybulski, Definition 11); only `eventually`, `sequence` and what was heard, seen or covered is remembered. A safety
// task holds from the start and can only be lost: it is done when the run ends. The mission is complete at the first look at which
// all required goals are done and all required safety tasks hold; one of safety tasks alone is complete at the end of the run.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/state.hpp"
#include "swarm/tasks/leaves.hpp"
#include "volary/swarm.hpp"

namespace volary::swarm {

// Done may reopen. Failed is for good: a deadline has passed, what should always hold did not, a vehicle that should arrive is gone.
// Holding is what people see of a safety task that is true while the run goes on; memory has it as Done.
enum class TaskState : std::uint32_t { Open, Done, Failed, Holding };
const char* name_of(TaskState state);

struct TaskResult {
  std::string name;
  bool required = true;
  TaskState state = TaskState::Open;
  std::uint64_t since = 0;  // tick at which it came into this state
  std::string detail;       // "3 of 4 arrived; nearest missing 0.42 m"
};

// becomes an event of the run
struct TaskChange {
  std::uint64_t tick = 0;
  std::size_t task = 0;  // in the order of the definition; kWholeMission: the mission is complete
  TaskState state = TaskState::Open;
  std::string what;      // "task done: all arrive"
};
inline constexpr std::size_t kWholeMission = std::numeric_limits<std::size_t>::max();
inline constexpr std::uint64_t kNotYet = std::numeric_limits<std::uint64_t>::max();

class Judge {
 public:
  explicit Judge(const std::vector<TaskDef>& tasks);

  void judge(const Facts& facts);  // times never fall from look to look
  const std::vector<TaskChange>& changes() const { return changes_; }  // of the last look

  FactsNeeded needs() const;
  // as the tasks stand; `ended`: the tick at which the run ended, at which what held until then is done
  std::vector<TaskResult> results(std::uint64_t ended = kNotYet) const;
  std::uint64_t completed_at() const { return completed_at_; }  // tick, or kNotYet
  bool is_accomplished() const;  // if the run ended now: no required task is open or failed

  // what a snapshot keeps; fits() after reading says whether it was of these tasks
  template <class F> void each_state(F& f) {
    visit_state(*this, f);
    for (ScriptLeaf& leaf : scripts_) f(leaf.said);  // words are no state: they are not hashed
    if constexpr (F::kReads)
      for (CoverageGrid& grid : grids_) grid.recount();  // a count of what was read, not of what was there
  }
  bool fits();
  std::uint64_t hash() const;

 private:
  struct Node {
    Predicate::Test test;
    std::vector<std::uint32_t> parts;
    std::uint32_t grid = 0;    // of a coverage
    std::uint32_t script = 0;  // of a condition in Lua
  };
  enum Flag : std::uint32_t { kStarted = 1, kHolding = 2, kMet = 4, kLost = 8, kHappened = 16 };
  // plain numbers without gaps: their bytes are hashed
  struct Memory {
    double since = 0;    // s: when it was first looked at, or when it began to hold
    double measure = 0;  // of the last look
    std::uint32_t count = 0, of = 0, needed = 0;
    std::uint32_t step = 0;  // of a sequence
    std::uint32_t flags = 0;
    Verdict verdict = Verdict::No;
  };
  struct TaskMemory {
    std::uint64_t since = 0;  // tick
    TaskState state = TaskState::Open;  // as its verdict has it: never Holding
    Verdict verdict = Verdict::No;
  };

  template <class Self, class F> static void visit_state(Self& self, F& f) {
    f(self.memory_);
    f(self.who_);
    for (auto& grid : self.grids_) f(grid.bits());
    for (auto& leaf : self.scripts_) f(leaf.memory), f(leaf.broken);
    f(self.task_memory_);
    f(self.completed_at_);
  }

  std::uint32_t add(const Predicate& predicate);
  Verdict look(std::uint32_t node, const Facts& facts);
  Verdict combine(const Node& node, Memory& memory, const Facts& facts);
  Verdict look_at_all(const Node& node, const Facts& facts, bool any);
  Verdict look_at_sequence(const Node& node, Memory& memory, const Facts& facts);
  Verdict look_at_held(const Node& node, Memory& memory, double seconds, const Facts& facts);
  Verdict look_at_within(const Node& node, Memory& memory, double seconds, const Facts& facts);
  void tell(std::size_t task, TaskState before, const Facts& facts);
  std::string words(std::uint32_t node) const;
  const ScriptLeaf* fault_in(std::uint32_t node) const;  // a script below that has failed, or none
  std::string detail_of(std::size_t task) const;
  TaskState state_of(std::size_t task, bool ended) const;
  enum class Way { Lost, Won };
  bool can_only_be(Way way, std::uint32_t node) const;
  bool is_safety(std::size_t task) const { return can_only_be(Way::Lost, roots_[task]); }
  bool has_goal() const;  // among what is required
  void conclude(const Facts& facts);

  std::vector<TaskDef> tasks_;
  std::vector<std::uint32_t> roots_;  // node of each task
  std::vector<int> order_;            // tasks after those they refer to
  std::vector<Node> nodes_;
  std::vector<TaskChange> changes_;

  std::vector<Memory> memory_;                   // of each node
  std::vector<std::vector<std::uint64_t>> who_;  // of each node: those who have heard or seen
  std::vector<CoverageGrid> grids_;
  std::vector<ScriptLeaf> scripts_;
  std::vector<TaskMemory> task_memory_;
  std::uint64_t completed_at_ = kNotYet;
};

}  // namespace volary::swarm
