// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who is in a world, and what of them seldom changes. A roster never changes itself: it is copied from the flocks when a snapshot asks for it and something changed since the
// last one, so that the snapshots of a second usually share one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/locations.hpp"
#include "swarm/sense.hpp"
#include "volary/ids.hpp"

namespace volary::engine {

struct Data;

struct Roster {
  struct OfFlock {
    std::size_t slots = 0, capacity = 0;
    std::vector<VehicleId> ids;
    std::vector<std::uint32_t> worlds;
    std::vector<std::string> names;
    std::vector<std::uint8_t> failed;    // rotors, a bit each
    std::vector<std::size_t> free_slots;
    std::vector<std::uint64_t> last_places;
    std::vector<std::byte> identity;     // rows
    std::vector<swarm::V3> homes;        // empty where nobody is social
    std::vector<double> weights;
    friend bool operator==(const OfFlock& a, const OfFlock& b);
  };
  Locations locations;
  std::vector<OfFlock> flocks;
  std::size_t bytes() const;
};

// The roster of the last snapshot, and the state of things that it is of. Whoever changes something of it counts that in Data::roster_version, or in Data::traits_version
// where nobody comes, goes or stops.
struct RosterInUse {
  std::shared_ptr<const Roster> roster;
  std::uint64_t vehicles = ~std::uint64_t{0}, traits = 0;
};

std::shared_ptr<const Roster> roster_of(const Data& d);
// The flocks as this roster has them; nothing is done where they are so already. The columns come after it.
void use_roster(Data& d, const std::shared_ptr<const Roster>& roster);

std::uint8_t bits_of(const std::vector<bool>& failed);
std::vector<bool> failed_of(std::uint8_t bits);  // none: empty

}  // namespace volary::engine
