// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/saved_state.hpp"

#include "cluster/parcel.hpp"
#include "core/bytes.hpp"

namespace volary::cluster {

namespace {
constexpr std::uint32_t kMagic = 0x4b464c56;  // "VLFK"
}

std::vector<std::byte> saved_state_bytes(const SavedState& s) {
  core::ByteWriter out;
  out.put(kMagic), out.put(s.member), out.put(s.incarnation), out.put(s.tick);
  out.put_bytes(s.bytes);
  return out.take();
}

core::Result<SavedState> read_saved_state(std::span<const std::byte> bytes) {
  core::ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) return core::Error{.message = "the bytes are no saved state of a node", .field = "federation"};
  SavedState s;
  s.member = in.get<std::uint8_t>(), s.incarnation = in.get<std::uint32_t>(), s.tick = in.get<std::uint64_t>();
  const auto rest = in.get_bytes(in.left());
  if (!in.good() || s.member >= kMaxMembers || s.tick > kMaxTick) return core::Error{.message = "the saved state of a node is damaged", .field = "federation"};
  s.bytes.assign(rest.begin(), rest.end());
  return s;
}

void PieceSender::begin(std::string topic, std::span<const std::byte> whole) {
  topic_ = std::move(topic);
  auto pieces = cut_parcel(whole);
  pieces_.assign(std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
}

void PieceSender::send(Transport& transport) {
  for (std::size_t k = 0; k < kAtOnce && !pieces_.empty(); ++k) {
    if (transport.publish(topic_, pieces_.front(), {.qos = 1}) != LinkDrop::None) return;
    pieces_.pop_front();
  }
}

}  // namespace volary::cluster
