// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is to be written into a flock's columns, in order, applied where the flock lives: what inputs wrote after the last of them, what decisions wrote when the
// sweep comes to the block, what contacts wrote after the last of them. Whoever writes appends to a list here and needs no pointer into a column.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;

struct Patch {
  enum class Kind : std::uint8_t {
    Value,      // a number into a row
    Word,       // an integer into a row
    Mode,       // the mode of the status row, and nothing else
    EnterMode,  // a mode with all that comes with it
    HoldAgain,  // hold, where the vehicle is now but at the height of its last anchor
    Parameter,  // a number into a parameter of the vehicle's own
    Steer,      // one of the setpoints of decisions
    Many,       // one of the lists of numbers for many vehicles
  };
  std::uint32_t slot = 0;
  std::uint16_t row = 0;   // or the mode, or which list
  Kind kind = Kind::Value;
  std::uint64_t bits = 0;  // the number or integer; Steer: which; EnterMode, HoldAgain: m, the height of the ground there, not a number where it is the flock's
};
static_assert(sizeof(Patch) == 16);

// where a flock has its setpoints; -1: nowhere
struct SetpointRows {
  int level = -1, position = -1, velocity = -1, acceleration = -1, jerk = -1, yaw = -1, yaw_rate = -1;
};

// The setpoint of a decision, all rows of it at once: the vehicle is armed, and there is neither jerk nor a rate of yaw.
struct SteerPatch {
  ControlLevel level = ControlLevel::Velocity;  // or Position
  bool turns = false;                           // otherwise the yaw stays as it is
  Vec position{}, velocity{}, acceleration{};   // m, m/s, m/s2; a setpoint of velocity leaves the position as it is
  double yaw = 0;                               // rad
};

// what is written into one row of many vehicles
struct RowWrite {
  int row = 0;
  const double* from = nullptr;  // a number for each vehicle; none: the constant
  bool remainder = false;        // only what the row of the value could not hold of it
  std::uint64_t constant = 0;    // bits of the flock's scalar
};

struct ManyPatch {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  std::vector<std::uint32_t> slots;          // kNobody: the number in its place is for nobody
  std::vector<RowWrite> rows;
  int parameter = -1;                        // row of a parameter that each has for itself; its numbers are those of the first write
  bool arms = false;                         // and the mode becomes Armed
  std::vector<std::vector<double>> numbers;  // that nobody else keeps until they are applied
};

class Patches {
 public:
  void value(std::size_t slot, int row, double x) { add(slot, row, Patch::Kind::Value, std::bit_cast<std::uint64_t>(x)); }
  void word(std::size_t slot, int row, std::uint64_t x) { add(slot, row, Patch::Kind::Word, x); }
  void mode(std::size_t slot, Mode mode) { add(slot, static_cast<int>(mode), Patch::Kind::Mode, 0); }
  void enter_mode(std::size_t slot, Mode mode, double ground) { add(slot, static_cast<int>(mode), Patch::Kind::EnterMode, std::bit_cast<std::uint64_t>(ground)); }
  void hold_again(std::size_t slot, double ground) { add(slot, static_cast<int>(Mode::Hold), Patch::Kind::HoldAgain, std::bit_cast<std::uint64_t>(ground)); }
  void parameter(std::size_t slot, int row, double x) { add(slot, row, Patch::Kind::Parameter, std::bit_cast<std::uint64_t>(x)); }
  // all of one list into the same rows
  void steer(std::size_t slot, const SetpointRows& rows, const SteerPatch& s) {
    add(slot, 0, Patch::Kind::Steer, steers_.size());
    steers_.push_back(s);
    rows_ = rows;
  }
  void many(ManyPatch m) {
    add(0, static_cast<int>(many_.size()), Patch::Kind::Many, 0);
    many_.push_back(std::move(m));
  }
  // one of another list, for a row or a mode
  void again(const Patch& p) { list_.push_back(p); }
  // six rows: the values as the flock holds them, and what is left
  void position(std::size_t slot, int row, int bytes, const Vec& p);

  bool empty() const { return list_.empty(); }
  void clear() { list_.clear(), steers_.clear(), many_.clear(), ++round_; }
  std::span<const Patch> list() const { return list_; }
  const SteerPatch& steer_at(std::uint64_t k) const { return steers_[k]; }
  const SetpointRows& steer_rows() const { return rows_; }
  const ManyPatch& many_at(std::size_t k) const { return many_[k]; }
  bool has_many() const { return !many_.empty(); }
  // Whoever reads after it has written, as inputs do, notes whom it writes to, and applies the list before it reads of one that is noted.
  void note(std::size_t slot) {
    if (noted_.size() <= slot) noted_.resize(slot + 1, 0);
    noted_[slot] = round_;
  }
  bool is_noted(std::size_t slot) const { return has_many() || (slot < noted_.size() && noted_[slot] == round_); }

 private:
  void add(std::size_t slot, int row, Patch::Kind kind, std::uint64_t bits) {
    list_.push_back({static_cast<std::uint32_t>(slot), static_cast<std::uint16_t>(row), kind, bits});
  }
  std::vector<Patch> list_;
  std::vector<SteerPatch> steers_;
  SetpointRows rows_;  // of them
  std::vector<ManyPatch> many_;
  std::vector<std::uint64_t> noted_;  // by slot: the round in which it was
  std::uint64_t round_ = 1;
};

// the bits of a number in a row of the flock
inline std::uint64_t bits_in_row(double x, int bytes) { return bytes == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(x)) : std::bit_cast<std::uint64_t>(x); }
// what a number becomes in a row of the flock, and a position in the six of its column
inline double as_stored(double x, int bytes) { return bytes == 4 ? static_cast<double>(static_cast<float>(x)) : x; }
inline Vec position_as_stored(const Vec& p, int bytes) {
  Vec out;
  for (std::size_t k = 0; k < 3; ++k) {
    const double value = as_stored(p[k], bytes);
    out[k] = value + as_stored(p[k] - value, bytes);
  }
  return out;
}

// Applies what the writers of one thread have appended to a flock, or to all of them, and shows it in the frame.
void apply_patches(Data& d, Flock& f);
void apply_patches(Data& d);

}  // namespace volary::engine
