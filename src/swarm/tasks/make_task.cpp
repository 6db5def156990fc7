// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/tasks/make_task.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "swarm/metrics.hpp"

namespace volary::swarm {

namespace {

V3 vec_of(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

// fills a tree, and stops at the first fault
class Maker {
 public:
  Maker(const TaskNames& names, std::string field) : names_(names), field_(std::move(field)) {}

  Predicate make(const PredicateFile& file, bool is_task) {
    Predicate p;
    std::string given;
    // exactly one condition; what a second one would mean is not for us to guess
    const auto one = [&](bool is_given, const char* name, auto&& fill) {
      if (!is_given || error_) return;
      if (!given.empty()) return fail(name, "is given beside '" + given + "'; a condition has one test", "put both into all_of or any_of");
      given = name;
      within(name, [&] { fill(p); });
    };
    make_combined(file, one);
    make_of_vehicles(file, one);
    make_of_flocks(file, one);
    if (!error_ && given.empty()) fail("", "has no condition", "give one of all_of, any_of, sequence, reached, inside, ...; docs/missions.md lists them");
    if (is_task || !file.within) return p;
    Predicate limited{Predicate::Within{*file.within}, {}};
    limited.parts.push_back(std::move(p));
    return limited;
  }
  const std::optional<core::Error>& error() const { return error_; }

 private:
  template <class One> void make_combined(const PredicateFile& f, const One& one) {
    one(!f.all_of.empty(), "all_of", [&](Predicate& p) { fill_list(p, Predicate::AllOf{}, f.all_of); });
    one(!f.any_of.empty(), "any_of", [&](Predicate& p) { fill_list(p, Predicate::AnyOf{}, f.any_of); });
    one(!f.sequence.empty(), "sequence", [&](Predicate& p) { fill_list(p, Predicate::Sequence{}, f.sequence); });
    one(f.none_of_it.has_value(), "not", [&](Predicate& p) { fill_one(p, Predicate::Not{}, *f.none_of_it); });
    one(f.always.has_value(), "always", [&](Predicate& p) { fill_one(p, Predicate::Always{}, *f.always); });
    one(f.eventually.has_value(), "eventually", [&](Predicate& p) { fill_one(p, Predicate::Eventually{}, *f.eventually); });
    one(f.held.has_value(), "held", [&](Predicate& p) {
      if (!f.held->what) return fail("what", "is missing; it is the condition that is to hold");
      within("what", [&] { fill_one(p, Predicate::Held{f.held->seconds}, *f.held->what); });
    });
    one(!f.task.empty(), "task", [&](Predicate& p) { p.test = Predicate::TaskIs{find("", f.task, names_.tasks, "task")}; });
    one(f.time_after.has_value(), "time_after", [&](Predicate& p) { p.test = Predicate::TimeAfter{*f.time_after}; });
    one(!f.event.empty(), "event", [&](Predicate& p) { p.test = Predicate::Happened{event(f.event), true}; });
    one(f.script.has_value(), "script", [&](Predicate& p) { p.test = scripted(*f.script); });
    one(!f.no_event.empty(), "no_event", [&](Predicate& p) { p.test = Predicate::Happened{event(f.no_event), false}; });
  }

  template <class One> void make_of_vehicles(const PredicateFile& f, const One& one) {
    const Who all{.ask = Who::Ask::Everyone}, anyone{.ask = Who::Ask::Count, .amount = 1};
    one(f.reached.has_value(), "reached",
        [&](Predicate& p) { p.test = Predicate::Reached{who(*f.reached, all), vec_of(f.reached->position), f.reached->within}; });
    const auto region = [&](const InRegionFile& r, bool inside) {
      return Predicate::InRegion{who(r, all), find("region", r.region, names_.regions, "region"), inside};
    };
    one(f.inside.has_value(), "inside", [&](Predicate& p) { p.test = region(*f.inside, true); });
    one(f.outside.has_value(), "outside", [&](Predicate& p) { p.test = region(*f.outside, false); });
    const auto altitude = [&](const AltitudeFile& a, bool above) { return Predicate::Altitude{who(a, all), a.height, above, a.over_ground}; };
    one(f.altitude_above.has_value(), "altitude_above", [&](Predicate& p) { p.test = altitude(*f.altitude_above, true); });
    one(f.altitude_below.has_value(), "altitude_below", [&](Predicate& p) { p.test = altitude(*f.altitude_below, false); });
    one(f.tracking.has_value(), "tracking", [&](Predicate& p) { p.test = Predicate::Tracking{who(*f.tracking, all), f.tracking->within}; });
    one(f.speed_below.has_value(), "speed_below", [&](Predicate& p) { p.test = Predicate::SpeedBelow{who(*f.speed_below, all), f.speed_below->speed}; });
    one(f.mode_is.has_value(), "mode_is", [&](Predicate& p) { p.test = Predicate::ModeIs{who(*f.mode_is, all), f.mode_is->mode}; });
    one(f.alive.has_value(), "alive", [&](Predicate& p) { p.test = Predicate::Alive{who(*f.alive, all)}; });
    one(f.heard.has_value(), "heard", [&](Predicate& p) { p.test = Predicate::Heard{who(*f.heard, anyone), topic(f.heard->topic)}; });
    one(f.detected.has_value(), "detected", [&](Predicate& p) {
      find("kind", f.detected->kind, names_.kinds, "airframe");
      p.test = Predicate::Detected{who(*f.detected, anyone), topic(f.detected->kind)};
    });
  }

  template <class One> void make_of_flocks(const PredicateFile& f, const One& one) {
    one(f.apart.has_value(), "apart", [&](Predicate& p) { p.test = Predicate::Apart{flock(f.apart->flock, true), f.apart->distance}; });
    one(f.coverage.has_value(), "coverage", [&](Predicate& p) { p.test = coverage(*f.coverage); });
    one(f.order.has_value(), "order", [&](Predicate& p) { p.test = Predicate::OrderAbove{flock(f.order->flock, true), f.order->above}; });
    one(f.connected.has_value(), "connected", [&](Predicate& p) { p.test = Predicate::Connected{flock(f.connected->flock, true)}; });
    one(f.formation.has_value(), "formation", [&](Predicate& p) { p.test = formation(*f.formation); });
  }

  void fill_list(Predicate& p, Predicate::Test test, const std::vector<PredicateFile>& files) {
    p.test = std::move(test);
    for (std::size_t k = 0; k < files.size() && !error_; ++k) within("[" + std::to_string(k) + "]", [&] { p.parts.push_back(make(files[k], false)); });
  }
  void fill_one(Predicate& p, Predicate::Test test, const PredicateFile& file) {
    p.test = std::move(test);
    p.parts.push_back(make(file, false));
  }

  Who who(const WhoFile& f, Who otherwise) {
    Who w = otherwise;
    w.flock = flock(f.flock, false);
    if (f.vehicle.has_value() + f.count.has_value() + f.share.has_value() > 1) fail("", "names more than one of vehicle, count, share", "keep one of them");
    if (f.vehicle) w.ask = Who::Ask::Vehicle, w.amount = *f.vehicle;
    if (f.count) w.ask = Who::Ask::Count, w.amount = *f.count;
    if (f.share) w.ask = Who::Ask::Share, w.amount = *f.share;
    if (error_) return w;
    // more may be spawned later, so only a vehicle that the flock begins without is refused, and a count it cannot mean
    const std::size_t n = names_.vehicles[static_cast<std::size_t>(w.flock)];
    const std::string has = "flock '" + f.flock + "' has " + std::to_string(n) + " vehicle(s)";
    if (f.vehicle && static_cast<std::size_t>(*f.vehicle) >= n) fail("vehicle", std::to_string(*f.vehicle) + " does not exist: " + has, "vehicles are numbered from 0");
    if (f.count && static_cast<std::size_t>(*f.count) > n) fail("count", std::to_string(*f.count) + " is too many: " + has, "at most " + std::to_string(n));
    return w;
  }

  int flock(const std::string& name, bool may_be_absent) { return name.empty() && may_be_absent ? kEveryFlock : find("flock", name, names_.flocks, "flock"); }

  Predicate::Covered coverage(const CoverageFile& f) {
    const double cell = f.cell > 0 ? f.cell : 0.5 * f.radius;
    if (!(f.max[0] > f.min[0]) || !(f.max[1] > f.min[1]))
      fail("max", "must be north and east of min", "min is the south-western corner, max the north-eastern one");
    if (cell > f.radius) fail("cell", "is larger than the radius: most of a cell would never be covered", "leave it out: half the radius");
    if (!error_ && CoverageGrid::cells_of(f.min, f.max, cell) > CoverageGrid::kMostCells)
      fail("cell", "is too small for the area: more than four million cells");
    return {flock(f.flock, true), f.min, f.max, f.radius, cell, f.share};
  }

  Predicate::Formation formation(const FormationErrorFile& f) {
    Predicate::Formation out{flock(f.flock, false), {}, f.within, f.turned};
    for (const auto& offset : f.offsets) {
      for (const double x : offset)
        if (!(math::abs(x) <= kFarAway)) fail("offsets", "has a number beyond 1e7 m");
      out.offsets.push_back(vec_of(offset));
    }
    if (f.leader) out.leader = *f.leader;
    if (f.leader && f.turned) fail("turned", "has no effect with a leader: places turn with its course", "leave it out");
    if (f.leader && f.offsets.empty())
      fail("leader", "needs offsets: start positions give no places relative to a course", "one place for each vehicle, x ahead, y to the left");
    if (error_ || f.offsets.empty()) return out;
    const std::size_t n = names_.vehicles[static_cast<std::size_t>(out.flock)];
    if (f.offsets.size() != n)
      fail("offsets", "has " + std::to_string(f.offsets.size()) + " places for " + std::to_string(n) + " vehicle(s)",
           "one for each vehicle, or none: as they started");
    if (f.leader && static_cast<std::size_t>(*f.leader) >= n)
      fail("leader", std::to_string(*f.leader) + " does not exist: flock '" + f.flock + "' has " + std::to_string(n) + " vehicle(s)", "vehicles are numbered from 0");
    return out;
  }

  // an error of the script has its own file and line; the field is where the task asks for it
  void fail_in(const std::string& name, const core::Error& error) {
    if (error_) return;
    error_ = core::each_fault(error, [&](core::Error e) {
      const std::string suggestion = std::exchange(e.suggestion, ""), below = std::exchange(e.field, "");
      fail(below.empty() ? name : name + "." + below, e.text(), suggestion);
      error_->quotes_file = true;
      return *std::exchange(error_, std::nullopt);
    });
  }
  Predicate::Scripted scripted(const TaskScriptFile& f) {
    auto def = std::make_shared<Predicate::Scripted::Def>();
    def->file = f.file;
    def->world = {names_.flocks, names_.regions};
    const core::Result<std::string> text = names_.read ? names_.read(f.file) : core::Error{.message = "no files can be read here"};
    if (!text) return fail("file", text.error().message, text.error().suggestion), Predicate::Scripted{};
    def->text = text.value();
    const auto program = TaskScript::load(def->text, def->file);
    if (!program) return fail_in("file", program.error()), Predicate::Scripted{};
    core::Result<ScriptParams> params = merge_params(program.value()->defaults(), f.params.items, f.file);
    if (!params) return fail_in("params", params.error()), Predicate::Scripted{};
    def->params = std::move(params).value();
    return {std::move(def)};
  }

  std::string event(const std::string& word) {
    if (!names_.events.empty()) find("", word, names_.events, "event");
    return word;
  }

  int find(const char* name, const std::string& word, const std::vector<std::string>& known, const std::string& what) {
    const auto at = std::find(known.begin(), known.end(), word);
    if (at != known.end()) return static_cast<int>(at - known.begin());
    const std::string advice = known.empty() ? "there are none" : core::did_you_mean(word, known);
    fail(name, "no " + what + " is called '" + word + "'", advice);
    return 0;
  }

  template <class F> void within(const std::string& name, F&& f) {
    const std::size_t length = field_.size();
    if (!name.starts_with("[")) field_ += '.';
    field_ += name;
    f();
    field_.resize(length);
  }
  void fail(const std::string& name, std::string message, std::string suggestion = "") {
    if (error_) return;
    core::Error error;
    error.message = std::move(message);
    error.field = name.empty() ? field_ : field_ + "." + name;
    error.suggestion = std::move(suggestion);
    error_ = std::move(error);
  }

  const TaskNames& names_;
  std::string field_;
  std::optional<core::Error> error_;
};

void gather_tasks(const Predicate& p, std::vector<int>& tasks) {
  if (const auto* is = std::get_if<Predicate::TaskIs>(&p.test)) tasks.push_back(is->task);
  for (const Predicate& part : p.parts) gather_tasks(part, tasks);
}

// depth first: a task that is met again on the way down waits for itself
class Orderer {
 public:
  explicit Orderer(const std::vector<TaskDef>& tasks) : tasks_(tasks), mark_(tasks.size(), Mark::New) {}

  bool visit(int task) {
    Mark& mark = mark_[static_cast<std::size_t>(task)];
    if (mark == Mark::Done) return true;
    way_.push_back(task);
    if (mark == Mark::OnTheWay) return false;
    mark = Mark::OnTheWay;
    for (const int next : tasks_named_in(predicate_of(tasks_[static_cast<std::size_t>(task)])))
      if (!visit(next)) return false;
    mark = Mark::Done;
    way_.pop_back();
    order_.push_back(task);
    return true;
  }
  // after a failure: the tasks of the cycle, the first once more at the end
  std::vector<int> cycle() const { return {std::find(way_.begin(), way_.end(), way_.back()), way_.end()}; }
  std::vector<int> take_order() { return std::move(order_); }

 private:
  enum class Mark { New, OnTheWay, Done };
  const std::vector<TaskDef>& tasks_;
  std::vector<Mark> mark_;
  std::vector<int> way_, order_;
};

}  // namespace

core::Result<TaskDef> make_task(const TaskFile& file, const TaskNames& names, const std::string& field) {
  Maker maker(names, field);
  auto predicate = std::make_shared<Predicate>(maker.make(file, true));
  if (maker.error()) return *maker.error();
  return TaskDef{file.name, std::move(predicate), file.required, file.within.value_or(0)};
}

core::Result<std::vector<TaskDef>> make_tasks(const std::vector<TaskFile>& files, TaskNames names, const std::string& field) {
  names.tasks.clear();
  for (const TaskFile& file : files) names.tasks.push_back(file.name);
  std::vector<TaskDef> tasks;
  core::Faults faults;
  const auto place = [&](std::size_t k) { return field + "[" + std::to_string(k) + "]"; };
  for (std::size_t k = 0; k < files.size(); ++k) {
    const auto first = std::find(names.tasks.begin(), names.tasks.end(), files[k].name);
    if (static_cast<std::size_t>(first - names.tasks.begin()) != k)
      faults.add(core::Error{
          .message = "'" + files[k].name + "' is the name of another task too", .field = place(k) + ".name", .suggestion = "give every task its own name"});
    core::Result<TaskDef> task = make_task(files[k], names, place(k));
    faults.add(task);
    if (task) tasks.push_back(std::move(task).value());
  }
  if (!faults.empty()) return faults.error();
  Orderer orderer(tasks);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (orderer.visit(static_cast<int>(k))) continue;
    std::string text;
    for (const int task : orderer.cycle()) text += (text.empty() ? "'" : " -> '") + tasks[static_cast<std::size_t>(task)].name + "'";
    return core::Error{.message = "tasks wait for each other: " + text,
                       .field = place(static_cast<std::size_t>(orderer.cycle().front())),
                       .suggestion = "one of them must be judged without the others"};
  }
  return tasks;
}

std::vector<int> tasks_named_in(const Predicate& predicate) {
  std::vector<int> tasks;
  gather_tasks(predicate, tasks);
  return tasks;
}

std::vector<int> order_of_tasks(const std::vector<TaskDef>& tasks) {
  Orderer orderer(tasks);
  for (std::size_t k = 0; k < tasks.size(); ++k)
    if (!orderer.visit(static_cast<int>(k))) return {};
  return orderer.take_order();
}

}  // namespace volary::swarm
