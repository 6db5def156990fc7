// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/elementary.hpp"

#include "core/cpu.hpp"
#include "math/functions.hpp"

// The same text twice: with the instruction for a fused multiply-add, and with a call of the C library's fma, which rounds as correctly.
#if defined(__x86_64__)
#define VOLARY_FUSED __attribute__((target("fma")))
#else
#define VOLARY_FUSED  // part of every aarch64
#endif

namespace volary::multibody {

namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

// C defines powers of negative numbers where the exponent is whole
VOLARY_FUSED double pow_fused(double x, double y) {
  if (!(x < 0) || math::round(y) != y) return math::pow(x, y);
  const double half = 0.5 * y, power = math::pow(-x, y);
  return math::round(half) == half ? power : -power;
}
double pow_plain(double x, double y) {
  if (!(x < 0) || math::round(y) != y) return math::pow(x, y);
  const double half = 0.5 * y, power = math::pow(-x, y);
  return math::round(half) == half ? power : -power;
}

template <class F> void* address(F* function) { return reinterpret_cast<void*>(function); }
void* address(One function) { return reinterpret_cast<void*>(function); }
void* address(Two function) { return reinterpret_cast<void*>(function); }

const NamedFunction kFused[] = {{"sin", address(One([](double x) VOLARY_FUSED { return math::sin(x); }))},
                                {"cos", address(One([](double x) VOLARY_FUSED { return math::cos(x); }))},
                                {"tan", address(One([](double x) VOLARY_FUSED { return math::tan(x); }))},
                                {"asin", address(One([](double x) VOLARY_FUSED { return math::asin(x); }))},
                                {"acos", address(One([](double x) VOLARY_FUSED { return math::acos(x); }))},
                                {"atan2", address(Two([](double y, double x) VOLARY_FUSED { return math::atan2(y, x); }))},
                                {"exp", address(One([](double x) VOLARY_FUSED { return math::exp(x); }))},
                                {"log", address(One([](double x) VOLARY_FUSED { return math::log(x); }))},
                                {"pow", address(Two(&pow_fused))}};
const NamedFunction kPlain[] = {{"sin", address(One([](double x) { return math::sin(x); }))},
                                {"cos", address(One([](double x) { return math::cos(x); }))},
                                {"tan", address(One([](double x) { return math::tan(x); }))},
                                {"asin", address(One([](double x) { return math::asin(x); }))},
                                {"acos", address(One([](double x) { return math::acos(x); }))},
                                {"atan2", address(Two([](double y, double x) { return math::atan2(y, x); }))},
                                {"exp", address(One([](double x) { return math::exp(x); }))},
                                {"log", address(One([](double x) { return math::log(x); }))},
                                {"pow", address(Two(&pow_plain))}};

}  // namespace

std::span<const NamedFunction> elementary_functions(bool is_fused) { return is_fused ? std::span(kFused) : std::span(kPlain); }
std::span<const NamedFunction> elementary_functions() { return elementary_functions(core::has_lanes(4)); }

}  // namespace volary::multibody
