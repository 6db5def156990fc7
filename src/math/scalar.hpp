// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scalar layer: the only arithmetic a kernel may use. Everything here gives the same bits for
// float, for every lane of every `Wide`, and on a GPU.
//
//   + - * /  sqrt  fma          IEEE 754, correctly rounded, contraction off
//   min max clamp               compare-and-select in one documented operand order
//   abs copysign negation       on the sign bit
//   floor round                 one definition each
//   select any all              branch-free choice; any/all only to skip work that changes nothing
#pragma once

#include <cstdint>
#include <type_traits>

// The name of the instruction set this translation unit is compiled for. Every kernel header lives
// in an inline namespace of that name: the same template compiled twice with different flags must not
// be merged by the linker, or the AVX-512 copy may run on an older CPU.
#ifndef VOLARY_ISA
#define VOLARY_ISA base
#endif

// VOLARY_HD functions are inlined everywhere; VOLARY_COLD ones are rare paths, kept out of the hot loop. Hand a
// cold function values or copies: a variable whose address leaves the hot loop lives in memory.
#if defined(__CUDACC__)
#define VOLARY_HD __host__ __device__ __forceinline__
#define VOLARY_COLD __host__ __device__ __noinline__
#define VOLARY_INLINE_LAMBDA
#else
#define VOLARY_HD __attribute__((always_inline)) inline
#define VOLARY_COLD __attribute__((noinline))
#define VOLARY_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace volary::inline VOLARY_ISA::math {

// Bits<T> is the unsigned integer of the same width, Mask<T> the result of a comparison,
// Scalar<T> the element type; `Wide` specialises all of them.
template <class T> struct Traits;
template <> struct Traits<float> {
  using Bits = std::uint32_t;
  using Mask = bool;
  using Scalar = float;
  static constexpr int kLanes = 1;
};
template <> struct Traits<double> {
  using Bits = std::uint64_t;
  using Mask = bool;
  using Scalar = double;
  static constexpr int kLanes = 1;
};
template <class T> using Bits = typename Traits<T>::Bits;
template <class T> using Mask = typename Traits<T>::Mask;
template <class T> using Scalar = typename Traits<T>::Scalar;
template <class T> inline constexpr int kLanes = Traits<T>::kLanes;

// a constant in every lane; written as double in the source, rounded once to the element type
template <class T> VOLARY_HD T splat(double x) { return T(static_cast<Scalar<T>>(x)); }

#if defined(__CUDA_ARCH__)
VOLARY_HD float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
VOLARY_HD double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
VOLARY_HD float sqrt(float a) { return __fsqrt_rn(a); }
VOLARY_HD double sqrt(double a) { return __dsqrt_rn(a); }
VOLARY_HD std::uint32_t to_bits(float a) { return __float_as_uint(a); }
VOLARY_HD std::uint64_t to_bits(double a) { return static_cast<std::uint64_t>(__double_as_longlong(a)); }
VOLARY_HD float from_bits(std::uint32_t a) { return __uint_as_float(a); }
VOLARY_HD double from_bits(std::uint64_t a) { return __longlong_as_double(static_cast<long long>(a)); }
#else
VOLARY_HD float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
VOLARY_HD double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
VOLARY_HD float sqrt(float a) { return __builtin_sqrtf(a); }
VOLARY_HD double sqrt(double a) { return __builtin_sqrt(a); }
VOLARY_HD std::uint32_t to_bits(float a) { return __builtin_bit_cast(std::uint32_t, a); }
VOLARY_HD std::uint64_t to_bits(double a) { return __builtin_bit_cast(std::uint64_t, a); }
VOLARY_HD float from_bits(std::uint32_t a) { return __builtin_bit_cast(float, a); }
VOLARY_HD double from_bits(std::uint64_t a) { return __builtin_bit_cast(double, a); }
#endif

VOLARY_HD float select(bool m, float a, float b) { return m ? a : b; }
VOLARY_HD double select(bool m, double a, double b) { return m ? a : b; }
VOLARY_HD std::uint32_t select(bool m, std::uint32_t a, std::uint32_t b) { return m ? a : b; }
VOLARY_HD std::uint64_t select(bool m, std::uint64_t a, std::uint64_t b) { return m ? a : b; }
VOLARY_HD bool any(bool m) { return m; }
VOLARY_HD bool all(bool m) { return m; }

// min(a, b) is a < b ? a : b and max(a, b) is a > b ? a : b: a NaN in either place, or two zeros,
// give b. That is what the vector instructions do.
VOLARY_HD float min(float a, float b) { return a < b ? a : b; }
VOLARY_HD double min(double a, double b) { return a < b ? a : b; }
VOLARY_HD float max(float a, float b) { return a > b ? a : b; }
VOLARY_HD double max(double a, double b) { return a > b ? a : b; }

VOLARY_HD float abs(float a) { return from_bits(to_bits(a) & 0x7fffffffu); }
VOLARY_HD double abs(double a) { return from_bits(to_bits(a) & std::uint64_t{0x7fffffffffffffff}); }
VOLARY_HD float copysign(float a, float s) { return from_bits((to_bits(a) & 0x7fffffffu) | (to_bits(s) & 0x80000000u)); }
VOLARY_HD double copysign(double a, double s) {
  return from_bits((to_bits(a) & std::uint64_t{0x7fffffffffffffff}) | (to_bits(s) & std::uint64_t{0x8000000000000000}));
}

// high and low half of a 32 x 32 bit product; the operands are 32-bit values, also in 64-bit lanes
VOLARY_HD void mul32(std::uint32_t a, std::uint32_t b, std::uint32_t& hi, std::uint32_t& lo) {
  const std::uint64_t p = static_cast<std::uint64_t>(a) * b;
  hi = static_cast<std::uint32_t>(p >> 32);
  lo = static_cast<std::uint32_t>(p);
}
VOLARY_HD void mul32(std::uint64_t a, std::uint64_t b, std::uint64_t& hi, std::uint64_t& lo) {
  const std::uint64_t p = a * b;
  hi = p >> 32;
  lo = p & 0xffffffffull;
}

// what memory looks like to a kernel: rows of 16 elements, one per agent of a block
VOLARY_HD float load(const float* row, float) { return *row; }
VOLARY_HD double load(const double* row, double) { return *row; }
VOLARY_HD std::uint32_t load(const std::uint32_t* row, std::uint32_t) { return *row; }
VOLARY_HD std::uint64_t load(const std::uint64_t* row, std::uint64_t) { return *row; }
VOLARY_HD void store(float* row, float a) { *row = a; }
VOLARY_HD void store(double* row, double a) { *row = a; }
VOLARY_HD void store(std::uint32_t* row, std::uint32_t a) { *row = a; }
VOLARY_HD void store(std::uint64_t* row, std::uint64_t a) { *row = a; }

// Reads of parameters before this are not kept for after it: with 16 registers a parameter is better read again from
// the first-level cache than spilled to the stack. With 32 registers the compiler knows best.
template <class T> VOLARY_HD void forget_parameters() {
#if !defined(__CUDA_ARCH__)
  if constexpr (kLanes<T> < 16) asm volatile("" ::: "memory");
#endif
}

// ---------------------------------------------------------------- written once over T

template <class T> VOLARY_HD T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }

// Adding and subtracting 2^(p-1) pushes the fraction of a positive number out of the significand, rounding to
// nearest even; from there on every number is whole already. With 1.5 times that constant it works for
// both signs, for |x| below 2^(p-2) only, and leaves the integer in the low bits.
template <class T> inline constexpr double kWholeAbove = sizeof(Scalar<T>) == 4 ? 8388608.0 : 4503599627370496.0;
template <class T> inline constexpr double kRoundMagic = 1.5 * kWholeAbove<T>;

template <class T> VOLARY_HD T round(T x) {
  const T whole = splat<T>(kWholeAbove<T>);
  const T r = copysign((abs(x) + whole) - whole, x);
  return select(abs(x) < whole, r, x);
}
template <class T> VOLARY_HD T floor(T x) {
  const T r = round(x);
  return select(r > x, r - splat<T>(1), r);
}

// hi + lo = a + b exactly (Knuth's two-sum: no assumption about which is larger)
template <class T> VOLARY_HD void two_sum(T a, T b, T& hi, T& lo) {
  hi = a + b;
  const T b_part = hi - a;
  lo = (a - (hi - b_part)) + (b - b_part);
}
// hi + lo = a + b exactly when |a| >= |b|
template <class T> VOLARY_HD void fast_two_sum(T a, T b, T& hi, T& lo) {
  hi = a + b;
  lo = b - (hi - a);
}

}  // namespace volary::inline VOLARY_ISA::math
