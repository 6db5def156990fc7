// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/platform_def.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::airframe {

namespace {

using Matrix6 = std::array<Six, 6>;

constexpr double kSlack = 1e-9;        // relative: flat bodies meet the triangle inequality with equality
constexpr double kNoise = 1e-12;       // of eigenvectors
constexpr double kNone = 1e-9;         // share of the greatest eigenvalue below which a direction is not driven
constexpr double kTooWeak = 1e-4;      // and below which it is driven, but not to any use
constexpr double kStill = 1e-6;        // m/s per rad/s, and the other way round: what does not move
constexpr double kBalance = 1e-6;        // m
constexpr double kMostLean = 0.1;        // rad, at rest
constexpr double kMostHoverShare = 0.8;  // of the greatest thrust of an aircraft

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

Triple sum(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Triple minus(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Triple scaled(double s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }
Triple crossed(const Triple& a, const Triple& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double length(const Triple& a) { return math::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// a point mass at r, about the origin: -m (r^)^2
void add_point(Symmetric3& to, double mass, const Triple& r) {
  to.diagonal[0] += mass * (r[1] * r[1] + r[2] * r[2]);
  to.diagonal[1] += mass * (r[0] * r[0] + r[2] * r[2]);
  to.diagonal[2] += mass * (r[0] * r[0] + r[1] * r[1]);
  to.products[0] -= mass * r[0] * r[1], to.products[1] -= mass * r[0] * r[2], to.products[2] -= mass * r[1] * r[2];
}

// about its heading, to that of the platform
Triple turned(const Triple& v, double yaw) {
  double s, c;
  math::sincos(yaw, s, c);
  return {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
}

// M = [[m I, -m d0^], [m d0^, J]] times a twist
Six times_inertia(const Composite& c, const Six& x) {
  const Triple v = {x[0], x[1], x[2]}, w = {x[3], x[4], x[5]};
  const Triple f = scaled(c.mass, sum(v, crossed(w, c.centre)));
  const Triple d = crossed(scaled(c.mass, c.centre), v);
  const auto& [xx, yy, zz] = c.inertia.diagonal;
  const auto& [xy, xz, yz] = c.inertia.products;
  return {f[0], f[1], f[2], d[0] + xx * w[0] + xy * w[1] + xz * w[2], d[1] + xy * w[0] + yy * w[1] + yz * w[2], d[2] + xz * w[0] + yz * w[1] + zz * w[2]};
}

double inner(const Six& a, const Six& b) {
  double s = 0;
  for (std::size_t k = 0; k < 6; ++k) s += a[k] * b[k];
  return s;
}

// Jacobi's rotations: eigenvalues on the diagonal of `a`, eigenvectors in the columns of the result
Matrix6 diagonalise(Matrix6& a) {
  Matrix6 v{};
  for (std::size_t k = 0; k < 6; ++k) v[k][k] = 1;
  for (int sweep = 0; sweep < 40; ++sweep)
    for (std::size_t p = 0; p < 5; ++p)
      for (std::size_t q = p + 1; q < 6; ++q) {
        if (math::abs(a[p][q]) < 1e-300) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (math::abs(theta) + math::sqrt(theta * theta + 1));
        const double c = 1 / math::sqrt(t * t + 1), s = t * c;
        const auto turn = [&](double& x, double& y) {
          const double was = x;
          x = c * was - s * y, y = s * was + c * y;
        };
        for (std::size_t k = 0; k < 6; ++k) turn(a[k][p], a[k][q]);
        for (std::size_t k = 0; k < 6; ++k) turn(a[p][k], a[q][k]);
        for (std::size_t k = 0; k < 6; ++k) turn(v[k][p], v[k][q]);
      }
  return v;
}

struct Spectrum {
  Six value{};
  std::array<Six, 6> direction{};  // of each value
  double greatest = 0;
};
Spectrum spectrum(const std::vector<std::array<Six, 3>>& map) {
  Matrix6 g{};
  for (const auto& part : map)
    for (const Six& column : part)
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 6; ++c) g[r][c] += column[r] * column[c];
  const Matrix6 v = diagonalise(g);
  Spectrum s;
  for (std::size_t k = 0; k < 6; ++k) {
    s.value[k] = g[k][k];
    for (std::size_t r = 0; r < 6; ++r) s.direction[k][r] = v[r][k];
    s.greatest = std::max(s.greatest, s.value[k]);
  }
  return s;
}

bool is_ball(const PartDef& p) { return p.link.kind == LinkKind::Spherical; }
bool has_ball_joints_only(const PlatformDef& def) { return std::all_of(def.parts.begin(), def.parts.end(), is_ball); }

// what is left of a vector in the directions that a joint keeps an aircraft from turning about: all of it on a fixed one, what is across the axis of a hinge
Triple across(const LinkDef& link, const Triple& v) {
  if (link.kind == LinkKind::Fixed) return v;
  const Triple axis = scaled(1 / length(link.axis), link.axis);
  return minus(v, scaled(v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2], axis));
}

// The part of an axis that thrust can point along: all of it on a ball joint, on a hinge what lies in the plane that the aircraft turns in. That of a fixed one
// points along z.
Triple thrust_along(const LinkDef& link, std::size_t k) {
  Triple axis{};
  axis[k] = 1;
  if (link.kind == LinkKind::Spherical) return axis;
  return link.kind == LinkKind::Hinge ? across(link, axis) : Triple{0, 0, axis[2]};
}

// B of eqs. 5 and 6: the thrust of an aircraft acts in its joint
std::vector<std::array<Six, 3>> actuation_map(const PlatformDef& def) {
  std::vector<std::array<Six, 3>> map;
  for (const PartDef& p : def.parts) {
    std::array<Six, 3> columns;
    for (std::size_t k = 0; k < 3; ++k) {
      const Triple axis = thrust_along(p.link, k);
      const Triple torque = crossed(p.joint, axis);
      columns[k] = {axis[0], axis[1], axis[2], torque[0], torque[1], torque[2]};
    }
    map.push_back(columns);
  }
  return map;
}

// the moments of inertia of an aircraft about what it turns about together with the platform
void add_held(Symmetric3& to, const LinkDef& link, const MultirotorDef& aircraft, double yaw) {
  const auto& [xx, yy, zz] = aircraft.inertia;
  const auto& [xy, xz, yz] = aircraft.inertia_products;
  std::array<Triple, 3> column;
  for (std::size_t k = 0; k < 3; ++k) {
    Triple axis{};
    axis[k] = 1;
    const Triple w = turned(across(link, axis), -yaw);
    column[k] = across(link, turned({xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2], xz * w[0] + yz * w[1] + zz * w[2]}, yaw));
    to.diagonal[k] += column[k][k];
  }
  to.products[0] += column[1][0], to.products[1] += column[2][0], to.products[2] += column[2][1];
}

// The motion that no thrust drives, as a unit twist: of angular velocity 1, or of velocity 1 where it does not turn. Of its two directions the one whose first
// component that is not zero is positive.
void name_motion(Actuation& a, const PlatformDef& def) {
  const Triple w = {a.missing[3], a.missing[4], a.missing[5]}, v = {a.missing[0], a.missing[1], a.missing[2]};
  const Triple& main = length(w) > kStill ? w : v;
  const double size = length(main), first = math::abs(main[0]) > kNoise * size ? main[0] : math::abs(main[1]) > kNoise * size ? main[1] : main[2];
  for (double& x : a.missing) x = math::abs(x) > kNoise * size ? x * ((first < 0 ? -1 : 1) / size) : 0;
  const Triple velocity = {a.missing[0], a.missing[1], a.missing[2]}, omega = {a.missing[3], a.missing[4], a.missing[5]};
  const bool rests = length(w) > kStill && std::all_of(def.parts.begin(), def.parts.end(), [&](const PartDef& p) {
                       return length(sum(velocity, crossed(omega, p.joint))) < kStill;
                     });
  if (!rests && !has_ball_joints_only(def)) return;
  a.line = omega;
  a.through = def.parts.front().joint;
}

}  // namespace

Composite composite(const PlatformDef& def) {
  Composite c;
  Triple moment = scaled(def.centre.mass, def.centre.centre_of_mass);
  c.mass = def.centre.mass;
  c.inertia.diagonal = def.centre.inertia;
  add_point(c.inertia, def.centre.mass, def.centre.centre_of_mass);
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    const double mass = def.aircraft[i].mass;
    c.mass += mass;
    moment = sum(moment, scaled(mass, def.parts[i].joint));
    add_point(c.inertia, mass, def.parts[i].joint);
    if (!is_ball(def.parts[i])) add_held(c.inertia, def.parts[i].link, def.aircraft[i], def.parts[i].yaw);
  }
  c.centre = scaled(1 / c.mass, moment);
  c.central = c.inertia;
  add_point(c.central, -c.mass, c.centre);
  return c;
}

Actuation actuation(const PlatformDef& def) {
  Actuation a;
  a.map = actuation_map(def);
  const Composite whole = composite(def);
  const Spectrum s = spectrum(a.map);
  for (std::size_t k = 0; k < 6; ++k) a.rank += s.value[k] > kNone * s.greatest ? 1 : 0;
  if (a.rank == 5) {
    const std::size_t least = static_cast<std::size_t>(std::min_element(s.value.begin(), s.value.end()) - s.value.begin());
    a.missing = s.direction[least];
    name_motion(a, def);
  }

  // B^T (B B^T)^+, and before it the part of the wrench that can be done: P = I - M n n^T / (n^T M n), the u_a of eq. 16 with u_u = 0
  const Six weighed = times_inertia(whole, a.missing);
  const double weight = a.rank == 5 ? inner(a.missing, weighed) : 1;
  for (const auto& part : a.map) {
    std::array<Six, 3> rows{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Six inverse{};
      for (std::size_t k = 0; k < 6; ++k)
        if (s.value[k] > kNone * s.greatest)
          for (std::size_t c = 0; c < 6; ++c) inverse[c] += inner(part[axis], s.direction[k]) / s.value[k] * s.direction[k][c];
      const double lost = inner(inverse, weighed) / weight;
      for (std::size_t c = 0; c < 6; ++c) rows[axis][c] = inverse[c] - lost * a.missing[c];
    }
    a.allocation.push_back(rows);
  }
  return a;
}

bool has_line(const Actuation& a) { return a.rank == 5 && length(a.line) > 0; }

std::string name_missing(const Actuation& a) {
  if (a.rank != 5) return "";
  if (has_line(a))
    return fmt::format("torque about the line of joints: direction ({:.3g}, {:.3g}, {:.3g}) through ({:.3g}, {:.3g}, {:.3g}) m", a.line[0], a.line[1],
                       a.line[2], a.through[0], a.through[1], a.through[2]);
  const Triple v = {a.missing[0], a.missing[1], a.missing[2]}, w = {a.missing[3], a.missing[4], a.missing[5]};
  if (length(w) <= kStill) return fmt::format("force along ({:.3g}, {:.3g}, {:.3g})", v[0], v[1], v[2]);
  const Triple at = crossed(w, v);
  const double rise = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
  return fmt::format("torque about direction ({:.3g}, {:.3g}, {:.3g}) through ({:.3g}, {:.3g}, {:.3g}) m{}", w[0], w[1], w[2], at[0], at[1], at[2],
                     math::abs(rise) <= kStill ? "" : fmt::format(", which also moves it by {:.3g} m per rad", rise));
}

std::vector<double> hover_forces(const PlatformDef& def, double gravity) {
  const Composite c = composite(def);
  const double weight = c.mass * gravity;
  const Triple torque = crossed(c.centre, {0, 0, weight});
  const Six wanted = {0, 0, weight, torque[0], torque[1], torque[2]};
  std::vector<double> forces;
  for (const auto& rows : actuation(def).allocation) forces.push_back(length({inner(rows[0], wanted), inner(rows[1], wanted), inner(rows[2], wanted)}));
  return forces;
}

MultirotorDef as_one_body(const PlatformDef& def) {
  const Composite c = composite(def);
  MultirotorDef one;
  one.name = def.name;
  one.mass = c.mass;
  one.inertia = c.central.diagonal, one.inertia_products = c.central.products;
  Triple low = scaled(-0.5, def.centre.size), high = scaled(0.5, def.centre.size);
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    const MultirotorDef& aircraft = def.aircraft[i];
    if (i == 0 || propeller_radius(aircraft.motor) > propeller_radius(one.motor)) one.motor = aircraft.motor;
    for (RotorDef r : aircraft.rotors) {
      r.position = sum(def.parts[i].joint, turned(r.position, def.parts[i].yaw));
      high[2] = std::max(high[2], r.position[2]);
      one.rotors.push_back(r);
    }
    for (const Triple& foot : feet_of(aircraft)) {
      const Triple at = sum(def.parts[i].joint, turned(foot, def.parts[i].yaw));
      for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = k < 2 ? std::max(high[k], at[k]) : high[k];
    }
  }
  one.feet = def.feet;
  // the corners of the rectangle that holds all feet
  if (one.feet.empty()) one.feet = {{high[0], high[1], low[2]}, {low[0], high[1], low[2]}, {low[0], low[1], low[2]}, {high[0], low[1], low[2]}};
  one.hull_top = std::max(high[2], 0.02);
  return one;
}

Triple extent(const PlatformDef& def) { return extent(as_one_body(def)); }

namespace {

// thrust that turns about a hinge stays in one plane only where it lies across the hinge
core::Status check_joint(const LinkDef& link, const std::string& path) {
  core::Status s = check_link(link);
  if (!s) {
    core::Error e = s.error();
    e.field = path + e.field;
    return e;
  }
  if (link.kind == LinkKind::Hinge && math::abs(link.axis[2]) > kStill * length(link.axis))
    return refuse(path + "axis", "the hinge of an aircraft lies across its thrust", "[1, 0, 0], [0, 1, 0] or what lies between");
  return core::ok();
}

core::Status check_parts(const PlatformDef& def) {
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    const std::string path = fmt::format("parts[{}]", i);
    const MultirotorDef& aircraft = def.aircraft[i];
    if (aircraft.rotors.size() != 4 || needed_features(aircraft) == vehicles::Features::Tilted)
      return refuse(path + ".airframe", fmt::format("'{}' has not four equal rotors in one plane", aircraft.name), "a quadrotor such as f450 or x500");
    if (const core::Status s = check_joint(def.parts[i].link, path + ".link."); !s) return s;
    for (std::size_t k = 0; k < i; ++k)
      if (length(minus(def.parts[i].joint, def.parts[k].joint)) < 0.05)
        return refuse(path + ".joint", fmt::format("lies less than 5 cm from the joint of parts[{}]", k),
                      "aircraft side by side are at least their span apart");
  }
  return core::ok();
}

// aircraft whose propellers would cut into each other: on a ball joint each of them sweeps a sphere
core::Status check_room(const PlatformDef& def) {
  const auto radius = [&](std::size_t i) { return std::max(extent(def.aircraft[i])[0], extent(def.aircraft[i])[1]); };
  for (std::size_t i = 0; i < def.parts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const double distance = length(minus(def.parts[i].joint, def.parts[k].joint)), needed = radius(i) + radius(k);
      if (distance < needed)
        return refuse(fmt::format("parts[{}].joint", i),
                      fmt::format("its aircraft overlaps that of parts[{}]: {:.3g} m apart, {:.3g} m needed", k, distance, needed),
                      "joints farther apart, or smaller aircraft");
    }
  return core::ok();
}

// what the aircraft can do together has to be all but, for joints on a line, the torque about it
core::Status check_actuation(const PlatformDef& def, const Actuation& a) {
  if (!has_ball_joints_only(def)) {
    const char* hint = "ball joints, or hinges about different axes";
    if (a.rank < 5) return refuse("parts", fmt::format("with these joints, thrust drives only {} of 6 directions", a.rank), hint);
    if (a.rank == 5 && !has_line(a)) return refuse("parts", "with these joints, the platform has no " + name_missing(a), hint);
  }
  if (a.rank < 5) return refuse("parts", "the joints lie in one place: no aircraft can turn the platform", "joints on a line or in a triangle");
  const Spectrum s = spectrum(a.map);
  for (const double value : s.value)
    if (value > kNone * s.greatest && value < kTooWeak * s.greatest)
      return has_ball_joints_only(def) ? refuse("parts", "the joints lie almost on one line: thrust can hardly turn the platform about it",
                                                "all joints exactly on the line, or one of them farther away from it")
                                       : refuse("parts", "thrust can hardly drive one of the six directions", "joints and hinges that differ more");
  return core::ok();
}

// No thrust turns a line about itself: it hangs from its joints as a pendulum does.
core::Status check_balance(const Composite& whole, const Actuation& a) {
  if (!has_line(a)) return core::ok();
  const Triple arm = minus(whole.centre, a.through);
  const double along = arm[0] * a.line[0] + arm[1] * a.line[1] + arm[2] * a.line[2];
  const double above = arm[2] - along * a.line[2], aside = math::abs(a.line[0] * arm[1] - a.line[1] * arm[0]);
  const char* hint = "joints at the height of the centre of mass or above it";
  if (above > kBalance) return refuse("parts", fmt::format("the centre of mass lies {:.3g} m above the line of joints: the platform turns over", above), hint);
  if (aside > kBalance - kMostLean * above)
    return refuse("parts", fmt::format("the centre of mass lies {:.3g} m beside the line of joints: the platform cannot hover level", aside),
                  "a line above the centre of mass");
  return core::ok();
}

}  // namespace

core::Status check_platform(const PlatformDef& def) {
  const Triple& j = def.centre.inertia;
  for (std::size_t k = 0; k < 3; ++k)
    if (j[k] > (j[(k + 1) % 3] + j[(k + 2) % 3]) * (1 + kSlack))
      return refuse("centre.inertia", fmt::format("no body has moments of inertia of {:g}, {:g} and {:g} kg m2", j[0], j[1], j[2]),
                    "each moment is at most the sum of the other two");
  if (const core::Status s = check_parts(def); !s) return s;

  if (const core::Status effectors = check_effectors(def.effectors); !effectors) return effectors;

  const Actuation a = actuation(def);
  if (const core::Status drives = check_actuation(def, a); !drives) return drives;
  if (const core::Status room = check_room(def); !room) return room;
  if (const core::Status balance = check_balance(composite(def), a); !balance) return balance;
  const std::vector<double> hover = hover_forces(def, kStandardGravity);
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    const double most = figures(def.aircraft[i], kStandardGravity).max_thrust;
    if (hover[i] > kMostHoverShare * most)
      return refuse(fmt::format("parts[{}]", i), fmt::format("hovering takes {:.3g} N of an aircraft that has {:.3g} N", hover[i], most),
                    fmt::format("at most {:.0f} % of its thrust: a stronger aircraft, or less mass", 100 * kMostHoverShare));
  }
  return core::ok();
}

namespace {

// why MuJoCo moves the bodies in every flock, as has_joined_bodies() in scenario/joined_flocks.hpp decides it; empty: it need not
std::string reason_for_mujoco(const PlatformDef& def) {
  const auto has_effectors = [](const MultirotorDef& a) { return !a.effectors.empty(); };
  const auto is_other = [](const PartDef& p) { return !is_ball(p) || p.link.limit != 0 || p.link.friction != 0 || p.link.damping != 0; };
  if (std::any_of(def.parts.begin(), def.parts.end(), is_other)) return "MuJoCo moves the bodies: not all joints are plain ball joints";
  const bool touches = !def.effectors.empty() || std::any_of(def.aircraft.begin(), def.aircraft.end(), has_effectors);
  return touches ? "MuJoCo moves the bodies: there are end effectors" : "";
}

}  // namespace

std::vector<ReportRow> report_platform(const PlatformDef& def) {
  const Composite c = composite(def);
  const Actuation a = actuation(def);
  const std::vector<double> hover = hover_forces(def, kStandardGravity);
  std::vector<ReportRow> rows = {{"mass", c.mass, "kg", "with all aircraft"},
                                 {"centre_of_mass.x", c.centre[0], "m", "from the origin of the central body"},
                                 {"centre_of_mass.y", c.centre[1], "m", ""},
                                 {"centre_of_mass.z", c.centre[2], "m", ""},
                                 {"inertia.xx", c.inertia.diagonal[0], "kg m2", "about the origin"},
                                 {"inertia.yy", c.inertia.diagonal[1], "kg m2", ""},
                                 {"inertia.zz", c.inertia.diagonal[2], "kg m2", ""},
                                 {"rank", static_cast<double>(a.rank), "-", a.rank == 6 ? "fully actuated" : "under-actuated: no " + name_missing(a)}};
  for (std::size_t i = 0; i < hover.size(); ++i) {
    const double most = figures(def.aircraft[i], kStandardGravity).max_thrust;
    rows.push_back({fmt::format("part{}.hover", i + 1), hover[i], "N", fmt::format("{:.0f} % of the thrust of the aircraft", 100 * hover[i] / most)});
  }
  const std::string reason = reason_for_mujoco(def);
  rows.push_back({"joined", reason.empty() ? 0.0 : 1.0, "-",
                  reason.empty() ? "flies in pure form; a flock with joined: true, or one that docks, is moved by MuJoCo" : reason});
  return rows;
}

}  // namespace volary::airframe
