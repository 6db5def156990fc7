// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The saved state of a node on its way to the coordinator, which keeps it, and back to whoever takes the place. It travels in pieces, a few at a time, so that
// it does not fill the queues that frames wait in.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "cluster/message.hpp"
#include "cluster/transport/transport.hpp"
#include "core/result.hpp"

namespace volary::cluster {

struct SavedState {
  std::uint8_t member = 0;
  std::uint32_t incarnation = 0;  // of the process that saved it
  Tick tick = 0;
  std::vector<std::byte> bytes = {};  // of WorldHost::save
};
std::vector<std::byte> saved_state_bytes(const SavedState& state);
core::Result<SavedState> read_saved_state(std::span<const std::byte> bytes);

class PieceSender {
 public:
  void begin(std::string topic, std::span<const std::byte> whole);
  // sends some more pieces; those that the transport does not take wait for the next call
  void send(Transport& transport);
  bool is_done() const { return pieces_.empty(); }

 private:
  static constexpr std::size_t kAtOnce = 4;
  std::string topic_;
  std::deque<std::vector<std::byte>> pieces_;
};

}  // namespace volary::cluster
