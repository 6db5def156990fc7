// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The elements of a flock's columns. Only where a flock lives they are touched one by one: flock, stepper, what the stepper is made of, snapshots and
// views. Everybody else reads the published frame (frame.hpp) and writes patches (patches.hpp); tools/check_layers.sh looks who includes this.
#pragma once

#include "engine/flock.hpp"

namespace volary::engine {

// where row `row` of an agent lies in a set of `rows` rows
inline std::size_t element_offset(std::size_t slot, int rows, int row, int bytes) {
  const std::size_t block = slot / kBlock, lane = slot % kBlock;
  return ((block * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * kBlock + lane) * static_cast<std::size_t>(bytes);
}
// the rows of a record, blocks x n x 16
struct RecordRows {
  const std::byte* first;
  int n;
};
inline RecordRows record_of(const Flock& f, Record record) {
  if (record == Record::Senses) return {f.senses->rows.data(), f.senses->layout.rows};
  if (record == Record::Joined) return {f.joined->state.data(), f.joined->rows};
  return {f.hot.data(), f.kernel->hot_rows};
}
// three numbers and their remainders
inline bool is_position(const ColumnInfo& c) { return c.rows == 6 && c.frame == "W"; }
inline double read_scalar(const void* p, int bytes) { return bytes == 4 ? static_cast<double>(*static_cast<const float*>(p)) : *static_cast<const double*>(p); }
inline void write_scalar(void* p, int bytes, double x) {
  if (bytes == 4)
    *static_cast<float*>(p) = static_cast<float>(x);
  else
    *static_cast<double*>(p) = x;
}
inline std::uint64_t read_word(const void* p, int bytes) { return bytes == 4 ? *static_cast<const std::uint32_t*>(p) : *static_cast<const std::uint64_t*>(p); }
inline void write_word(void* p, int bytes, std::uint64_t x) {
  if (bytes == 4)
    *static_cast<std::uint32_t*>(p) = static_cast<std::uint32_t>(x);
  else
    *static_cast<std::uint64_t*>(p) = x;
}

inline void* Flock::hot_lane(std::size_t slot) { return hot.data() + element_offset(slot, kernel->hot_rows, 0, bytes); }
inline void* Flock::plan_lane(std::size_t slot) { return guided() ? plan.data() + element_offset(slot, kernel->plan_rows, 0, bytes) : nullptr; }
inline const void* Flock::row(std::size_t slot, int row) const { return hot.data() + element_offset(slot, kernel->hot_rows, row, bytes); }
inline std::uint64_t Flock::status(std::size_t slot) const { return read_word(row(slot, 0), bytes); }
inline void Flock::set_status(std::size_t slot, std::uint64_t status) { write_word(hot_lane(slot), bytes, status); }
inline double Flock::value(std::size_t slot, int r) const { return read_scalar(row(slot, r), bytes); }
inline void Flock::set_value(std::size_t slot, int r, double x) { write_scalar(const_cast<void*>(row(slot, r)), bytes, x); }
inline std::uint64_t Flock::word(std::size_t slot, int r) const { return read_word(row(slot, r), bytes); }
inline void Flock::set_word(std::size_t slot, int r, std::uint64_t word) { write_word(const_cast<void*>(row(slot, r)), bytes, word); }
inline Vec Flock::vec(std::size_t slot, const ColumnInfo& c) const {
  const auto* at = static_cast<const std::byte*>(row(slot, c.row));
  const std::size_t next = kBlock * static_cast<std::size_t>(bytes);  // row
  Vec out;
  for (std::size_t k = 0; k < 3; ++k) out[k] = read_scalar(at + k * next, bytes) + (c.rows == 6 ? read_scalar(at + (3 + k) * next, bytes) : 0.0);
  return out;
}
inline void Flock::set_vec(std::size_t slot, const ColumnInfo& c, const Vec& v) {
  for (int k = 0; k < 3; ++k) {
    const double x = v[static_cast<std::size_t>(k)];
    set_value(slot, c.row + k, x);
    if (c.rows == 6) set_value(slot, c.row + 3 + k, x - value(slot, c.row + k));
  }
}

}  // namespace volary::engine
