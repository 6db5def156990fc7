// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What act(me) answers with: one action primitive (the last one called counts), how good it is, and messages.
#include <cmath>

#include "swarm/script/shard.hpp"

namespace volary::swarm::script {

namespace {

constexpr std::size_t kMostMessages = 64;  // of one decision
constexpr std::uint32_t kMostDraws = 256;  // Sense::uniform has no more

Shard& acting(lua_State* L, const char* what) {
  Shard& s = shard_of(L);
  if (!s.acting) raise(L, lua_pushfstring(L, "%s can be called in act(me) only", what));
  return s;
}

// three numbers, or one vector
V3 check_point(lua_State* L, const char* what) {
  V3 v{};
  if (const V3* const given = to_vector(L, 1)) {
    v = *given;
  } else {
    v.x = check_number(L, 1, what);
    v.y = check_number(L, 2, what);
    v.z = check_number(L, 3, what);
  }
  if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) raise(L, lua_pushfstring(L, "%s: the vector has a number that is not finite", what));
  return v;
}

// yaw, reward and role may be set before or after
void choose(Action& action, Action::Kind kind, const V3& velocity, const V3& position) {
  action.kind = kind;
  action.velocity = velocity;
  action.position = position;
}
int fly(lua_State* L) {
  const V3 v = check_point(L, "fly(vx, vy, vz)");
  choose(acting(L, "fly").action, Action::Kind::Velocity, v, {});
  return 0;
}
int go_to(lua_State* L) {
  const V3 p = check_point(L, "go_to(x, y, z)");
  choose(acting(L, "go_to").action, Action::Kind::Position, {}, p);
  return 0;
}
int take_off(lua_State* L) { return choose(acting(L, "take_off").action, Action::Kind::TakeOff, {}, {}), 0; }
int hold(lua_State* L) { return choose(acting(L, "hold").action, Action::Kind::Hold, {}, {}), 0; }
int land(lua_State* L) { return choose(acting(L, "land").action, Action::Kind::Land, {}, {}), 0; }
int disarm(lua_State* L) { return choose(acting(L, "disarm").action, Action::Kind::Disarm, {}, {}), 0; }
int turn(lua_State* L) {
  Action& a = acting(L, "turn").action;
  a.yaw = check_number(L, 1, "turn(yaw)");
  a.turns = true;
  return 0;
}
int reward(lua_State* L) { return acting(L, "reward").action.reward = check_number(L, 1, "reward(r)"), 0; }
int role(lua_State* L) { return acting(L, "role").action.role = check_number(L, 1, "role(r)"), 0; }

void put_values(lua_State* L, Message& m) {
  if (lua_isnoneornil(L, 2)) return;
  if (const V3* const v = to_vector(L, 2)) {
    m.count = 3;
    m.values = {v->x, v->y, v->z};
  } else if (lua_type(L, 2) == LUA_TTABLE) {
    const lua_Integer n = list_length(L, 2);
    if (n > static_cast<lua_Integer>(Message::kMost))
      raise(L, lua_pushfstring(L, "say: a message has at most 12 numbers, this one %I", static_cast<LUAI_UACINT>(n)));
    for (lua_Integer i = 1; i <= n; ++i) {
      lua_geti(L, 2, i);
      m.values[m.count++] = check_number(L, -1, "say(topic, {numbers}, to): a value");
      lua_pop(L, 1);
    }
  } else {
    raise(L, "say(topic, {numbers}, to): the second argument is a list of numbers, or a vector");
  }
  for (std::uint32_t i = 0; i < m.count; ++i)
    if (!std::isfinite(m.values[i])) raise(L, "say: a number is not finite");
}

int say(lua_State* L) {
  Shard& s = acting(L, "say");
  if (lua_type(L, 1) != LUA_TSTRING) raise(L, "say(topic, {numbers}, to): the topic is a string");
  if (s.said.size() >= kMostMessages) raise(L, "say: more than 64 messages in one decision");
  std::size_t n = 0;
  const char* const name = lua_tolstring(L, 1, &n);
  Message m{.topic = swarm::topic({name, n})};
  if (m.topic == kStateTopic) raise(L, "say: the topic 'state' is sent by the node itself; choose another");
  put_values(L, m);
  if (!lua_isnoneornil(L, 3)) {
    int whole = 0;
    m.to = static_cast<std::uint64_t>(lua_tointegerx(L, 3, &whole));
    if (whole == 0) raise(L, "say(topic, {numbers}, to): the receiver is an id, such as other.id");
  }
  if (lua_isboolean(L, 4) && !lua_toboolean(L, 4)) {
    m.from = kNoId;
  } else if (!lua_isnoneornil(L, 4)) {
    int whole = 0;
    m.from = static_cast<std::uint64_t>(lua_tointegerx(L, 4, &whole));
    if (whole == 0 || m.from == kOwnId || m.from == kNoId) raise(L, "say(topic, {numbers}, to, from): from is an id, such as other.id, or false for a message without a sender");
  }
  s.said.push_back(m);
  return 0;
}

// a number in [0, 1), or between two
int random(lua_State* L) {
  Shard& s = shard_of(L);
  if (s.sense == nullptr) raise(L, "random() can be called while deciding only: the file is run once, for all agents");
  if (s.draws >= kMostDraws) raise(L, "random: more than 256 draws in one decision");
  const double low = lua_isnoneornil(L, 1) ? 0 : check_number(L, 1, "random(low, high)");
  const double high = lua_isnoneornil(L, 1) ? 1 : check_number(L, 2, "random(low, high)");
  lua_pushnumber(L, low + (high - low) * s.sense->uniform(s.draws++));
  return 1;
}

}  // namespace

double check_number(lua_State* L, int index, const char* what) {
  if (lua_type(L, index) != LUA_TNUMBER) raise(L, lua_pushfstring(L, "%s: a number was expected, not a %s", what, luaL_typename(L, index)));
  const double x = lua_tonumber(L, index);
  if (!std::isfinite(x)) raise(L, lua_pushfstring(L, "%s: a number is not finite", what));
  return x;
}

void add_actions(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {{"fly", fly},   {"go_to", go_to},   {"take_off", take_off}, {"hold", hold}, {"land", land},     {"disarm", disarm},
                                     {"turn", turn}, {"reward", reward}, {"role", role},         {"say", say},   {"random", random}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace volary::swarm::script
