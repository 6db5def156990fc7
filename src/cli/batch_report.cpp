// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/batch_plan.hpp"
#include "math/functions.hpp"

namespace volary::cli {

namespace {

std::string unit_of(const std::string& metric) {
  if (metric.starts_with("tracking error/") || metric == "separation/min" || metric == "closest pair" || metric.ends_with("/nearest neighbour")) return "m";
  return metric.ends_with("/energy") || metric.ends_with("/done at") || metric.starts_with("radio/age of information/") ? "s" : "";
}

// metrics of which every run gives yes, no, or a share
bool is_probability(const std::string& metric) { return (metric.starts_with("tasks/") && !metric.ends_with("/done at")) || metric.ends_with("/alive"); }

MetricSummary success_of(const std::vector<const RunResult*>& runs) {
  std::vector<double> values;
  for (const RunResult* r : runs) values.push_back(r->success ? 1 : 0);
  return {"success", "", sample_of(values), true};
}

MetricSummary of_values(const std::string& metric, const std::vector<const RunResult*>& runs) {
  std::vector<double> values;
  for (const RunResult* r : runs)
    if (const auto found = r->values.find(metric); found != r->values.end()) values.push_back(found->second);
  MetricSummary m{metric, unit_of(metric), sample_of(values), is_probability(metric)};
  if (metric.starts_with("tasks/"))
    for (const RunResult* r : runs)
      if (const auto task = r->tasks.find(metric.substr(6)); task != r->tasks.end()) ++m.states[task->second];
  return m;
}

MetricSummary of_events(const std::string& kind, const std::vector<const RunResult*>& runs) {
  std::vector<double> values;
  for (const RunResult* r : runs) {
    const auto found = r->events.find(kind);
    values.push_back(found == r->events.end() ? 0 : static_cast<double>(found->second));
  }
  // what happens at most once in a run says yes or no: has it happened?
  const bool once = std::all_of(values.begin(), values.end(), [](double n) { return n <= 1; });
  return {"events/" + kind, "", sample_of(values), once};
}

const CombinationSummary* find(const std::vector<CombinationSummary>& list, const std::string& label) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const CombinationSummary& s) { return s.label == label; });
  return at == list.end() ? nullptr : &*at;
}

void compare_two(const CombinationSummary& a, const CombinationSummary& b, BatchComparison& out) {
  for (const MetricSummary& m : a.metrics) {
    const auto other = std::find_if(b.metrics.begin(), b.metrics.end(), [&](const MetricSummary& o) { return o.metric == m.metric; });
    if (other == b.metrics.end() || !m.has_interval() || !other->has_interval()) {
      out.notes.push_back(a.label + "/" + m.metric + ": fewer than two runs have it on one side");
      continue;
    }
    const Difference difference =
        m.is_probability && other->is_probability ? rate_difference(m.hits(), m.sample.n, other->hits(), other->sample.n) : mean_difference(m.sample, other->sample);
    out.rows.push_back({a.label, m.metric, m.unit, m.sample.mean, other->sample.mean, difference});
  }
}

std::string number(double x) { return text_of(Value(x)); }
std::string interval_text(const Interval& i) { return fmt::format("{} to {}", number(i.low), number(i.high)); }
std::string with_unit(const std::string& metric, const std::string& unit) { return unit.empty() ? metric : metric + " (" + unit + ")"; }
double deviation_of(const Sample& s) { return math::sqrt(s.variance); }

}  // namespace

std::vector<CombinationSummary> summarise(const std::vector<RunResult>& results) {
  std::vector<std::string> labels;
  std::map<std::string, std::vector<const RunResult*>> runs;
  std::set<std::string> metrics, kinds;
  for (const RunResult& r : results) {
    const std::string label = label_of(r.sets);
    if (runs[label].empty()) labels.push_back(label);
    runs[label].push_back(&r);
    for (const auto& [metric, value] : r.values) metrics.insert(metric);
    for (const auto& [kind, n] : r.events) kinds.insert(kind);
  }
  std::vector<CombinationSummary> list;
  for (const std::string& label : labels) {
    CombinationSummary s{label, runs[label].size(), {success_of(runs[label])}};
    for (const std::string& kind : kinds) s.metrics.push_back(of_events(kind, runs[label]));
    for (const std::string& metric : metrics)
      if (MetricSummary m = of_values(metric, runs[label]); m.sample.n > 0) s.metrics.push_back(std::move(m));
    list.push_back(std::move(s));
  }
  return list;
}

BatchComparison compare_batches(const std::vector<CombinationSummary>& ours, const std::vector<CombinationSummary>& theirs) {
  BatchComparison out;
  if (theirs.size() == 1) {
    for (const CombinationSummary& a : ours) compare_two(a, theirs[0], out);
    return out;
  }
  for (const CombinationSummary& a : ours) {
    const CombinationSummary* b = find(theirs, a.label);
    if (b != nullptr)
      compare_two(a, *b, out);
    else
      out.notes.push_back(a.label + ": is not in the other batch");
  }
  for (const CombinationSummary& b : theirs)
    if (find(ours, b.label) == nullptr) out.notes.push_back(b.label + ": is only in the other batch");
  return out;
}

void add_summary_rows(const std::vector<CombinationSummary>& summaries, Report& report) {
  for (const CombinationSummary& s : summaries) {
    for (const MetricSummary& m : s.metrics) {
      Row& row = report.add(s.label + "/" + m.metric, m.sample.mean, m.unit, {{"n", static_cast<std::int64_t>(m.sample.n)}});
      if (m.is_probability) row.extra.push_back({"hits", m.hits()});
      for (const auto& [state, n] : m.states) row.extra.push_back({state, static_cast<std::int64_t>(n)});
      if (!m.is_probability && m.sample.n > 1) row.extra.push_back({"deviation", deviation_of(m.sample)});
      if (!m.has_interval()) continue;
      const Interval i = m.interval();
      row.extra.insert(row.extra.end(), {{"low", i.low}, {"high", i.high}});
    }
  }
}

void add_comparison_rows(const BatchComparison& comparison, Report& report) {
  for (const ComparedMetric& c : comparison.rows)
    report.add("compare/" + c.label + "/" + c.metric, c.difference.value, c.unit,
               {{"this", c.ours},
                {"other", c.theirs},
                {"low", c.difference.interval.low},
                {"high", c.difference.interval.high},
                {"significant", c.difference.significant}});
  for (const std::string& note : comparison.notes) report.add("compare/note", note);
}

namespace {
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
}  // namespace

std::string results_csv(const std::vector<RunResult>& results) {
  std::set<std::string> metrics, kinds, tasks;
  std::vector<std::string> paths;  // of the fields that vary, as in the first run: all runs have the same
  for (const RunResult& r : results) {
    for (const auto& [metric, value] : r.values) metrics.insert(metric);
    for (const auto& [kind, n] : r.events) kinds.insert(kind);
    for (const auto& [task, state] : r.tasks) tasks.insert(task);
  }
  if (!results.empty())
    for (const std::string& set : results[0].sets) paths.push_back(set.substr(0, set.find('=')));
  std::string text = "verdict";
  for (const std::string& path : paths) text += "," + cell(path);
  text += ",seed,success";
  for (const std::string& task : tasks) text += "," + cell("tasks/" + task + "/state");
  for (const std::string& kind : kinds) text += "," + cell("events/" + kind);
  for (const std::string& metric : metrics) text += "," + cell(with_unit(metric, unit_of(metric)));
  text += ",state hash\n";
  for (const RunResult& r : results) {
    text += cell(r.verdict);
    for (const std::string& set : r.sets) text += "," + cell(set.substr(std::min(set.size(), set.find('=') + 1)));
    text += fmt::format(",{},{}", r.seed, r.success ? 1 : 0);
    for (const std::string& task : tasks) text += "," + (r.tasks.contains(task) ? cell(r.tasks.at(task)) : "");
    for (const std::string& kind : kinds) text += fmt::format(",{}", r.events.contains(kind) ? r.events.at(kind) : 0);
    for (const std::string& metric : metrics) text += r.values.contains(metric) ? fmt::format(",{}", r.values.at(metric)) : ",";
    text += "," + r.hash + "\n";
  }
  return text;
}

void print_summaries(const std::vector<CombinationSummary>& summaries) {
  for (const CombinationSummary& s : summaries) {
    fmt::print("{}\n", painted(stdout, Paint::Heading, fmt::format("{}: {} run(s)", s.label, s.runs)));
    std::vector<std::vector<std::string>> cells;
    for (const MetricSummary& m : s.metrics) {
      const std::string deviation = m.is_probability ? "" : m.sample.n > 1 ? number(deviation_of(m.sample)) : "-";
      cells.push_back({with_unit(m.metric, m.unit), number(m.sample.mean), m.has_interval() ? interval_text(m.interval()) : "-", deviation, std::to_string(m.sample.n)});
    }
    print_table({"", "mean", "95 % interval", "deviation", "n"}, cells);
    fmt::print("\n");
  }
}

void print_batch_comparison(const BatchComparison& comparison, const std::string& other) {
  fmt::print("compared with {}\n", other);
  for (const std::string& note : comparison.notes) fmt::print("  {}\n", note);
  if (comparison.rows.empty()) return;
  std::vector<std::vector<std::string>> cells;
  std::size_t significant = 0;
  const bool one = std::all_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedMetric& c) { return c.label == comparison.rows[0].label; });
  for (const ComparedMetric& c : comparison.rows) {
    significant += c.difference.significant ? 1 : 0;
    const std::string name = with_unit(c.metric, c.unit);
    cells.push_back({one ? name : c.label + "/" + name, number(c.ours), number(c.theirs), number(c.difference.value), interval_text(c.difference.interval),
                     c.difference.significant ? "yes" : "no"});
  }
  print_table({"", "this", "other", "difference", "95 % interval", "significant"}, cells);
  fmt::print("{} of {} differences are significant; by chance alone about {:.1f} would be\n", significant, comparison.rows.size(),
             0.05 * static_cast<double>(comparison.rows.size()));
}

}  // namespace volary::cli
