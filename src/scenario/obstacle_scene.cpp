// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/obstacle_scene.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "math/scalar.hpp"

namespace volary::scenario {

namespace {

using Json = nlohmann::json;
using obstacles::Mesh;
using obstacles::Point;

// millimetres are what a page can show; short numbers are quick to send
double rounded(double x) { return math::floor(x * 1000 + 0.5) / 1000; }

// corners that share a cell of a grid with so many cells along its longest side become one
Mesh clustered(const Mesh& mesh, double cells) {
  Point low = mesh.vertices[mesh.triangles[0][0]], high = low;
  for (const Point& p : mesh.vertices)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  const double per_metre = cells / std::max(high[0] - low[0], std::max(high[1] - low[1], high[2] - low[2]));
  Mesh out;
  std::map<std::array<int, 3>, std::uint32_t> known;
  std::vector<std::uint32_t> becomes;
  for (const Point& p : mesh.vertices) {
    std::array<int, 3> cell;
    for (std::size_t k = 0; k < 3; ++k) cell[k] = static_cast<int>((p[k] - low[k]) * per_metre);
    const auto [it, is_new] = known.emplace(cell, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) out.vertices.push_back(p);
    becomes.push_back(it->second);
  }
  std::set<std::array<std::uint32_t, 3>> seen;
  for (const auto& t : mesh.triangles) {
    std::array<std::uint32_t, 3> c = {becomes[t[0]], becomes[t[1]], becomes[t[2]]};
    if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) continue;
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    if (seen.insert(c).second) out.triangles.push_back(c);
  }
  return out;
}

struct ToJson {
  std::size_t n_triangles;  // of all meshes

  Json operator()(const obstacles::Box& b) const { return {{"kind", "box"}, {"centre", b.centre}, {"size", b.size}, {"yaw", b.yaw}}; }
  Json operator()(const obstacles::Cylinder& c) const { return {{"kind", "cylinder"}, {"centre", c.base}, {"size", {c.radius, c.height}}, {"yaw", 0.0}}; }
  Json operator()(const obstacles::Sphere& s) const { return {{"kind", "sphere"}, {"centre", s.centre}, {"size", {s.radius}}, {"yaw", 0.0}}; }
  Json operator()(const Mesh& m) const {
    // each gets its share
    const Mesh drawn = n_triangles <= kMostDrawnTriangles ? m : coarser(m, m.triangles.size() * kMostDrawnTriangles / n_triangles);
    Json vertices = Json::array(), triangles = Json::array();
    for (const Point& p : drawn.vertices)
      for (const double x : p) vertices.push_back(rounded(x));
    for (const auto& t : drawn.triangles)
      for (const std::uint32_t i : t) triangles.push_back(i);
    return {{"kind", "mesh"}, {"centre", {0.0, 0.0, 0.0}},       {"size", Json::array()},
            {"yaw", 0.0},     {"vertices", std::move(vertices)}, {"triangles", std::move(triangles)}};
  }
};

}  // namespace

Mesh coarser(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Mesh out = clustered(mesh, 256);
  for (double cells = 256; out.triangles.size() > most && cells > 2;) out = clustered(mesh, cells *= 0.8);
  // too many meshes for even a few triangles each
  if (out.triangles.size() > most) out.triangles.resize(most);
  return out;
}

Json obstacles_of(const obstacles::Obstacles& obstacles) {
  std::size_t n = 0;
  for (const obstacles::Obstacle& o : obstacles.list())
    if (const auto* mesh = std::get_if<Mesh>(&o.shape)) n += mesh->triangles.size();
  Json list = Json::array();
  for (const obstacles::Obstacle& o : obstacles.list()) {
    Json one = std::visit(ToJson{n}, o.shape);
    one["name"] = o.name;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace volary::scenario
