// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A vehicle that draws, and what it flies through: for the tests of single sensors, one vehicle and one number at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sensors/all.hpp"
#include "sensors/site.hpp"

namespace volary::sensors_test {

using namespace sensors;

// the identity rows of one vehicle
class Someone {
 public:
  explicit Someone(std::uint32_t id, std::uint64_t seed = 5) {
    const auto key = world_key(seed, 0);
    rows_[0] = id, rows_[2 * kBlock] = key.lo, rows_[3 * kBlock] = key.hi;
  }
  Draws<double> at(std::uint64_t tick) const& { return {{rows_}, tick}; }
  Draws<double> at(std::uint64_t tick) && = delete;  // draws read the rows where they are

 private:
  std::uint64_t rows_[4 * kBlock] = {};
};

inline Truth<double> at_rest(double x = 0, double y = 0, double z = 0) {
  return {{{x, y, z}, {0, 0, 0}}, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1.225, 0};
}
inline Quat<double> turned(double roll, double pitch, double yaw) {
  const auto about = [](double a, double x, double y, double z) {
    return Quat<double>{std::cos(a / 2), x * std::sin(a / 2), y * std::sin(a / 2), z * std::sin(a / 2)};
  };
  return about(yaw, 0, 0, 1) * about(pitch, 0, 1, 0) * about(roll, 1, 0, 0);
}

// one sensor of one vehicle, measured tick after tick
template <class X> class Measuring {
 public:
  using Def = typename X::Def;
  using Reading = typename X::template Reading<double>;
  Measuring(typename X::template Params<double> params, std::uint32_t id = 1, std::uint64_t seed = 5)
      : who(id, seed), params(params), scene(X::template clear<double>()), memory(X::begin(params, who.at(0))) {}
  explicit Measuring(const Def& def, double tick = 0.01, std::uint32_t id = 1, std::uint64_t seed = 5)
      : Measuring(X::derive(def, EnvironmentDef{}, tick), id, seed) {}

  const Reading& measure(const Truth<double>& truth, std::uint64_t tick) {
    return last = X::measure(truth, site(), scene, memory, last, params, fault, who.at(tick));
  }

  static const Site<double>& site() {
    static const Site<double> s = make_site(EnvironmentDef{});
    return s;
  }

  Someone who;
  typename X::template Params<double> params;
  typename X::template Scene<double> scene;
  typename X::template Memory<double> memory;
  FaultTerms<double> fault = no_fault<double>();
  Reading last = blank_reading<X, double>();
};

struct Moments {
  double mean = 0, deviation = 0;
};
inline Moments moments(const std::vector<double>& x) {
  double sum = 0, square = 0;
  for (const double v : x) sum += v;
  const double mean = sum / static_cast<double>(x.size());
  for (const double v : x) square += (v - mean) * (v - mean);
  return {mean, std::sqrt(square / static_cast<double>(x.size() - 1))};
}

}  // namespace volary::sensors_test
