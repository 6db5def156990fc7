// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A Mosquitto of our own for one federation: on a free port of 127.0.0.1, with accounts made for it, ended together with us. Where other machines take part it listens
// at an address of the network, too, with TLS and a certificate made for it.
#pragma once

#include <memory>
#include <string>

#include "cluster/transport/address.hpp"
#include "cluster/transport/broker_files.hpp"
#include "cluster/transport/certificates.hpp"
#include "core/child_process.hpp"
#include "core/scratch_folder.hpp"

namespace volary::cluster {

struct BrokerOptions {
  std::string federation = "local";
  int nodes = 64;                     // accounts "0" to "nodes - 1", beside "coordinator", "operator" and "view"
  std::string program = "mosquitto";  // looked for in PATH and in the administrators' folders
  std::string installer = {};         // tools/install_broker.sh: run when the program is missing; empty: refuse
  BrokerLimits limits = {};
  HostPort network = {};              // where other machines reach it; no host: nowhere
};

struct Account {
  std::string user, password;
};

class Broker {
 public:
  // returns when the broker answers
  static core::Result<std::unique_ptr<Broker>> start(BrokerOptions options);
  ~Broker() { stop(); }

  const HostPort& address() const { return address_; }
  const HostPort& network() const { return options_.network; }
  const std::string& certificate() const { return certificate_.certificate; }  // PEM; what clients on other machines must trust
  // Passwords differ by account and come from one random secret that stays here: a node that knows its own cannot pose as another.
  Account account(std::string_view user) const;
  Account coordinator() const { return account(kCoordinatorAccount); }
  Account view() const { return account(kViewAccount); }
  Account operator_() const { return account(kOperatorAccount); }
  Account node(int id) const;

  bool is_running() const { return process_ && process_->is_running(); }
  pid_t pid() const { return process_ ? process_->pid() : -1; }
  std::string log() const;  // the end of what it wrote
  void stop();
  // begins again at the same port with the same accounts, for one that died
  core::Status restart();

 private:
  explicit Broker(BrokerOptions options) : options_(std::move(options)) {}
  core::Status write_files();
  core::Status launch();
  core::Status await_answer();

  BrokerOptions options_;
  std::string program_, secret_;
  Certificate certificate_;
  HostPort address_ = {.host = "127.0.0.1", .port = 0};
  core::ScratchFolder folder_;
  std::unique_ptr<core::ChildProcess> process_;
};

// the whole path of the broker's program; installs it where it is missing and an installer is given
core::Result<std::string> find_broker_program(const std::string& program, const std::string& installer);
// without installing
bool has_broker_program();

}  // namespace volary::cluster
