// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/interference.hpp"

#include <algorithm>

#include "math/quad.hpp"

namespace volary::swarm {

namespace {

constexpr std::uint64_t kFullSum = std::uint64_t{1} << 63;  // a sum stays here: 8,192 interferers of 0 dBm

// an event: ns since the start of the packet, whether somebody begins, and who
constexpr int kEventShift = 24;
constexpr std::uint64_t kBegins = std::uint64_t{1} << (kEventShift - 1);

using math::all_four, math::four_at, math::Quad, math::root;

// quarter_power of four
template <int Q> VOLARY_HD Quad quad_power(Quad x2) {
  Quad p = all_four(1);
  for (int k = 0; k < Q / 4; ++k) p *= x2;
  if constexpr (Q % 4 >= 2) p *= root(x2);
  if constexpr (Q % 2 == 1) p *= root(root(x2));
  return p;
}

// what is heard at a place: columns of those that send, four at a time
struct Columns {
  const float *x, *y, *z, *at_reference, *cut_off2;
  std::size_t n;
};
template <int Q> class Ear {
 public:
  Ear(const Propagation& propagation, const V3& from_origin)
      : px_(all_four(static_cast<float>(from_origin.x))),
        py_(all_four(static_cast<float>(from_origin.y))),
        pz_(all_four(static_cast<float>(from_origin.z))),
        per_reference2_(all_four(static_cast<float>(propagation.per_reference2))) {}
  Quad units(const Columns& c, std::size_t k) const {
    const Quad one = all_four(1), least = all_four(1e-12f), most = all_four(static_cast<float>(kMostUnits)), none = all_four(0);
    const Quad dx = four_at(&c.x[k]) - px_, dy = four_at(&c.y[k]) - py_, dz = four_at(&c.z[k]) - pz_;
    const Quad d2 = dx * dx + dy * dy + dz * dz, x2 = d2 * per_reference2_;
    // free space within the reference distance
    const Quad free = x2 > least ? x2 : least;
    const Quad divisor = x2 < one ? free : quad_power<Q>(x2);
    const Quad units = four_at(&c.at_reference[k]) / divisor;
    return d2 <= four_at(&c.cut_off2[k]) ? (units < most ? units : most) : none;
  }

 private:
  Quad px_, py_, pz_, per_reference2_;
};

constexpr std::size_t kNeverFull = 8192;  // so many sums of the most units stay below a full sum

// The sum of the whole units of all of them, and the strongest, without keeping each.
template <int Q> Interferers::Sum add_up(const Ear<Q>& ear, const Columns& c) {
  Interferers::Sum sum;
  Quad strongest = all_four(0);
  math::TwoSums low = {0, 0}, high = low;
  for (std::size_t k = 0; k < c.n; k += 4) {
    const Quad units = ear.units(c, k);
    strongest = strongest < units ? units : strongest;
    // nearly all are below 2^31, where four become integers at once
    if (!math::any_of(units >= all_four(0x1p31f))) {
      math::add_whole(low, high, units);
      continue;
    }
    for (std::size_t j = 0; j < 4; ++j) sum.worst += static_cast<std::uint64_t>(static_cast<std::int64_t>(units[j]));
  }
  const math::TwoSums both = low + high;
  sum.worst += both[0] + both[1];
  for (std::size_t j = 0; j < 4; ++j) sum.strongest = std::max(sum.strongest, static_cast<std::uint64_t>(static_cast<std::int64_t>(strongest[j])));
  return sum;
}

// f(ear) where no shadowing, nothing in the way and an exponent that products and square roots can do make the inner loop of the whole medium; false elsewhere
template <class F> bool with_plain_ear(const Ether& ether, const V3& from_origin, F&& f) {
  const Propagation& p = ether.propagation;
  const bool plain = p.model == RadioModel::LogDistance && !p.has_shadowing && (ether.sight == nullptr || p.obstructed == 1);
  switch (plain ? p.quarters : 0) {
    case 4: return f(Ear<4>(p, from_origin)), true;
    case 5: return f(Ear<5>(p, from_origin)), true;
    case 6: return f(Ear<6>(p, from_origin)), true;
    case 7: return f(Ear<7>(p, from_origin)), true;
    case 8: return f(Ear<8>(p, from_origin)), true;
    case 9: return f(Ear<9>(p, from_origin)), true;
    case 10: return f(Ear<10>(p, from_origin)), true;
    case 11: return f(Ear<11>(p, from_origin)), true;
    case 12: return f(Ear<12>(p, from_origin)), true;
    default: return false;
  }
}

std::uint64_t whole(double units) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(math::min(units, kMostUnits))); }

}  // namespace

std::uint64_t interferer_units(const Ether& ether, const OnAir& packet, std::uint64_t receiver_draws, const V3& at) {
  const Propagation& p = ether.propagation;
  const double d2 = distance2(packet.position, at);
  if (p.model == RadioModel::Disc) return d2 <= p.range * p.range && !ether.is_obstructed(packet.position, at) ? 1 : 0;
  double units = p.mean(packet.at_reference, d2);
  if (p.has_shadowing) units *= p.shadowing(packet.key, packet.draws, receiver_draws);
  if (units > p.noise && ether.is_obstructed(packet.position, at)) units *= p.obstructed;
  return whole(units);
}

void Interferers::reset(std::size_t most, const V3& origin) {
  n_ = 0;
  origin_ = origin;
  most = (most + 3) / 4 * 4;
  if (units_.size() >= most) return;
  for (std::vector<float>* column : {&x_, &y_, &z_, &at_reference_, &cut_off2_}) column->resize(most);
  sender_.resize(most), packet_.resize(most), units_.resize(most);
}

void Interferers::add(const OnAir& q, std::uint32_t index) {
  x_[n_] = static_cast<float>(q.position.x - origin_.x);
  y_[n_] = static_cast<float>(q.position.y - origin_.y);
  z_[n_] = static_cast<float>(q.position.z - origin_.z);
  at_reference_[n_] = static_cast<float>(q.at_reference);
  cut_off2_[n_] = static_cast<float>(q.cut_off * q.cut_off);
  sender_[n_] = q.sender;
  packet_[n_++] = index;
}

void Interferers::arrange(const std::vector<OnAir>& air, std::int64_t start, std::int64_t end) {
  // fours are filled up with some that nobody hears
  for (std::size_t k = n_; k % 4 != 0; ++k) x_[k] = y_[k] = z_[k] = at_reference_[k] = cut_off2_[k] = 0;

  std::int64_t last_begin = start, first_end = end;
  for (std::size_t k = 0; k < n_; ++k) {
    last_begin = std::max(last_begin, air[packet_[k]].start);
    first_end = std::min(first_end, air[packet_[k]].end);
  }
  at_once_ = last_begin < first_end;
  if (at_once_) return;
  first_.clear(), events_.clear();
  for (std::uint32_t k = 0; k < n_; ++k) {
    const OnAir& q = air[packet_[k]];
    if (q.start <= start)
      first_.push_back(k);
    else
      events_.push_back(static_cast<std::uint64_t>(q.start - start) << kEventShift | kBegins | k);
    if (q.end < end) events_.push_back(static_cast<std::uint64_t>(q.end - start) << kEventShift | k);
  }
  std::sort(events_.begin(), events_.end());
}

bool Interferers::has(std::uint64_t sender) const {
  const auto end = sender_.begin() + static_cast<std::ptrdiff_t>(n_);
  return std::find(sender_.begin(), end, sender) != end;
}

void Interferers::hear(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place) {
  const Columns columns{x_.data(), y_.data(), z_.data(), at_reference_.data(), cut_off2_.data(), n_};
  const bool done = with_plain_ear(ether, place - origin_, [&](const auto& ear) {
    for (std::size_t k = 0; k < n_; k += 4) {
      const Quad units = ear.units(columns, k);
      for (std::size_t j = 0; j < 4; ++j) units_[k + j] = static_cast<std::uint64_t>(static_cast<std::int64_t>(units[j]));
    }
  });
  if (done) return;
  for (std::size_t k = 0; k < n_; ++k) {
    const OnAir& q = air[packet_[k]];
    units_[k] = distance2(q.position, place) <= q.cut_off * q.cut_off ? interferer_units(ether, q, receiver.chance(), place) : 0;
  }
}

Interferers::Sum Interferers::at(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place, bool sends) {
  Sum sum;
  if (at_once_ && !sends && n_ < kNeverFull) {
    const Columns columns{x_.data(), y_.data(), z_.data(), at_reference_.data(), cut_off2_.data(), n_};
    if (with_plain_ear(ether, place - origin_, [&](const auto& ear) { sum = add_up(ear, columns); })) return sum;
  }
  hear(ether, air, receiver, place);
  for (std::size_t k = 0; sends && k < n_; ++k)
    if (sender_[k] == receiver.id) units_[k] = 0;

  if (at_once_) {
    for (std::size_t k = 0; k < n_; ++k) {
      sum.strongest = std::max(sum.strongest, units_[k]);
      sum.worst = std::min(sum.worst + units_[k], kFullSum);
    }
    return sum;
  }
  // a sum that goes up and down must not stop at a limit on its way
  for (std::size_t k = 0; k < n_; ++k) sum.strongest = std::max(sum.strongest, units_[k]);
  unsigned __int128 now = 0;
  for (const std::uint32_t k : first_) now += units_[k];
  unsigned __int128 most = now;
  for (const std::uint64_t event : events_) {
    const std::uint64_t units = units_[event & (kBegins - 1)];
    if ((event & kBegins) != 0)
      most = std::max(most, now += units);
    else
      now -= units;
  }
  sum.worst = most < kFullSum ? static_cast<std::uint64_t>(most) : kFullSum;
  return sum;
}

}  // namespace volary::swarm
