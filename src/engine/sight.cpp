// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who notices whom (P-10): everybody near enough, within the field of view, and in line of sight.
#include "engine/sight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/data.hpp"
#include "engine/swept.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

// what all vehicles of a flock have in common when they look
struct Eye {
  double half = -1;        // cosine of half the field of view
  std::uint32_t kind = 0;  // what its vehicles look like to others
};
std::vector<Eye> eyes_of(const Data& d) {
  std::vector<Eye> eyes(d.flocks.size());
  for (std::size_t k = 0; k < eyes.size(); ++k) {
    const Flock& f = d.flocks[k];
    eyes[k] = {math::cos(0.5 * std::min(f.def.node.detection.field_of_view, 6.283185307179586)), swarm::topic(f.def.airframe.name)};
  }
  return eyes;
}

// whether those of a world look now that look every so many ticks
bool is_time_to_look(const Data& d, std::uint64_t every, std::uint32_t world) { return tick_of_world(d, world) % every == 0; }

// the way the nose points
Vec nose_of(const Frame& frame, std::size_t at) {
  const auto& [w, x, y, z] = frame.attitude[at];
  return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
}

// whom a vehicle sees: the nearest ones, and those in the order of ids
void look(const Data& d, std::size_t at, const Eye& eye, std::vector<Near>& seen) {
  const Flock& f = d.flocks[d.frame.flock[at]];
  const DetectionDef& def = f.def.node.detection;
  const Vec nose = nose_of(d.frame, at);
  seen.clear();
  for (const Near& n : d.interaction.near.of(at)) {
    if (static_cast<double>(n.distance) > def.range) continue;
    const Vec way = minus(d.frame.position[n.index], d.frame.position[at]);
    if (dot(way, nose) < eye.half * math::sqrt(dot(way, way))) continue;
    if (def.line_of_sight && !line_of_sight(d.def.environment, d.frame.position[at], d.frame.position[n.index])) continue;
    seen.push_back(n);
  }
  if (seen.size() <= Seen::kMost) return;
  // Strangers come first, then the nearest: in a crowd of its own kind a vehicle would else not see what it is looking for.
  const auto is_own = [&](const Near& n) { return d.frame.flock[n.index] == d.frame.flock[at]; };
  std::sort(seen.begin(), seen.end(),
            [&](const Near& a, const Near& b) { return std::tuple(is_own(a), a.distance, a.index) < std::tuple(is_own(b), b.distance, b.index); });
  seen.resize(Seen::kMost);
  std::sort(seen.begin(), seen.end(), [](const Near& a, const Near& b) { return a.index < b.index; });
}

// what one thread needs and brings back
struct Looking {
  std::vector<Near> seen;
  std::vector<std::vector<std::uint32_t>> places;                  // by look frame
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sightings;  // who sees whom for the first time: places in the frame
};

// One look: the new look frames and runs are made beside the old ones, which say whom a vehicle has seen before.
class Detecting {
 public:
  explicit Detecting(Data& d) : d_(d), in_(d.interaction), frame_(d.frame), eyes_(eyes_of(d)), parts_(static_cast<std::size_t>(d.pool->size())) {
    list_worlds();
    in_.next_frames.resize(in_.look_frames.size());
    in_.next_seen.resize(d.societies.size());
    for (Looking& part : parts_) part.places.resize(in_.look_frames.size());
    for (std::size_t k = 0; k < in_.look_frames.size(); ++k) last_.push_back(last_look(d.coupling, k));
  }

  // false: nobody looks in this tick
  bool choose() {
    renewed_.assign(in_.look_frames.size(), false);
    const auto worlds = static_cast<std::uint32_t>(first_.size() - 1);
    for (std::size_t k = 0; k < renewed_.size(); ++k)
      for (std::uint32_t w = 0; w < worlds && !renewed_[k]; ++w) renewed_[k] = is_time_to_look(d_, in_.look_frames[k].every, w);
    for (std::size_t k = 0; k < d_.flocks.size(); ++k)
      if (is_renewed(k)) range_ = std::max(range_, d_.flocks[k].def.node.detection.range);
    return range_ > 0;
  }

  void run() {
    in_.looks.resize(frame_.size());
    for (std::size_t i = 0; i < frame_.size(); ++i) in_.looks[i] = looks(i) ? 1 : 0;
    in_.near.find(frame_.position, frame_.world, range_, *d_.pool, in_.looks);
    for (std::size_t k = 0; k < d_.societies.size(); ++k) {
      if (!is_renewed(k)) continue;
      // slots without a vehicle, which nobody looks for below, begin nowhere
      in_.next_seen[k].first.assign(d_.societies[k].seen.first.size(), 0);
      in_.next_seen[k].count.assign(d_.societies[k].seen.count.size(), 0);
    }
    each_part(*d_.pool, frame_.size(), cost::kLook, [&](std::size_t first, std::size_t last, int part) {
      for (std::size_t i = first; i < last; ++i)
        if (is_renewed(frame_.flock[i])) keep_or_look(i, parts_[static_cast<std::size_t>(part)]);
    });
    for (std::size_t k = 0; k < renewed_.size(); ++k)
      if (renewed_[k]) renew(k);
    join();
    d_.coupling.delays() ? leave() : use();
  }

  void tell() const {
    for (const Looking& part : parts_)
      for (const auto& [at, other] : part.sightings) {
        const Flock &mine = d_.flocks[frame_.flock[at]], &theirs = d_.flocks[frame_.flock[other]];
        add_event(d_, mine.ids[frame_.slot[at]], mine.names[frame_.slot[at]],
                  fmt::format("sees: {} at {}", theirs.names[frame_.slot[other]], place_text(frame_.position[other])));
      }
  }

 private:
  // from now on they see this
  void use() {
    for (std::size_t k = 0; k < renewed_.size(); ++k)
      if (renewed_[k]) std::swap(in_.look_frames[k], in_.next_frames[k]);
    for (std::size_t k = 0; k < d_.societies.size(); ++k) {
      if (!is_renewed(k)) continue;
      std::swap(d_.societies[k].seen.first, in_.next_seen[k].first);
      std::swap(d_.societies[k].seen.count, in_.next_seen[k].count);
    }
  }
  // they will, when the horizon is over
  void leave() {
    std::vector<Look>& looks = d_.coupling.looks;
    looks.clear();
    for (std::size_t k = 0; k < renewed_.size(); ++k)
      if (renewed_[k]) looks.push_back({k, std::exchange(in_.next_frames[k], {}), {}});
    for (std::size_t i = 0; i < frame_.size(); ++i) {
      const std::size_t flock = frame_.flock[i], slot = frame_.slot[i];
      if (!is_renewed(flock)) continue;
      Look& look = *std::find_if(looks.begin(), looks.end(), [&](const Look& l) { return l.which == seen_of(i).look; });
      look.runs.push_back({d_.flocks[flock].ids[slot].value, in_.next_seen[flock].first[slot], in_.next_seen[flock].count[slot]});
    }
  }

  // of the last look, whether they see it by now or not
  const LookFrame& last_frame(std::size_t look) const { return last_[look] == nullptr ? in_.look_frames[look] : last_[look]->frame; }
  std::span<const std::uint32_t> last_places(std::size_t at) const {
    const Seen& seen = seen_of(at);
    const std::size_t slot = frame_.slot[at];
    if (const Look* last = last_[seen.look]) return last->places_of(d_.flocks[frame_.flock[at]].ids[slot].value);
    return std::span(in_.look_frames[seen.look].places).subspan(seen.first[slot], seen.count[slot]);
  }

  const Seen& seen_of(std::size_t at) const { return d_.societies[frame_.flock[at]].seen; }
  bool is_renewed(std::size_t flock) const {
    const std::size_t look = d_.societies[flock].seen.look;
    return look != Seen::kNone && renewed_[look];
  }
  bool looks(std::size_t at) const {
    return is_renewed(frame_.flock[at]) && is_time_to_look(d_, in_.look_frames[seen_of(at).look].every, frame_.world[at]);
  }

  // where the vehicles of each world begin in the frame: numbers of a world follow each other
  void list_worlds() {
    first_.assign(static_cast<std::size_t>(std::max(1, d_.def.worlds)) + 1, static_cast<std::uint32_t>(frame_.size()));
    for (std::size_t i = frame_.size(); i-- > 0;) first_[frame_.world[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t w = first_.size() - 1; w-- > 0;) first_[w] = std::min(first_[w], first_[w + 1]);
  }

  void keep_or_look(std::size_t at, Looking& looking) {
    const Seen& seen = seen_of(at);
    const std::size_t slot = frame_.slot[at];
    std::vector<std::uint32_t>& places = looking.places[seen.look];
    const std::size_t first = places.size();
    if (in_.looks[at] != 0) {
      look(d_, at, eyes_[frame_.flock[at]], looking.seen);
      note(at, looking);
    } else {
      const std::span<const std::uint32_t> old = last_places(at);
      places.insert(places.end(), old.begin(), old.end());
    }
    Seen& next = in_.next_seen[frame_.flock[at]];
    next.first[slot] = static_cast<std::uint32_t>(first);  // of its part, until they are joined
    next.count[slot] = static_cast<std::uint8_t>(places.size() - first);
  }

  // Keeps what a vehicle sees, and lists sightings of vehicles of another flock that were not in sight at the last look. What is seen later is told later.
  void note(std::size_t at, Looking& looking) {
    const Seen& seen = seen_of(at);
    for (const Near& n : looking.seen) {
      looking.places[seen.look].push_back(n.index - first_[frame_.world[at]]);
      if (d_.coupling.delays() || frame_.flock[n.index] == frame_.flock[at]) continue;
      bool is_known = false;
      seen.each(in_.look_frames, frame_.slot[at], frame_.world[at], [&](const LookFrame& f, std::size_t k) { is_known = is_known || f.id[k] == frame_.id[n.index]; });
      if (!is_known) looking.sightings.emplace_back(static_cast<std::uint32_t>(at), n.index);
    }
  }

  // the vehicles of worlds that look as they are now, the others as they were
  void renew(std::size_t k) {
    const LookFrame& old = last_frame(k);
    LookFrame& next = in_.next_frames[k];
    const std::uint64_t every = next.every = in_.look_frames[k].every;
    next.first.assign(first_.size(), 0);
    next.added.assign(first_.size() - 1, 0);
    const auto is_new = [&](std::size_t w) { return old.first.empty() || is_time_to_look(d_, every, static_cast<std::uint32_t>(w)); };
    for (std::size_t w = 0; w + 1 < first_.size(); ++w) {
      const std::vector<std::uint32_t>& from = is_new(w) ? first_ : old.first;
      next.first[w + 1] = next.first[w] + from[w + 1] - from[w];
    }
    const std::size_t n = next.first.back();
    next.id.resize(n), next.kind.resize(n), next.position.resize(n), next.velocity.resize(n);
    for (std::size_t w = 0; w + 1 < first_.size(); ++w) is_new(w) ? copy_now(next, w) : copy_old(next, old, w);
  }
  void copy_now(LookFrame& next, std::size_t world) {
    const std::size_t from = first_[world], to = next.first[world];
    each_part(*d_.pool, first_[world + 1] - from, cost::kRead, [&](std::size_t first, std::size_t last, int) {
      for (std::size_t k = first; k < last; ++k) {
        next.id[to + k] = frame_.id[from + k];
        next.kind[to + k] = eyes_[frame_.flock[from + k]].kind;
        next.position[to + k] = frame_.position[from + k];
        next.velocity[to + k] = frame_.velocity[from + k];
      }
    });
  }
  static void copy_old(LookFrame& next, const LookFrame& old, std::size_t world) {
    next.added[world] = old.added[world];
    const auto copy = [&](const auto& from, auto& to) { std::copy(from.begin() + old.first[world], from.begin() + old.first[world + 1], to.begin() + next.first[world]); };
    copy(old.id, next.id), copy(old.kind, next.kind), copy(old.position, next.position), copy(old.velocity, next.velocity);
  }

  // the runs of the threads one after the other
  void join() {
    std::vector<std::vector<std::uint32_t>> begin(parts_.size(), std::vector<std::uint32_t>(renewed_.size(), 0));  // by part and look frame
    for (std::size_t k = 0; k < renewed_.size(); ++k) {
      if (!renewed_[k]) continue;
      std::vector<std::uint32_t>& all = in_.next_frames[k].places;
      all.clear();
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        begin[part][k] = static_cast<std::uint32_t>(all.size());
        all.insert(all.end(), parts_[part].places[k].begin(), parts_[part].places[k].end());
      }
    }
    each_part(*d_.pool, frame_.size(), cost::kLook, [&](std::size_t first, std::size_t last, int part) {
      if (part == 0) return;
      for (std::size_t i = first; i < last; ++i)
        if (is_renewed(frame_.flock[i])) in_.next_seen[frame_.flock[i]].first[frame_.slot[i]] += begin[static_cast<std::size_t>(part)][seen_of(i).look];
    });
  }

  Data& d_;
  Interaction& in_;
  const Frame& frame_;
  std::vector<Eye> eyes_;
  std::vector<Looking> parts_;
  std::vector<const Look*> last_;     // by look frame, that nobody has seen yet; none: all have seen the last
  std::vector<std::uint32_t> first_;  // by world, and the end
  std::vector<bool> renewed_;         // by look frame
  double range_ = 0;
};

}  // namespace

bool LookFrame::fits(std::size_t worlds) const {
  const std::size_t n = id.size();
  if (kind.size() != n || position.size() != n || velocity.size() != n) return false;
  if (first.empty()) return n == 0 && places.empty() && added.empty();
  if (first.size() != worlds + 1 || added.size() != worlds || first.front() != 0 || first.back() != n || !std::is_sorted(first.begin(), first.end())) return false;
  for (std::size_t w = 0; w < worlds; ++w)
    if (added[w] > first[w + 1] - first[w]) return false;
  return true;
}

void Seen::settle(std::size_t slot, std::size_t slots) {
  if (look == kNone) return;
  first.resize(slots);
  count.resize(slots);
  first[slot] = count[slot] = 0;
}

bool Seen::fits(std::span<const std::uint32_t> worlds, std::span<const LookFrame> frames) const {
  if (look == kNone) return first.empty() && count.empty();
  const LookFrame& frame = frames[look];
  if (first.size() != worlds.size() || count.size() != worlds.size()) return false;
  for (std::size_t slot = 0; slot < count.size(); ++slot) {
    if (count[slot] > kMost || std::size_t{first[slot]} + count[slot] > frame.places.size()) return false;
    for (std::size_t k = first[slot]; k < std::size_t{first[slot]} + count[slot]; ++k)
      if (frame.first.empty() || frame.places[k] >= frame.first[worlds[slot] + 1] - frame.first[worlds[slot]]) return false;
  }
  return true;
}

void prepare_sight(Data& d) {
  std::vector<LookFrame>& frames = d.interaction.look_frames;
  for (Society& s : d.societies) {
    if (s.detect_every == 0) continue;
    s.seen.look = static_cast<std::size_t>(std::find_if(frames.begin(), frames.end(), [&](const LookFrame& f) { return f.every == s.detect_every; }) - frames.begin());
    if (s.seen.look == frames.size()) frames.emplace_back().every = s.detect_every;
  }
}

std::span<const swarm::Detection> detections_of(const Data& d, std::size_t flock, std::size_t slot, std::vector<swarm::Detection>& out) {
  out.clear();
  d.societies[flock].seen.each(d.interaction.look_frames, slot, d.flocks[flock].worlds[slot], [&](const LookFrame& f, std::size_t k) { out.push_back(f.at(k)); });
  return out;
}

namespace {

// the place of somebody in a look frame, counted from the first of its world; made where it is not there as it was
std::uint32_t place_in(LookFrame& f, std::uint32_t world, const swarm::Detection& seen) {
  const auto is_at = [&](std::size_t k) {
    const swarm::Detection at = f.at(k);
    const auto same = [](const swarm::V3& a, const swarm::V3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    return at.object == seen.object && at.kind == seen.kind && same(at.position, seen.position) && same(at.velocity, seen.velocity);
  };
  const std::size_t first = f.first[world], last = f.first[world + 1], in_order = last - f.added[world];
  const auto begin = f.id.begin() + static_cast<std::ptrdiff_t>(first);
  const auto found = static_cast<std::size_t>(std::lower_bound(begin, f.id.begin() + static_cast<std::ptrdiff_t>(in_order), seen.object) - begin) + first;
  if (found < in_order && is_at(found)) return static_cast<std::uint32_t>(found - first);
  for (std::size_t k = in_order; k < last; ++k)
    if (is_at(k)) return static_cast<std::uint32_t>(k - first);
  const auto at = static_cast<std::ptrdiff_t>(last);
  f.id.insert(f.id.begin() + at, seen.object);
  f.kind.insert(f.kind.begin() + at, seen.kind);
  f.position.insert(f.position.begin() + at, Vec{seen.position.x, seen.position.y, seen.position.z});
  f.velocity.insert(f.velocity.begin() + at, Vec{seen.velocity.x, seen.velocity.y, seen.velocity.z});
  for (std::size_t w = world + 1; w < f.first.size(); ++w) ++f.first[w];
  ++f.added[world];
  return static_cast<std::uint32_t>(last - first);
}

// runs that nobody has any more make room
void compact(Data& d, std::size_t look) {
  std::vector<std::uint32_t> places;
  const std::vector<std::uint32_t>& old = d.interaction.look_frames[look].places;
  for (Society& s : d.societies)
    for (std::size_t slot = 0; s.seen.look == look && slot < s.seen.count.size(); ++slot) {
      const std::uint32_t from = std::exchange(s.seen.first[slot], static_cast<std::uint32_t>(places.size()));
      places.insert(places.end(), old.begin() + from, old.begin() + from + s.seen.count[slot]);
    }
  std::copy(places.begin(), places.end(), d.interaction.look_frames[look].places.begin());  // the memory stays
  d.interaction.look_frames[look].places.resize(places.size());
}

}  // namespace

void replace_sight(Data& d, std::size_t flock, std::size_t slot, std::span<const swarm::Detection> seen) {
  Seen& own = d.societies[flock].seen;
  if (own.look == Seen::kNone) return;
  LookFrame& f = d.interaction.look_frames[own.look];
  const auto worlds = static_cast<std::size_t>(std::max(1, d.def.worlds));
  if (f.first.empty()) f.first.assign(worlds + 1, 0), f.added.assign(worlds, 0);
  // in the place of the run it has, where that is long enough
  if (seen.size() > own.count[slot]) {
    if (f.places.size() + seen.size() > f.places.capacity()) compact(d, own.look);
    own.first[slot] = static_cast<std::uint32_t>(f.places.size());
    f.places.resize(f.places.size() + seen.size());
  }
  own.count[slot] = static_cast<std::uint8_t>(seen.size());
  for (std::size_t k = 0; k < seen.size(); ++k) f.places[own.first[slot] + k] = place_in(f, d.flocks[flock].worlds[slot], seen[k]);
}

void detect(Data& d) {
  if (!d.interaction.detects) return;
  Detecting detecting(d);
  if (!detecting.choose()) return;
  detecting.run();
  detecting.tell();
}

}  // namespace volary::engine
