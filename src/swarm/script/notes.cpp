// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/notes.hpp"

#include <algorithm>
#include <cmath>

namespace volary::swarm {

namespace {

constexpr std::string_view kCut = "...";

bool is_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// bytes of the character that begins here; 0: these bytes are no UTF-8
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const std::size_t n = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(at + k) & 0xc0) != 0x80) return 0;
  // longer than needed, half of a surrogate pair, beyond the last character
  const unsigned second = byte(at + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
  return n;
}

}  // namespace

std::string plain_line(std::string_view text, std::size_t most) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t n = character_at(text, at);
    const bool control = n == 1 && (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7f);
    const std::string_view shown = n == 0 ? "?" : control ? " " : text.substr(at, n);
    if (line.size() + shown.size() > most) {
      while (line.size() + kCut.size() > most) {
        while ((static_cast<unsigned char>(line.back()) & 0xc0) == 0x80) line.pop_back();
        line.pop_back();
      }
      return line.append(kCut);
    }
    line.append(shown);
    at += std::max<std::size_t>(n, 1);
  }
  return line;
}

void Notes::clear() {
  lines.clear();
  dropped = 0;
  values.clear();
}

void Notes::log(std::string_view text) {
  if (lines.size() < kMostLines)
    lines.push_back(plain_line(text, kMostLineBytes));
  else
    ++dropped;
}

std::string Notes::plot(std::string_view name, double value) {
  if (!is_name(name) || name.size() > kMostNameBytes)
    return "'" + plain_line(name, kMostNameBytes) + "' is not a name: use at most 32 letters, digits and _, such as gap_m";
  if (!std::isfinite(value)) return "the value of '" + std::string(name) + "' is not a finite number";
  const auto known = std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.name == name; });
  if (known != values.end()) return known->value = value, "";
  if (values.size() >= kMostValues) return "more than 16 names in one decision: '" + std::string(name) + "'";
  values.push_back({std::string(name), value});
  return "";
}

}  // namespace volary::swarm
