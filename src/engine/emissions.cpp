// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/emissions.hpp"

#include "engine/data.hpp"

namespace volary::engine {

namespace {

template <class S> auto& list_of(Emitted& e) { return std::get<swarm::kStimulusIndex<S>>(e.lists); }
template <class S> const auto& list_of(const Emitted& e) { return std::get<swarm::kStimulusIndex<S>>(e.lists); }

}  // namespace

void gather_emissions(Data& d) {
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() { list_of<S>(d.emitted).clear(); });
  const double now = static_cast<double>(d.tick) * static_cast<double>(d.def.tick_ns) * 1e-9;
  for (std::size_t at = 0; at < d.frame.size(); ++at)
    for (const EmissionDef& e : d.flocks[d.frame.flock[at]].def.node.emits) {
      if (now < e.from || now >= e.until) continue;
      const Vec& p = d.frame.position[at];
      core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
        if (e.kind == S::name)
          list_of<S>(d.emitted).push_back(
              {d.frame.world[at], {d.frame.id[at], {p[0], p[1], p[2]}, *static_cast<const typename S::Emission*>(e.emission.get())}});
      });
    }
}

void perceive_emissions(const Data& d, const Flock& f, std::size_t slot, swarm::Sense& sense) {
  const EnvironmentDef& e = d.def.environment;
  const swarm::V3& p = sense.position;
  const std::uint32_t world = f.worlds[slot];
  // the wind where it is, as it is now
  const ColumnInfo* column = f.find_column("wind");
  const Vec wind = column == nullptr ? e.wind_W : f.vec(slot, *column);
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
    swarm::Stimulus sum = swarm::kNoStimulus;
    for (const auto& listed : list_of<S>(d.emitted)) {
      if (listed.world != world || listed.source.id == sense.self) continue;
      const swarm::V3& q = listed.source.position;
      swarm::Place place{p, {wind[0], wind[1], wind[2]}, true};
      const swarm::Stimulus open = swarm::perceive<S>(place, listed.source);
      if (open == swarm::kNoStimulus) continue;
      place.in_sight = line_of_sight(e, {p.x, p.y, p.z}, {q.x, q.y, q.z});
      sum = sum + (place.in_sight ? open : swarm::perceive<S>(place, listed.source));
    }
    sense.levels[swarm::kStimulusIndex<S>] = swarm::value_of<S>(sum);
  });
}

}  // namespace volary::engine
