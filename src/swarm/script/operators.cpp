// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The length of a list and the text of a number, the same in every state and on every machine (translate.hpp says why).
#include <cmath>

#include "swarm/script/shard.hpp"
#include "swarm/script/translate.hpp"

namespace volary::swarm::script {

namespace {

// volary_length ^ x
int apply_length(lua_State* L) {
  const int type = lua_type(L, 2);
  if (type != LUA_TSTRING && type != LUA_TTABLE) raise(L, lua_pushfstring(L, "attempt to get length of a %s value", lua_typename(L, type)));
  lua_pushinteger(L, type == LUA_TSTRING ? static_cast<lua_Integer>(lua_rawlen(L, 2)) : list_length(L, 2));
  return 1;
}

// volary_text(x): x as it is, unless it is NaN
int plain_text(lua_State* L) {
  lua_settop(L, 1);
  if (is_nan(L, 1)) lua_pushliteral(L, "nan");
  return 1;
}

// what the first line of every translated file calls, once
int give_operators(lua_State* L) {
  push_slot(L, kGlobals);
  lua_pushstring(L, kGiveOperators);
  lua_pushnil(L);
  lua_rawset(L, -3);
  new (lua_newuserdatauv(L, sizeof(Thing), 0)) Thing{Kind::Operator, 0};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, apply_length);
  lua_setfield(L, -2, "__pow");
  lua_setmetatable(L, -2);
  lua_pushcfunction(L, plain_text);
  return 2;
}

}  // namespace

bool is_nan(lua_State* L, int index) { return lua_type(L, index) == LUA_TNUMBER && std::isnan(lua_tonumber(L, index)); }

// A border that follows from which places are filled, and from nothing else: doubled until a place is empty, then halved.
lua_Integer list_length(lua_State* L, int index) {
  constexpr int kDoublings = 40;
  const int top = lua_gettop(L);
  luaL_checkstack(L, 2 * kDoublings + 2, "#");  // what is looked at is left there, and taken away at once
  const int table = luaL_getmetafield(L, index, "__index") == LUA_TTABLE ? top + 1 : index;
  const auto is_filled = [&](lua_Integer place) { return lua_rawgeti(L, table, place) != LUA_TNIL; };
  lua_Integer filled = 0, empty = 1;
  for (; empty < lua_Integer{1} << kDoublings && is_filled(empty); empty *= 2) filled = empty;
  while (empty - filled > 1) {
    const lua_Integer middle = filled + (empty - filled) / 2;
    (is_filled(middle) ? filled : empty) = middle;
  }
  lua_settop(L, top);
  return filled;
}

void add_operators(lua_State* L) {
  lua_pushcfunction(L, give_operators);
  lua_setfield(L, -2, kGiveOperators);
}

}  // namespace volary::swarm::script
