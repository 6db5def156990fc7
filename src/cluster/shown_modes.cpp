// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/shown_modes.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace volary::cluster {

namespace {
constexpr std::uint32_t kWindow = 1024;  // ticks
constexpr std::uint32_t kIncarnation = 1;  // a restarted node says the same of its ticks as the one before
}  // namespace

ShownModes::ShownModes(std::size_t nodes, Time tick)
    : kept_(nodes),
      newest_(nodes, 0),
      none_(make_view(ModeKind::None, nodes, tick)),
      paper_(make_view(ModeKind::Paper, nodes, tick)),
      aligner_(nodes, kWindow) {
  for (std::size_t k = 0; k < nodes; ++k) aligner_.join(k, kIncarnation, 1);
}

void ShownModes::receive(const Bundle& b) {
  if (b.member >= kept_.size()) return;
  const std::scoped_lock lock(mutex_);
  Tick last = 0;
  for (const FrameHead& head : b.frames) {
    if (head.member != b.member) continue;
    keep(b.member, head, b.sent, b.bytes_of(head));
    aligner_.receive(b.member, kIncarnation, head.tick, head.tick);
    last = std::max(last, head.tick);
  }
  if (last <= newest_[b.member]) return;
  // Both other ways take one state from a message: what is repeated for the sake of loss is this project's.
  newest_[b.member] = last;
  const StateMessage message{.node = static_cast<std::uint16_t>(b.member), .first = last, .last = last, .generated = b.sent};
  none_->receive(message);
  paper_->receive(message);
}

void ShownModes::keep(std::size_t node, const FrameHead& head, Time generated, std::span<const std::byte> bytes) {
  auto& list = kept_[node];
  const auto at = std::lower_bound(list.begin(), list.end(), head.tick, [](const Kept& k, Tick tick) { return k.shown.tick < tick; });
  const bool is_known = at != list.end() && at->shown.tick == head.tick;
  if (is_known && head.version <= at->version) return;
  Kept kept{head.version, {head.tick, generated, std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())}};
  if (is_known)
    *at = std::move(kept);
  else
    list.insert(at, std::move(kept));
  if (list.size() > kKept) list.pop_front();
}

ShownNode ShownModes::find(std::size_t node, Tick tick) const {
  const auto& list = kept_[node];
  const auto at = std::lower_bound(list.begin(), list.end(), tick, [](const Kept& k, Tick t) { return k.shown.tick < t; });
  return tick > 0 && at != list.end() && at->shown.tick == tick ? at->shown : ShownNode{};
}

std::vector<ShownNode> ShownModes::shown(ModeKind kind) const {
  core::require(kind == ModeKind::None || kind == ModeKind::Paper || kind == ModeKind::Bides,
                "a running federation is shown aligned, unaligned or by the paper");
  const std::scoped_lock lock(mutex_);
  std::vector<Tick> ticks(kept_.size(), aligner_.aligned());
  if (kind == ModeKind::None) ticks = none_->ticks();
  if (kind == ModeKind::Paper) ticks = paper_->ticks();
  std::vector<ShownNode> list;
  for (std::size_t k = 0; k < kept_.size(); ++k) list.push_back(find(k, ticks[k]));
  return list;
}

}  // namespace volary::cluster
