// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/node_process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cluster/codec.hpp"
#include "cluster/parcel.hpp"
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

constexpr std::int64_t kLongestNap = 20'000'000;  // ns

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

// ---------------------------------------------------------------- what a restart goes on from

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// whole or not at all: a crash leaves the old one
core::Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  const std::string part = path + ".part";
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return fault(fmt::format("{}: {}", part, std::strerror(errno)));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n <= 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool good = done == bytes.size() && ::fdatasync(fd) == 0;
  const int error = errno;
  ::close(fd);
  if (!good || ::rename(part.c_str(), path.c_str()) != 0) return fault(fmt::format("{}: {}", path, std::strerror(good ? errno : error)));
  return core::ok();
}

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
  void tell(const std::string& text) const {
    if (o_.tell) o_.tell(text);
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
        auto whole = pieces.add(r.bytes);
        if (!whole) return whole.error();
        if (!whole.value()) continue;
        scenario_ = parcel_number(*whole.value());
        auto parcel = read_parcel(*whole.value());
        if (!parcel) return parcel.error();
        parcel_ = std::move(parcel).value();
        return core::ok();
      }
      if (is_silent(began)) return fault(fmt::format("no coordinator offers a scenario for federation '{}'", o_.federation), "start it with 'volary federation up'");
    }
    return fault("interrupted before the scenario was here");
  }

  core::Status begin() {
    auto def = scenario::load_bundle(parcel_.bundle, scenario::Paths{}.max_vehicles, o_.may_run);
    if (!def) return def.error();
    RunOptions options;
    options.threads = o_.threads;
    std::string error;
    auto world = World::create(def.value(), options, &error);
    if (world == nullptr) return fault(error);
    host_ = std::make_unique<WorldHost>(std::move(world), parcel_.sharing, HostOptions{.run = options});
    NodeOptions n{.nonce = start_number(), .scenario = scenario_, .build = o_.build};
    if (const core::Status loaded = load_saved(n); !loaded) return loaded;
    node_.reset(n);
    if (const core::Status done = transport_.subscribe(topics_.all()); !done) return done;
    if (const core::Status done = transport_.subscribe(topics_.every_state()); !done) return done;
    heard_ = monotonic_ns();
    return core::ok();
  }

  // a process that was here before comes back to its place
  core::Status load_saved(NodeOptions& n) {
    if (o_.folder.empty() || !std::filesystem::exists(state_path())) return core::ok();
    const std::string text = read_file(state_path());
    const std::string place = read_file(place_path());
    if (place.size() != 1) return core::ok();
    if (!text.empty())
      if (const core::Status loaded = host_->load(std::as_bytes(std::span(text))); !loaded) return loaded;
    n.entry = RequestKind::Restart;
    n.member = static_cast<std::uint8_t>(place[0]);
    n.durable = host_->loaded();
    tell(fmt::format("goes on as member {} from tick {}", n.member, n.durable));
    return core::ok();
  }
  std::string state_path() const { return o_.folder + "/state"; }
  std::string place_path() const { return o_.folder + "/member"; }

  core::Status turn() {
    if (transport_.receive(batch_))
      for (const Received& r : batch_) take(r);
    const std::int64_t began = monotonic_ns();
    while (true) {
      const Action a = node_.next(monotonic_ns());
      switch (a.what) {
        case Act::Wait:
          transport_.wait(std::clamp<std::int64_t>(a.until - monotonic_ns(), 0, kLongestNap));
          if (is_silent(heard_)) return fault(fmt::format("the coordinator was silent for {:g} s", o_.patience));
          return core::ok();
        case Act::Ask: publish(topics_.request(o_.account), node_.request()); break;
        case Act::Publish: encode(node_.bundle(), number_, bytes_), transport_.publish(topics_.state(o_.account), bytes_); break;
        case Act::Left: tell("left"); return is_over_ = true, core::ok();
        case Act::Fenced: return fault("its place was given to another process, or it was removed");
        case Act::Refused: return fault(fmt::format("the coordinator refuses it: {}", text_of(node_.refusal().reason)));
        default:
          if (const core::Status done = host_->act(node_, a); !done) return done;
          if (const core::Status done = after(a); !done) return done;
          node_.spent(static_cast<std::uint32_t>(std::min<std::int64_t>(monotonic_ns() - began, 1'000'000'000) / 1000));
      }
    }
  }

  core::Status after(const Action& a) {
    if (a.what == Act::Restore) {
      tell(fmt::format("is member {}", node_.member()));
      if (!o_.folder.empty()) {
        const auto place = static_cast<std::byte>(node_.member());
        if (const core::Status done = write_file(place_path(), std::span(&place, 1)); !done) return done;
      }
      if (a.tick == 0) return save(0);
    }
    if (a.what != Act::Commit) return core::ok();
    if (a.tick >= saved_ + o_.save_every || o_.folder.empty()) return save(a.tick);
    return core::ok();
  }

  // without a folder a restart is impossible, and nobody need keep anything for one
  core::Status save(Tick tick) {
    if (!o_.folder.empty()) {
      const std::vector<std::byte> bytes = host_->save(node_, tick);
      if (bytes.empty()) return core::ok();
      if (const core::Status done = write_file(state_path(), bytes); !done) return done;
    }
    node_.saved(saved_ = tick);
    return core::ok();
  }

  void take(const Received& r) {
    if (decode(r.bytes, number_, message_)) return;  // counted where it was dropped
    if (r.topic == topics_.all()) heard_ = r.arrival_ns;
    node_.receive(message_, r.arrival_ns);
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
  std::unique_ptr<WorldHost> host_;
  Node node_{NodeOptions{}};
  Message message_;
  std::vector<Received> batch_;
  std::vector<std::byte> bytes_;
  std::int64_t heard_ = 0;
  Tick saved_ = 0;
  bool is_over_ = false;
};

}  // namespace

core::Result<NodeProcessResult> run_node(Transport& transport, const NodeProcessOptions& options) { return NodeProcess(transport, options).run(); }

}  // namespace volary::cluster
