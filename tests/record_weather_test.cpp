// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in weather: flown again to the same bit with all that was changed in flight, branched off into other weather, and put on a map.
#include <cmath>
#include <iterator>
#include <sstream>

#include "environment/weather.hpp"
#include "export_support_test.hpp"
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

// the texts between <tag> and </tag>, in the order of the file
std::vector<std::string> inside(const std::string& text, const std::string& tag) {
  std::vector<std::string> list;
  const std::string open = "<" + tag + ">", close = "</" + tag + ">";
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    list.push_back(text.substr(at, text.find(close, at) - at));
  }
  return list;
}

TEST_F(Weather, AMapShowsEveryVehicleWhereItWas) {
  const auto r = fly(150);
  ASSERT_NE(r, nullptr);
  const auto done = export_recording(*r, ExportKind::Kml, folder.file("windy.kml"), {.rate = 10});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().samples, 12u * 16u);
  const std::string kml = bytes_of(folder.file("windy.kml"));
  EXPECT_EQ(kml.find("gx:"), std::string::npos) << "OGC KML 2.2 has no such elements";
  // two pieces of each of 12 tracks: the second begins where the first ends
  const std::string tracks = kml.substr(kml.find("<name>tracks</name>"), kml.find("</Folder>", kml.find("<name>tracks</name>")) - kml.find("<name>tracks</name>"));
  const auto lines = inside(tracks, "coordinates"), begins = inside(tracks, "begin"), ends = inside(tracks, "end");
  ASSERT_EQ(lines.size(), 24u);
  // half past three by the sun of the first day of 2026; at 8.59 degrees east that is 34 min 21.6 s earlier in UTC
  EXPECT_EQ(begins[0], "2026-01-01T14:55:38.400Z");
  EXPECT_EQ(ends[0], "2026-01-01T14:55:39.400Z");
  EXPECT_EQ(begins[12], "2026-01-01T14:55:39.400Z");
  EXPECT_EQ(ends[12], "2026-01-01T14:55:39.900Z");
  const auto frame = weather::frame_of({46.65, 8.59, 1440});
  const auto points = [](const std::string& line) {
    std::istringstream in(line);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  };
  ASSERT_EQ(points(lines[0]).size(), 11u);
  ASSERT_EQ(points(lines[12]).size(), 6u);
  EXPECT_EQ(points(lines[0]).back(), points(lines[12]).front());
  Flown f = load_flown("windy_valley");
  for (std::size_t tick = 0; tick <= 100; ++tick, change_weather(*f.world), f.world->step(1)) {
    if (tick % 10 != 0) continue;
    const std::size_t k = tick / 10;  // of the first vehicle
    double longitude = 0, latitude = 0, height = 0;
    ASSERT_EQ(std::sscanf(points(lines[0])[k].c_str(), "%lf,%lf,%lf", &longitude, &latitude, &height), 3);
    const auto p = environment::enu_from_geodetic<double>(frame, {latitude * M_PI / 180, longitude * M_PI / 180, height});
    const Vec at = f.world->position_of(f.world->vehicles()[0]);
    EXPECT_NEAR(p.x, at[0], 2e-5);
    EXPECT_NEAR(p.y, at[1], 2e-5);
    EXPECT_NEAR(p.z, at[2], 2e-5);
  }
  EXPECT_FALSE(export_recording(*r, ExportKind::Kml, folder.file("windy.kml"), {})) << "nothing is overwritten";
}

TEST_F(Weather, AMapHasZonesEventsAndTasksAsPlacemarks) {
  Flown f = load_flown("farm_track", {"environment.origin={latitude: 47.3, longitude: 8.5, height: 440}", "duration=4"});
  ASSERT_FALSE(f.def.regions.empty());
  ASSERT_FALSE(f.def.tasks.empty());
  record(f, folder.file("b.vrec"), 400, {}, [](World& w) {
    if (w.tick() != 50) return;
    Input in;
    in.tick = 50;
    in.target = w.vehicles()[0];
    in.payload = Remove{};
    w.submit(in);
  });
  const auto r = open_recording(folder.file("b.vrec"));
  const auto done = export_recording(*r, ExportKind::Kml, folder.file("b.kml"), {.rate = 10});
  ASSERT_TRUE(done) << done.error().text();
  const std::string kml = bytes_of(folder.file("b.kml"));
  const auto folder_of = [&](const std::string& name) {
    const std::size_t at = kml.find("<name>" + name + "</name>");
    return at == std::string::npos ? "" : kml.substr(at, kml.find("</Folder>", at) - at);
  };
  const std::string zones = folder_of("zones"), events = folder_of("events"), tasks = folder_of("tasks");
  EXPECT_EQ(inside(zones, "Placemark").size(), f.def.regions.size());
  for (const RegionDef& region : f.def.regions) EXPECT_NE(zones.find("<name>" + region.name + "</name>"), std::string::npos) << region.name;
  for (const std::string& ring : inside(zones, "LinearRing")) {
    std::istringstream in(inside(ring, "coordinates").at(0));
    const std::vector<std::string> corners(std::istream_iterator<std::string>(in), {});
    ASSERT_GE(corners.size(), 4u);
    EXPECT_EQ(corners.front(), corners.back()) << "a ring is closed";
  }
  ASSERT_FALSE(r->events().empty());
  EXPECT_EQ(inside(events, "Placemark").size(), r->events().size());
  EXPECT_EQ(inside(tasks, "Placemark").size(), done.value().tasks);
  EXPECT_NE(tasks.find("<name>" + f.def.tasks[0].name + ": "), std::string::npos);
  EXPECT_NE(tasks.find("<Polygon>"), std::string::npos) << "the region of a condition";
  // names of elements are closed in order
  std::vector<std::string> open;
  for (std::size_t at = kml.find('<', 5); at != std::string::npos; at = kml.find('<', at + 1)) {
    const std::string tag = kml.substr(at + 1, kml.find('>', at) - at - 1);
    if (tag.starts_with("/")) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  EXPECT_TRUE(open.empty());
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
  for (const bool view : {false, true}) EXPECT_FALSE(export_recording(*r, ExportKind::Kml, folder.file("a.kml"), {.view = view}));
  const auto done = export_recording(*r, ExportKind::Kml, folder.file("a.kml"), {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().field, "environment.origin");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.kml")));
}

}  // namespace

}  // namespace volary::replay
