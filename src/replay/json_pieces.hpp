// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The columns of a flock as JSON: `setpoint.position.x` of a table is the field x of position of setpoint, and rotors are a list. The texts between
// the numbers are made once, because a swarm has millions of numbers.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "replay/export_table.hpp"

namespace volary::replay {

class JsonPieces {
 public:
  explicit JsonPieces(const std::vector<ExportColumn>& columns);

  // the properties of a JSON Schema: units and error bounds are in the descriptions
  const nlohmann::ordered_json& schema() const { return schema_; }
  // `"position":{"x":1.5,...},...` of one vehicle
  void put(const FlockMoment& moment, std::size_t row, fmt::memory_buffer& out) const;

 private:
  struct Piece {
    std::string before;  // text, then a number of a column; the last piece has none
    int column = -1;
    std::size_t part = 0;
  };
  std::vector<ExportColumn> columns_;
  std::vector<Piece> pieces_;
  nlohmann::ordered_json schema_;
};

}  // namespace volary::replay
