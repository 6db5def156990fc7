// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// NPZ of NumPy: for each flock and column an array of (moments, vehicles[, numbers]) in the type that the world has, NaN where a vehicle
// is not there, with `alive`; and tables of records: columns with units and bounds, events, tasks, messages. The sizes of the arrays are known from
// the list of vehicles and the number of moments, so that each moment is written to its places at once.
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "replay/export_writer.hpp"
#include "replay/modes.hpp"
#include "replay/npy.hpp"
#include "replay/stored_zip.hpp"

namespace volary::replay {

namespace {

const char* type_of(Number number) {
  switch (number) {
    case Number::F4: return "'<f4'";
    case Number::F8: return "'<f8'";
    case Number::U1: return "'|u1'";
    case Number::U4: return "'<u4'";
    case Number::U8: return "'<u8'";
  }
  return "'<f8'";
}

// what stands for a vehicle that is not there
void fill_absent(const ExportColumn& c, std::size_t vehicles, std::vector<std::byte>& out) {
  out.assign(vehicles * c.bytes(), std::byte{c.kind == ExportColumn::Kind::Mode ? kUnknownMode : std::uint8_t{0}});
  const auto put_nan = [&](auto nan) {
    for (std::size_t k = 0; k < out.size(); k += sizeof nan) std::memcpy(out.data() + k, &nan, sizeof nan);
  };
  if (c.number == Number::F4) put_nan(std::numeric_limits<float>::quiet_NaN());
  if (c.number == Number::F8) put_nan(std::numeric_limits<double>::quiet_NaN());
}

// texts that become numbers, in the order of their coming
class Codes {
 public:
  std::size_t of(const std::string& text) {
    for (std::size_t k = 0; k < list_.size(); ++k)
      if (list_[k] == text) return k;
    list_.push_back(text);
    return list_.size() - 1;
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
};

constexpr const char* kMessageFields =
    "[('time', '<f8'), ('sent', '<f8'), ('sender', '<u8'), ('receiver', '<u8'), ('topic', '<u2'), ('outcome', '<u2'), ('delivered', '|b1'), ('sinr', '<f8')]";
constexpr std::size_t kMessageHeader = 256;

class NpzWriter final : public ExportWriter {
 public:
  explicit NpzWriter(std::string path) : path_(std::move(path)) {}

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Status event(const PlacedEvent& event) override;
  core::Status task(const TaskChange& change) override;
  core::Status message(const TimedOutcome& outcome) override;
  core::Result<Exported> finish() override;

 private:
  struct Flock {
    std::vector<std::uint32_t> vehicles;  // of the roster, all that ever lived
    std::size_t alive = 0;                // entries of the archive
    std::vector<std::size_t> columns;
  };
  std::size_t add_array(const std::string& name, const std::string& descr, const std::vector<std::uint64_t>& shape, std::uint64_t bytes);
  void add_whole(const std::string& name, std::span<const std::byte> bytes) { zip_->put(zip_->add(name + ".npy", bytes.size()), bytes); }
  void add_flock(const FlockTable& table);
  void add_about(const ExportHead& head);

  std::string path_;
  std::optional<StoredZip> zip_;
  std::vector<FlockTable> tables_;
  std::vector<Flock> flocks_;
  std::vector<std::uint32_t> place_;  // of a vehicle of the roster among those of its flock
  std::uint64_t moments_ = 0;
  std::size_t time_ = 0, tick_ = 0;
  std::vector<std::byte> row_;
  const Recording* r_ = nullptr;
  bool has_events_ = false, has_tasks_ = false, has_messages_ = false;
  NpyTable events_{{"time", "tick", "vehicle", "name", "world", "event"}}, tasks_{{"time", "world", "task", "required", "state", "detail"}};
  std::optional<MessageNames> names_;
  std::size_t messages_ = 0;
  std::uint64_t n_messages_ = 0;
  Codes topics_, outcomes_;
};

std::size_t NpzWriter::add_array(const std::string& name, const std::string& descr, const std::vector<std::uint64_t>& shape, std::uint64_t bytes) {
  const std::string header = npy_header(descr, shape);
  const std::size_t entry = zip_->add(name + ".npy", header.size() + bytes);
  zip_->put(entry, std::as_bytes(std::span(header)));
  return entry;
}

void NpzWriter::add_flock(const FlockTable& table) {
  Flock flock;
  std::vector<std::string> names;
  core::ByteWriter ids, worlds;
  for (std::size_t k = 0; k < r_->roster().size(); ++k) {
    const RosterEntry& e = r_->roster()[k];
    if (e.id == 0 || e.flock != table.index) continue;
    place_[k] = static_cast<std::uint32_t>(flock.vehicles.size());
    flock.vehicles.push_back(static_cast<std::uint32_t>(k));
    names.push_back(e.name);
    ids.put(VehicleId{e.id}.number());
    worlds.put(e.world);
  }
  const std::uint64_t n = flock.vehicles.size();
  zip_->put(add_array(table.flock + "/vehicle", "'<u8'", {n}, ids.size()), ids.bytes());
  add_whole(table.flock + "/name", npy_texts(names));
  zip_->put(add_array(table.flock + "/world", "'<u4'", {n}, worlds.size()), worlds.bytes());
  flock.alive = add_array(table.flock + "/alive", "'|b1'", {moments_, n}, moments_ * n);
  for (const ExportColumn& c : table.columns) {
    std::vector<std::uint64_t> shape = {moments_, n};
    if (!c.parts.empty()) shape.push_back(c.count());
    flock.columns.push_back(add_array(table.flock + "/" + c.name, type_of(c.number), shape, moments_ * n * c.bytes()));
  }
  flocks_.push_back(std::move(flock));
}

void NpzWriter::add_about(const ExportHead& head) {
  NpyTable about({"key", "value"}), columns({"flock", "column", "numbers", "unit", "frame", "error", "description"});
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"scenario", r_->head().scenario},
                                                                                  {"seed", std::to_string(r_->head().seed)},
                                                                                  {"program", "volary " + r_->head().program},
                                                                                  {"source", describe_source(head)},
                                                                                  {"frames", "W: world, east north up. B: body, forward left up"}})
    about.add({key, value});
  for (const FlockTable& table : tables_)
    for (const ExportColumn& c : table.columns) {
      std::string numbers;
      for (const std::string& part : c.parts) numbers += (numbers.empty() ? "" : " ") + part;
      columns.add({table.flock, c.name, numbers, c.unit, c.frame, c.bound, c.doc});
    }
  add_whole("about", about.bytes());
  add_whole("columns", columns.bytes());
  std::vector<std::string> modes;
  for (std::uint8_t k = 0; k <= kUnknownMode; ++k) modes.push_back(mode_name(k));
  add_whole("mode_names", npy_texts(modes));
}

core::Status NpzWriter::begin(const ExportHead& head) {
  r_ = &head.recording;
  tables_ = head.flocks;
  moments_ = head.moments;
  has_events_ = head.events, has_tasks_ = head.tasks, has_messages_ = head.messages;
  auto zip = StoredZip::create(path_);
  if (!zip) return zip.error();
  zip_.emplace(std::move(zip).value());
  place_.assign(r_->roster().size(), 0);
  time_ = add_array("time", "'<f8'", {moments_}, 8 * moments_);
  tick_ = add_array("tick", "'<f8'", {moments_}, 8 * moments_);
  for (const FlockTable& table : tables_) add_flock(table);
  add_about(head);
  if (has_messages_) names_.emplace(*r_), messages_ = zip_->add_growing("messages.npy", kMessageHeader);
  return zip_->status();
}

core::Status NpzWriter::moment(const Moment& m) {
  zip_->put(time_, std::as_bytes(std::span(&m.time, 1)));
  zip_->put(tick_, std::as_bytes(std::span(&m.tick, 1)));
  for (std::size_t f = 0; f < m.flocks.size(); ++f) {
    const FlockMoment& at = m.flocks[f];
    row_.assign(flocks_[f].vehicles.size(), std::byte{0});
    for (const std::uint32_t v : at.vehicles) row_[place_[v]] = std::byte{1};
    zip_->put(flocks_[f].alive, row_);
    for (std::size_t c = 0; c < at.columns.size(); ++c) {
      const ExportColumn& column = tables_[f].columns[c];
      const std::size_t bytes = column.bytes();
      fill_absent(column, flocks_[f].vehicles.size(), row_);
      for (std::size_t k = 0; k < at.vehicles.size(); ++k) std::memcpy(row_.data() + place_[at.vehicles[k]] * bytes, at.columns[c].data() + k * bytes, bytes);
      zip_->put(flocks_[f].columns[c], row_);
    }
  }
  return zip_->status();
}

core::Status NpzWriter::event(const PlacedEvent& e) {
  events_.add({e.time, e.event.tick, e.event.vehicle.number(), e.event.name, e.event.world == kEveryWorld ? std::int64_t{-1} : std::int64_t{e.event.world}, e.event.what});
  return core::ok();
}

core::Status NpzWriter::task(const TaskChange& c) {
  tasks_.add({c.time, std::uint64_t{c.world}, c.task.name, c.task.required, c.task.state, c.task.detail});
  return core::ok();
}

core::Status NpzWriter::message(const TimedOutcome& m) {
  core::ByteWriter row;
  row.put(m.time), row.put(m.sent);
  row.put(m.outcome.sender.number()), row.put(m.outcome.receiver.number());
  row.put(static_cast<std::uint16_t>(topics_.of(names_->topic(m.outcome.topic))));
  row.put(static_cast<std::uint16_t>(outcomes_.of(m.outcome.outcome)));
  row.put(static_cast<std::uint8_t>(m.outcome.delivered));
  row.put(m.outcome.sinr);
  zip_->put(messages_, row.bytes());
  ++n_messages_;
  return zip_->status();
}

core::Result<Exported> NpzWriter::finish() {
  if (has_messages_) {
    const std::string header = npy_header(kMessageFields, {n_messages_}, kMessageHeader);
    zip_->end_growing(std::as_bytes(std::span(header)));
    add_whole("message_topics", npy_texts(topics_.list()));
    add_whole("message_outcomes", npy_texts(outcomes_.list()));
  }
  if (has_events_) add_whole("events", events_.bytes());
  if (has_tasks_) add_whole("tasks", tasks_.bytes());
  if (const core::Status s = zip_->finish(); !s) return s.error();
  return Exported{.files = 1, .bytes = zip_->size()};
}

}  // namespace

std::unique_ptr<ExportWriter> npz_writer(const std::string& path) { return std::make_unique<NpzWriter>(path); }

}  // namespace volary::replay
