// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/api.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

bool reads_only(const std::string& method) { return method == "GET" || method == "HEAD"; }

Response not_allowed(const char* allowed) {
  Response r = error_response(405, std::string("this address takes ") + allowed);
  r.headers.push_back({"Allow", allowed});
  return r;
}

Response text_or_error(core::Result<std::string> result, int status_of_error) {
  return result ? json_response(std::move(result).value()) : error_response(status_of_error, result.error().text());
}

constexpr const char* kNoPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Volary</title><body><h1>Volary</h1>"
    "<p>The server is running, but its page has not been built. In the source tree: <code>cd web; npm ci; npm run build</code>. "
    "Another folder is named with <code>--page</code>.</p><p>The API is at <a href=\"/api/version\">/api/version</a>.</p></body></html>";

double steady_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

std::optional<Response> refuse_stranger(const Request& request, const Site& site, bool is_websocket) {
  const std::string_view host = request.header("host");
  if (!host_allowed(host, site)) return error_response(421, fmt::format("this server is {}:{}; the request was for another host", site.address, site.port));
  const bool acts = is_websocket || !reads_only(request.method);
  if (acts && !origin_allowed(request.header("origin"), host, site)) return error_response(403, "a page of another origin may not act here");
  return std::nullopt;
}

void Api::handle(const Request& request, const Done& done) {
  if (auto refused = refuse_stranger(request, options_.site, false)) return done(std::move(*refused));
  const core::Result<Target> target = parse_target(request.target);
  if (!target) return done(error_response(400, target.error().text()));
  const std::vector<std::string>& s = target.value().segments;
  const bool is_api = !s.empty() && s[0] == "api";
  if (!is_api) return done(reads_only(request.method) ? page(request, target.value()) : not_allowed("GET, HEAD"));
  if (target.value().path() == "/api/login") return done(request.method == "POST" ? login(request) : not_allowed("POST"));

  const Scope scope = gate_.scope_of(request);
  if (scope == Scope::None) {
    Response r = error_response(401, "a token is needed: 'Authorization: Bearer TOKEN', or open the address with #token=TOKEN");
    r.headers.push_back({"WWW-Authenticate", "Bearer"});
    return done(std::move(r));
  }
  const bool only_checks = target.value().path() == "/api/scenarios/check";
  if (scope == Scope::View && !reads_only(request.method) && !only_checks) return done(error_response(403, "this token may only look"));
  if (s.size() >= 2 && s[1] == "live") return live(request, target.value(), done);
  done(answer(request, target.value()));
}

Response Api::answer(const Request& request, const Target& target) {
  const std::string path = target.path();
  if (path.starts_with("/api/scenarios")) return scenarios(request, target);
  if (path.starts_with("/api/runs")) return runs(request, target);
  const bool known = path == "/api/version" || path == "/api/openapi.json" || path == "/api/schema" || path == "/api/airframes";
  if (!known) return error_response(404, "no such address: " + path.substr(0, 200));
  if (!reads_only(request.method)) return not_allowed("GET, HEAD");
  if (path == "/api/version") return json_response(dump(Json{{"name", "volary"}, {"version", options_.version}, {"wire", wire::kVersion}}));
  if (path == "/api/schema") return json_response(all_schemas());
  if (path == "/api/airframes") return json_response(list_airframes(options_.scenarios));
  if (options_.openapi.empty()) return error_response(404, "the description of this API is not installed");
  return serve_download(request, options_.openapi, "application/json; charset=utf-8");
}

Response Api::login(const Request& request) {
  {
    // ten wrong tokens at once, then one a second: a token cannot be guessed, but nobody should try
    const std::lock_guard lock(mutex_);
    const double now = steady_now();
    login_tokens_ = std::min(10.0, login_tokens_ + (now - login_time_));
    login_time_ = now;
    if (login_tokens_ < 1) return error_response(429, "too many wrong tokens; wait a few seconds");
  }
  const core::Result<Json> body = parse_json(request.body);
  if (!body || !body.value().is_object() || !body.value().contains("token") || !body.value()["token"].is_string())
    return error_response(400, "the body must be {\"token\": \"...\"}");
  const core::Result<std::string> cookie = gate_.login(body.value()["token"].get<std::string>());
  if (!cookie) {
    const std::lock_guard lock(mutex_);
    login_tokens_ -= 1;
    return error_response(401, cookie.error().text());
  }
  Response r = json_response("{\"ok\":true}");
  r.headers.push_back({"Set-Cookie", cookie.value()});
  return r;
}

Response Api::scenarios(const Request& request, const Target& target) {
  const std::vector<std::string>& s = target.segments;
  if (s.size() == 2) return reads_only(request.method) ? json_response(list_scenarios(options_.scenarios)) : not_allowed("GET, HEAD");
  if (s.size() != 3) return error_response(404, "no such address");
  if (s[2] == "check") return request.method == "POST" ? json_response(check_scenario(options_.scenarios, request.body)) : not_allowed("POST");
  if (request.method == "PUT") return text_or_error(save_scenario(options_.scenarios, s[2], request.body), 409);
  if (!reads_only(request.method)) return not_allowed("GET, HEAD, PUT");
  core::Result<std::string> text = read_scenario(options_.scenarios, s[2]);
  if (!text) return error_response(404, text.error().text());
  Response r = json_response(std::move(text).value());
  r.type = "text/yaml; charset=utf-8";
  return r;
}

Response Api::runs(const Request& request, const Target& target) {
  const std::vector<std::string>& s = target.segments;
  const RunStore& store = options_.runs;
  if (s.size() == 2) {
    if (!reads_only(request.method)) return not_allowed("GET, HEAD");
    return store.list ? text_or_error(store.list(std::string(target.value("search"))), 500) : json_response("[]");
  }
  if (s.size() > 4 || !is_run_id(s[2])) return error_response(404, "no such run");
  if (s.size() == 4) {
    if (s[3] != "file") return error_response(404, "no such address");
    if (!reads_only(request.method)) return not_allowed("GET, HEAD");
    const core::Result<std::string> path = store.file ? store.file(s[2]) : core::Error{.message = "this server keeps no runs"};
    return path ? serve_download(request, path.value(), "application/octet-stream") : error_response(404, path.error().text());
  }
  if (request.method == "DELETE") {
    const core::Status removed = store.remove ? store.remove(s[2]) : core::Error{.message = "this server keeps no runs"};
    return removed ? json_response("{\"ok\":true}") : error_response(404, removed.error().text());
  }
  if (!reads_only(request.method)) return not_allowed("GET, HEAD, DELETE");
  return text_or_error(store.get ? store.get(s[2]) : core::Error{.message = "this server keeps no runs"}, 404);
}

void Api::live(const Request& request, const Target& target, const Done& done) {
  const std::vector<std::string>& s = target.segments;
  if (s.size() == 2) {
    if (!reads_only(request.method)) return done(not_allowed("GET, HEAD"));
    return look_([done](std::string status) { done(json_response(std::move(status))); });
  }
  if (s.size() != 3) return done(error_response(404, "no such address"));
  if (request.method != "POST") return done(not_allowed("POST"));
  core::Result<Json> args = request.body.empty() ? core::Result<Json>(Json::object()) : parse_json(request.body);
  if (!args) return done(error_response(400, args.error().text()));
  const core::Result<Action> action = parse_action(s[2], args.value());
  if (!action) return done(error_response(action.error().message.starts_with("unknown command") ? 404 : 400, action.error().text()));
  act_(action.value(),
       [done](core::Status status, std::string text) { done(status ? json_response(std::move(text)) : error_response(409, status.error().text())); });
}

Response Api::page(const Request& request, const Target& target) {
  Target file = target;
  if (file.segments.empty() || file.is_folder) file.segments.push_back("index.html");
  const bool is_index = file.segments.size() == 1 && file.segments[0] == "index.html";
  const core::Result<std::string> path = options_.page.empty() ? core::Error{.message = "no page"} : resolve_inside(options_.page, file);
  if (path) return serve_file(request, path.value(), file.segments[0] == "assets");  // the builder puts a hash into names of assets
  if (!is_index) return error_response(404, "no such file");
  Response r;
  r.status = 404;
  r.type = "text/html; charset=utf-8";
  r.body = kNoPage;
  return r;
}

}  // namespace volary::server
