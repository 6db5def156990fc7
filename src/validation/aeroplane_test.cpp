// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Logged flights of aeroplanes: what the parameters of ArduPlane mean here, and a flight that we made ourselves, of which we know what was flown.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "core/scratch_folder.hpp"
#include "scenario/airframe.hpp"
#include "validation/check.hpp"
#include "validation/plane_flight.hpp"

namespace volary::validation {
namespace {

constexpr double kDegrees = 57.29577951308232;

airframe::AircraftDef ultra_stick() {
  const auto loaded = scenario::load_airframe("assets/vehicles/ultra_stick.yaml");
  EXPECT_TRUE(loaded) << loaded.error().text();
  return *static_cast<const airframe::AircraftDef*>(loaded.value().definition.get());
}

// gains of a published log (priseborough/InertialNav 037c5c3, TestData/TestLog2.mat)
std::map<std::string, double> logged_parameters() {
  return {
      {"ARSPD_FBW_MAX", 24},    {"ARSPD_FBW_MIN", 12},    {"KFF_RDDRMIX", 0.5},     {"LIM_PITCH_MAX", 2700},  {"LIM_PITCH_MIN", -1500}, {"LIM_ROLL_CD", 4500},
      {"NAVL1_DAMPING", 0.75},  {"NAVL1_PERIOD", 15},     {"PTCH2SRV_D", 0.08},     {"PTCH2SRV_I", 0.2},      {"PTCH2SRV_IMAX", 1500},  {"PTCH2SRV_P", 1.6},
      {"PTCH2SRV_RLL", 1},      {"PTCH2SRV_RMAX_DN", 30}, {"PTCH2SRV_RMAX_UP", 30}, {"PTCH2SRV_TCONST", 0.5}, {"RLL2SRV_D", 0.1},       {"RLL2SRV_I", 0.2},
      {"RLL2SRV_IMAX", 1500},   {"RLL2SRV_P", 2},         {"RLL2SRV_RMAX", 60},     {"RLL2SRV_TCONST", 0.5},  {"SCALING_SPEED", 15},    {"TECS_CLMB_MAX", 6},
      {"TECS_INTEG_GAIN", 0.1}, {"TECS_PTCH_DAMP", 0},    {"TECS_RLL2THR", 20},     {"TECS_SINK_MAX", 5},     {"TECS_SINK_MIN", 1.5},   {"TECS_SPDWEIGHT", 1},
      {"TECS_THR_DAMP", 0.5},   {"TECS_TIME_CONST", 5},   {"THR_MAX", 100},         {"THR_MIN", 0},           {"TRIM_ARSPD_CM", 1600},  {"TRIM_THROTTLE", 45},
      {"YAW2SRV_DAMP", 0},      {"YAW2SRV_IMAX", 1500},   {"YAW2SRV_INT", 0},       {"YAW2SRV_RLL", 1},       {"YAW2SRV_SLIP", 0}};
}

// an automatic flight from 0 to 30 s and one by wire from there to 40 s, with turns, climbs, and a steady airspeed
PlaneLog demands() {
  PlaneLog log;
  log.folder = "made";
  log.parameters = logged_parameters();
  log.modes = {{0, kAutomaticMode}, {30, 5}};
  for (int k = 0; k <= 400; ++k) {
    const double t = 0.1 * k;
    const auto add = [&](Signal& s, double value) { s.time.push_back(t), s.value.push_back(value); };
    add(log.wanted_roll, (std::fmod(t, 8) < 4 ? 35 : -25) / kDegrees);
    add(log.wanted_pitch, (std::fmod(t, 11) < 5 ? 10 : -3) / kDegrees);
    add(log.throttle, std::fmod(t, 13) < 6 ? 0.8 : 0.4);
    add(log.airspeed, 16), add(log.height, 100), add(log.rudder, 0);
    for (Signal* s : {&log.roll, &log.pitch, &log.p, &log.q, &log.r}) add(*s, 0);
  }
  return log;
}
// the log of our aeroplane flying those demands
PlaneLog flown_by(const airframe::AircraftDef& plane) {
  PlaneLog log = demands();
  const core::Result<PlaneResponse> f = fly_log(plane, log, 0, 40);
  EXPECT_TRUE(f) << f.error().text();
  log.roll = {f.value().time, f.value().roll}, log.pitch = {f.value().time, f.value().pitch};
  log.p = {f.value().time, f.value().p}, log.q = {f.value().time, f.value().q}, log.r = {f.value().time, f.value().r};
  return log;
}
const Identified kTruth = {-0.4, 0.3, 0.1, -0.3, 0.2, 0.3, -0.2, 0.3};

std::string csv(const std::string& names, const std::vector<std::pair<const Signal*, double>>& columns) {
  std::string text = names + "\n";
  for (std::size_t k = 0; k < columns.front().first->time.size(); ++k) {
    text += fmt::format("{:.3f}", columns.front().first->time[k]);
    for (const auto& [signal, factor] : columns) text += fmt::format(",{:.6f}", factor * signal->value[k]);
    text += "\n";
  }
  return text;
}

class Aeroplane : public ::testing::Test {
 protected:
  void write(const PlaneLog& log, const std::string& folder = "flight") {
    scratch_.write(folder + "/ATT.csv", csv("t_s,Roll,Pitch", {{&log.roll, kDegrees}, {&log.pitch, kDegrees}}));
    scratch_.write(folder + "/IMU.csv", csv("t_s,GyrX,GyrY,GyrZ", {{&log.p, 1}, {&log.q, 1}, {&log.r, 1}}));
    scratch_.write(folder + "/CTUN.csv", csv("t_s,NavRoll,NavPitch,ThrOut,RdrOut",
                                             {{&log.wanted_roll, kDegrees}, {&log.wanted_pitch, kDegrees}, {&log.throttle, 100}, {&log.rudder, 4500}}));
    scratch_.write(folder + "/NTUN.csv", csv("t_s,Arspd,Alt", {{&log.airspeed, 1}, {&log.height, 1}}));
    std::string modes = "t_s,mode\n", parameters;
    for (const ModeChange& m : log.modes) modes += fmt::format("{},{}\n{},{}\n", m.time, m.mode, m.time, m.mode);
    for (const auto& [name, value] : log.parameters) parameters += fmt::format("{}\"{}\": {}", parameters.empty() ? "{" : ", ", name, value);
    scratch_.write(folder + "/MODE.csv", modes);
    scratch_.write(folder + "/parameters.json", parameters + "}");
  }
  core::Result<CheckReport> run(std::optional<std::pair<double, double>> window = {}) const { return kAeroplaneCheck.run({scratch_.path(), "assets", window}); }
  core::ScratchFolder scratch_;
};

double figure(const CheckReport& r, const std::string& name) {
  for (const Figure& f : r.figures)
    if (f.name == name) return f.value;
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

// ---------------------------------------------------------------- parameters

// By hand: D answers to rate errors; P 2 less I 0.2 x 0.5 s is 1.9 deg per deg, over 0.5 s and less D 0.85 deg per deg/s, all of 45 deg of travel:
// 52.9 deg/s call for full aileron.
TEST_F(Aeroplane, parameters_of_the_autopilot_become_gains) {
  const auto gains = gains_of(demands(), {});
  ASSERT_TRUE(gains) << gains.error().text();
  const control::WingGains<double>& g = gains.value();
  EXPECT_NEAR(g.rate_ff.x * (45 / 0.85) / kDegrees, 1, 1e-12);
  EXPECT_NEAR(g.rate_ff.y * (45 / 0.67) / kDegrees, 1, 1e-12);
  EXPECT_NEAR(g.rate_p.x, 0.1 / 45 * kDegrees, 1e-12);
  EXPECT_NEAR(g.rate_i.y, 0.1 / 45 * kDegrees, 1e-12);
  EXPECT_NEAR(g.integral_limit.y, 1.0 / 3, 1e-12);
  EXPECT_NEAR(g.roll_rate * kDegrees, 60, 1e-9);
  EXPECT_NEAR(g.max_bank * kDegrees, 45, 1e-9);
  EXPECT_NEAR(g.pitch_min * kDegrees, -15, 1e-9);
  EXPECT_EQ(g.airspeed_cruise, 16);
  EXPECT_EQ(g.rudder_mix, 0.5);
  EXPECT_EQ(g.throttle_trim, 0.45);
}

TEST_F(Aeroplane, parameters_that_are_missing_or_mean_something_else_are_refused) {
  PlaneLog log = demands();
  log.parameters.erase("RLL2SRV_TCONST");
  log.parameters["RLL2SRV_TCONS"] = 0.5;
  const auto missing = gains_of(log, {});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("'RLL2SRV_TCONST'"), std::string::npos);
  EXPECT_NE(missing.error().text().find("RLL2SRV_TCONS"), std::string::npos) << missing.error().text();
  log = demands();
  log.parameters["YAW2SRV_SLIP"] = 0.3;
  EXPECT_FALSE(gains_of(log, {}));
}

// ---------------------------------------------------------------- a flight of our own

TEST_F(Aeroplane, flies_its_own_flight_again_to_the_bit) {
  const PlaneLog log = flown_by(ultra_stick());
  const auto again = fly_log(ultra_stick(), log, 0, 40);
  ASSERT_TRUE(again);
  EXPECT_EQ(again.value().roll, log.roll.value);
  EXPECT_EQ(again.value().pitch, log.pitch.value);
  // and it does what it is told
  EXPECT_NEAR(log.roll.at(3.9) * kDegrees, 35, 3);
  EXPECT_NEAR(log.roll.at(7.9) * kDegrees, -25, 3);
}

TEST_F(Aeroplane, what_is_unknown_of_an_aeroplane_is_found_from_its_flight) {
  const airframe::AircraftDef plane = ultra_stick();
  const PlaneLog log = flown_by(with(plane, kTruth));
  const auto found = identify_plane(plane, log, {{0, 20, kAutomaticMode}});
  ASSERT_TRUE(found) << found.error().text();
  // what matters for the response: how much aileron and elevator do against damping
  EXPECT_NEAR(found.value()[0] - found.value()[1], kTruth[0] - kTruth[1], 0.15);
  EXPECT_NEAR(found.value()[3], kTruth[3], 0.3);
  // an untouched airframe is further off
  const auto known = fly_log(with(plane, found.value()), log, 20, 40), guessed = fly_log(plane, log, 20, 40);
  ASSERT_TRUE(known && guessed);
  double near = 0, far = 0;
  for (std::size_t k = 0; k < known.value().time.size(); ++k) {
    const double t = known.value().time[k];
    near += std::pow(known.value().pitch[k] - log.pitch.at(t), 2) + std::pow(known.value().roll[k] - log.roll.at(t), 2);
    far += std::pow(guessed.value().pitch[k] - log.pitch.at(t), 2) + std::pow(guessed.value().roll[k] - log.roll.at(t), 2);
  }
  EXPECT_LT(near, 0.05 * far);
}

TEST_F(Aeroplane, the_check_fits_what_it_does_not_score) {
  PlaneLog log = flown_by(with(ultra_stick(), kTruth));
  // the rudder as the laws gave it, logged ten times a second
  const auto rudder = rudder_of_laws(ultra_stick(), log, log.rudder.time);
  ASSERT_TRUE(rudder);
  log.rudder.value = rudder.value();
  write(log);
  const auto report = run();
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_TRUE(report.value().errors.empty()) << report.value().errors[0].text();
  EXPECT_GT(figure(report.value(), "aeroplane/flight/roll_r2"), 0.99);
  EXPECT_GT(figure(report.value(), "aeroplane/flight/pitch_r2"), 0.97);
  EXPECT_GT(figure(report.value(), "aeroplane/flight/law_r2"), 0.99);
  EXPECT_NE(report.value().remarks[0].find("identified on 30.0 to 39.9 s"), std::string::npos) << report.value().remarks[0];
  const auto part = run({{10, 20}});
  ASSERT_TRUE(part);
  EXPECT_NE(part.value().remarks[0].find("0.0 to 10.0 s, 20.0 to 29.9 s, 30.0"), std::string::npos) << part.value().remarks[0];
  EXPECT_EQ(part.value().pictures[0].x.front(), 10);
}

// An aeroplane that answers the other way round does not pass.
TEST_F(Aeroplane, a_flight_that_is_not_ours_is_told_apart) {
  PlaneLog log = flown_by(ultra_stick());
  for (double& x : log.roll.value) x = -x;
  write(log);
  const auto report = run();
  ASSERT_TRUE(report);
  for (const Figure& f : report.value().figures) {
    if (f.name == "aeroplane/flight/roll_r2") EXPECT_FALSE(f.holds());
  }
}

TEST_F(Aeroplane, faults_of_a_log_are_placed) {
  const PlaneLog log = demands();
  const auto error_after = [&](const std::string& file, const std::string& text) {
    write(log);
    scratch_.write("flight/" + file, text);
    const auto report = run();
    return report && !report.value().errors.empty() ? report.value().errors[0].text() : std::string("none");
  };
  EXPECT_NE(error_after("CTUN.csv", "t_s,NavRol,NavPitch,ThrOut,RdrOut\n0,0,0,0,0\n").find("no column 'NavRoll' (did you mean 'NavRol'?)"), std::string::npos)
      << error_after("CTUN.csv", "t_s,NavRol,NavPitch,ThrOut,RdrOut\n0,0,0,0,0\n");
  EXPECT_NE(error_after("NTUN.csv", "t_s,Arspd,Alt\n0,16,1\n1,x,1\n").find("NTUN.csv:3:3: 'x' is not a number"), std::string::npos)
      << error_after("NTUN.csv", "t_s,Arspd,Alt\n0,16,1\n1,x,1\n");
  EXPECT_NE(error_after("NTUN.csv", "t_s,Arspd,Alt\n2,16,1\n1,15,1\n").find("time goes backwards"), std::string::npos);
  EXPECT_NE(error_after("MODE.csv", "t_s,mode\n0,0\n").find("never flown automatically"), std::string::npos);
  EXPECT_NE(error_after("parameters.json", "[1]").find("not an object"), std::string::npos);
  write(log);
  const auto outside = run({{35, 60}});
  ASSERT_TRUE(outside);
  EXPECT_NE(outside.value().errors.at(0).text().find("The log goes from 0 to 40 s"), std::string::npos) << outside.value().errors.at(0).text();
}

// By hand: nothing flies the demands from 12 to 20 s, so that no window may reach into it.
TEST_F(Aeroplane, a_window_in_which_the_laws_did_not_fly_is_refused_and_those_that_can_be_scored_are_named) {
  PlaneLog log = flown_by(ultra_stick());
  log.modes = {{0, kAutomaticMode}, {12, 0}, {20, 5}};
  write(log);
  const auto manual = run({{10, 15}});
  ASSERT_TRUE(manual);
  EXPECT_TRUE(manual.value().figures.empty());
  const std::string text = manual.value().errors.at(0).text();
  EXPECT_NE(text.find("0.00 to 11.90 s (mode 10), 20.00 to 39.90 s (mode 5)"), std::string::npos) << text;
  const auto wire = run({{20, 30}});
  ASSERT_TRUE(wire);
  EXPECT_TRUE(wire.value().errors.empty());
}

TEST_F(Aeroplane, a_flight_is_a_folder_that_may_be_named_without_any_other_data) {
  write(flown_by(ultra_stick()), "one"), write(flown_by(ultra_stick()), "two");
  CheckOptions options{"", "assets"};
  EXPECT_FALSE(kAeroplaneCheck.finds_data(options));
  options.flights = {scratch_.file("two") + "/"};
  ASSERT_TRUE(kAeroplaneCheck.finds_data(options));
  ASSERT_TRUE(kAeroplaneCheck.takes_flight(options.flights[0]));
  EXPECT_FALSE(kAeroplaneCheck.takes_flight(scratch_.file("two/ATT.csv")));
  const auto report = kAeroplaneCheck.run(options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report.value().table.size(), 1u);
  EXPECT_GT(figure(report.value(), "aeroplane/two/roll_r2"), 0.99);
}

// ---------------------------------------------------------------- the published log

TEST_F(Aeroplane, the_published_flight_is_nearer_than_sigmas_fit) {
  const char* data = std::getenv("VOLARY_VALIDATION_DATA");
  if (data == nullptr) GTEST_SKIP() << "VOLARY_VALIDATION_DATA does not name the folder of published data";
  const auto report = kAeroplaneCheck.run({data, "assets", {}});
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_TRUE(report.value().errors.empty());
  for (const Figure& f : report.value().figures) EXPECT_TRUE(f.holds()) << f.name << " " << f.value;
  EXPECT_GT(figure(report.value(), "aeroplane/arduplane_log/law_r2"), 0.99);
}

}  // namespace
}  // namespace volary::validation
