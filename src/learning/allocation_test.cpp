// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A step takes no memory. Every allocation of this program is counted here.
#include <atomic>
#include <cstdlib>
#include <new>

#include "learning/learning_test_support.hpp"

namespace {
std::atomic<std::size_t> taken{0};
}

void* operator new(std::size_t bytes) {
  ++taken;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace volary {
namespace {

TEST(allocation, a_step_with_resets_takes_no_memory) {
  WorldDef def = test::learners(50, 1);
  for (const double share : {0.8, 1.2}) {
    auto frame = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(def.flocks[0].airframe.definition.get()));
    frame->mass *= share;
    def.flocks[0].variants.push_back({"multirotor", "other", frame});
  }
  LearningDef task = test::plain_task();
  task.goal.low = {-1, -1, -1}, task.goal.high = {1, 1, 1};
  task.rewards = {{"goal_closeness"}, {"action_change"}};
  task.ends = {{"too_fast", 0.7}};
  task.time_limit = 0.4;
  for (const Autoreset mode : {Autoreset::NextStep, Autoreset::SameStep})
    for (const int threads : {1, 2}) {
      auto e = test::episodes_of(def, task, mode, {.threads = threads, .force_split = true});
      std::size_t finished = 0, most = 0;
      for (std::uint64_t step = 0; step < 300; ++step) {
        test::act_at_random(*e, step);
        const std::size_t before = taken;
        e->step();
        if (step >= 100) most = std::max(most, taken - before);
        for (const std::uint8_t f : e->finished()) finished += step >= 100 ? f : 0;
      }
      EXPECT_GT(finished, 100u);
      EXPECT_EQ(most, 0u) << threads << " threads";
    }
}

}  // namespace
}  // namespace volary
