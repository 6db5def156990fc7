// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Signed frames of MAVLink 2 (https://mavlink.io/en/guide/message_signing.html): a receiver with the same key can tell that a frame was
// made with that key and is new. Nothing is encrypted.
// The clock is the caller's, in units of 10 us since 2015-01-01 00:00 UTC (48 bits).
//
//   Signer signer(read_key("a passphrase").value(), 0);
//   writer.append(Heartbeat{}, frame);
//   signer.sign(frame, signing_time(unix_us));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "autopilot/mavlink/frame.hpp"
#include "core/result.hpp"

namespace volary::mavlink {

using Key = std::array<std::byte, 32>;

inline constexpr std::size_t kSignatureBytes = 13;               // link, 6 bytes of time, 6 bytes of the digest
inline constexpr std::uint64_t kMostSigningTime = (1ull << 48) - 1;
inline constexpr std::uint64_t kSigningMinute = 6'000'000;       // older frames are refused

// a time in us since 1970 (UTC) as the clock of signatures; what lies outside of its range becomes the nearest end
std::uint64_t signing_time(std::int64_t unix_us);

// 64 hexadecimal digits are the key itself; any other text is a passphrase, and the key its SHA-256. A line end behind it does not count.
core::Result<Key> read_key(std::string_view text);

// Signs frames for one link. Every signature is newer than the one before, even when the clock stands or goes back.
class Signer {
 public:
  Signer(const Key& key, std::uint8_t link) : key_(key), link_(link) {}

  // Signs the frame that begins at byte `at` and is the last in `frame`. False, and nothing changed, when that is not one unsigned frame
  // of MAVLink 2 with a message of the table.
  bool sign(Bytes& frame, std::uint64_t now, std::size_t at = 0);
  std::uint8_t link() const { return link_; }
  std::uint64_t last() const { return last_; }  // time of the last signature

 private:
  Key key_;
  std::uint8_t link_;
  std::uint64_t last_ = 0;
};

enum class Verdict : std::uint8_t {
  Good,
  Unsigned,
  BadSignature,
  Replayed,  // not newer than the last frame of the same system, component and link
  TooOld,    // more than a minute behind the clock
};
const char* name_of(Verdict verdict);

// Checks the signatures of received frames and remembers the newest time of every (system, component, link).
class Verifier {
 public:
  static constexpr std::size_t kMostStreams = 4096;  // one more is refused as Replayed, unless an entry is more than a minute old

  explicit Verifier(const Key& key) : key_(key) {}

  Verdict check(const Frame& frame, std::uint64_t now);
  std::size_t streams() const { return newest_.size(); }
  std::uint64_t latest() const { return latest_; }  // newest time of a good frame: a clock that is behind it should follow

 private:
  bool remember(std::uint32_t stream, std::uint64_t time, std::uint64_t now);

  Key key_;
  std::map<std::uint32_t, std::uint64_t> newest_;
  std::uint64_t latest_ = 0;
};

}  // namespace volary::mavlink
