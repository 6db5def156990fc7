// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tables over one, two or three axes, linear in between and constant beyond their ends. One search per axis serves all values of a table: the K
// coefficients of a node lie side by side, so a lane reads them with one or two loads per corner of its cell, and lanes meet in a transpose.
//
// A table is one array of scalars, its blob, made by table_blob.hpp:
//
//   [0]       values per node, K
//   [1]       axes, 1 to 3
//   [2]       where the nodes begin
//   [3]       0
//   [4 + 4a]  of axis a: number of breakpoints; where they begin; 1/step of an even axis, 0 of an uneven one; nodes from one breakpoint to the next
//   ...       breakpoints of all axes
//   ...       nodes, the last axis the fastest: K scalars each, filled up with zeros to a multiple of 4
//
// Counts and places are whole numbers that a float holds exactly.
#pragma once

#include <cstddef>
#include <utility>

#include "math/wide.hpp"

namespace volary::inline VOLARY_ISA::math {

inline constexpr int kTableAxes = 3;
inline constexpr int kTableHeader = 4 + 4 * kTableAxes;
inline constexpr int table_pitch(int values) { return (values + 3) / 4 * 4; }  // scalars from one node to the next

template <class S> struct TableAxis {
  const S* breakpoints;  // strictly growing
  std::uint32_t count;   // at least 2
  S last;                // count - 1
  S per_step;            // 1/step; 0: unevenly spaced
  S stride;              // nodes from one breakpoint to the next
};

template <class S> struct TableView {
  TableAxis<S> axis[kTableAxes];
  const S* nodes;
};

template <class S> VOLARY_HD TableView<S> table_view(const S* blob) {
  TableView<S> t;
  for (int a = 0; a < kTableAxes; ++a) {
    const S* h = blob + 4 + 4 * a;
    t.axis[a] = {blob + static_cast<std::uint32_t>(h[1]), static_cast<std::uint32_t>(h[0]), h[0] - S(1), h[2], h[3]};
  }
  t.nodes = blob + static_cast<std::uint32_t>(blob[2]);
  return t;
}

// where a value lies on an axis: the breakpoint at or below it, as a number of nodes, and how far it is to the next, 0 to 1
template <class T> struct Found {
  T node;
  T fraction;
};

// Evenly spaced: one multiply. What is no number stays none (and finds the first breakpoint): it must not become the table's end.
template <class T> VOLARY_HD Found<T> find_even(const TableAxis<Scalar<T>>& a, T x) {
  const T at = min(max((x - T(a.breakpoints[0])) * T(a.per_step), splat<T>(0)), T(a.last));
  const T whole = min(floor(at), T(a.last - Scalar<T>(1)));
  return {whole * T(a.stride), at - whole + (x - x)};
}

// Unevenly spaced: one lane halves, many lanes compare with every breakpoint, which costs them less than reading where each has got to.
template <class T> VOLARY_HD Found<T> find_uneven(const TableAxis<Scalar<T>>& a, T x) {
  using S = Scalar<T>;
  T low, high, node;
  if constexpr (kLanes<T> == 1) {
    std::uint32_t below = 0, above = a.count - 1;
    while (above - below > 1) {
      const std::uint32_t middle = (below + above) / 2;
      (x >= a.breakpoints[middle] ? below : above) = middle;
    }
    low = a.breakpoints[below], high = a.breakpoints[below + 1], node = S(below) * a.stride;
  } else {
    low = T(a.breakpoints[0]), high = T(a.breakpoints[1]), node = splat<T>(0);
    S at = 0;
    for (std::uint32_t i = 1; i + 1 < a.count; ++i) {
      at += a.stride;
      const auto passed = x >= T(a.breakpoints[i]);
      low = select(passed, T(a.breakpoints[i]), low);
      high = select(passed, T(a.breakpoints[i + 1]), high);
      node = select(passed, T(at), node);
    }
  }
  return {node, min(max((x - low) / (high - low), splat<T>(0)), splat<T>(1)) + (x - x)};
}

template <class T> VOLARY_HD Found<T> find_on_axis(const TableAxis<Scalar<T>>& a, T x) { return a.per_step > 0 ? find_even(a, x) : find_uneven(a, x); }

// from a to b; exact at both ends
template <class T> VOLARY_HD T lerp(T a, T b, T fraction) { return fma(fraction, b, fma(-fraction, a, a)); }

// whole numbers below 2^23 (2^52 for doubles), as bits
template <class T> VOLARY_HD Bits<T> whole_bits(T x) {
  const T magic = splat<T>(kWholeAbove<T>);
  return to_bits(x + magic) - to_bits(magic);
}

// the corners of a cell, the first axis first: 2 of a piece, 4 of a rectangle, 8 of a box
template <int Axes> struct Corners {
  static constexpr int kCount = 1 << Axes;
  std::size_t offset[kCount];  // scalars from the first corner
};
template <int Axes, int K, class S> VOLARY_HD Corners<Axes> corners(const TableView<S>& t) {
  Corners<Axes> c;
  for (int k = 0; k < Corners<Axes>::kCount; ++k) {
    std::size_t nodes = 0;
    for (int a = 0; a < Axes; ++a) nodes += (k >> (Axes - 1 - a) & 1) * static_cast<std::size_t>(t.axis[a].stride);
    c.offset[k] = nodes * table_pitch(K);
  }
  return c;
}

// from the values at the corners to the value inside: the last axis goes first
template <int Axes, class T> VOLARY_HD T fold_corners(T* v, const T* fraction) {
  for (int a = Axes - 1; a >= 0; --a)
    for (int k = 0; k < (1 << a); ++k) v[k] = lerp(v[2 * k], v[2 * k + 1], fraction[a]);
  return v[0];
}

// one lane: value by value
template <int Axes, int K, class S> VOLARY_HD void interpolate_lanes(const TableView<S>& t, Bits<S> node, const S* fraction, S* out) {
  const Corners<Axes> c = corners<Axes, K>(t);
  const S* first = t.nodes + static_cast<std::size_t>(node) * table_pitch(K);
  for (int k = 0; k < K; ++k) {
    S v[Corners<Axes>::kCount];
    for (int i = 0; i < Corners<Axes>::kCount; ++i) v[i] = first[c.offset[i] + k];
    out[k] = fold_corners<Axes>(v, fraction);
  }
}

#if VOLARY_WIDE
// Lanes in groups of four. pick_in_fours<A, B, C, D>(x, y) takes elements A to D of every group of x (0 to 3) and y (4 to 7).
template <int A, int B, int C, int D, class S, int N, std::size_t... I> VOLARY_HD Wide<S, N> pick_in_fours(Wide<S, N> x, Wide<S, N> y,
                                                                                                           std::index_sequence<I...>) {
  constexpr int kFrom[4] = {A, B, C, D};
  return Wide<S, N>(__builtin_shufflevector(x.v, y.v, (static_cast<int>(I / 4 * 4) + kFrom[I % 4] % 4 + kFrom[I % 4] / 4 * N)...));
}
template <int A, int B, int C, int D, class S, int N> VOLARY_HD Wide<S, N> pick_in_fours(Wide<S, N> x, Wide<S, N> y) {
  return pick_in_fours<A, B, C, D>(x, y, std::make_index_sequence<N>{});
}

// four scalars from each of N/4 places, side by side
template <class S> VOLARY_HD Wide<S, 4> load_fours(const S* const* from, std::size_t offset, Wide<S, 4>) { return load(from[0] + offset, Wide<S, 4>()); }
template <class S> VOLARY_HD Wide<S, 8> load_fours(const S* const* from, std::size_t offset, Wide<S, 8>) {
  const auto a = load(from[0] + offset, Wide<S, 4>()).v, b = load(from[4] + offset, Wide<S, 4>()).v;
  return Wide<S, 8>(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
}
template <class S> VOLARY_HD Wide<S, 16> load_fours(const S* const* from, std::size_t offset, Wide<S, 16>) {
  const auto a = load_fours(from, offset, Wide<S, 8>()).v, b = load_fours(from + 8, offset, Wide<S, 8>()).v;
  return Wide<S, 16>(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

// Many lanes: register j of four holds four coefficients of lanes j, j + 4, j + 8, ...; a 4 x 4 transpose inside every group makes four registers
// of one coefficient each, lanes in order.
template <int Axes, int K, class S, int N>
VOLARY_HD void interpolate_lanes(const TableView<S>& t, Bits<Wide<S, N>> node, const Wide<S, N>* fraction, Wide<S, N>* out) {
  using T = Wide<S, N>;
  const Corners<Axes> c = corners<Axes, K>(t);
  typename Traits<T>::Unsigned number[N];
  store(number, node);
  const S* first[N];
  for (int lane = 0; lane < N; ++lane) first[lane] = t.nodes + static_cast<std::size_t>(number[lane]) * table_pitch(K);
  const auto weight = [&]<int J>(T* w) VOLARY_INLINE_LAMBDA {
    for (int a = 0; a < Axes; ++a) w[a] = pick_in_fours<J, J, J, J>(fraction[a], fraction[a]);
  };
  T w[4][Axes];
  weight.template operator()<0>(w[0]);
  weight.template operator()<1>(w[1]);
  weight.template operator()<2>(w[2]);
  weight.template operator()<3>(w[3]);
  for (int k = 0; k < K; k += 4) {
    T row[4];
    for (int j = 0; j < 4; ++j) {
      T v[Corners<Axes>::kCount];
      for (int i = 0; i < Corners<Axes>::kCount; ++i) v[i] = load_fours(first + j, c.offset[i] + k, T());
      row[j] = fold_corners<Axes>(v, w[j]);
    }
    const T a = pick_in_fours<0, 4, 1, 5>(row[0], row[1]), b = pick_in_fours<0, 4, 1, 5>(row[2], row[3]);
    const T d = pick_in_fours<2, 6, 3, 7>(row[0], row[1]), e = pick_in_fours<2, 6, 3, 7>(row[2], row[3]);
    const T column[4] = {pick_in_fours<0, 1, 4, 5>(a, b), pick_in_fours<2, 3, 6, 7>(a, b), pick_in_fours<0, 1, 4, 5>(d, e), pick_in_fours<2, 3, 6, 7>(d, e)};
    for (int j = 0; j < 4 && k + j < K; ++j) out[k + j] = column[j];
  }
}
#endif

// the first K values of a table where its axes were found; K must be the table's own
template <int K, class T> VOLARY_HD void interpolate1(const TableView<Scalar<T>>& t, const Found<T>& a, T (&out)[K]) {
  const T fraction[1] = {a.fraction};
  interpolate_lanes<1, K>(t, whole_bits(a.node), fraction, out);
}
template <int K, class T> VOLARY_HD void interpolate2(const TableView<Scalar<T>>& t, const Found<T>& a, const Found<T>& b, T (&out)[K]) {
  const T fraction[2] = {a.fraction, b.fraction};
  interpolate_lanes<2, K>(t, whole_bits(a.node + b.node), fraction, out);
}
template <int K, class T>
VOLARY_HD void interpolate3(const TableView<Scalar<T>>& t, const Found<T>& a, const Found<T>& b, const Found<T>& c, T (&out)[K]) {
  const T fraction[3] = {a.fraction, b.fraction, c.fraction};
  interpolate_lanes<3, K>(t, whole_bits(a.node + b.node + c.node), fraction, out);
}

}  // namespace volary::inline VOLARY_ISA::math
