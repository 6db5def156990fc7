// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/world_host.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/bytes.hpp"
#include "engine/payloads.hpp"
#include "engine/snapshot.hpp"

namespace volary::cluster {

namespace {

constexpr std::uint32_t kMagic = 0x53464c56;  // "VLFS"
constexpr std::size_t kFewest = 4;            // snapshots that are always kept

core::Error fault(std::string message) { return {.message = std::move(message), .field = "federation"}; }

}  // namespace

std::vector<std::byte> input_bytes(const Input& input) {
  core::ByteWriter out;
  engine::write_input(out, input);
  return out.take();
}

core::Result<Input> read_input(const Entry& entry) {
  core::ByteReader in(entry.bytes);
  Input input;
  if (!engine::read_input(in, input) || !in.good() || in.left() > 0) return fault(fmt::format("entry {} of the log is no input", entry.sequence));
  input.tick = entry.effective - 1;
  return input;
}

WorldHost::WorldHost(std::unique_ptr<World> world, Sharing sharing, std::size_t most_bytes)
    : world_(std::move(world)), sharing_(std::move(sharing)), most_bytes_(most_bytes) {}

core::Status WorldHost::act(Node& node, const Action& action) {
  core::Status done = core::ok();
  switch (action.what) {
    case Act::Restore: return restore(node, action.tick);
    case Act::RollBack: return roll_back(node, action.tick, action.settled);
    case Act::Advance:
      done = advance(node, action.tick);
      if (done) node.advanced(frame_);
      return done;
    case Act::Settle:
      done = settle(node, action.tick);
      // contact is settled before anybody goes on, so nobody has to go back for it
      if (done) node.settled(world_->own_hash(), 0);
      return done;
    case Act::Commit: forget_before(action.tick); return done;
    default: return done;
  }
}

// the first state, or what was loaded
core::Status WorldHost::restore(Node& node, Tick tick) {
  if (!is_shared_) {
    sharing_.member = static_cast<std::uint32_t>(node.member());
    if (sharing_.member >= sharing_.members) return fault(fmt::format("member {} has no vehicles: there are {} parts", sharing_.member, sharing_.members));
    std::string error;
    if (!world_->share(sharing_, &error)) return fault(error);
    is_shared_ = true;
  }
  NodeBase base{.tick = tick};
  if (loaded_ && loaded_->base.tick == tick) {
    std::string error;
    if (!world_->restore(*loaded_->snapshot, &error)) return fault(error);
    base = loaded_->base;
  } else if (tick != 0) {
    return fault(fmt::format("the state after tick {} is not here: saved is {}", tick, loaded()));
  }
  kept_.clear();
  keep(tick);
  node.restored(base);
  return core::ok();
}

core::Status WorldHost::roll_back(const Node& node, Tick tick, Tick settled) {
  if (tick != settled) return fault("this world can only go back to a tick that is settled");
  return go_to(node, tick);
}

core::Status WorldHost::go_to(const Node& node, Tick tick) {
  const auto after = kept_.upper_bound(tick);
  if (after == kept_.begin()) return fault(fmt::format("the state after tick {} is not kept any more", tick));
  const auto from = std::prev(after);
  std::string error;
  if (!world_->restore(*from->second, &error)) return fault(error);
  for (auto it = after; it != kept_.end(); it = kept_.erase(it)) spare_.push_back(std::move(it->second));
  for (Tick k = from->first + 1; k <= tick; ++k, ++flown_again_) {
    if (const core::Status done = advance(node, k); !done) return done;
    if (const core::Status done = settle(node, k); !done) return done;
  }
  return core::ok();
}

core::Status WorldHost::advance(const Node& node, Tick tick) {
  if (world_->tick() != tick - 1) return fault(fmt::format("the world is at tick {}, not before {}", world_->tick(), tick));
  for (const Entry& e : node.log().entries()) {
    if (e.kind != EntryKind::Input || e.effective != tick) continue;
    core::Result<Input> input = read_input(e);
    if (!input) return input.error();
    world_->submit(std::move(input).value());  // what is refused here is refused by everybody
  }
  world_->advance(frame_);
  return core::ok();
}

core::Status WorldHost::settle(const Node& node, Tick tick) {
  std::vector<std::span<const std::byte>> frames(sharing_.members);
  each_member(node.members().active(tick), [&](std::size_t id) {
    if (id < frames.size()) frames[id] = node.frame(id, tick);
  });
  std::string error;
  if (!world_->settle(frames, &error)) return fault(error);
  keep(tick);
  return core::ok();
}

// ---------------------------------------------------------------- snapshots

// Where so many do not fit, every second one goes, so that none is far away.
void WorldHost::keep(Tick tick) {
  std::shared_ptr<Snapshot> s;
  if (!spare_.empty()) s = std::move(spare_.back()), spare_.pop_back();
  world_->snapshot_into(s);
  const std::size_t each = std::max<std::size_t>(1, s->bytes());
  kept_[tick] = std::move(s);
  if (kept_.size() <= kFewest || kept_.size() * each <= most_bytes_) return;
  bool goes = false;
  for (auto it = std::next(kept_.begin()); it != kept_.end() && std::next(it) != kept_.end(); goes = !goes)
    if (goes)
      spare_.push_back(std::move(it->second)), it = kept_.erase(it);
    else
      ++it;
}

// the newest one that is not after the tick stays: it leads to all later ones
void WorldHost::forget_before(Tick tick) {
  const auto after = kept_.upper_bound(tick);
  if (after == kept_.begin()) return;
  for (auto it = kept_.begin(); it != std::prev(after); it = kept_.erase(it)) spare_.push_back(std::move(it->second));
}

std::vector<std::byte> WorldHost::save(const Node& node, Tick tick) const {
  const auto found = kept_.find(tick);
  if (found == kept_.end()) return {};
  const NodeBase base = node.base(tick);
  core::ByteWriter out;
  out.put(kMagic);
  out.put(base.tick);
  for (const std::uint32_t count : base.corrections) out.put(count);
  out.put_bytes(World::snapshot_bytes(*found->second));
  return out.take();
}

core::Status WorldHost::load(std::span<const std::byte> bytes) {
  core::ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) return fault("the saved state is no saved state of a node");
  Loaded loaded;
  loaded.base.tick = in.get<std::uint64_t>();
  for (std::uint32_t& count : loaded.base.corrections) count = in.get<std::uint32_t>();
  if (!in.good()) return fault("the saved state is damaged");
  std::string error;
  loaded.snapshot = world_->read_snapshot(in.get_bytes(in.left()), &error);
  if (loaded.snapshot == nullptr) return fault(error);
  loaded_ = std::move(loaded);
  return core::ok();
}

}  // namespace volary::cluster
