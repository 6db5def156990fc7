// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one instruction set. Compiled once per backend (see cmake/kernels.cmake) with its own flags
// and with VOLARY_ISA naming it; VOLARY_LANES is the number of floats side by side.
#include "core/cpu.hpp"
#include "engine/sweep.hpp"

#define VOLARY_JOIN2(a, b) a##b
#define VOLARY_JOIN(a, b) VOLARY_JOIN2(a, b)
#define VOLARY_TEXT2(a) #a
#define VOLARY_TEXT(a) VOLARY_TEXT2(a)

namespace volary::inline VOLARY_ISA::engine_kernels {

#if VOLARY_LANES == 1
using Lanes = float;
#else
using Lanes = math::Wide<float, VOLARY_LANES>;
#endif

// double worlds run at two widths: one by one, and four side by side (not at -O0: it compiles for minutes)
#if VOLARY_LANES == 1
#define VOLARY_DOUBLE 1
using DoubleLanes = double;
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE && VOLARY_OPTIMISED
#define VOLARY_DOUBLE 1
using DoubleLanes = math::Wide<double, 4>;
#endif

// the table: every program of every model in the list
struct Collector {
  Kernel kernels[256];
  int n = 0;
  template <class M, class... Ps> constexpr void add(core::TypeList<Ps...>) {
    ((kernels[n++] = make_kernel<M, Ps, Lanes>()), ...);
#ifdef VOLARY_DOUBLE
    ((kernels[n++] = make_kernel<M, Ps, DoubleLanes>()), ...);
#endif
  }
  template <class... Ms> constexpr void add_all(core::TypeList<Ms...>) { (add<Ms>(typename Ms::Programs{}), ...); }
};
static constexpr Collector collect() {
  Collector c{};
  c.add_all(vehicles::AllVehicles{});
  return c;
}
static constexpr Collector kAll = collect();

// what was compiled without fused multiply-adds runs everywhere
static bool supported() { return VOLARY_WIDE == 0 || core::has_lanes(VOLARY_LANES); }

}  // namespace volary::inline VOLARY_ISA::engine_kernels

namespace volary::engine {

extern const Backend VOLARY_JOIN(kBackend_, VOLARY_ISA);
const Backend VOLARY_JOIN(kBackend_, VOLARY_ISA) = {VOLARY_TEXT(VOLARY_ISA),      VOLARY_LANES,          VOLARY_OPTIMISED, &engine_kernels::supported,
                                                    engine_kernels::kAll.kernels, engine_kernels::kAll.n};

}  // namespace volary::engine
