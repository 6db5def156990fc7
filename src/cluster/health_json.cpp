// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/health_json.hpp"

#include <nlohmann/json.hpp>

namespace volary::cluster {

const std::vector<NodeFigure>& node_figures() {
  using H = const NodeHealth&;
  static const std::vector<NodeFigure> kFigures = {
      {"rate", "1/s", [](H h) { return h.rate; }},
      {"compute", "s", [](H h) { return h.compute; }},
      {"load", "", [](H h) { return h.load; }},
      {"latency", "s", [](H h) { return h.latency; }},
      {"age", "s", [](H h) { return h.age; }},
      {"skew", "ticks", [](H h) { return static_cast<double>(h.skew); }},
      {"memory", "bytes", [](H h) { return static_cast<double>(h.memory); }},
      {"silence", "s", [](H h) { return h.silence; }},
      {"rollbacks", "", [](H h) { return static_cast<double>(h.rollbacks); }},
      {"clock_offset", "s", [](H h) { return h.clock_offset; }},
      {"clock_error", "s", [](H h) { return h.clock_error; }},
  };
  return kFigures;
}

nlohmann::json health_json(const FederationHealth& h) {
  nlohmann::json nodes = nlohmann::json::array();
  for (const NodeHealth& n : h.nodes) {
    nlohmann::json one = {{"member", n.member},           {"name", n.name},         {"account", n.account}, {"host", n.host},      {"state", name_of(n.state)},
                          {"incarnation", n.incarnation}, {"advanced", n.advanced}, {"settled", n.settled}, {"durable", n.durable}};
    for (const NodeFigure& f : node_figures()) one[f.name] = f.value(n);
    nodes.push_back(std::move(one));
  }
  return {{"federation", h.federation},
          {"scenario", h.scenario},
          {"mode", h.mode},
          {"dead_node", h.dead_node},
          {"committed", h.committed},
          {"aligned", h.aligned},
          {"limit", h.limit},
          {"planned", h.planned},
          {"rate", h.rate},
          {"period", h.period},
          {"wanted_period", h.wanted_period},
          {"tick", h.tick},
          {"speed", h.speed},
          {"view_every", h.view_every},
          {"view_rate", h.view_rate},
          {"is_overloaded", h.is_overloaded},
          {"is_paused", h.is_paused},
          {"inputs", h.inputs},
          {"dropped", h.dropped},
          {"restarts", h.restarts},
          {"absences", h.absences},
          {"standbys", h.standbys},
          {"skew", h.skew},
          {"nodes", std::move(nodes)}};
}

}  // namespace volary::cluster
