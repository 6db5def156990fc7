// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_warden.hpp"

#include <algorithm>

#include "cli/signals.hpp"

namespace volary::cli {

namespace {
constexpr double kReplaceAfter = 0.5;  // s that a place is free before a process of our own takes it
}

bool Warden::look() {
  if (stage_.broker && !stage_.broker->is_running())
    if (const core::Status again = stage_.broker->restart(); !again) ended_ = "the broker has died: " + again.error().text();
  const bool waits = o_.dead_node == "wait";
  if (ended_.empty()) ended_ = nodes_.revive(o_.quiet, waits);
  if (ended_.empty() && !waits && o_.joining == 0 && nodes_.are_all_gone()) ended_ = "no node is left";
  desk_.take_all();
  fill_places();
  return is_interrupted() || desk_.is_down() || !ended_.empty();
}

// a place that was handed over and that nobody waits for is taken by a process of our own
void Warden::fill_places() {
  const std::int64_t now = cluster::monotonic_ns();
  if (now < look_at_) return;
  look_at_ = now + 100'000'000;
  const cluster::FederationHealth h = hub_.health();
  const bool is_free = h.standbys == 0 && std::any_of(h.nodes.begin(), h.nodes.end(), [](const cluster::NodeHealth& n) {
                         return n.state == cluster::NodeState::Missing && n.incarnation > 0;
                       });
  if (!is_free) return void(free_since_ = now);
  if (static_cast<double>(now - free_since_) * 1e-9 < kReplaceAfter || !stage_.broker) return;
  free_since_ = now + 5'000'000'000;  // it takes a moment
  // accounts from the end, so that they meet those of invitations late
  const std::string account = std::to_string(kNodeAccounts - 1 - replaced_++ % kNodeAccounts);
  if (const core::Status started = nodes_.start({.invitation = stage_.invite(o_.name, account, false), .options = impairment_arguments(o_.impairment)}); !started)
    ended_ = started.error().text();
}

}  // namespace volary::cli
