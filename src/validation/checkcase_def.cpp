// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/checkcase_def.hpp"

#include <utility>

#include "core/suggest.hpp"
#include "scenario/field_error.hpp"
#include "scenario/yaml_reader.hpp"

namespace volary::validation {

namespace {

core::Status check(const CheckCaseList& list, const scenario::Tree& tree) {
  std::vector<std::string> known;
  for (const CaseVehicle& v : list.vehicles) known.push_back(v.name);
  for (std::size_t k = 0; k < list.cases.size(); ++k) {
    const CheckCaseDef& c = list.cases[k];
    const std::string path = "cases[" + std::to_string(k) + "]";
    if (list.find_vehicle(c.vehicle) == nullptr) {
      return scenario::place(scenario::error_at(path + ".vehicle", "unknown vehicle '" + c.vehicle + "'", core::did_you_mean(c.vehicle, known)), tree);
    }
    if (list.find(c.id) != &c) return scenario::place(scenario::error_at(path + ".id", "there are two cases '" + c.id + "'"), tree);
    for (std::size_t w = 1; w < c.wind.size(); ++w) {
      if (c.wind[w].height <= c.wind[w - 1].height) return scenario::place(scenario::error_at(path + ".wind", "heights must rise"), tree);
    }
  }
  return core::ok();
}

}  // namespace

const CheckCaseDef* CheckCaseList::find(const std::string& id) const {
  for (const CheckCaseDef& c : cases)
    if (c.id == id) return &c;
  return nullptr;
}

const CaseVehicle* CheckCaseList::find_vehicle(const std::string& name) const {
  for (const CaseVehicle& v : vehicles)
    if (v.name == name) return &v;
  return nullptr;
}

core::Result<CheckCaseList> load_checkcases(const std::string& path) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  core::Result<scenario::Node> root = scenario::parse_yaml(text.value(), 0, path);
  if (!root) return root.error();
  scenario::Tree tree;
  tree.files.push_back(path);
  tree.root = std::move(root).value();
  CheckCaseList list;
  if (const core::Status s = scenario::YamlReader(tree).read(list); !s) return s.error();
  if (const core::Status s = check(list, tree); !s) return s.error();
  return list;
}

}  // namespace volary::validation
