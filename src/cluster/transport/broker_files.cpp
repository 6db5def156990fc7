// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker_files.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace volary::cluster {

namespace {
// what both kinds of broker share
std::string common_config(const std::string& folder, const BrokerLimits& limits) {
  return fmt::format(
      "allow_anonymous false\n"
      "password_file {0}/passwords\n"
      "acl_file {0}/acl\n"
      "# nothing is kept on the disk: the coordinator publishes again what matters\n"
      "persistence false\n"
      "sys_interval 0\n"
      "set_tcp_nodelay true\n"
      "max_inflight_messages 0\n"
      "max_queued_messages {1}\n"
      "max_packet_size {2}\n"
      "memory_limit {3}\n"
      "log_dest stderr\n"
      "log_type error\n"
      "log_type warning\n",
      folder, limits.max_queued_messages, limits.max_packet, limits.memory);
}
}  // namespace

core::Status check_federation_id(std::string_view federation) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (!federation.empty() && federation.size() <= 64 && std::all_of(federation.begin(), federation.end(), is_plain)) return core::ok();
  return core::Error{
      .message = fmt::format("\"{}\" is no name of a federation", federation), .field = "federation", .suggestion = "use 1 to 64 letters, digits, '-' and '_'"};
}

std::string acl_text(std::string_view federation) {
  return fmt::format(
      "user {1}\n"
      "topic readwrite sw/{0}/#\n"
      "\n"
      "# %u is the account's name; patterns hold for every account\n"
      "pattern read sw/{0}/#\n"
      "pattern write sw/{0}/+/%u\n"
      "pattern write sw/{0}/+/%u/#\n"
      "pattern write sw/{0}/+/+/%u\n",
      federation, kCoordinatorAccount);
}

std::string loopback_config(int port, const std::string& folder, const BrokerLimits& limits) {
  return fmt::format("# written by Volary for one federation on this machine\nlistener {} 127.0.0.1\n{}", port, common_config(folder, limits));
}

std::string remote_config(int port, const std::string& bind, const std::string& folder, const BrokerLimits& limits) {
  return fmt::format(
      "# a broker for federations over several machines\n"
      "listener {0}{3}\n"
      "cafile {1}/ca.crt\n"
      "certfile {1}/broker.crt\n"
      "keyfile {1}/broker.key\n"
      "tls_version tlsv1.2\n"
      "require_certificate true\n"
      "{2}",
      port, folder, common_config(folder, limits), bind.empty() ? "" : " " + bind);
}

}  // namespace volary::cluster
