// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/service.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace volary::server {

core::Status check_exposure(const ServeOptions& o) {
  if (is_loopback(o.address) || !o.token.empty()) return core::ok();
  return core::Error{.message = "--address " + o.address + ": others could reach this server, and it has no token; TLS is not offered yet",
                     .suggestion = "add --token-file FILE or --token, and use it only in a network you trust, or through ssh -L"};
}

Outlet outlet_of(const Listener& listener) {
  Outlet outlet;
  outlet.messages = [listener](const std::vector<Outgoing>& messages) { listener.messages(messages); };
  outlet.frame = [listener, last = std::int64_t{0}](const std::shared_ptr<const Frame>& frame, double now) mutable {
    // clients that want the same view more often have beats of their own
    const std::int64_t beat = beat_of(now, listener.rate);
    if (frame->view != listener.view || beat <= last) return;
    last = beat;
    listener.frame(frame);
  };
  return outlet;
}

namespace {

// what goes out over the sockets, and to a listener before that
Outlet outlet_of(Server* out, const std::optional<Listener>& listener) {
  Outlet own = listener ? outlet_of(*listener) : Outlet{};
  Outlet both;
  both.messages = [out, own](std::vector<Outgoing> messages) {
    if (own.messages) own.messages(messages);
    out->send(std::move(messages));
  };
  both.frame = [out, own](std::shared_ptr<const Frame> frame, double now) {
    if (own.frame) own.frame(frame, now);
    out->offer(std::move(frame), now);
  };
  return both;
}

}  // namespace

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

  core::Result<std::unique_ptr<Server>> server = Server::open({o.address, o.port, o.origins, o.is_framed}, o.limits, !o.only_this_port);
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
  live->set_outlet(outlet_of(out, o.listener));
  StreamSource source;
  source.join = [live](std::uint32_t client, Scope scope, std::function<void(Welcome)> reply) { live->join(client, scope, std::move(reply)); };
  source.leave = [live](std::uint32_t client) { live->leave(client); };
  source.want = [live](std::uint32_t client, WantMessage m) { live->want(client, std::move(m)); };
  source.act = [live](std::uint32_t client, Action action, std::function<void(core::Status)> reply) {
    live->act(client, std::move(action), [reply = std::move(reply)](core::Status done, const std::string&) { reply(std::move(done)); });
  };
  source.control = [live](std::uint32_t client, ControlMessage m, std::function<void(core::Status)> reply) { live->control(client, m, std::move(reply)); };
  using Rates = std::vector<std::pair<double, LiveView>>;
  const Rates heard = o.listener ? Rates{{o.listener->rate, o.listener->view}} : Rates{};
  source.set_rates = [live, heard](Rates rates) {
    for (const auto& one : heard)
      if (std::find(rates.begin(), rates.end(), one) == rates.end()) rates.push_back(one);
    live->set_rates(std::move(rates));
  };
  source.set_rates({});
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
