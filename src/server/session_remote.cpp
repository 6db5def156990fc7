// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A session whose world others step: inputs go to them, moments come from them, and views of a federation other than the committed one are made of what its nodes last said.
#include <algorithm>

#include "core/suggest.hpp"
#include "server/session.hpp"

namespace volary::server {

namespace {

// what nodes tell each other of their vehicles in every tick
const std::vector<std::string> kSharedColumns = {"position", "velocity", "attitude", "status"};

}  // namespace

core::Status Session::prepare_remote(World& world) const { return options_.remote && options_.remote->prepare ? options_.remote->prepare(world) : core::ok(); }

void Session::tell_watched() const {
  if (options_.remote && options_.remote->watched) options_.remote->watched(wishes_.size());
}

core::Status Session::show(const Snapshot& moment, const std::vector<Event>& events, bool is_jump) {
  const std::uint64_t tick = world_->tick(), roster = world_->roster_version();
  if (std::string error; !world_->restore(moment, &error)) return core::Error{.message = error};
  if (is_jump) after_jump();
  for (const Event& e : events) note_event(e);
  // Vehicles that come or go say so by an event. Those of an episode that begins do not: as a rule they are the same again, and fly again if they had diverged.
  if (!is_jump && world_->roster_version() != roster) {
    for (RosterEntry& e : roster_.entries) e.diverged = e.diverged && !world_->is_alive(e.id);
    is_roster_old_ = is_roster_old_ || make_roster(*world_, roster_).entries != roster_.entries;
  }
  if (world_->tick() == tick) ++look_;
  after_tick();
  return core::ok();
}

// The first refusal is that of the command: what comes after it would be half of one.
void Session::hand_on(Input input) {
  if (!refusal_) return;
  if (const core::Status taken = options_.remote->submit(input); !taken) refusal_ = taken;
}

// A run that is paused holds the processes behind it: at the tick that is shown, or after the steps that are still to come.
void Session::hold_remote() {
  if (!options_.remote || !options_.remote->hold) return;
  options_.remote->hold(state() == LiveState::Running ? Remote::kNoHold : world_->tick() + steps_left());
}

core::Status Session::check_shared_columns(const VehicleQuery& q) const {
  if (!is_federation()) return core::ok();
  for (const std::string& column : q.columns)
    if (std::find(kSharedColumns.begin(), kSharedColumns.end(), column) == kSharedColumns.end())
      return core::Error{.message = "only the node that simulates a vehicle knows its '" + column.substr(0, 60) + "'",
                         .field = "columns",
                         .suggestion = "nodes share position, velocity, attitude and status"};
  return core::ok();
}

core::Result<std::string> Session::nodes_text(std::uint64_t after) const {
  if (options_.remote && options_.remote->nodes_text) return options_.remote->nodes_text(after);
  return core::Error{.message = "one process simulates this world", .suggestion = "'volary federation up' has nodes"};
}

// ---------------------------------------------------------------- views

// A run that stands still shows the tick at which it stands, whatever the nodes have computed beyond it.
std::vector<ShownPart> Session::parts_of(LiveView view) const {
  if (view == LiveView::Committed || !is_federation() || state() != LiveState::Running) return {};
  return options_.remote->shown(view);
}

std::vector<std::uint64_t> Session::ticks_of(const std::vector<ShownPart>& parts) const {
  std::vector<std::uint64_t> ticks;
  for (const ShownPart& p : parts) ticks.push_back(p.is_in ? p.tick : 0);
  return ticks;
}

void Session::show_parts(const std::vector<ShownPart>& parts, std::span<const std::byte> before, std::vector<std::byte>& bytes) const {
  std::vector<ShownPose> shown;
  std::vector<FramePose> poses;
  std::uint64_t newest = 0;
  for (const ShownPart& part : parts) {
    // a frame of before or after a vehicle came or went says nothing about the vehicles of now
    if (!part.is_in || part.frame == nullptr || !world_->read_poses(*part.frame, poses)) continue;
    newest = std::max(newest, part.tick);
    for (const FramePose& p : poses)
      if (const auto it = places_.find(p.id.value); it != places_.end()) shown.push_back({it->second, p});
  }
  if (shown.empty()) return;
  show_poses(shown, before, newest, static_cast<double>(newest) * static_cast<double>(world_->def().tick_ns) * 1e-9, bytes);
}

}  // namespace volary::server
