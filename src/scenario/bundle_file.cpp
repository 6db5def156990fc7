// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/bundle_file.hpp"

#include "scenario/tree.hpp"
#include "scenario/yaml_reader.hpp"

namespace volary::scenario {

core::Result<ScenarioFile> read_scenario_file(const Bundle& bundle) {
  const Files files(bundle, nullptr);
  const core::Result<std::string> text = files.read(bundle.main);
  if (!text) return text.error();
  core::Result<Tree> tree = load_tree(text.value(), bundle.main, files);
  if (!tree) return tree.error();
  for (const std::string& assignment : bundle.overrides)
    if (const core::Status done = apply_override(tree.value(), assignment); !done) return done.error();
  ScenarioFile file;
  YamlReader reader(tree.value());
  if (const core::Status done = reader.read(file); !done) return done.error();
  return file;
}

}  // namespace volary::scenario
