// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Formats of ULog: "name:type field;type[3] field;". A format may contain others, which become columns such as "esc[0].esc_rpm".
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "logs/log.hpp"

namespace volary::logs {

// "float[4] q": the type, how many of it, and the name
struct UlogField {
  std::string type, name;
  std::size_t count = 1;
  bool is_array = false;
};
std::optional<UlogField> parse_ulog_field(std::string_view text);
std::optional<Type> basic_type(std::string_view name);

class UlogFormats {
 public:
  // an error says what is wrong with the text
  core::Status add(std::string_view text);
  // the columns of a format, with everything nested; padding at the end of the whole message is not logged
  core::Result<Table> table_of(const std::string& name) const;

 private:
  core::Status append(const std::string& format, const std::string& prefix, int depth, Table& table) const;
  std::map<std::string, std::vector<UlogField>, std::less<>> formats_;
};

}  // namespace volary::logs
