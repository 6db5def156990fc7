// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What behaviours and tasks in Lua have in common: the file is run once, its functions and parameters are found, failures get words.
#include <algorithm>
#include <cmath>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "swarm/script/shard.hpp"
#include "swarm/script/text_names.hpp"
#include "swarm/script/translate.hpp"

namespace volary::swarm::script {

namespace {

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

void find_function(lua_State* L, const char* name, const char* argument, Slot slot, int& line) {
  push_slot(L, kGlobals);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) return lua_pop(L, 2);
  if (lua_type(L, -1) != LUA_TFUNCTION)
    raise(L, lua_pushfstring(L, "'%s' is a %s; a function %s(%s) was expected", name, luaL_typename(L, -1), name, argument));
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

bool has_global(lua_State* L, const char* name) {
  push_slot(L, kGlobals);
  lua_pushstring(L, name);
  const bool there = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return there;
}

// the loaded chunk is argument 1
int run_file(lua_State* L) {
  push_slot(L, kEnvironment);
  lua_setupvalue(L, 1, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 0, 0);
  Shard& s = shard_of(L);
  read_defaults(L);
  s.defaults_read = true;
  const bool is_task = s.program == Program::Task;
  if (!is_task) find_function(L, "trigger", "me", kTrigger, s.trigger_line);
  find_function(L, is_task ? "holds" : "act", is_task ? "world" : "me", kAct, s.act_line);
  if (s.act_line == 0 && is_task)
    raise(L, has_global(L, "act") ? "the file has act(me): it is a behaviour; a task has holds(world)" : "the file has no function holds(world)");
  if (s.act_line == 0)
    raise(L, has_global(L, "holds") ? "the file has holds(world): it is a task; a behaviour has act(me)" : "the file has no function act(me)");
  seal_environment(L);
  return 0;
}

}  // namespace

// counters and results of the decision before; lua_sethook starts its count anew
void begin(Shard& s) {
  s.spent = 0;
  s.allocated = s.rearranged = 0;
  s.for_all = false;
  s.out_of_instructions = false;
  s.error_line = 0;
  s.calling = "?";
  s.acting = s.remembers = s.listed = false;
  s.trigger = 1;
  s.trigger_fault = nullptr;
  s.action = {};
  s.said.clear();
  s.notes.clear();
  s.draws = 0;
  lua_sethook(s.L, lua_gethook(s.L), lua_gethookmask(s.L), lua_gethookcount(s.L));
}

// what failed, from the status of lua_pcall and the value on top
core::Error failure(Shard& s, int status, const std::string& file) {
  core::Error e{.file = file, .line = s.error_line};
  if (s.out_of_instructions) {
    e.message = "more than " + std::to_string(s.limits.instructions) + " instructions: a loop without end?";
  } else if (status == LUA_ERRMEM) {
    e.message = "more than " + std::to_string(s.limits.heap) + " bytes of memory allocated: a table or recursion without end?";
  } else if (lua_type(s.L, -1) == LUA_TSTRING) {
    e.message = strip_place(lua_tostring(s.L, -1), e.line);
    const std::size_t nameless = e.message.find("to '?'");
    if (nameless != std::string::npos) e.message.replace(nameless, 6, std::string("to '") + s.calling + "'");
  } else {
    e.message = std::string("error() was called with a ") + luaL_typename(s.L, -1) + " instead of a text";
  }
  return e;
}

namespace {

// what the text itself shows, before it is run
void add_text_faults(const Shard& s, const std::string& text, const std::string& file, core::Faults& faults) {
  const bool is_task = s.program == Program::Task;
  const char* const receiver = is_task ? "world" : "me";
  const std::vector<std::string> fields = is_task ? fields_of_world() : fields_of_me();
  for (const Misnamed& use : find_uses(text, kLeftOut)) faults.add({.message = describe_left_out(s.program, use.name), .file = file, .line = use.line});
  for (const Misnamed& field : find_unknown_fields(text, receiver, fields))
    faults.add({.message = std::string(receiver) + " has no '" + field.name + "'",
                .file = file,
                .line = field.line,
                .suggestion = core::did_you_mean(field.name, fields)});
}

void add_param_faults(const Shard& s, const std::string& text, const std::string& file, core::Faults& faults) {
  std::vector<std::string> known;
  for (const auto& p : s.defaults) known.push_back(p.first);
  for (const Misnamed& wrong : find_undeclared(text, s.program == Program::Task ? "world" : "me", s.defaults))
    faults.add(core::Error{
        .message = "there is no parameter '" + wrong.name + "'",
        .file = file,
        .line = wrong.line,
        .suggestion = known.empty() ? "declare it at the top of the file, as in params = { " + wrong.name + " = 1 }" : core::did_you_mean(wrong.name, known)});
}

}  // namespace

core::Status load_into(Shard& s, const std::string& text, const std::string& file) {
  core::Faults faults;
  add_text_faults(s, text, file, faults);
  const core::Result<std::string> translated = translate(text, file);
  faults.add(translated);
  const std::string& program = translated ? translated.value() : text;
  if (!open(s)) return core::Error{.message = "the limits leave Lua no memory to start with", .file = file};
  lua_State* const L = s.L;
  begin(s);
  lua_pushcfunction(L, message_handler);
  lua_pushcfunction(L, run_file);
  int status = luaL_loadbufferx(L, program.data(), program.size(), kUserChunk, "t");
  const bool is_lua = status == LUA_OK;
  if (is_lua && translated) status = lua_pcall(L, 1, 0, 1);
  if (status != LUA_OK) {
    core::Error e = failure(s, status, file);
    e.line = std::max(e.line, 1);  // what is missing from the file is missing from its beginning
    // the text has shown the cause already
    const bool known = is_lua && std::any_of(faults.list().begin(), faults.list().end(), [&](const core::Error& f) { return f.line == e.line; });
    if (!known) faults.add(std::move(e));
  }
  lua_settop(L, 0);
  if (s.defaults_read) add_param_faults(s, text, file, faults);
  return faults.status();
}

core::Error changed_variable(const Shard& s, int cell, const std::string& file) {
  return core::Error{
      .message = "the variable '" + s.cells[static_cast<std::size_t>(cell)].name + "' of the file was changed while deciding; " + where_to_remember(s),
      .file = file,
      .line = s.act_line};
}

}  // namespace volary::swarm::script
