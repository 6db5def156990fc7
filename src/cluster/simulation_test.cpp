// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "cluster/simulation_test_support.hpp"

namespace volary::cluster {

// ---------------------------------------------------------------- the model

void Toy::restore(const State& s, std::uint32_t horizon) {
  own_[s.tick % kToyRing] = s.own;
  for (Tick k = 0; k < horizon && k <= s.tick; ++k) shared_[(s.tick - k) % kToyRing] = s.shared[(s.tick - k) % 64];
}

Toy::State Toy::save(const Node& node, Tick tick, std::uint32_t horizon) const {
  State s{.tick = tick, .own = own_[tick % kToyRing], .base = node.base(tick)};
  for (Tick k = 0; k < horizon && k <= tick; ++k) s.shared[(tick - k) % 64] = shared(tick - k);
  return s;
}

void Toy::advance(const ToyWorld& world, Node& node, Tick tick) {
  const std::uint64_t coupled = tick >= world.horizon ? shared(tick - world.horizon) : 0;
  std::uint64_t x = ToyWorld::step(own_[(tick - 1) % kToyRing], coupled, tick);
  for (const Entry& e : node.log().entries())
    if (e.kind == EntryKind::Input && e.effective == tick) {
      std::uint64_t input = 0;
      std::memcpy(&input, e.bytes.data(), 8);
      x = ToyWorld::apply(x, input, node.member());
    }
  own_[tick % kToyRing] = x;
  node.advanced(std::as_bytes(std::span(&x, 1)));
}

void Toy::settle(const ToyWorld& world, Node& node, Tick tick) {
  std::uint64_t h = shared(tick - 1);
  const MemberMask active = node.members().active(tick), absent = node.members().absent(tick);
  each_member(active, [&](std::size_t id) {
    std::uint64_t frame = 0;
    std::memcpy(&frame, node.frame(id, tick).data(), 8);
    h = ToyWorld::mix_in(h, frame, id);
  });
  each_member(absent, [&](std::size_t id) { h = ToyWorld::mix_absent(h, id, node.members().is_extrapolated(id, tick)); });
  shared_[tick % kToyRing] = h;
  const MemberMask changed = world.contact(h, active);
  std::uint64_t& own = own_[tick % kToyRing];
  if ((changed & bit_of(node.member())) != 0) own = ToyWorld::touch(own, h);
  node.settled(ToyWorld::sum(own, node.member(), tick) + (node.is_adopter(tick) ? ToyWorld::sum_shared(h) : 0), changed);
}

// ---------------------------------------------------------------- the schedule

Schedule draw_schedule(std::uint64_t seed, Tick ticks, std::size_t nodes) {
  Schedule s{.seed = seed, .ticks = ticks, .nodes = nodes};
  std::uint64_t n = 0;
  const auto below = [&](std::uint64_t most) { return toy_mix(seed * 1000 + ++n) % most; };
  const auto some = [&](double most) { return below(2) == 0 ? 0.0 : most * static_cast<double>(below(1000)) / 1000; };
  s.impairment = {.loss = some(0.3), .delay = 0.002, .jitter = below(2) == 0 ? 0.0 : 0.002, .duplicate = some(0.2), .reorder = some(0.2), .seed = seed};
  if (below(8) == 0) s.impairment.burst = 0.1, s.impairment.burst_length = 0.02;
  s.world.horizon = std::uint32_t{1} << below(5);
  s.world.contact_every = below(2) == 0 ? 0 : static_cast<std::uint32_t>(10 + below(100));
  s.window = 16 + static_cast<std::uint32_t>(below(49));
  s.carry = below(2) == 0 ? 1 : 4;
  s.through_codec = below(16) == 0;
  const std::uint64_t policy = below(6);
  s.policy = policy == 0 ? DeadPolicy::Remove : policy == 1 ? DeadPolicy::Freeze : policy == 2 ? DeadPolicy::Extrapolate : DeadPolicy::Wait;
  s.kills = below(2) == 0 ? 0 : 1 + static_cast<int>(below(4));
  s.inputs = below(2) == 0 ? 0 : 1 + static_cast<int>(below(20));
  s.joins = below(4) == 0 ? 1 + static_cast<int>(below(2)) : 0;
  s.leaves = below(4) == 0 ? 1 : 0;
  s.partitions = below(8) == 0 ? 1 : 0;
  s.keeps = below(3) == 0;
  s.hand_overs = s.keeps ? static_cast<int>(below(3)) : 0;
  return s;
}

std::uint64_t Simulation::draw(std::uint64_t below) { return toy_mix(s_.seed * 0x9e3779b97f4a7c15u + ++draws_) % below; }

void Simulation::fail(const std::string& text) {
  if (fault_.empty()) fault_ = "seed " + std::to_string(s_.seed) + ": " + text;
}

void Simulation::begin(const Schedule& s) {
  s_ = s;
  net_.reset();
  leg_ = Impairment(s.impairment);
  draws_ = nonce_ = split_ = 0;
  coordinator_timer_ = kForever;
  fault_.clear(), log_.clear(), sums_.assign(s.ticks + 1, 0);
  stats_ = {};
  for (Host& h : hosts_) h.is_up = h.can_restart = h.hands_over = false, h.timer = kForever;
  kept_ = {};
  CoordinatorOptions c{
      .horizon = s.world.horizon, .carry = s.carry, .ring = 256, .window = s.window, .founders = static_cast<std::uint32_t>(s.nodes), .policy = s.policy};
  c.extrapolate = 20;
  c.keeps_states = s.keeps;
  c.repeat = 3 * static_cast<Time>((s.impairment.delay + s.impairment.jitter) * 1e9);
  coordinator_.clear();
  coordinator_.emplace_back(c);
  used_hosts_ = s.nodes;
  for (std::size_t h = 0; h < s.nodes; ++h) start_host(h, RequestKind::Join);
  drain_coordinator();

  // chores fall somewhere into the time that the run will take, roughly
  const auto span = static_cast<std::uint64_t>(s.ticks) * 2'000'000 / s.world.horizon + 50'000'000;
  const auto plan = [&](Chore what, int times) {
    for (int k = 0; k < times; ++k) net_.set_timer(kNemesis, what, static_cast<Time>(draw(span)));
  };
  plan(Kill, s.kills), plan(Submit, s.inputs), plan(JoinNew, s.joins), plan(LeaveOne, s.leaves), plan(Split, s.partitions), plan(HandOver, s.hand_overs);
}

void Simulation::start_host(std::size_t h, RequestKind entry) {
  Host& host = hosts_[h];
  host.is_up = true, host.can_restart = host.hands_over = false;
  ++host.life;
  host.timer = kForever;
  NodeOptions o{.entry = entry, .member = host.member, .nonce = ++nonce_, .account = h + 1, .durable = entry == RequestKind::Restart ? host.disk.tick : 0};
  o.repeat = 2 * static_cast<Time>((s_.impairment.delay + s_.impairment.jitter) * 1e9) + 1'000'000;
  o.ask_again = o.repeat;
  host.node.reset(o);
  drain_node(h);
}

bool Simulation::crosses(std::size_t a, std::size_t b) const { return split_ != 0 && ((split_ >> (a % 64)) & 1) != ((split_ >> (b % 64)) & 1); }

void Simulation::publish(std::size_t from, std::uint32_t slot, bool is_for_nodes) {
  if (s_.through_codec) {
    Payload& p = net_.content(slot);
    if (p.is_bundle)
      encode(p.bundle, 9, p.bytes);
    else
      encode(p.other, 9, p.bytes);
  }
  if (is_for_nodes)
    for (std::size_t h = 0; h < used_hosts_; ++h)
      if (h != from && hosts_[h].is_up && !crosses(from, h)) net_.send(slot, static_cast<std::uint16_t>(h), leg_, from * 64 + h);
  if (from != kCoordinator && !crosses(from, 63)) net_.send(slot, kCoordinator, leg_, from * 64 + 63);
  net_.drop(slot);
  ++stats_.messages;
}

void Simulation::publish_message(std::size_t from, const Message& m, bool is_for_nodes) {
  const std::uint32_t slot = net_.take();
  Payload& p = net_.content(slot);
  p.is_bundle = false;
  p.other = m;
  publish(from, slot, is_for_nodes);
}

void Simulation::set_timer(std::uint16_t to, Time& pending, Time at) {
  if (pending <= at) return;
  pending = at;
  net_.set_timer(to, to == kCoordinator ? 0 : hosts_[to].life, at);
}

void Simulation::drain_node(std::size_t h) {
  Host& host = hosts_[h];
  for (;;) {
    const Action a = host.node.next(net_.now());
    if (a.what == Act::Wait) return set_timer(static_cast<std::uint16_t>(h), host.timer, a.until);
    if (!do_action(h, a)) return;
  }
}

// false: nothing more can be done now
bool Simulation::do_action(std::size_t h, const Action& a) {
  Host& host = hosts_[h];
  switch (a.what) {
    case Act::Wait: return false;
    case Act::Ask: return publish_message(h, host.node.request(), false), true;
    case Act::Restore: return restore(h, a.tick), true;
    case Act::RollBack:
      ++stats_.rollbacks;
      if (a.tick < std::min(host.node.committed_tick(), a.settled)) fail("a rollback below what is committed");
      return true;
    case Act::Advance:
      if (a.tick > host.node.limit()) fail("a tick beyond the limit");
      return host.toy.advance(s_.world, host.node, a.tick), true;
    case Act::Settle: return host.toy.settle(s_.world, host.node, a.tick), true;
    case Act::Commit:
      if (a.tick > coordinator_[0].committed()) fail("a commit that the coordinator does not know");
      // now and then the state goes to the disk
      if (a.tick >= host.disk.tick + 16 || (host.hands_over && host.node.kept_tick() < host.disk.tick)) save(h, a.tick);
      if (host.hands_over && host.node.is_to_hand_over() && host.node.kept_tick() > 0) host.node.hand_over(host.node.kept_tick());
      return true;
    case Act::Publish: {
      const std::uint32_t slot = net_.take();
      Payload& p = net_.content(slot);
      p.is_bundle = true;
      p.bundle = host.node.bundle();
      return publish(h, slot, true), true;
    }
    case Act::Left:
      host.is_up = false;
      if (!host.hands_over) return ++stats_.leaves, false;
      ++stats_.hand_overs;
      net_.set_timer(kNemesis, JoinNew, net_.now() + static_cast<Time>(draw(50'000'000)));
      return false;
    case Act::Over:
    case Act::Fenced:
    case Act::Refused: host.is_up = false; return false;
  }
  return false;
}

// to its own disk, or to whoever keeps states, where it may be lost on the way
void Simulation::save(std::size_t h, Tick tick) {
  Host& host = hosts_[h];
  host.disk = host.toy.save(host.node, tick, s_.world.horizon);
  if (!s_.keeps) return host.node.saved(tick);
  const Member& m = coordinator_[0].members()[host.member];
  if (m.account != h + 1 || crosses(h, 63) || draw(4) == 0) return;
  kept_[host.member] = host.disk;
  coordinator_[0].keep(host.member, tick);
  publish_message(kCoordinator, Notice{.term = coordinator_[0].term(), .nonce = m.nonce, .kind = NoticeKind::Kept, .tick = tick}, true);
}

// A founder begins with the first state, a restarted node with its disk, a joiner with what some other member has.
void Simulation::restore(std::size_t h, Tick tick) {
  Host& host = hosts_[h];
  host.member = static_cast<std::uint8_t>(host.node.member());
  const Tick from = host.node.members()[host.member].from;
  if (!s_.keeps && host.disk.tick == tick && host.can_restart) {
  } else if (s_.keeps && tick >= from && kept_[host.member].tick == tick) {
    host.disk = kept_[host.member];
  } else if (tick == 0) {
    host.disk = {};
    host.disk.own = ToyWorld::first_state(host.member, from);
  } else {
    const Host* donor = nullptr;
    for (const Host& other : hosts_)
      if (&other != &host && other.is_up && other.node.is_running() && coordinator_[0].committed() >= tick && other.node.committed_tick() >= tick &&
          other.node.settled_tick() >= tick && other.node.floor() <= tick)
        donor = &other;
    if (donor == nullptr) return;  // it is asked for again
    host.disk = donor->toy.save(donor->node, tick, s_.world.horizon);
    host.disk.own = ToyWorld::first_state(host.member, from);
    ++stats_.joins;
  }
  host.can_restart = true;
  host.toy.restore(host.disk, s_.world.horizon);
  host.disk.base.tick = tick;
  host.node.restored(host.disk.base);
}

void Simulation::drain_coordinator() {
  Coordinator& c = coordinator_[0];
  for (;;) {
    const CoordinatorAction a = c.next(net_.now());
    for (std::uint64_t k = log_.size() + 1; k <= c.log().end(); ++k) log_.push_back(c.log()[k]);
    switch (a.what) {
      case CoordinatorAct::Wait: return set_timer(kCoordinator, coordinator_timer_, a.until);
      case CoordinatorAct::Publish: publish_message(kCoordinator, c.message(), true); break;
      case CoordinatorAct::Commit:
        if (a.tick <= s_.ticks) sums_[a.tick] = a.sum;
        break;
      case CoordinatorAct::Suspect: break;
      case CoordinatorAct::Superseded: return fail("superseded");
    }
  }
}

void Simulation::deliver(const Network<Payload>::Event& e) {
  const Payload& p = net_.content(e.content);
  const auto hand_over = [&](auto& machine) {
    if (s_.through_codec) {
      if (decode(p.bytes, 9, scratch_)) return fail("a message that does not decode");
      machine.receive(scratch_, net_.now());
    } else if (p.is_bundle) {
      machine.receive(p.bundle, net_.now());
    } else {
      machine.receive(p.other, net_.now());
    }
  };
  if (e.to == kCoordinator) return hand_over(coordinator_[0]), drain_coordinator();
  if (!hosts_[e.to].is_up) return;
  hand_over(hosts_[e.to].node);
  drain_node(e.to);
}

void Simulation::handle(const Network<Payload>::Event& e) {
  ++stats_.events;
  if (e.content != Network<Payload>::kTimer) return deliver(e);
  if (e.to == kNemesis) return chore(static_cast<Chore>(e.timer & 0xff), e.timer >> 8);
  if (e.to == kCoordinator) return coordinator_timer_ = kForever, drain_coordinator();
  if (e.timer != hosts_[e.to].life || !hosts_[e.to].is_up) return;
  hosts_[e.to].timer = kForever;
  drain_node(e.to);
}

void Simulation::kill_one() {
  const std::size_t h = draw(used_hosts_);
  Host& host = hosts_[h];
  if (s_.has_observer && h == 0) return;
  if (!host.is_up || !host.can_restart || host.node.members()[host.member].until != kNever) return;
  if (std::popcount(coordinator_[0].members().active(coordinator_[0].committed() + 1)) < 3 && s_.policy != DeadPolicy::Wait) return;
  host.is_up = false;
  // often at once, while messages of the old incarnation are still on their way
  const Time pause = draw(2) == 0 ? static_cast<Time>(draw(3'000'000)) : static_cast<Time>(draw(400'000'000));
  net_.set_timer(kNemesis, static_cast<std::uint16_t>(Revive | (h << 8)), net_.now() + pause);
}

// somebody is asked to hand its place over; the message may be lost
void Simulation::hand_over_one() {
  Host& host = hosts_[draw(used_hosts_)];
  if (!host.is_up || !host.node.is_running() || used_hosts_ >= kMostHosts || (s_.has_observer && &host == &hosts_[0])) return;
  host.hands_over = true;
  publish_message(kCoordinator, Notice{.term = coordinator_[0].term(), .nonce = coordinator_[0].members()[host.member].nonce, .kind = NoticeKind::HandOver},
                  true);
}

void Simulation::chore(Chore what, std::size_t who) {
  switch (what) {
    case Kill: return kill_one();
    case Revive: ++stats_.restarts; return start_host(who, s_.keeps ? RequestKind::Join : RequestKind::Restart), hosts_[who].can_restart = !s_.keeps, void();
    case HandOver: return hand_over_one();
    case Submit: {
      const std::uint64_t input = draw(~0ull);
      const Tick now = coordinator_[0].committed();
      // early, just in time, or late
      const auto entry = coordinator_[0].submit(std::as_bytes(std::span(&input, 1)), now + draw(80));
      if (!entry) fail("an input was refused");
      return drain_coordinator();
    }
    case JoinNew:
      if (used_hosts_ == kMostHosts) return;
      return start_host(used_hosts_++, RequestKind::Join);
    case LeaveOne: {
      Host& host = hosts_[draw(used_hosts_)];
      if (!host.is_up || !host.can_restart || std::popcount(coordinator_[0].members().active(coordinator_[0].committed() + 1)) < 3) return;
      return host.node.ask_to_leave();
    }
    case Split: split_ = draw(~0ull); return net_.set_timer(kNemesis, Heal, net_.now() + 1'000'000 + static_cast<Time>(draw(200'000'000)));
    case Heal: split_ = 0; return;
  }
}

// where everybody stands, for who looks for the reason
std::string Simulation::describe() const {
  const Coordinator& c = coordinator_[0];
  std::string text = " at tick " + std::to_string(c.committed()) + ", floor " + std::to_string(c.floor()) + ", limit " + std::to_string(c.limit()) +
                     ", horizon " + std::to_string(s_.world.horizon) + ", log " + std::to_string(c.log().base()) + ".." + std::to_string(c.log().end());
  for (std::size_t h = 0; h < used_hosts_; ++h) {
    const Node& n = hosts_[h].node;
    const auto& r = c.report(hosts_[h].member);
    text += "\n  host " + std::to_string(h) + (hosts_[h].is_up ? " up" : " down") + " member " + std::to_string(hosts_[h].member) + " advanced " +
            std::to_string(n.advanced_tick()) + " settled " + std::to_string(n.settled_tick()) + " log " + std::to_string(n.log().end()) + " limit " +
            std::to_string(n.limit()) + "; heard " + std::to_string(r.heard) + " ready " + std::to_string(r.ready) + " log " + std::to_string(r.inputs) +
            " durable " + std::to_string(r.durable) + "; dropped";
    for (int k = 0; k < static_cast<int>(Drop::kCount); ++k)
      if (n.drops()[static_cast<Drop>(k)] > 0) text += std::string(" ") + name_of(static_cast<Drop>(k)) + " " + std::to_string(n.drops()[static_cast<Drop>(k)]);
  }
  for (const Entry& e : log_)
    text += "\n  entry " + std::to_string(e.sequence) + " kind " + std::to_string(static_cast<int>(e.kind)) + " member " + std::to_string(e.member) +
            " effective " + (e.effective == kNever ? "never" : std::to_string(e.effective)) + " until " +
            (e.until == kNever ? "never" : std::to_string(e.until));
  return text;
}

std::string Simulation::run(const Schedule& schedule) {
  begin(schedule);
  // a tick of a strict federation without a horizon takes some repeats where much is lost
  const Time most = 30'000'000'000 + static_cast<Time>(schedule.ticks) * 100'000'000;
  while (coordinator_[0].committed() < s_.ticks && fault_.empty()) {
    if (net_.empty()) fail("nothing happens any more");
    if (net_.now() > most) fail("stuck" + describe());
    if (!fault_.empty()) break;
    const auto e = net_.pop();
    handle(e);
    net_.done(e);
  }
  stats_.virtual_time = net_.now();
  stats_.entries = log_.size();
  if (fault_.empty()) check_against_sequential();
  return fault_;
}

namespace {

class Lives {
 public:
  void apply(const Entry& e) {
    if (e.kind == EntryKind::Input) return;
    if (e.kind == EntryKind::Join) lives_.push_back({});
    for (std::size_t k = lives_.size(); k-- > 0;)
      if (e.kind == EntryKind::Join || lives_[k].is_known(e.member)) return lives_[k].apply(e);
  }
  MemberMask active(Tick tick) const {
    MemberMask mask = 0;
    for (const Membership& m : lives_) mask |= m.active(tick);
    return mask;
  }
  MemberMask absent(Tick tick) const {
    MemberMask mask = 0;
    for (const Membership& m : lives_) mask |= m.absent(tick);
    return mask;
  }
  bool begins(std::size_t id, Tick tick) const {
    return std::any_of(lives_.begin(), lives_.end(), [&](const Membership& m) { return m.is_known(id) && m[id].from == tick; });
  }
  bool is_extrapolated(std::size_t id, Tick tick) const {
    return std::any_of(lives_.begin(), lives_.end(), [&](const Membership& m) { return m.is_known(id) && m.is_extrapolated(id, tick); });
  }

 private:
  std::vector<Membership> lives_;
};

}  // namespace

// one process, no network, the same log
void Simulation::check_against_sequential() {
  // a place may be taken again later: every stay is a life of its own
  Lives members;
  for (const Entry& e : log_) members.apply(e), stats_.absences += e.kind == EntryKind::Absent ? 1 : 0;
  std::array<std::uint64_t, kMaxMembers> own{};
  std::vector<std::uint64_t> shared(s_.ticks + 1, 0);
  for (Tick tick = 1; tick <= s_.ticks; ++tick) {
    const MemberMask active = members.active(tick), absent = members.absent(tick);
    std::uint64_t h = shared[tick - 1], total = 0;
    each_member(active, [&](std::size_t id) {
      if (members.begins(id, tick)) own[id] = ToyWorld::first_state(id, tick);
      own[id] = ToyWorld::step(own[id], tick >= s_.world.horizon ? shared[tick - s_.world.horizon] : 0, tick);
    });
    for (const Entry& e : log_) {
      if (e.kind != EntryKind::Input || e.effective != tick) continue;
      std::uint64_t input = 0;
      std::memcpy(&input, e.bytes.data(), 8);
      each_member(active, [&](std::size_t id) { own[id] = ToyWorld::apply(own[id], input, id); });
    }
    each_member(active, [&](std::size_t id) { h = ToyWorld::mix_in(h, own[id], id); });
    each_member(absent, [&](std::size_t id) { h = ToyWorld::mix_absent(h, id, members.is_extrapolated(id, tick)); });
    each_member(s_.world.contact(h, active), [&](std::size_t id) { own[id] = ToyWorld::touch(own[id], h); });
    each_member(active, [&](std::size_t id) { total += ToyWorld::sum(own[id], id, tick); });
    total += ToyWorld::sum_shared(h);
    shared[tick] = h;
    if (total != sums_[tick]) return fail("the sum of tick " + std::to_string(tick) + " differs from that of the sequential run");
  }
}

// ---------------------------------------------------------------- tests

namespace {

Schedule plain(std::uint32_t horizon, std::size_t nodes = 5, Tick ticks = 300) {
  Schedule s{.seed = 1, .ticks = ticks, .nodes = nodes};
  s.impairment.delay = 0.002;
  s.world.horizon = horizon;
  return s;
}

struct Total {
  std::uint64_t events = 0, rollbacks = 0, restarts = 0, joins = 0, absences = 0, leaves = 0, hand_overs = 0, entries = 0, messages = 0;
  std::vector<std::string> faults;
};

using Draw = std::function<Schedule(std::uint64_t seed)>;
Total run_many(std::uint64_t first, std::uint64_t schedules, const Draw& draw, int threads) {
  Total total;
  std::atomic<std::uint64_t> next{first};
  std::mutex mutex;
  const auto work = [&] {
    const auto simulation = std::make_unique<Simulation>();
    for (std::uint64_t seed = next++; seed < first + schedules; seed = next++) {
      const std::string fault = simulation->run(draw(seed));
      const std::lock_guard lock(mutex);
      if (!fault.empty()) total.faults.push_back(fault);
      const auto& s = simulation->stats();
      total.events += s.events, total.rollbacks += s.rollbacks, total.restarts += s.restarts, total.joins += s.joins;
      total.absences += s.absences, total.leaves += s.leaves, total.entries += s.entries, total.messages += s.messages;
      total.hand_overs += s.hand_overs;
    }
  };
  std::vector<std::thread> pool;
  for (int k = 1; k < threads; ++k) pool.emplace_back(work);
  work();
  for (auto& t : pool) t.join();
  std::sort(total.faults.begin(), total.faults.end());
  return total;
}

void expect_good(const Total& t) {
  EXPECT_TRUE(t.faults.empty()) << t.faults.size() << " schedules failed, such as " << t.faults.front();
  // a test of faults that do not happen is none
  EXPECT_GT(t.rollbacks, 100u);
  EXPECT_GT(t.restarts, 10u);
  EXPECT_GT(t.joins, 3u);
  EXPECT_GT(t.absences, 3u);
  EXPECT_GT(t.leaves, 3u);
  EXPECT_GT(t.hand_overs, 3u);
}

}  // namespace

TEST(Simulation, CommitsTheSequentialRunOnAPerfectNetwork) {
  Simulation s;
  for (const std::uint32_t horizon : {1u, 2u, 7u})
    for (const std::size_t nodes : {1u, 2u, 5u, 8u}) EXPECT_EQ(s.run(plain(horizon, nodes)), "") << horizon << " " << nodes;
}

TEST(Simulation, RollsBackWhenContactWasAssumedAbsent) {
  Simulation s;
  Schedule p = plain(8);
  p.world.contact_every = 10;
  EXPECT_EQ(s.run(p), "");
  EXPECT_GT(s.stats().rollbacks, 10u);
  // without a horizon nothing is assumed
  p.world.horizon = 1;
  EXPECT_EQ(s.run(p), "");
  EXPECT_EQ(s.stats().rollbacks, 0u);
}

TEST(Simulation, RollsBackWhenAnInputIsLate) {
  Simulation s;
  Schedule p = plain(4);
  p.inputs = 40;
  EXPECT_EQ(s.run(p), "");
  EXPECT_GT(s.stats().rollbacks, 5u);
}

TEST(Simulation, CommitsTheSameSumsWhateverTheNetwork) {
  Simulation s;
  Schedule p = plain(4);
  p.world.contact_every = 20;
  ASSERT_EQ(s.run(p), "");
  const auto sums = s.sums();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    p.seed = p.impairment.seed = seed;
    p.impairment = {.loss = 0.3, .delay = 0.003, .jitter = 0.003, .duplicate = 0.1, .reorder = 0.1, .seed = seed};
    ASSERT_EQ(s.run(p), "");
    EXPECT_EQ(s.sums(), sums);
  }
}

TEST(Simulation, CommitsTheSequentialRunUnderSeededFaults) {
  expect_good(run_many(1, 400, [](std::uint64_t seed) { return draw_schedule(seed, 300); }, 2));
}

// Frames of a restarted node that nobody can make again are handed on by whoever has them: in a federation of processes, the coordinator's observer.
TEST(Simulation, CommitsTheSequentialRunWhenAllButTheObserverDieAgainAndAgain) {
  const Total t = run_many(
      1, 400,
      [](std::uint64_t seed) {
        Schedule s = draw_schedule(seed, 300, 2 + seed % 3);
        s.policy = DeadPolicy::Wait, s.has_observer = true, s.kills = 12, s.joins = s.leaves = 0;
        return s;
      },
      2);
  EXPECT_TRUE(t.faults.empty()) << t.faults.size() << " schedules failed, such as " << t.faults.front();
  EXPECT_GT(t.restarts, 1000u);
}

// SIMULATION_SEED=7 SIMULATION_COUNT=1: one schedule of the long test again
TEST(LongSimulation, DISABLED_TenThousandSchedules) {
  const char *first = std::getenv("SIMULATION_SEED"), *count = std::getenv("SIMULATION_COUNT"), *ticks = std::getenv("SIMULATION_TICKS");
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t schedules = count != nullptr ? std::strtoull(count, nullptr, 10) : 10'000;
  const Tick most = ticks != nullptr ? std::strtoull(ticks, nullptr, 10) : 2000;
  const Total t =
      run_many(first != nullptr ? std::strtoull(first, nullptr, 10) : 1, schedules, [&](std::uint64_t seed) { return draw_schedule(seed, most); }, 2);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%llu schedules in %.1f s: %llu events, %llu messages, %llu rollbacks, %llu restarts, %llu joins, %llu leaves, %llu absences\n",
              static_cast<unsigned long long>(schedules), seconds, static_cast<unsigned long long>(t.events), static_cast<unsigned long long>(t.messages),
              static_cast<unsigned long long>(t.rollbacks), static_cast<unsigned long long>(t.restarts), static_cast<unsigned long long>(t.joins),
              static_cast<unsigned long long>(t.leaves), static_cast<unsigned long long>(t.absences));
  for (std::size_t k = 0; k < std::min<std::size_t>(t.faults.size(), 10); ++k) std::printf("%s\n", t.faults[k].c_str());
  if (schedules > 100)
    expect_good(t);
  else
    EXPECT_TRUE(t.faults.empty());
}

}  // namespace volary::cluster
