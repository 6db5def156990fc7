// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in weather: flown again to the same bit with all that was changed in flight, branched off into other weather, and put on a map.
#include <cmath>

#include "environment/weather.hpp"
#include "record_support_test.hpp"
#include "replay/exports.hpp"

namespace volary::replay {

namespace {

void set(World& w, const char* path, const char* value) {
  Input in;
  in.source = 3;
  in.payload = SetField{path, value};
  w.submit(in);
}
void change_weather(World& w) {
  if (w.tick() == 40) set(w, "environment.turbulence.intensity", "12");
  if (w.tick() == 80) set(w, "environment.wind", "[1, -5, 0]");
  if (w.tick() == 120) set(w, "environment.atmosphere.temperature", "-15");
  if (w.tick() == 160) set(w, "environment.gusts[0].begins", "1");
}

struct Weather : ::testing::Test {
  core::ScratchFolder folder;
  std::unique_ptr<Recording> fly(std::uint64_t ticks) {
    Flown f = load_flown("windy_valley");
    RecorderOptions options;
    options.checkpoint_seconds = 0.5;
    record(f, folder.file("windy.vrec"), ticks, options, change_weather);
    return open_recording(folder.file("windy.vrec"));
  }
};

TEST_F(Weather, ChangedInFlightReplaysToTheSameBit) {
  const auto r = fly(200);
  ASSERT_NE(r, nullptr);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 201u);
}

TEST_F(Weather, ABranchGoesOnInTheSameAirAndMayHaveAnother) {
  const auto r = fly(200);
  ASSERT_NE(r, nullptr);
  auto same = branch(*r, 1.0, {});
  ASSERT_TRUE(same) << same.error().text();
  fly_on(same.value(), 200);
  EXPECT_EQ(same.value().world->hash(), *r->hash(200));

  BranchOptions calm;
  calm.overrides = {"environment.wind=[0,0,0]", "environment.turbulence.form=none", "environment.shear.law=none", "environment.gusts=[]"};
  auto other = branch(*r, 1.0, calm);
  ASSERT_TRUE(other) << other.error().text();
  other.value().inputs.forget();
  World& w = *other.value().world;
  fly_on(other.value(), w.tick() + 1);
  const View wind = w.view("low", "wind");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(wind.at(0, k), 0);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> list;
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

TEST_F(Weather, AMapShowsEveryVehicleWhereItWas) {
  const auto r = fly(100);
  ASSERT_NE(r, nullptr);
  const auto done = export_kml(*r, folder.file("windy.kml"), {.rate = 10});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().samples, 12u * 11u);
  std::size_t placemarks = 0, whens = 0;
  std::vector<std::string> coords, times;
  for (const std::string& line : lines_of(folder.file("windy.kml"))) {
    placemarks += line == "<Placemark>" ? 1 : 0;
    whens += line.starts_with("<when>") ? 1 : 0;
    if (line.starts_with("<when>")) times.push_back(line);
    if (line.starts_with("<gx:coord>")) coords.push_back(line);
  }
  EXPECT_EQ(placemarks, 12u);
  EXPECT_EQ(whens, 132u);
  // half past three by the sun of the first day of 2026; at 8.59 degrees east that is 34 min 21.6 s earlier in UTC
  EXPECT_EQ(times[0], "<when>2026-01-01T14:55:38.400Z</when>");
  EXPECT_EQ(times[10], "<when>2026-01-01T14:55:39.400Z</when>");
  ASSERT_EQ(coords.size(), 132u);
  const auto frame = weather::frame_of({46.65, 8.59, 1440});
  for (const std::size_t k : {0u, 5u, 10u}) {  // of the first vehicle
    double longitude = 0, latitude = 0, height = 0;
    ASSERT_EQ(std::sscanf(coords[k].c_str(), "<gx:coord>%lf %lf %lf", &longitude, &latitude, &height), 3);
    const auto p = environment::enu_from_geodetic<double>(frame, {latitude * M_PI / 180, longitude * M_PI / 180, height});
    const Frame at = r->at(0.1 * static_cast<double>(k)).value();
    const VehicleAt& v = at.vehicles[0];
    EXPECT_NEAR(p.x, v.pose.position[0], 2e-3);
    EXPECT_NEAR(p.y, v.pose.position[1], 2e-3);
    EXPECT_NEAR(p.z, v.pose.position[2], 2e-3);
  }
  EXPECT_FALSE(export_kml(*r, folder.file("windy.kml"), {})) << "nothing is overwritten";
}

TEST(ScenarioDate, IsTheDayOfItsYearAndTheHourByTheSunOfItsPlace) {
  const auto at = [](double year, double hour, double longitude) {
    WeatherDef w;
    w.year = year, w.time_of_day = hour, w.origin = OriginDef{47, longitude, 0};
    return start_of(w);
  };
  constexpr std::int64_t kHour = 3600000, kDay = 24 * kHour, k2026 = 1767225600000;  // 2026-01-01T00:00:00Z
  EXPECT_EQ(at(2026, 0, 0), k2026);
  EXPECT_EQ(at(2026.5, 12, 0), k2026 + 182 * kDay + 12 * kHour);  // the 2nd of July
  EXPECT_EQ(at(2026, 1, 30), k2026 - kHour);                      // still the old year in Greenwich
  EXPECT_EQ(at(2026, 23, -60), k2026 + kDay + 3 * kHour);
  // every day of a leap year, written to six digits, is that day
  for (int day = 0; day < 366; ++day) EXPECT_EQ(at(2028 + std::round(1e6 * day / 366.0) * 1e-6, 0, 0), k2026 + (730 + day) * kDay) << day;
}

TEST_F(Weather, AWorldThatIsNowhereHasNoMap) {
  Flown f = load_flown("default");
  record(f, folder.file("a.vrec"), 10);
  const auto r = open_recording(folder.file("a.vrec"));
  const auto done = export_kml(*r, folder.file("a.kml"), {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().field, "environment.origin");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.kml")));
}

}  // namespace

}  // namespace volary::replay
