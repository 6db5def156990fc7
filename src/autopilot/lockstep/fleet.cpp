// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/fleet.hpp"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace volary::autopilot {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kEndPatience = 2'000'000'000;  // ns between the request to end and the end by force
constexpr std::int64_t kLastMoment = 500'000'000;     // ns that a process may live without its connection

// PX4's folder `etc`, beside the folder of the program; empty: there is none
std::string px4_data(const std::string& program) {
  std::error_code ignored;
  for (const fs::path& p : {fs::absolute(program, ignored), fs::weakly_canonical(program, ignored)}) {
    const fs::path data = p.parent_path().parent_path() / "etc";
    if (fs::exists(data / "init.d-posix" / "rcS", ignored)) return data.string();
  }
  return {};
}

}  // namespace

core::Status check_program(const ProgramOptions& options) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.program, ignored) || ::access(options.program.c_str(), X_OK) != 0)
    return core::Error{
        .message = fmt::format("{}: '{}' is not a program", name_of(options.kind), options.program),
        .suggestion = options.kind == AutopilotKind::Px4 ? "bin/px4 of a build for the board px4_sitl" : "bin/arducopter of a build for the board sitl"};
  if (options.kind == AutopilotKind::Px4 && px4_data(options.program).empty())
    return core::Error{.message = fmt::format("PX4: there is no start-up script etc/init.d-posix/rcS beside the folder of '{}'", options.program),
                       .suggestion = "give the program where PX4's build has it, build/px4_sitl_default/bin/px4"};
  return core::ok();
}

core::Status Fleet::start(const std::vector<Start>& list) {
  stop();
  if (const core::Status good = check_program(options_); !good) return good;
  const int last = options_.first_instance + static_cast<int>(list.size());
  if (last > most_instances(options_.kind))
    return core::Error{.message = fmt::format("{} vehicles with {} from instance {} on: the last instance is {}", list.size(), name_of(options_.kind),
                                              options_.first_instance, most_instances(options_.kind) - 1)};
  if (const core::Status made = make_root(); !made) return made;
  for (const Start& s : list) list_.push_back({s.protocol, nullptr, {}, {}, false});
  if (const core::Status opened = open_sockets(list.size()); !opened) return opened;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (const core::Status launched = launch(list[k], k); !launched) return launched;
  return core::ok();
}

core::Status Fleet::make_root() {
  keeps_folders_ = !options_.folder.empty();
  if (keeps_folders_) {
    // an autopilot would read the parameters and missions of an earlier run
    std::error_code ignored;
    const char* kind = options_.kind == AutopilotKind::Px4 ? "px4" : "ardupilot";
    for (int n = 1; root_.empty() || fs::exists(root_, ignored); ++n) root_ = (fs::absolute(options_.folder) / fmt::format("{}_{}", kind, n)).string();
    return core::ok();
  }
  std::string root = (fs::temp_directory_path() / "volary-autopilots-XXXXXX").string();
  if (::mkdtemp(root.data()) == nullptr) return core::Error{.message = "no folder can be made in " + fs::temp_directory_path().string()};
  root_ = root;
  return core::ok();
}

core::Status Fleet::open_sockets(std::size_t n) {
  std::vector<LinkAddress> addresses;
  const auto kind = options_.kind == AutopilotKind::Px4 ? LinkAddress::Kind::TcpIn : LinkAddress::Kind::UdpIn;
  for (std::size_t k = 0; k < n; ++k) addresses.push_back({kind, "127.0.0.1", static_cast<std::uint16_t>(simulator_port(options_.kind, instance(k))), 0});
  LinkOptions options;
  options.silence = 1e9;  // a run may be paused for as long as people like
  auto opened = Links::open(addresses, options);
  if (!opened) {
    core::Error error = opened.error();
    error.suggestion = "another simulator may run; --autopilot-instance N takes other ports";
    return error;
  }
  sockets_ = std::move(opened).value();
  return core::ok();
}

core::Status Fleet::launch(const Start& start, std::size_t k) {
  One& one = list_[k];
  one.folder = fmt::format("{}/instance_{}", root_, instance(k));
  std::error_code fault;
  fs::create_directories(one.folder, fault);
  if (fault) return core::Error{.message = one.folder + ": " + fault.message()};
  const Instance told{instance(k), start.home, start.heading, start.sensor_period, one.folder};
  const std::string program = fs::absolute(options_.program).string();
  const Launch l = options_.kind == AutopilotKind::Px4 ? px4_launch(program, px4_data(program), start.def, told) : ardupilot_launch(program, start.def, told);
  for (const auto& [name, text] : l.files) std::ofstream(one.folder + "/" + name, std::ios::binary) << text;
  auto process = core::ChildProcess::start(
      {.command = l.command, .environment = l.environment, .folder = one.folder, .output_file = output_of(k), .with_descendants = true});
  if (!process) return process.error();
  one.process = std::move(process).value();
  return core::ok();
}

void Fleet::on_event(const LinkEvent& event) {
  One& one = list_[event.link];
  switch (event.kind) {
    case LinkEvent::Kind::Opened: one.channel = event.channel; return;
    case LinkEvent::Kind::Closed:
      if (one.channel == event.channel) one.channel.reset(), one.was_closed = true;
      return;
    case LinkEvent::Kind::Received:
      if (one.channel == event.channel) one.protocol->received(event.bytes);
      return;
  }
}

void Fleet::flush(std::size_t k) {
  One& one = list_[k];
  if (!one.channel) return;
  buffer_.clear();
  one.protocol->take_sends(buffer_);
  if (!buffer_.empty()) sockets_->send(*one.channel, buffer_);
}

void Fleet::exchange(double seconds) {
  if (sockets_ == nullptr) return;
  for (std::size_t k = 0; k < list_.size(); ++k) flush(k);
  sockets_->poll(seconds, [this](const LinkEvent& event) { on_event(event); });
  for (std::size_t k = 0; k < list_.size(); ++k) flush(k);
}

std::string Fleet::gone(std::size_t k) {
  One& one = list_[k];
  if (one.process == nullptr) return "not started";
  // the connection of a process that ends is closed a moment before its end
  const bool is_closed = one.was_closed && !one.channel;
  if (!one.process->is_running() || (is_closed && one.process->wait(kLastMoment))) return one.process->exit_text();
  return is_closed ? "the connection was closed" : "";
}

void Fleet::end(std::size_t k) {
  list_[k].process->send_signal(SIGKILL);
  list_[k].process->wait(kEndPatience);
  keeps_folders_ = true;
}

void Fleet::stop() {
  // all are asked before the first is waited for
  for (One& one : list_)
    if (one.process) one.process->send_signal(SIGTERM);
  for (One& one : list_)
    if (one.process) one.process->stop(kEndPatience);
  list_.clear();
  sockets_.reset();
  std::error_code ignored;
  if (!root_.empty() && !keeps_folders_) fs::remove_all(root_, ignored);
  root_.clear();
}

}  // namespace volary::autopilot
