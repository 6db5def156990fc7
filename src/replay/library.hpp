// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The library of runs: a folder of recordings and a SQLite catalogue beside them (catalogue.sqlite). The files are
// the truth; the catalogue only makes them quick to find, and is made anew from them when it is lost or damaged.
// Tags are the one thing a recording does not hold: they are kept beside it as NAME.tags, so a rebuild keeps them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"

struct sqlite3;

namespace volary::replay {

// what the catalogue knows about a recording
struct RunSummary {
  std::string id;          // name of the file without its ending
  std::string scenario;
  std::uint64_t seed = 0;
  std::string hash;        // of the last state, 16 hex digits; empty when there is none
  std::string started;     // ISO 8601, UTC
  double duration = 0;     // simulated s
  double planned = 0;      // s, of the scenario; 0: open
  std::uint64_t ticks = 0;
  std::uint64_t vehicles = 0;
  std::uint64_t bytes = 0;
  std::string state;       // finished, interrupted, damaged
  std::string verdict;     // passed, failed, incomplete, no tasks; empty: the recording does not say
  std::string reason;      // of the verdict
  std::vector<std::string> overrides;  // path=value: what differs from the scenario's file, without the seed
  std::map<std::string, double> metrics;
  std::vector<std::string> tags;
};

// metrics of two runs, side by side
struct ComparedMetric {
  std::string name;
  double a = 0, b = 0;
  bool in_a = false, in_b = false;
};

// reads the summary of one recording
using Summarise = std::function<core::Result<RunSummary>(const std::string& path)>;

class Library {
 public:
  // opens or makes the folder and its catalogue, and brings the catalogue up to date with the files
  static core::Result<Library> open(const std::string& folder, Summarise summarise);
  ~Library();
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;

  // files that came, changed or went since the last look; returns those that could not be read, with the reason
  core::Result<std::vector<std::string>> refresh();

  // every word must be part of the id, scenario, hash, state, verdict, overrides or a tag; newest first
  core::Result<std::vector<RunSummary>> search(const std::string& words = "", std::size_t limit = 1000) const;
  core::Result<RunSummary> find(const std::string& id) const;  // an id, or a unique beginning of one
  core::Status remove(const std::string& id);                  // the file, its tags and the entry
  core::Status tag(const std::string& id, const std::vector<std::string>& tags);  // these instead of those it has; at most 32

  std::string path_of(const std::string& id) const;
  const std::string& folder() const { return folder_; }
  bool was_rebuilt() const { return rebuilt_; }

 private:
  Library() = default;
  core::Status store(const RunSummary& run, std::int64_t changed);
  std::string folder_;
  Summarise summarise_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> db_{nullptr, nullptr};
  bool rebuilt_ = false;
};

std::vector<ComparedMetric> compare_metrics(const RunSummary& a, const RunSummary& b);

// 20261115-093000123-default-1f3a5c77: when it began, what was flown, and something that no other run has
std::string new_run_id(const std::string& scenario);

}  // namespace volary::replay
