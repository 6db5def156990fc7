// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/process_facts.hpp"

#include <algorithm>
#include <fstream>

#include <unistd.h>

#include "cluster/message.hpp"

namespace volary::cluster {

std::uint64_t memory_used() {
  std::ifstream in("/proc/self/smaps_rollup");
  std::string word;
  while (in >> word)
    if (std::uint64_t kilobytes = 0; word == "Pss:" && in >> kilobytes) return kilobytes * 1024;
  return 0;
}

std::string machine_name() {
  char name[kMaxHostName + 1] = {};
  if (::gethostname(name, kMaxHostName) != 0) return {};
  std::string text = name;
  std::replace_if(text.begin(), text.end(), [](char c) { return c <= ' ' || c >= 127; }, '_');
  return text;
}

}  // namespace volary::cluster
