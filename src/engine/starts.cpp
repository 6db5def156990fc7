// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/starts.hpp"

#include "control/guide.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "environment/terrain.hpp"
#include "vehicles/spread.hpp"

namespace volary::engine {

namespace {

constexpr double kPi = 3.14159265358979323846;
bool is_zero(const Vec& v) { return v == Vec{0, 0, 0}; }
Vec plus(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

// ---------------------------------------------------------------- the draw

// What is drawn for one vehicle. Each quantity has words of its own, so that spreading another one does not change it.
struct Draw {
  Vec position{}, velocity{}, rate{};  // m, m/s, rad/s
  double yaw = 0, tilt = 0, tilt_axis = 0;  // rad
};

// between -1 and 1, neither of them
double both_ways(std::uint32_t word) { return (2.0 * word + 1.0 - 0x1p32) * 0x1p-32; }

// The words of three draws side by side, with room for a fourth: one after the other they would wait for each other's products.
struct Three {
  typedef std::uint64_t Lanes __attribute__((vector_size(32)));
  Lanes v;
  Three() = default;
  Three(Lanes x) : v(x) {}
  explicit Three(std::uint32_t x) : v{x, x, x, x} {}
  friend Three operator^(const Three& a, const Three& b) { return a.v ^ b.v; }
  friend Three operator+(const Three& a, const Three& b) { return a.v + b.v; }
  friend Three operator&(const Three& a, const Three& b) { return a.v & b.v; }
  friend Three operator|(const Three& a, const Three& b) { return a.v | b.v; }
  friend void mul32(const Three& a, const Three& b, Three& hi, Three& lo) {
    const Lanes product = (a.v & 0xffffffffu) * (b.v & 0xffffffffu);
    hi = product >> 32;
    lo = product & 0xffffffffu;
  }
  std::uint32_t of(int k) const { return static_cast<std::uint32_t>(v[k]); }
};

class Drawer {
 public:
  Drawer(const SpreadDef& s, const math::RandomKey<std::uint32_t>& key) : s_(s), key_{Three(key.lo), Three(key.hi)} {}

  // the words of draws 0, 1 and 2; how they are dealt out never changes, whichever of the spreads are zero
  Draw draw(std::uint64_t who) const {
    const Three number(Three::Lanes{0, 1u << 16, 2u << 16, 3u << 16});  // where random_words() packs a draw
    const math::Words4<Three> w = math::random_words<Three>(key_, Three(static_cast<std::uint32_t>(who)), Three(static_cast<std::uint32_t>(who >> 32)),
                                                            math::Purpose::Start, Three(0), number, 0);
    Draw x;
    x.position = scaled(s_.position_W, w, 0);
    x.yaw = s_.yaw * both_ways(w.w[3].of(0));
    x.velocity = scaled(s_.velocity_W, w, 1);
    x.tilt = s_.tilt * both_ways(w.w[3].of(1));
    x.rate = scaled(s_.rate_B, w, 2);
    x.tilt_axis = kPi * both_ways(w.w[3].of(2));
    return x;
  }

 private:
  static Vec scaled(const Vec& v, const math::Words4<Three>& w, int k) {
    return {v[0] * both_ways(w.w[0].of(k)), v[1] * both_ways(w.w[1].of(k)), v[2] * both_ways(w.w[2].of(k))};
  }
  const SpreadDef& s_;
  math::RandomKey<Three> key_;
};

// Sine and cosine of half of an angle from -pi to pi, as the sums of their series at a quarter of it, in pairs of terms. math::sincos() is slower here: code for
// all CPUs calls a function for each of its fused products.
struct HalfAngle {
  explicit HalfAngle(double angle) {
    const double y = 0.25 * angle, z = y * y, z2 = z * z, z4 = z2 * z2;  // |y| < 0.79: the next terms are below 1e-16
    const double s = ((1 - z * (1.0 / 6)) + z2 * (1.0 / 120 - z * (1.0 / 5040))) +
                     z4 * ((1.0 / 362880 - z * (1.0 / 39916800)) + z2 * (1.0 / 6227020800 - z * (1.0 / 1307674368000)));
    const double c = ((1 - z * (1.0 / 2)) + z2 * (1.0 / 24 - z * (1.0 / 720))) +
                     z4 * ((1.0 / 40320 - z * (1.0 / 3628800)) + z2 * (1.0 / 479001600 - z * (1.0 / 87178291200)));
    const double sine = y * s;
    sin = 2 * sine * c;
    cos = 1 - 2 * sine * sine;
  }
  double sin, cos;
};
// and of the whole of it
struct WholeAngle {
  explicit WholeAngle(const HalfAngle& half) : sin(2 * half.sin * half.cos), cos(1 - 2 * half.sin * half.sin) {}
  double sin, cos;
};

// ---------------------------------------------------------------- the rows

struct Turn {  // a rotation, as a quaternion
  double w = 1, x = 0, y = 0, z = 0;
};
Turn times(const Turn& a, const Turn& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// the rows of one vehicle
template <class S> class Lane {
 public:
  Lane(const DrawnStarts& starts, void* hot, void* plan) : r_(starts), hot_(static_cast<S*>(hot)), plan_(static_cast<S*>(plan)) {}

  Vec position() const { return {whole(r_.position), whole(r_.position + 1), whole(r_.position + 2)}; }
  bool is_on_mission() const {
    using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
    return (std::bit_cast<Word>(*hot_) & control::kModeMask) == static_cast<Word>(Mode::Mission);  // the status is the first row
  }

  // and the place that it holds or is to hold
  void move(const Vec& by) {
    for (int k = 0; k < 3; ++k) {
      const double d = by[static_cast<std::size_t>(k)];
      if (d == 0) continue;
      const double x = whole(r_.position + k) + d;
      const S value = static_cast<S>(x), remainder = static_cast<S>(x - static_cast<double>(value));
      put(hot_, r_.position, k, value, remainder);
      put(hot_, r_.setpoint_position, k, value, remainder);
      put(plan_, r_.anchor, k, value, remainder);
    }
  }
  // it has this much further to the start of its mission
  void lengthen_way(const Vec& by) {
    if (plan_ == nullptr || r_.blend < 0 || is_zero(by) || !is_on_mission()) return;
    double way2 = 0;
    for (int k = 0; k < 3; ++k) {
      S& row = plan_[(r_.blend + k) * kBlock];
      row = static_cast<S>(static_cast<double>(row) + by[static_cast<std::size_t>(k)]);
      way2 += static_cast<double>(row) * static_cast<double>(row);
    }
    const double time = 1.875 * math::sqrt(way2) / r_.cruise;  // as plan_blend() of control/guide.hpp
    plan_[r_.blend_time * kBlock] = static_cast<S>(time > 0.5 ? time : 0.5);
  }

  void turn(double yaw) {
    if (yaw == 0) return;
    const HalfAngle half(yaw);
    const Turn q{half.cos, 0, 0, half.sin};
    for (const int row : {r_.attitude, r_.setpoint_attitude})
      if (row >= 0) write(row, times(q, read(row)));
    if (r_.setpoint_yaw >= 0) add(hot_[r_.setpoint_yaw * kBlock], yaw);
    if (plan_ != nullptr && r_.anchor_yaw >= 0) add(plan_[r_.anchor_yaw * kBlock], yaw);
  }
  void tilt(double angle, double axis) {
    if (angle == 0) return;
    const HalfAngle half(angle);
    const WholeAngle ahead{HalfAngle(axis)};
    write(r_.attitude, times({half.cos, half.sin * ahead.cos, half.sin * ahead.sin, 0}, read(r_.attitude)));
  }
  void rotate(const Vec& by) {
    for (int k = 0; k < 3; ++k) add(hot_[(r_.omega + k) * kBlock], by[static_cast<std::size_t>(k)]);
  }

  Vec velocity() const { return {number(r_.velocity), number(r_.velocity + 1), number(r_.velocity + 2)}; }
  void set_velocity(const Vec& v) {
    for (int k = 0; k < 3; ++k) {
      const S x = static_cast<S>(v[static_cast<std::size_t>(k)]);
      hot_[(r_.velocity + k) * kBlock] = x;
      if (r_.previous_velocity >= 0) hot_[(r_.previous_velocity + k) * kBlock] = x;
    }
  }
  // where its nose points, level
  Vec heading() const {
    const Turn q = read(r_.attitude);
    const double x = 1 - 2 * (q.y * q.y + q.z * q.z), y = 2 * (q.x * q.y + q.w * q.z), n = math::sqrt(x * x + y * y);
    return {x / n, y / n, 0};
  }

 private:
  double number(int row) const { return static_cast<double>(hot_[row * kBlock]); }
  double whole(int row) const { return number(row) + number(row + 3); }
  static void add(S& to, double x) { to = static_cast<S>(static_cast<double>(to) + x); }
  static void put(S* rows, int row, int k, S value, S remainder) {
    if (rows == nullptr || row < 0) return;
    rows[(row + k) * kBlock] = value;
    rows[(row + 3 + k) * kBlock] = remainder;
  }
  Turn read(int row) const { return {number(row), number(row + 1), number(row + 2), number(row + 3)}; }
  void write(int row, const Turn& q) {
    const double numbers[4] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; ++k) hot_[(row + k) * kBlock] = static_cast<S>(numbers[k]);
  }

  const DrawnStarts& r_;
  S *hot_, *plan_;
};

// ---------------------------------------------------------------- one vehicle

// A velocity that belongs to a heading turns with it: that of a car, and that of wings through the air.
template <class S> Vec turned_velocity(const DrawnStarts& s, const Lane<S>& lane, double yaw, const Vec& air_W) {
  if (!s.turns || yaw == 0) return lane.velocity();
  const Vec v = minus(lane.velocity(), air_W);
  const WholeAngle turn{HalfAngle(yaw)};
  return plus({turn.cos * v[0] - turn.sin * v[1], turn.sin * v[0] + turn.cos * v[1], v[2]}, air_W);
}

template <class S> void move_velocity(const DrawnStarts& s, Lane<S>& lane, const Draw& x, const Vec& air_W, const Vec& more_W) {
  if (is_zero(x.velocity) && is_zero(more_W) && !(s.turns && x.yaw != 0)) return;
  Vec v = plus(plus(turned_velocity(s, lane, x.yaw, air_W), x.velocity), more_W);
  if (s.rolls) {
    const Vec ahead = lane.heading();
    const double speed = v[0] * ahead[0] + v[1] * ahead[1];
    v = {speed * ahead[0], speed * ahead[1], v[2]};
  }
  lane.set_velocity(v);
}

// m upwards, to where the ground is
double rise(const EnvironmentDef& e, const Vec& from, const Vec& by) {
  return e.terrain->height(from[0] + by[0], from[1] + by[1]) - e.terrain->height(from[0], from[1]);
}

template <class S>
void draw_rows(const Data& d, Flock& f, std::size_t first, std::size_t last, std::size_t number, const math::RandomKey<std::uint32_t>& key) {
  const DrawnStarts& s = f.starts;
  const Drawer drawer(f.def.spread, key);
  const Vec mean_W = d.def.environment.wind_W, drawn_W = minus(d.weather.wind_W[f.worlds[first]], d.weather.rules.wind_W);
  for (std::size_t slot = first; slot < last; ++slot) {
    Lane<S> lane(s, f.hot_lane(slot), f.plan_lane(slot));
    const Draw x = drawer.draw(f.draws[slot]);
    lane.turn(x.yaw);
    const bool in_air = s.flies_on_wings && !s.standing[number + (slot - first)];
    move_velocity(s, lane, x, in_air ? mean_W : Vec{}, in_air ? drawn_W : Vec{});
    lane.lengthen_way(x.position);
    Vec by = x.position;
    if (s.follows_ground) by[2] += rise(d.def.environment, lane.position(), by);
    lane.move(by);
    lane.tilt(x.tilt, x.tilt_axis);
    if (!is_zero(x.rate)) lane.rotate(x.rate);
  }
}

// ---------------------------------------------------------------- of a flock

int row_of(const ColumnInfo* column) { return column == nullptr ? -1 : column->row; }

void find_rows(const Flock& f, DrawnStarts& s) {
  const auto hot = [&](const char* name) { return row_of(f.find_column(name)); };
  const auto plan = [&](const char* name) { return f.guided() ? row_of(f.find_plan(name)) : -1; };
  s.position = hot("position"), s.velocity = hot("velocity"), s.attitude = hot("attitude"), s.omega = hot("omega");
  s.previous_velocity = hot("ladder_previous_velocity");
  s.setpoint_position = hot("setpoint.position"), s.setpoint_attitude = hot("setpoint.attitude"), s.setpoint_yaw = hot("setpoint.yaw");
  s.anchor = plan("plan.anchor"), s.anchor_yaw = plan("plan.anchor_yaw"), s.blend = plan("plan.blend"), s.blend_time = plan("plan.blend_time");
}

double param_of(const Flock& f, const char* name) {
  const ColumnInfo* c = f.find_param(name);
  return c == nullptr ? 0 : f.param_values[static_cast<std::size_t>(c->row)];
}

}  // namespace

core::Status prepare_starts(Data& d) {
  const EnvironmentDef& e = d.def.environment;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = d.flocks[k];
    const FlockDef& def = d.def.flocks[k];
    if (core::Status sound = check_spread(def, d.def, "flocks." + def.name); !sound) return sound;
    DrawnStarts& s = f.starts;
    s.flies_on_wings = param_of(f, "guide.cannot_stop") > 0.5;
    s.is_on = is_spread(def.spread) || (s.flies_on_wings && !is_zero(e.wind_spread_W));
    if (!s.is_on) continue;
    find_rows(f, s);
    s.rolls = f.model->starts == Starts::Rolling;
    s.turns = s.rolls || s.flies_on_wings;
    s.cruise = param_of(f, "guide.cruise");
    s.follows_ground = f.model->starts != Starts::Free && e.ground && e.terrain != nullptr && param_of(f, "on_ground") > 0.5;
    if (s.flies_on_wings) s.standing = find_standing(def, d.def);
  }
  return core::ok();
}

void draw_starts(const Data& d, Flock& f, std::size_t first, std::size_t last, std::size_t number, const math::RandomKey<std::uint32_t>& key) {
  if (!f.starts.is_on) return;
  f.bytes == 4 ? draw_rows<float>(d, f, first, last, number, key) : draw_rows<double>(d, f, first, last, number, key);
}

}  // namespace volary::engine
