// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that clients upload: missions and geofences, as lists of mission items. Checked when an item arrives, so that what is stored can be flown.
#pragma once

#include <vector>

#include "autopilot/mavlink/messages.hpp"
#include "autopilot/place.hpp"

namespace volary::autopilot {

using MissionItem = mavlink::MissionItemInt;
using MissionPlan = std::vector<MissionItem>;

inline constexpr std::size_t kMostItems = 2000;

// what a command of a mission means for the flight
enum class ItemKind {
  Unknown,
  Waypoint,
  TakeOff,
  Land,
  Return,
  LoiterForever,
  LoiterTime,  // navigation
  Delay,
  Jump,
  ChangeSpeed,
  NoEffect  // cameras and gimbals, which vehicles here do not have
};
ItemKind kind_of(const MissionItem& item);
bool has_place(ItemKind kind);

// Accepted, or what is wrong with it
mavlink::MissionResult check_mission_item(const MissionItem& item);
mavlink::MissionResult check_fence_item(const MissionItem& item);

// The place of an item; its own fields where they are given, otherwise that of `here_W`. Heights count from sea level or from home.
Vec position_of(const MissionItem& item, const Place& place, const Vec& home_W, const Vec& here_W);

}  // namespace volary::autopilot
