// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/interference.hpp"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace volary::swarm {

namespace {

constexpr std::uint64_t kFullSum = std::uint64_t{1} << 63;  // a sum stays here: 8,192 interferers of 0 dBm

// an event: ns since the start of the packet, whether somebody begins, and who
constexpr int kEventShift = 24;
constexpr std::uint64_t kBegins = std::uint64_t{1} << (kEventShift - 1);

// four numbers in one register; operators come from the compiler
typedef float Quad __attribute__((vector_size(16)));
VOLARY_HD Quad all_four(float x) { return Quad{x, x, x, x}; }
VOLARY_HD Quad four_at(const float* p) {
  Quad x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}
VOLARY_HD Quad root(Quad x) {
#if defined(__SSE2__)
  return _mm_sqrt_ps(x);
#else
  return Quad{math::sqrt(x[0]), math::sqrt(x[1]), math::sqrt(x[2]), math::sqrt(x[3])};
#endif
}
// quarter_power of four
template <int Q> VOLARY_HD Quad quad_power(Quad x2) {
  Quad p = all_four(1);
  for (int k = 0; k < Q / 4; ++k) p *= x2;
  if constexpr (Q % 4 >= 2) p *= root(x2);
  if constexpr (Q % 2 == 1) p *= root(root(x2));
  return p;
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

// The inner loop of the whole medium: no shadowing, nothing in the way, an exponent that products and square roots can do. Four at a time.
template <int Q> void Interferers::hear_plain(const Propagation& propagation, const V3& place) {
  const Quad px = all_four(static_cast<float>(place.x - origin_.x)), py = all_four(static_cast<float>(place.y - origin_.y));
  const Quad pz = all_four(static_cast<float>(place.z - origin_.z)), per_reference2 = all_four(static_cast<float>(propagation.per_reference2));
  const Quad one = all_four(1), least = all_four(1e-12f), most = all_four(static_cast<float>(kMostUnits)), none = all_four(0);
  for (std::size_t k = 0; k < n_; k += 4) {
    const Quad dx = four_at(&x_[k]) - px, dy = four_at(&y_[k]) - py, dz = four_at(&z_[k]) - pz;
    const Quad d2 = dx * dx + dy * dy + dz * dz, x2 = d2 * per_reference2;
    // free space within the reference distance
    const Quad free = x2 > least ? x2 : least;
    const Quad divisor = x2 < one ? free : quad_power<Q>(x2);
    Quad units = four_at(&at_reference_[k]) / divisor;
    units = units < most ? units : most;
    units = d2 <= four_at(&cut_off2_[k]) ? units : none;
    for (std::size_t j = 0; j < 4; ++j) units_[k + j] = static_cast<std::uint64_t>(static_cast<std::int64_t>(units[j]));
  }
}

void Interferers::hear(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place) {
  const Propagation& p = ether.propagation;
  const bool plain = p.model == RadioModel::LogDistance && !p.has_shadowing && (ether.sight == nullptr || p.obstructed == 1);
  switch (plain ? p.quarters : 0) {
    case 4: return hear_plain<4>(p, place);
    case 5: return hear_plain<5>(p, place);
    case 6: return hear_plain<6>(p, place);
    case 7: return hear_plain<7>(p, place);
    case 8: return hear_plain<8>(p, place);
    case 9: return hear_plain<9>(p, place);
    case 10: return hear_plain<10>(p, place);
    case 11: return hear_plain<11>(p, place);
    case 12: return hear_plain<12>(p, place);
    default: break;
  }
  for (std::size_t k = 0; k < n_; ++k) {
    const OnAir& q = air[packet_[k]];
    units_[k] = distance2(q.position, place) <= q.cut_off * q.cut_off ? interferer_units(ether, q, receiver.chance(), place) : 0;
  }
}

Interferers::Sum Interferers::at(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place, bool sends) {
  hear(ether, air, receiver, place);
  for (std::size_t k = 0; sends && k < n_; ++k)
    if (sender_[k] == receiver.id) units_[k] = 0;

  Sum sum;
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
