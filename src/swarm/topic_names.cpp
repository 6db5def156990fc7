// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/topic_names.hpp"

#include <cstdio>

#include "swarm/message.hpp"

namespace volary::swarm {

std::string topic_name(std::uint32_t number) {
  for (const char* name : {"state", "best", "bids", "call", "found", "here", "jobs", "news", "roster", "rows", "structure", "target", "visited", "work"})
    if (topic(name) == number) return name;
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(number));
  return digits;
}

}  // namespace volary::swarm
