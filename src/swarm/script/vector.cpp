// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors of a script: values like numbers, which cannot be changed, only computed. m or m/s, east north up.
#include <cmath>

#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

const V3& check_vector(lua_State* L, int index) {
  const V3* const v = to_vector(L, index);
  if (v == nullptr) {
    const char* const got = luaL_typename(L, index);
    raise(L, lua_pushfstring(L, "a vector was expected, not a %s", got));
  }
  return *v;
}
double check_factor(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) raise(L, "a vector can be multiplied and divided by a number only; dot(a, b) is the product of two");
  return lua_tonumber(L, index);
}
int answer(lua_State* L, const V3& v) {
  push_vector(L, v);
  return 1;
}

int make(lua_State* L) {
  V3 v{};
  double* const axis[] = {&v.x, &v.y, &v.z};
  for (int i = 0; i < 3; ++i) {
    if (lua_type(L, i + 1) != LUA_TNUMBER) raise(L, "vec(x, y, z) takes three numbers");
    *axis[i] = lua_tonumber(L, i + 1);
  }
  return answer(L, v);
}
int add(lua_State* L) { return answer(L, check_vector(L, 1) + check_vector(L, 2)); }
int subtract(lua_State* L) { return answer(L, check_vector(L, 1) - check_vector(L, 2)); }
int negate(lua_State* L) { return answer(L, -check_vector(L, 1)); }
int multiply(lua_State* L) {
  if (to_vector(L, 1) != nullptr) return answer(L, check_factor(L, 2) * *to_vector(L, 1));
  return answer(L, check_factor(L, 1) * check_vector(L, 2));
}
int divide(lua_State* L) {
  const V3& v = check_vector(L, 1);
  const double by = check_factor(L, 2);
  return answer(L, {v.x / by, v.y / by, v.z / by});
}
int equal(lua_State* L) {
  const V3 *const a = to_vector(L, 1), *const b = to_vector(L, 2);
  lua_pushboolean(L, a != nullptr && b != nullptr && a->x == b->x && a->y == b->y && a->z == b->z);
  return 1;
}
int length(lua_State* L) {
  lua_pushnumber(L, math::norm(check_vector(L, 1)));
  return 1;
}
int inner(lua_State* L) {
  lua_pushnumber(L, math::dot(check_vector(L, 1), check_vector(L, 2)));
  return 1;
}
int outer(lua_State* L) { return answer(L, math::cross(check_vector(L, 1), check_vector(L, 2))); }
// of length 1; the zero vector has no direction and stays what it is
int unit(lua_State* L) {
  const V3& v = check_vector(L, 1);
  const double n = math::norm(v);
  return answer(L, n > 0 ? V3{v.x / n, v.y / n, v.z / n} : v);
}
int limit(lua_State* L) {
  const V3& v = check_vector(L, 1);
  if (lua_type(L, 2) != LUA_TNUMBER) raise(L, "limit(v, most): most is a number");
  return answer(L, math::limit_norm(v, lua_tonumber(L, 2)));
}

constexpr luaL_Reg kFunctions[] = {{"length", length}, {"dot", inner}, {"cross", outer}, {"unit", unit}, {"limit", limit}};

// v.x v.y v.z, and the functions as methods
int index(lua_State* L) {
  const V3& v = *to_vector(L, 1);
  std::size_t n = 0;
  const char* const key = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &n) : "?";
  if (n == 1 && key[0] >= 'x' && key[0] <= 'z') {
    lua_pushnumber(L, key[0] == 'x' ? v.x : key[0] == 'y' ? v.y : v.z);
    return 1;
  }
  for (const luaL_Reg& f : kFunctions)
    if (std::strcmp(f.name, key) == 0) return lua_pushcfunction(L, f.func), 1;
  raise(L, lua_pushfstring(L, "a vector has no '%s' (known: x, y, z, length, dot, cross, unit, limit)", key));
}

int refuse_change(lua_State* L) { raise(L, "a vector cannot be changed; make another: vec(x, y, z)"); }

}  // namespace

void push_vector(lua_State* L, const V3& v) {
  new (lua_newuserdatauv(L, sizeof(Vector), 0)) Vector{Kind::Vector, v};
  push_slot(L, kVectorMeta);
  lua_setmetatable(L, -2);
}

const V3* to_vector(lua_State* L, int index) {
  const auto* const u = static_cast<const Vector*>(lua_touserdata(L, index));
  return u != nullptr && u->kind == Kind::Vector ? &u->v : nullptr;
}

void add_vector_meta(lua_State* L) {
  lua_newtable(L);
  constexpr luaL_Reg kMeta[] = {{"__index", index}, {"__newindex", refuse_change}, {"__add", add},    {"__sub", subtract},
                                {"__unm", negate},  {"__mul", multiply},           {"__div", divide}, {"__eq", equal},
                                {nullptr, nullptr}};
  luaL_setfuncs(L, kMeta, 0);
  set_slot(L, kVectorMeta);
}

void add_vectors(lua_State* L) {
  for (const luaL_Reg& f : kFunctions) lua_pushcfunction(L, f.func), lua_setfield(L, -2, f.name);
  lua_pushcfunction(L, make);
  lua_setfield(L, -2, "vec");
}

}  // namespace volary::swarm::script
