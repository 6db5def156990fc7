// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/caret.hpp"

#include <cstddef>

namespace volary::swarm::script {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

// the end of a long bracket [[...]] or [==[...]==] that begins here, or kNone when none does
std::size_t skip_long(std::string_view text, std::size_t at) {
  std::size_t open = at + 1;
  while (open < text.size() && text[open] == '=') ++open;
  if (open >= text.size() || text[at] != '[' || text[open] != '[') return kNone;
  const std::size_t level = open - at - 1;
  for (std::size_t i = text.find(']', open); i != kNone; i = text.find(']', i + 1)) {
    std::size_t end = i + 1;
    while (end < text.size() && text[end] == '=') ++end;
    if (end < text.size() && text[end] == ']' && end - i - 1 == level) return end + 1;
  }
  return text.size();
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  for (; i < text.size() && text[i] != text[at]; ++i) {
    if (text[i] != '\\') {
      if (text[i] == '\n') return i;  // not closed: Lua will say so
      continue;
    }
    // \z skips the white space that follows, lines included
    if (++i < text.size() && text[i] == 'z')
      while (i + 1 < text.size() && (text[i + 1] == ' ' || (text[i + 1] >= '\t' && text[i + 1] <= '\r'))) ++i;
  }
  return i + 1;
}

}  // namespace

std::size_t skip_token(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '-' && text.substr(at).starts_with("--")) {
    const std::size_t block = at + 2 < text.size() ? skip_long(text, at + 2) : kNone;
    return block != kNone ? block : text.find('\n', at);
  }
  if (c == '"' || c == '\'') return skip_string(text, at);
  const std::size_t block = c == '[' ? skip_long(text, at) : kNone;
  return block != kNone ? block : at + 1;
}

int find_caret(std::string_view text) {
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '^') return line;
    const std::size_t end = skip_token(text, at);
    for (; at < text.size() && at < end; ++at) line += text[at] == '\n' ? 1 : 0;
  }
  return 0;
}

}  // namespace volary::swarm::script
