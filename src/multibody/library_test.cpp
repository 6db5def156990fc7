// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo as it is loaded: with our elementary functions in it, and said in words where it is missing.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/cpu.hpp"
#include "core/scratch_folder.hpp"
#include "multibody/imports.hpp"
#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

std::string file_of_mujoco() {
  for (const std::string& file : library_files())
    if (std::filesystem::exists(file)) return file;
  return "";
}

// Three hinged and balled bodies that tumble onto a floor with soft contacts: sines, cosines, arc tangents and powers in every step
SceneDef tumbling() {
  SceneDef scene = star();
  scene.groups = {"floor", "hulls"}, scene.touching = {{"floor", "hulls"}, {"hulls", "hulls"}};
  GeomDef floor, hull;
  floor.shape = Shape::Plane, floor.group = "floor";
  floor.surface.friction = 0.6;
  hull.shape = Shape::Box, hull.size = {0.15, 0.1, 0.04}, hull.group = "hulls";
  hull.surface.friction = 0.5, hull.surface.time_constant = 0.03;
  scene.statics = {floor};
  for (BodyDef& b : scene.bodies) b.geoms = {hull};
  scene.bodies[1].joint = {.kind = JointKind::Ball, .is_limited = true, .upper = 0.6, .damping = 0.02};
  scene.bodies[2].joint = {.kind = JointKind::Hinge, .axis = {1, 1, 0}, .damping = 0.01, .friction_loss = 0.02};
  return scene;
}
std::uint64_t tumbled(const Model& model) {
  const auto made = model.make_instance();
  Instance& instance = *made.value();
  instance.place(0, {.position_W = {0.1, -0.2, 0.6}, .q_WB = turned({1, -0.4, 0.2}, 0.8), .velocity_W = {0.5, 0.1, 0}, .omega_W = {1, 2, -3}});
  for (int k = 0; k < 2000; ++k) {
    instance.command(0, Wrench{{0, 0, 5 + math::sin(0.01 * k)}, {0.05, 0, 0.02}});
    fly(instance, 1);
  }
  std::vector<Contact> contacts;
  instance.contacts(0, 1, contacts);
  EXPECT_FALSE(contacts.empty());
  return instance.hash();
}

// of x86-64; MuJoCo for aarch64 rounds otherwise (library.hpp)
constexpr std::uint64_t kTumbled = 0xef008b831716d56c;

TEST(multibody, a_scene_with_contacts_has_the_committed_hash) {
  const auto model = model_of(tumbling());
#if defined(__x86_64__)
  EXPECT_EQ(tumbled(*model), kTumbled) << "0x" << std::hex << tumbled(*model);
#endif
  EXPECT_EQ(tumbled(*model), tumbled(*model_of(tumbling())));
}

TEST(multibody, the_hash_is_another_one_with_the_functions_of_the_system) {
  // a copy of the file is a library of its own
  const core::ScratchFolder folder;
  std::filesystem::copy_file(file_of_mujoco(), folder.file("libcopy.so"));
  const auto system = load_library(folder.file("libcopy.so"), Elementary::OfTheSystem);
  ASSERT_TRUE(system) << system.error().text();
  const auto model = make_model(tumbling(), system.value());
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_NE(tumbled(*model.value()), tumbled(*model_of(tumbling())));
}

TEST(multibody, all_slots_of_elementary_functions_hold_ours_and_the_rest_of_libm_rounds_correctly_or_is_not_reached) {
  ASSERT_TRUE(library());
  void* const handle = dlopen(file_of_mujoco().c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  const std::set<std::string> exact = {"sqrt", "floor", "ceil", "fmod", "llround"};
  const std::set<std::string> unreached = {"cbrt", "atan2f", "cosf", "sinf", "powf", "log10f"};  // scaled frames; cameras and pictures
  void* const libm = dlopen("libm.so.6", RTLD_NOW);
  std::size_t ours = 0;
  for (const Import& import : imports_of(handle)) {
    const auto functions = elementary_functions();
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const NamedFunction& f) { return f.name == import.name; });
    if (found != functions.end()) {
      EXPECT_EQ(*import.slot, found->function) << import.name;
      ++ours;
      continue;
    }
    // whether it comes from libm: a symbol of another library may be found through it too
    Dl_info info{};
    if (dladdr(*import.slot, &info) == 0 || std::string(info.dli_fname).find("libm.so") == std::string::npos) continue;
    EXPECT_TRUE(exact.contains(import.name) || unreached.contains(import.name)) << import.name;
  }
  EXPECT_GE(ours, elementary_functions().size());
  EXPECT_NE(libm, nullptr);
}

TEST(multibody, elementary_functions_for_c_have_cs_values) {
  for (const NamedFunction& f : elementary_functions()) {
    if (std::string(f.name) == "pow") {
      const auto power = reinterpret_cast<double (*)(double, double)>(f.function);
      EXPECT_EQ(power(-2, 3), -8);
      EXPECT_EQ(power(-2, 4), 16);
      EXPECT_EQ(power(-2, -1), -0.5);
      EXPECT_EQ(power(9, 0.5), 3);
      EXPECT_TRUE(std::isnan(power(-2, 0.5)));
    } else if (std::string(f.name) == "atan2") {
      EXPECT_NEAR(reinterpret_cast<double (*)(double, double)>(f.function)(1, -1), 2.356194490192345, 1e-15);
    } else if (std::string(f.name) == "cos") {
      EXPECT_NEAR(reinterpret_cast<double (*)(double)>(f.function)(0.5), 0.8775825618903728, 1e-15);
    }
  }
}

TEST(multibody, elementary_functions_have_the_same_bits_with_and_without_fused_instructions) {
  const auto fused = elementary_functions(core::has_lanes(4)), plain = elementary_functions(false);
  ASSERT_EQ(fused.size(), plain.size());
  for (std::size_t k = 0; k < fused.size(); ++k) {
    ASSERT_STREQ(fused[k].name, plain[k].name);
    const bool has_two = std::set<std::string>{"atan2", "pow"}.contains(fused[k].name);
    for (int i = -300; i <= 300; ++i) {
      const double x = 0.0123456789 * i, y = 0.7 + 0.003 * i;
      const auto value = [&](const NamedFunction& f) {
        return has_two ? reinterpret_cast<double (*)(double, double)>(f.function)(x, y) : reinterpret_cast<double (*)(double)>(f.function)(x);
      };
      const double a = value(fused[k]), b = value(plain[k]);
      EXPECT_TRUE(a == b || (a != a && b != b)) << fused[k].name << " of " << x;
    }
  }
}

TEST(multibody, a_missing_library_is_said_in_words) {
  const auto missing = load_library("/nowhere/libmujoco.so.4.0.0");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("/nowhere/libmujoco.so.4.0.0"), std::string::npos) << missing.error().text();
  EXPECT_NE(missing.error().suggestion.find("get_mujoco.sh"), std::string::npos);
}

TEST(multibody, another_library_is_not_taken_for_mujoco) {
  const auto other = load_library("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("is not the MuJoCo that Volary was built for"), std::string::npos) << other.error().text();
}

TEST(multibody, it_is_looked_for_beside_the_program_in_its_installation_and_in_the_tree) {
  const std::vector<std::string> files = library_files();
  EXPECT_EQ(files.size(), 4u);
  EXPECT_TRUE(files[1].ends_with("/lib/volary/libmujoco.so.4.0.0"));
  EXPECT_TRUE(files.back().ends_with("/build/mujoco/libmujoco.so.4.0.0"));
}

TEST(multibody, mujoco_writes_no_log_into_the_current_folder) {
  const core::ScratchFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  SceneDef scene = falling();
  scene.bodies[0].sites = {{"rotor", {}, Drive::Thrust}};
  const auto stone = instance_of(scene);
  stone->command(0, std::nan(""), 0);
  EXPECT_FALSE(stone->step(1));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace volary::multibody
