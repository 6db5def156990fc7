// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The visitor of describe lists (core/describe.hpp) that fills a struct from YAML. Every fault becomes an Error with file, line, column,
// field path and a suggestion. Reading goes on after it: a field that is at fault keeps its default.
//
// Beyond the list in core/describe.hpp it reads std::optional<T> and core::Nested<T> (absent stays empty) and lists of texts.
// A field with unit "rad" may be written in degrees under its name with `_deg` appended.
// Bounds of numbers and arrays are bounds of each number; bounds of every other list are its length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/describe.hpp"
#include "core/faults.hpp"
#include "core/numbers.hpp"
#include "core/nested.hpp"
#include "core/result.hpp"
#include "scenario/node.hpp"

namespace volary::scenario {

template <class T> struct IsArray : std::false_type {};
template <std::size_t N> struct IsArray<std::array<double, N>> : std::true_type {};
template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsNested : std::false_type {};
template <class T> struct IsNested<core::Nested<T>> : std::true_type {};

template <class T> inline constexpr bool kIsPlain = std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> ||
                                                    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double> || std::is_same_v<T, std::string>;
template <class T> inline constexpr bool kIsNumbers = std::is_same_v<T, double> || IsArray<T>::value;

// an angle that may be written in degrees
template <class T> bool takes_degrees(const core::Info& info) {
  if constexpr (IsOptional<T>::value)
    return takes_degrees<typename T::value_type>(info);
  else
    return kIsNumbers<T> && std::string_view(info.unit) == "rad";
}

// visitor: the keys that a struct knows
struct KnownKeys {
  std::vector<std::string> names;

  template <class T> void field(const char* name, const T&, const core::Info& info) {
    names.emplace_back(name);
    if (takes_degrees<T>(info)) names.push_back(std::string(name) + "_deg");
  }
};

class YamlReader {
 public:
  explicit YamlReader(const Tree& tree) : tree_(tree) {}

  // what read() found, with the path of each field
  const core::Faults& faults() const { return faults_; }

  // fills `d` from the root of the tree; `also` are keys that somebody else reads
  template <class D> core::Status read(D& d, const std::vector<std::string>& also = {}) {
    read_struct(tree_.root, d, also);
    return faults_.status();
  }

  template <class T> void field(const char* name, T& value, const core::Info& info) {
    if (faults_.is_full()) return;
    const std::size_t length = enter(name);
    const Node* node = map_->find(name);
    if (takes_degrees<T>(info))
      read_angle(node, std::string(name) + "_deg", value, info);
    else if (node != nullptr)
      read_value(*node, value, info);
    else if (info.required)
      missing(name);
    path_.resize(length);
  }

 private:
  template <class D> void read_struct(const Node& node, D& d, const std::vector<std::string>& also) {
    KnownKeys known;
    describe(std::as_const(d), known);
    known.names.insert(known.names.end(), also.begin(), also.end());
    const std::size_t faults = faults_.size();
    if (!accept_map(node, known.names)) return;
    const Node* outer = std::exchange(map_, &node);
    // what is missing may be there under a name with a slip in it
    const bool outer_misnamed = std::exchange(is_misnamed_, faults_.size() > faults);
    describe(d, *this);
    map_ = outer;
    is_misnamed_ = outer_misnamed;
  }

  template <class T> void read_value(const Node& node, T& value, const core::Info& info) {
    if constexpr (kIsPlain<T>) {
      read_plain(node, value, info);
    } else if constexpr (std::is_enum_v<T>) {
      const int index = read_choice(node, names(T{}));
      if (index >= 0) value = static_cast<T>(index);
    } else if constexpr (IsArray<T>::value) {
      read_numbers(node, value, info, 1);
    } else if constexpr (IsOptional<T>::value || IsNested<T>::value) {
      read_value(node, value.emplace(), info);
    } else if constexpr (std::is_same_v<T, core::Numbers>) {
      read_named(node, value, info);
    } else if constexpr (IsVector<T>::value) {
      read_list(node, value, info);
    } else {
      read_struct(node, value, {});
    }
  }

  template <class T> void read_list(const Node& node, std::vector<T>& list, const core::Info& info) {
    // bounds are the length of the list, except that a list of numbers bounds its numbers
    constexpr bool kBoundsNumbers = std::is_same_v<T, double>;
    if (!accept_list(node, kBoundsNumbers ? core::Info{} : info)) return;
    core::Info item_info;
    if (kBoundsNumbers) item_info = info;
    item_info.unit = info.unit;
    list.clear();
    list.resize(node.items.size());
    for (std::size_t i = 0; i < list.size() && !faults_.is_full(); ++i) {
      const std::size_t length = path_.size();
      path_ += "[" + std::to_string(i) + "]";
      read_value(node.items[i], list[i], item_info);
      path_.resize(length);
    }
  }

  // an angle in radians under its name, or in degrees under its name with _deg
  template <class T> void read_angle(const Node* radians, const std::string& name_deg, T& value, const core::Info& info) {
    const Node* degrees = map_->find(name_deg);
    if (degrees != nullptr && radians != nullptr) return fail(*degrees, "is given in degrees and in radians", "keep one of the two");
    if (radians != nullptr) return read_value(*radians, value, info);
    if (degrees == nullptr) {
      if (info.required) missing(name_deg.substr(0, name_deg.size() - 4));
      return;
    }
    path_ += "_deg";
    if constexpr (IsOptional<T>::value)
      read_degrees(*degrees, value.emplace(), info);
    else
      read_degrees(*degrees, value, info);
  }
  template <class T> void read_degrees(const Node& node, T& value, const core::Info& info) {
    if constexpr (std::is_same_v<T, double>)
      read_number(node, value, info, kRadiansPerDegree);
    else if constexpr (IsArray<T>::value)
      read_numbers(node, value, info, kRadiansPerDegree);
  }

  void read_plain(const Node& node, bool& value, const core::Info& info);
  void read_plain(const Node& node, int& value, const core::Info& info);
  void read_plain(const Node& node, std::int64_t& value, const core::Info& info);
  void read_plain(const Node& node, std::uint64_t& value, const core::Info& info);
  void read_plain(const Node& node, double& value, const core::Info& info) { read_number(node, value, info, 1); }
  void read_plain(const Node& node, std::string& value, const core::Info& info);

  // `scale` is what one unit of the file is in the unit of the struct
  void read_number(const Node& node, double& value, const core::Info& info, double scale);
  void read_named(const Node& node, core::Numbers& value, const core::Info& info);
  void read_numbers(const Node& node, std::span<double> values, const core::Info& info, double scale);
  int read_choice(const Node& node, std::span<const char* const> choices);
  bool accept_map(const Node& node, const std::vector<std::string>& known);
  bool accept_list(const Node& node, const core::Info& info);

  std::size_t enter(std::string_view name);
  void missing(std::string_view name);
  void fail(const Node& node, std::string message, std::string suggestion = "") { fail(node.where, std::move(message), std::move(suggestion)); }
  void fail(Where where, std::string message, std::string suggestion);

  static constexpr double kRadiansPerDegree = 0.017453292519943295;

  const Tree& tree_;
  const Node* map_ = nullptr;  // whose fields are being read
  std::string path_;           // of the field being read
  bool is_misnamed_ = false;   // the map has keys that nobody knows
  core::Faults faults_;
};

// "at least 1e-4 kg", "between 0 and 1": the range of a field in words, or empty
std::string range_text(const core::Info& info, double scale = 1, std::string_view unit = "");

}  // namespace volary::scenario
