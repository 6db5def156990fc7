// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MCAP for Foxglove: /tf, /vehicles and /events in the shapes that it draws, /flocks/NAME with the columns of the table, /tasks and /messages.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "replay/export_writer.hpp"
#include "replay/json_pieces.hpp"
#include "replay/mcap_file.hpp"

namespace volary::replay {

namespace {

using Json = nlohmann::ordered_json;

enum Channel : std::uint16_t { kTransforms = 1, kScene, kEvents, kTasks, kMessages, kFirstFlock };

// ---------------------------------------------------------------- schemas

Json number() { return {{"type", "number"}}; }
Json integer() { return {{"type", "integer"}}; }
Json text() { return {{"type", "string"}}; }
Json boolean() { return {{"type", "boolean"}}; }
Json object(std::initializer_list<std::pair<const char*, Json>> fields) {
  Json properties = Json::object();
  for (const auto& [name, schema] : fields) properties[name] = schema;
  return {{"type", "object"}, {"properties", std::move(properties)}};
}
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json stamp() { return object({{"sec", integer()}, {"nsec", integer()}}); }
Json vector3() { return object({{"x", number()}, {"y", number()}, {"z", number()}}); }
Json quaternion() { return object({{"x", number()}, {"y", number()}, {"z", number()}, {"w", number()}}); }
Json pose() { return object({{"position", vector3()}, {"orientation", quaternion()}}); }
Json colour() { return object({{"r", number()}, {"g", number()}, {"b", number()}, {"a", number()}}); }

McapChannel channel(std::uint16_t id, const std::string& topic, const std::string& schema, Json definition, std::vector<std::pair<std::string, std::string>> metadata = {}) {
  definition["title"] = schema;
  return {id, topic, schema, definition.dump(-1, ' ', false, Json::error_handler_t::replace), std::move(metadata)};
}

std::vector<McapChannel> channels_of(const ExportHead& head, const std::vector<JsonPieces>& pieces) {
  const Json transform =
      object({{"timestamp", stamp()}, {"parent_frame_id", text()}, {"child_frame_id", text()}, {"translation", vector3()}, {"rotation", quaternion()}});
  const Json cube = object({{"pose", pose()}, {"size", vector3()}, {"color", colour()}});
  const Json entity = object({{"timestamp", stamp()}, {"frame_id", text()}, {"id", text()}, {"lifetime", stamp()}, {"frame_locked", boolean()},
                              {"metadata", list_of(object({{"key", text()}, {"value", text()}}))}, {"cubes", list_of(cube)}});
  const Json deletion = object({{"timestamp", stamp()}, {"type", integer()}, {"id", text()}});
  const Json log = object({{"timestamp", stamp()}, {"level", integer()}, {"message", text()}, {"name", text()}, {"file", text()}, {"line", integer()}});
  const std::vector<std::pair<std::string, std::string>> source = {{"source", describe_source(head)}};
  std::vector<McapChannel> list = {
      channel(kTransforms, "/tf", "foxglove.FrameTransforms", object({{"transforms", list_of(transform)}}), source),
      channel(kScene, "/vehicles", "foxglove.SceneUpdate", object({{"deletions", list_of(deletion)}, {"entities", list_of(entity)}})),
      channel(kEvents, "/events", "foxglove.Log", log)};
  if (head.tasks)
    list.push_back(channel(kTasks, "/tasks", "volary.Task",
                           object({{"timestamp", stamp()}, {"world", integer()}, {"task", text()}, {"required", boolean()}, {"state", text()}, {"detail", text()}})));
  if (head.messages)
    list.push_back(channel(kMessages, "/messages", "volary.MessageOutcome",
                           object({{"timestamp", stamp()}, {"sent", stamp()}, {"sender", integer()}, {"sender_name", text()}, {"receiver", integer()},
                                   {"receiver_name", text()}, {"topic", text()}, {"outcome", text()}, {"delivered", boolean()}, {"sinr", number()}})));
  for (std::size_t f = 0; f < head.flocks.size(); ++f) {
    Json vehicle = object({{"id", integer()}, {"name", text()}, {"world", integer()}});
    for (const auto& [name, schema] : pieces[f].schema().items()) vehicle["properties"][name] = schema;
    auto metadata = source;
    for (const ExportColumn& c : head.flocks[f].columns)
      if (const std::string units = c.units(); !units.empty()) metadata.emplace_back(c.name, units);
    list.push_back(channel(static_cast<std::uint16_t>(kFirstFlock + f), "/flocks/" + head.flocks[f].flock, "volary.Flock." + head.flocks[f].flock,
                           object({{"timestamp", stamp()}, {"vehicles", list_of(vehicle)}}), metadata));
  }
  return list;
}

// ---------------------------------------------------------------- messages

Json time_of(std::uint64_t ns) { return {{"sec", ns / 1'000'000'000}, {"nsec", ns % 1'000'000'000}}; }
std::string time_text(std::uint64_t ns) { return fmt::format("{{\"sec\":{},\"nsec\":{}}}", ns / 1'000'000'000, ns % 1'000'000'000); }
std::uint64_t ns_of(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9 + 0.5); }
Json vector_of(double x, double y, double z) { return {{"x", x}, {"y", y}, {"z", z}}; }
std::string quoted(const std::string& words) { return Json(words).dump(-1, ' ', false, Json::error_handler_t::replace); }

class McapWriter final : public ExportWriter {
 public:
  explicit McapWriter(std::string path) : path_(std::move(path)) {}

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Status event(const PlacedEvent& event) override;
  core::Status task(const TaskChange& change) override;
  core::Status message(const TimedOutcome& outcome) override;
  core::Result<Exported> finish() override;

 private:
  void send(std::uint16_t channel, std::uint64_t ns, const Json& content) { file_->message(channel, ns, content.dump(-1, ' ', false, Json::error_handler_t::replace)); }
  // names need not be unique, frames must be
  std::string frame_of(std::uint32_t vehicle) const { return fmt::format("{}#{}", r_->roster()[vehicle].name, vehicle); }
  void send_scene(const Moment& moment, std::uint64_t ns);
  void send_transforms(const Moment& moment, std::uint64_t ns);
  Json entity_of(std::uint32_t vehicle, std::uint64_t ns) const;

  std::string path_;
  std::optional<McapFile> file_;
  const Recording* r_ = nullptr;
  std::vector<JsonPieces> pieces_;       // by flock
  std::vector<std::string> frames_;      // JSON texts, by vehicle: its frame,
  std::vector<std::string> starts_;      // and the beginning of its object
  std::vector<std::uint32_t> seen_;
  std::optional<MessageNames> names_;
  fmt::memory_buffer text_;
};

core::Status McapWriter::begin(const ExportHead& head) {
  r_ = &head.recording;
  if (head.flocks.size() > 0xffffu - kFirstFlock) return core::Error{.message = "too many flocks for a file of channels with 16-bit numbers", .file = path_};
  for (const FlockTable& f : head.flocks) pieces_.emplace_back(f.columns);
  for (std::uint32_t k = 0; k < r_->roster().size(); ++k) {
    const RosterEntry& e = r_->roster()[k];
    frames_.push_back(quoted(frame_of(k)));
    starts_.push_back(fmt::format("{{\"id\":{},\"name\":{},\"world\":{},", VehicleId{e.id}.number(), quoted(e.name), e.world));
  }
  if (head.messages) names_.emplace(*r_);
  auto made = McapFile::create(path_);
  if (!made) return made.error();
  file_.emplace(std::move(made).value());
  file_->begin("volary " + r_->head().program, channels_of(head, pieces_));
  return file_->status();
}

Json McapWriter::entity_of(std::uint32_t vehicle, std::uint64_t ns) const {
  static constexpr std::array<std::array<double, 3>, 6> kColours = {
      {{0.13, 0.47, 0.71}, {1, 0.5, 0.05}, {0.17, 0.63, 0.17}, {0.84, 0.15, 0.16}, {0.58, 0.4, 0.74}, {0.55, 0.34, 0.29}}};
  const RosterEntry& e = r_->roster()[vehicle];
  const auto& c = kColours[e.flock % kColours.size()];
  Json cube = {{"pose", {{"position", vector_of(0, 0, 0)}, {"orientation", {{"x", 0}, {"y", 0}, {"z", 0}, {"w", 1}}}}},
               {"size", vector_of(0.2, 0.2, 0.06)},
               {"color", {{"r", c[0]}, {"g", c[1]}, {"b", c[2]}, {"a", 1}}}};
  const std::string flock = e.flock < r_->head().flocks.size() ? r_->head().flocks[e.flock].name : "";
  return {{"timestamp", time_of(ns)}, {"frame_id", frame_of(vehicle)}, {"id", frame_of(vehicle)}, {"lifetime", time_of(0)}, {"frame_locked", true},
          {"metadata", Json::array({{{"key", "flock"}, {"value", flock}}})}, {"cubes", Json::array({std::move(cube)})}};
}

// a body for each newcomer, which its frame carries along, and an end for each that left
void McapWriter::send_scene(const Moment& m, std::uint64_t ns) {
  std::vector<std::uint32_t> now, came, left;
  for (const FlockMoment& f : m.flocks) now.insert(now.end(), f.vehicles.begin(), f.vehicles.end());
  std::sort(now.begin(), now.end());
  std::set_difference(now.begin(), now.end(), seen_.begin(), seen_.end(), std::back_inserter(came));
  std::set_difference(seen_.begin(), seen_.end(), now.begin(), now.end(), std::back_inserter(left));
  seen_ = std::move(now);
  if (came.empty() && left.empty()) return;
  Json entities = Json::array(), deletions = Json::array();
  for (const std::uint32_t k : came) entities.push_back(entity_of(k, ns));
  for (const std::uint32_t k : left) deletions.push_back({{"timestamp", time_of(ns)}, {"type", 0}, {"id", frame_of(k)}});
  send(kScene, ns, {{"deletions", std::move(deletions)}, {"entities", std::move(entities)}});
}

void McapWriter::send_transforms(const Moment& m, std::uint64_t ns) {
  text_.clear();
  auto out = std::back_inserter(text_);
  const std::string stamp_text = time_text(ns);
  const char* before = "{\"transforms\":[";
  for (const FlockMoment& f : m.flocks)
    for (std::size_t k = 0; k < f.vehicles.size(); ++k) {
      const ExportPose& p = f.poses[k];
      fmt::format_to(out,
                     "{}{{\"timestamp\":{},\"parent_frame_id\":\"world\",\"child_frame_id\":{},\"translation\":{{\"x\":{},\"y\":{},\"z\":{}}},"
                     "\"rotation\":{{\"x\":{},\"y\":{},\"z\":{},\"w\":{}}}}}",
                     std::exchange(before, ","), stamp_text, frames_[f.vehicles[k]], p[0], p[1], p[2], p[4], p[5], p[6], p[3]);
    }
  if (*before == '{') text_.append(std::string_view(before));
  text_.append(std::string_view("]}"));
  file_->message(kTransforms, ns, {text_.data(), text_.size()});
}

core::Status McapWriter::moment(const Moment& m) {
  const std::uint64_t ns = ns_of(m.time);
  send_scene(m, ns);
  send_transforms(m, ns);
  for (std::size_t f = 0; f < m.flocks.size(); ++f) {
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{{\"timestamp\":{},\"vehicles\":[", time_text(ns));
    for (std::size_t k = 0; k < m.flocks[f].vehicles.size(); ++k) {
      if (k > 0) text_.push_back(',');
      text_.append(starts_[m.flocks[f].vehicles[k]]);
      pieces_[f].put(m.flocks[f], k, text_);
      text_.push_back('}');
    }
    text_.append(std::string_view("]}"));
    file_->message(static_cast<std::uint16_t>(kFirstFlock + f), ns, {text_.data(), text_.size()});
  }
  return file_->status();
}

core::Status McapWriter::event(const PlacedEvent& e) {
  const std::uint64_t ns = ns_of(e.time);
  const bool bad = e.event.what.starts_with("diverged") || e.event.what.starts_with("refused");
  send(kEvents, ns, {{"timestamp", time_of(ns)}, {"level", bad ? 3 : 2}, {"message", e.event.what}, {"name", e.event.name}, {"file", ""}, {"line", 0}});
  return file_->status();
}

core::Status McapWriter::task(const TaskChange& c) {
  const std::uint64_t ns = ns_of(c.time);
  send(kTasks, ns, {{"timestamp", time_of(ns)}, {"world", c.world}, {"task", c.task.name}, {"required", c.task.required}, {"state", c.task.state}, {"detail", c.task.detail}});
  return file_->status();
}

// millions of them: the text is written at once
core::Status McapWriter::message(const TimedOutcome& m) {
  const MessageOutcome& h = m.outcome;
  const std::uint64_t ns = ns_of(m.time);
  text_.clear();
  fmt::format_to(std::back_inserter(text_),
                 "{{\"timestamp\":{},\"sent\":{},\"sender\":{},\"sender_name\":{},\"receiver\":{},\"receiver_name\":{},\"topic\":\"{}\",\"outcome\":\"{}\","
                 "\"delivered\":{},\"sinr\":{}}}",
                 time_text(ns), time_text(ns_of(m.sent)), h.sender.number(), quoted(names_->vehicle(h.sender)), h.receiver.number(), quoted(names_->vehicle(h.receiver)),
                 names_->topic(h.topic), h.outcome, h.delivered, h.sinr - h.sinr == 0 ? h.sinr : 0.0);
  file_->message(kMessages, ns, {text_.data(), text_.size()});
  return file_->status();
}

core::Result<Exported> McapWriter::finish() {
  if (const core::Status s = file_->finish(); !s) return s.error();
  return Exported{.files = 1, .bytes = file_->size()};
}

}  // namespace

std::unique_ptr<ExportWriter> mcap_writer(const std::string& path) { return std::make_unique<McapWriter>(path); }

}  // namespace volary::replay
