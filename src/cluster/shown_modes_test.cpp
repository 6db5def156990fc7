// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/shown_modes.hpp"

#include <gtest/gtest.h>

namespace volary::cluster {
namespace {

// a bundle of a node with frames of these ticks; the frame of tick k of node n says "n k" and the version of its bundle
Bundle bundle(std::uint8_t node, std::vector<Tick> ticks, std::uint64_t inputs = 0) {
  Bundle b{.member = node, .sent = static_cast<Time>(ticks.back()) * 10};
  for (const Tick tick : ticks) {
    const auto begin = static_cast<std::uint32_t>(b.bytes.size());
    for (const std::uint64_t x : {std::uint64_t{node}, std::uint64_t{tick}, inputs}) b.bytes.push_back(static_cast<std::byte>(x));
    b.frames.push_back({tick, node, {inputs, 0}, begin, 3});
  }
  return b;
}

std::vector<Tick> ticks(const ShownModes& modes, ModeKind kind) {
  std::vector<Tick> list;
  for (const ShownNode& n : modes.shown(kind)) list.push_back(n.tick);
  return list;
}
using Ticks = std::vector<Tick>;

TEST(ShownModes, ShowsTheNewestOfEachUnalignedAndOneTickOfAllAligned) {
  ShownModes modes(3, 10);
  EXPECT_EQ(ticks(modes, ModeKind::None), (Ticks{0, 0, 0}));
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{0, 0, 0}));
  for (const std::uint8_t node : {0, 1, 2}) modes.receive(bundle(node, {1, 2}));
  modes.receive(bundle(0, {1, 2, 3, 4}));
  modes.receive(bundle(1, {2, 3}));
  EXPECT_EQ(ticks(modes, ModeKind::None), (Ticks{4, 3, 2}));
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{2, 2, 2}));
  modes.receive(bundle(2, {3}));
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{3, 3, 3}));
  const ShownNode shown = modes.shown(ModeKind::None)[0];
  EXPECT_EQ(*shown.frame, (std::vector{std::byte{0}, std::byte{4}, std::byte{0}}));
  EXPECT_EQ(shown.generated, 40);
}

// node 1 answers tick 3, the message is lost, and its answer to tick 4 carries tick 3 again
TEST(ShownModes, ThePapersAlgorithmLeavesOutANodeWhoseMessageWasLost) {
  ShownModes modes(2, 10);
  modes.receive(bundle(0, {1, 2, 3}));
  modes.receive(bundle(1, {1, 2}));
  EXPECT_EQ(ticks(modes, ModeKind::Paper), (Ticks{0, 2}));
  modes.receive(bundle(1, {2, 3, 4}));
  EXPECT_EQ(ticks(modes, ModeKind::Paper), (Ticks{3, 0}));
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{3, 3}));
}

TEST(ShownModes, KeepsTheNewerVersionOfAFrameInWhateverOrderTheyCome) {
  ShownModes modes(1, 10);
  modes.receive(bundle(0, {1, 2}, 0));
  modes.receive(bundle(0, {1, 2}, 1));
  modes.receive(bundle(0, {1, 2}, 0));
  EXPECT_EQ((*modes.shown(ModeKind::None)[0].frame)[2], std::byte{1});
  EXPECT_EQ((*modes.shown(ModeKind::Bides)[0].frame)[2], std::byte{1});
}

TEST(ShownModes, TakesNothingFromStrangers) {
  ShownModes modes(2, 10);
  for (const std::uint8_t node : {0, 1, 7}) modes.receive(bundle(node, {1}));
  modes.receive(bundle(0, {1, 2, 3}));
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{1, 1}));
}

TEST(ShownModes, KeepsABoundedNumberOfFrames) {
  ShownModes modes(2, 10);
  for (Tick k = 1; k <= 500; ++k) modes.receive(bundle(0, {k}));
  modes.receive(bundle(1, {1}));
  // tick 1 of node 0 is long gone, and node 1 has no other
  EXPECT_EQ(ticks(modes, ModeKind::Bides), (Ticks{0, 1}));
  EXPECT_EQ(ticks(modes, ModeKind::None), (Ticks{500, 1}));
}

}  // namespace
}  // namespace volary::cluster
