// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The program as a shell sees it: exit codes, the form of errors, JSON, and small runs.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include <fmt/format.h>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

struct Ran {
  int code = -1;
  std::string out, err;
};

// what is left of a file when its reader is done with it
std::string take_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  return text;
}

class Cli : public ::testing::Test {
 protected:
  // `after` is shell text that follows the program and its redirections
  Ran run(const std::string& arguments, const std::string& after = "") {
    const std::string files = " >" + (folder_ / "out").string() + " 2>" + (folder_ / "err").string() + " </dev/null ";
    const int status = std::system(("'" VOLARY_PROGRAM "' " + arguments + files + after).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, take_file(folder_ / "out"), take_file(folder_ / "err")};
  }
  std::string write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string tiny() {
    return write(
        "tiny.yaml",
        "name: tiny\nduration: 0.5\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n    mission: {hold: {height: 2}}\n");
  }

  core::ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

// the promised object, or a failure that shows what came instead
nlohmann::json parse_report(const Ran& r, const std::string& command) {
  const auto j = nlohmann::json::parse(r.out, nullptr, false);
  EXPECT_TRUE(j.is_object()) << r.out << r.err;
  if (!j.is_object()) return {};
  EXPECT_EQ(j.value("command", ""), command);
  EXPECT_EQ(j.value("version", ""), VOLARY_VERSION);
  for (const char* key : {"cpu", "cores", "lanes", "os"}) EXPECT_TRUE(j["machine"].contains(key)) << key;
  EXPECT_TRUE(j["rows"].is_array());
  for (const auto& row : j["rows"]) EXPECT_TRUE(row.contains("name") && row.contains("value") && row.contains("unit")) << row;
  return j;
}

nlohmann::json value_of(const nlohmann::json& report, const std::string& name) {
  for (const auto& row : report.value("rows", nlohmann::json::array()))
    if (row["name"] == name) return row["value"];
  return nullptr;
}

TEST_F(Cli, no_command_shows_the_help_and_fails) {
  const Ran r = run("");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_NE(r.err.find("Usage: volary"), std::string::npos);
}

TEST_F(Cli, every_command_has_help_with_examples) {
  for (const char* command : {"", "run", "check", "verify", "bench", "vehicle", "vehicle check", "vehicle import", "validate", "schema", "version", "completion"}) {
    const Ran r = run(std::string(command) + " --help");
    EXPECT_EQ(r.code, 0) << command;
    EXPECT_NE(r.out.find("Examples:"), std::string::npos) << command;
  }
}

TEST_F(Cli, a_misspelt_command_is_suggested) {
  const Ran r = run("rnu");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err, "volary: unknown command 'rnu' (did you mean 'run'?)\n");
}

TEST_F(Cli, a_misspelt_option_is_suggested) {
  const Ran r = run("run --duraton 3");
  EXPECT_EQ(r.code, 2);
  EXPECT_EQ(r.err, "volary: run: unknown option '--duraton' (did you mean '--duration'?)\n");
}

TEST_F(Cli, bad_values_of_options_are_refused) {
  for (const char* arguments : {"run --speed fast", "run --speed -1", "run --threads 0", "run --threads x", "run --lanes 5", "run --set", "run --duration soon",
                                "schema planes", "run a b"}) {
    const Ran r = run(arguments);
    EXPECT_EQ(r.code, 2) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(r.err.rfind("volary: ", 0), 0u) << r.err;
  }
}

TEST_F(Cli, a_scenario_that_is_not_there_is_named) {
  const Ran r = run("run defualt");
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("did you mean 'default'?"), std::string::npos) << r.err;
}

TEST_F(Cli, a_fault_in_a_file_is_one_line_with_its_place) {
  const std::string path = write("bad.yaml", "name: x\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {cuont: 3}}\n");
  for (const char* command : {"run", "check", "verify"}) {
    const Ran r = run(std::string(command) + " " + path + " --json");
    EXPECT_EQ(r.code, 2) << command;
    EXPECT_EQ(r.out, "") << command;
    EXPECT_EQ(r.err.rfind("volary: " + path + ":5:", 0), 0u) << r.err;
    EXPECT_NE(r.err.find("did you mean 'count'?"), std::string::npos) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

TEST_F(Cli, two_mistakes_are_two_lines) {
  write("two.lua", "function act(me)\n  fly(me.positon)\n  print(me.time)\nend\n");
  const std::string path = write("two.yaml", "name: x\nflocks:\n  - name: a\n    airframe: crazyfly\n    vehicles: {grid: {count: 3}}\n"
                                             "    behaviours: [{script: {file: two.lua}}]\n  - {name: b, airframe: crazyflie, vehicles: {grid: {cuont: 3}}}\n");
  for (const char* command : {"run", "check"}) {
    const Ran r = run(std::string(command) + " " + path);
    EXPECT_EQ(r.code, 2) << command;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 4) << r.err;
    for (const char* words : {":4:15: flocks[0].airframe", "did you mean 'crazyflie'?", ":6:", "two.lua:2: me has no 'positon' (did you mean 'position'?)",
                              "two.lua:3: a behaviour has no 'print'", "flocks[1].vehicles.grid.cuont: unknown key (did you mean 'count'?)"})
      EXPECT_NE(r.err.find(words), std::string::npos) << words << " in\n" << r.err;
  }
}

TEST_F(Cli, a_stimulus_is_printed_at_a_place_and_time) {
  const std::string scenario = write("lamp.yaml",
                                     "name: lamp\nduration: 2\nflocks:\n  - name: lamps\n    airframe: beacon\n    vehicles: {list: [{position: [0, 0, 3], name: lamp}]}\n"
                                     "    emits: [{light: {intensity: 100}, from: 1}]\n");
  const Ran r = run("stimulus " + scenario + " light --at 0,4,0.5 --time 1.5 --json");
  EXPECT_EQ(r.code, 0) << r.err;
  const auto report = parse_report(r, "stimulus");
  EXPECT_NEAR(value_of(report, "light").get<double>(), 100.0 / 16, 0.1) << "100 cd, 4 m away from the beacon, which stands on the ground; nobody is there to perceive it";
  EXPECT_EQ(value_of(report, "sources"), 1);
  EXPECT_NEAR(value_of(report, "source/lamp").get<double>(), 4, 0.01);
  EXPECT_EQ(value_of(report, "time"), 1.5);
  const auto before = parse_report(run("stimulus " + scenario + " light --at 0,4,3 --json"), "stimulus");
  EXPECT_EQ(value_of(before, "light"), 0) << "it is lit at 1 s";
  EXPECT_EQ(value_of(before, "sources"), 0);
  EXPECT_NE(run("stimulus " + scenario + " light --at 0,4,3 --time 1.5").out.find("lx"), std::string::npos);
  const std::pair<std::string, const char*> wrong[] = {{"lihgt --at 0,4,3", "did you mean 'light'?"},
                                                       {"light --at 0,4", "east,north,up"},
                                                       {"light --at 0,4,3,2", "east,north,up"},
                                                       {"light --at 0,4,nan", "east,north,up"},
                                                       {"light --at 0,4,3 --time 3", "after the end of the scenario, 2 s"},
                                                       {"light --at 0,4,3 --world 1", "1 world(s)"},
                                                       {"light", "--at"}};
  for (const auto& [arguments, words] : wrong) {
    const Ran bad = run("stimulus " + scenario + " " + arguments);
    EXPECT_EQ(bad.code, 2) << arguments;
    EXPECT_NE(bad.err.find(words), std::string::npos) << bad.err;
  }
}

TEST_F(Cli, run_prints_a_table_and_progress_apart) {
  const Ran r = run("run " + tiny());
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("state hash"), std::string::npos);
  EXPECT_NE(r.err.find("x real time"), std::string::npos);
  EXPECT_EQ(run("run --quiet " + tiny()).err, "");
}

TEST_F(Cli, run_reports_figures_as_json) {
  const Ran r = run("run --json --quiet " + tiny());
  EXPECT_EQ(r.code, 0);
  const auto j = parse_report(r, "run");
  EXPECT_EQ(value_of(j, "vehicles"), 3);
  EXPECT_EQ(value_of(j, "ticks"), 50);
  EXPECT_DOUBLE_EQ(value_of(j, "simulated time").get<double>(), 0.5);
  EXPECT_EQ(value_of(j, "state hash").get<std::string>().size(), 16u);
}

TEST_F(Cli, the_hash_depends_on_the_scenario_alone) {
  const std::string one = run("run --quiet --hash " + tiny()).out;
  EXPECT_EQ(one.size(), 17u);
  EXPECT_EQ(run("run --quiet --hash --threads 3 --lanes 1 " + tiny()).out, one);
  EXPECT_NE(run("run --quiet --hash --duration 0.3 " + tiny()).out, one);
  EXPECT_NE(run("run --quiet --hash --set flocks[0].mission.hold.height=3 " + tiny()).out, one);
}

TEST_F(Cli, a_paced_run_takes_its_time) {
  const auto j = parse_report(run("run --json --quiet --speed 2 " + tiny()), "run");
  EXPECT_GT(value_of(j, "wall time").get<double>(), 0.2);
  EXPECT_LT(value_of(j, "real-time factor").get<double>(), 2.2);
}

TEST_F(Cli, controllers_are_compared_when_asked) {
  const auto j = parse_report(run("run --json --quiet --compare-controllers " + tiny()), "run");
  for (const char* name : {"rpt/jerk=1", "rpt/jerk=0", "cascade", "geometric", "rpt/jerk=1/epsilon=x0.6", "rpt/jerk=1/epsilon=x2"})
    EXPECT_TRUE(value_of(j, std::string("compare/") + name + "/max").is_number()) << name;
}

// a tick is due every ten seconds of the wall: nobody waits for it
TEST_F(Cli, interrupting_does_not_wait_for_the_next_tick) {
  const auto begin = std::chrono::steady_clock::now();
  const Ran r = run("run " + tiny() + " --speed 0.001 --headless", "& sleep 1; kill -INT $!; wait $!");
  EXPECT_NE(r.out.find("interrupted"), std::string::npos) << r.out << r.err;
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 8);
}

TEST_F(Cli, interrupting_ends_with_the_table) {
  const Ran r = run("run --quiet --speed 1 --duration 60 " + tiny(), "& sleep 0.5; kill -INT $!; wait $!");
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.out.find("interrupted"), std::string::npos) << r.out << r.err;
}

TEST_F(Cli, check_tells_what_would_run) {
  const Ran r = run("check --json " + tiny());
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(value_of(parse_report(r, "check"), "tiny/vehicles"), 3);
}

TEST_F(Cli, verify_holds_on_a_tiny_scenario) {
  const Ran r = run("verify --json " + tiny());
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  const auto j = parse_report(r, "verify");
  EXPECT_EQ(value_of(j, "tiny/threads=7/lanes=1"), true);
  EXPECT_EQ(value_of(j, "tiny/alone/a[2]"), true);
}

TEST_F(Cli, vehicles_are_checked_and_impossible_ones_refused) {
  const Ran good = run("vehicle check crazyflie --json");
  EXPECT_EQ(good.code, 0);
  EXPECT_GT(value_of(parse_report(good, "vehicle check"), "thrust to weight").get<double>(), 1);
  const Ran misspelt = run("vehicle check crazyfly");
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_NE(misspelt.err.find("did you mean 'crazyflie'?"), std::string::npos) << misspelt.err;
  EXPECT_EQ(run("vehicle check tests/bad/airframe_too_heavy.yaml").code, 2);
  const auto aircraft = parse_report(run("vehicle check aerosonde --json"), "vehicle check");
  EXPECT_LT(value_of(aircraft, "stall airspeed").get<double>(), value_of(aircraft, "cruise airspeed").get<double>());
  EXPECT_LT(value_of(aircraft, "pitch stiffness C_m_alpha").get<double>(), 0);
  const Ran weak = run("vehicle check tests/bad/aircraft_motor_too_weak.yaml");
  EXPECT_EQ(weak.code, 2);
  EXPECT_NE(weak.err.find("its motor is too weak"), std::string::npos) << weak.err;
}

TEST_F(Cli, runs_are_tagged_found_by_their_tags_and_untagged) {
  const std::string runs = " --runs " + (folder_ / "runs").string();
  std::filesystem::create_directories(folder_ / "runs");
  ASSERT_EQ(run("run --quiet --headless --record " + (folder_ / "runs/flight-1.vrec").string() + " " + tiny()).code, 0);
  const auto tags = [&](const std::string& words) {
    const auto rows = parse_report(run("runs --json" + runs + " " + words), "runs")["rows"];
    return rows.empty() ? "no run" : rows[0]["tags"].get<std::string>();
  };
  EXPECT_EQ(run("runs --tag flight paper windy" + runs).code, 0);
  EXPECT_EQ(run("runs --tag flight paper night" + runs).code, 0);
  EXPECT_EQ(tags("night"), "paper windy night");
  EXPECT_EQ(run("runs --untag flight windy absent" + runs).code, 0);
  EXPECT_EQ(tags(""), "paper night");
  EXPECT_EQ(tags("windy"), "no run");
  EXPECT_EQ(run("runs --tag flight ../up" + runs).code, 2);
  EXPECT_EQ(run("runs --tag flight" + runs).code, 2);
  EXPECT_EQ(run("runs --tag nothing paper" + runs).code, 2);
  EXPECT_EQ(run("runs --tag flight a --untag flight b" + runs).code, 2);
  std::filesystem::remove(folder_ / "runs/catalogue.sqlite");
  EXPECT_EQ(tags("paper"), "paper night") << "tags lie beside the recordings";
  EXPECT_EQ(run("runs --untag flight" + runs).code, 0);
  EXPECT_EQ(tags(""), "");
}

TEST_F(Cli, the_schema_is_json_and_the_docs_are_tables) {
  EXPECT_TRUE(nlohmann::json::parse(run("schema").out, nullptr, false).is_object());
  EXPECT_TRUE(nlohmann::json::parse(run("schema airframe").out, nullptr, false).is_object());
  EXPECT_NE(run("schema --docs").out.find("| field |"), std::string::npos);
}

// 2 s of free fall at 31.995 ft/s2 over the turning equator as published trajectories have it, some feet off: it drifts eastward and turns with the Earth
void write_drop(const core::ScratchFolder& folder, double feet_off) {
  std::string inertia = "<DAVEfunc><fileHeader name=\"ball\"/>\n";
  const std::pair<const char*, const char*> outputs[] = {{"totalMass", "1"},
                                                         {"bodyMomentOfInertia_Roll", "1"},
                                                         {"bodyMomentOfInertia_Pitch", "1"},
                                                         {"bodyMomentOfInertia_Yaw", "1"},
                                                         {"bodyProductOfInertia_XY", "0"},
                                                         {"bodyProductOfInertia_ZX", "0"},
                                                         {"bodyProductOfInertia_YZ", "0"},
                                                         {"bodyPositionOfCmWrtMrc_X", "0"},
                                                         {"bodyPositionOfCmWrtMrc_Y", "0"},
                                                         {"bodyPositionOfCmWrtMrc_Z", "0"}};
  for (const auto& [name, value] : outputs)
    inertia += std::string("<variableDef name=\"") + name + "\" varID=\"" + name + "\" units=\"nd\" initialValue=\"" + value + "\"><isOutput/></variableDef>\n";
  folder.write("models/cannonball_inertia.dml", inertia + "</DAVEfunc>\n");
  std::string rows =
      "time,altitudeMsl_ft,feVelocity_ft_s_X,feVelocity_ft_s_Y,feVelocity_ft_s_Z,eulerAngle_deg_Yaw,eulerAngle_deg_Pitch,eulerAngle_deg_Roll,latitude_deg,"
      "longitude_deg,bodyAngularRateWrtEi_deg_s_Roll,bodyAngularRateWrtEi_deg_s_Pitch,bodyAngularRateWrtEi_deg_s_Yaw\n";
  std::string other = rows;
  for (int k = 0; k <= 20; ++k) {
    const double t = 0.1 * k, height = 30000 - 0.5 * 31.995 * t * t + (k > 0 ? feet_off : 0);
    const double east = 7.292115e-5 * 31.995 * t * t;
    const auto row = [&](double h, double v) {
      return std::to_string(t) + "," + std::to_string(h) + ",0," + std::to_string(east) + "," + std::to_string(v) + ",0,0,0,0,0,0.004178074,0,0\n";
    };
    rows += row(height + 0.5, 31.995 * t + 0.5);  // two simulations, a band of 1 ft and 1 ft/s
    other += row(height - 0.5, 31.995 * t - 0.5);
  }
  folder.write("Atmos_01_Drop/Atmos_01_sim_04.csv", rows);
  folder.write("Atmos_01_Drop/Atmos_01_sim_05.csv", other);
}

TEST_F(Cli, validate_puts_figures_beside_their_bars_and_its_exit_code_says_whether_they_hold) {
  write_drop(scratch_, 0);
  const std::string report = (folder_ / "report.md").string();
  const Ran good = run("validate nasa --json --data " + folder_.string() + " --report " + report);
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  const auto j = parse_report(good, "validate");
  for (const auto& row : j["rows"]) EXPECT_TRUE(row.contains("threshold") && row["sense"] == "at_most" && row["holds"] == true) << row;
  EXPECT_LT(value_of(j, "nasa/01/altitude").get<double>(), 0.1);
  EXPECT_TRUE(std::filesystem::exists(report));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "report_plots/nasa_01.svg"));

  write_drop(scratch_, 7);
  const Ran bad = run("validate --data " + folder_.string());
  EXPECT_EQ(bad.code, 1) << bad.out << bad.err;
  EXPECT_NE(bad.out.find("FAILED"), std::string::npos) << bad.out;
}

TEST_F(Cli, validate_without_data_says_so) {
  const Ran none = run("validate --data " + folder_.string());
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("no data for the check 'nasa'"), std::string::npos) << none.err;
  EXPECT_EQ(run("validate --data /no/such/folder").code, 2);
  // a check that was named and has nothing to look at is told in the report too
  write_drop(scratch_, 0);
  const std::string text = (folder_ / "half.md").string();
  const Ran half = run("validate nasa benches --json --data " + folder_.string() + " --report " + text);
  EXPECT_EQ(half.code, 2) << half.err;
  const auto j = parse_report(half, "validate");
  EXPECT_NE(value_of(j, "benches/error").get<std::string>().find("no data for the check 'benches'"), std::string::npos);
  EXPECT_LT(value_of(j, "nasa/01/altitude").get<double>(), 0.1);
  std::ifstream in(text);
  const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_NE(all.find("**Error:** "), std::string::npos) << all;
  const Ran misspelt = run("validate nsa --data " + folder_.string());
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_NE(misspelt.err.find("unknown check 'nsa' (did you mean 'nasa'?)"), std::string::npos) << misspelt.err;
}

TEST_F(Cli, validate_scores_a_recording_by_itself_and_refuses_what_no_check_knows) {
  std::string stand = "Thrust (gf),Motor Optical Speed (RPM)\n";
  for (int rpm = 1000; rpm <= 9000; rpm += 500) stand += std::to_string(5e-5 * rpm * rpm / 10) + "," + std::to_string(rpm) + "\n";
  const Ran alone = run("validate --json --flight " + write("mine.dat", stand));
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_LT(value_of(parse_report(alone, "validate"), "benches/mine/worst").get<double>(), 0.01);
  const Ran unknown = run("validate benches crazyflie --flight " + write("other.csv", "a,b\n1,2\n"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("other.csv"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("gyro_x_dps"), std::string::npos) << unknown.err;
  EXPECT_EQ(run("validate --flight /no/such/file.csv").code, 2);
}

TEST_F(Cli, a_thrust_stand_and_a_drawing_become_an_airframe_that_can_be_checked) {
  std::string stand = "Thrust (gf),Torque (N\xc2\xb7m),Motor Optical Speed (RPM)\n";
  for (int rpm = 1000; rpm <= 9000; rpm += 500)
    stand += std::to_string(5e-5 * rpm * rpm / 10) + "," + std::to_string(8e-10 * rpm * rpm) + "," + std::to_string(rpm) + "\n";
  const std::string bench = write("stand.csv", stand), cad = write("cad.txt", "mass = 0.9 kg\nIxx = 6.0e6 g mm2\nIyy = 6.2e6 g mm2\nIzz = 1.1e7 g mm2\n");
  const std::string out = (folder_ / "made.yaml").string(), plot = (folder_ / "fit.svg").string();
  const std::string command = "vehicle identify --bench " + bench + " --cad " + cad + " --arm 0.17 --out " + out + " --plot " + plot;
  const auto j = parse_report(run(command + " --json"), "vehicle identify");
  EXPECT_TRUE(std::filesystem::exists(plot));
  EXPECT_EQ(run("vehicle check " + out).code, 0);
  // a stand measures no drag: the file says so, and so does its check, instead of a speed of a thousand metres per second
  const Ran bare = run("vehicle check " + out + " --json");
  EXPECT_TRUE(value_of(parse_report(bare, "vehicle check"), "level speed").is_null()) << bare.out;
  EXPECT_NE(bare.out.find("no drag limits it"), std::string::npos);
  const std::string slow = (folder_ / "slow.yaml").string(), measured = "vehicle identify --bench " + bench + " --cad " + cad + " --arm 0.17 --out ";
  const Ran with_drag = run(measured + slow + " --drag-area 0.04"), without = run(measured + (folder_ / "fast.yaml").string());
  EXPECT_EQ(with_drag.err, "");
  EXPECT_NE(without.err.find("fast.yaml has no drag"), std::string::npos) << without.err;
  const double speed = value_of(parse_report(run("vehicle check " + slow + " --json"), "vehicle check"), "level speed").get<double>();
  EXPECT_GT(speed, 5);
  EXPECT_LT(speed, 40);
  const Ran light = run("vehicle identify --bench " + bench + " --mass 0.9 --arm 0.17 --out " + (folder_ / "light.yaml").string());
  EXPECT_NE(light.err.find("identify: the inertia is missing"), std::string::npos) << light.err;
  const Ran again = run(command);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("exists already"), std::string::npos) << again.err;
  write("stand.csv", "Motor Optical Speed (RPM),Voltage (V)\n1000,16\n");
  const Ran missing = run(command);
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("no column with a thrust"), std::string::npos) << missing.err;
}

// sensors of a stand take turns: no row of this file has both thrust and torque; speed follows steps with a lag of 0.1 s
TEST_F(Cli, torque_and_lag_of_a_stand_whose_sensors_take_turns_are_found) {
  std::string stand = "Time (s),Torque (N\xc2\xb7m),Thrust (gf),Motor Optical Speed (RPM)\n";
  double rpm = 0;
  for (int k = 0; k < 2000; ++k) {
    rpm += (1000 * (k / 200) - rpm) * 0.0952;
    const double thrust = 5e-6 * rpm * rpm;  // gf; the torque is 0.015 m times it, with a tare of -0.002 N m and a turned sign
    const std::string values = k % 2 == 0 ? fmt::format("{:.6f},", -0.002 - 0.015 * 9.80665e-3 * thrust) : fmt::format(",{:.4f}", thrust);
    stand += fmt::format("{:.2f},{},{:.1f}\n", 0.01 * k, values, rpm);
  }
  const std::string bench = write("turns.csv", stand), plot = (folder_ / "turns.svg").string();
  const auto command = [&](const char* out, const char* rest) {
    return fmt::format("vehicle identify --bench {} --mass 0.3 --inertia 0.006 0.006 0.011{} --arm 0.17 --out {}", bench, rest, (folder_ / out).string());
  };
  const auto j = parse_report(run(command("turns.yaml", "") + " --json --plot " + plot), "vehicle identify");
  std::map<std::string, double> figures;
  for (const auto& row : j["rows"])
    if (row["value"].is_number()) figures[row["name"]] = row["value"];
  EXPECT_NEAR(figures["moment constant"], 0.015, 1e-4);
  EXPECT_NEAR(figures["torque tare"], -0.002, 1e-5);
  EXPECT_GT(figures["torque R2"], 0.999);
  EXPECT_NEAR(figures["time constant up"], 0.1, 0.005);
  std::ifstream picture(plot), made(folder_ / "turns.yaml");
  EXPECT_NE(std::string(std::istreambuf_iterator<char>(picture), {}).find("thrust and torque over rotor speed"), std::string::npos);
  const std::string yaml(std::istreambuf_iterator<char>(made), {});
  EXPECT_NE(yaml.find("# source: the bench, median of 8 steps"), std::string::npos) << yaml;

  const Ran four = run(command("four.yaml", " 0.001"));
  EXPECT_EQ(four.code, 2);
  EXPECT_NE(four.err.find("--inertia has 4 numbers"), std::string::npos) << four.err;
  EXPECT_EQ(run(command("six.yaml", " 0.0001 0 0")).code, 0);
  // three rotors cannot cancel their torques; five can, with unequal thrusts
  const Ran three = run(command("three.yaml", "") + " --rotors 3");
  EXPECT_EQ(three.code, 2);
  EXPECT_NE(three.err.find("yaw"), std::string::npos) << three.err;
  const Ran five = run(command("five.yaml", "") + " --rotors 5");
  EXPECT_EQ(five.code, 0) << five.err;
  EXPECT_NE(five.out.find("unevenly"), std::string::npos) << five.out;
}

TEST_F(Cli, a_long_warning_does_not_push_the_notes_of_other_rows_aside) {
  const std::string two = write("two.yaml", "flocks: [{name: f, airframe: crazyflie, vehicles: {grid: {count: 2, spacing: 5}}}]\n");
  const Ran ran = run("check " + two);
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_NE(ran.out.find("vehicles pass through each other"), std::string::npos) << ran.out;
  std::istringstream lines(ran.out);
  bool seen = false;
  for (std::string line; std::getline(lines, line);)
    if (line.find("4 substeps") != std::string::npos) {
      seen = true;
      EXPECT_LT(line.size(), 100u) << line;
    }
  EXPECT_TRUE(seen) << ran.out;
}

TEST_F(Cli, a_daveml_model_is_checked_by_the_checks_it_carries) {
  const auto model = [](const char* extra, const char* expected) {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<DAVEfunc xmlns=\"http://daveml.org/2010/DAVEML\">\n<fileHeader name=\"lift\"/>\n"
        "<variableDef name=\"angleOfAttack\" varID=\"alpha\" units=\"deg\"><isInput/></variableDef>\n"
        "<variableDef name=\"totalCoefficientOfLift\" varID=\"CL\" units=\"nd\"><isOutput/></variableDef>\n"
        "<function name=\"f\"><independentVarPts varID=\"alpha\">0, 10</independentVarPts><dependentVarPts varID=\"CL\">0.2, "
        "1.2</dependentVarPts></function>\n{}"
        "<checkData><staticShot name=\"half way\"><checkInputs><signal><varID>alpha</varID><signalValue>5</signalValue></signal></checkInputs>\n"
        "<checkOutputs><signal><varID>CL</varID><signalValue>{}</signalValue><tol>0.01</tol></signal></checkOutputs></staticShot></checkData>\n</DAVEfunc>\n",
        extra, expected);
  };
  const std::string path = write("lift.dml", model("", "0.702"));
  const Ran good = run("vehicle check " + path);
  EXPECT_EQ(good.code, 0) << good.err;
  for (const char* text :
       {"angleOfAttack", "needed", "totalCoefficientOfLift", "2 alpha from 0 to 10", "-0.002", "CL in check 'half way', 0.2 of the tolerance"})
    EXPECT_NE(good.out.find(text), std::string::npos) << text << "\n" << good.out;
  parse_report(run("vehicle check " + path + " --json"), "vehicle check");
  write("lift.dml", model("", "0.8"));
  const Ran off = run("vehicle check " + path);
  EXPECT_EQ(off.code, 1);
  EXPECT_NE(off.err.find("lift.dml:8: check 'half way': CL is 0.7, the file says 0.8"), std::string::npos) << off.err;
  write("lift.dml", model("<wing/>\n", "0.7"));
  const Ran unknown = run("vehicle check " + path);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("lift.dml:7: "), std::string::npos) << unknown.err;
  EXPECT_EQ(run("vehicle check /no/such.dml").code, 2);
}

TEST_F(Cli, a_robot_in_urdf_becomes_a_platform_that_can_be_checked) {
  const std::string quad = "<inertial><mass value=\"1.6\"/><inertia ixx=\"0.0126\" iyy=\"0.0136\" izz=\"0.0237\"/></inertial></link>\n";
  const auto line = [&](const std::string& mass) {
    return "<robot name=\"line\">\n<link name=\"pole\"><inertial><mass value=\"" + mass +
           "\"/><inertia ixx=\"0.001\" iyy=\"0.1\" izz=\"0.1\"/></inertial></link>\n<link name=\"a\">" + quad + "<link name=\"b\">" + quad +
           "<joint name=\"ja\" type=\"ball\"><origin xyz=\"1 0 0.05\"/><parent link=\"pole\"/><child link=\"a\"/></joint>\n" +
           "<joint name=\"jb\" type=\"ball\"><origin xyz=\"-1 0 0.05\"/><parent link=\"pole\"/><child link=\"b\"/></joint>\n</robot>\n";
  };
  const std::string urdf = write("line.urdf", line("1")), out = (folder_ / "line.yaml").string(), command = "vehicle import " + urdf;
  const Ran made = run(command + " --aircraft f450 --json --out " + out);
  EXPECT_EQ(value_of(parse_report(made, "vehicle import"), "mass"), 4.2) << made.err;
  EXPECT_EQ(value_of(parse_report(made, "vehicle import"), "rank"), 5);
  EXPECT_NE(made.err.find("line.urdf:3: moments of inertia of aircraft are not carried over"), std::string::npos) << made.err;
  EXPECT_EQ(run("vehicle check " + out).code, 0);
  const Ran again = run(command + " --aircraft f450 --out " + out);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("the file exists"), std::string::npos) << again.err;

  // without a path, the file itself is what goes to stdout; an aircraft of the user is named from there
  const Ran printed = run(command + " --aircraft f450");
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(printed.out, take_file(out));
  std::filesystem::copy_file(VOLARY_SOURCE_DIR "/assets/vehicles/f450.yaml", folder_ / "mine.yaml");
  std::filesystem::create_directory(folder_ / "made");
  EXPECT_EQ(run(command + " --aircraft " + (folder_ / "mine.yaml").string() + " --out " + (folder_ / "made/line.yaml").string()).code, 0);
  EXPECT_NE(take_file(folder_ / "made/line.yaml").find("airframe: \"../mine.yaml\""), std::string::npos);

  const Ran none = run(command);
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--aircraft is missing: URDF has no rotors, motors and controllers (a multirotor with four rotors: "), std::string::npos) << none.err;
  EXPECT_NE(none.err.find("f450"), std::string::npos) << none.err;
  EXPECT_EQ(none.err.find("hexacopter"), std::string::npos) << none.err;
  EXPECT_EQ(run(command + " --aircraft f540").err, "volary: vehicle import: --aircraft: unknown airframe 'f540' (did you mean 'f450'?)\n");
  EXPECT_NE(run(command + " --aircraft hexacopter").err.find("line.urdf:5: parts[0].airframe: "), std::string::npos);
  EXPECT_NE(run("vehicle import " + write("heavy.urdf", line("9")) + " --aircraft f450").err.find("heavy.urdf:5: parts[0]: hovering takes"), std::string::npos);
  EXPECT_EQ(run("vehicle import /no/such.urdf --aircraft f450").code, 2);
  EXPECT_EQ(run(command + " --aircraft f450 --json").code, 2) << "a report and a file cannot both go to stdout";
}

TEST_F(Cli, the_version_is_one_line_or_one_object) {
  EXPECT_EQ(run("--version").out, VOLARY_VERSION "\n");
  parse_report(run("version --json"), "version");
}

// what a newcomer meets first: a name that is not there, in a script
TEST_F(Cli, a_script_that_fails_is_told_with_file_and_line_once_for_all) {
  write("wrong.lua", "params = { speed = 4 }\nfunction act(me)\n  local name = 'sped'\n  fly(me.params[name], 0, 0)\nend\n");
  const std::string scenario =
      write("wrong.yaml",
            "name: wrong\nduration: 1\nflocks:\n  - name: a\n    airframe: nuswarm\n    vehicles: {grid: {count: 5, spacing: 5}}\n    start: hold\n"
            "    mission: {hold: {height: 3}}\n    behaviours:\n      - script: {file: wrong.lua}\n");
  const std::string recording = (folder_ / "w.vrec").string();
  const Ran r = run("run " + scenario + " --headless --quiet --json --record " + recording);
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.err.find("wrong.lua:4: me.params has no 'sped' (did you mean 'speed'?) (5 vehicle(s), first a"), std::string::npos) << r.err;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  for (const auto& row : parse_report(r, "run")["rows"])
    if (row["name"] == "events/stopped deciding") {
      EXPECT_EQ(row["value"], 5);
      EXPECT_NE(row["note"].get<std::string>().find("wrong.lua:4"), std::string::npos);
    }

  const Ran events = run("replay " + recording + " --events --json");
  EXPECT_EQ(events.code, 0) << events.err;
  const auto rows = parse_report(events, "replay")["rows"];
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_LE(rows[0]["time"], 0.1);
  EXPECT_EQ(rows[0]["vehicle"].get<std::string>().substr(0, 1), "a");
  EXPECT_NE(rows[0]["value"].get<std::string>().find("wrong.lua:4"), std::string::npos);
  EXPECT_NE(run("replay " + recording + " --events").out.find("stopped deciding"), std::string::npos);
}

}  // namespace
}  // namespace volary::cli
