// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The autopilots of one kind in a run: their processes, folders and sockets. A folder in which nobody asked for the files is removed at the end, unless its
// autopilot failed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autopilot/link/links.hpp"
#include "autopilot/lockstep/launch.hpp"
#include "autopilot/lockstep/protocol.hpp"
#include "core/child_process.hpp"
#include "core/result.hpp"

namespace volary::autopilot {

struct ProgramOptions {
  AutopilotKind kind = AutopilotKind::Px4;
  std::string program;     // path
  int first_instance = 0;  // of the first vehicle; the others count on
  std::string folder = {};  // of their files, which stay there; empty: a temporary one
};

// whether it is there and can be run, and what belongs to it
core::Status check_program(const ProgramOptions& options);

class Fleet {
 public:
  explicit Fleet(ProgramOptions options) : options_(std::move(options)) {}
  ~Fleet() { stop(); }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // one for each instance, in the order in which they are numbered; protocols outlive it
  struct Start {
    AutopilotDef def;
    LatLon home;
    double heading = 0, sensor_period = 0;
    Protocol* protocol = nullptr;
  };
  core::Status start(const std::vector<Start>& list);
  void stop();  // all of them: asked first, then by force

  // Brings bytes both ways; waits up to `seconds` for something to arrive.
  void exchange(double seconds);
  bool is_connected(std::size_t k) const { return list_[k].channel.has_value(); }
  // why it is gone: "exit code 3", "the connection was closed"; empty: it is there
  std::string gone(std::size_t k);
  void end(std::size_t k);  // by force; its folder is kept
  std::string last_lines(std::size_t k, std::size_t n) const { return core::last_lines(output_of(k), n); }
  const std::string& folder(std::size_t k) const { return list_[k].folder; }
  std::string output_of(std::size_t k) const { return list_[k].folder + "/output.txt"; }
  int instance(std::size_t k) const { return options_.first_instance + static_cast<int>(k); }

 private:
  struct One {
    Protocol* protocol = nullptr;
    std::unique_ptr<core::ChildProcess> process;
    std::string folder;
    std::optional<ChannelId> channel;
    bool was_closed = false;
  };
  core::Status make_root();
  core::Status open_sockets(std::size_t n);
  core::Status launch(const Start& start, std::size_t k);
  void on_event(const LinkEvent& event);
  void flush(std::size_t k);

  ProgramOptions options_;
  std::vector<One> list_;
  std::unique_ptr<Links> sockets_;
  std::string root_;          // of all folders
  bool keeps_folders_ = false;
  mavlink::Bytes buffer_;
};

}  // namespace volary::autopilot
