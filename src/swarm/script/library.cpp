// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a script may call besides its perception and its actions: the parts of Lua's library that are the same everywhere and whose
// work is bounded. Elementary functions are Volary's own; pairs and sort, whose order would depend on addresses and on the clock, are
// replaced; patterns are left out, because a short one can search for hours.
#include <cmath>
#include <limits>

#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

// In Lua rather than here where each step should count as an instruction.
constexpr const char* kPrelude = R"(
local keys_of, fail, length, table = ...

local function pairs(t)
  local keys, place = keys_of(t), 0
  return function()
    local key, value
    repeat
      place = place + 1
      key = keys[place]
      if key == nil then return nil end
      value = t[key]
    until value ~= nil
    return key, value
  end
end

local function next(t, key)
  if key ~= nil then fail("next(t) gives the first key only; pairs(t) gives them all") end
  key = keys_of(t)[1]
  if key ~= nil then return key, t[key] end
  return nil
end

function table.insert(t, at, ...)
  local n, value = length(t) + 1, ...
  if value == nil then
    t[n] = at
    return
  end
  if at < 1 or at > n then fail("table.insert: the place is outside of the list") end
  for i = n, at + 1, -1 do t[i] = t[i - 1] end
  t[at] = value
end

function table.remove(t, at)
  local n = length(t)
  at = at or n
  if n == 0 and (at == 0 or at == n + 1) then return nil end
  if at < 1 or at > n + 1 then fail("table.remove: the place is outside of the list") end
  local value = t[at]
  for i = at, n do t[i] = t[i + 1] end
  return value
end

-- merge sort: equal elements keep their order
function table.sort(t, before)
  before = before or function(a, b) return a < b end
  local n, from, to, width = length(t), {}, {}, 1
  for i = 1, n do from[i] = t[i] end
  while width < n do
    for first = 1, n, 2 * width do
      local middle, last = first + width, first + 2 * width
      local a, b = first, middle
      for i = first, last <= n and last - 1 or n do
        if b < last and b <= n and (a >= middle or before(from[b], from[a])) then
          to[i], b = from[b], b + 1
        else
          to[i], a = from[a], a + 1
        end
      end
    end
    from, to, width = to, from, 2 * width
  end
  for i = 1, n do t[i] = from[i] end
end

return pairs, next
)";

// ---------------------------------------------------------------- elementary functions

double number_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) raise(L, lua_pushfstring(L, "a number was expected, not a %s", luaL_typename(L, index)));
  return lua_tonumber(L, index);
}
template <double (*F)(double)> int unary(lua_State* L) {
  lua_pushnumber(L, F(number_at(L, 1)));
  return 1;
}
double sine(double x) { return math::sin(x); }
double cosine(double x) { return math::cos(x); }
double tangent(double x) { return math::tan(x); }
double arc_sine(double x) { return math::asin(x); }
double arc_cosine(double x) { return math::acos(x); }
double exponential(double x) { return math::exp(x); }
double square_root(double x) { return math::sqrt(x); }
int arc_tangent(lua_State* L) {
  lua_pushnumber(L, math::atan2(number_at(L, 1), lua_isnoneornil(L, 2) ? 1.0 : number_at(L, 2)));
  return 1;
}
int logarithm(lua_State* L) {
  const double x = math::log(number_at(L, 1));
  lua_pushnumber(L, lua_isnoneornil(L, 2) ? x : x / math::log(number_at(L, 2)));
  return 1;
}
// math::pow knows positive bases; a whole exponent makes sense for negative ones too
double power(double x, double y) {
  if (y == 2) return x * x;
  if (x >= 0 || std::floor(y) != y || std::isinf(y)) return math::pow(x, y);
  const double size = math::pow(-x, y);
  return std::fmod(y, 2) == 0 ? size : -size;
}
int raise_to(lua_State* L) {
  lua_pushnumber(L, power(number_at(L, 1), number_at(L, 2)));
  return 1;
}

// ---------------------------------------------------------------- values and texts

const char* type_name(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA) return luaL_typename(L, index);
  return to_vector(L, index) != nullptr ? "vector" : "perception";
}
int type_of(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, type_name(L, 1));
  return 1;
}

// the sign of NaN is the machine's and not shown
double plain(double x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x; }
void make_plain(lua_State* L, int index) {
  if (is_nan(L, index)) lua_pushnumber(L, plain(lua_tonumber(L, index))), lua_replace(L, index);
}

int to_text(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

int keys_of(lua_State* L) {
  lua_settop(L, 1);
  if (lua_type(L, 1) != LUA_TTABLE) raise(L, lua_pushfstring(L, "pairs: a table was expected, not a %s", type_name(L, 1)));
  if (luaL_getmetafield(L, 1, "__index") == LUA_TTABLE) lua_replace(L, 1);  // behind the read-only face
  lua_settop(L, 1);
  Shard& s = shard_of(L);
  s.keys.clear();
  collect_keys(L, 1, "pairs");
  spend(L, 2 * s.keys.size());
  lua_createtable(L, static_cast<int>(s.keys.size()), 0);
  for (std::size_t i = 0; i < s.keys.size(); ++i) {
    push_key(L, s.keys[i]);
    lua_rawseti(L, 2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}
int length_of(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE) raise(L, lua_pushfstring(L, "a list was expected, not a %s", type_name(L, 1)));
  lua_pushinteger(L, list_length(L, 1));
  return 1;
}
int fail_with(lua_State* L) { raise(L, luaL_checkstring(L, 1)); }

// a plain search, without patterns
int find_text(lua_State* L) {
  std::size_t n = 0, m = 0;
  for (int i = 1; i <= 2; ++i) make_plain(L, i);
  const char *const text = luaL_checklstring(L, 1, &n), *const part = luaL_checklstring(L, 2, &m);
  const lua_Integer from = luaL_optinteger(L, 3, 1);
  if (from < 1) raise(L, "string.find: the start counts from 1");
  const std::size_t at = std::string_view(text, n).find(std::string_view(part, m), static_cast<std::size_t>(from) - 1);
  if (at == std::string_view::npos) return luaL_pushfail(L), 1;
  lua_pushinteger(L, static_cast<lua_Integer>(at + 1));
  lua_pushinteger(L, static_cast<lua_Integer>(at + m));
  return 2;
}

// Calls a function of Lua's library after its work was paid for; upvalues: the function, its name.
int charged(lua_State* L) {
  Shard& s = shard_of(L);
  s.calling = lua_tostring(L, lua_upvalueindex(2));
  const int top = lua_gettop(L);
  std::size_t cost = 0;
  for (int i = 1; i <= top; ++i) {
    make_plain(L, i);
    const std::size_t size = lua_type(L, i) == LUA_TTABLE    ? static_cast<std::size_t>(list_length(L, i))
                             : lua_type(L, i) == LUA_TSTRING ? lua_rawlen(L, i) / 16
                                                             : 0;
    cost += size;
  }
  spend(L, cost);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, top, LUA_MULTRET);
  s.calling = "?";
  return lua_gettop(L);
}
// rep("", 1e18) makes nothing, for years; unpack({}, 1, 1e6) makes a million of it
int charged_by_number(lua_State* L) {
  lua_Number n = 0;
  for (int i = 1; i <= lua_gettop(L); ++i)
    if (lua_type(L, i) == LUA_TNUMBER) n += std::fabs(lua_tonumber(L, i));
  spend(L, n < 1e9 ? static_cast<std::size_t>(n) : std::size_t{1000000000});
  return charged(L);
}
// a zero does not end a form
int format(lua_State* L) {
  make_plain(L, 1);
  std::size_t n = 0;
  const char* const text = luaL_checklstring(L, 1, &n);
  const std::string_view form(text, n);
  for (std::size_t at = form.find('%'); at != std::string_view::npos; at = form.find('%', at)) {
    at = form.find_first_not_of("-+#0 123456789.", at + 1);
    if (at == std::string_view::npos) break;
    if (form[at++] == 'p') raise(L, "string.format: %p would show an address, which differs from run to run");
  }
  for (int i = 2; i <= lua_gettop(L); ++i) {
    const int type = lua_type(L, i);
    if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TNIL || type == LUA_TBOOLEAN) continue;
    push_text(L, i);
    lua_replace(L, i);
  }
  return charged(L);
}

// the last place of a list where the caller names none
int unpack(lua_State* L) {
  lua_settop(L, 3);
  if (lua_type(L, 1) == LUA_TTABLE && lua_isnil(L, 3)) lua_pushinteger(L, list_length(L, 1)), lua_replace(L, 3);
  if (lua_isnil(L, 2)) lua_pushinteger(L, 1), lua_replace(L, 2);
  return charged_by_number(L);
}

// Lua's own, except for where a list ends and what NaN looks like
int concat(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE) raise(L, lua_pushfstring(L, "table.concat: a table was expected, not a %s", type_name(L, 1)));
  make_plain(L, 2);
  const char* const between = luaL_optstring(L, 2, "");
  const std::size_t gap = lua_isnoneornil(L, 2) ? 0 : lua_rawlen(L, 2);
  const lua_Integer first = luaL_optinteger(L, 3, 1);
  const lua_Integer last = lua_isnoneornil(L, 4) ? list_length(L, 1) : luaL_checkinteger(L, 4);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Integer i = first; i <= last; ++i) {
    if (i > first) luaL_addlstring(&buffer, between, gap);
    const int type = lua_geti(L, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      raise(L, lua_pushfstring(L, "table.concat: number %I of the list is a %s", static_cast<LUAI_UACINT>(i), luaL_typename(L, -1)));
    make_plain(L, lua_gettop(L));
    spend(L, 1 + (gap + (type == LUA_TSTRING ? lua_rawlen(L, -1) : 0)) / 16);
    luaL_addvalue(&buffer);
    if (i == last) break;  // the largest integer has none after it
  }
  luaL_pushresult(&buffer);
  return 1;
}

// ---------------------------------------------------------------- the tables

// from the library on top into the table below it
void take(lua_State* L, std::initializer_list<const char*> names) {
  for (const char* name : names) lua_getfield(L, -1, name), lua_setfield(L, -3, name);
}
void take_charged(lua_State* L, lua_CFunction how, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    lua_getfield(L, -1, name);
    lua_pushstring(L, name);
    lua_pushcclosure(L, how, 2);
    lua_setfield(L, -3, name);
  }
}
void open_library(lua_State* L, lua_CFunction opener) {
  lua_pushcfunction(L, opener);
  lua_call(L, 0, 1);
}
// table of functions, open library -> read-only field `name` of what is below
void close_library(lua_State* L, const char* name) {
  lua_pop(L, 1);
  freeze(L, 0);
  lua_setfield(L, -2, name);
}

void add_base(lua_State* L) {
  open_library(L, luaopen_base);
  take(L, {"assert", "error", "ipairs", "select"});
  take_charged(L, charged, {"tonumber"});
  lua_pop(L, 1);
  lua_pushcfunction(L, type_of), lua_setfield(L, -2, "type");
  lua_pushcfunction(L, to_text), lua_setfield(L, -2, "tostring");
}

void add_math(lua_State* L) {
  lua_newtable(L);
  open_library(L, luaopen_math);
  take(L, {"abs", "ceil", "floor", "fmod", "max", "min", "modf", "tointeger", "type", "ult", "pi", "huge", "maxinteger", "mininteger", "deg", "rad"});
  constexpr luaL_Reg kOwn[] = {
      {"sin", unary<sine>},        {"cos", unary<cosine>},       {"tan", unary<tangent>}, {"asin", unary<arc_sine>}, {"acos", unary<arc_cosine>},
      {"exp", unary<exponential>}, {"sqrt", unary<square_root>}, {"atan", arc_tangent},   {"log", logarithm},        {"pow", raise_to}};
  for (const luaL_Reg& f : kOwn) lua_pushcfunction(L, f.func), lua_setfield(L, -3, f.name);
  close_library(L, "math");
  lua_pushcfunction(L, raise_to), lua_setfield(L, -2, "pow");
}

void add_string(lua_State* L) {
  lua_newtable(L);
  open_library(L, luaopen_string);
  take_charged(L, charged, {"byte", "char", "len", "lower", "upper", "reverse", "sub"});
  take_charged(L, charged_by_number, {"rep"});
  take_charged(L, format, {"format"});
  lua_pushcfunction(L, find_text), lua_setfield(L, -3, "find");
  // s:upper() finds ours; arithmetic on strings is gone with the library's own metatable
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -4);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  close_library(L, "string");
}

void add_table(lua_State* L) {
  lua_newtable(L);
  // ours first: the chunk gets the table to put its functions in
  if (luaL_loadbufferx(L, kPrelude, std::strlen(kPrelude), kOwnChunk, "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, keys_of);
  lua_pushcfunction(L, fail_with);
  lua_pushcfunction(L, length_of);
  lua_pushvalue(L, -5);
  lua_call(L, 4, 2);
  lua_setfield(L, -4, "next");
  lua_setfield(L, -3, "pairs");
  open_library(L, luaopen_table);
  take(L, {"pack"});
  take_charged(L, unpack, {"unpack"});
  lua_pushcfunction(L, concat), lua_setfield(L, -3, "concat");
  close_library(L, "table");
}

}  // namespace

void push_text(lua_State* L, int index) {
  const int type = lua_type(L, index);
  if (const V3* const v = to_vector(L, index)) {
    lua_pushfstring(L, "(%f, %f, %f)", plain(v->x), plain(v->y), plain(v->z));
  } else if (is_nan(L, index)) {
    lua_pushstring(L, "nan");
  } else if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNIL) {
    luaL_tolstring(L, index, nullptr);
  } else {
    lua_pushstring(L, type_name(L, index));
  }
}

void add_library(lua_State* L) {
  add_base(L);
  add_math(L);
  add_string(L);
  add_table(L);
  add_vectors(L);
  add_operators(L);
  if (shard_of(L).program == Program::Task) return add_world(L);
  add_perception(L);
  add_actions(L);
  add_debug(L);
}

}  // namespace volary::swarm::script
