// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// CSV (RFC 4180): a row per moment and vehicle, and tables of events, tasks and messages in files beside it. A cell of the header names
// the column, its unit, its frame and the bound of its error. Numbers are the shortest decimals that a reader of 64-bit numbers takes for the same
// number: a 32-bit value is the same value then, too.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "replay/export_file.hpp"
#include "replay/export_writer.hpp"
#include "replay/modes.hpp"

namespace volary::replay {

namespace {

// a field of a table: quoted when it has to be
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// flight.csv, tasks: flight.tasks.csv
std::string beside(const std::string& path, const std::string& table) {
  std::filesystem::path p(path);
  const std::string ending = p.extension().string();
  return p.replace_extension("." + table + (ending.empty() ? ".csv" : ending)).string();
}

// one file of the export
class Table {
 public:
  core::Status open(const std::string& path, const std::string& header) {
    auto made = NewFile::create(path);
    if (!made) return made.error();
    file_.emplace(std::move(made).value());
    text_.append(header);
    text_.push_back('\n');
    return flush();
  }
  bool is_open() const { return file_.has_value(); }
  fmt::memory_buffer& text() { return text_; }
  // writes the rows so far once they are worth a write
  core::Status end_row() { return text_.size() < kPart ? core::ok() : flush(); }
  core::Status finish(Exported& done) {
    if (!file_) return core::ok();
    if (const core::Status s = flush(); !s) return s;
    ++done.files;
    done.bytes += file_->size();
    return file_->finish();
  }

 private:
  static constexpr std::size_t kPart = 64u << 10;
  core::Status flush() {
    file_->put(text_.data(), text_.size());
    text_.clear();
    return file_->status();
  }
  std::optional<NewFile> file_;
  fmt::memory_buffer text_;
};

class CsvWriter final : public ExportWriter {
 public:
  explicit CsvWriter(std::string path) : path_(std::move(path)) {}

  core::Status begin(const ExportHead& head) override;
  core::Status moment(const Moment& moment) override;
  core::Status event(const PlacedEvent& event) override;
  core::Status task(const TaskChange& change) override;
  core::Status message(const TimedOutcome& outcome) override;
  core::Result<Exported> finish() override;

 private:
  // which number of which column of a flock a cell holds; flocks without it leave the cell empty
  struct Cell {
    std::string header;
    std::vector<std::pair<int, std::size_t>> of_flock;  // column, or -1; part
  };
  void lay_out_cells();
  void put_row(const Moment& m, std::size_t flock, std::size_t row);

  std::string path_;
  const Recording* r_ = nullptr;
  std::vector<FlockTable> flocks_;
  std::vector<Cell> cells_;
  std::vector<std::string> starts_;  // of rows, by vehicle: number, name, flock, world
  std::optional<MessageNames> names_;
  Table vehicles_, events_, tasks_, messages_;
};

// The cells of all flocks, each once: a column of the same name and units is the same column.
void CsvWriter::lay_out_cells() {
  for (std::size_t f = 0; f < flocks_.size(); ++f)
    for (std::size_t c = 0; c < flocks_[f].columns.size(); ++c)
      for (std::size_t part = 0; part < flocks_[f].columns[c].count(); ++part) {
        const ExportColumn& column = flocks_[f].columns[c];
        const std::string units = column.units(), header = column.label(part) + (units.empty() ? "" : " [" + units + "]");
        auto at = std::find_if(cells_.begin(), cells_.end(), [&](const Cell& cell) { return cell.header == header; });
        if (at == cells_.end()) {
          cells_.push_back({header, std::vector<std::pair<int, std::size_t>>(flocks_.size(), {-1, 0})});
          at = cells_.end() - 1;
        }
        at->of_flock[f] = {static_cast<int>(c), part};
      }
}

core::Status CsvWriter::begin(const ExportHead& head) {
  r_ = &head.recording;
  flocks_ = head.flocks;
  lay_out_cells();
  for (const RosterEntry& e : r_->roster()) {
    const std::string flock = e.flock < r_->head().flocks.size() ? r_->head().flocks[e.flock].name : "";
    starts_.push_back(fmt::format("{},{},{},{}", VehicleId{e.id}.number(), csv_text(e.name), csv_text(flock), e.world));
  }
  std::string header = "time [s],tick,vehicle,name,flock,world";
  for (const Cell& cell : cells_) header += "," + csv_text(cell.header);
  if (const core::Status s = vehicles_.open(path_, header); !s) return s;
  if (head.events)
    if (const core::Status s = events_.open(beside(path_, "events"), "time [s],tick,vehicle,name,world,event"); !s) return s;
  if (head.tasks)
    if (const core::Status s = tasks_.open(beside(path_, "tasks"), "time [s],world,task,required,state,detail"); !s) return s;
  if (!head.messages) return core::ok();
  names_.emplace(head.recording);
  return messages_.open(beside(path_, "messages"), "time [s],sent [s],sender,sender_name,receiver,receiver_name,topic,outcome,delivered,sinr [dB]");
}

void CsvWriter::put_row(const Moment& m, std::size_t flock, std::size_t row) {
  fmt::memory_buffer& text = vehicles_.text();
  auto out = std::back_inserter(text);
  const FlockMoment& at = m.flocks[flock];
  fmt::format_to(out, "{},{},{}", m.time, m.tick, starts_[at.vehicles[row]]);
  for (const Cell& cell : cells_) {
    text.push_back(',');
    const auto [c, part] = cell.of_flock[flock];
    if (c < 0) continue;
    const ExportColumn& column = flocks_[flock].columns[static_cast<std::size_t>(c)];
    const std::byte* number = at.columns[static_cast<std::size_t>(c)].data() + row * column.bytes() + part * size_of(column.number);
    with_number(column.number, number, [&](auto x) {
      if constexpr (std::is_same_v<decltype(x), std::uint8_t>)
        fmt::format_to(out, "{}", mode_name(x));
      else if constexpr (std::is_integral_v<decltype(x)>)
        fmt::format_to(out, "{}", x);
      else if (x == x)  // a number that does not exist is an empty cell
        fmt::format_to(out, "{}", static_cast<double>(x));
    });
  }
  text.push_back('\n');
}

core::Status CsvWriter::moment(const Moment& m) {
  for (std::size_t f = 0; f < m.flocks.size(); ++f)
    for (std::size_t row = 0; row < m.flocks[f].vehicles.size(); ++row) {
      put_row(m, f, row);
      if (const core::Status s = vehicles_.end_row(); !s) return s;
    }
  return core::ok();
}

core::Status CsvWriter::event(const PlacedEvent& e) {
  const std::string vehicle = e.event.vehicle ? std::to_string(e.event.vehicle.number()) : "", world = e.event.world == kEveryWorld ? "" : std::to_string(e.event.world);
  fmt::format_to(std::back_inserter(events_.text()), "{},{},{},{},{},{}\n", e.time, e.event.tick, vehicle, csv_text(e.event.name), world, csv_text(e.event.what));
  return events_.end_row();
}

core::Status CsvWriter::task(const TaskChange& c) {
  fmt::format_to(std::back_inserter(tasks_.text()), "{},{},{},{},{},{}\n", c.time, c.world, csv_text(c.task.name), c.task.required ? "yes" : "no", c.task.state,
                 csv_text(c.task.detail));
  return tasks_.end_row();
}

core::Status CsvWriter::message(const TimedOutcome& m) {
  const MessageOutcome& h = m.outcome;
  const auto number = [](VehicleId id) { return id ? std::to_string(id.number()) : std::string(); };
  fmt::format_to(std::back_inserter(messages_.text()), "{},{},{},{},{},{},{},{},{},{}\n", m.time, m.sent, number(h.sender), csv_text(names_->vehicle(h.sender)),
                 number(h.receiver), csv_text(names_->vehicle(h.receiver)), names_->topic(h.topic), h.outcome, h.delivered ? "yes" : "no", h.sinr);
  return messages_.end_row();
}

core::Result<Exported> CsvWriter::finish() {
  Exported done;
  for (Table* t : {&vehicles_, &events_, &tasks_, &messages_})
    if (const core::Status s = t->finish(done); !s) return s.error();
  return done;
}

}  // namespace

std::unique_ptr<ExportWriter> csv_writer(const std::string& path) { return std::make_unique<CsvWriter>(path); }

}  // namespace volary::replay
