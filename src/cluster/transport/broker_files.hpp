// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The files that a Mosquitto broker reads: configuration and who may write which topic. Pure text.
//
// Topics of federation F begin with sw/F. Everybody with an account reads them. The account "coordinator" writes all of them; account N
// writes only topics that carry its own name: sw/F/<kind>/N, sw/F/<kind>/N/... and sw/F/<kind>/<part>/N.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace volary::cluster {

inline constexpr std::string_view kCoordinatorAccount = "coordinator", kViewAccount = "view", kOperatorAccount = "operator";

struct BrokerLimits {
  std::size_t max_packet = 2u << 20;        // bytes; a client that sends more is disconnected
  std::size_t max_queued_messages = 4096;   // for a client that does not read; further messages are dropped
  std::size_t memory = 512u << 20;          // bytes of the whole broker
};

// letters, digits, '-' and '_', at most 64 of them
core::Status check_federation_id(std::string_view federation);

std::string acl_text(std::string_view federation);
// a broker for this machine only: the listener is bound to 127.0.0.1, and nobody is admitted without an account
std::string loopback_config(int port, const std::string& folder, const BrokerLimits& limits);
// The same with a second listener that other machines reach: TLS, and accounts. It reads broker.crt and broker.key in the folder.
std::string network_config(int port, int network_port, const std::string& bind, const std::string& folder, const BrokerLimits& limits);
// a broker for several machines, to be installed by an administrator: TLS with client certificates and accounts.
// It listens at all addresses where `bind` is empty.
std::string remote_config(int port, const std::string& bind, const std::string& folder, const BrokerLimits& limits);

}  // namespace volary::cluster
