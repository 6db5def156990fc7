// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exports hold what the world held, to the bit, or say within which bounds. They are also read with the readers that others use:
// record_formats.test.mjs, record_mcap_check.py, record_npz_check.py.
#include <cmath>
#include <sstream>

#include "export_support_test.hpp"
#include "record_support_test.hpp"
#include "replay/exports.hpp"
#include "replay/modes.hpp"
#include "replay/summary.hpp"

namespace volary::replay {

namespace {

// flies a scenario again tick by tick, as a recording of the test did, and shows the world from tick 0 on
void fly_beside(const std::string& name, std::uint64_t ticks, const std::function<void(World&)>& by_hand, const std::function<void(World&)>& look) {
  Flown f = load_flown(name);
  look(*f.world);
  for (std::uint64_t k = 0; k < ticks; ++k) {
    if (by_hand) by_hand(*f.world);
    f.world->step(1);
    look(*f.world);
  }
}

struct Exports : ::testing::Test {
  core::ScratchFolder folder;
  std::unique_ptr<Recording> r;

  void SetUp() override {
    Flown f = load_flown("default");
    record(f, folder.file("a.vrec"), 200, {}, fly_by_hand);
    r = open_recording(folder.file("a.vrec"));
    ASSERT_NE(r, nullptr);
  }
  Exported made(ExportKind kind, const std::string& name, const ExportOptions& options) {
    const auto done = export_recording(*r, kind, folder.file(name), options);
    EXPECT_TRUE(done) << done.error().text();
    return done ? done.value() : Exported{};
  }
};

TEST_F(Exports, EveryColumnOfATableIsThatOfTheWorldToTheBit) {
  const Exported done = made(ExportKind::Csv, "a.csv", {.columns = {"all", "position.parts", "setpoint.position.parts"}});
  const CsvTable table = read_csv(folder.file("a.csv"));
  ASSERT_EQ(table.rows.size(), done.samples);
  std::size_t row = 0, compared = 0;
  fly_beside("default", 200, fly_by_hand, [&](World& w) {
    for (const std::string& flock : w.flocks())
      for (const VehicleId id : w.vehicles(flock)) {
        ASSERT_LT(row, table.rows.size());
        ASSERT_EQ(table.cell(row, "tick"), std::to_string(w.tick()));
        ASSERT_EQ(table.number(row, "time"), w.time());
        ASSERT_EQ(table.cell(row, "vehicle"), std::to_string(id.number()));
        ASSERT_EQ(table.cell(row, "name"), w.name_of(id));
        ASSERT_EQ(table.cell(row, "mode"), mode_name(static_cast<std::uint8_t>(w.mode_of(id))));
        for (const ColumnDoc& c : w.columns(flock)) {
          const View v = w.view(flock, c.name);
          const bool is_position = c.components == 6 && c.frame == "W";
          static const std::vector<std::string> kAxes = {"x", "y", "z"}, kQuaternion = {"w", "x", "y", "z"},
                                                kParts = {"x", "y", "z", "remainder_x", "remainder_y", "remainder_z"};
          for (std::size_t part = 0; part < static_cast<std::size_t>(c.components); ++part) {
            const std::string of = is_position ? ".parts." + kParts[part] : c.frame == "WB" ? "." + kQuaternion[part] : c.components == 3 && c.frame != "-" ? "." + kAxes[part] : "." + std::to_string(part);
            const std::string name = c.components == 1 ? c.name : c.name + of;
            ASSERT_GE(table.find(name), 0) << name;
            ASSERT_EQ(bytes_as(v.dtype, table.cell(row, name)), element(v, w.slot_of(id), part)) << name << " of " << w.name_of(id) << " at tick " << w.tick();
            ++compared;
          }
        }
        for (const int k : {0, 1, 2}) ASSERT_EQ(table.number(row, std::string("position.") + "xyz"[k]), w.position_of(id)[static_cast<std::size_t>(k)]);
        ++row;
      }
  });
  EXPECT_EQ(row, table.rows.size());
  EXPECT_GT(compared, 200u * 61u * 40u);
}

TEST_F(Exports, TheHeaderOfATableHasUnitsFramesAndErrorBounds) {
  made(ExportKind::Csv, "a.csv", {.rate = 10});
  const CsvTable exact = read_csv(folder.file("a.csv"));
  for (const char* name : {"time [s]", "position.x [m, ENU, error 0]", "velocity.z [m/s, ENU, error 0]", "attitude.w [FLU to ENU, error 0]", "omega.y [rad/s, FLU, error 0]",
                           "rotor_speed.3 [rad/s, error 0]", "setpoint.position.z [m, ENU, error 0]", "wind.x [m/s, ENU, error 0]", "tracking_error [m, error 0]", "mode"})
    EXPECT_NE(std::find(exact.header.begin(), exact.header.end(), name), exact.header.end()) << name;
  made(ExportKind::Csv, "view.csv", {.rate = 10, .view = true});
  const CsvTable view = read_csv(folder.file("view.csv"));
  EXPECT_EQ(view.header[6], "position.x [m, ENU, error 0.05]");
  EXPECT_EQ(view.header[9], "velocity.x [m/s, ENU, error 0.1]");
  EXPECT_TRUE(view.header[12].starts_with("attitude.w [FLU to ENU, error 0.0043633")) << view.header[12];
  EXPECT_EQ(view.rows.size(), exact.rows.size());
  // the bounds hold
  for (std::size_t k = 0; k < view.rows.size(); ++k) {
    ASSERT_EQ(view.cell(k, "name"), exact.cell(k, "name"));
    ASSERT_NEAR(view.number(k, "position.x"), exact.number(k, "position.x"), 0.05);
    ASSERT_NEAR(view.number(k, "velocity.x"), exact.number(k, "velocity.x"), 0.1);
    ASSERT_NEAR(std::abs(view.number(k, "attitude.w")), std::abs(exact.number(k, "attitude.w")), 0.00437);
    ASSERT_EQ(view.cell(k, "mode"), exact.cell(k, "mode"));
  }
}

TEST(ExportedTrackingError, OfTheFastCircleIsTheReportedOne) {
  core::ScratchFolder folder;
  Flown f = load_flown("rpt_circle");
  double reported = 0;
  std::uint64_t samples = 0;
  const auto recorder = Recorder::open(folder.file("a.vrec"), *f.world, f.bundle, {});
  ASSERT_TRUE(recorder);
  while (f.world->tick() < planned_ticks(f.def)) {
    f.world->step(1);
    recorder.value()->after_tick(*f.world);
    if (f.world->time() < f.def.metrics_from) continue;
    reported = std::max(reported, f.world->tracking().max);
    samples += f.world->tracking().samples;
  }
  ASSERT_TRUE(recorder.value()->close());
  EXPECT_NEAR(reported, 0.0575, 5e-5);

  // the setpoint is that of the start of the tick: it moves on with its velocity and acceleration until the end, where the position is
  const auto error_in = [&](const CsvTable& t, std::size_t k) {
    double sum = 0;
    const double h = 0.01;
    for (const char* axis : {".x", ".y", ".z"}) {
      const double e = t.number(k, std::string("position") + axis) - t.number(k, std::string("setpoint.position") + axis) -
                       h * (t.number(k, std::string("setpoint.velocity") + axis) + 0.5 * h * t.number(k, std::string("setpoint.acceleration") + axis));
      sum += e * e;
    }
    return std::sqrt(sum);
  };
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_TRUE(export_recording(*r, ExportKind::Csv, folder.file("a.csv"), {}));
  const CsvTable exact = read_csv(folder.file("a.csv"));
  double exported = 0, column = 0;
  std::uint64_t counted = 0;
  for (std::size_t k = 0; k < exact.rows.size(); ++k) {
    if (exact.number(k, "time") < f.def.metrics_from || exact.cell(k, "mode") != "mission") continue;
    exported = std::max(exported, error_in(exact, k));
    column = std::max(column, exact.number(k, "tracking_error"));
    ++counted;
  }
  EXPECT_EQ(counted, samples);
  EXPECT_DOUBLE_EQ(exported, reported);
  EXPECT_EQ(column, reported);

  // the view is coarser than the effect
  ASSERT_TRUE(export_recording(*r, ExportKind::Csv, folder.file("view.csv"), {.view = true}));
  const CsvTable view = read_csv(folder.file("view.csv"));
  ASSERT_EQ(view.rows.size(), exact.rows.size());
  double coarse = 0;
  for (std::size_t k = 0; k < exact.rows.size(); ++k) {
    if (exact.number(k, "time") < f.def.metrics_from) continue;
    CsvTable mixed{exact.header, {exact.rows[k]}};
    for (const char* axis : {"position.x", "position.y", "position.z"}) mixed.rows[0][static_cast<std::size_t>(exact.find(axis))] = view.cell(k, axis);
    coarse = std::max(coarse, error_in(mixed, 0));
  }
  EXPECT_GT(coarse, reported + 0.002);
}

TEST(ExportedPlots, AreColumnsWithTheNumbersOfTheWorldAndEmptyBeforeTheFirst) {
  core::ScratchFolder folder;
  const std::string train = std::string(VOLARY_SOURCE_DIR) + "/examples/behaviours/train.yaml";
  Flown f = load_flown(train);
  record(f, folder.file("a.vrec"), 300);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  for (const std::vector<std::string>& columns : {std::vector<std::string>{}, {"all"}, {"plot.gap", "plot.speed"}}) {
    const std::string name = "a" + std::to_string(columns.size()) + (columns == std::vector<std::string>{"all"} ? "all" : "");
    const auto done = export_recording(*r, ExportKind::Csv, folder.file(name + ".csv"), {.columns = columns});
    ASSERT_TRUE(done) << done.error().text();
    const auto packed = export_recording(*r, ExportKind::Npz, folder.file(name + ".npz"), {.columns = columns});
    ASSERT_TRUE(packed) << packed.error().text();
    const CsvTable table = read_csv(folder.file(name + ".csv"));
    const auto arrays = read_npz(folder.file(name + ".npz"));
    ASSERT_GE(table.find("plot.gap"), 0);
    ASSERT_GE(table.find("plot.speed"), 0);
    std::size_t row = 0, numbers = 0, empty = 0;
    fly_beside(train, 300, {}, [&](World& w) {
      const std::optional<View> gap = w.find_view("train", "plot.gap");
      for (const VehicleId id : w.vehicles("train")) {
        const double wanted = gap ? gap->at(w.slot_of(id)) : std::nan("");
        const double packed_number = arrays.at("train/plot.gap").at<double>(row);
        if (std::isnan(wanted)) {
          ASSERT_EQ(table.cell(row, "plot.gap"), "");
          ASSERT_TRUE(std::isnan(packed_number));
          ++empty;
        } else {
          ASSERT_EQ(table.number(row, "plot.gap"), wanted);
          ASSERT_EQ(packed_number, wanted);
          ++numbers;
        }
        ++row;
      }
    });
    EXPECT_EQ(row, table.rows.size());
    EXPECT_GT(numbers, 800u);
    EXPECT_GT(empty, 300u) << "the first vehicle of the train has nobody ahead";
  }
  const auto wrong = export_recording(*r, ExportKind::Csv, folder.file("b.csv"), {.columns = {"plot.gpa"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("did you mean 'plot.gap'"), std::string::npos) << wrong.error().text();
}

TEST_F(Exports, ChosenColumnsAreThoseAndAMisspeltOneIsSuggested) {
  made(ExportKind::Csv, "a.csv", {.rate = 5, .columns = {"rotor_speed", "mode"}});
  const CsvTable table = read_csv(folder.file("a.csv"));
  EXPECT_EQ(std::vector<std::string>(table.header.begin() + 6, table.header.end()),
            (std::vector<std::string>{"rotor_speed.0 [rad/s, error 0]", "rotor_speed.1 [rad/s, error 0]", "rotor_speed.2 [rad/s, error 0]", "rotor_speed.3 [rad/s, error 0]", "mode"}));
  const auto wrong = export_recording(*r, ExportKind::Npz, folder.file("b.npz"), {.columns = {"rotor_sped"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("no flock has a column 'rotor_sped'"), std::string::npos) << wrong.error().text();
  EXPECT_NE(wrong.error().text().find("rotor_speed"), std::string::npos) << wrong.error().text();
  EXPECT_FALSE(std::filesystem::exists(folder.file("b.npz")));
  const auto coarse = export_recording(*r, ExportKind::Csv, folder.file("b.csv"), {.view = true, .columns = {"rotor_speed"}});
  ASSERT_FALSE(coarse);
  EXPECT_NE(coarse.error().text().find("leave out --view"), std::string::npos) << coarse.error().text();
}

TEST_F(Exports, ARateTakesTheNearestTicksOfAFlight) {
  made(ExportKind::Csv, "a.csv", {.rate = 30, .columns = {"position"}});
  const CsvTable table = read_csv(folder.file("a.csv"));
  std::vector<std::string> ticks;
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    if (ticks.empty() || ticks.back() != table.cell(k, "tick")) ticks.push_back(table.cell(k, "tick"));
  ASSERT_EQ(ticks.size(), 61u);
  EXPECT_EQ(std::vector<std::string>(ticks.begin(), ticks.begin() + 5), (std::vector<std::string>{"0", "3", "7", "10", "13"}));
  EXPECT_EQ(ticks.back(), "200");
}

TEST_F(Exports, EventsTasksAndMessagesAreTablesBesideIt) {
  Flown f = load_flown("formation_leader");
  std::uint64_t outcomes = 0, delivered = 0;
  std::vector<std::pair<std::string, std::string>> changes;  // task and state
  std::map<std::string, std::string> states;
  const auto note_tasks = [&](const World& w) {
    for (const TaskStanding& t : w.tasks())
      if (states[t.name] != t.state) states[t.name] = t.state, changes.emplace_back(t.name, t.state);
  };
  note_tasks(*f.world);
  record(f, folder.file("b.vrec"), 300, {}, [&](World& w) {
    if (w.tick() == 0) return;
    note_tasks(w);
    for (const MessageOutcome& h : w.message_outcomes()) ++outcomes, delivered += h.delivered ? 1 : 0;
  });
  note_tasks(*f.world);
  for (const MessageOutcome& h : f.world->message_outcomes()) ++outcomes, delivered += h.delivered ? 1 : 0;
  ASSERT_GT(delivered, 100u);
  ASSERT_FALSE(changes.empty());
  const auto b = open_recording(folder.file("b.vrec"));
  const auto done = export_recording(*b, ExportKind::Csv, folder.file("b.csv"), {.rate = 10});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().messages, outcomes);
  const CsvTable messages = read_csv(folder.file("b.messages.csv")), tasks = read_csv(folder.file("b.tasks.csv"));
  ASSERT_EQ(messages.rows.size(), outcomes);
  std::uint64_t arrived = 0;
  for (std::size_t k = 0; k < messages.rows.size(); ++k) {
    arrived += messages.cell(k, "delivered") == "yes" ? 1 : 0;
    ASSERT_LE(messages.number(k, "sent"), messages.number(k, "time"));
    ASSERT_FALSE(messages.cell(k, "sender_name").empty());
  }
  EXPECT_EQ(arrived, delivered);
  EXPECT_EQ(messages.cell(0, "topic"), "state");
  std::vector<std::pair<std::string, std::string>> exported;
  for (std::size_t k = 0; k < tasks.rows.size(); ++k) exported.emplace_back(tasks.cell(k, "task"), tasks.cell(k, "state"));
  EXPECT_EQ(exported, changes);
  // and those of the vehicles, of a run with a few
  made(ExportKind::Csv, "a.csv", {.rate = 10});
  ASSERT_FALSE(r->events().empty());
  const CsvTable events = read_csv(folder.file("a.events.csv"));
  ASSERT_EQ(events.rows.size(), r->events().size());
  for (std::size_t k = 0; k < events.rows.size(); ++k) EXPECT_EQ(events.cell(k, "event"), r->events()[k].what);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.tasks.csv")));
}

TEST_F(Exports, NothingIsOverwrittenAndNothingIsLeftOfAnExportThatFails) {
  std::ofstream(folder.file("a.events.csv")) << "mine";
  const auto done = export_recording(*r, ExportKind::Csv, folder.file("a.csv"), {});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("a.events.csv"), std::string::npos);
  EXPECT_EQ(bytes_of(folder.file("a.events.csv")), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.csv")));
  for (const ExportKind kind : {ExportKind::Csv, ExportKind::Npz, ExportKind::Mcap})
    EXPECT_FALSE(export_recording(*r, kind, folder.file("a.vrec"), {})) << "the recording itself";
}

TEST_F(Exports, ATrajectoryFilePerVehicleHoldsItsPoses) {
  const Exported done = made(ExportKind::Tum, "tum", {.rate = 50});
  EXPECT_EQ(done.files, r->roster().size());
  std::ifstream in(folder.file("tum/0-inner_0_.tum"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(in, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 103u);
  EXPECT_EQ(rows[0], "# timestamp [s] tx ty tz [m, ENU, error 0] qx qy qz qw [FLU to ENU, error 0]");
  EXPECT_TRUE(rows[1].starts_with("# exact"));
  std::size_t k = 2;
  fly_beside("default", 200, fly_by_hand, [&](World& w) {
    if (w.tick() % 2 != 0) return;
    std::istringstream line(rows[k++]);
    double t = 0, p[3], q[4];
    line >> t >> p[0] >> p[1] >> p[2] >> q[0] >> q[1] >> q[2] >> q[3];
    ASSERT_FALSE(line.fail());
    const VehicleId id = w.find("inner[0]");
    ASSERT_EQ(t, w.time());
    for (const std::size_t axis : {0u, 1u, 2u}) ASSERT_EQ(p[axis], w.position_of(id)[axis]);
    ASSERT_EQ(q[3], w.view("inner", "attitude").at(w.slot_of(id), 0)) << "w comes last";
  });
}

TEST_F(Exports, AnMcapFileBeginsAndEndsWithItsMagicAndHasASummary) {
  const Exported done = made(ExportKind::Mcap, "a.mcap", {.rate = 20});
  const std::string bytes = bytes_of(folder.file("a.mcap"));
  EXPECT_EQ(bytes.size(), done.bytes);
  const std::string magic("\x89MCAP0\r\n", 8);
  EXPECT_TRUE(bytes.starts_with(magic));
  EXPECT_TRUE(bytes.ends_with(magic));
  EXPECT_EQ(bytes[bytes.size() - 37], 2) << "the footer";
  for (const char* schema : {"foxglove.FrameTransforms", "foxglove.SceneUpdate", "foxglove.Log", "/flocks/inner", "m, ENU, error 0"})
    EXPECT_NE(bytes.find(schema), std::string::npos) << schema;
}

TEST_F(Exports, ARecordingWithoutAViewIsExportedExactlyAndHasNoOther) {
  Flown f = load_flown("default");
  RecorderOptions options;
  options.view = false;
  record(f, folder.file("b.vrec"), 20, options);
  const auto bare = open_recording(folder.file("b.vrec"));
  const auto exact = export_recording(*bare, ExportKind::Csv, folder.file("b.csv"), {});
  ASSERT_TRUE(exact) << exact.error().text();
  EXPECT_EQ(exact.value().samples, 21u * 61u);
  for (const ExportKind kind : {ExportKind::Csv, ExportKind::Npz, ExportKind::Tum, ExportKind::Mcap}) {
    const auto done = export_recording(*bare, kind, folder.file("c"), {.view = true});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("has no view layer"), std::string::npos);
  }
  const auto frame = bare->at(0.1);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame.value().missing.size(), 61u);
}

// a bit of a block of inputs flips: what was commanded then is lost
TEST_F(Exports, ARecordingThatCannotBeFlownAgainSaysSoAndSuggestsTheView) {
  std::string bytes = bytes_of(folder.file("a.vrec"));
  bool spoilt = false;
  for (const BlockAt& b : r->scan().blocks) {
    if (b.header.type != BlockType::Inputs || spoilt) continue;
    bytes[b.offset + kHeaderBytes] = static_cast<char>(bytes[b.offset + kHeaderBytes] ^ 1);
    spoilt = true;
  }
  ASSERT_TRUE(spoilt);
  std::ofstream(folder.file("b.vrec"), std::ios::binary) << bytes;
  const auto b = open_recording(folder.file("b.vrec"));
  const auto done = export_recording(*b, ExportKind::Csv, folder.file("b.csv"), {});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("cannot be flown again"), std::string::npos) << done.error().text();
  EXPECT_NE(done.error().text().find("--view"), std::string::npos) << done.error().text();
  EXPECT_FALSE(std::filesystem::exists(folder.file("b.csv")));
  EXPECT_TRUE(export_recording(*b, ExportKind::Csv, folder.file("b.csv"), {.view = true}));
}

TEST_F(Exports, ABranchIsExportedFromItsFirstTickOn) {
  auto other = branch(*r, 1.0, {});
  ASSERT_TRUE(other) << other.error().text();
  Flown f{other.value().world->def(), other.value().bundle, std::move(other.value().world)};
  RecorderOptions options;
  options.continues = true;
  record(f, folder.file("b.vrec"), 50, options);
  const auto b = open_recording(folder.file("b.vrec"));
  const auto done = export_recording(*b, ExportKind::Csv, folder.file("b.csv"), {.columns = {"position"}});
  ASSERT_TRUE(done) << done.error().text();
  const CsvTable table = read_csv(folder.file("b.csv"));
  EXPECT_EQ(table.cell(0, "tick"), "100");
  EXPECT_EQ(table.rows.back()[1], "150");
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
