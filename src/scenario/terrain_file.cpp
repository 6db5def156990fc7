// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/terrain_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "scenario/image.hpp"

namespace volary::scenario {

namespace {

using terrain::Heights;

// where the files of a terrain are looked for
struct Places {
  const std::string &folder, &assets;
  const Files& files;

  core::Result<std::string> read(const std::string& name, const std::string& field) const {
    const std::string beside = folder.empty() || std::filesystem::path(name).is_absolute() ? name : folder + "/" + name;
    core::Result<std::string> bytes = files.read(beside);
    if (!bytes && !std::filesystem::path(name).is_absolute())
      if (core::Result<std::string> shipped = files.read(assets + "/terrain/" + name)) return shipped;
    if (!bytes) return error_at(field, beside + ": " + bytes.error().message, "a file beside the scenario, or in assets/terrain");
    return bytes;
  }
};

// ---------------------------------------------------------------- pictures

// The origin is the upper left corner of the picture, east to its right and south downwards (Cybulski section VIII: x right, z down, y up).
core::Result<Heights> from_image(const ImageTerrainFile& f, const Places& places) {
  const core::Result<std::string> bytes = places.read(f.file, "terrain.image.file");
  if (!bytes) return bytes.error();
  const core::Result<Image> decoded = decode_image(bytes.value());
  if (!decoded) return error_at("terrain.image.file", f.file + " " + decoded.error().message, decoded.error().suggestion);
  const Image& image = decoded.value();
  if (image.width < 2 || image.height < 2)
    return error_at("terrain.image.file", fmt::format("{} is {} x {} pixels: two a side are needed", f.file, image.width, image.height));
  if (!(f.min_height < f.max_height))
    return error_at("terrain.image.max_height", fmt::format("{} m is not above min_height, {} m", f.max_height, f.min_height));
  Heights h{image.width,
            image.height,
            f.origin[0],
            f.origin[1] - f.depth,
            f.width / static_cast<double>(image.width - 1),
            f.depth / static_cast<double>(image.height - 1),
            {}};
  h.up.reserve(image.brightness.size());
  for (std::size_t row = image.height; row-- > 0;)  // the last row of a picture is the southernmost
    for (std::size_t c = 0; c < image.width; ++c)
      h.up.push_back(static_cast<float>(f.min_height + (f.max_height - f.min_height) * (image.brightness[row * image.width + c] / 65535.0)));
  return h;
}

// ---------------------------------------------------------------- SRTM tiles

struct Corner {
  double latitude, longitude;  // degrees, the south-western corner
};
// S36E149.hgt
std::optional<Corner> corner_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  auto digit = [&](std::size_t k) { return std::isdigit(static_cast<unsigned char>(name[k])) != 0; };
  if (name.size() < 7 || !digit(1) || !digit(2) || !digit(4) || !digit(5) || !digit(6)) return std::nullopt;
  const char ns = static_cast<char>(std::toupper(name[0])), ew = static_cast<char>(std::toupper(name[3]));
  if ((ns != 'N' && ns != 'S') || (ew != 'E' && ew != 'W')) return std::nullopt;
  const double latitude = (name[1] - '0') * 10 + (name[2] - '0'), longitude = (name[4] - '0') * 100 + (name[5] - '0') * 10 + (name[6] - '0');
  return Corner{ns == 'N' ? latitude : -latitude, ew == 'E' ? longitude : -longitude};
}

struct PerDegree {
  double north, east;  // m
};
// length of a degree on the WGS-84 ellipsoid: radii of curvature in the meridian and in the prime vertical
PerDegree per_degree(double latitude) {
  constexpr double kRadius = 6378137.0, kFlattening = 1 / 298.257223563, kDegree = 0.017453292519943295;
  constexpr double e2 = kFlattening * (2 - kFlattening);
  double s, c;
  math::sincos(latitude * kDegree, s, c);
  const double under = 1 - e2 * s * s, root = math::sqrt(under);
  return {kRadius * (1 - e2) / (under * root) * kDegree, kRadius / root * c * kDegree};
}

// Big-endian metres, a row per latitude from the north, edges shared with the next tile (NASA JPL, SRTM topography documentation).
core::Result<Heights> from_srtm(const SrtmTerrainFile& f, const Places& places) {
  const std::string field = "terrain.srtm.";
  const std::optional<Corner> corner = corner_of(f.file);
  if (!corner) return error_at(field + "file", "'" + f.file + "' does not name its south-western corner", "such as S36E149.hgt");
  const core::Result<std::string> bytes = places.read(f.file, field + "file");
  if (!bytes) return bytes.error();
  const std::size_t size = bytes.value().size(), side = size == 3601u * 3601u * 2 ? 3601 : size == 1201u * 1201u * 2 ? 1201 : 0;
  if (side == 0)
    return error_at(field + "file", fmt::format("{} has {} bytes: a whole tile has 2,884,802 or 25,934,402", f.file, size),
                    "it may be cut off, or still packed");

  const double steps = static_cast<double>(side - 1);
  const PerDegree metres = per_degree(f.latitude);
  const double x = (f.longitude - corner->longitude) * steps, y = (f.latitude - corner->latitude) * steps;  // of the centre, in nodes
  const double half_x = 0.5 * f.width / (metres.east / steps), half_y = 0.5 * f.depth / (metres.north / steps);
  if (!(x >= 0 && x <= steps)) return error_at(field + "longitude", fmt::format("{} degrees is not in this tile", f.longitude));
  if (!(y >= 0 && y <= steps)) return error_at(field + "latitude", fmt::format("{} degrees is not in this tile", f.latitude));
  if (x - half_x < 0 || x + half_x > steps)
    return error_at(field + "width", fmt::format("{} m reach beyond the tile", f.width), "a smaller width or another centre");
  if (y - half_y < 0 || y + half_y > steps)
    return error_at(field + "depth", fmt::format("{} m reach beyond the tile", f.depth), "a smaller depth or another centre");

  const auto first_c = static_cast<std::size_t>(math::floor(x - half_x)), first_r = static_cast<std::size_t>(math::floor(y - half_y));
  const auto last_c = std::min(side - 1, static_cast<std::size_t>(math::floor(x + half_x)) + 1),
             last_r = std::min(side - 1, static_cast<std::size_t>(math::floor(y + half_y)) + 1);
  Heights h{last_c - first_c + 1,
            last_r - first_r + 1,
            (static_cast<double>(first_c) - x) * metres.east / steps,
            (static_cast<double>(first_r) - y) * metres.north / steps,
            metres.east / steps,
            metres.north / steps,
            {}};
  std::size_t n_voids = 0;
  for (std::size_t r = first_r; r <= last_r; ++r)
    for (std::size_t c = first_c; c <= last_c; ++c) {
      const std::size_t at = 2 * ((side - 1 - r) * side + c);
      const int metre = static_cast<std::int16_t>(
          static_cast<std::uint16_t>(static_cast<unsigned char>(bytes.value()[at]) << 8 | static_cast<unsigned char>(bytes.value()[at + 1])));
      const bool is_void = metre == -32768;
      n_voids += is_void ? 1 : 0;
      h.up.push_back(static_cast<float>((is_void ? f.voids.value_or(0) : metre) - f.datum));
    }
  if (n_voids > 0 && !f.voids)
    return error_at(field + "file", fmt::format("{} of {} heights were not measured here", n_voids, h.up.size()), "voids: 600 would set them to 600 m");
  return h;
}

}  // namespace

core::Result<std::shared_ptr<const terrain::Terrain>> make_terrain(const TerrainFile& file, const std::string& folder, const std::string& assets,
                                                                   const Files& files) {
  const int given = file.image.has_value() + file.srtm.has_value();
  if (given != 1) return error_at("terrain", given == 0 ? "says nothing about where the heights come from" : "has more than one source", "one of image, srtm");
  core::Result<Heights> heights = file.image ? from_image(*file.image, {folder, assets, files}) : from_srtm(*file.srtm, {folder, assets, files});
  if (!heights) return heights.error();
  return std::make_shared<const terrain::Terrain>(std::move(heights).value());
}

}  // namespace volary::scenario
