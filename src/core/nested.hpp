// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A part that may be absent and may be of the type that holds it: what std::optional cannot be. Copies are deep.
#pragma once

#include <vector>

namespace volary::core {

template <class T> class Nested {
 public:
  using value_type = T;

  bool has_value() const { return !one_.empty(); }
  explicit operator bool() const { return has_value(); }
  T& emplace() {
    one_.clear();
    return one_.emplace_back();
  }
  Nested& operator=(T value) {
    one_.clear();
    one_.push_back(std::move(value));
    return *this;
  }
  T& operator*() { return one_.front(); }
  const T& operator*() const { return one_.front(); }
  T* operator->() { return one_.data(); }
  const T* operator->() const { return one_.data(); }

 private:
  std::vector<T> one_;  // none or one
};

}  // namespace volary::core
