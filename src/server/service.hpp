// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A live world with its server, put together: what `volary serve` and `volary run` start.
//
//   ServeOptions o;
//   o.session.sinks.push_back(&recorder);           // sees every tick and event
//   auto service = serve_world(def, std::move(o));  // listening and running, or an error
//   fmt::print("{}\n", service.value()->url());
//   while (!service.value()->live().wait_finished(0.1)) { ... }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "server/api.hpp"
#include "server/live.hpp"
#include "server/server.hpp"

namespace volary::server {

// Somebody in this program who hears what clients hear, at a rate of its own. Called on the thread that steps: it must not block.
struct Listener {
  double rate = 30;  // Hz, of frames
  LiveView view = LiveView::Committed;
  std::function<void(const std::vector<Outgoing>&)> messages;
  std::function<void(const std::shared_ptr<const Frame>&)> frame;
};
// what a listener wants of a live world that no server serves
Outlet outlet_of(const Listener& listener);

struct ServeOptions {
  std::string address = "127.0.0.1";
  unsigned short port = 8642;  // 0: any
  bool only_this_port = false;  // false: the next free one when it is taken
  std::string token, view_token;  // empty: none; needed for any address but loopback
  std::vector<std::string> origins;  // further pages that may act
  bool is_framed = false;            // notebooks on this machine may show the page in a frame
  std::string page, openapi;         // folder, file
  std::string version = "0";
  ScenarioFolders scenarios;
  RunStore runs;
  SessionOptions session;  // `load` is filled in from the scenario folders when it is empty
  ServerLimits limits;
  std::optional<Listener> listener;
};

class Service {
 public:
  ~Service();
  std::string url() const;          // to print
  std::string url_with_token() const;  // the same with #token=, for whoever may know it
  Live& live() { return *live_; }
  Server& server() { return *server_; }
  void stop();

 private:
  friend core::Result<std::unique_ptr<Service>> serve_world(const WorldDef& def, ServeOptions options);
  Service() = default;
  std::string token_;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<Live> live_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Api> api_;
};

// refuses an address that others can reach when there is no token
core::Status check_exposure(const ServeOptions& options);

core::Result<std::unique_ptr<Service>> serve_world(const WorldDef& def, ServeOptions options);

// ---------------------------------------------------------------- for `volary bench`

struct StreamFigures {
  std::size_t vehicles = 0, clients = 0;
  double rate = 0, seconds = 0;          // Hz, s
  double bytes_per_vehicle = 0;          // of a frame, header included
  double encode_us = 0;                  // one frame
  double encode_share = 0, network_share = 0, share_of_core = 0;  // of one core: encoding, sending, both
  double frames_per_client = 0;          // a second, the slowest of the clients that read
  double skipped = 0;                    // frames a second that clients did not get: those that do not read, or not fast enough
};
// real sockets on loopback: `clients` that read and, when asked, one more that never does
core::Result<StreamFigures> measure_stream(const WorldDef& def, std::size_t clients, double rate, double seconds, bool with_stalled);

}  // namespace volary::server
