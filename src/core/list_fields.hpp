// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The visitor of describe lists (core/describe.hpp) that lists the fields which set_field() can set, with their values as set_field() reads them.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/set_field.hpp"

namespace volary::core {

struct ListedField {
  std::string path, value;
  Info info;
  std::vector<std::string> choices;  // of an enum or a bool
};

// the shortest digits that are read back as the same number
inline std::string in_shortest(double x) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, x).ptr};
}

class FieldLister {
 public:
  explicit FieldLister(std::string before = "") : before_(std::move(before)) {}

  template <class T> void field(const char* name, const T& value, const Info& info) {
    if constexpr (requires(T& t) { describe(t, *this); }) {
      FieldLister inner(before_ + name + ".");
      describe(const_cast<T&>(value), inner);
      list.insert(list.end(), inner.list.begin(), inner.list.end());
    } else if (std::optional<std::string> text = text_of(value)) {
      list.push_back({before_ + name, *std::move(text), info, choices_of(value)});
    }
  }

  std::vector<ListedField> list;

 private:
  template <class T> static std::optional<std::string> text_of(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return names(T{})[static_cast<std::size_t>(value)];
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value - value == 0 ? in_shortest(static_cast<double>(value)) : "";
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      return value ? in_shortest(*value) : "";
    } else if constexpr (kIsArray<T> || std::is_same_v<T, std::vector<double>> || std::is_same_v<T, std::vector<std::array<double, 3>>>) {
      std::string text;
      for (const auto& item : value) text += (text.empty() ? "" : ", ") + *text_of(item);
      return "[" + text + "]";
    } else {
      return std::nullopt;
    }
  }
  template <class T> static std::vector<std::string> choices_of(const T&) {
    if constexpr (std::is_same_v<T, bool>) {
      return {"false", "true"};
    } else if constexpr (std::is_enum_v<T>) {
      const auto all = names(T{});
      return {all.begin(), all.end()};
    } else {
      return {};
    }
  }
  std::string before_;
};

}  // namespace volary::core
