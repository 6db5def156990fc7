// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/lua_task.hpp"

#include <algorithm>

#include "swarm/script/shard.hpp"

namespace volary::swarm {

namespace script {

namespace {

constexpr std::size_t kMostSaid = 200;  // bytes

// the words of an answer become part of a line
void keep_words(lua_State* L, Shard& s) {
  std::size_t n = 0;
  const char* const text = lua_tolstring(L, -1, &n);
  s.text.assign(text, std::min(n, kMostSaid));
  for (char& c : s.text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
}

int run_look(lua_State* L) {
  Shard& s = shard_of(L);
  push_slot(L, kAct);
  push_slot(L, kMe);
  lua_call(L, 1, 2);
  if (lua_type(L, -2) != LUA_TBOOLEAN) raise(L, lua_pushfstring(L, "holds(world) must return true or false, not %s", luaL_typename(L, -2)));
  s.holds = lua_toboolean(L, -2) != 0;
  s.text.clear();
  if (lua_type(L, -1) == LUA_TSTRING)
    keep_words(L, s);
  else if (!lua_isnil(L, -1))
    raise(L, lua_pushfstring(L, "the second value that holds(world) returns must be a text, not a %s", luaL_typename(L, -1)));
  if (!s.remembers) return 0;
  push_slot(L, kMemory);
  encode(L);
  return 0;
}

}  // namespace

}  // namespace script

TaskScript::~TaskScript() = default;

core::Result<std::unique_ptr<TaskScript>> TaskScript::load(const std::string& text, const std::string& file, const ScriptLimits& limits) {
  std::unique_ptr<TaskScript> t(new TaskScript);
  t->file_ = file;
  t->shard_ = std::make_unique<script::Shard>(limits, script::Program::Task);
  if (const core::Status loaded = script::load_into(*t->shard_, text, file); !loaded) return loaded.error();
  return t;
}

const ScriptParams& TaskScript::defaults() const { return shard_->defaults; }

TaskScript::Outcome TaskScript::look(const Facts& facts, const TaskWorld& world, const ScriptParams& params, std::vector<std::byte>& memory) {
  script::Shard& s = *shard_;
  lua_State* const L = s.L;
  script::begin(s);
  s.facts = &facts;
  s.world = &world;
  s.params = &params;
  s.memory = &memory;
  s.holds = false;

  lua_pushcfunction(L, script::message_handler);
  lua_pushcfunction(L, script::run_look);
  const int status = lua_pcall(L, 0, 0, 1);
  Outcome outcome{.ok = status == LUA_OK, .holds = s.holds};
  if (outcome.ok) {
    outcome.said = s.text;
  } else {
    core::Error e = script::failure(s, status, file_);
    if (e.line == 0) e.line = s.act_line;
    outcome.said = e.text();
  }
  lua_settop(L, 0);
  s.facts = nullptr;

  const int changed = script::restore_cells(s);
  if (outcome.ok && changed >= 0) outcome = {.said = script::changed_variable(s, changed, file_).text()};
  if (!outcome.ok) {
    lua_gc(L, LUA_GCCOLLECT);
    return {.said = outcome.said};
  }
  if (s.remembers && memory != s.bytes) memory = s.bytes;
  return outcome;
}

}  // namespace volary::swarm
