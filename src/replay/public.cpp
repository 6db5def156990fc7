// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/public.hpp"

#include <limits>
#include <span>
#include <utility>

#include "core/home.hpp"
#include "replay/export_source.hpp"
#include "replay/export_writer.hpp"
#include "replay/exports.hpp"
#include "replay/recorder.hpp"
#include "replay/recording.hpp"
#include "replay/resimulate.hpp"
#include "runner/runner.hpp"
#include "scenario/scene.hpp"

namespace volary {

namespace {

template <class T, class U> T no_value(const core::Result<U>& result, std::string* error) {
  if (error != nullptr) *error = result.error().text();
  return T{};
}

// keeps events for the program that records
struct EventKeeper final : runner::Sink {
  std::vector<Event> events;
  void event(World&, const Event& event) override { events.push_back(event); }
};

scenario::MayRun may_run(const ReplayOptions& o) { return o.allow_plugins ? scenario::MayRun(scenario::run_any) : scenario::MayRun(); }

}  // namespace

// ---------------------------------------------------------------- writing

struct Recorder::Impl {
  Impl(World& w, std::unique_ptr<replay::Recorder> f) : world(w), file(std::move(f)) {}
  World& world;
  std::unique_ptr<replay::Recorder> file;
  EventKeeper keeper;
  runner::SteadyClock clock;
  runner::Runner runner{clock};
};

Recorder::Recorder() = default;
Recorder::~Recorder() {
  if (impl_ != nullptr) close();
}

core::Result<std::unique_ptr<replay::Recorder>> replay::open_recorder(const std::string& path, World& world, const ScenarioFiles& files, const RecordOptions& o) {
  RecorderOptions options;
  options.program = core::program_version();
  options.extra = scenario::scene_of(world.def()).dump();
  options.view = o.trajectories;
  options.bounds = {o.position_error, o.velocity_error, o.attitude_error};
  options.checkpoint_seconds = o.checkpoint_interval;
  options.max_bytes = o.max_bytes;
  if (const core::Status sound = check_bounds(options.bounds); !sound) return sound.error();
  return Recorder::open(path, world, files.bundle ? *files.bundle : scenario::Bundle{}, std::move(options));
}

std::unique_ptr<Recorder> Recorder::create(const std::string& path, World& world, const ScenarioFiles& files, const RecordOptions& o, std::string* error) {
  auto opened = replay::open_recorder(path, world, files, o);
  if (!opened) return no_value<std::unique_ptr<Recorder>>(opened, error);
  std::unique_ptr<Recorder> recorder(new Recorder);
  recorder->impl_.reset(new Impl(world, std::move(opened).value()));
  Impl& i = *recorder->impl_;
  i.runner.add(*i.file);
  i.runner.add(i.keeper);
  i.runner.begin(world, {.end = std::numeric_limits<std::uint64_t>::max(), .paused = true});
  return recorder;
}

void Recorder::step(std::uint64_t ticks) {
  impl_->runner.step(ticks);
  while (impl_->runner.steps_left() > 0) impl_->runner.turn();
}

std::vector<Event> Recorder::take_events() { return std::exchange(impl_->keeper.events, {}); }
void Recorder::metric(const std::string& name, double value, const std::string& unit) { impl_->file->metric(impl_->world.tick(), name, value, unit); }
void Recorder::judge(const std::string& verdict, const std::string& reason) { impl_->file->judge(verdict, reason); }
bool Recorder::is_recording() const { return impl_->file->recording(); }
std::vector<std::string> Recorder::take_notices() { return impl_->file->take_notices(); }
std::uint64_t Recorder::bytes() const { return impl_->file->stats().bytes; }

bool Recorder::close(std::string* error) {
  const core::Status closed = impl_->file->close();
  if (!closed && error != nullptr) *error = closed.error().text();
  return static_cast<bool>(closed);
}

// ---------------------------------------------------------------- reading

namespace {

RecordingInfo info_of(const replay::Recording& r) {
  const replay::Head& h = r.head();
  RecordingInfo i;
  i.path = r.path(), i.program = h.program;
  i.scenario = h.scenario, i.description = h.description;
  i.seed = h.seed;
  i.tick_ns = h.tick_ns;
  i.first_tick = r.first_tick(), i.last_tick = r.last_tick();
  i.worlds = h.worlds;
  for (const replay::FlockHead& f : h.flocks) i.flocks.push_back(f.name);
  i.closed = r.closed(), i.damaged = r.damaged();
  i.problems = r.problems();
  i.has_trajectories = r.has_view();
  i.position_error = h.bounds.position, i.velocity_error = h.bounds.velocity, i.attitude_error = h.bounds.angle;
  if (const replay::EndNote* end = r.end()) i.verdict = end->verdict, i.reason = end->reason;
  return i;
}

std::vector<RecordedVehicle> vehicles_of(const replay::Recording& r) {
  std::vector<RecordedVehicle> list;
  for (const replay::RosterEntry& e : r.roster()) {
    RecordedVehicle v{{e.id}, e.name, e.flock < r.head().flocks.size() ? r.head().flocks[e.flock].name : "", e.world, e.spawn_tick, {}};
    if (e.removal_tick != replay::kNever) v.removal_tick = e.removal_tick;
    list.push_back(std::move(v));
  }
  return list;
}

// an export that is kept in memory
class TableWriter final : public replay::ExportWriter {
 public:
  core::Status begin(const replay::ExportHead& head) override {
    for (const replay::FlockTable& t : head.flocks) {
      RecordedTable table;
      table.flock = t.flock;
      for (const replay::ExportColumn& c : t.columns) table.columns.push_back({c.name, c.unit, c.frame, c.doc, static_cast<int>(c.count())});
      table.values.resize(t.columns.size());
      tables.push_back(std::move(table));
    }
    flocks_ = head.flocks;
    return core::ok();
  }
  core::Status moment(const replay::Moment& m) override {
    for (std::size_t f = 0; f < tables.size(); ++f) {
      const replay::FlockMoment& now = m.flocks[f];
      tables[f].tick.insert(tables[f].tick.end(), now.vehicles.size(), static_cast<std::uint64_t>(m.tick));
      tables[f].vehicle.insert(tables[f].vehicle.end(), now.vehicles.begin(), now.vehicles.end());
      for (std::size_t c = 0; c < now.columns.size(); ++c) add(flocks_[f].columns[c].number, now.columns[c], tables[f].values[c]);
    }
    return core::ok();
  }
  core::Result<replay::Exported> finish() override { return replay::Exported{}; }

  std::vector<RecordedTable> tables;

 private:
  static void add(replay::Number number, const std::vector<std::byte>& bytes, std::vector<double>& values) {
    for (std::size_t at = 0; at < bytes.size(); at += replay::size_of(number))
      replay::with_number(number, bytes.data() + at, [&](auto x) { values.push_back(static_cast<double>(x)); });
  }
  std::vector<replay::FlockTable> flocks_;
};

replay::ExportOptions to_private(const ExportOptions& o) {
  replay::ExportOptions p;
  p.rate = o.rate;
  p.view = o.trajectories;
  p.columns = o.columns;
  p.events = o.events, p.tasks = o.tasks, p.messages = o.messages;
  p.threads = o.replay.threads;
  p.def = o.replay.def;
  p.may_run = may_run(o.replay);
  return p;
}

replay::ExportKind kind_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::Csv: return replay::ExportKind::Csv;
    case ExportFormat::Npz: return replay::ExportKind::Npz;
    case ExportFormat::Mcap: return replay::ExportKind::Mcap;
    case ExportFormat::Tum: return replay::ExportKind::Tum;
    case ExportFormat::Ulog: return replay::ExportKind::Ulog;
    case ExportFormat::Kml:
    case ExportFormat::Html: break;
  }
  return replay::ExportKind::Kml;
}

}  // namespace

struct Recording::Impl {
  std::unique_ptr<replay::Recording> file;
  RecordingInfo info;
  std::vector<RecordedVehicle> vehicles;
};

Recording::Recording() = default;
Recording::~Recording() = default;

std::unique_ptr<Recording> Recording::open(const std::string& path, std::string* error) {
  auto opened = replay::Recording::open(path);
  if (!opened) return no_value<std::unique_ptr<Recording>>(opened, error);
  std::unique_ptr<Recording> recording(new Recording);
  recording->impl_.reset(new Impl{std::move(opened).value(), {}, {}});
  recording->impl_->info = info_of(*recording->impl_->file);
  recording->impl_->vehicles = vehicles_of(*recording->impl_->file);
  return recording;
}

const RecordingInfo& Recording::info() const { return impl_->info; }
const std::vector<RecordedVehicle>& Recording::vehicles() const { return impl_->vehicles; }
const std::vector<Event>& Recording::events() const { return impl_->file->events(); }
std::optional<std::uint64_t> Recording::hash(std::uint64_t tick) const { return impl_->file->hash(tick); }

std::vector<RecordedMetric> Recording::metrics() const {
  std::vector<RecordedMetric> list;
  for (const replay::Metric& m : impl_->file->metrics()) list.push_back({m.tick, m.name, m.value, m.unit});
  return list;
}

Loaded<std::vector<RecordedPose>> Recording::poses(double time) const {
  const auto frame = impl_->file->at(time);
  if (!frame) return {std::nullopt, frame.error().text()};
  std::vector<RecordedPose> list;
  for (const replay::VehicleAt& v : frame.value().vehicles) {
    RecordedPose p;
    p.vehicle = v.vehicle;
    for (std::size_t k = 0; k < 3; ++k) p.position_W[k] = v.pose.position[k], p.velocity_W[k] = static_cast<double>(v.pose.velocity[k]);
    for (std::size_t k = 0; k < 4; ++k) p.attitude_WB[k] = static_cast<double>(v.pose.attitude[k]);
    if (v.mode != replay::kUnknownMode) p.mode = static_cast<Mode>(v.mode);
    list.push_back(p);
  }
  return {std::move(list), ""};
}

Loaded<WorldDef> Recording::scenario(const ReplayOptions& o) const {
  if (o.def != nullptr) return {*o.def, ""};
  core::Result<WorldDef> def = replay::scenario_of(*impl_->file, may_run(o));
  if (!def) return {std::nullopt, def.error().text()};
  return {std::move(def).value(), ""};
}

std::unique_ptr<World> Recording::world_at(double time, const ReplayOptions& o, std::string* error) const {
  auto made = replay::branch(*impl_->file, time, {{.threads = o.threads}, {}, o.def, may_run(o)});
  if (!made) return no_value<std::unique_ptr<World>>(made, error);
  return std::move(made.value().world);
}

Loaded<RecordingCheck> Recording::verify(const ReplayOptions& o) const {
  replay::VerifyOptions options;
  options.run.threads = o.threads;
  options.def = o.def;
  options.may_run = may_run(o);
  const auto done = replay::verify(*impl_->file, options);
  if (!done) return {std::nullopt, done.error().text()};
  const replay::Verification& v = done.value();
  return {RecordingCheck{v.exact(), v.compared, v.skipped, v.difference, v.notes}, ""};
}

Loaded<std::vector<RecordedTable>> Recording::columns(const std::vector<std::string>& names, double rate, const ReplayOptions& o) const {
  const replay::ExportOptions options = to_private({.replay = o, .rate = rate, .columns = names, .events = false, .tasks = false, .messages = false});
  TableWriter writer;
  replay::Exported counted;
  if (const core::Status fed = replay::feed_flight(*impl_->file, options, writer, counted); !fed) return {std::nullopt, fed.error().text()};
  return {std::move(writer.tables), ""};
}

Loaded<ExportResult> Recording::export_to(ExportFormat format, const std::string& path, const ExportOptions& o) const {
  const auto done = format == ExportFormat::Html ? replay::export_html(*impl_->file, path, core::page_folder() + "/standalone.html")
                                                 : replay::export_recording(*impl_->file, kind_of(format), path, to_private(o));
  if (!done) return {std::nullopt, done.error().text()};
  return {ExportResult{done.value().files, done.value().bytes, done.value().samples}, ""};
}

}  // namespace volary
