// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One datagram between two nodes: a header of fixed size, a part of a message, and a keyed digest where there is a secret. Pure.
// A message is its topic and its bytes; longer than a datagram, it is cut into fragments of equal size, the last one excepted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/transport/secrets.hpp"
#include "cluster/transport/transport.hpp"

namespace volary::cluster {

enum class PacketKind : std::uint8_t {
  Data = 1,      // quality 0
  Reliable = 2,  // quality 1: answered by Ack, sent again until then
  Ack = 3,       // of a Reliable message
  Hello = 4,     // nothing to say, but alive
  Bye = 5,       // closed in an orderly way
};

struct PacketHeader {
  PacketKind kind = PacketKind::Hello;
  bool is_retained = false, is_will = false;
  std::uint64_t federation = 0;
  std::uint32_t sender = 0;
  std::uint64_t session = 0;  // grows with every life of a sender
  std::uint64_t number = 0;   // of this datagram in its session
  std::uint64_t message = 0;  // of Data, of Reliable; of an Ack: the one it answers
  std::uint32_t size = 0;     // of the whole message
  std::uint16_t fragment = 0, fragments = 1;
  std::uint16_t chunk = 0;  // bytes of every fragment but the last
};
inline constexpr std::size_t kPacketHeader = 56, kPacketDigest = 16;
inline constexpr std::size_t kLeastChunk = 64;
inline constexpr std::size_t kMostWholeMessage = kMaxMessage * 16 + kMaxTopic + 2;

struct Packet {
  PacketHeader header;
  std::span<const std::byte> part;
};

// what the digest is made with: nothing where there is no secret
struct PacketKey {
  std::optional<Digest> digest;
  std::size_t overhead() const { return kPacketHeader + (digest ? kPacketDigest : 0); }
};
PacketKey packet_key(std::string_view secret, std::string_view federation);
std::uint64_t federation_tag(std::string_view federation);

std::vector<std::byte> encode_packet(const PacketHeader& header, std::span<const std::byte> part, const PacketKey& key);
// LinkDrop::None, or why the datagram is none of ours; the digest is checked before anything else is believed
LinkDrop parse_packet(std::span<const std::byte> datagram, const PacketKey& key, std::uint64_t federation, Packet& out);

// a topic and bytes as one, and apart again
std::vector<std::byte> join_message(std::string_view topic, std::span<const std::byte> bytes);
bool split_message(std::span<const std::byte> message, std::string& topic, std::span<const std::byte>& bytes);

}  // namespace volary::cluster
