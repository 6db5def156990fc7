// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/look.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/type_list.hpp"
#include "math/functions.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

using Json = nlohmann::json;

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
    } else if constexpr (std::is_same_v<T, std::vector<airframe::EffectorDef>>) {
      look.effectors = value;
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

Look look_of_multirotor(const airframe::MultirotorDef& def) {
  return look_of(Airframe{"multirotor", def.name, std::make_shared<airframe::MultirotorDef>(def)});
}

// with the rotors of all its aircraft, and each aircraft by itself
Look look_of_platform(const airframe::PlatformDef& def) {
  Look look = look_of_multirotor(airframe::as_one_body(def));
  look.centre = def.centre.size;
  look.effectors = def.effectors;
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    Look aircraft = look_of_multirotor(def.aircraft[i]);
    look.parts.push_back({def.parts[i].joint, def.parts[i].yaw, def.parts[i].link, std::move(aircraft.rotors), aircraft.size, std::move(aircraft.effectors)});
  }
  return look;
}

}  // namespace

Look look_of(const Airframe& airframe) {
  if (airframe.model == "platform" && airframe.definition != nullptr)
    return look_of_platform(*static_cast<const airframe::PlatformDef*>(airframe.definition.get()));
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

// ---------------------------------------------------------------- as pages are told

Json rotors_of(const std::vector<Look::Rotor>& rotors) {
  Json list = Json::array();
  for (const Look::Rotor& r : rotors) {
    Json rotor = {r.hub[0], r.hub[1], r.hub[2], r.spin};
    if (r.radius > 0) rotor.insert(rotor.end(), {r.axis[0], r.axis[1], r.axis[2], r.radius});
    list.push_back(std::move(rotor));
  }
  return list;
}

namespace {

template <class E> const char* word(E e) { return names(e)[static_cast<std::size_t>(e)]; }

Json effector_json(const airframe::EffectorDef& e) {
  Json effector = {{"kind", word(e.kind)}, {"position", e.position}, {"direction", e.direction}, {"length", e.length}, {"radius", e.radius}};
  if (e.kind == airframe::EffectorKind::Cone) effector["mouth"] = e.mouth;
  return effector;
}
Json effectors_json(const std::vector<airframe::EffectorDef>& effectors) {
  Json list = Json::array();
  for (const airframe::EffectorDef& e : effectors) list.push_back(effector_json(e));
  return list;
}
Json part_json(const Look::Part& p) {
  Json part = {{"joint", p.joint}, {"yaw", p.yaw}, {"link", word(p.link.kind)}, {"size_m", p.size}, {"rotors", rotors_of(p.rotors)}};
  if (p.link.kind == airframe::LinkKind::Hinge) part["axis"] = p.link.axis;
  if (!p.effectors.empty()) part["effectors"] = effectors_json(p.effectors);
  return part;
}

}  // namespace

Json body_of(const Look& look) {
  Json body = Json::object();
  if (!look.parts.empty()) {
    body["centre"] = look.centre;
    for (const Look::Part& p : look.parts) body["parts"].push_back(part_json(p));
  }
  if (!look.effectors.empty()) body["effectors"] = effectors_json(look.effectors);
  return body;
}

// ---------------------------------------------------------------- walls and funnels

namespace {

// corners in axes that a yaw and a pitch turn, and the triangles between them
class Mesh {
 public:
  Mesh(const Vec& origin_W, double yaw, double pitch) : origin_W_(origin_W) {
    double sy, cy, sp, cp;
    math::sincos(yaw, sy, cy);
    math::sincos(pitch, sp, cp);
    ahead_ = {cp * cy, cp * sy, sp}, left_ = {-sy, cy, 0}, up_ = {-sp * cy, -sp * sy, cp};
  }
  // the number of the corner
  std::size_t add(double ahead, double left, double up) {
    for (std::size_t k = 0; k < 3; ++k) vertices_.push_back(rounded(origin_W_[k] + ahead * ahead_[k] + left * left_[k] + up * up_[k]));
    return n_++;
  }
  // counter-clockwise as seen from outside
  void quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    for (const std::size_t i : {a, b, c, a, c, d}) triangles_.push_back(i);
  }
  Json json(const std::string& name) const {
    return {{"name", name}, {"kind", "mesh"},         {"centre", {0.0, 0.0, 0.0}}, {"size", Json::array()},
            {"yaw", 0.0},   {"vertices", vertices_}, {"triangles", triangles_}};
  }

 private:
  static double rounded(double x) { return math::floor(x * 1e4 + 0.5) / 1e4; }  // a tenth of a millimetre

  Vec origin_W_, ahead_{}, left_{}, up_{};
  std::vector<double> vertices_;
  std::vector<std::size_t> triangles_;
  std::size_t n_ = 0;
};

Mesh mesh_of(const WallDef& w) {
  Mesh mesh(w.centre_W, w.yaw, w.pitch);
  std::size_t corner[2][4];
  constexpr double kAround[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  for (std::size_t back = 0; back < 2; ++back)
    for (std::size_t k = 0; k < 4; ++k) corner[back][k] = mesh.add(back == 0 ? 0 : -w.thickness, kAround[k][0] * w.width, kAround[k][1] * w.height);
  const auto& [front, back] = corner;
  mesh.quad(front[0], front[1], front[2], front[3]);
  mesh.quad(back[3], back[2], back[1], back[0]);
  for (std::size_t k = 0; k < 4; ++k) mesh.quad(front[k], back[k], back[(k + 1) % 4], front[(k + 1) % 4]);
  return mesh;
}

// an outline of the plates, inside and then outside, turned about the axis
Mesh mesh_of(const FunnelDef& f) {
  constexpr double kTurn = 6.28318530717958647692;
  Mesh mesh(f.mouth_W, f.yaw, f.pitch);
  const double t = f.thickness, throat = -f.taper, end = -f.taper - f.bore;
  const std::pair<double, double> outline[] = {{0, f.mouth_radius},   {throat, f.bore_radius},     {end, f.bore_radius},
                                               {end, f.bore_radius + t}, {throat, f.bore_radius + t}, {0, f.mouth_radius + t}};
  const std::size_t n = static_cast<std::size_t>(std::max(f.plates, 3)), m = std::size(outline);
  double s, c;
  math::sincos(0.5 * kTurn / static_cast<double>(n), s, c);
  const double corner = 1 / c;  // the plates touch the circle in their middles
  for (std::size_t k = 0; k < n; ++k) {
    math::sincos(kTurn * (static_cast<double>(k) + 0.5) / static_cast<double>(n), s, c);
    for (const auto& [ahead, radius] : outline) mesh.add(ahead, corner * radius * c, corner * radius * s);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t here = k * m, next = (k + 1) % n * m, j = (i + 1) % m;
      mesh.quad(here + i, next + i, next + j, here + j);
    }
  return mesh;
}

}  // namespace

Json structures_of(const std::vector<StructureDef>& structures) {
  Json list = Json::array();
  for (const StructureDef& s : structures) list.push_back(std::visit([&](const auto& shape) { return mesh_of(shape).json(s.name); }, s.shape));
  return list;
}

}  // namespace volary::scenario
