// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// KML 2.2 with the tracks of its extension (Google, gx:Track): one placemark per vehicle, where it was and when. Heights are above the ellipsoid,
// times are those of the scenario's own date.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "environment/weather.hpp"
#include "math/scalar.hpp"
#include "replay/export_file.hpp"
#include "replay/exports.hpp"
#include "replay/resimulate.hpp"

namespace volary::replay {

namespace {

constexpr double kDegreesPerRadian = 57.29577951308232;

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

// UTC of a simulated time, to the millisecond
std::string when(std::int64_t started_ms, double time) {
  const std::int64_t milliseconds = started_ms + static_cast<std::int64_t>(time * 1000 + 0.5);
  const auto second = static_cast<std::time_t>(milliseconds / 1000);
  std::tm utc{};
  gmtime_r(&second, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z", utc, milliseconds % 1000);
}

// where the world lies, and when it begins
struct PlaceAndTime {
  environment::LocalFrame<double> frame;
  std::int64_t started_ms = 0;  // since 1970, UTC
};

core::Result<PlaceAndTime> place_of(const Recording& r, const scenario::MayRun& may_run) {
  const core::Result<WorldDef> def = scenario_of(r, may_run);
  if (!def) return def.error();
  const WeatherDef& w = def.value().environment.weather;
  if (w.origin) return PlaceAndTime{weather::frame_of(*w.origin), start_of(w)};
  return core::Error{.message = "its world has no place on the Earth, which KML needs",
                     .file = r.path(),
                     .field = "environment.origin",
                     .suggestion = "environment: {origin: {latitude: 47.3, longitude: 8.5, height: 440}}"};
}

// what is gathered of one vehicle
struct Track {
  fmt::memory_buffer times, places;
};

}  // namespace

std::int64_t start_of(const WeatherDef& w) {
  using namespace std::chrono;
  const double whole = math::floor(w.year);
  const year y{static_cast<int>(whole)};
  // a day that was written as a decimal of the year must not fall short by a rounding
  const auto day = static_cast<int>(math::floor((w.year - whole) * (y.is_leap() ? 366 : 365) + 1e-3));
  const auto midnight = duration_cast<milliseconds>((sys_days{y / January / 1} + days{day}).time_since_epoch());
  const double hours = w.time_of_day - (w.origin ? w.origin->longitude / 15 : 0);
  return midnight.count() + static_cast<std::int64_t>(math::floor(hours * 3.6e6 + 0.5));
}

core::Result<Exported> export_kml(const Recording& r, const std::string& path, const ExportOptions& o) {
  if (const core::Status s = need_view(r); !s) return s.error();
  const core::Result<PlaceAndTime> place = place_of(r, o.may_run);
  if (!place) return place.error();
  auto made = NewFile::create(path);
  if (!made) return made.error();
  NewFile& file = made.value();
  Exported done{1, 0, 0, 0};
  std::vector<Track> tracks(r.roster().size());
  const core::Status s = each_frame(r, o, [&](const Frame& f) -> core::Status {
    const std::string moment = when(place.value().started_ms, f.time);
    for (const VehicleAt& v : f.vehicles) {
      const auto& p = v.pose.position;
      const environment::Geodetic<double> g = environment::geodetic_from_enu<double>(place.value().frame, {p[0], p[1], p[2]});
      fmt::format_to(std::back_inserter(tracks[v.vehicle].times), "<when>{}</when>\n", moment);
      fmt::format_to(std::back_inserter(tracks[v.vehicle].places), "<gx:coord>{:.8f} {:.8f} {:.3f}</gx:coord>\n", g.longitude * kDegreesPerRadian,
                     g.latitude * kDegreesPerRadian, g.height);
    }
    done.samples += f.vehicles.size();
    done.missing += f.missing.size();
    return core::ok();
  });
  if (!s) return s.error();

  const auto put = [&](const std::string& text) { file.put(text.data(), text.size()); };
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" "
      "xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n<Document>\n<name>" +
      xml_text(r.head().scenario) + "</name>\n");
  for (std::size_t k = 0; k < tracks.size(); ++k) {
    if (tracks[k].times.size() == 0) continue;
    put("<Placemark>\n<name>" + xml_text(r.roster()[k].name) + "</name>\n<gx:Track>\n<altitudeMode>absolute</altitudeMode>\n");
    file.put(tracks[k].times.data(), tracks[k].times.size());
    file.put(tracks[k].places.data(), tracks[k].places.size());
    put("</gx:Track>\n</Placemark>\n");
  }
  put("</Document>\n</kml>\n");
  done.bytes = file.size();
  if (const core::Status written = file.finish(); !written) return written.error();
  return done;
}

}  // namespace volary::replay
