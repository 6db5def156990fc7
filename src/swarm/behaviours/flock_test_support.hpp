// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A small world to fly behaviours in without the engine: double integrators that follow a velocity with a lag, limits, gusts, messages
// with range and loss, and members that fail. 100 members fly ten minutes in seconds.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "swarm/arbitrate.hpp"

namespace volary::swarm {

inline bool same_action(const Action& a, const Action& b) {
  const auto same = [](const V3& x, const V3& y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
  return a.kind == b.kind && same(a.velocity, b.velocity) && same(a.position, b.position) && same(a.acceleration, b.acceleration) && a.yaw == b.yaw &&
         a.turns == b.turns;
}

struct FlockOptions {
  std::size_t members = 10;
  std::uint64_t seed = 1;
  double radio_range = 1e9;     // m
  double loss = 0;              // probability that a message is lost, for each receiver
  double gust = 0;              // m/s, standard deviation on each axis
  double gust_time = 1;         // s
  double forget = 1;            // s
  std::size_t memory = 16;      // others remembered, the nearest
  double lag = 0.3;             // s, of velocity tracking
  double acceleration = 6;      // m/s2, at most
  double max_speed = 8;         // m/s
  double radius = 0.2;          // m
  double detection_range = 0;   // m
  double cooperation = 0;       // eta
  double (*ground)(double x, double y) = [](double, double) { return 0.0; };
};

class Flock {
 public:
  static constexpr double kInterval = 0.1;  // s between decisions
  static constexpr int kTicks = 5;          // between decisions
  static constexpr double kTick = kInterval / kTicks;

  struct Member {
    V3 position{}, velocity{}, gust{};
    V3 home{}, hold{};
    Mode mode = Mode::Mission;
    Action action;
    int winner = -1;
    bool failed = false;
    std::vector<Message> inbox, outbox;
    std::vector<std::vector<std::uint64_t>> memory;  // for each behaviour
  };
  struct Target {
    std::uint64_t id;
    std::uint32_t kind;
    V3 position;
  };

  explicit Flock(const FlockOptions& o) : options(o), members(o.members), known_(o.members * o.members), key_(math::world_key(o.seed, 0)) {}

  // a line of everybody's library; `only` restricts it to one member
  template <class B> void add(const typename B::Params& params, double weight = 1, double threshold = 0, int only = -1) {
    library_.push_back({make_behaviour<B>(), weight, threshold, std::make_shared<typename B::Params>(params), only});
    for (Member& m : members) m.memory.emplace_back(library_.back().host.memory_bytes / 8, 0);
  }
  template <class B> const typename B::Memory& memory_of(std::size_t member, std::size_t line) const {
    return *reinterpret_cast<const typename B::Memory*>(members[member].memory[line].data());
  }

  void place(std::size_t i, const V3& at, const V3& velocity = {0, 0, 0}) {
    members[i].position = members[i].home = members[i].hold = at;
    members[i].velocity = velocity;
  }
  // a square grid about a centre
  void place_grid(const V3& centre, double spacing) {
    std::size_t side = 1;
    while (side * side < members.size()) ++side;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const double x = static_cast<double>(i % side) - 0.5 * static_cast<double>(side - 1),
                   y = static_cast<double>(i / side) - 0.5 * static_cast<double>(side - 1);
      place(i, centre + V3{x * spacing, y * spacing, 0});
    }
  }
  double draw(std::uint64_t id, std::uint32_t number) const {
    return static_cast<double>(
               math::random_words<std::uint32_t>(key_, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), math::Purpose::Test, tick, number)
                   .w[0]) *
           0x1p-32;
  }
  void place_random(const V3& low, const V3& high, double speed = 0) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto u = [&](std::uint32_t k) { return draw(1000 + i, k); };
      const double angle = 2 * kPi * u(3);
      place(i, {low.x + (high.x - low.x) * u(0), low.y + (high.y - low.y) * u(1), low.z + (high.z - low.z) * u(2)},
            {speed * math::cos(angle), speed * math::sin(angle), 0});
    }
  }
  // falls silent and then down
  void fail(std::size_t i) { members[i].failed = true; }

  double time() const { return static_cast<double>(tick) * kTick; }
  std::uint64_t id(std::size_t i) const { return i + 1; }

  void run(double seconds, const std::function<void()>& after_each = {}) {
    const auto decisions = static_cast<std::size_t>(seconds / kInterval + 0.5);
    for (std::size_t d = 0; d < decisions; ++d) {
      for (std::size_t i = 0; i < members.size(); ++i)
        if (!members[i].failed) decide_one(i);
      exchange();
      for (int k = 0; k < kTicks; ++k, ++tick)
        for (std::size_t i = 0; i < members.size(); ++i) move(i);
      if (after_each) after_each();
    }
  }

  // one decision of one member, from its Sense alone
  Action decide_one(std::size_t i) {
    Member& m = members[i];
    const Sense s = sense_of(i);
    m.outbox.clear();
    Outbox out(m.outbox);
    const Decision d = arbitrate(Awake(*this, i, s, out), s, options.cooperation);
    if (d.action.kind == Action::Kind::Hold && m.action.kind != Action::Kind::Hold) m.hold = m.position;
    m.action = d.action;
    m.winner = d.winner;
    m.inbox.clear();
    ++decisions;
    return d.action;
  }

  Sense sense_of(std::size_t i) {
    const Member& m = members[i];
    Sense s;
    s.self = id(i);
    s.tick = tick;
    s.time = time();
    s.interval = kInterval;
    s.position = m.position;
    s.velocity = m.velocity;
    s.mode = m.mode;
    s.home = m.home;
    s.ground = s.ground_ahead = options.ground(m.position.x, m.position.y);
    s.max_speed = options.max_speed;
    s.radius = options.radius;
    s.key = key_;
    remember(i);
    s.others = others_;
    s.messages = m.inbox;
    see(i);
    s.detections = detections_;
    return s;
  }

  // ------------------------------------------------------------------ what the flock is like

  // |sum of v / |v|| / n: 1 when all fly the same way
  double order() const {
    V3 sum{};
    double n = 0;
    for (const Member& m : members) {
      if (m.failed) continue;
      sum = sum + direction(flat(m.velocity));
      n += 1;
    }
    return norm(sum) / n;
  }
  V3 centre() const {
    V3 sum{};
    double n = 0;
    for (const Member& m : members)
      if (!m.failed) sum = sum + m.position, n += 1;
    return (1 / n) * sum;
  }
  // of the two sound members that are nearest to each other
  double nearest() const {
    double best = 1e9;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!members[i].failed && !members[j].failed) best = std::min(best, distance(members[i].position, members[j].position));
    return best;
  }
  double radius_of_flock() const {
    const V3 c = centre();
    double most = 0;
    for (const Member& m : members)
      if (!m.failed) most = std::max(most, distance(m.position, c));
    return most;
  }
  // how many groups there are when whoever is nearer than `reach` belongs together
  std::size_t groups(double reach) const {
    std::vector<int> group(members.size(), -1);
    std::size_t count = 0;
    for (std::size_t first = 0; first < members.size(); ++first) {
      if (group[first] >= 0 || members[first].failed) continue;
      std::vector<std::size_t> open = {first};
      group[first] = static_cast<int>(count++);
      while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        for (std::size_t j = 0; j < members.size(); ++j)
          if (group[j] < 0 && !members[j].failed && distance(members[i].position, members[j].position) < reach) group[j] = group[i], open.push_back(j);
      }
    }
    return count;
  }
  double lowest_above_ground() const {
    double low = 1e9;
    for (const Member& m : members)
      if (!m.failed) low = std::min(low, m.position.z - options.ground(m.position.x, m.position.y));
    return low;
  }

  FlockOptions options;
  std::vector<Member> members;
  std::vector<Target> targets;  // what may be detected, the lowest id first
  std::function<void(const Message&, std::size_t to)> on_heard;
  std::uint64_t tick = 0, decisions = 0;

 private:
  struct Line {
    BehaviourHost host;
    double weight, threshold;
    std::shared_ptr<const void> params;
    int only;
  };

  // The library of one member for a decision: every behaviour above its threshold acts, so that those that lose still remember and speak.
  class Awake {
   public:
    Awake(Flock& f, std::size_t member, const Sense& s, Outbox& out) : f_(f), member_(member), sense_(s), out_(out), actions_(f.library_.size()) {
      for (std::size_t k = 0; k < size(); ++k)
        if (!filters(k) && is_awake(k)) actions_[k] = act(k, {});
    }
    std::size_t size() const { return f_.library_.size(); }
    bool filters(std::size_t k) const { return f_.library_[k].host.filters; }
    Proposal proposal(std::size_t k) const { return {actions_[k] ? &*actions_[k] : nullptr, f_.library_[k].weight}; }
    Action filtered(std::size_t k, const Action& wanted) { return is_awake(k) ? act(k, wanted) : wanted; }

   private:
    void* memory(std::size_t k) const { return f_.members[member_].memory[k].data(); }
    bool is_awake(std::size_t k) const {
      const Line& line = f_.library_[k];
      return (line.only < 0 || static_cast<std::size_t>(line.only) == member_) && line.host.trigger(sense_, line.params.get(), memory(k)) > line.threshold;
    }
    Action act(std::size_t k, const Action& wanted) { return f_.library_[k].host.act(wanted, sense_, f_.library_[k].params.get(), memory(k), out_); }

    Flock& f_;
    std::size_t member_;
    const Sense& sense_;
    Outbox& out_;
    std::vector<std::optional<Action>> actions_;
  };

  Known& known(std::size_t i, std::size_t j) { return known_[i * members.size() + j]; }

  void remember(std::size_t i) {
    nearest_.clear();
    for (std::size_t j = 0; j < members.size(); ++j) {
      const Known& k = known(i, j);
      if (k.from != 0 && static_cast<double>(tick - k.tick) * kTick <= options.forget) nearest_.push_back({distance(k.position, members[i].position), j});
    }
    if (nearest_.size() > options.memory) {
      std::nth_element(nearest_.begin(), nearest_.begin() + static_cast<std::ptrdiff_t>(options.memory), nearest_.end());
      nearest_.resize(options.memory);
      std::sort(nearest_.begin(), nearest_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    }
    others_.clear();
    for (const auto& [far, j] : nearest_) others_.push_back(known(i, j));
  }
  void see(std::size_t i) {
    detections_.clear();
    if (options.detection_range <= 0) return;
    for (const Target& t : targets)
      if (distance(t.position, members[i].position) < options.detection_range) detections_.push_back({t.id, t.kind, t.position, {}});
  }

  void exchange() {
    for (std::size_t i = 0; i < members.size(); ++i) {
      Member& m = members[i];
      if (m.failed) continue;
      const Known state{id(i), tick, m.position, m.velocity, intent_of(m.action, own(i)), static_cast<double>(static_cast<float>(m.action.role))};
      for (std::size_t j = 0; j < members.size(); ++j) {
        if (i == j || members[j].failed || distance(m.position, members[j].position) > options.radio_range) continue;
        std::uint32_t number = 10;
        const auto lost = [&] { return options.loss > 0 && draw((static_cast<std::uint64_t>(i + 1) << 20) | j, number++) < options.loss; };
        if (!lost()) known(j, i) = state;
        for (Message message : m.outbox) {
          if (lost()) continue;
          for (double& x : message.values) x = static_cast<double>(static_cast<float>(x));  // as on the air
          message.from = id(i);
          message.tick = tick;
          members[j].inbox.push_back(message);
          if (on_heard) on_heard(message, j);
        }
      }
    }
  }
  Sense own(std::size_t i) const {
    Sense s;
    s.position = members[i].position;
    s.max_speed = options.max_speed;
    return s;
  }

  V3 command(Member& m) const {
    Sense s;
    s.position = m.position;
    s.max_speed = options.max_speed;
    const double height = m.position.z - options.ground(m.position.x, m.position.y);
    const auto go = [&](const V3& to) { return limit_norm(to - m.position, options.max_speed); };
    switch (m.action.kind) {
      case Action::Kind::Velocity: return m.action.velocity;
      case Action::Kind::Position: return limit_norm(m.action.velocity + go(m.action.position), options.max_speed);
      case Action::Kind::Hold: return go(m.hold);
      case Action::Kind::TakeOff: m.mode = height < 1.5 ? Mode::TakeOff : Mode::Hold; return {0, 0, 1};
      case Action::Kind::Land: m.mode = height > 0.05 ? Mode::Land : Mode::Disarmed; return {0, 0, m.mode == Mode::Disarmed ? 0.0 : -1.0};
      default: return m.mode == Mode::Disarmed || m.mode == Mode::Armed ? V3{} : m.velocity;
    }
  }
  // an Ornstein-Uhlenbeck process; twelve uniform numbers would be more normal than four, but who flies in them cannot tell
  V3 change_gust(std::size_t i) {
    V3& gust = members[i].gust;
    const double keep = 1 - kTick / options.gust_time, size = options.gust * math::sqrt(1 - keep * keep);
    const auto normal = [&](std::uint32_t k) {
      const auto words = math::random_words<std::uint32_t>(key_, static_cast<std::uint32_t>(i + 1), 0, math::Purpose::Gust, tick, k);
      return (static_cast<double>(words.w[0]) + words.w[1] + words.w[2] + words.w[3]) * 0x1p-32 - 2;
    };
    const double scale = size * 1.7320508075688772;  // the sum of four has the variance 1/3
    const V3 before = gust;
    gust = add_scaled(scale, V3{normal(0), normal(1), normal(2)}, keep * gust);
    return gust - before;
  }
  void move(std::size_t i) {
    Member& m = members[i];
    if (m.failed) {
      m.position.z = std::max(options.ground(m.position.x, m.position.y), m.position.z - 5 * kTick);
      m.velocity = {};
      return;
    }
    const V3 wanted = limit_norm(command(m), options.max_speed);
    const V3 push = limit_norm((1 / options.lag) * (wanted - m.velocity), options.acceleration);
    m.velocity = add_scaled(kTick, push, m.velocity);
    // the air takes the vehicle along at once, and velocity control brings it back with its lag
    if (options.gust > 0) m.velocity = m.velocity + change_gust(i);
    if (m.mode == Mode::Disarmed || m.mode == Mode::Armed) m.velocity = {};
    m.position = add_scaled(kTick, m.velocity, m.position);
    m.position.z = std::max(m.position.z, options.ground(m.position.x, m.position.y));
  }

  std::vector<Line> library_;
  std::vector<Known> known_;
  std::vector<Known> others_;
  std::vector<std::pair<double, std::size_t>> nearest_;
  std::vector<Detection> detections_;
  math::RandomKey<std::uint32_t> key_;
};

}  // namespace volary::swarm
