// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and plugins in whole worlds: what is edited is flown, and the answer is the same on any number of threads, after a snapshot,
// and from a recording.
#include "record_support_test.hpp"

#include "cli/plugin.hpp"

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

}  // namespace volary::replay
