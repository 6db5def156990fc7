// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of health.hpp as JSON, under the same names and in the same units; what is not known is left out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cluster/health.hpp"

namespace volary::cluster {

nlohmann::json health_json(const FederationHealth& health);

// one figure of a node, for tables: its name in JSON, its unit, and a member of NodeHealth
struct NodeFigure {
  const char *name, *unit;
  double (*value)(const NodeHealth&);
};
const std::vector<NodeFigure>& node_figures();

}  // namespace volary::cluster
