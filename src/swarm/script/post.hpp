// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Outbox::say takes as many numbers as its caller wrote; here their count is known when the program runs.
#pragma once

#include <utility>

#include "swarm/sense.hpp"

namespace volary::swarm::script {

template <std::size_t N = 0> void post(Outbox& out, const Message& m) {
  if (m.count == N) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { out.say_as(m.from, m.topic, m.to, m.values[I]...); }(std::make_index_sequence<N>{});
  } else if constexpr (N < Message::kMost) {
    post<N + 1>(out, m);
  }
}

}  // namespace volary::swarm::script
