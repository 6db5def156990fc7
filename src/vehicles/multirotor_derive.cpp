// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_derive.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "vehicles/multirotor_gains.hpp"
#include "math/functions.hpp"

namespace volary::airframe {
namespace {

constexpr double kLeastPivot = 1e-6;   // of a Gram matrix with a unit diagonal: below it a rank is missing
constexpr double kRidge = 1e-3;        // keeps the compromise finite where ranks are missing
constexpr double kContactOmegaStep = 0.5;  // omega h of the stiffest contact mode
constexpr double kContactDamping = 0.7;    // and its damping ratio

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple cross(const Triple& a, const Triple& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double length(const Triple& a) { return math::sqrt(dot(a, a)); }
Triple unit(const Triple& a) {
  const double n = length(a);
  return n > 0 ? Triple{a[0] / n, a[1] / n, a[2] / n} : Triple{0, 0, 1};
}
double radius(const Triple& a) { return math::sqrt(a[0] * a[0] + a[1] * a[1]); }

// thrust along body z of all rotors at one speed, per newton of an ideal rotor
double upward_share(const MultirotorDef& def) {
  double sum = 0;
  for (const RotorDef& r : def.rotors) sum += r.efficiency * unit(r.axis)[2];
  return sum;
}

double hover_speed(const MultirotorDef& def, double gravity) { return speed_at(thrust_curve(def.motor), def.mass * gravity / upward_share(def)); }

double farthest_hub(const MultirotorDef& def) {
  double arm = 0;
  for (const RotorDef& r : def.rotors) arm = std::max(arm, radius(r.position));
  return arm;
}

// ---------------------------------------------------------------- pseudo-inverse

using Square = std::array<std::array<double, kAxes>, kAxes>;
using Gains = std::array<std::array<double, kAxes>, kMaxRotors>;

// a becomes its inverse (Gauss-Jordan, rows exchanged for the largest pivot); returns the smallest pivot
double invert(Square& a, std::size_t n) {
  Square inv{};
  for (std::size_t i = 0; i < n; ++i) inv[i][i] = 1;
  double smallest = 1e300;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (math::abs(a[r][c]) > math::abs(a[best][c])) best = r;
    std::swap(a[c], a[best]);
    std::swap(inv[c], inv[best]);
    const double pivot = a[c][c];
    smallest = std::min(smallest, math::abs(pivot));
    if (smallest < 1e-12) return 0;
    for (std::size_t k = 0; k < n; ++k) a[c][k] /= pivot, inv[c][k] /= pivot;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c];
      for (std::size_t k = 0; k < n; ++k) a[r][k] -= factor * a[c][k], inv[r][k] -= factor * inv[c][k];
    }
  }
  a = inv;
  return smallest;
}

// Bt (B Bt)^-1 of the first n axes. Axes are scaled to unit length first, so that ranks do not depend on
// units. Returns the smallest pivot: how far the axes are from depending on each other.
double pseudo_inverse(const Effectiveness& b, std::size_t n_axes, double ridge, Gains& out) {
  std::array<double, kAxes> scale{};
  Square gram{};
  for (std::size_t k = 0; k < n_axes; ++k) {
    double sum = 0;
    for (double x : b[k]) sum += x * x;
    scale[k] = sum > 1e-24 ? 1 / math::sqrt(sum) : 0;
  }
  for (std::size_t k = 0; k < n_axes; ++k) {
    for (std::size_t l = 0; l < n_axes; ++l) {
      for (std::size_t i = 0; i < kMaxRotors; ++i) gram[k][l] += (scale[k] * b[k][i]) * (scale[l] * b[l][i]);
    }
    gram[k][k] += ridge;
  }
  out = {};
  const double pivot = invert(gram, n_axes);
  if (pivot == 0) return 0;
  for (std::size_t i = 0; i < kMaxRotors; ++i) {
    for (std::size_t k = 0; k < n_axes; ++k) {
      for (std::size_t l = 0; l < n_axes; ++l) out[i][k] += (scale[l] * b[l][i]) * (gram[l][k] * scale[k]);
    }
  }
  return pivot;
}

void set_thrust_limits(const MultirotorDef& def, MixerRows& m) {
  const Curve thrust = thrust_curve(def.motor);
  for (std::size_t i = 0; i < def.rotors.size(); ++i) {
    m.lo[i] = std::max(def.rotors[i].efficiency * value(thrust, def.motor.speed_min), 0.0);
    m.hi[i] = def.rotors[i].efficiency * value(thrust, def.motor.speed_max);
  }
}

bool hover_fits(const MixerRows& m, double weight) {
  for (std::size_t i = 0; i < kMaxRotors; ++i) {
    const double f = m.gain[i][Thrust] * weight;
    if (f < m.lo[i] || f > m.hi[i]) return false;
  }
  return true;
}

}  // namespace

// ---------------------------------------------------------------- rotors

double value(const Curve& c, double speed) { return (c.c2 * speed + c.c1) * speed + c.c0; }

double speed_at(const Curve& c, double wanted) {
  const double under = c.c1 * c.c1 - 4 * c.c2 * (c.c0 - wanted);
  return under > 0 && c.c2 > 0 ? std::max((math::sqrt(under) - c.c1) / (2 * c.c2), 0.0) : 0;
}

Curve thrust_curve(const MotorDef& m) { return {m.thrust2, m.thrust1, m.thrust0}; }

Curve torque_curve(const MotorDef& m) {
  if (m.torque2 != 0 || m.torque1 != 0 || m.torque0 != 0) return {m.torque2, m.torque1, m.torque0};
  return {m.torque_ratio * m.thrust2, m.torque_ratio * m.thrust1, m.torque_ratio * m.thrust0};
}

// ---------------------------------------------------------------- allocation

Effectiveness effectiveness(const MultirotorDef& def, double gravity) {
  // with lower-order terms torque over thrust depends on the speed: hover is where it matters
  const double w = hover_speed(def, gravity), f = value(thrust_curve(def.motor), w);
  const double ratio = f > 0 ? value(torque_curve(def.motor), w) / f : 0;
  Effectiveness b{};
  for (std::size_t i = 0; i < def.rotors.size(); ++i) {
    const RotorDef& r = def.rotors[i];
    const Triple axis = unit(r.axis), lever = cross(r.position, axis);
    b[Thrust][i] = axis[2];
    for (std::size_t k = 0; k < 3; ++k) b[Roll + k][i] = lever[k] - r.spin * ratio * axis[k];
  }
  return b;
}

MixerRows derive_mixer(const MultirotorDef& def, double gravity, const std::vector<bool>& failed) {
  MixerRows m;
  set_thrust_limits(def, m);
  Effectiveness b = effectiveness(def, gravity);
  bool any_failed = false;
  for (std::size_t i = 0; i < std::min(failed.size(), def.rotors.size()); ++i) {
    if (!failed[i]) continue;
    any_failed = true;
    m.lo[i] = m.hi[i] = 0;
    for (auto& axis : b) axis[i] = 0;
  }
  // a damaged vehicle may have the rank and still need a negative thrust to hover without turning
  const bool full_rank = pseudo_inverse(b, 4, 0, m.gain) > kLeastPivot;
  if (full_rank && (!any_failed || hover_fits(m, def.mass * gravity))) return m;
  m.authority = Authority::NoYaw;
  if (pseudo_inverse(b, 3, 0, m.gain) > kLeastPivot) return m;
  m.authority = Authority::Partial;
  pseudo_inverse(b, 4, kRidge, m.gain);
  return m;
}

// Rotors at a limit are fixed one by one and the rest share what is left (redistributed pseudo-inverse).
std::vector<double> hover_thrusts(const MultirotorDef& def, double gravity) {
  const std::size_t n = def.rotors.size();
  const Effectiveness b = effectiveness(def, gravity);
  MixerRows limits;
  set_thrust_limits(def, limits);
  Effectiveness open = b;
  std::vector<double> f(n, 0);
  std::array<double, kAxes> wanted = {def.mass * gravity, 0, 0, 0};
  for (std::size_t round = 0; round <= n; ++round) {
    Gains gain;
    if (pseudo_inverse(open, 4, 0, gain) < kLeastPivot) return {};
    std::size_t worst = n;
    double excess = 1e-9 * def.mass * gravity;
    for (std::size_t i = 0; i < n; ++i) {
      if (open[Thrust][i] == 0 && open[Roll][i] == 0 && open[Pitch][i] == 0 && open[Yaw][i] == 0) continue;
      f[i] = 0;
      for (std::size_t k = 0; k < kAxes; ++k) f[i] += gain[i][k] * wanted[k];
      const double over = std::max(f[i] - limits.hi[i], limits.lo[i] - f[i]);
      if (over > excess) excess = over, worst = i;
    }
    if (worst == n) return f;
    f[worst] = std::clamp(f[worst], limits.lo[worst], limits.hi[worst]);
    for (std::size_t k = 0; k < kAxes; ++k) wanted[k] -= b[k][worst] * f[worst], open[k][worst] = 0;
  }
  return {};
}

// ---------------------------------------------------------------- figures

namespace {

// angular acceleration about one axis that fits beside the hover thrusts, in the weaker direction
double axis_authority(const MultirotorDef& def, const MixerRows& m, const std::vector<double>& hover, std::size_t axis) {
  double torque = 1e300;
  for (std::size_t i = 0; i < hover.size(); ++i) {
    const double gain = math::abs(m.gain[i][axis]);
    if (gain < 1e-12) continue;
    torque = std::min(torque, std::min(m.hi[i] - hover[i], hover[i] - m.lo[i]) / gain);
  }
  const Symmetric3 inv = inverse({def.inertia, def.inertia_products});
  return torque < 1e300 ? std::max(torque, 0.0) * inv.diagonal[axis - Roll] : 0;
}

// air speed at which drag takes a force; 0 where nothing holds it
double speed_against_drag(double force, double linear, double quadratic) {
  if (quadratic > 0) return (math::sqrt(linear * linear + 4 * quadratic * force) - linear) / (2 * quadratic);
  return linear > 0 ? force / linear : 0;
}

// the best over all tilts of: drag takes the horizontal thrust, axial flow takes the spare vertical thrust
double fastest_level(const MultirotorDef& def, const Figures& f) {
  const double linear = def.linear_drag[0] + f.rotor_drag;
  double best = 0;
  for (int k = 1; k < 100; ++k) {
    const double tilt = f.max_tilt * k / 100;
    double s, c;
    math::sincos(tilt, s, c);
    const double against_drag = speed_against_drag(f.weight * s / c, linear, def.quadratic_drag[0]);
    const double against_flow = def.motor.stall_speed * (1 - 1 / (f.thrust_to_weight * c)) / s;
    best = std::max(best, against_drag > 0 ? std::min(against_drag, against_flow) : against_flow);
  }
  return best;
}

// max_thrust (1 - v / stall) = weight + drag
double fastest_climb(const MultirotorDef& def, const Figures& f) {
  const double spare = f.max_thrust - f.weight;
  return spare > 0 ? speed_against_drag(spare, f.max_thrust / def.motor.stall_speed + def.linear_drag[2], def.quadratic_drag[2]) : 0;
}

}  // namespace

Figures figures(const MultirotorDef& def, double gravity) {
  Figures f;
  const MixerRows m = derive_mixer(def, gravity);
  for (std::size_t i = 0; i < def.rotors.size(); ++i) {
    const double up = unit(def.rotors[i].axis)[2];
    f.max_thrust += m.hi[i] * up;
    f.idle_thrust += m.lo[i] * up;
  }
  f.weight = def.mass * gravity;
  f.thrust_to_weight = f.max_thrust / f.weight;
  f.hover_speed = hover_speed(def, gravity);
  const double per_rotor = value(thrust_curve(def.motor), f.hover_speed);
  f.torque_ratio = per_rotor > 0 ? value(torque_curve(def.motor), f.hover_speed) / per_rotor : 0;
  f.rotor_drag = static_cast<double>(def.rotors.size()) * def.motor.drag * f.hover_speed;
  f.arm = farthest_hub(def);
  f.lag = (def.motor.time_constant_up + def.motor.time_constant_down) / 2;
  const std::vector<double> hover = hover_thrusts(def, gravity);
  for (std::size_t k = 0; k < 3; ++k) f.acceleration[k] = axis_authority(def, m, hover, Roll + k);
  f.max_tilt = f.thrust_to_weight > 1 ? math::acos(1 / f.thrust_to_weight) : 0;
  f.level_speed = fastest_level(def, f);
  f.climb_speed = fastest_climb(def, f);
  return f;
}

vehicles::Features needed_features(const MultirotorDef& def) {
  const MotorDef& m = def.motor;
  bool basic = m.thrust1 == 0 && m.thrust0 == 0 && m.torque1 == 0 && m.torque0 == 0 && m.drag == 0 && m.rolling == 0 && m.inertia == 0 &&
               m.stall_speed >= 1000 && def.quadratic_drag == Triple{0, 0, 0} && def.linear_drag[0] == def.linear_drag[1] &&
               def.linear_drag[0] == def.linear_drag[2];
  const std::size_t n = def.rotors.size();
  if (def.inertia_products != Triple{0, 0, 0} || (n != 4 && n != 6 && n != 8)) return vehicles::Features::Tilted;
  for (const RotorDef& r : def.rotors) {
    const Triple axis = unit(r.axis);
    if (axis[2] < 1 || r.position[2] != def.rotors[0].position[2] || r.efficiency != 1) return vehicles::Features::Tilted;
  }
  return basic ? vehicles::Features::Basic : vehicles::Features::Full;
}

// ---------------------------------------------------------------- inertia

Symmetric3 inverse(const Symmetric3& m) {
  const auto [xx, yy, zz] = m.diagonal;
  const auto [xy, xz, yz] = m.products;
  const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
  const double d = 1 / (xx * cxx + xy * cxy + xz * cxz);
  return {{cxx * d, (xx * zz - xz * xz) * d, (xx * yy - xy * xy) * d}, {cxy * d, cxz * d, (xy * xz - xx * yz) * d}};
}

// Jacobi's rotations; a 3 x 3 matrix is diagonal to the last bit well within twelve sweeps
Triple eigenvalues(const Symmetric3& m) {
  double a[3][3] = {
      {m.diagonal[0], m.products[0], m.products[1]}, {m.products[0], m.diagonal[1], m.products[2]}, {m.products[1], m.products[2], m.diagonal[2]}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (math::abs(theta) + math::sqrt(theta * theta + 1));
        const double c = 1 / math::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
      }
    }
  }
  Triple e = {a[0][0], a[1][1], a[2][2]};
  std::sort(e.begin(), e.end());
  return e;
}

// ---------------------------------------------------------------- contact

namespace {

// The corners of the rectangle that holds the hubs, pulled in to the circle through the farthest hub:
// under the rotors of a cross, between those of a plus, and always round the centre of mass.
std::array<Triple, 4> corners(const MultirotorDef& def, double z) {
  double x = 0, y = 0;
  for (const RotorDef& r : def.rotors) x = std::max(x, math::abs(r.position[0])), y = std::max(y, math::abs(r.position[1]));
  const double diagonal = radius({x, y, 0}), arm = farthest_hub(def);
  const double scale = diagonal > arm ? arm / diagonal : 1;
  x *= scale, y *= scale;
  return {Triple{x, y, z}, Triple{-x, y, z}, Triple{-x, -y, z}, Triple{x, -y, z}};
}

// Points that the file does not use stay at the centre of mass: every other point touches before they do.
void place_points(const MultirotorDef& def, ContactPlan& c) {
  const double arm = farthest_hub(def);
  double low = 0, high = 0;
  for (const RotorDef& r : def.rotors) low = std::min(low, r.position[2]), high = std::max(high, r.position[2]);
  const auto under = corners(def, std::min(-std::max(0.02, 0.2 * arm), low - 0.02));
  const auto top = corners(def, def.hull_top > 0 ? def.hull_top : std::max(high, 0.1 * arm));
  c.n_feet = def.feet.empty() ? 4 : static_cast<int>(std::min<std::size_t>(def.feet.size(), 4));
  for (std::size_t i = 0; i < 4; ++i) {
    if (static_cast<int>(i) < c.n_feet) c.point[i] = def.feet.empty() ? under[i] : def.feet[i];
    c.point[4 + i] = top[i];
  }
  for (const Triple& p : c.point) c.reach = std::max(c.reach, length(p));
}

// 1/kg: largest acceleration of a contact mode per unit of spring force. Modes of points that press
// together on the ground mix heave, roll and pitch; a single corner mixes heave with one rotation.
double mobility(const MultirotorDef& def, const ContactPlan& c) {
  const Triple root = {math::sqrt(def.mass), math::sqrt(def.inertia[0]), math::sqrt(def.inertia[1])};
  double worst = 1 / def.mass + c.reach * c.reach / eigenvalues({def.inertia, def.inertia_products})[0];
  for (std::size_t first : {std::size_t{0}, std::size_t{4}}) {
    Symmetric3 g;
    const std::size_t n = first == 0 ? static_cast<std::size_t>(c.n_feet) : 4;
    for (std::size_t i = first; i < first + n; ++i) {
      const Triple a = {1 / root[0], c.point[i][1] / root[1], -c.point[i][0] / root[2]};
      for (std::size_t k = 0; k < 3; ++k) g.diagonal[k] += a[k] * a[k];
      g.products[0] += a[0] * a[1], g.products[1] += a[0] * a[2], g.products[2] += a[1] * a[2];
    }
    worst = std::max(worst, eigenvalues(g)[2]);
  }
  return worst;
}

core::Error unstable(const char* field, const char* bound, double limit, const char* unit, double substep) {
  char message[160], suggestion[160];
  std::snprintf(message, sizeof message, "the contact would be unstable at a substep of %.4g s", substep);
  std::snprintf(suggestion, sizeof suggestion, "%s %.3g %s, or 0 to let the substep decide", bound, limit, unit);
  core::Error e;
  e.message = message, e.field = field, e.suggestion = suggestion;
  return e;
}

// A force held over a substep h is stable while k h / 2 < d (omega h / 4 < zeta) and d < 2 / (g h).
core::Status choose_springs(const MultirotorDef& def, double g, double h, ContactPlan& c) {
  const double omega = kContactOmegaStep / h;
  c.stiffness = def.foot_stiffness > 0 ? def.foot_stiffness : omega * omega / g;
  c.damping = def.foot_damping > 0 ? def.foot_damping : 2 * kContactDamping * math::sqrt(c.stiffness / g);
  const double most_damping = 2 / (g * h), most_stiffness = 2 * c.damping / h;
  if (c.damping >= most_damping && def.foot_damping > 0) return unstable("foot_damping", "below", most_damping, "N s/m", h);
  if (c.damping >= most_damping) {  // damping follows from stiffness here
    const double root = most_damping / (2 * kContactDamping);
    return unstable("foot_stiffness", "below", root * root * g, "N/m", h);
  }
  if (c.stiffness < most_stiffness) return core::ok();
  if (def.foot_stiffness > 0) return unstable("foot_stiffness", "below", most_stiffness, "N/m", h);
  return unstable("foot_damping", "above", c.stiffness * h / 2, "N s/m", h);
}

}  // namespace

// Small propellers have a thrust coefficient of about 0.1, T = 0.1 rho n^2 D^4; a third more or less is a twelfth of the radius.
double propeller_radius(const MotorDef& motor) {
  if (motor.radius > 0) return motor.radius;
  const double turns = motor.speed_max / 6.283185307179586, thrust = value(thrust_curve(motor), motor.speed_max);
  return 0.5 * math::sqrt(math::sqrt(std::max(thrust, 0.0) / (0.1 * 1.225 * turns * turns)));
}

Triple extent(const MultirotorDef& def) {
  ContactPlan c;
  place_points(def, c);
  const double propeller = propeller_radius(def.motor);
  const double arm = farthest_hub(def) + propeller;
  Triple half = {arm, arm, 0};
  for (const Triple& p : c.point)
    for (std::size_t k = 0; k < 3; ++k) half[k] = std::max(half[k], math::abs(p[k]));
  return half;
}

std::vector<Triple> feet_of(const MultirotorDef& def) {
  ContactPlan c;
  place_points(def, c);
  return {c.point.begin(), c.point.begin() + c.n_feet};
}

core::Result<ContactPlan> derive_contact(const MultirotorDef& def, double substep) {
  ContactPlan c;
  place_points(def, c);
  const core::Status springs = choose_springs(def, mobility(def, c), substep, c);
  if (!springs) return springs.error();

  // tangential: a foot stops within a few substeps, and all feet together do not overshoot
  double rho = 0, z = 0;
  for (int i = 0; i < c.n_feet; ++i) {
    rho = std::max(rho, radius(c.point[static_cast<std::size_t>(i)]));
    z = std::max(z, math::abs(c.point[static_cast<std::size_t>(i)][2]));
  }
  const double m = def.mass, turning = rho * rho / def.inertia[2] + z * z / std::min(def.inertia[0], def.inertia[1]);
  c.stopping = (m / c.n_feet) / (substep * (1 + m * turning));
  return c;
}

double rest_height(const MultirotorDef& def, double gravity, double substep) {
  const core::Result<ContactPlan> plan = derive_contact(def, substep);
  if (!plan) return 0;
  const ContactPlan& c = plan.value();
  double lowest = 0;
  int n = 0;
  for (int i = 0; i < c.n_feet; ++i) lowest = std::min(lowest, c.point[static_cast<std::size_t>(i)][2]);
  for (int i = 0; i < c.n_feet; ++i) n += c.point[static_cast<std::size_t>(i)][2] < lowest + 1e-3 ? 1 : 0;
  return -lowest - def.mass * gravity / (n * c.stiffness);
}

// ---------------------------------------------------------------- everything

namespace {

void pad_rotors(Derived& d, const std::vector<bool>& failed) {
  const double plane = d.def.rotors[0].position[2];
  for (std::size_t i = 0; i < kMaxRotors; ++i) {
    if (i >= d.def.rotors.size()) {
      // spin and efficiency 0 silence thrust, torque, rolling moment and momentum; speed 0 silences drag
      d.def.rotors.push_back({{0, 0, plane}, {0, 0, 1}, 0, 0});
      continue;
    }
    RotorDef& r = d.def.rotors[i];
    r.axis = unit(r.axis);
    d.spin[i] = r.spin;
    d.efficiency[i] = r.efficiency;
    d.inv_efficiency[i] = 1 / r.efficiency;
    // a failed rotor runs down to a stop instead of to idle
    const bool dead = i < failed.size() && failed[i];
    d.speed_min[i] = dead ? 0 : d.def.motor.speed_min;
    d.speed_max[i] = dead ? 0 : d.def.motor.speed_max;
  }
}

void set_motor_decay(Derived& d, double h) {
  const MotorDef& m = d.def.motor;
  d.rise_half = math::exp(-h / (2 * m.time_constant_up)), d.rise_full = math::exp(-h / m.time_constant_up);
  d.fall_half = math::exp(-h / (2 * m.time_constant_down)), d.fall_full = math::exp(-h / m.time_constant_down);
}

}  // namespace

core::Result<Derived> derive_all(const MultirotorDef& def, const EnvironmentDef& environment, const ControllerDef& controller, double substep,
                                 const std::vector<bool>& failed) {
  core::require(substep > 0, "derive: substep must be positive");
  if (const core::Status possible = check_multirotor(def); !possible) return possible.error();
  const core::Result<ContactPlan> contact = derive_contact(def, substep);
  if (!contact) return contact.error();

  Derived d;
  d.def = def;
  pad_rotors(d, failed);
  d.thrust = thrust_curve(def.motor), d.torque = torque_curve(def.motor);
  set_motor_decay(d, substep);
  d.inertia = {def.inertia, def.inertia_products}, d.inv_inertia = inverse(d.inertia);
  d.mixer = derive_mixer(def, environment.gravity, failed);
  d.contact = contact.value();
  d.ground = environment.ground ? environment.ground_height : kNoGround;
  d.gains = resolve_gains(controller, def, environment.gravity, substep);
  d.rate_integral_limit = rate_integral_limit(d.gains, figures(def, environment.gravity));
  return d;
}

}  // namespace volary::airframe
