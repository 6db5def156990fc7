// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/modes.hpp"

#include <algorithm>
#include <iterator>

#include "control/guide.hpp"

namespace volary::replay {

namespace {
constexpr auto kArmed = static_cast<std::uint8_t>(Mode::Armed);
}  // namespace

void ModeWatch::look(const World& world, const Walk& walk, RecordList& roster) {
  if (world.def().precision == Precision::Float)
    look_at<std::uint32_t>(world, walk, roster);
  else
    look_at<std::uint64_t>(world, walk, roster);
}

template <class Word> void ModeWatch::look_at(const World& world, const Walk& walk, RecordList& roster) {
  ModeRange range;
  auto flush = [&] {
    if (range.count > 0) add_modes(roster, range, world.tick());
    range.count = 0;
  };
  std::size_t k = 0;
  for (const Walk::Flock& flock : walk.flocks) {
    const View status = world.find_view(flock.name, "status").value_or(View{});
    const auto* rows = static_cast<const std::byte*>(status.pointer);
    for (std::size_t at_slot = 0; at_slot < flock.slots.size(); ++at_slot) {
      const std::size_t s = flock.slots[at_slot];
      const std::uint32_t index = walk.vehicles[k++];
      if (rows == nullptr) continue;
      const std::byte* at = rows + static_cast<std::ptrdiff_t>(s / 16) * status.strides[0] + static_cast<std::ptrdiff_t>(s % 16) * status.strides[1];
      auto mode = static_cast<std::uint8_t>(*reinterpret_cast<const Word*>(at) & control::kModeMask);
      // steered by its behaviours or from outside: only the world can tell
      if (mode == kArmed) mode = static_cast<std::uint8_t>(world.mode_of(flock.ids[at_slot]));
      if (index >= last_.size()) last_.resize(index + 1, kUnknownMode);
      if (last_[index] == mode) continue;
      last_[index] = mode;
      if (range.count == 0 || range.mode != mode || index != range.index + range.count) {
        flush();
        range = {index, 0, mode};
      }
      ++range.count;
    }
  }
  flush();
}

const char* mode_name(std::uint8_t mode) {
  static constexpr const char* kNames[] = {"disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop"};
  return mode < std::size(kNames) ? kNames[mode] : "unknown";
}

std::uint8_t mode_at(const RosterEntry& entry, double tick, std::span<const std::uint64_t> unknown_from) {
  const auto after =
      std::upper_bound(entry.modes.begin(), entry.modes.end(), tick, [](double t, const ModeChange& m) { return t < static_cast<double>(m.tick); });
  if (after == entry.modes.begin()) return kUnknownMode;
  // the last change that is known says nothing once others were lost after it
  const ModeChange& last = *(after - 1);
  const auto lost = std::upper_bound(unknown_from.begin(), unknown_from.end(), last.tick);
  return lost != unknown_from.end() && static_cast<double>(*lost) <= tick ? kUnknownMode : last.mode;
}

}  // namespace volary::replay
