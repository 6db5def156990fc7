// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of every vehicle model in the list.
#include "vehicles/all.hpp"
#include "vehicles/model.hpp"

namespace volary::engine {

namespace {
template <class... Ms> std::vector<ModelHost> make_all(core::TypeList<Ms...>) { return {make_model<Ms>()...}; }

const std::vector<ModelHost>& all_models() {
  static const std::vector<ModelHost> models = make_all(vehicles::AllVehicles{});
  return models;
}
}  // namespace

const ModelHost* find_model(const std::string& name) {
  for (const ModelHost& m : all_models())
    if (name == m.name) return &m;
  return nullptr;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelHost& m : all_models()) names.emplace_back(m.name);
  return names;
}

}  // namespace volary::engine
