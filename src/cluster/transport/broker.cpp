// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "cluster/transport/mqtt.hpp"
#include "cluster/transport/secrets.hpp"

namespace volary::cluster {

namespace {

constexpr int kMostNodes = 4096;
constexpr int kPortAttempts = 5;
constexpr std::int64_t kStartPatience = 10'000'000'000, kInstallPatience = 600'000'000'000;
constexpr std::size_t kLogShown = 4000;

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path); }

std::string look_for(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_program(program) ? program : std::string();
  const char* path = std::getenv("PATH");
  // an ordinary user's PATH may lack the administrators' folders
  std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/local/sbin:/usr/sbin:/sbin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_program(folder + "/" + program)) return folder + "/" + program;
  return {};
}

// root does not run a broker as root; Debian's package has made a user for it. Empty: as who we are.
std::string service_user() {
  if (::geteuid() != 0) return {};
  return ::getpwnam("mosquitto") != nullptr ? "mosquitto" : "nobody";
}

core::Status write_private(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out || ::chmod(path.c_str(), 0600) != 0) return core::Error{.message = fmt::format("cannot be written: {}", std::strerror(errno)), .file = path};
  return core::ok();
}

core::Status give_to_service_user(const std::string& path) {
  const std::string user = service_user();
  if (user.empty()) return core::ok();
  const passwd* entry = ::getpwnam(user.c_str());
  if (entry == nullptr || ::chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0)
    return core::Error{.message = fmt::format("cannot be given to user {}: {}", user, std::strerror(errno)), .file = path};
  return core::ok();
}

}  // namespace

bool has_broker_program() { return !look_for("mosquitto").empty(); }

core::Result<std::string> find_broker_program(const std::string& program, const std::string& installer) {
  if (std::string found = look_for(program); !found.empty()) return found;
  if (installer.empty())
    return core::Error{.message = fmt::format("the MQTT broker \"{}\" is not installed", program),
                       .suggestion = "run tools/install_broker.sh, or name a broker that runs already"};
  // it says what it installs and why, and may ask for a password
  auto child = core::ChildProcess::start({.command = {installer}, .own_group = false});
  if (!child) return child.error();
  child.value()->wait(kInstallPatience);
  child.value()->stop();
  if (std::string found = look_for(program); !found.empty() && child.value()->exit_status() == 0) return found;
  return core::Error{.message = fmt::format("the MQTT broker \"{}\" could not be installed ({}); the reason is above", program, child.value()->exit_text()),
                     .suggestion = "install the package mosquitto by hand, or name a broker that runs already"};
}

Account Broker::account(std::string_view user) const {
  return {.user = std::string(user), .password = hexadecimal(keyed_digest(secret_, fmt::format("volary broker account {}", user)))};
}
Account Broker::node(int id) const {
  core::require(id >= 0 && id < options_.nodes, "a node without an account at the broker");
  return account(std::to_string(id));
}

core::Status Broker::write_files() {
  std::string passwords;
  const auto add = [&](const Account& a) -> core::Status {
    const auto line = password_line(a.user, a.password);
    if (!line) return line.error();
    passwords += line.value();
    return core::ok();
  };
  for (const Account& a : {coordinator(), view(), operator_()})
    if (const core::Status s = add(a); !s) return s;
  for (int id = 0; id < options_.nodes; ++id)
    if (const core::Status s = add(node(id)); !s) return s;
  const HostPort& n = options_.network;
  const std::string config = n.host.empty() ? loopback_config(address_.port, folder_.path(), options_.limits)
                                            : network_config(address_.port, n.port, n.host, folder_.path(), options_.limits);
  std::vector<std::pair<const char*, std::string>> files = {{"passwords", passwords}, {"acl", acl_text(options_.federation)}, {"mosquitto.conf", config}};
  if (!n.host.empty()) files.insert(files.end(), {{"broker.crt", certificate_.certificate}, {"broker.key", certificate_.key}});
  for (const auto& [name, text] : files) {
    if (const core::Status s = write_private(folder_.file(name), text); !s) return s;
    if (const core::Status s = give_to_service_user(folder_.file(name)); !s) return s;
  }
  return give_to_service_user(folder_.path());
}

core::Status Broker::launch() {
  auto child = core::ChildProcess::start({.command = {program_, "-c", folder_.file("mosquitto.conf")}, .output_file = folder_.file("log"), .user = service_user()});
  if (!child) return child.error();
  process_ = std::move(child).value();
  return await_answer();
}

core::Status Broker::await_answer() {
  const std::int64_t until = monotonic_ns() + kStartPatience;
  std::string reason;
  while (process_->is_running() && monotonic_ns() < until) {
    const Account me = coordinator();
    // only our own broker knows this password
    auto link = connect_mqtt({.broker = address_, .user = me.user, .password = me.password, .connect_timeout_ns = 1'000'000'000});
    if (link && process_->is_running()) return core::ok();
    if (!link) reason = link.error().message;
    process_->wait(20'000'000);
  }
  const std::string state = process_->is_running() ? "it runs but does not answer: " + reason : process_->exit_text();
  process_->stop();
  return core::Error{.message = fmt::format("the broker {} did not start ({}); its log:\n{}", program_, state, log())};
}

core::Result<std::unique_ptr<Broker>> Broker::start(BrokerOptions options) {
  if (const core::Status s = check_federation_id(options.federation); !s) return s.error();
  if (options.nodes < 0 || options.nodes > kMostNodes)
    return core::Error{.message = fmt::format("{} is out of range: 0 to {} nodes", options.nodes, kMostNodes), .field = "nodes"};
  std::unique_ptr<Broker> broker(new Broker(std::move(options)));
  auto program = find_broker_program(broker->options_.program, broker->options_.installer);
  if (!program) return program.error();
  broker->program_ = std::move(program).value();
  auto secret = random_secret();
  if (!secret) return secret.error();
  broker->secret_ = std::move(secret).value();
  if (const HostPort& network = broker->network(); !network.host.empty()) {
    if (const core::Status free = can_listen(network, "network"); !free) return free.error();
    auto certificate = make_certificate(network.host);
    if (!certificate) return certificate.error();
    broker->certificate_ = std::move(certificate).value();
  }
  // a port that was free may be taken by another before the broker has it
  core::Status last = core::ok();
  for (int k = 0; k < kPortAttempts; ++k) {
    const auto port = free_loopback_port();
    if (!port) return port.error();
    broker->address_.port = port.value();
    if (const core::Status s = broker->write_files(); !s) return s.error();
    last = broker->launch();
    if (last) return broker;
    if (broker->log().find("in use") == std::string::npos) break;
  }
  return last.error();
}

core::Status Broker::restart() {
  stop();
  return launch();
}

void Broker::stop() {
  if (process_) process_->stop();
}

std::string Broker::log() const {
  std::ifstream in(folder_.file("log"), std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return text.size() > kLogShown ? "..." + text.substr(text.size() - kLogShown) : text;
}

}  // namespace volary::cluster
