// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// NPZ, read byte by byte: arrays of every column as the world had it. record_npz_check.py reads it with NumPy.
#include <cmath>

#include "export_support_test.hpp"
#include "record_support_test.hpp"
#include "replay/exports.hpp"

namespace volary::replay {

namespace {

using Shape = std::vector<std::size_t>;

TEST(Npz, EveryArrayHoldsTheColumnOfTheWorldToTheBitAndNaNWhereAVehicleIsNotThere) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  record(f, folder.file("a.vrec"), 200, {}, fly_by_hand);
  const auto r = open_recording(folder.file("a.vrec"));
  const auto done = export_recording(*r, ExportKind::Npz, folder.file("a.npz"), {.columns = {"all"}});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().bytes, std::filesystem::file_size(folder.file("a.npz")));
  const auto arrays = read_npz(folder.file("a.npz"));
  const NpyArray &time = arrays.at("time"), &alive = arrays.at("inner/alive"), &ids = arrays.at("inner/vehicle");
  ASSERT_EQ(time.shape, Shape{201});
  const std::size_t n = ids.shape[0];
  ASSERT_EQ(alive.shape, (Shape{201, n}));
  EXPECT_EQ(arrays.at("inner/position").shape, (Shape{201, n, 3}));
  EXPECT_EQ(arrays.at("inner/position").descr, "'<f8'");
  EXPECT_EQ(arrays.at("inner/rotor_speed").descr, "'<f4'");
  EXPECT_EQ(arrays.at("inner/status").descr, "'<u4'");
  EXPECT_EQ(arrays.at("inner/mode").shape, (Shape{201, n}));

  Flown g = load_flown("default");
  World& w = *g.world;
  std::size_t compared = 0, absent = 0;
  for (std::size_t tick = 0; tick <= 200; ++tick) {
    ASSERT_EQ(time.at<double>(tick), w.time());
    for (std::size_t k = 0; k < n; ++k) {
      const VehicleId id = w.find(std::to_string(ids.at<std::uint64_t>(k)));
      const std::size_t at = tick * n + k;
      ASSERT_EQ(alive.at<std::uint8_t>(at), id ? 1 : 0);
      for (const ColumnDoc& c : w.columns("inner")) {
        const NpyArray& array = arrays.at("inner/" + c.name);
        const View v = w.view("inner", c.name);
        const bool is_position = c.components == 6 && c.frame == "W";
        const std::size_t parts = is_position ? 3 : static_cast<std::size_t>(c.components);
        for (std::size_t part = 0; part < parts; ++part) {
          if (!id) {
            if (array.descr == "'<f8'") ASSERT_TRUE(std::isnan(array.at<double>(at * parts + part)));
            if (array.descr == "'<f4'") ASSERT_TRUE(std::isnan(array.at<float>(at * parts + part)));
            ++absent;
          } else if (is_position) {
            ASSERT_EQ(array.at<double>(at * parts + part), v.at(w.slot_of(id), part) + v.at(w.slot_of(id), part + 3));
          } else {
            const std::string bits = element(v, w.slot_of(id), part);
            ASSERT_EQ(array.data.substr((at * parts + part) * bits.size(), bits.size()), bits) << c.name << " at tick " << tick;
            ++compared;
          }
        }
      }
    }
    if (tick == 200) break;
    fly_by_hand(w);
    w.step(1);
  }
  EXPECT_GT(compared, 200u * 12u * 40u);
  EXPECT_GT(absent, 0u) << "the test spawns and removes";
}

TEST(Npz, TablesOfColumnsMessagesTasksAndEventsAreRecords) {
  core::ScratchFolder folder;
  Flown f = load_flown("formation_leader");
  record(f, folder.file("a.vrec"), 300);
  const auto r = open_recording(folder.file("a.vrec"));
  const auto done = export_recording(*r, ExportKind::Npz, folder.file("a.npz"), {.rate = 10});
  ASSERT_TRUE(done) << done.error().text();
  ASSERT_TRUE(export_recording(*r, ExportKind::Csv, folder.file("a.csv"), {.rate = 10}));
  const CsvTable csv = read_csv(folder.file("a.messages.csv"));
  const auto arrays = read_npz(folder.file("a.npz"));
  const NpyArray &messages = arrays.at("messages"), &topics = arrays.at("message_topics"), &outcomes = arrays.at("message_outcomes");
  ASSERT_EQ(messages.shape, Shape{csv.rows.size()});
  ASSERT_EQ(done.value().messages, csv.rows.size());
  ASSERT_GT(csv.rows.size(), 100u);
  constexpr std::size_t kRow = 8 + 8 + 8 + 8 + 2 + 2 + 1 + 8;
  ASSERT_EQ(messages.data.size(), csv.rows.size() * kRow);
  const auto width = [](const NpyArray& texts) { return texts.data.size() / 4 / texts.shape[0]; };
  for (std::size_t k = 0; k < csv.rows.size(); ++k) {
    const auto field = [&](auto x, std::size_t offset) {
      std::memcpy(&x, messages.data.data() + k * kRow + offset, sizeof x);
      return x;
    };
    ASSERT_EQ(field(double{}, 0), csv.number(k, "time"));
    ASSERT_EQ(field(double{}, 8), csv.number(k, "sent"));
    ASSERT_EQ(std::to_string(field(std::uint64_t{}, 16)), csv.cell(k, "sender"));
    ASSERT_EQ(topics.text(field(std::uint16_t{}, 32), width(topics)), csv.cell(k, "topic"));
    ASSERT_EQ(outcomes.text(field(std::uint16_t{}, 34), width(outcomes)), csv.cell(k, "outcome"));
    ASSERT_EQ(field(std::uint8_t{}, 36) != 0, csv.cell(k, "delivered") == "yes");
    ASSERT_EQ(field(double{}, 37), csv.number(k, "sinr"));
  }
  EXPECT_NE(arrays.at("columns").descr.find("('error', '<f8')"), std::string::npos) << arrays.at("columns").descr;
  EXPECT_EQ(arrays.at("tasks").shape[0], done.value().tasks);
  EXPECT_TRUE(arrays.contains("about") && arrays.contains("mode_names"));
}

}  // namespace

}  // namespace volary::replay
