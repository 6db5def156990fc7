// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the stream costs, measured with real sockets on loopback. The clients are plain sockets that count frames.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "server/service.hpp"
#include "server/wire.hpp"

namespace volary::server {

namespace {

double steady_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double own_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

int connect_to(unsigned short port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return close(fd), -1;
  const std::string hello = fmt::format(
      "GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dm9sYXJ5LXN0cmVhbSEhIQ==\r\n\r\n",
      wire::kEndpoint, port);
  if (fd >= 0 && write(fd, hello.data(), hello.size()) != static_cast<ssize_t>(hello.size())) return close(fd), -1;
  return fd;
}

// counts binary messages by their headers and throws the rest away
struct Reader {
  int fd = -1;
  std::atomic<std::uint64_t> frames{0};
  std::thread thread;

  bool take(void* out, std::size_t n) const {
    for (std::size_t got = 0; got < n;) {
      const ssize_t k = recv(fd, static_cast<char*>(out) + got, n - got, 0);
      if (k <= 0) return false;
      got += static_cast<std::size_t>(k);
    }
    return true;
  }
  void run() {
    // the answer to the upgrade ends with an empty line
    std::string end(4, ' ');
    for (char c; end != "\r\n\r\n" && take(&c, 1);) end = end.substr(1) + c;
    std::vector<char> body;
    unsigned char head[2];
    while (take(head, 2)) {
      std::uint64_t length = head[1] & 127u;
      unsigned char more[8];
      const std::size_t n_more = length == 126 ? 2 : length == 127 ? 8 : 0;
      if (!take(more, n_more)) return;
      if (n_more > 0) length = 0;
      for (std::size_t k = 0; k < n_more; ++k) length = length << 8 | more[k];
      body.resize(length);
      if (!take(body.data(), length)) return;
      if ((head[0] & 15) == 2) ++frames;
    }
  }
};

// a world that stands still, its server, and the clients: what is counted is encoding and sending, not flying
class Bench {
 public:
  Bench(Session& session, Server& server) : session_(session), server_(server), gate_("", "", server.site().port), api_(options(server), gate_, {}, {}) {
    StreamSource source;
    source.join = [](std::uint32_t, Scope, std::function<void(Welcome)> reply) { reply({}); };
    source.leave = [](std::uint32_t) {};
    source.act = [](std::uint32_t, Action, std::function<void(core::Status)>) {};
    source.control = [](std::uint32_t, ControlMessage, std::function<void(core::Status)>) {};
    source.set_rates = [](std::vector<std::pair<double, LiveView>>) {};
    server_.start(api_, gate_, std::move(source));
  }
  ~Bench() {
    for (const auto& r : readers_) {
      if (r->fd >= 0) shutdown(r->fd, SHUT_RDWR);
      r->thread.join();
      if (r->fd >= 0) close(r->fd);
    }
    if (stalled_ >= 0) close(stalled_);
    server_.stop();
  }

  bool connect(std::size_t clients, bool with_stalled) {
    for (std::size_t k = 0; k < clients; ++k) {
      readers_.push_back(std::make_unique<Reader>());
      readers_.back()->fd = connect_to(server_.site().port);
      readers_.back()->thread = std::thread([r = readers_.back().get()] { r->run(); });
    }
    if (with_stalled) stalled_ = connect_to(server_.site().port);
    const std::size_t expected = clients + (with_stalled ? 1 : 0);
    for (int k = 0; k < 500 && server_.counters().streams < expected; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until all have been welcomed
    return server_.counters().streams == expected;
  }

  StreamFigures run(double rate, double seconds) {
    StreamFigures f;
    f.vehicles = session_.world().n_vehicles();
    f.clients = readers_.size();
    f.rate = rate;
    const double cpu = own_cpu_seconds(), network = server_.network_cpu_seconds(), begin = steady_now();
    const auto n_frames = static_cast<std::uint64_t>(rate * seconds);
    double encode = 0;
    for (std::uint64_t k = 0; k < n_frames; ++k) {
      const double before = own_cpu_seconds();
      send_frame(k, f);
      encode += own_cpu_seconds() - before;
      const double ahead = begin + static_cast<double>(k + 1) / rate - steady_now();
      if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
    }
    f.seconds = steady_now() - begin;
    f.encode_share = (own_cpu_seconds() - cpu) / f.seconds;
    f.network_share = (server_.network_cpu_seconds() - network) / f.seconds;
    f.share_of_core = f.encode_share + f.network_share;
    f.encode_us = n_frames > 0 ? encode / static_cast<double>(n_frames) * 1e6 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // what is under way arrives
    std::uint64_t fewest = readers_.empty() ? 0 : ~std::uint64_t{0};
    for (const auto& r : readers_) fewest = std::min(fewest, r->frames.load());
    f.frames_per_client = static_cast<double>(fewest) / f.seconds;
    f.skipped = static_cast<double>(server_.counters().frames_skipped) / f.seconds;
    return f;
  }

 private:
  static ApiOptions options(const Server& server) { return {server.site(), "bench", "", "", {}, {}}; }

  void send_frame(std::uint64_t k, StreamFigures& f) {
    auto frame = std::make_shared<Frame>();
    encode_frame(session_.world(), roster_, {}, frame->bytes);
    frame->roster = roster_.version;
    frame->roster_text = roster_text_;
    f.bytes_per_vehicle = f.vehicles > 0 ? static_cast<double>(frame->bytes.size()) / static_cast<double>(f.vehicles) : 0;
    // one beat of the default rate for each frame
    server_.offer(std::move(frame), (static_cast<double>(k) + 1.5) / static_cast<double>(wire::kRateDefault));
  }

  Session& session_;
  Server& server_;
  Gate gate_;
  Api api_;
  Roster roster_ = make_roster(session_.world(), {});
  std::shared_ptr<const std::string> roster_text_ = std::make_shared<const std::string>("{}");
  std::vector<std::unique_ptr<Reader>> readers_;
  int stalled_ = -1;
};

}  // namespace

core::Result<StreamFigures> measure_stream(const WorldDef& def, std::size_t clients, double rate, double seconds, bool with_stalled) {
  SessionOptions options;
  options.paused = true;
  core::Result<std::unique_ptr<Session>> session = Session::create(def, std::move(options));
  if (!session) return session.error();
  core::Result<std::unique_ptr<Server>> server = Server::open({"127.0.0.1", 0, {}}, {}, false);
  if (!server) return server.error();
  Bench bench(*session.value(), *server.value());
  if (!bench.connect(clients, with_stalled)) return core::Error{.message = "the clients of the measurement could not connect"};
  return bench.run(rate, seconds);
}

}  // namespace volary::server
