// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/brief.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volary::server {

double brief(double x, int digits) {
  if (!std::isfinite(x)) return 0;
  std::array<char, 40> text;
  const auto end = fmt::format_to_n(text.data(), text.size(), "{:.{}g}", x, digits).out;
  double y = 0;
  std::from_chars(text.data(), end, y);
  return y;
}

nlohmann::json list_at(const View& view, std::size_t slot, std::size_t n) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t k = 0; k < n; ++k) list.push_back(brief(view.at(slot, k)));
  return list;
}

}  // namespace volary::server
