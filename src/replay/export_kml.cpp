// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// KML as OGC 2.2 (07-147r2) has it, without extensions: tracks as lines of at least a second with the time that they span, zones, events and tasks as
// placemarks. Heights are above the ellipsoid, times are those of the scenario's own date. Tracks are written piece by piece, all vehicles of a
// time after each other, so that no track is kept in memory.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "environment/weather.hpp"
#include "math/scalar.hpp"
#include "replay/export_file.hpp"
#include "replay/export_writer.hpp"
#include "replay/kml_shapes.hpp"
#include "replay/resimulate.hpp"
#include "replay/utf.hpp"

namespace volary::replay {

namespace {

constexpr double kMostPieces = 100;  // of a track; a globe draws each as a thing of its own

// UTC of a simulated time, to the millisecond
std::string when(std::int64_t started_ms, double time) {
  const std::int64_t milliseconds = started_ms + static_cast<std::int64_t>(time * 1000 + 0.5);
  const auto second = static_cast<std::time_t>(milliseconds / 1000);
  std::tm utc{};
  gmtime_r(&second, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z", utc, milliseconds % 1000);
}

std::string data(const char* name, const std::string& value) { return fmt::format("<Data name=\"{}\"><value>{}</value></Data>", name, xml_text(value)); }
const char* name_of(RegionRule rule) { return rule == RegionRule::KeepIn ? "keep_in" : rule == RegionRule::KeepOut ? "keep_out" : "mark"; }

constexpr const char* kStyles =
    "<Style id=\"track\"><LineStyle><color>ffff9020</color><width>2</width></LineStyle></Style>\n"
    "<Style id=\"mark\"><LineStyle><color>ffc0c0c0</color></LineStyle><PolyStyle><color>40c0c0c0</color></PolyStyle></Style>\n"
    "<Style id=\"keep_in\"><LineStyle><color>ff40c040</color></LineStyle><PolyStyle><color>3040c040</color></PolyStyle></Style>\n"
    "<Style id=\"keep_out\"><LineStyle><color>ff3030e0</color></LineStyle><PolyStyle><color>503030e0</color></PolyStyle></Style>\n"
    "<Style id=\"task\"><LineStyle><color>ff00c0ff</color></LineStyle><PolyStyle><color>3000c0ff</color></PolyStyle></Style>\n";

class KmlWriter final : public ExportWriter {
 public:
  KmlWriter(std::string path, scenario::MayRun may_run) : path_(std::move(path)), may_run_(std::move(may_run)) {}

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Status event(const PlacedEvent& event) override;
  core::Status task(const TaskChange& change) override;
  core::Result<Exported> finish() override;

 private:
  // what is gathered of one vehicle, until the piece ends
  struct Track {
    std::string points, last;
    std::size_t count = 0;
    double from = 0, to = 0;  // s
    bool continues = false;   // its first point is the last one of the piece before
  };
  struct State {  // of a task, from a time on
    double from = 0;
    std::string state, detail;
  };
  void put(const std::string& text) { file_->put(text.data(), text.size()); }
  std::string span(double from, double to) const { return fmt::format("<TimeSpan><begin>{}</begin><end>{}</end></TimeSpan>", when(started_ms_, from), when(started_ms_, to)); }
  core::Status begin_in(const WorldDef& def, const ExportHead& head);
  void put_zones();
  void put_pieces();
  void put_piece(std::size_t vehicle, Track& track);
  void end_state(std::size_t task, std::uint32_t world, double time);

  std::string path_;
  scenario::MayRun may_run_;
  const Recording* r_ = nullptr;
  std::vector<RegionDef> regions_;
  std::vector<TaskDef> task_defs_;
  EarthFrame frame_{};
  std::int64_t started_ms_ = 0;  // since 1970, UTC
  std::optional<NewFile> file_;
  double piece_ = 1, piece_from_ = 0, now_ = 0, before_ = -1;  // s: length of a piece, its start, this moment and the one before
  std::vector<Track> tracks_;
  std::string events_, task_marks_;
  std::vector<std::vector<State>> tasks_;  // by world and task
};

core::Status KmlWriter::begin(const ExportHead& head) {
  r_ = &head.recording;
  if (head.def != nullptr) return begin_in(*head.def, head);
  const core::Result<WorldDef> def = scenario_of(*r_, may_run_);
  return def ? begin_in(def.value(), head) : core::Status(def.error());
}

core::Status KmlWriter::begin_in(const WorldDef& def, const ExportHead& head) {
  const WeatherDef& w = def.environment.weather;
  if (!w.origin)
    return core::Error{.message = "its world has no place on the Earth, which KML needs",
                       .file = r_->path(),
                       .field = "environment.origin",
                       .suggestion = "environment: {origin: {latitude: 47.3, longitude: 8.5, height: 440}}"};
  frame_ = weather::frame_of(*w.origin);
  started_ms_ = start_of(w);
  auto made = NewFile::create(path_);
  if (!made) return made.error();
  file_.emplace(std::move(made).value());
  piece_ = std::max(1.0, (r_->seconds(r_->last_tick()) - r_->seconds(r_->first_tick())) / kMostPieces);
  piece_from_ = r_->seconds(r_->first_tick());
  tracks_.resize(r_->roster().size());
  regions_ = def.regions;
  task_defs_ = def.tasks;
  tasks_.assign(static_cast<std::size_t>(def.worlds), std::vector<State>(def.tasks.size()));
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n<name>" + xml_text(r_->head().scenario) +
      "</name>\n<description>" + xml_text(describe_source(head) + ". Heights are above the ellipsoid of WGS 84. Places are rounded to 0.01 mm.") + "</description>\n" + kStyles);
  put_zones();
  put("<Folder>\n<name>tracks</name>\n");
  return file_->status();
}

void KmlWriter::put_zones() {
  if (regions_.empty()) return;
  put("<Folder>\n<name>zones</name>\n");
  for (const RegionDef& region : regions_)
    put(fmt::format("<Placemark>\n<name>{}</name>\n<styleUrl>#{}</styleUrl>\n<ExtendedData>{}{}{}</ExtendedData>\n{}\n</Placemark>\n", xml_text(region.name), name_of(region.rule),
                    data("rule", name_of(region.rule)), data("floor [m, ENU]", fmt::format("{}", region.floor)), data("ceiling [m, ENU]", fmt::format("{}", region.ceiling)),
                    kml_zone(frame_, region)));
  put("</Folder>\n");
}

core::Status KmlWriter::moment(const Moment& m) {
  now_ = m.time;
  for (const FlockMoment& flock : m.flocks)
    for (std::size_t k = 0; k < flock.vehicles.size(); ++k) {
      Track& t = tracks_[flock.vehicles[k]];
      if (t.count > 0 && t.to != before_) put_piece(flock.vehicles[k], t);  // it was not there for a while
      const ExportPose& p = flock.poses[k];
      t.last = kml_coordinates(frame_, {p[0], p[1], p[2]});
      if (t.count++ == 0) t.from = m.time;
      t.points += t.last + " ";
      t.to = m.time;
    }
  before_ = m.time;
  if (m.time >= piece_from_ + piece_) put_pieces();
  return file_->status();
}

// all tracks up to now; the next pieces begin where these end
void KmlWriter::put_pieces() {
  for (std::size_t k = 0; k < tracks_.size(); ++k) {
    Track& t = tracks_[k];
    const bool goes_on = t.count > 0 && t.to == now_;
    if (goes_on && t.count == 1) continue;
    const std::string last = t.last;
    put_piece(k, t);
    if (goes_on) t = {last + " ", last, 1, now_, now_, true};
  }
  piece_from_ = now_;
}

void KmlWriter::put_piece(std::size_t vehicle, Track& track) {
  Track t = std::exchange(track, {});
  if (t.count == 0 || (t.count == 1 && t.continues)) return;
  const RosterEntry& e = r_->roster()[vehicle];
  const std::string flock = e.flock < r_->head().flocks.size() ? r_->head().flocks[e.flock].name : "";
  const double step = t.count > 1 ? (t.to - t.from) / static_cast<double>(t.count - 1) : 0;
  if (t.count == 1) t.points += t.last;  // a line has two points at least
  put(fmt::format("<Placemark>\n<name>{}</name>\n{}\n<styleUrl>#track</styleUrl>\n<ExtendedData>{}{}{}{}</ExtendedData>\n", xml_text(e.name), span(t.from, t.to),
                  data("vehicle", std::to_string(VehicleId{e.id}.number())), data("flock", flock), data("world", std::to_string(e.world)),
                  data("time between points [s]", fmt::format("{:.9g}", step))));
  put(fmt::format("<LineString><altitudeMode>absolute</altitudeMode><coordinates>{}</coordinates></LineString>\n</Placemark>\n", t.points));
}

core::Status KmlWriter::event(const PlacedEvent& e) {
  events_ += fmt::format("<Placemark>\n<name>{}</name>\n<description>{}</description>\n<TimeStamp><when>{}</when></TimeStamp>\n<ExtendedData>{}{}</ExtendedData>\n{}\n</Placemark>\n",
                         xml_text(e.event.what.substr(0, e.event.what.find(':'))), xml_text(e.event.what), when(started_ms_, e.time), data("name", e.event.name),
                         data("time [s]", fmt::format("{}", e.time)), e.position ? kml_point(frame_, *e.position) : "");
  return core::ok();
}

void KmlWriter::end_state(std::size_t task, std::uint32_t world, double time) {
  const State& s = tasks_[world][task];
  if (s.state.empty()) return;
  const TaskDef& def = task_defs_[task];
  task_marks_ += fmt::format("<Placemark>\n<name>{}: {}</name>\n<description>{}</description>\n{}\n<styleUrl>#task</styleUrl>\n<ExtendedData>{}{}{}{}</ExtendedData>\n{}\n</Placemark>\n",
                             xml_text(def.name), s.state, xml_text(s.detail), span(s.from, time), data("task", def.name), data("state", s.state),
                             data("required", def.required ? "yes" : "no"), data("world", std::to_string(world)), kml_task_places(frame_, regions_, def));
}

core::Status KmlWriter::task(const TaskChange& c) {
  end_state(c.index, c.world, c.time);
  tasks_[c.world][c.index] = {c.time, c.task.state, c.task.detail};
  return core::ok();
}

core::Result<Exported> KmlWriter::finish() {
  for (std::size_t k = 0; k < tracks_.size(); ++k) put_piece(k, tracks_[k]);
  put("</Folder>\n");
  for (std::size_t w = 0; w < tasks_.size(); ++w)
    for (std::size_t k = 0; k < tasks_[w].size(); ++k) end_state(k, static_cast<std::uint32_t>(w), r_->seconds(r_->last_tick()));
  if (!events_.empty()) put("<Folder>\n<name>events</name>\n" + events_ + "</Folder>\n");
  if (!task_marks_.empty()) put("<Folder>\n<name>tasks</name>\n" + task_marks_ + "</Folder>\n");
  put("</Document>\n</kml>\n");
  Exported done{.files = 1, .bytes = file_->size()};
  if (const core::Status s = file_->finish(); !s) return s.error();
  return done;
}

}  // namespace

std::int64_t start_of(const WeatherDef& w) {
  using namespace std::chrono;
  const double whole = math::floor(w.year);
  const year y{static_cast<int>(whole)};
  // a day that was written as a decimal of the year must not fall short by a rounding
  const auto day = static_cast<int>(math::floor((w.year - whole) * (y.is_leap() ? 366 : 365) + 1e-3));
  const auto midnight = duration_cast<milliseconds>((sys_days{y / January / 1} + days{day}).time_since_epoch());
  const double hours = w.time_of_day - (w.origin ? w.origin->longitude / 15 : 0);
  return midnight.count() + static_cast<std::int64_t>(math::floor(hours * 3.6e6 + 0.5));
}

std::unique_ptr<ExportWriter> kml_writer(const std::string& path, scenario::MayRun may_run) { return std::make_unique<KmlWriter>(path, std::move(may_run)); }

}  // namespace volary::replay
