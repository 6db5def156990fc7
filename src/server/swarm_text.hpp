// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people see of a swarm, as the message `swarm` of schema/wire.json: tasks, radio, who hears and sees whom, and what one vehicle is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "server/frame.hpp"
#include "server/message_log.hpp"
#include "volary/world.hpp"

namespace volary::server {

// what one client wants to know beside tasks and radio
struct SwarmWish {
  bool links = false;
  VehicleId decision = {};   // none: nobody's
  bool fields = false;   // what can be changed in flight: of that one's flock, and of the radio
  bool stimuli = false;  // fields of them

  friend auto operator<=>(const SwarmWish&, const SwarmWish&) = default;
};

using Places = std::unordered_map<std::uint64_t, std::size_t>;  // id -> entry of the roster

// Pairs in the order of their coming, evenly thinned out when there are more than the message may hold.
class Pairs {
 public:
  void add(std::size_t from, std::size_t to, int quality = -1);
  std::size_t all() const { return all_; }
  const std::vector<std::pair<std::size_t, std::size_t>>& kept() const { return kept_; }
  const std::vector<int>& quality() const { return quality_; }  // of those that are kept, percent; -1: not known

 private:
  std::size_t all_ = 0, stride_ = 1;  // every stride-th is kept
  std::vector<std::pair<std::size_t, std::size_t>> kept_;
  std::vector<int> quality_;
};

struct Links {
  Pairs hears, sees;  // places in the roster: hearer and heard, seer and seen
};

// somebody decides, speaks or looks, or there is something to judge
bool is_social(const WorldDef& def);
Links gather_links(const World& world, const Roster& roster, const Places& places, const MessageLog& log);
nlohmann::json tasks_json(const std::vector<TaskStanding>& tasks);
// `links` and `stimuli` may be null
std::string swarm_text(const World& world, const Roster& roster, const Places& places, const MessageLog& log, const Links* links, const SwarmWish& wish,
                       const nlohmann::json* stimuli);

}  // namespace volary::server
