// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/suggest.hpp"

#include <algorithm>

namespace volary::core {

namespace {

// words longer than this are compared by their beginning: the table below is quadratic
constexpr std::size_t kMaxWord = 64;
// a longer list of known words helps nobody
constexpr std::size_t kMaxListed = 40;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kMaxWord);
  b = b.substr(0, kMaxWord);

  // three rows of the optimal-string-alignment table: two back for swaps of neighbours
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    // a third of the letters may be wrong, at least one
    const std::size_t limit = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    const std::size_t distance = edit_distance(word, candidate);
    if (distance > limit || distance >= candidate.size()) continue;
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const std::string best = nearest(word, known);
  if (!best.empty()) return "did you mean '" + best + "'?";

  std::string list = "known: ";
  for (std::size_t i = 0; i < known.size() && i < kMaxListed; ++i) list += (i == 0 ? "" : ", ") + known[i];
  if (known.size() > kMaxListed) list += ", ...";
  return list;
}

}  // namespace volary::core
