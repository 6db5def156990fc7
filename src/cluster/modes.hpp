// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ways to show many nodes at one instant, behind one interface, to be compared on the same network: the newest state of each, lock-step, hybrid logical clocks,
// the founding paper's algorithm, and this project's aligner.
#pragma once

#include <memory>
#include <span>

#include "cluster/aligner.hpp"

namespace volary::cluster {

enum class ModeKind : std::uint8_t { None, Lockstep, Hlc, Paper, Bides };

// how nodes send and the consumer aligns
struct Mode {
  const char* name;
  ModeKind kind;
  std::uint32_t carry;  // ticks in one message
  int copies;  // of every message, 2 ms apart
  bool has_clock;  // nodes step by the schedule on a common clock; otherwise when a trigger arrives, catching up
};
std::span<const Mode> all_modes();

// what a node says: its ticks first .. last, and when the last was generated
struct StateMessage {
  std::uint16_t node = 0;
  Tick first = 0, last = 0;
  Time generated = 0;
};

// what a consumer shows at one instant
struct Shown {
  bool is_aligned = false;  // the mode claims that all states belong together
  Time reference = -1;  // the instant that it shows; negative: nothing yet
  double completeness = 0;  // share of the nodes that are in it
  Tick skew = 0;  // ticks between the oldest and the newest state in it
};

class ModeView {
 public:
  virtual ~ModeView() = default;
  virtual void receive(const StateMessage& message) = 0;
  virtual Shown shown() const = 0;
  // of every node, the tick that is shown; 0: the node is not in the frame
  virtual std::vector<Tick> ticks() const = 0;
};
// `period`: between ticks, for instants of ticks
std::unique_ptr<ModeView> make_view(ModeKind kind, std::size_t nodes, Time period);

}  // namespace volary::cluster
