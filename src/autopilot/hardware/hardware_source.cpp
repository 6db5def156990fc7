// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/hardware_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "autopilot/hardware/line_load.hpp"

namespace volary::autopilot {

namespace {

constexpr std::uint32_t kSource = 0x48415244;   // of the inputs
constexpr double kBeat = 0.02;                  // s between two looks at what goes by the wall
constexpr std::size_t kMostUnsentSensors = 512;  // bytes: about 25 ms of sensors; what is older is of no use to a board
constexpr double kPause = 0.5;                  // s without a tick: the run was paused
constexpr double kWindow = 2;                   // s over which the pace is looked at
constexpr double kSlowest = 0.95, kFastest = 1.05;  // of real time

}  // namespace

core::Result<LinkAddress> parse_device(std::string_view text) {
  auto address = parse_link("serial:" + std::string(text));
  if (address) return address;
  core::Error error = address.error();
  error.suggestion = "write DEVICE or DEVICE:BAUD, such as /dev/ttyACM0 or /dev/ttyUSB0:921600";
  return error;
}

core::Status check_devices(const std::vector<LinkAddress>& devices, std::size_t n_vehicles, std::int64_t tick_ns) {
  if (devices.size() != n_vehicles)
    return core::Error{.message = fmt::format("PX4 flies {} vehicle{}, and {} serial device{} given", n_vehicles, n_vehicles == 1 ? "" : "s", devices.size(),
                                              devices.size() == 1 ? " was" : "s were"),
                       .suggestion = "give one device for each vehicle, in the order of flocks and vehicles"};
  for (std::size_t k = 0; k < devices.size(); ++k)
    for (std::size_t other = 0; other < k; ++other)
      if (devices[k].host == devices[other].host)
        return core::Error{.message = devices[k].host + " was given twice", .suggestion = "a board flies one vehicle"};
  const double period = static_cast<double>(tick_ns) * static_cast<double>(ticks_between_px4_readings(tick_ns)) * 1e-9;
  for (const LinkAddress& device : devices)
    if (const core::Status fits = check_line(device, period); !fits) return fits;
  return core::ok();
}

HardwareSource::HardwareSource(HardwareOptions options) : options_(std::move(options)) {
  if (!options_.tell) options_.tell = [](const std::string&) {};
}

HardwareSource::~HardwareSource() { end(); }

void HardwareSource::fly(const std::vector<FlockAutopilot>& flocks) {
  wanted_.clear();
  for (const FlockAutopilot& f : flocks)
    if (f.def.kind == AutopilotKind::Px4) wanted_.push_back(f);
}

// ---------------------------------------------------------------- beginning and end

void HardwareSource::start(const World& world) {
  end();
  failure_.clear();
  flocks_.clear();
  has_window_ = false;
  {
    const std::lock_guard lock(mutex_);
    seats_.clear();
  }
  if (wanted_.empty()) return;
  if (const core::Status opened = open(world); !opened) failure_ = opened.error().text();
}

core::Status HardwareSource::open(const World& world) {
  const std::int64_t tick = world.def().tick_ns;
  every_ = ticks_between_px4_readings(tick);
  period_ = static_cast<double>(tick) * static_cast<double>(every_) * 1e-9;
  site_ = std::make_unique<SensorSite>(world.environment());
  std::vector<Seat> seats;
  for (const FlockAutopilot& wanted : wanted_) {
    const FlockDef* def = find_flock(world, wanted.flock);
    if (def == nullptr) continue;
    if (const core::Status senses = check_senses(world, wanted.flock); !senses) return senses;
    std::vector<FlownVehicle> vehicles = flown_vehicles(world, wanted.flock);
    flocks_.push_back({wanted.flock, ActuatorMap(def->airframe, wanted.def), seats.size(), vehicles.size()});
    for (FlownVehicle& v : vehicles) {
      const std::string device = seats.size() < options_.devices.size() ? options_.devices[seats.size()].host : "";
      Board board(fmt::format("PX4 board of {} at {}", v.name, device), period_, options_.limits);
      seats.push_back({std::move(v), std::move(board), device});
    }
  }
  if (const core::Status fits = check_devices(options_.devices, seats.size(), tick); !fits) return fits;
  auto lines = Links::open(options_.devices, {.retry = options_.retry, .most_unsent = kMostUnsentSensors});
  if (!lines) return lines.error();
  const std::lock_guard lock(mutex_);
  seats_ = std::move(seats);
  traffic_ = LinkTraffic(seats_.size(), options_.now(), [this](ChannelId channel) { return frames_of(channel); });
  lines_ = std::move(lines).value();
  is_over_ = false;
  thread_ = std::thread([this] { serve(); });
  return core::ok();
}

void HardwareSource::end() {
  if (!thread_.joinable()) return;
  is_over_ = true;
  lines_->wake();
  thread_.join();
  const std::lock_guard lock(mutex_);
  for (Seat& seat : seats_) seat.channel.reset();
  lines_.reset();
}

void HardwareSource::stop(const World&) { end(); }

void HardwareSource::reset(const World&) {
  if (!wanted_.empty()) failure_ = "a board cannot go back in time: begin the run again instead";
}

// ---------------------------------------------------------------- the lines

void HardwareSource::serve() {
  while (!is_over_) {
    lines_->poll(kBeat, [this](const LinkEvent& event) { on_event(event); });
    const std::lock_guard lock(mutex_);
    for (Seat& seat : seats_) seat.board.beat(options_.now(), [&](std::span<const std::byte> bytes) { return send(seat, bytes); });
    traffic_.measure(options_.now());
  }
}

void HardwareSource::on_event(const LinkEvent& event) {
  const double now = options_.now();
  const std::lock_guard lock(mutex_);
  Seat& seat = seats_[event.link];
  switch (event.kind) {
    case LinkEvent::Kind::Opened:
      seat.channel = event.channel;
      seat.dropped = 0;
      seat.before = seat.board.frames();
      traffic_.opened(event.channel, event.link, "board of " + seat.vehicle.name);
      return seat.board.opened(now);
    case LinkEvent::Kind::Closed:
      traffic_.closed(event.channel);
      seat.channel.reset();
      return seat.board.closed(now);
    case LinkEvent::Kind::Received: traffic_.heard(event.channel, now); return seat.board.received(event.bytes, now);
  }
}

bool HardwareSource::send(Seat& seat, std::span<const std::byte> bytes) {
  if (!seat.channel) return false;
  lines_->send(*seat.channel, bytes);
  const std::uint64_t dropped = lines_->counts_of(*seat.channel).dropped;
  return std::exchange(seat.dropped, dropped) == dropped;
}

// ---------------------------------------------------------------- a tick

void HardwareSource::ask(const World& world) {
  if (wanted_.empty() || !failure_.empty()) return;
  const bool asks = is_asked(world);
  if (asks) watch_pace(world);
  const std::uint64_t time = sensor_time_us(world);
  // only this thread changes which seats there are, and only it knows their vehicles
  for (const FlockOf& flock : flocks_) {
    const SensorColumns columns(world, flock.name);
    for (std::size_t k = flock.first; k < flock.first + flock.count; ++k) {
      Seat& seat = seats_[k];
      if (!world.is_alive(seat.vehicle.id)) continue;
      gather_readings(seat.vehicle, world, columns);
      if (!asks) continue;
      const Measured measured = read_sensors(seat.vehicle, world, columns, *site_);
      const std::lock_guard lock(mutex_);
      seat.board.feed(measured, time, options_.now(), [&](std::span<const std::byte> bytes) { return send(seat, bytes); });
    }
  }
}

core::Status HardwareSource::give(const World& world, std::vector<Input>& inputs) {
  if (!failure_.empty()) return core::Error{.message = failure_};
  std::vector<std::string> news;
  for (const FlockOf& flock : flocks_) {
    std::vector<Commanded> list;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t k = flock.first; k < flock.first + flock.count; ++k) {
        list.push_back({&seats_[k].vehicle, seats_[k].board.command(options_.now())});
        for (std::string& text : seats_[k].board.take_news()) news.push_back(std::move(text));
      }
    }
    give_commands(world, flock.name, flock.actuators, list, kSource, inputs);
  }
  for (const std::string& text : news) options_.tell(text);
  return core::ok();
}

// The run is paced elsewhere; where it cannot keep up, or goes at another speed, boards fly something else than the truth.
void HardwareSource::watch_pace(const World& world) {
  const double now = options_.now();
  const bool was_paused = now - std::exchange(asked_, now) > kPause;
  if (!std::exchange(has_window_, true) || was_paused) {
    window_ = now;
    window_tick_ = world.tick();
    return;
  }
  if (now - window_ < kWindow) return;
  const double flown = static_cast<double>(world.tick() - window_tick_) * static_cast<double>(world.def().tick_ns) * 1e-9;
  const double pace = flown / (now - window_);
  window_ = now;
  window_tick_ = world.tick();
  if ((pace >= kSlowest && pace <= kFastest) || now - pace_told_ < options_.limits.quiet) return;
  pace_told_ = now;
  options_.tell(fmt::format("the run goes at {:.2f} times real time; boards fly in real time, and what they are told is not what happens", pace));
}

// ---------------------------------------------------------------- for a page

const HardwareSource::Seat* HardwareSource::find(VehicleId id) const {
  const auto it = std::find_if(seats_.begin(), seats_.end(), [&](const Seat& seat) { return seat.vehicle.id == id; });
  return it == seats_.end() ? nullptr : &*it;
}

FrameCounts HardwareSource::frames_of(ChannelId channel) const {
  for (const Seat& seat : seats_)
    if (seat.channel == channel) return seat.board.frames() - seat.before;
  return {};
}

runner::AutopilotReport HardwareSource::report_of(VehicleId id) const {
  const std::lock_guard lock(mutex_);
  const Seat* const seat = find(id);
  return seat != nullptr ? seat->board.report() : runner::AutopilotReport{};
}

std::vector<runner::LinkReport> HardwareSource::link_reports() const {
  const std::lock_guard lock(mutex_);
  if (!is_used()) return {};
  std::vector<runner::LinkReport> list;
  for (std::size_t k = 0; k < seats_.size(); ++k) list.push_back(traffic_.report(k, options_.devices[k], options_.now()));
  return list;
}

core::Status HardwareSource::order(VehicleId, const runner::FlightOrder&) {
  return core::Error{.message = "the board takes commands from its ground station only"};
}

// ---------------------------------------------------------------- figures

std::vector<BoardFigures> HardwareSource::figures() const {
  const std::lock_guard lock(mutex_);
  std::vector<BoardFigures> list;
  for (const Seat& seat : seats_) {
    list.push_back(seat.board.figures());
    list.back().vehicle = seat.vehicle.name;
    list.back().device = seat.device;
  }
  return list;
}

}  // namespace volary::autopilot
