// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The server with real sockets.
#include "server/server.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>

#include "server/server_test_support.hpp"
#include "server/wire.hpp"

namespace volary::server {
namespace {

using test::Answer;
using test::ask;
using test::Connection;
using test::Json;
using test::Message;
using test::ScratchFolder;
using test::WebSocket;

WorldDef long_circling(int n) {
  WorldDef def = test::circling(n);
  def.duration = 1e7;  // flat out it must not end under a test
  return def;
}

struct Served {
  ScratchFolder folder;
  std::unique_ptr<Service> service;
  unsigned short port = 0;

  explicit Served(const WorldDef& def = long_circling(5), const std::function<void(ServeOptions&)>& change = {}) {
    ServeOptions o = test::serve_options(folder);
    if (change) change(o);
    service = test::serve(def, std::move(o));
    port = service->server().site().port;
  }
};

void paused(ServeOptions& o) { o.session.paused = true; }

TEST(server, a_client_is_greeted_and_sees_the_world) {
  Served s(long_circling(7), paused);
  WebSocket ws(s.port);
  ASSERT_EQ(ws.upgrade.status, 101) << ws.upgrade.head;
  const Json hello = ws.next("hello");
  EXPECT_EQ(hello["version"], "test");
  EXPECT_EQ(hello["scenario"], "circling");
  EXPECT_EQ(hello["state"], "paused");
  EXPECT_EQ(hello["token_scope"], "all");
  EXPECT_EQ(hello["flocks"][0]["name"], "birds");
  const DecodedFrame first = ws.next_frame();
  EXPECT_EQ(first.tick, 0u);
  ASSERT_EQ(ws.roster["vehicles"].size(), 7u);
  EXPECT_EQ(first.roster, ws.roster["version"]);

  // the frame of a later moment says what an equal world says
  EXPECT_TRUE(ws.command("step", {{"ticks", 250}})["ok"]);
  const DecodedFrame frame = ws.frame_until([](const DecodedFrame& f) { return f.tick >= 250; });
  const auto world = test::make(long_circling(7));
  world->step(250);
  const auto ids = world->vehicles();
  ASSERT_EQ(frame.vehicles.size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_EQ(ws.roster["vehicles"][k]["id"], std::to_string(ids[k].number()));
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(frame.vehicles[k].position_W[a], world->position_of(ids[k])[a], 1e-4);
  }
  const Json status = ask(s.port, "GET", "/api/live").json();
  EXPECT_EQ(status["hash"], fmt::format("{:016x}", world->hash()));
  EXPECT_EQ(status["tick"], 250);
}

TEST(server, frames_come_at_the_rate_that_was_asked_for) {
  Served s;
  WebSocket fast(s.port), slow(s.port);
  fast.next("hello");
  slow.next("hello");
  fast.say({{"type", "want"}, {"rate", 50}});
  slow.say({{"type", "want"}, {"rate", 5}});
  fast.next_frame();
  slow.next_frame();
  int n_fast = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  std::uint64_t last = 0;
  while (std::chrono::steady_clock::now() < end) {
    const DecodedFrame f = fast.next_frame();
    EXPECT_GE(f.tick, last);
    last = f.tick;
    ++n_fast;
  }
  // what the slow one got meanwhile: its messages are waiting
  int n_slow = 0;
  slow.frame_until([&](const DecodedFrame& f) { return ++n_slow, f.tick + 1 >= last; });
  // on a busy machine fewer come, never more
  EXPECT_LT(n_fast, 90);
  EXPECT_GE(n_slow, 1);
  EXPECT_LE(n_slow, 12);
  EXPECT_LT(n_slow, n_fast);
}

TEST(server, a_lower_rate_does_not_end_the_stream) {
  Served s;
  WebSocket ws(s.port);
  ws.next("hello");
  for (const double rate : {60.0, 1.0, 30.0, 2.0, 10.0}) {
    ws.frame_until([](const DecodedFrame& f) { return f.tick > 0; });
    ws.say({{"type", "want"}, {"rate", rate}});
    std::uint64_t first = 0;
    ws.frame_until([&](const DecodedFrame& f) { return first == 0 ? (first = f.tick, false) : f.tick > first; });
  }
}

TEST(server, commands_over_the_stream) {
  Served s(long_circling(3), paused);
  WebSocket ws(s.port);
  ws.next("hello");
  ws.next_frame();
  const std::string id = ws.roster["vehicles"][0]["id"];
  EXPECT_TRUE(ws.command("resume")["ok"]);
  EXPECT_EQ(ws.next("status", [](const Json& j) { return j["state"] == "running"; })["state"], "running");
  EXPECT_TRUE(ws.command("speed", {{"factor", 0}})["ok"]);
  EXPECT_TRUE(ws.command("goto", {{"ids", {id}}, {"position", {4, 4, 5}}})["ok"]);
  EXPECT_EQ(ws.next("goals")["goals"][0]["id"], id);
  // as fast as it goes: ten simulated seconds pass soon
  const double from = ws.next_frame().time;
  const DecodedFrame f = ws.frame_until([&](const DecodedFrame& later) { return later.time >= from + 10; });
  ASSERT_FALSE(f.vehicles.empty());
  EXPECT_NEAR(f.vehicles[0].position_W[0], 4, 0.3);
  EXPECT_TRUE(ws.command("spawn", {{"flock", "birds"}, {"position", {9, 9, 4}}, {"name", "late"}})["ok"]);
  EXPECT_EQ(ws.next("event", [](const Json& j) { return j["what"] == "spawned"; })["name"], "late");
  ws.frame_until([](const DecodedFrame& later) { return later.vehicles.size() == 4; });
  EXPECT_EQ(ws.roster["vehicles"].size(), 4u);
  EXPECT_TRUE(ws.command("remove", {{"ids", {id}}})["ok"]);
  ws.frame_until([](const DecodedFrame& later) { return later.vehicles.size() == 3; });
  const Json refused = ws.command("goto", {{"ids", {id}}, {"position", {4, 4, 5}}});
  EXPECT_FALSE(refused["ok"]);
  EXPECT_NE(refused["error"].get<std::string>().find("no vehicle"), std::string::npos);
  EXPECT_NE(ws.command("pasue")["error"].get<std::string>().find("did you mean 'pause'"), std::string::npos);
  EXPECT_TRUE(ws.command("pause")["ok"]);
  EXPECT_TRUE(ws.command("reset")["ok"]);
  EXPECT_EQ(ws.next("hello")["state"], "paused");
  EXPECT_EQ(ws.next_frame().tick, 0u);
  EXPECT_TRUE(ws.command("start", {{"scenario", "soundings"}, {"paused", true}})["ok"]);
  EXPECT_FALSE(ws.command("start", {{"scenario", "../../etc/passwd"}})["ok"]);
  EXPECT_NE(ws.command("start", {{"scenario", "defualt"}})["error"].get<std::string>().find("default"), std::string::npos);
  EXPECT_FALSE(ws.command("start", {{"scenario", "default"}, {"overrides", {"flocks[0].airframe=../../../tmp/x.yaml"}}})["ok"]);
}

TEST(server, pace_is_that_of_the_wall) {
  Served s(long_circling(3), [](ServeOptions& o) { o.session.speed = 2; });
  WebSocket ws(s.port);
  ws.next("hello");
  const double t0 = ws.next_frame().time;
  const auto begin = std::chrono::steady_clock::now();
  double t1 = t0;
  while (std::chrono::steady_clock::now() < begin + std::chrono::seconds(1)) t1 = ws.next_frame().time;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(t1, t0);
  EXPECT_LE(t1 - t0, 2 * wall + 0.4);  // a frame or two that were on their way; a busy machine may be slower, none is faster
  EXPECT_TRUE(ws.command("pause")["ok"]);
  const Json first = ask(s.port, "GET", "/api/live").json();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(first["tick"], ask(s.port, "GET", "/api/live").json()["tick"]);
}

TEST(server, a_vehicle_is_flown_by_one_hand_and_let_go_when_it_leaves) {
  Served s;
  auto pilot = std::make_unique<WebSocket>(s.port);
  WebSocket other(s.port);
  pilot->next("hello");
  other.next("hello");
  pilot->next_frame();
  const std::string id = pilot->roster["vehicles"][0]["id"];
  EXPECT_TRUE(pilot->command("take", {{"id", id}})["ok"]);
  EXPECT_EQ(other.next("lease")["holder"], "other");
  EXPECT_FALSE(other.command("take", {{"id", id}})["ok"]);
  for (int k = 0; k < 20; ++k) {
    pilot->say({{"type", "control"}, {"id", id}, {"seq", k}, {"velocity", {0, 0, 1}}, {"yaw_rate", 0}});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const DecodedFrame f = pilot->frame_until([](const DecodedFrame& later) { return !later.vehicles.empty() && later.vehicles[0].velocity_W[2] > 0.5f; });
  ASSERT_FALSE(f.vehicles.empty());
  EXPECT_GT(f.vehicles[0].velocity_W[2], 0.5f);
  EXPECT_EQ(f.vehicles[0].state & wire::kManual, wire::kManual);
  pilot.reset();
  EXPECT_EQ(other.next("lease", [](const Json& j) { return j["holder"] == "none"; })["id"], id);
  EXPECT_TRUE(other.command("take", {{"id", id}})["ok"]);
}

TEST(server, rest_does_what_the_description_says) {
  Served s(long_circling(3), paused);
  EXPECT_EQ(ask(s.port, "GET", "/api/version").json()["version"], "test");
  EXPECT_TRUE(ask(s.port, "GET", "/api/openapi.json").json().contains("openapi"));
  const Json schema = ask(s.port, "GET", "/api/schema").json();
  EXPECT_TRUE(schema["scenario"].is_object() && schema["airframe"].is_object());
  EXPECT_GT(ask(s.port, "GET", "/api/airframes").json().size(), 2u);
  EXPECT_GT(ask(s.port, "GET", "/api/scenarios").json().size(), 5u);
  const Answer yaml = ask(s.port, "GET", "/api/scenarios/default");
  EXPECT_EQ(yaml.header("Content-Type"), "text/yaml; charset=utf-8");
  EXPECT_EQ(ask(s.port, "POST", "/api/scenarios/check", yaml.body).json()["vehicles"], 61);
  const Json wrong = ask(s.port, "POST", "/api/scenarios/check", "name: x\nflocks:\n  - nam: y\n").json();
  EXPECT_FALSE(wrong["ok"]);
  EXPECT_EQ(wrong["problems"][0]["line"], 3);

  EXPECT_EQ(ask(s.port, "PUT", "/api/scenarios/mine", yaml.body).status, 200);
  EXPECT_EQ(ask(s.port, "GET", "/api/scenarios/mine").body, yaml.body);
  EXPECT_EQ(ask(s.port, "PUT", "/api/scenarios/default", yaml.body).status, 409);
  EXPECT_EQ(ask(s.port, "PUT", "/api/scenarios/Not-Allowed", yaml.body).status, 409);
  EXPECT_EQ(ask(s.port, "PUT", "/api/scenarios/..%2fescaped", yaml.body).status, 400);
  EXPECT_EQ(ask(s.port, "PUT", "/api/scenarios/thief", "include: [../../secret.yaml]\n").status, 409);
  EXPECT_FALSE(std::filesystem::exists(s.folder.path() + "/scenarios/thief.yaml"));

  EXPECT_EQ(ask(s.port, "POST", "/api/live/step", R"({"ticks": 7})").json()["tick"], 7);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/speed", R"({"factor": 3})").json()["speed"], 3);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/start", R"({"scenario": "mine", "overrides": ["seed=9"], "paused": true})").json()["vehicles"], 61);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/resume").json()["state"], "running");
  EXPECT_EQ(ask(s.port, "POST", "/api/live/emergency_stop").status, 200);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/stop").json()["state"], "finished");
  EXPECT_EQ(ask(s.port, "POST", "/api/live/resume").status, 409);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/dance").status, 404);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/step", "{").status, 400);
  EXPECT_EQ(ask(s.port, "GET", "/api/live/step").status, 405);
  EXPECT_EQ(ask(s.port, "GET", "/api/nothing").status, 404);
  EXPECT_EQ(ask(s.port, "GET", "/api/runs").body, "[]");
}

TEST(server, runs_belong_to_whoever_keeps_them) {
  const ScratchFolder recordings;
  std::string bytes;
  for (int k = 0; k < 1'000'000; ++k) bytes += static_cast<char>(k * 7 + k / 256);
  const std::string path = recordings.write("one.vrec", bytes);
  std::string removed;
  Served s(long_circling(2), [&](ServeOptions& o) {
    o.runs.list = [](const std::string& search) { return core::Result<std::string>("[{\"id\":\"" + search + "\"}]"); };
    o.runs.get = [](const std::string& id) -> core::Result<std::string> {
      if (id != "one") return core::Error{.message = "no run " + id};
      return std::string("{\"id\":\"one\"}");
    };
    o.runs.remove = [&](const std::string& id) -> core::Status {
      if (removed == id) return core::Error{.message = "is being recorded"};
      return removed = id, core::ok();
    };
    o.runs.tag = [](const std::string& id, const std::vector<std::string>& tags) { return core::Result<std::string>(Json{{"id", id}, {"tags", tags}}.dump()); };
    o.runs.file = [&](const std::string&) { return core::Result<std::string>(path); };
  });
  EXPECT_EQ(ask(s.port, "GET", "/api/runs?search=x%20y").json()[0]["id"], "x y");
  EXPECT_EQ(ask(s.port, "GET", "/api/runs/one").json()["id"], "one");
  EXPECT_EQ(ask(s.port, "GET", "/api/runs/two").status, 404);
  EXPECT_EQ(ask(s.port, "GET", "/api/runs/..").status, 400);
  EXPECT_EQ(ask(s.port, "DELETE", "/api/runs/one").status, 200);
  EXPECT_EQ(removed, "one");
  EXPECT_EQ(ask(s.port, "DELETE", "/api/runs/one").status, 409);
  EXPECT_EQ(ask(s.port, "DELETE", "/api/runs/two").status, 404);
  EXPECT_EQ(ask(s.port, "GET", "/api/runs/one/file").body, bytes);

  Connection c(s.port);  // several on one connection
  const Answer part = c.ask("GET", "/api/runs/one/file", "", "Range: bytes=1000-300999\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.header("Content-Range"), "bytes 1000-300999/1000000");
  EXPECT_EQ(part.body, bytes.substr(1000, 300000));
  EXPECT_EQ(c.ask("GET", "/api/runs/one/file", "", "Range: bytes=-5\r\n").body, bytes.substr(bytes.size() - 5));
  EXPECT_EQ(c.ask("GET", "/api/runs/one/file", "", "Range: bytes=2000000-\r\n").status, 416);
  const Answer head = c.ask("HEAD", "/api/runs/one/file");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("Content-Length"), "1000000");
  EXPECT_EQ(c.ask("GET", "/api/runs/one/file", "", "If-None-Match: " + head.header("ETag") + "\r\n").status, 304);
  EXPECT_EQ(c.ask("GET", "/api/version").status, 200);
}

TEST(server, tags_of_a_run_are_given_by_whoever_may_act) {
  Served s(long_circling(2), [&](ServeOptions& o) {
    o.token = "0123456789abcdef-all";
    o.view_token = "0123456789abcdef-view";
    o.runs.get = [](const std::string& id) -> core::Result<std::string> {
      if (id != "one") return core::Error{.message = "no run " + id};
      return std::string("{\"id\":\"one\"}");
    };
    o.runs.tag = [](const std::string& id, const std::vector<std::string>& tags) { return core::Result<std::string>(Json{{"id", id}, {"tags", tags}}.dump()); };
  });
  const std::string all = "Authorization: Bearer 0123456789abcdef-all\r\n", view = "Authorization: Bearer 0123456789abcdef-view\r\n";
  const auto patch = [&](const std::string& body, const std::string& id = "one") { return ask(s.port, "PATCH", "/api/runs/" + id, body, all); };
  EXPECT_EQ(patch(R"({"tags": ["paper", "figure_3"]})").json(), (Json{{"id", "one"}, {"tags", {"paper", "figure_3"}}}));
  EXPECT_EQ(patch(R"({"tags": []})").json()["tags"], Json::array());
  EXPECT_EQ(patch(R"({"tags": ["x"]})", "two").status, 404);
  EXPECT_EQ(patch(R"({"tags": ["x"]})", ".hidden").status, 404);
  std::string many = R"({"tags": ["x0")";
  for (int k = 1; k < 33; ++k) many += ",\"x" + std::to_string(k) + "\"";
  const std::string deep = "{\"tags\": " + std::string(5000, '[') + std::string(5000, ']') + "}";
  for (const std::string& body :
       {std::string(), std::string("{}"), std::string("[]"), std::string(R"({"tags": "x"})"), std::string(R"({"tags": [1]})"), std::string(R"({"tags": [""]})"),
        std::string(R"({"tags": ["a b"]})"), std::string(R"({"tags": ["../x"]})"), R"({"tags": [")" + std::string(33, 'x') + R"("]})",
        std::string(R"({"tags": ["x"], "state": "finished"})"), many + "]}", deep})
    EXPECT_EQ(patch(body).status, 400) << body.substr(0, 60);
  EXPECT_EQ(ask(s.port, "PATCH", "/api/runs/one", R"({"tags": ["x"]})", view).status, 403);
  EXPECT_EQ(ask(s.port, "PATCH", "/api/runs/one", R"({"tags": ["x"]})").status, 401);
  EXPECT_EQ(ask(s.port, "PATCH", "/api/runs/one", R"({"tags": ["x"]})", all + "Origin: http://evil.example\r\n").status, 403);
  const Answer wrong = ask(s.port, "POST", "/api/runs/one", "", all);
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.header("Allow"), "GET, HEAD, PATCH, DELETE");
}

TEST(server, every_route_is_in_the_description_and_the_other_way_round) {
  std::ifstream in(test::source_folder() + "/schema/openapi.json");
  const Json description = Json::parse(in);
  std::set<std::string> described, there;
  for (const auto& [path, item] : description["paths"].items())
    for (const auto& [method, operation] : item.items())
      if (method != "parameters") {
        std::string name = method;
        for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
        described.insert(name + " " + path);
      }
  for (const auto& [method, path] : Api::routes()) there.insert(method + " " + path);
  EXPECT_EQ(described, there);
}

TEST(server, commands_that_belong_to_a_connection_are_none_of_rest) {
  Served s;
  for (const char* name : {"take", "release"}) EXPECT_EQ(ask(s.port, "POST", std::string("/api/live/") + name, R"({"id": "1"})").status, 404) << name;
}

TEST(server, the_page_is_served_with_its_headers) {
  Served s;
  const Answer index = ask(s.port, "GET", "/");
  EXPECT_EQ(index.status, 200);
  EXPECT_EQ(index.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(index.header("Cache-Control"), "no-cache");
  EXPECT_NE(index.header("Content-Security-Policy").find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(index.header("X-Content-Type-Options"), "nosniff");
  const Answer script = ask(s.port, "GET", "/assets/app-1234.js", "", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(script.body, "packed");
  EXPECT_EQ(script.header("Content-Encoding"), "gzip");
  EXPECT_NE(script.header("Cache-Control").find("immutable"), std::string::npos);
  EXPECT_EQ(ask(s.port, "GET", "/assets/app-1234.js").body, "let x = 1;");
  EXPECT_EQ(ask(s.port, "GET", "/none.html").status, 404);
  EXPECT_EQ(ask(s.port, "POST", "/index.html").status, 405);
}

TEST(server, a_token_is_needed_where_one_is_set) {
  Served s(long_circling(2), [](ServeOptions& o) {
    o.token = "0123456789abcdef-all";
    o.view_token = "0123456789abcdef-view";
  });
  const std::string all = "Authorization: Bearer 0123456789abcdef-all\r\n", view = "Authorization: Bearer 0123456789abcdef-view\r\n";
  EXPECT_EQ(ask(s.port, "GET", "/").status, 200);  // the page itself has no secrets: it must be able to ask for the token
  EXPECT_EQ(ask(s.port, "GET", "/api/version").status, 401);
  EXPECT_EQ(ask(s.port, "GET", "/api/version", "", "Authorization: Bearer 0123456789abcdef-alm\r\n").status, 401);
  EXPECT_EQ(ask(s.port, "GET", "/api/version", "", all).status, 200);
  EXPECT_EQ(ask(s.port, "GET", "/api/live", "", view).status, 200);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/pause", "", view).status, 403);
  EXPECT_EQ(ask(s.port, "DELETE", "/api/runs/x", "", view).status, 403);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/pause", "", all).status, 200);
  EXPECT_EQ(WebSocket(s.port).upgrade.status, 401);
  EXPECT_EQ(WebSocket(s.port, "Cookie: volary_1=x\r\n").upgrade.status, 401);

  const Answer login = ask(s.port, "POST", "/api/login", R"({"token": "0123456789abcdef-view"})");
  ASSERT_EQ(login.status, 200);
  const std::string cookie = login.header("Set-Cookie");
  WebSocket ws(s.port, "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n");
  EXPECT_EQ(ws.next("hello")["token_scope"], "view");
  EXPECT_FALSE(ws.next_frame().vehicles.empty());
  EXPECT_NE(ws.command("resume")["error"].get<std::string>().find("only look"), std::string::npos);
  int refused = 0, delayed = 0;
  for (int k = 0; k < 20; ++k) {
    const int status = ask(s.port, "POST", "/api/login", R"({"token": "wrong"})").status;
    refused += status == 401;
    delayed += status == 429;
  }
  EXPECT_GE(refused, 10);
  EXPECT_GT(delayed, 0);
}

TEST(server, others_are_let_in_only_with_a_token) {
  ScratchFolder folder;
  ServeOptions o = test::serve_options(folder);
  o.address = "0.0.0.0";
  const auto refused = serve_world(long_circling(1), o);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("TLS"), std::string::npos);
  o.token = "0123456789abcdef";
  EXPECT_TRUE(serve_world(long_circling(1), o));
  o.address = "not an address";
  EXPECT_FALSE(serve_world(long_circling(1), o));
}

TEST(server, a_taken_port_gives_way_unless_it_was_asked_for) {
  Served s;
  ScratchFolder folder;
  ServeOptions o = test::serve_options(folder);
  o.port = s.port;
  o.only_this_port = true;
  EXPECT_FALSE(serve_world(long_circling(1), o));
  o.only_this_port = false;
  const auto next = serve_world(long_circling(1), o);
  ASSERT_TRUE(next) << next.error().text();
  EXPECT_GT(next.value()->server().site().port, s.port);
}

TEST(server, foreign_hosts_and_origins_are_turned_away) {
  Served s;
  auto raw = [&](const std::string& request) {
    Connection c(s.port);
    c.send(request);
    return c.answer().status;
  };
  EXPECT_EQ(raw("GET /api/version HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 421);
  EXPECT_EQ(raw(fmt::format("GET /api/version HTTP/1.1\r\nHost: evil.example:{}\r\n\r\n", s.port)), 421);
  EXPECT_EQ(raw("GET /api/version HTTP/1.1\r\n\r\n"), 421);
  EXPECT_EQ(raw(fmt::format("GET /api/version HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", s.port)), 200);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/pause", "", "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/pause", "", "Origin: null\r\n").status, 403);
  EXPECT_EQ(ask(s.port, "POST", "/api/live/pause", "", fmt::format("Origin: http://127.0.0.1:{}\r\n", s.port)).status, 200);
  EXPECT_EQ(WebSocket(s.port, "Origin: http://evil.example\r\n").upgrade.status, 403);
  EXPECT_EQ(WebSocket(s.port, fmt::format("Origin: http://127.0.0.1:{}\r\n", s.port)).upgrade.status, 101);
}

TEST(server, a_client_that_does_not_read_harms_nobody) {
  Served s(long_circling(2000), [](ServeOptions& o) { o.session.speed = 1; });
  std::vector<std::unique_ptr<WebSocket>> stalled;
  for (int k = 0; k < 3; ++k) {
    stalled.push_back(std::make_unique<WebSocket>(s.port));
    stalled.back()->say({{"type", "want"}, {"rate", 60}});
  }
  WebSocket ws(s.port);
  ws.next("hello");
  const double t0 = ws.next_frame().time;
  const auto begin = std::chrono::steady_clock::now();
  int n = 0;
  double t1 = t0;
  while (std::chrono::steady_clock::now() < begin + std::chrono::seconds(4)) t1 = ws.next_frame().time, ++n;
  EXPECT_GT(n, 5);                  // of 120: the machine may be busy
  EXPECT_GT(t1, t0);                // and time goes on
  EXPECT_GT(s.service->server().counters().frames_skipped, 50u);
  // one that wakes up is shown the present, not the past
  DecodedFrame f;
  for (int k = 0; k < 400; ++k) {
    f = stalled[0]->next_frame();
    if (f.time >= t1 - 0.5) break;
  }
  EXPECT_GE(f.time, t1 - 0.5);
}

TEST(server, too_many_connections_and_commands_are_refused) {
  Served s(long_circling(1), [](ServeOptions& o) { o.limits.connections = 8; });
  std::vector<std::unique_ptr<WebSocket>> open;
  for (int k = 0; k < 8; ++k) open.push_back(std::make_unique<WebSocket>(s.port));
  EXPECT_EQ(open.back()->upgrade.status, 101);
  Connection more(s.port);
  EXPECT_EQ(more.answer().status, 503);
  WebSocket& ws = *open.front();
  for (int k = 0; k < 300; ++k) ws.say({{"type", "command"}, {"seq", k}, {"name", "pause"}});
  int good = 0, refused = 0;
  for (int k = 0; k < 300; ++k) (ws.next("ack").value("ok", false) ? good : refused) += 1;
  EXPECT_GE(good, 100);
  EXPECT_GT(refused, 50);
  open.clear();
  for (int k = 0; k < 100 && ask(s.port, "GET", "/api/version").status != 200; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ask(s.port, "GET", "/api/version").status, 200);
}

TEST(server, a_request_that_never_ends_is_cut_off) {
  Served s(long_circling(1), [](ServeOptions& o) { o.limits.request_seconds = 0.3; });
  Connection c(s.port, 5);
  c.send("GET / HTTP/1.1\r\nHost: 127");
  EXPECT_TRUE(c.closes());
}

// ---------------------------------------------------------------- hostile bytes

std::vector<std::string> hostile_targets() {
  std::vector<std::string> list;
  const char* ups[] = {"../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e/", "..%c0%af", "%c0%ae%c0%ae/", "....//", ".%00./", "..;/"};
  const char* roots[] = {"/", "/assets/", "/api/scenarios/", "/api/runs/", "/api/runs/x/", "//"};
  for (const char* root : roots)
    for (const char* up : ups)
      for (const char* file : {"secret.txt", "etc/passwd"}) {
        std::string path = root;
        for (int k = 0; k < 1 + static_cast<int>(list.size() % 5); ++k) path += up;
        list.push_back(path + file);
      }
  for (const char* odd : {"/%",
                          "/%2",
                          "/%zz",
                          "/\x01",
                          "/\x7f",
                          "/a%00.html",
                          "*",
                          "http://127.0.0.1/secret.txt",
                          "/index.html%00.txt",
                          "/assets",
                          "/assets/",
                          "//",
                          "/./secret.txt",
                          "/..",
                          "/?..",
                          "/#..",
                          "/assets/..",
                          "/api",
                          "/api/",
                          "/api/scenarios/../../secret",
                          "/api/scenarios/%2e%2e",
                          "/~root",
                          "/C:/x",
                          "/a:b",
                          "secret.txt",
                          "?",
                          ""})
    list.push_back(odd);
  list.push_back("/" + std::string(4095, 'a'));
  list.push_back("/" + std::string(15000, 'a'));
  return list;
}

TEST(server, two_hundred_hostile_requests_escape_nowhere) {
  Served s;
  int n = 0;
  for (const std::string& target : hostile_targets()) {
    for (const char* method : {"GET", "PUT"}) {
      Connection c(s.port, 5);
      c.send(fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, target, c.host()));
      const Answer a = c.answer();
      EXPECT_GE(a.status, 200) << method << " " << target.substr(0, 80);
      EXPECT_LT(a.status, 500) << method << " " << target.substr(0, 80) << a.body;
      EXPECT_EQ(a.body.find("SECRET"), a.body.npos) << target;
      EXPECT_EQ(a.body.find("root:"), a.body.npos) << target;
      ++n;
    }
  }
  EXPECT_GE(n, 200);
  EXPECT_EQ(ask(s.port, "GET", "/api/version").status, 200);
  EXPECT_FALSE(std::filesystem::exists(s.folder.path() + "/secret.txt.yaml"));
}

TEST(server, malformed_requests_end_only_themselves) {
  Served s;
  const std::string host = fmt::format("Host: 127.0.0.1:{}\r\n", s.port);
  std::vector<std::string> list = {
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET /\r\n\r\n",
      "GET / HTTP/9.9\r\n" + host + "\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "GET / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
      "GET / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n",
      "POST /api/live/pause HTTP/1.1\r\n" + host + "Content-Length: 2000000\r\n\r\n",
      "POST /api/live/pause HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST /api/live/pause HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
      "POST / HTTP/1.1\r\n" + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "GET / HTTP/1.1\r\n" + host + "X: " + std::string(20000, 'x') + "\r\n\r\n",
      "GET / HTTP/1.1\r\n" + host + ": novalue\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      std::string("GET /\0 HTTP/1.1\r\n\r\n", 19),
      "GET /ws HTTP/1.1\r\n" + host + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "GET /ws HTTP/1.1\r\n" + host + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n",
      "GET /other HTTP/1.1\r\n" + host +
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"};
  std::mt19937 random(7);
  const std::string good = "POST /api/live/goto HTTP/1.1\r\n" + host +
                           "Content-Length: 45\r\nRange: bytes=0-5\r\nCookie: a=b; volary_1=c\r\n\r\n{\"ids\": [\"1\"], \"position\": [1, 2, 3]}       ";
  for (int k = 0; k < 120; ++k) {
    std::string bytes = good;
    for (int flips = 0; flips < 1 + k % 9; ++flips) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (k % 3 == 0) bytes.resize(random() % bytes.size());
    list.push_back(bytes);
  }
  for (const std::string& bytes : list) {
    Connection c(s.port, 0.05);
    c.send(bytes);
    c.answer();
  }
  EXPECT_EQ(ask(s.port, "GET", "/api/version").status, 200);
}

TEST(server, a_hundred_malformed_stream_frames_end_only_themselves) {
  Served s(long_circling(2), [](ServeOptions& o) { o.limits.request_seconds = 5; });
  WebSocket witness(s.port);
  witness.next("hello");
  std::vector<std::string> list = {
      std::string("\x81\x05hello", 7),                              // not masked
      std::string("\xff\x85\0\0\0\0hello", 11),                     // reserved bits
      std::string("\x83\x80\0\0\0\0", 6),                           // a reserved kind
      std::string("\x89\xfe\xff\xff\0\0\0\0", 8),                   // a ping that is too long
      std::string("\x09\x80\0\0\0\0", 6),                           // a ping in pieces
      std::string("\x80\x80\0\0\0\0", 6),                           // a continuation of nothing
      std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14),  // 2^64 - 1 bytes
      std::string("\x81\xff\0\0\0\0\0\x10\0\0\0\0\0\0", 14),                // a megabyte
      WebSocket::frame(0x82, "binary"),
      WebSocket::frame(0x81, std::string(70000, 'x')),
      WebSocket::frame(0x81, "\xc3\x28 is not UTF-8"),
      WebSocket::frame(0x88, "\x03"),
      WebSocket::frame(0x88, std::string("\x00\x01", 2)),
      WebSocket::frame(0x81, "{\"type\":\"command\",\"seq\":1,\"name\":\"goto\",\"args\":{\"ids\":[\"1\"],\"position\":[1e999,0,0]}}"),
      WebSocket::frame(0x81, std::string(60000, '[')),
      WebSocket::frame(0x81, "{\"type\":\"want\",\"rate\":1e308}"),
      WebSocket::frame(0x81, "{\"type\":\"control\",\"id\":\"1\",\"velocity\":[0,0,\"up\"],\"yaw_rate\":0}"),
  };
  std::mt19937 random(11);
  const std::string good =
      Json({{"type", "command"}, {"seq", 3}, {"name", "spawn"}, {"args", {{"flock", "birds"}, {"position", {1, 2, 3}}, {"name", "x"}}}}).dump();
  while (list.size() < 140) {
    std::string body = good;
    for (std::size_t k = 0; k < 1 + list.size() % 7; ++k) body[random() % body.size()] = static_cast<char>(random());
    std::string frame = WebSocket::frame(list.size() % 2 == 0 ? 0x81 : 0x01, body);
    if (list.size() % 3 == 0) frame[random() % frame.size()] = static_cast<char>(random());
    list.push_back(frame);
  }
  for (const std::string& bytes : list) {
    WebSocket ws(s.port, "", 0.02);
    EXPECT_EQ(ws.upgrade.status, 101);
    ws.c.send(bytes);
    for (int k = 0; k < 3; ++k)
      if (ws.read().opcode < 0) break;
  }
  EXPECT_FALSE(witness.next("status").is_null());
  EXPECT_EQ(ask(s.port, "GET", "/api/version").status, 200);
}

TEST(server, streams_24_bytes_per_vehicle_while_a_client_never_reads) {
  const auto f = measure_stream(test::circling(1000), 2, 30, 1, true);
  ASSERT_TRUE(f) << f.error().text();
  EXPECT_LT(f.value().bytes_per_vehicle, 24.2);
  EXPECT_GT(f.value().frames_per_client, 0);  // rates belong to `volary bench stream`: tests share their machine
}

}  // namespace
}  // namespace volary::server
