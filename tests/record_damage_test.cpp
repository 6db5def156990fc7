// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged files: never a crash, never silently wrong. Whatever a damaged recording tells is what was recorded, and what
// it no longer tells is listed.
#include <cstring>

#include <sys/wait.h>

#include "record_support_test.hpp"
#include "replay/modes.hpp"

namespace volary::replay {

namespace {

using Bytes = std::vector<char>;

Bytes read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}
void write_bytes(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// one of many ways to spoil a file; returns what was done
std::string spoil(Bytes& b, std::mt19937& random) {
  const std::size_t at = random() % b.size(), n = 1 + random() % std::min<std::size_t>(4000, b.size() - at);
  const auto from = b.begin() + static_cast<std::ptrdiff_t>(at), to = from + static_cast<std::ptrdiff_t>(n);
  switch (random() % 8) {
    case 0: b[at] = static_cast<char>(b[at] ^ (1 << random() % 8)); return "bit at " + std::to_string(at);
    case 1: std::fill(from, to, '\0'); return "zeros";
    case 2:
      for (auto p = from; p != to; ++p) *p = static_cast<char>(random());
      return "noise";
    case 3: b.erase(from, to); return "cut out";
    case 4: b.insert(from, n, static_cast<char>(random())); return "inserted";
    case 5: b.resize(at); return "truncated";
    case 6: {
      const Bytes copy(from, to);
      b.insert(b.begin() + static_cast<std::ptrdiff_t>(random() % b.size()), copy.begin(), copy.end());
      return "copied";
    }
    default:
      for (int k = 0; k < 20; ++k) b[random() % b.size()] = static_cast<char>(random());
      return "twenty bytes";
  }
}

bool same_pose(const Pose& a, const Pose& b) {
  return std::memcmp(a.position, b.position, sizeof(a.position)) == 0 && std::memcmp(a.velocity, b.velocity, sizeof(a.velocity)) == 0 &&
         std::memcmp(a.attitude, b.attitude, sizeof(a.attitude)) == 0;
}

// everything the damaged file says is true; returns how much it no longer says
std::size_t expect_true(const Recording& r, const Recording& whole) {
  std::size_t lost = 0;
  EXPECT_LE(r.last_tick(), whole.last_tick());
  for (std::uint64_t t = 0; t <= whole.last_tick(); ++t) {
    const auto h = r.hash(t);
    if (h)
      EXPECT_EQ(h, whole.hash(t)) << t;
    else
      ++lost;
  }
  for (std::size_t k = 0; k < r.roster().size(); ++k) {
    const RosterEntry &e = r.roster()[k], &o = whole.roster()[k];
    if (e.id == 0) {
      ++lost;
      continue;
    }
    EXPECT_EQ(e.id, o.id);
    EXPECT_EQ(e.name, o.name);
    EXPECT_EQ(e.spawn_tick, o.spawn_tick);
  }
  lost += whole.roster().size() - r.roster().size();
  for (const Event& e : r.events()) {
    const auto same = [&](const Event& o) { return o.tick == e.tick && o.what == e.what && o.name == e.name && o.vehicle == e.vehicle; };
    EXPECT_TRUE(std::any_of(whole.events().begin(), whole.events().end(), same)) << e.what;
  }
  lost += whole.events().size() - r.events().size() + whole.inputs().size() - r.inputs().size();
  for (std::uint64_t t = 0; t <= r.last_tick(); t += 37) {
    const auto frame = r.at(r.seconds(t)), full = whole.at(r.seconds(t));
    EXPECT_TRUE(frame && full);
    if (!frame || !full) continue;
    for (const VehicleAt& v : frame.value().vehicles) {
      const auto& list = full.value().vehicles;
      const auto o = std::find_if(list.begin(), list.end(), [&](const VehicleAt& x) { return x.vehicle == v.vehicle; });
      EXPECT_TRUE(o != list.end() && same_pose(o->pose, v.pose));
      if (o != list.end()) EXPECT_TRUE(v.mode == o->mode || v.mode == kUnknownMode) << "vehicle " << v.vehicle << " at tick " << t;
    }
    lost += full.value().vehicles.size() - frame.value().vehicles.size();
  }
  lost += whole.checkpoint_ticks().size() - r.checkpoint_ticks().size();
  return lost;
}

TEST(RecordDamage, ASpoiltFileNeverCrashesAndNeverLies) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.commit_seconds = 0;  // a batch every tick
  options.checkpoint_seconds = 1;
  options.view_seconds = 0.7;
  record(f, folder.file("whole.vrec"), 400, options, fly_by_hand);
  const auto whole = open_recording(folder.file("whole.vrec"));
  ASSERT_GT(whole->scan().blocks.size(), 100u);
  const Bytes bytes = read_bytes(folder.file("whole.vrec"));
  std::mt19937 random(99);
  const int n = is_long() ? 200 : 50;
  int opened = 0, unharmed = 0;
  for (int k = 0; k < n; ++k) {
    Bytes spoilt = bytes;
    const std::string how = spoil(spoilt, random);
    SCOPED_TRACE(std::to_string(k) + ": " + how);
    write_bytes(folder.file("spoilt.vrec"), spoilt);
    const auto r = Recording::open(folder.file("spoilt.vrec"));
    if (!r) continue;
    ++opened;
    const std::size_t lost = expect_true(*r.value(), *whole);
    if (lost > 0) {
      EXPECT_FALSE(r.value()->problems().empty());
    }
    if (spoilt == bytes) ++unharmed;
    const auto v = verify(*r.value(), {});
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_FALSE(v.value().difference) << "what is left must still replay: tick " << *v.value().difference;
    if (HasFailure()) break;
  }
  EXPECT_GT(opened, n * 3 / 4);
  std::printf("%d corruptions, %d files opened, %d by chance unharmed\n", n, opened, unharmed);
}

TEST(RecordDamage, DamageInTheMiddleIsReportedWithItsTicksAndSkipped) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.commit_seconds = 0;  // a batch every tick
  options.checkpoint_seconds = 1;
  record(f, folder.file("a.vrec"), 400, options);
  Bytes bytes = read_bytes(folder.file("a.vrec"));
  std::uint64_t first = 0, last = 0, number = 0;
  {
    const auto whole = open_recording(folder.file("a.vrec"));
    const auto& blocks = whole->scan().blocks;
    const auto hit =
        std::find_if(blocks.begin(), blocks.end(), [](const BlockAt& b) { return b.header.type == BlockType::Hashes && b.header.first_tick > 150; });
    first = hit->header.first_tick, last = hit->header.last_tick, number = hit->header.sequence;
    bytes[hit->offset + kHeaderBytes + 35] ^= 1;
  }
  write_bytes(folder.file("b.vrec"), bytes);
  const auto r = open_recording(folder.file("b.vrec"));
  EXPECT_TRUE(r->damaged());
  ASSERT_EQ(r->scan().damage.size(), 1u);
  const Damage& d = r->scan().damage[0];
  EXPECT_EQ(d.first_sequence, number);
  EXPECT_EQ(d.blocks, 1u);
  EXPECT_EQ(d.first_tick, first);
  EXPECT_EQ(d.last_tick, last);
  EXPECT_EQ(d.what, "hashes");
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  EXPECT_EQ(v.value().skipped, last - first + 1);
  EXPECT_EQ(v.value().compared, 401 - v.value().skipped);
}

TEST(RecordDamage, LostInputsAreNotMistakenForADifference) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.commit_seconds = 0;  // a batch every tick
  options.checkpoint_seconds = 0.5;
  record(f, folder.file("a.vrec"), 400, options, fly_by_hand);
  Bytes bytes = read_bytes(folder.file("a.vrec"));
  {
    const auto whole = open_recording(folder.file("a.vrec"));
    for (const BlockAt& b : whole->scan().blocks)
      if (b.header.type == BlockType::Inputs && b.header.first_tick > 70 && b.header.first_tick < 90) bytes[b.offset + kHeaderBytes + 20] ^= 0x10;
  }
  write_bytes(folder.file("b.vrec"), bytes);
  const auto r = open_recording(folder.file("b.vrec"));
  EXPECT_EQ(r->known_inputs().size(), 2u);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_FALSE(v.value().difference);
  EXPECT_GT(v.value().compared, 330u);
  EXPECT_GT(v.value().skipped, 0u);
  EXPECT_FALSE(v.value().exact());
}

// flight modes of everybody at every tick, by roster index
std::vector<std::vector<int>> modes_of(const Recording& r, std::uint64_t ticks, std::size_t vehicles) {
  std::vector<std::vector<int>> all;
  for (std::uint64_t t = 0; t <= ticks; ++t) {
    all.emplace_back(vehicles, static_cast<int>(kUnknownMode));
    for (std::size_t v = 0; v < std::min(vehicles, r.roster().size()); ++v)
      all.back()[v] = mode_at(r.roster()[v], static_cast<double>(t), r.modes_unknown_from());
  }
  return all;
}

struct Whole {
  Bytes bytes;
  std::vector<BlockAt> blocks;
  std::uint64_t ticks = 0;
  std::vector<std::vector<int>> modes;
};

// what is told of a spoilt file: every tick was compared or is named, and no mode is another than the one that was flown
void expect_told(const Whole& whole, const Bytes& spoilt, const std::string& path, BlockType type, bool closed, const std::string& how) {
  SCOPED_TRACE(how + " of " + name_of(type));
  write_bytes(path, spoilt);
  const auto r = open_recording(path);
  ASSERT_NE(r, nullptr);
  EXPECT_FALSE(r->problems().empty());
  const auto told = modes_of(*r, whole.ticks, whole.modes[0].size());
  std::size_t unknown = 0;
  for (std::size_t t = 0; t < told.size(); ++t)
    for (std::size_t v = 0; v < told[t].size(); ++v) {
      const bool lost = told[t][v] == kUnknownMode && whole.modes[t][v] != kUnknownMode;
      unknown += lost ? 1 : 0;
      ASSERT_TRUE(lost || told[t][v] == whole.modes[t][v]) << "vehicle " << v << " at tick " << t << ": " << told[t][v] << ", not " << whole.modes[t][v];
    }
  if (type == BlockType::Roster) {
    EXPECT_GT(unknown, 0u);
  } else {
    EXPECT_EQ(unknown, 0u);
  }

  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_FALSE(v.value().difference);
  std::uint64_t named = 0;
  for (const TickRange& t : v.value().not_compared) named += t.last - t.first + 1;
  EXPECT_EQ(v.value().skipped, named);
  if (v.value().exact() || !v.value().end_lost) {
    EXPECT_EQ(v.value().compared + named, whole.ticks + 1) << "every tick is compared or named";
  }
  // hashes and inputs are the truth; the end block, once its header is gone, may have been one of them
  const bool truth = type == BlockType::Hashes || type == BlockType::Inputs;
  if (truth) {
    EXPECT_FALSE(v.value().exact());
  } else if (closed && type != BlockType::End) {
    EXPECT_TRUE(v.value().exact());
  }
}

void spoil_every_block(const Whole& whole, const std::string& path, bool closed) {
  std::mt19937 random(7);
  for (std::size_t k = 0; k < whole.blocks.size(); ++k) {
    const BlockAt& b = whole.blocks[k];
    const std::size_t size = kHeaderBytes + b.header.stored;
    const auto flip = [&](std::size_t from, std::size_t n) {
      Bytes spoilt = whole.bytes;
      spoilt[b.offset + from + random() % n] ^= static_cast<char>(1 << random() % 8);
      return spoilt;
    };
    expect_told(whole, flip(0, kHeaderBytes), path, b.header.type, closed, "a flipped bit in the header");
    if (b.header.stored > 0) expect_told(whole, flip(kHeaderBytes, b.header.stored), path, b.header.type, closed, "a flipped bit in the payload");
    // a file without its last blocks is one of a run that was killed
    if (k + 1 == whole.blocks.size() && !(closed && b.header.type == BlockType::End)) continue;
    Bytes dropped = whole.bytes;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(b.offset), dropped.begin() + static_cast<std::ptrdiff_t>(b.offset + size));
    expect_told(whole, dropped, path, b.header.type, closed, "the loss");
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RecordDamage, WhateverBlockIsLostEveryTickIsComparedOrNamedAndNoModeIsWrong) {
  core::ScratchFolder folder;
  Flown f = load_flown("landing");
  RecorderOptions options;
  options.commit_seconds = 1000;
  options.checkpoint_seconds = 2;
  options.view_seconds = 1.5;  // a batch is written before each view and each checkpoint
  const std::uint64_t ticks = 1000;
  record(f, folder.file("whole.vrec"), ticks, options, [](World& w) {
    if (w.tick() % 100 != 50) return;
    Input in;
    in.tick = w.tick();
    in.source = 7;
    in.target = w.vehicles()[0];
    in.payload = SetWrench{{0.01, 0, 0}, {0, 0, 0}};
    w.submit(in);
  });
  Whole whole;
  whole.ticks = ticks;
  whole.bytes = read_bytes(folder.file("whole.vrec"));
  {
    const auto r = open_recording(folder.file("whole.vrec"));
    ASSERT_TRUE(r->problems().empty());
    whole.blocks = r->scan().blocks;
    whole.modes = modes_of(*r, ticks, r->roster().size());
  }
  std::size_t rosters = 0;
  for (const BlockAt& b : whole.blocks) rosters += b.header.type == BlockType::Roster ? 1 : 0;
  ASSERT_GE(rosters, 3u) << "modes change over several blocks";
  spoil_every_block(whole, folder.file("spoilt.vrec"), true);

  // the same of a run that was killed: no index, no end
  while (whole.blocks.back().header.type != BlockType::Hashes) whole.blocks.pop_back();
  whole.bytes.resize(whole.blocks.back().offset + kHeaderBytes + whole.blocks.back().header.stored);
  spoil_every_block(whole, folder.file("spoilt.vrec"), false);
}

TEST(RecordDamage, ARecordingThatLostItsEndIsNotVerified) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.checkpoint_seconds = 0.5;
  record(f, folder.file("a.vrec"), 120, options);
  Bytes bytes = read_bytes(folder.file("a.vrec"));
  std::uint64_t first = 0;
  {
    const auto whole = open_recording(folder.file("a.vrec"));
    for (const BlockAt& b : whole->scan().blocks)
      if (b.header.type == BlockType::Hashes && b.header.last_tick == 120) first = b.header.first_tick, bytes[b.offset + kHeaderBytes + 40] ^= 4;
  }
  ASSERT_GT(first, 0u);
  write_bytes(folder.file("b.vrec"), bytes);
  const auto r = open_recording(folder.file("b.vrec"));
  EXPECT_EQ(r->end_tick(), 120u);
  EXPECT_LT(r->last_tick(), first);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  ASSERT_EQ(v.value().not_compared.size(), 1u);
  EXPECT_EQ(v.value().not_compared[0].first, first);
  EXPECT_EQ(v.value().not_compared[0].last, 120u);
  EXPECT_FALSE(v.value().exact());

  const std::string command = std::string(VOLARY_PROGRAM) + " replay " + folder.file("b.vrec") + " --verify > " + folder.file("said") + " 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1);
  const Bytes said = read_bytes(folder.file("said"));
  EXPECT_NE(std::string(said.begin(), said.end()).find("not compared: ticks " + std::to_string(first) + " to 120"), std::string::npos)
      << std::string(said.begin(), said.end());
}

TEST(RecordDamage, WhatIsNoRecordingIsRefusedInOneSentence) {
  core::ScratchFolder folder;
  write_bytes(folder.file("empty.vrec"), {});
  write_bytes(folder.file("text.vrec"), Bytes(5000, 'x'));
  for (const char* name : {"empty.vrec", "text.vrec", "none.vrec"}) {
    const auto r = Recording::open(folder.file(name));
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().text().find(name), std::string::npos);
  }
  EXPECT_FALSE(Recording::open(folder.file("")));
}

}  // namespace

}  // namespace volary::replay
