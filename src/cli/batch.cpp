// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary batch: a scenario with many seeds and parameters, one run per core at a time, into a folder that survives a kill.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/autopilot_options.hpp"
#include "cli/batch_campaign.hpp"
#include "cli/batch_flight.hpp"
#include "cli/batch_plan.hpp"
#include "cli/batch_report.hpp"
#include "cli/batch_store.hpp"
#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "cli/paths.hpp"
#include "cli/signals.hpp"
#include "scenario/load.hpp"

namespace volary::cli {

namespace {

struct BatchCommand {
  std::string scenario = "default", seeds = "1..10", out, compare, csv;
  std::vector<std::string> set;
  double radius = 10;  // m
  int threads = 0;
  bool require_success = false, json = false, quiet = false;
};

// a scenario with every file it is made of, once for each combination: what changes on the disk meanwhile does not matter
struct Prepared {
  BatchPlan plan;
  BatchIdentity identity;
  std::vector<scenario::Bundle> bundles;
};

core::Result<BatchPlan> plan_of(const BatchCommand& o) {
  BatchPlan plan;
  auto seeds = parse_seeds(o.seeds);
  if (!seeds) return seeds.error();
  plan.seeds = std::move(seeds).value();
  for (const std::string& text : o.set) {
    auto axis = parse_axis(text);
    if (!axis) return axis.error();
    for (const Axis& other : plan.axes)
      if (other.path == axis.value().path) return core::Error{.message = "--set: " + other.path + " is given twice"};
    plan.axes.push_back(std::move(axis).value());
  }
  if (plan.n_combinations() > kMostRuns || plan.n_runs() > kMostRuns) return core::Error{.message = "the batch has more than a million runs"};
  return plan;
}

class TextHash {
 public:
  void add(const std::string& text) {
    for (const char c : std::to_string(text.size()) + ":" + text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;  // FNV-1a
};

// loads every combination once, so that a mistake in the last one is found before the first is flown
core::Result<Prepared> prepare(const BatchCommand& o) {
  Prepared p;
  auto plan = plan_of(o);
  if (!plan) return plan.error();
  p.plan = std::move(plan).value();
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return path.error();
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  std::map<std::string, std::string> files;
  for (std::size_t k = 0; k < p.plan.n_combinations(); ++k) {
    std::vector<std::string> sets = p.plan.combination(k);
    sets.push_back("seed=" + std::to_string(p.plan.seeds[0]));
    const core::Result<WorldDef> def = scenario::load_scenario(path.value(), paths, sets, p.bundles.emplace_back());
    if (!def) return def.error();
    if (const core::Status can = refuse_autopilots(p.bundles.back(), def.value()); !can) return can.error();
    files.insert(p.bundles.back().files.begin(), p.bundles.back().files.end());
    if (k == 0) p.identity.scenario = stem_of(path.value());
  }
  p.identity.program = VOLARY_VERSION;
  for (const Axis& axis : p.plan.axes) {
    std::string values;
    for (const std::string& v : axis.values) values += (values.empty() ? "" : ",") + v;
    p.identity.axes.push_back(axis.path + "=" + values);
  }
  TextHash hash;
  hash.add(p.identity.program);
  for (const auto& [name, text] : files) hash.add(name), hash.add(text);
  for (const std::string& axis : p.identity.axes) hash.add(axis);
  hash.add(fmt::format("radius={}", o.radius));
  p.identity.hash = hash.value();
  return p;
}

// all runs of a plan, shared out among threads; who takes which run changes nothing
class Crew {
 public:
  Crew(const Prepared& prepared, BatchStore& store, double radius, bool shows) : p_(prepared), store_(store), radius_(radius), shows_(shows) {
    results_.resize(p_.plan.n_runs());
    for (std::size_t k = 0; k < p_.bundles.size(); ++k) combinations_[p_.plan.combination(k)] = k;
    for (const RunResult& r : store.found()) {
      const auto index = index_of(r);
      if (index && !results_[*index]) results_[*index] = r, ++done_;
    }
    found_ = done_;
  }

  core::Status fly_all(int threads) {
    std::vector<std::thread> crew;
    for (int k = 0; k < threads; ++k) crew.emplace_back([this] { work(); });
    for (std::thread& t : crew) t.join();
    if (shows_) fmt::print(stderr, "\r\033[K");
    return error_ ? core::Status(*error_) : core::ok();
  }
  std::size_t done() const { return done_; }
  std::size_t found() const { return found_; }

  // in the order of the plan: by combination, then by seed
  std::vector<RunResult> results() const {
    std::vector<RunResult> list;
    for (const auto& r : results_)
      if (r) list.push_back(*r);
    return list;
  }

  // these and those of other seeds that the folder has from before
  std::vector<RunResult> all_results() const {
    std::map<std::pair<std::size_t, std::uint64_t>, RunResult> sorted;
    const auto add = [&](const RunResult& r) {
      if (const auto k = combination_of(r)) sorted.emplace(std::pair{*k, r.seed}, r);
    };
    for (const auto& r : results_)
      if (r) add(*r);
    for (const RunResult& r : store_.found()) add(r);
    std::vector<RunResult> list;
    for (auto& [key, r] : sorted) list.push_back(std::move(r));
    return list;
  }

 private:
  std::optional<std::size_t> combination_of(const RunResult& r) const {
    const auto found = combinations_.find(r.sets);
    return found == combinations_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::size_t> index_of(const RunResult& r) const {
    const auto k = combination_of(r);
    const auto seed = std::lower_bound(p_.plan.seeds.begin(), p_.plan.seeds.end(), r.seed);
    if (!k || seed == p_.plan.seeds.end() || *seed != r.seed) return std::nullopt;
    return *k * p_.plan.seeds.size() + static_cast<std::size_t>(seed - p_.plan.seeds.begin());
  }

  void work() {
    for (std::size_t index = next_++; index < results_.size() && goes_on(); index = next_++) {
      if (results_[index]) continue;
      core::Result<RunResult> flown = fly_one(index);
      if (!flown) return stop(flown.error());
      if (!results_[index]) continue;  // interrupted
      if (const core::Status added = store_.add(*results_[index]); !added) return stop(added.error());
      const std::size_t done = ++done_;
      if (shows_) fmt::print(stderr, "\r{} of {} runs\033[K", done, results_.size());
    }
  }

  core::Result<RunResult> fly_one(std::size_t index) {
    const std::size_t k = index / p_.plan.seeds.size();
    const std::uint64_t seed = p_.plan.seeds[index % p_.plan.seeds.size()];
    scenario::Bundle bundle = p_.bundles[k];
    bundle.overrides = p_.plan.combination(k);
    bundle.overrides.push_back("seed=" + std::to_string(seed));
    const core::Result<WorldDef> def = scenario::load_bundle(bundle, scenario::Paths{}.max_vehicles, scenario::run_any);  // read from this disk by prepare()
    if (!def) return def.error();
    bool finished = false;
    core::Result<RunResult> flown = fly_for_batch(def.value(), radius_, [this] { return goes_on(); }, finished);
    if (!flown || !finished) return flown;
    flown.value().sets = p_.plan.combination(k);
    flown.value().seed = seed;
    results_[index] = flown.value();
    return flown;
  }

  bool goes_on() const { return !is_interrupted() && !failed_; }
  void stop(const core::Error& error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = error;
    failed_ = true;
  }

  const Prepared& p_;
  BatchStore& store_;
  double radius_;
  bool shows_;
  std::map<std::vector<std::string>, std::size_t> combinations_;
  std::vector<std::optional<RunResult>> results_;  // by run; each is written by one thread
  std::atomic<std::size_t> next_ = 0, done_ = 0;
  std::size_t found_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::optional<core::Error> error_;
};

core::Result<std::vector<CombinationSummary>> summaries_of(const std::string& folder) {
  BatchIdentity identity;
  auto results = read_batch(folder, identity);
  if (!results) return results.error();
  std::vector<RunResult>& list = results.value();
  std::sort(list.begin(), list.end(), [](const RunResult& a, const RunResult& b) { return std::pair(a.sets, a.seed) < std::pair(b.sets, b.seed); });
  if (list.empty()) return core::Error{.message = "has no finished run", .file = folder};
  return summarise(list);
}

// "7 of 8 runs passed; failed: seed 5"
std::string outcome_of(const std::vector<RunResult>& results) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::string> failed;
  for (const RunResult& r : results)
    if (!r.success) failed.push_back(fmt::format("{}seed {}", r.sets.empty() ? "" : label_of(r.sets) + " ", r.seed));
  std::string text = fmt::format("{} of {} runs passed", results.size() - failed.size(), results.size());
  if (failed.empty() || failed.size() == results.size()) return text;
  const std::size_t named = std::min(failed.size(), kMostNamed);
  text += fmt::format("; failed: {}", fmt::join(failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  return named < failed.size() ? text + fmt::format(" and {} more", failed.size() - named) : text;
}

int report_batch(const BatchCommand& o, const std::vector<RunResult>& results) {
  const std::vector<CombinationSummary> ours = summarise(results);
  const auto passed = static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [](const RunResult& r) { return r.success; }));
  const char* const word = passed == results.size() ? "passed" : passed == 0 ? "failed" : "mixed";
  Report report{"batch", {}, Verdict{word, outcome_of(results)}};
  const std::vector<CampaignRow> campaign = campaign_of(results);
  add_summary_rows(ours, report);
  add_campaign_rows(campaign, report);
  BatchComparison comparison;
  if (!o.compare.empty()) {
    const auto theirs = summaries_of(o.compare);
    if (!theirs) return fail("batch: --compare: " + theirs.error().text());
    comparison = compare_batches(ours, theirs.value());
    add_comparison_rows(comparison, report);
  }
  if (OutputFile csv(o.csv); csv.is_wanted())
    if (const core::Status written = csv.write(results_csv(results)); !written) return fail("batch: --csv: " + written.error().text(), kFailed);
  const int code = o.require_success && passed < results.size() ? kFailed : kDone;
  if (o.json) return print_json(report), code;
  print_verdict(report);
  print_summaries(ours);
  print_campaign(campaign);
  if (!o.compare.empty()) print_batch_comparison(comparison, o.compare);
  return code;
}

int batch(const BatchCommand& o) {
  // what --compare and --csv name is looked at first: hours of flying should not end in a misspelt folder
  if (const core::Status can = OutputFile(o.csv).check(); !can) return fail("batch: --csv: " + can.error().text());
  if (BatchIdentity other; !o.compare.empty())
    if (const auto there = read_batch(o.compare, other); !there) return fail("batch: --compare: " + there.error().text());
  const core::Result<Prepared> prepared = prepare(o);
  if (!prepared) return fail("batch: " + prepared.error().text());
  BatchStore store;
  if (const core::Status opened = store.open(o.out, prepared.value().identity); !opened) return fail("batch: " + opened.error().text());
  catch_signals();
  const std::size_t n = prepared.value().plan.n_runs();
  Crew crew(prepared.value(), store, o.radius, !o.quiet && !o.json && isatty(STDERR_FILENO) != 0);
  if (crew.found() > 0 && !o.quiet) fmt::print(stderr, "{} of {} runs were there already\n", crew.found(), n);
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int threads = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(o.threads > 0 ? o.threads : cores), n));
  if (const core::Status flown = crew.fly_all(threads); !flown) return fail("batch: " + flown.error().text());
  if (crew.done() < n) return fail(fmt::format("batch: interrupted after {} of {} runs; the same command continues the batch", crew.done(), n), kFailed);
  if (const core::Status written = store.rewrite(crew.all_results()); !written) return fail("batch: " + written.error().text());
  return report_batch(o, crew.results());
}

}  // namespace

void add_batch(CLI::App& app, Action& action) {
  auto o = std::make_shared<BatchCommand>();
  CLI::App* c = app.add_subcommand("batch", "Run a scenario with many seeds and parameter values, and report statistics over all runs.");
  c->add_option("SCENARIO", o->scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  c->add_option("--seeds", o->seeds, "seeds of the runs, such as 1..20 or 1,4,7..9")->capture_default_str();
  c->add_option("--set", o->set, "values of a field of the scenario, path=a,b,c; may be repeated: every combination is run")->allow_extra_args(false);
  c->add_option("--out", o->out, "folder of the results; a batch that was interrupted there is continued")->required();
  c->add_option("--compare", o->compare, "folder of another batch to compare the results with; default: no comparison");
  c->add_option("--radius", o->radius, "distance in m within which two vehicles belong to the same group, for the metric FLOCK/largest group")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  c->add_option("--threads", o->threads, "number of runs at the same time; 0: one per core; the number does not change the results")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  c->add_option("--csv", o->csv, "path of a CSV file to write, one line per run; it must not exist; default: none");
  c->add_flag("--require-success", o->require_success, "end with exit code 1 when any run fails its tasks");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_flag("-q,--quiet", o->quiet, "print no progress on stderr");
  c->footer(
      "The report gives 95 % confidence intervals: Student's t for means, Wilson's for probabilities,\n"
      "Welch's and Newcombe's for differences. docs/batch.md defines every metric.\n"
      "Each run is written to disk as soon as it ends. After an interruption the same command runs only the missing runs.\n"
      "The report is the same, byte for byte, as without the interruption. More seeds may be added to a folder later.\n"
      "A folder of another scenario or of other --set values is refused.\n"
      "The exit code is 1 when the batch was interrupted. A run that fails is a result and\n"
      "does not change the exit code, unless --require-success is given.\n\n"
      "Examples:\n"
      "  volary batch default --seeds 1..20 --out /tmp/calm\n"
      "  volary batch default --seeds 1..20 --set environment.gust_sigma=0,1,2 --out /tmp/gusts --csv /tmp/gusts.csv\n"
      "  volary batch default --seeds 1..20 --set environment.wind=[6,0,0] --out /tmp/windy --compare /tmp/calm");
  c->callback([=, &action] { action = [=] { return batch(*o); }; });
}

}  // namespace volary::cli
