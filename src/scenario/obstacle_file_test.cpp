// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/obstacle_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"
#include "scenario/load.hpp"

namespace volary::scenario {
namespace {

namespace fs = std::filesystem;

class ObstacleFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) { scratch_.write(name, bytes); }
  std::string text(const std::string& obstacles, const std::string& position) const {
    return "name: t\nobstacles: " + obstacles + "\nflocks:\n  - {name: a, airframe: crazyflie, start: disarmed, vehicles: {list: [{position: " + position +
           "}]}}\n";
  }
  core::Result<WorldDef> load(const std::string& obstacles, const std::string& position = "[100, 0, 0]") {
    return load_scenario_text(text(obstacles, position), folder_ + "/t.yaml", {VOLARY_SOURCE_DIR "/assets"});
  }
  std::string fault(const std::string& obstacles, const std::string& position = "[100, 0, 0]") {
    const auto def = load(obstacles, position);
    return def ? "" : def.error().text();
  }
  const core::ScratchFolder scratch_;
  const std::string folder_ = scratch_.path();
};

const char* kTriangle = "v 0 0 0\nv 4 0 0\nv 0 0 3\nf 1 2 3\n";

TEST_F(ObstacleFiles, every_shape_stands_where_it_is_written) {
  write("wall.obj", kTriangle);
  const auto def = load(
      "[{name: house, box: {centre: [0, 0, 2.5], size: [8, 4, 5], yaw_deg: 90}}, {name: mast, cylinder: {centre: [20, 0, 1], radius: 0.5, height: 9}},"
      " {name: balloon, sphere: {centre: [0, 30, 50], radius: 3}}, {name: wall, mesh: {file: wall.obj, position: [40, 0, 0], scale: 2}}]");
  ASSERT_TRUE(def) << def.error().text();
  const obstacles::Obstacles& o = *def.value().environment.obstacles;
  EXPECT_NEAR(o.nearest({0, 6, 1}).distance, 2, 1e-12);  // its long side points north
  EXPECT_NEAR(o.nearest({20, 0, 12}).distance, 2, 1e-12);
  EXPECT_NEAR(o.nearest({0, 30, 60}).distance, 7, 1e-12);
  EXPECT_NEAR(o.nearest({41, 1, 1}).distance, 1, 1e-12);
  EXPECT_EQ(o.name(o.nearest({41, 1, 1})), "wall");
  EXPECT_NEAR(o.nearest({48, 0, -1}).distance, 1, 1e-12);  // its far corner is scaled by two
}

TEST_F(ObstacleFiles, the_axis_that_points_up_is_y_in_gltf_and_z_in_obj_unless_it_is_said) {
  write("a.obj", kTriangle);
  write(
      "deep/b.gltf",
      R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"b.bin"}]})");
  const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 3, 0};
  write("deep/b.bin", std::string(reinterpret_cast<const char*>(corners), 36));
  auto top = [&](const std::string& mesh) {
    const auto def = load("[{name: m, mesh: {" + mesh + "}}]");
    EXPECT_TRUE(def) << def.error().text();
    obstacles::Point most = {-1e9, -1e9, -1e9};
    for (const auto& v : std::get<obstacles::Mesh>(def.value().environment.obstacles->list()[0].shape).vertices)
      for (std::size_t k = 0; k < 3; ++k) most[k] = std::max(most[k], v[k]);
    return most;
  };
  EXPECT_NEAR(top("file: a.obj")[2], 3, 1e-12);
  EXPECT_NEAR(top("file: a.obj, up: y")[2], 0, 1e-12);
  EXPECT_NEAR(top("file: deep/b.gltf")[2], 3, 1e-12);
  EXPECT_NEAR(top("file: deep/b.gltf, up: z")[1], 3, 1e-12);
  EXPECT_NEAR(top("file: deep/b.gltf, yaw_deg: 90, position: [0, 0, 10]")[1], 4, 1e-12);
}

TEST_F(ObstacleFiles, a_recording_carries_the_files_of_its_meshes) {
  write(
      "m.gltf",
      R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"m.bin"}]})");
  const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 3, 0};
  write("m.bin", std::string(reinterpret_cast<const char*>(corners), 36));
  write("t.yaml", text("[{name: m, mesh: {file: m.gltf}}]", "[100, 0, 0]"));
  Bundle bundle;
  const auto def = load_scenario(folder_ + "/t.yaml", {VOLARY_SOURCE_DIR "/assets"}, {}, bundle);
  ASSERT_TRUE(def) << def.error().text();
  EXPECT_EQ(bundle.files.count("scenario/m.gltf"), 1u);
  EXPECT_EQ(bundle.files.count("scenario/m.bin"), 1u);
  fs::remove_all(folder_);
  const auto again = load_bundle(bundle, 1000);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again.value().environment.obstacles->nearest({1, 1, 1}).distance, def.value().environment.obstacles->nearest({1, 1, 1}).distance);
}

TEST_F(ObstacleFiles, a_vehicle_may_stand_on_a_roof_but_not_begin_inside) {
  const std::string house = "[{name: house, box: {centre: [0, 0, 2.5], size: [8, 8, 5]}}]";
  EXPECT_EQ(fault(house, "[0, 0, 5]"), "");
  EXPECT_NE(fault(house, "[0, 0, 4.9]").find("flocks[0].vehicles: vehicle 0 would start 0.1 m inside the obstacle 'house' (its upper side is at 5 m)"),
            std::string::npos)
      << fault(house, "[0, 0, 4.9]");
}

TEST_F(ObstacleFiles, what_cannot_be_built_is_refused_with_its_reason) {
  write("a.obj", kTriangle);
  write("bad.obj", "v 0 0 0\nf 1 1 1\n");
  write("big.obj", "v 0 0 0\nv 20 0 0\nv 0 0 3\nf 1 2 3\n");
  write("small.obj", "v 0 0 0\nv 1e-4 0 0\nv 0 0 1e-4\nf 1 2 3\n");
  EXPECT_NE(fault("[{name: a}]").find("obstacles[0]: has no shape (one of box"), std::string::npos) << fault("[{name: a}]");
  EXPECT_NE(fault("[{name: a, sphere: {centre: [0, 0, 0], radius: 1}, box: {centre: [0, 0, 0], size: [1, 1, 1]}}]").find("more than one shape"),
            std::string::npos);
  const std::string one = "{name: a, sphere: {centre: [0, 0, 0], radius: 1}}";
  EXPECT_NE(fault("[" + one + ", " + one + "]").find("obstacles[1].name: 'a' is also the name of obstacles[0]"), std::string::npos);
  EXPECT_NE(fault("[{name: a, sphere: {centre: [0, 0, 0], radius: 0}}]").find("out of range"), std::string::npos);
  EXPECT_NE(fault("[{name: a, box: {centre: [0, 0, 0], size: [1, -1, 1]}}]").find("out of range"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: none.obj}}]").find("none.obj: no such file (a file beside the scenario, or in assets/meshes)"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: bad.obj}}]").find("obstacles[0].mesh.file: bad.obj:2: the face has corners on one line"), std::string::npos)
      << fault("[{name: a, mesh: {file: bad.obj}}]");
  EXPECT_NE(fault("[{name: a, mesh: {file: t.stl}}]").find("no such file"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: big.obj, scale: 1e6, position: [1e7, 0, 0]}}]").find("too far away"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: a.obj, scale: 1e-9}}]").find("out of range"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: small.obj, scale: 1e-6, position: [1e7, 1e7, 1e7]}}]").find("too small for the numerical resolution"), std::string::npos);
  EXPECT_NE(fault("[{name: a, mesh: {file: a.obj, up: x}}]").find("known: y, z"), std::string::npos) << fault("[{name: a, mesh: {file: a.obj, up: x}}]");
}

}  // namespace
}  // namespace volary::scenario
