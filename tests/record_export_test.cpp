// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exports say what the recording says. They are also read with the readers that others use: record_formats.test.mjs, record_mcap_check.py.
#include <sstream>

#include "record_support_test.hpp"
#include "replay/exports.hpp"
#include "replay/summary.hpp"

namespace volary::replay {

namespace {

struct Exports : ::testing::Test {
  core::ScratchFolder folder;
  std::unique_ptr<Recording> r;

  void SetUp() override {
    Flown f = load_flown("default");
    record(f, folder.file("a.vrec"), 200, {}, fly_by_hand);
    r = open_recording(folder.file("a.vrec"));
    ASSERT_NE(r, nullptr);
  }
  static std::vector<std::string> lines(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::string> list;
    for (std::string line; std::getline(in, line);) list.push_back(line);
    return list;
  }
};

TEST_F(Exports, ATableHasUnitsAndFramesAndARowPerVehicleAndMoment) {
  const auto done = export_csv(*r, folder.file("a.csv"), {});
  ASSERT_TRUE(done) << done.error().text();
  const auto rows = lines(folder.file("a.csv"));
  EXPECT_NE(rows[0].find("east [m ENU]"), std::string::npos);
  EXPECT_NE(rows[0].find("velocity_up [m/s ENU]"), std::string::npos);
  EXPECT_EQ(rows.size(), done.value().samples + 1);
  EXPECT_EQ(done.value().missing, 0u);
  const auto frame = r->at(1.0);
  std::size_t at_one = 0;
  for (const std::string& row : rows) at_one += row.starts_with("1,") ? 1 : 0;
  EXPECT_EQ(at_one, frame.value().vehicles.size());
  EXPECT_FALSE(export_csv(*r, folder.file("a.csv"), {})) << "nothing is overwritten";
}

TEST_F(Exports, ATrajectoryFilePerVehicleHoldsItsPoses) {
  const auto done = export_tum(*r, folder.file("tum"), {.rate = 50});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().files, r->roster().size());
  const auto rows = lines(folder.file("tum/0-inner_0_.tum"));
  ASSERT_EQ(rows.size(), 101u);
  for (std::size_t k = 0; k < rows.size(); k += 10) {
    std::istringstream in(rows[k]);
    double t = 0, p[3], q[4];
    in >> t >> p[0] >> p[1] >> p[2] >> q[0] >> q[1] >> q[2] >> q[3];
    ASSERT_FALSE(in.fail());
    const Frame frame = r->at(t).value();
    const VehicleAt& v = frame.vehicles[0];
    EXPECT_NEAR(p[2], v.pose.position[2], 1e-6);
    EXPECT_NEAR(q[3], v.pose.attitude[0], 1e-6) << "w comes last";
  }
}

TEST_F(Exports, AnMcapFileBeginsAndEndsWithItsMagicAndHasASummary) {
  const auto done = export_mcap(*r, folder.file("a.mcap"), {.rate = 20});
  ASSERT_TRUE(done) << done.error().text();
  std::ifstream in(folder.file("a.mcap"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(bytes.size(), done.value().bytes);
  const std::string magic("\x89MCAP0\r\n", 8);
  EXPECT_TRUE(bytes.starts_with(magic));
  EXPECT_TRUE(bytes.ends_with(magic));
  EXPECT_EQ(bytes[bytes.size() - 37], 2) << "the footer";
  for (const char* schema : {"foxglove.FrameTransforms", "foxglove.SceneUpdate", "foxglove.Log"}) EXPECT_NE(bytes.find(schema), std::string::npos);
}

TEST_F(Exports, ARecordingWithoutAViewSaysSo) {
  Flown f = load_flown("default");
  RecorderOptions options;
  options.view = false;
  record(f, folder.file("b.vrec"), 20, options);
  const auto bare = open_recording(folder.file("b.vrec"));
  for (const auto& done :
       {export_csv(*bare, folder.file("b.csv"), {}), export_tum(*bare, folder.file("b"), {}), export_mcap(*bare, folder.file("b.mcap"), {})}) {
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("no trajectories to export"), std::string::npos);
  }
  const auto frame = bare->at(0.1);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame.value().missing.size(), 61u);
}

TEST_F(Exports, ASummaryHasTheFiguresOfTheRun) {
  const auto s = summarise(folder.file("a.vrec"));
  ASSERT_TRUE(s);
  EXPECT_EQ(s.value().id, "a");
  EXPECT_EQ(s.value().scenario, "default swarm");
  EXPECT_EQ(s.value().ticks, 200u);
  EXPECT_EQ(s.value().vehicles, 61u);
  EXPECT_EQ(s.value().state, "finished");
  EXPECT_EQ(s.value().hash.size(), 16u);
  EXPECT_EQ(s.value().bytes, std::filesystem::file_size(folder.file("a.vrec")));
}

}  // namespace

}  // namespace volary::replay
