// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/report.hpp"

namespace volary::cli {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kFormat = 2;
constexpr const char* kAbout = "batch.json";
constexpr const char* kResults = "results.jsonl";

core::Error wrong(const std::string& file, std::string message, std::string suggestion = "", int line = 0) {
  core::Error error;
  error.message = std::move(message);
  error.file = file;
  error.line = line;
  error.suggestion = std::move(suggestion);
  return error;
}
core::Error system_error(const std::string& file, const char* what) { return wrong(file, fmt::format("{}: {}", what, std::strerror(errno))); }

std::string line_of(const RunResult& r) {
  Json j = {{"verdict", r.verdict}, {"seed", r.seed},     {"set", r.sets},      {"success", r.success},
                  {"tasks", r.tasks},     {"values", r.values}, {"events", r.events}, {"hash", r.hash}};
  for (const FaultOutcome& f : r.faults)
    j["faults"].push_back(Json{{"vehicle", f.vehicle}, {"component", f.component}, {"kind", f.kind}, {"outcome", f.outcome}, {"severity", f.severity},
                               {"time", f.time}, {"noticed", f.noticed}});
  return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool parse_line(const std::string& line, RunResult& r) {
  const Json j = Json::parse(line, nullptr, false);
  if (!j.is_object()) return false;
  try {
    r.seed = j.at("seed").get<std::uint64_t>();
    r.sets = j.at("set").get<std::vector<std::string>>();
    r.success = j.at("success").get<bool>();
    r.values = j.at("values").get<std::map<std::string, double>>();
    r.events = j.at("events").get<std::map<std::string, std::uint64_t>>();
    r.hash = j.at("hash").get<std::string>();
    r.verdict = j.at("verdict").get<std::string>();
    r.tasks = j.at("tasks").get<std::map<std::string, std::string>>();
    if (!j.contains("faults")) return true;
    for (const Json& f : j.at("faults"))
      r.faults.push_back({f.at("vehicle").get<std::string>(), f.at("component").get<std::string>(), f.at("kind").get<std::string>(), f.at("outcome").get<std::string>(),
                          f.at("severity").get<double>(), f.at("time").get<double>(), f.at("noticed").get<double>()});
  } catch (const Json::exception&) {
    return false;
  }
  return true;
}

// whole lines only; `length` is that of the part that is whole
core::Result<std::vector<RunResult>> parse_lines(const std::string& file, const std::string& text, std::size_t& length) {
  std::vector<RunResult> results;
  length = 0;
  for (int line = 1;; ++line) {
    const std::size_t end = text.find('\n', length);
    if (end == std::string::npos) return results;  // nothing more, or a line that was cut off
    RunResult r;
    if (!parse_line(text.substr(length, end - length), r)) return wrong(file, "is not a result of a run", "remove the line: the run is flown again", line);
    results.push_back(std::move(r));
    length = end + 1;
  }
}

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// in one piece or not at all
core::Status replace_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return system_error(beside, "cannot be written");
  const bool good = write_all(file, text) && fsync(file) == 0;
  ::close(file);
  if (!good || ::rename(beside.c_str(), path.c_str()) != 0) return system_error(path, "cannot be written");
  return core::ok();
}

Json about_of(const BatchIdentity& id) {
  return {{"format", kFormat}, {"program", id.program}, {"scenario", id.scenario}, {"identity", hex64(id.hash)}, {"set", id.axes}};
}

core::Status read_about(const std::string& folder, BatchIdentity& id) {
  const std::string path = folder + "/" + kAbout;
  if (!fs::exists(path)) return wrong(folder, "is not a batch: it has no batch.json");
  const Json j = Json::parse(read_all(path), nullptr, false);
  try {
    if (j.at("format").get<int>() != kFormat) return wrong(path, "is of another version of this program");
    id.program = j.at("program").get<std::string>();
    id.scenario = j.at("scenario").get<std::string>();
    id.axes = j.at("set").get<std::vector<std::string>>();
    id.hash = std::stoull(j.at("identity").get<std::string>(), nullptr, 16);
  } catch (const std::exception&) {
    return wrong(path, "is damaged");
  }
  return core::ok();
}

std::string list_of(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& s : list) text += " --set " + s;
  return text;
}

core::Status compare_about(const std::string& folder, const BatchIdentity& wanted) {
  BatchIdentity there;
  if (const core::Status read = read_about(folder, there); !read) return read;
  if (there.hash == wanted.hash) return core::ok();
  std::string why = "the files of the scenario or an option have changed";
  if (there.scenario != wanted.scenario)
    why = "scenario " + there.scenario + ", not " + wanted.scenario;
  else if (there.axes != wanted.axes)
    why = "it was begun with" + (there.axes.empty() ? " no --set" : list_of(there.axes));
  else if (there.program != wanted.program)
    why = "version " + there.program + " of this program, not " + wanted.program;
  return wrong(folder, "holds another batch: " + why, "give --out another folder");
}

}  // namespace

BatchStore::~BatchStore() {
  if (file_ >= 0) ::close(file_);
}

core::Status BatchStore::open(const std::string& folder, const BatchIdentity& identity) {
  folder_ = folder;
  const std::string about = folder + "/" + kAbout, results = folder + "/" + kResults;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return wrong(folder, "cannot be made: " + failed.message());
  if (!fs::exists(about)) {
    for (const auto& entry : fs::directory_iterator(folder, failed))
      if (entry.path().filename() != std::string(kAbout) + ".new") return wrong(folder, "has files in it, but no batch", "give --out a new or an empty folder");
    if (const core::Status written = replace_file(about, about_of(identity).dump(2) + "\n"); !written) return written;
  }
  if (const core::Status same = compare_about(folder, identity); !same) return same;
  file_ = ::open(results.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) return system_error(results, "cannot be opened");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) return wrong(folder, "another volary batch is writing there");
  std::size_t length = 0;
  auto parsed = parse_lines(results, read_all(results), length);
  if (!parsed) return parsed.error();
  found_ = std::move(parsed).value();
  // what was cut off goes, or the next line would be glued to it
  if (::ftruncate(file_, static_cast<off_t>(length)) != 0) return system_error(results, "cannot be repaired");
  return core::ok();
}

core::Status BatchStore::add(const RunResult& result) {
  const std::scoped_lock lock(mutex_);
  if (!write_all(file_, line_of(result)) || fdatasync(file_) != 0) return system_error(folder_ + "/" + kResults, "cannot be written");
  return core::ok();
}

core::Status BatchStore::rewrite(const std::vector<RunResult>& in_order) {
  std::string text;
  for (const RunResult& r : in_order) text += line_of(r);
  const std::string path = folder_ + "/" + kResults;
  return read_all(path) == text ? core::ok() : replace_file(path, text);
}

core::Result<std::vector<RunResult>> read_batch(const std::string& folder, BatchIdentity& identity) {
  if (const core::Status read = read_about(folder, identity); !read) return read.error();
  std::size_t length = 0;
  const std::string path = folder + "/" + kResults;
  return parse_lines(path, read_all(path), length);
}

}  // namespace volary::cli
