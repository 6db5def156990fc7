// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fixed-step integrators over any state X that offers fma(T s, const X& rate, const X& x) = x + s rate.
// `f(stage, x)` gives the rate; the stage (0 start, 1 and 2 middle, 3 end) lets a model look up what it
// knows at that time without being told the time.
#pragma once

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

// the step and the multiples of it that a Runge-Kutta step needs
template <class T> struct StepSize {
  T h, half, third, sixth;
};
template <class T> VOLARY_HD StepSize<T> step_size(double h) { return {splat<T>(h), splat<T>(h / 2), splat<T>(h / 3), splat<T>(h / 6)}; }

// Classical fourth-order Runge-Kutta. The weighted sum grows as the stages come, so that at most
// two states and one rate are alive at a time.
template <class X, class T, class F> VOLARY_HD X rk4(const X& x, const StepSize<T>& h, F&& f) {
  const X k1 = f(0, x);
  X sum = fma(h.sixth, k1, x);
  const X k2 = f(1, fma(h.half, k1, x));
  sum = fma(h.third, k2, sum);
  const X k3 = f(2, fma(h.half, k2, x));
  sum = fma(h.third, k3, sum);
  const X k4 = f(3, fma(h.h, k3, x));
  return fma(h.sixth, k4, sum);
}

// Semi-implicit Euler: `kick` advances the velocities with the forces of the old state, `drift` the
// positions with the new velocities. First order, one evaluation.
template <class X, class T, class F> VOLARY_HD X semi_implicit_euler(const X& x, const StepSize<T>& h, F&& f) { return drift(h.h, kick(h.h, f(0, x), x)); }

}  // namespace volary::inline VOLARY_ISA::math
