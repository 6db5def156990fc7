// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a decision: the allocator, the count of instructions, and where an error happened.
#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

constexpr int kHookEvery = 1000;               // instructions
constexpr std::size_t kLargeBlock = 4096;      // bytes
constexpr std::size_t kShortText = 128;        // bytes of an object with a text that Lua may share
constexpr std::size_t kBytesPerInstruction = 64;
constexpr std::size_t kRearrangedFactor = 64;  // of the limit: far more than the million instructions of a decision cause without ill will

// Objects cost a decision the same whoever shares the state. The rest does not: a short text may be there already, a table rearranges
// itself when its hashes collide, the stack has the size that the deepest decision left it.
bool is_charged(const Shard& s, std::size_t kind, std::size_t size) {
  return !s.for_all && ((kind == LUA_TSTRING && size > kShortText) || kind == LUA_TTABLE || kind == LUA_TFUNCTION || kind == LUA_TUSERDATA);
}

// copying and clearing large blocks takes time that no instruction shows, so they cost instructions
std::int64_t cost_of(std::size_t size) { return size > kLargeBlock ? static_cast<std::int64_t>(size / kBytesPerInstruction) : 0; }

// whether the decision in progress may have a new object of this size
bool can_pay(Shard& s, std::size_t size) {
  s.out_of_instructions |= s.spent + cost_of(size) > s.limits.instructions;
  return !s.out_of_instructions && s.allocated + size <= s.limits.heap;
}
bool can_rearrange(const Shard& s, std::size_t growth) { return (s.rearranged + growth) / kRearrangedFactor <= s.limits.heap; }

void* allocate(void* user, void* block, std::size_t old_size, std::size_t size) {
  Shard& s = *static_cast<Shard*>(user);
  const std::size_t kind = block == nullptr ? old_size : 0;  // Lua tells the kind of a new object here
  if (block == nullptr) old_size = 0;
  if (size <= old_size) return s.heap.resize(block, old_size, size);
  const bool charged = is_charged(s, kind, size);
  void* const result = (charged ? can_pay(s, size) : can_rearrange(s, size - old_size)) ? s.heap.resize(block, old_size, size) : nullptr;
  // paid when it is there: Lua collects and asks again for what it was refused
  if (result != nullptr && charged) {
    s.spent += cost_of(size);
    s.allocated += size;
    return result;
  }
  if (result != nullptr) return s.rearranged += size - old_size, result;
  // Lua has no words to spare when memory is out: the line must be noted here, and kept when the stack is gone
  if (s.L != nullptr)
    if (const int line = current_line(s.L); line > 0) s.error_line = line;
  return nullptr;
}

void count_instructions(lua_State* L, lua_Debug*) { spend(L, kHookEvery); }

// Lua's buffers for long texts make a metatable when they are first used: better now than at the expense of whoever comes first
void make_buffers(lua_State* L) {
  luaL_Buffer buffer;
  luaL_buffinitsize(L, &buffer, kLargeBlock);
  luaL_pushresultsize(&buffer, 0);
  lua_pop(L, 1);
}

int furnish(lua_State* L) {
  make_buffers(L);
  for (lua_Integer slot = kGlobals; slot < kSlotsEnd; ++slot) lua_pushboolean(L, 0), lua_rawseti(L, LUA_REGISTRYINDEX, slot);
  add_vector_meta(L);
  shard_of(L).program == Program::Task ? add_world_meta(L) : add_thing_meta(L);
  make_environment(L);
  return 0;
}

}  // namespace

void raise(lua_State* L) {
  const Shard& s = shard_of(L);
  lua_pushlstring(L, s.text.data(), s.text.size());
  lua_error(L);
  __builtin_unreachable();
}

void raise(lua_State* L, const char* text) {
  lua_pushlstring(L, text, std::strlen(text));  // lua_pushstring remembers texts by their address
  lua_error(L);
  __builtin_unreachable();
}

void spend(lua_State* L, std::size_t instructions) {
  Shard& s = shard_of(L);
  const std::size_t most = static_cast<std::size_t>(s.limits.instructions) + 1;
  s.spent += static_cast<std::int64_t>(instructions < most ? instructions : most);
  if (s.spent <= s.limits.instructions) return;
  s.out_of_instructions = true;
  raise(L, "too long");
}

int current_line(lua_State* L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at) != 0; ++level) {
    lua_getinfo(L, "Sl", &at);
    if (std::strcmp(at.source, kUserChunk) == 0) return at.currentline;
  }
  return 0;
}

int message_handler(lua_State* L) {
  shard_of(L).error_line = current_line(L);
  if (is_nan(L, 1)) lua_pushliteral(L, "nan"), lua_replace(L, 1);
  if (lua_type(L, 1) == LUA_TNUMBER) lua_tolstring(L, 1, nullptr);
  lua_settop(L, 1);
  return 1;
}

bool open(Shard& shard) {
  lua_State* const L = lua_newstate(allocate, &shard);
  if (L == nullptr) return false;
  *static_cast<Shard**>(lua_getextraspace(L)) = &shard;
  shard.L = L;
  // hardly anything lives longer than a decision: collect rarely
  lua_gc(L, LUA_GCINC, 400, 400, 0);
  lua_sethook(L, count_instructions, LUA_MASKCOUNT, kHookEvery);
  lua_pushcfunction(L, message_handler);
  lua_pushcfunction(L, furnish);
  const bool good = lua_pcall(L, 0, 0, 1) == LUA_OK;
  lua_settop(L, 0);
  return good;
}

}  // namespace volary::swarm::script
