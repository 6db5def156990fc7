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
  std::string saved(const std::string& account) const { return "sw/" + federation + "/keep/" + account; }  // states of nodes, in pieces, to the coordinator
  std::string every_saved() const { return saved("+"); }
  std::string given(std::size_t member) const { return "sw/" + federation + "/give/" + std::to_string(member); }  // and back to who takes a place
  std::string log(const std::string& account) const { return "sw/" + federation + "/log/" + account; }  // lines for people
  std::string every_log() const { return log("+"); }
  std::string order(const std::string& account) const { return "sw/" + federation + "/order/" + account; }  // JSON, from people and programs
  std::string every_order() const { return order("+"); }
  std::string answer(const std::string& account) const { return "sw/" + federation + "/answer/" + account; }
  // for programs that are no part of the federation: docs/federation-api.md
  std::string physics(const std::string& account) const { return "sw/" + federation + "/physics/" + account; }  // JSON: setpoints, modes, telemetry
  std::string every_physics() const { return physics("+"); }
  std::string rendering(const std::string& what) const { return "sw/" + federation + "/rendering/" + what; }  // hello, roster, frame, status, event, nodes
  std::string telemetry(const std::string& vehicle) const { return rendering("telemetry/" + vehicle); }

  // the account that a topic names, and its kind: "st" of sw/F/st/2
  static std::string account_of(const std::string& topic) { return topic.substr(topic.rfind('/') + 1); }
  std::string kind_of(const std::string& topic) const {
    const std::size_t from = federation.size() + 4;
    return topic.size() > from ? topic.substr(from, topic.find('/', from) - from) : std::string();
  }
};

// the number of a federation in every message of the protocol, from its name
std::uint64_t federation_number(const std::string& name);
// and that of an account
inline std::uint64_t account_number(const std::string& account) { return federation_number(account); }

}  // namespace volary::cluster
