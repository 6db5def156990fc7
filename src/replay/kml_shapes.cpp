// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/kml_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/functions.hpp"
#include "swarm/tasks/make_task.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary::replay {

namespace {

constexpr double kDegreesPerRadian = 57.29577951308232, kTurn = 6.283185307179586;
constexpr int kSides = 48;  // of a cylinder

using Ring = std::vector<std::array<double, 2>>;  // m, east north, counter-clockwise, each corner once
bool is_finite(double x) { return x - x == 0; }

Ring ring_of(const RegionDef& region) {
  Ring ring = region.corners;
  for (int k = 0; ring.size() < kSides && region.corners.empty(); ++k) {
    const double angle = kTurn * k / kSides;
    ring.push_back({region.centre[0] + region.radius * math::cos(angle), region.centre[1] + region.radius * math::sin(angle)});
  }
  double area = 0;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const auto &a = ring[k], &b = ring[(k + 1) % ring.size()];
    area += a[0] * b[1] - b[0] * a[1];
  }
  if (area < 0) std::reverse(ring.begin(), ring.end());
  return ring;
}

std::string polygon(const EarthFrame& frame, std::span<const Vec> corners, const char* settings) {
  std::string text = fmt::format("<Polygon>{}<outerBoundaryIs><LinearRing><coordinates>", settings);
  for (const Vec& c : corners) text += kml_coordinates(frame, c) + " ";
  return text + kml_coordinates(frame, corners.front()) + "</coordinates></LinearRing></outerBoundaryIs></Polygon>";
}
constexpr const char* kAbsolute = "<altitudeMode>absolute</altitudeMode>";
constexpr const char* kToGround = "<extrude>1</extrude><altitudeMode>absolute</altitudeMode>";
constexpr const char* kOnGround = "<tessellate>1</tessellate><altitudeMode>clampToGround</altitudeMode>";

std::string flat(const EarthFrame& frame, const Ring& ring, double height, const char* settings) {
  std::vector<Vec> corners;
  for (const auto& c : ring) corners.push_back({c[0], c[1], height});
  return polygon(frame, corners, settings);
}

std::string body(const EarthFrame& frame, const Ring& ring, double floor, double ceiling) {
  std::string text = "<MultiGeometry>" + flat(frame, ring, ceiling, kAbsolute) + flat(frame, ring, floor, kAbsolute);
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const auto &a = ring[k], &b = ring[(k + 1) % ring.size()];
    const std::array<Vec, 4> wall = {{{a[0], a[1], floor}, {b[0], b[1], floor}, {b[0], b[1], ceiling}, {a[0], a[1], ceiling}}};
    text += polygon(frame, wall, kAbsolute);
  }
  return text + "</MultiGeometry>";
}

// what the leaves of a predicate say of places
void gather(const EarthFrame& frame, std::span<const RegionDef> regions, const swarm::Predicate& p, std::vector<std::string>& places) {
  if (const auto* reached = std::get_if<swarm::Predicate::Reached>(&p.test))
    places.push_back(kml_point(frame, {reached->position.x, reached->position.y, reached->position.z}));
  if (const auto* in = std::get_if<swarm::Predicate::InRegion>(&p.test); in != nullptr && static_cast<std::size_t>(in->region) < regions.size())
    places.push_back(kml_zone(frame, regions[static_cast<std::size_t>(in->region)]));
  if (const auto* area = std::get_if<swarm::Predicate::Covered>(&p.test))
    places.push_back(flat(frame, {{area->min[0], area->min[1]}, {area->max[0], area->min[1]}, {area->max[0], area->max[1]}, {area->min[0], area->max[1]}}, 0, kOnGround));
  for (const swarm::Predicate& part : p.parts) gather(frame, regions, part, places);
}

}  // namespace

std::string kml_coordinates(const EarthFrame& frame, const Vec& p) {
  const environment::Geodetic<double> g = environment::geodetic_from_enu<double>(frame, {p[0], p[1], p[2]});
  return fmt::format("{:.10f},{:.10f},{:.5f}", g.longitude * kDegreesPerRadian, g.latitude * kDegreesPerRadian, g.height);
}

std::string kml_point(const EarthFrame& frame, const Vec& p) { return fmt::format("<Point>{}<coordinates>{}</coordinates></Point>", kAbsolute, kml_coordinates(frame, p)); }

std::string kml_zone(const EarthFrame& frame, const RegionDef& region) {
  const Ring ring = ring_of(region);
  const bool has_floor = is_finite(region.floor), has_ceiling = is_finite(region.ceiling);
  if (has_floor && has_ceiling) return body(frame, ring, region.floor, region.ceiling);
  if (has_ceiling) return flat(frame, ring, region.ceiling, kToGround);
  if (has_floor) return flat(frame, ring, region.floor, kAbsolute);
  return flat(frame, ring, 0, kOnGround);
}

std::string kml_task_places(const EarthFrame& frame, std::span<const RegionDef> regions, const TaskDef& task) {
  std::vector<std::string> places;
  if (task.predicate != nullptr) gather(frame, regions, swarm::predicate_of(task), places);
  if (places.size() < 2) return places.empty() ? "" : places.front();
  std::string text = "<MultiGeometry>";
  for (const std::string& p : places) text += p;
  return text + "</MultiGeometry>";
}

}  // namespace volary::replay
