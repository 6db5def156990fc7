// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The perception S as a script sees it: `me` and what it leads to. These are handles without fields of their own, looked up in Sense when
// asked, so a script pays for what it reads; they cannot be changed or kept.
#include <algorithm>
#include <bit>
#include <span>

#include "core/suggest.hpp"
#include "swarm/stimuli/all.hpp"
#include "swarm/readings.hpp"
#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

const Sense& sense_of(lua_State* L) {
  const Sense* const s = shard_of(L).sense;
  if (s == nullptr) raise(L, "there is no perception while the file is run");
  return *s;
}
void push_id(lua_State* L, std::uint64_t id) { lua_pushinteger(L, static_cast<lua_Integer>(id)); }

// s since it was said; the length of a tick follows from the time
double age(const Sense& s, std::uint64_t tick) {
  return s.tick == 0 || tick >= s.tick ? 0 : static_cast<double>(s.tick - tick) * (s.time / static_cast<double>(s.tick));
}

// ---------------------------------------------------------------- lists

void push_handle(lua_State* L, Kind kind, std::size_t index) {
  new (lua_newuserdatauv(L, sizeof(Thing), 0)) Thing{kind, index};
  push_slot(L, kThingMeta);
  lua_setmetatable(L, -2);
}

// the handle of one of a kind, made when first needed and used ever after
void push_pooled(lua_State* L, Kind kind, std::size_t index) {
  push_slot(L, static_cast<Slot>(kKnownPool + static_cast<lua_Integer>(kind) - static_cast<lua_Integer>(Kind::Known)));
  const auto number = static_cast<lua_Integer>(index) + 1;
  if (lua_rawgeti(L, -1, number) == LUA_TNIL) {
    lua_pop(L, 1);
    shard_of(L).for_all = true;
    push_handle(L, kind, index);
    shard_of(L).for_all = false;
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, number);
  }
  lua_remove(L, -2);
}

// me.others, me.messages, me.detections: one list per decision
int push_list(lua_State* L, Kind kind, std::size_t n) {
  Shard& s = shard_of(L);
  if (!s.listed) lua_newtable(L), set_slot(L, kLists);
  s.listed = true;
  push_slot(L, kLists);
  if (lua_rawgeti(L, -1, static_cast<lua_Integer>(kind)) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::size_t i = 0; i < n; ++i) {
    push_pooled(L, kind, i);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, static_cast<lua_Integer>(kind));
  return 1;
}

int push_values(lua_State* L, const Message& m) {
  lua_createtable(L, static_cast<int>(m.count), 0);
  for (std::uint32_t i = 0; i < m.count && i < Message::kMost; ++i) {
    lua_pushnumber(L, m.values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

// ---------------------------------------------------------------- parameters

void describe_missing_param(Shard& s, std::string_view key) {
  std::vector<std::string> known;
  for (const auto* list : {s.params, static_cast<const ScriptParams*>(&s.defaults)})
    for (const auto& p : *list)
      if (std::find(known.begin(), known.end(), p.first) == known.end()) known.push_back(p.first);
  if (known.empty())
    s.text = "there is no parameter '" + std::string(key) + "': declare it at the top of the file, as in params = { " + std::string(key) + " = 1 }";
  else
    describe_missing(s, s.program == Program::Task ? "world.params" : "me.params", key, std::move(known));
}

int missing_param(lua_State* L) {
  describe_missing_param(shard_of(L), lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
  raise(L);
}

// ---------------------------------------------------------------- fields

int give(lua_State* L, double x) { return lua_pushnumber(L, x), 1; }
int give(lua_State* L, const V3& v) { return push_vector(L, v), 1; }
int give(lua_State* L, const char* text) { return lua_pushstring(L, text), 1; }
int give_id(lua_State* L, std::uint64_t id) { return push_id(L, id), 1; }

// the nearest terrain or obstacle in range, nil when there is none
int push_solid(lua_State* L, const Sense& s) { return s.solid.near ? push_slot(L, kSolid) : lua_pushnil(L), 1; }

std::span<const Reading> readings_of(const Sense& s) { return s.readings == nullptr ? std::span<const Reading>() : s.readings->all(); }
// me.sensors: always there, so that a script may ask for a sensor that a vehicle does not carry. me.estimate: nil where nobody estimates.
int push_sensors(lua_State* L) { return push_slot(L, kSensors), 1; }
int push_estimate(lua_State* L, const Sense& s) {
  const bool has = s.readings != nullptr && s.readings->find("estimate.position") != nullptr;
  return has ? push_slot(L, kEstimate) : lua_pushnil(L), 1;
}

struct Field {
  std::string_view name;
  int (*push)(lua_State*, const Sense&, std::size_t index);
};

constexpr Field kMeFields[] = {
    {"id", [](lua_State* L, const Sense& s, std::size_t) { return give_id(L, s.self); }},
    {"position", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.position); }},
    {"velocity", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.velocity); }},
    {"others", [](lua_State* L, const Sense& s, std::size_t) { return push_list(L, Kind::Known, s.others.size()); }},
    {"memory", [](lua_State* L, const Sense&, std::size_t) { return push_memory(L); }},
    {"params", [](lua_State* L, const Sense&, std::size_t) { return push_params(L); }},
    {"messages", [](lua_State* L, const Sense& s, std::size_t) { return push_list(L, Kind::Message, s.messages.size()); }},
    {"detections", [](lua_State* L, const Sense& s, std::size_t) { return push_list(L, Kind::Detection, s.detections.size()); }},
    {"time", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.time); }},
    {"interval", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.interval); }},
    {"yaw", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.yaw); }},
    {"roll", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.roll); }},
    {"mode", [](lua_State* L, const Sense& s, std::size_t) { return give(L, name_of(s.mode)); }},
    {"home", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.home); }},
    {"ground", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.ground); }},
    {"ground_ahead", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.ground_ahead); }},
    {"max_speed", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.max_speed); }},
    {"min_speed", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.min_speed); }},
    {"radius", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.radius); }},
    {"light", [](lua_State* L, const Sense& s, std::size_t) { return give(L, level<Light>(s)); }},
    {"plume", [](lua_State* L, const Sense& s, std::size_t) { return give(L, level<Plume>(s)); }},
    {"sound", [](lua_State* L, const Sense& s, std::size_t) { return give(L, level<Sound>(s)); }},
    {"obstacle", [](lua_State* L, const Sense& s, std::size_t) { return push_solid(L, s); }},
    {"sensors", [](lua_State* L, const Sense&, std::size_t) { return push_sensors(L); }},
    {"estimate", [](lua_State* L, const Sense& s, std::size_t) { return push_estimate(L, s); }},
};
constexpr Field kKnownFields[] = {
    {"position", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.others[i].position); }},
    {"velocity", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.others[i].velocity); }},
    {"id", [](lua_State* L, const Sense& s, std::size_t i) { return give_id(L, s.others[i].from); }},
    {"age", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, age(s, s.others[i].tick)); }},
    {"role", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.others[i].role); }},
    {"intent", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.others[i].intent); }},
};
constexpr Field kMessageFields[] = {
    {"topic", [](lua_State* L, const Sense& s, std::size_t i) { return give_id(L, s.messages[i].topic); }},
    {"from", [](lua_State* L, const Sense& s, std::size_t i) { return s.messages[i].from == 0 ? (lua_pushnil(L), 1) : give_id(L, s.messages[i].from); }},
    {"to", [](lua_State* L, const Sense& s, std::size_t i) { return give_id(L, s.messages[i].to); }},
    {"values", [](lua_State* L, const Sense& s, std::size_t i) { return push_values(L, s.messages[i]); }},
    {"age", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, age(s, s.messages[i].tick)); }},
};
constexpr Field kDetectionFields[] = {
    {"id", [](lua_State* L, const Sense& s, std::size_t i) { return give_id(L, s.detections[i].object); }},
    {"kind", [](lua_State* L, const Sense& s, std::size_t i) { return give_id(L, s.detections[i].kind); }},
    {"position", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.detections[i].position); }},
    {"velocity", [](lua_State* L, const Sense& s, std::size_t i) { return give(L, s.detections[i].velocity); }},
};
constexpr Field kSolidFields[] = {
    {"offset", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.solid.way); }},
    {"distance", [](lua_State* L, const Sense& s, std::size_t) { return give(L, s.solid.distance); }},
};

std::span<const Field> fields_of(Kind kind) {
  switch (kind) {
    case Kind::Me: return kMeFields;
    case Kind::Known: return kKnownFields;
    case Kind::Message: return kMessageFields;
    case Kind::Solid: return kSolidFields;
    default: return kDetectionFields;
  }
}

void describe_missing_field(Shard& s, Kind kind, std::string_view key) {
  std::vector<std::string> known;
  for (const Field& f : fields_of(kind)) known.emplace_back(f.name);
  static constexpr const char* kWhat[] = {"a vector", "me", "one of me.others", "a message", "a detection", "me.obstacle"};
  describe_missing(s, kWhat[static_cast<std::size_t>(kind)], key, std::move(known));
}
// a number, a vector or a list of numbers; nil: the vehicle does not carry the sensor
int push_reading(lua_State* L, const Reading& r, const double* row) {
  const double* const x = numbers_of(r, row);
  if (x == nullptr) return lua_pushnil(L), 1;
  if (r.count == 1) return give(L, x[0]);
  if (r.count == 3) return give(L, V3{x[0], x[1], x[2]});
  lua_createtable(L, static_cast<int>(r.count), 0);
  for (std::size_t i = 0; i < r.count; ++i) {
    lua_pushnumber(L, x[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}
void describe_missing_sensor(Shard& s, std::string_view key) {
  std::vector<std::string> known = known_readings();
  for (const Reading& r : readings_of(*s.sense))
    if (r.name.starts_with(kOwnPrefix)) known.push_back(r.name);
  describe_missing(s, "me.sensors", key, std::move(known));
}
int push_sensor(lua_State* L, const Sense& s, std::string_view key) {
  const Reading* const r = s.readings == nullptr || key.starts_with(kEstimatePrefix) ? nullptr : s.readings->find(key);
  if (r != nullptr) return push_reading(L, *r, s.numbers);
  if (is_reading(key)) return lua_pushnil(L), 1;
  describe_missing_sensor(shard_of(L), key);
  raise(L);
}
void describe_missing_estimate(Shard& s, std::string_view key) {
  std::vector<std::string> known;
  for (const Reading& r : readings_of(*s.sense))
    if (r.name.starts_with(kEstimatePrefix)) known.push_back(r.name.substr(kEstimatePrefix.size()));
  describe_missing(s, "me.estimate", key, std::move(known));
}
int push_of_estimate(lua_State* L, const Sense& s, std::string_view key) {
  for (const Reading& r : readings_of(s))
    if (r.name.starts_with(kEstimatePrefix) && std::string_view(r.name).substr(kEstimatePrefix.size()) == key) return push_reading(L, r, s.numbers);
  describe_missing_estimate(shard_of(L), key);
  raise(L);
}
int index(lua_State* L) {
  const Sense& s = sense_of(L);
  const Thing& t = *static_cast<const Thing*>(lua_touserdata(L, 1));
  std::size_t n = 1;
  const char* const text = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &n) : "?";
  const std::string_view key(text, n);
  if (t.kind == Kind::Sensors) return push_sensor(L, s, key);
  if (t.kind == Kind::Estimate) return push_of_estimate(L, s, key);
  for (const Field& f : fields_of(t.kind))
    if (f.name == key) return f.push(L, s, t.index);
  describe_missing_field(shard_of(L), t.kind, key);
  raise(L);
}

int assign(lua_State* L) {
  const Thing& t = *static_cast<const Thing*>(lua_touserdata(L, 1));
  return assign_memory(L, t.kind == Kind::Me, "me", "a perception cannot be changed; only me.memory can");
}

// ---------------------------------------------------------------- functions

// heard(topic): the messages of one topic; seen(kind): the detections of one kind
template <Kind kKind> int matching(lua_State* L) {
  const std::uint32_t wanted = check_topic(L);
  const Sense& s = sense_of(L);
  const std::size_t n = kKind == Kind::Message ? s.messages.size() : s.detections.size();
  spend(L, n);
  lua_newtable(L);
  lua_Integer count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t is = kKind == Kind::Message ? s.messages[i].topic : s.detections[i].kind;
    if (is != wanted) continue;
    push_pooled(L, kKind, i);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

// neighbours(range): iterates over other, offset, distance of those not farther than range, in the order of ids
int next_neighbour(lua_State* L) {
  const Sense& s = sense_of(L);
  const double range = lua_tonumber(L, lua_upvalueindex(1));
  for (auto i = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(2))); i < s.others.size(); ++i) {
    const V3 offset = s.others[i].position - s.position;
    const double distance = math::norm(offset);
    if (!(distance <= range)) continue;
    lua_pushinteger(L, static_cast<lua_Integer>(i) + 1);
    lua_replace(L, lua_upvalueindex(2));
    push_pooled(L, Kind::Known, i);
    push_vector(L, offset);
    lua_pushnumber(L, distance);
    return 3;
  }
  return 0;
}
int neighbours(lua_State* L) {
  (void)sense_of(L);  // an iterator that the file keeps would go on from agent to agent
  if (lua_type(L, 1) != LUA_TNUMBER) raise(L, "neighbours(range): the range is a number, in metres");
  lua_settop(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_neighbour, 2);
  return 1;
}

}  // namespace

// ---------------------------------------------------------------- what tasks have too

// no calls into Lua: the words live until the text is made
int assign_memory(lua_State* L, bool holds_memory, const char* whose, const char* refusal) {
  const bool memory = holds_memory && lua_type(L, 2) == LUA_TSTRING && std::strcmp(lua_tostring(L, 2), "memory") == 0;
  if (!memory) raise(L, refusal);
  if (lua_type(L, 3) != LUA_TTABLE) raise(L, lua_pushfstring(L, "%s.memory is a table", whose));
  lua_settop(L, 3);
  set_slot(L, kMemory);
  shard_of(L).remembers = true;
  return 0;
}
void describe_missing(Shard& s, std::string_view what, std::string_view key, std::vector<std::string> known) {
  s.text = std::string(what) + " has no '" + std::string(key) + "' (" + core::did_you_mean(key, known) + ")";
}
int push_memory(lua_State* L) {
  Shard& s = shard_of(L);
  if (!s.remembers) {
    decode(L, *s.memory);
    set_slot(L, kMemory);
    s.remembers = true;
  }
  push_slot(L, kMemory);
  return 1;
}

// == would take 0.0 for -0.0
static bool same_bits(const ScriptParams& a, const ScriptParams& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && std::bit_cast<std::uint64_t>(x.second) == std::bit_cast<std::uint64_t>(y.second);
  });
}

// a read-only table: what the file declares, and over it what the scenario says
int push_params(lua_State* L) {
  Shard& s = shard_of(L);
  if (s.params_made && same_bits(s.known_params, *s.params)) return push_slot(L, kParams), 1;
  s.params_made = false;
  s.for_all = true;
  s.known_params = *s.params;
  lua_newtable(L);
  for (const auto* list : {&s.defaults, &s.known_params}) {
    for (const auto& p : *list) {
      lua_pushlstring(L, p.first.data(), p.first.size());
      lua_pushnumber(L, p.second);
      lua_rawset(L, -3);
    }
  }
  push_face(L);
  lua_insert(L, -2);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, missing_param), lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  set_slot(L, kParams);
  s.for_all = false;
  s.params_made = true;
  return 1;
}

const char* name_of(Mode mode) {
  static constexpr const char* kNames[] = {"disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop"};
  return kNames[static_cast<std::size_t>(mode)];
}

std::uint32_t check_topic(lua_State* L) {
  std::size_t n = 0;
  if (lua_type(L, 1) != LUA_TSTRING) raise(L, "a topic or kind is a string");
  const char* const name = lua_tolstring(L, 1, &n);
  return swarm::topic({name, n});
}
// the number that messages and detections carry for a name
int topic_number(lua_State* L) { return give_id(L, check_topic(L)); }

std::vector<std::string> fields_of_me() {
  std::vector<std::string> names;
  for (const Field& f : kMeFields) names.emplace_back(f.name);
  return names;
}

void add_thing_meta(lua_State* L) {
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, index), lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, assign), lua_setfield(L, -2, "__newindex");
  set_slot(L, kThingMeta);
  push_handle(L, Kind::Me, 0), set_slot(L, kMe);
  push_handle(L, Kind::Solid, 0), set_slot(L, kSolid);
  push_handle(L, Kind::Sensors, 0), set_slot(L, kSensors);
  push_handle(L, Kind::Estimate, 0), set_slot(L, kEstimate);
}

void add_perception(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {
      {"topic", topic_number}, {"heard", matching<Kind::Message>}, {"seen", matching<Kind::Detection>}, {"neighbours", neighbours}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace volary::swarm::script
