// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/parcel.hpp"

#include <algorithm>

#include "core/bytes.hpp"
#include "math/hash.hpp"

namespace volary::cluster {

namespace {

constexpr std::uint32_t kMagic = 0x51464c56;  // "VLFQ"
constexpr std::size_t kMostText = std::size_t{1} << 28;
constexpr std::size_t kMostMembers = 64;

core::Error bad(const char* what) { return {.message = std::string("the scenario of the federation: ") + what, .field = "federation"}; }

}  // namespace

std::vector<std::byte> parcel_bytes(const Parcel& p) {
  core::ByteWriter out;
  out.put(kMagic);
  out.put(p.ticks);
  out.put(static_cast<std::uint8_t>(p.live)), out.put(p.straight);
  out.put_text(p.bundle.main);
  out.put(static_cast<std::uint64_t>(p.bundle.files.size()));
  for (const auto& [name, text] : p.bundle.files) out.put_text(name), out.put_text(text);
  out.put(static_cast<std::uint64_t>(p.bundle.overrides.size()));
  for (const std::string& text : p.bundle.overrides) out.put_text(text);
  out.put(p.sharing.members);
  out.put(static_cast<std::uint64_t>(p.sharing.parts.size()));
  for (const Sharing::Part& part : p.sharing.parts) out.put_text(part.flock), out.put(part.first_place), out.put(part.member);
  return out.take();
}

core::Result<Parcel> read_parcel(std::span<const std::byte> bytes) {
  core::ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) return bad("these bytes are none");
  Parcel p;
  p.ticks = in.get<std::uint64_t>();
  p.live = in.get<std::uint8_t>() != 0, p.straight = in.get<double>();
  p.bundle.main = in.get_text(kMostText);
  for (std::size_t k = in.get_count(8); k > 0 && in.good(); --k) {
    std::string name = in.get_text(kMostText);
    p.bundle.files[std::move(name)] = in.get_text(kMostText);
  }
  for (std::size_t k = in.get_count(4); k > 0 && in.good(); --k) p.bundle.overrides.push_back(in.get_text(kMostText));
  p.sharing.members = in.get<std::uint32_t>();
  for (std::size_t k = in.get_count(16); k > 0 && in.good(); --k) {
    Sharing::Part part{.flock = in.get_text(kMostText)};
    part.first_place = in.get<std::uint64_t>(), part.member = in.get<std::uint32_t>();
    p.sharing.parts.push_back(std::move(part));
  }
  if (!in.good() || in.left() > 0 || !(p.straight >= 0 && p.straight <= 1e6)) return bad("it is damaged");
  if (p.sharing.members == 0 || p.sharing.members > kMostMembers) return bad("it has no members, or too many");
  return p;
}

std::uint64_t parcel_number(std::span<const std::byte> bytes) {
  std::uint64_t h = math::mix64(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    h = math::mix64(h ^ word);
  }
  return h;
}

std::vector<std::vector<std::byte>> cut_parcel(std::span<const std::byte> bytes) {
  const std::uint64_t number = parcel_number(bytes);
  const auto count = static_cast<std::uint32_t>((bytes.size() + kPieceBytes - 1) / kPieceBytes);
  std::vector<std::vector<std::byte>> pieces;
  for (std::uint32_t k = 0; k < count; ++k) {
    core::ByteWriter out;
    out.put(number), out.put(k), out.put(count);
    out.put_bytes(bytes.subspan(k * kPieceBytes, std::min(kPieceBytes, bytes.size() - k * kPieceBytes)));
    pieces.push_back(out.take());
  }
  return pieces;
}

core::Result<std::optional<std::vector<std::byte>>> ParcelPieces::add(std::span<const std::byte> piece) {
  core::ByteReader in(piece);
  const auto number = in.get<std::uint64_t>();
  const auto place = in.get<std::uint32_t>(), count = in.get<std::uint32_t>();
  if (!in.good() || place >= count || count > kMostPieces || in.left() > kPieceBytes) return bad("a piece of it is damaged");
  if (number != number_ || count != count_) pieces_.clear(), number_ = number, count_ = count;
  const auto content = in.get_bytes(in.left());
  pieces_[place].assign(content.begin(), content.end());
  if (pieces_.size() < count_) return std::optional<std::vector<std::byte>>{};
  std::vector<std::byte> all;
  for (const auto& [at, part] : pieces_) all.insert(all.end(), part.begin(), part.end());
  pieces_.clear();
  if (parcel_number(all) != number_) return bad("its pieces do not fit together");
  return std::optional(std::move(all));
}

}  // namespace volary::cluster
