// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that the stages of a step share. A stage says how much work it has, and parts() alone decides in how many parts that is done. A part is
// always the same stretch of the work; worker k is offered part k, and what no worker has begun when the caller is through with its own part, the
// caller does itself: on a busy machine nobody waits for a thread that has no core. Who waits spins for some microseconds and then sleeps.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

namespace volary::engine {

// Work that is worth a thread, in nanoseconds. A thread that is awake takes a part within a fraction of a microsecond, and while a world steps they are awake
// (kSpin in pool.cpp). To wake one that sleeps costs the caller 4 us (median; 16 us in one of ten), measured on two cores of an AMD EPYC in a virtual machine;
// what it would have done meanwhile the caller does itself. With four times this, worlds of 100 to 1,000 vehicles were slower on two threads than on one or no
// faster: their threads slept through the stages that were not split and were woken for the others.
inline constexpr double kWorthAThread = 5'000;

// What one thing of a stage costs on one core, in nanoseconds, estimated from the figures of `bench swarm`; right within a factor of two or so,
// which is what a decision about threads needs.
namespace cost {
inline constexpr double kRead = 10;       // a few rows or numbers of a vehicle: frame, survey, candidates
inline constexpr double kSubstep = 16;    // of one vehicle, 16 side by side (10 with rate control, 22 with position control); narrower kernels take as many times longer
inline constexpr double kSense = 150;     // IMU, sensors and estimator of one vehicle in a tick, 16 side by side
inline constexpr double kHear = 50;       // a message at one receiver
inline constexpr double kNear = 60;       // a place put into its cell, or its neighbours found
inline constexpr double kGround = 40;     // terrain or obstacles below a vehicle
inline constexpr double kRadio = 150;     // a radio in the medium, with ten others in range
inline constexpr double kDecide = 1000;   // a vehicle that decides
inline constexpr double kLook = 150;      // a vehicle that looks for others
}  // namespace cost

class Pool {
 public:
  explicit Pool(int threads, bool force_split = false);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return n_workers_ + 1; }
  // in how many parts n things are done that cost so many nanoseconds each
  int parts(std::size_t n, double each) const {
    return force_split_ ? size() : static_cast<int>(std::clamp(static_cast<double>(n) * each / kWorthAThread, 1.0, static_cast<double>(size())));
  }
  // calls job(context, part) for part = 0 .. parts - 1, at most size(); returns when all are done
  void run(int parts, void (*job)(void* context, int part), void* context);

 private:
  // what becomes of the part that is offered to a worker
  enum State : std::uint32_t { Idle, Offered, Taken, Stopped };
  // a cache line each, so that threads do not share one
  struct alignas(64) Worker {
    std::atomic<std::uint32_t> state{Idle};
    std::atomic<std::uint32_t> calls{0};       // offers so far: who sleeps waits for the next, even if its part is gone by then
    std::atomic<std::uint64_t> offered_at{0};  // cycles
    std::thread thread;
  };
  static void call(Worker& worker, State state);
  static std::uint32_t wait_for_call(const Worker& worker, std::uint64_t& spin);
  void work(Worker& worker, int part);

  int n_workers_ = 0;
  bool force_split_ = false;
  std::unique_ptr<Worker[]> workers_;
  void (*job_)(void*, int) = nullptr;
  void* context_ = nullptr;
};

inline std::size_t share(std::size_t n, std::size_t part, std::size_t parts) { return n * part / parts; }

// f(part) for every part
template <class F> void on_parts(Pool& pool, std::size_t parts, F&& f) {
  pool.run(static_cast<int>(parts), [](void* context, int part) { (*static_cast<std::remove_reference_t<F>*>(context))(static_cast<std::size_t>(part)); }, &f);
}
// f(first, last, part): n things that cost so many nanoseconds each, in as many stretches as they are worth threads
template <class F> void each_part(Pool& pool, std::size_t n, double each, F&& f) {
  const auto parts = static_cast<std::size_t>(pool.parts(n, each));
  on_parts(pool, parts, [&](std::size_t part) { f(share(n, part, parts), share(n, part + 1, parts), static_cast<int>(part)); });
}

}  // namespace volary::engine
