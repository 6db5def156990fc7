// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world that other processes compute: the session shows their ticks and hands on what clients ask for. Whoever puts the program together fills this in; the
// server knows no federation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::server {

// What of a federation is shown: ticks that nothing changes any more, the newest tick that all nodes have answered, the newest state of each node, and the frame
// that the founding paper's algorithm gives.
enum class LiveView : std::uint8_t { Committed, Aligned, Newest, Paper };
inline constexpr std::size_t kLiveViews = 4;
inline constexpr std::array<const char*, kLiveViews> kLiveViewNames = {"committed", "aligned", "newest", "paper"};

// what a view shows of one node
struct ShownPart {
  std::uint64_t tick = 0;  // of its state; 0: it has said nothing yet
  bool is_in = false;  // it belongs to the frame; otherwise its vehicles stay where they were shown last
  std::shared_ptr<const std::vector<std::byte>> frame = nullptr;
};

struct Remote {
  static constexpr std::uint64_t kNoHold = ~std::uint64_t{0};

  std::size_t nodes = 0;
  std::function<core::Status(World&)> prepare;  // a world that was just made, before its first tick
  std::function<core::Status(World&)> fly;  // takes one tick
  // an input for the processes that compute the world; its tick is the earliest that it acts on
  std::function<core::Status(const Input&)> submit;
  std::function<void(std::uint64_t tick)> hold;  // no tick beyond this one; kNoHold: none
  std::function<core::Status(double speed)> pace;  // simulated seconds per second; 0: as fast as it goes
  std::function<core::Status()> restart;  // the same scenario from its beginning; empty: refused
  std::function<std::vector<ShownPart>(LiveView)> shown;  // by node
  std::function<std::string(std::uint64_t after)> nodes_text;  // JSON: the nodes and their figures since a sample
};

}  // namespace volary::server
