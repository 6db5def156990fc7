// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mode_names.hpp"

#include <span>

#include <fmt/format.h>

namespace volary::autopilot {

using mavlink::VehicleType;

namespace {

struct ModeName {
  std::uint16_t number;
  const char* name;
};

// main mode, and sub mode in the upper byte
constexpr std::uint16_t px4(unsigned main, unsigned sub = 0) { return static_cast<std::uint16_t>(main | sub << 8); }

constexpr ModeName kPx4[] = {{px4(1), "Manual"},
                             {px4(2), "Altitude"},
                             {px4(3), "Position"},
                             {px4(3, 1), "Orbit"},
                             {px4(3, 2), "Position Slow"},
                             {px4(4, 1), "Ready"},
                             {px4(4, 2), "Takeoff"},
                             {px4(4, 3), "Hold"},
                             {px4(4, 4), "Mission"},
                             {px4(4, 5), "Return"},
                             {px4(4, 6), "Land"},
                             {px4(4, 8), "Follow Me"},
                             {px4(4, 9), "Precision Land"},
                             {px4(4, 10), "VTOL Takeoff"},
                             {px4(4, 11), "External 1"},
                             {px4(4, 12), "External 2"},
                             {px4(4, 13), "External 3"},
                             {px4(4, 14), "External 4"},
                             {px4(4, 15), "External 5"},
                             {px4(4, 16), "External 6"},
                             {px4(4, 17), "External 7"},
                             {px4(4, 18), "External 8"},
                             {px4(4, 19), "Guided Course"},
                             {px4(4, 20), "Descend"},
                             {px4(5), "Acro"},
                             {px4(6), "Offboard"},
                             {px4(7), "Stabilized"},
                             {px4(8), "Rattitude"},
                             {px4(10), "Termination"},
                             {px4(11), "Altitude Cruise"}};

constexpr ModeName kCopter[] = {{0, "STABILIZE"},  {1, "ACRO"},      {2, "ALT_HOLD"},   {3, "AUTO"},     {4, "GUIDED"},        {5, "LOITER"},     {6, "RTL"},
                                {7, "CIRCLE"},     {9, "LAND"},      {11, "DRIFT"},     {13, "SPORT"},   {14, "FLIP"},         {15, "AUTOTUNE"},  {16, "POSHOLD"},
                                {17, "BRAKE"},     {18, "THROW"},    {19, "AVOID_ADSB"}, {20, "GUIDED_NOGPS"}, {21, "SMART_RTL"}, {22, "FLOWHOLD"}, {23, "FOLLOW"},
                                {24, "ZIGZAG"},    {25, "SYSTEMID"}, {26, "AUTOROTATE"}, {27, "AUTO_RTL"}, {28, "TURTLE"}};

constexpr ModeName kPlane[] = {{0, "MANUAL"},      {1, "CIRCLE"},     {2, "STABILIZE"},   {3, "TRAINING"}, {4, "ACRO"},       {5, "FBWA"},    {6, "FBWB"},
                               {7, "CRUISE"},      {8, "AUTOTUNE"},   {10, "AUTO"},       {11, "RTL"},     {12, "LOITER"},    {13, "TAKEOFF"}, {14, "AVOID_ADSB"},
                               {15, "GUIDED"},     {16, "INITIALISING"}, {17, "QSTABILIZE"}, {18, "QHOVER"}, {19, "QLOITER"},  {20, "QLAND"},  {21, "QRTL"},
                               {22, "QAUTOTUNE"},  {23, "QACRO"},     {24, "THERMAL"},    {25, "LOITER_ALT_QLAND"}, {26, "AUTOLAND"}};

const char* find(std::span<const ModeName> list, std::uint32_t number) {
  for (const ModeName& m : list)
    if (m.number == number) return m.name;
  return nullptr;
}

}  // namespace

bool is_plane(VehicleType type) {
  const std::uint8_t number = mavlink::number_of(type);
  return type == VehicleType::FixedWing || (number >= mavlink::number_of(VehicleType::VtolDuorotor) && number <= mavlink::number_of(VehicleType::VtolTiltwing));
}

std::string mode_name(mavlink::AutopilotKind kind, VehicleType type, std::uint32_t mode) {
  if (kind == mavlink::AutopilotKind::Px4) {
    const unsigned main = (mode >> 16) & 0xff, sub = mode >> 24;
    const char* const name = find(kPx4, px4(main, sub));
    return name != nullptr ? name : fmt::format("mode {}.{}", main, sub);
  }
  const char* name = nullptr;
  if (kind == mavlink::AutopilotKind::Ardupilotmega) name = find(is_plane(type) ? std::span<const ModeName>(kPlane) : std::span<const ModeName>(kCopter), mode);
  return name != nullptr ? name : fmt::format("mode {}", mode);
}

}  // namespace volary::autopilot
