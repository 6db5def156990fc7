// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/hearing.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace volary::swarm {

namespace {
// whether a receiver that turns out to be sending would be the reason instead
bool is_open(Fate fate) { return fate == Fate::Delivered || fate == Fate::Weak || fate == Fate::Obstructed; }
}  // namespace

Hearing::Hearing(const RadioDef& def)
    : loss_(def.loss),
      half_duplex_(def.half_duplex && def.model != RadioModel::Ideal),
      slotted_(def.access == MediumAccess::SlottedAloha),
      slot_ns_(nanoseconds(def.slot)) {}

// the tables of this tick: who may receive, and who sends when
void Hearing::index(const Scene& scene, const Parallel& parallel) {
  const Propagation& p = scene.ether.propagation;
  double shortest = 0, longest = 0, power = -1;
  bool begins = false;
  widest_cut_off_ = 0;
  for (const OnAir& q : scene.air) {
    widest_cut_off_ = std::max(widest_cut_off_, q.cut_off);
    begins = begins || q.start >= scene.now;
    if (q.at_reference == power) continue;
    power = q.at_reference;
    const double reach = p.reach(power);
    shortest = longest == 0 ? reach : std::min(shortest, reach);
    longest = std::max(longest, reach);
  }
  if (begins) index_receivers(scene, std::max(shortest, longest / 4), parallel);
  if (p.model != RadioModel::Ideal) index_senders(scene, std::max(widest_cut_off_, longest));
}

void Hearing::index_receivers(const Scene& scene, double width, const Parallel& parallel) {
  const bool ideal = scene.ether.propagation.model == RadioModel::Ideal;
  receivers_.reset(scene.nodes.size(), width);
  for_parts(parallel, [&](int part) {
    const Share mine = share(scene.nodes.size(), part, parallel.parts);
    for (std::size_t k = mine.begin; k < mine.end; ++k) {
      const RadioNode& n = scene.nodes[k];
      const auto i = static_cast<std::uint32_t>(k);
      // an ideal radio does not care where anybody is
      if (n.receives)
        receivers_.put(i, ideal ? V3{0, 0, 0} : n.position, {n.world, n.channel, 0});
      else
        receivers_.leave_out(i);
    }
  });
  receivers_.sort(parallel);
}

// packets in buckets of time no shorter than a packet, so that an overlapping one began in this bucket or in the one before
void Hearing::index_senders(const Scene& scene, double width) {
  bucket_ns_ = scene.longest;
  // packets in slots, but for those that began before the slots were changed
  in_slots_ = slotted_ && std::all_of(scene.air.begin(), scene.air.end(), [&](const OnAir& q) { return q.start / slot_ns_ == (q.end - 1) / slot_ns_; });
  if (in_slots_) bucket_ns_ = slot_ns_;
  for (const OnAir& q : scene.air) bucket_ns_ = std::max(bucket_ns_, q.end - q.start);
  senders_.reset(scene.air.size(), width);
  sending_.assign(scene.stations.size(), 0);
  for (std::uint32_t i = 0; i < scene.air.size(); ++i) {
    const OnAir& q = scene.air[i];
    senders_.put(i, q.position, {q.world, q.channel, static_cast<std::uint32_t>(q.start / bucket_ns_)});
    const std::uint32_t station = find_station(scene.ids, q.sender);
    if (station != kNone) sending_[station] = 1;
  }
  senders_.sort(one_thread());
}

// Few read the node itself: there are many links, and it is not in the cache.
bool Hearing::arrives(const Scene& scene, const OnAir& packet, const Key& fading, Link& link) const {
  const Propagation& p = scene.ether.propagation;
  const RadioNode& node = scene.nodes[link.station];
  const double d2 = distance2(packet.position, link.position);
  if (p.model == RadioModel::Ideal) return true;
  if (p.model == RadioModel::Disc) {
    if (!(d2 <= p.range * p.range)) return false;
    if (scene.ether.is_obstructed(packet.position, link.position)) link.fate = Fate::Obstructed;
    return true;
  }

  const double mean = p.mean(packet.at_reference, d2);
  link.clear = mean;
  if (p.has_shadowing) link.clear *= p.shadowing(packet.key, packet.draws, node.chance());
  if (p.has_fading) link.clear *= Propagation::fading(fading, node.chance());
  // who is in reach is decided before anything is drawn: it counts whatever comes of it
  link.in_reach = mean >= p.in_reach ? 1 : 0;
  if (link.in_reach == 0 && !(link.clear >= p.needed)) return false;
  link.signal = link.clear;
  if (link.clear >= p.needed && scene.ether.is_obstructed(packet.position, link.position)) link.signal *= p.obstructed;
  if (link.signal < p.needed) link.fate = link.clear < p.needed ? Fate::Weak : Fate::Obstructed;
  return true;
}

// a message to one node: nobody else takes notice of it
void Hearing::address(const Scene& scene, const OnAir& packet, std::uint64_t to, Part& part) const {
  Link link;
  link.receiver = to;
  link.station = find_station(scene.ids, to);
  if (link.station == kNone) {
    link.fate = Fate::Gone;
  } else {
    const RadioNode& node = scene.nodes[link.station];
    const Key fading = packet_key(packet.key, packet.draws, packet.number, math::Purpose::Fading);
    if (to == packet.sender || !node.receives) {
      link.fate = Fate::Deaf;
    } else {
      const bool is_near = node.world == packet.world && node.channel == packet.channel;
      if (is_near) link.position = node.position;
      if (!is_near || !arrives(scene, packet, fading, link)) link.fate = Fate::OutOfRange, link.in_reach = 0;
    }
  }
  part.links.push_back(link);
}

void Hearing::find_receivers(const Scene& scene, const OnAir& packet, Part& part) const {
  part.links.clear();
  const std::uint64_t to = scene.letters[packet.letter].message.to;
  if (to != 0) return address(scene, packet, to, part);

  const Propagation& p = scene.ether.propagation;
  const CellKind kind = {packet.world, packet.channel, 0};
  if (part.power != packet.at_reference) part.power = packet.at_reference, part.reach = p.reach(packet.at_reference);
  const bool ideal = p.model == RadioModel::Ideal;
  const std::size_t n = ideal ? receivers_.find_at_origin(kind, part.found) : receivers_.find_entries(packet.position, part.reach, kind, part.found);
  const Key fading = p.has_fading ? packet_key(packet.key, packet.draws, packet.number, math::Purpose::Fading) : Key{};
  for (std::size_t k = 0; k < n; ++k) {
    const CellEntry* const e = ideal ? nullptr : &receivers_.entry(part.found[k]);
    const std::uint32_t i = ideal ? part.found[k] : e->thing;
    if (scene.ids[i] == packet.sender) continue;
    Link& link = part.links.emplace_back();
    link.station = i;
    link.receiver = scene.ids[i];
    link.position = ideal ? scene.nodes[i].position : e->position;
    if (!arrives(scene, packet, fading, link)) part.links.pop_back();
  }
  if (part.links.empty()) part.links.push_back({.in_reach = 0, .fate = Fate::OutOfRange});
}

// everything that overlaps the packet and lies within its own cut-off of one of the receivers
void Hearing::gather(const Scene& scene, const OnAir& packet, std::uint32_t index, std::span<const Link> links, Part& part) const {
  double furthest2 = 0;
  for (const Link& link : links)
    if (is_open(link.fate)) furthest2 = std::max(furthest2, distance2(packet.position, link.position));
  // a little further than that, so that rounding leaves out none of the receivers themselves: whoever sends is deaf
  const double furthest = 1.000001 * math::sqrt(furthest2);
  Interferers& others = part.interferers;
  others.reset(scene.air.size(), packet.position);
  const std::int64_t last = (packet.end - 1) / bucket_ns_;
  for (std::int64_t bucket = packet.start / bucket_ns_ - (in_slots_ ? 0 : 1); bucket <= last; ++bucket) {
    const CellKind kind = {packet.world, packet.channel, static_cast<std::uint32_t>(bucket)};
    const std::size_t n = senders_.find(packet.position, widest_cut_off_ + furthest, kind, part.found);
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = part.found[k];
      const OnAir& q = scene.air[i];
      if (i != index && q.start < packet.end && packet.start < q.end) others.add(q, i);
    }
  }
  others.arrange(scene.air, packet.start, packet.end);
}

Outcome Hearing::verdict(const Scene& scene, const OnAir& packet, const Link& link, Part& part) const {
  const Propagation& p = scene.ether.propagation;
  Outcome v = {0, link.station, link.receiver, 0, link.fate, link.in_reach != 0, octave_of(distance2(packet.position, link.position))};
  const bool powers = p.model == RadioModel::LogDistance;
  if (packet.cut != 0 || (link.receiver != 0 && link.station == kNone)) return v.fate = Fate::Gone, v;
  if (!is_open(link.fate)) return v;

  Interferers& others = part.interferers;
  const bool sends = p.model != RadioModel::Ideal && sending_[link.station] != 0 && others.has(link.receiver);
  if (sends && half_duplex_) return v.fate = Fate::Deaf, v;
  if (link.fate != Fate::Delivered) {
    if (powers) v.ratio = link.signal / p.noise;
    return v;
  }

  if (p.model != RadioModel::Ideal && (powers || !p.capture)) {
    const Interferers::Sum sum = others.at(scene.ether, scene.air, scene.nodes[link.station], link.position, sends);
    const double noise = static_cast<double>(sum.worst) + (powers ? p.noise : 0);
    const bool too_strong = !p.capture && (powers ? static_cast<double>(sum.strongest) >= p.needed : sum.strongest > 0);
    const bool drowned = too_strong || (powers && link.signal < p.threshold * noise);
    if (powers) v.ratio = link.signal / noise;
    if (drowned) return v.fate = Fate::Interference, v;
  }
  if (loss_ > 0) {
    const Key key = packet_key(packet.key, packet.draws, packet.number, math::Purpose::Loss);
    if (static_cast<double>(packet_word(key, scene.nodes[link.station].chance(), math::Purpose::Loss)) * 0x1p-32 < loss_) v.fate = Fate::Unlucky;
  }
  return v;
}

void Hearing::judge(const Scene& scene, std::uint32_t packet, std::span<const Link> links, Part& part) const {
  const OnAir& p = scene.air[packet];
  if (scene.ether.propagation.model != RadioModel::Ideal) gather(scene, p, packet, links, part);
  for (const Link& link : links) {
    part.verdicts.push_back(verdict(scene, p, link, part));
    part.verdicts.back().packet = packet;
  }
}

// Packets are looked at roughly in the order of their senders, whichever slot they are in: the neighbours of one are often those of the next, and are still in
// the cache.
void Hearing::plan_route(const Scene& scene) {
  constexpr std::size_t kRegions = 1024, kFew = 16'384;  // stations that are in the cache anyway
  route_.resize(scene.work.size());
  if (scene.ids.size() < kFew) return std::iota(route_.begin(), route_.end(), 0u);
  const auto region_of = [&](std::uint32_t packet) {
    const std::uint32_t station = find_station(scene.ids, scene.air[packet].sender);
    return station == kNone ? 0 : station * kRegions / scene.ids.size();
  };
  std::array<std::uint32_t, kRegions> ends{};
  for (const std::uint32_t packet : scene.work) ++ends[region_of(packet)];
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) end = sum += end;
  for (std::size_t k = scene.work.size(); k-- > 0;) route_[--ends[region_of(scene.work[k])]] = static_cast<std::uint32_t>(k);
}

void Hearing::listen(const Scene& scene, const Parallel& parallel, std::vector<Outcome>& verdicts, std::vector<Link>& carried,
                     std::vector<Stretch>& stretches) {
  if (scene.work.empty()) return;
  index(scene, parallel);
  plan_route(scene);
  runs_.resize(scene.work.size());
  parts_.resize(static_cast<std::size_t>(parallel.parts));
  for_parts(parallel, [&](int number) {
    Part& part = parts_[static_cast<std::size_t>(number)];
    part.carried.clear(), part.verdicts.clear();
    const Share mine = share(scene.work.size(), number, parallel.parts);
    for (std::size_t turn = mine.begin; turn < mine.end; ++turn) {
      const std::uint32_t k = route_[turn], packet = scene.work[k];
      const OnAir& p = scene.air[packet];
      const bool begins = p.start >= scene.now;
      if (begins) find_receivers(scene, p, part);
      const std::span<const Link> links = begins ? std::span<const Link>(part.links) : scene.links.subspan(p.links, p.n_links);
      const bool ends = k < scene.ending;
      runs_[k] = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(ends ? part.verdicts.size() : part.carried.size()), static_cast<std::uint32_t>(links.size())};
      if (ends)
        judge(scene, packet, links, part);
      else
        part.carried.insert(part.carried.end(), links.begin(), links.end());
    }
  });

  // in the order of `work`, whoever did it
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const auto [number, at, n] = runs_[k];
    const Part& part = parts_[number];
    if (k < scene.ending) {
      verdicts.insert(verdicts.end(), part.verdicts.begin() + at, part.verdicts.begin() + at + n);
    } else {
      stretches.push_back({scene.work[k], static_cast<std::uint32_t>(carried.size()), n});
      carried.insert(carried.end(), part.carried.begin() + at, part.carried.begin() + at + n);
    }
  }
}

}  // namespace volary::swarm
