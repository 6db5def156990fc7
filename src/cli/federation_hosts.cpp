// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_hosts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cli/federation_options.hpp"
#include "cli/paths.hpp"
#include "core/child_process.hpp"
#include "core/faults.hpp"
#include "core/scratch_folder.hpp"
#include "core/suggest.hpp"
#include "scenario/field_error.hpp"
#include "scenario/scenario_describe.hpp"
#include "scenario/tree.hpp"
#include "scenario/yaml_reader.hpp"

namespace volary::cli {

template <class D, class V> requires Describes<D, HostFile>
void describe(D& d, V& v) {
  v.field("ssh", d.ssh, {.required = true, .doc = "destination of ssh: HOST, USER@HOST, or a name of ~/.ssh/config"});
  v.field("program", d.program, {.doc = "path of volary on that machine, the same build as here; default: this program is copied to ~/.cache/volary there"});
  v.field("nodes", d.nodes, {.min = 1, .max = 63, .doc = "number of nodes that run there"});
  v.field("names", d.names, {.min = 0, .max = 63, .doc = "names of the nodes that run there, where the scenario gives nodes names"});
}
template <class D, class V> requires Describes<D, HostsFile>
void describe(D& d, V& v) {
  v.field("hosts", d.hosts, {.min = 1, .max = 63, .required = true, .doc = "machines that nodes run on"});
}

namespace {

constexpr std::int64_t kPatience = 120'000'000'000;  // ns for a copy of the program

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// for the shell of another machine
std::string quoted_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_destination(const std::string& text) {
  return !text.empty() && text.front() != '-' && std::none_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

core::Status check_hosts(const HostsFile& file) {
  core::Faults faults;
  for (std::size_t k = 0; k < file.hosts.size(); ++k) {
    const HostFile& h = file.hosts[k];
    const std::string field = fmt::format("hosts[{}]", k);
    if (!is_destination(h.ssh)) faults.add(scenario::error_at(field + ".ssh", fmt::format("'{}' is no destination of ssh", h.ssh), "give HOST or USER@HOST"));
    if (!h.names.empty() && h.nodes != 1 && static_cast<std::size_t>(h.nodes) != h.names.size())
      faults.add(scenario::error_at(field + ".nodes", fmt::format("{} nodes run there, but {} are named", h.nodes, h.names.size()), "leave the field out"));
  }
  return faults.status();
}

// ---------------------------------------------------------------- one visit by ssh

// what a machine said
struct Visit {
  std::unique_ptr<core::ChildProcess> process;
  std::string output;
};

// Its standard input is our program, of which it reads nothing when it has it already. The first line of the answer is the address that it sees us under.
std::string arrival(const RemoteMachine& m) {
  const std::string program = quoted_word(m.program);
  return fmt::format(
      "echo \"${{SSH_CONNECTION%% *}}\"; f={}; "
      "if [ ! -x \"$f\" ]; then mkdir -p \"${{f%/*}}\" && cat >\"$f.$$\" && chmod 700 \"$f.$$\" && mv \"$f.$$\" \"$f\" || exit 3; fi; exec \"$f\" --version",
      program);
}
std::string look(const RemoteMachine& m) { return fmt::format("echo \"${{SSH_CONNECTION%% *}}\"; exec {} --version", quoted_word(m.program)); }

core::Error failed_visit(const RemoteMachine& m, const Visit& v) {
  const std::string text = read_text(v.output);
  // the address comes first, where the shell was reached at all
  const std::string words = v.process->exit_status() == 255 << 8 ? text : text.substr(std::min(text.size(), text.find('\n') + 1));
  core::Error e{.message = fmt::format("machine {}: {}: {}", m.name, v.process->exit_text(), words.empty() ? "it wrote nothing" : words), .field = "--hosts"};
  while (!e.message.empty() && e.message.back() == '\n') e.message.pop_back();
  if (text.find("shared libraries") != std::string::npos)
    e.suggestion = "Volary needs its libraries there: run './volary version' once in a clone on that machine";
  else if (text.find("Permission denied") != std::string::npos)
    e.suggestion = "ssh must get there without a password: give that machine your public key with ssh-copy-id";
  else if (text.find("Host key verification") != std::string::npos)
    e.suggestion = "connect once by hand with ssh, and compare the key of that machine";
  else if (text.find("No such file") != std::string::npos || text.find("not found") != std::string::npos)
    e.suggestion = "leave out 'program', and this program is copied there";
  return e;
}

}  // namespace

core::Result<HostsFile> read_hosts(const std::string& path) {
  const scenario::Files files(std::filesystem::path(path).parent_path().string(), "", nullptr);
  const core::Result<std::string> text = files.read(path);
  if (!text) return text.error();
  core::Result<scenario::Tree> tree = scenario::load_tree(text.value(), path, files);
  if (!tree) return tree.error();
  HostsFile file;
  scenario::YamlReader reader(tree.value());
  if (const core::Status done = reader.read(file); !done) return done.error();
  if (const core::Status good = check_hosts(file); !good)
    return core::each_fault(good.error(), [&](core::Error e) { return scenario::place(std::move(e), tree.value()); });
  return file;
}

std::vector<std::string> RemoteMachine::command(const std::vector<std::string>& arguments) const {
  std::string there = "exec " + quoted_word(program);
  for (const std::string& a : arguments) there += " " + quoted_word(a);
  std::vector<std::string> all = ssh;
  all.push_back(there);
  return all;
}

core::Result<NodeMachines> place_nodes(const HostsFile& file, std::size_t nodes, const std::vector<std::string>& names, const std::string& ssh) {
  NodeMachines placed(nodes);
  const auto machine_of = [&](const HostFile& h) {
    RemoteMachine m{.ssh = words_of(ssh), .name = h.ssh, .program = h.program};
    // no questions at a terminal that several share; a machine that is gone is noticed
    m.ssh.insert(m.ssh.end(), {"-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=2", "-o", "ServerAliveCountMax=3", "--", h.ssh});
    return m;
  };
  for (std::size_t k = 0; k < file.hosts.size(); ++k)
    for (const std::string& name : file.hosts[k].names) {
      const auto found = std::find(names.begin(), names.end(), name);
      const std::string field = fmt::format("--hosts: hosts[{}].names", k);
      if (found == names.end()) return core::Error{.message = fmt::format("the scenario names no node '{}'", name), .field = field, .suggestion = core::did_you_mean(name, names)};
      std::optional<RemoteMachine>& place = placed[static_cast<std::size_t>(found - names.begin())];
      if (place) return core::Error{.message = fmt::format("node '{}' is on another machine already", name), .field = field};
      place = machine_of(file.hosts[k]);
    }
  std::size_t next = 0;
  for (const HostFile& h : file.hosts)
    for (int k = 0; h.names.empty() && k < h.nodes; ++k) {
      while (next < nodes && placed[next]) ++next;
      if (next == nodes)
        return core::Error{.message = fmt::format("the machines have room for more than the {} nodes", nodes), .field = "--hosts", .suggestion = "give --nodes, or remove a machine"};
      placed[next] = machine_of(h);
    }
  return placed;
}

core::Result<std::string> prepare_machines(NodeMachines& machines) {
  const std::string copy = fmt::format(".cache/volary/volary-{:016x}", build_number());
  const core::ScratchFolder folder;
  // every machine once
  std::map<std::string, std::pair<RemoteMachine, Visit>> visits;
  for (std::optional<RemoteMachine>& m : machines) {
    if (!m) continue;
    const bool is_copied = m->program.empty();
    if (is_copied) m->program = copy;
    const std::string key = m->name + "\n" + m->program;
    if (visits.contains(key)) continue;
    std::vector<std::string> command = {"/bin/sh", "-c", "f=$1; shift; exec \"$@\" <\"$f\"", "sh", is_copied ? this_program() : "/dev/null"};
    command.insert(command.end(), m->ssh.begin(), m->ssh.end());
    command.push_back(is_copied ? arrival(*m) : look(*m));
    Visit v{nullptr, folder.file(fmt::format("visit{}", visits.size()))};
    auto child = core::ChildProcess::start({.command = std::move(command), .output_file = v.output});
    if (!child) return child.error();
    v.process = std::move(child).value();
    visits.emplace(key, std::pair(*m, std::move(v)));
  }
  std::set<std::string> seen;
  for (auto& [key, visit] : visits) {
    auto& [machine, v] = visit;
    if (!v.process->wait(kPatience)) return core::Error{.message = fmt::format("machine {}: it did not answer within {} s", machine.name, kPatience / 1'000'000'000), .field = "--hosts"};
    if (v.process->exit_status() != 0) return failed_visit(machine, v);
    const std::string text = read_text(v.output);
    seen.insert(text.substr(0, text.find('\n')));
  }
  return seen.size() == 1 ? *seen.begin() : std::string();
}

}  // namespace volary::cli
