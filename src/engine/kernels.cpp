// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one instruction set. Compiled twice per backend (see cmake/kernels.cmake) with its own flags
// and with VOLARY_ISA naming it; VOLARY_LANES is the number of floats side by side. VOLARY_SENSED is 1 for the programs of vehicles with an IMU, and 0 for all others.
// Programs that have most of their code in common with those without an IMU (kSharesCode) are among these: it is compiled once.
#include "core/cpu.hpp"
#include "engine/backend_names.hpp"
#include "engine/sweep.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

template <class P> constexpr bool is_apart() {
  if constexpr (requires { P::kSharesCode; }) return false;
  return engine::is_sensed<P>();
}

// the table: every program of every model in the list
template <bool Sensed> struct Collector {
  Kernel kernels[256];
  int n = 0;
  template <class M, class P> constexpr void add_one() {
    if constexpr (is_apart<P>() == Sensed) {
      kernels[n++] = make_kernel<M, P, Lanes>();
#ifdef VOLARY_DOUBLE
      kernels[n++] = make_kernel<M, P, DoubleLanes>();
#endif
    }
  }
  template <class M, class... Ps> constexpr void add(core::TypeList<Ps...>) { (add_one<M, Ps>(), ...); }
  template <class... Ms> constexpr void add_all(core::TypeList<Ms...>) { (add<Ms>(typename Ms::Programs{}), ...); }
};
template <bool Sensed> static constexpr Collector<Sensed> collect() {
  Collector<Sensed> c{};
  c.add_all(vehicles::AllVehicles{});
  return c;
}
static constexpr Collector<VOLARY_SENSED == 1> kAll = collect<VOLARY_SENSED == 1>();

}  // namespace volary::inline VOLARY_ISA::engine_kernels

namespace volary::engine {

extern const MoreKernels VOLARY_JOIN(kSensed_, VOLARY_ISA);

#if VOLARY_SENSED
const MoreKernels VOLARY_JOIN(kSensed_, VOLARY_ISA) = {engine_kernels::kAll.kernels, engine_kernels::kAll.n};
#else
namespace {
// what was compiled without fused multiply-adds runs everywhere
bool supported() { return VOLARY_WIDE == 0 || core::has_lanes(VOLARY_LANES); }
}  // namespace

extern const SenseTable VOLARY_JOIN(kSenses_, VOLARY_ISA);
extern const Backend VOLARY_JOIN(kBackend_, VOLARY_ISA);
const Backend VOLARY_JOIN(kBackend_, VOLARY_ISA) = {VOLARY_TEXT(VOLARY_ISA),
                                                    VOLARY_LANES,
                                                    VOLARY_OPTIMISED,
                                                    &supported,
                                                    engine_kernels::kAll.kernels,
                                                    engine_kernels::kAll.n,
                                                    &VOLARY_JOIN(kSensed_, VOLARY_ISA),
                                                    &VOLARY_JOIN(kSenses_, VOLARY_ISA)};
#endif

}  // namespace volary::engine
