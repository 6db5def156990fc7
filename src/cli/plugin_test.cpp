// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plugins from source to decision: what is built, what is refused, and that a plugin's mistake ends at the plugin.
#include "cli/plugin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"
#include "swarm/script/plugin.hpp"
#include "swarm/stimuli/all.hpp"

namespace volary::swarm {
namespace {

class PluginFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string built(const std::string& text) {
    const auto library = cli::build_plugin(write("p.cpp", text), (folder_ / "p.so").string());
    EXPECT_TRUE(library) << (library ? "" : library.error().text());
    return library ? library.value() : "";
  }
  std::string build_error(const std::string& text) {
    const auto library = cli::build_plugin(write("p.cpp", text), (folder_ / "p.so").string());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "p.so")) << "nothing half made is left";
    return library ? "" : library.error().text();
  }
  // a plugin whose act() is `body`
  static std::string with_act(const std::string& body, const std::string& version = "VOLARY_PLUGIN_VERSION") {
    return "#include <volary/plugin.h>\n#include <cmath>\n"
           "static void act(const volary_sense* s, void* memory, volary_action* a, volary_outbox* out) { (void)s; (void)memory; (void)a; (void)out;\n" +
           body + "\n}\nstatic const volary_plugin_info info = {" + version + ", 8, \"test\", \"\", nullptr, 0, nullptr, act};\n" +
           "const volary_plugin_info* volary_plugin(void) { return &info; }\n";
  }
  Script::Outcome decide(const std::string& body) {
    const auto plugin = Plugin::open(built(with_act(body)));
    if (!plugin) return {.error = plugin.error().text()};
    Outbox out(said_);
    memory_.assign(8, std::byte{0});
    return plugin.value()->decide(sense_, {}, memory_, out);
  }

  const core::ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
  Sense sense_;
  std::vector<std::byte> memory_;
  std::vector<Message> said_;
};

TEST_F(PluginFile, the_example_flies_a_circle_and_counts_its_turns) {
  const auto library = cli::build_plugin(std::string(VOLARY_SOURCE_DIR) + "/examples/plugins/circle.cpp", (folder_ / "circle.so").string());
  ASSERT_TRUE(library) << library.error().text();
  const auto opened = Plugin::open(library.value());
  ASSERT_TRUE(opened) << opened.error().text();
  const Plugin& plugin = *opened.value();
  EXPECT_EQ(plugin.name(), "circle");
  EXPECT_EQ(plugin.defaults(), (ScriptParams{{"radius", 10}, {"speed", 3}, {"height", 10}}));
  EXPECT_EQ(plugin.memory_bytes(), 24u);

  std::vector<std::byte> memory(plugin.memory_bytes());
  Outbox out(said_);
  const std::vector<double> params = {8, 4, 10};
  sense_.position = {12, 0.1, 5};
  // 2 pi 8 m / (4 m/s) is a turn in 12.6 s: three turns in 40 s
  for (int i = 0; i < 400; ++i) {
    const auto o = plugin.decide(sense_, params, memory, out);
    ASSERT_TRUE(o.ok) << o.error;
    sense_.position = sense_.position + 0.1 * o.action.velocity;
    sense_.tick += 10;
  }
  EXPECT_NEAR(std::sqrt(sense_.position.x * sense_.position.x + sense_.position.y * sense_.position.y), 8, 0.4);
  EXPECT_NEAR(sense_.position.z, 10, 0.01);
  ASSERT_EQ(said_.size(), 3u);
  EXPECT_EQ(said_.back().topic, topic("turns"));
  EXPECT_EQ(said_.back().values[0], 3);

  sense_.mode = Mode::Disarmed;
  const auto before = memory;
  const auto o = plugin.decide(sense_, params, memory, out);
  EXPECT_TRUE(o.ok);
  EXPECT_EQ(o.trigger, 0);
  EXPECT_EQ(o.action.kind, Action::Kind::None);
  EXPECT_EQ(memory, before);
}

TEST_F(PluginFile, reads_the_sensors_that_its_vehicle_carries) {
  ReadingList list;
  list.add("gnss.position", 3, 1), list.add("range_finder.distance", 1, 16), list.add("estimate.position_std", 1, 0);
  const std::vector<double> row = {1, 10, 20, 30, 2.5, 0.75};
  sense_.readings = &list, sense_.numbers = row.data();
  const auto o = decide(
      "const double* p = volary_find_reading(s, \"gnss.position\"); const double* sigma = volary_find_reading(s, \"estimate.position_std\");\n"
      "if (volary_find_reading(s, \"range_finder.distance\") || volary_find_reading(s, \"gnss.pos\") || volary_find_reading(s, \"gnss.positions\")) return;\n"
      "if (s->reading_count != 3 || s->readings[0].count != 3 || s->readings[1].values) return;\n"
      "a->kind = VOLARY_VELOCITY; a->velocity = {p[0], p[2], *sigma};");
  ASSERT_TRUE(o.ok) << o.error;
  EXPECT_EQ(o.action.velocity.x, 10);
  EXPECT_EQ(o.action.velocity.y, 30);
  EXPECT_EQ(o.action.velocity.z, 0.75);
  sense_.readings = nullptr;
  const auto none = decide("a->kind = s->reading_count == 0 && !volary_find_reading(s, \"gnss.position\") ? VOLARY_HOLD : VOLARY_LAND;");
  EXPECT_EQ(none.action.kind, Action::Kind::Hold);
}

TEST_F(PluginFile, sees_what_a_script_sees) {
  const std::vector<Known> others = {{.from = 3, .tick = 9, .position = {1, 2, 3}, .velocity = {4, 5, 6}, .intent = {7, 8, 9}, .role = 2}};
  const std::vector<Message> heard = {{.from = 5, .to = 6, .tick = 8, .topic = topic("found"), .count = 2, .values = {1.5, 2.5}}};
  const std::vector<Detection> seen = {{.object = 12, .kind = topic("person"), .position = {0, 1, 0}, .velocity = {0, 0, 2}}};
  sense_.others = others;
  sense_.messages = heard;
  sense_.detections = seen;
  sense_.self = 77;
  sense_.mode = Mode::Mission;
  sense_.ground = -2;
  sense_.ground_ahead = 3;
  sense_.levels[kStimulusIndex<Light>] = 0.25;
  sense_.levels[kStimulusIndex<Plume>] = 0.5;
  sense_.levels[kStimulusIndex<Sound>] = 0.75;
  sense_.solid = {.near = true, .way = {0, 0, -2}, .distance = 2};
  const auto o = decide(
      "const volary_known& k = s->others[0]; const volary_message& m = s->messages[0]; const volary_detection& d = s->detections[0];\n"
      "bool good = s->id == 77 && s->mode == VOLARY_MISSION && s->other_count == 1 && k.id == 3 && k.tick == 9 && k.position.z == 3 && k.velocity.y == 5 && "
      "k.intent.x == 7 && k.role == 2;\n"
      "good = good && s->message_count == 1 && m.from == 5 && m.to == 6 && m.topic == volary_topic(\"found\") && m.count == 2 && m.values[1] == 2.5;\n"
      "good = good && s->detection_count == 1 && d.id == 12 && d.kind == volary_topic(\"person\") && d.velocity.z == 2;\n"
      "good = good && s->ground == -2 && s->ground_ahead == 3;\n"
      "good = good && s->light == 0.25 && s->plume == 0.5 && s->sound == 0.75 && s->obstacle.near == 1 && s->obstacle.offset.z == -2 && s->obstacle.distance == 2;\n"
      "a->kind = good ? VOLARY_VELOCITY : VOLARY_NONE; a->velocity = {s->uniform(s, 0), s->uniform(s, 1), s->math->sin(1.0)};");
  ASSERT_TRUE(o.ok) << o.error;
  EXPECT_EQ(o.action.kind, Action::Kind::Velocity);
  EXPECT_EQ(o.action.velocity.x, sense_.uniform(0));
  EXPECT_EQ(o.action.velocity.y, sense_.uniform(1));
  EXPECT_EQ(o.action.velocity.z, math::sin(1.0));
  EXPECT_EQ(o.action.reward, 1);
}

TEST_F(PluginFile, sends_under_its_own_id_another_one_or_none) {
  const auto o = decide(
      "const double x = 1; const uint32_t t = volary_topic(\"a\");\n"
      "out->say(out, t, 0, &x, 1); out->say_as(out, 42, t, 0, &x, 1); out->say_as(out, VOLARY_NO_ID, t, 0, &x, 1);");
  ASSERT_TRUE(o.ok) << o.error;
  ASSERT_EQ(said_.size(), 3u);
  EXPECT_EQ(said_[0].from, kOwnId);
  EXPECT_EQ(said_[1].from, 42u);
  EXPECT_EQ(said_[2].from, kNoId);
}

TEST_F(PluginFile, another_version_is_refused) {
  // 1 had neither stimuli nor the nearest obstacle
  for (const char* version : {"1", "7"}) {
    const std::string error = build_error(with_act("", version));
    EXPECT_NE(error.find(std::string("version ") + version), std::string::npos) << error;
    EXPECT_NE(error.find("this program has version 4"), std::string::npos) << error;
    EXPECT_NE(error.find("volary plugin build"), std::string::npos) << error;
  }
}

TEST_F(PluginFile, what_is_no_plugin_is_refused) {
  const auto open_error = [](const std::string& path) {
    const auto p = Plugin::open(path);
    return p ? std::string() : p.error().text();
  };
  EXPECT_NE(open_error((folder_ / "none.so").string()).find("no such plugin"), std::string::npos);
  EXPECT_NE(open_error(write("text.so", "hello")).find("not a library"), std::string::npos);
  EXPECT_NE(build_error("int f() { return 1; }").find("volary_plugin()"), std::string::npos);
  EXPECT_NE(build_error("#include <volary/plugin.h>\nint f( { }").find("p.cpp:2"), std::string::npos) << "the compiler's words are shown";
  EXPECT_NE(build_error(with_act("a->yaw = std::sin(s->time);")).find("sin"), std::string::npos) << "libm";
  const auto missing = cli::build_plugin((folder_ / "missing.cpp").string(), (folder_ / "p.so").string());
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("no such file"), std::string::npos);
}

TEST_F(PluginFile, a_mistake_ends_the_decision_and_changes_nothing) {
  const auto expect_fault = [&](const std::string& body, const char* word) {
    const auto o = decide("*(double*)memory = 5; double one = 1; out->say(out, 1, 0, &one, 1);\n" + body);
    EXPECT_FALSE(o.ok);
    EXPECT_NE(o.error.find(word), std::string::npos) << o.error;
    EXPECT_EQ(memory_, std::vector<std::byte>(8)) << body;
    EXPECT_TRUE(said_.empty());
  };
  expect_fault("a->velocity.x = 0.0 / (s->time * 0);", "not finite");
  expect_fault("a->kind = 99;", "does not exist");
  expect_fault("double many[13] = {}; out->say(out, 1, 0, many, 13);", "12 numbers");
  expect_fault("throw 1;", "exception");
}

}  // namespace
}  // namespace volary::swarm
