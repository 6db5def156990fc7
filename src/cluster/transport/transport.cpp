// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/transport.hpp"

#include <chrono>

namespace volary::cluster {

const char* name_of(LinkDrop reason) {
  static constexpr std::array<const char*, kLinkDrops> kNames = {"none",     "queue_full",  "too_large",      "bad_topic", "not_connected",
                                                             "refused",  "unreachable", "foreign",        "malformed", "unauthentic",
                                                             "replayed", "incomplete",  "unacknowledged", "system"};
  return kNames[static_cast<std::size_t>(reason)];
}

const char* name_of(LinkReport state) {
  static constexpr const char* kNames[] = {"connecting", "up", "down", "closed"};
  return kNames[static_cast<std::size_t>(state)];
}

std::int64_t monotonic_ns() { return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool is_topic(std::string_view topic) {
  return !topic.empty() && topic.size() <= kMaxTopic && topic.find_first_of(std::string_view("+#\0", 3)) == std::string_view::npos;
}

namespace {
// the level at the front of `rest`, which is cut off; `more` says whether another follows
std::string_view next_level(std::string_view& rest, bool& more) {
  const std::size_t slash = rest.find('/');
  const std::string_view level = rest.substr(0, slash);
  more = slash != std::string_view::npos;
  rest = more ? rest.substr(slash + 1) : std::string_view();
  return level;
}
}  // namespace

bool is_pattern(std::string_view pattern) {
  if (pattern.empty() || pattern.size() > kMaxTopic || pattern.find('\0') != std::string_view::npos) return false;
  for (bool more = true; more;) {
    const std::string_view level = next_level(pattern, more);
    // a wildcard is a level of its own, and nothing follows '#'
    if (level.find_first_of("+#") != std::string_view::npos && level.size() > 1) return false;
    if (level == "#" && more) return false;
  }
  return true;
}

bool topic_matches(std::string_view pattern, std::string_view topic) {
  // wildcards do not reach the broker's own topics
  if (!topic.empty() && topic.front() == '$' && (pattern.empty() || pattern.front() != '$')) return false;
  for (bool more_pattern = true, more_topic = true;;) {
    const std::string_view wanted = next_level(pattern, more_pattern), level = next_level(topic, more_topic);
    if (wanted == "#") return true;
    if (wanted != "+" && wanted != level) return false;
    // "a/#" stands for "a" too
    if (!more_topic) return !more_pattern || pattern == "#";
    if (!more_pattern) return false;
  }
}

}  // namespace volary::cluster
