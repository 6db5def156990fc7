// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/library.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "core/suggest.hpp"

namespace volary::replay {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".vrec";
constexpr int kSchemaVersion = 2;
constexpr std::size_t kMostTags = 32;
constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, scenario TEXT NOT NULL, seed TEXT NOT NULL, hash TEXT NOT NULL, started TEXT NOT NULL,"
    " duration REAL NOT NULL, ticks INTEGER NOT NULL, vehicles INTEGER NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL, metrics TEXT NOT NULL,"
    " tags TEXT NOT NULL, planned REAL NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, overrides TEXT NOT NULL, changed INTEGER NOT NULL);"
    "CREATE INDEX IF NOT EXISTS runs_by_start ON runs (started DESC)";
constexpr const char* kColumns = "id, scenario, seed, hash, started, duration, ticks, vehicles, bytes, state, metrics, tags, planned, verdict, reason, overrides";

// a prepared statement with its parameters bound in order
class Query {
 public:
  Query(sqlite3* db, const std::string& sql) { ok_ = sqlite3_prepare_v2(db, sql.c_str(), -1, &statement_, nullptr) == SQLITE_OK; }
  ~Query() { sqlite3_finalize(statement_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Query& bind(const std::string& text) { return sqlite3_bind_text(statement_, ++bound_, text.c_str(), -1, SQLITE_TRANSIENT), *this; }
  Query& bind(std::int64_t n) { return sqlite3_bind_int64(statement_, ++bound_, n), *this; }
  Query& bind(double x) { return sqlite3_bind_double(statement_, ++bound_, x), *this; }
  bool row() { return ok_ && (last_ = sqlite3_step(statement_)) == SQLITE_ROW; }
  bool run() { return ok_ && !row() && last_ == SQLITE_DONE; }
  bool failed() const { return !ok_ || (last_ != SQLITE_DONE && last_ != SQLITE_ROW && last_ != SQLITE_OK); }

  std::string text(int column) const {
    const unsigned char* t = sqlite3_column_text(statement_, column);
    return t == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(t), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  bool ok_ = false;
  int bound_ = 0, last_ = SQLITE_OK;
};

core::Error database_error(sqlite3* db, const std::string& folder) {
  return {.message = fmt::format("the catalogue failed: {}", db != nullptr ? sqlite3_errmsg(db) : "out of memory"),
          .file = folder + "/catalogue.sqlite",
          .suggestion = "delete that file: it is rebuilt from the recordings"};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

RunSummary summary_of(const Query& q) {
  RunSummary r;
  r.id = q.text(0);
  r.scenario = q.text(1);
  r.seed = std::strtoull(q.text(2).c_str(), nullptr, 10);  // SQLite's integers have a sign, seeds do not
  r.hash = q.text(3);
  r.started = q.text(4);
  r.duration = q.real(5);
  r.ticks = static_cast<std::uint64_t>(q.integer(6));
  r.vehicles = static_cast<std::uint64_t>(q.integer(7));
  r.bytes = static_cast<std::uint64_t>(q.integer(8));
  r.state = q.text(9);
  const auto metrics = nlohmann::json::parse(q.text(10), nullptr, false);
  if (metrics.is_object())
    for (const auto& [name, value] : metrics.items())
      if (value.is_number()) r.metrics[name] = value.get<double>();
  r.tags = words_of(q.text(11));
  r.planned = q.real(12);
  r.verdict = q.text(13);
  r.reason = q.text(14);
  const auto overrides = nlohmann::json::parse(q.text(15), nullptr, false);
  if (overrides.is_array())
    for (const auto& o : overrides)
      if (o.is_string()) r.overrides.push_back(o.get<std::string>());
  return r;
}

std::string tags_beside(const std::string& recording) { return fs::path(recording).replace_extension(".tags").string(); }

std::vector<std::string> read_tags(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return words_of(text.str().substr(0, 4096));
}

// the old tags or the new ones, whatever happens; no tags, no file
core::Status write_tags(const std::string& path, const std::vector<std::string>& tags) {
  std::error_code code;
  if (tags.empty()) {
    fs::remove(path, code);
  } else {
    const std::string part = path + ".part";
    std::ofstream out(part, std::ios::trunc);
    out << joined(tags) << '\n';
    out.close();
    if (!out) return core::Error{.message = "the tags cannot be written", .file = part};
    fs::rename(part, path, code);
    if (std::error_code ignored; code) fs::remove(part, ignored);
  }
  if (code) return core::Error{.message = "the tags cannot be written: " + code.message(), .file = path};
  return core::ok();
}

// size and time of the file and of its tags: when they are the same, nothing has to be read again
std::int64_t change_mark(const std::string& path) {
  std::uint64_t mark = 0;
  for (const std::string& p : {path, tags_beside(path)}) {
    struct stat s = {};
    if (stat(p.c_str(), &s) != 0) continue;
    mark = mark * 1000003 + static_cast<std::uint64_t>(s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec + s.st_size);
  }
  return static_cast<std::int64_t>(mark);
}

// an id names a file: nothing in it may lead out of the folder
bool is_plain(const std::string& id) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !id.empty() && id.size() <= 128 && std::all_of(id.begin(), id.end(), fits);
}

bool is_sound(sqlite3* db) {
  Query version(db, "PRAGMA user_version");
  if (!version.row()) return false;
  const std::int64_t v = version.integer(0);
  if (v != 0 && v != kSchemaVersion) return false;
  Query check(db, "PRAGMA quick_check(1)");
  if (!check.row() || check.text(0) != "ok") return false;
  if (sqlite3_exec(db, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) return false;
  if (!Query(db, fmt::format("PRAGMA user_version = {}", kSchemaVersion)).run()) return false;
  Query columns(db, std::string("SELECT ") + kColumns + ", changed FROM runs LIMIT 1");
  return columns.row() || !columns.failed();
}

}  // namespace

Library::~Library() = default;
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;

core::Result<Library> Library::open(const std::string& folder, Summarise summarise) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!fs::is_directory(folder)) return core::Error{.message = "the folder of runs cannot be made", .file = folder, .suggestion = "choose another with --runs"};
  Library library;
  library.folder_ = folder;
  library.summarise_ = std::move(summarise);
  const std::string path = folder + "/catalogue.sqlite";
  library.rebuilt_ = !fs::exists(path);
  for (int attempt = 0; attempt < 2; ++attempt) {
    sqlite3* db = nullptr;
    const int opened = sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
    library.db_ = {db, sqlite3_close};
    if (opened == SQLITE_OK) {
      sqlite3_busy_timeout(db, 5000);
      if (is_sound(db)) {
        const auto unread = library.refresh();
        if (!unread) return unread.error();
        return library;
      }
    }
    if (attempt == 1) break;
    // damaged, or of another version: the recordings know it all
    library.db_.reset();
    fs::remove(path, code);
    fs::remove(path + "-journal", code);
    library.rebuilt_ = true;
  }
  return database_error(library.db_.get(), folder);
}

core::Status Library::store(const RunSummary& run, std::int64_t changed) {
  nlohmann::json metrics = nlohmann::json::object();
  for (const auto& [name, value] : run.metrics) metrics[name] = value;
  Query q(db_.get(), fmt::format("INSERT OR REPLACE INTO runs ({}, changed) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", kColumns));
  q.bind(run.id).bind(run.scenario).bind(std::to_string(run.seed)).bind(run.hash).bind(run.started).bind(run.duration);
  q.bind(static_cast<std::int64_t>(run.ticks)).bind(static_cast<std::int64_t>(run.vehicles)).bind(static_cast<std::int64_t>(run.bytes));
  q.bind(run.state).bind(metrics.dump()).bind(joined(run.tags));
  q.bind(run.planned).bind(run.verdict).bind(run.reason).bind(nlohmann::json(run.overrides).dump()).bind(changed);
  if (!q.run()) return database_error(db_.get(), folder_);
  return core::ok();
}

core::Result<std::vector<std::string>> Library::refresh() {
  std::map<std::string, std::int64_t> known;
  for (Query q(db_.get(), "SELECT id, changed FROM runs"); q.row();) known[q.text(0)] = q.integer(1);
  std::vector<std::string> unread;
  std::set<std::string> there;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, code)) {
    if (entry.path().extension() != kEnding || !is_plain(entry.path().stem().string())) continue;
    const std::string id = entry.path().stem().string(), path = entry.path().string();
    const std::int64_t mark = change_mark(path);
    there.insert(id);
    if (const auto found = known.find(id); found != known.end() && found->second == mark) continue;
    core::Result<RunSummary> run = summarise_(path);
    if (!run) {
      unread.push_back(run.error().text());
      there.erase(id);
      continue;
    }
    run.value().id = id;
    run.value().tags = read_tags(tags_beside(path));
    if (const core::Status s = store(run.value(), mark); !s) return s.error();
  }
  for (const auto& [id, mark] : known)
    if (!there.contains(id)) Query(db_.get(), "DELETE FROM runs WHERE id = ?").bind(id).run();
  return unread;
}

core::Result<std::vector<RunSummary>> Library::search(const std::string& words, std::size_t limit) const {
  std::string where;
  const std::vector<std::string> parts = words_of(words);
  for (std::size_t k = 0; k < parts.size(); ++k)
    where += (k == 0 ? " WHERE " : " AND ") + std::string("instr(lower(id || ' ' || scenario || ' ' || hash || ' ' || state || ' ' || verdict || ' ' || overrides || ' ' || tags), lower(?)) > 0");
  Query q(db_.get(), fmt::format("SELECT {} FROM runs{} ORDER BY started DESC, id DESC LIMIT {}", kColumns, where, limit));
  for (const std::string& part : parts) q.bind(part);
  std::vector<RunSummary> runs;
  while (q.row()) runs.push_back(summary_of(q));
  if (q.failed()) return database_error(db_.get(), folder_);
  return runs;
}

core::Result<RunSummary> Library::find(const std::string& id) const {
  if (!is_plain(id)) return core::Error{.message = "'" + id + "' is not the id of a run", .suggestion = "`volary runs` lists them"};
  Query exact(db_.get(), fmt::format("SELECT {} FROM runs WHERE id = ?", kColumns));
  if (exact.bind(id).row()) return summary_of(exact);
  Query q(db_.get(), fmt::format("SELECT {} FROM runs WHERE substr(id, 1, ?) = ? LIMIT 2", kColumns));
  q.bind(static_cast<std::int64_t>(id.size())).bind(id);
  std::vector<RunSummary> found;
  while (q.row()) found.push_back(summary_of(q));
  if (found.size() == 1) return found[0];
  if (found.size() > 1) return core::Error{.message = "'" + id + "' is the beginning of several runs", .suggestion = "write more of the id"};
  std::vector<std::string> ids;
  for (Query all(db_.get(), "SELECT id FROM runs ORDER BY started DESC, id DESC LIMIT 1000"); all.row();) ids.push_back(all.text(0));
  const std::string near = core::nearest(id, ids);
  return core::Error{.message = "no run is called '" + id + "'", .suggestion = near.empty() ? "`volary runs` lists them" : "did you mean " + near + "?"};
}

core::Status Library::remove(const std::string& id) {
  const core::Result<RunSummary> run = find(id);
  if (!run) return run.error();
  const std::string path = path_of(run.value().id);
  std::error_code code;
  fs::remove(path, code);
  if (code) return core::Error{.message = "cannot be deleted: " + code.message(), .file = path};
  fs::remove(tags_beside(path), code);
  if (!Query(db_.get(), "DELETE FROM runs WHERE id = ?").bind(run.value().id).run()) return database_error(db_.get(), folder_);
  return core::ok();
}

core::Status Library::tag(const std::string& id, const std::vector<std::string>& tags) {
  core::Result<RunSummary> run = find(id);
  if (!run) return run.error();
  std::vector<std::string> kept;  // each once
  for (const std::string& t : tags) {
    if (!is_plain(t) || t.size() > 32)
      return core::Error{.message = "'" + t.substr(0, 40) + "' cannot be a tag", .suggestion = "up to 32 letters, digits, - and _"};
    if (std::find(kept.begin(), kept.end(), t) == kept.end()) kept.push_back(t);
  }
  if (kept.size() > kMostTags) return core::Error{.message = fmt::format("a run has at most {} tags", kMostTags)};
  const std::string path = path_of(run.value().id), beside = tags_beside(path);
  if (const core::Status s = write_tags(beside, kept); !s) return s;
  run.value().tags = kept;
  return store(run.value(), change_mark(path));
}

std::string Library::path_of(const std::string& id) const { return folder_ + "/" + id + kEnding; }

std::vector<ComparedMetric> compare_metrics(const RunSummary& a, const RunSummary& b) {
  std::map<std::string, ComparedMetric> all;
  for (const auto& [name, value] : a.metrics) all[name] = {name, value, 0, true, false};
  for (const auto& [name, value] : b.metrics) {
    ComparedMetric& m = all[name];
    m.name = name;
    m.b = value;
    m.in_b = true;
  }
  std::vector<ComparedMetric> list;
  for (auto& [name, metric] : all) list.push_back(std::move(metric));
  return list;
}

std::string new_run_id(const std::string& scenario) {
  // to the millisecond: ids of one library sort by age
  const auto clock = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::time_t now = std::chrono::system_clock::to_time_t(clock);
  const auto milliseconds = clock.time_since_epoch().count() % 1000;
  std::tm utc = {};
  gmtime_r(&now, &utc);
  std::string name;
  for (const char c : scenario.substr(0, 40)) name += is_plain(std::string(1, c)) ? c : '_';
  std::random_device device;
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}{:03}-{}-{:08x}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     milliseconds, name, device());
}

}  // namespace volary::replay
