// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Messages as bytes: magic "VLFD", version, kind, federation, fields (little-endian, each with its bounds), CRC-32C of all that. A message that is not exactly
// that is dropped and counted by reason; nothing that arrives can do more.
#pragma once

#include <array>
#include <optional>

#include "cluster/message.hpp"

namespace volary::cluster {

// why a message, or a part of one, was not used
enum class Drop : std::uint8_t {
  Oversized,     // longer than any message may be
  Truncated,     // shorter than what it says it holds
  Foreign,       // another magic: not a message of a federation
  OtherVersion,  // another version of the protocol
  OtherFederation,
  Corrupt,     // the checksum is wrong
  Malformed,   // a field out of its bounds, or bytes left over
  Unexpected,  // a kind that this process does not take, or a message about a member that does not exist
  OldTerm,     // of a coordinator that has been succeeded
  Fenced,      // of an incarnation that is over
  Replayed,    // older than what was used of the same sender
  Duplicate,   // frames: there already
  Stale,       // frames: made without an entry or a correction that is known here
  Beyond,      // frames: too far ahead to be kept
  Unauthorised,  // of an account that may not say it
  kCount
};
const char* name_of(Drop reason);

class DropCounts {
 public:
  void add(Drop reason, std::uint64_t n = 1) { counts_[static_cast<std::size_t>(reason)] += n; }
  std::uint64_t sum() const {
    std::uint64_t n = 0;
    for (const std::uint64_t c : counts_) n += c;
    return n;
  }
  std::uint64_t operator[](Drop reason) const { return counts_[static_cast<std::size_t>(reason)]; }

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(Drop::kCount)> counts_{};
};

constexpr std::uint8_t kProtocolVersion = 3;

// appends nothing: `out` is overwritten, its memory reused
void encode(const Message& message, std::uint64_t federation, std::vector<std::byte>& out);
void encode(const Bundle& bundle, std::uint64_t federation, std::vector<std::byte>& out);

// fills `out`, reusing its memory when it holds the same kind already; the reason when the bytes are no message of this federation
std::optional<Drop> decode(std::span<const std::byte> bytes, std::uint64_t federation, Message& out);

}  // namespace volary::cluster
