// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a run to a file while it flies. The simulation's thread only copies: hashes, inputs and samples go into buffers;
// a thread of the recorder encodes, writes and commits. Its queue is bounded; when it is full the simulation waits, and
// nothing is dropped. When the disk fails or the budget is spent the recording ends, the file stays valid, a notice
// says so, and the run goes on.
//
// A recording is one stretch of time. When the world is put to another moment the recording ends with all that was flown
// so far, and whoever records on opens another one there: each flies again to the same bit, and nothing that was seen is lost.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "replay/modes.hpp"
#include "replay/plots.hpp"
#include "replay/sampler.hpp"
#include "replay/truth.hpp"
#include "runner/sink.hpp"
#include "volary/world.hpp"

namespace volary::replay {

struct RecorderOptions {
  std::string program;                      // version of the program, for the head
  std::string extra;                        // JSON that goes into the head as it is
  bool view = true;                         // layer 2
  Bounds bounds;                            // of layer 2
  double commit_seconds = 0.5;              // wall time between commits
  double checkpoint_seconds = 10;           // simulated
  double view_seconds = 10;                 // simulated, of one block of layer 2
  std::uint64_t max_bytes = 4'000'000'000;  // size budget; 0: none
  std::size_t max_view_vehicles = 200'000;  // above, layer 2 stays off
  std::size_t view_buffer = 64u << 20;      // bytes of samples in one block
  bool continues = false;                   // the world was put to this moment: it begins with its checkpoint, whatever the tick
  // from the recorder's thread, after everything up to and including this tick is on the disk
  std::function<void(std::uint64_t tick)> on_commit;
};

struct RecorderStats {
  std::uint64_t bytes = 0, view_bytes = 0, checkpoint_bytes = 0, truth_bytes = 0;
  std::uint64_t ticks = 0, view_samples = 0;
  double blocked_seconds = 0;  // the simulation waited for the queue
  double writer_cpu_seconds = 0;
  bool view_on = false, recording = false;
};

class Recorder final : public runner::Sink {
 public:
  // Makes the file and begins at the world's present tick. The world should be made with
  // RunOptions::hash_every_tick. An empty bundle is for worlds that no file made: they verify only with their definition.
  static core::Result<std::unique_ptr<Recorder>> open(const std::string& path, World& world, const scenario::Bundle& bundle, RecorderOptions options);
  ~Recorder() override;  // closes
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // all of these on the simulation's thread
  void after_tick(World& world) override;  // after every tick; a tick left out ends the recording with a notice
  void event(World& world, const Event& event) override;
  void restored(World& world) override;    // closes; an event of the recording says where the run went on
  void metric(std::uint64_t tick, const std::string& name, double value, const std::string& unit = "");
  void judge(std::string verdict, std::string reason);  // what became of the run, for the end of the file
  std::uint64_t tick() const { return tick_; }  // the last one recorded
  void flush();          // commit now, for instance when the run is paused; does not wait
  core::Status close();  // writes what is left and waits for it; an error when the file misses something

  // from any thread
  // one sentence each, to be shown once: the view stopped, the disk is full, ...
  std::vector<std::string> take_notices();
  RecorderStats stats() const;
  bool recording() const;  // false once it has stopped for whatever reason
  const std::string& path() const { return path_; }

 private:
  struct Batch;
  struct Writer;
  Recorder(std::string path, RecorderOptions options);
  void update_roster(const World& world);
  void sample_view(const World& world);
  void take_plots(std::vector<Plotted>& plotted, std::uint64_t tick);
  void send_view(bool last);
  void send_batch(bool commit);
  void send_checkpoint(const World& world);
  void end_here(World& world, const std::string& why);
  void note(const std::string& what);  // an event of the recorder's own
  bool commit_is_due();

  using Clock = std::chrono::steady_clock;
  std::string path_;
  RecorderOptions options_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Batch> batch_;  // being filled
  Clock::time_point last_commit_, last_look_;
  std::uint64_t last_look_tick_ = 0, next_look_tick_ = 0;
  std::uint64_t tick_ = 0, last_checkpoint_ = 0, checkpoint_ticks_ = 0;
  double tick_seconds_ = 0.01;

  std::string verdict_, reason_;

  std::uint64_t roster_version_ = ~std::uint64_t{0};
  std::uint32_t next_index_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> alive_;  // id -> roster index
  std::vector<std::uint32_t> flock_of_;                     // by roster index
  std::shared_ptr<const Walk> walk_;

  std::atomic<bool> view_on_ = false;  // these three are asked for from other threads
  Samples samples_;
  ModeWatch modes_;
  std::atomic<bool> closed_ = false, ended_ = false;
};

}  // namespace volary::replay
