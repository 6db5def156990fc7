// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/sampler.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace volary::replay {

namespace {

// the rows of a column from slot to slot, without asking for its type each time
template <class S> struct Column {
  const std::byte* at = nullptr;
  std::ptrdiff_t block = 0, lane = 0, component = 0;

  explicit Column(const View& v) : at(static_cast<const std::byte*>(v.pointer)), block(v.strides[0]), lane(v.strides[1]), component(v.strides[2]) {}
  const std::byte* slot(std::size_t s) const { return at + static_cast<std::ptrdiff_t>(s / 16) * block + static_cast<std::ptrdiff_t>(s % 16) * lane; }
  S get(const std::byte* slot, int k) const { return *reinterpret_cast<const S*>(slot + k * component); }
};

template <class S> void sample_flock(const World& world, const Walk::Flock& flock, double* p, float* v, float* q) {
  const View position = world.view(flock.name, "position"), velocity = world.find_view(flock.name, "velocity").value_or(View{}),
             attitude = world.find_view(flock.name, "attitude").value_or(View{});
  const bool has_rest = position.shape[2] == 6;  // a value and what rounding took from it
  const Column<S> cp(position), cv(velocity), cq(attitude);
  for (const std::size_t s : flock.slots) {
    const std::byte* row = cp.slot(s);
    for (int k = 0; k < 3; ++k) p[k] = static_cast<double>(cp.get(row, k)) + (has_rest ? static_cast<double>(cp.get(row, 3 + k)) : 0.0);
    for (int k = 0; k < 3; ++k) v[k] = cv.at == nullptr ? 0.0f : static_cast<float>(cv.get(cv.slot(s), k));
    for (int k = 0; k < 4; ++k) q[k] = cq.at == nullptr ? (k == 0 ? 1.0f : 0.0f) : static_cast<float>(cq.get(cq.slot(s), k));
    p += 3, v += 3, q += 4;
  }
}

// ---------------------------------------------------------------- from ticks to vehicles

struct Track {
  std::uint32_t vehicle = 0, first = 0, count = 0;
};
// where the entries of a walk that belong to one group go
struct Place {
  std::uint32_t entry = 0, track = 0;
};

class Turner {
 public:
  explicit Turner(const Samples& s) : s_(s) { find_tracks(); }
  std::size_t n_groups() const { return (tracks_.size() + kVehiclesPerBlock - 1) / kVehiclesPerBlock; }
  std::vector<TrackIn> group(std::size_t g);

 private:
  void find_tracks();
  void place_walk(const Walk* walk);

  const Samples& s_;
  std::vector<Track> tracks_;
  std::unordered_map<std::uint32_t, std::uint32_t> track_of_;
  std::map<const Walk*, std::vector<std::vector<Place>>> places_;  // by walk, by group
  std::vector<double> position_;
  std::vector<float> velocity_, attitude_;
};

void Turner::find_tracks() {
  for (std::size_t t = 0; t < s_.walks.size(); ++t) {
    const Walk* walk = s_.walks[t].get();
    const bool known = t > 0 && s_.walks[t - 1].get() == walk;
    for (const std::uint32_t vehicle : walk->vehicles) {
      if (known) break;
      const auto [at, is_new] = track_of_.try_emplace(vehicle, static_cast<std::uint32_t>(tracks_.size()));
      if (is_new) tracks_.push_back({vehicle, static_cast<std::uint32_t>(t), 0});
    }
  }
  for (const auto& walk : s_.walks) place_walk(walk.get());
  // a vehicle lives once: its ticks are one piece
  for (std::size_t t = 0; t < s_.walks.size(); ++t)
    for (const auto& group : places_[s_.walks[t].get()])
      for (const Place& p : group) ++tracks_[p.track].count;
}

void Turner::place_walk(const Walk* walk) {
  auto [at, is_new] = places_.try_emplace(walk);
  if (!is_new) return;
  at->second.resize(n_groups());
  for (std::size_t k = 0; k < walk->vehicles.size(); ++k) {
    const std::uint32_t track = track_of_[walk->vehicles[k]];
    at->second[track / kVehiclesPerBlock].push_back({static_cast<std::uint32_t>(k), track});
  }
}

std::vector<TrackIn> Turner::group(std::size_t g) {
  const std::size_t from = g * kVehiclesPerBlock, to = std::min(tracks_.size(), from + kVehiclesPerBlock);
  std::vector<std::size_t> start(to - from, 0);
  std::size_t total = 0;
  for (std::size_t k = from; k < to; ++k) {
    start[k - from] = total;
    total += tracks_[k].count;
  }
  position_.resize(total * 3), velocity_.resize(total * 3), attitude_.resize(total * 4);
  std::size_t base = 0;
  for (std::size_t t = 0; t < s_.walks.size(); ++t) {
    for (const Place& p : places_[s_.walks[t].get()][g]) {
      const std::size_t in = base + p.entry, out = start[p.track - from] + t - tracks_[p.track].first;
      std::copy_n(s_.position.data() + in * 3, 3, position_.data() + out * 3);
      std::copy_n(s_.velocity.data() + in * 3, 3, velocity_.data() + out * 3);
      std::copy_n(s_.attitude.data() + in * 4, 4, attitude_.data() + out * 4);
    }
    base += s_.walks[t]->vehicles.size();
  }
  std::vector<TrackIn> list;
  for (std::size_t k = from; k < to; ++k) {
    const std::size_t at = start[k - from];
    list.push_back({tracks_[k].vehicle, tracks_[k].first, tracks_[k].count, reinterpret_cast<const double(*)[3]>(position_.data() + at * 3),
                    reinterpret_cast<const float(*)[3]>(velocity_.data() + at * 3), reinterpret_cast<const float(*)[4]>(attitude_.data() + at * 4)});
  }
  return list;
}

}  // namespace

void sample(const World& world, const std::shared_ptr<const Walk>& walk, Samples& out) {
  if (out.empty()) out.first_tick = world.tick();
  const std::size_t n = walk->vehicles.size(), p0 = out.position.size(), v0 = out.velocity.size(), q0 = out.attitude.size();
  out.walks.push_back(walk);
  out.position.resize(p0 + n * 3), out.velocity.resize(v0 + n * 3), out.attitude.resize(q0 + n * 4);
  std::size_t k = 0;
  for (const Walk::Flock& flock : walk->flocks) {
    double* p = out.position.data() + p0 + k * 3;
    float *v = out.velocity.data() + v0 + k * 3, *q = out.attitude.data() + q0 + k * 4;
    if (world.def().precision == Precision::Float)
      sample_flock<float>(world, flock, p, v, q);
    else
      sample_flock<double>(world, flock, p, v, q);
    k += flock.slots.size();
  }
}

Samples start_after(const Samples& before) {
  Samples s;
  s.first_tick = before.last_tick();
  s.walks.push_back(before.walks.back());
  const std::size_t n = before.walks.back()->vehicles.size();
  s.position.assign(before.position.end() - static_cast<std::ptrdiff_t>(n * 3), before.position.end());
  s.velocity.assign(before.velocity.end() - static_cast<std::ptrdiff_t>(n * 3), before.velocity.end());
  s.attitude.assign(before.attitude.end() - static_cast<std::ptrdiff_t>(n * 4), before.attitude.end());
  return s;
}

std::vector<std::vector<std::byte>> encode(const Samples& samples, double tick_seconds, const Bounds& bounds) {
  Turner turner(samples);
  std::vector<std::vector<std::byte>> blocks;
  for (std::size_t g = 0; g < turner.n_groups(); ++g) blocks.push_back(encode_view(turner.group(g), tick_seconds, bounds));
  return blocks;
}

}  // namespace volary::replay
