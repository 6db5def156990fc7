// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_hosts.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

std::string error_of(const std::string& text) {
  const core::ScratchFolder folder;
  const auto file = read_hosts(folder.write("machines.yaml", text));
  return file ? "" : file.error().text();
}

// what a shell of another machine makes of the last word of a command
std::string said_by_shell(const RemoteMachine& m, const std::vector<std::string>& arguments) {
  const core::ScratchFolder folder;
  const std::string script = folder.write("script", m.command(arguments).back());
  FILE* pipe = ::popen(("sh " + script).c_str(), "r");
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

std::vector<std::string> names_of(const core::Result<NodeMachines>& placed) {
  std::vector<std::string> names;
  for (const auto& m : placed.value()) names.push_back(m ? m->name : "here");
  return names;
}

TEST(federation_hosts, faults_of_the_file_are_told_with_line_and_field) {
  EXPECT_NE(error_of("hosts:\n  - {ssh: a}\n  - {shh: b}\n").find("machines.yaml:3"), std::string::npos) << error_of("hosts:\n  - {ssh: a}\n  - {shh: b}\n");
  EXPECT_NE(error_of("hosts:\n  - {shh: b}\n").find("ssh"), std::string::npos);
  EXPECT_NE(error_of("hosts:\n  - {ssh: -oProxyCommand=rm}\n").find("is no destination of ssh"), std::string::npos);
  EXPECT_NE(error_of("hosts:\n  - {ssh: -oProxyCommand=rm}\n").find("machines.yaml:2"), std::string::npos);
  EXPECT_NE(error_of("hosts:\n  - {ssh: 'a b'}\n").find("hosts[0].ssh"), std::string::npos);
  EXPECT_NE(error_of("hosts:\n  - {ssh: a, nodes: 3, names: [x, y]}\n").find("3 nodes run there, but 2 are named"), std::string::npos);
  EXPECT_NE(error_of("hosts: []\n"), "");
  EXPECT_NE(error_of("machines: []\n"), "");
  EXPECT_EQ(error_of("hosts:\n  - {ssh: pilot@a, nodes: 2}\n  - {ssh: b, program: /opt/volary}\n"), "");
}

TEST(federation_hosts, nodes_are_placed_in_order_and_those_that_are_left_run_here) {
  const HostsFile file{{{.ssh = "a", .nodes = 2}, {.ssh = "b"}}};
  EXPECT_EQ(names_of(place_nodes(file, 4, {}, "ssh")), (std::vector<std::string>{"a", "a", "b", "here"}));
  EXPECT_FALSE(place_nodes(file, 2, {}, "ssh"));
}

TEST(federation_hosts, a_machine_may_ask_for_nodes_by_name) {
  const HostsFile file{{{.ssh = "a"}, {.ssh = "b", .names = {"hangar"}}}};
  EXPECT_EQ(names_of(place_nodes(file, 3, {"hangar", "field", "tower"}, "ssh")), (std::vector<std::string>{"b", "a", "here"}));
  const auto unknown = place_nodes({{{.ssh = "b", .names = {"hanger"}}}}, 1, {"hangar"}, "ssh");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("hangar"), std::string::npos) << "a suggestion";
  EXPECT_FALSE(place_nodes({{{.ssh = "a", .names = {"x"}}, {.ssh = "b", .names = {"x"}}}}, 1, {"x"}, "ssh"));
}

TEST(federation_hosts, a_command_reaches_the_program_on_the_other_machine_word_by_word) {
  const RemoteMachine m{.ssh = {"ssh", "--", "a"}, .name = "a", .program = "/usr/bin/printf"};
  EXPECT_EQ(said_by_shell(m, {"[%s]", "it's", "two words", "$HOME", "`id`", "a\\b", "*", ""}), "[it's][two words][$HOME][`id`][a\\b][*][]");
}

TEST(federation_hosts, ssh_is_asked_as_the_command_line_says_and_never_asks_itself) {
  const auto placed = place_nodes({{{.ssh = "pilot@a"}}}, 1, {}, "ssh -p 2222 -i key");
  const std::vector<std::string>& words = placed.value()[0]->ssh;
  EXPECT_EQ(std::vector(words.begin(), words.begin() + 5), (std::vector<std::string>{"ssh", "-p", "2222", "-i", "key"}));
  EXPECT_NE(std::find(words.begin(), words.end(), "BatchMode=yes"), words.end());
  EXPECT_EQ(words[words.size() - 2], "--");
  EXPECT_EQ(words.back(), "pilot@a");
}

}  // namespace
}  // namespace volary::cli
