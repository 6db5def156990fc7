// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Rows: how a struct of kernel scalars lies in memory. A block holds 16 agents; every scalar of an
// agent is one row of 16 elements. A struct lists its fields once, in a function
//
//   template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) { f(Field{...}, s.x); ... }
//
// and loading, storing, hashing, naming of columns and documentation all come from that list.
#pragma once

#include "math/vec.hpp"
#include "math/wide.hpp"

namespace volary::inline VOLARY_ISA::math {

inline constexpr int kBlock = 16;  // agents in a block, whatever the lane width

// what a reader of a column wants to know about it
struct Field {
  const char* name;
  const char* unit;  // SI, or "-" for a pure number
  const char* frame; // W world, B body, "-" none
  const char* doc;
};

// calls f(scalar) for every scalar inside x, in memory order
template <class T, class F> VOLARY_HD constexpr void each_scalar(Vec3<T>& v, F& f) {
  f(v.x);
  f(v.y);
  f(v.z);
}
template <class T, class F> VOLARY_HD constexpr void each_scalar(Quat<T>& q, F& f) {
  f(q.w);
  f(q.x);
  f(q.y);
  f(q.z);
}
template <class T, class F> VOLARY_HD constexpr void each_scalar(Mat3<T>& m, F& f) {
  each_scalar(m.row0, f);
  each_scalar(m.row1, f);
  each_scalar(m.row2, f);
}
template <class T, class F> VOLARY_HD constexpr void each_scalar(Position<T>& p, F& f) {
  each_scalar(p.value, f);
  each_scalar(p.remainder, f);
}
template <class T, int N, class F> VOLARY_HD constexpr void each_scalar(T (&a)[N], F& f) {
  for (int i = 0; i < N; ++i) f(a[i]);
}
template <class T, class F> VOLARY_HD constexpr void each_scalar(T& x, F& f) { f(x); }

// Integer rows share the record with floating-point rows of the same width.
template <class T> struct IsBits : std::false_type {};
template <> struct IsBits<std::uint32_t> : std::true_type {};
template <> struct IsBits<std::uint64_t> : std::true_type {};
#if VOLARY_WIDE
template <class U, int N> struct IsBits<WideBits<U, N>> : std::true_type {};
#endif

// S is the element type of the record, float or double
template <class S> struct RowLoader {
  const S* row;
  template <class X> VOLARY_HD void operator()(X& x) {
    if constexpr (IsBits<X>::value)
      x = load(reinterpret_cast<const Bits<S>*>(row), X());
    else
      x = load(row, X());
    row += kBlock;
  }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
template <class S> struct RowStorer {
  S* row;
  template <class X> VOLARY_HD void operator()(X& x) {
    if constexpr (IsBits<X>::value)
      store(reinterpret_cast<Bits<S>*>(row), x);
    else
      store(row, x);
    row += kBlock;
  }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
// stores a row only in the lanes of a mask
template <class T> struct RowBlender {
  using S = Scalar<T>;
  S* row;
  Mask<T> mask;
  template <class X> VOLARY_HD void operator()(X& x) {
    if constexpr (IsBits<X>::value)
      store(reinterpret_cast<Bits<S>*>(row), select(mask, x, load(reinterpret_cast<const Bits<S>*>(row), X())));
    else
      store(row, select(mask, x, load(row, X())));
    row += kBlock;
  }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
struct RowCounter {
  int n = 0;
  template <class X> VOLARY_HD constexpr void operator()(X&) { ++n; }
  template <class X> VOLARY_HD constexpr void operator()(const Field&, X& x) { each_scalar(x, *this); }
};

// the first row of the field with a name
struct RowFinder {
  const char* name;
  int n = 0, found = -1;
  template <class X> VOLARY_HD constexpr void operator()(const Field& f, X& x) {
    if (found < 0 && same(f.name, name)) found = n;
    RowCounter rows;
    each_scalar(x, rows);
    n += rows.n;
  }

 private:
  static constexpr bool same(const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
  }
};

}  // namespace volary::inline VOLARY_ISA::math
