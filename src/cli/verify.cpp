// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary verify: the determinism promise on scenarios, and against the hashes committed in tests/hashes.json.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "cli/verify_scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

using Json = nlohmann::json;  // sorted keys: the committed file changes only where a hash does

struct VerifyOptions {
  std::vector<std::string> scenarios;
  bool json = false, update = false, quick = false;
};

std::string hashes_path() { return (std::filesystem::path(home_folder()) / "tests" / "hashes.json").string(); }

// an empty object when there is no file yet
core::Result<Json> read_hashes() {
  std::ifstream in(hashes_path());
  if (!in) return Json::object();
  Json all = Json::parse(in, nullptr, false);
  if (!all.is_object()) return core::Error{.message = "is not a JSON object", .file = hashes_path(), .suggestion = "volary verify --update writes a new one"};
  return all;
}

// adds one claim for each committed hash that can be compared
void compare_committed(const Json& all, const std::string& name, bool is_ours, Verified& v) {
  if (!all.contains(name)) {
    if (is_ours) v.claims.push_back({"committed", false, "no hash in tests/hashes.json: volary verify --update adds it", 0});
    return;
  }
  const Json& mine = all[name];
  auto same = [&](const char* key, std::uint64_t hash, std::uint64_t ticks) {
    const std::string was = mine.value(key, std::string()), is = hex64(hash);
    v.claims.push_back({fmt::format("committed/{}", key), was == is, was == is ? "" : fmt::format("is {}, was {}", is, was), ticks});
  };
  same("ticks200", v.hash, v.ticks);
  if (v.whole_ticks > 0 && mine.value("whole_ticks", std::uint64_t{0}) == v.whole_ticks) same("whole", v.whole_hash, v.whole_ticks);
}

void remember(Json& all, const std::string& name, const Verified& v) {
  Json& mine = all[name];
  if (!mine.is_object()) mine = Json::object();
  mine["ticks200"] = hex64(v.hash);
  if (v.whole_ticks == 0) return;
  mine["whole"] = hex64(v.whole_hash);
  mine["whole_ticks"] = v.whole_ticks;
}

bool holds(const Verified& v) {
  return std::all_of(v.claims.begin(), v.claims.end(), [](const Claim& c) { return c.holds; });
}

void add_claims(const std::string& name, const Verified& v, Report& report) {
  for (const Claim& c : v.claims) {
    Row& row = report.add(name + "/" + c.name, c.holds, "", {{"ticks", static_cast<std::int64_t>(c.ticks)}});
    if (!c.detail.empty()) row.extra.push_back({"detail", c.detail});
  }
  report.add(name + "/hash/ticks200", hex64(v.hash), "", {{"ticks", static_cast<std::int64_t>(v.ticks)}});
  if (v.whole_ticks > 0) report.add(name + "/hash/whole", hex64(v.whole_hash), "", {{"ticks", static_cast<std::int64_t>(v.whole_ticks)}});
  report.add(name + "/seconds", v.seconds, "s");
}

void print_line(const std::string& name, const Verified& v) {
  const auto n_good = std::count_if(v.claims.begin(), v.claims.end(), [](const Claim& c) { return c.holds; });
  std::string whole = v.whole_ticks > 0 ? fmt::format("  whole {} ({} ticks)", hex64(v.whole_hash), v.whole_ticks) : "";
  fmt::print("{} {:<24} {}/{} equal  {} ({} ticks){}  {:.1f} s\n", holds(v) ? "ok    " : "FAILED", name, n_good, v.claims.size(), hex64(v.hash), v.ticks, whole,
             v.seconds);
  for (const Claim& c : v.claims)
    if (!c.holds) fmt::print("         {}: {}\n", c.name, c.detail);
  std::fflush(stdout);
}

void name_skipped(Report& report, bool json) {
  for (const int lanes : this_machine().lanes_absent) {
    report.add(fmt::format("skipped/lanes={}", lanes), true, "", {{"note", "this CPU lacks it"}});
    if (!json) fmt::print("skipped lanes={}: this CPU lacks it\n", lanes);
  }
}

core::Status write_hashes(const Json& all) {
  std::ofstream out(hashes_path());
  out << all.dump(2) << "\n";
  if (!out.flush()) return core::Error{.message = "cannot be written", .file = hashes_path()};
  return core::ok();
}

int verify(const VerifyOptions& o) {
  const std::vector<std::string> ours = all_scenarios(), names = o.scenarios.empty() ? ours : o.scenarios;
  if (names.empty()) return fail("verify: no scenarios in " + home_folder() + "/scenarios");
  core::Result<Json> committed = read_hashes();
  if (!committed) return fail(committed.error().text());
  Report report{"verify", {}};
  name_skipped(report, o.json);
  bool good = true;
  for (const std::string& name : names) {
    const core::Result<std::string> path = find_scenario(name);
    if (!path) return fail(path.error().text());
    const Loaded<WorldDef> def = load_scenario(path.value(), scenario_paths());
    if (!def) return fail(def.error);
    Verified v = verify_scenario(*def.value, o.quick);
    if (!v.error.empty()) return fail(path.value() + ": " + v.error);
    std::error_code unreadable;
    const bool is_ours =
        std::any_of(ours.begin(), ours.end(), [&](const std::string& known) { return std::filesystem::equivalent(known, path.value(), unreadable); });
    const std::string stem = stem_of(path.value());
    if (o.update && is_ours)
      remember(committed.value(), stem, v);
    else
      compare_committed(committed.value(), stem, is_ours, v);
    good = good && holds(v);
    add_claims(stem, v, report);
    if (!o.json) print_line(stem, v);
  }
  if (o.update)
    if (const core::Status written = write_hashes(committed.value()); !written) return fail(written.error().text());
  report.verdict = good ? Verdict{"passed", fmt::format("{} scenario(s), the same bits every time", names.size())} : Verdict{"failed", "verification failed"};
  if (o.json) print_json(report);
  return good ? kDone : fail("verification failed", kFailed);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  auto o = std::make_shared<VerifyOptions>();
  CLI::App* c = app.add_subcommand("verify", "Check that results are equal bit for bit for every number of threads, lane width and kernel build.");
  c->add_option("SCENARIO", o->scenarios, "paths of .yaml files, or names of scenarios in scenarios/; default: all of scenarios/");
  c->add_flag("--quick", o->quick, "leave out the run over the whole duration");
  c->add_flag("--update", o->update, "write the hashes to tests/hashes.json instead of comparing with it");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer(
      "The command makes these checks for every scenario.\n"
      "  - The state hash after each of the first 200 ticks is equal for 1, 2 and 7 threads and every lane width of this CPU.\n"
      "  - Kernels built without optimisation give the same hashes.\n"
      "  - Several ticks in one step give the same hash as single steps.\n"
      "  - A vehicle flies alone as it does among all vehicles.\n"
      "  - The hashes equal those in tests/hashes.json.\n"
      "Large swarms are compared over fewer ticks on slow backends; --json reports how many.\n"
      "The exit code is 1 when a hash differs.\n\n"
      "Examples:\n  volary verify\n  volary verify default --quick\n  volary verify --update     after a change that is meant to change the results");
  c->callback([=, &action] { action = [=] { return verify(*o); }; });
}

}  // namespace volary::cli
