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
constexpr std::size_t kMostOrders = 256;          // that wait
const std::string kAccount = "coordinator";
}  // namespace

core::Result<std::unique_ptr<Hub>> Hub::start(Transport& transport, HubOptions options) {
  std::unique_ptr<Hub> hub(new Hub(transport, std::move(options)));
  if (const core::Status done = hub->begin(); !done) return done.error();
  hub->thread_ = std::thread(&Hub::run, hub.get());
  return hub;
}

Hub::Hub(Transport& transport, HubOptions options)
    : transport_(transport),
      o_(std::move(options)),
      topics_{o_.federation},
      number_(federation_number(o_.federation)),
      members_(o_.parcel.sharing.members),
      states_(members_),
      senders_(members_),
      leaving_(members_),
      missing_(members_) {}

core::Status Hub::begin() {
  parcel_ = parcel_bytes(o_.parcel);
  scenario_ = parcel_number(parcel_);
  CoordinatorOptions c{.scenario = scenario_, .build = o_.build};
  c.founders = static_cast<std::uint32_t>(members_) + 1;  // the nodes and the observer
  c.places = static_cast<std::uint32_t>(members_);
  c.keeps_states = true;
  for (std::size_t k = 0; k < o_.seats; ++k) c.seats.push_back(account_number(std::to_string(k)));
  c.policy = o_.policy, c.extrapolate = o_.extrapolate;
  c.live = o_.parcel.live;
  c.period = o_.period;
  c.adapt_pace = true;
  if (o_.observer) {
    c.horizon = static_cast<std::uint32_t>(horizon_ticks(o_.observer->def()));
    c.window += c.horizon;
    c.ring = std::max(c.ring, std::bit_ceil(2 * (c.window + c.horizon)));
    if (c.horizon > 1) settles_ = std::make_unique<WorldHost>(std::move(o_.observer), o_.parcel.sharing, HostOptions{.observes = true});
  }
  coordinator_.emplace(c);
  accounts_[account_number(kAccount)] = kAccount;
  observer_.reset({.entry = RequestKind::Observe, .nonce = kObserverNonce, .account = account_number(kAccount), .scenario = scenario_, .build = o_.build});
  for (const std::string& pattern : {topics_.every_state(), topics_.every_request()})
    if (const core::Status done = transport_.subscribe(pattern); !done) return done;
  for (const std::string& pattern : {topics_.every_saved(), topics_.every_order(), topics_.every_log()})
    if (const core::Status done = transport_.subscribe(pattern, 1); !done) return done;
  return offer_scenario();
}

void Hub::stop() {
  if (is_stopping_.exchange(true)) return;
  transport_.wake();
  if (thread_.joinable()) thread_.join();
  if (coordinator_) publish(topics_.all(), Notice{.term = coordinator_->term(), .kind = NoticeKind::Over}, {.qos = 1});
  // a broker that outlives us keeps nothing for those who come later
  for (std::size_t k = 0; k < cut_parcel(parcel_).size(); ++k) transport_.publish(topics_.scenario(k), {}, {.qos = 1, .retained = true});
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
  do_tasks();
}

void Hub::turn() {
  transport_.wait(std::clamp<std::int64_t>(until_ - monotonic_ns(), 0, kLongestNap));
  // a broker that was restarted has forgotten what it kept for those who come later
  for (const LinkChange& c : transport_.link_changes())
    if (c.state == LinkReport::Up)
      if (const core::Status done = offer_scenario(); !done) return fail(done.error().text());
  transport_.receive(batch_);
  for (const Received& r : batch_) take(r);
  do_tasks();
  keep_hold();
  until_ = monotonic_ns() + kLongestNap;
  drain_coordinator();
  drain_observer(), drain_coordinator();
  pass_on();
  send_states();
  repeat_notices();
  take_status();
}

// by topic; what an account may say is decided here, for the broker knows only topics
void Hub::take(const Received& r) {
  const std::string kind = topics_.kind_of(r.topic), account = Topics::account_of(r.topic);
  if (kind == "keep") return keep_state(r);
  if (kind == "log") {
    const std::string text(reinterpret_cast<const char*>(r.bytes.data()), std::min<std::size_t>(r.bytes.size(), 1000));
    if (o_.log) o_.log(account, text);
    return;
  }
  if (kind == "order") {
    {
      const std::scoped_lock lock(mutex_);
      if (orders_.size() < kMostOrders) orders_.push_back({account, std::string(reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size())});
    }
    if (o_.wake) o_.wake();
    return;
  }
  if (account == kAccount) return;  // our own comes back
  if (const auto drop = decode(r.bytes, number_, message_))
    drops_.add(*drop);
  else
    take_message(kind, account, r.arrival_ns);
}

void Hub::take_message(const std::string& kind, const std::string& account, Time arrival) {
  const std::uint64_t number = account_number(account);
  if (const auto* fetch = std::get_if<Fetch>(&message_)) {
    const Member& m = coordinator_->members()[fetch->member];
    return kind == "ctl" && m.account == number && m.nonce == fetch->nonce ? give_state(*fetch) : drops_.add(Drop::Unauthorised);
  }
  if (const auto* request = std::get_if<Request>(&message_)) {
    if (kind != "ctl" || request->account != number || request->kind == RequestKind::Observe) return drops_.add(Drop::Unauthorised);
    accounts_[number] = account, hosts_[number] = request->host;
    if (request->kind == RequestKind::Join) standbys_[account] = arrival;
  } else if (const auto* bundle = std::get_if<Bundle>(&message_)) {
    if (kind != "st" || coordinator_->members()[bundle->member].account != number) return drops_.add(Drop::Unauthorised);
    standbys_.erase(account);
    if (o_.hear) o_.hear(*bundle);
  } else {
    return drops_.add(Drop::Unauthorised);
  }
  coordinator_->receive(message_, arrival);
  if (!std::holds_alternative<Request>(message_)) observer_.receive(message_, arrival);
}

void Hub::publish(const std::string& topic, const Message& m, Delivery delivery) {
  encode(m, number_, bytes_);
  transport_.publish(topic, bytes_, delivery);
}

void Hub::drain_coordinator() {
  for (;;) {
    // the schedule begins when everybody is there, before anybody is told that the first tick may begin
    if (o_.period > 0 && !is_paced_ && coordinator_->has_begun()) coordinator_->set_period(o_.period, monotonic_ns()), is_paced_ = true;
    const CoordinatorAction a = coordinator_->next(monotonic_ns());
    switch (a.what) {
      case CoordinatorAct::Wait: until_ = std::min(until_, a.until); return;
      case CoordinatorAct::Publish:
        publish(topics_.all(), coordinator_->message());
        observer_.receive(coordinator_->message(), monotonic_ns());
        break;
      case CoordinatorAct::Commit:
        if (!o_.parcel.live) sums_[a.tick] = a.sum;
        break;
      case CoordinatorAct::Suspect: break;
      case CoordinatorAct::Superseded: return fail("another coordinator of this federation has taken over");
    }
  }
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
      case Act::Over:
      case Act::Refused: return fail("the observer was sent away");
      default: observe(a);
    }
    if (!failure().empty()) return;
  }
}

// It owns nothing, so with a horizon of one tick it has nothing to compute; else it settles, to know which frames contact has made wrong.
void Hub::observe(const Action& a) {
  if (o_.parcel.live) return observe_live(a);
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
      if (e.kind == EntryKind::Absent && e.effective == k && e.member < members_) tick.absences.push_back(e);
      if (e.kind != EntryKind::Input || e.effective != k) continue;
      core::Result<Input> input = read_input(e);
      if (!input) return fail(input.error().text());
      tick.inputs.push_back(std::move(input).value());
    }
    for (std::size_t id = 0; id < members_; ++id) {
      const bool takes_part = (observer_.members().active(k) & bit_of(id)) != 0;
      const auto frame = takes_part ? observer_.frame(id, k) : std::span<const std::byte>();
      tick.frames.emplace_back(frame.begin(), frame.end());
    }
    tick.stand_ins = stand_ins(observer_.members(), k, static_cast<std::uint32_t>(members_));
    frames_.push_back(std::move(tick));
  }
  observer_.saved(observed_ = a.tick);
  coordinator_->keep(observer_.member(), observed_);
}

// It goes by the same clock as the nodes; what it has heard by then is what is shown and recorded.
void Hub::observe_live(const Action& a) {
  if (a.what == Act::Restore) return observer_.restored({.tick = a.tick});
  if (a.what == Act::Commit) return observer_.saved(a.tick), coordinator_->keep(observer_.member(), a.tick);
  if (a.what != Act::Advance) return;
  CommittedTick tick{.tick = a.tick, .heard = observer_.take_heard()};
  if (const core::Status read = live_inputs_.take(observer_.log(), a.tick, tick.inputs); !read) return fail(read.error().text());
  observer_.advanced({});
  {
    const std::scoped_lock lock(mutex_);
    ready_.push_back(std::move(tick));
  }
  if (o_.wake) o_.wake();
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
  taken_ = tick.tick;
  return tick;
}
std::string Hub::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}
FederationHealth Hub::health() const {
  const std::scoped_lock lock(mutex_);
  return health_;
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
  if (hub_.parcel().live) {
    leave_to_others(world, inputs);
    if (!inbox_) {
      inbox_.emplace(hub_.parcel().sharing);
      for (Input& in : assignments(hub_.parcel().sharing, Sharing::kNobody)) inputs.push_back(std::move(in));
    }
    inbox_->take(world, std::move(tick_->heard), inputs);
    return core::ok();
  }
  for (const Entry& e : tick_->absences)
    for (Input& in : absence_inputs(world, e)) inputs.push_back(std::move(in));
  return core::ok();
}

core::Status Following::fly(World& world) {
  if (hub_.parcel().live) {
    world.step();
    tick_.reset();
    return core::ok();
  }
  world.stand_in(tick_->stand_ins);
  world.advance(own_);
  const std::vector<std::span<const std::byte>> frames(tick_->frames.begin(), tick_->frames.end());
  std::string error;
  if (!world.settle(frames, &error)) return core::Error{.message = error, .field = "federation"};
  world.learn_hash(tick_->sum);
  tick_.reset();
  return core::ok();
}

}  // namespace volary::cluster
