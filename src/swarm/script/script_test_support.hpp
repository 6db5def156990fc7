// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small scripts in one line, and an agent to run them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "swarm/script/lua_behaviour.hpp"

namespace volary::swarm {

inline std::unique_ptr<Script> load(const std::string& text, const ScriptLimits& limits = {}) {
  auto r = Script::load(text, "test.lua", 2, limits);
  if (!r) {
    ADD_FAILURE() << r.error().text();
    return nullptr;
  }
  return std::move(r).value();
}
inline std::string load_error(const std::string& text, const ScriptLimits& limits = {}) {
  auto r = Script::load(text, "test.lua", 2, limits);
  return r ? "" : r.error().text();
}
inline std::string example(const std::string& name) {
  std::ifstream file(std::string(VOLARY_SOURCE_DIR) + "/examples/behaviours/" + name);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

// an agent in the air at (1, 2, 3) that flies east
struct Agent {
  std::vector<Known> others;
  std::vector<Message> heard, said;
  std::vector<Detection> seen;
  std::vector<std::byte> memory;
  ScriptParams params;
  Sense sense;

  Agent() {
    sense.self = 7;
    sense.tick = 100;
    sense.time = 1;
    sense.position = {1, 2, 3};
    sense.velocity = {4, 0, 0};
    sense.key = math::world_key(42, 0);
  }
  Script::Outcome decide(Script& s, double threshold = 0, std::size_t shard = 0) {
    sense.others = others;
    sense.messages = heard;
    sense.detections = seen;
    said.clear();
    Outbox out(said);
    return s.decide(shard, sense, params, memory, out, threshold);
  }
};

// runs `body` as act(me) and gives what it flies
inline Action act(const std::string& body, Agent agent = {}) {
  auto s = load("function act(me)\n" + body + "\nend");
  if (!s) return {};
  const auto o = agent.decide(*s);
  EXPECT_TRUE(o.ok) << o.error;
  return o.action;
}
inline std::string act_error(const std::string& body, const ScriptLimits& limits = {}) {
  // what the text shows is refused when it is read
  const std::string refused = load_error("function act(me)\n" + body + "\nend", limits);
  if (!refused.empty()) return refused;
  auto s = load("function act(me)\n" + body + "\nend", limits);
  Agent agent;
  const auto o = agent.decide(*s);
  EXPECT_FALSE(o.ok);
  EXPECT_EQ(o.action.kind, Action::Kind::None);
  // another agent of the same shard is not bothered
  auto good = agent;
  EXPECT_EQ(o.error, good.decide(*s).error);
  return o.error;
}
inline double number(const std::string& expression, const Agent& agent = {}) { return act("fly(" + expression + ", 0, 0)", agent).velocity.x; }

inline void expect_mentions(const std::string& error, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(error.find(word), std::string::npos) << "'" << word << "' in: " << error;
}

}  // namespace volary::swarm
