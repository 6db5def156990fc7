// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/emissions.hpp"

#include <algorithm>

#include "engine/data.hpp"

namespace volary::engine {

namespace {

template <class S> auto& list_of(Emitted& e) { return std::get<swarm::kStimulusIndex<S>>(e.lists); }
template <class S> const auto& list_of(const Emitted& e) { return std::get<swarm::kStimulusIndex<S>>(e.lists); }

// the wind where a vehicle is, as it is now
swarm::V3 wind_of(const Data& d, std::size_t at) {
  const Vec& wind = d.flocks[d.frame.flock[at]].shown.wind == nullptr ? d.weather.wind_W[d.frame.world[at]] : d.frame.wind[at];
  return {wind[0], wind[1], wind[2]};
}

// what somebody at this place perceives of one kind; nobody hears itself
template <class S> double perceived(const Data& d, const Emitted& emitted, std::uint32_t world, std::uint64_t self, const swarm::V3& p, const swarm::V3& wind) {
  const EnvironmentDef& e = d.def.environment;
  swarm::Stimulus sum = swarm::kNoStimulus;
  for (const auto& listed : list_of<S>(emitted)) {
    if (listed.world != world || listed.source.id == self) continue;
    const swarm::V3& q = listed.source.position;
    swarm::Place place{p, wind, true};
    const swarm::Stimulus open = swarm::perceive<S>(place, listed.source);
    if (open == swarm::kNoStimulus) continue;
    place.in_sight = line_of_sight(e, {p.x, p.y, p.z}, {q.x, q.y, q.z});
    sum = sum + (place.in_sight ? open : swarm::perceive<S>(place, listed.source));
  }
  return swarm::value_of<S>(sum);
}

// what one vehicle gives off at a moment
void add_emissions(const Data& d, std::size_t flock, std::uint32_t world, std::uint64_t id, const Vec& p, double now, Emitted& out) {
  for (const EmissionDef& e : d.flocks[flock].def.node.emits) {
    if (now < e.from || now >= e.until) continue;
    core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
      if (e.kind == S::name) list_of<S>(out).push_back({world, {id, {p[0], p[1], p[2]}, *static_cast<const typename S::Emission*>(e.emission.get())}});
    });
  }
}

double seconds_at(const Data& d, std::uint64_t tick) { return static_cast<double>(tick) * static_cast<double>(d.def.tick_ns) * 1e-9; }
double seconds_of(const Data& d, std::uint32_t world) { return seconds_at(d, tick_of_world(d, world)); }

// once for each tick at which somebody looks
const ShownEmissions& shown(Data& d) {
  ShownEmissions& s = d.shown;
  if (s.tick == d.tick) return s;
  s = {.emitted = {}, .wind = std::vector<swarm::V3>(static_cast<std::size_t>(d.def.worlds)), .tick = d.tick};
  std::vector<bool> has_wind(s.wind.size(), false);
  if (!d.has_emissions) return s;
  present(d, shows::kMotion | shows::kWind);
  const Frame& frame = d.frame;
  for (std::size_t at = 0; at < frame.size(); ++at) {
    const std::uint32_t world = frame.world[at];
    if (!has_wind[world]) s.wind[world] = wind_of(d, at), has_wind[world] = true;
    add_emissions(d, frame.flock[at], world, frame.id[at], frame.position[at], seconds_of(d, world), s.emitted);
  }
  return s;
}

}  // namespace

void gather_emissions(Data& d) {
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() { list_of<S>(d.emitted).clear(); });
  if (d.coupling.delays()) {
    for (const Emitter& e : d.coupling.emitters) add_emissions(d, e.flock, e.world, e.number, e.position, seconds_at(d, e.tick), d.emitted);
    return;
  }
  for (std::size_t at = 0; at < d.frame.size(); ++at)
    add_emissions(d, d.frame.flock[at], d.frame.world[at], d.frame.id[at], d.frame.position[at], seconds_of(d, d.frame.world[at]), d.emitted);
}

void perceive_emissions(const Data& d, std::size_t at, swarm::Sense& sense) {
  const swarm::V3 wind = wind_of(d, at);
  core::for_each_type(swarm::AllStimuli{},
                      [&]<class S>() { sense.levels[swarm::kStimulusIndex<S>] = perceived<S>(d, d.emitted, d.frame.world[at], sense.self, sense.position, wind); });
}

double emission_at(Data& d, const std::string& kind, std::uint32_t world, const Vec& p) {
  const ShownEmissions& s = shown(d);
  if (world >= s.wind.size()) return 0;
  double level = 0;
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
    if (kind == S::name) level = perceived<S>(d, s.emitted, world, 0, {p[0], p[1], p[2]}, s.wind[world]);
  });
  return level;
}

std::vector<EmittedKind> emitted_kinds(Data& d, std::uint32_t world) {
  std::vector<EmittedKind> kinds;
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
    EmittedKind kind{S::name, S::unit, {}};
    for (const auto& listed : list_of<S>(shown(d).emitted))
      if (listed.world == world) kind.sources.push_back(listed.source.id);
    if (!kind.sources.empty()) kinds.push_back(std::move(kind));
  });
  return kinds;
}

}  // namespace volary::engine
