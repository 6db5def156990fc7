// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates.hpp"

#include <algorithm>
#include <limits>

#include "engine/swept.hpp"

namespace volary::engine {

namespace {

constexpr double kSkin = 1;            // m: how much farther than contact candidates may be
constexpr double kRounded = 1.000001;  // a way is at most so much longer than what its rounded ends say
constexpr std::size_t kOutsized = 16;  // at most so many vehicles are compared with everybody

double way2(const Vec& a, const Vec& b) {
  const Vec way = minus(a, b);
  return dot(way, way);
}

}  // namespace

double Candidates::moved2(std::size_t i, const Vec& place) const { return way2(place, since_[i]); }

bool Candidates::is_kept(std::uint64_t roster, double moved2) const { return roster_ == roster && moved2 < kSkin * kSkin / 4; }

// A vehicle is listed with the middle of its way in this tick and the room about it: its radius, and half of the way or of the skin, whichever is longer.
// Two whose rooms do not overlap cannot touch, in this tick or while both stay within half a skin of those middles.
void Candidates::choose_room(const Crowd& crowd) {
  const std::size_t n = crowd.to.size();
  since_.resize(n);
  room_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double way = kRounded * math::sqrt(way2(crowd.to[i], crowd.from[i]));
    since_[i] = plus(crowd.from[i], 0.5, minus(crowd.to[i], crowd.from[i]));
    room_[i] = crowd.radius[i] < 0 ? -1 : crowd.radius[i] + 0.5 * std::max(kSkin, way);
  }
  // a few that are much larger or faster than the rest would make it look far around everybody
  double most = std::numeric_limits<double>::infinity();
  if (n > 2 * kOutsized) {
    sorted_ = room_;
    const auto rest = sorted_.begin() + static_cast<std::ptrdiff_t>(n - 1 - kOutsized);
    std::nth_element(sorted_.begin(), rest, sorted_.end());
    most = 2 * std::max(*rest, 0.0);
  }
  widest_ = 0;
  outsized_.clear();
  for (std::size_t i = 0; i < n; ++i)
    if (room_[i] > most)
      outsized_.push_back(static_cast<std::uint32_t>(i));
    else
      widest_ = std::max(widest_, room_[i]);
}

// each with everybody
void Candidates::add_outsized(const Crowd& crowd) {
  if (outsized_.empty()) return;
  for (const std::uint32_t big : outsized_)
    for (std::uint32_t i = 0; i < crowd.to.size(); ++i) {
      const double reach = room_[big] + room_[i];
      if (i != big && room_[i] >= 0 && crowd.worlds[i] == crowd.worlds[big] && way2(since_[i], since_[big]) <= reach * reach)
        pairs_.emplace_back(std::min(i, big), std::max(i, big));
    }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void Candidates::list(const Crowd& crowd, Pool& pool) {
  choose_room(crowd);
  pairs_.clear();
  if (widest_ > 0)
    for (const Pair& pair : near_.find(since_, crowd.worlds, 2 * widest_, pool)) {
      const double a = room_[pair.first], b = room_[pair.second];
      if (a >= 0 && b >= 0 && way2(since_[pair.first], since_[pair.second]) <= (a + b) * (a + b)) pairs_.push_back(pair);
    }
  add_outsized(crowd);
  roster_ = crowd.roster;
}

}  // namespace volary::engine
