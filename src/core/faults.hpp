// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All faults of a file at once: a reader goes on after a fault and gathers what it finds, up to a bound.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace volary::core {

class Faults {
 public:
  static constexpr std::size_t kMost = 20;

  // with those that were found together with it
  void add(Error error);
  template <class T> void add(const Result<T>& result) {
    if (!result) add(result.error());
  }
  bool empty() const { return list_.empty(); }
  bool is_full() const { return list_.size() > kMost; }  // what comes after is not listed
  std::size_t size() const { return list_.size(); }
  const std::vector<Error>& list() const { return list_; }

  // the first one with the others, in the order of their places in each file
  Error error() const;
  Status status() const { return empty() ? ok() : Status(error()); }

 private:
  std::vector<Error> list_;
};

// the same change to an error and to the others
Error each_fault(Error error, const std::function<Error(Error)>& change);

}  // namespace volary::core
