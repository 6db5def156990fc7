// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an agent remembers: a plain table on one side, canonical bytes on the other. Equal tables have equal bytes, whatever their
// history: first the list 1..n, then the other keys in a fixed order. The table is made anew from its bytes for every decision:
// one that was kept could be told from one that a snapshot brought back, because the length of a list with holes
// depends on how the list came about.
//
//   nothing at all          the empty table
//   value   'f' 't'         false, true
//           'i' 'd'         64-bit integer, double; every NaN is the same one
//           's' n bytes     string
//           'v'             vector, three doubles
//           '{' n m         n values of the list, then m pairs of key and value
// Numbers are little-endian, lengths have 32 bits.
#include <algorithm>
#include <bit>
#include <cmath>

#include "swarm/script/shard.hpp"

static_assert(std::endian::native == std::endian::little);

namespace volary::swarm::script {

namespace {

constexpr int kDeepest = 16;

bool key_before(const Key& a, const Key& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  if (a.rank == 0) return a.integer < b.integer;
  if (a.rank == 1) return a.number < b.number;
  if (a.rank != 2) return false;
  const int order = std::memcmp(a.text, b.text, std::min(a.size, b.size));
  return order != 0 ? order < 0 : a.size < b.size;
}

// ---------------------------------------------------------------- table to bytes

void put(lua_State* L, const void* data, std::size_t n) {
  Shard& s = shard_of(L);
  if (s.bytes.size() + n > s.limits.memory) raise(L, lua_pushfstring(L, "me.memory takes more than %I bytes", static_cast<LUAI_UACINT>(s.limits.memory)));
  const auto* const bytes = static_cast<const std::byte*>(data);
  s.bytes.insert(s.bytes.end(), bytes, bytes + n);
}
void put_tag(lua_State* L, char tag) { put(L, &tag, 1); }
template <class T> void put_value(lua_State* L, T value) { put(L, &value, sizeof value); }
void put_double(lua_State* L, double x) { put_value(L, std::isnan(x) ? std::uint64_t{0x7ff8000000000000} : std::bit_cast<std::uint64_t>(x)); }

void put_string(lua_State* L, const char* text, std::size_t n) {
  put_tag(L, 's');
  put_value(L, static_cast<std::uint32_t>(n));
  put(L, text, n);
}
void put_key(lua_State* L, const Key& key) {
  switch (key.rank) {
    case 0: put_tag(L, 'i'), put_value(L, key.integer); break;
    case 1: put_tag(L, 'd'), put_double(L, key.number); break;
    case 2: put_string(L, key.text, key.size); break;
    default: put_tag(L, key.rank == 3 ? 'f' : 't');
  }
}

void put_top(lua_State* L, int depth);

// the table on top; its keys lie in shard.keys while it is written, those of nested tables behind them
void put_table(lua_State* L, int depth) {
  if (depth > kDeepest) raise(L, "me.memory holds a table that contains itself, or is nested more than 16 deep");
  luaL_checkstack(L, 8, "me.memory");
  Shard& s = shard_of(L);
  const std::size_t first = s.keys.size();
  collect_keys(L, lua_gettop(L), "me.memory");
  const std::size_t end = s.keys.size();
  std::size_t at = first;
  while (at < end && s.keys[at].rank == 0 && s.keys[at].integer < 1) ++at;  // negative keys are no part of the list
  const std::size_t list = at;
  while (at < end && s.keys[at].rank == 0 && s.keys[at].integer == static_cast<lua_Integer>(at - list + 1)) ++at;
  const std::size_t list_end = at;

  put_tag(L, '{');
  put_value(L, static_cast<std::uint32_t>(list_end - list));
  put_value(L, static_cast<std::uint32_t>((end - first) - (list_end - list)));
  for (std::size_t i = list; i < list_end; ++i) {
    lua_rawgeti(L, -1, s.keys[i].integer);
    put_top(L, depth + 1);
  }
  for (std::size_t i = first; i < end; ++i) {
    if (i >= list && i < list_end) continue;
    put_key(L, s.keys[i]);
    push_key(L, s.keys[i]);
    lua_rawget(L, -2);
    put_top(L, depth + 1);
  }
  s.keys.resize(first);
}

// writes the value on top and takes it away
void put_top(lua_State* L, int depth) {
  std::size_t n = 0;
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: put_tag(L, lua_toboolean(L, -1) ? 't' : 'f'); break;
    case LUA_TSTRING: {
      const char* const text = lua_tolstring(L, -1, &n);
      put_string(L, text, n);
      break;
    }
    case LUA_TNUMBER:
      if (lua_isinteger(L, -1))
        put_tag(L, 'i'), put_value(L, lua_tointeger(L, -1));
      else
        put_tag(L, 'd'), put_double(L, lua_tonumber(L, -1));
      break;
    case LUA_TTABLE:
      // a constant of the file: what is behind its read-only face
      if (luaL_getmetafield(L, -1, "__index") != LUA_TNIL) lua_remove(L, -2);
      put_table(L, depth);
      break;
    case LUA_TUSERDATA:
      if (const V3* const v = to_vector(L, -1)) {
        put_tag(L, 'v');
        for (const double x : {v->x, v->y, v->z}) put_double(L, x);
        break;
      }
      raise(L, "me.memory cannot keep what was perceived; keep its id or its position");
    default: raise(L, lua_pushfstring(L, "me.memory cannot keep a %s", luaL_typename(L, -1)));
  }
  lua_pop(L, 1);
}

// ---------------------------------------------------------------- bytes to table

struct Input {
  const std::byte* at;
  std::size_t left;
};
[[noreturn]] void damaged(lua_State* L) { raise(L, "the bytes of me.memory are damaged"); }

template <class T> T get(lua_State* L, Input& in) {
  T value;
  if (in.left < sizeof value) damaged(L);
  std::memcpy(&value, in.at, sizeof value);
  in.at += sizeof value;
  in.left -= sizeof value;
  return value;
}

void push_value(lua_State* L, Input& in, int depth);

void push_table(lua_State* L, Input& in, int depth) {
  const auto list = get<std::uint32_t>(L, in), others = get<std::uint32_t>(L, in);
  // a value has at least one byte, a pair at least two
  if (depth > kDeepest || list > in.left || others > in.left / 2) damaged(L);
  luaL_checkstack(L, 8, "me.memory");
  lua_createtable(L, static_cast<int>(list), static_cast<int>(others));
  for (std::uint32_t i = 0; i < list; ++i) {
    push_value(L, in, depth + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  for (std::uint32_t i = 0; i < others; ++i) {
    push_value(L, in, depth + 1);
    if (lua_type(L, -1) == LUA_TNUMBER && std::isnan(lua_tonumber(L, -1))) damaged(L);
    push_value(L, in, depth + 1);
    lua_rawset(L, -3);
  }
}

void push_value(lua_State* L, Input& in, int depth) {
  switch (get<char>(L, in)) {
    case 'f': lua_pushboolean(L, 0); break;
    case 't': lua_pushboolean(L, 1); break;
    case 'i': lua_pushinteger(L, get<lua_Integer>(L, in)); break;
    case 'd': lua_pushnumber(L, get<double>(L, in)); break;
    case 's': {
      const auto n = get<std::uint32_t>(L, in);
      if (n > in.left) damaged(L);
      lua_pushlstring(L, reinterpret_cast<const char*>(in.at), n);
      in.at += n;
      in.left -= n;
      break;
    }
    case 'v': {
      const double x = get<double>(L, in), y = get<double>(L, in), z = get<double>(L, in);
      push_vector(L, {x, y, z});
      break;
    }
    case '{': push_table(L, in, depth); break;
    default: damaged(L);
  }
}

}  // namespace

void collect_keys(lua_State* L, int index, const char* what) {
  Shard& s = shard_of(L);
  const std::size_t first = s.keys.size();
  lua_pushnil(L);
  while (lua_next(L, index) != 0) {
    lua_pop(L, 1);
    Key key{};
    switch (lua_type(L, -1)) {
      case LUA_TNUMBER:
        key.rank = lua_isinteger(L, -1) ? 0 : 1;
        if (key.rank == 0)
          key.integer = lua_tointeger(L, -1);
        else
          key.number = lua_tonumber(L, -1);
        break;
      case LUA_TSTRING:
        key.rank = 2;
        key.text = lua_tolstring(L, -1, &key.size);
        break;
      case LUA_TBOOLEAN: key.rank = lua_toboolean(L, -1) ? 4 : 3; break;
      default:
        raise(L, lua_pushfstring(L, "%s: a key is a %s; numbers, strings and booleans have an order that is the same everywhere", what, luaL_typename(L, -1)));
    }
    s.keys.push_back(key);
  }
  std::sort(s.keys.begin() + static_cast<std::ptrdiff_t>(first), s.keys.end(), key_before);
}

void push_key(lua_State* L, const Key& key) {
  switch (key.rank) {
    case 0: lua_pushinteger(L, key.integer); break;
    case 1: lua_pushnumber(L, key.number); break;
    case 2: lua_pushlstring(L, key.text, key.size); break;
    default: lua_pushboolean(L, key.rank == 4);
  }
}

void encode(lua_State* L) {
  Shard& s = shard_of(L);
  s.bytes.clear();
  s.keys.clear();
  lua_pushnil(L);
  const bool empty = lua_next(L, -2) == 0;
  if (empty) return;
  lua_pop(L, 2);
  lua_pushvalue(L, -1);
  put_top(L, 0);
}

void decode(lua_State* L, const std::vector<std::byte>& bytes) {
  if (bytes.empty()) return lua_newtable(L);
  Input in{bytes.data(), bytes.size()};
  push_value(L, in, 0);
  if (in.left > 0 || lua_type(L, -1) != LUA_TTABLE) damaged(L);
}

}  // namespace volary::swarm::script
