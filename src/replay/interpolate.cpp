// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/interpolate.hpp"

#include <algorithm>

#include "math/functions.hpp"
#include "replay/view_segment.hpp"

namespace volary::replay {

const char* name_of(Interpolator method) {
  static constexpr const char* kNames[] = {"line", "natural cubic", "PCHIP", "Akima", "Hermite", "SIGMA", "ours"};
  return kNames[static_cast<std::size_t>(method)];
}

// ---------------------------------------------------------------- slopes from positions

namespace {

struct Secants {
  std::vector<double> h, d;  // length and slope of each interval
};

Secants secants_of(const Knots1& k) {
  Secants s;
  for (std::size_t i = 0; i + 1 < k.t.size(); ++i) {
    s.h.push_back(k.t[i + 1] - k.t[i]);
    s.d.push_back((k.x[i + 1] - k.x[i]) / s.h[i]);
  }
  return s;
}

// Continuous second derivatives, zero at both ends: a tridiagonal system in the slopes (Thomas).
void natural_slopes(const Secants& s, std::vector<double>& m) {
  const std::size_t n = m.size() - 1;
  std::vector<double> upper(n + 1), right(n + 1);
  upper[0] = 0.5;
  right[0] = 1.5 * s.d[0];
  for (std::size_t i = 1; i <= n; ++i) {
    const bool last = i == n;
    const double lower = last ? 1 : 1 / s.h[i - 1], above = last ? 0 : 1 / s.h[i];
    const double middle = last ? 2 : 2 * (lower + above), b = last ? 3 * s.d[n - 1] : 3 * (s.d[i - 1] * lower + s.d[i] * above);
    const double pivot = middle - lower * upper[i - 1];
    upper[i] = above / pivot;
    right[i] = (b - lower * right[i - 1]) / pivot;
  }
  m[n] = right[n];
  for (std::size_t i = n; i-- > 0;) m[i] = right[i] - upper[i] * m[i + 1];
}

// one-sided three-point slope that keeps the shape
double pchip_end(double h0, double h1, double d0, double d1) {
  const double m = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (m * d0 <= 0) return 0;
  return d0 * d1 < 0 && math::abs(m) > 3 * math::abs(d0) ? 3 * d0 : m;
}

// weighted harmonic means, zero at extrema (Fritsch and Butland 1984)
void pchip_slopes(const Secants& s, std::vector<double>& m) {
  const std::size_t n = m.size() - 1;
  for (std::size_t i = 1; i < n; ++i) {
    const double a = s.d[i - 1], b = s.d[i], wa = 2 * s.h[i] + s.h[i - 1], wb = s.h[i] + 2 * s.h[i - 1];
    m[i] = a * b > 0 ? (wa + wb) / (wa / a + wb / b) : 0;
  }
  m[0] = n == 1 ? s.d[0] : pchip_end(s.h[0], s.h[1], s.d[0], s.d[1]);
  m[n] = n == 1 ? s.d[0] : pchip_end(s.h[n - 1], s.h[n - 2], s.d[n - 1], s.d[n - 2]);
}

// Akima 1970: two secants are continued past each end
void akima_slopes(const Secants& s, std::vector<double>& m) {
  const std::size_t n = m.size() - 1;
  std::vector<double> d(n + 4);
  std::copy(s.d.begin(), s.d.end(), d.begin() + 2);
  d[1] = n > 1 ? 2 * d[2] - d[3] : d[2];
  d[0] = 2 * d[1] - d[2];
  d[n + 2] = n > 1 ? 2 * d[n + 1] - d[n] : d[n + 1];
  d[n + 3] = 2 * d[n + 2] - d[n + 1];
  for (std::size_t i = 0; i <= n; ++i) {
    const double before = math::abs(d[i + 1] - d[i]), after = math::abs(d[i + 3] - d[i + 2]);
    m[i] = before + after > 1e-12 ? (after * d[i + 1] + before * d[i + 2]) / (before + after) : 0.5 * (d[i + 1] + d[i + 2]);
  }
}

}  // namespace

void find_slopes(Interpolator method, Knots1& k) {
  core::require(k.t.size() >= 2 && k.t.size() == k.x.size(), "an interpolation needs two knots");
  k.slope.assign(k.t.size(), 0.0);
  const Secants s = secants_of(k);
  if (method == Interpolator::NaturalCubic) natural_slopes(s, k.slope);
  if (method == Interpolator::Pchip) pchip_slopes(s, k.slope);
  if (method == Interpolator::Akima) akima_slopes(s, k.slope);
}

double value_at(Interpolator method, const Knots1& k, double t) {
  const auto after = std::upper_bound(k.t.begin() + 1, k.t.end() - 1, t) - k.t.begin();
  const auto i = static_cast<std::size_t>(after - 1);
  const double h = k.t[i + 1] - k.t[i], s = (t - k.t[i]) / h, way = k.x[i + 1] - k.x[i];
  if (method == Interpolator::Line) return k.x[i] + s * way;
  const double m0 = k.slope[i] * h, m1 = k.slope[i + 1] * h;
  return k.x[i] + s * (m0 + s * (3 * way - 2 * m0 - m1 + s * (m0 + m1 - 2 * way)));
}

// ---------------------------------------------------------------- where the knots are

namespace {

struct Source {
  const TrackIn& track;
  double tick;
  std::size_t most_knots;

  std::uint32_t last() const { return track.count - 1; }
};

std::vector<std::uint32_t> equal_times(const Source& s) {
  const auto pieces = static_cast<std::uint32_t>(std::min<std::size_t>(s.most_knots - 1, s.last()));
  std::vector<std::uint32_t> at;
  for (std::uint32_t i = 0; i <= pieces; ++i) at.push_back(static_cast<std::uint32_t>(std::uint64_t{s.last()} * i / pieces));
  return at;
}

// the position of each tick from samples at these ticks
Positions draw(Interpolator method, const Source& s, const std::vector<std::uint32_t>& at) {
  Positions out(s.track.count);
  const bool knows_velocity = method == Interpolator::Hermite || method == Interpolator::Sigma;
  for (int axis = 0; axis < 3; ++axis) {
    Knots1 k;
    for (const std::uint32_t tick : at) {
      k.t.push_back(tick * s.tick);
      k.x.push_back(s.track.position[tick][axis]);
      k.slope.push_back(static_cast<double>(s.track.velocity[tick][axis]));
    }
    if (!knows_velocity) find_slopes(method, k);
    for (std::uint32_t i = 0; i < s.track.count; ++i) out[i][static_cast<std::size_t>(axis)] = value_at(method, k, i * s.tick);
  }
  return out;
}

InterpolationError error_of(Interpolator method, const TrackIn& track, const Redrawn& r) {
  InterpolationError e;
  e.method = method;
  e.knots = r.knots;
  double squares = 0;
  for (std::uint32_t k = 0; k < track.count; ++k) {
    double d2 = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double d = r.positions[k][i] - track.position[k][i];
      d2 += d * d;
    }
    squares += d2;
    e.mean += math::sqrt(d2);
    e.max = std::max(e.max, math::sqrt(d2));
  }
  e.mean /= track.count;
  e.rmse = math::sqrt(squares / track.count);
  return e;
}

// ---------------------------------------------------------------- SIGMA's window, eq. (15)

// W = w (scale * delta_max / |delta| * (|dtheta|_max + pi) / pi) is the way to the next knot. As printed, with both
// velocity terms of one window, a sudden change makes the window wider, and so does a turn: knots are spent where the flight
// is simple. Read as meant, delta_max belongs to the whole track and the turn divides. The paper fixes neither
// its scale nor its limits, so it gets whichever of these is best on the track at hand.
struct SigmaReading {
  bool as_printed = false;
  double widest = 4;  // W stays within w / widest .. w * widest
};

struct WindowTerms {
  double velocity = 1;  // delta_max / |delta|
  double turn = 1;      // (|dtheta|_max + pi) / pi
};

double velocity_change(const TrackIn& t, std::uint32_t k) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = static_cast<double>(t.velocity[k][i]) - static_cast<double>(t.velocity[k - 1][i]);
    sum += d * d;
  }
  return math::sqrt(sum);
}

double turn_between(const float* a, const float* b) {
  double product = 0;
  for (int i = 0; i < 4; ++i) product += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return 2 * math::acos(math::min(1.0, math::abs(product)));
}

// for every tick: the terms of the window that begins there
std::vector<WindowTerms> window_terms(const Source& s, std::uint32_t window, bool as_printed) {
  constexpr double kPi = 3.14159265358979323846;
  std::vector<double> change(s.track.count, 0.0);
  double largest = 0;
  for (std::uint32_t k = 1; k < s.track.count; ++k) largest = std::max(largest, change[k] = velocity_change(s.track, k));
  std::vector<WindowTerms> terms(s.track.count);
  for (std::uint32_t k = 0; k < s.last(); ++k) {
    const std::uint32_t end = std::min(s.last(), k + window);
    double squares = 0, local = 0, turn = 0;
    for (std::uint32_t j = k + 1; j <= end; ++j) {
      squares += change[j] * change[j];
      local = std::max(local, change[j]);
      turn = std::max(turn, turn_between(s.track.attitude[k], s.track.attitude[j]));
    }
    const double norm = as_printed ? math::sqrt(squares) : math::sqrt(squares / (end - k));
    terms[k] = {(as_printed ? local : largest) / math::max(norm, 1e-12), (turn + kPi) / kPi};
  }
  return terms;
}

std::vector<std::uint32_t> sigma_times(const Source& s, const SigmaReading& reading, const std::vector<WindowTerms>& terms, double window, double scale) {
  std::vector<std::uint32_t> at{0};
  while (at.back() < s.last()) {
    const WindowTerms& now = terms[at.back()];
    const double turn = reading.as_printed ? now.turn : 1 / now.turn;
    const double ticks = window * math::clamp(scale * now.velocity * turn, 1 / reading.widest, reading.widest);
    at.push_back(std::min<std::uint32_t>(s.last(), at.back() + std::max(1u, static_cast<std::uint32_t>(math::round(ticks)))));
  }
  return at;
}

// the smallest scale that keeps to the number of knots
std::vector<std::uint32_t> sigma_times(const Source& s, const SigmaReading& reading, const std::vector<WindowTerms>& terms, double window) {
  double low = 1e-6, high = 1e6;
  for (int i = 0; i < 60; ++i) {
    const double middle = math::sqrt(low * high);
    (sigma_times(s, reading, terms, window, middle).size() <= s.most_knots ? high : low) = middle;
  }
  return sigma_times(s, reading, terms, window, high);
}

Redrawn redraw_sigma(const Source& s) {
  const double window = static_cast<double>(s.last()) / static_cast<double>(s.most_knots - 1);
  Redrawn best;
  double best_rmse = 0;
  for (const bool as_printed : {false, true}) {
    const std::vector<WindowTerms> terms = window_terms(s, std::max(1u, static_cast<std::uint32_t>(window)), as_printed);
    for (const double widest : {1.5, 2.0, 4.0, 8.0}) {
      const std::vector<std::uint32_t> at = sigma_times(s, {as_printed, widest}, terms, window);
      if (at.size() > s.most_knots) continue;
      Redrawn r{draw(Interpolator::Sigma, s, at), at.size()};
      const double rmse = error_of(Interpolator::Sigma, s.track, r).rmse;
      if (best.knots == 0 || rmse < best_rmse) best = std::move(r), best_rmse = rmse;
    }
  }
  return best;
}

// ---------------------------------------------------------------- ours

constexpr double kVelocityShare = 4;  // of the bound over a typical piece

// Where the pieces of bounded error begin and end, as the recording would place them.
std::vector<std::uint32_t> bounded_times(const Source& s, const TrackSamples& samples, double bound) {
  Tuning tuning;
  tuning.position_step = tuning.velocity_step = 0.1;
  // an error of the position that comes and goes within a piece is one of the velocity too
  const double window = static_cast<double>(s.last()) / static_cast<double>(s.most_knots - 1) * s.tick;
  const Bounds bounds{bound, math::clamp(kVelocityShare * bound / window, 1e-6, 1e6), 1};
  TrackKnots knots;
  find_motion_knots(samples, s.tick, steps_for(bounds, tuning), limits_of(bounds), tuning, knots);
  std::vector<std::uint32_t> at{0};
  for (const MotionStep& step : knots.motion) at.push_back(at.back() + step.ticks);
  return at;
}

// The positions and velocities at given knots that are best for all ticks together. The normal equations couple each knot
// with the next one only: blocks of 2 by 2, solved from the first to the last and back, the three axes at once.
class LeastSquares {
 public:
  LeastSquares(const Source& s, const std::vector<std::uint32_t>& at) : blocks_(at.size()) {
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
      for (std::uint32_t k = at[i]; k < at[i + 1] + (i + 2 == at.size() ? 1 : 0); ++k) add(s, i, at[i], at[i + 1], k);
    // the recorded velocity decides where the positions do not, in pieces of a tick or two
    for (std::size_t i = 0; i < at.size(); ++i) {
      blocks_[i].own[1][1] += kVelocityWeight;
      for (std::size_t c = 0; c < 3; ++c) blocks_[i].right[1][c] += kVelocityWeight * static_cast<double>(s.track.velocity[at[i]][c]);
    }
    solve();
  }
  double position(std::size_t knot, std::size_t axis) const { return blocks_[knot].right[0][axis]; }
  double velocity(std::size_t knot, std::size_t axis) const { return blocks_[knot].right[1][axis]; }

 private:
  static constexpr double kVelocityWeight = 1e-6;  // s2
  struct Block {
    double own[2][2] = {}, next[2][2] = {};  // rows of this knot's position and velocity
    double right[2][3] = {};                 // then the solution
  };

  void add(const Source& s, std::size_t i, std::uint32_t from, std::uint32_t to, std::uint32_t k) {
    const double seconds = (to - from) * s.tick, x = static_cast<double>(k - from) / (to - from), x2 = x * x, x3 = x2 * x;
    const double a[2] = {1 - 3 * x2 + 2 * x3, (x3 - 2 * x2 + x) * seconds}, b[2] = {3 * x2 - 2 * x3, (x3 - x2) * seconds};
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 2; ++c) {
        blocks_[i].own[r][c] += a[r] * a[c];
        blocks_[i].next[r][c] += a[r] * b[c];
        blocks_[i + 1].own[r][c] += b[r] * b[c];
      }
      for (int c = 0; c < 3; ++c) {
        blocks_[i].right[r][c] += a[r] * s.track.position[k][c];
        blocks_[i + 1].right[r][c] += b[r] * s.track.position[k][c];
      }
    }
  }

  // own^-1 applied to the coupling and the right side
  static void divide(Block& b) {
    const double det = b.own[0][0] * b.own[1][1] - b.own[0][1] * b.own[1][0];
    const double inverse[2][2] = {{b.own[1][1] / det, -b.own[0][1] / det}, {-b.own[1][0] / det, b.own[0][0] / det}};
    for (int c = 0; c < 2; ++c) {
      const double x = b.next[0][c], y = b.next[1][c];
      for (int r = 0; r < 2; ++r) b.next[r][c] = inverse[r][0] * x + inverse[r][1] * y;
    }
    for (int c = 0; c < 3; ++c) {
      const double x = b.right[0][c], y = b.right[1][c];
      for (int r = 0; r < 2; ++r) b.right[r][c] = inverse[r][0] * x + inverse[r][1] * y;
    }
  }

  void solve() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      Block& b = blocks_[i];
      if (i > 0) {
        const Block& before = blocks_[i - 1];
        for (int r = 0; r < 2; ++r) {
          for (int c = 0; c < 2; ++c) b.own[r][c] -= coupling_[0][r] * before.next[0][c] + coupling_[1][r] * before.next[1][c];
          for (int c = 0; c < 3; ++c) b.right[r][c] -= coupling_[0][r] * before.right[0][c] + coupling_[1][r] * before.right[1][c];
        }
      }
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) coupling_[r][c] = b.next[r][c];
      divide(b);
    }
    for (std::size_t i = blocks_.size() - 1; i-- > 0;)
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c)
          blocks_[i].right[r][c] -= blocks_[i].next[r][0] * blocks_[i + 1].right[0][c] + blocks_[i].next[r][1] * blocks_[i + 1].right[1][c];
  }

  std::vector<Block> blocks_;
  double coupling_[2][2] = {};
};

Positions draw_fitted(const Source& s, const std::vector<std::uint32_t>& at) {
  const LeastSquares fit(s, at);
  Positions out(s.track.count);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Knots1 k;
    for (std::size_t i = 0; i < at.size(); ++i) {
      k.t.push_back(at[i] * s.tick);
      k.x.push_back(fit.position(i, axis));
      k.slope.push_back(fit.velocity(i, axis));
    }
    for (std::uint32_t i = 0; i < s.track.count; ++i) out[i][axis] = value_at(Interpolator::Ours, k, i * s.tick);
  }
  return out;
}

Redrawn redraw_ours(const Source& s) {
  TrackSamples samples;
  samples.count = s.track.count;
  for (std::uint32_t k = 0; k < s.track.count; ++k)
    for (int i = 0; i < 3; ++i) {
      samples.position.push_back(s.track.position[k][i]);
      samples.velocity.push_back(static_cast<double>(s.track.velocity[k][i]));
    }
  double low = 1e-5, high = 1e5;
  for (int i = 0; i < 40; ++i) {
    const double middle = math::sqrt(low * high);
    (bounded_times(s, samples, middle).size() <= s.most_knots ? high : low) = middle;
  }
  const std::vector<std::uint32_t> at = bounded_times(s, samples, high);
  return {draw_fitted(s, at), at.size()};
}

}  // namespace

Redrawn redraw(Interpolator method, const TrackIn& track, double tick_seconds, double knots_per_second) {
  core::require(track.count >= 2, "a track to interpolate has two ticks");
  core::require(knots_per_second > 0 && tick_seconds > 0, "knots per second and the tick are positive");
  const double seconds = (track.count - 1) * tick_seconds;
  const auto most = static_cast<std::size_t>(math::min(math::floor(seconds * knots_per_second + 1e-9), 1e9)) + 1;
  const Source source{track, tick_seconds, std::max<std::size_t>(2, most)};
  if (method == Interpolator::Sigma) return redraw_sigma(source);
  if (method == Interpolator::Ours) return redraw_ours(source);
  const std::vector<std::uint32_t> at = equal_times(source);
  return {draw(method, source, at), at.size()};
}

std::vector<InterpolationError> compare_interpolators(const TrackIn& track, double tick_seconds, double knots_per_second) {
  std::vector<InterpolationError> errors;
  for (const Interpolator method : kInterpolators) errors.push_back(error_of(method, track, redraw(method, track, tick_seconds, knots_per_second)));
  return errors;
}

}  // namespace volary::replay
