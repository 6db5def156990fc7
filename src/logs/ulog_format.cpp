// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "logs/ulog_format.hpp"

#include <fmt/format.h>

#include <charconv>

namespace volary::logs {

namespace {

constexpr int kMostDepth = 8;
constexpr std::size_t kMostBytes = 65535, kMostColumns = 20'000;  // a message has a length of 16 bits

bool is_padding(const UlogField& f) { return f.name.starts_with("_padding"); }

}  // namespace

std::optional<Type> basic_type(std::string_view name) {
  constexpr std::pair<std::string_view, Type> kTypes[] = {{"int8_t", Type::Int8},     {"uint8_t", Type::Uint8},   {"int16_t", Type::Int16},
                                                          {"uint16_t", Type::Uint16}, {"int32_t", Type::Int32},   {"uint32_t", Type::Uint32},
                                                          {"int64_t", Type::Int64},   {"uint64_t", Type::Uint64}, {"float", Type::Float},
                                                          {"double", Type::Double},   {"bool", Type::Bool},       {"char", Type::Text}};
  for (const auto& [known, type] : kTypes)
    if (known == name) return type;
  return std::nullopt;
}

std::optional<UlogField> parse_ulog_field(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 >= text.size()) return std::nullopt;
  UlogField f;
  std::string_view type = text.substr(0, space);
  f.name = text.substr(space + 1);
  if (const std::size_t open = type.find('['); open != std::string_view::npos) {
    const std::string_view number = type.substr(open + 1);
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), f.count);
    if (code != std::errc() || end != number.data() + number.size() - 1 || number.back() != ']' || f.count > kMostBytes) return std::nullopt;
    type = type.substr(0, open);
    f.is_array = true;
  }
  if (type.empty()) return std::nullopt;
  f.type = type;
  return f;
}

core::Status UlogFormats::add(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return core::Error{.message = "a format 'name:type field;...'"};
  std::vector<UlogField> fields;
  for (std::string_view rest = text.substr(colon + 1); !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (const std::string_view part = rest.substr(0, end); !part.empty()) {
      auto field = parse_ulog_field(part);
      if (!field) return core::Error{.message = fmt::format("a field 'type name' in the format of {}", text.substr(0, std::min<std::size_t>(colon, 60)))};
      fields.push_back(std::move(*field));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  formats_[std::string(text.substr(0, colon))] = std::move(fields);
  return core::ok();
}

core::Status UlogFormats::append(const std::string& format, const std::string& prefix, int depth, Table& table) const {
  const auto found = formats_.find(format);
  if (found == formats_.end()) return core::Error{.message = "the format of '" + format.substr(0, 60) + "'"};
  if (depth > kMostDepth) return core::Error{.message = fmt::format("formats nested at most {} deep, at '{}'", kMostDepth, format.substr(0, 60))};
  for (std::size_t k = 0; k < found->second.size(); ++k) {
    const UlogField& f = found->second[k];
    if (table.columns.size() > kMostColumns || table.row_bytes > kMostBytes) return core::Error{.message = "a format of at most 65535 bytes"};
    if (const auto type = basic_type(f.type)) {
      const bool is_last = depth == 0 && k + 1 == found->second.size();
      if (is_padding(f) && is_last) continue;
      if (!is_padding(f)) table.columns.push_back({prefix + f.name, *type, table.row_bytes, f.count});
      table.row_bytes += size_of(*type) * f.count;
      continue;
    }
    for (std::size_t n = 0; n < f.count; ++n)
      if (const core::Status s = append(f.type, prefix + f.name + (f.is_array ? fmt::format("[{}].", n) : "."), depth + 1, table); !s) return s;
  }
  return core::ok();
}

core::Result<Table> UlogFormats::table_of(const std::string& name) const {
  Table table{.name = name};
  if (const core::Status s = append(name, "", 0, table); !s) return s.error();
  if (table.row_bytes > kMostBytes) return core::Error{.message = "a format of at most 65535 bytes"};
  return table;
}

}  // namespace volary::logs
