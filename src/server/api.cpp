// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/api.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "server/air_text.hpp"
#include "server/pictures.hpp"
#include "server/session.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

bool reads_only(const std::string& method) { return method == "GET" || method == "HEAD"; }

Response not_allowed(const std::string& allowed) {
  Response r = error_response(405, "this address takes " + allowed);
  r.headers.push_back({"Allow", allowed});
  return r;
}

Response wants_token() {
  Response r = error_response(401, "a token is needed: 'Authorization: Bearer TOKEN', or open the address with #token=TOKEN");
  r.headers.push_back({"WWW-Authenticate", "Bearer"});
  return r;
}

// "/api/runs/{id}" stands for every path with one segment there
bool matches(std::string_view pattern, const std::vector<std::string>& segments) {
  for (const std::string& s : segments) {
    if (!pattern.starts_with('/')) return false;
    const std::string_view part = pattern.substr(1, pattern.find('/', 1) - 1);
    if (!part.starts_with('{') && part != s) return false;
    pattern.remove_prefix(1 + part.size());
  }
  return pattern.empty();
}

// commands of the stream alone: they belong to a connection
bool needs_stream(std::string_view command) { return command == "take" || command == "release"; }

core::Result<std::vector<std::string>> parse_tags(const std::string& body) {
  const core::Error wrong{.message = "the body must be {\"tags\": [...]}, at most 32 of them, each of 1 to 32 letters, digits, - and _"};
  const core::Result<Json> json = parse_json(body);
  if (!json) return json.error();
  if (!json.value().is_object() || json.value().size() != 1 || !json.value().contains("tags")) return wrong;
  const Json& list = json.value()["tags"];
  if (!list.is_array() || list.size() > 32) return wrong;
  std::vector<std::string> tags;
  for (const Json& t : list) {
    if (!t.is_string()) return wrong;
    tags.push_back(t.get<std::string>());
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
    if (tags.back().empty() || tags.back().size() > 32 || !std::all_of(tags.back().begin(), tags.back().end(), fits)) return wrong;
  }
  return tags;
}

core::Error no_runs() { return {.message = "this server keeps no runs"}; }

Response text_or_error(core::Result<std::string> result, int status_of_error) {
  return result ? json_response(std::move(result).value()) : error_response(status_of_error, result.error().text());
}

constexpr const char* kPicture = "/api/scenarios/{name}/picture";

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

std::size_t Api::most_bytes(const Request& head, std::size_t otherwise) {
  if (head.method != "PUT" || refuse_stranger(head, options_.site, false)) return otherwise;
  const core::Result<Target> target = parse_target(head.target);
  const bool is_picture = target && matches(kPicture, target.value().segments) && gate_.scope_of(head) == Scope::All;
  return is_picture ? kMostPictureBytes : otherwise;
}

// what is not here does not exist; schema/openapi.json describes each of them, and the tests compare the two
const std::vector<Api::Route>& Api::table() {
  static const std::vector<Route> kTable = {{"GET", "/api/version", Scope::View, &Api::version},
                                            {"GET", "/api/openapi.json", Scope::View, &Api::description},
                                            {"GET", "/api/schema", Scope::View, &Api::schema},
                                            {"POST", "/api/login", Scope::None, &Api::login},
                                            {"GET", "/api/airframes", Scope::View, &Api::airframes},
                                            {"GET", "/api/scenarios", Scope::View, &Api::scenarios},
                                            {"POST", "/api/scenarios/check", Scope::View, &Api::check},
                                            {"GET", "/api/scenarios/{name}", Scope::View, &Api::scenario},
                                            {"PUT", "/api/scenarios/{name}", Scope::All, &Api::save},
                                            {"PUT", kPicture, Scope::All, &Api::picture},
                                            {"GET", "/api/runs", Scope::View, &Api::runs},
                                            {"GET", "/api/runs/{id}", Scope::View, &Api::run},
                                            {"PATCH", "/api/runs/{id}", Scope::All, &Api::tag_run},
                                            {"DELETE", "/api/runs/{id}", Scope::All, &Api::remove_run},
                                            {"GET", "/api/runs/{id}/file", Scope::View, &Api::run_file},
                                            {"GET", "/api/live", Scope::View, nullptr, &Api::status},
                                            {"GET", "/api/air", Scope::View, nullptr, &Api::air},
                                            {"GET", "/api/live/vehicles", Scope::View, nullptr, &Api::vehicles},
                                            {"GET", "/api/live/vehicles/{id}/senses", Scope::View, nullptr, &Api::senses},
                                            {"GET", "/api/live/vehicles/{id}/contacts", Scope::View, nullptr, &Api::contacts},
                                            {"GET", "/api/live/tasks", Scope::View, nullptr, &Api::tasks},
                                            {"GET", "/api/live/nodes", Scope::View, nullptr, &Api::nodes},
                                            {"GET", "/api/live/autopilots", Scope::View, nullptr, &Api::autopilots},
                                            {"POST", "/api/live/{command}", Scope::All, nullptr, &Api::command}};
  return kTable;
}

std::vector<std::pair<std::string, std::string>> Api::routes() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Route& r : table()) {
    const std::string path(r.path), prefix = path.substr(0, path.find("{command}"));
    if (prefix == path) list.push_back({std::string(r.method), path});
    for (const char* command : wire::kCommands)
      if (prefix != path && !needs_stream(command)) list.push_back({std::string(r.method), prefix + command});
  }
  return list;
}

void Api::handle(const Request& request, const Done& done) {
  if (auto refused = refuse_stranger(request, options_.site, false)) return done(std::move(*refused));
  const core::Result<Target> target = parse_target(request.target);
  if (!target) return done(error_response(400, target.error().text()));
  const std::vector<std::string>& s = target.value().segments;
  const bool is_api = !s.empty() && s[0] == "api";
  if (!is_api) return done(reads_only(request.method) ? page(request, target.value()) : not_allowed("GET, HEAD"));

  // the first path that fits, and of that the method
  const auto fits = std::find_if(table().begin(), table().end(), [&](const Route& r) { return matches(r.path, s); });
  const bool is_open = fits != table().end() && fits->needs == Scope::None;
  const Scope scope = gate_.scope_of(request);
  if (scope == Scope::None && !is_open) return done(wants_token());
  if (fits == table().end()) return done(error_response(404, "no such address: " + target.value().path().substr(0, 200)));
  std::string allowed;
  for (auto r = fits; r != table().end() && r->path == fits->path; ++r) {
    if (r->method == request.method || (r->method == "GET" && request.method == "HEAD")) {
      if (r->needs == Scope::All && scope != Scope::All) return done(error_response(403, "this token may only look"));
      return r->later != nullptr ? (this->*r->later)(request, target.value(), done) : done((this->*r->now)(request, target.value()));
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(r->method == "GET" ? "GET, HEAD" : r->method);
  }
  done(not_allowed(allowed));
}

Response Api::version(const Request&, const Target&) {
  return json_response(dump(Json{{"name", "volary"}, {"version", options_.version}, {"wire", wire::kVersion}}));
}
Response Api::schema(const Request&, const Target&) { return json_response(all_schemas()); }
Response Api::airframes(const Request&, const Target&) { return json_response(list_airframes(options_.scenarios)); }
Response Api::description(const Request& request, const Target&) {
  if (options_.openapi.empty()) return error_response(404, "the description of this API is not installed");
  return serve_download(request, options_.openapi, "application/json; charset=utf-8");
}

Response Api::login(const Request& request, const Target&) {
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

// ---------------------------------------------------------------- scenarios

Response Api::scenarios(const Request&, const Target&) { return json_response(list_scenarios(options_.scenarios)); }
Response Api::check(const Request& request, const Target& target) {
  return json_response(check_scenario(options_.scenarios, request.body, target.value("preview") == "1"));
}
Response Api::save(const Request& request, const Target& target) {
  return text_or_error(save_scenario(options_.scenarios, target.segments[2], request.body), 409);
}
Response Api::picture(const Request& request, const Target& target) {
  return text_or_error(save_picture(options_.scenarios, target.segments[2], request.body, target.value("replace") == "1"), 409);
}
Response Api::scenario(const Request&, const Target& target) {
  core::Result<std::string> text = read_scenario(options_.scenarios, target.segments[2]);
  if (!text) return error_response(404, text.error().text());
  Response r = json_response(std::move(text).value());
  r.type = "text/yaml; charset=utf-8";
  return r;
}

// ---------------------------------------------------------------- recorded runs

Response Api::runs(const Request&, const Target& target) {
  const RunStore& store = options_.runs;
  return store.list ? text_or_error(store.list(std::string(target.value("search"))), 500) : json_response("[]");
}

core::Result<std::string> Api::find_run(const Target& target) const {
  const std::string& id = target.segments[2];
  if (!is_run_id(id)) return core::Error{.message = "no such run"};
  return options_.runs.get ? options_.runs.get(id) : no_runs();
}

Response Api::run(const Request&, const Target& target) { return text_or_error(find_run(target), 404); }

Response Api::tag_run(const Request& request, const Target& target) {
  const core::Result<std::vector<std::string>> tags = parse_tags(request.body);
  if (!tags) return error_response(400, tags.error().text());
  if (const core::Result<std::string> found = find_run(target); !found) return error_response(404, found.error().text());
  return text_or_error(options_.runs.tag ? options_.runs.tag(target.segments[2], tags.value()) : no_runs(), 409);
}

Response Api::remove_run(const Request&, const Target& target) {
  if (const core::Result<std::string> found = find_run(target); !found) return error_response(404, found.error().text());
  const core::Status removed = options_.runs.remove ? options_.runs.remove(target.segments[2]) : no_runs();
  return removed ? json_response("{\"ok\":true}") : error_response(409, removed.error().text());
}

Response Api::run_file(const Request& request, const Target& target) {
  const std::string& id = target.segments[2];
  const core::Result<std::string> path = !is_run_id(id) || !options_.runs.file ? no_runs() : options_.runs.file(id);
  return path ? serve_download(request, path.value(), "application/octet-stream") : error_response(404, path.error().text());
}

// ---------------------------------------------------------------- the live world

void Api::status(const Request&, const Target&, const Done& done) {
  look_([](Session& session) { return session.status_text(); }, [done](core::Result<std::string> status) { done(text_or_error(std::move(status), 500)); });
}

void Api::tasks(const Request&, const Target&, const Done& done) {
  look_([](Session& session) { return session.tasks_text(); }, [done](core::Result<std::string> tasks) { done(text_or_error(std::move(tasks), 500)); });
}

void Api::nodes(const Request&, const Target& target, const Done& done) {
  std::uint64_t after = 0;
  const std::string_view text = target.value("after");
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), after);
  if (!text.empty() && (code != std::errc() || end != text.data() + text.size())) return done(error_response(400, "after: must be a whole number"));
  look_([after](Session& session) { return session.nodes_text(after); },
        [done](core::Result<std::string> nodes) { done(text_or_error(std::move(nodes), 404)); });
}

void Api::vehicles(const Request&, const Target& target, const Done& done) {
  const core::Result<VehicleQuery> query = parse_vehicle_query(target);
  if (!query) return done(error_response(400, query.error().text()));
  look_([query = query.value()](Session& session) { return session.vehicles_text(query); },
        [done](core::Result<std::string> vehicles) { done(text_or_error(std::move(vehicles), 404)); });
}

void Api::senses(const Request&, const Target& target, const Done& done) {
  look_([who = target.segments[3]](Session& session) { return session.senses_text(who); },
        [done](core::Result<std::string> senses) { done(text_or_error(std::move(senses), 404)); });
}

void Api::contacts(const Request&, const Target& target, const Done& done) {
  look_([who = target.segments[3]](Session& session) { return session.contacts_text(who); },
        [done](core::Result<std::string> contacts) { done(text_or_error(std::move(contacts), 404)); });
}

void Api::autopilots(const Request&, const Target& target, const Done& done) {
  const core::Result<VehicleQuery> query = parse_vehicle_query(target);
  if (!query) return done(error_response(400, query.error().text()));
  if (!query.value().columns.empty()) return done(error_response(400, "columns: is not a parameter"));
  look_([query = query.value()](Session& session) { return session.autopilots_text(query); },
        [done](core::Result<std::string> text) { done(text_or_error(std::move(text), 404)); });
}

void Api::air(const Request&, const Target& target, const Done& done) {
  const core::Result<AirQuery> query = parse_air_query(target);
  if (!query) return done(error_response(400, query.error().text()));
  look_([query = query.value()](Session& session) { return air_text(session.world(), query); },
        [done](core::Result<std::string> air) { done(text_or_error(std::move(air), 500)); });
}

void Api::command(const Request& request, const Target& target, const Done& done) {
  const std::string& name = target.segments[2];
  if (needs_stream(name)) return done(error_response(404, "'" + name + "' is a command of the stream: it ends with the connection"));
  core::Result<Json> args = request.body.empty() ? core::Result<Json>(Json::object()) : parse_json(request.body);
  if (!args) return done(error_response(400, args.error().text()));
  const core::Result<Action> action = parse_action(name, args.value());
  if (!action) return done(error_response(action.error().message.starts_with("unknown command") ? 404 : 400, action.error().text()));
  act_(action.value(),
       [done](core::Status status, std::string text) { done(status ? json_response(std::move(text)) : error_response(409, status.error().text())); });
}

// ---------------------------------------------------------------- files of the page

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
