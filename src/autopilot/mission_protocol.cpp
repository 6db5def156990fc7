// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mission_protocol.hpp"

#include <cmath>

namespace volary::autopilot {

using mavlink::MissionResult;
using mavlink::MissionType;

namespace {

bool is_kept(std::uint8_t type) { return type <= static_cast<std::uint8_t>(MissionType::Fence); }

// items of older clients have degrees in floats
MissionItem with_whole_numbers(const mavlink::MissionItem& old) {
  MissionItem item;
  item.param1 = old.param1, item.param2 = old.param2, item.param3 = old.param3, item.param4 = old.param4;
  const bool is_local = old.frame == static_cast<std::uint8_t>(mavlink::CoordinateFrame::LocalNed);
  const double unit = is_local ? 1e4 : 1e7, limit = is_local ? 2e5 : 200;
  const auto whole = [&](float x) {
    return std::isfinite(x) && std::abs(static_cast<double>(x)) < limit ? static_cast<std::int32_t>(std::lround(static_cast<double>(x) * unit)) : 0x7fffffff;
  };
  item.x = whole(old.x), item.y = whole(old.y), item.z = old.z;
  item.seq = old.seq, item.command = old.command;
  item.target_system = old.target_system, item.target_component = old.target_component;
  item.frame = old.frame, item.current = old.current, item.autocontinue = old.autocontinue, item.mission_type = old.mission_type;
  return item;
}

// the corners of a polygon follow each other and each says how many there are
MissionResult check_fence(const MissionPlan& plan) {
  for (std::size_t k = 0; k < plan.size();) {
    const auto command = static_cast<mavlink::Command>(plan[k].command);
    const bool is_polygon = command == mavlink::Command::NavFencePolygonVertexInclusion || command == mavlink::Command::NavFencePolygonVertexExclusion;
    const std::size_t n = is_polygon ? static_cast<std::size_t>(plan[k].param1) : 1;
    if (k + n > plan.size()) return MissionResult::InvalidParam1;
    for (std::size_t j = 1; j < n; ++j)
      if (plan[k + j].command != plan[k].command || plan[k + j].param1 != plan[k].param1) return MissionResult::InvalidParam1;
    k += n;
  }
  return MissionResult::Accepted;
}

// a jump leads to an item of the plan
MissionResult check_jumps(const MissionPlan& plan) {
  for (const MissionItem& item : plan)
    if (kind_of(item) == ItemKind::Jump && static_cast<std::size_t>(item.param1) >= plan.size()) return MissionResult::InvalidParam1;
  return MissionResult::Accepted;
}

}  // namespace

bool MissionProtocol::hear(const mavlink::Frame& frame, const Sender& sender, double now) {
  using namespace mavlink;
  switch (frame.id) {
    case MissionCount::kId: return begin_upload(decode<MissionCount>(frame), sender, now), true;
    case MissionItemInt::kId: return take_item(decode<MissionItemInt>(frame), sender, now), true;
    case mavlink::MissionItem::kId: return take_item(with_whole_numbers(decode<mavlink::MissionItem>(frame)), sender, now), true;
    case MissionRequestList::kId: return tell_count(decode<MissionRequestList>(frame), sender), true;
    case MissionRequestInt::kId: {
      const auto m = decode<MissionRequestInt>(frame);
      return tell_item(m.seq, m.mission_type, sender), true;
    }
    case MissionRequest::kId: {
      const auto m = decode<MissionRequest>(frame);
      return tell_item(m.seq, m.mission_type, sender), true;
    }
    case MissionClearAll::kId: return clear(decode<MissionClearAll>(frame), sender), true;
    case MissionAck::kId:
      // a client that gives up its upload says so
      if (upload_ && upload_->from == sender && decode<MissionAck>(frame).type != 0) upload_.reset();
      return true;
    case MissionWritePartialList::kId: return acknowledge(sender, MissionResult::Unsupported, MissionType::Mission), true;
    default: return false;
  }
}

void MissionProtocol::begin_upload(const mavlink::MissionCount& m, const Sender& sender, double now) {
  const auto type = static_cast<MissionType>(m.mission_type);
  if (!is_kept(m.mission_type)) return acknowledge(sender, MissionResult::Unsupported, type);
  if (m.count > kMostItems) return acknowledge(sender, MissionResult::NoSpace, type);
  if (upload_ && !(upload_->from == sender)) return acknowledge(sender, MissionResult::Denied, type);
  upload_ = Upload{.from = sender, .type = type, .items = {}, .count = m.count};
  upload_->items.reserve(m.count);
  m.count == 0 ? finish_upload() : ask(now);
}

void MissionProtocol::ask(double now) {
  mavlink::MissionRequestInt m;
  m.seq = static_cast<std::uint16_t>(upload_->items.size());
  m.target_system = upload_->from.system, m.target_component = upload_->from.component;
  m.mission_type = static_cast<std::uint8_t>(upload_->type);
  outbox_.send(upload_->from.channel, system_, m);
  upload_->asked = now;
}

void MissionProtocol::take_item(const MissionItem& item, const Sender& sender, double now) {
  if (!upload_ || !(upload_->from == sender)) return acknowledge(sender, MissionResult::Error, static_cast<MissionType>(item.mission_type));
  if (item.mission_type != static_cast<std::uint8_t>(upload_->type)) return;
  if (item.seq < upload_->items.size()) return;  // it came twice
  if (item.seq > upload_->items.size()) {
    upload_->is_out_of_order = true;
    return ask_again(now);
  }
  const MissionResult result = upload_->type == MissionType::Fence ? check_fence_item(item) : check_mission_item(item);
  if (result != MissionResult::Accepted) {
    acknowledge(sender, result, upload_->type);
    upload_.reset();
    return;
  }
  upload_->items.push_back(item);
  upload_->repeats = 0;
  upload_->items.size() == upload_->count ? finish_upload() : ask(now);
}

void MissionProtocol::finish_upload() {
  const MissionResult result = upload_->type == MissionType::Fence ? check_fence(upload_->items) : check_jumps(upload_->items);
  if (result == MissionResult::Accepted) {
    plans_[static_cast<std::size_t>(upload_->type)] = std::move(upload_->items);
    changed_[static_cast<std::size_t>(upload_->type)] = true;
  }
  acknowledge(upload_->from, result, upload_->type);
  upload_.reset();
}

void MissionProtocol::beat(double now) {
  if (upload_ && now - upload_->asked >= kRepeat) ask_again(now);
}

void MissionProtocol::ask_again(double now) {
  if (++upload_->repeats <= kRepeats) return ask(now);
  acknowledge(upload_->from, upload_->is_out_of_order ? MissionResult::InvalidSequence : MissionResult::OperationCancelled, upload_->type);
  upload_.reset();
}

void MissionProtocol::acknowledge(const Sender& to, MissionResult result, MissionType type) {
  mavlink::MissionAck m;
  m.target_system = to.system, m.target_component = to.component;
  m.type = static_cast<std::uint8_t>(result);
  m.mission_type = static_cast<std::uint8_t>(type);
  outbox_.send(to.channel, system_, m);
}

void MissionProtocol::tell_count(const mavlink::MissionRequestList& asked, const Sender& sender) {
  mavlink::MissionCount m;
  m.target_system = sender.system, m.target_component = sender.component;
  m.count = is_kept(asked.mission_type) ? static_cast<std::uint16_t>(plans_[asked.mission_type].size()) : std::uint16_t{0};
  m.mission_type = asked.mission_type;
  outbox_.send(sender.channel, system_, m);
}

void MissionProtocol::tell_item(std::uint16_t seq, std::uint8_t type, const Sender& sender) {
  if (!is_kept(type)) return acknowledge(sender, MissionResult::Unsupported, static_cast<MissionType>(type));
  const MissionPlan& plan = plans_[type];
  if (seq >= plan.size()) return acknowledge(sender, MissionResult::InvalidSequence, static_cast<MissionType>(type));
  MissionItem item = plan[seq];
  item.target_system = sender.system, item.target_component = sender.component;
  outbox_.send(sender.channel, system_, item);
}

void MissionProtocol::clear(const mavlink::MissionClearAll& m, const Sender& sender) {
  const auto type = static_cast<MissionType>(m.mission_type);
  const bool all = type == MissionType::All;
  if (!all && !is_kept(m.mission_type)) return acknowledge(sender, MissionResult::Accepted, type);  // there is none
  for (std::size_t k = 0; k < plans_.size(); ++k) {
    if (!all && k != m.mission_type) continue;
    changed_[k] = changed_[k] || !plans_[k].empty();
    plans_[k].clear();
  }
  acknowledge(sender, MissionResult::Accepted, type);
}

std::optional<MissionType> MissionProtocol::take_changed() {
  for (std::size_t k = 0; k < changed_.size(); ++k)
    if (std::exchange(changed_[k], false)) return static_cast<MissionType>(k);
  return std::nullopt;
}

}  // namespace volary::autopilot
