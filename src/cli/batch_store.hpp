// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The folder of a batch (docs/batch.md): batch.json says what is flown, results.jsonl has a line per finished run, on the disk
// before the next is begun. Whatever kills the program, whole lines stay; a line that was cut off is flown again.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::cli {

// what became of a vehicle with a random fault, or without any: component "none"
struct FaultOutcome {
  std::string vehicle, component, kind, outcome;
  double severity = 0;   // of 1
  double time = 0;       // s
  double noticed = -1;   // s from the fault until the vehicle reacted by itself; -1: never
};

// what one run measured
struct RunResult {
  std::vector<std::string> sets;  // the combination, as in the plan
  std::uint64_t seed = 0;
  bool success = false;
  std::map<std::string, double> values;        // by metric; what cannot be measured is absent
  std::map<std::string, std::uint64_t> events;  // by kind; absent is zero
  std::string hash;                            // of the final state
  std::string verdict;                         // passed, failed, no tasks
  std::map<std::string, std::string> tasks;    // by name: open, done or failed at the end, the worst of all worlds
  std::vector<FaultOutcome> faults = {};       // of scenarios with random faults
};

// what a batch is made of: results of another must not be mixed with these
struct BatchIdentity {
  std::string program, scenario;   // version, name
  std::uint64_t hash = 0;          // of every file of the scenario, the parameters and the options that change figures
  std::vector<std::string> axes;   // path=values, for people
};

class BatchStore {
 public:
  BatchStore() = default;
  BatchStore(const BatchStore&) = delete;
  BatchStore& operator=(const BatchStore&) = delete;
  ~BatchStore();

  // makes the folder, or goes on in one that holds the same batch
  core::Status open(const std::string& folder, const BatchIdentity& identity);
  const std::vector<RunResult>& found() const { return found_; }  // from before

  core::Status add(const RunResult& result);  // from any thread; on the disk when it returns
  // when all is there: the same lines in the order given, whoever finished first
  core::Status rewrite(const std::vector<RunResult>& in_order);

 private:
  std::string folder_;
  std::vector<RunResult> found_;
  std::mutex mutex_;
  int file_ = -1;
};

// a finished or unfinished batch, only to look at
core::Result<std::vector<RunResult>> read_batch(const std::string& folder, BatchIdentity& identity);

}  // namespace volary::cli
