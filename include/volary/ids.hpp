// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ids are 64-bit and hold a generation, so that an id kept after its vehicle was removed is detected.
// They are global over flocks and processes, and they key random draws and hashes. A vehicle's future depends
// on its id, never on its place in memory. Users see and write the plain number. An id without a generation
// means the vehicle that has the number now.
#pragma once

#include <compare>
#include <cstdint>

namespace volary {

// The id of a vehicle: a number and a generation.
struct VehicleId {
  std::uint64_t value = 0;  // low 40 bits: number from 1; next 24 bits: generation; 0 is no vehicle

  constexpr std::uint64_t number() const { return value & 0xffffffffffull; }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(value >> 40); }
  constexpr explicit operator bool() const { return value != 0; }
  friend constexpr auto operator<=>(VehicleId, VehicleId) = default;
};
// Greatest number of a vehicle.
inline constexpr std::uint64_t kMostVehicleNumber = 0xffffffffffull;
// How many numbers each world of a batch has: world w counts from w * kNumbersPerWorld + 1.
inline constexpr std::uint64_t kNumbersPerWorld = std::uint64_t{1} << 22;

// Makes an id from a number and a generation.
constexpr VehicleId make_vehicle_id(std::uint64_t number, std::uint32_t generation) { return {(static_cast<std::uint64_t>(generation) << 40) | number}; }

}  // namespace volary
