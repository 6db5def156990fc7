// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The same kernels on a GPU: one thread per agent, the same blocks, the same rows. Only for the parity program;
// built by the `cuda` preset with -fmad=false, so that every operation is rounded as on a CPU.
#define VOLARY_ISA cuda
#include "engine/lanes.hpp"
#include "engine/parity.hpp"
#include "engine/sense_lanes.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace volary::inline VOLARY_ISA::engine_kernels {

template <class P, class S> __global__ void tick_kernel(SweepArgs args, std::size_t n_agents, std::uint64_t tick, bool* diverged) {
  const std::size_t agent = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (agent >= n_agents) return;
  using L = Layout<P, S>;
  const std::size_t block = agent / kBlock, lane = agent % kBlock;
  const auto& params = *static_cast<const typename P::template Params<S>*>(args.params);
  const vehicles::TickInfo info{tick, args.substeps, static_cast<control::Law>(args.law), args.gusts, args.euler, args.tables, args.impact_speed, args.by_truth, args.believes};
  const control::PathTable<S> table{static_cast<const S*>(args.path_headers), static_cast<const S*>(args.path_pieces)};
  S* hot = static_cast<S*>(args.hot) + block * (L::kHot * kBlock) + lane;
  const Bits<S>* who = static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock) + lane;
  if constexpr (P::kGuided) {
    S* plan = static_cast<S*>(args.plan) + block * (L::kPlan * kBlock) + lane;
    if constexpr (kGuidesMore<P, S>) guide_beside_lanes<P, S>(hot, plan, P::guide_params(params), table);
    guide_lanes<S>(hot, L::kState, P::kGroundForce, plan, P::guide_params(params), table, body_row<P, S>(info));
  }
  bool bad = false;
  OwnParams<P, S> own;
  advance_lanes<P, S>(hot, who, agent, params, own, info, args, bad);
  if (bad) *diverged = true;
}

template <class S> __global__ void sense_kernel(SenseArgs args, std::size_t n_agents) {
  const std::size_t agent = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (agent >= n_agents) return;
  const S* const faults = static_cast<const S*>(args.faults);
  const std::size_t block = agent / kBlock, lane = agent % kBlock, rows = static_cast<std::size_t>(args.layout->rows);
  const SenseLanes<S> lanes{args, static_cast<S*>(args.hot) + block * (static_cast<std::size_t>(args.hot_rows) * kBlock) + lane,
                            static_cast<S*>(args.senses) + block * (rows * kBlock) + lane, static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock) + lane,
                            faults == nullptr ? nullptr : faults + block * (sensors::kFaultRows * kBlock) + lane};
  measure_lanes<S>(lanes, agent);
  if (args.layout->states > 0) estimate_lanes<S>(lanes, agent);
}

// `args.air`, where there is any, has one entry for each tick
template <class P, class S> bool launch(const SweepArgs& args, const SenseArgs* sensing, std::size_t n_agents, int ticks) {
  SenseLayout layout;
  if (sensing != nullptr) cudaMemcpy(&layout, sensing->layout, sizeof layout, cudaMemcpyDeviceToHost);
  bool* diverged = nullptr;
  cudaMalloc(&diverged, sizeof(bool));
  cudaMemset(diverged, 0, sizeof(bool));
  for (int k = 0; k < ticks; ++k) {
    const std::uint64_t tick = args.tick + static_cast<std::uint64_t>(k);
    SweepArgs now = args;
    now.gusts = args.gusts && tick % args.gust_interval == 0;
    if (now.air != nullptr) now.air += k;
    tick_kernel<P, S><<<static_cast<unsigned>((n_agents + 127) / 128), 128>>>(now, n_agents, tick, diverged);
    if (sensing == nullptr) continue;
    SenseArgs senses = *sensing;
    senses.tick = tick;
    senses.due = due_at(layout, senses.tick + 1);
    sense_kernel<S><<<static_cast<unsigned>((n_agents + 127) / 128), 128>>>(senses, n_agents);
  }
  cudaError_t e = cudaGetLastError();  // a kernel that was never started is told here and nowhere else
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e != cudaSuccess) std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(e));
  cudaFree(diverged);
  return e == cudaSuccess;
}

struct Finder {
  const char* program;
  int bytes;
  const SweepArgs& args;
  const SenseArgs* sensing;
  std::size_t n;
  int ticks;
  bool found = false, ok = false;
  template <class P> void try_one() {
    if (found || std::strcmp(P::name, program) != 0) return;
    found = true;
    ok = bytes == 4 ? launch<P, float>(args, sensing, n, ticks) : launch<P, double>(args, sensing, n, ticks);
  }
  template <class... Ps> void try_programs(core::TypeList<Ps...>) { (try_one<Ps>(), ...); }
  template <class... Ms> void try_models(core::TypeList<Ms...>, const char* model) {
    ((std::strcmp(Ms::name, model) == 0 ? try_programs(typename Ms::Programs{}) : void()), ...);
  }
};

}  // namespace volary::inline VOLARY_ISA::engine_kernels

namespace volary::engine {

namespace {
// a copy on the device
void* upload(const void* from, std::size_t bytes) {
  void* p = nullptr;
  if (bytes == 0 || from == nullptr) return nullptr;
  cudaMalloc(&p, bytes);
  cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice);
  return p;
}
}  // namespace

const char* gpu_name() {
  static cudaDeviceProp prop;
  int n = 0;
  if (cudaGetDeviceCount(&n) != cudaSuccess || n == 0) return nullptr;
  cudaGetDeviceProperties(&prop, 0);
  return prop.name;
}

bool gpu_run(const GpuFlock& f, int ticks) {
  SweepArgs a = f.args;
  a.air = nullptr;
  a.apart = nullptr;
  const std::size_t n = static_cast<std::size_t>(ticks);
  void* earths = upload(f.earths, f.earth_bytes * n);
  void* worlds = upload(f.air.worlds, f.world_bytes);
  if (earths != nullptr) {
    std::vector<AirArgs> air(n, f.air);
    for (std::size_t k = 0; k < n; ++k) {
      air[k].earths = static_cast<const char*>(earths) + k * f.earth_bytes;
      air[k].worlds = static_cast<const std::uint32_t*>(worlds);
      air[k].ground = nullptr;
      air[k].times = nullptr;
      air[k].time = static_cast<double>(f.args.tick + k) * f.tick_seconds;
    }
    a.air = static_cast<const AirArgs*>(upload(air.data(), n * sizeof(AirArgs)));
  }
  a.hot = upload(f.hot, f.hot_bytes);
  a.plan = upload(f.plan, f.plan_bytes);
  a.identity = upload(f.identity, f.identity_bytes);
  a.params = upload(f.params, f.params_bytes);
  a.tables = upload(f.args.tables, f.table_bytes);
  a.path_headers = upload(f.args.path_headers, f.path_header_bytes);
  a.path_pieces = upload(f.args.path_pieces, f.path_piece_bytes);
  a.ground = nullptr;
  a.overrides = nullptr;
  a.n_overrides = 0;
  a.cycles = nullptr;
  a.senses = nullptr;
  a.faults = upload(f.args.faults, f.fault_bytes);
  a.sense_faults = upload(f.args.sense_faults, f.sense_fault_bytes);
  SenseArgs sensing;
  if (f.sensing != nullptr) {
    sensing = *f.sensing;
    sensing.hot = a.hot;
    sensing.identity = a.identity;
    sensing.senses = upload(f.sensing->senses, f.senses_bytes);
    sensing.params = upload(f.sensing->params, f.sense_params_bytes);
    sensing.site = upload(f.sensing->site, f.site_bytes);
    sensing.layout = static_cast<const SenseLayout*>(upload(f.sensing->layout, sizeof(SenseLayout)));
    sensing.apart = nullptr;
    sensing.faults = a.sense_faults;
  }
  engine_kernels::Finder finder{f.program, f.bytes_per_scalar, a, f.sensing != nullptr ? &sensing : nullptr, f.n_agents, ticks};
  finder.try_models(vehicles::AllVehicles{}, f.model);
  if (finder.ok) {
    cudaMemcpy(f.hot, a.hot, f.hot_bytes, cudaMemcpyDeviceToHost);
    if (f.plan != nullptr) cudaMemcpy(f.plan, a.plan, f.plan_bytes, cudaMemcpyDeviceToHost);
    if (f.sensing != nullptr) cudaMemcpy(f.sensing->senses, sensing.senses, f.senses_bytes, cudaMemcpyDeviceToHost);
  }
  if (f.sensing == nullptr) sensing = {};
  for (const void* p : {static_cast<const void*>(a.hot), static_cast<const void*>(a.plan), a.identity, a.params, a.tables, a.path_headers, a.path_pieces,
                        static_cast<const void*>(a.air), static_cast<const void*>(earths), static_cast<const void*>(worlds), static_cast<const void*>(sensing.senses), sensing.params, sensing.site,
                        static_cast<const void*>(sensing.layout), static_cast<const void*>(a.faults), a.sense_faults})
    cudaFree(const_cast<void*>(p));
  return finder.ok;
}

}  // namespace volary::engine
