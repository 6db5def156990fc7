// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/pool.hpp"

#include "core/cpu.hpp"

namespace volary::engine {

namespace {

// How long to spin, in nanoseconds as cycles_in() counts them. Who gets a core when it asks for one spins through what is serial between two stages, up to
// about 50 us, because to be woken takes as long as stepping some thousand vehicles. Who had to wait for a core, because others want it too, leaves it to them
// after about 5 us.
constexpr std::uint64_t kSpin = 50'000, kSpinAmongMany = 5'000;
constexpr std::uint64_t kLate = 100'000;  // from the offer of a part until its worker looks at it: no core was free

// how long a worker spins from now on, in cycles, by how soon it looked at what it was offered
std::uint64_t spin_after(std::uint64_t offered_at) { return core::cycles_in(core::cycles() - offered_at < core::cycles_in(kLate) ? kSpin : kSpinAmongMany); }

// until the state is another one
std::uint32_t wait_while(const std::atomic<std::uint32_t>& state, std::uint32_t old, std::uint64_t spin) {
  const std::uint64_t begin = core::cycles();
  while (true) {
    if (const std::uint32_t now = state.load(std::memory_order_acquire); now != old) return now;
    if (core::cycles() - begin < spin)
      core::relax();
    else
      state.wait(old, std::memory_order_acquire);
  }
}

}  // namespace

Pool::Pool(int threads, bool force_split)
    : n_workers_(threads - 1), force_split_(force_split), workers_(std::make_unique<Worker[]>(static_cast<std::size_t>(n_workers_))) {
  for (int k = 0; k < n_workers_; ++k) {
    Worker& worker = workers_[static_cast<std::size_t>(k)];
    worker.thread = std::thread([this, &worker, k] { work(worker, k + 1); });
  }
}

Pool::~Pool() {
  for (int k = 0; k < n_workers_; ++k) {
    Worker& worker = workers_[static_cast<std::size_t>(k)];
    call(worker, Stopped);
    worker.thread.join();
  }
}

void Pool::call(Worker& worker, State state) {
  worker.offered_at.store(core::cycles(), std::memory_order_relaxed);
  worker.state.store(state, std::memory_order_release);
  worker.calls.fetch_add(1, std::memory_order_release);
  worker.calls.notify_one();
}

// Until there is something to do. To be woken takes longer than some parts: a worker that comes too late for one spins all the same, and is there for the next stage.
std::uint32_t Pool::wait_for_call(const Worker& worker, std::uint64_t& spin) {
  while (true) {
    const std::uint32_t calls = worker.calls.load(std::memory_order_acquire);
    const std::uint64_t begin = core::cycles();
    do {
      if (const std::uint32_t state = worker.state.load(std::memory_order_acquire); state != Idle) return state;
      core::relax();
    } while (core::cycles() - begin < spin);
    worker.calls.wait(calls, std::memory_order_acquire);
    spin = spin_after(worker.offered_at.load(std::memory_order_relaxed));
  }
}

void Pool::run(int parts, void (*job)(void*, int), void* context) {
  if (parts > 1) {
    job_ = job;
    context_ = context;
    for (int part = 1; part < parts; ++part) call(workers_[static_cast<std::size_t>(part - 1)], Offered);
  }
  job(context, 0);
  // parts that nobody has begun are done here, the last first: its worker was told last
  for (int part = parts - 1; part > 0; --part) {
    std::uint32_t offered = Offered;
    if (workers_[static_cast<std::size_t>(part - 1)].state.compare_exchange_strong(offered, Idle, std::memory_order_acq_rel)) job(context, part);
  }
  for (int part = 1; part < parts; ++part) wait_while(workers_[static_cast<std::size_t>(part - 1)].state, Taken, core::cycles_in(kSpinAmongMany));
}

void Pool::work(Worker& worker, int part) {
  std::uint64_t spin = core::cycles_in(kSpinAmongMany);
  while (true) {
    std::uint32_t state = wait_for_call(worker, spin);
    if (state == Stopped) return;
    spin = spin_after(worker.offered_at.load(std::memory_order_relaxed));
    // the caller may have been quicker
    if (!worker.state.compare_exchange_strong(state, Taken, std::memory_order_acq_rel)) continue;
    job_(context_, part);
    worker.state.store(Idle, std::memory_order_release);
    worker.state.notify_one();
  }
}

}  // namespace volary::engine
