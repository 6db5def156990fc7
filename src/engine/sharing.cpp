// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/sharing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/suggest.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

core::Error refused(std::string message) { return {.message = std::move(message), .field = "sharing"}; }

core::Result<std::vector<std::vector<Shared::From>>> parts_of(const Data& d, const Sharing& sharing) {
  std::vector<std::vector<Shared::From>> parts(d.flocks.size());
  std::vector<std::string> names;
  for (const Flock& f : d.flocks) names.push_back(f.def.name);
  for (const Sharing::Part& p : sharing.parts) {
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), p.flock) - names.begin());
    if (at == names.size()) {
      const std::string meant = core::did_you_mean(p.flock, names);
      return refused(fmt::format("there is no flock '{}'{}", p.flock, meant.empty() ? "" : " (" + meant + ")"));
    }
    if (p.member >= sharing.members) return refused(fmt::format("flock '{}' belongs to member {} of {}", p.flock, p.member, sharing.members));
    parts[at].push_back({p.first_place, p.member});
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto& list = parts[k];
    std::sort(list.begin(), list.end(), [](const Shared::From& a, const Shared::From& b) { return a.first_place < b.first_place; });
    if (list.empty() || list.front().first_place != 1) return refused(fmt::format("the vehicles of flock '{}' from place 1 on belong to no member", names[k]));
    const auto same = std::adjacent_find(list.begin(), list.end(), [](const Shared::From& a, const Shared::From& b) { return a.first_place == b.first_place; });
    if (same != list.end()) return refused(fmt::format("two parts of flock '{}' begin at place {}", names[k], same->first_place));
  }
  return parts;
}

// vehicles that share scenes are simulated by one member
core::Status check_scenes(const Data& d, const std::vector<std::vector<Shared::From>>& parts) {
  const auto alike = [](const Shared::From& a, const Shared::From& b) { return a.first_place == b.first_place && a.member == b.member; };
  for (const Flock& f : d.flocks) {
    if (f.joined == nullptr || !f.joined->leads()) continue;
    for (const Flock* one : f.joined->members) {
      if (std::equal(parts[f.index].begin(), parts[f.index].end(), parts[one->index].begin(), parts[one->index].end(), alike)) continue;
      return refused(fmt::format("vehicles of '{}' and '{}' {}", f.def.name, one->def.name,
                                 f.joined->docks() ? "dock with each other: each pair of them belongs to one member"
                                                   : "carry a load together: all that carry it belong to one member"));
    }
  }
  return core::ok();
}

}  // namespace

core::Status share(Data& d, const Sharing& sharing) {
  if (d.tick != 0) return refused("a world is shared before its first tick");
  if (d.shared.is_live) return refused("vehicles of this world are reported from elsewhere already");
  if (d.def.worlds != 1) return refused("a batch of worlds is not shared: each process can fly worlds of its own");
  if (sharing.members == 0) return refused("there is no member");
  if (sharing.member != Sharing::kNobody && sharing.member >= sharing.members)
    return refused(fmt::format("there is no member {} of {}", sharing.member, sharing.members));
  auto parts = parts_of(d, sharing);
  if (!parts) return parts.error();
  if (const core::Status sound = check_scenes(d, parts.value()); !sound) return sound;
  d.shared = {.member = sharing.member, .members = sharing.members, .parts = std::move(parts).value()};
  // whoever looks at vehicles of others finds them in the frame
  d.frame.asked |= shows::kMotion | shows::kStatus | shows::kAttitude;
  d.frame_is_stale = true;
  find_owners(d);
  return core::ok();
}

void find_owner(Data& d, std::size_t flock, std::size_t slot) {
  if (!d.shared.is_on()) return;
  Flock& f = d.flocks[flock];
  if (d.shared.is_live) {
    f.owners.resize(f.slots, Elsewhere::kMember);
    f.owners[slot] = d.elsewhere.has(flock, f.place_of(slot)) ? Elsewhere::kMember : d.shared.member;
    return;
  }
  const std::vector<Shared::From>& parts = d.shared.parts[flock];
  const auto after =
      std::upper_bound(parts.begin(), parts.end(), f.place_of(slot), [](std::uint64_t place, const Shared::From& p) { return place < p.first_place; });
  f.owners.resize(f.slots, Sharing::kNobody);
  const std::uint32_t member = std::prev(after)->member;
  f.owners[slot] = d.shared.stand_in.empty() ? member : d.shared.stand_in[member];
}

void find_owners(Data& d) {
  for (std::size_t k = 0; d.shared.is_on() && k < d.flocks.size(); ++k)
    for (std::size_t slot = 0; slot < d.flocks[k].slots; ++slot) find_owner(d, k, slot);
}

void stand_in(Data& d, std::span<const std::uint32_t> by_member) {
  core::require(d.shared.is_on() && (by_member.empty() || by_member.size() == d.shared.members), "every member of a shared world has one that stands in for it");
  if (std::equal(by_member.begin(), by_member.end(), d.shared.stand_in.begin(), d.shared.stand_in.end())) return;
  d.shared.stand_in.assign(by_member.begin(), by_member.end());
  find_owners(d);
  forget_hash(d);
}

bool is_own(const Data& d, std::size_t flock, std::size_t slot) { return !d.shared.is_on() || d.flocks[flock].owners[slot] == d.shared.member; }

}  // namespace volary::engine
