// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/impairment.hpp"

#include <algorithm>

namespace volary::cluster {

namespace {

// a share of all 32-bit draws
std::uint64_t share(double x) { return static_cast<std::uint64_t>(x * 4294967296.0); }
using Words = math::Words4<std::uint32_t>;
Words draw(const math::RandomKey<std::uint32_t>& key, std::uint64_t link, std::uint64_t number, std::uint32_t use) {
  return math::random_words<std::uint32_t>(key, static_cast<std::uint32_t>(link), static_cast<std::uint32_t>(link >> 32), math::Purpose::Impairment, number,
                                           use);
}
Time nanoseconds(double seconds) { return static_cast<Time>(seconds * 1e9 + 0.5); }

core::Status check_one(const char* name, double x, double most, const char* allowed) {
  if (x >= 0 && x <= most) return core::ok();
  return core::Error{.message = std::string("is out of bounds; allowed is ") + allowed, .field = name};
}

}  // namespace

core::Status check_impairment(const ImpairmentOptions& o) {
  constexpr double kMost = 0.999;
  const char* shares = "a share from 0 to 0.999";
  for (const core::Status& s : {check_one("loss", o.loss, kMost, shares), check_one("duplicate", o.duplicate, 1, "a share from 0 to 1"),
                                check_one("reorder", o.reorder, 1, "a share from 0 to 1"), check_one("burst", o.burst, kMost, shares),
                                check_one("delay", o.delay, 60, "a time from 0 to 60 s"), check_one("jitter", o.jitter, o.delay, "a time from 0 to the delay"),
                                check_one("burst_length", o.burst_length, 60, "a time from 0 to 60 s")})
    if (!s) return s;
  if (o.burst > 0 && o.burst_length < 1e-3) return core::Error{.message = "is out of bounds; allowed is a time from 0.001 to 60 s", .field = "burst_length"};
  return core::ok();
}

Impairment::Impairment(const ImpairmentOptions& o) : options_(o), key_(math::world_key(o.seed, 0)) {
  core::require(static_cast<bool>(check_impairment(o)), "options of an impairment are checked before");
  loss_ = share(o.loss), duplicate_ = share(o.duplicate), reorder_ = share(o.reorder), burst_ = share(o.burst);
  least_ = nanoseconds(o.delay - o.jitter), spread_ = 2 * nanoseconds(o.jitter);
  hold_ = std::max<Time>(nanoseconds(o.delay + o.jitter), 1'000'000);
  burst_length_ = std::max<Time>(nanoseconds(o.burst_length), 1);
  draws_ = (loss_ | duplicate_ | reorder_) != 0 || spread_ > 0;
}

Deliveries Impairment::deliver(std::uint64_t link, std::uint64_t message, Time now) const {
  Deliveries out;
  if (burst_ != 0 && is_in_burst(link, now)) return out;
  if (!draws_) {
    out.at[0] = now + least_, out.count = 1;
    return out;
  }
  const Words words = draw(key_, link, message, 0);
  // sixteen bits say whether it is doubled, sixteen whether it is held back; a copy may be lost by itself
  const bool doubled = (words.w[3] & 0xffffu) < (duplicate_ >> 16), held = (words.w[3] >> 16) < (reorder_ >> 16);
  if (words.w[0] >= loss_) out.at[static_cast<std::size_t>(out.count++)] = now + late(words.w[1], held);
  if (doubled && words.w[2] >= loss_) out.at[static_cast<std::size_t>(out.count++)] = now + late(words.w[2] ^ (words.w[1] << 7), false);
  return out;
}

Time Impairment::late(std::uint32_t draw, bool held) const {
  const auto drawn = static_cast<Time>((static_cast<std::uint64_t>(draw) * static_cast<std::uint64_t>(spread_)) >> 32);
  return least_ + drawn + (held ? hold_ : 0);
}

bool Impairment::is_in_burst(std::uint64_t link, Time now) const {
  const auto slot = static_cast<std::uint64_t>(now / burst_length_);
  const Words words = draw(key_, link, slot, 1);
  return words.w[0] < burst_;
}

}  // namespace volary::cluster
