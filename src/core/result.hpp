// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or an error that a user, a file or a network caused.
// check() and require() are for what only a programmer can cause.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/check.hpp"

namespace volary::core {

// where in which file, and what to do about it; line and column count from 1, 0 means unknown
struct Error {
  std::string message = {};
  std::string file = {};
  int line = 0;
  int column = 0;
  std::string field = {};       // path of the field, such as flocks[0].airframe
  std::string suggestion = {};  // "did you mean ...?", or empty
  bool quotes_file = false;     // its words tell what is in a file that the text at `field` names
  std::vector<Error> others = {};  // faults that were found together with this one (core/faults.hpp), without others of their own

  std::string text() const;  // file:line:column: field: message (suggestion); a line for each of the others
};

template <class T> class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& value() & { return require_value(), std::get<0>(content_); }
  const T& value() const& { return require_value(), std::get<0>(content_); }
  T&& value() && { return require_value(), std::get<0>(std::move(content_)); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  void require_value() const {
    if (content_.index() != 0) require(false, error().text().c_str());
  }
  std::variant<T, Error> content_;
};

struct Nothing {};
using Status = Result<Nothing>;
inline Status ok() { return Status(Nothing{}); }

}  // namespace volary::core
