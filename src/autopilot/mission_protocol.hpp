// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Upload, download and deletion of plans by the mission protocol (https://mavlink.io/en/services/mission.html), for one vehicle and without a clock:
// times are given by the caller. A plan that arrives replaces the one before only when it is whole.
#pragma once

#include <array>
#include <optional>

#include "autopilot/mavlink/frame.hpp"
#include "autopilot/mission_plan.hpp"
#include "autopilot/outbox.hpp"

namespace volary::autopilot {

// who sent a message
struct Sender {
  ChannelId channel = 0;
  std::uint8_t system = 0, component = 0;

  friend bool operator==(const Sender&, const Sender&) = default;
};

class MissionProtocol {
 public:
  static constexpr double kRepeat = 0.25;  // s until an item is asked for again
  static constexpr int kRepeats = 8;       // then the upload is given up

  MissionProtocol(std::uint8_t system, Outbox& outbox) : system_(system), outbox_(outbox) {}

  // true: the message belongs to this protocol
  bool hear(const mavlink::Frame& frame, const Sender& sender, double now);
  void beat(double now);

  const MissionPlan& plan(mavlink::MissionType type) const { return plans_[static_cast<std::size_t>(type)]; }
  // the kinds of plans that were replaced or deleted since the last call
  std::optional<mavlink::MissionType> take_changed();

 private:
  struct Upload {
    Sender from;
    mavlink::MissionType type = mavlink::MissionType::Mission;
    MissionPlan items;
    std::size_t count = 0;
    double asked = 0;   // when the next item was asked for last
    int repeats = 0;
    bool is_out_of_order = false;  // items other than the next one came
  };
  void begin_upload(const mavlink::MissionCount& m, const Sender& sender, double now);
  void take_item(const MissionItem& item, const Sender& sender, double now);
  void finish_upload();
  void ask(double now);
  void ask_again(double now);  // or give up
  void acknowledge(const Sender& to, mavlink::MissionResult result, mavlink::MissionType type);
  void tell_count(const mavlink::MissionRequestList& m, const Sender& sender);
  void tell_item(std::uint16_t seq, std::uint8_t type, const Sender& sender);
  void clear(const mavlink::MissionClearAll& m, const Sender& sender);

  std::uint8_t system_;
  Outbox& outbox_;
  std::array<MissionPlan, 2> plans_;  // missions and fences
  std::array<bool, 2> changed_{};
  std::optional<Upload> upload_;      // one at a time
};

}  // namespace volary::autopilot
