// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/tasks/leaves.hpp"

#include <algorithm>

namespace volary::swarm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTimeSlack = 1e-9;  // s: 0.1 added ten times is one second

struct Answer {
  bool yes = false;
  double missing = kInfinity;  // how far from yes, in the unit of the condition
};

std::span<const VehicleFact> vehicles_of(const Facts& facts, int flock) {
  const bool known = flock >= 0 && static_cast<std::size_t>(flock) < facts.flocks.size();
  return known ? facts.flocks[static_cast<std::size_t>(flock)].vehicles : std::span<const VehicleFact>{};
}

std::uint32_t needed_of(const Who& who, std::uint32_t of) {
  if (who.ask == Who::Ask::Count) return static_cast<std::uint32_t>(who.amount);
  // a share of three vehicles of four that is 0.7 means three; 0.75 too, whatever its last bit
  if (who.ask == Who::Ask::Share) return static_cast<std::uint32_t>(-math::floor(-(who.amount * of - 1e-9)));
  return of;
}

// Asks everybody who is meant. A vehicle that has crashed or is gone counts as one of them, and satisfies nothing any more.
template <class F> Look ask(const Who& who, const Facts& facts, const F& test) {
  Look look;
  bool lost = false;
  for (const VehicleFact& v : vehicles_of(facts, who.flock)) {
    if (who.ask == Who::Ask::Vehicle && static_cast<double>(v.number) != who.amount) continue;
    ++look.of;
    const Answer answer = v.alive ? test(v) : Answer{};
    if (answer.yes)
      ++look.count;
    else if (!v.alive)
      lost = true;
    else
      look.measure = math::min(look.measure, answer.missing);
  }
  look.needed = needed_of(who, look.of);
  const bool asks_all = who.ask == Who::Ask::Everyone || who.ask == Who::Ask::Vehicle;
  if (look.of > 0 && look.count >= look.needed)
    look.verdict = Verdict::Yes;
  else if (asks_all && lost)
    look.verdict = Verdict::Never;
  return look;
}

// those that fly, and those that have crashed and still lie there; whoever was taken out of the world belongs to no flock
template <class F> void each_member(const Facts& facts, int flock, const F& f) {
  const std::size_t n = facts.flocks.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (flock != kEveryFlock && static_cast<std::size_t>(flock) != k) continue;
    for (const VehicleFact& v : facts.flocks[k].vehicles)
      if (v.alive || v.crashed) f(v);
  }
}
template <class F> void each_alive(const Facts& facts, int flock, const F& f) {
  each_member(facts, flock, [&](const VehicleFact& v) {
    if (v.alive) f(v);
  });
}
bool anybody_flies(const Facts& facts, int flock) {
  bool found = false;
  each_alive(facts, flock, [&](const VehicleFact&) { found = true; });
  return found;
}

// those who have heard or seen, the new ones added
void remember(std::vector<std::uint64_t>& who, std::uint64_t id) {
  const auto at = std::lower_bound(who.begin(), who.end(), id);
  if (at == who.end() || *at != id) who.insert(at, id);
}

Look ask_memory(const Who& who, const Facts& facts, const std::vector<std::uint64_t>& memory) {
  return ask(who, facts, [&](const VehicleFact& v) { return Answer{std::binary_search(memory.begin(), memory.end(), v.id)}; });
}

// "crashed" of "crashed: into the ground", but not of "crashed_again"
bool is_event(std::string_view what, std::string_view word) {
  if (!what.starts_with(word)) return false;
  return what.size() == word.size() || what[word.size()] == ':' || what[word.size()] == ' ';
}

// where everybody should be, about the middle of all
struct Places {
  std::vector<V3> place, now;
  std::uint32_t crashed = 0;  // that have a place and will never be there
};

Places places_of(const Predicate::Formation& p, const Facts& facts) {
  Places s;
  V3 sum_place{0, 0, 0}, sum_now{0, 0, 0};
  each_member(facts, p.flock, [&](const VehicleFact& v) {
    const auto number = static_cast<std::size_t>(v.number);
    if (!p.offsets.empty() && number >= p.offsets.size()) return;  // spawned later: it has no place
    if (v.crashed) return void(++s.crashed);
    s.place.push_back(p.offsets.empty() ? v.home : p.offsets[number]);
    s.now.push_back(v.position);
    sum_place = sum_place + s.place.back();
    sum_now = sum_now + s.now.back();
  });
  const double each = s.now.empty() ? 0 : 1 / static_cast<double>(s.now.size());
  for (V3& x : s.place) x = x - each * sum_place;
  for (V3& x : s.now) x = x - each * sum_now;
  return s;
}

// the heading that fits best: least squares of a rotation in the plane has a closed form
void turn_to_fit(Places& s) {
  double along = 0, across = 0;
  for (std::size_t k = 0; k < s.now.size(); ++k) {
    along += s.place[k].x * s.now[k].x + s.place[k].y * s.now[k].y;
    across += s.place[k].x * s.now[k].y - s.place[k].y * s.now[k].x;
  }
  const double length = math::sqrt(along * along + across * across);
  if (!(length > 0)) return;
  const double c = along / length, n = across / length;
  for (V3& x : s.place) x = {c * x.x - n * x.y, n * x.x + c * x.y, x.z};
}

// Where everybody should be, seen from the leader: ahead along its course. Nobody has a place when it is gone, or has no course.
Places places_behind(const Predicate::Formation& p, const Facts& facts) {
  Places s;
  const VehicleFact* leader = nullptr;
  each_alive(facts, p.flock, [&](const VehicleFact& v) { leader = v.number == p.leader ? &v : leader; });
  if (leader == nullptr) return s;
  const double vx = leader->velocity.x, vy = leader->velocity.y, speed = math::sqrt(vx * vx + vy * vy);
  if (!(speed > 0.1)) return s;
  const double c = vx / speed, n = vy / speed;
  const V3 origin = p.offsets[static_cast<std::size_t>(p.leader)];
  each_member(facts, p.flock, [&](const VehicleFact& v) {
    const auto number = static_cast<std::size_t>(v.number);
    if (number >= p.offsets.size()) return;  // spawned later: it has no place
    if (v.crashed) return void(++s.crashed);
    const V3 o = p.offsets[number] - origin;
    s.place.push_back({c * o.x - n * o.y, n * o.x + c * o.y, o.z});
    s.now.push_back(v.position - leader->position);
  });
  return s;
}

}  // namespace

Look look_at(const Predicate::Reached& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) {
    const double distance = norm(v.position - p.position);
    return Answer{distance <= p.within, distance};
  });
}

Look look_at(const Predicate::InRegion& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) { return Answer{((v.regions >> p.region & 1) != 0) == p.inside}; });
}

Look look_at(const Predicate::Altitude& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) {
    const double height = v.position.z - (p.over_ground ? v.ground : 0);
    return Answer{p.above ? height > p.height : height < p.height, math::abs(height - p.height)};
  });
}

Look look_at(const Predicate::Tracking& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) { return Answer{v.off_path <= p.within, v.off_path}; });
}

Look look_at(const Predicate::SpeedBelow& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) {
    const double speed = norm(v.velocity);
    return Answer{speed < p.speed, speed};
  });
}

Look look_at(const Predicate::ModeIs& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [&](const VehicleFact& v) { return Answer{v.mode == p.mode}; });
}

Look look_at(const Predicate::Alive& p, const Facts& facts, LeafMemory&) {
  return ask(p.who, facts, [](const VehicleFact&) { return Answer{true}; });
}

Look look_at(const Predicate::Heard& p, const Facts& facts, LeafMemory& memory) {
  for (const HeardFact& h : facts.heard)
    if (h.topic == p.topic) remember(memory.who, h.vehicle);
  return ask_memory(p.who, facts, memory.who);
}

Look look_at(const Predicate::Detected& p, const Facts& facts, LeafMemory& memory) {
  for (const SeenFact& s : facts.seen)
    if (s.kind == p.kind) remember(memory.who, s.vehicle);
  return ask_memory(p.who, facts, memory.who);
}

Look look_at(const Predicate::Apart& p, const Facts& facts, LeafMemory&) {
  // a wreck counts: two that have collided are not apart
  std::vector<V3> positions;
  each_member(facts, p.flock, [&](const VehicleFact& v) { positions.push_back(v.position); });
  Look look;
  look.measure = separation(positions).min;
  look.verdict = anybody_flies(facts, p.flock) && look.measure >= p.distance ? Verdict::Yes : Verdict::No;
  return look;
}

Look look_at(const Predicate::Covered& p, const Facts& facts, LeafMemory& memory) {
  each_alive(facts, p.flock, [&](const VehicleFact& v) { memory.grid->visit(v.position, p.radius); });
  Look look;
  look.measure = memory.grid->share();
  look.verdict = look.measure >= p.share ? Verdict::ForGood : Verdict::No;
  return look;
}

Look look_at(const Predicate::OrderAbove& p, const Facts& facts, LeafMemory&) {
  std::vector<V3> velocities;
  each_member(facts, p.flock, [&](const VehicleFact& v) { velocities.push_back(v.alive ? v.velocity : V3{}); });
  Look look;
  look.measure = polar_order(velocities);
  look.verdict = anybody_flies(facts, p.flock) && look.measure > p.order ? Verdict::Yes : Verdict::No;
  return look;
}

Look look_at(const Predicate::Connected& p, const Facts& facts, LeafMemory&) {
  std::vector<std::uint64_t> ids, silent;
  each_member(facts, p.flock, [&](const VehicleFact& v) { (v.alive ? ids : silent).push_back(v.id); });
  std::sort(ids.begin(), ids.end());
  const auto place = [&](std::uint64_t id) { return std::lower_bound(ids.begin(), ids.end(), id); };
  std::vector<Edge> edges;
  for (const LinkFact& l : facts.links) {
    const auto a = place(l.from), b = place(l.to);
    if (a == ids.end() || *a != l.from || b == ids.end() || *b != l.to) continue;
    edges.push_back({static_cast<std::uint32_t>(a - ids.begin()), static_cast<std::uint32_t>(b - ids.begin())});
  }
  // each that has crashed is a component of its own
  const Components c = components(static_cast<std::uint32_t>(ids.size() + silent.size()), edges);
  const bool connected = !ids.empty() && c.count == 1;
  return {.verdict = connected ? Verdict::Yes : Verdict::No,
          .count = c.largest,
          .of = static_cast<std::uint32_t>(ids.size() + silent.size()),
          .needed = c.count};
}

Look look_at(const Predicate::Formation& p, const Facts& facts, LeafMemory&) {
  Places s = p.leader >= 0 ? places_behind(p, facts) : places_of(p, facts);
  if (p.turned && p.leader < 0) turn_to_fit(s);
  Look look;
  look.count = s.crashed;
  look.measure = s.now.empty() ? kInfinity : 0;
  for (std::size_t k = 0; k < s.now.size(); ++k) look.measure = math::max(look.measure, norm(s.now[k] - s.place[k]));
  look.verdict = look.measure <= p.within && s.crashed == 0 ? Verdict::Yes : Verdict::No;
  return look;
}

Look look_at(const Predicate::TimeAfter& p, const Facts& facts, LeafMemory&) {
  Look look;
  look.measure = facts.time;
  look.verdict = facts.time >= p.time - kTimeSlack ? Verdict::ForGood : Verdict::No;
  return look;
}

Look look_at(const Predicate::Happened& p, const Facts& facts, LeafMemory& memory) {
  for (const EventFact& e : facts.events) memory.happened = memory.happened || is_event(e.what, p.event);
  Look look;
  look.verdict = memory.happened ? (p.wanted ? Verdict::ForGood : Verdict::Never) : (p.wanted ? Verdict::No : Verdict::Yes);
  return look;
}

Look look_at(const Predicate::Scripted& p, const Facts& facts, LeafMemory& memory) {
  ScriptLeaf& leaf = *memory.script;
  if (leaf.broken != 0) return {.verdict = Verdict::Never};
  const TaskScript::Outcome outcome = leaf.program->look(facts, p.def->world, p.def->params, leaf.memory);
  leaf.said.assign(outcome.said.begin(), outcome.said.end());
  leaf.broken = outcome.ok ? 0 : 1;
  return {.verdict = !outcome.ok ? Verdict::Never : outcome.holds ? Verdict::Yes : Verdict::No};
}

}  // namespace volary::swarm
