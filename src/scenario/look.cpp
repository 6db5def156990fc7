// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/look.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <type_traits>

#include "core/type_list.hpp"
#include "math/functions.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

// one rotor or wheel: the fields that say where it is, whatever else there is
struct PartVisitor {
  Look::Rotor part;
  template <class T> void field(const char* name, const T& value, const core::Info&) {
    const std::string_view field_name = name;
    if constexpr (std::is_same_v<T, std::array<double, 3>>) {
      if (field_name == "position") part.hub = value;
      if (field_name == "axis") part.axis = value;
    } else if constexpr (std::is_same_v<T, int>) {
      if (field_name == "spin") part.spin = value;
    } else if constexpr (std::is_same_v<T, double>) {
      if (field_name == "radius") part.radius = value;
    }
  }
};
template <class T> Look::Rotor part_of(const T& item) {
  PartVisitor visitor;
  describe(item, visitor);
  return visitor.part;
}

struct LookVisitor {
  Look look;
  double lift = 0;     // N, of something that floats
  std::string layout;  // of an aircraft
  std::string inside;  // the struct that is being visited

  template <class T> void field(const char* name, const T& value, const core::Info&) {
    const std::string_view field_name = name;
    if constexpr (std::is_same_v<T, double>) {
      number(field_name, value);
    } else if constexpr (std::is_enum_v<T>) {
      if (field_name == "layout") layout = names(value)[static_cast<std::size_t>(value)];
    } else if constexpr (requires(PartVisitor v) { describe(value[0], v); }) {
      for (const auto& item : value) {
        const Look::Rotor part = part_of(item);
        if (field_name == "rotors") look.rotors.push_back(part);
        if (field_name == "wheels") look.wheels.push_back(part.hub);
      }
    } else if constexpr (requires(LookVisitor v) { describe(value, v); }) {
      if (!inside.empty()) return;
      inside = field_name;
      describe(value, *this);
      inside.clear();
    }
  }
  void number(std::string_view name, double value) {
    struct Place {
      std::string_view inside, name;
      double& to;
    };
    for (const Place& p : {Place{"", "lift", lift},
                           {"wing", "span", look.span},
                           {"wing", "chord", look.chord},
                           {"", "wheelbase", look.wheelbase},
                           {"", "to_front", look.to_front},
                           {"", "length", look.length},
                           {"", "width", look.width},
                           {"", "height", look.height}})
      if (p.inside == inside && p.name == name) p.to = value;
  }
};

// the farthest hub and a propeller that leaves room for its neighbour
double span_of(const Look& look) {
  double farthest2 = 0, nearest2 = 1e12;
  for (std::size_t i = 0; i < look.rotors.size(); ++i) {
    const auto& a = look.rotors[i].hub;
    farthest2 = std::max(farthest2, a[0] * a[0] + a[1] * a[1]);
    for (std::size_t k = 0; k < i; ++k) {
      const auto& b = look.rotors[k].hub;
      const double dx = a[0] - b[0], dy = a[1] - b[1], d2 = dx * dx + dy * dy;
      if (d2 > 1e-6) nearest2 = std::min(nearest2, d2);
    }
  }
  const double propeller = nearest2 < 1e12 ? 0.9 * math::sqrt(nearest2) : 0.2;
  return 2 * math::sqrt(farthest2) + propeller;
}

}  // namespace

Look look_of(const Airframe& airframe) {
  if (airframe.model == "platform" && airframe.definition != nullptr) {
    // with the rotors of all its aircraft
    const auto& def = *static_cast<const airframe::PlatformDef*>(airframe.definition.get());
    return look_of(Airframe{"multirotor", airframe.name, std::make_shared<airframe::MultirotorDef>(airframe::as_one_body(def))});
  }
  LookVisitor visitor;
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (airframe.model == M::name && airframe.definition != nullptr) describe(*static_cast<const typename M::Def*>(airframe.definition.get()), visitor);
  });
  Look& look = visitor.look;
  if (look.wheelbase > 0) {
    look.kind = "car";
    look.size = look.length > 0 ? look.length : 1.6 * look.wheelbase;
  } else if (look.span > 0) {
    const bool tailed = visitor.layout != "flying_wing" && visitor.layout != "quadplane";
    look.kind = tailed ? "aeroplane" : visitor.layout;
    look.v_tail = visitor.layout == "v_tail";
    look.size = look.span;
  } else if (!look.rotors.empty()) {
    look.size = span_of(look);
  } else if (visitor.lift > 0) {
    // a sphere of the air it displaces: radius^3 = 3/4 lift / (pi rho g)
    const double volume = visitor.lift / (1.225 * 9.80665);
    look.size = 2 * math::exp(math::log(0.2387324146378430 * volume) / 3);
  }
  return look;
}

}  // namespace volary::scenario
