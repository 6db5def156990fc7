// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

enum class Parsed { Number, NotFinite, NotANumber };

std::string lower(std::string_view text) {
  std::string s(text);
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return s;
}

// std::from_chars knows no locale; YAML also allows a leading plus
Parsed parse_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  const std::string word = lower(text);
  for (const char* name : {".inf", "-.inf", ".nan", "inf", "-inf", "nan", "-nan", "infinity", "-infinity"})
    if (word == name) return Parsed::NotFinite;
  double x = 0;
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, x);
  if (rest != end || code == std::errc::invalid_argument) return Parsed::NotANumber;
  if (code == std::errc::result_out_of_range) {
    // too small for a double is zero, too large is not finite
    const auto exponent = word.find('e');
    if (exponent == std::string::npos || exponent + 1 >= word.size() || word[exponent + 1] != '-') return Parsed::NotFinite;
    x = 0;
  }
  if (!std::isfinite(x)) return Parsed::NotFinite;
  value = x;
  return Parsed::Number;
}

// whole numbers exactly, and also written as 1e6 or 25.0
template <class I> bool parse_whole(std::string_view text, I& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  if (rest == end && code == std::errc()) return true;
  double x = 0;
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (parse_number(text, x) != Parsed::Number || std::abs(x) > kExact || x != std::floor(x)) return false;
  if (x < 0 && std::is_unsigned_v<I>) return false;
  if (x < static_cast<double>(std::numeric_limits<I>::min()) || x > static_cast<double>(std::numeric_limits<I>::max())) return false;
  value = static_cast<I>(x);
  return true;
}

bool outside(double value, const core::Info& info) { return value < info.min || value > info.max; }

std::string unit_suffix(std::string_view unit) { return unit.empty() || unit == "-" ? "" : fmt::format(" {}", unit); }

}  // namespace

std::string range_text(const core::Info& info, double scale, std::string_view unit) {
  const bool has_min = std::isfinite(info.min), has_max = std::isfinite(info.max);
  const std::string suffix = unit_suffix(unit.empty() ? std::string_view(info.unit) : unit);
  // %g: limits written in radians become round numbers in degrees again
  const auto limit = [scale](double x) { return fmt::format("{:.10g}", x / scale); };
  if (has_min && has_max) return fmt::format("between {} and {}{}", limit(info.min), limit(info.max), suffix);
  if (has_min) return fmt::format("at least {}{}", limit(info.min), suffix);
  if (has_max) return fmt::format("at most {}{}", limit(info.max), suffix);
  return "";
}

void YamlReader::read_plain(const Node& node, bool& value, const core::Info&) {
  const std::string word = node.kind == Node::Kind::Scalar && !node.quoted ? lower(node.text) : "";
  if (word == "true" || word == "yes" || word == "on")
    value = true;
  else if (word == "false" || word == "no" || word == "off")
    value = false;
  else
    fail(node, "expected true or false, found " + describe_node(node));
}

void YamlReader::read_plain(const Node& node, int& value, const core::Info& info) {
  core::Info bounds = info;
  bounds.min = std::max(bounds.min, static_cast<double>(std::numeric_limits<int>::min()));
  bounds.max = std::min(bounds.max, static_cast<double>(std::numeric_limits<int>::max()));
  std::int64_t wide = value;
  read_plain(node, wide, bounds);
  value = static_cast<int>(wide);
}

void YamlReader::read_plain(const Node& node, std::int64_t& value, const core::Info& info) {
  const bool is_number = node.kind == Node::Kind::Scalar && !node.quoted;
  std::int64_t read = 0;
  if (!is_number || !parse_whole(node.text, read)) {
    return fail(node, "expected a whole number, found " + describe_node(node), node.quoted ? "remove the quotes" : "");
  }
  if (outside(static_cast<double>(read), info)) return fail(node, fmt::format("{} is out of range: must be {}", read, range_text(info)));
  value = read;
}

void YamlReader::read_plain(const Node& node, std::uint64_t& value, const core::Info& info) {
  const bool is_number = node.kind == Node::Kind::Scalar && !node.quoted;
  std::uint64_t read = 0;
  if (!is_number || !parse_whole(node.text, read)) {
    return fail(node, "expected a whole number that is not negative, found " + describe_node(node), node.quoted ? "remove the quotes" : "");
  }
  if (outside(static_cast<double>(read), info)) return fail(node, fmt::format("{} is out of range: must be {}", read, range_text(info)));
  value = read;
}

void YamlReader::read_plain(const Node& node, std::string& value, const core::Info&) {
  if (node.kind != Node::Kind::Scalar) return fail(node, "expected a text, found " + describe_node(node));
  if (node.text.empty()) return fail(node, "expected a text, found an empty one");
  value = node.text;
}

// an angle out of range that would be in it as degrees: under which key those are read
static std::string in_degrees_instead(const Node& node, const std::string& path, double read, const core::Info& info) {
  constexpr double kRadians = 0.017453292519943295;  // per degree
  if (std::string_view(info.unit) != "rad" || read * kRadians < info.min || read * kRadians > info.max) return "";
  std::string name = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
  const bool of_list = name.ends_with(']');
  name.resize(std::min(name.find('['), name.size()));
  return fmt::format("in radians; in degrees write {}_deg: {}", name, of_list ? "[...]" : node.text);
}

void YamlReader::read_number(const Node& node, double& value, const core::Info& info, double scale) {
  if (node.kind != Node::Kind::Scalar || node.quoted) {
    return fail(node, "expected a number, found " + describe_node(node), node.quoted ? "remove the quotes" : "");
  }
  double read = 0;
  switch (parse_number(node.text, read)) {
    case Parsed::Number: break;
    case Parsed::NotFinite: return fail(node, describe_node(node) + " is not a finite number");
    case Parsed::NotANumber: return fail(node, "expected a number, found " + describe_node(node));
  }
  // bounds are in the unit of the struct; 180 degrees must not be outside by a rounding error
  const double converted = scale == 1 ? read : read * scale;
  const double slack = scale == 1 ? 0 : 1e-12;
  if (converted < info.min - slack || converted > info.max + slack) {
    const std::string range = scale == 1 ? range_text(info) : range_text(info, scale, "deg");
    return fail(node, fmt::format("{} is out of range: must be {}", read, range), scale == 1 ? in_degrees_instead(node, path_, read, info) : "");
  }
  value = converted;
}

void YamlReader::read_numbers(const Node& node, std::span<double> values, const core::Info& info, double scale) {
  const std::string wanted = fmt::format("a list of {} numbers", values.size());
  if (node.kind != Node::Kind::List) return fail(node, "expected " + wanted + ", found " + describe_node(node));
  if (node.items.size() != values.size()) return fail(node, fmt::format("expected {}, found {}", wanted, node.items.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t length = path_.size();
    path_ += "[" + std::to_string(i) + "]";
    read_number(node.items[i], values[i], info, scale);
    path_.resize(length);
  }
}

int YamlReader::read_choice(const Node& node, std::span<const char* const> choices) {
  const std::vector<std::string> known(choices.begin(), choices.end());
  if (node.kind == Node::Kind::Scalar) {
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] == node.text) return static_cast<int>(i);
    fail(node, "unknown value " + describe_node(node), core::did_you_mean(node.text, known));
  } else {
    fail(node, "expected a word, found " + describe_node(node), core::did_you_mean("", known));
  }
  return -1;
}

void YamlReader::read_named(const Node& node, core::Numbers& value, const core::Info& info) {
  if (node.kind == Node::Kind::Null) return;
  if (node.kind != Node::Kind::Map) return fail(node, "expected named numbers, found " + describe_node(node), "such as {speed: 3}");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::size_t length = enter(node.keys[i].name.substr(0, 60));
    if (node.find(node.keys[i].name) != &node.items[i]) fail(node.keys[i].where, "is given twice in the same map", "keep one of the two");
    value.items.emplace_back(node.keys[i].name, 0.0);
    read_number(node.items[i], value.items.back().second, info, 1);
    path_.resize(length);
  }
}

bool YamlReader::accept_map(const Node& node, const std::vector<std::string>& known) {
  // a key with nothing behind it is a section in which everything has its default
  if (node.kind == Node::Kind::Null) return true;
  if (node.kind != Node::Kind::Map) {
    fail(node, "expected a map of fields, found " + describe_node(node));
    return false;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const Key& key = node.keys[i];
    const bool is_known = std::find(known.begin(), known.end(), key.name) != known.end();
    const bool is_first = node.find(key.name) == &node.items[i];
    if (is_known && is_first) continue;
    const std::size_t length = enter(key.name.substr(0, 60));
    if (is_known)
      fail(key.where, "is given twice in the same map", "keep one of the two");
    else
      fail(key.where, "unknown key", core::did_you_mean(key.name, known));
    path_.resize(length);
  }
  return true;
}

bool YamlReader::accept_list(const Node& node, const core::Info& info) {
  if (node.kind != Node::Kind::List) {
    fail(node, "expected a list, found " + describe_node(node), node.kind == Node::Kind::Map ? "begin each entry with '- '" : "");
    return false;
  }
  if (!outside(static_cast<double>(node.items.size()), info)) return true;
  fail(node, fmt::format("has {} entries: must have {}", node.items.size(), range_text(info, 1, "-")));
  return false;
}

std::size_t YamlReader::enter(std::string_view name) {
  const std::size_t length = path_.size();
  if (length > 0) path_ += '.';
  path_ += name;
  return length;
}

void YamlReader::missing(std::string_view name) {
  // the key may be missing because the whole map is
  if (!is_misnamed_) fail(*map_, fmt::format("is missing; '{}' must be given here", name));
}

void YamlReader::fail(Where where, std::string message, std::string suggestion) {
  core::Error error;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  error.field = path_;
  const auto file = static_cast<std::size_t>(where.file);
  if (file < tree_.files.size()) error.file = tree_.files[file];
  error.line = where.line;
  error.column = where.column;
  faults_.add(std::move(error));
}

}  // namespace volary::scenario
