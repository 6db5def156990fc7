// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/geotiff.hpp"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "scenario/height_window.hpp"

namespace volary::scenario {

namespace {

using terrain::Heights;
const std::string kField = "terrain.geotiff.";
constexpr std::size_t kMostNodes = 4096 * 4096;  // of the part that is used: 256 MiB of terrain

core::Error refuse(const GeotiffTerrainFile& f, const std::string& message, std::string suggestion = "") {
  return error_in_file(kField + "file", f.file + " " + message, std::move(suggestion));
}

// ---------------------------------------------------------------- libtiff on bytes in memory, its complaints kept

class TiffFile {
 public:
  explicit TiffFile(const std::string& bytes) : bytes_(bytes) {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_complaint, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore, nullptr);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), 512 << 20);
    tiff_ = TIFFClientOpenExt("tiff", "rm", this, read, write, seek, close, size, map, unmap, options.get());
  }
  TiffFile(const TiffFile&) = delete;
  ~TiffFile() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
  }
  TIFF* get() const { return tiff_; }
  // what libtiff said first
  std::string complaint() const { return complaint_.empty() ? "it cannot be read" : complaint_; }

 private:
  static int keep_complaint(TIFF*, void* self, const char*, const char* format, va_list arguments) {
    char text[300];
    std::vsnprintf(text, sizeof text, format, arguments);
    for (char* c = text; *c != 0; ++c)
      if (*c < ' ' || *c > '~') *c = '?';
    std::string& kept = static_cast<TiffFile*>(self)->complaint_;
    if (kept.empty()) kept = text;
    return 1;  // and nothing goes to the terminal
  }
  static int ignore(TIFF*, void*, const char*, const char*, va_list) { return 1; }
  static tmsize_t read(thandle_t self, void* to, tmsize_t n) {
    TiffFile& f = *static_cast<TiffFile*>(self);
    const std::size_t left = f.at_ < f.bytes_.size() ? f.bytes_.size() - f.at_ : 0, taken = std::min(left, static_cast<std::size_t>(std::max<tmsize_t>(n, 0)));
    std::memcpy(to, f.bytes_.data() + (taken > 0 ? f.at_ : 0), taken);
    f.at_ += taken;
    return static_cast<tmsize_t>(taken);
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }
  static toff_t seek(thandle_t self, toff_t to, int from) {
    TiffFile& f = *static_cast<TiffFile*>(self);
    f.at_ = from == SEEK_CUR ? f.at_ + to : from == SEEK_END ? f.bytes_.size() + to : to;
    return f.at_;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t self) { return static_cast<TiffFile*>(self)->bytes_.size(); }
  static int map(thandle_t, void**, toff_t*) { return 0; }
  static void unmap(thandle_t, void*, toff_t) {}

  const std::string& bytes_;
  toff_t at_ = 0;
  TIFF* tiff_ = nullptr;
  std::string complaint_;
};

// ---------------------------------------------------------------- tags

enum : std::uint32_t { kPixelScale = 33550, kTiepoint = 33922, kTransformation = 34264, kGeoKeys = 34735, kNoData = 42113 };

// the values of a tag that libtiff has no name for, when they are of the type that the standard says
template <class T> std::vector<T> tag(TIFF* t, std::uint32_t number, TIFFDataType type) {
  const TIFFField* field = TIFFFindField(t, number, TIFF_ANY);
  std::uint32_t count = 0;
  const T* data = nullptr;
  if (field == nullptr || TIFFFieldDataType(field) != type || !TIFFFieldPassCount(field)) return {};
  if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
    if (TIFFGetField(t, number, &count, &data) != 1) return {};
  } else {
    std::uint16_t small = 0;
    if (TIFFGetField(t, number, &small, &data) != 1) return {};
    count = small;
  }
  return data == nullptr ? std::vector<T>{} : std::vector<T>(data, data + count);
}

// one number of the directory of keys: (id, 0, 1, value) each, after a head of four
std::optional<int> geo_key(const std::vector<std::uint16_t>& keys, int id) {
  for (std::size_t k = 4; k + 3 < keys.size(); k += 4)
    if (keys[k] == id && keys[k + 1] == 0) return keys[k + 3];
  return std::nullopt;
}

// GDAL writes the value of places that were not measured as a text
std::optional<double> no_data(TIFF* t) {
  const std::vector<char> text = tag<char>(t, kNoData, TIFF_ASCII);
  const char *begin = text.data(), *end = text.data() + text.size();
  while (begin < end && *begin == ' ') ++begin;
  if (begin < end && *begin == '+') ++begin;
  double x;
  if (begin == end || std::from_chars(begin, end, x).ec != std::errc()) return std::nullopt;
  return x;
}

// ---------------------------------------------------------------- where it lies

struct Map {
  bool in_degrees = false;
  double x = 0, y = 0;            // of node (0, 0), the upper left one
  double step_x = 1, step_y = 1;  // from node to node; y downwards in the picture
};

// the affine part: from the upper left corner of the picture to the map
core::Status place_map(TIFF* t, bool is_point, const GeotiffTerrainFile& f, Map& m) {
  const std::vector<double> scale = tag<double>(t, kPixelScale, TIFF_DOUBLE), tie = tag<double>(t, kTiepoint, TIFF_DOUBLE),
                            matrix = tag<double>(t, kTransformation, TIFF_DOUBLE);
  double x0, y0;
  if (scale.size() >= 2 && tie.size() == 6) {
    m.step_x = scale[0];
    m.step_y = -scale[1];
    x0 = tie[3] - tie[0] * m.step_x;
    y0 = tie[4] - tie[1] * m.step_y;
  } else if (matrix.size() == 16) {
    if (matrix[1] != 0 || matrix[4] != 0) return refuse(f, "is rotated from north (ModelTransformation)", "warp it to a north-up map");
    m.step_x = matrix[0];
    m.step_y = matrix[5];
    x0 = matrix[3];
    y0 = matrix[7];
  } else if (!tie.empty()) {
    return refuse(f, fmt::format("is placed by {} points without a scale", tie.size() / 6), "warp it to a regular map");
  } else {
    return refuse(f, "is a picture without a position on the Earth: not a GeoTIFF", "terrain.image makes heights of any picture");
  }
  if (!std::isfinite(x0) || !std::isfinite(y0) || !(m.step_x > 0) || !(m.step_y != 0) || !std::isfinite(m.step_x) || !std::isfinite(m.step_y))
    return refuse(f, "has a scale or a position that is not valid");
  // a pixel is the area about its middle, or a point at its corner
  m.x = x0 + (is_point ? 0 : 0.5) * m.step_x;
  m.y = y0 + (is_point ? 0 : 0.5) * m.step_y;
  return core::ok();
}

bool is_utm(int code) {
  return (code >= 32601 && code <= 32660) || (code >= 32701 && code <= 32760) || (code >= 26901 && code <= 26923) || (code >= 25828 && code <= 25838);
}

// EPSG codes: 9001 metre, 9102 degree; 4326 WGS 84, 4979 the same with heights, 4269 NAD83, 4258 ETRS89, which agree within a metre or two
core::Status check_system(const std::vector<std::uint16_t>& keys, const GeotiffTerrainFile& f, bool& in_degrees) {
  const std::optional<int> model = geo_key(keys, 1024), geographic = geo_key(keys, 2048), projected = geo_key(keys, 3072), linear = geo_key(keys, 3076),
                           angular = geo_key(keys, 2054), vertical = geo_key(keys, 4099);
  if (vertical && *vertical != 9001) return refuse(f, fmt::format("has heights in the unit EPSG {}: only metres (9001) are read", *vertical));
  if (!model) return refuse(f, "does not say its coordinate system (GTModelTypeGeoKey)", "terrain.image makes heights of any picture");
  if (*model == 2) {
    in_degrees = true;
    if (!geographic || (*geographic != 4326 && *geographic != 4979 && *geographic != 4269 && *geographic != 4258))
      return refuse(f, fmt::format("is in the geographic system EPSG {}: WGS 84 (4326), NAD83 (4269) and ETRS89 (4258) are read", geographic.value_or(0)),
                    "warp it to EPSG:4326");
    if (angular && *angular != 9102) return refuse(f, fmt::format("is in the angular unit EPSG {}: only degrees (9102) are read", *angular));
    return core::ok();
  }
  if (*model != 1) return refuse(f, fmt::format("has the coordinate model {}: projected (1) and geographic (2) are read", *model));
  const int code = projected.value_or(0);
  if (code == 3857 || code == 3395 || code == 3785)  // metres in name: a metre of it is a metre at the equator only
    return refuse(f, fmt::format("is in EPSG {}, a Mercator map, whose unit is a metre at the equator only", code), "warp it to UTM or EPSG:4326");
  if (linear ? *linear != 9001 : !is_utm(code))
    return refuse(f,
                  fmt::format("is in the projected system EPSG {} with the unit {}: only metres (9001) are read", code,
                              linear ? fmt::format("EPSG {}", *linear) : "unknown"),
                  "warp it to UTM or EPSG:4326");
  return core::ok();
}

// ---------------------------------------------------------------- samples

struct Samples {
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 0, format = SAMPLEFORMAT_UINT;
};

core::Status check_samples(TIFF* t, const GeotiffTerrainFile& f, Samples& s) {
  std::uint16_t bands = 1, photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE;
  TIFFGetField(t, TIFFTAG_IMAGEWIDTH, &s.width);
  TIFFGetField(t, TIFFTAG_IMAGELENGTH, &s.height);
  TIFFGetFieldDefaulted(t, TIFFTAG_BITSPERSAMPLE, &s.bits);
  TIFFGetFieldDefaulted(t, TIFFTAG_SAMPLEFORMAT, &s.format);
  TIFFGetFieldDefaulted(t, TIFFTAG_SAMPLESPERPIXEL, &bands);
  TIFFGetField(t, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted(t, TIFFTAG_COMPRESSION, &compression);
  if (s.width < 2 || s.height < 2) return refuse(f, fmt::format("is {} x {} pixels: two a side are needed", s.width, s.height));
  if (bands != 1 || photometric != PHOTOMETRIC_MINISBLACK)
    return refuse(f, fmt::format("has {} bands of photometric kind {}: one band of heights is read", bands, photometric));
  const bool whole = (s.format == SAMPLEFORMAT_UINT || s.format == SAMPLEFORMAT_INT) && (s.bits == 8 || s.bits == 16 || s.bits == 32);
  const bool real = s.format == SAMPLEFORMAT_IEEEFP && (s.bits == 32 || s.bits == 64);
  if (!whole && !real)
    return refuse(f, fmt::format("has samples of {} bits in format {}: whole numbers of 8, 16, 32 and floats of 32, 64 bits are read", s.bits, s.format));
  switch (compression) {
    case COMPRESSION_NONE:
    case COMPRESSION_LZW:
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_PACKBITS:
    case COMPRESSION_ZSTD:
    case COMPRESSION_LZMA: break;
    default:
      return refuse(f, fmt::format("is compressed by method {}, which may lose heights", compression), "LZW, Deflate, PackBits, Zstandard and LZMA are read");
  }
  if (compression != COMPRESSION_NONE && !TIFFIsCODECConfigured(compression))
    return refuse(f, fmt::format("is compressed by method {}, which this libtiff does not know", compression));
  return core::ok();
}

template <class T> double as(const unsigned char* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return static_cast<double>(x);
}
double sample(const Samples& s, const unsigned char* at) {
  const bool is_signed = s.format == SAMPLEFORMAT_INT;
  if (s.format == SAMPLEFORMAT_IEEEFP) return s.bits == 32 ? as<float>(at) : as<double>(at);
  if (s.bits == 8) return is_signed ? as<std::int8_t>(at) : as<std::uint8_t>(at);
  if (s.bits == 16) return is_signed ? as<std::int16_t>(at) : as<std::uint16_t>(at);
  return is_signed ? as<std::int32_t>(at) : as<std::uint32_t>(at);
}

// The picture by rows, from the file's strips or tiles: each is decoded once, only where it is needed.
class Picture {
 public:
  Picture(TIFF* t, const Samples& s) : t_(t), s_(s), tiled_(TIFFIsTiled(t) != 0), wide_(s.width), high_(s.height) {
    if (tiled_) {
      wide_ = high_ = 0;
      TIFFGetField(t, TIFFTAG_TILEWIDTH, &wide_);
      TIFFGetField(t, TIFFTAG_TILELENGTH, &high_);
    } else {
      TIFFGetFieldDefaulted(t, TIFFTAG_ROWSPERSTRIP, &high_);
      high_ = std::min(high_, s.height);
    }
  }
  // columns [c, c + n) of rows [r, r + m) from the top into `out`; false when the file is cut off or damaged
  bool read(std::uint32_t c, std::uint32_t n, std::uint32_t r, std::uint32_t m, std::vector<double>& out) {
    if (wide_ == 0 || high_ == 0) return false;
    const std::size_t bytes = s_.bits / 8u, size = static_cast<std::size_t>(wide_) * high_ * bytes;
    const tmsize_t expected = tiled_ ? TIFFTileSize(t_) : TIFFStripSize(t_);
    if (expected <= 0 || static_cast<std::size_t>(expected) > size || size > (512u << 20)) return false;
    std::vector<unsigned char> part(size);
    out.assign(static_cast<std::size_t>(n) * m, 0);
    for (std::uint32_t top = r / high_ * high_; top < r + m; top += high_)
      for (std::uint32_t left = c / wide_ * wide_; left < c + n; left += wide_) {
        if (!decode(left, top, part)) return false;
        for (std::uint32_t y = std::max(top, r); y < std::min(top + high_, r + m); ++y)
          for (std::uint32_t x = std::max(left, c); x < std::min(left + wide_, c + n); ++x)
            out[static_cast<std::size_t>(y - r) * n + (x - c)] = sample(s_, &part[(static_cast<std::size_t>(y - top) * wide_ + (x - left)) * bytes]);
      }
    return true;
  }

 private:
  bool decode(std::uint32_t left, std::uint32_t top, std::vector<unsigned char>& part) {
    if (tiled_)
      return TIFFReadEncodedTile(t_, TIFFComputeTile(t_, left, top, 0, 0), part.data(), static_cast<tmsize_t>(part.size())) ==
             static_cast<tmsize_t>(part.size());
    // the last strip ends with the picture
    const auto wanted = static_cast<tmsize_t>(static_cast<std::size_t>(std::min(high_, s_.height - top)) * wide_ * (s_.bits / 8u));
    return TIFFReadEncodedStrip(t_, TIFFComputeStrip(t_, top, 0), part.data(), wanted) == wanted;
  }

  TIFF* t_;
  const Samples& s_;
  bool tiled_;
  std::uint32_t wide_, high_;  // of a tile or a strip
};

// ---------------------------------------------------------------- the part about the place

struct Centre {
  double x, y;  // on the map
  std::string x_text, y_text;
  const char *x_field, *y_field;
};
core::Result<Centre> centre_of(const GeotiffTerrainFile& f, bool in_degrees) {
  const bool degrees = f.latitude && f.longitude, metres = f.east && f.north;
  if (in_degrees) {
    if (f.east || f.north || !degrees)
      return error_at("terrain.geotiff", f.file + " is a map in degrees: its centre is a latitude and a longitude",
                      "latitude: and longitude:, not east: and north:");
    return Centre{*f.longitude, *f.latitude, fmt::format("{} degrees", *f.longitude), fmt::format("{} degrees", *f.latitude), "longitude", "latitude"};
  }
  if (f.latitude || f.longitude || !metres)
    return error_at("terrain.geotiff", f.file + " is a map in metres: its centre is an east and a north", "east: and north:, not latitude: and longitude:");
  return Centre{*f.east, *f.north, fmt::format("{} m", *f.east), fmt::format("{} m", *f.north), "east", "north"};
}

core::Result<Heights> heights_about(TiffFile& file, const Samples& s, const Map& map, const GeotiffTerrainFile& f) {
  const core::Result<Centre> centre = centre_of(f, map.in_degrees);
  if (!centre) return centre.error();
  const Centre& c = centre.value();
  const PerDegree metres = map.in_degrees ? per_degree(c.y) : PerDegree{1, 1};
  // rows count from the north in most files; here from the south
  const double down = (c.y - map.y) / map.step_y, most = static_cast<double>(s.height - 1);
  const bool north_up = map.step_y < 0;
  const MapAxis east{s.width, (c.x - map.x) / map.step_x, map.step_x * metres.east, f.width, c.x_field, "width"};
  const MapAxis north{s.height, north_up ? most - down : down, std::abs(map.step_y) * metres.north, f.depth, c.y_field, "depth"};
  const core::Result<NodeRange> columns = choose_nodes(east, kField, c.x_text, "map");
  if (!columns) return columns.error();
  const core::Result<NodeRange> rows = choose_nodes(north, kField, c.y_text, "map");
  if (!rows) return rows.error();
  if (columns.value().count() * rows.value().count() > kMostNodes)
    return error_at(kField + "width", fmt::format("{} x {} heights: at most {}", columns.value().count(), rows.value().count(), kMostNodes),
                    "a smaller width or depth");

  Heights h = grid_of(east, columns.value(), north, rows.value());
  const auto first = static_cast<std::uint32_t>(columns.value().first), n = static_cast<std::uint32_t>(h.columns), m = static_cast<std::uint32_t>(h.rows);
  const auto top = static_cast<std::uint32_t>(north_up ? s.height - 1 - rows.value().last : rows.value().first);
  std::vector<double> values;
  if (!Picture(file.get(), s).read(first, n, top, m, values)) return refuse(f, "is damaged or cut off: " + file.complaint());
  const std::optional<double> none = no_data(file.get());
  std::size_t n_voids = 0;
  h.up.reserve(values.size());
  for (std::uint32_t r = 0; r < m; ++r)
    for (std::uint32_t k = 0; k < n; ++k) {
      const double value = values[static_cast<std::size_t>(north_up ? m - 1 - r : r) * n + k];
      const bool is_void = !std::isfinite(value) || (none && (value == *none || (s.bits == 32 && value == static_cast<double>(static_cast<float>(*none)))));
      n_voids += is_void ? 1 : 0;
      h.up.push_back(static_cast<float>((is_void ? f.voids.value_or(0) : value) - f.datum));
      if (!is_void && !(value > -12'000 && value < 10'000))  // no ground of the Earth
        return refuse(f, fmt::format("has a height of {} m", value), "a void that it does not declare (GDAL_NODATA)?");
    }
  if (n_voids > 0 && !f.voids) return unmeasured(kField + "file", n_voids, h.up.size());
  return h;
}

}  // namespace

core::Result<Heights> read_geotiff(const std::string& bytes, const GeotiffTerrainFile& f) {
  TiffFile file(bytes);
  if (file.get() == nullptr) return refuse(f, "is no TIFF that can be read: " + file.complaint(), "terrain.image reads PNG, JPEG and other pictures");
  Samples samples;
  if (const core::Status good = check_samples(file.get(), f, samples); !good) return good.error();
  const std::vector<std::uint16_t> keys = tag<std::uint16_t>(file.get(), kGeoKeys, TIFF_SHORT);
  Map map;
  if (const core::Status good = place_map(file.get(), geo_key(keys, 1025) == 2, f, map); !good) return good.error();
  if (const core::Status good = check_system(keys, f, map.in_degrees); !good) return good.error();
  return heights_about(file, samples, map, f);
}

}  // namespace volary::scenario
