// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/terrain_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>

#include "scenario/field_error.hpp"
#include "scenario/geotiff.hpp"
#include "scenario/height_window.hpp"
#include "scenario/image.hpp"
#include "scenario/places.hpp"

namespace volary::scenario {

namespace {

using terrain::Heights;

// ---------------------------------------------------------------- pictures

// The origin is the upper left corner of the picture, east to its right and south downwards (Cybulski section VIII: x right, z down, y up).
core::Result<Heights> from_image(const ImageTerrainFile& f, const Places& places) {
  const core::Result<Places::Found> found = places.read(f.file, "terrain.image.file");
  if (!found) return found.error();
  const core::Result<Image> decoded = decode_image(found.value().bytes);
  if (!decoded) return error_in_file("terrain.image.file", f.file + " " + decoded.error().message, decoded.error().suggestion);
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

// Big-endian metres, a row per latitude from the north, edges shared with the next tile (NASA JPL, SRTM topography documentation).
core::Result<Heights> from_srtm(const SrtmTerrainFile& f, const Places& places) {
  const std::string field = "terrain.srtm.";
  const std::optional<Corner> corner = corner_of(f.file);
  if (!corner) return error_at(field + "file", "'" + f.file + "' does not name its south-western corner", "such as S36E149.hgt");
  const core::Result<Places::Found> found = places.read(f.file, field + "file");
  if (!found) return found.error();
  const std::string& bytes = found.value().bytes;
  const std::size_t size = bytes.size(), side = size == 3601u * 3601u * 2 ? 3601 : size == 1201u * 1201u * 2 ? 1201 : 0;
  if (side == 0)
    return error_at(field + "file", fmt::format("{} has {} bytes: a whole tile has 2,884,802 or 25,934,402", f.file, size),
                    "it may be cut off, or still packed");

  const double steps = static_cast<double>(side - 1);
  const PerDegree metres = per_degree(f.latitude);
  const MapAxis east{side, (f.longitude - corner->longitude) * steps, metres.east / steps, f.width, "longitude", "width"};
  const MapAxis north{side, (f.latitude - corner->latitude) * steps, metres.north / steps, f.depth, "latitude", "depth"};
  const core::Result<NodeRange> columns = choose_nodes(east, field, fmt::format("{} degrees", f.longitude), "tile");
  if (!columns) return columns.error();
  const core::Result<NodeRange> rows = choose_nodes(north, field, fmt::format("{} degrees", f.latitude), "tile");
  if (!rows) return rows.error();

  Heights h = grid_of(east, columns.value(), north, rows.value());
  std::size_t n_voids = 0;
  for (std::size_t r = rows.value().first; r <= rows.value().last; ++r)
    for (std::size_t c = columns.value().first; c <= columns.value().last; ++c) {
      const std::size_t at = 2 * ((side - 1 - r) * side + c);
      const int metre =
          static_cast<std::int16_t>(static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) << 8 | static_cast<unsigned char>(bytes[at + 1])));
      const bool is_void = metre == -32768;
      n_voids += is_void ? 1 : 0;
      h.up.push_back(static_cast<float>((is_void ? f.voids.value_or(0) : metre) - f.datum));
    }
  if (n_voids > 0 && !f.voids) return unmeasured(field + "file", n_voids, h.up.size());
  return h;
}

core::Result<Heights> from_geotiff(const GeotiffTerrainFile& f, const Places& places) {
  const core::Result<Places::Found> found = places.read(f.file, "terrain.geotiff.file");
  if (!found) return found.error();
  return read_geotiff(found.value().bytes, f);
}

}  // namespace

core::Result<std::shared_ptr<const terrain::Terrain>> make_terrain(const TerrainFile& file, const std::string& folder, const std::string& assets,
                                                                   const Files& files) {
  const int given = file.image.has_value() + file.srtm.has_value() + file.geotiff.has_value();
  if (given != 1)
    return error_at("terrain", given == 0 ? "says nothing about where the heights come from" : "has more than one source", "one of image, srtm, geotiff");
  const Places places{folder, assets, "terrain", files};
  core::Result<Heights> heights = file.image  ? from_image(*file.image, places)
                                  : file.srtm ? from_srtm(*file.srtm, places)
                                              : from_geotiff(*file.geotiff, places);
  if (!heights) return heights.error();
  return std::make_shared<const terrain::Terrain>(std::move(heights).value());
}

}  // namespace volary::scenario
