// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the scenario that were changed in the middle of the run. The definition stays as it was given; what acts is the definition with the
// list of changes applied in order, so that a snapshot carries the list and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "volary/ids.hpp"
#include "volary/weather.hpp"

namespace volary {
struct SetField;
}

namespace volary::engine {

struct Data;

struct LiveField {
  std::uint32_t flock = kMedium;
  std::string path, value;

  static constexpr std::uint32_t kMedium = 0xffffffffu, kEnvironment = 0xfffffffeu;
  template <class F> void each_state(F& f) {
    f(flock);
    f(path);
    f(value);
  }
  friend bool operator==(const LiveField&, const LiveField&) = default;
};

// the mean wind of everybody, from now on
void set_wind(Data& d, const Vec& wind_W);
// changes a field from now on, or says in an event why not
void set_live(Data& d, VehicleId target, const SetField& field);
// why that would be refused; empty: it would not
std::string why_not(const Data& d, VehicleId target, const SetField& field);
// whether these changes can be made to this world's definition
bool live_fits(const Data& d, std::span<const LiveField> fields);
// back to the definition, and these changes instead of those made so far
void restore_live(Data& d, std::vector<LiveField> fields);
std::uint64_t hash_live(const Data& d);  // 0 where nothing was changed

}  // namespace volary::engine
