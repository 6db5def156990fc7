// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/guidance_source.hpp"

#include <algorithm>
#include <map>

namespace volary::autopilot {

namespace {

// a vehicle with behaviours and the instance that flies it
struct Steered {
  AutopilotKind kind;
  int instance;
  VehicleId id;
  double take_off_height;
};

std::vector<Steered> steered_of(const World& world, const std::vector<FlockAutopilot>& flocks, int first_instance) {
  std::vector<Steered> list;
  std::map<AutopilotKind, int> next;
  for (const FlockAutopilot& flock : flocks) {
    const auto& defs = world.def().flocks;
    const auto def = std::find_if(defs.begin(), defs.end(), [&](const FlockDef& f) { return f.name == flock.flock; });
    if (def == defs.end()) continue;
    for (const VehicleId id : world.vehicles(flock.flock)) {
      const int instance = first_instance + next[flock.def.kind]++;
      if (!def->node.behaviours.empty()) list.push_back({flock.def.kind, instance, id, def->take_off_height});
    }
  }
  return list;
}

}  // namespace

LinkAddress program_link(AutopilotKind kind, int instance) {
  // PX4's instances from the tenth on share a port
  if (kind == AutopilotKind::Px4) return {LinkAddress::Kind::UdpIn, "127.0.0.1", static_cast<std::uint16_t>(14540 + std::min(instance, 9)), 0};
  return {LinkAddress::Kind::Tcp, "127.0.0.1", static_cast<std::uint16_t>(5762 + 10 * instance), 0};
}

void GuidanceSource::start(const World& world) {
  failure_.clear();
  companions_.reset();
  sockets_.reset();
  const std::vector<Steered> list = steered_of(world, wanted_, first_instance_);
  if (list.empty()) return;
  std::vector<LinkAddress> addresses;
  std::vector<std::size_t> link_of;
  for (const Steered& s : list) {
    const LinkAddress address = program_link(s.kind, s.instance);
    const auto known = std::find_if(addresses.begin(), addresses.end(), [&](const LinkAddress& a) { return a.port == address.port; });
    link_of.push_back(static_cast<std::size_t>(known - addresses.begin()));
    if (known == addresses.end()) addresses.push_back(address);
  }
  auto opened = Links::open(addresses);
  if (!opened) {
    failure_ = "behaviours cannot reach their autopilots: " + opened.error().text() + "; --autopilot-instance N takes other ports";
    return;
  }
  sockets_ = std::move(opened).value();
  companions_ = std::make_unique<Companions>(addresses.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Steered& s = list[k];
    companions_->add(link_of[k], s.id,
                     {.system = static_cast<std::uint8_t>(s.instance + 1),
                      .name = world.name_of(s.id),
                      .take_off_height = s.take_off_height,
                      .home_W = world.position_of(s.id)});
  }
}

void GuidanceSource::ask(const World& world) {
  if (companions_ == nullptr) return;
  const double now = world.time();
  sockets_->poll(0, [&](const LinkEvent& event) {
    switch (event.kind) {
      case LinkEvent::Kind::Opened: return companions_->opened(event.channel, event.link);
      case LinkEvent::Kind::Closed: return companions_->closed(event.channel);
      case LinkEvent::Kind::Received: return companions_->received(event.channel, event.bytes, now);
    }
  });
  companions_->want(world);
  companions_->beat(now);
  companions_->take_sends([this](ChannelId channel, std::span<const std::byte> bytes) { sockets_->send(channel, bytes); });
  for (const std::string& text : companions_->take_reports()) tell_(text);
}

core::Status GuidanceSource::give(const World&, std::vector<Input>&) {
  if (!failure_.empty()) return core::Error{.message = failure_};
  return core::ok();
}

void GuidanceSource::stop(const World&) {
  companions_.reset();
  sockets_.reset();
}

}  // namespace volary::autopilot
