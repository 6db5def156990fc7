// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sockets: HTTP and WebSocket on one port. One thread moves bytes, one answers requests, and neither ever waits for a
// client: a client that does not read gets fewer frames, and at last none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "server/api.hpp"
#include "server/session.hpp"

namespace volary::server {

// what streams need of a live world; all of it may answer from another thread
struct StreamSource {
  std::function<void(std::uint32_t client, Scope scope, std::function<void(Welcome)> reply)> join;
  std::function<void(std::uint32_t client)> leave;
  std::function<void(std::uint32_t client, WantMessage message)> want;
  std::function<void(std::uint32_t client, Action action, std::function<void(core::Status)> reply)> act;
  std::function<void(std::uint32_t client, ControlMessage message, std::function<void(core::Status)> reply)> control;
  std::function<void(std::vector<std::pair<double, LiveView>> rates)> set_rates;
};

struct ServerLimits {
  std::size_t connections = 64;
  std::size_t header_bytes = 16u << 10, body_bytes = 1u << 20;
  double request_seconds = 30;    // for a whole request to arrive, and between two
  double upload_seconds = 120;    // for a picture to arrive
  double response_seconds = 60;   // for a client to take a piece of an answer
  double stream_idle_seconds = 30;
  std::size_t queued_texts = 2000, queued_bytes = 64u << 20;  // of one client that does not read
};

class Server {
 public:
  // listens on the address and port of the site, the next free port after it when `other_ports`
  static core::Result<std::unique_ptr<Server>> open(Site site, ServerLimits limits, bool other_ports);
  ~Server();  // stops

  const Site& site() const;  // with the port that was found
  std::string url() const;   // http://127.0.0.1:8642/
  void start(Api& api, Gate& gate, StreamSource source);
  void stop();

  // from any thread
  void send(std::vector<Outgoing> messages);
  void offer(std::shared_ptr<const Frame> frame, double now);

  struct Counters {
    std::uint64_t connections = 0, refused = 0, streams = 0, frames_sent = 0, frames_skipped = 0, texts_dropped = 0, bytes_sent = 0;
  };
  Counters counters() const;
  double network_cpu_seconds() const;  // of the thread that moves bytes

  struct Impl;

 private:
  Server();
  std::unique_ptr<Impl> impl_;
};

}  // namespace volary::server
