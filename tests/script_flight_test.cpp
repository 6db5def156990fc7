// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and plugins in whole worlds: what is edited is flown, and the answer is the same on any number of threads, after a snapshot,
// and from a recording.
#include "record_support_test.hpp"

#include <cmath>
#include <sstream>

#include "cli/plugin.hpp"
#include "swarm/script/plugin.hpp"

namespace volary::replay {

namespace {

const std::string kExamples = std::string(VOLARY_SOURCE_DIR) + "/examples";

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// the text with one part of it changed, which has to be there
std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), other);
}

// a flock flown by the plugin of the example, built into the folder
std::string write_circle(const core::ScratchFolder& folder, int count = 3) {
  const auto built = cli::build_plugin(kExamples + "/plugins/circle.cpp", folder.file("circle.so"));
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  return folder.write("circle.yaml",
                      "name: circles\nduration: 4\nradio: {model: disc, range: 30}\n"
                      "flocks:\n  - name: ring\n    airframe: nuswarm\n    vehicles: {grid: {count: " +
                          std::to_string(count) +
                          ", spacing: 40, origin: [0, 0, 10]}}\n"
                          "    start: hold\n    mission: {hold: {height: 0}}\n    node: {state_rate: 10}\n"
                      "    behaviours:\n      - plugin: {file: circle.so, params: {radius: 3}}\n");
}

std::uint64_t hash_after(Flown& f, std::uint64_t ticks) {
  f.world->step(ticks);
  return f.world->hash();
}

}  // namespace

TEST(ScriptFlight, ADefaultThatIsEditedInTheExampleChangesTheFlight) {
  core::ScratchFolder folder;
  const std::string script = text_of(kExamples + "/behaviours/flock.lua");
  const std::string scenario = folder.write("flock.yaml", text_of(kExamples + "/behaviours/flock.yaml"));
  folder.write("flock.lua", script);
  Flown shipped = load_flown(scenario);
  const std::uint64_t before = hash_after(shipped, 100);
  // what the README tells a newcomer to do
  folder.write("flock.lua", with(script, "speed = 4", "speed = 8"));
  Flown edited = load_flown(scenario);
  EXPECT_NE(hash_after(edited, 100), before);
  folder.write("flock.lua", script);
  Flown again = load_flown(scenario);
  EXPECT_EQ(hash_after(again, 100), before);
}

// the block of code of the README that begins so
std::string from_readme(const std::string& first) {
  std::istringstream lines(text_of(std::string(VOLARY_SOURCE_DIR) + "/README.md"));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (out.empty() && !line.starts_with(first)) continue;
    if (line == "```") break;
    out += line + "\n";
  }
  return out;
}

TEST(ScriptFlight, WhatTheReadmeTellsANewcomerToWriteFlies) {
  core::ScratchFolder folder;
  const std::string script = from_readme("params = {");
  EXPECT_NE(text_of(kExamples + "/behaviours/flock.lua").find(script.substr(0, script.find_last_not_of('\n'))), std::string::npos) << "the same as the example";
  folder.write("my_flock.lua", script);
  Flown f = load_flown(folder.write("my_flock.yaml", from_readme("name: my flock")));
  const std::uint64_t before = hash_after(f, 100);
  for (const Event& e : f.world->take_events()) ADD_FAILURE() << e.what;
  folder.write("my_flock.lua", with(script, "+ p.height -", "+ p.height + 3 * math.sin(me.time) -"));
  Flown wave = load_flown(folder.file("my_flock.yaml"));
  EXPECT_NE(hash_after(wave, 100), before);
}

TEST(ScriptFlight, AFlightByRangeFindersIsReplayedFromItsRecording) {
  core::ScratchFolder folder;
  Flown f = load_flown(kExamples + "/behaviours/above_ground.yaml");
  const auto hashes = record(f, folder.file("a.vrec"), 200);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  const auto v = verify(*r, VerifyOptions{});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(hashes.size(), 201u);
  Flown noisy = load_flown(kExamples + "/behaviours/above_ground.yaml", {"flocks[0].sensors.range_finder.error.noise=0.5"});
  noisy.world->step(200);
  const VehicleId id = f.world->vehicles()[0];
  EXPECT_NE(noisy.world->position_of(id), f.world->position_of(id)) << "it flies by what they measure";
}

// A plugin and a script that decide by the same reading fly the same.
TEST(ScriptFlight, APluginReadsWhatAScriptReads) {
  core::ScratchFolder folder;
  folder.write("sink.cpp", "#include <volary/plugin.h>\n"
                           "static void act(const volary_sense* s, void*, volary_action* a, volary_outbox*) {\n"
                           "  const double* d = volary_find_reading(s, \"range_finder.distance\");\n"
                           "  a->kind = VOLARY_VELOCITY; a->velocity = {0, 0, d != nullptr ? 6 - *d : 1};\n}\n"
                           "static const volary_plugin_info info = {VOLARY_PLUGIN_VERSION, 0, \"sink\", \"\", nullptr, 0, nullptr, act};\n"
                           "const volary_plugin_info* volary_plugin(void) { return &info; }\n");
  const auto built = cli::build_plugin(folder.file("sink.cpp"), folder.file("sink.so"));
  ASSERT_TRUE(built) << built.error().text();
  folder.write("sink.lua", "function act(me)\n  local d = me.sensors['range_finder.distance']\n  fly(0, 0, d and 6 - d or 1)\nend\n");
  const auto flown = [&](const std::string& behaviour) {
    const std::string flock =
        "    vehicles: {grid: {count: 5, spacing: 8, origin: [0, 0, 9]}}\n    start: hold\n    mission: {hold: {height: 0}}\n"
        "    sensors: {range_finder: {preset: tfmini}}\n    behaviours:\n      - ";
    Flown f = load_flown(folder.write("sink.yaml", "name: sink\nduration: 4\nflocks:\n  - name: low\n    airframe: x500\n" + flock + behaviour + "\n"));
    f.world->step(300);
    std::vector<Vec> places;
    for (const VehicleId id : f.world->vehicles()) places.push_back(f.world->position_of(id));
    return places;
  };
  const std::vector<Vec> by_plugin = flown("plugin: {file: sink.so}");
  EXPECT_EQ(by_plugin, flown("script: {file: sink.lua}"));
  EXPECT_LT(by_plugin[0][2], 8);
}

TEST(ScriptFlight, APluginIsReplayedFromTheRecordingAloneWhenItsFileIsGone) {
  core::ScratchFolder folder;
  Flown f = load_flown(write_circle(folder));
  const auto hashes = record(f, folder.file("a.vrec"), 200);
  EXPECT_NE(hashes[200], hashes[0]);
  std::filesystem::remove(folder.file("circle.so"));
  std::filesystem::remove(folder.file("circle.yaml"));
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  VerifyOptions trusting;
  trusting.may_run = scenario::run_any;
  const auto v = verify(*r, trusting);
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 201u);
  BranchOptions branching;
  branching.may_run = scenario::run_any;
  const auto b = branch(*r, 1.0, branching);
  ASSERT_TRUE(b) << b.error().text();
}

// a plugin that leaves a file where it is told to as soon as it is loaded
std::string write_tattler(const core::ScratchFolder& folder) {
  folder.write("tattler.cpp", "#include <volary/plugin.h>\n#include <cstdio>\n#include <cstdlib>\n"
                              "struct Loaded { Loaded() { if (const char* at = std::getenv(\"TATTLE\")) if (FILE* f = std::fopen(at, \"w\")) std::fclose(f); } };\n"
                              "static const Loaded loaded;\n"
                              "static void act(const volary_sense*, void*, volary_action*, volary_outbox*) {}\n"
                              "static const volary_plugin_info info = {VOLARY_PLUGIN_VERSION, 8, \"tattler\", \"\", nullptr, 0, nullptr, act};\n"
                              "const volary_plugin_info* volary_plugin(void) { return &info; }\n");
  const auto built = cli::build_plugin(folder.file("tattler.cpp"), folder.file("tattler.so"));
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  return folder.write("tattler.yaml",
                      "name: tattler\nduration: 1\nenvironment: {origin: {latitude: 47, longitude: 8, height: 400}}\n"
                      "flocks:\n  - name: ring\n    airframe: nuswarm\n    vehicles: {grid: {count: 3, spacing: 40, origin: [0, 0, 10]}}\n"
                      "    start: hold\n    mission: {hold: {height: 0}}\n    behaviours:\n      - plugin: {file: tattler.so}\n");
}

TEST(ScriptFlight, NativeCodeInARecordingRunsOnlyWhenItWasBuiltHereOrIsAskedFor) {
  core::ScratchFolder folder;
  Flown f = load_flown(write_tattler(folder));
  record(f, folder.file("a.vrec"), 20);
  const std::string tattle = folder.file("ran"), said = folder.file("said");
  const auto program = [&](const std::string& arguments) {
    std::filesystem::remove(tattle);
    const std::string command = "VOLARY_DATA=" + folder.file("data") + " TATTLE=" + tattle + " " VOLARY_PROGRAM " " + arguments + " > " + said + " 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const auto ran = [&] { return std::filesystem::exists(tattle); };
  int exports = 0;
  for (const std::string& how : {std::string(" --verify"), std::string(" --at 0.1 --branch"), std::string(" --export kml ") + folder.file("a.kml"),
                                 std::string(" --export csv ") + folder.file("a.csv"), std::string(" --export npz ") + folder.file("a.npz")}) {
    const bool exported = how.find("--export") != how.npos;
    EXPECT_EQ(program("replay " + folder.file("a.vrec") + how), 2) << how;
    EXPECT_FALSE(ran()) << how;
    for (const char* words : {"tattler.so", "native code that was not built on this machine", "--allow-plugins", "volary plugin build", exported ? "--view" : "tattler"})
      EXPECT_NE(text_of(said).find(words), std::string::npos) << text_of(said);
    EXPECT_EQ(program("replay " + folder.file("a.vrec") + how + " --allow-plugins"), 0) << text_of(said);
    EXPECT_TRUE(ran()) << how;
    exports += exported ? 1 : 0;
  }
  EXPECT_EQ(exports, 3);
  // the recorded trajectories are there without it
  EXPECT_EQ(program("replay " + folder.file("a.vrec") + " --view --export csv " + folder.file("view.csv")), 0) << text_of(said);
  EXPECT_FALSE(ran());
  // looking needs none of it
  EXPECT_EQ(program("replay " + folder.file("a.vrec")), 0) << text_of(said);
  EXPECT_FALSE(ran());
  // the same bytes, built by this user
  EXPECT_EQ(program("plugin build " + folder.file("tattler.cpp") + " -o " + folder.file("tattler.so")), 0) << text_of(said);
  EXPECT_EQ(program("replay " + folder.file("a.vrec") + " --verify"), 0) << text_of(said);
  EXPECT_TRUE(ran());
}

TEST(ScriptFlight, APluginFliesInABatch) {
  core::ScratchFolder folder;
  const std::string scenario = write_circle(folder);
  const std::string command =
      std::string(VOLARY_PROGRAM) + " batch " + scenario + " --seeds 1,2 --out " + folder.file("batch") + " > " + folder.file("said") + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << text_of(folder.file("said"));
}

TEST(ScriptFlight, ALibraryIsKeptAsLongAsSomebodyHoldsItAndNoLonger) {
  core::ScratchFolder folder;
  std::string path;
  {
    auto kept = swarm::LibraryFile::keep(
        "\x7f"
        "ELF, but no more",
        "mine.so");
    ASSERT_TRUE(kept);
    const swarm::LibraryFile other = kept.value();
    path = other.path();
    EXPECT_EQ(text_of(path),
              "\x7f"
              "ELF, but no more");
    const auto opened = swarm::Plugin::open(other);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().file, "mine.so");
    EXPECT_EQ(opened.error().text().find(path), std::string::npos) << "the copy is nobody's business";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
}

namespace {

// the hash of every tick, on some threads, with or without a snapshot in the middle that another world goes on from
std::vector<std::uint64_t> hashes_of(const std::string& scenario, int threads, std::uint64_t ticks, std::uint64_t snapshot_at) {
  Flown f = load_flown(scenario);
  RunOptions options;
  options.threads = threads;
  options.force_split = true;
  std::string error;
  auto world = World::create(f.def, options, &error);
  EXPECT_NE(world, nullptr) << error;
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t k = 0; k < ticks; ++k) {
    if (k == snapshot_at) {
      const auto bytes = World::snapshot_bytes(*world->snapshot());
      auto other = World::create(f.def, options, &error);
      other->step(7);  // somewhere else before it goes on from there
      const auto snapshot = other->read_snapshot(bytes, &error);
      EXPECT_NE(snapshot, nullptr) << error;
      if (snapshot != nullptr) other->restore(*snapshot);
      world = std::move(other);
    }
    world->step(1);
    hashes.push_back(world->hash());
  }
  for (const Event& e : world->take_events()) EXPECT_EQ(e.what.find("stopped deciding"), std::string::npos) << e.what;
  return hashes;
}

void expect_one_answer(const std::string& scenario, std::uint64_t ticks) {
  const auto one = hashes_of(scenario, 1, ticks, ticks);
  EXPECT_EQ(hashes_of(scenario, 3, ticks, ticks), one) << "three threads";
  EXPECT_EQ(hashes_of(scenario, 1, ticks, ticks / 2), one) << "a snapshot";
  EXPECT_EQ(hashes_of(scenario, 3, ticks, ticks / 3), one) << "a snapshot on three threads";
}

}  // namespace

TEST(ScriptFlight, ScriptsGiveOneAnswerOnAnyThreadsAndAfterASnapshot) {
  // memory, messages, detections; ids and roles; tasks in Lua; sensors
  for (const char* name : {"flock", "follow", "search", "above_ground"}) {
    SCOPED_TRACE(name);
    expect_one_answer(kExamples + "/behaviours/" + name + ".yaml", 150);
  }
}

TEST(ScriptFlight, APluginGivesOneAnswerOnAnyThreadsAndAfterASnapshot) {
  core::ScratchFolder folder;
  expect_one_answer(write_circle(folder, 300), 100);
}

TEST(ScriptFlight, WhatAScriptOfATaskRemembersGoesOnAfterASnapshot) {
  core::ScratchFolder folder;
  folder.write("count.lua",
               "function holds(world)\n  local m = world.memory\n  m.looks = (m.looks or 0) + 1\n  return m.looks >= 8, m.looks .. ' looks'\nend\n");
  const std::string scenario =
      folder.write("count.yaml",
                   "name: count\nduration: 2\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n"
                   "tasks:\n  - {name: eight looks, script: {file: count.lua}}\n  - {name: never, required: false, not: {script: {file: count.lua}}}\n");
  expect_one_answer(scenario, 100);
  Flown f = load_flown(scenario);
  f.world->step(100);
  EXPECT_EQ(f.world->tasks()[0].state, "done");
  EXPECT_EQ(f.world->tasks()[0].detail, "10 looks");
  EXPECT_EQ(f.world->tasks()[1].state, "open");
}

// ---------------------------------------------------------------- sensors and estimators in libraries

namespace {

std::vector<double> column(const World& w, const std::string& name, std::size_t slot) {
  const View v = w.view("ring", name);
  std::vector<double> out(v.shape[2]);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = v.at(slot, k);
  return out;
}
double far_apart(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// the example with its library beside it, and a part of it changed
std::string write_beacon(const core::ScratchFolder& folder, const std::string& part = "seed: 6", const std::string& other = "seed: 6") {
  const auto built = cli::build_plugin(kExamples + "/plugins/beacon.cpp", folder.file("beacon.so"));
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  return folder.write("beacon.yaml", with(text_of(kExamples + "/plugins/beacon.yaml"), part, other));
}

}  // namespace

TEST(ScriptFlight, ASensorAndAnEstimatorInALibraryFlyTheExample) {
  core::ScratchFolder folder;
  Flown f = load_flown(write_beacon(folder));
  const VehicleId id = f.world->vehicles()[4];
  for (int k = 0; k < 100; ++k) {
    f.world->step(10);
    const Vec place = f.world->position_of(id), beacon = {0, 0, 2};
    const std::vector<double> reading = column(*f.world, "own.beacon", 4);
    EXPECT_NEAR(reading[0], far_apart(place, beacon), 0.1001) << "of the state after the tick";
    EXPECT_EQ(reading[1], k + 1) << "it remembers how many there were";
    EXPECT_EQ(column(*f.world, "own.beacon.tick", 4)[0], 10 * (k + 1));
    const std::vector<double> e = column(*f.world, "estimate.position", 4);
    EXPECT_LT(far_apart({e[0] + e[3], e[1] + e[4], e[2] + e[5]}, place), 1.5);
  }
  EXPECT_EQ(column(*f.world, "estimate.position_std", 4)[0], 1) << "GNSS corrected it";
  EXPECT_EQ(column(*f.world, "plugin.refused", 4)[0], 0);
  EXPECT_NE(column(*f.world, "own.beacon", 3)[0], column(*f.world, "own.beacon", 4)[0]) << "each has its own draws";
  Flown blind = load_flown(write_beacon(folder, "estimator: {kind: plugin, plugin: {file: beacon.so}}",
                                        "estimator: {kind: plugin, plugin: {file: beacon.so, params: {position_gain: 0, velocity_gain: 0}}}"));
  blind.world->step(1000);
  EXPECT_NE(blind.world->position_of(id), f.world->position_of(id)) << "its vehicles fly by the estimate";
}

TEST(ScriptFlight, SensorsInALibraryGiveOneAnswerOnAnyThreadsAfterASnapshotAndInAReplay) {
  core::ScratchFolder folder;
  const std::string scenario = write_beacon(folder, "count: 6", "count: 40");
  expect_one_answer(scenario, 120);
  Flown f = load_flown(scenario);
  const auto hashes = record(f, folder.file("a.vrec"), 150);
  EXPECT_NE(hashes[150], hashes[0]);
  std::filesystem::remove(folder.file("beacon.so"));
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  VerifyOptions trusting;
  trusting.may_run = scenario::run_any;
  const auto v = verify(*r, trusting);
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 151u);
  EXPECT_FALSE(verify(*r, VerifyOptions{})) << "native code runs only where somebody trusts it";
}

TEST(ScriptFlight, AResultThatIsNotFiniteOrAnExceptionIsRefusedAndCounted) {
  core::ScratchFolder folder;
  folder.write("bad.cpp", "#include <volary/sensor_plugin.h>\n"
                          "static uint32_t measure(const volary_measuring* m, void* memory, double* v) {\n"
                          "  ++*static_cast<unsigned char*>(memory);\n"
                          "  if (m->tick == 3) throw 1;\n"
                          "  v[0] = m->tick == 5 ? 0.0 / (m->time - m->time) : *static_cast<unsigned char*>(memory);\n  return 1;\n}\n"
                          "static void estimate(const volary_estimating* e, void*, volary_estimate* out) { if (e->tick > 2) out->motion.attitude[0] = 7; }\n"
                          "static const volary_sensor_info sensor = {VOLARY_SENSOR_PLUGIN_VERSION, 1, \"bad\", \"\", nullptr, 0, 1, measure};\n"
                          "static const volary_estimator_info estimator = {VOLARY_SENSOR_PLUGIN_VERSION, 0, \"bad\", \"\", nullptr, 0, estimate};\n"
                          "const volary_sensor_info* volary_sensor(void) { return &sensor; }\n"
                          "const volary_estimator_info* volary_estimator(void) { return &estimator; }\n");
  const auto built = cli::build_plugin(folder.file("bad.cpp"), folder.file("bad.so"));
  ASSERT_TRUE(built) << built.error().text();
  Flown f = load_flown(folder.write("bad.yaml", "name: bad\nduration: 1\nflocks:\n  - name: ring\n    airframe: x500\n    vehicles: {grid: {count: 2}}\n"
                                                "    sensors: {imu: {}, own: [{name: bad, plugin: {file: bad.so}}]}\n"
                                                "    estimator: {kind: plugin, plugin: {file: bad.so}}\n"));
  f.world->step(6);
  EXPECT_EQ(column(*f.world, "own.bad", 1)[0], 4) << "what a refused call remembered is forgotten";
  EXPECT_EQ(column(*f.world, "own.bad.tick", 1)[0], 6);
  EXPECT_EQ(column(*f.world, "plugin.refused", 1)[0], 2 + 4) << "readings of ticks 3 and 5, estimates of ticks 3 to 6";
}

TEST(ScriptFlight, WhatIsWrongWithALibraryOfASensorIsSaidWhereTheScenarioNamesIt) {
  core::ScratchFolder folder;
  const auto refusal = [&](const std::string& part, const std::string& other) {
    scenario::Bundle bundle;
    const auto paths = cli::scenario_paths();
    const auto def = scenario::load_scenario(write_beacon(folder, part, other), scenario::Paths{paths.assets, paths.max_vehicles}, {}, bundle);
    return def ? std::string() : def.error().text();
  };
  const auto has = [](const std::string& text, const char* words) { EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' in: " << text; };
  has(refusal("beacon.so, params: {z: 2}", "beacon.so, params: {w: 2}"), "there is no parameter 'w'");
  has(refusal("beacon.so, params: {z: 2}", "becon.so"), "becon.so");
  has(refusal("name: beacon, plugin", "name: beacon, size: 3, plugin"), "a reading of this plugin has 2 numbers, and not 3");
  has(refusal("kind: plugin, plugin: {file: beacon.so}", "kind: plugin"), "an estimator of the kind plugin needs one");
  has(refusal("kind: plugin, plugin", "kind: ekf, plugin"), "an estimator of another kind has no plugin");
  ASSERT_TRUE(cli::build_plugin(kExamples + "/plugins/circle.cpp", folder.file("circle.so")));
  has(refusal("file: beacon.so, params: {z: 2}", "file: circle.so"), "does not export volary_sensor()");
  has(refusal("kind: plugin, plugin: {file: beacon.so}", "kind: plugin, plugin: {file: circle.so}"), "does not export volary_estimator()");
}

// ---------------------------------------------------------------- log and plot

namespace {

std::vector<std::string> logged(World& w) {
  std::vector<std::string> lines;
  for (const Event& e : w.take_events())
    if (e.what.starts_with("log: ")) lines.push_back(e.name + ": " + e.what.substr(5));
  return lines;
}

}  // namespace

// The worked example of docs/scripts.md: what it prints, shows and corrects.
TEST(ScriptFlight, TheMistakeOfTheManualIsFoundWithLogAndPlot) {
  const std::string manual = text_of(std::string(VOLARY_SOURCE_DIR) + "/docs/scripts.md"), script = text_of(kExamples + "/behaviours/train.lua");
  const std::string right = "    speed = p.speed + p.gain * (gap - p.gap)\n", wrong = "    speed = p.speed + p.gain * (p.gap - gap)\n";
  for (const std::string& part : {right, wrong, std::string("    plot(\"gap\", gap)\n    plot(\"speed\", speed)\n    if speed < 0 then log(")})
    EXPECT_NE(manual.find(part), std::string::npos) << part;
  core::ScratchFolder folder;
  const std::string scenario = folder.write("train.yaml", text_of(kExamples + "/behaviours/train.yaml"));
  folder.write("train.lua", with(script, right, wrong));
  Flown bad = load_flown(scenario);
  bad.world->step(1000);
  const auto lines = logged(*bad.world);
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(manual.find(lines[0]), std::string::npos) << "the manual shows another line than " << lines[0];
  const VehicleId second = bad.world->vehicles()[1];
  EXPECT_GT(bad.world->view("train", "plot.gap").at(bad.world->slot_of(second)), 20) << "the gap grows";
  EXPECT_LT(bad.world->view("train", "plot.speed").at(bad.world->slot_of(second)), 0) << "and yet it flies backwards";
  bad.world->step(2000);
  EXPECT_NE(bad.world->tasks()[0].state, "done");

  folder.write("train.lua", script);
  Flown good = load_flown(scenario);
  good.world->step(3000);
  EXPECT_TRUE(logged(*good.world).empty());
  EXPECT_NEAR(good.world->view("train", "plot.gap").at(good.world->slot_of(good.world->vehicles()[1])), 5, 0.5);
  EXPECT_EQ(good.world->tasks()[0].state, "done");
}

TEST(ScriptFlight, ARecordingHasWhatTheWorldHadInItsColumnsBitForBitAtEveryTick) {
  core::ScratchFolder folder;
  Flown f = load_flown(kExamples + "/behaviours/train.yaml");
  const std::vector<VehicleId> ids = f.world->vehicles();
  std::vector<std::vector<double>> columns;  // by tick, by vehicle
  const auto look = [&](World& w) {
    std::vector<double> row;
    const std::optional<View> gap = w.find_view("train", "plot.gap");
    for (const VehicleId id : ids) row.push_back(gap && w.is_alive(id) ? gap->at(w.slot_of(id)) : std::nan(""));
    columns.push_back(row);
  };
  RecorderOptions often;
  often.commit_seconds = 0;  // many blocks
  record(f, folder.file("a.vrec"), 300, often, look);
  look(*f.world);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  ASSERT_TRUE(r->has_plots());
  const auto series = r->plots();
  ASSERT_TRUE(series) << series.error().text();
  ASSERT_EQ(series.value().size(), 2u);
  EXPECT_EQ(series.value()[0].name, "gap");
  EXPECT_EQ(series.value()[1].name, "speed");
  std::size_t compared = 0;
  for (std::uint64_t tick = 0; tick < columns.size(); ++tick)
    for (std::uint32_t v = 0; v < ids.size(); ++v) {
      const std::optional<double> stored = series.value()[0].at(v, tick);
      if (std::isnan(columns[tick][v])) {
        EXPECT_FALSE(stored) << tick;
      } else {
        ASSERT_TRUE(stored) << tick;
        EXPECT_EQ(*stored, columns[tick][v]) << tick;
        ++compared;
      }
    }
  EXPECT_GT(compared, 800u);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
}

TEST(ScriptFlight, ARecordingWithoutViewHasNoPlotsAndOneWithoutScriptsNoBlockOfThem) {
  core::ScratchFolder folder;
  RecorderOptions none;
  none.view = false;
  Flown f = load_flown(kExamples + "/behaviours/train.yaml");
  record(f, folder.file("a.vrec"), 50, none);
  EXPECT_FALSE(open_recording(folder.file("a.vrec"))->has_plots());
  Flown plain = load_flown(kExamples + "/behaviours/flock.yaml");
  record(plain, folder.file("b.vrec"), 50);
  EXPECT_FALSE(open_recording(folder.file("b.vrec"))->has_plots());
}

TEST(ScriptFlight, ATaskDoesNotSeeWhatBehavioursLog) {
  core::ScratchFolder folder;
  folder.write("quiet.lua", "function holds(world)\n  return #world.events == 0, 'an event: ' .. (world.events[1] or '')\nend\n");
  folder.write("loud.lua", "function act(me)\n  log('crashed') log('stopped deciding')\n  hold()\nend\n");
  const std::string scenario = folder.write("loud.yaml",
                                            "name: loud\nduration: 1\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3, origin: [0, 0, 5]}}\n"
                                            "    start: hold\n    mission: {hold: {height: 0}}\n    behaviours: [{script: {file: loud.lua}}]\n"
                                            "tasks:\n  - {name: quiet, always: {script: {file: quiet.lua}}}\n  - {name: nobody lost, no_event: crashed}\n");
  Flown f = load_flown(scenario);
  f.world->step(100);
  EXPECT_FALSE(logged(*f.world).empty());
  for (const TaskStanding& t : f.world->tasks()) EXPECT_EQ(t.state, "done") << t.name << ": " << t.detail;
}

TEST(ScriptFlight, TheProgramPrintsTheFirstLinesAndListsAllOfThemFromTheRecording) {
  core::ScratchFolder folder;
  folder.write("loud.lua", "function act(me)\n  log('at', me.id)\n  plot('id', me.id)\n  hold()\nend\n");
  const std::string scenario = folder.write("loud.yaml",
                                            "name: loud\nduration: 1\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3, origin: [0, 0, 5]}}\n"
                                            "    start: hold\n    mission: {hold: {height: 0}}\n    behaviours: [{script: {file: loud.lua}}]\n");
  const auto program = [&](const std::string& arguments) {
    const int status = std::system((std::string(VOLARY_PROGRAM) + " " + arguments + " > " + folder.file("out") + " 2> " + folder.file("err")).c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0) << text_of(folder.file("err"));
  };
  program("run " + scenario + " --headless --record " + folder.file("a.vrec"));
  const std::string err = text_of(folder.file("err"));
  EXPECT_NE(err.find("volary: log: 0.0"), std::string::npos) << err;
  EXPECT_NE(err.find("loud: at 1"), std::string::npos) << err;
  EXPECT_NE(err.find("volary: log: 10 more lines; volary replay FILE --events lists them all"), std::string::npos) << err;
  EXPECT_NE(text_of(folder.file("out")).find("events/log"), std::string::npos);
  program("replay " + folder.file("a.vrec") + " --events");
  const std::string events = text_of(folder.file("out"));
  std::size_t n = 0;
  for (std::size_t at = events.find("log: loud: at"); at != events.npos; at = events.find("log: loud: at", at + 1)) ++n;
  EXPECT_EQ(n, 30u);
  program("replay " + folder.file("a.vrec"));
  EXPECT_NE(text_of(folder.file("out")).find("plots/id"), std::string::npos) << text_of(folder.file("out"));
}

TEST(ScriptFlight, APluginLogsAndPlotsAsAScriptDoes) {
  core::ScratchFolder folder;
  const auto write = [&](const std::string& value) {
    folder.write("teller.cpp", "#include <volary/plugin.h>\n"
                               "static void act(const volary_sense* s, void*, volary_action* a, volary_outbox* out) {\n"
                               "  a->kind = VOLARY_HOLD;\n  for (int i = 0; i < 9; ++i) out->log(out, \"told\");\n  out->plot(out, \"height\", " + value + ");\n}\n"
                               "static const volary_plugin_info info = {VOLARY_PLUGIN_VERSION, 0, \"teller\", \"\", nullptr, 0, nullptr, act};\n"
                               "const volary_plugin_info* volary_plugin(void) { return &info; }\n");
    const auto built = cli::build_plugin(folder.file("teller.cpp"), folder.file("teller.so"));
    EXPECT_TRUE(built) << (built ? "" : built.error().text());
    return folder.write("teller.yaml",
                        "name: teller\nduration: 1\nflocks:\n  - name: a\n    airframe: nuswarm\n    vehicles: {list: [{position: [0, 0, 10]}]}\n"
                        "    start: hold\n    mission: {hold: {height: 0}}\n    behaviours: [{plugin: {file: teller.so}}]\n");
  };
  Flown f = load_flown(write("s->position.z"));
  f.world->step(100);
  const auto lines = logged(*f.world);
  ASSERT_EQ(lines.size(), 21u) << "twenty a second, and one that counts the others";
  EXPECT_NE(lines[0].find("teller: told"), std::string::npos);
  EXPECT_NE(lines.back().find("70 line(s) dropped"), std::string::npos) << lines.back();
  EXPECT_NEAR(f.world->view("a", "plot.height").at(0), 10, 0.1);
  Flown bad = load_flown(write("s->position.x / 0.0"));
  bad.world->step(100);
  bool stopped = false;
  for (const Event& e : bad.world->take_events()) stopped = stopped || e.what.find("teller.so: plot(): the value of 'height' is not a finite number") != e.what.npos;
  EXPECT_TRUE(stopped);
}

TEST(ScriptFlight, APluginOfAnotherVersionIsRefusedWithTheFieldThatNamesIt) {
  core::ScratchFolder folder;
  const std::string scenario = write_circle(folder);
  // what a library of the first version looked like from outside
  folder.write("old.c",
               "struct info { unsigned version, memory; const char* name; void* rest[8]; };\nstatic const struct info old = {1, 0, \"old\", {0}};\n"
               "const void* volary_plugin(void) { return &old; }\n");
  ASSERT_EQ(std::system(("for c in cc clang-19; do $c -shared -fPIC -o " + folder.file("circle.so") + " " + folder.file("old.c") + " && break; done").c_str()),
            0);
  const auto loaded = scenario::load_scenario(scenario, scenario::Paths{cli::scenario_paths().assets});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().field, "flocks[0].behaviours[0].plugin.file");
  EXPECT_GT(loaded.error().line, 0);
  EXPECT_NE(loaded.error().message.find("made for version 1 of the plugin interface; this program has version 4"), std::string::npos) << loaded.error().text();
  EXPECT_NE(loaded.error().suggestion.find("volary plugin build"), std::string::npos);
}

}  // namespace volary::replay
