// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/live_frame.hpp"

#include <algorithm>

#include "cluster/world_host.hpp"
#include "engine/payloads.hpp"

namespace volary::cluster {

namespace {

constexpr std::uint32_t kSource = 0xffff0000u;  // of inputs that others tell, and the number of the member: after those of people
constexpr std::size_t kRemembered = 64;         // ticks with messages of one member

bool is_state(const Input& in) {
  const auto* many = std::get_if<SetMany>(&in.payload);
  return many != nullptr && many->what == Many::Report;
}
bool is_message(const Input& in) { return std::holds_alternative<Say>(in.payload); }
bool is_removal(const Input& in) { return std::holds_alternative<Remove>(in.payload); }

// as many numbers as its vehicles need
bool is_whole(const SetMany& many) { return !many.ids.empty() && many.values.size() == many.ids.size() * engine::count_columns(many.what).least; }

struct Decoded {
  Tick tick = 0;
  std::vector<Input> states;
  std::vector<std::pair<Tick, Input>> happened;
};

bool decode(std::span<const std::byte> bytes, Decoded& out) {
  core::ByteReader in(bytes);
  out.tick = in.get<std::uint64_t>();
  for (std::size_t k = in.get_count(engine::kLeastInputBytes); k > 0 && in.good(); --k)
    if (!engine::read_input(in, out.states.emplace_back()) || !is_state(out.states.back()) || !is_whole(std::get<SetMany>(out.states.back().payload))) return false;
  for (std::size_t k = in.get_count(engine::kLeastInputBytes + 8); k > 0 && in.good(); --k) {
    out.happened.emplace_back();
    out.happened.back().first = in.get<std::uint64_t>();
    Input& what = out.happened.back().second;
    if (!engine::read_input(in, what) || !(is_message(what) || is_removal(what)) || !what.target) return false;
  }
  return in.good() && in.left() == 0 && out.tick <= kMaxTick;
}

}  // namespace

std::uint32_t member_of(const Sharing& sharing, const std::string& flock, std::uint64_t place) {
  const Sharing::Part* found = nullptr;
  for (const Sharing::Part& p : sharing.parts)
    if (p.flock == flock && p.first_place <= place && (found == nullptr || p.first_place > found->first_place)) found = &p;
  return found == nullptr ? Sharing::kNobody : found->member;
}

std::vector<Input> assignments(const Sharing& sharing, std::uint32_t member) {
  std::vector<Input> inputs;
  for (const Sharing::Part& p : sharing.parts)
    inputs.push_back({.source = kSource, .seq = static_cast<std::uint32_t>(inputs.size() + 1), .payload = Assign{p.flock, p.first_place, p.member == member}});
  return inputs;
}

core::Status LiveInputs::take(const LogBook& log, Tick tick, std::vector<Input>& inputs) {
  auto& [base, list] = taken_;
  base = std::max(base, log.base());
  std::erase_if(list, [&](std::uint64_t sequence) { return sequence <= base; });
  for (const Entry& e : log.entries()) {
    if (e.kind != EntryKind::Input || e.effective > tick || e.sequence <= base || std::binary_search(list.begin(), list.end(), e.sequence)) continue;
    core::Result<Input> input = read_input(e);
    if (!input) return input.error();
    inputs.push_back(std::move(input).value());
    inputs.back().tick = tick - 1;  // of the world before the tick
    list.insert(std::upper_bound(list.begin(), list.end(), e.sequence), e.sequence);
  }
  return core::ok();
}

void leave_to_others(const World& world, std::vector<Input>& inputs) {
  std::erase_if(inputs, [&](const Input& in) { return is_message(in) && in.target && world.is_elsewhere(in.target); });
}

std::vector<std::byte> LiveOutbox::frame(Tick tick, std::vector<Input> report) {
  while (!said_.empty() && said_.front().tick + kRepeated <= tick) said_.pop_front();
  std::vector<Input> states;
  for (Input& in : report) {
    if (is_message(in))
      said_.push_back({tick, std::move(in)});
    else if (is_removal(in))
      gone_.push_back({tick, std::move(in)});
    else
      states.push_back(std::move(in));
  }
  core::ByteWriter out;
  out.put(tick);
  out.put(static_cast<std::uint64_t>(states.size()));
  for (const Input& in : states) engine::write_input(out, in);
  out.put(static_cast<std::uint64_t>(said_.size() + gone_.size()));
  const auto put = [&](const Happened& h) { out.put(h.tick), engine::write_input(out, h.input); };
  std::for_each(said_.begin(), said_.end(), put);
  std::for_each(gone_.begin(), gone_.end(), put);
  return out.take();
}

void LiveOutbox::write_gone(Tick tick, core::ByteWriter& out) const {
  const auto end = std::find_if(gone_.begin(), gone_.end(), [&](const Happened& h) { return h.tick > tick; });
  out.put(static_cast<std::uint64_t>(end - gone_.begin()));
  std::for_each(gone_.begin(), end, [&](const Happened& h) { out.put(h.tick), engine::write_input(out, h.input); });
}

bool LiveOutbox::read_gone(core::ByteReader& in) {
  gone_.clear(), said_.clear();
  for (std::size_t k = in.get_count(engine::kLeastInputBytes + 8); k > 0 && in.good(); --k) {
    gone_.emplace_back();
    gone_.back().tick = in.get<std::uint64_t>();
    if (!engine::read_input(in, gone_.back().input) || !is_removal(gone_.back().input)) return false;
  }
  return in.good();
}

bool LiveInbox::is_its(const World& world, std::size_t member, const Input& in) const {
  const auto has = [&](VehicleId id) { return member_of(sharing_, world.flock_of(id), world.place_of(id)) == member; };
  const auto* many = std::get_if<SetMany>(&in.payload);
  return many != nullptr ? std::all_of(many->ids.begin(), many->ids.end(), [&](VehicleId id) { return !world.is_alive(id) || has(id); }) : has(in.target);
}

// the newest first: states of older ones are not looked at
void LiveInbox::take(const World& world, std::vector<LiveFrame> frames, std::vector<Input>& inputs) {
  std::stable_sort(frames.begin(), frames.end(), [](const LiveFrame& a, const LiveFrame& b) { return a.member != b.member ? a.member < b.member : a.tick > b.tick; });
  for (const LiveFrame& frame : frames) take_one(world, frame, inputs);
}

void LiveInbox::take_one(const World& world, const LiveFrame& frame, std::vector<Input>& inputs) {
  Decoded all;
  if (frame.member >= kMaxMembers || !decode(frame.bytes, all)) return void(++dropped_);
  Of& of = of_[frame.member];
  const double tick = static_cast<double>(world.def().tick_ns) * 1e-9;
  const auto give = [&](Input& in) {
    in.tick = 0, in.seq = 0;
    in.source = kSource + 1 + static_cast<std::uint32_t>(frame.member);
    inputs.push_back(std::move(in));
  };
  if (all.tick > of.newest) {
    of.newest = all.tick;
    for (Input& in : all.states) {
      if (!is_its(world, frame.member, in)) return void(++dropped_);
      auto& many = std::get<SetMany>(in.payload);
      // vehicles that are gone here, or that have not come yet, are left out
      const std::size_t n = many.ids.size(), columns = many.values.size() / n;
      SetMany known{.what = many.what, .flock = many.flock};
      std::vector<std::size_t> kept;
      for (std::size_t k = 0; k < n; ++k)
        if (world.is_alive(many.ids[k])) known.ids.push_back(many.ids[k]), kept.push_back(k);
      if (kept.empty()) continue;
      for (std::size_t c = 0; c < columns; ++c)
        for (const std::size_t k : kept) known.values.push_back(many.values[c * n + k]);
      // the first column is the age
      for (std::size_t k = 0; k < kept.size(); ++k) known.values[k] += (static_cast<double>(world.tick()) - static_cast<double>(all.tick)) * tick;
      in.payload = std::move(known);
      give(in);
    }
  }
  std::set<Tick> fresh;
  for (auto& [when, what] : all.happened) {
    if (!world.is_alive(what.target)) continue;
    if (!is_its(world, frame.member, what)) return void(++dropped_);
    if (is_removal(what)) {
      give(what);
      continue;
    }
    if (when <= of.forgotten || of.said.contains(when)) continue;
    fresh.insert(when);
    give(what);
  }
  of.said.merge(fresh);
  for (; of.said.size() > kRemembered; of.said.erase(of.said.begin())) of.forgotten = *of.said.begin();
}

}  // namespace volary::cluster
