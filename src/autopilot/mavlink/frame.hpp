// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of MAVLink 2 and 1 (https://mavlink.io/en/guide/serialization.html): from messages to bytes and back, without sockets or clocks.
//
//   Writer writer(1, 1);                                    // system, component
//   writer.append(Heartbeat{.type = 2}, out);               // bytes to send
//   parser.feed(bytes, [&](const Frame& frame) {
//     if (frame.id == Heartbeat::kId) use(decode<Heartbeat>(frame));
//   });
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autopilot/mavlink/messages.hpp"

namespace volary::mavlink {

using Bytes = std::vector<std::byte>;

inline constexpr std::size_t kMostPayload = 255, kMostFrame = 280;  // bytes
inline constexpr std::uint8_t kSigned = 0x01;                       // incompatibility flag

// One message with its header. Payload bytes beyond `length` are zero.
struct Frame {
  std::uint8_t sequence = 0, system = 0, component = 0;
  std::uint32_t id = 0;
  std::uint8_t incompatibility = 0, compatibility = 0;  // flags
  bool is_version_1 = false;
  bool is_known = false;  // the message is in schema/mavlink.json, so that its checksum was verified; others are passed on by their bytes only
  std::uint8_t length = 0;
  std::array<std::byte, kMostPayload> payload{};
  std::span<const std::byte> bytes = {};  // the whole frame as it came, valid during the call
};

std::uint16_t checksum(std::span<const std::byte> bytes, std::uint16_t start = 0xffff);  // CRC-16/MCRF4XX

// The fields of a message from a payload of any length; what is missing is zero, what is too much is ignored.
template <class M> M decode(const Frame& frame);
// The payload of a message, without the zeros at its end; at least one byte.
template <class M> std::size_t encode(const M& message, std::span<std::byte, kMostPayload> payload);

// Makes the frames of one component and counts them.
class Writer {
 public:
  Writer(std::uint8_t system, std::uint8_t component) : system_(system), component_(component) {}

  template <class M> void append(const M& message, Bytes& out) {
    std::array<std::byte, kMostPayload> payload{};
    const std::size_t length = encode(message, payload);
    append(M::kId, M::kCrcExtra, std::span(payload).first(length), out);
  }
  std::uint8_t system() const { return system_; }
  std::uint8_t component() const { return component_; }

 private:
  void append(std::uint32_t id, std::uint8_t crc_extra, std::span<const std::byte> payload, Bytes& out);

  std::uint8_t system_, component_, sequence_ = 0;
};

// Finds frames in a stream of bytes. After damage it goes on at the next byte that can begin a frame; from there on messages that are not in the table,
// which no checksum verifies, are handed on again once a frame of a known message was found.
class Parser {
 public:
  struct Counts {
    std::uint64_t frames = 0;        // handed on, with the unknown ones
    std::uint64_t unknown = 0;       // frames of messages that are not in the table; they are handed on unverified
    std::uint64_t bad_checksum = 0;
    std::uint64_t bad_flags = 0;     // an incompatibility flag that this version does not know
    std::uint64_t skipped = 0;       // bytes outside of frames
  };
  void feed(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame);
  void forget() { held_.clear(), in_step_ = true; }  // the rest of a stream that broke off
  const Counts& counts() const { return counts_; }

 private:
  std::size_t take(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame);
  bool take_one(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame);

  Bytes held_;           // a frame that has not arrived whole
  bool in_step_ = true;  // nothing but frames has come since the last one
  Counts counts_;
};

// Frames that were sent and did not arrive, by the sequence numbers of their senders. A large step is a sender that has begun anew, and a number that stands still is
// one that does not count.
class GapCounter {
 public:
  static constexpr std::size_t kMostSenders = 1024;  // further ones are not watched

  void count(const Frame& frame);
  std::uint64_t lost() const { return lost_; }

 private:
  std::map<std::uint16_t, std::uint8_t> last_;  // by system and component
  std::uint64_t lost_ = 0;
};

// ---------------------------------------------------------------- text in fixed fields

// a text of at most N characters; a shorter one ends with a zero
template <std::size_t N> std::array<char, N> fixed_text(std::string_view text) {
  std::array<char, N> out{};
  for (std::size_t k = 0; k < N && k < text.size(); ++k) out[k] = text[k];
  return out;
}
template <std::size_t N> std::string text_of(const std::array<char, N>& field) {
  std::size_t n = 0;
  while (n < N && field[n] != 0) ++n;
  return std::string(field.data(), n);
}

}  // namespace volary::mavlink

#include "autopilot/mavlink/codec.hpp"
