// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker_files.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace volary::cluster {

namespace {
std::string lines(std::initializer_list<std::string> all) {
  std::string out;
  for (const std::string& line : all) out += line + "\n";
  return out;
}

// what both kinds of broker share
std::string common_config(const std::string& folder, const BrokerLimits& limits) {
  return lines({
      "allow_anonymous false",
      fmt::format("password_file {}/passwords", folder),
      fmt::format("acl_file {}/acl", folder),
      "# nothing is kept on the disk: the coordinator publishes again what matters",
      "persistence false",
      "sys_interval 0",
      "set_tcp_nodelay true",
      "max_inflight_messages 0",
      fmt::format("max_queued_messages {}", limits.max_queued_messages),
      fmt::format("max_packet_size {}", limits.max_packet),
      fmt::format("memory_limit {}", limits.memory),
      "log_dest stderr",
      "log_type error",
      "log_type warning",
  });
}
}  // namespace

core::Status check_federation_id(std::string_view federation) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (!federation.empty() && federation.size() <= 64 && std::all_of(federation.begin(), federation.end(), is_plain)) return core::ok();
  return core::Error{
      .message = fmt::format("\"{}\" is no name of a federation", federation), .field = "federation", .suggestion = "use 1 to 64 letters, digits, '-' and '_'"};
}

std::string acl_text(std::string_view federation) {
  const std::string topics = fmt::format("sw/{}", federation);
  return lines({
      fmt::format("user {}", kCoordinatorAccount),
      fmt::format("topic readwrite {}/#", topics),
      "",
      "# it only reads",
      fmt::format("user {}", kViewAccount),
      fmt::format("topic deny {}/+/{}", topics, kViewAccount),
      fmt::format("topic deny {}/+/{}/#", topics, kViewAccount),
      "",
      "# %u is the account's name; patterns hold for every account",
      fmt::format("pattern read {}/#", topics),
      fmt::format("pattern write {}/+/%u", topics),
      fmt::format("pattern write {}/+/%u/#", topics),
  });
}

std::string loopback_config(int port, const std::string& folder, const BrokerLimits& limits) {
  return lines({"# written by Volary for one federation on this machine", fmt::format("listener {} 127.0.0.1", port)}) + common_config(folder, limits);
}

std::string network_config(int port, int network_port, const std::string& bind, const std::string& folder, const BrokerLimits& limits) {
  return lines({
             "# written by Volary for one federation on several machines",
             fmt::format("listener {} 127.0.0.1", port),
             fmt::format("listener {} {}", network_port, bind),
             fmt::format("cafile {}/broker.crt", folder),
             fmt::format("certfile {}/broker.crt", folder),
             fmt::format("keyfile {}/broker.key", folder),
             "tls_version tlsv1.2",
         }) +
         common_config(folder, limits);
}

std::string remote_config(int port, const std::string& bind, const std::string& folder, const BrokerLimits& limits) {
  return lines({
             "# a broker for federations over several machines",
             fmt::format("listener {}{}", port, bind.empty() ? "" : " " + bind),
             fmt::format("cafile {}/ca.crt", folder),
             fmt::format("certfile {}/broker.crt", folder),
             fmt::format("keyfile {}/broker.key", folder),
             "tls_version tlsv1.2",
             "require_certificate true",
         }) +
         common_config(folder, limits);
}

}  // namespace volary::cluster
