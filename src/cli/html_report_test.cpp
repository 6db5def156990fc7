// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/html_report.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "cli/flight.hpp"
#include "cli/output_file.hpp"
#include "core/scratch_folder.hpp"
#include "engine/engine_test_support.hpp"

namespace volary::cli {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// what is opened is closed, in order: a page that a browser need not mend
void expect_well_formed(const std::string& html) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>");
  const std::string body = html.substr(html.find("<body>"));
  for (std::sregex_iterator it(body.begin(), body.end(), tag), end; it != end; ++it) {
    if ((*it)[3] == "/") continue;
    if ((*it)[1] == "") {
      open.push_back((*it)[2]);
      continue;
    }
    if (open.empty() && (*it)[2] == "html") continue;
    ASSERT_FALSE(open.empty()) << it->str();
    ASSERT_EQ(open.back(), (*it)[2]) << it->str();
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

struct Page {
  FlightTrace trace;
  Ending ending;
  Report report{"run", {}, Verdict{"failed", "up is still open"}};

  explicit Page(int n_vehicles = 3) {
    WorldDef def = test::circling(n_vehicles);
    def.duration = 2;
    def.description = "some <b>birds</b> & more";
    const auto world = test::make(def);
    Flight flight;
    fly(*world, {.sinks = {&trace}}, flight);
    ending = ending_of(*world, world->n_vehicles());
    report.add("tracking error/max", flight.log.error.max, "m");
    report.add("vehicles", std::int64_t{3});
    report.add("tasks/up", std::string("open"));
    report.add("events/landed", std::int64_t{2});
    ending.tasks = {{"up", true, "open", 0, "0 of 3 <above>"}, {"alive", true, "done", 200, ""}};
    ending.warnings = {"contact: vehicles pass through each other"};
    ending.radio.sent = 10;
    ending.radio.by_distance = {{0, 10, 8, {{"delivered", 6}, {"collision", 2}}}, {10, 20, 4, {{"delivered", 1}}}};
    trace.event(*world, {.tick = 100, .vehicle = {}, .name = "birds[0]", .what = "landed"});
  }
  std::string html() const { return html_of({report, ending, trace, {"seed=7"}, "2026-01-02 03:04 UTC"}); }
};

}  // namespace

TEST(html_report, begins_with_the_verdict_and_has_every_part) {
  const std::string html = Page().html();
  expect_well_formed(html);
  const std::size_t verdict = html.find("<strong>failed</strong>: up is still open");
  ASSERT_NE(verdict, std::string::npos) << html.substr(0, 6000);
  std::size_t before = verdict;
  for (const char* heading : {"<h2>Tasks</h2>", "<h2>Warnings</h2>", "<h2>Plots</h2>", "<h2>Metrics</h2>", "<h2>Events</h2>", "<h2>Scenario</h2>"}) {
    const std::size_t at = html.find(heading);
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_GT(at, before) << heading;
    before = at;
  }
  for (const char* plot : {"Tracks seen from above", "Altitude", "Speed", "Tracking error", "Closest distance", "Delivery ratio by distance"})
    EXPECT_NE(html.find(std::string("<figcaption><b>") + plot), std::string::npos) << plot;
  EXPECT_EQ(count_of(html, "<svg "), 6u);
  EXPECT_NE(html.find("<tr class=\"open\"><td>up</td><td>open</td><td>0.00</td><td>yes</td><td>0 of 3 &lt;above&gt;</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>max</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>m</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>1.00</td><td>birds[0]</td><td>landed</td>"), std::string::npos);
  EXPECT_NE(html.find("<td>seed</td><td>42</td>"), std::string::npos);
  EXPECT_NE(html.find("Volary " VOLARY_VERSION), std::string::npos);
  EXPECT_NE(html.find("<td>override</td><td>seed=7</td>"), std::string::npos);
  EXPECT_NE(html.find("0.750 of 8 receptions"), std::string::npos);
}

TEST(html_report, asks_the_network_for_nothing_and_runs_no_code) {
  const std::string html = Page().html();
  for (const char* word : {"http://", "https://", "src=", "<script", "<link", "@import", "url(", "href="}) EXPECT_EQ(html.find(word), std::string::npos) << word;
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("<b>birds</b>"), std::string::npos) << "a text of the scenario became markup";
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST(html_report, many_vehicles_are_a_mean_and_a_band_and_few_are_named) {
  EXPECT_EQ(count_of(Page(3).html(), "class=\"band"), 0u);
  const std::string many = Page(150).html();
  EXPECT_EQ(count_of(many, "class=\"band"), 2u);
  EXPECT_NE(many.find("75 of 150 vehicles"), std::string::npos);
  EXPECT_LT(many.size(), 400'000u);
}

// the program as a shell sees it
class RunReport : public ::testing::Test {
 protected:
  int run(const std::string& arguments) {
    const int status = std::system(("'" VOLARY_PROGRAM "' " + arguments + " >" + at("out.txt") + " 2>" + at("err.txt") + " </dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }
  std::string scenario(const char* tasks) {
    std::ofstream(folder_ / "s.yaml") << "name: small\nduration: 1\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n"
                                         "    mission: {hold: {height: 2}}\ntasks:\n"
                                      << tasks;
    return at("s.yaml");
  }
  core::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(RunReport, is_written_also_when_a_task_fails_and_says_so_first) {
  const std::string file = scenario("  - {name: wait, time_after: 100}\n  - {name: all live, alive: {flock: a}}\n");
  EXPECT_EQ(run("run " + file + " --headless --no-record --seed 9 --report " + at("r.html")), 1);
  const std::string html = read_text(folder_ / "r.html"), out = read_text(folder_ / "out.txt");
  expect_well_formed(html);
  EXPECT_NE(html.find("<strong>failed</strong>: wait is still open"), std::string::npos) << html.substr(0, 5000);
  EXPECT_NE(html.find("<td>seed</td><td>9</td>"), std::string::npos);
  EXPECT_NE(html.find("<tr class=\"done\"><td>all live</td><td>done</td>"), std::string::npos);
  EXPECT_NE(out.find("report"), std::string::npos) << out;
  EXPECT_NE(out.find("r.html"), std::string::npos) << out;
}

TEST_F(RunReport, overwrites_nothing_and_says_so_before_the_flight) {
  const std::string file = scenario("  - {name: all live, alive: {flock: a}}\n");
  std::ofstream(folder_ / "mine.html") << "mine";
  EXPECT_EQ(run("run " + file + " --headless --report " + at("mine.html")), 2);
  EXPECT_NE(read_text(folder_ / "err.txt").find("run: --report: " + at("mine.html") + ": cannot be written: the file exists (choose another name)"), std::string::npos)
      << read_text(folder_ / "err.txt");
  EXPECT_EQ(read_text(folder_ / "mine.html"), "mine");
  EXPECT_EQ(read_text(folder_ / "out.txt"), "");
  EXPECT_EQ(run("run " + file + " --headless --report " + at("no/r.html")), 2);
  EXPECT_NE(read_text(folder_ / "err.txt").find("there is no folder"), std::string::npos);
}

TEST(output_file, replaces_only_what_it_wrote_itself) {
  core::ScratchFolder scratch;
  const fs::path path = fs::path(scratch.path()) / "x";
  OutputFile ours(path.string());
  ASSERT_TRUE(ours.write("one"));
  ASSERT_TRUE(ours.write("two"));
  EXPECT_EQ(read_text(path), "two");
  OutputFile other(path.string());
  EXPECT_FALSE(other.check());
  EXPECT_FALSE(other.write("three"));
  EXPECT_EQ(read_text(path), "two");
}

}  // namespace volary::cli
