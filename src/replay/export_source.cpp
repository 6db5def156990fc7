// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/export_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "control/guide.hpp"
#include "math/scalar.hpp"
#include "replay/resimulate.hpp"

namespace volary::replay {

namespace {

using Kind = ExportColumn::Kind;

// as World::time() rounds it: 0.03 s is 0.03
double seconds_of(const Recording& r, double tick) { return tick * static_cast<double>(r.head().tick_ns) * 1e-9; }
double seconds_of(const Recording& r, std::uint64_t tick) { return seconds_of(r, static_cast<double>(tick)); }

// the rows of one column of the world from slot to slot
class ColumnReader {
 public:
  explicit ColumnReader(const View& view) : view_(view), size_(view.dtype == Dtype::Float32 || view.dtype == Dtype::Uint32 ? 4 : 8) {}
  const std::byte* at(std::size_t slot, std::size_t part) const {
    return static_cast<const std::byte*>(view_.pointer) + static_cast<std::ptrdiff_t>(slot / 16) * view_.strides[0] +
           static_cast<std::ptrdiff_t>(slot % 16) * view_.strides[1] + static_cast<std::ptrdiff_t>(part) * view_.strides[2];
  }
  void copy(std::size_t slot, std::size_t parts, std::vector<std::byte>& out) const {
    for (std::size_t k = 0; k < parts; ++k) out.insert(out.end(), at(slot, k), at(slot, k) + size_);
  }
  double sum(std::size_t slot, std::size_t part) const { return view_.at(slot, part) + (view_.shape[2] == 6 ? view_.at(slot, part + 3) : 0.0); }

 private:
  View view_;
  std::size_t size_;
};

template <class T> void put(std::vector<std::byte>& out, const T& x) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&x);
  out.insert(out.end(), bytes, bytes + sizeof x);
}

// living vehicles of one flock by their index in the roster, and where they are in its columns
struct Living {
  std::vector<std::uint32_t> vehicles;
  std::vector<std::size_t> slots;
};

// Watches a flight and gives a writer what it sees.
class FlightFeed final : public FlightWatcher {
 public:
  FlightFeed(const Recording& r, const ExportOptions& o, ExportWriter& writer, Exported& done)
      : r_(r), o_(o), writer_(writer), done_(done), times_(r, o.rate, true) {
    for (std::size_t k = 0; k < r.roster().size(); ++k)
      if (r.roster()[k].id != 0) index_.emplace(r.roster()[k].id, static_cast<std::uint32_t>(k));
  }

  core::Status begin(const World& world) override;
  core::Status after_tick(const World& world) override;
  core::Status give_late_events();  // of ticks whose states were lost

 private:
  core::Status look(const World& world);
  core::Status find_living(const World& world);
  void sample(const World& world);
  void sample_column(const World& world, const FlockTable& table, const Living& living, const ExportColumn& column, std::vector<std::byte>& out) const;
  void sample_errors(const World& world, const std::string& flock, const Living& living, std::vector<std::byte>& out) const;
  void sample_poses(const World& world, const std::string& flock, const Living& living, std::vector<ExportPose>& out) const;
  core::Status give_events(const World& world);
  core::Status give_tasks(const World& world);
  core::Status give_messages(const World& world);
  std::optional<Vec> place_of(const World& world, VehicleId id) const;

  const Recording& r_;
  const ExportOptions& o_;
  ExportWriter& writer_;
  Exported& done_;
  SampleTimes times_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  // in the roster, by id
  std::vector<FlockTable> tables_;
  std::vector<Living> living_;  // by table
  std::uint64_t roster_version_ = ~std::uint64_t{0};
  Moment moment_;
  std::uint64_t next_moment_ = 0;
  std::size_t next_event_ = 0;
  std::vector<std::vector<std::string>> states_;  // of tasks, by world
  bool tasks_ = false, messages_ = false;
};

core::Status FlightFeed::begin(const World& world) {
  const auto plots = r_.plots();
  if (!plots) return plots.error();
  auto chosen = choose_columns(world, plots.value(), o_.columns);
  if (!chosen) return chosen.error();
  tables_ = std::move(chosen).value();
  tasks_ = o_.tasks && !world.tasks().empty();
  messages_ = o_.messages && !world.radio().outcomes.empty();
  const bool events = o_.events && !r_.events().empty();
  if (const core::Status s = writer_.begin({r_, true, &world.def(), tables_, times_.count(), events, tasks_, messages_}); !s) return s;
  return look(world);
}

core::Status FlightFeed::after_tick(const World& world) {
  if (messages_)
    if (const core::Status s = give_messages(world); !s) return s;
  return look(world);
}

core::Status FlightFeed::look(const World& world) {
  if (next_moment_ < times_.count() && static_cast<double>(world.tick()) == times_.tick(next_moment_)) {
    if (const core::Status s = find_living(world); !s) return s;
    sample(world);
    if (const core::Status s = writer_.moment(moment_); !s) return s;
    ++next_moment_;
  }
  if (o_.events)
    if (const core::Status s = give_events(world); !s) return s;
  return tasks_ ? give_tasks(world) : core::ok();
}

core::Status FlightFeed::find_living(const World& world) {
  if (roster_version_ == world.roster_version()) return core::ok();
  roster_version_ = world.roster_version();
  living_.assign(tables_.size(), {});
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    for (const VehicleId id : world.vehicles(tables_[k].flock)) {
      const auto known = index_.find(id.value);
      if (known == index_.end())
        return core::Error{.message = fmt::format("its list of vehicles was damaged: it does not have {} of {:.2f} s", world.name_of(id), world.time()),
                           .file = r_.path(),
                           .suggestion = r_.has_view() ? "--view exports what is left" : ""};
      found.emplace_back(known->second, world.slot_of(id));
    }
    std::sort(found.begin(), found.end());
    for (const auto& [vehicle, slot] : found) living_[k].vehicles.push_back(vehicle), living_[k].slots.push_back(slot);
  }
  return core::ok();
}

void FlightFeed::sample(const World& world) {
  moment_.tick = static_cast<double>(world.tick());
  moment_.time = seconds_of(r_, world.tick());
  moment_.flocks.resize(tables_.size());
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    FlockMoment& m = moment_.flocks[k];
    m.vehicles = living_[k].vehicles;
    m.columns.resize(tables_[k].columns.size());
    for (std::size_t c = 0; c < m.columns.size(); ++c) sample_column(world, tables_[k], living_[k], tables_[k].columns[c], m.columns[c]);
    sample_poses(world, tables_[k].flock, living_[k], m.poses);
    done_.samples += m.vehicles.size();
  }
}

void FlightFeed::sample_column(const World& world, const FlockTable& table, const Living& living, const ExportColumn& column, std::vector<std::byte>& out) const {
  out.clear();
  if (column.kind == Kind::TrackingError) return sample_errors(world, table.flock, living, out);
  if (column.kind == Kind::Plot && !world.find_view(table.flock, column.source)) {  // not plotted yet
    for (std::size_t k = 0; k < living.slots.size(); ++k) put(out, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const View view = world.view(table.flock, column.kind == Kind::Mode ? "status" : column.source);
  const ColumnReader reader(view);
  for (const std::size_t s : living.slots) {
    if (column.kind == Kind::Mode)
      put(out, static_cast<std::uint8_t>(static_cast<std::uint64_t>(view.at(s)) & control::kModeMask));
    else if (column.kind == Kind::Sum)
      for (std::size_t k = 0; k < 3; ++k) put(out, reader.sum(s, k));
    else
      reader.copy(s, column.count(), out);
  }
}

// The reference stands at the start of the tick, the vehicle at its end. These are the operations of World::tracking(), so that the figures are the same.
void FlightFeed::sample_errors(const World& world, const std::string& flock, const Living& living, std::vector<std::byte>& out) const {
  const View status = world.view(flock, "status"), velocity = world.view(flock, "setpoint.velocity"), acceleration = world.view(flock, "setpoint.acceleration");
  const ColumnReader position(world.view(flock, "position")), setpoint(world.view(flock, "setpoint.position"));
  const double h = r_.head().tick_seconds();
  for (const std::size_t s : living.slots) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double e = position.sum(s, k) - setpoint.sum(s, k) - h * (velocity.at(s, k) + 0.5 * h * acceleration.at(s, k));
      sum += e * e;
    }
    const auto mode = static_cast<Mode>(static_cast<std::uint64_t>(status.at(s)) & control::kModeMask);
    put(out, mode == Mode::Mission ? math::sqrt(sum) : std::numeric_limits<double>::quiet_NaN());
  }
}

void FlightFeed::sample_poses(const World& world, const std::string& flock, const Living& living, std::vector<ExportPose>& out) const {
  out.assign(living.slots.size(), {0, 0, 0, 1, 0, 0, 0});
  const ColumnReader position(world.view(flock, "position"));
  const std::optional<View> attitude = world.find_view(flock, "attitude");
  for (std::size_t v = 0; v < out.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k) out[v][k] = position.sum(living.slots[v], k);
    for (std::size_t k = 0; attitude && k < 4; ++k) out[v][3 + k] = attitude->at(living.slots[v], k);
  }
}

// where a vehicle is, or where it was in the last moment if it has left
std::optional<Vec> FlightFeed::place_of(const World& world, VehicleId id) const {
  if (!id) return std::nullopt;
  if (world.is_alive(id)) return world.position_of(id);
  const auto known = index_.find(id.value);
  for (const FlockMoment& m : moment_.flocks)
    for (std::size_t k = 0; known != index_.end() && k < m.vehicles.size(); ++k)
      if (m.vehicles[k] == known->second) return Vec{m.poses[k][0], m.poses[k][1], m.poses[k][2]};
  return std::nullopt;
}

core::Status FlightFeed::give_events(const World& world) {
  for (; next_event_ < r_.events().size() && r_.events()[next_event_].tick <= world.tick(); ++next_event_, ++done_.events) {
    const Event& e = r_.events()[next_event_];
    if (const core::Status s = writer_.event({e, seconds_of(r_, e.tick), place_of(world, e.vehicle)}); !s) return s;
  }
  return core::ok();
}

core::Status FlightFeed::give_late_events() {
  for (; o_.events && next_event_ < r_.events().size(); ++next_event_, ++done_.events)
    if (const core::Status s = writer_.event({r_.events()[next_event_], seconds_of(r_, r_.events()[next_event_].tick), std::nullopt}); !s) return s;
  return core::ok();
}

core::Status FlightFeed::give_tasks(const World& world) {
  states_.resize(static_cast<std::size_t>(world.def().worlds));
  for (std::size_t w = 0; w < states_.size(); ++w) {
    const std::vector<TaskStanding> tasks = world.tasks(static_cast<std::uint32_t>(w));
    states_[w].resize(tasks.size());
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      if (states_[w][k] == tasks[k].state) continue;
      states_[w][k] = tasks[k].state;
      ++done_.tasks;
      if (const core::Status s = writer_.task({seconds_of(r_, world.tick()), static_cast<std::uint32_t>(w), k, tasks[k]}); !s) return s;
    }
  }
  return core::ok();
}

core::Status FlightFeed::give_messages(const World& world) {
  for (const MessageOutcome& h : world.message_outcomes()) {
    ++done_.messages;
    if (const core::Status s = writer_.message({seconds_of(r_, world.tick()), seconds_of(r_, h.tick), h}); !s) return s;
  }
  return core::ok();
}

// ---------------------------------------------------------------- the view layer

void fill(const VehicleAt& v, const std::vector<ExportColumn>& columns, FlockMoment& m) {
  m.vehicles.push_back(v.vehicle);
  const Pose& p = v.pose;
  m.poses.push_back({p.position[0], p.position[1], p.position[2], p.attitude[0], p.attitude[1], p.attitude[2], p.attitude[3]});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<std::byte>& out = m.columns[c];
    if (columns[c].kind == Kind::Mode) put(out, v.mode);
    else if (columns[c].name == "position") put(out, p.position);
    else if (columns[c].name == "velocity") put(out, p.velocity);
    else put(out, p.attitude);
  }
}

core::Status give_view_events(const Recording& r, double until, std::size_t& next, ExportWriter& writer, Exported& done) {
  for (; next < r.events().size() && static_cast<double>(r.events()[next].tick) <= until; ++next, ++done.events) {
    const Event& e = r.events()[next];
    std::optional<Vec> place;
    if (const auto frame = e.vehicle ? r.at_tick(static_cast<double>(e.tick)) : core::Result<Frame>(Frame{}))
      for (const VehicleAt& v : frame.value().vehicles)
        if (r.roster()[v.vehicle].id == e.vehicle.value) place = Vec{v.pose.position[0], v.pose.position[1], v.pose.position[2]};
    if (const core::Status s = writer.event({e, seconds_of(r, e.tick), place}); !s) return s;
  }
  return core::ok();
}

}  // namespace

SampleTimes::SampleTimes(const Recording& r, double rate, bool whole) : first_(static_cast<double>(r.first_tick())), step_(1), whole_(whole) {
  if (rate > 0) step_ = 1 / (rate * r.head().tick_seconds());
  if (whole) step_ = std::max(step_, 1.0);
  const auto last = static_cast<double>(r.last_tick());
  count_ = static_cast<std::uint64_t>(math::floor((last - first_) / step_)) + 1;
  // rounding may take the last one beyond the end, or another one before it
  while (tick(count_) <= last) ++count_;
  while (count_ > 0 && tick(count_ - 1) > last) --count_;
}

double SampleTimes::tick(std::uint64_t k) const {
  const double at = static_cast<double>(k) * step_;
  return first_ + (whole_ ? math::round(at) : at);
}

core::Status feed_flight(const Recording& r, const ExportOptions& o, ExportWriter& writer, Exported& done) {
  FlightFeed feed(r, o, writer, done);
  FlightOptions options;
  options.run.threads = o.threads;
  options.def = o.def;
  options.may_run = o.may_run;
  options.progress = o.progress;
  if (const core::Status s = fly_again(r, options, feed); !s) return s;
  return feed.give_late_events();
}

core::Status feed_view(const Recording& r, const ExportOptions& o, ExportWriter& writer, Exported& done) {
  if (!r.has_view())
    return core::Error{.message = "has no view layer: it was recorded without one, or it was lost", .file = r.path(), .suggestion = "leave out --view: the run is then flown again"};
  const auto tables = choose_view_columns(r, o.columns);
  if (!tables) return tables.error();
  const SampleTimes times(r, o.rate, false);
  if (const core::Status s = writer.begin({r, false, nullptr, tables.value(), times.count(), o.events && !r.events().empty(), false, false}); !s) return s;
  std::size_t next_event = 0;
  for (std::uint64_t k = 0; k < times.count(); ++k) {
    const auto frame = r.at_tick(times.tick(k));
    if (!frame) return frame.error();
    Moment moment{times.tick(k), seconds_of(r, times.tick(k)), std::vector<FlockMoment>(tables.value().size())};
    for (std::size_t f = 0; f < moment.flocks.size(); ++f) moment.flocks[f].columns.resize(tables.value()[f].columns.size());
    for (const VehicleAt& v : frame.value().vehicles) {
      const std::uint32_t flock = r.roster()[v.vehicle].flock;
      if (flock < moment.flocks.size()) fill(v, tables.value()[flock].columns, moment.flocks[flock]);
    }
    done.samples += frame.value().vehicles.size();
    done.missing += frame.value().missing.size();
    if (const core::Status s = writer.moment(moment); !s) return s;
    if (o.events)
      if (const core::Status s = give_view_events(r, times.tick(k), next_event, writer, done); !s) return s;
    if (o.progress) o.progress(static_cast<double>(k + 1) / static_cast<double>(times.count()));
  }
  return o.events ? give_view_events(r, std::numeric_limits<double>::infinity(), next_event, writer, done) : core::ok();
}

}  // namespace volary::replay
