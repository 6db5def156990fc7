// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mission_plan.hpp"

#include <cmath>
#include <limits>

namespace volary::autopilot {

using mavlink::Command;
using mavlink::CoordinateFrame;
using mavlink::MissionResult;

namespace {

constexpr std::int32_t kNotGiven = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kNorthPole = 900'000'000, kDateLine = 1'800'000'000;  // 1e-7 deg
constexpr double kHighest = 100'000;                                         // m

bool is_local(const MissionItem& item) { return static_cast<CoordinateFrame>(item.frame) == CoordinateFrame::LocalNed; }
bool is_global(const MissionItem& item) {
  switch (static_cast<CoordinateFrame>(item.frame)) {
    case CoordinateFrame::Global:
    case CoordinateFrame::GlobalInt:
    case CoordinateFrame::GlobalRelativeAlt:
    case CoordinateFrame::GlobalRelativeAltInt: return true;
    default: return false;
  }
}
bool counts_from_home(const MissionItem& item) {
  const auto frame = static_cast<CoordinateFrame>(item.frame);
  return frame == CoordinateFrame::GlobalRelativeAlt || frame == CoordinateFrame::GlobalRelativeAltInt;
}

MissionResult check_place(const MissionItem& item) {
  if (!is_global(item) && !is_local(item)) return MissionResult::UnsupportedFrame;
  if (is_global(item) && item.x != kNotGiven && (item.x < -kNorthPole || item.x > kNorthPole)) return MissionResult::InvalidParam5X;
  if (is_global(item) && item.y != kNotGiven && (item.y < -kDateLine || item.y > kDateLine)) return MissionResult::InvalidParam6Y;
  if (!std::isfinite(item.z) || std::abs(static_cast<double>(item.z)) > kHighest) return MissionResult::InvalidParam7;
  return MissionResult::Accepted;
}

}  // namespace

ItemKind kind_of(const MissionItem& item) {
  switch (static_cast<Command>(item.command)) {
    case Command::NavWaypoint: return ItemKind::Waypoint;
    case Command::NavTakeoff:
    case Command::NavVtolTakeoff: return ItemKind::TakeOff;
    case Command::NavLand:
    case Command::NavVtolLand: return ItemKind::Land;
    case Command::NavReturnToLaunch: return ItemKind::Return;
    case Command::NavLoiterUnlim: return ItemKind::LoiterForever;
    case Command::NavLoiterTime: return ItemKind::LoiterTime;
    case Command::NavDelay: return ItemKind::Delay;
    case Command::DoJump: return ItemKind::Jump;
    case Command::DoChangeSpeed: return ItemKind::ChangeSpeed;
    case Command::DoLandStart:
    case Command::DoVtolTransition:
    case Command::DoSetRoi:
    case Command::DoSetRoiLocation:
    case Command::DoSetRoiNone:
    case Command::DoMountControl:
    case Command::DoSetCamTriggDist:
    case Command::SetCameraMode:
    case Command::DoGimbalManagerPitchyaw:
    case Command::DoGimbalManagerConfigure:
    case Command::ImageStartCapture:
    case Command::ImageStopCapture:
    case Command::VideoStartCapture:
    case Command::VideoStopCapture: return ItemKind::NoEffect;
    default: return ItemKind::Unknown;
  }
}

bool has_place(ItemKind kind) {
  return kind == ItemKind::Waypoint || kind == ItemKind::TakeOff || kind == ItemKind::Land || kind == ItemKind::LoiterForever || kind == ItemKind::LoiterTime;
}

MissionResult check_mission_item(const MissionItem& item) {
  const ItemKind kind = kind_of(item);
  if (kind == ItemKind::Unknown) return MissionResult::Unsupported;
  if (has_place(kind)) {
    const bool must_be_given = kind == ItemKind::Waypoint;
    if (must_be_given && item.x == kNotGiven) return MissionResult::InvalidParam5X;
    if (must_be_given && item.y == kNotGiven) return MissionResult::InvalidParam6Y;
    return check_place(item);
  }
  if (kind == ItemKind::Jump && (!(item.param1 >= 0) || item.param1 >= kMostItems)) return MissionResult::InvalidParam1;
  if (kind == ItemKind::Jump && !std::isfinite(item.param2)) return MissionResult::InvalidParam2;
  if (kind == ItemKind::Delay && !std::isfinite(item.param1)) return MissionResult::InvalidParam1;
  return MissionResult::Accepted;
}

MissionResult check_fence_item(const MissionItem& item) {
  switch (static_cast<Command>(item.command)) {
    case Command::NavFencePolygonVertexInclusion:
    case Command::NavFencePolygonVertexExclusion:
      if (!(item.param1 >= 3) || item.param1 > kMostItems) return MissionResult::InvalidParam1;
      break;
    case Command::NavFenceCircleInclusion:
    case Command::NavFenceCircleExclusion:
      if (!(item.param1 > 0) || !std::isfinite(item.param1)) return MissionResult::InvalidParam1;
      break;
    default: return MissionResult::Unsupported;
  }
  if (!is_global(item)) return MissionResult::UnsupportedFrame;
  if (item.x == kNotGiven || item.x < -kNorthPole || item.x > kNorthPole) return MissionResult::InvalidParam5X;
  if (item.y == kNotGiven || item.y < -kDateLine || item.y > kDateLine) return MissionResult::InvalidParam6Y;
  return MissionResult::Accepted;
}

Vec position_of(const MissionItem& item, const Place& place, const Vec& home_W, const Vec& here_W) {
  const double z = item.z;
  if (is_local(item)) return {home_W[0] + item.y * 1e-4, home_W[1] + item.x * 1e-4, home_W[2] - z};
  const double altitude = counts_from_home(item) ? place.on_earth(home_W).altitude + z : z;
  const bool is_given = item.x != kNotGiven && item.y != kNotGiven && (item.x != 0 || item.y != 0);
  LatLon point = place.on_earth(here_W);
  if (is_given) point.latitude = item.x * 1e-7, point.longitude = item.y * 1e-7;
  point.altitude = altitude;
  return place.in_world(point);
}

}  // namespace volary::autopilot
