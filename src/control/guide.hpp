// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Guidance, once per tick: the flight state machine (G-07) and the curves it flies, from the mode and the
// plan of a vehicle to a setpoint of the ladder. Commands from outside enter a mode (enter_mode in
// vehicles/multirotor_model.hpp); here modes end by themselves: a take-off that is high enough, a landing that touches.
#pragma once

#include "control/ladder.hpp"

namespace volary::inline VOLARY_ISA::control {

// volary::Mode
enum class Flight : std::uint32_t { Disarmed, Armed, TakeOff, Hold, Mission, Land, EmergencyStop };

// the status row: bits 0-3 mode, bits 4-7 mode after take-off, bit 8 alive, bit 9 diverged; bit 10 hit the ground too fast, bits 16-27 its speed then in 0.1 m/s
inline constexpr std::uint32_t kModeMask = 0xf, kNextShift = 4, kAlive = 0x100, kDiverged = 0x200;
inline constexpr std::uint32_t kImpact = 0x400, kImpactShift = 16, kImpactMost = 0xfff, kImpactBits = kImpact | (kImpactMost << kImpactShift);

template <class T> VOLARY_HD Bits<T> bits_of(std::uint32_t x) { return Bits<T>(static_cast<typename Traits<Scalar<T>>::Bits>(x)); }
template <class T> VOLARY_HD Mask<T> has_mode(Bits<T> status, Flight mode) {
  return (status & bits_of<T>(kModeMask)) == bits_of<T>(static_cast<std::uint32_t>(mode));
}
// modes whose setpoints guidance writes
template <class T> VOLARY_HD Mask<T> is_guided(Bits<T> status) {
  return has_mode<T>(status, Flight::TakeOff) | has_mode<T>(status, Flight::Land) | has_mode<T>(status, Flight::Mission) | has_mode<T>(status, Flight::Hold);
}
template <class T> VOLARY_HD Mask<T> is_alive(Bits<T> status) { return (status & bits_of<T>(kAlive)) == bits_of<T>(kAlive); }

// what a vehicle is to do and how far it got; one record per block beside the hot one
template <class T> struct Plan {
  T mode_ticks;              // ticks since the mode was entered
  T touch_ticks;             // ticks on the ground while landing
  Position<T> anchor_W;      // m, where the mode was entered
  T anchor_yaw;              // rad
  Vec3<T> blend_W;           // m, from the start of the curve to the anchor
  T blend_time;              // s, over which that distance is closed
  Position<T> centre_W;      // m, origin of the curve
  Vec3<T> amplitude, rate, phase;  // m, rad/s, rad: the harmonic curve
  T ramp, delay;             // s
  T face_forward;            // 1: yaw along the velocity
  Bits<T> path;              // 1 + index of the polynomial path, 0: the harmonic curve

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"plan.mode_ticks", "-", "-", "number of ticks since the mode was entered; in a mission, ticks on the clock of the mission"}, s.mode_ticks);
    f(Field{"plan.touch_ticks", "-", "-", "number of ticks on the ground while landing"}, s.touch_ticks);
    f(Field{"plan.anchor", "m", "W", "position at which the mode was entered, value and remainder"}, s.anchor_W);
    f(Field{"plan.anchor_yaw", "rad", "W", "yaw at which the mode was entered"}, s.anchor_yaw);
    f(Field{"plan.blend", "m", "W", "vector from the start of the curve to the position at which the mission was entered"}, s.blend_W);
    f(Field{"plan.blend_time", "s", "-", "time to close the distance to the start of the curve"}, s.blend_time);
    f(Field{"plan.centre", "m", "W", "origin of the curve, value and remainder"}, s.centre_W);
    f(Field{"plan.amplitude", "m", "W", "amplitude of the harmonic curve on each axis"}, s.amplitude);
    f(Field{"plan.rate", "rad/s", "W", "angular frequency of the harmonic curve on each axis"}, s.rate);
    f(Field{"plan.phase", "rad", "W", "phase of the harmonic curve on each axis"}, s.phase);
    f(Field{"plan.ramp", "s", "-", "time to reach full speed on the harmonic curve"}, s.ramp);
    f(Field{"plan.delay", "s", "-", "time from the start of the mission to the start of its curve"}, s.delay);
    f(Field{"plan.face_forward", "-", "-", "whether the yaw follows the velocity: 1 yes, 0 no"}, s.face_forward);
    f(Field{"plan.path", "-", "-", "1 + index of the polynomial path; 0: the harmonic curve is flown"}, s.path);
  }
};

template <class T> struct GuideParams {
  T tick;             // s
  T take_off_height;  // m
  T climb, descend;   // m/s
  T cruise;           // m/s, to close the distance to the start of a mission
  T touch_force;      // N on the ground that counts as touching
  T touch_time;       // s of touching that ends a landing
  T own_pace;         // 1: the clock of a mission goes as fast as the vehicle does along it; 0: as the world's
  T cannot_stop;      // 1: an aircraft that only wings carry; it takes off and lands straight ahead and holds on a circle

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"guide.tick", "s", "-", "simulated time of one tick"}, s.tick);
    f(Field{"guide.take_off_height", "m", "-", "height of a take-off above its start"}, s.take_off_height);
    f(Field{"guide.climb", "m/s", "-", "climb speed of a take-off"}, s.climb);
    f(Field{"guide.descend", "m/s", "-", "sink speed of a landing"}, s.descend);
    f(Field{"guide.cruise", "m/s", "-", "speed on the way to the start of a mission"}, s.cruise);
    f(Field{"guide.touch_force", "N", "-", "ground force above which the vehicle counts as touching the ground"}, s.touch_force);
    f(Field{"guide.touch_time", "s", "-", "time of ground contact that ends a landing"}, s.touch_time);
    f(Field{"guide.own_pace", "-", "-", "clock of a mission: 1 follows the progress of the vehicle along it, 0 follows simulated time"}, s.own_pace);
    f(Field{"guide.cannot_stop", "-", "-", "whether only wings carry the vehicle, so that it cannot hover: 1 yes, 0 no"}, s.cannot_stop);
  }
};

// Polynomial paths, shared by a world: headers {first piece, pieces, loop, total time}, then pieces of
// {duration, 3 x 8 coefficients}; plain scalars, so that every backend reads the same table.
template <class S> struct PathTable {
  const S* headers = nullptr;
  const S* pieces = nullptr;
};
inline constexpr int kPathHeader = 4, kPathPiece = 25;

// position relative to the curve's origin, and its derivatives
template <class T> struct CurvePoint {
  Vec3<T> position, velocity, acceleration, jerk;
};

// The smooth step 10u^3 - 15u^4 + 6u^5 on [0, 1], its integral and its derivatives.
template <class T> struct SmoothStep {
  T integral, value, first, second, third;
};
template <class T> VOLARY_HD SmoothStep<T> smooth_step(T u) {
  const T u2 = u * u, u3 = u2 * u;
  return {u2 * u2 * fma(u, u - splat<T>(3), splat<T>(2.5)), u3 * fma(u, fma(u, splat<T>(6), splat<T>(-15)), splat<T>(10)),
          u2 * fma(u, fma(u, splat<T>(30), splat<T>(-60)), splat<T>(30)), u * fma(u, fma(u, splat<T>(120), splat<T>(-180)), splat<T>(60)),
          fma(u, fma(u, splat<T>(360), splat<T>(-360)), splat<T>(60))};
}

// one axis of A sin(w s(t) + phase), where s(t) is time with a smooth start
template <class T> VOLARY_HD void harmonic_axis(T amplitude, T rate, T phase, T s, T s1, T s2, T s3, T& x, T& v, T& a, T& j) {
  T sn, cs;
  sincos(fma(rate, s, phase), sn, cs);
  const T aw = amplitude * rate, ws = rate * s1;
  x = amplitude * sn;
  v = aw * (s1 * cs);
  a = aw * fma(s2, cs, -(ws * s1 * sn));
  j = aw * fma(s3 - ws * ws * s1, cs, -(splat<T>(3) * ws * s2 * sn));
}

template <class T> VOLARY_HD CurvePoint<T> harmonic_point(const Plan<T>& p, T time) {
  const T one = splat<T>(1), t = max(time, splat<T>(0));
  const T ramp = max(p.ramp, splat<T>(1e-6)), inv = one / ramp;
  const T u = min(t * inv, one);
  const SmoothStep<T> g = smooth_step(u);
  const Mask<T> ramping = u < one;
  const T s = select(ramping, ramp * g.integral, t - splat<T>(0.5) * ramp);
  const T s1 = select(ramping, g.value, one), s2 = select(ramping, g.first * inv, splat<T>(0)), s3 = select(ramping, g.second * inv * inv, splat<T>(0));
  CurvePoint<T> c;
  harmonic_axis(p.amplitude.x, p.rate.x, p.phase.x, s, s1, s2, s3, c.position.x, c.velocity.x, c.acceleration.x, c.jerk.x);
  harmonic_axis(p.amplitude.y, p.rate.y, p.phase.y, s, s1, s2, s3, c.position.y, c.velocity.y, c.acceleration.y, c.jerk.y);
  harmonic_axis(p.amplitude.z, p.rate.z, p.phase.z, s, s1, s2, s3, c.position.z, c.velocity.z, c.acceleration.z, c.jerk.z);
  return c;
}

// the piece of one path that holds at time t, the time inside it, and whether the path is over
template <class S> struct PieceAt {
  const S* piece;
  S inside;
  bool ended;
};
template <class S> VOLARY_HD PieceAt<S> find_piece(const PathTable<S>& table, int path, S t) {
  const S* h = table.headers + path * kPathHeader;
  const int first = static_cast<int>(h[0]), count = static_cast<int>(h[1]);
  S time = t < S(0) ? S(0) : t;
  if (h[2] > S(0)) time = time - floor(time / h[3]) * h[3];
  int k = 0;
  while (k + 1 < count && time >= table.pieces[(first + k) * kPathPiece]) {
    time = time - table.pieces[(first + k) * kPathPiece];
    ++k;
  }
  const S* piece = table.pieces + (first + k) * kPathPiece;
  return time < piece[0] ? PieceAt<S>{piece, time, false} : PieceAt<S>{piece, piece[0], !(h[2] > S(0))};
}

// a polynomial of degree 7 and its first three derivatives
template <class T> VOLARY_HD void polynomial_axis(const T (&c)[8], T s, T& x, T& v, T& a, T& j) {
  x = c[7];
  v = a = j = splat<T>(0);
  for (int k = 6; k >= 0; --k) {
    j = fma(j, s, splat<T>(3) * a);
    a = fma(a, s, splat<T>(2) * v);
    v = fma(v, s, x);
    x = fma(x, s, c[k]);
  }
}

template <class T> VOLARY_HD CurvePoint<T> path_point(const PathTable<Scalar<T>>& table, const Plan<T>& p, T time) {
  using S = Scalar<T>;
  using U = typename Traits<S>::Bits;
  // lanes may be in different pieces: gather the coefficients lane by lane
  alignas(64) S t[kBlock], inside[kBlock], ended[kBlock], rows[24][kBlock];
  alignas(64) U path[kBlock];
  store(t, time);
  store(path, p.path);
  for (int lane = 0; lane < kLanes<T>; ++lane) {
    const PieceAt<S> at = find_piece(table, path[lane] > 0 ? static_cast<int>(path[lane] - 1) : 0, t[lane]);
    inside[lane] = at.inside;
    ended[lane] = at.ended ? S(1) : S(0);
    for (int k = 0; k < 24; ++k) rows[k][lane] = at.piece[1 + k];
  }
  T c[3][8];
  for (int k = 0; k < 24; ++k) c[k / 8][k % 8] = load(rows[k], T());
  const T s = load(inside, T());
  CurvePoint<T> out;
  polynomial_axis(c[0], s, out.position.x, out.velocity.x, out.acceleration.x, out.jerk.x);
  polynomial_axis(c[1], s, out.position.y, out.velocity.y, out.acceleration.y, out.jerk.y);
  polynomial_axis(c[2], s, out.position.z, out.velocity.z, out.acceleration.z, out.jerk.z);
  // after its end a path stands, also one that arrives with speed: whoever cannot stop circles there
  const Mask<T> stands = load(ended, T()) > splat<T>(0.5);
  return {out.position, select(stands, zero3<T>(), out.velocity), select(stands, zero3<T>(), out.acceleration), select(stands, zero3<T>(), out.jerk)};
}

// the curve or the path, `since` seconds after its start
template <class T> VOLARY_HD CurvePoint<T> curve_point(const PathTable<Scalar<T>>& table, const Plan<T>& p, T since) {
  CurvePoint<T> c = harmonic_point(p, since);
  const Mask<T> on_path = !(p.path == bits_of<T>(0));
  if (any(on_path)) {
    const CurvePoint<T> q = path_point(table, p, since);
    c = {select(on_path, q.position, c.position), select(on_path, q.velocity, c.velocity), select(on_path, q.acceleration, c.acceleration),
         select(on_path, q.jerk, c.jerk)};
  }
  return c;
}

// the mission: the curve, plus the rest of the distance from where the mission was entered, unless it is closed otherwise
template <class T> VOLARY_HD CurvePoint<T> mission_point(const PathTable<Scalar<T>>& table, const Plan<T>& p, T time, Mask<T> blends) {
  CurvePoint<T> c = curve_point(table, p, time - p.delay);
  const Vec3<T> blend_W = select(blends, p.blend_W, zero3<T>());
  const T inv = splat<T>(1) / max(p.blend_time, splat<T>(1e-6));
  const SmoothStep<T> g = smooth_step(min(time * inv, splat<T>(1)));
  c.position = fma(splat<T>(1) - g.value, blend_W, c.position);
  c.velocity = fma(-(g.first * inv), blend_W, c.velocity);
  c.acceleration = fma(-(g.second * inv * inv), blend_W, c.acceleration);
  const T third = select(time * inv < splat<T>(1), g.third, splat<T>(0));
  c.jerk = fma(-(third * inv * inv * inv), blend_W, c.jerk);
  return c;
}

// A mission entered at `from`: how far its start is, and how long it may take to get there.
template <class T> VOLARY_HD void plan_blend(Plan<T>& p, const Position<T>& from_W, Mask<T> where, const GuideParams<T>& g, const PathTable<Scalar<T>>& table) {
  const CurvePoint<T> start = curve_point(table, p, splat<T>(0));
  const Vec3<T> gap = from_W - advance(p.centre_W, start.position);
  const T time = max(splat<T>(1.875) * norm(gap) / g.cruise, splat<T>(0.5));
  p.blend_W = select(where, gap, p.blend_W);
  p.blend_time = select(where, time, p.blend_time);
}

// yaw along the velocity on a mission, where there is enough of it
template <class T> VOLARY_HD void face_forward(Reference<T>& sp, const Plan<T>& p, Mask<T> on_mission) {
  const T vx = sp.velocity_W.x, vy = sp.velocity_W.y;
  const T speed2 = fma(vx, vx, vy * vy);
  const Mask<T> turn = on_mission & (p.face_forward > splat<T>(0.5)) & (speed2 > splat<T>(0.09));
  if (!any(turn)) return;
  const T yaw = atan2(vy, vx), rate = fma(vx, sp.acceleration_W.y, -(vy * sp.acceleration_W.x)) / max(speed2, splat<T>(1e-6));
  sp.yaw = select(turn, yaw, sp.yaw);
  sp.yaw_rate = select(turn, rate, sp.yaw_rate);
}

// where the profiles of hold, take-off and landing want the vehicle
template <class T> struct Profile {
  T dz, vz, az;  // m above the anchor, m/s, m/s2
  T climb_time;  // s, of a whole take-off
};
template <class T> VOLARY_HD Profile<T> vertical_profile(Mask<T> taking_off, Mask<T> landing, T time, const GuideParams<T>& g) {
  const T zero = splat<T>(0);
  const T climb_time = (g.take_off_height / g.climb) * splat<T>(1.875);  // the smooth step peaks at 1.875 times its mean
  const SmoothStep<T> up = smooth_step(min(time / climb_time, splat<T>(1)));
  const T dz = select(taking_off, g.take_off_height * up.value, zero), vz = select(taking_off, (g.take_off_height / climb_time) * up.first, zero);
  const T az = select(taking_off, (g.take_off_height / (climb_time * climb_time)) * up.second, zero);
  return {select(landing, -(g.descend * time), dz), select(landing, -g.descend, vz), az, climb_time};
}

// what guidance knows of the vehicle itself
template <class T> struct Whereabouts {
  Position<T> position_W;
  Vec3<T> velocity_W;
  T ground_force;  // N
};

inline constexpr double kFirstPace = 1e-3;  // ticks: once it goes, the clock of a mission is past its start

// How fast the clock of a mission goes, in ticks per tick. A vehicle with a pace of its own (wind, slopes, a turn too tight) takes its reference along:
// the clock goes with its speed along the curve, and pulls the reference abreast of it. Where the curve itself stands or begins, the clock goes on.
template <class T> VOLARY_HD T pace_of(const CurvePoint<T>& c, const Vec3<T>& ahead, const Vec3<T>& velocity_W) {
  const T speed2 = dot(c.velocity, c.velocity);
  const T along = dot(c.velocity, fma(splat<T>(0.5), ahead, velocity_W)) / max(speed2, splat<T>(0.25));
  return select(speed2 > splat<T>(0.25), clamp(along, splat<T>(0), splat<T>(3)), splat<T>(1));
}

// What only wings carry cannot bend its way into a mission. It flies straight to where the mission begins, as steeply as it may, and the clock of the
// mission stands until it is abreast of that place.
template <class T> struct Approach {
  Mask<T> flies;
  Position<T> where_W;  // on the line, abreast of the aircraft
  Vec3<T> velocity_W;
};
template <class T>
VOLARY_HD Approach<T> approach_mission(const Plan<T>& plan, Mask<T> on_mission, const Position<T>& start_W, const Whereabouts<T>& x, const GuideParams<T>& g) {
  const T way = sqrt(fma(plan.blend_W.x, plan.blend_W.x, plan.blend_W.y * plan.blend_W.y)), inv = splat<T>(-1) / max(way, splat<T>(1));
  const Vec3<T> ahead = {plan.blend_W.x * inv, plan.blend_W.y * inv, splat<T>(0)};
  const T slope = clamp(plan.blend_W.z * inv, -(g.descend / g.cruise), g.climb / g.cruise);
  const Vec3<T> path = {ahead.x, ahead.y, slope};
  const T left = dot(ahead, start_W - x.position_W);
  const Mask<T> waits = (plan.mode_ticks < splat<T>(0.5 * kFirstPace)) & (way > splat<T>(1)) & (left > splat<T>(0));
  const Mask<T> flies = on_mission & (g.cannot_stop > splat<T>(0.5)) & waits;
  return {flies, advance(start_W, (-left) * path), g.cruise * path};
}

// What only wings carry flies straight ahead while it climbs and while it comes down a glide path, and holds its place on a circle about it.
template <class T>
VOLARY_HD void guide_wings(Reference<T>& sp, const Plan<T>& plan, Mask<T> taking_off, Mask<T> landing, Mask<T> holding, const Whereabouts<T>& x,
                           const GuideParams<T>& g) {
  const Mask<T> wings = g.cannot_stop > splat<T>(0.5);
  const T zero = splat<T>(0);
  T s, c;
  sincos(plan.anchor_yaw, s, c);
  const Vec3<T> from_anchor = x.position_W - plan.anchor_W;
  const T way = fma(c, from_anchor.x, s * from_anchor.y);
  const T slope = select(landing, -(g.descend / g.cruise), g.climb / g.cruise);
  const Position<T> on_line = advance(plan.anchor_W, Vec3<T>{way * c, way * s, way * slope});
  const Mask<T> straight = wings & (taking_off | landing);
  sp.level = select(wings & taking_off, bits_of<T>(4), select(wings & holding, bits_of<T>(5), sp.level));
  sp.position_W = {select(straight, on_line.value, sp.position_W.value), select(straight, on_line.remainder, sp.position_W.remainder)};
  sp.velocity_W = select(straight, Vec3<T>{g.cruise * c, g.cruise * s, g.cruise * slope}, sp.velocity_W);
  sp.acceleration_W = select(straight, Vec3<T>{zero, zero, zero}, sp.acceleration_W);
}

// Modes that end by themselves: a take-off that is done goes on to hold or to its mission, a landing that
// has touched long enough disarms.
template <class T>
VOLARY_HD void end_modes(Bits<T>& status, Plan<T>& plan, Mask<T> taking_off, Mask<T> landing, T time, T climb_time, const Whereabouts<T>& x,
                         const GuideParams<T>& g, const PathTable<Scalar<T>>& table) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const Mask<T> wings = g.cannot_stop > splat<T>(0.5);
  const T height = (x.position_W - plan.anchor_W).z;
  const Mask<T> risen = taking_off & ((wings & (height > g.take_off_height)) | (!wings & (time > climb_time + one)));
  const Mask<T> rolling = wings & (dot(x.velocity_W, x.velocity_W) > splat<T>(4));
  const Mask<T> touching = landing & (x.ground_force > g.touch_force) & !rolling;
  const T touched = select(touching, plan.touch_ticks + one, zero);
  const Mask<T> landed = landing & (touched * g.tick > g.touch_time);
  // only of those that land: who stands disarmed beside them in a register must not be told apart from who stands alone
  plan.touch_ticks = select(landing, select(landed, zero, touched), plan.touch_ticks);
  const Bits<T> next = (status >> static_cast<int>(kNextShift)) & bits_of<T>(kModeMask);
  const Bits<T> keep = status & bits_of<T>(kAlive | kDiverged);
  if (any(risen)) {
    const Position<T> above = advance(plan.anchor_W, Vec3<T>{zero, zero, g.take_off_height});
    const Position<T> top = {select(wings, x.position_W.value, above.value), select(wings, x.position_W.remainder, above.remainder)};
    plan.anchor_W.value = select(risen, top.value, plan.anchor_W.value);
    plan.anchor_W.remainder = select(risen, top.remainder, plan.anchor_W.remainder);
    plan_blend(plan, top, risen, g, table);
  }
  status = select(risen, keep | next, status);
  status = select(landed, keep, status);  // Disarmed is 0
  plan.mode_ticks = select(risen | landed, zero, plan.mode_ticks);
}

// Moves a plan on by one tick and writes the setpoint; vehicles that nobody guides keep theirs.
template <class T>
VOLARY_HD void guide(Bits<T>& status, Plan<T>& plan, Reference<T>& sp, const Whereabouts<T>& x, const GuideParams<T>& g, const PathTable<Scalar<T>>& table) {
  const T zero = splat<T>(0);
  const Mask<T> taking_off = has_mode<T>(status, Flight::TakeOff), landing = has_mode<T>(status, Flight::Land);
  const Mask<T> on_mission = has_mode<T>(status, Flight::Mission), guided = is_guided<T>(status);
  const T time = plan.mode_ticks * g.tick;  // of the state that the controllers see now
  T pace = splat<T>(1);

  const Profile<T> profile = vertical_profile<T>(taking_off, landing, time, g);
  Position<T> where = advance(plan.anchor_W, Vec3<T>{zero, zero, profile.dz});
  CurvePoint<T> c = {zero3<T>(), {zero, zero, profile.vz}, {zero, zero, profile.az}, zero3<T>()};
  if (any(on_mission)) {
    const Mask<T> wings = g.cannot_stop > splat<T>(0.5);
    CurvePoint<T> m = mission_point<T>(table, plan, time, !wings);
    Position<T> on_curve = advance(plan.centre_W, m.position);
    // on its way to the curve it may move against it or stand: there the clock is the world's
    const Mask<T> paces = on_mission & (g.own_pace > splat<T>(0.5)) & (wings | !(time < plan.blend_time));
    pace = select(paces, pace_of(m, x.position_W - on_curve, x.velocity_W), pace);
    const Approach<T> to = approach_mission<T>(plan, on_mission, on_curve, x, g);
    pace = select(to.flies, zero, select(wings & !(plan.mode_ticks > zero), max(pace, splat<T>(kFirstPace)), pace));
    on_curve = {select(to.flies, to.where_W.value, on_curve.value), select(to.flies, to.where_W.remainder, on_curve.remainder)};
    m.velocity = select(to.flies, to.velocity_W, m.velocity);
    m.acceleration = select(to.flies, zero3<T>(), m.acceleration);
    m.jerk = select(to.flies, zero3<T>(), m.jerk);
    where = {select(on_mission, on_curve.value, where.value), select(on_mission, on_curve.remainder, where.remainder)};
    c = {c.position, select(on_mission, m.velocity, c.velocity), select(on_mission, m.acceleration, c.acceleration), select(on_mission, m.jerk, c.jerk)};
  }
  plan.mode_ticks = select(guided, plan.mode_ticks + pace, plan.mode_ticks);
  sp.level = select(guided, bits_of<T>(6), sp.level);
  sp.position_W = {select(guided, where.value, sp.position_W.value), select(guided, where.remainder, sp.position_W.remainder)};
  sp.velocity_W = select(guided, c.velocity, sp.velocity_W);
  sp.acceleration_W = select(guided, c.acceleration, sp.acceleration_W);
  sp.jerk_W = select(guided, c.jerk, sp.jerk_W);
  sp.yaw = select(guided, plan.anchor_yaw, sp.yaw);
  sp.yaw_rate = select(guided, zero, sp.yaw_rate);
  if (any(on_mission)) face_forward(sp, plan, on_mission);
  if (any(g.cannot_stop > splat<T>(0.5))) guide_wings(sp, plan, taking_off, landing, has_mode<T>(status, Flight::Hold), x, g);
  end_modes(status, plan, taking_off, landing, time, profile.climb_time, x, g, table);
}

}  // namespace volary::inline VOLARY_ISA::control
