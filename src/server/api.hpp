// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// REST, as schema/openapi.json describes it, and the files of the page. No sockets here: a request in, a response out.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "server/action.hpp"
#include "server/http.hpp"
#include "server/scenarios.hpp"
#include "server/token.hpp"

namespace volary::server {

class Session;

// recorded runs belong to others: whoever puts the program together fills this in; what is empty is not offered
struct RunStore {
  std::function<core::Result<std::string>(const std::string& search)> list;  // JSON, a list
  std::function<core::Result<std::string>(const std::string& id)> get;       // JSON, an object
  std::function<core::Status(const std::string& id)> remove;
  std::function<core::Result<std::string>(const std::string& id, const std::vector<std::string>& tags)> tag;  // instead of those it has; answers as get
  std::function<core::Result<std::string>(const std::string& id)> file;      // path of the recording
};

struct ApiOptions {
  Site site;
  std::string version = "0";
  std::string page;     // folder of the built page; empty: none
  std::string openapi;  // path of openapi.json; empty: none
  ScenarioFolders scenarios;
  RunStore runs;
};

// the answer to a request that must not be looked at any further: a foreign host or origin
std::optional<Response> refuse_stranger(const Request& request, const Site& site, bool is_websocket);

class Api {
 public:
  using Done = std::function<void(Response)>;
  // does a command, and answers with what the status is afterwards
  using Act = std::function<void(Action, std::function<void(core::Status, std::string)>)>;
  // what a function says of the live world, without doing anything
  using Look = std::function<void(std::function<core::Result<std::string>(Session&)>, std::function<void(core::Result<std::string>)>)>;

  Api(ApiOptions options, Gate& gate, Act act, Look look) : options_(std::move(options)), gate_(gate), act_(std::move(act)), look_(std::move(look)) {}

  // `done` is called once, perhaps later and from another thread
  void handle(const Request& request, const Done& done);

  // what a request may bring along, told from its header alone: a picture may be large, from whoever may save it
  std::size_t most_bytes(const Request& head, std::size_t otherwise);

  // every method and path there is, as the description writes them
  static std::vector<std::pair<std::string, std::string>> routes();

 private:
  struct Route {
    std::string_view method, path;
    Scope needs;
    Response (Api::*now)(const Request&, const Target&) = nullptr;
    void (Api::*later)(const Request&, const Target&, const Done&) = nullptr;
  };
  static const std::vector<Route>& table();

  Response version(const Request& request, const Target& target);
  Response description(const Request& request, const Target& target);
  Response schema(const Request& request, const Target& target);
  Response login(const Request& request, const Target& target);
  Response airframes(const Request& request, const Target& target);
  Response scenarios(const Request& request, const Target& target);
  Response check(const Request& request, const Target& target);
  Response scenario(const Request& request, const Target& target);
  Response save(const Request& request, const Target& target);
  Response picture(const Request& request, const Target& target);
  Response runs(const Request& request, const Target& target);
  Response run(const Request& request, const Target& target);
  Response tag_run(const Request& request, const Target& target);
  Response remove_run(const Request& request, const Target& target);
  Response run_file(const Request& request, const Target& target);
  void status(const Request& request, const Target& target, const Done& done);
  void air(const Request& request, const Target& target, const Done& done);
  void vehicles(const Request& request, const Target& target, const Done& done);
  void senses(const Request& request, const Target& target, const Done& done);
  void contacts(const Request& request, const Target& target, const Done& done);
  void tasks(const Request& request, const Target& target, const Done& done);
  void nodes(const Request& request, const Target& target, const Done& done);
  void autopilots(const Request& request, const Target& target, const Done& done);
  void command(const Request& request, const Target& target, const Done& done);
  Response page(const Request& request, const Target& target);
  core::Result<std::string> find_run(const Target& target) const;

  ApiOptions options_;
  Gate& gate_;
  Act act_;
  Look look_;
  std::mutex mutex_;
  double login_tokens_ = 10, login_time_ = 0;  // wrong logins that are still allowed now
};

}  // namespace volary::server
