// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/region.hpp"

#include <fmt/format.h>

#include "math/scalar.hpp"
#include "scenario/field_error.hpp"

namespace volary::scenario {

namespace {

// twice the area of a triangle, positive when it turns left
double turn(const Flat& a, const Flat& b, const Flat& c) { return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); }

bool cross(const Flat& a, const Flat& b, const Flat& c, const Flat& d) { return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0; }

core::Status check_outline(const std::vector<Flat>& corners, const std::string& field) {
  const std::size_t n = corners.size();
  double area2 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (const double x : corners[i])
      if (math::abs(x) > kFar) return error_at(fmt::format("{}[{}]", field, i), fmt::format("{} m is too far away", x));
    area2 += turn(corners[0], corners[i], corners[(i + 1) % n]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 2; k < n; ++k)
      if (cross(corners[i], corners[(i + 1) % n], corners[k], corners[(k + 1) % n]))
        return error_at(fmt::format("{}[{}]", field, k), fmt::format("the side that starts at this corner crosses the side that starts at corner {}", i),
                        "list the corners in order around the outline");
  if (math::abs(area2) < 1e-6) return error_at(field, "encloses no area", "three corners that are not on one line");
  return core::ok();
}

core::Result<std::vector<Flat>> box_corners(const BoxFile& box, const std::string& field) {
  for (std::size_t k = 0; k < 2; ++k)
    if (!(box.min[k] < box.max[k])) return error_at(field + ".max", fmt::format("{} m is not above min, {} m", box.max[k], box.min[k]));
  return std::vector<Flat>{box.min, {box.max[0], box.min[1]}, box.max, {box.min[0], box.max[1]}};
}

}  // namespace

core::Result<RegionDef> make_region(const std::vector<RegionFile>& regions, std::size_t index) {
  const RegionFile& file = regions[index];
  const std::string field = fmt::format("regions[{}]", index);
  for (std::size_t k = 0; k < index; ++k)
    if (regions[k].name == file.name)
      return error_at(field + ".name", fmt::format("'{}' is also the name of regions[{}]", file.name, k), "give every region its own name");
  const int given = file.box.has_value() + file.cylinder.has_value() + file.polygon.has_value();
  if (given != 1) return error_at(field, given == 0 ? "has no shape" : "has more than one shape", "one of box, cylinder, polygon");

  RegionDef region;
  region.name = file.name;
  region.rule = file.rule;
  if (file.floor) region.floor = *file.floor;
  if (file.ceiling) region.ceiling = *file.ceiling;
  if (!(region.floor < region.ceiling)) return error_at(field + ".ceiling", fmt::format("{} m is not above the floor, {} m", region.ceiling, region.floor));
  if (file.cylinder) {
    region.centre = file.cylinder->centre;
    region.radius = file.cylinder->radius;
    return region;
  }
  if (file.box) {
    core::Result<std::vector<Flat>> corners = box_corners(*file.box, field + ".box");
    if (!corners) return corners.error();
    region.corners = std::move(corners).value();
  } else {
    if (const core::Status outline = check_outline(file.polygon->corners, field + ".polygon.corners"); !outline) return outline.error();
    region.corners = file.polygon->corners;
  }
  for (const Flat& c : region.corners)
    for (std::size_t k = 0; k < 2; ++k) region.centre[k] += c[k] / static_cast<double>(region.corners.size());
  return region;
}

}  // namespace volary::scenario
