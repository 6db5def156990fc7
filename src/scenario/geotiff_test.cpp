// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/geotiff.hpp"

#include <gtest/gtest.h>
#include <tiffio.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace volary::scenario {
namespace {

// ---------------------------------------------------------------- files made by hand and by libtiff

using Keys = std::vector<std::uint16_t>;
const Keys kWgs84 = {1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326};  // degrees, a pixel is a point
const Keys kUtm = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32755};   // metres, a pixel is an area

struct Recipe {
  std::uint32_t width = 40, height = 30;
  std::uint16_t bits = 16, format = SAMPLEFORMAT_INT, bands = 1, compression = COMPRESSION_NONE;
  std::uint32_t tile = 0;  // pixels a side; 0: strips
  std::uint32_t strip = 7;
  Keys keys = kUtm;
  std::vector<double> scale = {10, 10, 0}, tie = {0, 0, 0, 600'000, 6'100'000, 0}, matrix = {};
  std::string no_data = {};
};
// the height of a pixel of every such file, from the upper left
double height_at(std::uint32_t column, std::uint32_t row) { return 3.0 * column + 2.0 * row; }

void put(const Recipe& r, double value, unsigned char* to) {
  auto write = [&](auto x) { std::memcpy(to, &x, sizeof x); };
  if (r.format == SAMPLEFORMAT_IEEEFP) return r.bits == 32 ? write(static_cast<float>(value)) : write(value);
  if (r.bits == 8) return write(static_cast<std::uint8_t>(value));
  if (r.bits == 16) return write(static_cast<std::int16_t>(value));
  write(static_cast<std::int32_t>(value));
}

template <class Height> std::string make(const Recipe& r, Height height) {
  std::string name = (std::filesystem::temp_directory_path() / "volary-geotiff-XXXXXX").string();
  ::close(::mkstemp(name.data()));
  TIFF* t = TIFFOpen(name.c_str(), "w");
  const TIFFFieldInfo fields[] = {{33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("scale")},
                                  {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("tie")},
                                  {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("matrix")},
                                  {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, const_cast<char*>("keys")},
                                  {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("no data")}};
  TIFFMergeFieldInfo(t, fields, 5);
  TIFFSetField(t, TIFFTAG_IMAGEWIDTH, r.width);
  TIFFSetField(t, TIFFTAG_IMAGELENGTH, r.height);
  TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, r.bits);
  TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, r.format);
  TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, r.bands);
  TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(t, TIFFTAG_COMPRESSION, r.compression);
  if (!r.scale.empty()) TIFFSetField(t, 33550, static_cast<int>(r.scale.size()), r.scale.data());
  if (!r.tie.empty()) TIFFSetField(t, 33922, static_cast<int>(r.tie.size()), r.tie.data());
  if (!r.matrix.empty()) TIFFSetField(t, 34264, static_cast<int>(r.matrix.size()), r.matrix.data());
  if (!r.keys.empty()) TIFFSetField(t, 34735, static_cast<int>(r.keys.size()), r.keys.data());
  if (!r.no_data.empty()) TIFFSetField(t, 42113, r.no_data.c_str());
  const std::uint32_t wide = r.tile > 0 ? r.tile : r.width, high = r.tile > 0 ? r.tile : r.strip;
  if (r.tile > 0) {
    TIFFSetField(t, TIFFTAG_TILEWIDTH, r.tile);
    TIFFSetField(t, TIFFTAG_TILELENGTH, r.tile);
  } else {
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, r.strip);
  }
  const std::size_t bytes = r.bits / 8u * r.bands;
  std::uint32_t part = 0;
  for (std::uint32_t top = 0; top < r.height; top += high)
    for (std::uint32_t left = 0; left < r.width; left += wide) {
      std::vector<unsigned char> data(static_cast<std::size_t>(wide) * high * bytes, 0);
      for (std::uint32_t y = 0; y < high && top + y < r.height; ++y)
        for (std::uint32_t x = 0; x < wide && left + x < r.width; ++x)
          put(r, height(left + x, top + y), &data[(static_cast<std::size_t>(y) * wide + x) * bytes]);
      const auto whole = static_cast<tmsize_t>(data.size()),
                 used = static_cast<tmsize_t>(static_cast<std::size_t>(std::min(high, r.height - top)) * wide * bytes);
      if (r.tile > 0)
        TIFFWriteEncodedTile(t, part++, data.data(), whole);
      else
        TIFFWriteEncodedStrip(t, part++, data.data(), used);
    }
  TIFFClose(t);
  std::ifstream in(name, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(name);
  return out;
}
std::string make(const Recipe& r) { return make(r, height_at); }

// the middle of the picture's upper left pixel is at 600005 east, 6099995 north
GeotiffTerrainFile about(double east, double north, double width = 100, double depth = 80) {
  GeotiffTerrainFile f;
  f.file = "a.tif";
  f.east = east;
  f.north = north;
  f.width = width;
  f.depth = depth;
  return f;
}
std::string fault(const std::string& bytes, const GeotiffTerrainFile& f = about(600'205, 6'099'845)) {
  const auto heights = read_geotiff(bytes, f);
  return heights ? "" : heights.error().text();
}

// ---------------------------------------------------------------- what is read

TEST(geotiff, a_map_in_metres_lies_where_its_tiepoint_says) {
  // the middle of pixel (20, 15)
  const auto heights = read_geotiff(make({}), about(600'205, 6'099'845));
  ASSERT_TRUE(heights) << heights.error().text();
  const terrain::Terrain t(heights.value());
  EXPECT_NEAR(t.height(0, 0), height_at(20, 15), 1e-4);
  EXPECT_NEAR(t.height(30, 0), height_at(23, 15), 1e-4);   // east is to the right
  EXPECT_NEAR(t.height(0, 20), height_at(20, 13), 1e-4);   // north is up
  EXPECT_NEAR(t.height(-50, -40), height_at(15, 19), 1e-4);
  EXPECT_DOUBLE_EQ(heights.value().step_east, 10);
  EXPECT_EQ(heights.value().columns, 12u);  // 100 m are ten steps, and one more node where the last begins
}

TEST(geotiff, strips_tiles_every_number_format_and_every_lossless_compression_give_the_same_heights) {
  const auto expected = read_geotiff(make({}), about(600'207, 6'099'841));
  ASSERT_TRUE(expected) << expected.error().text();
  struct Kind {
    std::uint16_t bits, format;
  };
  for (const Kind kind : {Kind{8, SAMPLEFORMAT_UINT},
                          {16, SAMPLEFORMAT_UINT},
                          {16, SAMPLEFORMAT_INT},
                          {32, SAMPLEFORMAT_INT},
                          {32, SAMPLEFORMAT_UINT},
                          {32, SAMPLEFORMAT_IEEEFP},
                          {64, SAMPLEFORMAT_IEEEFP}})
    for (const std::uint32_t tile : {0u, 16u})
      for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
        const auto heights = read_geotiff(
            make({.bits = kind.bits, .format = kind.format, .compression = static_cast<std::uint16_t>(compression), .tile = tile}), about(600'207, 6'099'841));
        ASSERT_TRUE(heights) << heights.error().text();
        EXPECT_EQ(heights.value().up, expected.value().up) << kind.bits << " " << tile << " " << compression;
        EXPECT_EQ(heights.value().east, expected.value().east);
        EXPECT_EQ(heights.value().north, expected.value().north);
      }
}

TEST(geotiff, a_map_in_degrees_is_laid_out_in_metres_about_its_centre) {
  // a hundredth of a degree a pixel, points, from 149 east, 35 south; the middle is 149.2 east, 35.15 south
  Recipe r{.keys = kWgs84, .scale = {0.01, 0.01, 0}, .tie = {0, 0, 0, 149, -35, 0}};
  GeotiffTerrainFile f{"a.tif", -35.15, 149.2, {}, {}, 5000, 6000, 5, {}};
  const auto heights = read_geotiff(make(r), f);
  ASSERT_TRUE(heights) << heights.error().text();
  const terrain::Terrain t(heights.value());
  EXPECT_NEAR(t.height(0, 0), height_at(20, 15) - 5, 1e-3);
  // a degree at 35.15 south: 111132.92 - 559.82 cos 2f + 1.175 cos 4f and 111412.84 cos f - 93.5 cos 3f + 0.118 cos 5f (WGS-84 series)
  EXPECT_NEAR(heights.value().step_north, 1109.43, 0.02);
  EXPECT_NEAR(heights.value().step_east, 911.19, 0.05);
  EXPECT_NEAR(t.height(heights.value().step_east, 0), height_at(21, 15) - 5, 1e-3);
  EXPECT_NEAR(t.height(0, heights.value().step_north), height_at(20, 14) - 5, 1e-3);
}

TEST(geotiff, a_matrix_without_rotation_places_it_as_well_also_from_south_to_north) {
  Recipe r{.scale = {}, .tie = {}, .matrix = {10, 0, 0, 600'000, 0, -10, 0, 6'100'000, 0, 0, 0, 0, 0, 0, 0, 1}};
  const auto heights = read_geotiff(make(r), about(600'205, 6'099'845));
  ASSERT_TRUE(heights) << heights.error().text();
  EXPECT_EQ(heights.value().up, read_geotiff(make({}), about(600'205, 6'099'845)).value().up);
  r.matrix[5] = 10;
  r.matrix[7] = 6'100'000 - 300;  // its first row is now the southernmost
  const auto turned = read_geotiff(make(r, [&](std::uint32_t c, std::uint32_t row) { return height_at(c, r.height - 1 - row); }), about(600'205, 6'099'845));
  ASSERT_TRUE(turned) << turned.error().text();
  EXPECT_EQ(turned.value().up, heights.value().up);
}

TEST(geotiff, places_that_were_not_measured_are_an_error_until_they_are_given_a_height) {
  for (const bool real : {false, true}) {
    Recipe r{.no_data = real ? "-3.4028234663852886e+38" : "-9999"};
    if (real) r.bits = 32, r.format = SAMPLEFORMAT_IEEEFP;
    const double none = real ? -3.4028234663852886e+38 : -9999;
    const std::string bytes = make(r, [&](std::uint32_t c, std::uint32_t row) { return c == 20 && row == 15 ? none : height_at(c, row); });
    EXPECT_NE(fault(bytes).find("1 of 120 heights were not measured"), std::string::npos) << fault(bytes);
    GeotiffTerrainFile f = about(600'205, 6'099'845);
    f.voids = 17;
    const auto heights = read_geotiff(bytes, f);
    ASSERT_TRUE(heights) << heights.error().text();
    EXPECT_NEAR(terrain::Terrain(heights.value()).height(0, 0), 17, 1e-4);
    EXPECT_EQ(fault(bytes, about(600'300, 6'099'845, 50, 50)), "");  // where everything was measured
  }
  // a value that no ground has, and no tag that says what it means
  EXPECT_NE(fault(make({}, [](std::uint32_t, std::uint32_t) { return -32768.0; })).find("a height of -32768 m"), std::string::npos);
}

TEST(geotiff, bytes_in_the_other_order_are_the_same_heights) {
  // written by hand: big-endian, 3 x 2 pixels of 16 bits, WGS 84, one node per tenth of a degree
  std::string b = "MM";
  auto u16 = [&](unsigned x) { b += static_cast<char>(x >> 8 & 255), b += static_cast<char>(x & 255); };
  auto u32 = [&](unsigned x) { u16(x >> 16), u16(x & 0xffff); };
  auto f64 = [&](double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, 8);
    u32(static_cast<unsigned>(bits >> 32)), u32(static_cast<unsigned>(bits));
  };
  u16(42), u32(8 + 12 + 24 + 48 + 32);  // the directory comes last
  for (const unsigned h : {100u, 110u, 120u, 200u, 210u, 220u}) u16(h);
  for (const double x : {0.1, 0.1, 0.0}) f64(x);
  for (const double x : {0.0, 0.0, 0.0, 10.0, 50.0, 0.0}) f64(x);
  for (const std::uint16_t k : kWgs84) u16(k);
  u16(13);
  auto entry = [&](unsigned tag, unsigned type, unsigned count, unsigned value) {
    u16(tag), u16(type), u32(count);
    if (type == 3 && count == 1)
      u16(value), u16(0);
    else
      u32(value);
  };
  entry(256, 3, 1, 3), entry(257, 3, 1, 2), entry(258, 3, 1, 16), entry(259, 3, 1, 1), entry(262, 3, 1, 1), entry(273, 4, 1, 8), entry(277, 3, 1, 1);
  entry(278, 3, 1, 2), entry(279, 4, 1, 12), entry(339, 3, 1, 2), entry(33550, 12, 3, 20), entry(33922, 12, 6, 44), entry(34735, 3, 16, 92);
  u32(0);
  const auto heights = read_geotiff(b, {"a.tif", 49.95, 10.1, {}, {}, 100, 100, 0, {}});
  ASSERT_TRUE(heights) << heights.error().text();
  EXPECT_EQ(heights.value().columns, 3u);
  EXPECT_EQ(heights.value().up, (std::vector<float>{200, 210, 220, 100, 110, 120}));
}

// ---------------------------------------------------------------- what is refused

TEST(geotiff, what_would_need_a_guess_is_refused_with_its_code) {
  auto with = [](int key, std::uint16_t value) {
    Recipe r;
    r.keys.insert(r.keys.end(), {static_cast<std::uint16_t>(key), 0, 1, value});
    r.keys[3] = static_cast<std::uint16_t>(r.keys.size() / 4 - 1);
    return make(r);
  };
  auto system = [](std::uint16_t model, std::uint16_t key, std::uint16_t code) { return make({.keys = {1, 1, 0, 2, 1024, 0, 1, model, key, 0, 1, code}}); };
  EXPECT_EQ(fault(with(3076, 9001)), "");
  EXPECT_NE(fault(with(3076, 9002)).find("EPSG 32755 with the unit EPSG 9002"), std::string::npos);
  EXPECT_NE(fault(with(4099, 9003)).find("heights in the unit EPSG 9003"), std::string::npos);
  EXPECT_NE(fault(system(2, 2048, 4267)).find("EPSG 4267"), std::string::npos);  // NAD27
  EXPECT_NE(fault(system(1, 3072, 3857)).find("EPSG 3857, a Mercator map"), std::string::npos);
  EXPECT_NE(fault(system(1, 3072, 2263)).find("EPSG 2263 with the unit unknown"), std::string::npos);  // New York, feet
  EXPECT_NE(fault(system(3, 2048, 4978)).find("coordinate model 3"), std::string::npos);
  EXPECT_NE(fault(make({.keys = {}})).find("does not say its coordinate system"), std::string::npos);
  EXPECT_NE(fault(make({.scale = {}, .tie = {}})).find("without a position on the Earth"), std::string::npos);
  EXPECT_NE(fault(make({.scale = {}, .tie = {0, 0, 0, 1, 1, 0, 9, 9, 0, 2, 2, 0}})).find("placed by 2 points"), std::string::npos);
  EXPECT_NE(fault(make({.scale = {}, .tie = {}, .matrix = {7, 7, 0, 0, 7, -7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}})).find("rotated from north"), std::string::npos);
  EXPECT_NE(fault(make({.bands = 3})).find("3 bands"), std::string::npos);
  EXPECT_NE(fault(make({.scale = {0, 10, 0}})).find("is not valid"), std::string::npos);
  EXPECT_NE(fault(make({.bits = 8, .format = SAMPLEFORMAT_UINT, .compression = COMPRESSION_JPEG, .strip = 8})).find("method 7"), std::string::npos);
}

TEST(geotiff, its_centre_is_in_the_coordinates_of_the_map_and_inside_it) {
  GeotiffTerrainFile degrees{"a.tif", -35.2, 149.1, {}, {}, 100, 100, 0, {}};
  EXPECT_NE(fault(make({}), degrees).find("is a map in metres"), std::string::npos);
  EXPECT_NE(fault(make({.keys = kWgs84, .scale = {0.01, 0.01, 0}, .tie = {0, 0, 0, 149, -35, 0}})).find("is a map in degrees"), std::string::npos);
  EXPECT_NE(fault(make({}), about(700'000, 6'099'845)).find("terrain.geotiff.east: 700000 m is not in this map"), std::string::npos)
      << fault(make({}), about(700'000, 6'099'845));
  EXPECT_NE(fault(make({}), about(600'205, 6'200'000)).find("terrain.geotiff.north"), std::string::npos);
  EXPECT_NE(fault(make({}), about(600'030, 6'099'845)).find("100 m reach beyond the map"), std::string::npos);
  EXPECT_NE(fault(make({}), about(600'205, 6'099'845, 100, 800)).find("terrain.geotiff.depth"), std::string::npos);
}

TEST(geotiff, a_file_cut_off_anywhere_or_with_a_byte_turned_is_an_error_or_a_map_never_a_crash_and_nothing_is_printed) {
  testing::internal::CaptureStderr();
  EXPECT_NE(fault("").find("no TIFF"), std::string::npos);
  EXPECT_NE(fault("this is no picture").find("no TIFF"), std::string::npos);
  const std::string whole = make({.compression = COMPRESSION_LZW, .tile = 16});
  for (std::size_t n = 0; n < whole.size(); n += 3) {
    EXPECT_NE(fault(whole.substr(0, n), about(600'200, 6'099'850, 380, 280)), "") << n;
    std::string turned = whole;
    turned[n] = static_cast<char>(turned[n] ^ 0x55);
    (void)fault(turned);
  }
  const std::string strips = make({});
  EXPECT_NE(fault(strips.substr(0, strips.size() / 2)), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace volary::scenario
