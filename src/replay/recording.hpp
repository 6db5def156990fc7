// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording, opened: what it holds, what damage took, and where everybody was at any moment.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "replay/block_file.hpp"
#include "replay/plots.hpp"
#include "replay/truth.hpp"
#include "replay/view_codec.hpp"

namespace volary::replay {

struct VehicleAt {
  std::uint32_t vehicle = 0;  // index in the roster
  Pose pose{};
  std::uint8_t mode = kUnknownMode;
};
struct Frame {
  double time = 0;
  std::vector<VehicleAt> vehicles;     // by roster index
  std::vector<std::uint32_t> missing;  // alive then, but the view does not have them
};

struct TickRange {
  std::uint64_t first = 0, last = 0;  // both included
};

// bytes and blocks of one type
struct TypeSize {
  BlockType type;
  std::uint64_t blocks = 0, stored = 0, raw = 0;
};

class Recording {
 public:
  // reads and checks the whole file; damage is no error as long as a head is left
  static core::Result<std::unique_ptr<Recording>> open(const std::string& path);

  const std::string& path() const { return file_->path(); }
  const Head& head() const { return head_; }
  const Scan& scan() const { return file_->scan(); }
  bool closed() const { return scan().closed; }           // the run ended in order
  std::vector<std::string> problems() const;              // one sentence each; a file cut at its end is one
  bool damaged() const;                                   // something in the middle is missing
  std::vector<TypeSize> sizes() const;

  std::uint64_t first_tick() const { return head_.start_tick; }
  std::uint64_t last_tick() const { return last_tick_; }  // the last with a hash
  std::uint64_t end_tick() const;  // the last that the file tells of, its hash lost or not
  bool end_is_lost() const;        // damage may have taken ticks after all of these, and nothing says how many
  double seconds(std::uint64_t tick) const { return static_cast<double>(tick) * head_.tick_seconds(); }

  const std::vector<RosterEntry>& roster() const { return roster_; }  // by roster index; an entry that was lost has id 0
  // from these ticks on modes are unknown, each vehicle's until its next change: changes of the roster were lost there
  const std::vector<std::uint64_t>& modes_unknown_from() const { return modes_unknown_from_; }
  const std::vector<Event>& events() const { return events_.list; }
  const std::vector<Metric>& metrics() const { return metrics_.list; }
  const std::vector<RecordedInput>& inputs() const { return inputs_.list; }
  const EndNote* end() const { return end_ ? &*end_ : nullptr; }  // nullptr: the run did not end in order, or its end was lost
  const Counts& counts() const { return counts_; }  // as the file says; more than the lists have: the rest was lost

  // none: the block that had it was lost
  std::optional<std::uint64_t> hash(std::uint64_t tick) const;
  std::vector<TickRange> missing_hashes() const;

  // Stretches of ticks over which every input is known: flying on from `first` needs a state at that tick.
  std::vector<TickRange> known_inputs() const;

  std::vector<std::uint64_t> checkpoint_ticks() const;
  core::Result<std::vector<std::byte>> checkpoint(std::uint64_t tick) const;

  bool has_plots() const { return !plots_.empty(); }
  core::Result<std::vector<PlotSeries>> plots() const;  // what behaviours plotted, in the order of the first use of each name; reads the file

  bool has_view() const { return !views_.empty(); }
  core::Result<Frame> at(double time) const;                  // s since the start of the scenario
  core::Result<Frame> at_tick(double tick) const;

 private:
  Recording() = default;
  core::Status read_all();
  void read_block(const BlockAt& block);
  void build_roster();
  void find_lost_modes();
  std::shared_ptr<const ViewBlock> view(std::size_t k) const;

  struct HashRun {
    std::uint64_t first = 0;
    std::vector<std::uint64_t> hashes;
    Counts counts;
    std::uint64_t last() const { return first + hashes.size() - 1; }
  };

  std::unique_ptr<BlockReader> file_;
  Head head_;
  std::uint64_t last_tick_ = 0;
  std::vector<HashRun> runs_;  // by tick
  Recovered<RecordedInput> inputs_;
  Recovered<Event> events_;
  Recovered<Metric> metrics_;
  Recovered<RosterChange> changes_;
  std::vector<RosterEntry> roster_;
  std::vector<std::uint64_t> modes_unknown_from_;  // ascending
  std::optional<EndNote> end_;
  Counts counts_;
  std::vector<BlockAt> views_, checkpoints_, plots_;
  std::vector<std::string> unreadable_;  // blocks whose checksum is right and whose content is not

  mutable std::unordered_map<std::size_t, std::shared_ptr<const ViewBlock>> decoded_;
  mutable std::list<std::size_t> recent_;  // newest first
};

}  // namespace volary::replay
