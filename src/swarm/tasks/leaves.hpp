// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The conditions at the ends of a task's tree, each as a function of the facts and of what it remembers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "swarm/metrics.hpp"
#include "swarm/tasks/facts.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary::swarm {

// Whether a condition holds now, and whether that can change: Never is a No, and ForGood a Yes, that stays.
enum class Verdict : std::uint32_t { No, Yes, Never, ForGood };
constexpr bool is_yes(Verdict v) { return v == Verdict::Yes || v == Verdict::ForGood; }

// a verdict and the figures behind it
struct Look {
  Verdict verdict = Verdict::No;
  std::uint32_t count = 0, of = 0, needed = 0;  // how many satisfy it, of how many, and how many must; of a formation: how many have crashed
  double measure = std::numeric_limits<double>::infinity();  // what the condition measures; of missing vehicles the nearest
};

// a condition in Lua: its program, and what it remembers
struct ScriptLeaf {
  std::shared_ptr<TaskScript> program = nullptr;
  std::vector<std::byte> memory = {};
  std::vector<char> said = {};    // at the last look: words for people
  std::uint32_t broken = 0;  // it failed, and is asked no more
};

// what a leaf keeps from look to look
struct LeafMemory {
  std::vector<std::uint64_t>& who;  // ids of those who have heard or seen, sorted
  CoverageGrid* grid;               // of coverage, else none
  bool& happened;                   // an event
  ScriptLeaf* script = nullptr;     // of a condition in Lua, else none
};

Look look_at(const Predicate::Reached& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::InRegion& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Altitude& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Tracking& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::SpeedBelow& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::ModeIs& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Alive& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Heard& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Detected& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Apart& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Covered& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::OrderAbove& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Connected& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Formation& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::TimeAfter& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Happened& p, const Facts& facts, LeafMemory& memory);
Look look_at(const Predicate::Scripted& p, const Facts& facts, LeafMemory& memory);

// the look in words: "3 of 4 arrived; nearest missing 0.42 m"
std::string words_of(const Predicate::Test& test, const Look& look);

}  // namespace volary::swarm
