// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a decision leaves for people who debug a behaviour: lines of text and named numbers (docs/scripts.md). They are no part of the
// state: nothing that flies depends on them, and the hash does not see them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace volary::swarm {

struct Notes {
  static constexpr std::size_t kMostLines = 8;        // of one decision
  static constexpr std::size_t kMostLineBytes = 200;  // of one line; the rest is cut off
  static constexpr std::size_t kMostValues = 16;      // names of one decision
  static constexpr std::size_t kMostNameBytes = 32;

  struct Value {
    std::string name;
    double value = 0;
  };

  std::vector<std::string> lines;
  std::size_t dropped = 0;  // lines beyond kMostLines
  std::vector<Value> values;

  bool empty() const { return lines.empty() && values.empty(); }
  void clear();
  void log(std::string_view text);
  // of equal names the last value counts; why it is refused, or nothing
  std::string plot(std::string_view name, double value);
};

// one line of UTF-8 of at most so many bytes: control characters become blanks, and bytes that are no UTF-8 question marks
std::string plain_line(std::string_view text, std::size_t most);

}  // namespace volary::swarm
