// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/tracking_flight.hpp"

#include <algorithm>

#include "math/euler.hpp"
#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"
#include "vehicles/multirotor_tick.hpp"

namespace volary::validation {

namespace {

using math::Vec3;
constexpr int kRotors = airframe::kMaxRotors;
using Craft = vehicles::Variant<kRotors, vehicles::Features::Tilted>;
using FlyingAgent = vehicles::Agent<Craft, vehicles::Control::Ladder, double>;

constexpr double kTick = 0.01;    // s: the recorded autopilot's period
constexpr int kSubsteps = 4;
constexpr double kIdentifiedShare = 0.3;  // of a flight, its first part
constexpr double kPlenty = 1e3;   // a limit that the recorded autopilot does not have

// what may be identified on: in the air and not scored
bool is_known(const TrackingLog& log, const Span& scored, double time) { return log.airborne.holds(time) && (time < scored.from || time > scored.to); }

// the mass that the mean commanded thrust would hold up, from row to row where both are known
double carried_mass(const TrackingLog& log, const Span& scored) {
  double impulse = 0, rise = 0, length = 0;
  for (std::size_t k = 0; k + 1 < log.rows.size(); ++k) {
    const TrackedRow &r = log.rows[k], &next = log.rows[k + 1];
    if (!is_known(log, scored, r.time) || !is_known(log, scored, next.time) || (r.time < scored.from && next.time > scored.to)) continue;
    const double dt = next.time - r.time;
    impulse += dt * r.thrust * math::body_z_W(r.attitude).z;
    rise += next.velocity.z - r.velocity.z;
    length += dt;
  }
  return impulse / (kGravity * length + rise);
}

// The recorded law turns the wanted force into body axes and reads its angles as if they were the attitude to reach: wanted is w - a where the vehicle
// is at a and should be at w. P (w - 2 a) is 2 P (w/2 - a): half the horizontal acceleration over twice the gain. The slope of that target is fed
// forward, but taken with a clock that runs k times too fast: D ((w' - a') / k - a') is D (1 + 1/k) (2 / (k + 1) w'/2 - a').
struct FlownGains {
  Vec3<double> p, d, i;                  // of position, W
  double forward = 0.5;                  // of the horizontal acceleration
  double slope_forward = 0;              // of the slope of the target's tilt
  std::array<double, 3> angle_p{}, angle_d{}, angle_i{};
};
FlownGains flown_gains(const PidGains& g, double rate) {
  FlownGains f;
  f.slope_forward = 2 / (rate + 1);
  // north, east, down to east, north, up
  f.p = {g.position_p[1] / 2, g.position_p[0] / 2, g.position_p[2]};
  f.d = {g.position_d[1] / 2, g.position_d[0] / 2, g.position_d[2]};
  f.i = {rate * g.position_i[1] / 2, rate * g.position_i[0] / 2, rate * g.position_i[2]};
  for (std::size_t k = 0; k < 3; ++k) {
    const double twice = k < 2 ? 2 : 1;  // yaw is not turned into body axes
    f.angle_p[k] = twice * g.attitude_p[k], f.angle_i[k] = rate * twice * g.attitude_i[k];
    f.angle_d[k] = g.attitude_d[k] * (k < 2 ? 1 + 1 / rate : 1);
  }
  return f;
}

control::LadderParams<double> ladder(const FlownGains& g, double mass, const vehicles::MultirotorParams<double, kRotors>& p) {
  control::LadderParams<double> l{};
  l.mass = mass, l.gravity = kGravity, l.tick = kTick;
  l.position_p = g.p, l.velocity_p = g.d, l.velocity_i = g.i;
  l.integral_limit = {kPlenty, kPlenty, kPlenty};
  l.max_speed = l.max_climb = l.max_rate = kPlenty;
  l.tan_max_tilt = kPlenty;
  for (int i = 0; i < kRotors; ++i) l.thrust_max += p.mixer.hi[i], l.thrust_min += p.mixer.lo[i];
  l.jerk_on = 0;  // tick() feeds forward what the recorded autopilot does
  return l;
}

void set_inner_gains(const FlownGains& g, vehicles::MultirotorParams<double, kRotors>& p) {
  InnerGains inner[3];
  for (std::size_t k = 0; k < 3; ++k) inner[k] = inner_gains(g.angle_p[k], g.angle_d[k], g.angle_i[k]);
  p.ladder.attitude_p = {inner[0].attitude_p, inner[1].attitude_p, inner[2].attitude_p};
  p.rate.p = {inner[0].rate_p, inner[1].rate_p, inner[2].rate_p};
  p.rate.i = {inner[0].rate_i, inner[1].rate_i, inner[2].rate_i};
  p.rate.d = {0, 0, 0};
  p.rate.integral_limit = {kPlenty, kPlenty, kPlenty};
}

// integral of the position error from where the autopilot woke up
std::vector<Vec3<double>> error_integrals(const TrackingLog& log) {
  std::vector<Vec3<double>> sums(log.rows.size(), Vec3<double>{0, 0, 0});
  for (std::size_t k = log.active; k + 1 < log.rows.size(); ++k) {
    const double dt = log.rows[k + 1].time - log.rows[k].time;
    sums[k + 1] = sums[k] + dt * (log.rows[k].wanted_position - log.rows[k].position);
  }
  return sums;
}

// The share of the commanded vertical force that is left for the integral, over what the logged gain would give: least squares of one number.
double integral_rate(const TrackingLog& log, const Span& scored, double mass) {
  const std::vector<Vec3<double>> sums = error_integrals(log);
  const PidGains& g = log.gains;
  double over = 0, under = 0;
  for (std::size_t k = log.active; k < log.rows.size(); ++k) {
    const TrackedRow& r = log.rows[k];
    if (!is_known(log, scored, r.time)) continue;
    const Vec3<double> e = r.wanted_position - r.position, v = r.wanted_velocity - r.velocity;
    const double x = mass * (g.position_p[1] * e.x + g.position_d[1] * v.x + r.wanted_acceleration.x);
    const double y = mass * (g.position_p[0] * e.y + g.position_d[0] * v.y + r.wanted_acceleration.y);
    const double up = math::sqrt(std::max(r.thrust * r.thrust - x * x - y * y, 0.0)) / mass;
    const double left = up - kGravity - g.position_p[2] * e.z - g.position_d[2] * v.z - r.wanted_acceleration.z, expected = g.position_i[2] * sums[k].z;
    over += left * expected, under += expected * expected;
  }
  return under > 0 && over > 0 ? over / under : 1;
}

FlyingAgent begin(const TrackingLog& log, std::size_t first, const vehicles::MultirotorParams<double, kRotors>& p) {
  const TrackedRow& r = log.rows[first];
  FlyingAgent a{};
  a.status = control::kAlive | static_cast<std::uint32_t>(control::Flight::Hold);
  a.body.position_W = {r.position, {0, 0, 0}};
  a.body.velocity_W = r.velocity, a.body.q_WB = r.attitude, a.body.omega_B = r.rate;
  for (int i = 0; i < kRotors; ++i) a.rotors.speed[i] = vehicles::speed_for_thrust<Craft>(p.mixer.thrust[i] * r.thrust, i, p.rotor);
  a.ladder.integral_W = p.ladder.velocity_i * error_integrals(log)[first];
  a.ladder.previous_velocity_W = r.velocity;
  a.rate.previous_rate = r.rate;
  return a;
}

void set_reference(const TrackingLog& log, std::size_t row, const FlownGains& g, FlyingAgent& a) {
  const TrackedRow& r = log.rows[row];
  const Vec3<double> forward{g.forward, g.forward, 1};
  a.setpoint.level = 6;
  a.setpoint.position_W = {r.wanted_position, {0, 0, 0}};
  a.setpoint.velocity_W = r.wanted_velocity, a.setpoint.acceleration_W = forward * r.wanted_acceleration;
  a.setpoint.yaw = r.wanted_yaw, a.setpoint.yaw_rate = r.wanted_yaw_rate;
}

// one tick of the ladder (vehicles/multirotor_tick.hpp) with the recorded autopilot's feed-forward between its outer and inner loops
void tick(const FlownGains& g, const vehicles::TickInfo& info, const vehicles::MultirotorParams<double, kRotors>& p, math::Quat<double>& last_target,
          FlyingAgent& a) {
  control::AttitudeTarget<double> target = vehicles::outer_loops<Craft>(a, info, p.ladder);
  const Vec3<double> turned = (g.slope_forward / kTick) * control::attitude_error(last_target, target.q_WB);
  target.rate_B = {turned.x, turned.y, target.rate_B.z};
  last_target = target.q_WB;
  vehicles::substeps(a, target, vehicles::surroundings(a, p), info, p);
}

// between two ticks
TrackedRow between(const FlyingAgent& a, const FlyingAgent& b, double part, double time) {
  TrackedRow r;
  r.time = time;
  r.position = a.body.position_W.value + part * (b.body.position_W.value - a.body.position_W.value);
  r.velocity = a.body.velocity_W + part * (b.body.velocity_W - a.body.velocity_W);
  r.rate = a.body.omega_B + part * (b.body.omega_B - a.body.omega_B);
  const math::Quat<double>&p = a.body.q_WB, &q = b.body.q_WB;
  const double s = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -part : part;
  r.attitude = math::normalize(
      math::Quat<double>{p.w + (s * q.w - part * p.w), p.x + (s * q.x - part * p.x), p.y + (s * q.y - part * p.y), p.z + (s * q.z - part * p.z)});
  return r;
}

double outside(const Span& all, const Span& part) { return std::max(part.from - all.from, 0.0) + std::max(all.to - part.to, 0.0); }

}  // namespace

Span scored_span(const TrackingLog& log) {
  const double first = log.airborne.from + kIdentifiedShare * log.airborne.length();
  return first - log.airborne.from >= kLeastIdentified ? Span{first, log.airborne.to} : log.airborne;
}

InnerGains inner_gains(double p, double d, double i) {
  // a^2 d - a p + i = 0, the larger root: the smaller one would leave the work to the integral
  const double under = p * p - 4 * d * i;
  if (d <= 0 || under < 0) return {d > 0 ? p / d : 0, d, 0};
  const double a = (p + math::sqrt(under)) / (2 * d);
  return {a, d, a > 0 ? i / a : 0};
}

core::Result<TrackingFlight> fly_again(const TrackingLog& log, const airframe::MultirotorDef& def, const Span& span) {
  core::Result<vehicles::MultirotorParams<double, kRotors>> derived = airframe::derive<kRotors>(def, EnvironmentDef{}, ControllerDef{}, kTick / kSubsteps);
  if (!derived) return derived.error();
  vehicles::MultirotorParams<double, kRotors> p = derived.value();
  TrackingFlight flight;
  flight.identified = outside(log.airborne, span);
  if (flight.identified >= kLeastIdentified) {
    flight.delivered = def.mass / carried_mass(log, span);
    flight.integral_rate = integral_rate(log, span, def.mass);
  }
  const FlownGains gains = flown_gains(log.gains, flight.integral_rate);
  p.contact.ground.height = -1e30;  // it never comes near the ground
  p.guide.tick = kTick;
  p.ladder = ladder(gains, def.mass, p);
  set_inner_gains(gains, p);
  for (double& e : p.rotor.efficiency) e *= flight.delivered;  // what they give; inv_efficiency stays: what the autopilot believes

  while (flight.first + 1 < log.rows.size() && log.rows[flight.first].time < span.from) ++flight.first;
  FlyingAgent now = begin(log, flight.first, p), next = now;
  vehicles::TickInfo info;
  info.substeps = kSubsteps, info.law = control::Law::Rpt;
  double time = log.rows[flight.first].time;  // of `next`
  set_reference(log, flight.first, gains, next);
  math::Quat<double> target = [&] {
    FlyingAgent a = next;
    return vehicles::outer_loops<Craft>(a, info, p.ladder).q_WB;
  }();
  for (std::size_t row = flight.first; row < log.rows.size() && log.rows[row].time <= span.to; ++row) {
    while (time < log.rows[row].time) {
      now = next;
      set_reference(log, row - 1, gains, next);
      tick(gains, info, p, target, next);
      time += kTick;
    }
    const double part = std::clamp((log.rows[row].time - (time - kTick)) / kTick, 0.0, 1.0);
    flight.rows.push_back(between(now, next, part, log.rows[row].time));
  }
  return flight;
}

}  // namespace volary::validation
