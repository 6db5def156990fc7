// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The room where MuJoCo's headers were not there when it was compiled (cmake/multibody.cmake): scenes are checked, and none is made.
#include "multibody/library_files.hpp"
#include "multibody/model.hpp"

namespace volary::multibody {

struct Library {};

namespace {

core::Error compiled_without() {
  return {.message = "this Volary was compiled without MuJoCo, which bodies that are joined to each other need", .suggestion = kHowToGet};
}

}  // namespace

core::Result<std::shared_ptr<const Library>> library() { return compiled_without(); }
core::Result<std::shared_ptr<const Library>> load_library(const std::string&, Elementary) { return compiled_without(); }

core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene) {
  if (const core::Status s = check(scene); !s) return s.error();
  return compiled_without();
}
core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene, std::shared_ptr<const Library>) { return make_model(scene); }

}  // namespace volary::multibody
