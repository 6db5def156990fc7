// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/medium.hpp"

#include <algorithm>
#include <tuple>

namespace volary::swarm {

namespace {

bool arrives_before(const Reception& a, const Reception& b) { return std::tie(a.end, a.receiver, a.sender) < std::tie(b.end, b.receiver, b.sender); }

}  // namespace

Medium::Medium(const RadioDef& def, std::uint64_t seed, std::int64_t tick_ns)
    : seed_(seed),
      tick_ns_(tick_ns),
      delay_ns_(nanoseconds(def.delay)),
      queue_(static_cast<std::uint32_t>(def.queue)),
      ideal_(def.model == RadioModel::Ideal),
      propagation_(def),
      access_(def, tick_ns),
      hearing_(def) {
  const core::Status status = check(def);
  core::require(static_cast<bool>(status), status ? "" : status.error().text().c_str());
  core::require(tick_ns > 0, "a tick takes time");
}

void Medium::reconfigure(const RadioDef& def) {
  const core::Status status = check(def);
  core::require(status && def.model == propagation_.model, "rules of another radio");
  delay_ns_ = nanoseconds(def.delay);
  queue_ = static_cast<std::uint32_t>(def.queue);
  propagation_ = Propagation(def);
  // the number of a slot means nothing among other slots
  const Access access(def, tick_ns_);
  if (!access.has_slots_of(access_))
    for (Station& s : stations_) s.sense = -1;
  access_ = access;
  hearing_ = Hearing(def);
  at_reference_ = -1;
}

void Medium::restart(std::uint32_t episode) {
  episode_ = episode;
  ids_.clear(), stations_.clear(), counts_.clear();
  letters_.clear(), said_.clear(), waiting_.clear();
  air_.clear(), links_.clear(), held_.clear();
  free_ = kNone;
}

void Medium::say(std::uint64_t sender, const Message& message) {
  core::require(message.count <= Message::kMost, "a message has at most twelve numbers");
  said_.push_back({sender, new_letter(message)});
}

void Medium::run(std::uint64_t tick, std::span<const RadioNode> nodes, Sight sight, const void* world, Parallel parallel, Arrivals& out) {
  now_ = static_cast<std::int64_t>(tick) * tick_ns_;
  then_ = now_ + tick_ns_;
  const Ether ether = {propagation_, sight, world};
  enlist(nodes);
  take();
  if (waiting_.empty() && air_.empty() && held_.empty() && early_.empty()) {  // silence
    out.messages.clear(), out.receptions.clear();
    return;
  }
  find_carried();
  start(nodes, ether, parallel);
  rank();
  listen(nodes, ether, parallel);
  report(parallel, out);
  retire();
}

// ---------------------------------------------------------------- stations and queues

void Medium::enlist(std::span<const RadioNode> nodes) {
  bool same = nodes.size() == ids_.size();
  for (std::size_t i = 0; same && i < nodes.size(); ++i) same = nodes[i].id == ids_[i];
  if (same) return;

  // both lists ascend
  next_stations_.clear(), next_counts_.clear();
  std::size_t old = 0;
  for (const RadioNode& node : nodes) {
    core::require(node.id != 0 && (next_stations_.empty() || next_stations_.back().id < node.id), "nodes come with the lowest id first");
    for (; old < ids_.size() && ids_[old] < node.id; ++old) depart(stations_[old]);
    if (old < ids_.size() && ids_[old] == node.id) {
      next_stations_.push_back(stations_[old]);
      next_counts_.push_back(counts_[old++]);
    } else {
      Station s;
      s.id = node.id;
      s.key = math::world_key(seed_, node.world, episode_);
      s.draws = node.chance();
      next_stations_.push_back(s);
      next_counts_.emplace_back();
    }
  }
  for (; old < ids_.size(); ++old) depart(stations_[old]);
  stations_.swap(next_stations_);
  counts_.swap(next_counts_);
  ids_.clear(), waiting_.clear();
  for (std::uint32_t i = 0; i < stations_.size(); ++i) {
    ids_.push_back(stations_[i].id);
    if (stations_[i].count > 0) waiting_.push_back(i);
  }
}

void Medium::depart(const Station& station) {
  for (std::uint32_t letter = station.first; letter != kNone;) {
    const std::uint32_t next = letters_[letter].next;
    settle(station.id, letter, Fate::Gone);
    letter = next;
  }
}

std::uint32_t Medium::new_letter(const Message& message) {
  std::uint32_t i = free_;
  if (i == kNone) {
    i = static_cast<std::uint32_t>(letters_.size());
    letters_.emplace_back();
  } else {
    free_ = letters_[i].next;
  }
  letters_[i].message = message;
  letters_[i].next = kNone;
  return i;
}

void Medium::free_letter(std::uint32_t letter) {
  letters_[letter].next = free_;
  free_ = letter;
}

void Medium::settle(std::uint64_t sender, std::uint32_t letter, Fate fate) {
  ++in_reach_;
  early_.push_back({{sender, letters_[letter].message.to, 0, now_, 0, fate}, letters_[letter].message});
  free_letter(letter);
}

void Medium::take() {
  const std::size_t before = waiting_.size();
  for (const Said& said : said_) take_one(said);
  said_.clear();
  if (waiting_.size() == before) return;
  const auto middle = waiting_.begin() + static_cast<std::ptrdiff_t>(before);
  if (!std::is_sorted(middle, waiting_.end())) std::sort(middle, waiting_.end());
  merged_.resize(waiting_.size());
  std::merge(waiting_.begin(), middle, middle, waiting_.end(), merged_.begin());
  waiting_.swap(merged_);
}

void Medium::take_one(const Said& said) {
  const std::uint32_t station = find_station(ids_, said.sender);
  if (station == kNone) return settle(said.sender, said.letter, Fate::Gone);
  Station& s = stations_[station];
  Letter& letter = letters_[said.letter];
  letter.number = s.number++;
  if (!ideal_ && s.count >= queue_) {
    ++counts_[station].in_reach;
    return settle(said.sender, said.letter, Fate::QueueFull);
  }
  letter.ready = now_ + access_.ready(s, letter.number);
  if (s.count == 0) {
    s.first = said.letter;
    waiting_.push_back(station);
  } else {
    letters_[s.last].next = said.letter;
  }
  s.last = said.letter;
  ++s.count;
}

// ---------------------------------------------------------------- on the air

// what began before this tick: its receivers as they are now, and whether its sender still is
void Medium::find_carried() {
  for (Link& link : links_) link.station = link.receiver != 0 ? find_station(ids_, link.receiver) : kNone;
  for (OnAir& packet : air_)
    if (packet.letter != kNone && find_station(ids_, packet.sender) == kNone) {
      packet.cut = 1;
      packet.end = std::min(packet.end, now_);
    }
}

void Medium::start(std::span<const RadioNode> nodes, const Ether& ether, const Parallel& parallel) {
  if (waiting_.empty()) return;
  starts_.clear();
  if (ideal_) {
    for (const std::uint32_t i : waiting_)
      for (std::uint32_t k = 0; k < stations_[i].count; ++k) starts_.push_back({now_, now_, i});
  } else {
    access_.start({ether, nodes, stations_, letters_, waiting_, air_, now_, then_}, parallel, starts_);
  }
  for (const Start& s : starts_) put_on_air(s.station, nodes[s.station], s.begin, s.end);
  std::erase_if(waiting_, [&](std::uint32_t i) { return stations_[i].count == 0; });
}

void Medium::put_on_air(std::uint32_t station, const RadioNode& node, std::int64_t begin, std::int64_t end) {
  Station& s = stations_[station];
  if (at_reference_ < 0 || node.power != power_) {
    power_ = node.power;
    at_reference_ = propagation_.at_reference(power_);
    cut_off_ = propagation_.cut_off(at_reference_);
  }
  OnAir& p = air_.emplace_back();
  p.sender = s.id;
  p.letter = s.first;
  p.number = letters_[s.first].number;
  p.start = begin;
  p.end = end;
  p.position = node.position;
  p.at_reference = at_reference_;
  p.cut_off = cut_off_;
  p.key = s.key;
  p.draws = s.draws;
  p.world = node.world;
  p.channel = node.channel;

  s.first = letters_[p.letter].next;
  if (--s.count == 0) s.first = s.last = kNone;
  s.until = end;
  ++counts_[station].sent;
  ++sent_;
}

void Medium::rank() {
  work_.clear();
  for (std::uint32_t i = 0; i < air_.size(); ++i)
    if (air_[i].letter != kNone && air_[i].end <= then_) work_.push_back(i);
  ending_ = work_.size();
  const auto ends_before = [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(air_[a].end, air_[a].sender, air_[a].number) < std::tie(air_[b].end, air_[b].sender, air_[b].number);
  };
  // packets of one length end as they began
  if (!std::is_sorted(work_.begin(), work_.end(), ends_before)) std::sort(work_.begin(), work_.end(), ends_before);
  for (std::uint32_t i = 0; i < air_.size(); ++i)
    if (air_[i].end > then_ && air_[i].start >= now_) work_.push_back(i);
}

void Medium::listen(std::span<const RadioNode> nodes, const Ether& ether, const Parallel& parallel) {
  verdicts_.clear(), carried_.clear(), stretches_.clear();
  // those from earlier ticks that go on still
  for (OnAir& p : air_)
    if (p.start < now_ && p.end > then_) {
      const auto from = links_.begin() + p.links;
      const auto at = static_cast<std::uint32_t>(carried_.size());
      carried_.insert(carried_.end(), from, from + p.n_links);
      stretches_.push_back({static_cast<std::uint32_t>(&p - air_.data()), at, p.n_links});
    }
  hearing_.listen({ether, nodes, stations_, ids_, letters_, air_, links_, work_, ending_, now_, access_.longest()}, parallel, verdicts_, carried_, stretches_);
  for (const Hearing::Stretch& s : stretches_) air_[s.packet].links = s.links, air_[s.packet].n_links = s.n_links;
  links_.swap(carried_);
}

// ---------------------------------------------------------------- what became of it

// Verdicts come by (end, sender). A stable sort by receiver and then by end, digit by digit, leaves them by (end, receiver, sender).
void Medium::sort_verdicts() {
  sorted_.resize(verdicts_.size());
  spare_.resize(verdicts_.size());
  std::uint64_t ends = 0;
  std::uint32_t nth = 0;
  std::int64_t last = -1;
  bool known = true;
  for (std::uint32_t i = 0; i < verdicts_.size(); ++i) {
    const Outcome& v = verdicts_[i];
    const std::int64_t end = air_[v.packet].end;
    if (end != last) last = end, ++ends;
    // nobody comes first
    while (work_[nth] != v.packet) ++nth;
    sorted_[i] = {ends << 32 | (v.station == kNone ? 0 : v.station + 1), i, nth};
    known = known && (v.receiver == 0 || v.station != kNone);
  }
  if (!known) {
    // a receiver that left has no place among the stations
    std::sort(sorted_.begin(), sorted_.end(), [&](const Sorted& a, const Sorted& b) {
      return std::tuple(a.key >> 32, verdicts_[a.verdict].receiver, a.verdict) < std::tuple(b.key >> 32, verdicts_[b.verdict].receiver, b.verdict);
    });
    return;
  }
  constexpr int kDigit = 11;
  const auto pass = [&](int shift) {
    std::array<std::uint32_t, 1 << kDigit> place{};
    const auto digit = [&](const Sorted& s) { return (s.key >> shift) & ((1 << kDigit) - 1); };
    for (const Sorted& s : sorted_) ++place[digit(s)];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) sum += p, p = sum - p;
    for (const Sorted& s : sorted_) spare_[place[digit(s)]++] = s;
    sorted_.swap(spare_);
  };
  for (int bit = 0; stations_.size() >> bit != 0; bit += kDigit) pass(bit);
  for (int bit = 0; ends >> bit != 0 && ends > 1; bit += kDigit) pass(32 + bit);
}

void Medium::report(const Parallel& parallel, Arrivals& out) {
  out.messages.clear(), out.receptions.clear();
  // what never went on the air, then what was on its way, the first to arrive first
  std::stable_sort(early_.begin(), early_.end(), [](const Pending& a, const Pending& b) { return arrives_before(a.reception, b.reception); });
  const auto due = std::partition_point(held_.begin(), held_.end(), [&](const Pending& p) { return p.reception.end <= then_; });
  for (auto p = held_.begin(); p != due; ++p)
    if (p->reception.fate == Fate::Delivered && find_station(ids_, p->reception.receiver) == kNone) p->reception.fate = Fate::Gone;
  const auto bring = [&](const Pending& p) {
    out.receptions.push_back(p.reception);
    out.receptions.back().message = static_cast<std::uint32_t>(out.messages.size());
    out.messages.push_back(p.message);
  };
  std::for_each(early_.begin(), early_.end(), bring);
  std::for_each(held_.begin(), due, bring);
  held_.erase(held_.begin(), due);
  early_.clear();
  const auto first = static_cast<std::ptrdiff_t>(out.receptions.size());
  report_verdicts(parallel, out);

  const auto begin = out.receptions.begin(), middle = begin + first, end = out.receptions.end();
  std::for_each(begin, middle, [&](const Reception& r) { tally(r); });
  if (middle != begin && middle != end && arrives_before(*middle, *(middle - 1))) std::inplace_merge(begin, middle, end, arrives_before);
}

// what was judged now
void Medium::report_verdicts(const Parallel& parallel, Arrivals& out) {
  sort_verdicts();
  const std::size_t first = out.receptions.size(), messages = out.messages.size();
  for (std::size_t k = 0; k < ending_; ++k) out.messages.push_back(letters_[air_[work_[k]].letter].message);
  out.receptions.resize(first + sorted_.size());
  for_parts(parallel, [&](int part) {
    const Share mine = share(sorted_.size(), part, parallel.parts);
    for (std::size_t k = mine.begin; k < mine.end; ++k) {
      const Outcome& v = verdicts_[sorted_[k].verdict];
      const OnAir& p = air_[v.packet];
      out.receptions[first + k] = {p.sender, v.receiver, v.ratio, p.end + delay_ns_, static_cast<std::uint32_t>(messages + sorted_[k].nth), v.fate};
    }
  });
  tally_verdicts();
  if (delay_ns_ == 0) return;
  const auto middle = out.receptions.begin() + static_cast<std::ptrdiff_t>(first);
  const auto later = std::partition_point(middle, out.receptions.end(), [&](const Reception& r) { return r.end <= then_; });
  const auto held = static_cast<std::ptrdiff_t>(held_.size());
  std::for_each(later, out.receptions.end(), [&](const Reception& r) { held_.push_back({r, out.messages[r.message]}); });
  // after a delay became shorter the later ones may arrive first
  const auto earlier = [](const Pending& a, const Pending& b) { return arrives_before(a.reception, b.reception); };
  const auto newer = held_.begin() + held;
  if (held > 0 && newer != held_.end() && earlier(*newer, *(newer - 1))) std::inplace_merge(held_.begin(), newer, held_.end(), earlier);
  out.receptions.erase(later, out.receptions.end());
  std::for_each(middle, out.receptions.end(), [&](const Reception& r) { tally(r); });
}

// Packet by packet, as verdicts come. Of those that were in reach, how many heard it: what luck carried further is heard, but in neither number, because the ratio of
// the two would be that of the lucky. What is delivered and lost is counted when it arrives, which is now where there is no delay.
void Medium::tally_verdicts() {
  const bool arrives_now = delay_ns_ == 0;
  for (std::size_t i = 0; i < verdicts_.size();) {
    const std::uint32_t packet = verdicts_[i].packet;
    RadioCounts sum;
    for (; i < verdicts_.size() && verdicts_[i].packet == packet; ++i) {
      const Outcome& v = verdicts_[i];
      const bool delivered = v.fate == Fate::Delivered;
      if (v.in_reach) {
        ++sum.in_reach;
        sum.arrived += delivered ? 1 : 0;
        ++by_distance_[v.octave * kFates + static_cast<std::size_t>(v.fate)];
      }
      if (!arrives_now) continue;
      ++fates_[static_cast<std::size_t>(v.fate)];
      ++(delivered ? sum.delivered : sum.lost);
      if (delivered) ++counts_[v.station].heard;
    }
    in_reach_ += sum.in_reach;
    arrived_ += sum.arrived;
    const std::uint32_t sender = find_station(ids_, air_[packet].sender);
    if (sender == kNone) continue;
    RadioCounts& counts = counts_[sender];
    counts.in_reach += sum.in_reach;
    counts.arrived += sum.arrived;
    counts.delivered += sum.delivered;
    counts.lost += sum.lost;
  }
}

void Medium::tally(const Reception& r) {
  ++fates_[static_cast<std::size_t>(r.fate)];
  const bool delivered = r.fate == Fate::Delivered;
  const std::uint32_t sender = find_station(ids_, r.sender);
  if (sender != kNone) ++(delivered ? counts_[sender].delivered : counts_[sender].lost);
  if (delivered) ++counts_[find_station(ids_, r.receiver)].heard;
}

RadioCounts Medium::counts(std::uint64_t id) const {
  const std::uint32_t station = find_station(ids_, id);
  return station != kNone ? counts_[station] : RadioCounts{};
}

void Medium::retire() {
  for (std::size_t k = 0; k < ending_; ++k) {
    OnAir& p = air_[work_[k]];
    free_letter(p.letter);
    p.letter = kNone;
    p.n_links = 0;
  }
  // whatever overlaps a packet that is still on the air will be asked again
  std::int64_t oldest = then_;
  for (const OnAir& p : air_)
    if (p.letter != kNone) oldest = std::min(oldest, p.start);
  std::erase_if(air_, [&](const OnAir& p) { return p.letter == kNone && p.end <= oldest; });
}

// ---------------------------------------------------------------- hash

namespace {

struct Hash {
  std::uint64_t h = 0x766f6c617279ull;
  Hash& operator()(std::uint64_t word) { return h = math::mix64(h + 0x9e3779b97f4a7c15ull) ^ word, *this; }
  Hash& operator()(double x) { return (*this)(math::to_bits(x)); }
  Hash& operator()(const V3& v) { return (*this)(v.x)(v.y)(v.z); }
  Hash& operator()(const Message& m) {
    (*this)(m.from)(m.to)(m.tick)(static_cast<std::uint64_t>(m.topic) << 32 | m.count);
    for (std::uint32_t i = 0; i < m.count; ++i) (*this)(m.values[i]);
    return *this;
  }
  std::uint64_t value() const { return math::mix64(h + 0x9e3779b97f4a7c15ull); }
};

std::uint64_t u64(std::int64_t x) { return static_cast<std::uint64_t>(x); }

}  // namespace

std::uint64_t Medium::hash() const {
  std::uint64_t sum = 0;
  for (const Station& s : stations_) {
    sum += Hash()(std::uint64_t{1})(s.id)(s.number)(u64(s.until))(u64(s.sense))(std::uint64_t{s.window}).value();
    for (std::uint32_t i = s.first; i != kNone; i = letters_[i].next)
      sum += Hash()(std::uint64_t{2})(s.id)(letters_[i].number)(u64(letters_[i].ready))(letters_[i].message).value();
  }
  // only the order of what one sender said counts
  std::vector<Said> said = said_;
  std::stable_sort(said.begin(), said.end(), [](const Said& a, const Said& b) { return a.sender < b.sender; });
  for (std::uint64_t i = 0, nth = 0; i < said.size(); ++i) {
    nth = i > 0 && said[i].sender == said[i - 1].sender ? nth + 1 : 0;
    sum += Hash()(std::uint64_t{3})(said[i].sender)(nth)(letters_[said[i].letter].message).value();
  }
  for (const OnAir& p : air_) {
    Hash h;
    h(std::uint64_t{4})(p.sender)(p.number)(u64(p.start))(u64(p.end))(p.position)(p.at_reference)(std::uint64_t{p.letter != kNone});
    if (p.letter != kNone) h(letters_[p.letter].message);
    sum += h.value();
    for (std::uint32_t k = 0; k < p.n_links; ++k) {
      const Link& l = links_[p.links + k];
      sum += Hash()(std::uint64_t{5})(p.sender)(p.number)(l.receiver)(l.position)(l.signal)(static_cast<std::uint64_t>(l.fate)).value();
    }
  }
  for (const auto& [r, message] : held_)
    sum += Hash()(std::uint64_t{6})(r.sender)(r.receiver)(message)(static_cast<std::uint64_t>(r.fate))(r.ratio)(u64(r.end)).value();
  return sum;
}

}  // namespace volary::swarm
