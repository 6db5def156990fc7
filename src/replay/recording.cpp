// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "math/scalar.hpp"
#include "replay/modes.hpp"

namespace volary::replay {

namespace {

constexpr std::size_t kDecodedBlocks = 256;  // kept for the next question

// entries in the order of their numbers, each once
template <class T> void sort_entries(Recovered<T>& r) {
  std::vector<std::size_t> order(r.list.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return r.numbers[a] < r.numbers[b]; });
  Recovered<T> sorted;
  for (const std::size_t k : order) {
    if (!sorted.numbers.empty() && sorted.numbers.back() == r.numbers[k]) continue;
    sorted.numbers.push_back(r.numbers[k]);
    sorted.list.push_back(std::move(r.list[k]));
  }
  r = std::move(sorted);
}

template <class T> void note_missing(const char* what, const Recovered<T>& r, std::uint64_t expected, std::vector<std::string>& out) {
  if (r.list.size() < expected) out.push_back(fmt::format("{} of {} {} were lost", expected - r.list.size(), expected, what));
}

}  // namespace

core::Result<std::unique_ptr<Recording>> Recording::open(const std::string& path) {
  std::unique_ptr<Recording> r(new Recording());
  auto file = BlockReader::open(path);
  if (!file) return file.error();
  r->file_ = std::move(file).value();
  if (const core::Status s = r->read_all(); !s) return s.error();
  return r;
}

core::Status Recording::read_all() {
  bool has_head = false;
  for (const BlockAt& block : scan().blocks) {
    if (block.header.type != BlockType::Head || has_head) continue;
    const auto raw = file_->payload(block);
    auto head = raw ? head_from_json(raw.value()) : core::Result<Head>(raw.error());
    has_head = static_cast<bool>(head);
    if (head) head_ = std::move(head).value();
  }
  if (!has_head) {
    return core::Error{.message = "both heads of the recording are damaged: the rest cannot be read", .file = path()};
  }
  last_tick_ = head_.start_tick;
  for (const BlockAt& block : scan().blocks) read_block(block);
  std::sort(runs_.begin(), runs_.end(), [](const HashRun& a, const HashRun& b) { return a.first < b.first; });
  sort_entries(inputs_), sort_entries(events_), sort_entries(metrics_), sort_entries(changes_);
  if (end_) counts_ = end_->counts;
  find_lost_modes();
  build_roster();
  std::sort(modes_unknown_from_.begin(), modes_unknown_from_.end());
  return core::ok();
}

void Recording::read_block(const BlockAt& block) {
  const BlockHeader& h = block.header;
  if (h.type == BlockType::View) return views_.push_back(block);
  if (h.type == BlockType::Checkpoint) return checkpoints_.push_back(block);
  if (h.type == BlockType::Plots) return plots_.push_back(block);
  if (h.type == BlockType::Head || h.type == BlockType::Index) return;
  const auto raw = file_->payload(block);
  core::Status read = raw ? core::ok() : core::Status(raw.error());
  if (raw && h.type == BlockType::End) {
    const auto end = read_end(raw.value());
    if (end) end_ = end.value();
    if (!end) read = end.error();
  }
  if (raw && h.type == BlockType::Inputs) read = read_inputs(raw.value(), head_.format, inputs_);
  if (raw && h.type == BlockType::Events) read = read_events(raw.value(), events_);
  if (raw && h.type == BlockType::Metrics) read = read_metrics(raw.value(), metrics_);
  if (raw && h.type == BlockType::Roster) read = read_roster(raw.value(), changes_);
  if (raw && h.type == BlockType::Hashes) {
    HashRun run;
    run.first = h.first_tick;
    read = read_hashes(raw.value(), h.last_tick - h.first_tick + 1, run.counts, run.hashes);
    const bool follows = runs_.empty() || h.first_tick > runs_.back().last();
    if (read && !follows) read = core::Error{.message = "ticks that came before"};
    if (read) {
      last_tick_ = std::max(last_tick_, h.last_tick);
      counts_ = run.counts;
      runs_.push_back(std::move(run));
    }
  }
  if (!read) unreadable_.push_back(fmt::format("block {} ({}) at byte {}: {}", h.sequence, name_of(h.type), block.offset, read.error().message));
}

// A block of hashes says how many changes of the roster there were by its end. Those that are missing came after the last block that did not
// count the first of them, and not before the change before it.
void Recording::find_lost_modes() {
  const auto lost_from = [&](std::uint64_t number, std::uint64_t before) {
    std::uint64_t from = head_.start_tick;
    for (const HashRun& run : runs_)
      if (run.counts.roster <= number) from = std::max(from, run.last() + 1);
    modes_unknown_from_.push_back(std::max(from, before));
    // who changed at that very tick is known then, and not afterwards
    if (before >= from) modes_unknown_from_.push_back(before + 1);
  };
  std::uint64_t next = 0, before = 0;
  for (std::size_t k = 0; k < changes_.list.size(); ++k) {
    if (changes_.numbers[k] > next) lost_from(next, before);
    next = changes_.numbers[k] + 1;
    before = std::max(before, changes_.list[k].tick);
  }
  if (next < counts_.roster) lost_from(next, before);
}

void Recording::build_roster() {
  std::size_t modes = 0;
  bool cut = false;
  for (std::size_t k = 0; k < changes_.list.size(); ++k) {
    const RosterChange& c = changes_.list[k];
    // the vehicle with index i is at least the i-th entry: an index above is no roster's
    if (c.index > changes_.numbers[k]) continue;
    if (c.kind == RosterChange::Kind::Modes) {
      // those of vehicles that are known; bounded, because a few bytes may name many
      const std::size_t end = std::min(roster_.size(), std::size_t{c.index} + c.modes.count);
      std::size_t v = c.index;
      for (; v < end && modes < kMostModes; ++v, ++modes)
        if (roster_[v].modes.empty() || roster_[v].modes.back().tick < c.tick) roster_[v].modes.push_back({c.tick, c.modes.mode});
      // what is not kept is not known; those that changed at that very tick still are, for that tick
      if (v < end && !std::exchange(cut, true)) modes_unknown_from_.insert(modes_unknown_from_.end(), {c.tick, c.tick + 1});
      continue;
    }
    if (c.index >= roster_.size()) roster_.resize(c.index + 1, RosterEntry{.name = "(lost)"});
    if (c.kind == RosterChange::Kind::Spawn)
      roster_[c.index] = c.entry;
    else
      roster_[c.index].removal_tick = c.tick;
  }
}

bool Recording::damaged() const {
  const bool torn = std::any_of(scan().damage.begin(), scan().damage.end(), [](const Damage& d) { return !d.cut; });
  return torn || !unreadable_.empty();
}

std::vector<std::string> Recording::problems() const {
  std::vector<std::string> list;
  for (const Damage& d : scan().damage) list.push_back(d.text(head_.tick_seconds()));
  list.insert(list.end(), unreadable_.begin(), unreadable_.end());
  note_missing("inputs", inputs_, counts_.inputs, list);
  note_missing("events", events_, counts_.events, list);
  note_missing("metrics", metrics_, counts_.metrics, list);
  note_missing("changes of the roster", changes_, counts_.roster, list);
  if (!modes_unknown_from_.empty())
    list.push_back(fmt::format("flight modes are unknown from tick {} ({:.2f} s) on, each vehicle's until its next change that is left",
                               modes_unknown_from_.front(), seconds(modes_unknown_from_.front())));
  for (const TickRange& r : missing_hashes())
    list.push_back(fmt::format("no hashes for ticks {} to {} ({:.2f} s to {:.2f} s)", r.first, r.last, seconds(r.first), seconds(r.last)));
  if (!closed() && list.empty()) list.push_back("the run did not end in order; everything up to its last commit is here");
  return list;
}

std::vector<TypeSize> Recording::sizes() const {
  std::map<BlockType, TypeSize> by_type;
  for (const BlockAt& b : scan().blocks) {
    TypeSize& s = by_type[b.header.type];
    s.type = b.header.type;
    ++s.blocks;
    s.stored += b.header.stored + kHeaderBytes;
    s.raw += b.header.raw;
  }
  std::vector<TypeSize> list;
  for (const auto& [type, size] : by_type) list.push_back(size);
  return list;
}

std::optional<std::uint64_t> Recording::hash(std::uint64_t tick) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), tick, [](std::uint64_t t, const HashRun& r) { return t < r.first; });
  if (after == runs_.begin()) return std::nullopt;
  const HashRun& run = *(after - 1);
  if (tick > run.last()) return std::nullopt;
  return run.hashes[tick - run.first];
}

std::vector<TickRange> Recording::missing_hashes() const {
  std::vector<TickRange> list;
  std::uint64_t next = head_.start_tick;
  for (const HashRun& run : runs_) {
    if (run.first > next) list.push_back({next, run.first - 1});
    next = run.last() + 1;
  }
  if (next <= end_tick()) list.push_back({next, end_tick()});
  return list;
}

std::uint64_t Recording::end_tick() const {
  std::uint64_t end = std::max(last_tick_, end_ ? end_->last_tick : 0);
  for (const Damage& d : scan().damage) end = std::max(end, d.hash_tick);
  return end;
}

bool Recording::end_is_lost() const {
  if (end_) return false;
  std::uint64_t last_hashes = 0;  // where they are in the file
  for (const BlockAt& b : scan().blocks)
    if (b.header.type == BlockType::Hashes) last_hashes = b.offset;
  return std::any_of(scan().damage.begin(), scan().damage.end(), [&](const Damage& d) { return d.hashes && d.hash_tick == 0 && d.offset > last_hashes; });
}

// A block of hashes says how many inputs there were by its end. From there the numbers that are missing become stretches of
// ticks: the input was given after the last block that did not count it and before the end of the first that did.
std::vector<TickRange> Recording::known_inputs() const {
  std::vector<TickRange> known;
  std::uint64_t from = head_.start_tick, number = 0;
  std::size_t have = 0;
  bool open = true;  // the stretch from `from` is sound so far
  std::uint64_t until = head_.start_tick;
  for (const HashRun& run : runs_) {
    bool complete = true;
    for (; number < run.counts.inputs; ++number) {
      while (have < inputs_.numbers.size() && inputs_.numbers[have] < number) ++have;
      const bool here = have < inputs_.numbers.size() && inputs_.numbers[have] == number;
      if (!here) {
        complete = false;
        number = run.counts.inputs;
        break;
      }
    }
    if (complete) {
      if (!open) {
        from = until;
        open = true;
      }
    } else if (open) {
      known.push_back({from, until});
      open = false;
    }
    until = run.last();
  }
  if (open) known.push_back({from, until});
  return known;
}

std::vector<std::uint64_t> Recording::checkpoint_ticks() const {
  std::vector<std::uint64_t> ticks;
  for (const BlockAt& b : checkpoints_) ticks.push_back(b.header.first_tick);
  return ticks;
}

core::Result<std::vector<std::byte>> Recording::checkpoint(std::uint64_t tick) const {
  for (const BlockAt& b : checkpoints_)
    if (b.header.first_tick == tick) return file_->payload(b);
  return core::Error{.message = fmt::format("has no checkpoint at tick {}", tick), .file = path()};
}

core::Result<std::vector<PlotSeries>> Recording::plots() const {
  std::vector<PlotSeries> series;
  for (const BlockAt& b : plots_) {
    const auto raw = file_->payload(b);
    if (!raw) return raw.error();
    if (core::Status read = read_plots(raw.value(), b.header.first_tick, series); !read)
      return core::Error{.message = fmt::format("block {} at byte {}: {}", b.header.sequence, b.offset, read.error().message), .file = path()};
  }
  sort_plots(series);
  return series;
}

std::shared_ptr<const ViewBlock> Recording::view(std::size_t k) const {
  if (const auto found = decoded_.find(k); found != decoded_.end()) return found->second;
  const auto raw = file_->payload(views_[k]);
  auto block = raw ? ViewBlock::decode(raw.value()) : core::Result<ViewBlock>(raw.error());
  auto shared = block ? std::make_shared<const ViewBlock>(std::move(block).value()) : nullptr;
  if (decoded_.size() >= kDecodedBlocks) {
    decoded_.erase(recent_.back());
    recent_.pop_back();
  }
  decoded_[k] = shared;
  recent_.push_front(k);
  return shared;
}

// the time of a tick is rounded, and divided again it may be a little beyond the last one
core::Result<Frame> Recording::at(double time) const {
  const double tick = time / head_.tick_seconds(), whole = math::round(tick);
  return at_tick(math::abs(tick - whole) <= 1e-12 * whole ? whole : tick);
}

core::Result<Frame> Recording::at_tick(double tick) const {
  const auto first = static_cast<double>(first_tick()), last = static_cast<double>(last_tick());
  if (!(tick >= first && tick <= last)) {
    return core::Error{.message = fmt::format("{:.3f} s is not in the recording, which goes from {:.3f} s to {:.3f} s", tick * head_.tick_seconds(),
                                              seconds(first_tick()), seconds(last_tick())),
                       .file = path()};
  }
  Frame frame;
  frame.time = tick * head_.tick_seconds();
  std::vector<bool> seen(roster_.size(), false);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const BlockHeader& h = views_[k].header;
    if (tick < static_cast<double>(h.first_tick) || tick > static_cast<double>(h.last_tick)) continue;
    const auto block = view(k);
    if (block == nullptr) continue;
    for (std::size_t t = 0; t < block->n_tracks(); ++t) {
      VehicleAt v;
      v.vehicle = block->vehicle(t);
      if (v.vehicle >= seen.size() || seen[v.vehicle] || !block->at(t, tick - static_cast<double>(h.first_tick), v.pose)) continue;
      seen[v.vehicle] = true;
      v.mode = mode_at(roster_[v.vehicle], tick, modes_unknown_from_);
      frame.vehicles.push_back(v);
    }
  }
  std::sort(frame.vehicles.begin(), frame.vehicles.end(), [](const VehicleAt& a, const VehicleAt& b) { return a.vehicle < b.vehicle; });
  for (std::size_t k = 0; k < roster_.size(); ++k) {
    const RosterEntry& e = roster_[k];
    const bool alive = e.id != 0 && tick >= static_cast<double>(e.spawn_tick) && (e.removal_tick == kNever || tick <= static_cast<double>(e.removal_tick) - 1);
    if (alive && !seen[k]) frame.missing.push_back(static_cast<std::uint32_t>(k));
  }
  return frame;
}

}  // namespace volary::replay
