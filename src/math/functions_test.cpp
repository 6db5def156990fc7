// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every function against MPFR, to the ulp bound its header states. VOLARY_LONG=1 in the environment
// sweeps every 1021st float and twenty times as many doubles.
#include "math/functions.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace volary {
namespace {

namespace m = math;

constexpr int kPrecision = 160;  // bits; exact enough that the reference itself adds nothing

// one MPFR number, freed at the end of its scope
struct Exact {
  mpfr_t v;
  Exact() { mpfr_init2(v, kPrecision); }
  ~Exact() { mpfr_clear(v); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
};

bool is_long_run() { return std::getenv("VOLARY_LONG") != nullptr; }

// splitmix64: the k-th number of a fixed sequence
std::uint64_t hash(std::uint64_t k) {
  k += 0x9e3779b97f4a7c15;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
  k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
  return k ^ (k >> 31);
}
double fraction(std::uint64_t k) { return static_cast<double>(hash(k) >> 11) * 0x1p-53; }

// numbers counted in order, so that a range of floats is a range of integers
template <class S> std::int64_t rank(S x) {
  const auto bits = static_cast<std::int64_t>(m::to_bits(m::abs(x)));
  return x < 0 ? -bits : bits;
}
template <class S> S at_rank(std::int64_t i) {
  const S magnitude = m::from_bits(static_cast<m::Bits<S>>(i < 0 ? -i : i));
  return i < 0 ? -magnitude : magnitude;
}

template <class S> double ulp_error(S got, const Exact& exact) {
  constexpr int kDigits = std::numeric_limits<S>::digits, kLowest = std::numeric_limits<S>::min_exponent;
  const long exponent = mpfr_zero_p(exact.v) ? kLowest : std::max<long>(mpfr_get_exp(exact.v), kLowest);
  Exact difference;
  mpfr_set_d(difference.v, static_cast<double>(got), MPFR_RNDN);
  mpfr_sub(difference.v, difference.v, exact.v, MPFR_RNDN);
  mpfr_mul_2si(difference.v, difference.v, kDigits - exponent, MPFR_RNDN);
  const double error = mpfr_get_d(difference.v, MPFR_RNDA);
  return error == error ? m::abs(error) : std::numeric_limits<double>::infinity();
}

// the largest error seen so far and where it was
struct Worst {
  double error = 0, x = 0, y = 0;
  void take(double e, double at_x, double at_y = 0) {
    if (e > error) *this = {e, at_x, at_y};
  }
};

void expect_within(double bound, const Worst& worst, const char* name) {
  EXPECT_LE(worst.error, bound) << name << " at x = " << std::hexfloat << worst.x << ", y = " << worst.y;
  if (is_long_run()) std::printf("  %-14s %.3f ulp at %.9g, %.9g\n", name, worst.error, worst.x, worst.y);
}

using Reference = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

// equal steps through all numbers of [lo, hi], then random points spread evenly by value
template <class S, class F> Worst sweep(F f, Reference reference, double lo, double hi) {
  const std::int64_t first = rank(static_cast<S>(lo)), last = rank(static_cast<S>(hi)), n_light = 3000;
  const bool is_float_scan = is_long_run() && sizeof(S) == 4;
  const std::int64_t n = n_light * (is_long_run() ? 20 : 1);
  const std::int64_t step = is_float_scan ? 1021 : std::max<std::int64_t>(1, last / n - first / n);
  Worst worst;
  Exact exact;
  const auto check = [&](S x) {
    mpfr_set_d(exact.v, static_cast<double>(x), MPFR_RNDN);
    reference(exact.v, exact.v, MPFR_RNDN);
    worst.take(ulp_error(f(x), exact), static_cast<double>(x));
  };
  for (std::int64_t i = first; i <= last; i += step) check(at_rank<S>(i));
  for (std::int64_t k = 0; k < n; ++k) check(static_cast<S>(lo + (hi - lo) * fraction(static_cast<std::uint64_t>(k))));
  return worst;
}

// float and double elements with their bound
template <class S> double bound_of(m::UlpBound b) { return sizeof(S) == 4 ? b.for_float : b.for_double; }

template <class S> class Functions : public testing::Test {
 protected:
  static constexpr S kInf = std::numeric_limits<S>::infinity();
  static constexpr S kNan = std::numeric_limits<S>::quiet_NaN();
  static constexpr S kMax = std::numeric_limits<S>::max();
  static constexpr S kNormal = std::numeric_limits<S>::min();
  static constexpr S kDenormal = std::numeric_limits<S>::denorm_min();
  static constexpr double kAngle = sizeof(S) == 4 ? 1e5 : 1e7;
  static bool is_nan(S x) { return !(x == x); }
};
struct Names {
  template <class S> static std::string GetName(int) { return sizeof(S) == 4 ? "float" : "double"; }
};
using Elements = testing::Types<float, double>;
TYPED_TEST_SUITE(Functions, Elements, Names);

#define VOLARY_SWEEP(NAME, BOUND, LO, HI) \
  expect_within(bound_of<TypeParam>(BOUND), sweep<TypeParam>([](TypeParam x) { return m::NAME(x); }, mpfr_##NAME, LO, HI), #NAME)

TYPED_TEST(Functions, sine_and_cosine_keep_their_bound_near_and_far) {
  for (const double limit : {0.9, 10.0, this->kAngle, m::kAngleLimit<TypeParam>}) {
    VOLARY_SWEEP(sin, m::kUlpSin, -limit, limit);
    VOLARY_SWEEP(cos, m::kUlpCos, -limit, limit);
  }
}

TYPED_TEST(Functions, tangent_keeps_its_bound_near_and_far) {
  for (const double limit : {0.9, 10.0, m::kAngleLimit<TypeParam>}) VOLARY_SWEEP(tan, m::kUlpTan, -limit, limit);
}

// the rounded multiples of pi/2 are where a poor reduction loses every digit
TYPED_TEST(Functions, sine_cosine_and_tangent_keep_their_bound_beside_every_multiple_of_half_pi) {
  using S = TypeParam;
  Worst s, c, t;
  Exact angle, exact;
  const auto check = [&](S x) {
    mpfr_set_d(angle.v, static_cast<double>(x), MPFR_RNDN);
    mpfr_sin(exact.v, angle.v, MPFR_RNDN);
    s.take(ulp_error(m::sin(x), exact), static_cast<double>(x));
    mpfr_cos(exact.v, angle.v, MPFR_RNDN);
    c.take(ulp_error(m::cos(x), exact), static_cast<double>(x));
    mpfr_tan(exact.v, angle.v, MPFR_RNDN);
    t.take(ulp_error(m::tan(x), exact), static_cast<double>(x));
  };
  const std::int64_t last = static_cast<std::int64_t>(m::kAngleLimit<S> * 0.6366);
  const std::int64_t density = is_long_run() ? 20000 : 400;
  for (std::int64_t k = 1; k < last; k += 1 + k / density) {
    const std::int64_t i = rank(static_cast<S>(static_cast<double>(k) * 1.5707963267948966));
    for (int d = -1; d <= 1; ++d) check(at_rank<S>(i + d));
  }
  expect_within(bound_of<S>(m::kUlpSin), s, "sin n pi/2");
  expect_within(bound_of<S>(m::kUlpCos), c, "cos n pi/2");
  expect_within(bound_of<S>(m::kUlpTan), t, "tan n pi/2");
}

TYPED_TEST(Functions, inverse_functions_keep_their_bound) {
  VOLARY_SWEEP(asin, m::kUlpAsin, -1, 1);
  VOLARY_SWEEP(acos, m::kUlpAcos, -1, 1);
  VOLARY_SWEEP(atan, m::kUlpAtan, -1, 1);
  VOLARY_SWEEP(atan, m::kUlpAtan, -10, 10);
  VOLARY_SWEEP(atan, m::kUlpAtan, -1e30, 1e30);
}

TYPED_TEST(Functions, exponential_keeps_its_bound_over_all_normal_results) {
  VOLARY_SWEEP(exp, m::kUlpExp, -1, 1);
  if (sizeof(TypeParam) == 4)
    VOLARY_SWEEP(exp, m::kUlpExp, -87.3365, 88.7228);
  else
    VOLARY_SWEEP(exp, m::kUlpExp, -708.396, 709.7827);
}

TYPED_TEST(Functions, logarithm_keeps_its_bound_from_the_smallest_denormal_to_the_largest_number) {
  VOLARY_SWEEP(log, m::kUlpLog, 0.25, 4);
  VOLARY_SWEEP(log, m::kUlpLog, 0.99, 1.01);
  VOLARY_SWEEP(log, m::kUlpLog, this->kDenormal, this->kMax);
}

// bases of every size; exponents such that the result spreads over the whole range
TYPED_TEST(Functions, power_keeps_its_bound) {
  using S = TypeParam;
  Worst worst;
  Exact base, exponent, exact;
  const double range = sizeof(S) == 4 ? 125.9 : 1021.9;
  const std::uint64_t n = is_long_run() ? 500000 : 8000;
  for (std::uint64_t k = 0; k < n; ++k) {
    const S near_one = static_cast<S>(0.5 + 1.5 * fraction(3 * k));
    const S anywhere = m::from_bits(static_cast<m::Bits<S>>(hash(3 * k + 1) % m::to_bits(this->kInf)));
    const S x = k % 2 == 0 ? near_one : anywhere;
    const S log_result = static_cast<S>((2 * fraction(3 * k + 2) - 1) * range * 0.6931);
    const S y = log_result / (m::abs(m::log(x)) + static_cast<S>(1e-6));
    mpfr_set_d(base.v, static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(exponent.v, static_cast<double>(y), MPFR_RNDN);
    mpfr_pow(exact.v, base.v, exponent.v, MPFR_RNDN);
    if (mpfr_cmp_d(exact.v, this->kNormal) <= 0 || mpfr_cmp_d(exact.v, this->kMax) >= 0) continue;
    worst.take(ulp_error(m::pow(x, y), exact), static_cast<double>(x), static_cast<double>(y));
  }
  expect_within(bound_of<S>(m::kUlpPow), worst, "pow");
}

TYPED_TEST(Functions, angle_of_a_vector_keeps_its_bound_in_all_quadrants) {
  using S = TypeParam;
  Worst worst;
  Exact ey, ex, exact;
  const std::uint64_t n = is_long_run() ? 500000 : 8000;
  for (std::uint64_t k = 0; k < n; ++k) {
    const double size = k % 2 == 0 ? 2 : 1e4 * fraction(7 * k);
    const S y = static_cast<S>(size * (2 * fraction(2 * k) - 1)), x = static_cast<S>(2 * fraction(2 * k + 1) - 1);
    mpfr_set_d(ey.v, static_cast<double>(y), MPFR_RNDN);
    mpfr_set_d(ex.v, static_cast<double>(x), MPFR_RNDN);
    mpfr_atan2(exact.v, ey.v, ex.v, MPFR_RNDN);
    worst.take(ulp_error(m::atan2(y, x), exact), static_cast<double>(x), static_cast<double>(y));
  }
  expect_within(bound_of<S>(m::kUlpAtan), worst, "atan2");
}

// ---------------------------------------------------------------- special values

TYPED_TEST(Functions, a_nan_with_any_payload_gives_a_nan) {
  using S = TypeParam;
  for (const m::Bits<S> payload : {m::Bits<S>{0}, m::Bits<S>{1}, m::Bits<S>{0x155}, m::Bits<S>{0x3fffff}}) {
    const S positive = m::from_bits(m::to_bits(this->kNan) | payload);
    for (const S nan : {positive, -positive}) {
      EXPECT_TRUE(this->is_nan(m::sin(nan)) && this->is_nan(m::cos(nan)) && this->is_nan(m::tan(nan)));
      EXPECT_TRUE(this->is_nan(m::asin(nan)) && this->is_nan(m::acos(nan)) && this->is_nan(m::atan(nan)));
      EXPECT_TRUE(this->is_nan(m::exp(nan)) && this->is_nan(m::log(nan)));
      for (const S other : {S{0}, S{1}, S{-2}, this->kInf, nan}) {
        EXPECT_TRUE(this->is_nan(m::atan2(nan, other)) && this->is_nan(m::atan2(other, nan)));
        EXPECT_TRUE(this->is_nan(m::pow(nan, other)) && this->is_nan(m::pow(other, nan)));
      }
    }
  }
}

TYPED_TEST(Functions, angles_beyond_the_limit_count_as_zero_and_infinite_ones_are_nan) {
  using S = TypeParam;
  for (const S x : {static_cast<S>(m::kAngleLimit<S> * 1.001), static_cast<S>(1e30), this->kMax}) {
    EXPECT_EQ(m::sin(x), 0);
    EXPECT_EQ(m::cos(x), 1);
    EXPECT_EQ(m::tan(-x), 0);
  }
  for (const S x : {this->kInf, -this->kInf}) EXPECT_TRUE(this->is_nan(m::sin(x)) && this->is_nan(m::cos(x)) && this->is_nan(m::tan(x)));
}

TYPED_TEST(Functions, odd_functions_keep_the_sign_of_zero_and_return_tiny_arguments) {
  using S = TypeParam;
  for (const S x : {S{0}, this->kDenormal, this->kNormal, static_cast<S>(1e-20)}) {
    for (const S y : {x, -x}) {
      EXPECT_EQ(m::to_bits(m::sin(y)), m::to_bits(y));
      EXPECT_EQ(m::to_bits(m::tan(y)), m::to_bits(y));
      EXPECT_EQ(m::to_bits(m::asin(y)), m::to_bits(y));
      EXPECT_EQ(m::to_bits(m::atan(y)), m::to_bits(y));
    }
  }
}

TYPED_TEST(Functions, inverse_functions_meet_their_end_points) {
  using S = TypeParam;
  const S pi = static_cast<S>(3.14159265358979323846);
  EXPECT_EQ(m::asin(S{1}), pi / 2);
  EXPECT_EQ(m::asin(S{-1}), -pi / 2);
  EXPECT_EQ(m::acos(S{1}), 0);
  EXPECT_EQ(m::acos(S{0}), pi / 2);
  EXPECT_EQ(m::acos(S{-1}), pi);
  EXPECT_EQ(m::atan(this->kInf), pi / 2);
  EXPECT_EQ(m::atan(-this->kInf), -pi / 2);
  for (const S x : {at_rank<S>(rank(S{1}) + 1), S{-2}, this->kInf}) EXPECT_TRUE(this->is_nan(m::asin(x)) && this->is_nan(m::acos(x)));
}

TYPED_TEST(Functions, angle_of_a_vector_knows_signed_zeros_and_infinities) {
  using S = TypeParam;
  const S pi = static_cast<S>(3.14159265358979323846), inf = this->kInf, zero = 0;
  struct Case {
    S y, x, angle;
  };
  const Case cases[] = {{zero, zero, zero}, {zero, -zero, pi}, {zero, 1, zero},   {zero, -1, pi}, {1, zero, pi / 2},
                        {1, -zero, pi / 2}, {inf, 1, pi / 2},  {inf, -1, pi / 2}, {1, inf, zero}, {1, -inf, pi}};
  for (const Case& a : cases) {
    EXPECT_EQ(m::to_bits(m::atan2(a.y, a.x)), m::to_bits(a.angle)) << a.y << ", " << a.x;
    EXPECT_EQ(m::to_bits(m::atan2(-a.y, a.x)), m::to_bits(-a.angle)) << -a.y << ", " << a.x;
  }
  for (const S r : {S{1}, this->kDenormal, this->kMax, inf}) {
    EXPECT_NEAR(m::atan2(r, r), pi / 4, std::numeric_limits<S>::epsilon());
    EXPECT_NEAR(m::atan2(-r, -r), -3 * (pi / 4), 2 * std::numeric_limits<S>::epsilon());
  }
}

TYPED_TEST(Functions, exponential_overflows_to_infinity_and_underflows_to_zero) {
  using S = TypeParam;
  EXPECT_EQ(m::exp(S{0}), 1);
  EXPECT_EQ(m::exp(-S{0}), 1);
  const S highest = static_cast<S>(sizeof(S) == 4 ? 88.72283172607422 : 709.782712893384);
  const S lowest = static_cast<S>(sizeof(S) == 4 ? -87.33654022216797 : -708.3964185322641);
  EXPECT_LE(m::exp(highest), this->kMax);
  EXPECT_GE(m::exp(lowest), this->kNormal);
  for (const S x : {at_rank<S>(rank(highest) + 1), static_cast<S>(1000), this->kMax, this->kInf}) EXPECT_EQ(m::exp(x), this->kInf) << x;
  for (const S x : {at_rank<S>(rank(lowest) - 1), static_cast<S>(-1000), -this->kMax, -this->kInf}) EXPECT_EQ(m::to_bits(m::exp(x)), m::to_bits(S{0})) << x;
}

TYPED_TEST(Functions, logarithm_of_zero_is_minus_infinity_and_of_a_negative_number_nan) {
  using S = TypeParam;
  EXPECT_EQ(m::to_bits(m::log(S{1})), m::to_bits(S{0}));
  EXPECT_EQ(m::log(S{0}), -this->kInf);
  EXPECT_EQ(m::log(-S{0}), -this->kInf);
  EXPECT_EQ(m::log(this->kInf), this->kInf);
  for (const S x : {-this->kDenormal, S{-1}, -this->kMax, -this->kInf}) EXPECT_TRUE(this->is_nan(m::log(x)));
}

TYPED_TEST(Functions, power_has_sensible_edges) {
  using S = TypeParam;
  const S inf = this->kInf, half = static_cast<S>(0.5);
  for (const S x : {S{0}, half, S{1}, S{2}, inf}) EXPECT_EQ(m::pow(x, S{0}), 1);
  for (const S y : {S{-3}, S{0}, S{3}, inf, -inf}) EXPECT_EQ(m::pow(S{1}, y), 1);
  EXPECT_EQ(m::pow(S{0}, S{2}), 0);
  EXPECT_EQ(m::pow(S{0}, S{-2}), inf);
  EXPECT_EQ(m::pow(inf, S{2}), inf);
  EXPECT_EQ(m::pow(inf, S{-2}), 0);
  EXPECT_EQ(m::pow(S{2}, inf), inf);
  EXPECT_EQ(m::pow(S{2}, -inf), 0);
  EXPECT_EQ(m::pow(half, inf), 0);
  EXPECT_EQ(m::pow(half, -inf), inf);
  EXPECT_EQ(m::pow(S{2}, S{10000}), inf);
  EXPECT_EQ(m::pow(S{2}, S{-10000}), 0);
  EXPECT_EQ(m::pow(this->kMax, S{1}), this->kMax);
  EXPECT_EQ(m::pow(this->kNormal, S{1}), this->kNormal);
  EXPECT_EQ(m::pow(S{3}, S{4}), 81);
  EXPECT_TRUE(this->is_nan(m::pow(S{-1}, S{2})) && this->is_nan(m::pow(-inf, S{2})));
}

TYPED_TEST(Functions, rounding_ties_go_to_even_up_to_the_last_fraction) {
  using S = TypeParam;
  const S last = static_cast<S>(m::kWholeAbove<S>) - static_cast<S>(0.5);
  const S middle = static_cast<S>(m::kWholeAbove<S> / 2) + static_cast<S>(0.5);
  EXPECT_EQ(m::round(static_cast<S>(2.5)), 2);
  EXPECT_EQ(m::round(static_cast<S>(-3.5)), -4);
  EXPECT_EQ(m::round(middle), middle - static_cast<S>(0.5));
  EXPECT_EQ(m::round(last), last + static_cast<S>(0.5));
  EXPECT_EQ(m::floor(last), last - static_cast<S>(0.5));
  EXPECT_EQ(m::floor(-middle), -middle - static_cast<S>(0.5));
}

// ---------------------------------------------------------------- identities

TYPED_TEST(Functions, sine_and_cosine_lie_on_the_unit_circle) {
  using S = TypeParam;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    S s, c;
    m::sincos(static_cast<S>((2 * fraction(k) - 1) * this->kAngle), s, c);
    ASSERT_LE(m::abs(s), 1);
    ASSERT_LE(m::abs(c), 1);
    ASSERT_NEAR(static_cast<double>(s) * s + static_cast<double>(c) * c, 1.0, 4.0 * std::numeric_limits<S>::epsilon());
  }
}

TYPED_TEST(Functions, exponential_undoes_the_logarithm) {
  using S = TypeParam;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const S x = static_cast<S>(0.1 + 10 * fraction(k));
    ASSERT_NEAR(m::exp(m::log(x)) / x, 1.0, 6.0 * std::numeric_limits<S>::epsilon());
  }
}

// a step of many ulp never goes down: the pieces of each function meet
TYPED_TEST(Functions, monotone_functions_are_monotone_across_their_seams) {
  using S = TypeParam;
  const S step = 16 * std::numeric_limits<S>::epsilon();
  for (const double seam : {0.34657359, 0.5, 0.70710678, 1.0, 1.41421356, 1.5, 2.0}) {
    for (int k = -2000; k < 2000; ++k) {
      const S x = static_cast<S>(seam) + static_cast<S>(k) * step, next = x + step;
      ASSERT_LE(m::exp(x), m::exp(next));
      ASSERT_LE(m::log(x), m::log(next));
      ASSERT_LE(m::atan(x), m::atan(next));
      if (next <= 1) {
        ASSERT_LE(m::asin(x), m::asin(next));
        ASSERT_GE(m::acos(x), m::acos(next));
      }
    }
  }
}

}  // namespace
}  // namespace volary
