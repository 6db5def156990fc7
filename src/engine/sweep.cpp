// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agent-local stages over all flocks, split over the threads in a fixed way.
#include <array>

#include "engine/data.hpp"

namespace volary::engine {

namespace {

using Clock = std::chrono::steady_clock;

// what one thread brings back; a cache line each, so that threads do not share one
struct alignas(64) Part {
  std::uint64_t hash = 0;
  std::array<std::uint64_t, 6> cycles{};  // as StepOptions
  std::vector<std::uint32_t> diverged, noted;  // flocks
};

struct Job {
  Data* d;
  int parts;
  std::vector<Part>& result;
};

// kept by the thread that steps worlds, so that a tick allocates nothing
std::vector<Part>& clean_parts(int n) {
  static thread_local std::vector<Part> kept;
  kept.resize(static_cast<std::size_t>(n));
  for (Part& p : kept) p.hash = 0, p.cycles = {}, p.diverged.clear(), p.noted.clear();
  return kept;
}

void sweep_part(void* context, int part) {
  Job& job = *static_cast<Job*>(context);
  Data& d = *job.d;
  Part& out = job.result[static_cast<std::size_t>(part)];
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = d.flocks[k];
    if (f.slots == 0) continue;
    const std::size_t n = f.blocks(), p = static_cast<std::size_t>(part), parts = static_cast<std::size_t>(job.parts);
    const StepOptions options{d.options.hash_every_tick, d.frame.asked != 0 ? &d.frame : nullptr, d.options.profile ? out.cycles.data() : nullptr};
    const auto step = [&](std::size_t first, std::size_t last) {
      const SweepResult r = f.stepper->step(f, {first, last}, options);
      out.hash += r.hash;
      // a flock whose bodies are in the scenes of another one is stepped with it
      const auto mark = [&](std::vector<std::uint32_t>& flocks) {
        if (f.joined == nullptr) return flocks.push_back(static_cast<std::uint32_t>(k));
        for (const Flock* one : f.joined->members) flocks.push_back(static_cast<std::uint32_t>(one->index));
      };
      if (r.diverged) mark(out.diverged);
      if (r.noted) mark(out.noted);
    };
    const std::size_t first = share(n, p, parts), last = share(n, p + 1, parts);
    d.shared.is_on() ? each_own_stretch(f, first, last, d.shared.member, step) : step(first, last);
  }
}

// shares the wall time of the sweep among its stages as their cycles were
void account(Data& d, const std::vector<Part>& parts, double seconds) {
  constexpr std::array<std::size_t, 6> kWhich = {stage::Guide, stage::Command, stage::Hash, stage::Publish, stage::Measure, stage::Estimate};
  std::array<double, 6> cycles{};
  double total = 0;
  for (const Part& p : parts)
    for (std::size_t k = 0; k < kWhich.size(); ++k) cycles[k] += static_cast<double>(p.cycles[k]), total += static_cast<double>(p.cycles[k]);
  for (std::size_t k = 0; k < kWhich.size(); ++k)
    if (total > 0) d.stage_seconds[kWhich[k]] += seconds * cycles[k] / total;
}

}  // namespace

void sweep(Data& d) {
  const auto begin = Clock::now();
  begin_frame(d);
  for (std::uint32_t k = 0; k < d.worlds.ticks.size(); ++k) d.worlds.ticks[k] = tick_of_world(d, k);
  double work = 0;  // ns
  for (const Flock& f : d.flocks) {
    if (f.slots == 0) continue;
    f.stepper->prepare(d, f);
    work += f.stepper->work(f);
  }
  const int parts = d.pool->parts(1, work);
  Job job{&d, parts, clean_parts(parts)};
  d.pool->run(parts, &sweep_part, &job);
  for (Flock& f : d.flocks)
    for (Patches& p : f.patches) p.clear();
  std::uint64_t sum = 0;
  for (const Part& p : job.result) {
    sum += p.hash;
    for (const std::uint32_t k : p.diverged) d.flocks[k].has_diverged = true;
    for (const std::uint32_t k : p.noted) d.flocks[k].has_impacts = true;
  }
  if (d.options.hash_every_tick && !d.shared.is_on()) {
    d.last_hash = sum;
    d.last_hash_tick = d.tick + 1;
  }
  if (d.options.profile) account(d, job.result, std::chrono::duration<double>(Clock::now() - begin).count());
}

std::uint64_t hash_flock(const Flock& f, const Shared& shared) {
  std::uint64_t sum = 0, each[kBlock];
  for (std::size_t b = 0; b < f.blocks(); ++b) {
    f.stepper->hash_block(f, b, each);
    for (std::size_t k = 0; k < kBlock; ++k)
      if (!shared.is_on() || (b * kBlock + k < f.slots && f.owners[b * kBlock + k] == shared.member)) sum += each[k];
  }
  return sum;
}

}  // namespace volary::engine
