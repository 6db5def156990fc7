// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_plan.hpp"

#include <algorithm>
#include <charconv>

namespace volary::cli {

namespace {

core::Error wrong(std::string message, std::string suggestion = "") {
  core::Error error;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

bool parse_whole(std::string_view text, std::uint64_t& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && code == std::errc() && end == text.data() + text.size();
}

// at commas that are in no bracket and no quote
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (c == ',' && depth == 0 && quote == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

core::Result<std::vector<std::uint64_t>> parse_seeds(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  for (const std::string& part : split(text)) {
    const std::size_t dots = part.find("..");
    std::uint64_t first = 0, last = 0;
    const bool good =
        dots == std::string::npos ? parse_whole(part, first) : parse_whole(part.substr(0, dots), first) && parse_whole(part.substr(dots + 2), last);
    if (dots == std::string::npos) last = first;
    if (!good) return wrong("--seeds: '" + part + "' is neither a whole number nor a range", "write 1..20, or 1,4,7..9");
    if (last < first) return wrong("--seeds: the range '" + part + "' ends before it begins");
    if (last - first >= kMostRuns) return wrong("--seeds: the range '" + part + "' has more than a million seeds");
    for (std::uint64_t k = 0; k <= last - first; ++k) seeds.push_back(first + k);
  }
  std::sort(seeds.begin(), seeds.end());
  const auto twice = std::adjacent_find(seeds.begin(), seeds.end());
  if (twice != seeds.end()) return wrong("--seeds: " + std::to_string(*twice) + " is given twice");
  return seeds;
}

core::Result<Axis> parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return wrong("--set: '" + text + "' has no path", "write path=value,value,...");
  Axis axis{text.substr(0, equals), split(text.substr(equals + 1))};
  if (axis.path == "seed") return wrong("--set: the seed is not a parameter", "use --seeds");
  for (std::size_t k = 0; k < axis.values.size(); ++k) {
    if (axis.values[k].empty()) return wrong("--set: '" + text + "' has an empty value");
    const auto end = axis.values.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(axis.values.begin(), end, axis.values[k]) != end) return wrong("--set: " + axis.path + " is given the value " + axis.values[k] + " twice");
  }
  return axis;
}

std::size_t BatchPlan::n_combinations() const {
  std::size_t n = 1;
  for (const Axis& axis : axes) n = std::min(kMostRuns + 1, n * axis.values.size());
  return n;
}

std::vector<std::string> BatchPlan::combination(std::size_t index) const {
  std::vector<std::string> sets(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; index /= axes[k].values.size()) sets[k] = axes[k].path + "=" + axes[k].values[index % axes[k].values.size()];
  return sets;
}

std::string label_of(const std::vector<std::string>& combination) {
  std::string label;
  for (const std::string& set : combination) label += (label.empty() ? "" : " ") + set;
  return label.empty() ? "unchanged" : label;
}

}  // namespace volary::cli
