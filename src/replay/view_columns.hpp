// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A block's payload on the outside: a head, the columns one after the other, and zstd around both.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "replay/view_bytes.hpp"
#include "replay/view_codec.hpp"
#include "replay/view_curve.hpp"

namespace volary::replay {

// The columns in the order of the file. East and north have one column together, up has its own: what is
// distributed alike shares a table of zstd.
enum class Field : std::uint8_t {
  Vehicle,
  First,
  Count,
  StartPosition,
  StartVelocity,
  StartTurn,
  MotionTicks,
  VelocityLevel,
  VelocityUp,
  PositionLevel,
  PositionUp,
  TurnTicks,
  TurnTilt,
  TurnYaw
};
inline constexpr std::size_t kFields = 14;

inline Field velocity_field(int axis) { return axis < 2 ? Field::VelocityLevel : Field::VelocityUp; }
inline Field position_field(int axis) { return axis < 2 ? Field::PositionLevel : Field::PositionUp; }
inline Field turn_field(int axis) { return axis < 2 ? Field::TurnTilt : Field::TurnYaw; }

struct Columns {
  std::array<Column, kFields> columns;
  Column& operator[](Field f) { return columns[static_cast<std::size_t>(f)]; }
};
struct ColumnReaders {
  std::array<ByteReader, kFields> columns;
  ByteReader& operator[](Field f) { return columns[static_cast<std::size_t>(f)]; }
  bool failed() const;
  bool finished() const;  // nothing is left in any of them
};

struct BlockHead {
  double tick = 0;  // s
  Bounds bounds;
  Steps steps;
  std::uint32_t n_tracks = 0;
};

inline constexpr double kSmallestBound = 1e-6, kSmallestAngle = 1e-5, kLargestBound = 1e6, kSmallestTick = 1e-9, kLargestTick = 1e3;
inline constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 28;  // of a block before compression

std::vector<std::byte> pack_columns(const BlockHead& head, const Columns& columns, int level);
// `bytes` holds what the readers read
core::Status unpack_columns(std::span<const std::byte> payload, std::vector<std::uint8_t>& bytes, BlockHead& head, ColumnReaders& columns);

}  // namespace volary::replay
