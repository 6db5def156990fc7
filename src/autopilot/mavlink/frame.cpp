// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/frame.hpp"

#include <algorithm>
#include <utility>

namespace volary::mavlink {

namespace {

constexpr std::byte kMagic1{0xfe}, kMagic2{0xfd};
constexpr std::size_t kHeader1 = 6, kHeader2 = 10, kChecksumBytes = 2, kSignatureBytes = 13;

using Tables = std::array<std::array<std::uint16_t, 256>, 8>;

// table k is the effect of a byte that k more bytes follow: eight bytes are taken at a time
constexpr Tables make_tables() {
  Tables t{};
  for (unsigned n = 0; n < 256; ++n) {
    unsigned c = n;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0x8408u : 0u);
    t[0][n] = static_cast<std::uint16_t>(c);
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t n = 0; n < 256; ++n) t[k][n] = static_cast<std::uint16_t>((t[k - 1][n] >> 8) ^ t[0][t[k - 1][n] & 0xff]);
  return t;
}
constexpr Tables kTables = make_tables();

constexpr std::uint16_t with_byte(std::uint16_t c, std::uint8_t byte) { return static_cast<std::uint16_t>((c >> 8) ^ kTables[0][(c ^ byte) & 0xff]); }

std::uint8_t number(std::byte b) { return static_cast<std::uint8_t>(b); }

// Where the parts of a frame lie, as its first bytes say.
struct Layout {
  bool is_version_1;
  std::size_t header, payload, signature;
  std::size_t checksum_at() const { return header + payload; }
  std::size_t size() const { return header + payload + kChecksumBytes + signature; }
};

// of the frame that begins with the first byte; needs three bytes
Layout layout_of(std::span<const std::byte> bytes) {
  const bool is_version_1 = bytes[0] == kMagic1;
  const bool is_signed = !is_version_1 && (number(bytes[2]) & kSigned) != 0;
  return {is_version_1, is_version_1 ? kHeader1 : kHeader2, number(bytes[1]), is_signed ? kSignatureBytes : 0};
}

Frame frame_of(std::span<const std::byte> bytes, const Layout& layout) {
  Frame frame;
  frame.is_version_1 = layout.is_version_1;
  if (!layout.is_version_1) {
    frame.incompatibility = number(bytes[2]);
    frame.compatibility = number(bytes[3]);
  }
  const std::size_t at = layout.is_version_1 ? 2 : 4;  // of the sequence number
  frame.sequence = number(bytes[at]);
  frame.system = number(bytes[at + 1]);
  frame.component = number(bytes[at + 2]);
  frame.id = number(bytes[at + 3]);
  if (!layout.is_version_1) frame.id |= static_cast<std::uint32_t>(number(bytes[8])) << 8 | static_cast<std::uint32_t>(number(bytes[9])) << 16;
  frame.bytes = bytes;
  return frame;
}

bool has_good_checksum(std::span<const std::byte> bytes, const Layout& layout, std::uint8_t crc_extra) {
  const std::uint16_t sum = with_byte(checksum(bytes.subspan(1, layout.checksum_at() - 1)), crc_extra);
  return sum == codec::load<std::uint16_t>(bytes.data() + layout.checksum_at());
}

void copy_payload(std::span<const std::byte> bytes, const Layout& layout, const MessageInfo* info, Frame& frame) {
  // extensions came with version 2: what follows the base fields in version 1 is not one
  const std::size_t most = layout.is_version_1 && info != nullptr ? info->base_length : kMostPayload;
  frame.length = static_cast<std::uint8_t>(std::min(layout.payload, most));
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(layout.header), frame.length, frame.payload.begin());
}

}  // namespace

std::uint16_t checksum(std::span<const std::byte> bytes, std::uint16_t start) {
  std::uint16_t c = start;
  const std::byte* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    unsigned sum = kTables[7][number(p[0]) ^ (c & 0xffu)] ^ kTables[6][number(p[1]) ^ (c >> 8)];
    for (std::size_t k = 2; k < 8; ++k) sum ^= kTables[7 - k][number(p[k])];
    c = static_cast<std::uint16_t>(sum);
  }
  for (; n > 0; --n, ++p) c = with_byte(c, number(*p));
  return c;
}

void Writer::append(std::uint32_t id, std::uint8_t crc_extra, std::span<const std::byte> payload, Bytes& out) {
  const std::size_t start = out.size(), summed = kHeader2 + payload.size() - 1;
  out.resize(start + kHeader2 + payload.size() + kChecksumBytes);
  std::byte* const at = out.data() + start;
  at[0] = kMagic2;
  at[1] = static_cast<std::byte>(payload.size());
  at[2] = at[3] = std::byte{0};  // flags
  at[4] = std::byte{sequence_++};
  at[5] = std::byte{system_};
  at[6] = std::byte{component_};
  for (std::size_t k = 0; k < 3; ++k) at[7 + k] = static_cast<std::byte>(id >> (8 * k));
  std::copy(payload.begin(), payload.end(), at + kHeader2);
  codec::store(with_byte(checksum({at + 1, summed}), crc_extra), at + 1 + summed);
}

void Parser::feed(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame) {
  // nothing is held most of the time: frames are read where they lie
  if (held_.empty()) {
    const std::size_t used = take(bytes, on_frame);
    held_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(used), bytes.end());
    return;
  }
  Bytes all = std::exchange(held_, {});  // so that a frame's bytes stay where they are, whatever the callback does
  all.insert(all.end(), bytes.begin(), bytes.end());
  const std::size_t used = take(all, on_frame);
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(used));
  held_ = std::move(all);
}

// Reads every frame that is there whole; returns how many bytes are done with.
std::size_t Parser::take(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto rest = bytes.subspan(at);
    if (rest[0] != kMagic1 && rest[0] != kMagic2) {
      ++at, ++counts_.skipped;
      in_step_ = false;
      continue;
    }
    if (rest.size() < 3) break;
    const Layout layout = layout_of(rest);
    if (rest.size() < layout.size()) break;
    if (take_one(rest.first(layout.size()), on_frame)) {
      at += layout.size();
    } else {
      ++at, ++counts_.skipped;
      in_step_ = false;
    }
  }
  return at;
}

// One candidate; false when it is not a frame, so that the search goes on behind its first byte.
bool Parser::take_one(std::span<const std::byte> bytes, const std::function<void(const Frame&)>& on_frame) {
  const Layout layout = layout_of(bytes);
  Frame frame = frame_of(bytes, layout);
  const MessageInfo* const info = find_message(frame.id);
  frame.is_known = info != nullptr;
  if (frame.is_known && !has_good_checksum(bytes, layout, info->crc_extra)) return ++counts_.bad_checksum, false;
  // Nothing verifies an unknown message. While the parser searches, such a candidate is most likely a part of a damaged frame.
  if (!frame.is_known && !in_step_) return false;
  in_step_ = true;
  if ((frame.incompatibility & ~kSigned) != 0) return ++counts_.bad_flags, true;
  copy_payload(bytes, layout, info, frame);
  ++counts_.frames;
  if (!frame.is_known) ++counts_.unknown;
  on_frame(frame);
  return true;
}

void GapCounter::count(const Frame& frame) {
  constexpr std::uint8_t kFar = 128;
  const auto sender = static_cast<std::uint16_t>(frame.system << 8 | frame.component);
  const auto it = last_.find(sender);
  if (it == last_.end()) {
    if (last_.size() < kMostSenders) last_.emplace(sender, frame.sequence);
    return;
  }
  const auto gap = static_cast<std::uint8_t>(frame.sequence - it->second - 1);
  if (gap < kFar) lost_ += gap;
  it->second = frame.sequence;
}

}  // namespace volary::mavlink
