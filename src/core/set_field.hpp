// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The visitor of describe lists (core/describe.hpp) that sets one field, named by its path, from a text as a file would have it:
//
//   set_field(radio, "loss", "0.2")        set_field(params, "velocity", "[1, 0, 0]")        set_field(node, "estimate.position_noise", "0.5")
//
// A field with unit "rad" is also known in degrees under its name with `_deg` appended. What is wrong is an Error that names the field; the
// struct is as it was then. A list keeps its length: somebody may remember a place in it. Lists of structs are not set this way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"

namespace volary::core {

// numbers as files write them; "[1, 2, 3]" as its items; false or nothing: it is none
bool parse_number(std::string_view text, double& value);
std::optional<std::vector<std::string_view>> parse_list(std::string_view text);
// "between 0 and 1 m", or empty
std::string range_in_words(const Info& info, double scale = 1);

template <class T> inline constexpr bool kIsArray = false;
template <std::size_t N> inline constexpr bool kIsArray<std::array<double, N>> = true;

class FieldSetter {
 public:
  FieldSetter(std::string_view path, std::string_view text);

  template <class T> void field(const char* name, T& value, const Info& info) {
    known_.emplace_back(name);
    const bool in_degrees = takes_degrees<T>() && std::string_view(info.unit) == "rad" && head_ == std::string(name) + "_deg";
    if (in_degrees || head_ == name) set(value, info, in_degrees ? kRadiansPerDegree : 1), found_ = true;
  }

  // what became of it; the error names the field from here on
  Status finish() const;

 private:
  template <class T> static constexpr bool takes_degrees() { return std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>> || kIsArray<T>; }

  template <class T> void set(T& value, const Info& info, double scale) {
    constexpr bool kWhole = std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
    if constexpr (requires { describe(value, *this); }) {
      set_within(value);
    } else if (!rest_.empty()) {
      fail("has no fields of its own", "");
    } else if constexpr (std::is_same_v<T, double>) {
      set_number(value, text_, info, scale);
    } else if constexpr (std::is_same_v<T, std::optional<double>>) {
      double read = 0;
      if (set_number(read, text_, info, scale)) value = read;
    } else if constexpr (std::is_same_v<T, bool>) {
      set_bool(value);
    } else if constexpr (kWhole) {
      double read = 0;
      if (set_whole(read, info, std::is_unsigned_v<T>)) value = static_cast<T>(read);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = text_;
    } else if constexpr (std::is_enum_v<T>) {
      const int index = choose(names(T{}));
      if (index >= 0) value = static_cast<T>(index);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      set_array(value, text_, info, scale);
    } else if constexpr (kIsArray<T>) {
      set_array(value, text_, info, scale);
    } else if constexpr (std::is_same_v<T, std::vector<std::array<double, 3>>>) {
      set_points(value);
    } else {
      fail("cannot be changed like this", "");
    }
  }
  template <class D> void set_within(D& value) {
    if (rest_.empty()) return fail("has fields of its own", "");
    FieldSetter inner(rest_, text_);
    describe(value, inner);
    if (const Status done = inner.finish(); !done) {
      error_ = done.error();
      error_->field = head_ + "." + error_->field;
    }
  }

  bool set_number(double& value, std::string_view text, const Info& info, double scale);
  bool set_whole(double& value, const Info& info, bool is_unsigned);
  void set_bool(bool& value);
  bool set_array(std::span<double> values, std::string_view text, const Info& info, double scale);
  void set_points(std::vector<std::array<double, 3>>& values);
  int choose(std::span<const char* const> choices);
  void fail(std::string message, std::string suggestion);

  static constexpr double kRadiansPerDegree = 0.017453292519943295;

  std::string head_, rest_, text_;  // the first name of the path, the others, the value
  bool found_ = false;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

// the struct is a copy that replaces the old one only when all went well
template <class D> Status set_field(D& d, std::string_view path, std::string_view text) {
  D changed = d;
  FieldSetter setter(path, text);
  describe(changed, setter);
  Status done = setter.finish();
  if (done) d = std::move(changed);
  return done;
}

}  // namespace volary::core
