// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/roster.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

bool is_current(const Data& d) { return d.roster_in_use.roster != nullptr && d.roster_in_use.vehicles == d.roster_version && d.roster_in_use.traits == d.traits_version; }

std::size_t identity_bytes(const Flock& f, std::size_t capacity) { return capacity * 4 * static_cast<std::size_t>(f.bytes); }

Roster::OfFlock copy_flock(const Flock& f, const Society& s) {
  Roster::OfFlock r{f.slots, f.capacity, f.ids, f.worlds, f.names, {}, f.free_slots, f.last_places, {}, s.homes, s.weights};
  for (const std::vector<bool>& failed : f.failed) r.failed.push_back(bits_of(failed));
  r.identity.assign(f.identity.data(), f.identity.data() + identity_bytes(f, f.capacity));
  return r;
}

std::shared_ptr<const Roster> copy_of(const Data& d) {
  auto roster = std::make_shared<Roster>();
  roster->locations = d.locations;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) roster->flocks.push_back(copy_flock(d.flocks[k], d.societies[k]));
  return roster;
}

bool same(const swarm::V3& a, const swarm::V3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// for debug builds: somebody changed something and did not count it
bool is_true_to(const Data& d, const Roster& roster) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Roster::OfFlock now = copy_flock(d.flocks[k], d.societies[k]);
    now.capacity = roster.flocks[k].capacity;  // of a world that had more vehicles before it went back
    now.identity.resize(roster.flocks[k].identity.size());
    if (!(now == roster.flocks[k])) return false;
  }
  return true;
}

void use_flock(Flock& f, Society& s, const Roster::OfFlock& r) {
  f.reserve(r.capacity);
  f.slots = r.slots;
  f.ids = r.ids;
  f.worlds = r.worlds;
  f.names = r.names;
  f.failed.clear();
  for (const std::uint8_t bits : r.failed) f.failed.push_back(failed_of(bits));
  f.free_slots = r.free_slots;
  f.last_places = r.last_places;
  if (!r.identity.empty()) std::memcpy(f.identity.data(), r.identity.data(), r.identity.size());
  f.read_draws();
  s.homes = r.homes;
  s.weights = r.weights;
}

}  // namespace

bool operator==(const Roster::OfFlock& a, const Roster::OfFlock& b) {
  return a.slots == b.slots && a.capacity == b.capacity && a.ids == b.ids && a.worlds == b.worlds && a.names == b.names && a.failed == b.failed &&
         a.free_slots == b.free_slots && a.last_places == b.last_places && a.identity == b.identity && std::ranges::equal(a.homes, b.homes, same) &&
         a.weights == b.weights;
}

std::size_t Roster::bytes() const {
  std::size_t sum = 0;
  locations.each([&](std::uint64_t, const Location& l) { sum += sizeof l; });
  for (const OfFlock& r : flocks) {
    sum += r.ids.size() * 8 + r.worlds.size() * 4 + r.failed.size() + (r.free_slots.size() + r.last_places.size()) * 8 + r.identity.size() + r.homes.size() * 24 + r.weights.size() * 8;
    for (const std::string& name : r.names) sum += sizeof name + name.size();
  }
  return sum;
}

std::uint8_t bits_of(const std::vector<bool>& failed) {
  unsigned bits = 0;
  for (std::size_t k = 0; k < failed.size() && k < 8; ++k) bits |= failed[k] ? 1u << k : 0u;
  return static_cast<std::uint8_t>(bits);
}
std::vector<bool> failed_of(std::uint8_t bits) {
  std::vector<bool> failed(bits == 0 ? 0 : 8, false);
  for (std::size_t k = 0; k < failed.size(); ++k) failed[k] = (bits >> k & 1) != 0;
  return failed;
}

std::shared_ptr<const Roster> roster_of(const Data& d) {
  if (!is_current(d)) d.roster_in_use = {copy_of(d), d.roster_version, d.traits_version};
  if (core::kChecks) core::check(is_true_to(d, *d.roster_in_use.roster));
  return d.roster_in_use.roster;
}

void use_roster(Data& d, const std::shared_ptr<const Roster>& roster) {
  if (is_current(d) && d.roster_in_use.roster == roster) return;
  d.locations = roster->locations;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) use_flock(d.flocks[k], d.societies[k], roster->flocks[k]);
  d.roster_in_use = {roster, ++d.roster_version, d.traits_version};
  find_owners(d);
}

}  // namespace volary::engine
