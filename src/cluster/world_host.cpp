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

constexpr std::uint32_t kAbsenceSource = 0xfffffffe;  // after whoever else gives inputs in that tick

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

std::vector<Input> absence_inputs(const World& world, const Entry& absent) {
  std::vector<Input> inputs;
  const double tick = static_cast<double>(world.def().tick_ns) * 1e-9;
  for (const VehicleId id : world.vehicles_of(absent.member)) {
    const auto seq = static_cast<std::uint32_t>(inputs.size() + 1);
    Input& in = inputs.emplace_back(Input{.tick = absent.effective - 1, .source = kAbsenceSource, .seq = seq, .target = id});
    if (absent.absence == Absence::Remove)
      in.payload = Remove{};
    else
      in.payload = Detach{absent.absence == Absence::Freeze || absent.until <= absent.effective ? 0 : static_cast<double>(absent.until - absent.effective) * tick};
  }
  return inputs;
}

std::vector<std::uint32_t> stand_ins(const Membership& membership, Tick tick, std::uint32_t members) {
  const MemberMask active = membership.active(tick), all = members < 64 ? bit_of(members) - 1 : ~MemberMask{0};
  if ((active & all) == all) return {};
  // the first one that is there; where nobody is, nobody
  const std::uint32_t first = (active & all) == 0 ? Sharing::kNobody : static_cast<std::uint32_t>(std::countr_zero(active & all));
  std::vector<std::uint32_t> by_member(members, first);
  each_member(active & all, [&](std::size_t id) { by_member[id] = static_cast<std::uint32_t>(id); });
  return by_member;
}

WorldHost::WorldHost(std::unique_ptr<World> world, Sharing sharing, const HostOptions& options)
    : sharing_(std::move(sharing)), options_(options), horizon_(horizon_ticks(world->def())), world_(std::move(world)) {}

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
      if (done) node.settled(ahead_ ? flown_.at(action.tick).sum : world_->own_hash(), changed_);
      return done;
    case Act::Commit: forget_before(action.tick); return done;
    default: return done;
  }
}

// ---------------------------------------------------------------- the beginning

// Whoever goes ahead has two worlds: the one that settles has no vehicles of its own.
core::Status WorldHost::share(const Node& node) {
  const auto member = static_cast<std::uint32_t>(node.member());
  if (member >= sharing_.members && !options_.observes) return fault(fmt::format("member {} has no vehicles: there are {} parts", member, sharing_.members));
  sharing_.member = member < sharing_.members ? member : Sharing::kNobody;
  std::string error;
  if (horizon_ > 1 && !observes()) {
    ahead_ = World::create(world_->def(), options_.run, &error);
    if (ahead_ == nullptr || !ahead_->share(sharing_, &error)) return fault(error);
  }
  Sharing settles = sharing_;
  if (ahead_) settles.member = Sharing::kNobody;
  if (!world_->share(settles, &error)) return fault(error);
  is_shared_ = true;
  return core::ok();
}

// the first state, or what was loaded
core::Status WorldHost::restore(Node& node, Tick tick) {
  if (!is_shared_)
    if (const core::Status shared = share(node); !shared) return shared;
  NodeBase base{.tick = tick};
  if (loaded_ && loaded_->base.tick == tick) {
    if (const core::Status done = restore_to(node, *world_, *loaded_->settled); !done) return done;
    if (ahead_ && loaded_->ahead == nullptr) return fault("the saved state is of a node without vehicles");
    if (ahead_)
      if (const core::Status done = restore_to(node, *ahead_, *loaded_->ahead); !done) return done;
    base = loaded_->base;
  } else if (tick != 0) {
    return fault(fmt::format("the state after tick {} is not here: saved is {}", tick, loaded()));
  }
  kept_.clear();
  flown_.clear();
  if (ahead_) keep_ahead(tick);
  keep(tick);
  node.restored(base);
  return core::ok();
}

// ---------------------------------------------------------------- back

core::Status WorldHost::roll_back(const Node& node, Tick tick, Tick settled) {
  if (tick < settled || (tick != settled && horizon_ == 1)) return fault("this world can only go back to a tick that is settled");
  // one that advances itself may be in the middle of a step
  if (world_->tick() != settled || horizon_ == 1)
    if (const core::Status done = go_to(node, settled); !done) return done;
  return ahead_ ? go_ahead_to(node, tick) : core::ok();
}

// what is settled, and who goes ahead with it
core::Status WorldHost::go_to(const Node& node, Tick tick) {
  const auto after = kept_.upper_bound(tick);
  if (after == kept_.begin()) return fault(fmt::format("the state after tick {} is not kept any more", tick));
  const auto from = std::prev(after);
  if (const core::Status done = restore_to(node, *world_, *from->second.settled); !done) return done;
  for (auto it = after; it != kept_.end(); it = kept_.erase(it)) drop(it->second);
  if (ahead_) {
    if (const core::Status done = restore_to(node, *ahead_, *from->second.ahead); !done) return done;
    forget_ahead_of(0);
    keep_ahead(from->first);
  }
  for (Tick k = from->first + 1; k <= tick; ++k, ++flown_again_) {
    if (const core::Status done = advance(node, k); !done) return done;
    if (const core::Status done = settle(node, k); !done) return done;
  }
  return core::ok();
}

core::Status WorldHost::go_ahead_to(const Node& node, Tick tick) {
  if (ahead_->tick() == tick) return core::ok();
  const auto found = flown_.find(tick);
  if (found == flown_.end()) return fault(fmt::format("the state of one's own vehicles after tick {} is not kept any more", tick));
  if (const core::Status done = restore_to(node, *ahead_, *found->second.snapshot); !done) return done;
  forget_ahead_of(tick);
  return core::ok();
}

// ---------------------------------------------------------------- the two halves

core::Status WorldHost::restore_to(const Node& node, World& world, const Snapshot& snapshot) const {
  std::string error;
  if (!world.restore(snapshot, &error)) return fault(error);
  world.stand_in(stand_ins(node.members(), std::max<Tick>(world.tick(), 1), sharing_.members));  // nobody takes part in a tick before the first
  return core::ok();
}

// of those whose vehicles stay, a world that is ahead has not seen where they are
void WorldHost::take_over(const Node& node, Tick tick) {
  if (!ahead_ || !node.members().is_left_by(tick)) return;
  for (std::uint32_t id = 0; id < sharing_.members; ++id)
    if (node.members().is_known(id) && node.members()[id].absent_from == tick) ahead_->take_vehicles(*world_, id);
}

core::Status WorldHost::submit_inputs(const Node& node, World& world, Tick tick) const {
  for (const Entry& e : node.log().entries()) {
    if (e.effective != tick) continue;
    if (e.kind == EntryKind::Absent && e.member < sharing_.members)
      for (Input& in : absence_inputs(world, e)) world.submit(std::move(in));
    if (e.kind != EntryKind::Input) continue;
    core::Result<Input> input = read_input(e);
    if (!input) return input.error();
    world.submit(std::move(input).value());  // what is refused here is refused by everybody
  }
  world.stand_in(stand_ins(node.members(), tick, sharing_.members));
  return core::ok();
}

core::Status WorldHost::advance(const Node& node, Tick tick) {
  frame_.clear();
  if (observes() && horizon_ > 1) return core::ok();
  World& world = ahead_ ? *ahead_ : *world_;
  if (world.tick() != tick - 1) return fault(fmt::format("the world is at tick {}, not before {}", world.tick(), tick));
  if (tick > world_->tick() + horizon_) return fault(fmt::format("tick {} is farther ahead of tick {} than the horizon of the scenario", tick, world_->tick()));
  take_over(node, tick);
  if (const core::Status given = submit_inputs(node, world, tick); !given) return given;
  if (!ahead_) return world.advance(frame_), core::ok();
  world.advance_ahead(*world_, frame_);
  keep_ahead(tick);
  return core::ok();
}

core::Status WorldHost::settle(const Node& node, Tick tick) {
  std::vector<std::span<const std::byte>> frames(sharing_.members);
  each_member(node.members().active(tick), [&](std::size_t id) {
    if (id < frames.size()) frames[id] = node.frame(id, tick);
  });
  changed_ = 0;
  if (horizon_ > 1) {
    if (const core::Status given = submit_inputs(node, *world_, tick); !given) return given;
    world_->advance(nothing_);
  }
  std::string error;
  if (!world_->settle(frames, &error)) return fault(error);
  // with a horizon of one tick contact is settled before anybody goes on, so nobody has to go back for it
  if (horizon_ > 1)
    if (const core::Status done = settle_behind(node, tick); !done) return done;
  keep(tick);
  return core::ok();
}

// whoever is ahead of a contact goes back to it
core::Status WorldHost::settle_behind(const Node& node, Tick tick) {
  for (const std::uint32_t member : world_->touched_members()) changed_ |= bit_of(member);
  if (!ahead_ || (changed_ & bit_of(sharing_.member)) == 0) return core::ok();
  touched_ += ahead_->tick() > tick ? 1 : 0;
  if (const core::Status done = go_ahead_to(node, tick); !done) return done;
  ahead_->take_touched(*world_);
  keep_ahead(tick);
  return core::ok();
}

// ---------------------------------------------------------------- snapshots

std::shared_ptr<Snapshot> WorldHost::snapshot_of(const World& world) {
  std::shared_ptr<Snapshot> s;
  if (!spare_.empty()) s = std::move(spare_.back()), spare_.pop_back();
  world.snapshot_into(s);
  return s;
}
void WorldHost::spare(std::shared_ptr<Snapshot>& s) {
  if (s != nullptr) spare_.push_back(std::move(s));
}

void WorldHost::keep_ahead(Tick tick) {
  Flown& f = flown_[tick];
  spare(f.snapshot);
  f = {snapshot_of(*ahead_), ahead_->own_hash()};
}
void WorldHost::forget_ahead_of(Tick tick) {
  for (auto it = flown_.upper_bound(tick); it != flown_.end(); it = flown_.erase(it)) spare(it->second.snapshot);
}

// Where so many do not fit, every second one goes, so that none is far away.
void WorldHost::keep(Tick tick) {
  Kept now{snapshot_of(*world_), nullptr};
  if (ahead_) {
    // the newest settled one may be asked for in both lists
    now.ahead = flown_.at(tick).snapshot;
    for (auto it = flown_.begin(); it->first < tick;) it = flown_.erase(it);
  }
  const std::size_t each = std::max<std::size_t>(1, now.settled->bytes() + (ahead_ ? now.ahead->bytes() : 0));
  kept_[tick] = std::move(now);
  if (kept_.size() <= kFewest || kept_.size() * each <= options_.most_bytes) return;
  bool goes = false;
  for (auto it = std::next(kept_.begin()); it != kept_.end() && std::next(it) != kept_.end(); goes = !goes)
    if (goes)
      drop(it->second), it = kept_.erase(it);
    else
      ++it;
}

// the newest one that is not after the tick stays: it leads to all later ones
void WorldHost::forget_before(Tick tick) {
  const auto after = kept_.upper_bound(tick);
  if (after == kept_.begin()) return;
  for (auto it = kept_.begin(); it != std::prev(after); it = kept_.erase(it)) drop(it->second);
}

std::vector<std::byte> WorldHost::save(const Node& node, Tick tick) const {
  const auto found = kept_.find(tick);
  if (found == kept_.end()) return {};
  const NodeBase base = node.base(tick);
  core::ByteWriter out;
  out.put(kMagic);
  out.put(base.tick);
  for (const std::uint32_t count : base.corrections) out.put(count);
  const std::vector<std::byte> settled = World::snapshot_bytes(*found->second.settled);
  out.put<std::uint64_t>(settled.size());
  out.put_bytes(settled);
  if (found->second.ahead != nullptr) out.put_bytes(World::snapshot_bytes(*found->second.ahead));
  return out.take();
}

core::Status WorldHost::load(std::span<const std::byte> bytes) {
  core::ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kMagic) return fault("the saved state is no saved state of a node");
  Loaded loaded;
  loaded.base.tick = in.get<std::uint64_t>();
  for (std::uint32_t& count : loaded.base.corrections) count = in.get<std::uint32_t>();
  const auto settled = in.get_bytes(in.get_count(1));
  if (!in.good()) return fault("the saved state is damaged");
  std::string error;
  loaded.settled = world_->read_snapshot(settled, &error);
  if (loaded.settled != nullptr && in.left() > 0) {
    loaded.ahead = world_->read_snapshot(in.get_bytes(in.left()), &error);
    if (loaded.ahead == nullptr) return fault(error);
  }
  if (loaded.settled == nullptr) return fault(error);
  loaded_ = std::move(loaded);
  return core::ok();
}

}  // namespace volary::cluster
