// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged files: never a crash, never silently wrong. Whatever a damaged recording tells is what was recorded, and what
// it no longer tells is listed.
#include <cstring>

#include "record_support_test.hpp"

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
