// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever a client writes into any text of a scenario, it reads no file outside the folders of scenarios and assets, and is told nothing of
// what stands in a file inside them. The fields come from the describe lists by way of the schema, so that a new one is tried as well.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "scenario/airframe.hpp"
#include "scenario/node.hpp"
#include "scenario/read_inside.hpp"
#include "scenario/schema.hpp"
#include "server/scenarios.hpp"
#include "server/server_test_support.hpp"

namespace volary::server {
namespace {

using test::Json;

// a text of the schema: the keys that lead to it ("[]" into a list), and whether it is marked as a path
struct TextField {
  std::vector<std::string> steps;
  bool is_path = false;
  std::string name() const {
    std::string all;
    for (const std::string& s : steps) all += (all.empty() || s == "[]" ? "" : ".") + s;
    return all;
  }
};

class Schema {
 public:
  explicit Schema(const std::string& text) : root_(Json::parse(text)) {}
  const Json& root() const { return root_; }

  std::vector<TextField> texts(const Json& from) const {
    std::vector<TextField> found;
    std::vector<std::string> steps;
    std::set<std::string> open;
    walk(from, steps, open, found);
    return found;
  }

  // the document with this value at the field; what is missing on the way is filled with whatever the schema takes
  void put(const Json& schema, Json& document, const std::vector<std::string>& steps, const std::string& value) const {
    const Json& s = resolved(schema);
    if (steps.empty()) {
      document = value;
      return;
    }
    const std::vector<std::string> rest(steps.begin() + 1, steps.end());
    if (steps[0] == "[]") {
      if (!document.is_array() || document.empty()) document = Json::array({nullptr});
      return put(s["items"], document[0], rest, value);
    }
    if (!document.is_object()) document = least(s, steps[0]);
    put(s["properties"][steps[0]], document[steps[0]], rest, value);
  }

  // the smallest value that the schema takes; `without` is about to be filled in
  Json least(const Json& schema, const std::string& without = "") const {
    const Json& s = resolved(schema);
    if (s.contains("const")) return s["const"];
    if (s.contains("enum")) return s["enum"][0];
    if (s.contains("default")) return s["default"];
    const std::string type = s.value("type", "");
    if (type == "string") return "x";
    if (type == "number" || type == "integer") return std::min(std::max(1.0, s.value("minimum", 1.0)), s.value("maximum", 1.0e9));
    if (type == "boolean") return false;
    if (type == "array") return Json(s.value("minItems", std::size_t{0}), least(s["items"]));
    Json object = Json::object();
    for (const Json& key : s.value("required", Json::array()))
      if (key != without) object[key.get<std::string>()] = least(s["properties"][key.get<std::string>()]);
    return object;
  }

 private:
  const Json& resolved(const Json& schema) const {
    if (!schema.contains("$ref")) return schema;
    return root_["$defs"][schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size())];
  }
  void walk(const Json& schema, std::vector<std::string>& steps, std::set<std::string>& open, std::vector<TextField>& found) const {
    const std::string ref = schema.value("$ref", "");
    if (!ref.empty() && open.contains(ref)) return;  // what is a part of itself is looked at once
    if (!ref.empty()) open.insert(ref);
    const Json& s = resolved(schema);
    if (s.value("type", "") == "string" && !s.contains("enum")) found.push_back({steps, s.value("format", "") == "path"});
    if (s.contains("items")) {
      steps.push_back("[]");
      walk(s["items"], steps, open, found);
      steps.pop_back();
    }
    if (s.contains("properties"))
      for (const auto& [key, below] : s["properties"].items()) {
        steps.push_back(key);
        walk(below, steps, open, found);
        steps.pop_back();
      }
    if (!ref.empty()) open.erase(ref);
  }
  Json root_;
};

// what the readers of every kind of file would complain about in words of the file
const std::vector<std::string> kSecrets = {"SECRET\n",
                                           "SECRET: [1\n",
                                           "SECRET: 1\n",
                                           "name: SECRET\nflocks: SECRET\n",
                                           "model: SECRET\n",
                                           "model: aircraft\nSECRET: 1\n",
                                           "east,north,wind_east,wind_north\n1,2,3,SECRET\n",
                                           "alpha_deg,CL,CD,CY,Cl,Cm,Cn\n0,SECRET,1,1,1,1,1\n1,1,1,1,1,1,1\n",
                                           "J,CT,CP\n0,SECRET,1\n",
                                           "v SECRET 1 2\n",
                                           "{\"asset\": {\"version\": \"SECRET\"}}",
                                           "x = = SECRET\n",
                                           "error('SECRET')\n",
                                           "params = {SECRET = 1}\nfunction act(me) end\n",
                                           "\x7f"
                                           "ELF SECRET"};

constexpr const char* kName = "S36E149.yaml";  // a tile of heights is known by its name, an airframe by its ending

class PathFields : public ::testing::Test {
 protected:
  PathFields() {
    std::filesystem::create_directories(f_.user);
    std::filesystem::create_directories(outside_);
    EXPECT_EQ(symlink((outside_ + "/" + kName).c_str(), (f_.user + "/stolen.yaml").c_str()), 0);
    EXPECT_EQ(symlink((outside_ + "/" + kName).c_str(), (f_.user + "/S36E148.yaml").c_str()), 0);
    EXPECT_EQ(symlink(outside_.c_str(), (f_.user + "/linked").c_str()), 0);
  }
  // ways out of the folder to the secret
  std::vector<std::string> ways_out() const {
    const std::string name = kName;
    return {outside_ + "/" + name, "../outside/" + name, "linked/" + name, "S36E148.yaml", "a/../../outside/" + name};
  }
  static Json good() { return Json::parse(R"({"name": "x", "flocks": [{"name": "a", "airframe": "crazyflie", "vehicles": {"grid": {"count": 1}}}]})"); }

  std::string scenario_with(const TextField& field, const std::string& value) const {
    Json document = good();
    scenario_.put(scenario_.root(), document, field.steps, value);
    // vehicles that follow logs are placed by nothing else, and they are mirrors
    if (Json& flock = document["flocks"][0]; flock["vehicles"].contains("logs")) {
      const Json logs = flock["vehicles"]["logs"];
      flock["vehicles"] = Json{{"logs", logs}};
      flock["mirror"] = true;
    }
    // the library of an estimator is opened for the kind that has one
    if (Json& flock = document["flocks"][0]; flock.contains("estimator") && flock["estimator"].contains("plugin")) {
      flock["estimator"]["kind"] = "plugin";
      flock["sensors"]["imu"] = Json::object();
    }
    return document.dump();
  }
  // all that the server says to a look at a text, and to flying it once it lies in the folder
  std::string answers(const std::string& yaml) const {
    scratch_.write("mine/thief.yaml", yaml);
    scenario::Bundle bundle;
    const auto def = load_named_scenario(f_, "thief", {}, bundle);
    return check_scenario(f_, yaml, true) + (def ? "" : def.error().text());
  }

  test::ScratchFolder scratch_;
  const std::string outside_ = scratch_.path() + "/outside";
  const ScenarioFolders f_{test::source_folder() + "/assets", test::source_folder() + "/scenarios", scratch_.path() + "/mine", 1'000'000, nullptr};
  const Schema scenario_{scenario::scenario_schema()}, airframe_{scenario::airframe_schema()};
};

TEST_F(PathFields, every_file_that_can_be_named_is_marked_and_none_outside_is_read) {
  std::size_t paths = 0;
  for (const TextField& field : scenario_.texts(scenario_.root())) {
    paths += field.is_path ? 1 : 0;
    for (const std::string& secret : {kSecrets[0], kSecrets[2], kSecrets[6]}) {
      scratch_.write(std::string("outside/") + kName, secret);
      for (const std::string& way : ways_out()) {
        const std::string yaml = scenario_with(field, way), told = answers(yaml);
        EXPECT_EQ(told.find("SECRET"), std::string::npos) << field.name() << " = " << way << ": " << told;
        // a text that leads to a file is marked, and whoever follows it meets the wall
        const bool refused = told.find(scenario::kOutside) != std::string::npos;
        EXPECT_EQ(refused, field.is_path) << field.name() << " = " << way << ": " << told;
        if (secret == kSecrets[0] && (way[0] == '/' || way.find("..") != way.npos)) {
          EXPECT_EQ(static_cast<bool>(save_scenario(f_, "kept", yaml)), !field.is_path) << field.name();
        }
      }
    }
  }
  EXPECT_GE(paths, 10u);
}

TEST_F(PathFields, no_answer_tells_what_stands_in_a_file_inside) {
  for (const TextField& field : scenario_.texts(scenario_.root())) {
    if (!field.is_path) continue;
    for (const std::string& secret : kSecrets)
      for (const char* name : {kName, "S36E149.obj", "S36E149.gltf", "S36E149.tif", "S36E149.lua", "S36E149.so"}) {
        scratch_.write(std::string("mine/") + name, secret);
        const std::string told = answers(scenario_with(field, name));
        EXPECT_EQ(told.find("SECRET"), std::string::npos) << field.name() << ": " << name << ": " << secret << told;
        EXPECT_EQ(told.find(scratch_.path()), std::string::npos) << field.name() << ": " << told;
      }
  }
}

TEST_F(PathFields, an_airframe_reads_no_table_outside_and_its_faults_are_not_quoted) {
  std::size_t paths = 0;
  for (const Json& model : airframe_.root()["oneOf"])
    for (const TextField& field : airframe_.texts(model)) {
      paths += field.is_path ? 1 : 0;
      std::vector<std::string> ways = ways_out();
      ways.push_back("inside.csv");
      for (const std::string& secret : {kSecrets[0], kSecrets[7], kSecrets[8]})
        for (const std::string& way : ways) {
          scratch_.write(std::string("outside/") + kName, secret);
          scratch_.write("mine/inside.csv", secret);
          Json frame = airframe_.least(model);
          airframe_.put(model, frame, field.steps, way);
          scratch_.write("mine/frame.yaml", frame.dump());
          Json document = good();
          document["flocks"][0]["airframe"] = "frame.yaml";
          EXPECT_EQ(answers(document.dump()).find("SECRET"), std::string::npos) << field.name() << " = " << way;
          const auto loaded = scenario::load_airframe(f_.user + "/frame.yaml", scenario::Files::inside(f_.user, f_.assets, nullptr, nullptr));
          const bool refused = !loaded && loaded.error().text().find(scenario::kOutside) != std::string::npos;
          EXPECT_EQ(refused, field.is_path && way != "inside.csv") << field.name() << " = " << way << ": " << (loaded ? "" : loaded.error().text());
        }
    }
  EXPECT_GE(paths, 2u);
}

TEST_F(PathFields, a_scenario_that_is_a_link_is_not_followed) {
  scratch_.write(std::string("outside/") + kName, "name: SECRET\n");
  const auto text = read_scenario(f_, "stolen");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().text().find(scenario::kOutside), std::string::npos) << text.error().text();
  EXPECT_EQ(list_scenarios(f_).find("SECRET"), std::string::npos);
}

TEST_F(PathFields, what_is_no_plain_file_is_not_waited_for) {
  ASSERT_EQ(mkfifo((f_.user + "/pipe").c_str(), 0600), 0);
  for (const char* name : {"pipe", ".", "none", "pipe/below", ""}) EXPECT_FALSE(scenario::read_inside(f_.user, name)) << name;
  scratch_.write("mine/below/plain.txt", "here");
  EXPECT_EQ(scenario::read_inside(f_.user, "below/plain.txt").value(), "here");
  EXPECT_EQ(scenario::read_inside(f_.user, "./below//plain.txt").value(), "here");
}

// an override is a text of the client's as well
TEST_F(PathFields, an_override_leads_nowhere_else) {
  scratch_.write(std::string("outside/") + kName, "SECRET: 1\n");
  for (const std::string& way : ways_out())
    for (const char* field : {"environment.wind_field", "terrain.geotiff", "flocks[0].airframe"}) {
      scratch_.write("mine/own.yaml", good().dump());
      scenario::Bundle bundle;
      const std::string value = std::string(field) == "terrain.geotiff" ? "{file: \"" + way + "\", width: 10, depth: 10}" : way;
      const auto def = load_named_scenario(f_, "own", {std::string(field) + "=" + value}, bundle);
      ASSERT_FALSE(def);
      EXPECT_NE(def.error().text().find(scenario::kOutside), std::string::npos) << def.error().text();
      EXPECT_EQ(def.error().text().find("SECRET"), std::string::npos);
    }
}

TEST_F(PathFields, native_code_that_was_not_built_here_is_not_run) {
  scratch_.write("mine/mine.so", "\x7f" "ELF");
  Json document = good();
  document["flocks"][0]["behaviours"] = Json::parse(R"([{"plugin": {"file": "mine.so"}}])");
  const std::string told = check_scenario(f_, document.dump());
  EXPECT_NE(told.find("native code that was not built on this machine"), std::string::npos) << told;
  ScenarioFolders trusting = f_;
  trusting.may_run = [](const std::string& bytes) { return bytes == "\x7f" "ELF"; };
  EXPECT_EQ(check_scenario(trusting, document.dump()).find("native code"), std::string::npos);
}

// Files is the only door: whoever opens a file beside it would pass the wall
TEST(path_fields, nothing_opens_a_file_for_a_scenario_but_files) {
  // the readers of Files itself, of the scenario that the command line names, and of files that no scenario names: DAVE-ML, logs and stands
  const std::set<std::string> doors = {"files.cpp", "read_inside.cpp", "node.cpp", "node.hpp", "load.cpp", "daveml.cpp", "csv_columns.cpp"};
  const std::regex opens(R"((ifstream|fopen|\bread_file|\bopenat|[^\w:]::open|mmap)\s*\()");
  const std::regex stream(R"(\bifstream\b)");
  for (const char* room : {"scenario", "environment", "vehicles", "swarm", "engine"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::source_folder() + "/src/" + room)) {
      const std::string name = entry.path().filename().string(), ending = entry.path().extension().string();
      if ((ending != ".cpp" && ending != ".hpp") || name.find("_test") != name.npos || name == "data_test.hpp" || doors.contains(name)) continue;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        line.resize(std::min(line.find("//"), line.size()));
        EXPECT_FALSE(std::regex_search(line, opens) || std::regex_search(line, stream)) << entry.path() << ":" << number << ": " << line;
      }
    }
}

}  // namespace
}  // namespace volary::server
