// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/home.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/scratch_folder.hpp"

namespace volary::core {
namespace {

// VOLARY_HOME as it was before the test
struct KeepHome {
  KeepHome() {
    if (const char* home = std::getenv("VOLARY_HOME")) before = home;
  }
  ~KeepHome() { before ? ::setenv("VOLARY_HOME", before->c_str(), 1) : ::unsetenv("VOLARY_HOME"); }
  std::optional<std::string> before;
};

TEST(home, is_the_folder_that_the_environment_names) {
  const KeepHome keep;
  ::setenv("VOLARY_HOME", "/somewhere", 1);
  EXPECT_EQ(home_folder(), "/somewhere");
  EXPECT_EQ(page_folder(), "/somewhere/web/dist");
}

TEST(home, is_the_source_tree_for_a_program_that_is_not_installed) {
  const KeepHome keep;
  ::unsetenv("VOLARY_HOME");
  EXPECT_EQ(home_folder(), VOLARY_SOURCE_DIR);
  EXPECT_EQ(include_folder(), VOLARY_SOURCE_DIR "/include");
}

TEST(home, of_an_installation_is_found_from_its_program_and_its_library_wherever_the_prefix_is) {
  const ScratchFolder prefix;
  prefix.write("share/volary/assets/vehicles/a.yaml", "");
  const std::string share = prefix.file("share/volary");
  EXPECT_EQ(installed_share(prefix.file("bin/volary")), share);
  EXPECT_EQ(installed_share(prefix.file("lib/libvolary.so")), share);
  EXPECT_EQ(installed_share(prefix.file("lib/x86_64-linux-gnu/libvolary.so.0.1")), share);
  EXPECT_EQ(installed_share(prefix.file("_core.cpython-311-x86_64-linux-gnu.so")), share) << "the module of a Python package";
  EXPECT_EQ(installed_share(prefix.file("a/b/c/volary")), "");
  EXPECT_EQ(installed_share("volary"), "");
  EXPECT_EQ(installed_share(""), "");
}

TEST(home, headers_of_an_installation_are_beside_its_files) {
  const KeepHome keep;
  const ScratchFolder prefix;
  prefix.write("include/volary/plugin.h", "");
  prefix.write("share/volary/assets/a", "");
  ::setenv("VOLARY_HOME", prefix.file("share/volary").c_str(), 1);
  EXPECT_EQ(include_folder(), prefix.file("include"));
}

TEST(home, this_file_is_the_running_program) {
  std::error_code code;
  EXPECT_EQ(this_file(), std::filesystem::read_symlink("/proc/self/exe", code).string());
}

}  // namespace
}  // namespace volary::core
