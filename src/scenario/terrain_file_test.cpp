// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/terrain_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"
#include "scenario/image.hpp"
#include "scenario/load.hpp"

namespace volary::scenario {
namespace {

class TerrainFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) { scratch_.write(name, bytes); }

  core::Result<WorldDef> load(const std::string& terrain, const std::string& position = "[1, -1, 0]") {
    const std::string text =
        "name: t\nterrain: " + terrain + "\nflocks:\n  - {name: a, airframe: crazyflie, vehicles: {list: [{position: " + position + "}]}}\n";
    return load_scenario_text(text, folder_ + "/t.yaml", {VOLARY_SOURCE_DIR "/assets"});
  }
  std::string fault(const std::string& terrain) {
    const auto def = load(terrain);
    return def ? "" : def.error().text();
  }
  const core::ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
};

// a tile of one height with a mark at one node
std::string tile(std::size_t side, int height, std::size_t row_from_north, std::size_t column, int mark) {
  std::string bytes(side * side * 2, '\0');
  auto put = [&](std::size_t k, int metres) {
    bytes[2 * k] = static_cast<char>((metres >> 8) & 255);
    bytes[2 * k + 1] = static_cast<char>(metres & 255);
  };
  for (std::size_t k = 0; k < side * side; ++k) put(k, height);
  put(row_from_north * side + column, mark);
  return bytes;
}

TEST_F(TerrainFiles, brightness_is_height_from_the_upper_left_corner) {
  write("map.pgm", std::string("P5\n3 2\n255\n") + std::string("\x00\x33\xff\xff\x66\x00", 6));
  const auto def = load("{image: {file: map.pgm, width: 10, depth: 4, max_height: 50, origin: [100, 200]}}");
  ASSERT_TRUE(def) << def.error().text();
  const terrain::Terrain& t = *def.value().environment.terrain;
  EXPECT_NEAR(t.height(100, 200), 0, 1e-5);   // upper left: black
  EXPECT_NEAR(t.height(105, 200), 10, 1e-5);  // 0x33 is a fifth
  EXPECT_NEAR(t.height(110, 200), 50, 1e-5);
  EXPECT_NEAR(t.height(100, 196), 50, 1e-5);  // lower left
  EXPECT_NEAR(t.height(105, 196), 20, 1e-5);
}

TEST_F(TerrainFiles, a_vehicle_placed_below_the_ground_stands_on_it_and_its_mission_counts_from_there) {
  write("map.pgm", std::string("P5\n2 2\n255\n") + std::string("\xff\xff\xff\xff", 4));
  const auto def = load("{image: {file: map.pgm, width: 10, depth: 10, max_height: 30}}");
  ASSERT_TRUE(def) << def.error().text();
  const VehicleDef& v = def.value().flocks[0].vehicles[0];
  EXPECT_NEAR(v.centre_W[2], 31.5, 1e-4);
}

TEST_F(TerrainFiles, a_tile_lies_where_its_name_says) {
  // one node is 50 m high: 36 degrees south, 149 east, 600 steps from both edges, so 35.5 south and 149.5 east
  write("S36E149.hgt", tile(1201, 700, 600, 600, 750));
  const auto def = load("{srtm: {file: S36E149.hgt, latitude: -35.5, longitude: 149.5, width: 2000, depth: 3000, datum: 700}}");
  ASSERT_TRUE(def) << def.error().text();
  const terrain::Terrain& t = *def.value().environment.terrain;
  EXPECT_NEAR(t.height(0, 0), 50, 1e-3);
  EXPECT_NEAR(t.height(500, 500), 0, 1e-3);
  // 111132.92 - 559.82 cos 2f + 1.175 cos 4f and 111412.84 cos f - 93.5 cos 3f + 0.118 cos 5f at 35.5 degrees (WGS-84 series)
  EXPECT_NEAR(t.heights().step_north * 1200, 110949.7, 0.5);
  EXPECT_NEAR(t.heights().step_east * 1200, 90729.4, 0.5);
}

TEST_F(TerrainFiles, what_cannot_be_read_is_refused_with_its_reason) {
  write("map.pgm", std::string("P5\n2 2\n255\n") + std::string("\xff\xff\xff\xff", 4));
  write("one.pgm", std::string("P5\n1 1\n255\n\xff"));
  write("noise.png", std::string("\x89PNG\r\n\x1a\n") + std::string(200, 'x'));
  write("text.png", "this is no picture");
  write("N10E010.hgt", std::string(1000, 'x'));
  write("S36E149.hgt", tile(1201, 700, 600, 600, -32768));
  write("tile.hgt", "");
  const std::string rest = ", width: 10, depth: 10, max_height: 30}}", near = ", latitude: -35.5, longitude: 149.5, width: 2000, depth: 2000";
  EXPECT_NE(fault("{image: {file: none.png" + rest).find("none.png: no such file"), std::string::npos);
  EXPECT_NE(fault("{image: {file: text.png" + rest).find("no picture that can be read"), std::string::npos);
  EXPECT_NE(fault("{image: {file: noise.png" + rest).find("picture"), std::string::npos);
  EXPECT_NE(fault("{image: {file: one.pgm" + rest).find("two a side"), std::string::npos);
  EXPECT_NE(fault("{image: {file: map.pgm, width: 10, depth: 10, max_height: 1, min_height: 2}}").find("not above min_height"), std::string::npos);
  EXPECT_NE(fault("{image: {file: map.pgm" + rest.substr(0, rest.size() - 1) + ", srtm: {file: S36E149.hgt" + near + "}}").find("more than one source"),
            std::string::npos);
  EXPECT_NE(fault("{}").find("one of image, srtm, geotiff"), std::string::npos);
  EXPECT_NE(fault("{srtm: {file: tile.hgt" + near + "}}").find("south-western corner"), std::string::npos);
  EXPECT_NE(fault("{srtm: {file: N10E010.hgt, latitude: 10.5, longitude: 10.5, width: 100, depth: 100}}").find("cut off"), std::string::npos);
  EXPECT_NE(fault("{srtm: {file: S36E149.hgt" + near + "}}").find("1 of "), std::string::npos);
  EXPECT_EQ(fault("{srtm: {file: S36E149.hgt" + near + ", voids: 700}}"), "");
  EXPECT_NE(fault("{srtm: {file: S36E149.hgt, latitude: 12, longitude: 149.5, width: 100, depth: 100, voids: 0}}").find("not in this tile"), std::string::npos);
  EXPECT_NE(fault("{srtm: {file: S36E149.hgt, latitude: -35.5, longitude: 149.001, width: 5000, depth: 100, voids: 0}}").find("beyond the tile"),
            std::string::npos);
}

TEST_F(TerrainFiles, a_picture_cut_off_anywhere_is_an_error_or_a_picture_never_a_crash) {
  std::string png;
  {
    std::ifstream in(VOLARY_SOURCE_DIR "/docs/pictures/replay.png", std::ios::binary);
    png.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_GT(png.size(), 1000u);
  for (std::size_t n = 0; n < png.size(); n += png.size() / 60 + 1) {
    std::string cut = png.substr(0, n);
    EXPECT_FALSE(decode_image(cut)) << n;
    std::string flipped = png;
    flipped[n] = static_cast<char>(flipped[n] ^ 0x55);
    (void)decode_image(flipped);
  }
}

}  // namespace
}  // namespace volary::scenario
