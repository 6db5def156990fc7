// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mqtt.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cluster/transport/mqtt_client.hpp"

namespace volary::cluster {

namespace {

core::Status check_file(const std::string& path, std::string_view field) {
  if (path.empty()) return core::ok();
  if (!std::ifstream(path)) return core::Error{.message = "the file cannot be read", .file = path, .field = std::string(field)};
  return core::ok();
}

core::Status check_options(const MqttOptions& o) {
  if (o.broker.host.empty()) return core::Error{.message = "no broker is named", .field = "broker", .suggestion = "write HOST:PORT"};
  if (o.version != 4 && o.version != 5)
    return core::Error{.message = fmt::format("{} is no version of MQTT: 5, or 4 for MQTT 3.1.1", o.version), .field = "version"};
  if (o.keep_alive_s < 5 || o.keep_alive_s > 65535)
    return core::Error{.message = fmt::format("{} s is out of range: 5 to 65535 s", o.keep_alive_s), .field = "keep_alive"};
  if (o.certificate_file.empty() != o.key_file.empty()) return core::Error{.message = "a certificate and its key belong together", .field = "certificate"};
  if (o.ca_file.empty() && !o.certificate_file.empty())
    return core::Error{.message = "a certificate is used with TLS only", .field = "certificate", .suggestion = "name the certificates to trust: ca_file"};
  if (!o.password.empty() && o.user.empty()) return core::Error{.message = "a password needs a user name", .field = "user"};
  if (o.will && !is_topic(o.will->topic)) return core::Error{.message = fmt::format("\"{}\" is no topic", o.will->topic), .field = "will"};
  if (o.will && o.will->bytes.size() > o.max_message) return core::Error{.message = "the message is larger than the largest message", .field = "will"};
  for (const auto& [path, field] : {std::pair(&o.ca_file, "ca_file"), std::pair(&o.certificate_file, "certificate_file"), std::pair(&o.key_file, "key_file")})
    if (const core::Status s = check_file(*path, field); !s) return s;
  return core::ok();
}

}  // namespace

std::string explain_library(int code, int system_error, const std::string& log) {
  switch (code) {
    case MOSQ_ERR_CONN_LOST: return "the broker closed the connection";
    case MOSQ_ERR_TLS:
    case MOSQ_ERR_TLS_HANDSHAKE:
      return fmt::format("TLS failed: {}", log.empty() ? "the broker's certificate is not one that ca_file vouches for, or the broker speaks no TLS" : log);
    case MOSQ_ERR_ERRNO: return fmt::format("the connection failed: {}", std::strerror(system_error));
    case MOSQ_ERR_KEEPALIVE: return "the broker did not answer within the keep-alive time";
    case MOSQ_ERR_PROTOCOL:
    case MOSQ_ERR_MALFORMED_PACKET: return "the server does not speak MQTT, or broke its rules";
    default: return fmt::format("{}{}{}", mosquitto_strerror(code), log.empty() ? "" : ": ", log);
  }
}

std::string explain_refusal(int reason, int version, const MqttOptions& options) {
  // MQTT 3.1.1 has answers of its own
  const bool is_password = version == 5 ? reason == MQTT_RC_BAD_USERNAME_OR_PASSWORD : reason == 4;
  const bool is_forbidden = version == 5 ? reason == MQTT_RC_NOT_AUTHORIZED : reason == 5;
  if (is_password || is_forbidden) {
    if (options.user.empty()) return "the broker wants a user name and a password";
    return fmt::format("the broker does not accept user \"{}\" with this password", options.user);
  }
  if (version == 5 && reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION) return "the broker does not speak MQTT 5: use version 4 (MQTT 3.1.1)";
  return fmt::format("the broker refused the connection: {}", version == 5 ? mosquitto_reason_string(reason) : mosquitto_connack_string(reason));
}

core::Result<std::unique_ptr<Transport>> connect_mqtt(MqttOptions options) {
  if (const core::Status s = check_options(options); !s) return s.error();
  auto client = std::make_unique<MqttClient>(std::move(options));
  if (const core::Status s = client->prepare(); !s) return s.error();
  if (const core::Status s = client->start(); !s) return s.error();
  return std::unique_ptr<Transport>(std::move(client));
}

core::Status check_private(const std::string& path, std::string_view field) {
  struct stat s{};
  if (::stat(path.c_str(), &s) != 0) return core::Error{.message = "the file cannot be read", .file = path, .field = std::string(field)};
  if ((s.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return core::Error{.message = "other users may read this file of a secret", .file = path, .field = std::string(field), .suggestion = "chmod 600 " + path};
  return core::ok();
}

core::Result<std::string> read_secret_file(const std::string& path, std::string_view field) {
  if (const core::Status s = check_private(path, field); !s) return s.error();
  std::ifstream in(path);
  std::string secret;
  std::getline(in, secret);
  if (!secret.empty() && secret.back() == '\r') secret.pop_back();
  if (secret.empty() || secret.size() > 1024)
    return core::Error{.message = "the first line must hold 1 to 1024 characters", .file = path, .field = std::string(field)};
  return secret;
}

}  // namespace volary::cluster
