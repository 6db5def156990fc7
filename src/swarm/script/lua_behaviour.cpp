// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/lua_behaviour.hpp"

#include <algorithm>
#include <cmath>

#include "core/suggest.hpp"
#include "swarm/script/shard.hpp"

namespace volary::swarm {

namespace script {

namespace {

void call_trigger(lua_State* L) {
  Shard& s = shard_of(L);
  push_slot(L, kTrigger);
  push_slot(L, kMe);
  lua_call(L, 1, 1);
  const int type = lua_type(L, -1);
  if (type != LUA_TNUMBER && type != LUA_TBOOLEAN) s.trigger_fault = lua_typename(L, type);
  s.trigger = type == LUA_TBOOLEAN ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
  if (!std::isfinite(s.trigger)) s.trigger_fault = "a number that is not finite";
  if (s.trigger_fault != nullptr) raise(L, lua_pushfstring(L, "trigger(me) must return a finite number or a boolean, not %s", s.trigger_fault));
  lua_pop(L, 1);
}

int run_decision(lua_State* L) {
  Shard& s = shard_of(L);
  if (s.trigger_line > 0) call_trigger(L);
  if (s.trigger > s.threshold) {
    s.acting = true;
    push_slot(L, kAct);
    push_slot(L, kMe);
    lua_call(L, 1, 0);
    s.acting = false;
  }
  if (!s.remembers) return 0;
  push_slot(L, kMemory);
  encode(L);
  return 0;
}

}  // namespace

}  // namespace script

Script::~Script() = default;

core::Result<ScriptParams> merge_params(const ScriptParams& declared, const ScriptParams& given, const std::string& file) {
  ScriptParams merged = declared;
  for (const auto& [name, value] : given) {
    const auto at = std::find_if(merged.begin(), merged.end(), [&](const auto& p) { return p.first == name; });
    if (at == merged.end()) {
      std::vector<std::string> known;
      for (const auto& p : declared) known.push_back(p.first);
      return core::Error{
          .message = "there is no parameter '" + name + "'",
          .file = file,
          .field = name,
          .suggestion = known.empty() ? "the file declares none; params = { " + name + " = 1 } at its top would" : core::did_you_mean(name, known)};
    }
    if (!std::isfinite(value)) return core::Error{.message = "the parameter '" + name + "' is not a finite number", .file = file, .field = name};
    at->second = value;
  }
  return merged;
}

core::Result<std::unique_ptr<Script>> Script::load(const std::string& text, const std::string& file, std::size_t shards, const ScriptLimits& limits) {
  core::require(shards > 0, "a script needs a shard");
  std::unique_ptr<Script> s(new Script);
  s->file_ = file;
  for (std::size_t i = 0; i < shards; ++i) {
    s->shards_.push_back(std::make_unique<script::Shard>(limits, script::Program::Behaviour));
    const core::Status loaded = script::load_into(*s->shards_.back(), text, file);
    if (!loaded) return loaded.error();
  }
  s->defaults_ = s->shards_.front()->defaults;
  return s;
}

Script::Outcome Script::decide(std::size_t shard, const Sense& sense, const ScriptParams& params, std::vector<std::byte>& memory, Outbox& out,
                               double threshold) {
  script::Shard& s = *shards_[shard];
  lua_State* const L = s.L;
  script::begin(s);
  s.sense = &sense;
  s.params = &params;
  s.memory = &memory;
  s.threshold = threshold;

  lua_pushcfunction(L, script::message_handler);
  lua_pushcfunction(L, script::run_decision);
  const int status = lua_pcall(L, 0, 0, 1);
  Outcome outcome{.ok = status == LUA_OK, .trigger = s.trigger};
  if (!outcome.ok) {
    core::Error e = script::failure(s, status, file_);
    if (e.line == 0) e.line = s.trigger_fault != nullptr ? s.trigger_line : s.act_line;
    outcome.error = e.text();
  }
  lua_settop(L, 0);
  s.sense = nullptr;

  const int changed = script::restore_cells(s);
  if (outcome.ok && changed >= 0) {
    outcome.ok = false;
    outcome.error = script::changed_variable(s, changed, file_).text();
  }
  if (!outcome.ok) {
    // what the failure left behind must not weigh on the next agent
    lua_gc(L, LUA_GCCOLLECT);
    return outcome;
  }
  if (s.remembers && memory != s.bytes) memory = s.bytes;
  outcome.action = s.action;
  for (const Message& m : s.said) out.post(m);
  return outcome;
}

}  // namespace volary::swarm
