// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mirror_service.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace volary::autopilot {

namespace {

constexpr double kBeat = 0.02;  // s between two looks at what goes by the wall
constexpr double kPause = 0.5;  // s without a tick, after which vehicles hold

std::int64_t unix_us() { return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

bool is_moved_by_inputs(const FlockDef& f) { return f.mirror && f.tracks.empty(); }

}  // namespace

bool has_mirrors(const WorldDef& def) { return std::any_of(def.flocks.begin(), def.flocks.end(), is_moved_by_inputs); }

core::Result<std::unique_ptr<MirrorService>> MirrorService::open(const MirrorOptions& options) {
  std::vector<LinkAddress> addresses;
  for (const StationLink& link : options.links) {
    if (link.address.listens_beyond_loopback() && !options.key)
      return core::Error{.message = link.address.text() + " would believe every machine without a signature",
                         .suggestion = "listen on 127.0.0.1, or give a key with --mavlink-key FILE"};
    for (const StationLink& other : options.links)
      if (&other != &link && link.vehicles.first <= other.vehicles.last && other.vehicles.first <= link.vehicles.last)
        return core::Error{.message = fmt::format("{} and {} have vehicles in common", link.address.text(), other.address.text()),
                           .suggestion = "add ,vehicles=FIRST-LAST to each: every mirror belongs to one link"};
    addresses.push_back(link.address);
  }
  auto sockets = Links::open(addresses);
  if (!sockets) return sockets.error();
  return std::unique_ptr<MirrorService>(new MirrorService(options, std::move(sockets).value()));
}

MirrorService::MirrorService(MirrorOptions options, std::unique_ptr<Links> sockets)
    : options_(std::move(options)),
      companions_(options_.links.size(), options_.key),
      traffic_(options_.links.size(), runner::steady_now(), [this](ChannelId channel) { return companions_.frames_of(channel); }),
      sockets_(std::move(sockets)),
      thread_([this] { serve(); }) {}

MirrorService::~MirrorService() {
  is_over_ = true;
  sockets_->wake();
  thread_.join();
}

void MirrorService::serve() {
  while (!is_over_) {
    sockets_->poll(kBeat, [this](const LinkEvent& event) { on_event(event); });
    std::vector<std::string> reports;
    {
      const std::lock_guard lock(mutex_);
      const double now = runner::steady_now();
      if (now - ticked_ > kPause) companions_.want_hold();
      companions_.beat(now, unix_us());
      flush();
      traffic_.measure(now);
      reports = companions_.take_reports();
    }
    for (const std::string& text : reports)
      if (options_.tell) options_.tell(text);
  }
}

void MirrorService::on_event(const LinkEvent& event) {
  const std::lock_guard lock(mutex_);
  const double now = runner::steady_now();
  switch (event.kind) {
    case LinkEvent::Kind::Opened: traffic_.opened(event.channel, event.link, event.name); return companions_.opened(event.channel, event.link);
    case LinkEvent::Kind::Closed: traffic_.closed(event.channel); return companions_.closed(event.channel);
    case LinkEvent::Kind::Received: traffic_.heard(event.channel, now); return companions_.received(event.channel, event.bytes, now, unix_us());
  }
}

void MirrorService::flush() {
  companions_.take_sends([this](ChannelId channel, std::span<const std::byte> bytes) { sockets_->send(channel, bytes); });
}

core::Status MirrorService::give(const World& world, std::vector<Input>& inputs) {
  const std::lock_guard lock(mutex_);
  companions_.take_inputs(world, inputs);
  return core::ok();
}

void MirrorService::begin(World& world, bool) {
  const std::lock_guard lock(mutex_);
  companions_.clear();
  times_.clear();
  has_place_ = world.def().environment.weather.origin.has_value();
  for (const FlockDef& flock : world.def().flocks) {
    if (!is_moved_by_inputs(flock)) continue;
    for (const VehicleId id : world.vehicles(flock.name)) add_mirror(world, flock, id);
  }
}

// A world that says where it lies on the Earth has its vehicles by latitude and longitude, any other by their own local positions.
void MirrorService::add_mirror(const World& world, const FlockDef& flock, VehicleId id) {
  const std::optional<OriginDef>& origin = world.def().environment.weather.origin;
  for (std::size_t k = 0; k < options_.links.size(); ++k) {
    const VehicleRange& range = options_.links[k].vehicles;
    if (id.number() < range.first || id.number() > range.last) continue;
    companions_.add(k, id,
                    {.system = static_cast<std::uint8_t>(id.number() - range.first + 1),
                     .name = world.name_of(id),
                     .take_off_height = flock.take_off_height,
                     .home_W = world.position_of(id),
                     .place = origin ? std::optional(Place(origin)) : std::nullopt,
                     .has_behaviours = !flock.node.behaviours.empty()});
  }
}

void MirrorService::after_tick(World& world) {
  const std::lock_guard lock(mutex_);
  ticked_ = runner::steady_now();
  times_.see(ticked_, world.time());
  companions_.want(world);
}

void MirrorService::end(World&) {
  const std::lock_guard lock(mutex_);
  companions_.leave();
  companions_.clear();
  flush();
}

LinkAddress MirrorService::address_of(std::size_t link) const {
  LinkAddress address = options_.links[link].address;
  if (address.port == 0) address.port = sockets_->port_of(link);
  return address;
}

std::vector<std::string> MirrorService::links() const {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < options_.links.size(); ++k) list.push_back(address_of(k).text());
  return list;
}

std::vector<Companions::Line> MirrorService::lines() const {
  const std::lock_guard lock(mutex_);
  return companions_.lines();
}

// ---------------------------------------------------------------- for a page

bool MirrorService::is_used() const {
  const std::lock_guard lock(mutex_);
  return !companions_.is_empty();
}

bool MirrorService::flies(VehicleId id) const {
  const std::lock_guard lock(mutex_);
  return companions_.find(id) != nullptr;
}

runner::AutopilotReport MirrorService::report_of(VehicleId id) const {
  const std::lock_guard lock(mutex_);
  const Companion* const companion = companions_.find(id);
  if (companion == nullptr) return {};
  const AutopilotState& autopilot = companion->state();
  runner::AutopilotReport state;
  if (const Dialect* dialect = find_dialect(autopilot.kind, autopilot.type)) state.kind = dialect->name;
  state.system = companion->system();
  state.is_armed = autopilot.is_armed;
  state.companion = companion->status();
  if (companion->is_heard())
    state.mode = autopilot.mode_text();
  else
    state.trouble = "it is not heard";
  for (const runner::AutopilotMessage& m : autopilot.texts.list()) state.messages.push_back({times_.at(m.time), m.severity, m.text});
  return state;
}

std::vector<runner::LinkReport> MirrorService::link_reports() const {
  const std::lock_guard lock(mutex_);
  std::vector<runner::LinkReport> list;
  for (std::size_t k = 0; k < options_.links.size(); ++k) {
    list.push_back(traffic_.report(k, address_of(k), runner::steady_now()));
    list.back().is_signed = options_.key.has_value();
  }
  return list;
}

core::Status MirrorService::order(VehicleId id, const runner::FlightOrder& order) {
  const std::lock_guard lock(mutex_);
  // it would fall out of a real sky
  if (order.kind == runner::FlightOrder::Kind::Terminate)
    return core::Error{.message = "an emergency stop does not reach the vehicle outside the world", .suggestion = "stop it by its transmitter or its ground station"};
  // the vehicle would fly to the place where worlds lie that say nothing
  if (order.kind == runner::FlightOrder::Kind::GoTo && !has_place_)
    return core::Error{.message = "the world does not say where on the Earth it lies", .suggestion = "give the scenario an environment.origin"};
  return companions_.order(id, order, runner::steady_now());
}

std::vector<runner::Autopilots::Refusal> MirrorService::take_refusals() {
  const std::lock_guard lock(mutex_);
  return companions_.take_refusals();
}

}  // namespace volary::autopilot
