// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks from what a file says: names looked up, figures checked, cycles found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "swarm/tasks/predicate.hpp"
#include "swarm/tasks/task_file.hpp"
#include "volary/swarm.hpp"

namespace volary::swarm {

// what a task may speak of, in the order of the definition
struct TaskNames {
  std::vector<std::string> flocks;
  std::vector<std::size_t> vehicles;  // of each flock, at the start
  std::vector<std::string> regions;
  std::vector<std::string> tasks;
  std::vector<std::string> kinds;   // airframes that there are to see
  std::vector<std::string> events;  // that can happen; none: any word is taken
  // the text of a script; without it there are none
  std::function<core::Result<std::string>(const std::string& file)> read = nullptr;
};

// `field` is where the task stands, such as tasks[2]; errors name the field below it
core::Result<TaskDef> make_task(const TaskFile& file, const TaskNames& names, const std::string& field);

// all of them: names of tasks are unique, and no task waits for itself (names.tasks is filled here)
core::Result<std::vector<TaskDef>> make_tasks(const std::vector<TaskFile>& files, TaskNames names, const std::string& field = "tasks");

inline const Predicate& predicate_of(const TaskDef& task) { return *static_cast<const Predicate*>(task.predicate.get()); }

// the tasks that a predicate refers to, in the order of the tree
std::vector<int> tasks_named_in(const Predicate& predicate);

// every task after those it refers to; empty when a cycle makes that impossible
std::vector<int> order_of_tasks(const std::vector<TaskDef>& tasks);

}  // namespace volary::swarm
