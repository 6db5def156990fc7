// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Messages over direct links, as datagrams, for networks that lose packets: nothing waits for what was lost.
//
// Every node sends to all of its peers; patterns select at the receiver. Quality 0 is sent once. Quality 1 is sent again until every peer
// has answered, or its time is over; order is not kept. Retained messages and the will go to a peer when it comes up. A peer that is silent
// for a second is down, and its will is delivered by those who miss it.
//
// Datagrams are NOT encrypted: whoever sees the network reads them. With a shared secret they are authentic (HMAC-SHA256 by libcrypto) and
// cannot be sent twice. Without a secret a transport binds to loopback only. A receiver that has just begun knows no earlier session of
// its peers, and can be shown recorded datagrams of one until the peer itself speaks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/transport/address.hpp"
#include "cluster/transport/transport.hpp"

namespace volary::cluster {

struct UdpPeer {
  std::uint32_t id = 0;
  HostPort address = {};
};

struct UdpOptions {
  HostPort bind = {.host = "127.0.0.1", .port = 0};  // port 0: any that is free
  std::uint32_t id = 0;                              // ours; peers know us by it and by our address
  std::string federation = "local";
  std::vector<UdpPeer> peers = {};
  std::string secret = {};  // shared by all nodes, at least 16 characters
  std::uint64_t session = 0;  // grows with every life of this node; 0: the time of day
  std::size_t max_datagram = 1400;  // bytes; a larger message travels in fragments
  std::size_t max_message = kMaxMessage;
  QueueLimits queue = {};
  std::size_t max_pending = 256;  // messages at quality 1 that peers have not answered; further ones are dropped
  std::optional<Will> will = {};
  std::int64_t hello_ns = 100'000'000;          // how often a node that has nothing to say shows that it lives
  std::int64_t silence_ns = 1'000'000'000;      // after which a peer is down
  std::int64_t fragment_patience_ns = 500'000'000;
  std::int64_t resend_ns = 30'000'000, ack_patience_ns = 5'000'000'000;
};

class UdpTransport : public Transport {
 public:
  virtual Address address() const = 0;
  virtual core::Status add_peer(const UdpPeer& peer) = 0;
};

core::Result<std::unique_ptr<UdpTransport>> open_udp(UdpOptions options);

}  // namespace volary::cluster
