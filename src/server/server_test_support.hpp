// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A small blocking client for tests, written with plain sockets so that it shares no code with the server.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/scratch_folder.hpp"
#include "engine/engine_test_support.hpp"
#include "server/service.hpp"

namespace volary::test {

using Json = nlohmann::json;

inline std::string source_folder() { return VOLARY_SOURCE_DIR; }

using core::ScratchFolder;

struct Answer {
  int status = 0;
  std::string head, body;
  Json json() const { return Json::parse(body, nullptr, false); }
  std::string header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == head.npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

class Connection {
 public:
  explicit Connection(unsigned short port, double timeout = 10) : port_(port) {
    fd_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    set_timeout(timeout);
    connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Connection() { close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool connected() const { return connected_; }
  void set_timeout(double seconds) {
    timeval t{static_cast<time_t>(seconds), static_cast<suseconds_t>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e6)};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
  }
  bool send(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::send(fd_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }
  bool fill() {
    char piece[65536];
    const ssize_t n = recv(fd_, piece, sizeof piece, 0);
    if (n <= 0) return false;
    data_.append(piece, static_cast<std::size_t>(n));
    return true;
  }
  bool need(std::size_t n) {
    while (data_.size() < n)
      if (!fill()) return false;
    return true;
  }
  std::string take(std::size_t n) {
    std::string out = data_.substr(0, n);
    data_.erase(0, n);
    return out;
  }
  // until the other side closes; false when it does not
  bool closes() {
    while (fill()) data_.clear();
    char c;
    return recv(fd_, &c, 1, 0) == 0 || errno == ECONNRESET;
  }

  Answer answer(bool head_only = false) {
    Answer a;
    std::size_t end;
    while ((end = data_.find("\r\n\r\n")) == data_.npos)
      if (!fill()) return a;
    a.head = take(end + 4);
    if (a.head.size() > 12) a.status = std::atoi(a.head.c_str() + 9);
    const std::string length = a.header("Content-Length");
    const std::size_t n = head_only || length.empty() ? 0 : std::stoul(length);
    if (need(n)) a.body = take(n);
    return a;
  }
  std::string host() const { return fmt::format("127.0.0.1:{}", port_); }

  Answer ask(const std::string& method, const std::string& target, const std::string& body = "", const std::string& headers = "") {
    send(fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n{}\r\n{}", method, target, host(), body.size(), headers, body));
    return answer(method == "HEAD");
  }

 private:
  unsigned short port_;
  int fd_ = -1;
  bool connected_ = false;
  std::string data_;
};

inline Answer ask(unsigned short port, const std::string& method, const std::string& target, const std::string& body = "", const std::string& headers = "") {
  Connection c(port);
  return c.ask(method, target, body, headers);
}

struct Message {
  int opcode = -1;  // 1 text, 2 binary, 8 close; -1: nothing came
  std::string body;
};

// a WebSocket client
class WebSocket {
 public:
  // `timeout` is for what comes after the upgrade
  explicit WebSocket(unsigned short port, const std::string& headers = "", double timeout = 10) : c(port, 10) {
    c.send(
        fmt::format("GET /ws HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{}\r\n",
                    c.host(), headers));
    upgrade = c.answer(false);
    c.set_timeout(timeout);
  }

  // a frame as clients send them: masked
  static std::string frame(int first, const std::string& body) {
    std::string out(1, static_cast<char>(first));
    const std::size_t n = body.size();
    if (n < 126) {
      out += static_cast<char>(0x80 | n);
    } else if (n < 65536) {
      out += {static_cast<char>(0x80 | 126), static_cast<char>(n >> 8), static_cast<char>(n)};
    } else {
      out += static_cast<char>(0x80 | 127);
      for (int k = 7; k >= 0; --k) out += static_cast<char>(n >> (8 * k));
    }
    const char mask[4] = {0x12, 0x34, 0x56, 0x78};
    out.append(mask, 4);
    for (std::size_t k = 0; k < n; ++k) out += static_cast<char>(body[k] ^ mask[k % 4]);
    return out;
  }
  bool say(const Json& message) { return c.send(frame(0x81, message.dump())); }

  Message read() {
    Message m;
    if (!c.need(2)) return m;
    std::string head = c.take(2);
    std::uint64_t n = static_cast<unsigned char>(head[1]) & 127u;
    const std::size_t more = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (!c.need(more)) return m;
    const std::string length = c.take(more);
    if (more > 0) n = 0;
    for (const char b : length) n = n << 8 | static_cast<unsigned char>(b);
    if (!c.need(n)) return m;
    m.opcode = head[0] & 15;
    m.body = c.take(n);
    if (m.opcode == 9) {
      c.send(frame(0x8a, m.body));
      return read();
    }
    return m;
  }
  // the next text of a type that is as wanted; frames met on the way are kept
  Json next(const std::string& type, const std::function<bool(const Json&)>& wanted = {}) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      const Message m = read();
      if (m.opcode < 0 || m.opcode == 8) return Json();
      if (m.opcode == 2) last_frame = m.body;
      if (m.opcode != 1) continue;
      const Json j = Json::parse(m.body, nullptr, false);
      if (j.value("type", "") == "roster") roster = j;
      if (j.value("type", "") == type && (!wanted || wanted(j))) return j;
    }
    return Json();
  }
  server::DecodedFrame next_frame() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // texts alone are no frames
    for (Message m = read(); m.opcode > 0 && m.opcode != 8 && std::chrono::steady_clock::now() < end; m = read()) {
      if (m.opcode == 1) {
        const Json j = Json::parse(m.body, nullptr, false);
        if (j.value("type", "") == "roster") roster = j;
        continue;
      }
      const auto frame = server::decode_frame(std::as_bytes(std::span(m.body)));
      EXPECT_TRUE(frame) << frame.error().text();
      if (frame) return frame.value();
    }
    return {};
  }
  // the first frame that is as wanted; gives up after a while
  server::DecodedFrame frame_until(const std::function<bool(const server::DecodedFrame&)>& wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      server::DecodedFrame f = next_frame();
      if (wanted(f)) return f;
    }
    ADD_FAILURE() << "no such frame came";
    return {};
  }
  Json command(const std::string& name, const Json& args = Json::object()) {
    const int seq = ++seq_;
    say({{"type", "command"}, {"seq", seq}, {"name", name}, {"args", args}});
    return next("ack", [&](const Json& j) { return j["seq"] == seq; });
  }

  Connection c;
  Answer upgrade;
  Json roster;
  std::string last_frame;

 private:
  int seq_ = 0;
};

inline server::ServeOptions serve_options(const ScratchFolder& folder) {
  server::ServeOptions o;
  o.port = 0;
  o.version = "test";
  o.page = folder.path() + "/page";
  o.openapi = source_folder() + "/schema/openapi.json";
  o.scenarios = {source_folder() + "/assets", source_folder() + "/scenarios", folder.path() + "/scenarios", 1'000'000};
  folder.write("page/index.html", "<!doctype html><title>page</title>");
  folder.write("page/assets/app-1234.js", "let x = 1;");
  folder.write("page/assets/app-1234.js.gz", "packed");
  folder.write("secret.txt", "TOP SECRET");
  return o;
}

inline std::unique_ptr<server::Service> serve(const WorldDef& def, server::ServeOptions o) {
  auto made = server::serve_world(def, std::move(o));
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return made ? std::move(made).value() : nullptr;
}

}  // namespace volary::test
