// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary runs: the library of recorded runs.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/record_options.hpp"
#include "cli/report.hpp"
#include "replay/library.hpp"
#include "replay/summary.hpp"

namespace volary::cli {

namespace {

struct RunsCommand {
  std::vector<std::string> words, tags, compare;
  std::string folder = runs_folder(), remove, tagged, untagged;
  bool json = false;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

// "240.0 s", or "24.0 of 240.0 s" where it ended early
std::string length_of(const replay::RunSummary& r) {
  const bool early = r.planned > 0 && r.duration < r.planned - 1e-6;
  return early ? fmt::format("{:.1f} of {:.1f} s", r.duration, r.planned) : fmt::format("{:.1f} s", r.duration);
}
// how it ended, where that is worth a word, or else what became of it
const std::string& outcome_of(const replay::RunSummary& r) { return r.state != "finished" || r.verdict.empty() ? r.state : r.verdict; }

int list_runs(const replay::Library& library, const RunsCommand& o) {
  const auto runs = library.search(joined(o.words));
  if (!runs) return fail(runs.error().text(), kFailed);
  if (o.json) {
    Report report{"runs", {}};
    for (const replay::RunSummary& r : runs.value()) {
      Row& row = report.add("run/" + r.id, r.duration, "s");
      row.extra = {{"scenario", r.scenario}, {"seed", std::to_string(r.seed)}, {"hash", r.hash}, {"started", r.started}, {"state", r.state}};
      row.extra.push_back({"vehicles", static_cast<std::int64_t>(r.vehicles)});
      row.extra.push_back({"bytes", static_cast<std::int64_t>(r.bytes)});
      row.extra.push_back({"planned", r.planned});
      row.extra.push_back({"verdict", r.verdict});
      row.extra.push_back({"reason", r.reason});
      row.extra.push_back({"overrides", joined(r.overrides)});
      row.extra.push_back({"tags", joined(r.tags)});
      for (const auto& [name, value] : r.metrics) report.add("run/" + r.id + "/" + name, value);
    }
    print_json(report);
    return kDone;
  }
  if (runs.value().empty()) {
    fmt::print("{}\n", o.words.empty() ? "no runs yet: `volary run` records one in " + library.folder() : "no run matches '" + joined(o.words) + "'");
    return kDone;
  }
  std::vector<std::vector<std::string>> cells;
  for (const replay::RunSummary& r : runs.value())
    cells.push_back({r.id, length_of(r), std::to_string(r.vehicles), std::to_string(r.seed), r.hash,
                     bytes_text(static_cast<double>(r.bytes)), outcome_of(r), joined(r.overrides), joined(r.tags)});
  print_table({"run", "simulated", "vehicles", "seed", "hash", "size", "outcome", "set", "tags"}, cells);
  return kDone;
}

int compare_runs(const replay::Library& library, const RunsCommand& o) {
  const auto a = library.find(o.compare[0]), b = library.find(o.compare[1]);
  if (!a) return fail(a.error().text());
  if (!b) return fail(b.error().text());
  const replay::RunSummary &x = a.value(), &y = b.value();
  Report report{"runs", {}};
  report.add("same final state", std::string(!x.hash.empty() && x.hash == y.hash && x.ticks == y.ticks ? "yes" : "no"), "",
             {{"note", x.hash + " / " + y.hash}});
  report.add("duration/a", x.duration, "s");
  report.add("duration/b", y.duration, "s");
  for (const replay::ComparedMetric& m : replay::compare_metrics(x, y)) {
    if (m.in_a) report.add(m.name + "/a", m.a);
    if (m.in_b) report.add(m.name + "/b", m.b);
    if (m.in_a && m.in_b) report.add(m.name + "/difference", m.b - m.a);
  }
  if (o.json)
    print_json(report);
  else
    print_rows(report);
  return kDone;
}

int change_tags(replay::Library& library, const RunsCommand& o) {
  const bool adds = !o.tagged.empty();
  if (adds && o.words.empty()) return fail("runs: --tag needs the tags after the id, such as --tag " + o.tagged + " paper");
  const auto run = library.find(adds ? o.tagged : o.untagged);
  if (!run) return fail(run.error().text());
  std::vector<std::string> tags = run.value().tags;
  if (adds) tags.insert(tags.end(), o.words.begin(), o.words.end());
  if (!adds) std::erase_if(tags, [&](const std::string& t) { return o.words.empty() || std::find(o.words.begin(), o.words.end(), t) != o.words.end(); });
  const core::Status s = library.tag(run.value().id, tags);
  return s ? kDone : fail(s.error().text());
}

int show_runs(const RunsCommand& o) {
  auto library = replay::Library::open(o.folder, replay::summarise);
  if (!library) return fail(library.error().text());
  const auto unread = library.value().refresh();
  if (!unread) return fail(unread.error().text(), kFailed);
  for (const std::string& text : unread.value()) fmt::print(stderr, "volary: {}\n", text);
  if (!o.compare.empty()) return compare_runs(library.value(), o);
  if (!o.remove.empty()) {
    const core::Status s = library.value().remove(o.remove);
    return s ? kDone : fail(s.error().text());
  }
  if (!o.tagged.empty() || !o.untagged.empty()) return change_tags(library.value(), o);
  return list_runs(library.value(), o);
}

}  // namespace

void add_runs(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunsCommand>();
  CLI::App* c = app.add_subcommand("runs", "List, search, tag, compare and delete recorded runs.");
  c->add_option("WORDS", o->words, "words that must all occur in the id, scenario, hash, state, verdict, parameters or tags; with --tag and --untag, the tags; default: all runs");
  auto* compare = c->add_option("--compare", o->compare, "ids of two runs: compare their final states and metrics")->expected(2);
  auto* remove = c->add_option("--delete", o->remove, "id of a run whose recording is deleted permanently");
  auto* tag = c->add_option("--tag", o->tagged, "id of a run to which the WORDS are added as tags");
  auto* untag = c->add_option("--untag", o->untagged, "id of a run from which the tags WORDS are removed; without WORDS, all its tags");
  compare->excludes(remove)->excludes(tag)->excludes(untag);
  remove->excludes(tag)->excludes(untag);
  tag->excludes(untag);
  c->add_option("--runs", o->folder, "folder of the recordings")->capture_default_str();
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer(
      "An id may be shortened as long as it is unique. The catalogue is rebuilt from the recordings when it is lost.\n"
      "Tags are stored beside the recordings, as NAME.tags.\n\n"
      "Examples:\n"
      "  volary runs delivery windy\n"
      "  volary runs --tag 20261115-0930 paper figure_3\n"
      "  volary runs --untag 20261115-0930 paper\n"
      "  volary runs --compare 20261115-0930 20261115-0941");
  c->callback([=, &action] { action = [=] { return show_runs(*o); }; });
}

}  // namespace volary::cli
