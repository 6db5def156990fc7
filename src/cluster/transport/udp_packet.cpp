// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/udp_packet.hpp"

#include <cstring>

#include <fmt/format.h>

#include "core/bytes.hpp"

namespace volary::cluster {

namespace {
constexpr std::uint32_t kMagic = 0x55524c56;  // "VLRU"
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kRetainedFlag = 1, kWillFlag = 2;

bool carries_message(PacketKind kind) { return kind == PacketKind::Data || kind == PacketKind::Reliable; }

// the sizes that a header states, against each other and against the bytes that are there
bool is_consistent(const PacketHeader& h, std::size_t part) {
  if (!carries_message(h.kind)) return part == 0 && h.size == 0 && h.fragment == 0 && h.fragments == 1 && h.chunk == 0 && !h.is_retained && !h.is_will;
  if (h.fragments == 0 || h.fragment >= h.fragments || h.size < 2 || h.size > kMostWholeMessage) return false;
  if (h.fragments == 1) return h.chunk == 0 && part == h.size;
  if (h.chunk < kLeastChunk) return false;
  const std::uint32_t before_last = static_cast<std::uint32_t>(h.fragments - 1) * h.chunk;
  if (h.size <= before_last || h.size - before_last > h.chunk) return false;
  return part == (h.fragment + 1 == h.fragments ? h.size - before_last : h.chunk);
}
}  // namespace

PacketKey packet_key(std::string_view secret, std::string_view federation) {
  if (secret.empty()) return {};
  return {.digest = keyed_digest(secret, fmt::format("volary datagrams of {}", federation))};
}

std::uint64_t federation_tag(std::string_view federation) {
  const Digest d = keyed_digest("volary federation", federation);
  std::uint64_t tag = 0;
  std::memcpy(&tag, d.data(), sizeof tag);
  return tag;
}

std::vector<std::byte> encode_packet(const PacketHeader& h, std::span<const std::byte> part, const PacketKey& key) {
  core::ByteWriter out;
  out.reserve(key.overhead() + part.size());
  out.put(kMagic);
  out.put(kVersion);
  out.put(static_cast<std::uint8_t>(h.kind));
  out.put(static_cast<std::uint8_t>((h.is_retained ? kRetainedFlag : 0) | (h.is_will ? kWillFlag : 0)));
  out.put(std::uint8_t{0});
  out.put(h.federation);
  out.put(h.session);
  out.put(h.number);
  out.put(h.message);
  out.put(h.sender);
  out.put(h.size);
  out.put(h.fragment);
  out.put(h.fragments);
  out.put(h.chunk);
  out.put(std::uint16_t{0});
  core::check(out.size() == kPacketHeader);
  out.put_bytes(part);
  if (key.digest) {
    const Digest digest = keyed_digest(*key.digest, out.bytes());
    out.put_bytes(std::span(digest).first(kPacketDigest));
  }
  return out.take();
}

LinkDrop parse_packet(std::span<const std::byte> datagram, const PacketKey& key, std::uint64_t federation, Packet& out) {
  if (datagram.size() < key.overhead()) return LinkDrop::Malformed;
  if (key.digest) {
    const auto body = datagram.first(datagram.size() - kPacketDigest);
    const Digest expected = keyed_digest(*key.digest, body);
    if (!equal_in_constant_time(std::span(expected).first(kPacketDigest), datagram.last(kPacketDigest))) return LinkDrop::Unauthentic;
    datagram = body;
  }
  core::ByteReader in(datagram);
  if (in.get<std::uint32_t>() != kMagic || in.get<std::uint8_t>() != kVersion) return LinkDrop::Foreign;
  PacketHeader& h = out.header;
  const auto kind = in.get<std::uint8_t>(), flags = in.get<std::uint8_t>(), zero = in.get<std::uint8_t>();
  h.federation = in.get<std::uint64_t>();
  if (h.federation != federation) return LinkDrop::Foreign;
  if (kind < 1 || kind > 5 || (flags & ~(kRetainedFlag | kWillFlag)) != 0 || zero != 0) return LinkDrop::Malformed;
  h.kind = static_cast<PacketKind>(kind);
  h.is_retained = (flags & kRetainedFlag) != 0;
  h.is_will = (flags & kWillFlag) != 0;
  h.session = in.get<std::uint64_t>();
  h.number = in.get<std::uint64_t>();
  h.message = in.get<std::uint64_t>();
  h.sender = in.get<std::uint32_t>();
  h.size = in.get<std::uint32_t>();
  h.fragment = in.get<std::uint16_t>();
  h.fragments = in.get<std::uint16_t>();
  h.chunk = in.get<std::uint16_t>();
  if (in.get<std::uint16_t>() != 0 || !in.good() || !is_consistent(h, in.left())) return LinkDrop::Malformed;
  out.part = in.get_bytes(in.left());
  return LinkDrop::None;
}

std::vector<std::byte> join_message(std::string_view topic, std::span<const std::byte> bytes) {
  core::ByteWriter out;
  out.reserve(2 + topic.size() + bytes.size());
  out.put(static_cast<std::uint16_t>(topic.size()));
  out.put_bytes(std::as_bytes(std::span(topic.data(), topic.size())));
  out.put_bytes(bytes);
  return out.take();
}

bool split_message(std::span<const std::byte> message, std::string& topic, std::span<const std::byte>& bytes) {
  core::ByteReader in(message);
  const auto name = in.get_bytes(in.get<std::uint16_t>());
  if (!in.good()) return false;
  topic.assign(reinterpret_cast<const char*>(name.data()), name.size());
  bytes = in.get_bytes(in.left());
  return is_topic(topic);
}

}  // namespace volary::cluster
