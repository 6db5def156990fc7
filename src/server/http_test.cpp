// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/http.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/action.hpp"
#include "server/server_test_support.hpp"
#include "server/token.hpp"

namespace volary::server {
namespace {

TEST(http, targets_are_split_and_decoded_once) {
  const auto t = parse_target("/api/sce%6Earios/my%20one?search=a%26b+c&x");
  ASSERT_TRUE(t);
  EXPECT_EQ(t.value().segments, (std::vector<std::string>{"api", "scenarios", "my one"}));
  EXPECT_EQ(t.value().value("search"), "a&b c");
  EXPECT_EQ(t.value().value("x"), "");
  EXPECT_EQ(parse_target("/%2541").value().segments[0], "%41");
  EXPECT_TRUE(parse_target("/").value().segments.empty());
  EXPECT_TRUE(parse_target("/a/").value().is_folder);
}

TEST(http, targets_that_could_leave_a_folder_are_refused) {
  for (const char* target :
       {"",      "a",      "/..",    "/../x", "/a/../b", "/a/%2e%2e/b", "/%2E%2E", "/.%2e/x", "/a%2fb",     "/a%5cb", "/a\\b", "//etc/passwd",
        "/a//b", "/a%00b", "/a%0ab", "/%",    "/%2",     "/%zz",        "/./a",    "/%2e/a",  "http://x/y", "*",      "/a/..", "/..;/a/.."}) {
    const auto t = parse_target(target);
    if (t)
      for (const std::string& s : t.value().segments) EXPECT_TRUE(s == "..;" || s == "a") << target;
    else
      EXPECT_FALSE(t.error().message.empty());
  }
  EXPECT_FALSE(parse_target("/a/../b"));
  EXPECT_FALSE(parse_target("/%2e%2e/b"));
  EXPECT_FALSE(parse_target("/" + std::string(5000, 'a')));
  std::string deep;
  for (int k = 0; k < 100; ++k) deep += "/a";
  EXPECT_FALSE(parse_target(deep));
}

TEST(http, a_link_that_leads_outside_is_not_followed) {
  const test::ScratchFolder folder;
  folder.write("page/index.html", "x");
  folder.write("secret.txt", "y");
  ASSERT_EQ(symlink((folder.path() + "/secret.txt").c_str(), (folder.path() + "/page/link.txt").c_str()), 0);
  ASSERT_EQ(symlink("..", (folder.path() + "/page/up").c_str()), 0);
  auto resolve = [&](const char* target) { return resolve_inside(folder.path() + "/page", parse_target(target).value()); };
  EXPECT_TRUE(resolve("/index.html"));
  EXPECT_FALSE(resolve("/link.txt"));
  EXPECT_FALSE(resolve("/up/secret.txt"));
  EXPECT_FALSE(resolve("/none"));
  EXPECT_FALSE(resolve("/"));
}

TEST(http, only_our_own_host_is_served) {
  const Site site{"127.0.0.1", 8642, {}};
  for (const char* host : {"127.0.0.1:8642", "localhost:8642", "LOCALHOST:8642", "[::1]:8642"}) EXPECT_TRUE(host_allowed(host, site)) << host;
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:8642", "evil.example", "localhost.evil.example:8642", "127.0.0.1.nip.io:8642", "[::1",
                           "[x]:8642", "127.0.0.1:8642x", "127.0.0.1:99999999999", "192.168.0.1:8642", "localhost:8642:8642"})
    EXPECT_FALSE(host_allowed(host, site)) << host;
  const Site open{"0.0.0.0", 8642, {}};
  EXPECT_TRUE(host_allowed("192.168.0.7:8642", open));
  EXPECT_TRUE(host_allowed("localhost:8642", open));
  EXPECT_FALSE(host_allowed("rebound.example:8642", open));
  const Site one{"192.168.0.7", 80, {}};
  EXPECT_TRUE(host_allowed("192.168.0.7", one));
  EXPECT_FALSE(host_allowed("192.168.0.8", one));
}

TEST(http, only_pages_of_our_own_may_act) {
  const Site site{"127.0.0.1", 8642, {"http://localhost:5173"}};
  EXPECT_TRUE(origin_allowed("", "127.0.0.1:8642", site));
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:8642", "127.0.0.1:8642", site));
  EXPECT_TRUE(origin_allowed("http://localhost:5173", "127.0.0.1:8642", site));
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:8642", "http://127.0.0.1", "http://127.0.0.1:8642.evil.example", "file://"})
    EXPECT_FALSE(origin_allowed(origin, "127.0.0.1:8642", site)) << origin;
}

TEST(http, ranges) {
  ByteRange r;
  EXPECT_EQ(parse_range("bytes=0-9", 100, r), RangeKind::Part);
  EXPECT_EQ(r.length, 10u);
  EXPECT_EQ(parse_range("bytes=90-", 100, r), RangeKind::Part);
  EXPECT_EQ(r.first, 90u);
  EXPECT_EQ(r.length, 10u);
  EXPECT_EQ(parse_range("bytes=-30", 100, r), RangeKind::Part);
  EXPECT_EQ(r.first, 70u);
  EXPECT_EQ(parse_range("bytes=50-1000", 100, r), RangeKind::Part);
  EXPECT_EQ(r.length, 50u);
  EXPECT_EQ(parse_range("bytes=-1000", 100, r), RangeKind::Part);
  EXPECT_EQ(r.length, 100u);
  EXPECT_EQ(parse_range("bytes=100-", 100, r), RangeKind::Unsatisfiable);
  EXPECT_EQ(parse_range("bytes=-0", 100, r), RangeKind::Unsatisfiable);
  EXPECT_EQ(parse_range("bytes=0-0", 0, r), RangeKind::Unsatisfiable);
  for (const char* odd : {"", "bytes", "bytes=", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "lines=1-2", "bytes=99999999999999999999-"})
    EXPECT_EQ(parse_range(odd, 100, r), RangeKind::None) << odd;
}

TEST(http, files_have_types_tags_and_packed_forms) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("a.js", "0123456789");
  Request r{"GET", "/a.js", "", {}};
  const Response plain = serve_file(r, file, true);
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.type, "text/javascript; charset=utf-8");
  ASSERT_TRUE(plain.file);
  EXPECT_EQ(plain.file->length, 10u);
  std::string etag;
  for (const auto& [name, value] : plain.headers)
    if (name == "ETag") etag = value;
  r.headers = {{"if-none-match", etag}};
  EXPECT_EQ(serve_file(r, file, true).status, 304);
  folder.write("a.js.gz", "packed");
  r.headers = {{"accept-encoding", "br, gzip;q=0.8"}};
  EXPECT_EQ(serve_file(r, file, true).file->path, file + ".gz");
  r.headers = {{"accept-encoding", "gzip;q=0"}};
  EXPECT_EQ(serve_file(r, file, true).file->path, file);
  r.headers = {{"range", "bytes=2-4"}, {"if-range", "\"old\""}};
  EXPECT_EQ(serve_file(r, file, true).status, 200);
}

TEST(http, names_that_mean_nothing_to_a_file_system) {
  for (const char* good : {"a", "default", "my_swarm-2"}) EXPECT_TRUE(is_plain_name(good));
  for (const char* bad : {"", "A", "a.b", "..", "a/b", "a b", "a\\b"}) EXPECT_FALSE(is_plain_name(bad)) << bad;
  EXPECT_FALSE(is_plain_name(std::string(65, 'a')));
  for (const char* bad : {"", ".", "..", ".x", "a/b", "a%2fb"}) EXPECT_FALSE(is_run_id(bad));
  EXPECT_TRUE(is_run_id("2026-01-02T10.20.30_default-1"));
  for (const char* bad : {"", "/etc/x.yaml", "../x.yaml", "a/../../x.yaml", "~/x.yaml", "a\\b.yaml"}) EXPECT_FALSE(is_safe_relative(bad)) << bad;
  for (const char* good : {"x.yaml", "a/b.yaml", "..x.yaml"}) EXPECT_TRUE(is_safe_relative(good)) << good;
}

TEST(token, is_compared_whole) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "abcd", "xbc", "abcabc"}) EXPECT_FALSE(equal_in_constant_time("abc", other)) << other;
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_EQ(random_token().value().size(), 64u);
  EXPECT_NE(random_token().value(), random_token().value());
}

TEST(token, a_file_that_others_may_read_is_refused) {
  const test::ScratchFolder folder;
  const std::string path = folder.write("token", "0123456789abcdef0123\n");
  chmod(path.c_str(), 0644);
  EXPECT_FALSE(read_token_file(path));
  chmod(path.c_str(), 0600);
  EXPECT_EQ(read_token_file(path).value(), "0123456789abcdef0123");
  EXPECT_FALSE(read_token_file(folder.path() + "/none"));
  const std::string short_one = folder.write("short", "abc\n");
  chmod(short_one.c_str(), 0600);
  EXPECT_FALSE(read_token_file(short_one));
}

TEST(token, opens_what_its_scope_allows) {
  Gate gate("the-token-for-all", "the-token-to-look", 8642);
  auto with = [](const char* name, const std::string& value) { return Request{"GET", "/", "", {{name, value}}}; };
  EXPECT_EQ(gate.scope_of(with("authorization", "Bearer the-token-for-all")), Scope::All);
  EXPECT_EQ(gate.scope_of(with("authorization", "Bearer the-token-to-look")), Scope::View);
  EXPECT_EQ(gate.scope_of(with("authorization", "Bearer the-token-for-al")), Scope::None);
  EXPECT_EQ(gate.scope_of(with("authorization", "Bearer ")), Scope::None);
  EXPECT_EQ(gate.scope_of(with("x", "y")), Scope::None);
  EXPECT_FALSE(gate.login("wrong"));
  const std::string cookie = gate.login("the-token-to-look").value();
  EXPECT_NE(cookie.find("HttpOnly"), cookie.npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), cookie.npos);
  EXPECT_EQ(cookie.find("the-token"), cookie.npos);
  EXPECT_EQ(gate.scope_of(with("cookie", "a=b; " + cookie.substr(0, cookie.find(';')))), Scope::View);
  EXPECT_EQ(gate.scope_of(with("cookie", "volary_8642=x")), Scope::None);
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(gate.login("the-token-for-all"));
  EXPECT_EQ(gate.scope_of(with("cookie", cookie.substr(0, cookie.find(';')))), Scope::None);  // the oldest had to go
}

TEST(action, is_read_and_checked) {
  auto parse = [](const char* name, const char* args) { return parse_action(name, nlohmann::json::parse(args)); };
  const auto go = parse("goto", R"({"ids": ["17", "18"], "position": [1, 2, 3.5]})");
  ASSERT_TRUE(go) << go.error().text();
  EXPECT_EQ(go.value().who[1], "18");
  EXPECT_TRUE(go.value().keep_offsets);
  EXPECT_EQ(parse("goto", R"({"ids": [17, "18"], "position": [1, 2, 3.5]})").value().who, go.value().who);
  EXPECT_EQ(parse("mode", R"({"ids": ["1"], "mode": "land"})").value().mode, Mode::Land);
  EXPECT_EQ(parse("step", "{}").value().ticks, 1u);
  EXPECT_TRUE(parse("emergency_stop", "{}").value().who.empty());
  for (const auto& [name, args, word] : {std::tuple{"gotoo", "{}", "did you mean 'goto'"},
                                         {"goto", "{}", "ids"},
                                         {"goto", R"({"ids": [], "position": [1,2,3]})", "names no vehicle"},
                                         {"goto", R"({"ids": [""], "position": [1,2,3]})", "neither the name nor the number"},
                                         {"goto", R"({"ids": [17.5], "position": [1,2,3]})", "must be the name or the number of a vehicle"},
                                         {"goto", R"({"ids": ["1"], "position": [1,2]})", "three numbers"},
                                         {"goto", R"({"ids": ["1"], "position": [1,2,1e300]})", "within"},
                                         {"goto", R"({"ids": ["1"], "position": [1,2,null]})", "three numbers"},
                                         {"mode", R"({"ids": ["1"], "mode": "lnad"})", "did you mean 'land'"},
                                         {"step", R"({"ticks": 0})", "between"},
                                         {"step", R"({"ticks": 1.5})", "whole"},
                                         {"step", R"({"ticks": 18446744073709551615})", "between"},
                                         {"speed", R"({"factor": -1})", "between"},
                                         {"speed", R"({"factor": "fast"})", "number"},
                                         {"speed", R"({"factor": 1e-9})", "0.001"},
                                         {"emergency_stop", R"({"ids": []})", "names no vehicle"},
                                         {"spawn", R"({"flock": 3, "position": [0,0,1]})", "text"},
                                         {"pause", "[]", "object"}}) {
    const auto a = parse(name, args);
    ASSERT_FALSE(a) << name << args;
    EXPECT_NE(a.error().text().find(word), std::string::npos) << a.error().text();
  }
}

TEST(action, messages_are_read_and_hostile_ones_refused) {
  EXPECT_EQ(std::get<WantMessage>(parse_client_message(R"({"type":"want","rate":12.5})").value()).rate, 12.5);
  const WantMessage want = std::get<WantMessage>(parse_client_message(R"({"type":"want","rate":5,"links":true,"decision":"7"})").value());
  EXPECT_TRUE(want.links && want.decision == "7");
  EXPECT_EQ(std::get<ControlMessage>(parse_client_message(R"({"type":"control","id":"5","seq":1,"velocity":[1,0,0],"yaw_rate":0.5})").value()).velocity[0], 1);
  const auto tilting = std::get<ControlMessage>(
      parse_client_message(R"({"type":"control","id":"5","seq":1,"velocity":[0,0,0],"yaw_rate":0,"roll_rate":0.1,"pitch_rate":-0.2,"level":true})").value());
  EXPECT_TRUE(tilting.roll_rate == 0.1 && tilting.pitch_rate == -0.2 && tilting.is_levelling);
  const auto unknown = parse_client_message(R"({"type":"command","seq":7,"name":"fly"})");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(std::get<CommandMessage>(unknown.value()).seq, 7);
  EXPECT_FALSE(std::get<CommandMessage>(unknown.value()).action);
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("{\"type\":1}"), std::string("{\"type\":\"x\"}"),
        std::string(R"({"type":"want","rate":0})"), std::string(R"({"type":"want","rate":61})"), std::string(R"({"type":"want","rate":5,"links":1})"),
        std::string(R"({"type":"want","rate":5,"decision":"0"})"), std::string(R"({"type":"command"})"), std::string(60000, '['),
        std::string("\xff\xfe\x00", 3), std::string(R"({"type":"command","seq":-1,"name":"pause"})")})
    EXPECT_FALSE(parse_client_message(bad)) << bad.substr(0, 50);
}

TEST(http, only_a_page_that_is_meant_for_notebooks_can_be_framed_and_only_on_this_machine) {
  const auto header = [](const Site& site, std::string_view name) -> std::string {
    for (const auto& [key, value] : security_headers(site))
      if (key == name) return value;
    return "";
  };
  const Site usual, framed{.is_framed = true};
  EXPECT_TRUE(header(usual, "Content-Security-Policy").ends_with("frame-ancestors 'none'"));
  EXPECT_EQ(header(usual, "X-Frame-Options"), "DENY");
  EXPECT_TRUE(header(framed, "Content-Security-Policy").ends_with("frame-ancestors http://localhost:* http://127.0.0.1:* vscode-webview:"));
  EXPECT_EQ(header(framed, "X-Frame-Options"), "");
}

}  // namespace
}  // namespace volary::server
