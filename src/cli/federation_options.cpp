// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_options.hpp"

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstring>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/federation_invitation.hpp"
#include "cluster/transport/impaired.hpp"
#include "core/scratch_folder.hpp"
#include "math/hash.hpp"

namespace volary::cli {

void add_broker_options(CLI::App& c, BrokerOptionsCli& o) {
  c.add_option("--broker", o.address, "HOST:PORT of an MQTT broker");
  c.add_option("--user", o.user, "account at the broker; default: the name of this process in the federation");
  c.add_option("--password-file", o.password_file, "file whose first line is the password of the account; only its owner may read it");
  c.add_option("--ca", o.ca_file, "PEM file of trusted certificates; with it the connection uses TLS");
  c.add_option("--certificate", o.certificate_file, "PEM file of the certificate of this process, where the broker asks for one");
  c.add_option("--key", o.key_file, "PEM file of the key of the certificate");
}

void add_impairment_options(CLI::App& c, cluster::ImpairmentOptions& o) {
  c.add_option("--loss", o.loss, "share of messages that never arrive, from 0 to 0.999")->group("Impairment of the network");
  c.add_option("--delay", o.delay, "mean delay of a message in seconds")->group("Impairment of the network");
  c.add_option("--jitter", o.jitter, "largest deviation of the delay in seconds")->group("Impairment of the network");
  c.add_option("--duplicate", o.duplicate, "share of messages that arrive twice")->group("Impairment of the network");
  c.add_option("--reorder", o.reorder, "share of messages that later messages overtake")->group("Impairment of the network");
  c.add_option("--impair-seed", o.seed, "seed of the impairment")->group("Impairment of the network")->capture_default_str();
}

bool is_impaired(const cluster::ImpairmentOptions& o) { return o.loss > 0 || o.delay > 0 || o.jitter > 0 || o.duplicate > 0 || o.reorder > 0; }

std::vector<std::string> impairment_arguments(const cluster::ImpairmentOptions& o) {
  if (!is_impaired(o)) return {};
  return {"--loss",      fmt::format("{}", o.loss),      "--delay",   fmt::format("{}", o.delay),   "--jitter",      fmt::format("{}", o.jitter),
          "--duplicate", fmt::format("{}", o.duplicate), "--reorder", fmt::format("{}", o.reorder), "--impair-seed", std::to_string(o.seed)};
}

void accept(const Invitation& i, Connection& c) {
  const auto take = [](std::string& value, const std::string& offered) {
    if (value.empty()) value = offered;
  };
  take(c.broker.address, i.address), take(c.federation, i.federation), take(c.account, i.account), take(c.password, i.password), take(c.ca, i.ca);
}

namespace {
// the library reads certificates from a file, again for every connection
core::Result<std::string> file_of_certificates(const std::string& text) {
  static core::ScratchFolder folder;
  static int n = 0;
  const std::string path = folder.file(fmt::format("ca{}.crt", n++));
  if (const core::Status done = write_private(path, text); !done) return done.error();
  return path;
}
}  // namespace

core::Result<std::unique_ptr<cluster::Transport>> connect_to(const Connection& c) {
  if (const core::Status good = cluster::check_impairment(c.impairment); !good) return good.error();
  auto address = cluster::parse_host_port(c.broker.address, 1883, "--broker");
  if (!address) return address.error();
  cluster::MqttOptions m{.broker = std::move(address).value()};
  static std::atomic<int> made = 0;  // a process may have several
  m.client_id = fmt::format("{}-{}-{}-{}", c.federation, c.account, ::getpid(), made++);
  m.user = c.broker.user.empty() ? c.account : c.broker.user;
  m.password = c.password;
  m.ca_file = c.broker.ca_file, m.certificate_file = c.broker.certificate_file, m.key_file = c.broker.key_file;
  if (m.ca_file.empty() && !c.ca.empty()) {
    auto file = file_of_certificates(c.ca);
    if (!file) return file.error();
    m.ca_file = std::move(file).value();
  }
  if (!c.broker.password_file.empty()) {
    auto password = cluster::read_secret_file(c.broker.password_file, "--password-file");
    if (!password) return password.error();
    m.password = std::move(password).value();
  }
  auto transport = cluster::connect_mqtt(std::move(m));
  if (!transport || !is_impaired(c.impairment)) return transport;
  return std::unique_ptr<cluster::Transport>(std::make_unique<cluster::ImpairedTransport>(std::move(transport).value(), c.impairment, c.link));
}

std::uint64_t build_number() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  std::vector<char> part(std::size_t{1} << 20);
  std::uint64_t h = 0;
  while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
    const auto n = static_cast<std::size_t>(in.gcount());
    for (std::size_t at = 0; at < n; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, part.data() + at, std::min<std::size_t>(8, n - at));
      h = math::mix64(h ^ word);
    }
  }
  return h;
}

}  // namespace volary::cli
