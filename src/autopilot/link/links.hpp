// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets and serial lines that carry bytes to ground stations, programs and autopilots. Each address is a link, such as a UDP port; each
// conversation over it is a channel: a peer that has sent something to a UDP port, a TCP connection, a serial line.
// Nothing here knows a protocol, and nothing waits for a slow peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::autopilot {

// udpout:HOST:PORT   sends to that address from the start, and hears that host only
// udpin:HOST:PORT    listens; answers every address that has sent something lately
// tcp:HOST:PORT      connects, and again when the connection breaks
// tcpin:HOST:PORT    listens; port 0: a free one
// serial:DEVICE:BAUD opens a serial line, and again when the device comes back
struct LinkAddress {
  enum class Kind { UdpOut, UdpIn, Tcp, TcpIn, Serial } kind = Kind::UdpOut;
  std::string host;            // or the device
  std::uint16_t port = 0;
  std::uint32_t baud = 0;

  std::string text() const;    // as it is written
  bool listens_beyond_loopback() const;
};
core::Result<LinkAddress> parse_link(std::string_view text);

using ChannelId = std::uint32_t;  // never used twice

struct LinkEvent {
  enum class Kind { Opened, Received, Closed } kind = Kind::Received;
  std::size_t link = 0;  // index into the addresses
  ChannelId channel = 0;
  std::span<const std::byte> bytes = {};  // of Received, valid during the call: a datagram, or what a stream brought
  std::string name = {};                  // of Opened: "udp 127.0.0.1:14550"
};

struct ChannelCounts {
  std::uint64_t received = 0, sent = 0;        // bytes
  std::uint64_t dropped = 0;                   // bytes that the operating system did not take
};

inline constexpr std::size_t kMostUnsent = std::size_t{256} << 10;

struct LinkOptions {
  double silence = 30;             // s without a datagram, after which a peer of udpin is closed
  double retry = 1;                // s between attempts to connect or to open a device again
  std::size_t most_channels = 64;  // of one udpin or tcpin link; further peers are counted and ignored
  std::size_t most_unsent = kMostUnsent;  // bytes of one stream that wait for the system; a message that does not fit is dropped whole
};

class Links {
 public:
  // an error names the address and says what the system answered
  static core::Result<std::unique_ptr<Links>> open(const std::vector<LinkAddress>& addresses, const LinkOptions& options = {});
  virtual ~Links() = default;

  // Waits up to `seconds` for something to happen, and reports all that has happened. Called from one thread.
  virtual void poll(double seconds, const std::function<void(const LinkEvent&)>& on_event) = 0;
  virtual void send(ChannelId channel, std::span<const std::byte> bytes) = 0;  // never waits; from the same thread or, under a lock of the caller, another
  virtual void wake() = 0;                                                     // ends a poll; from any thread
  virtual std::uint16_t port_of(std::size_t link) const = 0;                   // that a listening link got
  virtual ChannelCounts counts_of(ChannelId channel) const = 0;                // zeros after the Closed event
  virtual std::uint64_t ignored_of(std::size_t) const { return 0; }            // datagrams of foreign hosts; datagrams and connections of too many peers
};

}  // namespace volary::autopilot
