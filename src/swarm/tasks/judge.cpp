// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/tasks/judge.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "math/hash.hpp"
#include "swarm/tasks/make_task.hpp"

namespace volary::swarm {

namespace {

constexpr double kTimeSlack = 1e-9;  // s
constexpr std::size_t kMostWords = 3;  // parts of a task that its detail speaks of

template <class T> constexpr bool kIsLeaf = requires(const T& p, const Facts& f, LeafMemory& m) { look_at(p, f, m); };

template <class... T> bool is_any(const Predicate::Test& test) { return (std::holds_alternative<T>(test) || ...); }

Verdict negation(Verdict v) {
  switch (v) {
    case Verdict::No: return Verdict::Yes;
    case Verdict::Yes: return Verdict::No;
    case Verdict::Never: return Verdict::ForGood;
    case Verdict::ForGood: return Verdict::Never;
  }
  return Verdict::No;
}

TaskState state_by(Verdict v) { return is_yes(v) ? TaskState::Done : v == Verdict::Never ? TaskState::Failed : TaskState::Open; }

}  // namespace

const char* name_of(TaskState state) {
  switch (state) {
    case TaskState::Open: return "open";
    case TaskState::Done: return "done";
    case TaskState::Failed: return "failed";
    case TaskState::Holding: return "holding";
  }
  return "";
}

Judge::Judge(const std::vector<TaskDef>& tasks) : tasks_(tasks), order_(order_of_tasks(tasks)) {
  core::require(order_.size() == tasks_.size(), "tasks wait for each other in a circle");
  for (const TaskDef& task : tasks_) {
    const Predicate& root = predicate_of(task);
    roots_.push_back(add(task.deadline > 0 ? Predicate{Predicate::Within{task.deadline}, {root}} : root));
  }
  memory_.resize(nodes_.size());
  who_.resize(nodes_.size());
  task_memory_.resize(tasks_.size());
}

std::uint32_t Judge::add(const Predicate& predicate) {
  Node node{predicate.test, {}};
  if (const auto* c = std::get_if<Predicate::Covered>(&predicate.test)) {
    node.grid = static_cast<std::uint32_t>(grids_.size());
    grids_.emplace_back(c->min, c->max, c->cell);
  }
  if (const auto* c = std::get_if<Predicate::Scripted>(&predicate.test)) {
    auto program = TaskScript::load(c->def->text, c->def->file);
    core::require(static_cast<bool>(program), "make_task has loaded this script before");
    node.script = static_cast<std::uint32_t>(scripts_.size());
    scripts_.push_back({.program = std::move(program).value()});
  }
  for (const Predicate& part : predicate.parts) node.parts.push_back(add(part));
  nodes_.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

FactsNeeded Judge::needs() const {
  FactsNeeded needs;
  for (const Node& node : nodes_) {
    needs.regions |= std::holds_alternative<Predicate::InRegion>(node.test);
    if (const auto* a = std::get_if<Predicate::Altitude>(&node.test)) needs.ground |= a->over_ground;
    needs.off_path |= std::holds_alternative<Predicate::Tracking>(node.test);
    needs.heard |= std::holds_alternative<Predicate::Heard>(node.test);
    needs.seen |= std::holds_alternative<Predicate::Detected>(node.test);
    needs.events |= std::holds_alternative<Predicate::Happened>(node.test);
    needs.links |= std::holds_alternative<Predicate::Connected>(node.test);
    // what a script asks for is known when it asks
    if (std::holds_alternative<Predicate::Scripted>(node.test)) needs = {true, true, needs.off_path, true, true, true, true};
  }
  return needs;
}

void Judge::judge(const Facts& facts) {
  changes_.clear();
  for (const int k : order_) {
    const auto task = static_cast<std::size_t>(k);
    TaskMemory& m = task_memory_[task];
    const Verdict seen = look(roots_[task], facts);
    // not even `not` makes good of a script that failed
    const Verdict verdict = fault_in(roots_[task]) != nullptr ? Verdict::Never : seen;
    m.verdict = m.verdict == Verdict::Never ? Verdict::Never : verdict;  // failed is for good, whatever the facts become
    const TaskState before = m.state;
    m.state = state_by(m.verdict);
    if (m.state == before) continue;
    m.since = facts.tick;
    tell(task, before, facts);
  }
  if (facts.last) conclude(facts);
  // changes are told in the order of the definition, whatever the order of judging
  std::stable_sort(changes_.begin(), changes_.end(), [](const TaskChange& a, const TaskChange& b) { return a.task < b.task; });
  if (completed_at_ != kNotYet || !is_accomplished() || !(has_goal() || facts.last)) return;
  completed_at_ = facts.tick;
  changes_.push_back({facts.tick, kWholeMission, TaskState::Done, "mission complete"});
}

// the run is over: what has held to its end is done
void Judge::conclude(const Facts& facts) {
  for (std::size_t k = 0; k < tasks_.size(); ++k)
    if (state_of(k, false) == TaskState::Holding) changes_.push_back({facts.tick, k, TaskState::Done, "task done: " + tasks_[k].name});
}

Verdict Judge::look(std::uint32_t index, const Facts& facts) {
  const Node& node = nodes_[index];
  Memory& m = memory_[index];
  // a part of a sequence is first looked at when its turn comes
  if ((m.flags & kStarted) == 0) {
    m.flags |= kStarted;
    m.since = facts.time;
  }
  std::visit(
      [&]<class T>(const T& test) {
        if constexpr (kIsLeaf<T>) {
          bool happened = (m.flags & kHappened) != 0;
          LeafMemory memory{who_[index], grids_.empty() ? nullptr : &grids_[node.grid], happened, scripts_.empty() ? nullptr : &scripts_[node.script]};
          const Look seen = look_at(test, facts, memory);
          if (happened) m.flags |= kHappened;
          m.verdict = seen.verdict;
          m.count = seen.count, m.of = seen.of, m.needed = seen.needed, m.measure = seen.measure;
        } else {
          m.verdict = combine(node, m, facts);
        }
      },
      node.test);
  return m.verdict;
}

Verdict Judge::combine(const Node& node, Memory& m, const Facts& facts) {
  const auto only_part = [&] { return look(node.parts[0], facts); };
  if (std::holds_alternative<Predicate::AllOf>(node.test)) return look_at_all(node, facts, false);
  if (std::holds_alternative<Predicate::AnyOf>(node.test)) return look_at_all(node, facts, true);
  if (std::holds_alternative<Predicate::Not>(node.test)) return negation(only_part());
  if (std::holds_alternative<Predicate::Sequence>(node.test)) return look_at_sequence(node, m, facts);
  if (const auto* task = std::get_if<Predicate::TaskIs>(&node.test)) return task_memory_[static_cast<std::size_t>(task->task)].verdict;
  if (const auto* held = std::get_if<Predicate::Held>(&node.test)) return look_at_held(node, m, held->seconds, facts);
  if (const auto* limit = std::get_if<Predicate::Within>(&node.test)) return look_at_within(node, m, limit->seconds, facts);
  if (std::holds_alternative<Predicate::Always>(node.test)) {
    if ((m.flags & kLost) != 0) return Verdict::Never;
    const Verdict v = only_part();
    if (!is_yes(v)) m.flags |= kLost;
    return is_yes(v) ? v : Verdict::Never;
  }
  // eventually
  if ((m.flags & kMet) != 0) return Verdict::ForGood;
  const Verdict v = only_part();
  if (is_yes(v)) m.flags |= kMet;
  return is_yes(v) ? Verdict::ForGood : v;
}

// every part is looked at, also when the answer is known: what it remembers must not depend on the others
Verdict Judge::look_at_all(const Node& node, const Facts& facts, bool any) {
  bool all_yes = true, all_for_good = true, some_never = false;
  for (const std::uint32_t part : node.parts) {
    // "any" is "all" seen in a mirror: not any = all not
    const Verdict seen = look(part, facts), v = any ? negation(seen) : seen;
    all_yes = all_yes && is_yes(v);
    all_for_good = all_for_good && v == Verdict::ForGood;
    some_never = some_never || v == Verdict::Never;
  }
  const Verdict all = some_never ? Verdict::Never : all_for_good ? Verdict::ForGood : all_yes ? Verdict::Yes : Verdict::No;
  return any ? negation(all) : all;
}

Verdict Judge::look_at_sequence(const Node& node, Memory& m, const Facts& facts) {
  while (m.step < node.parts.size()) {
    const Verdict v = look(node.parts[m.step], facts);
    if (!is_yes(v)) return v;
    ++m.step;
  }
  return Verdict::ForGood;
}

Verdict Judge::look_at_held(const Node& node, Memory& m, double seconds, const Facts& facts) {
  const Verdict v = look(node.parts[0], facts);
  if (!is_yes(v)) {
    m.flags &= ~static_cast<std::uint32_t>(kHolding);
    return v;
  }
  if ((m.flags & kHolding) == 0) {
    m.flags |= kHolding;
    m.since = facts.time;
  }
  m.measure = facts.time - m.since;
  return m.measure >= seconds - kTimeSlack ? v : Verdict::No;
}

Verdict Judge::look_at_within(const Node& node, Memory& m, double seconds, const Facts& facts) {
  if ((m.flags & kLost) != 0) return Verdict::Never;
  const Verdict v = look(node.parts[0], facts);
  if ((m.flags & kMet) != 0) return v;
  const bool in_time = facts.time - m.since <= seconds + kTimeSlack;
  if (in_time && !is_yes(v)) return v;
  m.flags |= in_time ? kMet : kLost;
  return in_time ? v : Verdict::Never;
}

void Judge::tell(std::size_t task, TaskState before, const Facts& facts) {
  const TaskState now = state_of(task, false);
  const char* word = now == TaskState::Open && before == TaskState::Done ? "open again" : name_of(now);
  std::string what = std::string("task ") + word + ": " + tasks_[task].name;
  const std::string detail = detail_of(task);
  if ((now == TaskState::Open || now == TaskState::Failed) && !detail.empty()) what += " (" + detail + ")";
  changes_.push_back({facts.tick, task, now, std::move(what)});
}

TaskState Judge::state_of(std::size_t task, bool ended) const {
  const TaskState state = task_memory_[task].state;
  return state == TaskState::Done && !ended && is_safety(task) ? TaskState::Holding : state;
}

// Whether a condition can change one way only. What can only be lost is safety: there is no moment at which it is done.
bool Judge::can_only_be(Way way, std::uint32_t index) const {
  const Node& node = nodes_[index];
  using P = Predicate;
  const bool lost = way == Way::Lost;
  if (is_any<P::Always, P::Alive>(node.test)) return lost;
  if (is_any<P::Eventually, P::Sequence, P::TimeAfter, P::Covered>(node.test)) return !lost;
  if (const auto* event = std::get_if<P::Happened>(&node.test)) return event->wanted != lost;
  if (const auto* task = std::get_if<P::TaskIs>(&node.test)) return can_only_be(way, roots_[static_cast<std::size_t>(task->task)]);
  if (is_any<P::Not>(node.test)) return can_only_be(lost ? Way::Won : Way::Lost, node.parts[0]);
  return is_any<P::AllOf, P::AnyOf, P::Within>(node.test) &&
         std::all_of(node.parts.begin(), node.parts.end(), [&](std::uint32_t p) { return can_only_be(way, p); });
}

bool Judge::has_goal() const {
  for (std::size_t k = 0; k < tasks_.size(); ++k)
    if (tasks_[k].required && !is_safety(k)) return true;
  return false;
}

const ScriptLeaf* Judge::fault_in(std::uint32_t index) const {
  if (scripts_.empty()) return nullptr;
  const Node& node = nodes_[index];
  if (std::holds_alternative<Predicate::Scripted>(node.test)) return scripts_[node.script].broken != 0 ? &scripts_[node.script] : nullptr;
  if (const auto* task = std::get_if<Predicate::TaskIs>(&node.test)) return fault_in(roots_[static_cast<std::size_t>(task->task)]);
  for (const std::uint32_t part : node.parts)
    if (const ScriptLeaf* fault = fault_in(part)) return fault;
  return nullptr;
}

std::string Judge::detail_of(std::size_t task) const {
  const ScriptLeaf* fault = fault_in(roots_[task]);
  return fault != nullptr ? std::string(fault->said.begin(), fault->said.end()) : words(roots_[task]);
}

std::string Judge::words(std::uint32_t index) const {
  const Node& node = nodes_[index];
  const Memory& m = memory_[index];
  if (const auto* task = std::get_if<Predicate::TaskIs>(&node.test)) {
    const auto other = static_cast<std::size_t>(task->task);
    return "task '" + tasks_[other].name + "' is " + name_of(state_of(other, false));
  }
  if (std::holds_alternative<Predicate::Scripted>(node.test)) {
    const std::vector<char>& said = scripts_[node.script].said;
    return !said.empty() ? std::string(said.begin(), said.end()) : is_yes(m.verdict) ? "the script returned true" : "the script returned false";
  }
  if (node.parts.empty()) return words_of(node.test, {m.verdict, m.count, m.of, m.needed, m.measure});
  if (std::holds_alternative<Predicate::Sequence>(node.test)) {
    const std::string at = "step " + std::to_string(std::min<std::size_t>(m.step + 1, node.parts.size())) + " of " + std::to_string(node.parts.size());
    return m.step < node.parts.size() ? at + ": " + words(node.parts[m.step]) : "all " + std::to_string(node.parts.size()) + " steps";
  }
  if (std::holds_alternative<Predicate::Within>(node.test) && (m.flags & kLost) != 0) return "too late: " + words(node.parts[0]);
  if (std::holds_alternative<Predicate::Always>(node.test) && (m.flags & kLost) != 0) return "not always: " + words(node.parts[0]);
  // of several parts those that stand in the way
  std::string text;
  std::size_t n = 0;
  const bool whole = is_yes(m.verdict) || node.parts.size() == 1;
  for (const std::uint32_t part : node.parts) {
    if (!whole && is_yes(memory_[part].verdict)) continue;
    if (++n > kMostWords) continue;
    text += (text.empty() ? "" : "; ") + words(part);
  }
  return n > kMostWords ? text + "; and " + std::to_string(n - kMostWords) + " more" : text;
}

std::vector<TaskResult> Judge::results(std::uint64_t ended) const {
  std::vector<TaskResult> results;
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    const TaskState state = state_of(k, ended != kNotYet);
    const bool concluded = state == TaskState::Done && is_safety(k);
    results.push_back({tasks_[k].name, tasks_[k].required, state, concluded ? ended : task_memory_[k].since, detail_of(k)});
  }
  return results;
}

bool Judge::is_accomplished() const {
  for (std::size_t k = 0; k < tasks_.size(); ++k)
    if (tasks_[k].required && task_memory_[k].state != TaskState::Done) return false;
  return true;
}

bool Judge::fits() {
  bool good = memory_.size() == nodes_.size() && who_.size() == nodes_.size() && task_memory_.size() == tasks_.size();
  for (CoverageGrid& grid : grids_) good = grid.recount() && good;
  for (std::size_t k = 0; good && k < nodes_.size(); ++k) good = memory_[k].step <= nodes_[k].parts.size() && memory_[k].verdict <= Verdict::ForGood;
  for (const TaskMemory& m : task_memory_) good = good && m.state <= TaskState::Failed && m.verdict <= Verdict::ForGood;
  return good;
}

std::uint64_t Judge::hash() const {
  static_assert(sizeof(Memory) == 40 && sizeof(TaskMemory) == 16, "gaps would be hashed");
  core::StateWriter writer;
  visit_state(*this, writer);
  std::uint64_t h = 0x7461736b73ull;
  std::uint64_t word = 0;
  std::size_t n = 0;
  for (const std::byte b : writer.take()) {
    word = word << 8 | static_cast<std::uint64_t>(b);
    if (++n % 8 == 0) h = math::mix64(h ^ word);
  }
  return math::mix64(h ^ word ^ n);
}

}  // namespace volary::swarm
