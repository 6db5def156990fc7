// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the runs of a batch say together, and what two batches say of each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/batch_statistics.hpp"
#include "cli/batch_store.hpp"
#include "cli/report.hpp"

namespace volary::cli {

struct MetricSummary {
  std::string metric, unit;
  Sample sample;
  bool is_probability = false;  // each run says yes or no, or gives a share: success, tasks, vehicles alive, events that no run had twice
  std::map<std::string, std::uint64_t> states = {};  // of a task: how many runs ended with it open, done or failed

  double hits() const { return sample.mean * static_cast<double>(sample.n); }
  bool has_interval() const { return is_probability || sample.n > 1; }
  Interval interval() const { return is_probability ? wilson_interval(hits(), sample.n) : mean_interval(sample); }
};
struct CombinationSummary {
  std::string label;
  std::uint64_t runs = 0;
  std::vector<MetricSummary> metrics;  // success first, then events, then the others by name
};

// one for each combination, in the order in which they first appear; figures are summed in the order of the results
std::vector<CombinationSummary> summarise(const std::vector<RunResult>& results);

struct ComparedMetric {
  std::string label, metric, unit;
  double ours = 0, theirs = 0;
  Difference difference;
};
struct BatchComparison {
  std::vector<ComparedMetric> rows;
  std::vector<std::string> notes;  // what could not be compared
};
// combinations of the same label; if the other batch has only one, all are compared with that one
BatchComparison compare_batches(const std::vector<CombinationSummary>& ours, const std::vector<CombinationSummary>& theirs);

void add_summary_rows(const std::vector<CombinationSummary>& summaries, Report& report);
void add_comparison_rows(const BatchComparison& comparison, Report& report);
// One line for each run: the verdict, the value of each field that varies, the seed, success, the state of each task, counts of events, metrics with their
// units in the header. An empty cell is a metric that this run does not have.
std::string results_csv(const std::vector<RunResult>& results);
void print_summaries(const std::vector<CombinationSummary>& summaries);
void print_batch_comparison(const BatchComparison& comparison, const std::string& other);

}  // namespace volary::cli
