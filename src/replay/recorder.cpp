// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/recorder.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/snapshot.hpp"
#include "replay/block_file.hpp"

namespace volary::replay {

namespace {

constexpr std::size_t kMaxQueueBytes = 192u << 20, kMaxQueueJobs = 256;
constexpr std::size_t kMaxBatchHashes = 65'536, kMaxListBytes = 1u << 20;
constexpr std::uint64_t kReserve = 8192;  // for the last event, beside index and end

double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }

Head make_head(const World& world, const scenario::Bundle& bundle, const RecorderOptions& o, bool view) {
  const WorldDef& def = world.def();
  Head h;
  h.program = o.program;
  h.scenario = def.name;
  h.description = def.description;
  h.seed = def.seed;
  h.tick_ns = def.tick_ns;
  h.precision = def.precision == Precision::Float ? "float" : "double";
  h.start_tick = world.tick();
  h.continues = o.continues || h.start_tick > 0;
  h.duration = def.duration;
  h.worlds = def.worlds;
  h.vehicles = world.n_vehicles();
  h.started = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  h.view = view;
  h.bounds = o.bounds;
  for (const FlockDef& f : def.flocks) h.flocks.push_back({f.name, f.airframe.name, f.airframe.model});
  h.bundle = bundle;
  h.extra = o.extra;
  return h;
}

}  // namespace

// ---------------------------------------------------------------- what goes to the writer

// some ticks of layer 1
struct Recorder::Batch {
  std::uint64_t first_tick = 0;  // of the hashes
  std::vector<std::uint64_t> hashes;
  RecordList inputs, roster;
  std::vector<Event> events;
  std::vector<Metric> metrics;
  PlotBatch plots;
  bool commit = false;

  std::uint64_t last_tick() const { return first_tick + (hashes.empty() ? 0 : hashes.size() - 1); }
  std::size_t bytes() const { return hashes.size() * 8 + inputs.bytes.size() + roster.bytes.size() + (events.size() + metrics.size()) * 160 + plots.bytes(); }
  bool empty() const { return hashes.empty() && inputs.n == 0 && roster.n == 0 && events.empty() && metrics.empty() && plots.empty(); }
};

struct Recorder::Writer {
  struct Job {
    std::unique_ptr<Batch> batch;
    std::shared_ptr<const Snapshot> checkpoint;
    std::uint64_t checkpoint_tick = 0;
    std::unique_ptr<Samples> view;
    bool close = false;
    std::string verdict, reason;  // with close
    std::size_t bytes = 0;
  };

  Writer(std::unique_ptr<BlockWriter> f, const RecorderOptions& o, double tick_s) : file(std::move(f)), options(o), tick_seconds(tick_s) {}
  void start() {
    thread = std::thread([this] { run(); });
  }
  void run();
  void push(Job job);
  void finish();  // waits for the end of the thread

  void write(Job& job);
  void write_batch(const Batch& b);
  void write_checkpoint(const Job& job);
  void write_view(const Samples& s);
  void write_plots(const PlotBatch& plots, std::uint64_t first, std::uint64_t last);
  void write_events(std::span<const Event> events, std::uint64_t tick);
  bool put(BlockType type, std::uint64_t first, std::uint64_t last, std::span<const std::byte> payload, bool compress, std::uint64_t& account);
  void close_file(const char* why, const Job& last);
  void notice(std::string text);
  bool over_budget(std::uint64_t more, double share) const;

  std::unique_ptr<BlockWriter> file;
  const RecorderOptions& options;
  double tick_seconds;
  Counts counts;
  std::uint64_t tick = 0;  // the last one written

  std::mutex mutex;
  std::condition_variable wake, room;
  std::deque<Job> queue;
  std::size_t queued_bytes = 0;
  std::vector<std::string> notices;
  RecorderStats work;       // of the writer alone
  RecorderStats stats;      // what others may read, under the mutex
  double blocked_seconds = 0;
  std::atomic<bool> stopped = false, view_stopped = false, complete = false;
  bool plots_stopped = false;
  std::thread thread;
};

void Recorder::Writer::push(Job job) {
  std::unique_lock lock(mutex);
  const auto begin = Clock::now();
  const auto fits = [&] { return queue.empty() || (queue.size() < kMaxQueueJobs && queued_bytes + job.bytes <= kMaxQueueBytes) || stopped; };
  if (!fits()) {
    room.wait(lock, fits);
    blocked_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  }
  queued_bytes += job.bytes;
  queue.push_back(std::move(job));
  wake.notify_one();
}

void Recorder::Writer::run() {
  for (bool done = false; !done;) {
    Job job;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return !queue.empty(); });
      job = std::move(queue.front());
      queue.pop_front();
    }
    if (!stopped) write(job);
    done = job.close;
    work.writer_cpu_seconds = thread_cpu_seconds();
    work.bytes = file->size();
    std::unique_lock lock(mutex);
    queued_bytes -= job.bytes;
    stats = work;
    room.notify_one();
  }
}

void Recorder::Writer::finish() {
  if (thread.joinable()) thread.join();
}

void Recorder::Writer::notice(std::string text) {
  std::unique_lock lock(mutex);
  notices.push_back(std::move(text));
}

bool Recorder::Writer::over_budget(std::uint64_t more, double share) const {
  if (options.max_bytes == 0) return false;
  const double limit = share * static_cast<double>(options.max_bytes);
  return static_cast<double>(file->size() + more + file->index_bytes() + kHeaderBytes + kReserve) > limit;
}

// false when recording has stopped
bool Recorder::Writer::put(BlockType type, std::uint64_t first, std::uint64_t last, std::span<const std::byte> payload, bool compress, std::uint64_t& account) {
  if (stopped) return false;
  if (over_budget(payload.size(), 1.0)) {
    const std::string why = fmt::format("recording: the size budget of {} bytes is spent; the recording ends at {:.2f} s, the run goes on", options.max_bytes,
                                        static_cast<double>(tick) * tick_seconds);
    notice(why);
    const Event event{tick, {}, "recorder", why};
    const auto end = events_payload(counts.events, std::span(&event, 1));
    if (file->append(BlockType::Events, tick, tick, end, true)) ++counts.events;
    close_file("budget", {});
    return false;
  }
  const std::uint64_t before = file->size();
  const core::Status written = file->append(type, first, last, payload, compress);
  account += file->size() - before;
  if (written) return true;
  notice("recording: " + written.error().text() + "; the recording ends at " + fmt::format("{:.2f} s", static_cast<double>(tick) * tick_seconds) +
         ", the run goes on");
  stopped = true;
  return false;
}

void Recorder::Writer::close_file(const char* why, const Job& last) {
  stopped = true;
  const std::string end = end_to_json({tick, counts, last.verdict, last.reason}, why);
  const core::Status closed = file->close(tick, bytes_of(end));
  if (!closed) return notice("recording: " + closed.error().text());
  complete = std::string_view(why) == "closed";
}

void Recorder::Writer::write(Job& job) {
  if (job.view) write_view(*job.view);
  if (job.checkpoint) write_checkpoint(job);
  if (job.batch) write_batch(*job.batch);
  if (job.close && !stopped) close_file("closed", job);
}

void Recorder::Writer::write_events(std::span<const Event> events, std::uint64_t at) {
  if (events.empty()) return;
  if (put(BlockType::Events, std::min(events.front().tick, at), at, events_payload(counts.events, events), true, work.truth_bytes))
    counts.events += events.size();
}

// hashes come last: where they are, everything that made them is
void Recorder::Writer::write_batch(const Batch& b) {
  const std::uint64_t last = b.hashes.empty() ? tick : b.last_tick(), first = b.hashes.empty() ? tick : b.first_tick;
  if (b.roster.n > 0 && put(BlockType::Roster, first, last, b.roster.payload(counts.roster), true, work.truth_bytes)) counts.roster += b.roster.n;
  if (b.inputs.n > 0 && put(BlockType::Inputs, first, last, b.inputs.payload(counts.inputs), true, work.truth_bytes)) counts.inputs += b.inputs.n;
  write_events(b.events, last);
  if (!b.metrics.empty() && put(BlockType::Metrics, first, last, metrics_payload(counts.metrics, b.metrics), true, work.truth_bytes))
    counts.metrics += b.metrics.size();
  if (!b.plots.empty()) write_plots(b.plots, first, last);
  if (!b.hashes.empty() && put(BlockType::Hashes, first, last, hashes_payload(counts, b.hashes), false, work.truth_bytes)) {
    tick = last;
    work.ticks += b.hashes.size();
  }
  if (!b.commit || stopped) return;
  if (const core::Status done = file->commit(); !done) {
    notice("recording: " + done.error().text() + "; the recording ends, the run goes on");
    stopped = true;
  } else if (options.on_commit) {
    options.on_commit(tick);
  }
}

void Recorder::Writer::write_checkpoint(const Job& job) {
  const std::vector<std::byte> raw = World::snapshot_bytes(*job.checkpoint);
  if (raw.size() > kMaxRaw)
    return notice(fmt::format("recording: the world is too large for checkpoints ({} bytes); it still replays from its start", raw.size()));
  put(BlockType::Checkpoint, job.checkpoint_tick, job.checkpoint_tick, raw, true, work.checkpoint_bytes);
}

// beside the trajectories: what is needed to fly again goes on when they have used up their share
void Recorder::Writer::write_plots(const PlotBatch& plots, std::uint64_t first, std::uint64_t last) {
  if (plots_stopped) return;
  // a decision of a tick is made before its hash
  const std::uint64_t from = first - std::min<std::uint64_t>(first, 1);
  const std::vector<std::byte> payload = plots.payload(from);
  if (!over_budget(payload.size(), 0.875)) {
    put(BlockType::Plots, from, last, payload, true, work.view_bytes);
    return;
  }
  plots_stopped = true;
  const std::string why = fmt::format("recording: 7/8 of the size budget of {} bytes are spent; plotted numbers end at {:.2f} s, the rest is recorded",
                                      options.max_bytes, static_cast<double>(first) * tick_seconds);
  notice(why);
  const Event event{first, {}, "recorder", why};
  write_events(std::span(&event, 1), first);
}

void Recorder::Writer::write_view(const Samples& s) {
  if (view_stopped) return;
  for (const std::vector<std::byte>& block : encode(s, tick_seconds, options.bounds)) {
    if (stopped) return;
    if (over_budget(block.size(), 0.875)) {
      view_stopped = true;
      const std::string why =
          fmt::format("recording: 7/8 of the size budget of {} bytes are spent; the trajectories end at {:.2f} s, the rest is recorded", options.max_bytes,
                      static_cast<double>(s.first_tick) * tick_seconds);
      notice(why);
      const Event event{s.first_tick, {}, "recorder", why};
      return write_events(std::span(&event, 1), s.first_tick);
    }
    put(BlockType::View, s.first_tick, s.last_tick(), block, false, work.view_bytes);
  }
  work.view_samples += s.position.size() / 3;
}

// ---------------------------------------------------------------- the simulation's side

Recorder::Recorder(std::string path, RecorderOptions options) : path_(std::move(path)), options_(std::move(options)), batch_(std::make_unique<Batch>()) {}

core::Result<std::unique_ptr<Recorder>> Recorder::open(const std::string& path, World& world, const scenario::Bundle& bundle, RecorderOptions options) {
  std::unique_ptr<Recorder> r(new Recorder(path, std::move(options)));
  auto file = BlockWriter::create(path);
  if (!file) return file.error();
  const std::size_t n = world.n_vehicles();
  r->view_on_ = r->options_.view && n <= r->options_.max_view_vehicles;
  r->tick_ = world.tick();
  r->tick_seconds_ = static_cast<double>(world.def().tick_ns) * 1e-9;
  r->checkpoint_ticks_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(r->options_.checkpoint_seconds / r->tick_seconds_ + 0.5));
  // twice: it is small, and without it nothing else can be understood
  const std::string head = head_to_json(make_head(world, bundle, r->options_, r->view_on_));
  for (int copy = 0; copy < 2; ++copy)
    if (const auto s = file.value()->append(BlockType::Head, r->tick_, r->tick_, bytes_of(head), true); !s) return s.error();

  r->writer_ = std::make_unique<Writer>(std::move(file).value(), r->options_, r->tick_seconds_);
  r->writer_->tick = r->tick_;
  if (r->options_.view && !r->view_on_)
    r->writer_->notice(fmt::format("recording: {} vehicles are above the limit of {} for the view; inputs, hashes and checkpoints are recorded", n,
                                   r->options_.max_view_vehicles));
  r->writer_->start();
  r->last_commit_ = r->last_look_ = Clock::now();
  world.keep_submitted(true);
  // given before the first tick: not in the scenario. Others that still wait are in the first checkpoint.
  for (const Input& in : world.take_submitted())
    if (r->tick_ == 0 && !r->options_.continues) add_input(r->batch_->inputs, 0, in);
  r->batch_->first_tick = r->tick_;
  r->batch_->hashes.push_back(world.hash());
  r->update_roster(world);
  if (r->view_on_) r->sample_view(world);
  r->send_batch(false);
  r->send_checkpoint(world);
  r->send_batch(true);
  return r;
}

Recorder::~Recorder() {
  if (writer_ != nullptr) {
    [[maybe_unused]] const core::Status closed = close();
  }
}

// compares the living with those known; only when the world says that somebody came or went
void Recorder::update_roster(const World& world) {
  roster_version_ = world.roster_version();
  auto walk = std::make_shared<Walk>();
  std::unordered_map<std::uint64_t, std::uint32_t> now;
  now.reserve(alive_.size() + 16);
  const std::vector<std::string> flocks = world.flocks();
  for (std::size_t k = 0; k < flocks.size(); ++k) {
    Walk::Flock flock{flocks[k], {}, {}};
    for (const VehicleId id : world.vehicles(flocks[k])) {
      const auto known = alive_.find(id.value);
      const std::uint32_t index = known != alive_.end() ? known->second : next_index_++;
      if (known == alive_.end()) {
        RosterEntry entry{id.value, world.name_of(id), static_cast<std::uint32_t>(k), world.world_of(id), world.tick()};
        add_spawn(batch_->roster, index, entry);
        flock_of_.push_back(static_cast<std::uint32_t>(k));
      }
      now.emplace(id.value, index);
      flock.slots.push_back(world.slot_of(id));
      flock.ids.push_back(id);
      walk->vehicles.push_back(index);
    }
    walk->flocks.push_back(std::move(flock));
  }
  std::vector<std::uint32_t> gone;
  for (const auto& [id, index] : alive_)
    if (!now.contains(id)) gone.push_back(index);
  std::sort(gone.begin(), gone.end());
  for (const std::uint32_t index : gone) add_removal(batch_->roster, index, world.tick());
  alive_ = std::move(now);
  walk_ = std::move(walk);
}

// what is of vehicles in the roster; the rest stays in the list
void Recorder::take_plots(std::vector<Plotted>& plotted, std::uint64_t tick) {
  std::erase_if(plotted, [&](const Plotted& p) {
    const auto known = alive_.find(p.vehicle.value);
    if (known == alive_.end()) return false;
    batch_->plots.add(flock_of_[known->second], p.name, {known->second, tick, p.value});
    return true;
  });
}

void Recorder::sample_view(const World& world) {
  if (writer_->view_stopped) {
    view_on_ = false;
    samples_ = {};
    return;
  }
  modes_.look(world, *walk_, batch_->roster);
  if (samples_.empty()) {
    // room for the whole block at once, as far as it is known
    const auto planned = static_cast<std::size_t>(std::min(options_.view_seconds / tick_seconds_ + 1, static_cast<double>(kMaxBlockTicks - 1)));
    const std::size_t n = std::min(planned * std::max<std::size_t>(1, walk_->vehicles.size()), options_.view_buffer / kSampleBytes + walk_->vehicles.size());
    samples_.position.reserve(n * 3), samples_.velocity.reserve(n * 3), samples_.attitude.reserve(n * 4);
  }
  sample(world, walk_, samples_);
  const double ticks = static_cast<double>(samples_.walks.size() - 1);
  const bool full = samples_.bytes() >= options_.view_buffer || samples_.walks.size() >= kMaxBlockTicks - 1;
  if (samples_.walks.size() > 1 && (ticks * tick_seconds_ >= options_.view_seconds || full)) send_view(false);
}

void Recorder::send_view(bool last) {
  if (samples_.empty()) return;
  send_batch(false);  // whoever is seen is in the roster before
  auto done = std::make_unique<Samples>(std::move(samples_));
  samples_ = {};
  if (!last) samples_ = start_after(*done);
  Writer::Job job;
  job.bytes = done->bytes();
  job.view = std::move(done);
  writer_->push(std::move(job));
}

void Recorder::send_batch(bool commit) {
  batch_->commit = commit;
  if (commit) last_commit_ = Clock::now();
  if (batch_->empty()) {
    if (!commit) return;
  }
  auto next = std::make_unique<Batch>();
  next->first_tick = tick_ + 1;
  Writer::Job job;
  job.bytes = batch_->bytes();
  job.batch = std::exchange(batch_, std::move(next));
  writer_->push(std::move(job));
}

void Recorder::send_checkpoint(const World& world) {
  last_checkpoint_ = world.tick();
  Writer::Job job;
  job.checkpoint = world.snapshot();
  job.checkpoint_tick = world.tick();
  job.bytes = job.checkpoint->bytes();
  writer_->push(std::move(job));
}

void Recorder::end_here(World& world, const std::string& why) {
  writer_->notice("recording: " + why + "; the recording ends here, the run goes on");
  note(why);
  ended_ = true;
  world.keep_submitted(false);
}

// Asking for the time costs as much as stepping a vehicle: short ticks are not all looked at, but so many that a commit is
// at most a tenth late.
bool Recorder::commit_is_due() {
  if (tick_ < next_look_tick_) return false;
  const auto now = Clock::now();
  const double ticks = static_cast<double>(std::max<std::uint64_t>(1, tick_ - last_look_tick_));
  const double each = std::chrono::duration<double>(now - last_look_).count() / ticks;
  const double skip = each > 0 ? std::min(64.0, 0.1 * options_.commit_seconds / each) : 1.0;
  last_look_ = now;
  last_look_tick_ = tick_;
  next_look_tick_ = tick_ + static_cast<std::uint64_t>(std::max(1.0, skip));
  return std::chrono::duration<double>(now - last_commit_).count() >= options_.commit_seconds;
}

void Recorder::after_tick(World& world) {
  if (ended_ || closed_) return;
  if (writer_->stopped) {
    ended_ = true;
    samples_ = {};
    world.keep_submitted(false);
    return;
  }
  if (world.tick() != tick_ + 1) return end_here(world, fmt::format("tick {} came after tick {}", world.tick(), tick_));
  for (const Input& in : world.take_submitted()) add_input(batch_->inputs, tick_, in);
  std::vector<Plotted> plotted = view_on_ ? world.plotted() : std::vector<Plotted>();
  take_plots(plotted, tick_);  // of vehicles that were there already, and may be gone now
  tick_ = world.tick();
  batch_->hashes.push_back(world.hash());
  if (world.roster_version() != roster_version_) update_roster(world);
  take_plots(plotted, tick_ - 1);  // of those that came in this tick
  if (view_on_) sample_view(world);
  if (tick_ - last_checkpoint_ >= checkpoint_ticks_) {
    send_batch(false);
    send_checkpoint(world);
  }
  const bool large = batch_->hashes.size() >= kMaxBatchHashes ||
                     batch_->inputs.bytes.size() + batch_->roster.bytes.size() + batch_->plots.bytes() > kMaxListBytes;
  const bool due = commit_is_due();
  if (large || due) send_batch(due);
}

void Recorder::event(World&, const Event& event) {
  if (!ended_ && !closed_) batch_->events.push_back(event);
}
void Recorder::note(const std::string& what) { batch_->events.push_back({tick_, {}, "recorder", what}); }

void Recorder::restored(World& world) {
  if (ended_ || closed_) return;
  note(fmt::format("the run was set from {:.2f} s to {:.2f} s: another recording continues there", static_cast<double>(tick_) * tick_seconds_, world.time()));
  world.keep_submitted(false);
  if (const core::Status closed = close(); !closed) writer_->notice("recording: " + closed.error().text());
}

void Recorder::metric(std::uint64_t tick, const std::string& name, double value, const std::string& unit) {
  if (!ended_ && !closed_) batch_->metrics.push_back({tick, name, value, unit});
}
void Recorder::judge(std::string verdict, std::string reason) { verdict_ = std::move(verdict), reason_ = std::move(reason); }
void Recorder::flush() {
  if (!ended_ && !closed_) send_batch(true);
}

core::Status Recorder::close() {
  if (!closed_) {
    closed_ = true;
    if (view_on_ && !writer_->view_stopped) send_view(true);
    send_batch(true);
    Writer::Job last;
    last.close = true;
    last.verdict = verdict_, last.reason = reason_;
    writer_->push(std::move(last));
    writer_->finish();
  }
  if (writer_->complete && !ended_) return core::ok();
  return core::Error{.message = "holds only a part of the run", .file = path_};
}

std::vector<std::string> Recorder::take_notices() {
  std::unique_lock lock(writer_->mutex);
  return std::exchange(writer_->notices, {});
}

RecorderStats Recorder::stats() const {
  std::unique_lock lock(writer_->mutex);
  RecorderStats s = writer_->stats;
  s.blocked_seconds = writer_->blocked_seconds;
  s.view_on = view_on_ && !writer_->view_stopped;
  s.recording = recording();
  return s;
}

bool Recorder::recording() const { return !closed_ && !ended_ && !writer_->stopped; }

}  // namespace volary::replay
