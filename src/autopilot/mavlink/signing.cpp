// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/signing.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <span>

#include "core/check.hpp"

namespace volary::mavlink {

namespace {

constexpr std::size_t kHeader = 10, kChecksumBytes = 2, kDigestBytes = 6;
constexpr std::int64_t kEpoch = 1'420'070'400;  // 2015-01-01 00:00 UTC in s since 1970

using Digest = std::array<std::byte, 32>;

Digest sha256(std::span<const std::byte> bytes) {
  Digest out;
  unsigned int size = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size, EVP_sha256(), nullptr);
  core::require(done == 1 && size == out.size(), "libcrypto computed no digest");
  return out;
}

// of the key and a frame up to the time of its signature
Digest keyed(const Key& key, std::span<const std::byte> bytes) {
  std::array<std::byte, std::tuple_size_v<Key> + kMostFrame> all;
  core::require(bytes.size() <= kMostFrame, "a frame is longer than frames can be");
  std::copy(key.begin(), key.end(), all.begin());
  std::copy(bytes.begin(), bytes.end(), all.begin() + key.size());
  const Digest out = sha256(std::span(all).first(key.size() + bytes.size()));
  OPENSSL_cleanse(all.data(), key.size());
  return out;
}

// the 48 bits of a time
void store_time(std::uint64_t time, std::byte* at) {
  for (std::size_t k = 0; k < 6; ++k) at[k] = static_cast<std::byte>(time >> (8 * k));
}
std::uint64_t load_time(const std::byte* at) {
  std::uint64_t time = 0;
  for (std::size_t k = 0; k < 6; ++k) time |= static_cast<std::uint64_t>(at[k]) << (8 * k);
  return time;
}

// the message of a frame that can be signed, else null
const MessageInfo* signable(std::span<const std::byte> frame) {
  if (frame.size() < kHeader + kChecksumBytes || frame[0] != std::byte{0xfd} || frame[2] != std::byte{0}) return nullptr;
  if (frame.size() != kHeader + static_cast<std::size_t>(frame[1]) + kChecksumBytes) return nullptr;
  return find_message(static_cast<std::uint32_t>(frame[7]) | static_cast<std::uint32_t>(frame[8]) << 8 | static_cast<std::uint32_t>(frame[9]) << 16);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::uint64_t signing_time(std::int64_t unix_us) {
  const std::int64_t ticks = unix_us / 10 - kEpoch * 100'000;
  return ticks < 0 ? 0 : std::min(static_cast<std::uint64_t>(ticks), kMostSigningTime);
}

core::Result<Key> read_key(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.empty()) return core::Error{.message = "the signing key is empty: give a passphrase or 64 hexadecimal digits"};
  Key key{};
  if (text.size() != 2 * key.size() || !std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; }))
    return sha256(std::as_bytes(std::span(text.data(), text.size())));
  for (std::size_t k = 0; k < key.size(); ++k) key[k] = static_cast<std::byte>(16 * hex_digit(text[2 * k]) + hex_digit(text[2 * k + 1]));
  return key;
}

bool Signer::sign(Bytes& frame, std::uint64_t now, std::size_t at) {
  const MessageInfo* const info = at < frame.size() ? signable(std::span<const std::byte>(frame).subspan(at)) : nullptr;
  if (info == nullptr || last_ >= kMostSigningTime) return false;
  last_ = std::min(std::max(now, last_ + 1), kMostSigningTime);

  // the checksum covers the flag
  frame[at + 2] = std::byte{kSigned};
  const std::size_t end = frame.size();
  const std::byte extra{info->crc_extra};
  const std::uint16_t sum = checksum({&extra, 1}, checksum(std::span<const std::byte>(frame).subspan(at + 1, end - at - 1 - kChecksumBytes)));
  codec::store(sum, frame.data() + end - kChecksumBytes);

  frame.resize(end + kSignatureBytes);
  frame[end] = std::byte{link_};
  store_time(last_, frame.data() + end + 1);
  const auto covered = std::span<const std::byte>(frame).subspan(at, end - at + kSignatureBytes - kDigestBytes);
  std::copy_n(keyed(key_, covered).begin(), kDigestBytes, frame.end() - kDigestBytes);
  return true;
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Good: return "good";
    case Verdict::Unsigned: return "unsigned";
    case Verdict::BadSignature: return "bad signature";
    case Verdict::Replayed: return "replayed";
    case Verdict::TooOld: return "too old";
  }
  return "unknown";
}

Verdict Verifier::check(const Frame& frame, std::uint64_t now) {
  const auto bytes = frame.bytes;
  if ((frame.incompatibility & kSigned) == 0) return Verdict::Unsigned;
  if (bytes.size() < kHeader + kChecksumBytes + kSignatureBytes || bytes.size() > kMostFrame) return Verdict::BadSignature;
  const std::byte* const signature = bytes.data() + bytes.size() - kSignatureBytes;
  const Digest digest = keyed(key_, bytes.first(bytes.size() - kDigestBytes));
  if (CRYPTO_memcmp(digest.data(), signature + kSignatureBytes - kDigestBytes, kDigestBytes) != 0) return Verdict::BadSignature;

  const std::uint64_t time = load_time(signature + 1);
  const std::uint32_t stream =
      static_cast<std::uint32_t>(frame.system) << 16 | static_cast<std::uint32_t>(frame.component) << 8 | static_cast<std::uint32_t>(signature[0]);
  if (const auto found = newest_.find(stream); found != newest_.end() && time <= found->second) return Verdict::Replayed;
  if (time + kSigningMinute < now) return Verdict::TooOld;
  if (!remember(stream, time, now)) return Verdict::Replayed;
  latest_ = std::max(latest_, time);
  return Verdict::Good;
}

// False when all entries are taken. Entries that are more than a minute old can go: a frame that repeats them is too old.
bool Verifier::remember(std::uint32_t stream, std::uint64_t time, std::uint64_t now) {
  if (newest_.size() >= kMostStreams && !newest_.contains(stream))
    std::erase_if(newest_, [&](const auto& entry) { return entry.second + kSigningMinute < now; });
  if (newest_.size() >= kMostStreams && !newest_.contains(stream)) return false;
  newest_[stream] = time;
  return true;
}

}  // namespace volary::mavlink
