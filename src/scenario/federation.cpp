// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/federation.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "scenario/bundle_file.hpp"
#include "scenario/field_error.hpp"

namespace volary::scenario {

namespace {

// a number would be the place of another node
bool is_name(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= 64 && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && std::all_of(name.begin(), name.end(), is_plain);
}

}  // namespace

core::Status check_federation(const ScenarioFile& file) {
  core::Faults faults;
  std::vector<std::string> known, nodes, taken;
  for (const FlockFile& f : file.flocks) known.push_back(f.name);
  for (std::size_t i = 0; i < file.federation.nodes.size(); ++i) {
    const FederationNodeFile& node = file.federation.nodes[i];
    const std::string field = fmt::format("federation.nodes[{}]", i);
    if (!is_name(node.name)) faults.add(error_at(field + ".name", fmt::format("'{}' is no name of a node", node.name), "use letters, digits, '-' and '_', and no digit first"));
    if (std::find(nodes.begin(), nodes.end(), node.name) != nodes.end())
      faults.add(error_at(field + ".name", fmt::format("'{}' is also the name of another node", node.name), "give every node its own name"));
    nodes.push_back(node.name);
    for (std::size_t k = 0; k < node.flocks.size(); ++k) {
      const std::string& flock = node.flocks[k];
      const std::string at = fmt::format("{}.flocks[{}]", field, k);
      if (std::find(known.begin(), known.end(), flock) == known.end())
        faults.add(error_at(at, fmt::format("no flock is called '{}'", flock), core::did_you_mean(flock, known)));
      else if (std::find(taken.begin(), taken.end(), flock) != taken.end())
        faults.add(error_at(at, fmt::format("flock '{}' is named twice", flock), "one node simulates a flock that is named"));
      taken.push_back(flock);
    }
  }
  return faults.status();
}

core::Result<FederationFile> load_federation(const Bundle& bundle) {
  core::Result<ScenarioFile> file = read_scenario_file(bundle);
  if (!file) return file.error();
  return std::move(file.value().federation);
}

}  // namespace volary::scenario
