// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/node_book.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "server/action.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

Json text_of(const NodeFigures& n) {
  return {{"member", n.member}, {"name", n.name},       {"host", n.host}, {"state", n.state},   {"incarnation", n.incarnation},
          {"tick", n.tick},     {"silence", n.silence}, {"load", n.load}, {"memory", n.memory}, {"rollbacks", n.rollbacks},
          {"rate", n.rate},     {"latency", n.latency}, {"age", n.age},   {"skew", n.skew}};
}

Json text_of(const ViewFigures& v) {
  return {{"view", kLiveViewNames[static_cast<std::size_t>(v.view)]}, {"tick", v.tick}, {"skew", v.skew}, {"nodes", v.nodes}, {"age", v.age ? Json(*v.age) : Json()}};
}

}  // namespace

void NodeBook::add(FederationFigures figures, double time) {
  const std::scoped_lock lock(mutex_);
  samples_.push_back({++last_, time, figures.nodes});
  if (samples_.size() > kMost) samples_.pop_front();
  now_ = std::move(figures);
}

std::string NodeBook::text(std::uint64_t after) const {
  const std::scoped_lock lock(mutex_);
  Json nodes = Json::array(), views = Json::array();
  for (const NodeFigures& n : now_.nodes) nodes.push_back(text_of(n));
  for (const ViewFigures& v : now_.views) views.push_back(text_of(v));
  Json samples = {{"number", Json::array()}, {"time", Json::array()}};
  std::size_t most = 0;
  for (const Sample& s : samples_) most = std::max(most, s.number > after ? s.nodes.size() : 0);
  const auto columns = [&](const char* name, auto member) {
    Json list = Json::array();
    for (std::size_t k = 0; k < most; ++k) {
      Json values = Json::array();
      for (const Sample& s : samples_)
        if (s.number > after) values.push_back(k < s.nodes.size() ? Json(s.nodes[k].*member) : Json());
      list.push_back(std::move(values));
    }
    samples[name] = std::move(list);
  };
  for (const Sample& s : samples_)
    if (s.number > after) samples["number"].push_back(s.number), samples["time"].push_back(s.time);
  columns("rate", &NodeFigures::rate);
  columns("latency", &NodeFigures::latency);
  columns("age", &NodeFigures::age);
  columns("skew", &NodeFigures::skew);
  columns("memory", &NodeFigures::memory);
  return dump(Json{{"federation", now_.federation},
                   {"mode", now_.mode},
                   {"committed", now_.committed},
                   {"aligned", now_.aligned},
                   {"rate", now_.rate},
                   {"period", now_.period},
                   {"overloaded", now_.is_overloaded},
                   {"nodes", std::move(nodes)},
                   {"views", std::move(views)},
                   {"samples", std::move(samples)}});
}

}  // namespace volary::server
