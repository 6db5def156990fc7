// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a node of a live federation tells the others after a tick, and what they make of it. A frame is a list of inputs for the worlds of others (World::report): the states of its
// vehicles, and what happened to them and must not be missed: messages and removals. States are of the newest frame alone. What happened is repeated in later frames, so that it comes
// through where some are lost, and taken once.
#pragma once

#include <array>
#include <deque>
#include <set>
#include <span>
#include <vector>

#include "cluster/log_book.hpp"
#include "cluster/message.hpp"
#include "core/bytes.hpp"
#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::cluster {

// who simulates a vehicle, by its flock and place; Sharing::kNobody for an unknown flock
std::uint32_t member_of(const Sharing& sharing, const std::string& flock, std::uint64_t place);
// the inputs of the first tick of a world whose process is a member, or kNobody
std::vector<Input> assignments(const Sharing& sharing, std::uint32_t member);

// The inputs of the log for a tick, each once. One that is late comes with the next tick; one for a later tick holds up nobody.
class LiveInputs {
 public:
  core::Status take(const LogBook& log, Tick tick, std::vector<Input>& inputs);
  // which entries were taken, for a saved state
  struct Taken {
    std::uint64_t base = 0;               // all up to this one
    std::vector<std::uint64_t> list = {}; // and these, the lowest first
  };
  const Taken& taken() const { return taken_; }
  void restore(Taken taken) { taken_ = std::move(taken); }

 private:
  Taken taken_;
};

// What vehicles elsewhere are told to say, their own process lets them say, and tells the others.
void leave_to_others(const World& world, std::vector<Input>& inputs);

class LiveOutbox {
 public:
  static constexpr Tick kRepeated = 16;  // ticks for which something said is repeated
  // after a tick
  std::vector<std::byte> frame(Tick tick, std::vector<Input> report);
  // who was gone after a tick, for a saved state
  void write_gone(Tick tick, core::ByteWriter& out) const;
  bool read_gone(core::ByteReader& in);

 private:
  struct Happened {
    Tick tick;
    Input input;
  };
  std::deque<Happened> said_;
  std::vector<Happened> gone_;  // for good
};

class LiveInbox {
 public:
  explicit LiveInbox(Sharing sharing) : sharing_(std::move(sharing)) {}
  // The inputs for the next tick of the world. A frame that is damaged, or in which a member speaks for vehicles of another, is dropped and counted.
  void take(const World& world, std::vector<LiveFrame> frames, std::vector<Input>& inputs);
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Of {
    Tick newest = 0;       // of the states that were taken
    std::set<Tick> said;    // ticks whose messages were taken
    Tick forgotten = 0;     // messages up to this tick are not taken any more
  };
  void take_one(const World& world, const LiveFrame& frame, std::vector<Input>& inputs);
  bool is_its(const World& world, std::size_t member, const Input& input) const;

  Sharing sharing_;
  std::array<Of, kMaxMembers> of_{};
  std::uint64_t dropped_ = 0;
};

}  // namespace volary::cluster
