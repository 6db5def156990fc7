// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_segment.hpp"

#include <algorithm>
#include <bit>

#include "math/functions.hpp"

namespace volary::replay {

namespace {

constexpr double kLargestAngle = 1;       // rad: wider bounds on the attitude say nothing more
constexpr std::uint32_t kLongest = 4096;  // ticks of one piece
constexpr std::uint32_t kShortPiece = 8;  // ticks: below this straight pieces are tried too

// ---------------------------------------------------------------- position and velocity

struct Fit {
  const TrackSamples& samples;
  double tick;
  const Steps& steps;
  const Limits& limits;
  const Tuning& tuning;
};

MotionKnot nearest(const Fit& f, std::uint32_t k) {
  MotionKnot knot;
  for (int i = 0; i < 3; ++i) {
    knot.p[i] = whole(f.samples.position[3 * k + i] / f.steps.position);
    knot.v[i] = whole(f.samples.velocity[3 * k + i] / f.steps.velocity);
  }
  return knot;
}

bool motion_holds(const Fit& f, const MotionPiece& m, std::uint32_t start, std::uint32_t k) {
  double p[3];
  float v[3];
  motion_at(m, static_cast<double>(k), p, v);
  const double* sample_p = &f.samples.position[3 * (start + k)];
  const double* sample_v = &f.samples.velocity[3 * (start + k)];
  double ep = 0, ev = 0;
  for (int i = 0; i < 3; ++i) {
    const double dp = p[i] - sample_p[i], dv = static_cast<double>(v[i]) - sample_v[i];
    ep += dp * dp;
    ev += dv * dv;
  }
  return ep <= f.limits.position2 && ev <= f.limits.velocity2;
}

bool motion_holds_everywhere(const Fit& f, const MotionPiece& m, std::uint32_t start, std::uint32_t ticks) {
  // a piece that is too long mostly fails at these: look there first
  for (const std::uint32_t k : {ticks / 2, ticks / 4, ticks - ticks / 4, ticks})
    if (!motion_holds(f, m, start, k)) return false;
  for (std::uint32_t k = 0; k <= ticks; ++k)
    if (!motion_holds(f, m, start, k)) return false;
  return true;
}

// The end that fits best in the sense of least squares, both errors in units of their bounds, with the start as it is.
MotionKnot fitted(const Fit& f, const MotionKnot& a, std::uint32_t start, std::uint32_t ticks) {
  const double seconds = ticks * f.tick, n = ticks;
  const double wp = 1 / f.limits.position2, wv = 1 / f.limits.velocity2;
  double app = 0, apv = 0, avv = 0, bp[3] = {0, 0, 0}, bv[3] = {0, 0, 0};
  double p0[3], m0[3];
  for (int i = 0; i < 3; ++i) {
    p0[i] = static_cast<double>(a.p[i]) * f.steps.position;
    m0[i] = static_cast<double>(a.v[i]) * f.steps.velocity * seconds;
  }
  for (std::uint32_t k = 1; k <= ticks; ++k) {
    const double s = k / n, s2 = s * s, s3 = s2 * s, per = 1 / seconds;
    const double weight = k == ticks ? 1 + f.tuning.end_weight * n : 1;
    const double h01 = 3 * s2 - 2 * s3, h10 = s3 - 2 * s2 + s, h11 = s3 - s2;
    const double d01 = (6 * s - 6 * s2) * per, d10 = (3 * s2 - 4 * s + 1) * per, d11 = (3 * s2 - 2 * s) * per;
    app += weight * (wp * h01 * h01 + wv * d01 * d01);
    apv += weight * (wp * h01 * h11 + wv * d01 * d11);
    avv += weight * (wp * h11 * h11 + wv * d11 * d11);
    const double* p = &f.samples.position[3 * (start + k)];
    const double* v = &f.samples.velocity[3 * (start + k)];
    for (int i = 0; i < 3; ++i) {
      const double rp = weight * wp * (p[i] - p0[i] - h10 * m0[i]), rv = weight * wv * (v[i] - d10 * m0[i]);
      bp[i] += h01 * rp + d01 * rv;
      bv[i] += h11 * rp + d11 * rv;
    }
  }
  const double det = app * avv - apv * apv;
  if (!(det > 0)) return nearest(f, start + ticks);
  MotionKnot knot;
  for (int i = 0; i < 3; ++i) {
    const double way = (bp[i] * avv - bv[i] * apv) / det, m1 = (bv[i] * app - bp[i] * apv) / det;
    knot.p[i] = whole((p0[i] + way) / f.steps.position);
    knot.v[i] = whole(m1 / seconds / f.steps.velocity);
  }
  return knot;
}

bool try_motion(const Fit& f, const MotionKnot& a, std::uint32_t start, std::uint32_t ticks, MotionStep& out) {
  const MotionKnot free = fitted(f, a, start, ticks);
  if (motion_holds_everywhere(f, make_motion(MotionKind::Hermite, a, free, ticks, f.tick, f.steps), start, ticks)) {
    out = {free, ticks, MotionKind::Hermite};
    return true;
  }
  return false;
}

bool try_loose(const Fit& f, const MotionKnot& a, std::uint32_t start, std::uint32_t ticks, MotionStep& out) {
  const MotionKnot b = nearest(f, start + ticks);
  if (!motion_holds_everywhere(f, make_motion(MotionKind::Loose, a, b, ticks, f.tick, f.steps), start, ticks)) return false;
  out = {b, ticks, MotionKind::Loose};
  return true;
}

// Lengths that are tried: every one up to 2 * kPerOctave, then so many between n and 2 n. Few different lengths cost few bits, and the piece that
// is not quite the longest fits better, so that the next one gets longer.
class Lengths {
 public:
  constexpr Lengths() {
    for (std::uint32_t n = 1; n <= kLongest; n += std::max(1u, std::bit_floor(n) / kPerOctave)) values_[count_++] = n;
  }
  constexpr std::uint32_t count() const { return count_; }
  constexpr std::uint32_t operator[](std::uint32_t i) const { return values_[i]; }

 private:
  static constexpr std::uint32_t kPerOctave = 4;
  std::uint32_t values_[256] = {};
  std::uint32_t count_ = 0;
};
constexpr Lengths kLengths;

// The longest piece that passes: ever larger strides from a guess, then bisection. What passes need not be an interval,
// so this is a good piece, not always the longest. Returns its ticks, 0 for none; `guess` is an index, here and after.
template <class Try, class Step> std::uint32_t longest(std::uint32_t& guess, std::uint32_t most, Step& best, const Try& passes) {
  std::uint32_t end = 1;  // candidates: the last of them reaches the end of the track
  while (end < kLengths.count() && kLengths[end - 1] < most) ++end;
  std::uint32_t good = 0, bad = end + 1, at = std::min(guess + 1, end), stride = 1;  // counted from 1: 0 is no piece
  std::uint32_t ticks = 0;
  while (bad - good > 1) {
    Step step;
    const std::uint32_t n = std::min(most, kLengths[at - 1]);
    if (passes(n, step)) {
      good = at;
      ticks = n;
      best = step;
      at = bad <= end ? good + (bad - good) / 2 : std::min(end, good + stride);
    } else {
      bad = at;
      at = good > 0 ? good + (bad - good) / 2 : bad - std::min(bad - 1, stride);
    }
    stride *= 2;
    if (at <= good) at = good + 1;
  }
  guess = good > 0 ? good - 1 : 0;
  return ticks;
}

// Positions are rounded to steps that a short piece turns into jumps of velocity: pieces of some ticks fail where long ones pass, so the search
// begins no lower than at this index.
constexpr std::uint32_t kFirstGuess = 18;

MotionStep next_motion(const Fit& f, const MotionKnot& a, std::uint32_t at, std::uint32_t& guess, std::uint32_t& loose_guess) {
  const std::uint32_t most = std::min(kLongest, f.samples.count - 1 - at);
  MotionStep step;
  guess = std::max(guess, kFirstGuess);
  const std::uint32_t ticks = longest(guess, most, step, [&](std::uint32_t n, MotionStep& s) { return try_motion(f, a, at, n, s); });
  // where velocity is not the derivative of position, only straight pieces go on
  if (ticks < kShortPiece) {
    MotionStep loose;
    const std::uint32_t n = longest(loose_guess, most, loose, [&](std::uint32_t k, MotionStep& s) { return try_loose(f, a, at, k, s); });
    if (n > ticks) return loose;
  }
  // one tick to the nearest knot always holds
  return ticks > 0 ? step : MotionStep{nearest(f, at + 1), 1, MotionKind::Loose};
}

void find_motion(const Fit& f, TrackKnots& out) {
  out.motion_start = nearest(f, 0);
  MotionKnot a = out.motion_start;
  std::uint32_t guess = 0, loose_guess = 0;
  for (std::uint32_t at = 0; at + 1 < f.samples.count; at += out.motion.back().ticks) {
    out.motion.push_back(next_motion(f, a, at, guess, loose_guess));
    a = out.motion.back().end;
  }
}

// ---------------------------------------------------------------- attitude

bool turn_holds(const Fit& f, const TurnPiece& t, std::uint32_t start, std::uint32_t k) {
  const Float4 q = turn_at(t, static_cast<float>(k));
  const Quaternion& sample = f.samples.attitude[start + k];
  const double w = static_cast<double>(q[0]) - sample.w, x = static_cast<double>(q[1]) - sample.x;
  const double y = static_cast<double>(q[2]) - sample.y, z = static_cast<double>(q[3]) - sample.z;
  return (w * w + x * x) + (y * y + z * z) <= f.limits.chord2;
}

bool turn_holds_everywhere(const Fit& f, const TurnPiece& t, std::uint32_t start, std::uint32_t ticks) {
  for (const std::uint32_t k : {ticks / 2, ticks / 4, ticks - ticks / 4, ticks})
    if (!turn_holds(f, t, start, k)) return false;
  for (std::uint32_t k = 0; k <= ticks; ++k)
    if (!turn_holds(f, t, start, k)) return false;
  return true;
}

TurnStep turn_to(const Fit& f, const Quaternion& a, const Quaternion& end, std::uint32_t ticks) {
  double turn[3];
  quaternion_to_turn(product(conjugate(a), end), turn);
  TurnStep step;
  step.ticks = ticks;
  for (int i = 0; i < 3; ++i) step.turn[i] = whole(turn[i] / f.steps.turn);
  step.end = turned(a, step.turn, f.steps);
  return step;
}

// The end of the chord that fits best in the sense of least squares.
Quaternion fitted_turn(const Fit& f, const Quaternion& a, std::uint32_t start, std::uint32_t ticks) {
  Quaternion sum{0, 0, 0, 0};
  double s_sum = 0, squares = 0;
  const auto add = [&](std::uint32_t k, double weight) {
    const double s = weight * k;
    const Quaternion& q = f.samples.attitude[start + k];
    sum = {sum.w + s * q.w, sum.x + s * q.x, sum.y + s * q.y, sum.z + s * q.z};
    s_sum += s;
    squares += s * k;
  };
  for (std::uint32_t k = 1; k <= ticks; ++k) add(k, 1);
  add(ticks, f.tuning.end_weight * ticks);
  // a + way, with way = ticks * sum(k (q - a)) / sum(k k)
  const double g = ticks / squares, own = 1 - g * s_sum;
  const Quaternion end{own * a.w + g * sum.w, own * a.x + g * sum.x, own * a.y + g * sum.y, own * a.z + g * sum.z};
  const double length2 = dot(end, end);
  return length2 > 0.25 ? scaled(end, 1 / math::sqrt(length2)) : f.samples.attitude[start + ticks];
}

bool try_turn(const Fit& f, const Quaternion& a, std::uint32_t start, std::uint32_t ticks, TurnStep& out) {
  out = turn_to(f, a, fitted_turn(f, a, start, ticks), ticks);
  return turn_holds_everywhere(f, make_turn(a, out.end, ticks), start, ticks);
}

TurnStep next_turn(const Fit& f, const Quaternion& a, std::uint32_t at, std::uint32_t& guess) {
  const std::uint32_t most = std::min(kLongest, f.samples.count - 1 - at);
  TurnStep step;
  const std::uint32_t ticks = longest(guess, most, step, [&](std::uint32_t n, TurnStep& s) { return try_turn(f, a, at, n, s); });
  return ticks > 0 ? step : turn_to(f, a, f.samples.attitude[at + 1], 1);
}

void find_turns(const Fit& f, TrackKnots& out) {
  double turn[3];
  quaternion_to_turn(f.samples.attitude[0], turn);
  for (int i = 0; i < 3; ++i) out.turn_start[i] = whole(turn[i] / f.steps.turn);
  Quaternion a = turned({}, out.turn_start, f.steps);
  std::uint32_t guess = 0;
  for (std::uint32_t at = 0; at + 1 < f.samples.count; at += out.turns.back().ticks) {
    out.turns.push_back(next_turn(f, a, at, guess));
    a = out.turns.back().end;
  }
}

}  // namespace

Steps steps_for(const Bounds& bounds, const Tuning& tuning) {
  const double angle = math::min(bounds.angle, kLargestAngle);
  return {bounds.position * tuning.position_step, bounds.velocity * tuning.velocity_step, angle * tuning.turn_step};
}

Limits limits_of(const Bounds& bounds) {
  // quaternions of floats are unit to a few in 1e-8: a reader who takes the arc cosine of a product sees half a per cent of 0.5 degrees in that
  constexpr double kWithin = 1 - 1e-6, kWithinAngle = 0.99;
  const double p = bounds.position * kWithin, v = bounds.velocity * kWithin;
  const double angle = math::min(bounds.angle, kLargestAngle) * kWithinAngle;
  const double chord = 2 * math::sin(angle / 4);
  return {p * p, v * v, chord * chord};
}

void find_motion_knots(const TrackSamples& samples, double tick, const Steps& steps, const Limits& limits, const Tuning& tuning, TrackKnots& out) {
  out.motion.clear();
  find_motion({samples, tick, steps, limits, tuning}, out);
}

void find_knots(const TrackSamples& samples, double tick, const Steps& steps, const Limits& limits, const Tuning& tuning, TrackKnots& out) {
  find_motion_knots(samples, tick, steps, limits, tuning, out);
  out.turns.clear();
  find_turns({samples, tick, steps, limits, tuning}, out);
}

}  // namespace volary::replay
