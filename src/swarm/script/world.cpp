// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The world as the script of a task sees it: the facts that a judge is shown, as handles that are looked up when asked, like the
// perception of a behaviour (perception.cpp).
#include <algorithm>
#include <span>

#include "core/suggest.hpp"
#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

const Facts& facts_of(lua_State* L) {
  const Facts* const f = shard_of(L).facts;
  if (f == nullptr) raise(L, "there is no world while the file is run");
  return *f;
}

// a vehicle by flock and place in it
constexpr std::size_t vehicle_index(std::size_t flock, std::size_t place) { return flock << 40 | place; }
std::size_t flock_of(std::size_t index) { return index >> 40; }
const VehicleFact& vehicle_at(const Facts& f, std::size_t index) { return f.flocks[flock_of(index)].vehicles[index & ((std::size_t{1} << 40) - 1)]; }

void push_handle(lua_State* L, Kind kind, std::size_t index) {
  new (lua_newuserdatauv(L, sizeof(Thing), 0)) Thing{kind, index};
  push_slot(L, kWorldMeta);
  lua_setmetatable(L, -2);
}

// ---------------------------------------------------------------- lists

// one list of a kind per look, made by `fill` on the table on top
template <class Fill> int push_list(lua_State* L, Kind kind, std::size_t n, const Fill& fill) {
  Shard& s = shard_of(L);
  if (!s.listed) lua_newtable(L), set_slot(L, kLists);
  s.listed = true;
  push_slot(L, kLists);
  if (lua_rawgeti(L, -1, static_cast<lua_Integer>(kind)) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  spend(L, n);
  lua_newtable(L);
  fill();
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, static_cast<lua_Integer>(kind));
  return 1;
}
int push_things(lua_State* L, Kind kind, std::size_t n) {
  return push_list(L, kind, n, [&] {
    for (std::size_t i = 0; i < n; ++i) push_handle(L, kind, i), lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  });
}

void add_flock(lua_State* L, const Facts& f, std::size_t flock, lua_Integer& count) {
  for (std::size_t i = 0; i < f.flocks[flock].vehicles.size(); ++i) push_handle(L, Kind::Vehicle, vehicle_index(flock, i)), lua_rawseti(L, -2, ++count);
}
int push_vehicles(lua_State* L, const Facts& f) {
  std::size_t n = 0;
  for (const FlockFact& flock : f.flocks) n += flock.vehicles.size();
  return push_list(L, Kind::Vehicle, n, [&] {
    lua_Integer count = 0;
    for (std::size_t k = 0; k < f.flocks.size(); ++k) add_flock(L, f, k, count);
  });
}
// texts take the place of things here
int push_events(lua_State* L, const Facts& f) {
  return push_list(L, Kind::World, f.events.size(), [&] {
    for (std::size_t i = 0; i < f.events.size(); ++i) {
      lua_pushlstring(L, f.events[i].what.data(), f.events[i].what.size());
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  });
}

// ---------------------------------------------------------------- fields

int give(lua_State* L, double x) { return lua_pushnumber(L, x), 1; }
int give(lua_State* L, const V3& v) { return push_vector(L, v), 1; }
int give_id(lua_State* L, std::uint64_t id) { return lua_pushinteger(L, static_cast<lua_Integer>(id)), 1; }
int give_text(lua_State* L, std::string_view text) { return lua_pushlstring(L, text.data(), text.size()), 1; }
int give_flock(lua_State* L, std::size_t flock) {
  const std::vector<std::string>& names = shard_of(L).world->flocks;
  return give_text(L, flock < names.size() ? std::string_view(names[flock]) : "?");
}

struct Field {
  std::string_view name;
  int (*push)(lua_State*, const Facts&, std::size_t index);
};
constexpr Field kWorldFields[] = {
    {"time", [](lua_State* L, const Facts& f, std::size_t) { return give(L, f.time); }},
    {"vehicles", [](lua_State* L, const Facts& f, std::size_t) { return push_vehicles(L, f); }},
    {"heard", [](lua_State* L, const Facts& f, std::size_t) { return push_things(L, Kind::Heard, f.heard.size()); }},
    {"seen", [](lua_State* L, const Facts& f, std::size_t) { return push_things(L, Kind::Seen, f.seen.size()); }},
    {"links", [](lua_State* L, const Facts& f, std::size_t) { return push_things(L, Kind::Link, f.links.size()); }},
    {"events", [](lua_State* L, const Facts& f, std::size_t) { return push_events(L, f); }},
    {"memory", [](lua_State* L, const Facts&, std::size_t) { return push_memory(L); }},
    {"params", [](lua_State* L, const Facts&, std::size_t) { return push_params(L); }},
};
constexpr Field kVehicleFields[] = {
    {"id", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, vehicle_at(f, i).id); }},
    {"number", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, static_cast<std::uint64_t>(vehicle_at(f, i).number)); }},
    {"flock", [](lua_State* L, const Facts&, std::size_t i) { return give_flock(L, flock_of(i)); }},
    {"position", [](lua_State* L, const Facts& f, std::size_t i) { return give(L, vehicle_at(f, i).position); }},
    {"velocity", [](lua_State* L, const Facts& f, std::size_t i) { return give(L, vehicle_at(f, i).velocity); }},
    {"home", [](lua_State* L, const Facts& f, std::size_t i) { return give(L, vehicle_at(f, i).home); }},
    {"ground", [](lua_State* L, const Facts& f, std::size_t i) { return give(L, vehicle_at(f, i).ground); }},
    {"mode", [](lua_State* L, const Facts& f, std::size_t i) { return give_text(L, name_of(vehicle_at(f, i).mode)); }},
    {"alive", [](lua_State* L, const Facts& f, std::size_t i) { return lua_pushboolean(L, vehicle_at(f, i).alive), 1; }},
};
constexpr Field kHeardFields[] = {
    {"vehicle", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.heard[i].vehicle); }},
    {"topic", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.heard[i].topic); }},
};
constexpr Field kSeenFields[] = {
    {"vehicle", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.seen[i].vehicle); }},
    {"kind", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.seen[i].kind); }},
};
constexpr Field kLinkFields[] = {
    {"from", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.links[i].from); }},
    {"to", [](lua_State* L, const Facts& f, std::size_t i) { return give_id(L, f.links[i].to); }},
};

struct Described {
  std::span<const Field> fields;
  const char* what;
};
Described described(Kind kind) {
  switch (kind) {
    case Kind::World: return {kWorldFields, "world"};
    case Kind::Vehicle: return {kVehicleFields, "a vehicle"};
    case Kind::Heard: return {kHeardFields, "one of world.heard"};
    case Kind::Seen: return {kSeenFields, "one of world.seen"};
    default: return {kLinkFields, "one of world.links"};
  }
}

void describe_missing_field(Shard& s, Kind kind, std::string_view key) {
  std::vector<std::string> known;
  for (const Field& f : described(kind).fields) known.emplace_back(f.name);
  describe_missing(s, described(kind).what, key, std::move(known));
}
int index(lua_State* L) {
  const Facts& f = facts_of(L);
  const Thing& t = *static_cast<const Thing*>(lua_touserdata(L, 1));
  std::size_t n = 1;
  const char* const text = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &n) : "?";
  const std::string_view key(text, n);
  for (const Field& field : described(t.kind).fields)
    if (field.name == key) return field.push(L, f, t.index);
  describe_missing_field(shard_of(L), t.kind, key);
  raise(L);
}
int assign(lua_State* L) {
  const Thing& t = *static_cast<const Thing*>(lua_touserdata(L, 1));
  return assign_memory(L, t.kind == Kind::World, "world", "the world cannot be changed by a task; only world.memory can");
}
const Thing* to_thing(lua_State* L, int at, Kind kind) {
  const auto* const t = static_cast<const Thing*>(lua_touserdata(L, at));
  return t != nullptr && t->kind == kind ? t : nullptr;
}
int equal(lua_State* L) {
  const auto *const a = static_cast<const Thing*>(lua_touserdata(L, 1)), *const b = static_cast<const Thing*>(lua_touserdata(L, 2));
  return lua_pushboolean(L, a != nullptr && b != nullptr && a->kind == b->kind && a->kind != Kind::Vector && a->index == b->index), 1;
}

// ---------------------------------------------------------------- functions

// the place of a name among others; an unknown one is an error that suggests
void describe_unknown(Shard& s, const char* what, std::string_view name, const std::vector<std::string>& known) {
  s.text = std::string("no ") + what + " is called '" + std::string(name) + "' (" + (known.empty() ? "there are none" : core::did_you_mean(name, known)) + ")";
}
std::size_t check_name(lua_State* L, int at, const char* what, const std::vector<std::string>& known) {
  if (lua_type(L, at) != LUA_TSTRING) raise(L, lua_pushfstring(L, "the name of a %s is a text, not a %s", what, luaL_typename(L, at)));
  std::size_t n = 0;
  const char* const text = lua_tolstring(L, at, &n);
  const auto found = std::find(known.begin(), known.end(), std::string_view(text, n));
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  describe_unknown(shard_of(L), what, {text, n}, known);
  raise(L);
}

// vehicles("scouts"): those of one flock, by their numbers
int vehicles(lua_State* L) {
  const Facts& f = facts_of(L);
  const std::size_t flock = check_name(L, 1, "flock", shard_of(L).world->flocks);
  lua_newtable(L);
  if (flock >= f.flocks.size()) return 1;
  spend(L, f.flocks[flock].vehicles.size());
  lua_Integer count = 0;
  add_flock(L, f, flock, count);
  return 1;
}
// inside(vehicle, "field"): whether it is in the region of that name
int inside(lua_State* L) {
  const Facts& f = facts_of(L);
  const Thing* const v = to_thing(L, 1, Kind::Vehicle);
  if (v == nullptr) raise(L, "inside(vehicle, region): the first argument is one of world.vehicles");
  const std::size_t region = check_name(L, 2, "region", shard_of(L).world->regions);
  lua_pushboolean(L, vehicle_at(f, v->index).alive && (vehicle_at(f, v->index).regions >> region & 1) != 0);
  return 1;
}
// heard(topic), seen(kind): since the last look, those of one name
template <Kind kKind> int matching(lua_State* L) {
  const std::uint32_t wanted = check_topic(L);
  const Facts& f = facts_of(L);
  const std::size_t n = kKind == Kind::Heard ? f.heard.size() : f.seen.size();
  spend(L, n);
  lua_newtable(L);
  lua_Integer count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if ((kKind == Kind::Heard ? f.heard[i].topic : f.seen[i].kind) != wanted) continue;
    push_handle(L, kKind, i);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

}  // namespace

std::vector<std::string> fields_of_world() {
  std::vector<std::string> names;
  for (const Field& f : kWorldFields) names.emplace_back(f.name);
  return names;
}

void add_world_meta(lua_State* L) {
  lua_createtable(L, 0, 3);
  lua_pushcfunction(L, index), lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, assign), lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, equal), lua_setfield(L, -2, "__eq");
  set_slot(L, kWorldMeta);
  push_handle(L, Kind::World, 0), set_slot(L, kMe);
}

void add_world(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {
      {"topic", topic_number}, {"heard", matching<Kind::Heard>}, {"seen", matching<Kind::Seen>}, {"vehicles", vehicles}, {"inside", inside},
      {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace volary::swarm::script
