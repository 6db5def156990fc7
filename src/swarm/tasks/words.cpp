// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a condition saw, in words for people.
#include <cstdio>

#include "swarm/tasks/leaves.hpp"

namespace volary::swarm {

namespace {

bool is_finite(double x) { return x - x == 0; }

std::string number(double x, const char* unit = "") {
  char text[48];
  std::snprintf(text, sizeof text, "%.2f%s", x, unit);
  return text;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

// "3 of 4 arrived", and of the missing the nearest
std::string tally(const Look& l, const char* done, const char* missing = "", const char* unit = "") {
  std::string text = std::to_string(l.count) + " of " + std::to_string(l.of) + " " + done;
  if (l.needed != l.of && l.needed != 0) text += " (" + std::to_string(l.needed) + " needed)";
  if (*missing != '\0' && !is_yes(l.verdict) && is_finite(l.measure)) text += std::string("; ") + missing + " " + number(l.measure, unit);
  return text;
}

struct Words {
  const Look& l;

  std::string operator()(const Predicate::Reached&) const { return tally(l, "arrived", "nearest missing", " m"); }
  std::string operator()(const Predicate::InRegion& p) const { return tally(l, p.inside ? "inside" : "outside"); }
  std::string operator()(const Predicate::Altitude& p) const { return tally(l, p.above ? "above" : "below", "nearest misses by", " m"); }
  std::string operator()(const Predicate::Tracking& p) const {
    return tally(l, "on their paths", "nearest of the others", " m") + ", " + number(p.within, " m") + " allowed";
  }
  std::string operator()(const Predicate::SpeedBelow&) const { return tally(l, "slow enough", "slowest of the others", " m/s"); }
  std::string operator()(const Predicate::ModeIs&) const { return tally(l, "in that mode"); }
  std::string operator()(const Predicate::Alive&) const { return tally(l, "alive"); }
  std::string operator()(const Predicate::Heard&) const { return tally(l, "have heard it"); }
  std::string operator()(const Predicate::Detected&) const { return tally(l, "have seen it"); }
  std::string operator()(const Predicate::Apart& p) const {
    if (!is_finite(l.measure)) return is_yes(l.verdict) ? "fewer than two vehicles" : "no vehicle flies";
    return "nearest two " + number(l.measure, " m") + " apart, " + number(p.distance, " m") + " wanted";
  }
  std::string operator()(const Predicate::Covered& p) const { return percent(l.measure) + " covered, " + percent(p.share) + " wanted"; }
  std::string operator()(const Predicate::OrderAbove& p) const { return "order " + number(l.measure) + ", above " + number(p.order) + " wanted"; }
  std::string operator()(const Predicate::Connected&) const {
    if (is_yes(l.verdict)) return "all " + std::to_string(l.of) + " connected";
    return "in " + std::to_string(l.needed) + " components, the largest with " + std::to_string(l.count) + " of " + std::to_string(l.of);
  }
  std::string operator()(const Predicate::Formation& p) const {
    const std::string crashed = l.count > 0 ? std::to_string(l.count) + " crashed; " : "";
    if (!is_finite(l.measure)) return crashed + "no vehicle is there";
    return crashed + "worst " + number(l.measure, " m") + " from its place, " + number(p.within, " m") + " allowed";
  }
  std::string operator()(const Predicate::TimeAfter& p) const { return "at " + number(l.measure, " s") + ", " + number(p.time, " s") + " awaited"; }
  std::string operator()(const Predicate::Happened& p) const {
    const bool happened = p.wanted == is_yes(l.verdict);
    return "'" + p.event + (happened ? "' happened" : "' has not happened");
  }
  template <class T> std::string operator()(const T&) const { return ""; }  // combinators speak for their parts
};

}  // namespace

std::string words_of(const Predicate::Test& test, const Look& look) { return std::visit(Words{look}, test); }

}  // namespace volary::swarm
