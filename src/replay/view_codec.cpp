// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_codec.hpp"

#include <algorithm>

#include "replay/view_columns.hpp"
#include "replay/view_predict.hpp"
#include "replay/view_segment.hpp"

namespace volary::replay {

// ---------------------------------------------------------------- encoding

namespace {

constexpr double kFarthest = 1e9, kFastest = 1e6;
constexpr double kShortest2 = 1e-6, kLargest2 = 1e6;  // squared length of an attitude

// a sample that curves can pass through; comparisons with NaN are false
bool is_sound(const TrackIn& t, std::uint32_t k) {
  for (int i = 0; i < 3; ++i)
    if (!(math::abs(t.position[k][i]) <= kFarthest) || !(math::abs(t.velocity[k][i]) <= static_cast<float>(kFastest))) return false;
  double length2 = 0;
  for (int i = 0; i < 4; ++i) length2 += static_cast<double>(t.attitude[k][i]) * static_cast<double>(t.attitude[k][i]);
  return length2 >= kShortest2 && length2 <= kLargest2;
}

// calls run(first, count) for every stretch of sound samples
template <class Run> void for_each_stretch(const TrackIn& t, const Run& run) {
  std::uint32_t begin = 0;
  for (std::uint32_t k = 0; k <= t.count; ++k) {
    if (k < t.count && is_sound(t, k)) continue;
    if (k > begin) run(begin, k - begin);
    begin = k + 1;
  }
}

Quaternion unit_attitude(const float* a) {
  const Quaternion q{a[0], a[1], a[2], a[3]};
  return scaled(q, 1.0 / math::sqrt(dot(q, q)));
}

void load_samples(const TrackIn& t, std::uint32_t first, std::uint32_t count, TrackSamples& s) {
  s.count = count;
  s.position.resize(std::size_t{3} * count);
  s.velocity.resize(std::size_t{3} * count);
  s.attitude.resize(count);
  Quaternion before{1, 0, 0, 0};
  for (std::uint32_t k = 0; k < count; ++k) {
    for (int i = 0; i < 3; ++i) {
      s.position[3 * k + i] = t.position[first + k][i];
      s.velocity[3 * k + i] = static_cast<double>(t.velocity[first + k][i]);
    }
    Quaternion q = unit_attitude(t.attitude[first + k]);
    if (dot(q, before) < 0) q = scaled(q, -1);
    s.attitude[k] = before = q;
  }
}

struct BlockWriter {
  Columns columns = {};
  double tick = 0;
  Steps steps = {};
  std::uint32_t vehicle = 0, n_tracks = 0;
  std::uint64_t n_samples = 0;
  MotionKnot start_before{};

  void add(std::uint32_t new_vehicle, std::uint32_t first, std::uint32_t count, const TrackKnots& k) {
    put_signed(columns[Field::Vehicle], static_cast<std::int64_t>(new_vehicle) - static_cast<std::int64_t>(vehicle));
    put_unsigned(columns[Field::First], first);
    put_unsigned(columns[Field::Count], count);
    vehicle = new_vehicle;
    ++n_tracks;
    n_samples += count;
    add_motion(k);
    add_turns(k);
  }

  void add_motion(const TrackKnots& k) {
    for (int i = 0; i < 3; ++i) {
      put_signed(columns[Field::StartPosition], k.motion_start.p[i] - start_before.p[i]);
      put_signed(columns[Field::StartVelocity], k.motion_start.v[i] - start_before.v[i]);
    }
    start_before = k.motion_start;
    MotionPredictor predict{k.motion_start};
    for (const MotionStep& step : k.motion) {
      put_unsigned(columns[Field::MotionTicks], (std::uint64_t{step.ticks} << 1) | static_cast<std::uint64_t>(step.kind));
      for (int i = 0; i < 3; ++i) {
        put_signed(columns[velocity_field(i)], step.end.v[i] - predict.velocity(i, step.ticks));
        put_signed(columns[position_field(i)], step.end.p[i] - predict.position(i, step.end.v[i], step.ticks, tick, steps));
      }
      predict.advance(step.end, step.ticks);
    }
  }

  void add_turns(const TrackKnots& k) {
    for (int i = 0; i < 3; ++i) put_signed(columns[Field::StartTurn], k.turn_start[i]);
    TurnPredictor predict;
    for (const TurnStep& step : k.turns) {
      put_unsigned(columns[Field::TurnTicks], step.ticks);
      for (int i = 0; i < 3; ++i) put_signed(columns[turn_field(i)], step.turn[i] - predict.turn(i, step.ticks));
      predict.advance(step.turn, step.ticks);
    }
  }
};

}  // namespace

core::Status check_bounds(const Bounds& bounds) {
  struct Row {
    const char* field;
    double value, smallest;
    const char* message;
  };
  const Row rows[] = {{"position", bounds.position, kSmallestBound, "the bound of a recording is between 1e-6 and 1e6 m"},
                      {"velocity", bounds.velocity, kSmallestBound, "the bound of a recording is between 1e-6 and 1e6 m/s"},
                      {"angle", bounds.angle, kSmallestAngle, "the bound of a recording is between 1e-5 and 1e6 rad"}};
  for (const Row& r : rows)
    if (!(r.value >= r.smallest && r.value <= kLargestBound))
      return core::Error{.message = r.message, .field = r.field, .suggestion = "0.05 m, 0.1 m/s and 0.5 degrees are usual"};
  return core::ok();
}

std::vector<std::byte> encode_view_tuned(std::span<const TrackIn> tracks, double tick_seconds, const Bounds& bounds, const Tuning& tuning) {
  core::require(static_cast<bool>(check_bounds(bounds)), "the bounds of a recording");
  core::require(tick_seconds >= kSmallestTick && tick_seconds <= kLargestTick, "the tick of a recording");
  const Steps steps = steps_for(bounds, tuning);
  const Limits limits = limits_of(bounds);
  BlockWriter writer{{}, tick_seconds, steps};
  TrackSamples samples;
  TrackKnots knots;
  for (const TrackIn& t : tracks) {
    core::require(t.first <= kMaxBlockTicks && t.count <= kMaxBlockTicks - t.first, "ticks of a track in a block");
    for_each_stretch(t, [&](std::uint32_t first, std::uint32_t count) {
      load_samples(t, first, count, samples);
      find_knots(samples, tick_seconds, steps, limits, tuning, knots);
      writer.add(t.vehicle, t.first + first, count, knots);
    });
  }
  core::require(writer.n_tracks <= kMaxBlockTracks && writer.n_samples <= kMaxBlockSamples, "tracks and samples in a block of a recording");
  return pack_columns({tick_seconds, bounds, steps, writer.n_tracks}, writer.columns, tuning.level);
}

std::vector<std::byte> encode_view(std::span<const TrackIn> tracks, double tick_seconds, const Bounds& bounds) {
  return encode_view_tuned(tracks, tick_seconds, bounds, {});
}

// ---------------------------------------------------------------- decoding

namespace {

struct MotionEntry {
  MotionKnot knot;
  std::uint32_t tick = 0;                     // of the track
  MotionKind kind = MotionKind::Hermite;      // of the piece that ends here
};
struct TurnEntry {
  Quaternion knot;
  std::uint32_t tick = 0;
};
struct Track {
  std::uint32_t vehicle = 0, first = 0, count = 0;
  std::size_t motion = 0, turns = 0;            // where its entries begin
  std::size_t motion_end = 0, turns_end = 0;
};

core::Error fault(const char* message) { return {.message = message, .field = "view block", .suggestion = "the recording is damaged here"}; }

bool in_range(std::int64_t x) { return x >= -static_cast<std::int64_t>(kLargestInteger) && x <= static_cast<std::int64_t>(kLargestInteger); }

// a + b without leaving the range: the fault is remembered
struct Sum {
  bool sound = true;
  std::int64_t operator()(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    if (__builtin_add_overflow(a, b, &c) || !in_range(c)) return sound = false, 0;
    return c;
  }
};

}  // namespace

struct ViewBlock::Knots {
  BlockHead head;
  std::vector<Track> tracks;
  std::vector<MotionEntry> motion;
  std::vector<TurnEntry> turns;
  std::uint64_t n_samples = 0;

  core::Status read(ColumnReaders& in);
  core::Status read_motion(ColumnReaders& in, Track& t, MotionKnot& start);
  core::Status read_turns(ColumnReaders& in, Track& t);
};

core::Status ViewBlock::Knots::read_motion(ColumnReaders& in, Track& t, MotionKnot& start) {
  Sum sum;
  MotionEntry e;
  for (int i = 0; i < 3; ++i) {
    start.p[i] = sum(start.p[i], in[Field::StartPosition].get_signed());
    start.v[i] = sum(start.v[i], in[Field::StartVelocity].get_signed());
  }
  e.knot = start;
  motion.push_back(e);
  MotionPredictor predict{start};
  while (e.tick + 1 < t.count) {
    const std::uint64_t word = in[Field::MotionTicks].get_unsigned(), ticks = word >> 1;
    if (ticks == 0 || ticks > t.count - 1 - e.tick) return fault("a piece of a path does not fit into its track");
    e.kind = static_cast<MotionKind>(word & 1);
    const auto n = static_cast<std::uint32_t>(ticks);
    for (int i = 0; i < 3; ++i) {
      e.knot.v[i] = sum(predict.velocity(i, n), in[velocity_field(i)].get_signed());
      e.knot.p[i] = sum(predict.position(i, e.knot.v[i], n, head.tick, head.steps), in[position_field(i)].get_signed());
    }
    if (!sum.sound) return fault("a knot is out of range");
    predict.advance(e.knot, n);
    e.tick += n;
    motion.push_back(e);
  }
  return sum.sound ? core::ok() : fault("a knot is out of range");
}

core::Status ViewBlock::Knots::read_turns(ColumnReaders& in, Track& t) {
  Sum sum;
  TurnEntry e;
  std::int64_t turn[3];
  for (std::int64_t& x : turn) x = sum(0, in[Field::StartTurn].get_signed());
  e.knot = turned({}, turn, head.steps);
  turns.push_back(e);
  TurnPredictor predict;
  while (e.tick + 1 < t.count) {
    const std::uint64_t ticks = in[Field::TurnTicks].get_unsigned();
    if (ticks == 0 || ticks > t.count - 1 - e.tick) return fault("a piece of an attitude does not fit into its track");
    const auto n = static_cast<std::uint32_t>(ticks);
    for (int i = 0; i < 3; ++i) turn[i] = sum(predict.turn(i, n), in[turn_field(i)].get_signed());
    if (!sum.sound) return fault("a knot is out of range");
    predict.advance(turn, n);
    e.knot = turned(e.knot, turn, head.steps);
    e.tick += n;
    turns.push_back(e);
  }
  return sum.sound ? core::ok() : fault("a knot is out of range");
}

core::Status ViewBlock::Knots::read(ColumnReaders& in) {
  // every track takes at least a byte of its column, every knot at least one of its own: what follows cannot outgrow the bytes
  if (head.n_tracks > in[Field::Count].left()) return fault("more tracks than bytes");
  tracks.reserve(head.n_tracks);
  motion.reserve(head.n_tracks + in[Field::MotionTicks].left());
  turns.reserve(head.n_tracks + in[Field::TurnTicks].left());
  Sum sum;
  std::int64_t vehicle = 0;
  MotionKnot start{};
  for (std::uint32_t i = 0; i < head.n_tracks; ++i) {
    Track t;
    vehicle = sum(vehicle, in[Field::Vehicle].get_signed());
    const std::uint64_t first = in[Field::First].get_unsigned(), count = in[Field::Count].get_unsigned();
    if (!sum.sound || vehicle < 0 || vehicle > 0xffffffffll) return fault("the index of a vehicle is out of range");
    if (count == 0 || first > kMaxBlockTicks || count > kMaxBlockTicks - first) return fault("the ticks of a track are out of range");
    t = {static_cast<std::uint32_t>(vehicle), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), motion.size(), turns.size(), 0, 0};
    if (core::Status s = read_motion(in, t, start); !s) return s;
    if (core::Status s = read_turns(in, t); !s) return s;
    t.motion_end = motion.size();
    t.turns_end = turns.size();
    n_samples += t.count;
    tracks.push_back(t);
    if (n_samples > kMaxBlockSamples) return fault("more samples than a block may hold");
    if (in.failed()) return fault("a column ends too early");
  }
  return in.finished() ? core::ok() : fault("a column is longer than its knots");
}

core::Result<ViewBlock> ViewBlock::decode(std::span<const std::byte> payload) {
  std::vector<std::uint8_t> bytes;
  auto knots = std::make_shared<Knots>();
  ColumnReaders in;
  if (core::Status s = unpack_columns(payload, bytes, knots->head, in); !s) return s.error();
  if (core::Status s = knots->read(in); !s) return s.error();
  return ViewBlock(std::move(knots));
}

std::size_t ViewBlock::n_tracks() const { return knots_->tracks.size(); }
std::uint32_t ViewBlock::vehicle(std::size_t track) const { return knots_->tracks[track].vehicle; }
std::uint32_t ViewBlock::first(std::size_t track) const { return knots_->tracks[track].first; }
std::uint32_t ViewBlock::count(std::size_t track) const { return knots_->tracks[track].count; }
double ViewBlock::tick_seconds() const { return knots_->head.tick; }
Bounds ViewBlock::bounds() const { return knots_->head.bounds; }
std::size_t ViewBlock::n_motion_knots() const { return knots_->motion.size(); }
std::size_t ViewBlock::n_turn_knots() const { return knots_->turns.size(); }
std::uint64_t ViewBlock::n_samples() const { return knots_->n_samples; }

namespace {

void put_attitude(const Float4& q, Pose& out) {
  for (int i = 0; i < 4; ++i) out.attitude[i] = q[i];
}

// the last entry of [begin, end) at or before a tick, but not the last of all unless it is alone
template <class Entry> const Entry* piece_at(const Entry* begin, const Entry* end, double tick) {
  const Entry* after = std::upper_bound(begin, end, tick, [](double t, const Entry& e) { return t < static_cast<double>(e.tick); });
  return std::max(begin, std::min(after, end - 1) - 1);
}

}  // namespace

bool ViewBlock::at(std::size_t track, double tick_in_block, Pose& out) const {
  const Knots& k = *knots_;
  const Track& t = k.tracks[track];
  const double tick = tick_in_block - static_cast<double>(t.first);
  if (!(tick >= 0 && tick <= static_cast<double>(t.count - 1))) return false;
  const MotionEntry* m = piece_at(&k.motion[t.motion], k.motion.data() + t.motion_end, tick);
  const MotionEntry& m1 = t.count > 1 ? m[1] : m[0];
  const std::uint32_t motion_ticks = std::max(1u, m1.tick - m->tick);
  motion_at(make_motion(m1.kind, m->knot, m1.knot, motion_ticks, k.head.tick, k.head.steps), tick - m->tick, out.position, out.velocity);
  const TurnEntry* a = piece_at(&k.turns[t.turns], k.turns.data() + t.turns_end, tick);
  const TurnEntry& a1 = t.count > 1 ? a[1] : a[0];
  const std::uint32_t turn_ticks = std::max(1u, a1.tick - a->tick);
  put_attitude(turn_at(make_turn(a->knot, a1.knot, turn_ticks), static_cast<float>(tick - a->tick)), out);
  return true;
}

void ViewBlock::every_tick(std::size_t track, Pose* out) const {
  const Knots& k = *knots_;
  const Track& t = k.tracks[track];
  if (t.count == 1) {
    at(track, static_cast<double>(t.first), out[0]);
    return;
  }
  // a knot belongs to the piece that begins there, as in at(); the last one to the last piece
  for (std::size_t i = t.motion; i + 1 < t.motion_end; ++i) {
    const MotionEntry &a = k.motion[i], &b = k.motion[i + 1];
    const MotionPiece m = make_motion(b.kind, a.knot, b.knot, b.tick - a.tick, k.head.tick, k.head.steps);
    const std::uint32_t n = b.tick - a.tick + (i + 2 == t.motion_end ? 1 : 0);
    for (std::uint32_t j = 0; j < n; ++j) motion_at(m, static_cast<double>(j), out[a.tick + j].position, out[a.tick + j].velocity);
  }
  for (std::size_t i = t.turns; i + 1 < t.turns_end; ++i) {
    const TurnEntry &a = k.turns[i], &b = k.turns[i + 1];
    const TurnPiece p = make_turn(a.knot, b.knot, b.tick - a.tick);
    const std::uint32_t n = b.tick - a.tick + (i + 2 == t.turns_end ? 1 : 0);
    for (std::uint32_t j = 0; j < n; ++j) put_attitude(turn_at(p, static_cast<float>(j)), out[a.tick + j]);
  }
}

}  // namespace volary::replay
