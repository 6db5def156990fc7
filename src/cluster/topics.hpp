// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Under which topics the messages of a federation travel. A node writes only below its own account, as the broker's access list has it.
#pragma once

#include <string>

namespace volary::cluster {

struct Topics {
  std::string federation;

  std::string all() const { return "sw/" + federation + "/all"; }  // from the coordinator to everybody: triggers, log, configuration, refusals
  std::string scenario(std::size_t piece) const { return "sw/" + federation + "/scenario/" + std::to_string(piece); }
  std::string every_scenario() const { return "sw/" + federation + "/scenario/+"; }
  std::string state(const std::string& account) const { return "sw/" + federation + "/st/" + account; }  // bundles of frames
  std::string every_state() const { return state("+"); }
  std::string request(const std::string& account) const { return "sw/" + federation + "/ctl/" + account; }
  std::string every_request() const { return request("+"); }
};

// the number of a federation in every message of the protocol, from its name
std::uint64_t federation_number(const std::string& name);

}  // namespace volary::cluster
