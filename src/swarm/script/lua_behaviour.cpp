// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/lua_behaviour.hpp"

#include <algorithm>
#include <cmath>

#include "core/suggest.hpp"
#include "swarm/script/caret.hpp"
#include "swarm/script/post.hpp"
#include "swarm/script/shard.hpp"

namespace volary::swarm {

namespace script {

namespace {

// counters and results of the decision before; lua_sethook starts its count anew
void begin(Shard& s) {
  s.spent = 0;
  s.out_of_instructions = false;
  s.error_line = 0;
  s.calling = "?";
  s.acting = s.remembers = s.listed = false;
  s.trigger = 1;
  s.trigger_fault = nullptr;
  s.action = {};
  s.said.clear();
  s.draws = 0;
  lua_sethook(s.L, lua_gethook(s.L), lua_gethookmask(s.L), lua_gethookcount(s.L));
}

// "script:12: text" of Lua without its beginning; the line is kept when none is known better
std::string strip_place(std::string text, int& line) {
  for (const char* chunk : {kUserChunk, kOwnChunk}) {
    const std::string start = std::string(chunk + 1) + ":";
    const std::size_t end = text.starts_with(start) ? text.find(": ", start.size()) : std::string::npos;
    if (end == std::string::npos || !std::all_of(text.begin() + static_cast<std::ptrdiff_t>(start.size()), text.begin() + static_cast<std::ptrdiff_t>(end),
                                                 [](char c) { return c >= '0' && c <= '9'; }))
      continue;
    if (chunk == kUserChunk) line = std::atoi(text.c_str() + start.size());
    return text.substr(end + 2);
  }
  return text;
}

// what failed, from the status of lua_pcall and the value on top
core::Error failure(Shard& s, int status, const std::string& file) {
  core::Error e{.file = file, .line = s.error_line};
  if (s.out_of_instructions) {
    e.message = "more than " + std::to_string(s.limits.instructions) + " instructions: a loop without end?";
  } else if (status == LUA_ERRMEM) {
    e.message = "more than " + std::to_string(s.limits.heap) + " bytes of memory in use: a table or recursion without end?";
  } else if (lua_type(s.L, -1) == LUA_TSTRING) {
    e.message = strip_place(lua_tostring(s.L, -1), e.line);
    const std::size_t nameless = e.message.find("to '?'");
    if (nameless != std::string::npos) e.message.replace(nameless, 6, std::string("to '") + s.calling + "'");
  } else {
    e.message = std::string("error() was called with a ") + luaL_typename(s.L, -1) + " instead of a text";
  }
  return e;
}

// ---------------------------------------------------------------- load

void find_function(lua_State* L, const char* name, Slot slot, int& line) {
  push_slot(L, kGlobals);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) return lua_pop(L, 2);
  if (lua_type(L, -1) != LUA_TFUNCTION) raise(L, lua_pushfstring(L, "'%s' is a %s; a function %s(me) was expected", name, luaL_typename(L, -1), name));
  lua_Debug what;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &what);
  line = what.linedefined;
  set_slot(L, slot);
  lua_pop(L, 1);
}

// the file's table `params`: names and what they are when the scenario says nothing
void read_defaults(lua_State* L) {
  Shard& s = shard_of(L);
  push_slot(L, kGlobals);
  lua_pushliteral(L, "params");
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) return lua_pop(L, 2);
  if (lua_type(L, -1) != LUA_TTABLE) raise(L, "'params' is the table of parameters and their defaults, as in params = { speed = 3 }");
  s.keys.clear();
  collect_keys(L, lua_gettop(L), "params");
  for (const Key& key : s.keys) {
    push_key(L, key);
    lua_rawget(L, -2);
    if (key.rank != 2 || lua_type(L, -1) != LUA_TNUMBER || !std::isfinite(lua_tonumber(L, -1)))
      raise(L, "'params' holds names and finite numbers, as in params = { speed = 3 }");
    s.defaults.emplace_back(std::string(key.text, key.size), lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

// the loaded chunk is argument 1
int run_file(lua_State* L) {
  push_slot(L, kEnvironment);
  lua_setupvalue(L, 1, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 0, 0);
  Shard& s = shard_of(L);
  read_defaults(L);
  find_function(L, "trigger", kTrigger, s.trigger_line);
  find_function(L, "act", kAct, s.act_line);
  if (s.act_line == 0) raise(L, "the file has no function act(me)");
  seal_environment(L);
  return 0;
}

core::Status load_into(Shard& s, const std::string& text, const std::string& file) {
  if (!open(s)) return core::Error{.message = "the limits leave Lua no memory to start with", .file = file};
  lua_State* const L = s.L;
  begin(s);
  lua_pushcfunction(L, message_handler);
  lua_pushcfunction(L, run_file);
  int status = luaL_loadbufferx(L, text.data(), text.size(), kUserChunk, "t");
  if (status == LUA_OK) status = lua_pcall(L, 1, 0, 1);
  if (status != LUA_OK) {
    core::Error e = failure(s, status, file);
    e.line = std::max(e.line, 1);  // what is missing from the file is missing from its beginning
    return e;
  }
  lua_settop(L, 0);
  return core::ok();
}

// ---------------------------------------------------------------- decide

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
      return core::Error{.message = "there is no parameter '" + name + "'", .file = file, .suggestion = core::did_you_mean(name, known)};
    }
    if (!std::isfinite(value)) return core::Error{.message = "the parameter '" + name + "' is not a finite number", .file = file};
    at->second = value;
  }
  return merged;
}

core::Result<std::unique_ptr<Script>> Script::load(const std::string& text, const std::string& file, std::size_t shards, const ScriptLimits& limits) {
  core::require(shards > 0, "a script needs a shard");
  if (const int line = script::find_caret(text); line > 0)
    return core::Error{.message = "the operator ^ gives other bits on other systems", .file = file, .line = line, .suggestion = "use pow(x, y), or x * x"};
  std::unique_ptr<Script> s(new Script);
  s->file_ = file;
  for (std::size_t i = 0; i < shards; ++i) {
    s->shards_.push_back(std::make_unique<script::Shard>(limits));
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
    outcome.error = core::Error{.message = "the variable '" + s.cells[static_cast<std::size_t>(changed)].name +
                                           "' of the file was changed while deciding; what an agent remembers belongs into me.memory",
                                .file = file_,
                                .line = s.act_line}
                        .text();
  }
  if (!outcome.ok) {
    // what the failure left behind must not weigh on the next agent
    lua_gc(L, LUA_GCCOLLECT);
    return outcome;
  }
  if (s.remembers && memory != s.bytes) memory = s.bytes;
  outcome.action = s.action;
  for (const Message& m : s.said) script::post(out, m);
  return outcome;
}

}  // namespace volary::swarm
