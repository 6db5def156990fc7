// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/station_service.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace volary::autopilot {

namespace {

constexpr double kBeat = 0.05;  // s between two looks at what goes by the wall

std::int64_t unix_us() { return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

core::Result<VehicleRange> parse_range(std::string_view text) {
  const core::Error error{.message = fmt::format("'{}' is not a range of vehicle numbers", text), .suggestion = "for example vehicles=1-150"};
  const std::size_t dash = text.find('-');
  VehicleRange range;
  const auto read = [](std::string_view word, std::uint64_t& out) {
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), out);
    return fault == std::errc() && end == word.data() + word.size() && out > 0;
  };
  if (dash == std::string_view::npos || !read(text.substr(0, dash), range.first) || !read(text.substr(dash + 1), range.last) || range.last < range.first)
    return error;
  if (range.last - range.first >= kMostSystems)
    return core::Error{.message = fmt::format("vehicles {}-{} are {}, and a MAVLink network has room for {}", range.first, range.last,
                                              range.last - range.first + 1, kMostSystems),
                       .suggestion = "give the others a link of their own"};
  return range;
}

}  // namespace

core::Result<StationLink> parse_station_link(std::string_view text) {
  StationLink link;
  const std::size_t comma = text.find(',');
  const auto address = parse_link(text.substr(0, comma));
  if (!address) return address.error();
  link.address = address.value();
  if (comma == std::string_view::npos) return link;
  constexpr std::string_view kWord = "vehicles=";
  const std::string_view rest = text.substr(comma + 1);
  if (!rest.starts_with(kWord))
    return core::Error{.message = fmt::format("'{}' is not known", rest), .suggestion = "after the address only vehicles=FIRST-LAST can follow"};
  const auto range = parse_range(rest.substr(kWord.size()));
  if (!range) return range.error();
  link.vehicles = range.value();
  return link;
}

core::Result<std::unique_ptr<StationService>> StationService::open(const StationOptions& options) {
  std::vector<VehicleRange> networks;
  std::vector<std::size_t> network_of;
  std::vector<LinkAddress> addresses;
  for (const StationLink& link : options.links) {
    if (link.address.listens_beyond_loopback() && !options.key)
      return core::Error{.message = link.address.text() + " would take commands from other machines without a signature",
                         .suggestion = "listen on 127.0.0.1, or give a key with --mavlink-key FILE"};
    auto known = std::find(networks.begin(), networks.end(), link.vehicles);
    for (const VehicleRange& other : networks)
      if (known == networks.end() && link.vehicles.first <= other.last && other.first <= link.vehicles.last)
        return core::Error{.message = fmt::format("{}: vehicles {}-{} overlap with those of another link, {}-{}", link.address.text(), link.vehicles.first,
                                                  link.vehicles.last, other.first, other.last),
                           .suggestion = "links have the same vehicles or different ones"};
    if (known == networks.end()) known = networks.insert(networks.end(), link.vehicles);
    network_of.push_back(static_cast<std::size_t>(known - networks.begin()));
    addresses.push_back(link.address);
  }
  auto sockets = Links::open(addresses);
  if (!sockets) return sockets.error();
  return std::unique_ptr<StationService>(new StationService(Station(networks, options.key), options, network_of, std::move(sockets).value()));
}

StationService::StationService(Station station, const StationOptions& options, std::vector<std::size_t> network_of, std::unique_ptr<Links> sockets)
    : station_(std::move(station)),
      addresses_(options.links),
      network_of_(std::move(network_of)),
      is_signed_(options.key.has_value()),
      traffic_(options.links.size(), runner::steady_now(), [this](ChannelId channel) { return station_.frames_of(channel); }),
      sockets_(std::move(sockets)),
      thread_([this] { serve(); }) {}

StationService::~StationService() {
  is_over_ = true;
  sockets_->wake();
  thread_.join();
}

void StationService::serve() {
  while (!is_over_) {
    sockets_->poll(kBeat, [this](const LinkEvent& event) { on_event(event); });
    const std::lock_guard lock(mutex_);
    station_.beat(runner::steady_now(), unix_us());
    flush();
    traffic_.measure(runner::steady_now());
  }
}

void StationService::on_event(const LinkEvent& event) {
  const std::lock_guard lock(mutex_);
  switch (event.kind) {
    case LinkEvent::Kind::Opened:
      traffic_.opened(event.channel, event.link, event.name);
      return station_.opened(event.channel, network_of_[event.link]);
    case LinkEvent::Kind::Closed: traffic_.closed(event.channel); return station_.closed(event.channel);
    case LinkEvent::Kind::Received:
      traffic_.heard(event.channel, runner::steady_now());
      return station_.received(event.channel, event.bytes, runner::steady_now(), unix_us());
  }
}

void StationService::flush() {
  station_.take_sends([this](ChannelId channel, std::span<const std::byte> bytes) { sockets_->send(channel, bytes); });
}

core::Status StationService::give(const World&, std::vector<Input>& inputs) {
  const std::lock_guard lock(mutex_);
  station_.take_inputs(inputs);
  return core::ok();
}

void StationService::begin(World& world, bool) {
  const std::lock_guard lock(mutex_);
  station_.begin(world);
  if (const auto warning = station_.take_warning()) fmt::print(stderr, "volary: {}\n", *warning);
}

void StationService::after_tick(World& world) {
  const std::lock_guard lock(mutex_);
  station_.see(world);
  flush();
}

void StationService::restored(World& world) {
  const std::lock_guard lock(mutex_);
  station_.begin(world);
}

LinkAddress StationService::address_of(std::size_t link) const {
  LinkAddress address = addresses_[link].address;
  if (address.port == 0) address.port = sockets_->port_of(link);
  return address;
}

std::vector<std::string> StationService::links() const {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < addresses_.size(); ++k) list.push_back(address_of(k).text());
  return list;
}

StationCounts StationService::counts() const {
  const std::lock_guard lock(mutex_);
  return station_.counts();
}

std::size_t StationService::n_channels() const {
  const std::lock_guard lock(mutex_);
  return station_.n_channels();
}

// ---------------------------------------------------------------- for a page

bool StationService::flies(VehicleId id) const {
  const std::lock_guard lock(mutex_);
  return station_.has(id);
}

runner::AutopilotReport StationService::report_of(VehicleId id) const {
  const std::lock_guard lock(mutex_);
  return station_.report_of(id);
}

core::Status StationService::order(VehicleId id, const runner::FlightOrder& order) {
  const std::lock_guard lock(mutex_);
  const core::Status done = station_.order(id, order, runner::steady_now());
  flush();  // what it said
  return done;
}

std::vector<runner::LinkReport> StationService::link_reports() const {
  const std::lock_guard lock(mutex_);
  std::vector<runner::LinkReport> list;
  for (std::size_t k = 0; k < addresses_.size(); ++k) {
    list.push_back(traffic_.report(k, address_of(k), runner::steady_now()));
    list.back().is_signed = is_signed_;
  }
  return list;
}

}  // namespace volary::autopilot
