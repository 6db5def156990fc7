// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/companion_source.hpp"

#include <algorithm>
#include <map>

#include "autopilot/lockstep/flown_vehicle.hpp"
#include "autopilot/lockstep/launch.hpp"

namespace volary::autopilot {

namespace {

// a vehicle and the instance that flies it
struct Flown {
  AutopilotKind kind;
  int instance;
  VehicleId id;
  double take_off_height;
  bool has_behaviours;
};

std::vector<Flown> flown_of(const World& world, const std::vector<FlockAutopilot>& flocks, int first_instance, bool with_all) {
  std::vector<Flown> list;
  std::map<AutopilotKind, int> next;
  for (const FlockAutopilot& flock : flocks) {
    const FlockDef* const def = find_flock(world, flock.flock);
    if (def == nullptr) continue;
    const bool has_behaviours = !def->node.behaviours.empty();
    for (const VehicleId id : world.vehicles(flock.flock)) {
      const int instance = first_instance + next[flock.def.kind]++;
      if (has_behaviours || with_all) list.push_back({flock.def.kind, instance, id, def->take_off_height, has_behaviours});
    }
  }
  return list;
}

}  // namespace

LinkAddress companion_link(AutopilotKind kind, int instance) {
  if (kind == AutopilotKind::Px4) return {LinkAddress::Kind::UdpIn, "127.0.0.1", static_cast<std::uint16_t>(px4_companion_ports(instance).ours), 0};
  return {LinkAddress::Kind::Tcp, "127.0.0.1", static_cast<std::uint16_t>(5763 + 10 * instance), 0};  // its SERIAL2
}

void CompanionSource::start(const World& world) {
  failure_.clear();
  companions_.reset();
  sockets_.reset();
  now_ = world.time();
  const std::vector<Flown> list = flown_of(world, wanted_, first_instance_, is_for_people_);
  if (list.empty()) return;
  std::vector<LinkAddress> addresses;
  for (const Flown& f : list) addresses.push_back(companion_link(f.kind, f.instance));
  auto opened = Links::open(addresses);
  if (!opened) {
    // behaviours cannot do without, and people can: they have ground stations
    const bool must = std::any_of(list.begin(), list.end(), [](const Flown& f) { return f.has_behaviours; });
    const std::string text = opened.error().text() + "; --autopilot-instance N takes other ports";
    if (must)
      failure_ = "behaviours cannot reach their autopilots: " + text;
    else
      tell_("the page shows no modes and gives no orders to autopilots: " + text);
    return;
  }
  sockets_ = std::move(opened).value();
  companions_ = std::make_unique<Companions>(addresses.size());
  const Place site(world.environment().weather.origin);
  for (std::size_t k = 0; k < list.size(); ++k)
    companions_->add(k, list[k].id,
                     {.system = static_cast<std::uint8_t>(list[k].instance + 1),
                      .name = world.name_of(list[k].id),
                      .take_off_height = list[k].take_off_height,
                      .home_W = world.position_of(list[k].id),
                      .site = site,
                      .is_station = is_for_people_,
                      .has_behaviours = list[k].has_behaviours});
}

void CompanionSource::ask(const World& world) {
  if (companions_ == nullptr) return;
  now_ = world.time();
  sockets_->poll(0, [&](const LinkEvent& event) {
    switch (event.kind) {
      case LinkEvent::Kind::Opened: return companions_->opened(event.channel, event.link);
      case LinkEvent::Kind::Closed: return companions_->closed(event.channel);
      case LinkEvent::Kind::Received: return companions_->received(event.channel, event.bytes, now_);
    }
  });
  companions_->want(world);
  companions_->beat(now_);
  companions_->take_sends([this](ChannelId channel, std::span<const std::byte> bytes) { sockets_->send(channel, bytes); });
  for (const std::string& text : companions_->take_reports()) tell_(text);
}

core::Status CompanionSource::give(const World&, std::vector<Input>&) {
  if (!failure_.empty()) return core::Error{.message = failure_};
  return core::ok();
}

void CompanionSource::stop(const World&) {
  companions_.reset();
  sockets_.reset();
}

// ---------------------------------------------------------------- people

std::optional<LockstepClient::Known> CompanionSource::known_of(VehicleId id) const {
  const Companion* const c = companions_ ? companions_->find(id) : nullptr;
  if (c == nullptr) return std::nullopt;
  return Known{c->is_heard() ? c->state().mode_text() : "", c->state().texts.list()};
}

core::Status CompanionSource::order(VehicleId id, const runner::FlightOrder& order) {
  if (companions_ == nullptr) return core::Error{.message = "its MAVLink port could not be opened", .suggestion = "--autopilot-instance N takes other ports"};
  return companions_->order(id, order, now_);
}

std::vector<runner::Autopilots::Refusal> CompanionSource::take_refusals() {
  return companions_ ? companions_->take_refusals() : std::vector<runner::Autopilots::Refusal>{};
}

}  // namespace volary::autopilot
