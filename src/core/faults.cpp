// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/faults.hpp"

#include <algorithm>

namespace volary::core {

void Faults::add(Error error) {
  const std::vector<Error> others = std::exchange(error.others, {});
  if (!is_full()) list_.push_back(std::move(error));
  for (const Error& other : others) add(other);
}

Error Faults::error() const {
  require(!empty(), "an error of no faults");
  std::vector<Error> sorted(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(std::min(list_.size(), kMost)));
  // files in the order in which they were read; what has no line stays in front
  std::vector<std::string> files;
  const auto file_of = [&](const Error& e) { return std::find(files.begin(), files.end(), e.file) - files.begin(); };
  for (const Error& e : sorted)
    if (file_of(e) == static_cast<std::ptrdiff_t>(files.size())) files.push_back(e.file);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Error& a, const Error& b) {
    if (file_of(a) != file_of(b)) return file_of(a) < file_of(b);
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  Error first = std::move(sorted.front());
  first.others.assign(std::make_move_iterator(sorted.begin() + 1), std::make_move_iterator(sorted.end()));
  if (is_full()) first.others.push_back({.message = "there are more faults; the first " + std::to_string(kMost) + " are listed"});
  return first;
}

Error each_fault(Error error, const std::function<Error(Error)>& change) {
  std::vector<Error> others = std::exchange(error.others, {});
  Error changed = change(std::move(error));
  for (Error& other : others) changed.others.push_back(change(std::move(other)));
  return changed;
}

}  // namespace volary::core
