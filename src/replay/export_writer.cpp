// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/export_writer.hpp"

#include <fmt/format.h>

#include "swarm/topic_names.hpp"

namespace volary::replay {

MessageNames::MessageNames(const Recording& r) {
  for (const RosterEntry& e : r.roster())
    if (e.id != 0) vehicles_.emplace(e.id, e.name);
}

const std::string& MessageNames::vehicle(VehicleId id) const {
  const auto found = vehicles_.find(id.value);
  return found == vehicles_.end() ? none_ : found->second;
}

const std::string& MessageNames::topic(std::uint32_t topic) {
  const auto found = topics_.find(topic);
  return found != topics_.end() ? found->second : topics_.emplace(topic, swarm::topic_name(topic)).first->second;
}

std::string describe_source(const ExportHead& head) {
  if (head.exact) return "exact: the run was simulated again, and its state hashes are those of the recording";
  const Bounds& b = head.recording.head().bounds;
  return fmt::format("view layer: at every tick, errors are at most {:g} m in position, {:g} m/s in velocity and {:g} rad in attitude", b.position, b.velocity, b.angle);
}

}  // namespace volary::replay
