// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ids are 64-bit and hold a generation, so that an id kept after its vehicle was removed is noticed.
// They are global over flocks and processes and key randomness and hashes: a vehicle's future
// depends on its id, never on its place in memory. People see and write the plain number; without a generation an id
// means whoever has the number now.
#pragma once

#include <compare>
#include <cstdint>

namespace volary {

struct VehicleId {
  std::uint64_t value = 0;  // low 40 bits: number from 1; next 24 bits: generation; 0 is no vehicle

  constexpr std::uint64_t number() const { return value & 0xffffffffffull; }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(value >> 40); }
  constexpr explicit operator bool() const { return value != 0; }
  friend constexpr auto operator<=>(VehicleId, VehicleId) = default;
};
inline constexpr std::uint64_t kMostVehicleNumber = 0xffffffffffull;
// numbers that one world of a batch has for itself: world w counts from w * kNumbersPerWorld + 1
inline constexpr std::uint64_t kNumbersPerWorld = std::uint64_t{1} << 22;

constexpr VehicleId make_vehicle_id(std::uint64_t number, std::uint32_t generation) { return {(static_cast<std::uint64_t>(generation) << 40) | number}; }

}  // namespace volary
