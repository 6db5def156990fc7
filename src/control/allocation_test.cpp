// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What allocation promises, for every mixer that ships and every single failure, on thousands of random
// wrenches: limits always; then roll and pitch, then thrust, then yaw. Feasibility is worked out here by
// trying collective thrusts one by one, not by the formulas of the code.
#include "control/allocation.hpp"

#include <gtest/gtest.h>
#if __has_include(<rapidcheck.h>)
#include <rapidcheck.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/random.hpp"
#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using airframe::Authority;
using airframe::Effectiveness;
using test::kG;
using test::MultirotorDef;

constexpr double kPi = 3.14159265358979323846;

struct Case {
  std::string name;
  MultirotorDef def;
  std::vector<bool> failed;
  airframe::MixerRows rows;
  Effectiveness b;  // failed rotors do nothing
  control::Mixer<double, 8> mixer;
  double max_thrust = 0, roll_span = 0, pitch_span = 0, yaw_span = 0;  // what all rotors could at most
};

Case make_case(const std::string& name, const MultirotorDef& def, int failed) {
  Case c{name, def, std::vector<bool>(def.rotors.size(), false), {}, {}, {}};
  if (failed >= 0) {
    c.failed[static_cast<std::size_t>(failed)] = true;
    c.name += " without rotor " + std::to_string(failed);
  }
  c.rows = airframe::derive_mixer(def, kG, c.failed);
  c.mixer = airframe::mixer_params<8>(c.rows);
  c.b = airframe::effectiveness(def, kG);
  for (std::size_t i = 0; i < 8; ++i) {
    if (i < c.failed.size() && c.failed[i])
      for (auto& axis : c.b) axis[i] = 0;
    c.max_thrust += c.rows.hi[i] * c.b[airframe::Thrust][i];
    c.roll_span += std::abs(c.b[airframe::Roll][i]) * c.rows.hi[i];
    c.pitch_span += std::abs(c.b[airframe::Pitch][i]) * c.rows.hi[i];
    c.yaw_span += std::abs(c.b[airframe::Yaw][i]) * c.rows.hi[i];
  }
  return c;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    const std::pair<const char*, MultirotorDef> airframes[] = {{"quad x", test::x500()},
                                                               {"quad +", test::star(4, 0.25, 0)},
                                                               {"hexa", test::star(6, 0.27, kPi / 6)},
                                                               {"octo", test::star(8, 0.4, kPi / 8)},
                                                               {"x8", test::coaxial_x8()}};
    for (const auto& [name, def] : airframes)
      for (int k = -1; k < static_cast<int>(def.rotors.size()); ++k) out.push_back(make_case(name, def, k));
    return out;
  }();
  return all;
}

struct Wrench {
  double thrust, roll, pitch, yaw;
};
using Thrusts = std::array<double, 8>;

Thrusts allocated(const Case& c, const Wrench& w) {
  const auto f = control::allocate(c.mixer, w.thrust, math::Vec3<double>{w.roll, w.pitch, w.yaw});
  Thrusts out;
  for (std::size_t i = 0; i < 8; ++i) out[i] = f.f[i];
  return out;
}
Wrench achieved(const Case& c, const Thrusts& f) {
  double sum[4] = {};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 8; ++i) sum[k] += c.b[k][i] * f[i];
  return {sum[0], sum[1], sum[2], sum[3]};
}

// whether this collective thrust lets every rotor carry its share of roll and pitch, yaw left out
bool carries(const Case& c, double thrust, double roll, double pitch, double slack) {
  for (std::size_t i = 0; i < 8; ++i) {
    const double f = c.rows.gain[i][airframe::Thrust] * thrust + c.rows.gain[i][airframe::Roll] * roll + c.rows.gain[i][airframe::Pitch] * pitch;
    if (f < c.rows.lo[i] - slack || f > c.rows.hi[i] + slack) return false;
  }
  return true;
}
// by trial: the least and the greatest collective thrust that carries roll and pitch
struct Range {
  bool any = false;
  double least = 0, most = 0, step = 0;
};
Range thrusts_that_carry(const Case& c, double roll, double pitch, double slack = 0) {
  Range r;
  r.step = 2 * c.max_thrust / 600;
  for (int k = -150; k <= 450; ++k) {
    const double t = r.step * k;
    if (!carries(c, t, roll, pitch, slack)) continue;
    if (!r.any) r.least = t;
    r.most = t, r.any = true;
  }
  return r;
}

bool at_a_limit(const Case& c, const Thrusts& f) {
  for (std::size_t i = 0; i < c.def.rotors.size(); ++i)
    if (!c.failed[i] && (f[i] < c.rows.lo[i] + 1e-9 || f[i] > c.rows.hi[i] - 1e-9)) return true;
  return false;
}

// the first promise that this wrench breaks, or nothing
std::string broken_promise(const Case& c, const Wrench& w) {
  const Thrusts f = allocated(c, w);
  const Wrench got = achieved(c, f);
  for (std::size_t i = 0; i < 8; ++i)
    if (!(f[i] >= c.rows.lo[i] && f[i] <= c.rows.hi[i])) return "rotor " + std::to_string(i) + " is outside its limits";

  const Range range = thrusts_that_carry(c, w.roll, w.pitch);
  const bool carried = range.any || carries(c, w.thrust, w.roll, w.pitch, 0);
  if (carried) {
    const double size = 1e-4 * std::max({std::abs(w.roll), std::abs(w.pitch), 1e-3 * c.roll_span});
    if (std::abs(got.roll - w.roll) > size || std::abs(got.pitch - w.pitch) > size) return "roll and pitch could be had and were not";
    if (carries(c, w.thrust, w.roll, w.pitch, 0)) {
      if (std::abs(got.thrust - w.thrust) > 1e-6 * c.max_thrust) return "thrust fits beside roll and pitch and was not given";
    } else if (range.any) {
      // never farther off than the nearest that fits without yaw; nearer where yaw happens to relieve a rotor
      const double nearest = std::clamp(w.thrust, range.least, range.most);
      if (std::abs(got.thrust - w.thrust) > std::abs(nearest - w.thrust) + 1.01 * range.step) return "thrust is farther off than the nearest that fits";
    }
  }

  // a rotor that sits at idle although its share is less adds a torque that nobody wanted: no yaw in those mixers
  if (c.rows.authority == Authority::All) {
    if (got.yaw * w.yaw < -1e-9 * c.yaw_span * c.yaw_span) return "yaw goes the wrong way";
    if (std::abs(got.yaw) > std::abs(w.yaw) + 1e-9 * c.yaw_span) return "more yaw than wanted";
    if (std::abs(got.yaw) < std::abs(w.yaw) - 1e-6 * c.yaw_span && !at_a_limit(c, f)) return "yaw was given up with no rotor at a limit";
  }
  // yaw is last: asking for it never costs thrust, roll or pitch
  const auto roll_pitch_off = [&](const Wrench& x) { return std::hypot(x.roll - w.roll, x.pitch - w.pitch); };
  const Wrench plain = achieved(c, allocated(c, {w.thrust, w.roll, w.pitch, 0}));
  if (roll_pitch_off(got) > roll_pitch_off(plain) + 1e-6 * c.roll_span) return "yaw costs roll or pitch";
  const double thrust_off = std::abs(got.thrust - w.thrust), plain_off = std::abs(plain.thrust - w.thrust);
  if (roll_pitch_off(got) < 1e-6 * c.roll_span && thrust_off > plain_off + 1e-6 * c.max_thrust) return "yaw costs thrust";
  // thrust is second: whatever is asked of it, roll and pitch get the same
  const Wrench other = achieved(c, allocated(c, {0.5 * c.max_thrust, w.roll, w.pitch, 0}));
  if (std::hypot(other.roll - plain.roll, other.pitch - plain.pitch) > 1e-6 * c.roll_span) return "thrust changed roll or pitch";
  return "";
}

// -1 to 1, more often small than large, so that fitting and saturated wrenches both come up
double around_zero(std::uint32_t word) {
  const double x = 2 * (word + 0.5) / 4294967296.0 - 1;
  return x * x * x;
}
Wrench random_wrench(const Case& c, std::uint64_t n) {
  const auto a = math::random_words<std::uint32_t>({1, 2}, 3, 4, math::Purpose::Test, n, 0);
  return {c.max_thrust * (1.5 * (a.w[0] / 4294967296.0) - 0.2), 1.2 * c.roll_span * around_zero(a.w[1]), 1.2 * c.pitch_span * around_zero(a.w[2]),
          1.2 * c.yaw_span * around_zero(a.w[3])};
}
std::string text(const Wrench& w) {
  return "thrust " + std::to_string(w.thrust) + " roll " + std::to_string(w.roll) + " pitch " + std::to_string(w.pitch) + " yaw " + std::to_string(w.yaw);
}

TEST(allocation, limits_come_first_then_roll_and_pitch_then_thrust_then_yaw) {
  for (const Case& c : cases()) {
    int faults = 0, saturated = 0;
    for (std::uint64_t k = 0; k < 3000 && faults < 3; ++k) {
      const Wrench w = random_wrench(c, k);
      const std::string fault = broken_promise(c, w);
      if (!fault.empty()) ++faults, ADD_FAILURE() << c.name << ": " << fault << "\n  " << text(w);
      saturated += at_a_limit(c, allocated(c, w)) ? 1 : 0;
    }
    if (faults == 0) {
      EXPECT_GT(saturated, 300) << c.name;
    }
  }
}

#if __has_include(<rapidcheck.h>)
TEST(allocation, no_wrench_that_rapidcheck_finds_breaks_a_promise) {
  const bool good = rc::check([] {
    const Case& c = cases()[*rc::gen::inRange<std::size_t>(0, cases().size())];
    const auto part = [] { return *rc::gen::inRange(-1500, 1501) / 1000.0; };
    const Wrench w = {c.max_thrust * part(), c.roll_span * part(), c.pitch_span * part(), c.yaw_span * part()};
    const std::string fault = broken_promise(c, w);
    if (!fault.empty()) RC_FAIL(c.name + ": " + fault + ", " + text(w));
  });
  EXPECT_TRUE(good);
}
#endif

TEST(allocation, wrench_that_fits_is_reproduced) {
  for (const Case& c : cases()) {
    if (c.rows.authority != Authority::All) continue;
    int fitting = 0;
    for (std::uint64_t k = 0; k < 3000; ++k) {
      Wrench w = random_wrench(c, k);
      w.roll *= 0.2, w.pitch *= 0.2, w.yaw *= 0.2;
      bool fits = true;
      for (std::size_t i = 0; i < 8; ++i) {
        const auto& g = c.rows.gain[i];
        const double f = g[airframe::Thrust] * w.thrust + g[airframe::Roll] * w.roll + g[airframe::Pitch] * w.pitch + g[airframe::Yaw] * w.yaw;
        fits = fits && f >= c.rows.lo[i] && f <= c.rows.hi[i];
      }
      if (!fits) continue;
      ++fitting;
      const Wrench got = achieved(c, allocated(c, w));
      ASSERT_NEAR(got.thrust, w.thrust, 1e-9) << c.name;
      ASSERT_NEAR(got.roll, w.roll, 1e-9) << c.name;
      ASSERT_NEAR(got.pitch, w.pitch, 1e-9) << c.name;
      ASSERT_NEAR(got.yaw, w.yaw, 1e-9) << c.name;
    }
    EXPECT_GT(fitting, 300) << c.name;
  }
}

// beyond what any thrust can carry: shortened, as much as must be and no more, and not turned
TEST(allocation, roll_and_pitch_beyond_reach_keep_their_direction_and_as_much_as_fits) {
  for (const Case& c : cases()) {
    const bool each_rotor_lifts = std::none_of(c.mixer.inv_thrust, c.mixer.inv_thrust + c.def.rotors.size(), [](double x) { return x == 0; });
    if (!each_rotor_lifts) continue;
    int beyond = 0;
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const Wrench w = random_wrench(c, k + 50000);
      if (thrusts_that_carry(c, w.roll, w.pitch, 1e-3).any) continue;
      ++beyond;
      const Wrench got = achieved(c, allocated(c, w));
      const double size = std::hypot(w.roll, w.pitch), share = (got.roll * w.roll + got.pitch * w.pitch) / (size * size);
      ASSERT_NEAR(got.roll * w.pitch - got.pitch * w.roll, 0, 1e-6 * size * size) << c.name << " " << text(w);
      ASSERT_GE(share, 0) << c.name << " " << text(w);
      ASSERT_FALSE(thrusts_that_carry(c, 1.02 * share * w.roll, 1.02 * share * w.pitch).any) << c.name << " " << text(w) << " share " << share;
    }
    EXPECT_GT(beyond, 30) << c.name;
  }
}

TEST(allocation, float_gives_what_double_gives) {
  for (const Case& c : cases()) {
    control::Mixer<float, 8> m;
    const auto* from = reinterpret_cast<const double*>(&c.mixer);
    auto* to = reinterpret_cast<float*>(&m);
    for (std::size_t k = 0; k < sizeof m / sizeof(float); ++k) to[k] = static_cast<float>(from[k]);
    for (std::uint64_t k = 0; k < 1000; ++k) {
      const Wrench w = random_wrench(c, k);
      const Thrusts exact = allocated(c, w);
      const math::Vec3<float> torque = {static_cast<float>(w.roll), static_cast<float>(w.pitch), static_cast<float>(w.yaw)};
      const auto f = control::allocate(m, static_cast<float>(w.thrust), torque);
      for (std::size_t i = 0; i < 8; ++i) {
        ASSERT_GE(f.f[i], m.lo[i]);
        ASSERT_LE(f.f[i], m.hi[i]);
        ASSERT_NEAR(f.f[i], exact[i], 1e-4 * c.max_thrust) << c.name << " rotor " << i << ", " << text(w);
      }
    }
  }
}

}  // namespace
}  // namespace volary
