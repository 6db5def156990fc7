// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and estimators of one instruction set: compiled once per backend, as kernels.cpp.
#include "engine/backend_names.hpp"
#include "engine/sense_lanes.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

template <class T, void (*One)(const SenseLanes<T>&, std::size_t)> static void each_register(const SenseArgs& args) {
  using S = Scalar<T>;
  const auto hot_rows = static_cast<std::size_t>(args.hot_rows), rows = static_cast<std::size_t>(args.layout->rows);
  for (std::size_t block = args.first; block < args.last; ++block)
    for (int lane = 0; lane < kBlock; lane += kLanes<T>) {
      const S* const faults = static_cast<const S*>(args.faults);
      const SenseLanes<T> lanes{args, static_cast<S*>(args.hot) + block * (hot_rows * kBlock) + lane, static_cast<S*>(args.senses) + block * (rows * kBlock) + lane,
                                static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock) + lane,
                                faults == nullptr ? nullptr : faults + block * (sensors::kFaultRows * kBlock) + lane};
      One(lanes, block * kBlock + static_cast<std::size_t>(lane));
    }
}

template <class T> static constexpr engine::SenseKernel make_sense_kernel() {
  return {static_cast<int>(sizeof(Scalar<T>)), kLanes<T>, &each_register<T, &measure_lanes<T>>, &each_register<T, &estimate_lanes<T>>};
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels

namespace volary::engine {

extern const SenseTable VOLARY_JOIN(kSenses_, VOLARY_ISA);
#ifdef VOLARY_DOUBLE
const SenseTable VOLARY_JOIN(kSenses_, VOLARY_ISA) = {
    {engine_kernels::make_sense_kernel<engine_kernels::Lanes>(), engine_kernels::make_sense_kernel<engine_kernels::DoubleLanes>()}, 2};
#else
const SenseTable VOLARY_JOIN(kSenses_, VOLARY_ISA) = {{engine_kernels::make_sense_kernel<engine_kernels::Lanes>(), {}}, 1};
#endif

}  // namespace volary::engine
