// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and plugins in whole worlds: what is edited is flown, and the answer is the same on any number of threads, after a snapshot,
// and from a recording.
#include "record_support_test.hpp"

#include "cli/plugin.hpp"
#include "swarm/script/plugin.hpp"

namespace volary::replay {

namespace {

const std::string kExamples = std::string(VOLARY_SOURCE_DIR) + "/examples";

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// the text with one part of it changed, which has to be there
std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), other);
}

// a flock of three flown by the plugin of the example, built into the folder
std::string write_circle(const core::ScratchFolder& folder) {
  const auto built = cli::build_plugin(kExamples + "/plugins/circle.cpp", folder.file("circle.so"));
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  return folder.write("circle.yaml",
                      "name: circles\nduration: 4\nradio: {model: disc, range: 30}\n"
                      "flocks:\n  - name: ring\n    airframe: nuswarm\n    vehicles: {grid: {count: 3, spacing: 40, origin: [0, 0, 10]}}\n"
                      "    start: hold\n    mission: {hold: {height: 0}}\n    node: {state_rate: 10}\n"
                      "    behaviours:\n      - plugin: {file: circle.so, params: {radius: 3}}\n");
}

std::uint64_t hash_after(Flown& f, std::uint64_t ticks) {
  f.world->step(ticks);
  return f.world->hash();
}

}  // namespace

TEST(ScriptFlight, ADefaultThatIsEditedInTheExampleChangesTheFlight) {
  core::ScratchFolder folder;
  const std::string script = text_of(kExamples + "/behaviours/flock.lua");
  const std::string scenario = folder.write("flock.yaml", text_of(kExamples + "/behaviours/flock.yaml"));
  folder.write("flock.lua", script);
  Flown shipped = load_flown(scenario);
  const std::uint64_t before = hash_after(shipped, 100);
  // what the README tells a newcomer to do
  folder.write("flock.lua", with(script, "speed = 4", "speed = 8"));
  Flown edited = load_flown(scenario);
  EXPECT_NE(hash_after(edited, 100), before);
  folder.write("flock.lua", script);
  Flown again = load_flown(scenario);
  EXPECT_EQ(hash_after(again, 100), before);
}

TEST(ScriptFlight, APluginIsReplayedFromTheRecordingAloneWhenItsFileIsGone) {
  core::ScratchFolder folder;
  Flown f = load_flown(write_circle(folder));
  const auto hashes = record(f, folder.file("a.vrec"), 200);
  EXPECT_NE(hashes[200], hashes[0]);
  std::filesystem::remove(folder.file("circle.so"));
  std::filesystem::remove(folder.file("circle.yaml"));
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 201u);
  const auto b = branch(*r, 1.0, {});
  ASSERT_TRUE(b) << b.error().text();
}

TEST(ScriptFlight, APluginFliesInABatch) {
  core::ScratchFolder folder;
  const std::string scenario = write_circle(folder);
  const std::string command =
      std::string(VOLARY_PROGRAM) + " batch " + scenario + " --seeds 1,2 --out " + folder.file("batch") + " > " + folder.file("said") + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << text_of(folder.file("said"));
}

TEST(ScriptFlight, ALibraryIsKeptAsLongAsSomebodyHoldsItAndNoLonger) {
  core::ScratchFolder folder;
  std::string path;
  {
    auto kept = swarm::LibraryFile::keep(
        "\x7f"
        "ELF, but no more",
        "mine.so");
    ASSERT_TRUE(kept);
    const swarm::LibraryFile other = kept.value();
    path = other.path();
    EXPECT_EQ(text_of(path),
              "\x7f"
              "ELF, but no more");
    const auto opened = swarm::Plugin::open(other);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().file, "mine.so");
    EXPECT_EQ(opened.error().text().find(path), std::string::npos) << "the copy is nobody's business";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
}

}  // namespace volary::replay
