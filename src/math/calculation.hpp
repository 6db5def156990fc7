// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A calculation that came from a file: a list of operations over numbered slots, and tables of one or more axes with linear
// interpolation. Whoever reads the file (scenario/daveml.hpp) puts the operations in order; evaluating is a pure loop over T,
// so an imported aerodynamic model runs in double, float or lanes like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/functions.hpp"

namespace volary::inline VOLARY_ISA::math {

// what a step does with its operands a, b, c; truth is 1, anything else false
enum class Operation : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  Minimum,
  Maximum,
  Negate,
  Absolute,
  SquareRoot,
  Floor,
  Sine,
  Cosine,
  Tangent,
  ArcSine,
  ArcCosine,
  ArcTangent,
  ArcTangent2,
  Exponential,
  Logarithm,
  Less,
  LessOrEqual,
  Equal,
  And,
  Or,
  Not,
  Choose,  // a is truth: b, else c
  Copy,
  LookUp,  // a is the number of a table, not a slot
};

struct Step {
  Operation operation = Operation::Copy;
  std::int32_t out = 0, a = 0, b = 0, c = 0;
};

inline constexpr std::size_t kMaxAxes = 6;

// One axis of a table. The argument is first limited to [least, most]; beyond the breakpoints the table keeps its last value,
// or goes on along its last slope where `below` or `above` says so.
struct Axis {
  std::int32_t slot = 0;
  std::vector<double> breakpoints;  // rising
  double least = 0, most = 0;
  bool below = false, above = false;
};
struct Table {
  std::vector<Axis> axes;
  std::vector<double> values;  // the last axis changes fastest
};

struct Calculation {
  std::vector<double> initial;  // of every slot: constants, and what an input has until somebody sets it
  std::vector<Step> steps;      // each uses only slots that are ready before it
  std::vector<Table> tables;
};

// table[index] in every lane; the index is a whole number
template <class T> VOLARY_HD T gather(const double* table, T index) {
  Scalar<T> lanes[kLanes<T>];
  store(lanes, index);
  for (Scalar<T>& lane : lanes) lane = static_cast<Scalar<T>>(table[static_cast<std::size_t>(lane)]);
  return load(lanes, T{});
}

// the interval of x: the number of its lower breakpoint, and how far into it x is (0..1 inside the table)
template <class T> void find_interval(const Axis& axis, T x, T& index, T& fraction) {
  const std::vector<double>& points = axis.breakpoints;
  index = fraction = splat<T>(0);
  if (points.size() < 2) return;
  const T bad = x - x;  // 0, or not a number where x is none: it must not become the table's end
  x = clamp(x, splat<T>(axis.least), splat<T>(axis.most));
  if (!axis.below) x = max(x, splat<T>(points.front()));
  if (!axis.above) x = min(x, splat<T>(points.back()));
  T low = splat<T>(points[0]), high = splat<T>(points[1]);
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const Mask<T> beyond = x >= splat<T>(points[k]);
    index = select(beyond, splat<T>(static_cast<double>(k)), index);
    low = select(beyond, splat<T>(points[k]), low);
    high = select(beyond, splat<T>(points[k + 1]), high);
  }
  fraction = (x - low) / (high - low) + bad;
}

// multilinear: all corners of the cell, then one axis after the other folded away, the last one first
template <class T> T look_up(const Table& table, std::span<const T> slots) {
  T fraction[kMaxAxes];
  T corner[std::size_t{1} << kMaxAxes];
  corner[0] = splat<T>(0);
  const std::size_t n_axes = table.axes.size();
  for (std::size_t k = 0; k < n_axes; ++k) {
    const Axis& axis = table.axes[k];
    const std::size_t n = axis.breakpoints.size();
    T index;
    find_interval(axis, slots[static_cast<std::size_t>(axis.slot)], index, fraction[k]);
    // row-major places of the corners so far, each split into the lower and the upper breakpoint of this axis
    for (std::size_t c = std::size_t{1} << k; c-- > 0;) {
      const T place = fma(corner[c], splat<T>(static_cast<double>(n)), index);
      corner[2 * c] = place;
      corner[2 * c + 1] = place + splat<T>(n > 1 ? 1 : 0);
    }
  }
  for (std::size_t c = 0; c < (std::size_t{1} << n_axes); ++c) corner[c] = gather(table.values.data(), corner[c]);
  for (std::size_t k = n_axes; k-- > 0;)
    for (std::size_t c = 0; c < (std::size_t{1} << k); ++c) corner[c] = fma(fraction[k], corner[2 * c + 1] - corner[2 * c], corner[2 * c]);
  return corner[0];
}

template <class T> T truth(Mask<T> m) { return select(m, splat<T>(1), splat<T>(0)); }
template <class T> Mask<T> is_true(T x) { return x == splat<T>(1); }

// a step that needs no table
template <class T> T apply(Operation operation, T a, T b, T c) {
  switch (operation) {
    case Operation::Add: return a + b;
    case Operation::Subtract: return a - b;
    case Operation::Multiply: return a * b;
    case Operation::Divide: return a / b;
    case Operation::Power: return pow(a, b);
    case Operation::Minimum: return min(a, b);
    case Operation::Maximum: return max(a, b);
    case Operation::Negate: return -a;
    case Operation::Absolute: return abs(a);
    case Operation::SquareRoot: return sqrt(a);
    case Operation::Floor: return floor(a);
    case Operation::Sine: return sin(a);
    case Operation::Cosine: return cos(a);
    case Operation::Tangent: return tan(a);
    case Operation::ArcSine: return asin(a);
    case Operation::ArcCosine: return acos(a);
    case Operation::ArcTangent: return atan(a);
    case Operation::ArcTangent2: return atan2(a, b);
    case Operation::Exponential: return exp(a);
    case Operation::Logarithm: return log(a);
    case Operation::Less: return truth<T>(a < b);
    case Operation::LessOrEqual: return truth<T>(a <= b);
    case Operation::Equal: return truth<T>(a == b);
    case Operation::And: return truth<T>(is_true(a) & is_true(b));
    case Operation::Or: return truth<T>(is_true(a) | is_true(b));
    case Operation::Not: return select(is_true(a), splat<T>(0), splat<T>(1));
    case Operation::Choose: return select(is_true(a), b, c);
    case Operation::Copy: return a;
    case Operation::LookUp: break;
  }
  return a;
}

// `slots` has as many entries as calculation.initial; the inputs are set, the rest becomes what follows from them
template <class T> void evaluate(const Calculation& calculation, std::span<T> slots) {
  for (const Step& s : calculation.steps) {
    const auto at = [&](std::int32_t k) { return slots[static_cast<std::size_t>(k)]; };
    slots[static_cast<std::size_t>(s.out)] = s.operation == Operation::LookUp
                                                 ? look_up<T>(calculation.tables[static_cast<std::size_t>(s.a)], std::span<const T>(slots))
                                                 : apply(s.operation, at(s.a), at(s.b), at(s.c));
  }
}

}  // namespace volary::inline VOLARY_ISA::math
