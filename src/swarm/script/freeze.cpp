// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Once the file has run, nothing of it changes any more: a global, a table among its constants or a variable that its functions share
// would be memory that no snapshot sees. Tables get a read-only face; shared variables are compared after every decision.
#include <algorithm>
#include <bit>

#include "core/suggest.hpp"
#include "swarm/script/shard.hpp"
#include "swarm/script/translate.hpp"

namespace volary::swarm::script {

namespace {

constexpr int kDeepest = 60;

int refuse_constant(lua_State* L) {
  raise(L, lua_pushfstring(L, "this table belongs to the file and cannot be changed while deciding; %s", where_to_remember(shard_of(L))));
}
int length_behind(lua_State* L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, list_length(L, 1));
  return 1;
}

void freeze_table(lua_State* L, int depth) {
  if (lua_getmetatable(L, -1)) return lua_pop(L, 1);  // a face already
  push_slot(L, kFrozen);
  lua_pushvalue(L, -2);
  if (lua_rawget(L, -2) != LUA_TNIL) return lua_replace(L, -3), lua_pop(L, 1);
  lua_pop(L, 1);
  lua_insert(L, -2);  // kFrozen, table
  push_face(L);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_rawset(L, -5);  // known before its fields are: a table may hold itself
  lua_pushnil(L);
  while (lua_next(L, -3) != 0) {  // kFrozen, table, face, key, value
    if (lua_type(L, -2) == LUA_TTABLE || lua_type(L, -2) == LUA_TFUNCTION || lua_type(L, -2) == LUA_TUSERDATA)
      raise(L, "a constant table can have numbers, strings and booleans as keys only");
    freeze(L, depth + 1);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);  // an existing field: allowed during next
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
}

// The variables that the function on top shares with others. Of our own functions only an iterator of pairs has any that change.
void freeze_function(lua_State* L, int depth) {
  if (lua_iscfunction(L, -1)) return;
  lua_Debug what;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &what);
  const bool own = std::strcmp(what.source, kUserChunk) != 0;
  Shard& s = shard_of(L);
  for (int i = 1;; ++i) {
    const char* const name = lua_getupvalue(L, -1, i);
    if (name == nullptr) return;
    const void* const id = lua_upvalueid(L, -2, i);
    const bool fixed = (own && lua_iscfunction(L, -1)) || is_operator_name(name);
    if (fixed || std::any_of(s.cells.begin(), s.cells.end(), [&](const Cell& c) { return c.id == id; })) {
      lua_pop(L, 1);
      continue;
    }
    s.cells.push_back({id, i, name});
    const auto number = static_cast<lua_Integer>(s.cells.size());
    freeze(L, depth + 1);
    push_slot(L, kCellValues);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, number);
    push_slot(L, kCellFunctions);
    lua_pushvalue(L, -4);
    lua_rawseti(L, -2, number);
    lua_pop(L, 2);
    lua_setupvalue(L, -2, i);
  }
}

// ---------------------------------------------------------------- globals

// "did you mean" for the text of an error; nothing here calls what may raise
void describe_unknown(lua_State* L, const char* name) {
  Shard& s = shard_of(L);
  for (const char* word : kLeftOut)
    if (std::strcmp(word, name) == 0) return void(s.text = describe_left_out(s.program, name));
  static constexpr const char* kActions[] = {"fly", "go_to", "take_off", "hold", "land", "disarm", "turn", "reward", "role", "say", "random", "log", "plot"};
  for (const char* word : kActions)
    if (s.program == Program::Task && std::strcmp(word, name) == 0)
      return void(s.text = std::string("a task has no '") + name + "': a task only observes");
  std::vector<std::string> known;
  push_slot(L, kGlobals);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) known.emplace_back(lua_tostring(L, -1));
  }
  lua_pop(L, 1);
  std::sort(known.begin(), known.end());
  const std::string near = core::nearest(name, known);
  s.text = std::string("nothing is called '") + name + "'" + (near.empty() ? "" : " (did you mean '" + near + "'?)");
}

int unknown_global(lua_State* L) {
  describe_unknown(L, lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
  raise(L);
}
int define_global(lua_State* L) {
  lua_settop(L, 3);
  const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  push_slot(L, kOwnNames);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, 4) != LUA_TNIL) raise(L, lua_pushfstring(L, "'%s' is one of Volary's own names; choose another", name));
  lua_settop(L, 3);
  push_slot(L, kGlobals);
  lua_insert(L, 2);
  lua_rawset(L, 2);
  return 0;
}
int refuse_global(lua_State* L) {
  const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  raise(L, lua_pushfstring(L, "the global '%s' cannot be changed while deciding; %s", name, where_to_remember(shard_of(L))));
}

// the names in the table on top, for kOwnNames
void copy_names(lua_State* L) {
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, -3) != 0) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  set_slot(L, kOwnNames);
}

// Lua's == takes 1 for 1.0 and 0.0 for -0.0; what is computed from them differs. All NaN are one, since nothing shows which.
bool same(lua_State* L, int a, int b) {
  if (lua_type(L, a) != LUA_TNUMBER || lua_type(L, b) != LUA_TNUMBER) return lua_rawequal(L, a, b) != 0;
  if (lua_isinteger(L, a) != lua_isinteger(L, b)) return false;
  if (lua_isinteger(L, a)) return lua_tointeger(L, a) == lua_tointeger(L, b);
  const double x = lua_tonumber(L, a), y = lua_tonumber(L, b);
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (x != x && y != y);
}

}  // namespace

std::string describe_left_out(Program program, std::string_view name) {
  const bool is_task = program == Program::Task;
  return std::string(is_task ? "a task has no '" : "a behaviour has no '") + std::string(name) + "': it knows " + (is_task ? "the world" : "its perception") +
         " and its memory, nothing else" + (name == "print" && !is_task ? "; log(text) writes into the events of the run" : "");
}

void push_face(lua_State* L) {
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuse_constant);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, length_behind, 1);
  lua_setfield(L, -2, "__len");
  lua_setmetatable(L, -2);
}

void freeze(lua_State* L, int depth) {
  if (depth > kDeepest) raise(L, "the constants of the file are nested more than 60 deep");
  luaL_checkstack(L, 12, "constants");
  if (lua_type(L, -1) == LUA_TTABLE) freeze_table(L, depth);
  if (lua_type(L, -1) == LUA_TFUNCTION) freeze_function(L, depth);
}

// _ENV is always empty: what it seems to hold lies in kGlobals, and whoever assigns to it comes to __newindex
void make_environment(lua_State* L) {
  for (const Slot slot : {kFrozen, kCellFunctions, kCellValues, kKnownPool, kMessagePool, kDetectionPool}) lua_newtable(L), set_slot(L, slot);
  lua_newtable(L);
  add_library(L);
  copy_names(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, unknown_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  set_slot(L, kGlobals);

  lua_newtable(L);
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, define_global);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  set_slot(L, kEnvironment);
  lua_pop(L, 1);
}

void seal_environment(lua_State* L) {
  push_slot(L, kGlobals);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    freeze(L, 0);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  push_slot(L, kEnvironment);
  lua_getmetatable(L, -1);
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__newindex");
  lua_pop(L, 3);
}

int restore_cells(Shard& s) {
  lua_State* const L = s.L;
  if (s.cells.empty()) return -1;
  int changed = -1;
  push_slot(L, kCellFunctions);
  push_slot(L, kCellValues);
  for (std::size_t i = 0; i < s.cells.size(); ++i) {
    lua_rawgeti(L, -2, static_cast<lua_Integer>(i) + 1);
    lua_rawgeti(L, -2, static_cast<lua_Integer>(i) + 1);
    lua_getupvalue(L, -2, s.cells[i].upvalue);
    if (!same(L, -1, -2)) {
      // cells lie in the order of Lua's hashes: the first one by name
      if (changed < 0 || s.cells[i].name < s.cells[static_cast<std::size_t>(changed)].name) changed = static_cast<int>(i);
      lua_pop(L, 1);
      lua_setupvalue(L, -2, s.cells[i].upvalue);
      lua_pop(L, 1);
    } else {
      lua_pop(L, 3);
    }
  }
  lua_pop(L, 2);
  return changed;
}

}  // namespace volary::swarm::script
