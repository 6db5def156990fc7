// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/node_process.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cluster/codec.hpp"
#include "cluster/live_host.hpp"
#include "cluster/parcel.hpp"
#include "cluster/process_facts.hpp"
#include "cluster/saved_state.hpp"
#include "cluster/topics.hpp"
#include "math/hash.hpp"
#include "scenario/load.hpp"

namespace volary::cluster {

std::uint64_t federation_number(const std::string& name) {
  std::uint64_t h = 0;
  for (const char c : name) h = math::mix64(h ^ static_cast<unsigned char>(c));
  return h;
}

namespace {

constexpr std::int64_t kLongestNap = 20'000'000, kLongestTurn = 5'000'000;  // ns

core::Error fault(std::string message, std::string suggestion = {}) {
  return {.message = std::move(message), .field = "federation", .suggestion = std::move(suggestion)};
}

const char* text_of(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::OtherScenario: return "it has another scenario";
    case RefusalReason::OtherBuild: return "it is another build of Volary";
    case RefusalReason::Full: return "all places are taken";
    case RefusalReason::TooOld: return "its saved state is too old to go on from";
    case RefusalReason::UnknownMember: return "the federation has no such member";
    case RefusalReason::NotYet: return "its place is still taken";
  }
  return "";
}

constexpr std::int64_t kFetchEvery = 500'000'000, kSendAgain = 2'000'000'000, kStandby = 500'000'000, kMemoryEvery = 1'000'000'000;  // ns

// grows from one start of a process to the next, on one machine and on several
std::uint64_t start_number() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

// ---------------------------------------------------------------- the process

class NodeProcess {
 public:
  NodeProcess(Transport& transport, const NodeProcessOptions& options)
      : transport_(transport), o_(options), topics_{options.federation}, number_(federation_number(options.federation)) {}

  core::Result<NodeProcessResult> run() {
    if (const core::Status done = fetch_scenario(); !done) return done.error();
    if (const core::Status done = begin(); !done) return done.error();
    core::Status flown = core::ok();
    while (flown && !is_over_) {
      if (o_.is_interrupted && o_.is_interrupted()) break;
      flown = turn();
    }
    if (!flown) return flown.error();
    return NodeProcessResult{node_.settled_tick(), node_.committed_tick(), node_.rollbacks(), host_->flown_again(), node_.member()};
  }

 private:
  // to who started it, and to the coordinator's logs
  void tell(const std::string& text) {
    if (o_.tell) o_.tell(text);
    transport_.publish(topics_.log(o_.account), std::as_bytes(std::span(text)), {.qos = 1});
  }
  bool is_silent(std::int64_t since) const { return static_cast<double>(monotonic_ns() - since) * 1e-9 > o_.patience; }

  core::Status fetch_scenario() {
    if (const core::Status done = transport_.subscribe(topics_.every_scenario(), 1); !done) return done;
    ParcelPieces pieces;
    const std::int64_t began = monotonic_ns();
    while (!(o_.is_interrupted && o_.is_interrupted())) {
      transport_.wait(kLongestNap);
      transport_.receive(batch_);
      for (const Received& r : batch_) {
        if (r.bytes.empty()) continue;  // what an earlier federation took back
        auto whole = pieces.add(r.bytes);
        if (!whole) return whole.error();
        if (!whole.value()) continue;
        scenario_ = parcel_number(*whole.value());
        auto parcel = read_parcel(*whole.value());
        if (!parcel) return parcel.error();
        parcel_ = std::move(parcel).value();
        return core::ok();
      }
      if (is_silent(began))
        return fault(fmt::format("no coordinator offers a scenario for federation '{}'", o_.federation), "start it with 'volary federation up'");
    }
    return fault("interrupted before the scenario was here");
  }

  // a person who names a scenario means its files; overrides of the federation are its own
  core::Status check_scenario() const {
    if (!o_.expected) return core::ok();
    const auto& expected = o_.expected->files;
    const auto& flown = parcel_.bundle.files;
    const auto text = [](const std::map<std::string, std::string>& files, const std::string& name) {
      return files.contains(name) ? files.at(name) : std::string();
    };
    for (const auto& [name, content] : expected)
      if (text(flown, name) != content)
        return fault(fmt::format("the federation flies another scenario: {} {}", name, flown.contains(name) ? "differs" : "is not part of it"));
    if (flown.size() != expected.size()) return fault("the federation flies another scenario: it consists of other files");
    return core::ok();
  }

  core::Status begin() {
    if (const core::Status good = check_scenario(); !good) return good;
    auto def = scenario::load_bundle(parcel_.bundle, scenario::Paths{}.max_vehicles, o_.may_run);
    if (!def) return def.error();
    RunOptions options;
    options.threads = o_.threads;
    std::string error;
    auto world = World::create(def.value(), options, &error);
    if (world == nullptr) return fault(error);
    if (parcel_.live)
      host_ = std::make_unique<LiveHost>(std::move(world), parcel_.sharing, parcel_.straight, o_.sinks ? o_.sinks(parcel_.bundle) : std::vector<runner::Sink*>());
    else
      host_ = std::make_unique<WorldHost>(std::move(world), parcel_.sharing, HostOptions{.run = options});
    me_ = {.nonce = start_number(), .account = account_number(o_.account), .scenario = scenario_, .build = o_.build, .host = machine_name()};
    node_.reset(me_);
    if (const core::Status done = transport_.subscribe(topics_.all(), 1); !done) return done;
    if (const core::Status done = transport_.subscribe(topics_.every_state()); !done) return done;
    heard_ = monotonic_ns();
    return core::ok();
  }

  core::Status turn() {
    if (transport_.receive(batch_))
      for (const Received& r : batch_)
        if (const core::Status done = take(r); !done) return done;
    const std::int64_t began = monotonic_ns();
    if (began >= memory_at_) node_.uses(memory_used()), memory_at_ = began + kMemoryEvery;
    send_state();
    while (true) {
      const Action a = node_.next(monotonic_ns());
      switch (a.what) {
        case Act::Wait: return rest(a.until);
        case Act::Ask: publish(topics_.request(o_.account), node_.request()); break;
        case Act::Publish: encode(node_.bundle(), number_, bytes_), transport_.publish(topics_.state(o_.account), bytes_); break;
        case Act::Left: tell("left its place to another process"); return is_over_ = true, core::ok();
        case Act::Over: tell("the federation is over"); return is_over_ = true, core::ok();
        case Act::Fenced: return fault("its place was given to another process, or it was removed");
        case Act::Refused: return refused();
        case Act::Restore:
          if (!has_state(a.tick)) return core::ok();
          [[fallthrough]];
        default:
          if (const core::Status done = host_->act(node_, a); !done) return done;
          after(a);
          node_.spent(static_cast<std::uint32_t>(std::min<std::int64_t>(monotonic_ns() - began, 1'000'000'000) / 1000));
          // one that is behind the clock listens all the same
          if (parcel_.live && monotonic_ns() - began > kLongestTurn) return core::ok();
      }
    }
  }

  core::Status rest(Time until) {
    if (!sender_.is_done()) until = std::min(until, monotonic_ns() + 1'000'000);
    transport_.wait(std::clamp<std::int64_t>(until - monotonic_ns(), 0, kLongestNap));
    if (is_silent(heard_)) return fault(fmt::format("the coordinator was silent for {:g} s", o_.patience));
    return core::ok();
  }

  // where there is no place, it waits for one
  core::Status refused() {
    const RefusalReason reason = node_.refusal().reason;
    if (reason != RefusalReason::Full) return fault(fmt::format("the coordinator refuses it: {}", text_of(reason)));
    if (!is_standby_) tell("all places are taken: it waits until one is free");
    is_standby_ = true;
    for (const std::int64_t until = monotonic_ns() + kStandby; monotonic_ns() < until && !(o_.is_interrupted && o_.is_interrupted());) {
      transport_.wait(until - monotonic_ns());
      transport_.receive(batch_);
      for (const Received& r : batch_)
        if (r.topic == topics_.all()) heard_ = r.arrival_ns;
    }
    if (is_silent(heard_)) return fault(fmt::format("the coordinator was silent for {:g} s", o_.patience));
    node_.reset(me_);
    return core::ok();
  }

  // ---------------------------------------------------------------- states

  // the first one is in the scenario, others come from the coordinator
  bool has_state(Tick tick) {
    if (tick == 0 || host_->loaded() == tick) return true;
    const std::int64_t now = monotonic_ns();
    if (now < fetch_at_) return false;
    fetch_at_ = now + kFetchEvery;
    if (given_.empty()) {
      given_ = topics_.given(node_.member());
      (void)transport_.subscribe(given_, 1);
    }
    publish(topics_.request(o_.account), Fetch{.member = static_cast<std::uint8_t>(node_.member()), .nonce = me_.nonce, .tick = tick});
    return false;
  }
  core::Status take_state(const Received& r) {
    auto whole = pieces_.add(r.bytes);
    if (!whole || !whole.value()) return core::ok();  // asked for again
    auto state = read_saved_state(*whole.value());
    if (!state || state.value().member != node_.member() || node_.is_running()) return core::ok();
    return host_->load(state.value().bytes);
  }

  void after(const Action& a) {
    if (a.what == Act::Restore) {
      is_standby_ = false;
      tell(a.tick == 0 ? fmt::format("is member {}", node_.member()) : fmt::format("goes on as member {} from tick {}", node_.member(), a.tick));
      saved_ = a.tick;
    }
    if (a.what != Act::Commit) return;
    const bool leaves = node_.is_to_hand_over();
    if (a.tick >= saved_ + o_.save_every || (leaves && !is_leaving_)) save(a.tick);
  }

  void save(Tick tick) {
    SavedState state{.member = static_cast<std::uint8_t>(node_.member()), .incarnation = node_.members()[node_.member()].incarnation, .tick = tick};
    state.bytes = host_->save(node_, tick);
    if (state.bytes.empty()) return;  // that tick is not kept; another one will be
    saved_ = tick;
    is_leaving_ = node_.is_to_hand_over();
    state_ = saved_state_bytes(state);
    sender_.begin(topics_.saved(o_.account), state_);
    send_again_at_ = monotonic_ns() + kSendAgain;
    sender_.send(transport_);
  }
  // again when nobody says that it came
  void send_state() {
    sender_.send(transport_);
    if (is_leaving_ && node_.kept_tick() >= saved_) node_.hand_over(saved_);
    if (!node_.is_running() || node_.kept_tick() >= saved_ || !sender_.is_done() || state_.empty() || monotonic_ns() < send_again_at_) return;
    sender_.begin(topics_.saved(o_.account), state_);
    send_again_at_ = monotonic_ns() + kSendAgain;
  }

  // ---------------------------------------------------------------- messages

  core::Status take(const Received& r) {
    if (r.topic == given_) return take_state(r);
    if (decode(r.bytes, number_, message_)) return core::ok();  // counted where it was dropped
    if (r.topic == topics_.all()) {
      heard_ = r.arrival_ns;
      node_.receive(message_, r.arrival_ns);
    } else if (const auto* b = std::get_if<Bundle>(&message_)) {
      // whoever publishes under an account speaks for its place alone
      if (node_.members().is_known(b->member) && node_.members()[b->member].account == account_number(Topics::account_of(r.topic)))
        node_.receive(*b, r.arrival_ns);
    }
    return core::ok();
  }
  void publish(const std::string& topic, const Message& m) {
    encode(m, number_, bytes_);
    transport_.publish(topic, bytes_);
  }

  Transport& transport_;
  const NodeProcessOptions& o_;
  Topics topics_;
  std::uint64_t number_, scenario_ = 0;
  Parcel parcel_;
  std::unique_ptr<Host> host_;
  NodeOptions me_;
  Node node_{NodeOptions{}};
  Message message_;
  std::vector<Received> batch_;
  std::vector<std::byte> bytes_, state_;  // the last state that was saved
  PieceSender sender_;
  ParcelPieces pieces_;
  std::string given_;  // topic of states for its place
  std::int64_t heard_ = 0, fetch_at_ = 0, send_again_at_ = 0, memory_at_ = 0;
  Tick saved_ = 0;
  bool is_over_ = false, is_standby_ = false, is_leaving_ = false;
};

}  // namespace

core::Result<NodeProcessResult> run_node(Transport& transport, const NodeProcessOptions& options) { return NodeProcess(transport, options).run(); }

}  // namespace volary::cluster
