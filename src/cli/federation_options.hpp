// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `volary federation` and `volary node` have in common: the way to the broker, and a network that is made worse on purpose.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cluster/impairment.hpp"
#include "cluster/transport/mqtt.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct BrokerOptionsCli {
  std::string address;  // empty: a broker of one's own
  std::string user, password_file, ca_file, certificate_file, key_file;
};
struct Invitation;
void add_broker_options(CLI::App& command, BrokerOptionsCli& options);

void add_impairment_options(CLI::App& command, cluster::ImpairmentOptions& options);
bool is_impaired(const cluster::ImpairmentOptions& options);
// the same again, for the command line of another process
std::vector<std::string> impairment_arguments(const cluster::ImpairmentOptions& options);

// a connection to the broker under an account; `link` tells the draws of the processes apart
struct Connection {
  BrokerOptionsCli broker = {};
  std::string federation = {}, account = {}, password = {};
  std::string ca = {};  // certificates to trust, as PEM text, where no file is named
  cluster::ImpairmentOptions impairment = {};
  std::uint64_t link = 0;
};
// takes from an invitation what was not said otherwise
void accept(const Invitation& invitation, Connection& c);
core::Result<std::unique_ptr<cluster::Transport>> connect_to(const Connection& c);

// equal in all processes that may share a world: made of the bytes of this program
std::uint64_t build_number();

}  // namespace volary::cli
