// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/scenarios.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "server/server_test_support.hpp"

namespace volary::server {
namespace {

using test::Json;

struct Folders {
  test::ScratchFolder scratch;
  ScenarioFolders f{test::source_folder() + "/assets", test::source_folder() + "/scenarios", scratch.path() + "/mine", 1'000'000};
  Json check(const std::string& yaml) const { return Json::parse(check_scenario(f, yaml)); }
};

const std::string kGood = "name: my own\nflocks:\n  - {name: a, airframe: crazyflie, vehicles: {grid: {count: 4}}}\n";

TEST(scenarios, what_is_saved_is_listed_read_and_loaded) {
  const Folders x;
  const auto saved = save_scenario(x.f, "mine-1", kGood);
  ASSERT_TRUE(saved) << saved.error().text();
  EXPECT_EQ(Json::parse(saved.value())["vehicles"], 4);
  EXPECT_EQ(read_scenario(x.f, "mine-1").value(), kGood);
  const Json list = Json::parse(list_scenarios(x.f));
  EXPECT_EQ(list[0]["name"], "mine-1");
  EXPECT_EQ(list[0]["title"], "my own");
  EXPECT_EQ(list[0]["saved"], true);
  scenario::Bundle bundle;
  EXPECT_EQ(load_named_scenario(x.f, "mine-1", {"seed=5"}, bundle).value().seed, 5u);
  // work that is not finished may be kept too
  EXPECT_FALSE(Json::parse(save_scenario(x.f, "half", "name: [\n").value())["ok"]);
}

TEST(scenarios, nothing_is_written_elsewhere) {
  const Folders x;
  for (const char* name : {"", "..", "../x", "a/b", "A", "default", "a.yaml"}) EXPECT_FALSE(save_scenario(x.f, name, kGood)) << name;
  ASSERT_TRUE(save_scenario(x.f, "one", kGood));
  ASSERT_EQ(symlink((x.scratch.path() + "/target").c_str(), (x.f.user + "/link.yaml").c_str()), 0);
  EXPECT_FALSE(save_scenario(x.f, "link", kGood));
  EXPECT_FALSE(std::filesystem::exists(x.scratch.path() + "/target"));
  ScenarioFolders none = x.f;
  none.user = "";
  EXPECT_FALSE(save_scenario(none, "one", kGood));
}

TEST(scenarios, a_text_from_the_network_names_no_files_outside) {
  const Folders x;
  x.scratch.write("secret.yaml", "password: SECRET\n");
  for (const std::string& yaml :
       {std::string("include: [../secret.yaml]\n"), "include: [" + x.scratch.path() + "/secret.yaml]\n", std::string("include: [/etc/passwd]\n"),
        std::string("a: &x [../secret.yaml]\ninclude: *x\n"), std::string("include: [\"\\x2e\\x2e/secret.yaml\"]\n"),
        std::string("include: [a/../../secret.yaml]\n"), std::string("flocks: [{name: a, airframe: ../secret.yaml, vehicles: {grid: {count: 1}}}]\n"),
        std::string("flocks: [{name: a, airframe: /etc/secret.yml, vehicles: {grid: {count: 1}}}]\n")}) {
    const Json checked = x.check(yaml);
    EXPECT_FALSE(checked["ok"]) << yaml;
    EXPECT_EQ(checked.dump().find("SECRET"), std::string::npos);
    EXPECT_NE(checked["problems"][0]["message"].get<std::string>().find("outside"), std::string::npos) << checked.dump();
    EXPECT_FALSE(save_scenario(x.f, "thief", yaml));
  }
  for (const char* o : {"flocks[0].airframe=../secret.yaml", "flocks[0].airframe=/etc/x.yaml", "flocks[0].airframe=\"\\x2e./secret.yaml\""}) {
    scenario::Bundle bundle;
    const auto def = load_named_scenario(x.f, "default", {o}, bundle);
    ASSERT_FALSE(def);
    EXPECT_NE(def.error().text().find("outside"), std::string::npos) << def.error().text();
  }
}

TEST(scenarios, all_problems_of_a_text_are_told_with_their_places) {
  const Folders x;
  const Json checked = x.check("name: two\nflocks:\n  - {name: a, airframe: crazyfly, vehicles: {grid: {count: 1}}}\n  - {name: b, airframe: crazyflie, vehicles: {grid: {cuont: 1}}}\n");
  EXPECT_FALSE(checked["ok"]);
  ASSERT_EQ(checked["problems"].size(), 2u) << checked.dump();
  EXPECT_EQ(checked["problems"][0]["line"], 3);
  EXPECT_EQ(checked["problems"][0]["field"], "flocks[0].airframe");
  EXPECT_EQ(checked["problems"][1]["line"], 4);
  EXPECT_EQ(checked["problems"][1]["suggestion"], "did you mean 'count'?");
}

TEST(scenarios, sizes_are_bounded) {
  const Folders x;
  const Json checked = x.check("name: big\nflocks:\n  - {name: a, airframe: crazyflie, vehicles: {grid: {count: 2000000}}}\n");
  EXPECT_FALSE(checked["ok"]);
  EXPECT_NE(checked["problems"][0]["message"].get<std::string>().find("at most"), std::string::npos);
}

TEST(scenarios, a_preview_tells_starts_and_curves_when_asked) {
  const Folders x;
  EXPECT_FALSE(x.check(kGood).contains("preview"));
  const std::string yaml =
      "name: two\nflocks:\n"
      "  - {name: a, airframe: crazyflie, vehicles: {list: [{position: [1, 2, 0], yaw: 0.5}]}, start: armed, mission: {circle: {radius: 2, speed: 1, height: "
      "3}}}\n"
      "  - {name: b, airframe: crazyflie, vehicles: {grid: {count: 9, spacing: 2}}, mission: {waypoints: {points: [[0, 0, 1], [4, 0, 1]], speed: 1}}}\n";
  const Json preview = Json::parse(check_scenario(x.f, yaml, true))["preview"];
  EXPECT_EQ(preview["name"], "two");
  EXPECT_EQ(preview["flocks"][0]["starts"], Json::parse("[[1.0, 2.0, 0.0, 0.5]]"));
  EXPECT_EQ(preview["flocks"][0]["centres"], Json::parse("[[-1.0, 2.0, 3.0]]"));
  EXPECT_EQ(preview["flocks"][0]["curve"][0], Json::parse("[2.0, 0.0, 0.0]"));
  EXPECT_EQ(preview["flocks"][1]["count"], 9);
  EXPECT_EQ(preview["flocks"][1]["curve"].back(), Json::parse("[4.0, 0.0, 1.0]"));
  // nothing can be told of what cannot be read
  EXPECT_FALSE(Json::parse(check_scenario(x.f, "name: [", true)).contains("preview"));
}

TEST(scenarios, a_preview_of_a_large_world_is_bounded) {
  const Folders x;
  const std::string yaml =
      "name: big\nflocks:\n  - {name: a, airframe: crazyflie, vehicles: {grid: {count: 30000}}}\n  - {name: b, airframe: crazyflie, vehicles: {grid: {count: "
      "5}}}\n";
  const Json flocks = Json::parse(check_scenario(x.f, yaml, true))["preview"]["flocks"];
  EXPECT_EQ(flocks[0]["count"], 30000);
  EXPECT_EQ(flocks[0]["starts"].size(), 20000u);
  EXPECT_EQ(flocks[1]["starts"].size(), 0u);
}

}  // namespace
}  // namespace volary::server
