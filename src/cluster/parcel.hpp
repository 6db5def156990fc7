// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario of a federation on its way to the nodes: all files that it was made of, and how its vehicles are shared, in pieces that a broker keeps for those who come later.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "volary/sharing.hpp"

namespace volary::cluster {

struct Parcel {
  scenario::Bundle bundle;
  Sharing sharing;
  std::uint64_t ticks = 0;  // the length of the run
  bool live = false;  // the federation waits for nobody
  double straight = 0.5;  // s for which vehicles of others are moved straight on, in a live one
};

std::vector<std::byte> parcel_bytes(const Parcel& parcel);
core::Result<Parcel> read_parcel(std::span<const std::byte> bytes);
// what a node must have in common with the coordinator: the scenario's number in the protocol
std::uint64_t parcel_number(std::span<const std::byte> bytes);

inline constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
inline constexpr std::size_t kMostPieces = 1024;

// each with the number of the parcel, its place and how many there are
std::vector<std::vector<std::byte>> cut_parcel(std::span<const std::byte> bytes);

// puts pieces together again, in whatever order they come; those of an older parcel go when a newer one begins
class ParcelPieces {
 public:
  // the whole, when this was the last piece that was missing; a piece that contradicts itself is an error
  core::Result<std::optional<std::vector<std::byte>>> add(std::span<const std::byte> piece);

 private:
  std::uint64_t number_ = 0;
  std::uint32_t count_ = 0;
  std::map<std::uint32_t, std::vector<std::byte>> pieces_;
};

}  // namespace volary::cluster
