// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/service.hpp"

#include <fmt/format.h>

namespace volary::server {

core::Status check_exposure(const ServeOptions& o) {
  if (is_loopback(o.address) || !o.token.empty()) return core::ok();
  return core::Error{.message = "--address " + o.address + ": others could reach this server, and it has no token; TLS is not offered yet",
                     .suggestion = "add --token-file FILE or --token, and use it only in a network you trust, or through ssh -L"};
}

core::Result<std::unique_ptr<Service>> serve_world(const WorldDef& def, ServeOptions o) {
  if (const core::Status good = check_exposure(o); !good) return good.error();
  if (!o.session.load)
    o.session.load = [folders = o.scenarios](const std::string& name, const std::vector<std::string>& overrides) {
      scenario::Bundle unused;
      return load_named_scenario(folders, name, overrides, unused);
    };
  o.session.version = o.version;
  std::unique_ptr<Service> s(new Service());
  s->token_ = o.token;

  core::Result<std::unique_ptr<Server>> server = Server::open({o.address, o.port, o.origins}, o.limits, !o.only_this_port);
  if (!server) return server.error();
  s->server_ = std::move(server).value();
  core::Result<std::unique_ptr<Live>> made = Live::create(def, std::move(o.session));
  if (!made) return made.error();
  s->live_ = std::move(made).value();
  s->gate_ = std::make_unique<Gate>(o.token, o.view_token, s->server_->site().port);

  Live* live = s->live_.get();
  Server* out = s->server_.get();
  ApiOptions api{out->site(), o.version, o.page, o.openapi, o.scenarios, o.runs};
  s->api_ = std::make_unique<Api>(
      std::move(api), *s->gate_, [live](Action action, Live::Reply reply) { live->act(0, std::move(action), std::move(reply)); },
      [live](std::function<core::Result<std::string>(Session&)> what, std::function<void(core::Result<std::string>)> reply) {
        live->post([what = std::move(what), reply = std::move(reply)](Session& session) { reply(what(session)); });
      });
  live->set_outlet({[out](std::vector<Outgoing> messages) { out->send(std::move(messages)); },
                  [out](std::shared_ptr<const Frame> frame, double now) { out->offer(std::move(frame), now); }});
  StreamSource source;
  source.join = [live](std::uint32_t client, Scope scope, std::function<void(Welcome)> reply) { live->join(client, scope, std::move(reply)); };
  source.leave = [live](std::uint32_t client) { live->leave(client); };
  source.want = [live](std::uint32_t client, WantMessage m) { live->want(client, std::move(m)); };
  source.act = [live](std::uint32_t client, Action action, std::function<void(core::Status)> reply) {
    live->act(client, std::move(action), [reply = std::move(reply)](core::Status done, const std::string&) { reply(std::move(done)); });
  };
  source.control = [live](std::uint32_t client, ControlMessage m, std::function<void(core::Status)> reply) { live->control(client, m, std::move(reply)); };
  source.set_rates = [live](std::vector<double> rates) { live->set_rates(std::move(rates)); };
  out->start(*s->api_, *s->gate_, std::move(source));
  live->start();
  return s;
}

Service::~Service() { stop(); }

// first the thread that speaks to the sockets, then the sockets
void Service::stop() {
  if (live_) live_->stop();
  if (server_) server_->stop();
}

std::string Service::url() const { return server_->url(); }
std::string Service::url_with_token() const { return token_.empty() ? url() : url() + "#token=" + token_; }

}  // namespace volary::server
