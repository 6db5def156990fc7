// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/obstacle_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "scenario/mesh_file.hpp"
#include "scenario/places.hpp"

namespace volary::scenario {

namespace {

using obstacles::Point;

class ObstacleMaker {
 public:
  ObstacleMaker(const std::vector<ObstacleFile>& list, Places places) : list_(list), places_(places) {}

  core::Result<std::vector<obstacles::Obstacle>> make() {
    std::vector<obstacles::Obstacle> made;
    std::map<std::string, std::size_t> names;
    std::size_t n_triangles = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const ObstacleFile& file = list_[i];
      const std::string field = fmt::format("obstacles[{}]", i);
      if (const auto [known, is_new] = names.emplace(file.name, i); !is_new)
        return error_at(field + ".name", fmt::format("'{}' is also the name of obstacles[{}]", file.name.substr(0, 60), known->second),
                        "give every obstacle its own name");
      const int given = file.box.has_value() + file.cylinder.has_value() + file.sphere.has_value() + file.mesh.has_value();
      if (given != 1) return error_at(field, given == 0 ? "has no shape" : "has more than one shape", "one of box, cylinder, sphere, mesh");
      obstacles::Obstacle obstacle{file.name, obstacles::Sphere{{0, 0, 0}, 1}};
      if (file.box) obstacle.shape = obstacles::Box{file.box->centre, file.box->size, file.box->yaw};
      if (file.cylinder) obstacle.shape = obstacles::Cylinder{file.cylinder->centre, file.cylinder->radius, file.cylinder->height};
      if (file.sphere) obstacle.shape = obstacles::Sphere{file.sphere->centre, file.sphere->radius};
      if (file.mesh) {
        core::Result<Mesh> mesh = place_mesh(*file.mesh, field + ".mesh");
        if (!mesh) return mesh.error();
        n_triangles += mesh.value().triangles.size();
        if (n_triangles > obstacles::kMostTriangles)
          return error_at(field + ".mesh", fmt::format("{} triangles with this mesh: at most {}", n_triangles, obstacles::kMostTriangles));
        obstacle.shape = std::move(mesh).value();
      }
      made.push_back(std::move(obstacle));
    }
    return made;
  }

 private:
  // a file is read once, however many obstacles it makes
  core::Result<const Mesh*> load(const std::string& name, const std::string& field) {
    if (const auto known = meshes_.find(name); known != meshes_.end()) return &known->second;
    const core::Result<Places::Found> found = places_.read(name, field);
    if (!found) return found.error();
    const std::string folder = std::filesystem::path(found.value().path).parent_path().string();
    core::Result<Mesh> mesh =
        read_mesh(name, found.value().bytes, [&](const std::string& other) { return places_.files.read(folder.empty() ? other : folder + "/" + other); });
    if (!mesh) return error_in_file(field, mesh.error().message, mesh.error().suggestion);
    return &(meshes_[name] = std::move(mesh).value());
  }

  core::Result<Mesh> place_mesh(const MeshFile& file, const std::string& field) {
    const core::Result<const Mesh*> loaded = load(file.file, field + ".file");
    if (!loaded) return loaded.error();
    Mesh mesh = *loaded.value();
    const bool y_up = file.up ? *file.up == MeshUp::Y : is_gltf(file.file);
    double sine, cosine;
    math::sincos(file.yaw, sine, cosine);
    for (Point& p : mesh.vertices) {
      const Point up = y_up ? Point{p[0], -p[2], p[1]} : p;
      p = {file.position[0] + file.scale * (cosine * up[0] - sine * up[1]), file.position[1] + file.scale * (sine * up[0] + cosine * up[1]),
           file.position[2] + file.scale * up[2]};
      for (const double x : p)
        if (!(math::abs(x) < 2 * kFar)) return error_at(field, fmt::format("{} has a vertex at {} m, too far away", file.file, x), "a smaller scale");
    }
    // far from the origin, what was small in the file may be lost to rounding
    for (const auto& t : mesh.triangles)
      if (!obstacles::has_area(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]))
        return error_at(field + ".scale", fmt::format("{} has triangles too small for the numerical resolution at this place", file.file));
    return mesh;
  }

  const std::vector<ObstacleFile>& list_;
  Places places_;
  std::map<std::string, Mesh> meshes_;
};

}  // namespace

core::Result<std::shared_ptr<const obstacles::Obstacles>> make_obstacles(const std::vector<ObstacleFile>& list, const std::string& folder,
                                                                         const std::string& assets, const Files& files) {
  core::Result<std::vector<obstacles::Obstacle>> made = ObstacleMaker(list, {folder, assets, "meshes", files}).make();
  if (!made) return made.error();
  return std::make_shared<const obstacles::Obstacles>(std::move(made).value());
}

core::Status check_start(const obstacles::Obstacles& obstacles, const Vec& position_W, std::int64_t vehicle, const std::string& field) {
  const obstacles::Nearest n = obstacles.nearest(position_W, 0);
  if (!n || n.distance > -1e-6) return core::ok();  // on a roof is not inside
  return error_at(field, fmt::format("vehicle {} would start {:.3g} m inside the obstacle '{}'", vehicle, -n.distance, obstacles.name(n)),
                  n.normal[2] > 0.5 ? fmt::format("its upper side is at {:.6g} m", n.surface[2]) : "");
}

}  // namespace volary::scenario
