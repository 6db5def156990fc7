// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/scratch_folder.hpp"
#include "replay/recorder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "engine/engine_test_support.hpp"
#include "replay/recording.hpp"

namespace volary::replay {
namespace {

// a page lists the runs while one of them ends: the thread sanitizer looks on
TEST(recorder, can_be_asked_from_other_threads_while_it_records_and_ends) {
  const core::ScratchFolder folder;
  const auto world = test::make(test::circling(20), {.hash_every_tick = true});
  auto recorder = Recorder::open(folder.file("a.vrec"), *world, {}, {});
  ASSERT_TRUE(recorder) << recorder.error().text();
  Recorder& r = *recorder.value();
  std::atomic<bool> over = false;
  std::uint64_t bytes = 0, asked = 0;
  std::thread other([&] {
    for (; !over; ++asked) {
      const RecorderStats s = r.stats();
      EXPECT_GE(s.bytes, bytes);
      bytes = s.bytes;
      EXPECT_TRUE(r.take_notices().empty());
      [[maybe_unused]] const bool recording = r.recording();
    }
  });
  for (int k = 0; k < 300; ++k) {
    world->step(1);
    r.after_tick(*world);
    if (k % 100 == 0) r.flush();
  }
  EXPECT_TRUE(r.recording());
  EXPECT_TRUE(r.close());
  over = true;
  other.join();
  EXPECT_FALSE(r.recording());
  EXPECT_GT(asked, 0u);
  EXPECT_EQ(r.stats().ticks, 301u);
  EXPECT_EQ(Recording::open(folder.file("a.vrec")).value()->last_tick(), 300u);
}

}  // namespace
}  // namespace volary::replay
