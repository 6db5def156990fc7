// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/library.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"

namespace volary::replay {
namespace {

namespace fs = std::filesystem;

bool seed_is_odd(std::uint64_t seed) { return seed % 2 == 1; }

// a "recording" of one line: scenario, seed, error
class LibraryTest : public ::testing::Test {
 protected:
  void write(const std::string& id, const std::string& scenario, std::uint64_t seed, double error) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / (id + ".vrec")) << scenario << ' ' << seed << ' ' << error << '\n';
  }
  core::Result<Library> open() {
    return Library::open(folder_.string(), [this](const std::string& path) -> core::Result<RunSummary> {
      ++read_;
      std::ifstream in(path);
      RunSummary r;
      double error = 0;
      if (!(in >> r.scenario >> r.seed >> error)) return core::Error{.message = "not a recording", .file = path};
      r.started = fs::path(path).stem().string().substr(0, 8);
      r.metrics["tracking error/max"] = error;
      r.state = "finished";
      r.verdict = seed_is_odd(r.seed) ? "passed" : "failed";
      r.reason = "1 of 2 required tasks done";
      r.planned = 240;
      r.overrides = {"environment.gust_sigma=" + std::to_string(r.seed)};
      r.bytes = fs::file_size(path);
      return r;
    });
  }
  core::ScratchFolder scratch_;
  const fs::path folder_ = fs::path(scratch_.path()) / "runs";  // made when it is needed
  int read_ = 0;
};

TEST_F(LibraryTest, lists_the_newest_run_first) {
  write("20260101-a", "default", 1, 0.1);
  write("20260102-b", "default", 2, 0.2);
  const auto library = open();
  ASSERT_TRUE(library) << library.error().text();
  const auto runs = library.value().search();
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs.value().size(), 2u);
  EXPECT_EQ(runs.value()[0].id, "20260102-b");
  EXPECT_EQ(runs.value()[1].seed, 1u);
  EXPECT_EQ(runs.value()[1].metrics.at("tracking error/max"), 0.1);
}

TEST_F(LibraryTest, keeps_all_64_bits_of_a_seed) {
  write("20260101-a", "default", 0xfedcba9876543210u, 0);
  const auto library = open();
  ASSERT_TRUE(library);
  EXPECT_EQ(library.value().find("20260101-a").value().seed, 0xfedcba9876543210u);
}

TEST_F(LibraryTest, finds_runs_by_every_word) {
  write("20260101-a", "delivery", 1, 0);
  write("20260102-b", "hover", 1, 0);
  auto library = open();
  ASSERT_TRUE(library);
  ASSERT_TRUE(library.value().tag("20260102-b", {"paper", "windy"}));
  EXPECT_EQ(library.value().search("DELIVERY").value().size(), 1u);
  EXPECT_EQ(library.value().search("hover windy").value().size(), 1u);
  EXPECT_EQ(library.value().search("delivery windy").value().size(), 0u);
  EXPECT_EQ(library.value().search("' OR 1=1 --").value().size(), 0u);
}

TEST_F(LibraryTest, knows_what_became_of_a_run_and_what_was_set_for_it) {
  write("20260101-a", "default", 1, 0);
  write("20260102-b", "default", 2, 0);
  const auto library = open();
  ASSERT_TRUE(library);
  const RunSummary a = library.value().find("20260101-a").value();
  EXPECT_EQ(a.verdict, "passed");
  EXPECT_EQ(a.reason, "1 of 2 required tasks done");
  EXPECT_EQ(a.planned, 240);
  EXPECT_EQ(a.overrides, std::vector<std::string>{"environment.gust_sigma=1"});
  ASSERT_EQ(library.value().search("failed").value().size(), 1u);
  EXPECT_EQ(library.value().search("gust_sigma=2").value().at(0).id, "20260102-b");
}

TEST_F(LibraryTest, reads_a_file_again_only_when_it_changed) {
  write("20260101-a", "default", 1, 0.1);
  { ASSERT_TRUE(open()); }
  { ASSERT_TRUE(open()); }
  EXPECT_EQ(read_, 1);
  write("20260101-a", "default", 1, 0.12345);
  const auto library = open();
  EXPECT_EQ(read_, 2);
  EXPECT_EQ(library.value().find("20260101-a").value().metrics.at("tracking error/max"), 0.12345);
}

TEST_F(LibraryTest, is_rebuilt_from_the_files_when_lost_or_damaged_and_keeps_the_tags) {
  write("20260101-a", "default", 1, 0.1);
  {
    auto library = open();
    ASSERT_TRUE(library.value().tag("20260101-a", {"keep"}));
  }
  fs::remove(folder_ / "catalogue.sqlite");
  {
    auto library = open();
    EXPECT_TRUE(library.value().was_rebuilt());
    EXPECT_EQ(library.value().find("20260101-a").value().tags, std::vector<std::string>{"keep"});
  }
  std::ofstream(folder_ / "catalogue.sqlite", std::ios::trunc) << "this is no database, and longer than a header would be: " << std::string(4096, 'x');
  auto library = open();
  ASSERT_TRUE(library) << library.error().text();
  EXPECT_TRUE(library.value().was_rebuilt());
  EXPECT_EQ(library.value().search("keep").value().size(), 1u);
}

TEST_F(LibraryTest, deletes_the_file_with_the_entry_and_forgets_files_that_went) {
  write("20260101-a", "default", 1, 0);
  write("20260102-b", "default", 1, 0);
  auto library = open();
  ASSERT_TRUE(library.value().remove("20260101-a"));
  EXPECT_FALSE(fs::exists(folder_ / "20260101-a.vrec"));
  fs::remove(folder_ / "20260102-b.vrec");
  ASSERT_TRUE(library.value().refresh());
  EXPECT_TRUE(library.value().search().value().empty());
}

TEST_F(LibraryTest, takes_a_unique_beginning_for_an_id_and_suggests_what_is_near) {
  write("20260101-alpha", "default", 1, 0);
  write("20260101-beta", "default", 1, 0);
  auto library = open();
  EXPECT_EQ(library.value().find("20260101-a").value().id, "20260101-alpha");
  EXPECT_FALSE(library.value().find("20260101"));
  const auto wrong = library.value().find("20260101-betta");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().suggestion.find("20260101-beta"), std::string::npos);
  EXPECT_FALSE(library.value().find("../catalogue"));
  EXPECT_FALSE(library.value().remove("../../etc/passwd"));
}

TEST_F(LibraryTest, tags_are_bounded_each_counts_once_and_none_leaves_no_file) {
  write("20260101-a", "default", 1, 0);
  auto library = open();
  ASSERT_TRUE(library);
  ASSERT_TRUE(library.value().tag("20260101-a", {"b", "a", "b"}));
  EXPECT_EQ(library.value().find("20260101-a").value().tags, (std::vector<std::string>{"b", "a"}));
  for (const std::string& wrong : {std::string(), std::string("two words"), std::string("../up"), std::string("caf\xc3\xa9"), std::string(33, 'x')})
    EXPECT_FALSE(library.value().tag("20260101-a", {"c", wrong})) << wrong;
  std::vector<std::string> many;
  for (int k = 0; k < 33; ++k) many.push_back("t" + std::to_string(k) + std::string(20, 'x'));
  EXPECT_FALSE(library.value().tag("20260101-a", many));
  EXPECT_EQ(library.value().find("20260101-a").value().tags, (std::vector<std::string>{"b", "a"})) << "what is refused changes nothing";
  many.pop_back();
  ASSERT_TRUE(library.value().tag("20260101-a", many));
  EXPECT_EQ(open().value().find("20260101-a").value().tags, many);
  ASSERT_TRUE(library.value().tag("20260101-a", {}));
  EXPECT_FALSE(fs::exists(folder_ / "20260101-a.tags"));
  EXPECT_FALSE(fs::exists(folder_ / "20260101-a.tags.part"));
  EXPECT_TRUE(open().value().find("20260101-a").value().tags.empty());
}

TEST_F(LibraryTest, names_files_it_cannot_read_and_goes_on) {
  write("20260101-a", "default", 1, 0);
  std::ofstream(folder_ / "20260102-broken.vrec") << "?";
  auto library = open();
  ASSERT_TRUE(library);
  EXPECT_EQ(library.value().search().value().size(), 1u);
  const auto unread = library.value().refresh();
  ASSERT_EQ(unread.value().size(), 1u);
  EXPECT_NE(unread.value()[0].find("20260102-broken.vrec"), std::string::npos);
}

TEST(run_id, is_a_plain_name_whatever_the_scenario_is_called) {
  EXPECT_NE(new_run_id("a/b c").find("a_b_c"), std::string::npos);
  EXPECT_NE(new_run_id("x"), new_run_id("x"));
}

}  // namespace
}  // namespace volary::replay
