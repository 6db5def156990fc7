// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/vehicle_query.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/suggest.hpp"

namespace volary::server {

namespace {

core::Error wrong(std::string field, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message), .field = std::move(field), .suggestion = std::move(suggestion)};
}

// "a,b" given once or several times
core::Status add_words(const std::string& field, std::string_view text, std::vector<std::string>& out) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end == at) return wrong(field, "has an empty entry", "write " + field + "=a,b");
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return core::ok();
}

core::Status read_number(const std::string& field, std::string_view text, std::size_t low, std::size_t high, std::size_t& out) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code != std::errc() || end != text.data() + text.size() || out < low || out > high)
    return wrong(field, fmt::format("must be a whole number from {} to {}", low, high));
  return core::ok();
}

core::Status read_part(const std::string& key, const std::string& value, VehicleQuery& q) {
  if (key == "ids") return add_words(key, value, q.who);
  if (key == "columns") return add_words(key, value, q.columns);
  if (key == "flock") return q.flock = value, core::ok();
  if (key == "offset") return read_number(key, value, 0, std::size_t{1} << 40, q.offset);
  if (key == "limit") return read_number(key, value, 1, VehicleQuery::kMost, q.limit);
  return wrong(key.substr(0, 40), "is not a parameter", core::did_you_mean(key, {"ids", "columns", "flock", "offset", "limit"}));
}

}  // namespace

core::Result<VehicleQuery> parse_vehicle_query(const Target& target) {
  VehicleQuery query;
  for (const auto& [key, value] : target.query)
    if (const core::Status read = read_part(key, value, query); !read) return read.error();
  return query;
}

}  // namespace volary::server
