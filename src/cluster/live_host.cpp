// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/live_host.hpp"

#include <fmt/format.h>

#include "core/bytes.hpp"

namespace volary::cluster {

namespace {
constexpr std::uint32_t kMagic = 0x4c464c56;  // "VLFL"
core::Error fault(std::string message) { return {.message = std::move(message), .field = "federation"}; }
}  // namespace

LiveHost::LiveHost(std::unique_ptr<World> world, Sharing sharing, double straight, std::vector<runner::Sink*> sinks)
    : world_(std::move(world)), sharing_(std::move(sharing)), straight_(straight), sinks_(std::move(sinks)), inbox_(sharing_) {}

LiveHost::~LiveHost() {
  if (has_begun_)
    for (runner::Sink* s : sinks_) s->end(*world_);
}

core::Status LiveHost::act(Node& node, const Action& action) {
  switch (action.what) {
    case Act::Restore: return begin(node, action.tick);
    case Act::Advance: return advance(node, action.tick);
    case Act::Commit: kept_.erase(kept_.begin(), kept_.lower_bound(action.tick)); return core::ok();
    default: return core::ok();
  }
}

core::Status LiveHost::begin(Node& node, Tick tick) {
  if (node.member() >= sharing_.members) return fault(fmt::format("member {} has no vehicles: there are {} parts", node.member(), sharing_.members));
  if (tick != 0 && (restored_ == nullptr || loaded_ != tick)) return fault(fmt::format("the state after tick {} is not here: saved is {}", tick, loaded_));
  if (tick != 0) {
    std::string error;
    if (!world_->restore(*restored_, &error)) return fault(error);
    inputs_.restore(loaded_taken_);
  } else {
    for (Input& in : assignments(sharing_, static_cast<std::uint32_t>(node.member()))) world_->submit(std::move(in));
  }
  for (runner::Sink* s : sinks_) s->begin(*world_, false);
  has_begun_ = true;
  node.restored({.tick = tick});
  return core::ok();
}

core::Status LiveHost::advance(Node& node, Tick tick) {
  std::vector<Input> inputs;
  if (const core::Status read = inputs_.take(node.log(), tick, inputs); !read) return read;
  leave_to_others(*world_, inputs);
  inbox_.take(*world_, node.take_heard(), inputs);
  for (Input& in : inputs) world_->submit(std::move(in));
  world_->step();
  for (const Event& e : world_->take_events())
    for (runner::Sink* s : sinks_) s->event(*world_, e);
  for (runner::Sink* s : sinks_) s->after_tick(*world_);
  node.advanced(outbox_.frame(tick, world_->report(straight_)));
  std::shared_ptr<Snapshot> spare;
  if (kept_.size() >= kMostKept) spare = std::move(kept_.begin()->second.state), kept_.erase(kept_.begin());
  world_->snapshot_into(spare);
  kept_[tick] = {std::move(spare), inputs_.taken()};
  return core::ok();
}

std::vector<std::byte> LiveHost::save(const Node&, Tick tick) const {
  const auto kept = kept_.find(tick);
  if (kept == kept_.end()) return {};
  core::ByteWriter out;
  out.put(kMagic), out.put(tick);
  const auto& [base, list] = kept->second.taken;
  out.put(base), out.put(static_cast<std::uint64_t>(list.size()));
  for (const std::uint64_t sequence : list) out.put(sequence);
  outbox_.write_gone(tick, out);
  out.put_bytes(world_->snapshot_bytes(*kept->second.state));
  return out.take();
}

core::Status LiveHost::load(std::span<const std::byte> bytes) {
  core::ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) return fault("the saved state is not one of a live federation");
  const auto tick = in.get<std::uint64_t>();
  loaded_taken_.base = in.get<std::uint64_t>();
  loaded_taken_.list.resize(in.get_count(8));
  for (std::uint64_t& sequence : loaded_taken_.list) sequence = in.get<std::uint64_t>();
  if (!outbox_.read_gone(in)) return fault("the saved state is damaged");
  std::string error;
  restored_ = world_->read_snapshot(in.get_bytes(in.left()), &error);
  if (!in.good() || restored_ == nullptr) return fault(error.empty() ? "the saved state is damaged" : error);
  loaded_ = tick;
  return core::ok();
}

}  // namespace volary::cluster
