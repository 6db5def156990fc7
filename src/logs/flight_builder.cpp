// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "logs/flight_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "environment/geodesy.hpp"
#include "math/frames.hpp"

namespace volary::logs {

namespace {

constexpr double kDegree = 0.017453292519943295;  // rad
constexpr std::size_t kMostNotes = 10'000;
constexpr auto kLeastStep = static_cast<std::int64_t>(0.99e6 / kMostSamples);  // us, with room for jitter

environment::Geodetic<double> geodetic(const Place& p) { return {p.latitude * kDegree, p.longitude * kDegree, p.height}; }

std::array<float, 3> floats(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
bool is_finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && math::norm(v) < 1e7; }
bool is_rotation(const Quatd& q) {
  const double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  return n > 0.5 && n < 2;
}

std::int64_t time_of(const FlightBuilder::Position& p) { return p.time_us; }
template <class T> std::int64_t time_of(const std::pair<std::int64_t, T>& p) { return p.first; }
std::int64_t time_of(const Outputs& o) { return o.time_us; }

// in the order of time, none twice, and none sooner than a step after the one before
template <class T> void put_in_order(std::vector<T>& list, std::int64_t step) {
  std::stable_sort(list.begin(), list.end(), [](const T& a, const T& b) { return time_of(a) < time_of(b); });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (kept == 0 || time_of(list[k]) - time_of(list[kept - 1]) >= step) {
      if (kept != k) list[kept] = std::move(list[k]);
      ++kept;
    }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

// What lies more than a day from its neighbours has a damaged time, or is of another flight: the part with the middle one is kept.
void keep_one_day(std::vector<FlightBuilder::Position>& list) {
  constexpr std::int64_t kDay = std::int64_t{86'400} * 1'000'000;
  if (list.empty()) return;
  std::size_t from = list.size() / 2, to = from + 1;
  while (from > 0 && list[from].time_us - list[from - 1].time_us < kDay) --from;
  while (to < list.size() && list[to].time_us - list[to - 1].time_us < kDay) ++to;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(to), list.end());
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(from));
}

// from the neighbours of a position, where the log has no velocity
Vec3d slope(const std::vector<FlightBuilder::Position>& list, std::size_t k) {
  const std::size_t a = k == 0 ? 0 : k - 1, b = std::min(k + 1, list.size() - 1);
  const double seconds = static_cast<double>(list[b].time_us - list[a].time_us) * 1e-6;
  if (!(seconds > 0) || seconds > 2 * kLongestGap) return {0, 0, 0};
  return (1 / seconds) * (list[b].position_N - list[a].position_N);
}

void add_fixes(const FlightBuilder& from, std::int64_t zero, Flight& f) {
  for (std::size_t k = 0; k < from.positions.size(); ++k) {
    const FlightBuilder::Position& p = from.positions[k];
    const Vec3d velocity = p.velocity_N ? *p.velocity_N : slope(from.positions, k);
    f.fixes.push_back({p.time_us - zero, floats(math::enu_from_ned(p.position_N)), floats(math::enu_from_ned(velocity))});
    if (k == 0) continue;
    const double gap = static_cast<double>(p.time_us - from.positions[k - 1].time_us) * 1e-6;
    if (gap <= kLongestGap) continue;
    ++f.gaps;
    f.longest_gap = std::max(f.longest_gap, gap);
    if (f.notes.size() < kMostNotes)
      f.notes.push_back({from.positions[k - 1].time_us - zero, fmt::format("log: no position for {:.2f} s: the vehicle stands still", gap)});
  }
}

// constant between two attitudes, where the log has no rates
void derive_rates(Flight& f) {
  for (std::size_t k = 0; k + 1 < f.turns.size(); ++k) {
    const double seconds = static_cast<double>(f.turns[k + 1].time_us - f.turns[k].time_us) * 1e-6;
    if (!(seconds > 0) || seconds > kLongestGap) continue;
    const auto quat = [](const Turn& t) { return Quatd{t.attitude[0], t.attitude[1], t.attitude[2], t.attitude[3]}; };
    const Quatd d = math::conjugate(quat(f.turns[k])) * quat(f.turns[k + 1]);
    const double scale = (d.w < 0 ? -2 : 2) / seconds;
    f.rates.push_back({(f.turns[k].time_us + f.turns[k + 1].time_us) / 2, floats({scale * d.x, scale * d.y, scale * d.z})});
  }
}

void add_rotation(const FlightBuilder& from, std::int64_t zero, Flight& f) {
  for (const auto& [time, q] : from.attitudes) {
    const Quatd w = math::normalize(math::enu_flu_from_ned_frd(q));
    f.turns.push_back({time - zero, {static_cast<float>(w.w), static_cast<float>(w.x), static_cast<float>(w.y), static_cast<float>(w.z)}});
  }
  for (const auto& [time, omega] : from.rates) f.rates.push_back({time - zero, floats(math::flu_from_frd(omega))});
  if (from.rates.empty()) derive_rates(f);
}

// what people can read in any file and on any terminal
std::string plain(const std::string& text) {
  std::string out = text.substr(0, 300);
  for (char& c : out)
    if (c < ' ' || c > '~') c = c < 0 ? '?' : ' ';
  return out;
}

}  // namespace

Picked::Picked(const Log& log, const char* table, std::initializer_list<const char*> columns, unsigned instance) {
  const Table* found = log.find(table, instance);
  if (found == nullptr || found->rows() == 0) return;
  for (const char* name : columns) {
    columns_.push_back(found->find(name));
    if (columns_.back() == nullptr) return;
  }
  table_ = found;
}

bool Picked::flag(std::size_t row, const char* column, bool otherwise) const {
  const Column* c = table_->find(column);
  return c == nullptr ? otherwise : table_->number(row, *c) != 0;
}

Vec3d ned_between(const Place& from, const Place& to) {
  return environment::ned_from_geodetic(environment::local_frame(environment::kWgs84, geodetic(from)), geodetic(to));
}
Place place_at(const Place& origin, const Vec3d& position_N) {
  const auto g = environment::geodetic_from_ned(environment::local_frame(environment::kWgs84, geodetic(origin)), position_N);
  return {g.latitude / kDegree, g.longitude / kDegree, g.height};
}

void FlightBuilder::add_place(std::int64_t time_us, const Place& place, std::optional<Vec3d> velocity_N) {
  if (!flight.origin) flight.origin = place;
  positions.push_back({time_us, ned_between(*flight.origin, place), velocity_N});
}

core::Result<Flight> FlightBuilder::finish(const Log& log) && {
  if (flight.origin && !is_near_the_ground(*flight.origin)) flight.origin.reset();
  std::erase_if(positions, [](const Position& p) { return !is_finite(p.position_N) || (p.velocity_N && !is_finite(*p.velocity_N)); });
  std::erase_if(attitudes, [](const auto& a) { return !is_rotation(a.second); });
  std::erase_if(rates, [](const auto& r) { return !is_finite(r.second) || math::norm(r.second) > 1000; });
  put_in_order(positions, kLeastStep), put_in_order(attitudes, kLeastStep), put_in_order(rates, kLeastStep), put_in_order(outputs, kLeastStep);
  keep_one_day(positions);
  if (positions.empty())
    return core::Error{.message = "has no position of the vehicle: neither of an estimator nor of a receiver for satellites",
                       .file = log.file,
                       .suggestion = "volary import FILE --info lists what is in it"};
  const std::int64_t zero = positions.front().time_us;
  Flight f = std::move(flight);
  add_fixes(*this, zero, f);
  add_rotation(*this, zero, f);
  for (Outputs& o : outputs) f.outputs.push_back({o.time_us - zero, std::move(o.values)});
  for (const auto& [time, mode] : modes) f.modes.push_back({std::max<std::int64_t>(0, time - zero), mode});  // what was so before is so at the start
  std::stable_sort(f.modes.begin(), f.modes.end(), [](const ModeChange& a, const ModeChange& b) { return a.time_us < b.time_us; });
  for (auto& [time, text] : notes)
    if (f.notes.size() < kMostNotes) f.notes.push_back({std::max<std::int64_t>(0, time - zero), std::move(text)});
  std::stable_sort(f.notes.begin(), f.notes.end(), [](const Note& a, const Note& b) { return a.time_us < b.time_us; });
  f.warnings = log.warnings();
  if (utc) f.utc = utc->second + static_cast<double>(zero - utc->first) * 1e-6;
  return f;
}

// Leap seconds by which GPS time was ahead of UTC (IERS Bulletin C): 15 in 2009, then one more from each of these times on.
double utc_of_gps(double week, double milliseconds) {
  constexpr double kEpoch = 315964800, kWeek = 604800;                       // 1980-01-06
  constexpr double kLeaps[] = {1341100800, 1435708800, 1483228800};          // 2012-07-01, 2015-07-01, 2017-01-01
  const double gps = kEpoch + week * kWeek + milliseconds * 1e-3;
  double utc = gps - 15;
  for (const double leap : kLeaps) utc -= utc >= leap ? 1 : 0;
  return utc;
}

core::Result<Flight> flight_of(const Log& log) {
  FlightBuilder builder;
  log.format == "DataFlash" ? gather_ardupilot(log, builder) : gather_px4(log, builder);
  for (const Line& line : log.lines)
    if (line.level <= 6) builder.notes.emplace_back(line.time_us, "log: " + plain(line.text));
  return std::move(builder).finish(log);
}

}  // namespace volary::logs
