// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "scenario/minimum_snap.hpp"

namespace volary::scenario {

namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kSharpest = 170 * kDegree;  // rad; beyond it a route turns back on itself
constexpr double kStraight = 1e-9;           // rad; less is no corner
constexpr double kShortest = 1e-9;           // m; less is no piece
constexpr double kMostTurn = 45 * kDegree;   // rad, in one piece: its error is R turn^8 / (2^8 8!), 1.4e-8 R
constexpr double kMostSteeper = 0.45;        // change of slope in one piece: within an arc its radius stays right to a part in a thousand
constexpr int kRampParts = 8;                // pieces of a change of speed, so that one inside an arc stays as near to it

// ---------------------------------------------------------------- corners

struct Corner {
  double turn = 0;     // rad, to the left
  double tangent = 0;  // m from the point to where the arc begins and ends
  double arc = 0;      // m
};
struct Leg {
  double length = 0, cosine = 1, sine = 0, heading = 0;  // m, seen from above
};

// a value and its first three derivatives
using Jet = std::array<double, 4>;

// derivatives of f(g) from those of f by g and those of g: Faà di Bruno up to the third
Jet compose(const Jet& f, const Jet& g) {
  return {f[0], f[1] * g[1], f[2] * g[1] * g[1] + f[1] * g[2], f[3] * g[1] * g[1] * g[1] + 3 * f[2] * g[1] * g[2] + f[1] * g[3]};
}

// ---------------------------------------------------------------- the track seen from above, and its heights

struct Stretch {  // constant curvature
  double from, length;
  double x, y, heading, curvature;

  void at(double along, Jet& jx, Jet& jy) const {
    const double u = along - from, k = curvature;
    double s0, c0, s, c;
    math::sincos(heading, s0, c0);
    math::sincos(heading + k * u, s, c);
    jx = {k == 0 ? x + c * u : x + (s - s0) / k, c, -k * s, -k * k * c};
    jy = {k == 0 ? y + s * u : y - (c - c0) / k, s, k * c, -k * k * s};
  }
};
struct Grade {  // slope changes evenly
  double from, length;
  double z, slope, change;

  double slope_at(double along) const { return slope + change * (along - from); }
  Jet at(double along) const {
    const double u = along - from;
    return {z + u * (slope + 0.5 * change * u), slope_at(along), change, 0};
  }
  // the way seen from above, by the length in space: a' = (1 + m^2)^(-1/2)
  Jet level_by_length(double along) const {
    const double m = slope_at(along), k = change, a = 1 / math::sqrt(1 + m * m), a4 = a * a * a * a;
    return {along, a, -(m * k * a4), k * k * a4 * a * (4 * m * m * a * a - 1)};
  }
  double length_between(double a, double b) const {
    if (change == 0) return (b - a) * math::sqrt(1 + slope * slope);
    // Gauss and Legendre with five points
    constexpr double kAt[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.906179845938664, -0.906179845938664};
    constexpr double kWeight[5] = {0.5688888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618908, 0.23692688505618908};
    double sum = 0;
    for (int i = 0; i < 5; ++i) {
      const double m = slope_at(0.5 * (a + b) + 0.5 * (b - a) * kAt[i]);
      sum += kWeight[i] * math::sqrt(1 + m * m);
    }
    return 0.5 * (b - a) * sum;
  }
};
template <class Part> const Part& part_at(const std::vector<Part>& parts, double along) {
  std::size_t i = 0;
  while (i + 1 < parts.size() && along > parts[i].from + parts[i].length) ++i;
  return parts[i];
}

// where an increasing function reaches a value
template <class F> double invert(double lo, double hi, double value, F&& f) {
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (lo + hi);
    (f(middle) < value ? lo : hi) = middle;
  }
  return 0.5 * (lo + hi);
}

// ---------------------------------------------------------------- speed along it

// speed rises and falls along the smooth step 10u^3 - 15u^4 + 6u^5, whose slope peaks at 1.875
class Speed {
 public:
  Speed(const RouteFile& file, double length) : length_(length) {
    constexpr double kPeak = 1.875;
    const int changes = file.from_rest + file.to_rest;
    top_ = file.speed;
    if (changes > 0) top_ = math::min(top_, math::sqrt(2 * length * file.acceleration / (kPeak * changes)));
    const double time = kPeak * top_ / file.acceleration;
    rise_ = file.from_rest ? time : 0;
    fall_ = file.to_rest ? time : 0;
    total_ = (length + 0.5 * top_ * (rise_ + fall_)) / top_;
  }
  double total() const { return total_; }
  bool is_steady(double from, double to) const { return from >= rise_ - kInstant && to <= total_ - fall_ + kInstant; }
  // s, where speed begins or ends to change, and between
  std::vector<double> cuts() const {
    std::vector<double> at;
    for (int i = 1; i <= kRampParts; ++i) {
      if (rise_ > 0) at.push_back(rise_ * i / kRampParts);
      if (fall_ > 0) at.push_back(total_ - fall_ * i / kRampParts);
    }
    return at;
  }
  // length by time
  Jet at(double time) const {
    if (rise_ > 0 && time < rise_) return ramp(time, rise_);
    const double left = total_ - time;
    if (fall_ > 0 && left < fall_) {
      const Jet back = ramp(left, fall_);
      return {length_ - back[0], back[1], -back[2], back[3]};
    }
    return {top_ * (time - 0.5 * rise_), top_, 0, 0};
  }
  double time_of(double length) const {
    return invert(0, total_, length, [this](double t) { return at(t)[0]; });
  }

 private:
  static constexpr double kInstant = 1e-9;  // s
  Jet ramp(double time, double duration) const {
    const double u = time / duration, u2 = u * u, rate = top_ / duration;
    return {top_ * duration * u2 * u2 * (2.5 + u * (u - 3)), top_ * u2 * u * (10 + u * (6 * u - 15)), rate * u2 * (30 + u * (30 * u - 60)),
            rate / duration * u * (60 + u * (120 * u - 180))};
  }
  double length_, top_, rise_, fall_, total_;
};

// ---------------------------------------------------------------- a route in the making

class Route {
 public:
  explicit Route(const RouteFile& file) : file_(file), points_(file.points) {
    if (file.loop && points_.size() > 2 && distance(points_.back(), points_.front()) < 1e-3) points_.pop_back();
  }

  core::Status measure(const std::string& field);
  Path make();

 private:
  std::size_t n_legs() const { return file_.loop ? points_.size() : points_.size() - 1; }
  std::size_t after(std::size_t i) const { return (i + 1) % points_.size(); }
  const Corner& end_of(std::size_t leg) const { return corners_[after(leg)]; }
  double free_part(std::size_t leg) const { return legs_[leg].length - corners_[leg].tangent - end_of(leg).tangent; }

  core::Status measure_legs(const std::string& field);
  core::Status measure_corners(const std::string& field);
  core::Status check_room(const std::string& field) const;
  void lay_track();
  void lay_grades();
  std::vector<double> cuts() const;
  PathPiece piece(double from, double to, double begin, double end, const Speed& speed) const;

  const RouteFile& file_;
  std::vector<Vec> points_;
  std::vector<Leg> legs_;
  std::vector<Corner> corners_;
  std::vector<Stretch> track_;
  std::vector<Grade> grades_;
  double total_ = 0;  // m, seen from above
};

core::Status Route::measure_legs(const std::string& field) {
  for (std::size_t i = 0; i < n_legs(); ++i) {
    const Vec &a = points_[i], &b = points_[after(i)];
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = math::sqrt(dx * dx + dy * dy);
    if (length < 1e-3) {
      return error_at(fmt::format("{}.points[{}]", field, after(i)), fmt::format("is straight above or below points[{}]: a route has no upright legs", i),
                      "use waypoints for upright legs");
    }
    legs_.push_back({length, dx / length, dy / length, math::atan2(dy, dx)});
  }
  return core::ok();
}

core::Status Route::measure_corners(const std::string& field) {
  corners_.resize(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!file_.loop && (i == 0 || i + 1 == points_.size())) continue;
    const Leg &in = legs_[(i + legs_.size() - 1) % legs_.size()], &out = legs_[i];
    const double turn = math::atan2(in.cosine * out.sine - in.sine * out.cosine, in.cosine * out.cosine + in.sine * out.sine);
    const double size = math::abs(turn);
    if (size > kSharpest) {
      return error_at(fmt::format("{}.points[{}]", field, i), fmt::format("turns by {:.0f} deg: too sharp to be rounded", size / kDegree),
                      fmt::format("at most {:.0f} deg; add a point to go round by", kSharpest / kDegree));
    }
    if (size > kStraight) corners_[i] = {turn, file_.radius * math::tan(0.5 * size), file_.radius * size};
  }
  return core::ok();
}

core::Status Route::check_room(const std::string& field) const {
  for (std::size_t i = 0; i < n_legs(); ++i) {
    if (free_part(i) > -kShortest) continue;
    const double needed = corners_[i].tangent + end_of(i).tangent;
    const std::size_t sharper = corners_[i].tangent > end_of(i).tangent ? i : after(i);
    return error_at(fmt::format("{}.points[{}]", field, sharper),
                    fmt::format("the leg from points[{}] to points[{}] is {:.6g} m long, and the arcs of {} m radius at its ends take {:.6g} m", i, after(i),
                                legs_[i].length, file_.radius, needed),
                    fmt::format("a radius of at most {:.6g} m", file_.radius * legs_[i].length / needed));
  }
  return core::ok();
}

core::Status Route::measure(const std::string& field) {
  if (file_.loop && file_.from_rest != file_.to_rest) {
    return error_at(field, "a loop with only one of from_rest and to_rest would jump in speed at every lap", "give both or none");
  }
  if (file_.spread && (!file_.loop || file_.from_rest)) {
    return error_at(field + ".spread", "vehicles can only share a loop that is driven without a rest", "loop: true, without from_rest and to_rest");
  }
  if (const core::Status legs = measure_legs(field); !legs) return legs;
  if (const core::Status corners = measure_corners(field); !corners) return corners;
  return check_room(field);
}

void Route::lay_track() {
  for (std::size_t i = 0; i < n_legs(); ++i) {
    const Leg& leg = legs_[i];
    const double back = corners_[i].tangent, straight = math::max(free_part(i), 0.0);
    if (straight > kShortest) {
      track_.push_back({total_, straight, points_[i][0] + leg.cosine * back, points_[i][1] + leg.sine * back, leg.heading, 0});
      total_ += straight;
    }
    const Corner& corner = end_of(i);
    if (corner.arc == 0) continue;
    const Vec& p = points_[after(i)];
    const double x = p[0] - leg.cosine * corner.tangent, y = p[1] - leg.sine * corner.tangent;
    track_.push_back({total_, corner.arc, x, y, leg.heading, corner.turn / corner.arc});
    total_ += corner.arc;
  }
}

void Route::lay_grades() {
  // knots: the middles of the arcs, and slopes between them
  std::vector<double> at = {-0.5 * corners_[0].arc}, slope;
  for (std::size_t i = 0; i < n_legs(); ++i) {
    at.push_back(at[i] + 0.5 * (corners_[i].arc + end_of(i).arc) + math::max(free_part(i), 0.0));
    slope.push_back((points_[after(i)][2] - points_[i][2]) / (at[i + 1] - at[i]));
  }
  // how far before and after a knot its slope changes: over the arc, on a gentle corner by the route's radius in the upright plane
  std::vector<double> half(at.size(), 0.0);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const bool end = !file_.loop && (k == 0 || k + 1 == at.size());
    const std::size_t out = k % n_legs(), in = (k + n_legs() - 1) % n_legs();
    const double change = math::abs(slope[out] - slope[in]), arc = corners_[k % points_.size()].arc;
    if (end || change == 0) continue;
    const double room = 0.5 * math::max(math::min(free_part(in), free_part(out)), 0.0);
    half[k] = 0.5 * arc + math::clamp(0.5 * file_.radius * change - 0.5 * arc, 0.0, room);
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const double z = points_[k % points_.size()][2];
    const std::size_t out = k % n_legs(), in = (k + n_legs() - 1) % n_legs();
    if (half[k] > 0) grades_.push_back({at[k] - half[k], 2 * half[k], z - slope[in] * half[k], slope[in], (slope[out] - slope[in]) / (2 * half[k])});
    if (k + 1 == at.size()) break;
    grades_.push_back({at[k] + half[k], at[k + 1] - half[k + 1] - at[k] - half[k], z + slope[k] * half[k], slope[k], 0});
  }
}

// m seen from above: where one formula gives way to the next, and within long arcs and changes of slope
std::vector<double> Route::cuts() const {
  std::vector<double> at = {0, total_};
  for (const Stretch& s : track_) {
    const int parts = 1 + static_cast<int>(math::abs(s.curvature) * s.length / kMostTurn - 1e-9);
    for (int i = 0; i < parts; ++i) at.push_back(s.from + s.length * i / parts);
  }
  for (const Grade& g : grades_) {
    const int parts = 1 + static_cast<int>(math::abs(g.change) * g.length / kMostSteeper - 1e-9);
    for (int i = 0; i < parts; ++i) at.push_back(math::clamp(g.from + g.length * i / parts, 0.0, total_));
  }
  return at;
}

// what is the same as its neighbour is one cut
void sort_cuts(std::vector<double>& at, double nearest) {
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end(), [&](double a, double b) { return b - a < nearest; }), at.end());
}

PathPiece Route::piece(double from, double to, double begin, double end, const Speed& speed) const {
  const double middle = 0.5 * (from + to);
  const Stretch& s = part_at(track_, middle);
  const Grade& g = part_at(grades_, middle);
  PathPiece piece;
  piece.duration = end - begin;
  std::array<std::array<double, 8>, 3> boundary{};
  for (std::size_t side = 0; side < 2; ++side) {
    const double along = side == 0 ? from : to;
    const Jet by_time = speed.at(side == 0 ? begin : end), level = g.level_by_length(along);
    Jet axis[3];
    s.at(along, axis[0], axis[1]);
    axis[2] = g.at(along);
    for (std::size_t k = 0; k < 3; ++k) {
      const Jet jet = compose(compose(axis[k], level), by_time);
      std::copy(jet.begin(), jet.end(), boundary[k].begin() + static_cast<std::ptrdiff_t>(4 * side));
    }
  }
  const bool straight = s.curvature == 0 && g.change == 0 && speed.is_steady(begin, end);
  for (std::size_t k = 0; k < 3; ++k) {
    piece.coefficient[k] =
        straight ? std::array<double, 8>{boundary[k][0], (boundary[k][4] - boundary[k][0]) / piece.duration} : hermite(boundary[k], piece.duration);
  }
  return piece;
}

Path Route::make() {
  lay_track();
  lay_grades();
  std::vector<double> at = cuts();
  sort_cuts(at, kShortest);
  at.back() = total_;
  // the length in space up to every cut
  std::vector<double> length = {0};
  for (std::size_t i = 0; i + 1 < at.size(); ++i) length.push_back(length[i] + part_at(grades_, 0.5 * (at[i] + at[i + 1])).length_between(at[i], at[i + 1]));
  const Speed speed(file_, length.back());
  struct Cut {
    double along, time;
  };
  std::vector<Cut> all;
  for (std::size_t i = 0; i < at.size(); ++i) all.push_back({at[i], speed.time_of(length[i])});
  all.back().time = speed.total();
  for (const double time : speed.cuts()) {
    const double wanted = speed.at(time)[0];
    const auto last = std::upper_bound(length.begin(), length.end() - 1, wanted);
    const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(last - length.begin() - 1, 0));
    const Grade& g = part_at(grades_, 0.5 * (at[i] + at[i + 1]));
    all.push_back({invert(at[i], at[i + 1], wanted - length[i], [&](double b) { return g.length_between(at[i], b); }), time});
  }
  std::sort(all.begin(), all.end(), [](const Cut& a, const Cut& b) { return a.time < b.time; });
  Path path;
  path.loop = file_.loop;
  Cut from = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].along - from.along < kShortest && i + 1 < all.size()) continue;
    path.pieces.push_back(piece(from.along, all[i].along, from.time, all[i].time, speed));
    from = all[i];
  }
  return path;
}

}  // namespace

core::Result<Path> plan_route(const RouteFile& file, const std::string& field) {
  Route route(file);
  if (const core::Status measured = route.measure(field); !measured) return measured.error();
  return route.make();
}

Path begin_later(const Path& loop, double share) {
  double time = 0;
  for (const PathPiece& piece : loop.pieces) time += piece.duration;
  time = time * share;
  std::size_t first = 0;
  while (first + 1 < loop.pieces.size() && time >= loop.pieces[first].duration) time -= loop.pieces[first++].duration;
  // the piece that holds at that time is cut in two: its second half is the first piece, its first half the last
  PathPiece rest = loop.pieces[first], before = rest;
  rest.duration -= time;
  before.duration = time;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::array<double, 8> d = derivatives(before.coefficient[axis], time);
    double factorial = 1;
    for (std::size_t k = 0; k < 8; ++k) {
      factorial = k == 0 ? 1 : factorial * static_cast<double>(k);
      rest.coefficient[axis][k] = d[k] / factorial;
    }
  }
  Path path;
  path.loop = loop.loop;
  if (rest.duration > kShortest) path.pieces.push_back(rest);
  for (std::size_t i = 1; i < loop.pieces.size(); ++i) path.pieces.push_back(loop.pieces[(first + i) % loop.pieces.size()]);
  if (before.duration > kShortest) path.pieces.push_back(before);
  return path;
}

}  // namespace volary::scenario
