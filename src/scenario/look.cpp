// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/look.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "core/type_list.hpp"
#include "math/functions.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

// one rotor: the fields `position` and `spin`, whatever else there is
struct RotorVisitor {
  std::array<double, 4> rotor = {0, 0, 0, 1};
  template <class T> void field(const char* name, const T& value, const core::Info&) {
    const std::string_view field_name = name;
    if constexpr (std::is_same_v<T, std::array<double, 3>>) {
      if (field_name == "position") std::copy(value.begin(), value.end(), rotor.begin());
    } else if constexpr (std::is_same_v<T, int>) {
      if (field_name == "spin") rotor[3] = value;
    }
  }
};

struct LookVisitor {
  Look look;
  double lift = 0;  // N, of something that floats
  template <class T> void field(const char* name, const T& value, const core::Info&) {
    const std::string_view field_name = name;
    if constexpr (std::is_same_v<T, double>) {
      if (field_name == "lift") lift = value;
    } else if constexpr (requires(RotorVisitor v) { describe(value[0], v); }) {
      if (field_name != "rotors") return;
      for (const auto& item : value) {
        RotorVisitor rotor;
        describe(item, rotor);
        look.rotors.push_back(rotor.rotor);
      }
    }
  }
};

// the farthest hub and a propeller that leaves room for its neighbour
double span_of(const Look& look) {
  double farthest2 = 0, nearest2 = 1e12;
  for (std::size_t i = 0; i < look.rotors.size(); ++i) {
    const auto& a = look.rotors[i];
    farthest2 = std::max(farthest2, a[0] * a[0] + a[1] * a[1]);
    for (std::size_t k = 0; k < i; ++k) {
      const double dx = a[0] - look.rotors[k][0], dy = a[1] - look.rotors[k][1], d2 = dx * dx + dy * dy;
      if (d2 > 1e-6) nearest2 = std::min(nearest2, d2);
    }
  }
  const double propeller = nearest2 < 1e12 ? 0.9 * math::sqrt(nearest2) : 0.2;
  return 2 * math::sqrt(farthest2) + propeller;
}

}  // namespace

Look look_of(const Airframe& airframe) {
  LookVisitor visitor;
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (airframe.model == M::name && airframe.definition != nullptr) describe(*static_cast<const typename M::Def*>(airframe.definition.get()), visitor);
  });
  if (!visitor.look.rotors.empty()) {
    visitor.look.size = span_of(visitor.look);
  } else if (visitor.lift > 0) {
    // a sphere of the air it displaces: radius^3 = 3/4 lift / (pi rho g)
    const double volume = visitor.lift / (1.225 * 9.80665);
    visitor.look.size = 2 * math::exp(math::log(0.2387324146378430 * volume) / 3);
  }
  return visitor.look;
}

}  // namespace volary::scenario
