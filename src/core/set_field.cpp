// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/set_field.hpp"

#include <algorithm>
#include <charconv>

#include "core/suggest.hpp"

namespace volary::core {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, 60)) + "'"; }
std::string in_digits(double x) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, x, std::chars_format::general, 10).ptr};
}
bool is_finite(double x) { return x - x == 0; }

}  // namespace

bool parse_number(std::string_view text, double& value) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double read = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (code != std::errc() || end != text.data() + text.size() || !is_finite(read)) return false;
  value = read;
  return true;
}

std::optional<std::vector<std::string_view>> parse_list(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  if (trimmed(text).empty()) return items;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    if (k < text.size() && text[k] == '[') ++depth;
    if (k < text.size() && text[k] == ']' && --depth < 0) return std::nullopt;
    if (k < text.size() && (text[k] != ',' || depth > 0)) continue;
    items.push_back(trimmed(text.substr(from, k - from)));
    from = k + 1;
  }
  if (depth != 0) return std::nullopt;
  return items;
}

std::string range_in_words(const Info& info, double scale) {
  const std::string_view unit = scale == 1 ? std::string_view(info.unit) : "deg";
  const std::string suffix = unit.empty() || unit == "-" ? "" : " " + std::string(unit);
  if (is_finite(info.min) && is_finite(info.max)) return "between " + in_digits(info.min / scale) + " and " + in_digits(info.max / scale) + suffix;
  if (is_finite(info.min)) return "at least " + in_digits(info.min / scale) + suffix;
  if (is_finite(info.max)) return "at most " + in_digits(info.max / scale) + suffix;
  return "";
}

FieldSetter::FieldSetter(std::string_view path, std::string_view text) : text_(trimmed(text)) {
  const std::size_t dot = path.find('.');
  head_ = path.substr(0, dot);
  if (dot != std::string_view::npos) rest_ = path.substr(dot + 1);
}

Status FieldSetter::finish() const {
  if (error_) return *error_;
  if (found_) return ok();
  Error error;
  error.field = head_;
  error.message = "there is no such field";
  error.suggestion = did_you_mean(head_, known_);
  return error;
}

void FieldSetter::fail(std::string message, std::string suggestion) {
  if (error_) return;
  error_.emplace();
  error_->field = head_;
  error_->message = std::move(message);
  error_->suggestion = std::move(suggestion);
}

bool FieldSetter::set_number(double& value, std::string_view text, const Info& info, double scale) {
  double read = 0;
  if (!parse_number(text, read)) return fail("expected a number, found " + quoted(text), ""), false;
  // 180 degrees must not be outside by a rounding error
  const double converted = scale == 1 ? read : read * scale, slack = scale == 1 ? 0 : 1e-12;
  if (converted < info.min - slack || converted > info.max + slack)
    return fail(in_digits(read) + " is out of range: must be " + range_in_words(info, scale), ""), false;
  value = converted;
  return true;
}

bool FieldSetter::set_whole(double& value, const Info& info, bool is_unsigned) {
  constexpr double kMost = 9007199254740992.0;  // 2^53: every whole number up to here is a double
  Info bounds = info;
  bounds.min = std::max(bounds.min, is_unsigned ? 0 : -kMost);
  bounds.max = std::min(bounds.max, kMost);
  double read = 0;
  if (!set_number(read, text_, bounds, 1)) return false;
  if (read != static_cast<double>(static_cast<std::int64_t>(read))) return fail("expected a whole number, found " + quoted(text_), ""), false;
  value = read;
  return true;
}

void FieldSetter::set_bool(bool& value) {
  if (text_ == "true" || text_ == "yes" || text_ == "on")
    value = true;
  else if (text_ == "false" || text_ == "no" || text_ == "off")
    value = false;
  else
    fail("expected true or false, found " + quoted(text_), "");
}

bool FieldSetter::set_array(std::span<double> values, std::string_view text, const Info& info, double scale) {
  const auto items = parse_list(text);
  const std::string wanted = "a list of " + std::to_string(values.size()) + " numbers";
  if (!items) return fail("expected " + wanted + ", found " + quoted(text), "such as [1, 2, 3]"), false;
  if (items->size() != values.size()) return fail("expected " + wanted + ", found " + std::to_string(items->size()), ""), false;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!set_number(values[k], (*items)[k], info, scale)) return false;
  return true;
}

// as in files, no bounds on the coordinates
void FieldSetter::set_points(std::vector<std::array<double, 3>>& values) {
  const auto items = parse_list(text_);
  const std::string wanted = "a list of " + std::to_string(values.size()) + " points, as many as there are now";
  if (!items) return fail("expected " + wanted + ", found " + quoted(text_), "such as [[0, 0, 5], [10, 0, 5]]");
  if (items->size() != values.size()) return fail("expected " + wanted + ", found " + std::to_string(items->size()), "");
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!set_array(values[k], (*items)[k], {}, 1)) return;
}

int FieldSetter::choose(std::span<const char* const> choices) {
  const std::vector<std::string> known(choices.begin(), choices.end());
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] == text_) return static_cast<int>(k);
  fail("unknown value " + quoted(text_), did_you_mean(text_, known));
  return -1;
}

}  // namespace volary::core
