// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The last texts that an autopilot has sent to its operator. STATUSTEXT has room for 50 characters: longer texts come in parts, which are put together here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autopilot/mavlink/messages.hpp"
#include "runner/autopilots.hpp"

namespace volary::autopilot {

class StatusTexts {
 public:
  static constexpr std::size_t kKept = 20;

  void hear(const mavlink::Statustext& message, double now);
  void beat(double now);  // a text whose last part does not come is shown without it
  const std::vector<runner::AutopilotMessage>& list() const { return list_; }  // the oldest first
  // the last one since a time that is at least as grave; none: null
  const runner::AutopilotMessage* last(mavlink::Severity severity, double since) const;

 private:
  struct Partial {
    std::uint16_t id = 0;
    unsigned next = 0;  // number of the part that comes next
    double heard = 0;   // s
    runner::AutopilotMessage message;
  };
  void end_partial();

  std::optional<Partial> partial_;
  std::vector<runner::AutopilotMessage> list_;
};

}  // namespace volary::autopilot
