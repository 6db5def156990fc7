// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "logs/track.hpp"

#include <algorithm>

#include "environment/geodesy.hpp"

namespace volary::logs {

namespace {

using Vec3d = math::Vec3<double>;
using Quatd = math::Quat<double>;

// the last element at or before a time, and how far it is to the next: 0 to 1
struct Between {
  std::size_t at = 0;
  double share = 0;    // 0 at the last element of all
  double seconds = 0;  // from this to the next
};
template <class T> Between find(const std::vector<T>& list, double time_us) {
  const auto next = std::upper_bound(list.begin(), list.end(), time_us, [](double t, const T& x) { return t < static_cast<double>(x.time_us); });
  if (next == list.begin()) return {};
  const auto k = static_cast<std::size_t>(next - list.begin()) - 1;
  if (next == list.end()) return {k, 0, 0};
  const double from = static_cast<double>(list[k].time_us), step = static_cast<double>(next->time_us) - from;
  return {k, step > 0 ? (time_us - from) / step : 0, step * 1e-6};
}

Vec3d vector(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

struct Moving {
  Vec3d position, velocity;
  bool moves = false;
};

// cubic Hermite: through both positions with both velocities
Moving position_at(const Flight& f, double time_us) {
  const Between b = find(f.fixes, time_us);
  const Fix& here = f.fixes[b.at];
  if (b.seconds <= 0 || b.seconds > kLongestGap || time_us < 0) return {vector(here.position), {0, 0, 0}, false};
  const Fix& next = f.fixes[b.at + 1];
  const double s = b.share, h = b.seconds, s2 = s * s, s3 = s2 * s;
  const Vec3d p0 = vector(here.position), p1 = vector(next.position), v0 = vector(here.velocity), v1 = vector(next.velocity);
  return {(2 * s3 - 3 * s2 + 1) * p0 + (h * (s3 - 2 * s2 + s)) * v0 + (3 * s2 - 2 * s3) * p1 + (h * (s3 - s2)) * v1,
          (6 * (s2 - s) / h) * (p0 - p1) + (3 * s2 - 4 * s + 1) * v0 + (3 * s2 - 2 * s) * v1, true};
}

// along the great arc (Shoemake 1985)
Quatd slerp(const Quatd& a, Quatd b, double s) {
  double c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  if (c < 0) b = {-b.w, -b.x, -b.y, -b.z}, c = -c;
  double left = 1 - s, right = s;
  if (c < 0.9999) {
    const double sine = math::sqrt(1 - c * c), angle = math::atan2(sine, c);
    left = math::sin((1 - s) * angle) / sine, right = math::sin(s * angle) / sine;
  }
  return math::normalize(Quatd{left * a.w + right * b.w, left * a.x + right * b.x, left * a.y + right * b.y, left * a.z + right * b.z});
}

Quatd attitude_at(const Flight& f, double time_us) {
  if (f.turns.empty()) return {1, 0, 0, 0};
  const auto quat = [&](std::size_t k) { return Quatd{f.turns[k].attitude[0], f.turns[k].attitude[1], f.turns[k].attitude[2], f.turns[k].attitude[3]}; };
  const Between b = find(f.turns, time_us);
  if (b.share <= 0 || b.seconds > kLongestGap) return math::normalize(quat(b.at));
  return slerp(quat(b.at), quat(b.at + 1), b.share);
}

Vec3d rate_at(const Flight& f, double time_us) {
  if (f.rates.empty()) return {0, 0, 0};
  const Between b = find(f.rates, time_us);
  const Vec3d here = vector(f.rates[b.at].omega);
  if (b.seconds > kLongestGap) return {0, 0, 0};
  return b.share <= 0 ? here : here + b.share * (vector(f.rates[b.at + 1].omega) - here);
}

Vec array_of(const Vec3d& v) { return {v.x, v.y, v.z}; }
constexpr double kDegree = 0.017453292519943295;  // rad
auto frame_at(const Place& p) {
  return environment::local_frame(environment::kWgs84, environment::Geodetic<double>{p.latitude * kDegree, p.longitude * kDegree, p.height});
}

}  // namespace

double Track::flight_time(double time) const { return std::clamp(time - start + from, from, std::max(from, std::min(until, flight->duration()))); }

SetState state_at(const Track& track, double time) {
  const double within = track.flight_time(time), time_us = within * 1e6;
  const Moving m = position_at(*track.flight, time_us);
  // at both ends it stands still, whatever it did there
  const bool moves = m.moves && within == time - track.start + track.from;
  const Quatd q = math::quat_from_matrix(track.R_WL) * attitude_at(*track.flight, time_us);
  const Vec3d p = track.R_WL * m.position, v = track.R_WL * m.velocity, omega = moves ? rate_at(*track.flight, time_us) : Vec3d{0, 0, 0};
  SetState s;
  s.position_W = {track.origin_W[0] + p.x, track.origin_W[1] + p.y, track.origin_W[2] + p.z};
  s.velocity_W = moves ? array_of(v) : Vec{0, 0, 0};
  s.omega_B = array_of(omega);
  s.attitude = {q.w, q.x, q.y, q.z};
  return s;
}

Mode mode_at(const Track& track, double time) {
  const double time_us = track.flight_time(time) * 1e6;
  const auto& list = track.flight->modes;
  const auto next = std::upper_bound(list.begin(), list.end(), time_us, [](double t, const ModeChange& m) { return t < static_cast<double>(m.time_us); });
  return next == list.begin() ? Mode::Disarmed : std::prev(next)->mode;
}

std::vector<const Note*> notes_between(const Track& track, double after, double up_to) {
  std::vector<const Note*> list;
  const double shift = track.from - track.start, from = std::max(after + shift, track.from), to = std::min(up_to + shift, track.until);
  const auto& notes = track.flight->notes;
  auto it = std::lower_bound(notes.begin(), notes.end(), from * 1e6, [](const Note& n, double t) { return static_cast<double>(n.time_us) < t; });
  for (; it != notes.end() && static_cast<double>(it->time_us) < to * 1e6; ++it) list.push_back(&*it);
  return list;
}

void put_on_earth(Track& track, const Place& world_origin) {
  if (!track.flight->origin) return;
  const auto world = frame_at(world_origin), log = frame_at(*track.flight->origin);
  // R_WE times the transpose of R_LE: rows of the first, seen along the rows of the second
  const auto seen = [&](const Vec3d& row) { return Vec3d{math::dot(row, log.R_WE.row0), math::dot(row, log.R_WE.row1), math::dot(row, log.R_WE.row2)}; };
  track.R_WL = {seen(world.R_WE.row0), seen(world.R_WE.row1), seen(world.R_WE.row2)};
  track.origin_W = array_of(environment::enu_from_ecef(world, log.origin_E));
}

void put_at(Track& track, const Vec& position_W) {
  track.R_WL = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  track.origin_W = {0, 0, 0};
  const Vec first = state_at(track, track.start).position_W;
  for (std::size_t k = 0; k < 3; ++k) track.origin_W[k] = position_W[k] - first[k];
}

}  // namespace volary::logs
