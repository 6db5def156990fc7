// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// log() and plot(): what trigger(me) and act(me) tell people who debug them.
#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

Shard& deciding(lua_State* L, const char* what) {
  Shard& s = shard_of(L);
  if (s.sense == nullptr) raise(L, lua_pushfstring(L, "%s can be called while deciding only: the file is run once, for all agents", what));
  return s;
}

// log(text, ...): all arguments as texts, with a blank between two
int log(lua_State* L) {
  Shard& s = deciding(L, "log(text, ...)");
  s.text.clear();
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; ++i) {
    std::size_t size = 0;
    push_text(L, i);
    const char* const text = lua_tolstring(L, -1, &size);
    spend(L, 1 + size / 16);
    if (i > 1) s.text += ' ';
    s.text.append(text, size);
    lua_pop(L, 1);
  }
  s.notes.log(s.text);
  return 0;
}

int plot(lua_State* L) {
  Shard& s = deciding(L, "plot(name, value)");
  if (lua_type(L, 1) != LUA_TSTRING) raise(L, lua_pushfstring(L, "plot(name, value): the name is a string, not a %s", luaL_typename(L, 1)));
  std::size_t size = 0;
  const char* const name = lua_tolstring(L, 1, &size);
  if (lua_type(L, 2) != LUA_TNUMBER) raise(L, lua_pushfstring(L, "plot(name, value): the value of '%s' is a %s, not a number", name, luaL_typename(L, 2)));
  s.text = s.notes.plot({name, size}, lua_tonumber(L, 2));
  if (s.text.empty()) return 0;
  s.text.insert(0, "plot(name, value): ");
  raise(L);
}

}  // namespace

void add_debug(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {{"log", log}, {"plot", plot}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace volary::swarm::script
