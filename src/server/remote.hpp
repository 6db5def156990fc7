// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world that others step: the session shows it and hands on what clients ask for. Either other processes compute it tick by tick, or a program in this process
// steps it and hands over moments (Session::show). Whoever puts the program together fills this in; the server knows no federation.
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

struct Action;

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

  std::size_t nodes = 0;  // of a federation; 0: there is none, and moments are whole
  std::function<core::Status(World&)> prepare;  // a world that was just made, before its first tick
  std::function<core::Status(World&)> fly;  // takes one tick; empty: only Session::show() moves the world
  // an input for the processes that compute the world; its tick is the earliest that it acts on
  std::function<core::Status(const Input&)> submit;
  std::function<void(std::uint64_t tick)> hold;  // no tick beyond this one; kNoHold: none
  std::function<core::Status(double speed)> pace;  // simulated seconds per second; 0: as fast as it goes
  std::function<core::Status()> restart;  // the same scenario from its beginning; empty: refused
  // instead of the last three: what becomes of pause, resume, step, speed, reset, stop and start, and whether time stands still
  std::function<core::Status(const Action&)> change_run;
  std::function<bool()> is_paused;
  std::function<void(std::size_t clients)> watched;  // so many clients watch from now on
  std::function<std::vector<ShownPart>(LiveView)> shown;  // by node
  std::function<std::string(std::uint64_t after)> nodes_text;  // JSON: the nodes and their figures since a sample
};

}  // namespace volary::server
