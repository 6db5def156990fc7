// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/plugin.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "cli/known_plugins.hpp"
#include "cli/paths.hpp"
#include "core/home.hpp"
#include "scenario/node.hpp"
#include "swarm/script/plugin.hpp"
#include "swarm/script/sensor_plugin.hpp"

extern char** environ;

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

// the flags of CMakeLists.txt that decide about bits, at the optimisation level of a release
const std::vector<std::string> kFlags = {"-std=c++20",
                                         "-O2",
                                         "-ffp-contract=off",
                                         "-fno-math-errno",
                                         "-fno-trapping-math",
                                         "-fno-tree-vectorize",
                                         "-fno-tree-slp-vectorize",
                                         "-fvisibility=hidden",
                                         "-Wall",
                                         "-Wextra",
                                         "-fPIC",
                                         "-shared"};

struct Ran {
  int code = -1;
  std::string output;  // of both streams
};

// without a shell: a file name is an argument, whatever is in it
Ran run_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return {};
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, ends[1], 1);
  posix_spawn_file_actions_adddup2(&streams, ends[1], 2);
  posix_spawn_file_actions_addclose(&streams, ends[0]);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  close(ends[1]);
  Ran ran;
  char part[4096];
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], part, sizeof part)) > 0;) ran.output.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  return ran;
}

bool on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

// the first that is there; both kinds give the same bits
std::string find_compiler() {
  for (const char* name : {"clang++-19", "clang++-20", "clang++-21", "g++"})
    if (on_path(name)) return name;
  return "";
}

// of the names that a library takes from others those of libm, besides what is exact everywhere
std::string libm_symbols(const std::string& names) {
  static const std::set<std::string> kFamilies = {"sin",   "cos",   "tan",   "asin",  "acos",  "atan",   "atan2",  "sincos", "sinh", "cosh",
                                                  "tanh",  "asinh", "acosh", "atanh", "exp",   "exp2",   "expm1",  "log",    "log2", "log10",
                                                  "log1p", "pow",   "cbrt",  "erf",   "hypot", "tgamma", "lgamma", "erfc"};
  std::string found;
  std::istringstream lines(names);
  for (std::string line; std::getline(lines, line);) {
    std::string name = line.substr(line.find_last_of(' ') + 1);
    name = name.substr(0, name.find('@'));
    const std::string plain = name.ends_with("f") && name != "erf" ? name.substr(0, name.size() - 1) : name;
    if (kFamilies.contains(name) || kFamilies.contains(plain)) found += (found.empty() ? "" : ", ") + name;
  }
  return found;
}

struct PluginOptions {
  std::string file, output;
};

template <class P> void print_plugin(const char* what, const P& p, unsigned version) {
  fmt::print("{}{}: {}; version {} of the interface, {} bytes of memory per agent\n", what, p.name(), p.doc(), version, p.memory_bytes());
  for (const auto& [name, value] : p.defaults()) fmt::print("  {:<16} {}\n", name, value);
}

// Opens a library as all that it exports, with the error of a behaviour where it exports nothing; `print`: and describes it.
core::Status open_all(const std::string& path, bool print) {
  const core::Result<swarm::SharedLibrary> library = swarm::SharedLibrary::open(path, path);
  if (!library) return library.error();
  const bool measures = library.value().exports("volary_sensor"), estimates = library.value().exports("volary_estimator");
  if (library.value().exports("volary_plugin") || (!measures && !estimates)) {
    const auto plugin = swarm::Plugin::open(path);
    if (!plugin) return plugin.error();
    if (print) print_plugin("", *plugin.value(), VOLARY_PLUGIN_VERSION);
  }
  using Kind = swarm::SensorPlugin::Kind;
  for (const auto& [is_there, kind, what] : {std::tuple{measures, Kind::Sensor, "sensor "}, std::tuple{estimates, Kind::Estimator, "estimator "}}) {
    if (!is_there) continue;
    const auto plugin = swarm::SensorPlugin::open(kind, path, path);
    if (!plugin) return plugin.error();
    if (print) print_plugin(what, *plugin.value(), VOLARY_SENSOR_PLUGIN_VERSION);
  }
  return core::ok();
}

int describe_plugin(const std::string& path) {
  const core::Status opened = open_all(path, true);
  return opened ? kDone : fail(opened.error().text());
}

int build(const PluginOptions& o) {
  const core::Result<std::string> built = build_plugin(o.file, o.output.empty() ? fs::path(o.file).replace_extension(".so").string() : o.output);
  if (!built) return fail(built.error().text(), kFailed);
  const core::Result<std::string> bytes = scenario::read_file(built.value());
  const core::Status kept = bytes ? remember_plugin(bytes.value()) : core::Status(bytes.error());
  if (!kept) fmt::print(stderr, "volary: {}\n", kept.error().text());
  fmt::print("{}\n", built.value());
  return describe_plugin(built.value());
}

}  // namespace

core::Result<std::string> build_plugin(const std::string& source, const std::string& output) {
  std::error_code code;
  if (!fs::is_regular_file(source, code)) return core::Error{.message = "there is no such file", .file = source};
  const std::string header = core::include_folder();
  if (!fs::exists(fs::path(header) / "volary" / "plugin.h", code))
    return core::Error{.message = "volary/plugin.h is missing", .file = header, .suggestion = "set VOLARY_HOME to Volary's folder"};
  const std::string compiler = find_compiler();
  if (compiler.empty())
    return core::Error{.message = "no compiler was found (clang++-19 or g++)", .file = source, .suggestion = "apt-get install clang-19 g++"};

  // beside the result first: a library that is in use must not change under its user
  const std::string fresh = output + ".new";
  std::vector<std::string> words = {compiler};
  words.insert(words.end(), kFlags.begin(), kFlags.end());
  words.insert(words.end(), {"-I" + header, "-o", fresh, source});
  const Ran ran = run_program(words);
  const auto refuse = [&](const std::string& text, const std::string& advice) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    return core::Error{.message = text, .file = source, .suggestion = advice};
  };
  if (ran.code != 0) return refuse(compiler + " refused it:\n" + ran.output, "");
  const Ran names = run_program({"nm", "-D", "--undefined-only", fresh});
  if (names.code != 0) return refuse("nm, which lists the symbols that a library imports, did not run: " + names.output, "apt-get install binutils");
  if (const std::string taken = libm_symbols(names.output); !taken.empty())
    return refuse("it uses " + taken + " of the C math library, whose results differ between systems in the last bit", "use sense->math");
  if (const core::Status sound = open_all(fresh, false); !sound) return refuse(sound.error().message, sound.error().suggestion);
  fs::rename(fresh, output, code);
  if (code) return refuse("cannot write " + output + ": " + code.message(), "");
  return output;
}

void add_plugin(CLI::App& app, Action& action) {
  auto o = std::make_shared<PluginOptions>();
  CLI::App* c = app.add_subcommand("plugin", "Build or inspect a behaviour in C++ that is a shared library.");
  c->require_subcommand(1);
  CLI::App* b = c->add_subcommand("build", "Compile a behaviour with the floating-point flags that give the same bits as Volary.");
  b->add_option("FILE", o->file, "path of a .cpp file that includes volary/plugin.h")->required();
  b->add_option("-o,--output", o->output, "path of the library to write; default: beside the source, with the ending .so");
  b->footer("Examples:\n  volary plugin build examples/plugins/circle.cpp\n  volary plugin build mine.cpp -o /tmp/mine.so");
  b->callback([=, &action] { action = [=] { return build(*o); }; });
  CLI::App* show = c->add_subcommand("show", "Print the name, the version and the parameters of a built plugin.");
  show->add_option("FILE", o->file, "path of the shared library")->required();
  show->footer("Examples:\n  volary plugin show circle.so");
  show->callback([=, &action] { action = [=] { return describe_plugin(o->file); }; });
}

}  // namespace volary::cli
