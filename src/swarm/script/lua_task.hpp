// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions of tasks written in Lua (docs/scripts.md): holds(world) looks at the facts that every other condition looks at, in the sandbox
// and within the bounds of a behaviour. What it remembers is a plain table, kept as bytes that the judge owns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "swarm/script/lua_behaviour.hpp"
#include "swarm/tasks/facts.hpp"

namespace volary::swarm {

// names of what the facts number, in the order of the definition
struct TaskWorld {
  std::vector<std::string> flocks, regions;
};

class TaskScript {
 public:
  // the error has the file and the line
  static core::Result<std::unique_ptr<TaskScript>> load(const std::string& text, const std::string& file, const ScriptLimits& limits = {});
  ~TaskScript();
  TaskScript(const TaskScript&) = delete;
  TaskScript& operator=(const TaskScript&) = delete;

  struct Outcome {
    bool ok = false;
    bool holds = false;
    std::string said = {};  // what holds(world) returned besides, or the error as "file:line: text"; memory is then as before
  };
  Outcome look(const Facts& facts, const TaskWorld& world, const ScriptParams& params, std::vector<std::byte>& memory);

  const ScriptParams& defaults() const;  // what the file's table `params` declares

 private:
  TaskScript() = default;
  std::string file_;
  std::unique_ptr<script::Shard> shard_;
};

}  // namespace volary::swarm
