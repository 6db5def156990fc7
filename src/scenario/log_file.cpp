// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/log_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"

namespace volary::scenario {

namespace {

constexpr std::size_t kMostBytes = 200'000'000;  // of a flight: a bundle is part of the head of a recording

core::Result<std::shared_ptr<const logs::Flight>> read_flight(const std::string& name, const Places& places, const std::string& field) {
  std::optional<core::Error> fault;
  const auto reduce = [&](const std::string& bytes) -> core::Result<std::string> {
    const core::Result<logs::Flight> flight = logs::load_flight(bytes, name);
    if (!flight) return fault = flight.error(), flight.error();
    return logs::flight_bytes(flight.value());
  };
  const core::Result<Places::Found> found = places.read(name, field, reduce);
  if (!found) return fault ? error_in_file(field, name + ": " + fault->message, fault->suggestion) : found.error();
  const core::Result<logs::Flight> flight = logs::load_flight(found.value().bytes, name);
  if (!flight) return error_in_file(field, name + ": " + flight.error().message, flight.error().suggestion);
  if (found.value().bytes.size() > kMostBytes)
    return error_at(field, fmt::format("{} has a flight of {} MB: at most {}", name, found.value().bytes.size() / 1'000'000, kMostBytes / 1'000'000));
  return std::make_shared<const logs::Flight>(flight.value());
}

core::Result<std::shared_ptr<const logs::Track>> make_track(const LogFile& file, const EnvironmentDef& environment, const Places& places,
                                                            const std::string& field) {
  const auto flight = read_flight(file.file, places, field + ".file");
  if (!flight) return flight.error();
  const double duration = flight.value()->duration();
  if (file.from > duration) return error_at(field + ".from", fmt::format("{} s is after the end of the flight, {:.2f} s", file.from, duration));
  if (file.until && *file.until < file.from) return error_at(field + ".until", fmt::format("{} s is before `from`, {} s", *file.until, file.from));
  logs::Track track;
  track.flight = flight.value();
  track.start = file.start;
  track.from = file.from;
  if (file.until) track.until = *file.until;
  if (file.at)
    logs::put_at(track, *file.at);
  else if (const auto& origin = environment.weather.origin)
    logs::put_on_earth(track, {origin->latitude, origin->longitude, origin->height});
  return std::make_shared<const logs::Track>(track);
}

}  // namespace

core::Result<std::vector<Placed>> place_logs(const std::vector<LogFile>& files, const EnvironmentDef& environment, const Places& places,
                                             const std::string& field, FlockDef& flock) {
  if (!flock.mirror && flock.airframe.model != "mirror")
    return error_at(field, "only the vehicles of a mirror are moved by logs", "add mirror: true to the flock");
  std::vector<Placed> placed;
  for (std::size_t k = 0; k < files.size(); ++k) {
    auto track = make_track(files[k], environment, places, fmt::format("{}[{}]", field, k));
    if (!track) return track.error();
    const Vec first = logs::state_at(*track.value(), 0).position_W;
    placed.push_back({first, 0, files[k].name.empty() ? std::filesystem::path(files[k].file).stem().string() : files[k].name});
    flock.tracks.push_back(std::move(track).value());
  }
  return placed;
}

void begin_on_track(const logs::Track& track, VehicleDef& vehicle) {
  const SetState s = logs::state_at(track, 0);
  vehicle.position_W = s.position_W;
  vehicle.velocity_W = s.velocity_W;
  const auto& q = s.attitude;
  vehicle.yaw = math::atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
  vehicle.mode = logs::mode_at(track, 0);
}

}  // namespace volary::scenario
