// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/behaviour.hpp"

#include "swarm/behaviours/all.hpp"

namespace volary::swarm {

namespace {

template <class... B> std::array<BehaviourHost, sizeof...(B)> hosts(core::TypeList<B...>) { return {make_behaviour<B>()...}; }

}  // namespace

const BehaviourHost* find_behaviour(const std::string& name) {
  static const auto all = hosts(AllBehaviours{});
  for (const BehaviourHost& host : all)
    if (host.name == name) return &host;
  return nullptr;
}

}  // namespace volary::swarm
