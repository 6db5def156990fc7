// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One Lua state and the decision that it is busy with; what the parts of the script room share. Errors leave Lua's C functions by
// longjmp, so no function that calls into Lua keeps an object with a destructor: scratch space belongs to the shard.
#pragma once

#include <lua.hpp>

#include <string>
#include <vector>

#include "swarm/script/heap.hpp"
#include "swarm/script/lua_behaviour.hpp"
#include "swarm/script/lua_task.hpp"

namespace volary::swarm::script {

// names of chunks, in Lua's form: the user's file, and our own functions that are written in Lua
inline constexpr const char* kUserChunk = "=script";
inline constexpr const char* kOwnChunk = "=volary";

// what is kept in Lua's registry, by number; Lua itself has 1 to 3. Small numbers without gaps are quick to find.
enum Slot : lua_Integer {
  kGlobals = 4,      // storage behind the read-only _ENV
  kEnvironment,      // _ENV itself, always empty
  kOwnNames,         // what we put there
  kVectorMeta,       // metatables of our userdata
  kThingMeta,
  kWorldMeta,
  kMe,               // the one `me`, or `world`
  kSolid,            // the one `me.obstacle`
  kSensors,          // the one `me.sensors`
  kEstimate,         // the one `me.estimate`
  kParams,           // me.params, for the parameters that `known_params` tells
  kTrigger,          // the user's functions
  kAct,
  kKnownPool,        // handles of others, messages and detections, in the order of Kind
  kMessagePool,
  kDetectionPool,
  kMemory,           // of the decision in progress: tables made on demand
  kLists,
  kFrozen,           // table -> its read-only face
  kCellFunctions,    // a function for each variable that the file's functions share
  kCellValues,       // and what that variable must hold
  kSlotsEnd
};

// the first word of every userdata
enum class Kind : std::uint64_t { Vector, Me, Known, Message, Detection, Solid, World, Vehicle, Heard, Seen, Link, Operator, Sensors, Estimate };
struct Vector {
  Kind kind;
  V3 v;
};
struct Thing {
  Kind kind;
  std::size_t index;  // in the perception
};

// a variable of the file that its functions share, such as `local count = 0`; it must not change
struct Cell {
  const void* id;
  int upvalue;
  std::string name;
};

// a key of a plain table, in the order: integers, other numbers, strings, false, true
struct Key {
  int rank;
  lua_Integer integer;
  double number;
  const char* text;
  std::size_t size;
};

// what the file is: a behaviour has trigger(me) and act(me), a task holds(world)
enum class Program { Behaviour, Task };

// what Lua has and a script has not
inline constexpr const char* kLeftOut[] = {"print",   "io",      "os",        "debug",  "load",           "loadstring",   "dofile",
                                           "require", "package", "coroutine", "pcall",  "xpcall",         "setmetatable", "getmetatable",
                                           "rawset",  "rawget",  "rawequal",  "rawlen", "collectgarbage", "_G",           "utf8"};

// What Lua holds is bounded by more than what a decision may allocate: tables grow, and short texts are shared, in ways that depend on what
// went before. Both follow from instructions, so that a decision meets its own limits first.
inline constexpr std::size_t kHeapRoom = 64u << 20, kHeapFactor = 8;

struct Shard {
  Shard(const ScriptLimits& l, Program p) : limits(l), program(p), heap(kHeapRoom + kHeapFactor * l.heap) {}
  ~Shard() {
    if (L != nullptr) lua_close(L);
  }
  ScriptLimits limits;
  Program program;
  Heap heap;
  lua_State* L = nullptr;
  std::vector<Cell> cells;
  ScriptParams defaults;
  bool defaults_read = false;  // the file ran as far as that
  ScriptParams known_params;  // of the decision before: most agents of a shard have the same
  bool params_made = false;
  int act_line = 0, trigger_line = 0;

  // the decision in progress; neither sense nor facts: the file itself is run
  const Sense* sense = nullptr;
  const Facts* facts = nullptr;
  const TaskWorld* world = nullptr;  // names of what the facts number
  const ScriptParams* params = nullptr;
  const std::vector<std::byte>* memory = nullptr;
  double threshold = 0, trigger = 1;
  bool acting = false;
  bool remembers = false;  // me.memory was asked for
  bool listed = false;     // and a list of the perception
  Action action;
  std::vector<Message> said;
  Notes notes;
  std::uint32_t draws = 0;
  bool holds = false;  // the answer of a task

  // what it used, and how it failed
  std::int64_t spent = 0;
  std::size_t allocated = 0;     // bytes of objects, never less for what is collected
  std::size_t rearranged = 0;    // bytes of everything else: insides of tables, the stack, buffers
  bool for_all = false;          // what is made now is kept for all agents, and nobody's expense
  bool out_of_instructions = false;
  int error_line = 0;
  const char* calling = "?";            // library function
  const char* trigger_fault = nullptr;  // what the trigger returned instead of a number

  // scratch
  std::vector<Key> keys;
  std::vector<std::byte> bytes;
  std::string text;
};

inline const char* where_to_remember(const Shard& s) {
  return s.program == Program::Task ? "keep the memory of a task in world.memory" : "keep the memory of an agent in me.memory";
}
inline Shard& shard_of(lua_State* L) { return **static_cast<Shard**>(lua_getextraspace(L)); }
inline void push_slot(lua_State* L, Slot slot) { lua_rawgeti(L, LUA_REGISTRYINDEX, slot); }
inline void set_slot(lua_State* L, Slot slot) { lua_rawseti(L, LUA_REGISTRYINDEX, slot); }

// ends the decision with shard.text, or with a text; the message handler adds file and line
[[noreturn]] void raise(lua_State* L);
[[noreturn]] void raise(lua_State* L, const char* text);
// takes from the decision's instructions what a library function costs
void spend(lua_State* L, std::size_t instructions);
// the line of the user's file that is being run, 0 when none is
int current_line(lua_State* L);

// program.cpp: the file is read and run once; counters are set to zero before every decision; what failed, as an error
core::Status load_into(Shard& shard, const std::string& text, const std::string& file);
void begin(Shard& shard);
core::Error failure(Shard& shard, int status, const std::string& file);
core::Error changed_variable(const Shard& shard, int cell, const std::string& file);

// shard.cpp: a state with everything in it, ready for the user's file
bool open(Shard& shard);
int message_handler(lua_State* L);

// library.cpp: what a script may call, as fields of the table on top; so are all others called add_...
void add_library(lua_State* L);
void push_text(lua_State* L, int index);  // a text of any value, without addresses
// operators.cpp
void add_operators(lua_State* L);
bool is_nan(lua_State* L, int index);
lua_Integer list_length(lua_State* L, int index);  // of the table at an index from the bottom
// freeze.cpp: replaces the value on top by its read-only face, down to the last table and function that it reaches
void freeze(lua_State* L, int depth);
void push_face(lua_State* L);  // of the table on top
void make_environment(lua_State* L);
void seal_environment(lua_State* L);
std::string describe_left_out(Program program, std::string_view name);
int restore_cells(Shard& shard);  // the number of a variable that a decision changed, or -1

// vector.cpp
void add_vector_meta(lua_State* L);
void add_vectors(lua_State* L);
void push_vector(lua_State* L, const V3& v);
const V3* to_vector(lua_State* L, int index);  // null when it is something else
// perception.cpp
void add_thing_meta(lua_State* L);
std::vector<std::string> fields_of_me();
void add_perception(lua_State* L);
// me.memory = {...}: `whose` is what holds it; anything else that is assigned is refused with these words
int assign_memory(lua_State* L, bool holds_memory, const char* whose, const char* refusal);
void describe_missing(Shard& shard, std::string_view what, std::string_view key, std::vector<std::string> known);  // "... has no 'x' (did you mean ...)"
int push_memory(lua_State* L);
int push_params(lua_State* L);
int topic_number(lua_State* L);
std::uint32_t check_topic(lua_State* L);
const char* name_of(Mode mode);
// world.cpp: the same for a task
void add_world_meta(lua_State* L);
std::vector<std::string> fields_of_world();
void add_world(lua_State* L);
// actions.cpp
void add_actions(lua_State* L);
double check_number(lua_State* L, int index, const char* what);  // finite

// debug.cpp
void add_debug(lua_State* L);

// memory.cpp: the table on top becomes shard.bytes; bytes become a table on top
void encode(lua_State* L);
void decode(lua_State* L, const std::vector<std::byte>& bytes);
// the keys of the table at `index`, sorted, appended to shard.keys; `what` says whose keys an error is about
void collect_keys(lua_State* L, int index, const char* what);
void push_key(lua_State* L, const Key& key);

}  // namespace volary::swarm::script
