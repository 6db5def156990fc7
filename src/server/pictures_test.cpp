// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/pictures.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <fstream>

#include "scenario/image.hpp"
#include "server/server_test_support.hpp"

namespace volary::server {
namespace {

using test::Answer;
using test::ask;
using test::Json;

// ---------------------------------------------------------------- a PNG by hand (W3C PNG, RFC 1950 and 1951: one stored block)

std::string number(std::uint32_t x) { return {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)}; }

std::string chunk(const std::string& type, const std::string& data) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1u ? 0xedb88320u ^ crc >> 1 : crc >> 1;
  }
  return number(static_cast<std::uint32_t>(data.size())) + type + data + number(~crc);
}

// grey, 8 bits; brightness grows to the right
std::string grey_png(std::uint32_t width, std::uint32_t height) {
  std::string rows;
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';
    for (std::uint32_t x = 0; x < width; ++x) rows += static_cast<char>(255 * x / (width > 1 ? width - 1 : 1));
  }
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) b = (b + (a = (a + static_cast<unsigned char>(c)) % 65521)) % 65521;
  const auto n = static_cast<std::uint16_t>(rows.size());
  const char head[] = {'\x78', '\x01', '\x01', static_cast<char>(n), static_cast<char>(n >> 8), static_cast<char>(~n), static_cast<char>(~n >> 8)};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", number(width) + number(height) + std::string("\x08\0\0\0\0", 5)) +
         chunk("IDAT", std::string(head, sizeof head) + rows + number(b << 16 | a)) + chunk("IEND", "");
}

struct Folders {
  test::ScratchFolder scratch;
  ScenarioFolders f{test::source_folder() + "/assets", test::source_folder() + "/scenarios", scratch.path() + "/mine", 1'000'000};
  std::string read(const std::string& file) const {
    std::ifstream in(f.user + "/" + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t n_files() const {
    std::error_code code;
    std::size_t n = 0;
    for (std::filesystem::directory_iterator entry(f.user, code), end; !code && entry != end; ++entry) ++n;
    return n;
  }
};

TEST(pictures, one_that_is_saved_lies_beside_its_scenario_and_becomes_its_ground) {
  const Folders x;
  const std::string png = grey_png(5, 3);
  const auto saved = save_picture(x.f, "ramp", png, false);
  ASSERT_TRUE(saved) << saved.error().text();
  EXPECT_EQ(Json::parse(saved.value()), (Json{{"file", "ramp.png"}, {"width", 5}, {"height", 3}, {"bytes", png.size()}}));
  EXPECT_EQ(x.read("ramp.png"), png);
  EXPECT_EQ(x.n_files(), 1u);
  const std::string yaml =
      "name: ramp\nterrain: {image: {file: ramp.png, width: 8, depth: 4, max_height: 10}}\n"
      "flocks: [{name: a, airframe: crazyflie, start: armed, vehicles: {list: [{position: [4, -2, 0]}]}}]\n";
  const Json checked = Json::parse(check_scenario(x.f, yaml, true));
  ASSERT_TRUE(checked["ok"]) << checked.dump();
  // half way up the ramp: 127/255 of 10 m, and the vehicle stands on it
  EXPECT_NEAR(checked["preview"]["terrain"]["high"].get<double>(), 10, 1e-6);
  EXPECT_NEAR(checked["preview"]["flocks"][0]["starts"][0][2].get<double>(), 10 * 127.0 / 255, 0.2);
}

TEST(pictures, none_is_overwritten_unasked) {
  const Folders x;
  ASSERT_TRUE(save_picture(x.f, "one", grey_png(4, 4), false));
  const auto again = save_picture(x.f, "one", grey_png(6, 6), false);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().text().find("already"), std::string::npos);
  EXPECT_EQ(x.read("one.png"), grey_png(4, 4));
  ASSERT_TRUE(save_picture(x.f, "one", grey_png(6, 6), true));
  EXPECT_EQ(x.read("one.png"), grey_png(6, 6));
  // what comes with Volary stays: a scenario, and a picture that others of the folder may name
  EXPECT_FALSE(save_picture(x.f, "default", grey_png(4, 4), true));
  EXPECT_FALSE(save_picture(x.f, "hills", grey_png(4, 4), true));
  ASSERT_EQ(symlink((x.scratch.path() + "/target").c_str(), (x.f.user + "/link.png").c_str()), 0);
  EXPECT_FALSE(save_picture(x.f, "link", grey_png(4, 4), true));
  EXPECT_FALSE(std::filesystem::exists(x.scratch.path() + "/target"));
  ScenarioFolders none = x.f;
  none.user = "";
  EXPECT_FALSE(save_picture(none, "one", grey_png(4, 4), true));
}

TEST(pictures, a_bad_name_writes_nothing) {
  const Folders x;
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../up"), std::string("a/b"), std::string("/etc/x"), std::string("A"),
        std::string("a.png"), std::string("a b"), std::string("a\0b", 3), std::string("~"), std::string("\xc3\xa4"), std::string(65, 'a')})
    EXPECT_FALSE(save_picture(x.f, name, grey_png(4, 4), true)) << name;
  EXPECT_EQ(x.n_files(), 0u);
}

TEST(pictures, what_is_no_whole_png_of_a_sound_size_is_refused_with_words) {
  const Folders x;
  const std::string good = grey_png(16, 16);
  auto says = [&](const std::string& bytes, const std::string& words) {
    const auto saved = save_picture(x.f, "bad", bytes, false);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().text().find(words), std::string::npos) << saved.error().text();
  };
  says("", "empty");
  says("hello, I am a text", "no PNG");
  says("GIF89a" + std::string(40, '\0'), "no PNG");
  says(std::string("\x89PNG\r\n\x1a\n") + std::string(200, 'x'), "no picture");
  says(good.substr(0, good.size() / 2), "damaged");
  says(grey_png(1, 9), "two a side");
  says(std::string("\x89PNG\r\n\x1a\n") + std::string(kMostPictureBytes, 'x'), "at most");
  // a bomb: few bytes that claim to be many pixels
  std::string bomb = good;
  bomb.replace(16, 8, number(100'000) + number(100'000));
  says(bomb, "picture");
  EXPECT_EQ(x.n_files(), 0u);
}

RC_GTEST_PROP(pictures, whatever_is_changed_in_the_bytes_either_nothing_is_written_or_what_can_be_read, ()) {
  const Folders x;
  std::string bytes = grey_png(9, 7);
  const auto n = *rc::gen::inRange(1, 12);
  for (int k = 0; k < n; ++k) bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  bytes.resize(*rc::gen::element(bytes.size(), bytes.size(), bytes.size() - 1, bytes.size() / 2));
  const auto saved = save_picture(x.f, "odd", bytes, false);
  RC_ASSERT(x.n_files() == (saved ? 1u : 0u));
  if (saved) {
    RC_ASSERT(x.read("odd.png") == bytes);
    RC_ASSERT(bool(scenario::decode_image(bytes)));
  }
}

TEST(pictures, come_over_http_from_whoever_may_save_and_are_bounded) {
  const test::ScratchFolder folder;
  ServeOptions o = test::serve_options(folder);
  const std::string token(32, 'a'), view(32, 'b');
  o.token = token;
  o.view_token = view;
  const auto service = test::serve(test::circling(1), std::move(o));
  const unsigned short port = service->server().site().port;
  const std::string all = "Authorization: Bearer " + token + "\r\n", looks = "Authorization: Bearer " + view + "\r\n";
  const std::string png = grey_png(200, 200), at = "/api/scenarios/mine/picture";
  EXPECT_EQ(ask(port, "PUT", at, png).status, 401);
  EXPECT_EQ(ask(port, "PUT", at, png, looks).status, 403);
  EXPECT_EQ(ask(port, "PUT", at, png, all + "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(ask(port, "PUT", "/api/scenarios/..%2fmine/picture", png, all).status / 100, 4);
  EXPECT_EQ(ask(port, "PUT", at, png, all).status, 200);
  EXPECT_EQ(ask(port, "PUT", at, png, all).status, 409);
  EXPECT_EQ(ask(port, "PUT", at + "?replace=1", png, all).status, 200);
  EXPECT_EQ(ask(port, "GET", at, "", all).status, 405);
  // more than other requests may bring, and no more than a picture may
  const Answer large = ask(port, "PUT", at, std::string(3u << 20, 'x'), all);
  EXPECT_EQ(large.status, 409);
  EXPECT_NE(large.body.find("no PNG"), std::string::npos) << large.body;
  auto announce = [&](const std::string& target, std::size_t n, const std::string& who) {
    test::Connection c(port, 5);
    c.send(fmt::format("PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n{}\r\n", target, c.host(), n, who));
    return c.answer().status;
  };
  EXPECT_EQ(announce(at, kMostPictureBytes + 1, all), 413);
  EXPECT_EQ(announce(at, 2u << 20, looks), 413);
  EXPECT_EQ(announce("/api/scenarios/mine", 2u << 20, all), 413);
  EXPECT_EQ(ask(port, "GET", "/api/version", "", all).status, 200);
}

}  // namespace
}  // namespace volary::server
