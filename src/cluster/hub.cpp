// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/hub.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "cluster/codec.hpp"

namespace volary::cluster {

namespace {
constexpr std::int64_t kLongestNap = 20'000'000;  // ns
constexpr std::uint64_t kObserverNonce = 1;       // older than every start of a process
const std::string kAccount = "coordinator";
}  // namespace

core::Result<std::unique_ptr<Hub>> Hub::start(Transport& transport, HubOptions options) {
  std::unique_ptr<Hub> hub(new Hub(transport, std::move(options)));
  hub->parcel_ = parcel_bytes(hub->o_.parcel);
  hub->scenario_ = parcel_number(hub->parcel_);
  CoordinatorOptions c{.scenario = hub->scenario_, .build = hub->o_.build};
  c.founders = hub->o_.parcel.sharing.members + 1;  // the nodes, and the observer after them
  c.policy = hub->o_.policy;
  c.period = hub->o_.period;
  if (hub->o_.observer) {
    c.horizon = static_cast<std::uint32_t>(horizon_ticks(hub->o_.observer->def()));
    c.window += c.horizon;
    c.ring = std::max(c.ring, std::bit_ceil(2 * (c.window + c.horizon)));
    if (c.horizon > 1) hub->settles_ = std::make_unique<WorldHost>(std::move(hub->o_.observer), hub->o_.parcel.sharing, HostOptions{.observes = true});
  }
  hub->coordinator_.emplace(c);
  for (const std::string& pattern : {hub->topics_.every_state(), hub->topics_.every_request()})
    if (const core::Status done = transport.subscribe(pattern); !done) return done.error();
  if (const core::Status done = hub->offer_scenario(); !done) return done.error();
  hub->thread_ = std::thread(&Hub::run, hub.get());
  return hub;
}

Hub::Hub(Transport& transport, HubOptions options)
    : transport_(transport), o_(std::move(options)), topics_{o_.federation}, number_(federation_number(o_.federation)), missing_(o_.parcel.sharing.members) {}

void Hub::stop() {
  is_stopping_ = true;
  transport_.wake();
  if (thread_.joinable()) thread_.join();
}

core::Status Hub::offer_scenario() {
  const auto pieces = cut_parcel(parcel_);
  for (std::size_t k = 0; k < pieces.size(); ++k)
    if (const auto drop = transport_.publish(topics_.scenario(k), pieces[k], {.qos = 1, .retained = true}); drop != LinkDrop::None)
      return core::Error{.message = fmt::format("the scenario could not be published: {}", name_of(drop)), .field = "federation"};
  return core::ok();
}

void Hub::run() {
  while (!is_stopping_ && failure().empty()) turn();
}

void Hub::turn() {
  transport_.wait(std::clamp<std::int64_t>(until_ - monotonic_ns(), 0, kLongestNap));
  // a broker that was restarted has forgotten what it kept for those who come later
  for (const LinkChange& c : transport_.link_changes())
    if (c.state == LinkState::Up)
      if (const core::Status done = offer_scenario(); !done) return fail(done.error().text());
  transport_.receive(batch_);
  for (const Received& r : batch_) take(r);
  until_ = monotonic_ns() + kLongestNap;
  drain_coordinator();
  if (!observes_) start_observer();
  // the schedule begins when everybody is there
  if (o_.period > 0 && !is_paced_ && coordinator_->has_begun()) coordinator_->set_period(o_.period, monotonic_ns()), is_paced_ = true;
  if (observes_) drain_observer(), drain_coordinator();
  pass_on();
  take_status();
}

void Hub::take(const Received& r) {
  if (r.topic == topics_.state(kAccount) || decode(r.bytes, number_, message_)) return;  // our own comes back
  coordinator_->receive(message_, r.arrival_ns);
  if (observes_) observer_.receive(message_, r.arrival_ns);
}

void Hub::publish(const std::string& topic, const Message& m) {
  encode(m, number_, bytes_);
  transport_.publish(topic, bytes_);
}

void Hub::drain_coordinator() {
  for (;;) {
    const CoordinatorAction a = coordinator_->next(monotonic_ns());
    switch (a.what) {
      case CoordinatorAct::Wait: until_ = std::min(until_, a.until); return;
      case CoordinatorAct::Publish:
        publish(topics_.all(), coordinator_->message());
        if (observes_) observer_.receive(coordinator_->message(), monotonic_ns());
        break;
      case CoordinatorAct::Commit: sums_[a.tick] = a.sum; break;
      case CoordinatorAct::Suspect: break;
      case CoordinatorAct::Superseded: return fail("another coordinator of this federation has taken over");
    }
  }
}

// after all nodes, so that members 0 to n - 1 are those that own vehicles
void Hub::start_observer() {
  const auto joined = static_cast<std::size_t>(std::popcount(coordinator_->members().known()));
  if (joined < o_.parcel.sharing.members) return;
  observer_.reset({.nonce = kObserverNonce, .scenario = scenario_, .build = o_.build});
  observes_ = true;
}

void Hub::drain_observer() {
  for (;;) {
    const Action a = observer_.next(monotonic_ns());
    switch (a.what) {
      case Act::Wait: until_ = std::min(until_, a.until); return;
      case Act::Ask: coordinator_->receive(Message(observer_.request()), monotonic_ns()), drain_coordinator(); break;
      case Act::Publish: {
        const Bundle& b = observer_.bundle();
        coordinator_->receive(b, monotonic_ns());
        encode(b, number_, bytes_);
        transport_.publish(topics_.state(kAccount), bytes_);
        break;
      }
      case Act::Left:
      case Act::Fenced:
      case Act::Refused: return fail("the observer was sent away");
      default: observe(a);
    }
    if (!failure().empty()) return;
  }
}

// It owns nothing, so with a horizon of one tick it has nothing to compute; else it settles, to know which frames contact has made wrong.
void Hub::observe(const Action& a) {
  if (settles_) {
    if (const core::Status done = settles_->act(observer_, a); !done) return fail(done.error().text());
    if (a.what != Act::Commit) return;
  }
  if (a.what == Act::Restore) return observer_.restored({.tick = a.tick});
  if (a.what == Act::Advance) return observer_.advanced({});
  if (a.what == Act::Settle) return observer_.settled(0, 0);
  if (a.what != Act::Commit) return;
  for (Tick k = observed_ + 1; k <= a.tick; ++k) {
    CommittedTick tick{.tick = k};
    for (const Entry& e : observer_.log().entries()) {
      if (e.kind != EntryKind::Input || e.effective != k) continue;
      core::Result<Input> input = read_input(e);
      if (!input) return fail(input.error().text());
      tick.inputs.push_back(std::move(input).value());
    }
    for (std::size_t id = 0; id < o_.parcel.sharing.members; ++id) {
      const auto frame = observer_.frame(id, k);
      tick.frames.emplace_back(frame.begin(), frame.end());
    }
    frames_.push_back(std::move(tick));
  }
  observer_.saved(observed_ = a.tick);
}

void Hub::pass_on() {
  bool some = false;
  while (!frames_.empty()) {
    const auto sum = sums_.find(frames_.front().tick);
    if (sum == sums_.end()) break;
    frames_.front().sum = sum->second;
    sums_.erase(sums_.begin(), std::next(sum));
    const std::scoped_lock lock(mutex_);
    ready_.push_back(std::move(frames_.front()));
    frames_.pop_front();
    some = true;
  }
  if (some && o_.wake) o_.wake();
}

void Hub::take_status() {
  const std::scoped_lock lock(mutex_);
  committed_ = coordinator_->committed();
  const auto joined = static_cast<std::size_t>(std::popcount(coordinator_->members().known()));
  missing_ = o_.parcel.sharing.members - std::min<std::size_t>(joined, o_.parcel.sharing.members);
  nodes_.clear();
  for (std::size_t id = 0; id < o_.parcel.sharing.members; ++id) {
    const Coordinator::Report& r = coordinator_->report(id);
    nodes_.push_back({id, r.heard, r.is_suspect, r.advanced, r.settled, r.compute_us});
  }
}

void Hub::fail(std::string why) {
  {
    const std::scoped_lock lock(mutex_);
    failure_ = std::move(why);
  }
  if (o_.wake) o_.wake();
}

bool Hub::has_next() const {
  const std::scoped_lock lock(mutex_);
  return !ready_.empty();
}
std::optional<CommittedTick> Hub::next() {
  const std::scoped_lock lock(mutex_);
  if (ready_.empty()) return std::nullopt;
  CommittedTick tick = std::move(ready_.front());
  ready_.pop_front();
  return tick;
}
std::string Hub::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}
std::vector<NodeStatus> Hub::nodes() const {
  const std::scoped_lock lock(mutex_);
  return nodes_;
}
Tick Hub::committed() const {
  const std::scoped_lock lock(mutex_);
  return committed_;
}
std::size_t Hub::waiting_for() const {
  const std::scoped_lock lock(mutex_);
  return missing_;
}

// ---------------------------------------------------------------- the source of a runner

bool Following::is_ready(const World&) {
  if (!tick_) tick_ = hub_.next();
  return tick_ || !hub_.failure().empty();
}

core::Status Following::give(const World& world, std::vector<Input>& inputs) {
  if (!tick_) return core::Error{.message = hub_.failure(), .field = "federation"};
  if (tick_->tick != world.tick() + 1)
    return core::Error{.message = fmt::format("tick {} came instead of {}", tick_->tick, world.tick() + 1), .field = "federation"};
  inputs = tick_->inputs;
  return core::ok();
}

core::Status Following::fly(World& world) {
  world.advance(own_);
  const std::vector<std::span<const std::byte>> frames(tick_->frames.begin(), tick_->frames.end());
  std::string error;
  if (!world.settle(frames, &error)) return core::Error{.message = error, .field = "federation"};
  world.learn_hash(tick_->sum);
  tick_.reset();
  return core::ok();
}

}  // namespace volary::cluster
