// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Messages over an MQTT broker. One thread reads and keeps the connection; publish writes to the socket in the caller's own thread,
// which saves a change of threads per message. A connection that breaks is tried again after 50 ms, then later and later up to 2 s,
// with jitter. Messages at quality 1 wait for it, bounded; messages at quality 0 are dropped meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cluster/transport/address.hpp"
#include "cluster/transport/transport.hpp"

namespace volary::cluster {

struct MqttOptions {
  HostPort broker = {.host = "127.0.0.1", .port = 1883};
  std::string client_id = {};  // two clients of one broker never share one: the broker would close the older connection
  std::string user = {}, password = {};
  // TLS where ca_file is set: the certificates we trust; ours with its key where the broker wants one (PEM files)
  std::string ca_file = {}, certificate_file = {}, key_file = {};
  int version = 5;            // of MQTT: 5, or 4 for MQTT 3.1.1
  int keep_alive_s = 5;       // the smallest that the library takes; death of nodes is noticed by the protocol, not by this
  std::size_t max_message = kMaxMessage;
  QueueLimits queue = {};
  std::size_t max_pending = 1024;           // messages not yet written, or at quality 1 not yet confirmed; further ones are dropped
  std::size_t max_pending_bytes = 16u << 20;
  std::optional<Will> will = {};
  std::int64_t connect_timeout_ns = 3'000'000'000;
};

// Returns when the broker has accepted the connection, or says why it has not: unknown host, refused connection, wrong password, failed TLS.
core::Result<std::unique_ptr<Transport>> connect_mqtt(MqttOptions options);

// whether a file is there and only its owner may read it; the error names `field`
core::Status check_private(const std::string& path, std::string_view field);
// the first line of a file that only its owner may read; the error names `field`
core::Result<std::string> read_secret_file(const std::string& path, std::string_view field);

}  // namespace volary::cluster
