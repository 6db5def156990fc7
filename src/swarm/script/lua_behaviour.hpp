// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours written in Lua (docs/scripts.md). One Script is one program, flown by many agents. What an agent remembers is a plain
// table, kept between decisions as canonical bytes that the world owns: snapshots, branches and hashes see all of it. Everything
// else is read-only once the file has run, so a decision depends on the perception, the parameters and those bytes, on nothing more:
// not on the thread, the order of agents, or what Lua's heap went through before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "swarm/script/notes.hpp"
#include "swarm/sense.hpp"

namespace volary::swarm {

// Bounds are counted, never timed: a slow machine gives the same answer.
struct ScriptLimits {
  std::int64_t instructions = 1'000'000;  // of Lua, per decision; blocks over 4 kB and library functions over long data cost as well
  std::size_t heap = 64u << 20;           // bytes of tables, functions, vectors and long texts that one decision may make, kept or not
  std::size_t memory = 64u << 10;         // bytes that one agent may remember
};

using ScriptParams = std::vector<std::pair<std::string, double>>;

// every declared parameter, with what a scenario gives for it; a name that is not declared is an error
core::Result<ScriptParams> merge_params(const ScriptParams& declared, const ScriptParams& given, const std::string& file);

namespace script {
struct Shard;
}

class Script {
 public:
  // The text of `file`, run once per shard. A shard belongs to one thread at a time, and every shard gives every agent the same answer: one
  // for each thread will do. The error has the file and the line.
  static core::Result<std::unique_ptr<Script>> load(const std::string& text, const std::string& file, std::size_t shards = 16, const ScriptLimits& limits = {});
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  struct Outcome {
    bool ok = false;
    std::string error = {};  // "file:line: text": this agent should decide no more; memory and outbox are as before
    double trigger = 1;
    Action action = {};  // Kind::None when act(me) did not run or did not choose
    Notes notes = {};    // also of a decision that failed: what it told before it did
  };
  // trigger(me), and act(me) where that is above the threshold
  Outcome decide(std::size_t shard, const Sense& sense, const ScriptParams& params, std::vector<std::byte>& memory, Outbox& out, double threshold = 0);

  std::size_t shards() const { return shards_.size(); }
  // what the file's table `params` declares, by name: a scenario may set these and no others
  const ScriptParams& defaults() const { return defaults_; }

 private:
  Script() = default;
  std::string file_;
  ScriptParams defaults_;
  std::vector<std::unique_ptr<script::Shard>> shards_;
};

}  // namespace volary::swarm
