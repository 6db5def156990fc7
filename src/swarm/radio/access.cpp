// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/access.hpp"

#include <algorithm>
#include <functional>

namespace volary::swarm {

namespace {

constexpr std::uint32_t kWidestWindow = 1024;

math::Words4<std::uint32_t> words(const Station& s, std::uint64_t when, std::uint32_t draw) {
  return math::random_words<std::uint32_t>(s.key, static_cast<std::uint32_t>(s.draws), static_cast<std::uint32_t>(s.draws >> 32), math::Purpose::MediumAccess,
                                           when, draw);
}

}  // namespace

Access::Access(const RadioDef& def, std::int64_t tick_ns)
    : kind_(def.access),
      probability_(def.probability),
      bit_rate_(def.bit_rate),
      window_(static_cast<std::uint32_t>(def.backoff)),
      slot_(std::max<std::int64_t>(1, nanoseconds(def.slot))),
      preamble_(nanoseconds(def.preamble)),
      spread_(def.spread ? tick_ns : 0),
      jitter_(nanoseconds(def.jitter)) {
  Message longest;
  longest.count = Message::kMost;
  longest_ = airtime(longest);
}

std::int64_t Access::airtime(const Message& message) const { return std::max<std::int64_t>(1, preamble_ + nanoseconds(8.0 * message.bytes() / bit_rate_)); }

// A tick is how finely the simulation looks, not how finely those that speak do: without the spread all messages of a tick would begin together.
std::int64_t Access::ready(const Station& station, std::uint64_t number) const {
  if (spread_ + jitter_ == 0 || kind_ == MediumAccess::SlottedAloha) return 0;
  const math::Words4<std::uint32_t> drawn = words(station, number, 2);
  const auto part = [](std::uint32_t word, std::int64_t of) {
    return static_cast<std::int64_t>(math::floor(static_cast<double>(word) * 0x1p-32 * static_cast<double>(of)));
  };
  return part(drawn.w[0], spread_) + part(drawn.w[1], jitter_);
}

void Access::start(const Airwaves& waves, const Parallel& parallel, std::vector<Start>& out) {
  out.clear();
  if (kind_ == MediumAccess::Csma) {
    csma(waves, out);
  } else {
    parts_.resize(static_cast<std::size_t>(parallel.parts));
    for_parts(parallel, [&](int part) {
      std::vector<Start>& mine = parts_[static_cast<std::size_t>(part)];
      mine.clear();
      const Share range = share(waves.waiting.size(), part, parallel.parts);
      for (std::size_t k = range.begin; k < range.end; ++k)
        kind_ == MediumAccess::Free ? free(waves, waves.waiting[k], mine) : aloha(waves, waves.waiting[k], mine);
    });
    for (const auto& part : parts_) out.insert(out.end(), part.begin(), part.end());
  }
  const auto begins_before = [](const Start& a, const Start& b) { return a.begin != b.begin ? a.begin < b.begin : a.station < b.station; };
  if (!std::is_sorted(out.begin(), out.end(), begins_before)) std::sort(out.begin(), out.end(), begins_before);
}

// each when it is ready and the one before is out
void Access::free(const Airwaves& waves, std::uint32_t station, std::vector<Start>& out) const {
  std::int64_t from = std::max(waves.now, waves.stations[station].until);
  for (std::uint32_t letter = waves.stations[station].first; letter != kNone; letter = waves.letters[letter].next) {
    const std::int64_t begin = std::max(from, waves.letters[letter].ready);
    if (begin >= waves.then) return;
    from = begin + airtime(waves.letters[letter].message);
    out.push_back({begin, from, station});
  }
}

// one draw per slot, by its number; four slots share the words of one call
void Access::aloha(const Airwaves& waves, std::uint32_t station, std::vector<Start>& out) const {
  const Station& s = waves.stations[station];
  std::uint32_t letter = s.first;
  math::Words4<std::uint32_t> four{};
  std::int64_t drawn = -1;
  for (std::int64_t slot = (waves.now + slot_ - 1) / slot_; slot * slot_ < waves.then && letter != kNone; ++slot) {
    if (slot * slot_ < s.until) continue;  // it began when slots were longer
    if (slot / 4 != drawn) {
      drawn = slot / 4;
      four = words(s, static_cast<std::uint64_t>(drawn), 0);
    }
    if (!(static_cast<double>(four.w[slot % 4]) * 0x1p-32 < probability_)) continue;
    out.push_back({slot * slot_, slot * slot_ + airtime(waves.letters[letter].message), station});
    letter = waves.letters[letter].next;
  }
}

// ---------------------------------------------------------------- carrier sense

void Access::csma(const Airwaves& waves, std::vector<Start>& out) {
  prepare(waves);
  open(waves);
  while (!listeners_.empty()) {
    // all that listen in this slot decide before any of them begins
    const std::int64_t slot = listeners_.front().slot;
    together_.clear();
    while (!listeners_.empty() && listeners_.front().slot == slot) {
      std::pop_heap(listeners_.begin(), listeners_.end(), std::greater<>());
      const Listener listener = listeners_.back();
      listeners_.pop_back();
      if (is_busy(waves, waves.waiting[listener.place], slot * slot_))
        put_off(waves, listener);
      else
        together_.push_back(listener);
    }
    for (const Listener& listener : together_) send(waves, listener, out);
  }
}

void Access::prepare(const Airwaves& waves) {
  // how far voices matter, and how many there may be
  const Propagation& p = waves.ether.propagation;
  std::size_t most = waves.air.size();
  widest_ = 0;
  loudness_.clear();
  double power = 0;
  for (const std::uint32_t s : waves.waiting) {
    most += waves.stations[s].count;
    if (loudness_.empty() || waves.nodes[s].power != power) {
      power = waves.nodes[s].power;
      const double at_reference = p.at_reference(power);
      loudness_.push_back({at_reference, p.sense_cut_off(at_reference)});
    } else {
      loudness_.push_back(loudness_.back());
    }
    widest_ = std::max(widest_, loudness_.back().cut_off);
  }
  voices_.assign(waves.air.begin(), waves.air.end());
  for (OnAir& q : voices_) widest_ = std::max(widest_, q.cut_off = p.sense_cut_off(q.at_reference));
  bucket_ = longest_;
  for (const OnAir& q : voices_) bucket_ = std::max(bucket_, q.end - q.start);
  table_.reset(most, widest_);
  for (std::uint32_t i = 0; i < voices_.size(); ++i) insert_voice(i);
}

void Access::open(const Airwaves& waves) {
  listeners_.clear();
  heads_.clear();
  for (std::uint32_t place = 0; place < waves.waiting.size(); ++place) {
    const Station& s = waves.stations[waves.waiting[place]];
    heads_.push_back(s.first);
    if (s.sense < 0)
      plan(waves, place, std::max(waves.now, s.until));
    else
      listen_in(waves, place);
  }
}

void Access::insert_voice(std::uint32_t i) {
  const OnAir& voice = voices_[i];
  table_.add(i, voice.position, {voice.world, voice.channel, static_cast<std::uint32_t>(voice.start / bucket_)});
}

// a fresh letter: the first window
void Access::plan(const Airwaves& waves, std::uint32_t place, std::int64_t from) {
  Station& s = waves.stations[waves.waiting[place]];
  from = std::max(from, waves.letters[heads_[place]].ready);
  const std::int64_t slot = (from + slot_ - 1) / slot_;
  s.window = window_;
  s.sense = slot + draw(s, slot, 0);
  listen_in(waves, place);
}

void Access::listen_in(const Airwaves& waves, std::uint32_t place) {
  const Station& s = waves.stations[waves.waiting[place]];
  if (s.sense * slot_ >= waves.then) return;
  listeners_.push_back({s.sense, place});
  std::push_heap(listeners_.begin(), listeners_.end(), std::greater<>());
}

void Access::put_off(const Airwaves& waves, const Listener& listener) {
  Station& s = waves.stations[waves.waiting[listener.place]];
  s.window = std::min(2 * s.window, kWidestWindow);
  s.sense = listener.slot + 1 + draw(s, listener.slot, 1);
  listen_in(waves, listener.place);
}

void Access::send(const Airwaves& waves, const Listener& listener, std::vector<Start>& out) {
  const std::uint32_t station = waves.waiting[listener.place];
  Station& s = waves.stations[station];
  const RadioNode& node = waves.nodes[station];
  const Letter& letter = waves.letters[heads_[listener.place]];
  OnAir voice;
  voice.sender = s.id;
  voice.start = listener.slot * slot_;
  voice.end = voice.start + airtime(letter.message);
  voice.position = node.position;
  voice.at_reference = loudness_[listener.place].at_reference;
  voice.cut_off = loudness_[listener.place].cut_off;
  voice.key = s.key;
  voice.draws = s.draws;
  voice.world = node.world;
  voice.channel = node.channel;
  voices_.push_back(voice);
  insert_voice(static_cast<std::uint32_t>(voices_.size() - 1));
  out.push_back({voice.start, voice.end, station});

  heads_[listener.place] = letter.next;
  s.sense = -1;
  if (letter.next != kNone && voice.end < waves.then) plan(waves, listener.place, voice.end);
}

std::int64_t Access::draw(const Station& station, std::int64_t slot, std::uint32_t which) const {
  const std::uint64_t word = words(station, static_cast<std::uint64_t>(slot), which).w[0];
  return static_cast<std::int64_t>((word * station.window) >> 32);
}

bool Access::is_busy(const Airwaves& waves, std::uint32_t station, std::int64_t at) const {
  const RadioNode& node = waves.nodes[station];
  const bool disc = waves.ether.propagation.model == RadioModel::Disc;
  std::uint64_t sum = 0;
  for (std::int64_t bucket = std::max<std::int64_t>(0, at / bucket_ - 1); bucket <= at / bucket_; ++bucket)
    table_.visit(node.position, widest_, {node.world, node.channel, static_cast<std::uint32_t>(bucket)}, [&](std::uint32_t i) {
      const OnAir& voice = voices_[i];
      if (voice.start < at && at < voice.end && voice.sender != node.id && distance2(voice.position, node.position) <= voice.cut_off * voice.cut_off)
        sum = std::min(sum + interferer_units(waves.ether, voice, node.chance(), node.position), std::uint64_t{1} << 63);
    });
  return disc ? sum > 0 : static_cast<double>(sum) >= waves.ether.propagation.sense;
}

}  // namespace volary::swarm
