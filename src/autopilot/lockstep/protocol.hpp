// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What one vehicle and its autopilot say to each other, without sockets and clocks: bytes in, bytes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "autopilot/lockstep/measured.hpp"
#include "autopilot/lockstep/outputs.hpp"
#include "autopilot/mavlink/frame.hpp"

namespace volary::autopilot {

class Protocol {
 public:
  virtual ~Protocol() = default;

  // The sensors of a moment, later than all before. What was to be said of an earlier one is forgotten.
  virtual void feed(const Measured& measured, std::uint64_t time_us) = 0;
  virtual void received(std::span<const std::byte> bytes) = 0;
  virtual void take_sends(mavlink::Bytes& out) = 0;  // what is to be sent now; one datagram, or a piece of a stream

  virtual bool has_answered() const = 0;   // to the last feed
  virtual bool is_booting() const = 0;     // it is there, and answers nothing yet: whoever waits goes by the wall
  virtual Command command() const = 0;     // the last answer
  virtual std::string fault() const { return {}; }  // why it cannot be flown; empty: it can
};

}  // namespace volary::autopilot
