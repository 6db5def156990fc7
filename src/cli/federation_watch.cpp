// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_watch.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_api.hpp"
#include "cli/federation_report.hpp"
#include "cli/federation_warden.hpp"
#include "cli/signals.hpp"

namespace volary::cli {

namespace {

using server::LiveView;

constexpr double kSampleEvery = 0.5;  // s
constexpr double kApiRate = 30;  // Hz, of frames for programs

cluster::ModeKind kind_of(LiveView view) {
  return view == LiveView::Newest ? cluster::ModeKind::None : view == LiveView::Paper ? cluster::ModeKind::Paper : cluster::ModeKind::Bides;
}

server::ViewFigures view_figures(const cluster::FederationHealth& health, const cluster::ShownModes& modes, LiveView view, cluster::Time now) {
  server::ViewFigures f{.view = view};
  std::uint64_t oldest = ~std::uint64_t{0};
  const std::vector<cluster::ShownNode> shown = modes.shown(kind_of(view));
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (shown[k].tick == 0) continue;
    f.tick = std::max(f.tick, shown[k].tick);
    oldest = std::min(oldest, shown[k].tick);
    ++f.nodes;
    const double offset = k < health.nodes.size() ? health.nodes[k].clock_offset : 0;
    f.age = std::max(f.age.value_or(0), static_cast<double>(now - shown[k].generated) * 1e-9 + offset);
  }
  f.skew = f.nodes > 0 ? f.tick - oldest : 0;
  return f;
}

// The parts of a session that a federation stands in for.
server::Remote remote_of(const FlyingFederation& f, const cluster::ShownModes& modes, cluster::Following& following, const server::NodeBook& book) {
  server::Remote r;
  r.nodes = f.prepared.sharing.members;
  r.prepare = [&sharing = f.prepared.sharing, is_live = f.options.live](World& world) -> core::Status {
    if (is_live) return core::ok();  // what it is told comes in inputs
    std::string error;
    return world.share(sharing, &error) ? core::ok() : core::Status(core::Error{.message = error});
  };
  r.fly = [&following](World& world) { return following.fly(world); };
  // nodes that are already further go back for it
  r.submit = [&hub = f.hub](Input input) -> core::Status {
    input.tick = std::max<std::uint64_t>(input.tick, 1);
    const auto given = hub.submit(input);
    return given ? core::ok() : core::Status(given.error());
  };
  r.hold = [&hub = f.hub](std::uint64_t tick) { hub.hold_at(tick == server::Remote::kNoHold ? cluster::kNever : tick); };
  r.pace = [&hub = f.hub](double speed) { return hub.set_speed(speed); };
  r.shown = [&modes](LiveView view) {
    std::vector<server::ShownPart> parts;
    for (cluster::ShownNode& n : modes.shown(kind_of(view))) parts.push_back({n.tick, n.tick > 0, std::move(n.frame)});
    return parts;
  };
  r.nodes_text = [&book](std::uint64_t after) { return book.text(after); };
  return r;
}

// orders that are commands to the world go the way of the page's
Helm helm_of(server::Live& live) {
  return [&live](const std::string& word, const nlohmann::json& fields, const OrderAnswer& answer) {
    auto action = parse_command(word, fields);
    if (!action) return answer(action.error());
    live.act(kFirstProgram, std::move(action).value(),
             [answer](const core::Status& done, const std::string&) { answer(done ? core::Result<nlohmann::json>(nlohmann::json::object()) : done.error()); });
  };
}

// the world, behind a page or behind the broker alone
struct Shown {
  std::unique_ptr<server::Service> service;
  std::unique_ptr<server::Live> alone;

  server::Live& live() { return service ? service->live() : *alone; }
  void stop() { service ? service->stop() : alone->stop(); }
};

core::Result<Shown> show(const WorldDef& def, bool has_page, server::ServeOptions options) {
  Shown shown;
  if (has_page) {
    auto opened = server::serve_world(def, std::move(options));
    if (!opened) return opened.error();
    shown.service = std::move(opened).value();
    return shown;
  }
  auto live = server::Live::create(def, std::move(options.session));
  if (!live) return live.error();
  shown.alone = std::move(live).value();
  if (options.listener) {
    shown.alone->set_outlet(server::outlet_of(*options.listener));
    shown.alone->set_rates({{options.listener->rate, options.listener->view}});
  }
  shown.alone->start();
  return shown;
}

// the topics for programs, under a connection of their own
core::Result<std::unique_ptr<FederationApi>> open_api(const FlyingFederation& f) {
  Connection connection = f.stage.own;
  connection.impairment = {};
  auto transport = connect_to(connection);
  if (!transport) return transport.error();
  return std::make_unique<FederationApi>(std::move(transport).value(), f.options.name, kApiRate);
}

server::ServeOptions serve_options(const FlyingFederation& f, Watched& watched, server::Remote remote, cluster::Following& following, runner::Clock& clock) {
  server::ServeOptions s = page_options();
  watched.recorder().set_bundle(f.prepared.bundle);
  watched.plug_into(s);
  s.session.run.hash_every_tick = false;  // the nodes tell it
  s.session.speed = f.speed;
  s.session.clock = &clock;
  s.session.sources.push_back(&following);
  s.session.remote = std::move(remote);
  s.port = static_cast<unsigned short>(f.options.port);
  s.only_this_port = f.options.port_given;
  return s;
}

}  // namespace

server::FederationFigures figures_of(const cluster::FederationHealth& h, const cluster::ShownModes& modes) {
  server::FederationFigures f{.federation = h.federation, .mode = h.mode, .committed = h.committed, .aligned = h.aligned, .rate = h.rate, .period = h.period};
  f.is_overloaded = h.is_overloaded;
  for (const cluster::NodeHealth& n : h.nodes)
    f.nodes.push_back({.member = n.member,
                       .name = n.name,
                       .host = n.host,
                       .state = cluster::name_of(n.state),
                       .incarnation = n.incarnation,
                       .tick = n.advanced,
                       .skew = n.skew,
                       .rate = n.rate,
                       .latency = n.latency,
                       .age = n.age,
                       .silence = n.silence,
                       .load = n.load,
                       .memory = n.memory,
                       .rollbacks = n.rollbacks});
  const cluster::Time now = cluster::monotonic_ns();
  // the nodes of a live federation tell inputs for worlds of others: there is only the world of the coordinator to show
  if (h.mode != cluster::kLive)
    for (const LiveView view : {LiveView::Aligned, LiveView::Newest, LiveView::Paper}) f.views.push_back(view_figures(h, modes, view, now));
  // when the states of a committed tick were sent is not known any more
  f.views.insert(f.views.begin(), {.view = LiveView::Committed, .tick = h.committed, .nodes = h.nodes.size()});
  return f;
}

namespace {

// one flight that is watched, from its first tick to its report
class Show {
 public:
  Show(FlyingFederation& f, const cluster::ShownModes& modes) : f_(f), modes_(modes), watched_(record_of(f.options)), following_(f.hub, patience_of(f.options)) {}

  core::Status open() {
    if (f_.options.api) {
      auto api = open_api(f_);
      if (!api) return api.error();
      api_ = std::move(api).value();
    }
    server::ServeOptions s = serve_options(f_, watched_, remote_of(f_, modes_, following_, book_), following_, clock_);
    has_files_ = std::filesystem::exists(std::filesystem::path(s.page) / "index.html");
    if (api_) s.listener = api_->listener();
    f_.clock = &clock_;
    auto shown = show(f_.prepared.def, f_.options.has_page(), std::move(s));
    if (!shown) return shown.error();
    shown_ = std::move(shown).value();
    warden_.emplace(f_.options, f_.stage, f_.nodes, f_.hub, helm_of(shown_.live()));
    return api_ ? api_->start(shown_.live()) : core::ok();
  }

  int run() {
    if (shown_.service) {
      fmt::print("{}\n", shown_.service->url());
      if (!has_files_) fmt::print(stderr, "volary: the page is not built; only the API is served\n");
      std::fflush(stdout);
    }
    while (!is_interrupted() && (shown_.service || !is_over_)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (!is_over_) look();
      take_report();
    }
    close();
    return code_;
  }

  ~Show() { close(); }

 private:
  static RecordOptions record_of(const UpCommand& o) {
    RecordOptions record = o.record;
    record.no_checkpoints = true;
    return record;
  }

  void close() {
    if (!f_.clock.exchange(nullptr)) return;
    if (shown_.service || shown_.alone) shown_.stop();
    take_report();  // a run that Ctrl-C ended has its table, too
    if (api_) api_->stop();
  }

  void look() {
    if (const double time = runner::steady_now() - began_; time >= sampled_ + kSampleEvery) {
      sampled_ = time;
      const cluster::FederationHealth health = f_.hub.health();
      book_.add(figures_of(health, modes_), time);
      if (api_) api_->set_view_every(health.view_every);
      if (api_) api_->publish_nodes(book_.text(~std::uint64_t{0}));
    }
    if (is_ending_ || !warden_->look()) return;
    is_ending_ = true;
    shown_.live().post([](server::Session& session) { session.finish(); });
  }

  // the run is over: its table, and nodes are not needed any more
  void take_report() {
    const auto run = watched_.take_finished();
    if (!run || is_over_) return;
    is_over_ = true;
    Flight flight = run->flight;
    flight.failure = !warden_ || warden_->ended().empty() ? f_.hub.failure() : warden_->ended();
    const cluster::FederationHealth health = f_.hub.health();
    f_.hub.stop(), f_.nodes.stop();
    code_ = report_federation(f_.options, {run->ending, flight, horizon_ticks(f_.prepared.def), run->recording, run->bytes, health});
    tell_logs(f_.options, f_.nodes, f_.stage, !flight.failure.empty());
    f_.stage.record.reset();
    if (shown_.service && !is_interrupted()) fmt::print("\nreplaying at {} until Ctrl-C\n", shown_.service->url());
    std::fflush(stdout);
  }

  FlyingFederation& f_;
  const cluster::ShownModes& modes_;
  runner::SteadyClock clock_;
  Watched watched_;
  cluster::Following following_;
  server::NodeBook book_;
  std::unique_ptr<FederationApi> api_;
  std::optional<Warden> warden_;
  Shown shown_;
  double began_ = runner::steady_now(), sampled_ = -1;
  bool has_files_ = true, is_over_ = false, is_ending_ = false;
  int code_ = kDone;
};

}  // namespace

int watch_federation(FlyingFederation& f, const cluster::ShownModes& modes) {
  f.prepared.world.reset();  // the session has its own
  Show show(f, modes);
  if (const core::Status open = show.open(); !open) return fail("federation up: " + open.error().text(), kFailed);
  return show.run();
}

}  // namespace volary::cli
