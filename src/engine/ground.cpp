// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ground.hpp"

#include <algorithm>
#include <limits>

#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/scalar.hpp"

namespace volary::engine {

namespace {

using obstacles::Nearest;
using obstacles::Obstacles;

double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec plus(const Vec& a, double s, const Vec& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

int param_row(const Flock& f, const char* name) {
  const ColumnInfo* c = f.find_param(name);
  return c == nullptr ? -1 : c->row;
}

struct Plane {
  Vec point, normal;
  double above(const Vec& p) const { return dot(normal, minus(p, point)); }
};

// ---------------------------------------------------------------- one vehicle among obstacles

// The value of a position without its remainder, which is what is left when it is rounded: the anchor on the ground is that, so that what is left of the way to it
// is exact.
template <class S> Vec value_of(const Vec& p) {
  return {static_cast<double>(static_cast<S>(p[0])), static_cast<double>(static_cast<S>(p[1])), static_cast<double>(static_cast<S>(p[2]))};
}

struct Body {
  Vec position, velocity;
  Vec turned[3];  // body axes in the world
};
Body body_of(const Frame& frame, std::size_t at, const Vec& position) {
  const auto& [w, x, y, z] = frame.attitude[at];
  return {position,
          frame.velocity[at],
          {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
           {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
           {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

// the plane that a vehicle will press against hardest in this tick
class Chooser {
 public:
  Chooser(const Obstacles& obstacles, const Body& body, const std::vector<Vec>& points_B, double reach, double tick)
      : obstacles_(obstacles), body_(body), points_B_(points_B), tick_(tick) {
    // as far as the vehicle may come in two ticks, as near_ground() of vehicles/contact.hpp
    within_ = reach + 0.01 + 2 * tick * math::sqrt(dot(body.velocity, body.velocity));
  }

  Plane choose(const Plane& ground, const Plane& before) {
    best_ = ground;
    least_ = clearance(ground);
    // what it went through since the last tick holds it, or a hard landing on a shell would end inside
    if (const std::optional<Plane> entered = behind(before))
      consider(*entered);
    else
      obstacles_.each_within(body_.position, within_, [this](const Nearest& n) { consider({n.surface, n.normal}); });
    return best_;
  }

 private:
  // m from the plane to the lowest contact point at the end of the tick; negative: it presses
  double clearance(const Plane& plane) const {
    const Vec& n = plane.normal;
    const Vec n_B = {dot(n, body_.turned[0]), dot(n, body_.turned[1]), dot(n, body_.turned[2])};
    double lowest = 0;
    for (const Vec& p : points_B_) lowest = std::min(lowest, dot(n_B, p));
    return plane.above(body_.position) + lowest + tick_ * dot(n, body_.velocity);
  }
  void consider(const Plane& plane) {
    if (const double c = clearance(plane); c < least_) least_ = c, best_ = plane;
  }

  // The surface between a centre of mass that is below its last plane and the side it came from; none beside or beyond the obstacle.
  std::optional<Plane> behind(const Plane& before) const {
    const double above = before.above(body_.position);
    if (!(above < 0 && above > -(1 + within_))) return std::nullopt;
    const Vec from = plus(body_.position, within_ - above, before.normal);
    const double hit = obstacles_.first_hit(from, body_.position);
    if (!(hit > 0 && hit <= 1)) return std::nullopt;
    const Vec at = plus(from, hit, minus(body_.position, from));
    const Nearest n = obstacles_.nearest(at, 1e-3);
    if (!n) return std::nullopt;
    const double side = dot(n.normal, before.normal);
    return Plane{at, side < 0 ? Vec{-n.normal[0], -n.normal[1], -n.normal[2]} : n.normal};
  }

  const Obstacles& obstacles_;
  const Body& body_;
  const std::vector<Vec>& points_B_;
  double tick_, within_, least_ = 0;
  Plane best_;
};

// ---------------------------------------------------------------- all of a flock

struct Job {
  Flock* flock;
  const Frame* frame;
  const EnvironmentDef* environment;
  double flat;  // m, height of the ground where there is no terrain
  double tick, reach;
  std::vector<Vec> points_B;
  std::byte* below;  // for the air; none where it does not ask
  int parts;

  Plane ground_at(const Vec& p) const {
    const terrain::Terrain* terrain = environment->ground ? environment->terrain.get() : nullptr;
    if (terrain == nullptr) return {{p[0], p[1], flat}, {0, 0, 1}};
    return {{p[0], p[1], terrain->height(p[0], p[1])}, terrain->normal(p[0], p[1])};
  }
  std::uint32_t place_of(std::size_t slot) const { return frame->place_of[flock->index][slot]; }
  Plane plane_of(std::size_t slot) const {
    double rows[kGroundRows];
    flock->get_ground(slot, rows);
    return {{rows[1], rows[2], rows[0]}, {rows[3], rows[4], rows[5]}};
  }
};

// A flock among obstacles, vehicle by vehicle.
void choose_planes(const Job& job, std::size_t begin, std::size_t end) {
  Flock& f = *job.flock;
  for (std::size_t s = begin; s < end; ++s) {
    const std::uint32_t at = job.place_of(s);
    if (at == Frame::kNobody) continue;
    const Body body = f.bytes == 4 ? body_of(*job.frame, at, value_of<float>(job.frame->position[at])) : body_of(*job.frame, at, job.frame->position[at]);
    const Plane ground = job.ground_at(body.position);
    if (job.below != nullptr) f.set_ground_below(s, ground.point[2]);
    if (!f.has_ground) continue;
    const Plane plane = Chooser(*job.environment->obstacles, body, job.points_B, job.reach, job.tick).choose(ground, job.plane_of(s));
    f.set_ground(s, {plane.point[2], plane.point[0], plane.point[1], plane.normal[0], plane.normal[1], plane.normal[2]});
  }
}

// A flock over terrain alone. The slope below a vehicle that is too high to touch it in this tick matters to nobody: it is left level there, which is
// what most of the time of this stage would go to. near_ground() of vehicles/contact.hpp says no to such a vehicle whatever the slope.
template <class S> void follow_terrain(const Job& job, std::size_t begin, std::size_t end) {
  const Flock& f = *job.flock;
  const terrain::Terrain& terrain = *job.environment->terrain;
  const double upright = terrain.least_upright();
  S* planes = f.has_ground ? reinterpret_cast<S*>(job.flock->ground.data()) : nullptr;
  S* below = reinterpret_cast<S*>(job.below);
  for (std::size_t s = begin; s < end; ++s) {
    const std::uint32_t at = job.place_of(s);
    if (at == Frame::kNobody) continue;
    const Vec position = value_of<S>(job.frame->position[at]);
    const double height = terrain.height(position[0], position[1]);
    if (below != nullptr) below[s] = static_cast<S>(height);
    if (planes == nullptr) continue;
    const Vec& velocity = job.frame->velocity[at];
    const double room = (position[2] - height) * upright - job.reach - 0.1, way = 2 * job.tick;
    const bool is_far = job.reach > 0 && room > 0 && room * room > way * way * dot(velocity, velocity);
    const Vec normal = is_far ? Vec{0, 0, 1} : terrain.normal(position[0], position[1]);
    const double rows[kGroundRows] = {height, position[0], position[1], normal[0], normal[1], normal[2]};
    S* plane = planes + s / kBlock * (kGroundRows * kBlock) + s % kBlock;
    for (int k = 0; k < kGroundRows; ++k) plane[k * kBlock] = static_cast<S>(rows[k]);
  }
}

void sample_part(void* context, int part) {
  const Job& job = *static_cast<const Job*>(context);
  const std::size_t n = job.flock->slots, parts = static_cast<std::size_t>(job.parts), p = static_cast<std::size_t>(part);
  const std::size_t begin = n * p / parts, end = n * (p + 1) / parts;
  if (job.environment->obstacles != nullptr) return choose_planes(job, begin, end);
  return job.flock->bytes == 4 ? follow_terrain<float>(job, begin, end) : follow_terrain<double>(job, begin, end);
}

// what a flock that touches the ground has in its parameters; a walker has neither reach nor points
void add_touch(const Flock& f, Job& job) {
  auto param = [&](int row) { return row < 0 ? 0 : f.param_values[static_cast<std::size_t>(row)]; };
  job.flat = f.flat_ground;
  job.reach = param(param_row(f, "contact.reach"));
  const int after_points = param_row(f, "contact.stiffness");
  for (int row = param_row(f, "contact.point"); row + 2 < after_points; row += 3) job.points_B.push_back({param(row), param(row + 1), param(row + 2)});
}

}  // namespace

bool is_flat(const EnvironmentDef& e) { return e.obstacles == nullptr && (e.terrain == nullptr || !e.ground); }

void sample_ground(Data& d) {
  if (is_flat(d.def.environment)) return;
  for (Flock& f : d.flocks) {
    const bool asks = samples_ground(d) && f.shown.wind != nullptr;
    if (f.def.mirror || f.slots == 0 || !(f.has_ground || asks)) continue;
    if (asks && f.ground_below.size() < f.capacity * static_cast<std::size_t>(f.bytes)) f.ground_below.grow(f.capacity * static_cast<std::size_t>(f.bytes));
    Job job{&f,
            &d.frame,
            &d.def.environment,
            d.def.environment.ground_height,
            static_cast<double>(d.def.tick_ns) * 1e-9,
            0,
            {},
            asks ? f.ground_below.data() : nullptr,
            d.pool->parts(f.slots, cost::kGround)};
    if (f.has_ground) add_touch(f, job);
    d.pool->run(job.parts, sample_part, &job);
  }
}

namespace {

// the highest ground or thing below a place
struct Below {
  bool is_there;
  double height;  // m
};
Below below(const EnvironmentDef& e, const Vec& p) {
  Below b{e.ground, e.ground && e.terrain != nullptr ? e.terrain->height(p[0], p[1]) : e.ground_height};
  if (e.obstacles == nullptr) return b;
  // a hand's breadth of room, because it may be placed in its roof's surface
  const double from = p[2] + 0.05, to = std::max(e.ground ? b.height : -1e30, p[2] - 1000);
  const double hit = from > to ? e.obstacles->first_hit({p[0], p[1], from}, {p[0], p[1], to}) : Obstacles::kNoHit;
  return hit > 0 && hit <= 1 ? Below{true, from - hit * (from - to)} : b;
}

}  // namespace

double height_below(const EnvironmentDef& e, const Vec& p) {
  const Below b = below(e, p);
  return b.is_there ? b.height : -std::numeric_limits<double>::infinity();
}

double ground_height_at(const Data& d, const Flock& f, const Vec& p) {
  const EnvironmentDef& e = f.setup.environment;
  constexpr double kFlocks = std::numeric_limits<double>::quiet_NaN();
  if (is_flat(e) && !d.weather.is_on) return kFlocks;
  const Below b = below(e, p);
  return b.is_there ? b.height : kFlocks;
}

Local::Local(const Data& d, const Flock& f, const Vec& p) : flock(f) {
  const EnvironmentDef& e = f.setup.environment;
  if (is_flat(e) && !d.weather.is_on) return;
  own_setup = f.setup;
  own_setup->air_density = density_at(d.weather, p);
  own_params = f.param_values;
  EnvironmentDef& here = own_setup->environment;
  const Below b = below(e, p);
  here.ground = b.is_there, here.ground_height = b.height;
  if (const int row = param_row(f, "ground.height"); row >= 0 && here.ground) own_params[static_cast<std::size_t>(row)] = here.ground_height;
}

}  // namespace volary::engine
