// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that autopilots fly: what clients are told of them, and commands that go through them instead of to the engine.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/session.hpp"

namespace volary::server {

using Json = nlohmann::json;
using runner::FlightOrder;

namespace {

Json json_of(const runner::AutopilotReport& s) {
  Json messages = Json::array();
  for (const runner::AutopilotMessage& m : s.messages)
    messages.push_back(
        {{"time", m.time}, {"severity", runner::kSeverities[std::min<std::size_t>(m.severity, runner::kSeverities.size() - 1)]}, {"text", m.text}});
  Json text = {{"autopilot", s.kind}, {"system", s.system}, {"mode", s.mode}, {"armed", s.is_armed}, {"messages", std::move(messages)}};
  if (!s.trouble.empty()) text["trouble"] = s.trouble;
  if (!s.companion.empty()) text["companion"] = s.companion;
  return text;
}

Json json_of(const runner::LinkReport& s) {
  return {{"address", s.address}, {"state", s.state},         {"peers", s.peers}, {"received", s.received}, {"received_rate", s.received_rate},
          {"sent", s.sent},       {"sent_rate", s.sent_rate}, {"lost", s.lost},   {"bad", s.bad},           {"refused", s.refused},
          {"dropped", s.dropped}, {"signed", s.is_signed}};
}

Json json_of(const runner::LockstepReport& s, bool is_running) {
  Json text = {{"autopilot", s.kind}, {"vehicles", s.vehicles}, {"gone", s.gone}, {"rate", s.rate}, {"factor", s.factor}, {"wait", s.wait}};
  if (!s.slowest.empty()) text["slowest"] = s.slowest, text["slowest_wait"] = s.slowest_wait;
  text["waiting_for"] = is_running ? s.waiting_for : std::vector<std::string>{};  // a run that is paused waits for nobody
  return text;
}

}  // namespace

bool Session::has_autopilots() const {
  return std::any_of(options_.autopilots.begin(), options_.autopilots.end(), [](const runner::Autopilots* a) { return a->is_used(); });
}

runner::Autopilots* Session::autopilot_of(VehicleId id) const {
  for (runner::Autopilots* a : options_.autopilots)
    if (a->flies(id)) return a;
  return nullptr;
}

core::Status Session::order(VehicleId id, const FlightOrder& order) {
  core::Status done = autopilot_of(id)->order(id, order);
  if (done) return done;
  core::Error error = done.error();
  error.message = world_->name_of(id) + ": " + error.message;
  return error;
}

bool Session::Refusals::note(const core::Status& status) {
  if (status) return true;
  if (n_++ == 0) first_ = status.error().text();
  return false;
}

core::Status Session::Refusals::status(std::size_t asked) const {
  if (n_ == 0) return core::ok();
  return core::Error{.message = asked == 1 ? first_ : fmt::format("{} of {} vehicles did not take it; {}", n_, asked, first_)};
}

void Session::hold(std::uint32_t client, VehicleId id) {
  if (autopilot_of(id) == nullptr) return submit(client, id, SetMode{Mode::Hold});
  if (const core::Status held = order(id, {.kind = FlightOrder::Kind::Hold}); !held) notice(client, "bad", held.error().text());
}

// An emergency stop acts on the vehicle itself, whatever its autopilot says to it.
void Session::stop_rotors(std::uint32_t client, VehicleId id) {
  submit(client, id, SetMode{Mode::EmergencyStop});
  tell_stopped(id);
}

void Session::tell_stopped(VehicleId id) {
  if (autopilot_of(id) == nullptr || !world_->is_alive(id)) return;
  if (const core::Status told = order(id, {.kind = FlightOrder::Kind::Terminate}); !told) notice(0, "bad", told.error().text());
}

// answers of autopilots that took their time
void Session::watch_refusals() {
  for (runner::Autopilots* a : options_.autopilots)
    for (const runner::Autopilots::Refusal& r : a->take_refusals())
      if (const RosterEntry* e = find(r.id)) notice(0, "bad", e->name + ": " + r.text);
}

core::Result<std::string> Session::autopilots_text(const VehicleQuery& q) const {
  const core::Result<std::vector<std::size_t>> places = places_of(q);
  if (!places) return places.error();
  Json vehicles = Json::array(), links = Json::array(), lockstep = Json::array();
  std::size_t total = 0;
  for (const std::size_t place : places.value()) {
    const RosterEntry& e = roster_.entries[place];
    const runner::Autopilots* const a = autopilot_of(e.id);
    if (a == nullptr || total++ < q.offset || vehicles.size() >= q.limit) continue;
    Json v = json_of(a->report_of(e.id));
    v["id"] = e.id.number();
    v["name"] = e.name;
    vehicles.push_back(std::move(v));
  }
  for (const runner::Autopilots* a : options_.autopilots) {
    for (const runner::LinkReport& s : a->link_reports()) links.push_back(json_of(s));
    for (const runner::LockstepReport& s : a->lockstep_reports()) lockstep.push_back(json_of(s, state() == LiveState::Running));
  }
  return dump(Json{{"tick", world_->tick()},
                   {"time", world_->time()},
                   {"total", total},
                   {"vehicles", std::move(vehicles)},
                   {"links", std::move(links)},
                   {"lockstep", std::move(lockstep)}});
}

}  // namespace volary::server
