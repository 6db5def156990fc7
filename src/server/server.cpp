// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The only file that knows Boost. Everything of a connection happens on the network thread, so nothing here is locked.
#define BOOST_ASIO_NO_DEPRECATED
#include "server/server.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/live.hpp"

namespace volary::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Code = boost::system::error_code;
using Text = std::shared_ptr<const std::string>;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kFilePiece = 256u << 10;
constexpr int kPortsTried = 100;

std::chrono::nanoseconds seconds(double s) { return std::chrono::nanoseconds(static_cast<std::int64_t>(s * 1e9)); }
double steady_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// commands per second: as many at once, then at that rate
struct Bucket {
  double tokens = static_cast<double>(wire::kCommandsPerSecond), time = steady_now();
  bool take() {
    const double now = steady_now(), most = static_cast<double>(wire::kCommandsPerSecond);
    tokens = std::min(most, tokens + (now - time) * most);
    time = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }
};

Request plain_request(const http::request<http::string_body>& r) {
  Request out;
  out.method = std::string(r.method_string());
  out.target = std::string(r.target());
  out.body = r.body();
  for (const auto& field : r) {
    std::string name(field.name_string());
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    out.headers.push_back({std::move(name), std::string(field.value())});
  }
  return out;
}

}  // namespace

class Stream;

struct Server::Impl {
  Site site;
  ServerLimits limits;
  asio::io_context network{1};
  asio::thread_pool requests{1};
  tcp::acceptor acceptor{network};
  asio::steady_timer pause{network};
  std::thread thread;
  Api* api = nullptr;
  Gate* gate = nullptr;
  StreamSource source;
  std::map<std::uint32_t, std::shared_ptr<Stream>> streams;
  std::uint32_t next_client = 1;
  std::size_t n_open = 0;
  std::atomic<std::uint64_t> n_connections{0}, n_refused{0}, n_streams{0}, n_frames{0}, n_skipped{0}, n_dropped{0}, n_bytes{0};

  void accept();
  void accepted(Code code, tcp::socket socket);
  void refuse(tcp::socket socket);
  void join(const std::shared_ptr<Stream>& stream);
  void leave(std::uint32_t client);
  void update_rates();
  void deliver(const std::vector<Outgoing>& messages);
  void deliver_frame(const std::shared_ptr<const Frame>& frame, double now);
};

// ---------------------------------------------------------------- a stream

// Texts wait in a queue; of frames only the newest waits. So a slow client sees fewer moments, never older ones.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(beast::tcp_stream socket, Server::Impl& server, Scope scope) : ws_(std::move(socket)), server_(server), scope_(scope) {}

  void run(const http::request<http::string_body>& request) {
    beast::get_lowest_layer(ws_).expires_never();
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = seconds(server_.limits.request_seconds);
    timeout.idle_timeout = seconds(server_.limits.stream_idle_seconds);
    timeout.keep_alive_pings = true;
    ws_.set_option(timeout);
    ws_.read_message_max(static_cast<std::size_t>(wire::kMessageBytes));
    ws_.auto_fragment(false);
    ws_.async_accept(request, beast::bind_front_handler(&Stream::accepted, shared_from_this()));
  }

  std::uint32_t client = 0;
  double rate = static_cast<double>(wire::kRateDefault);
  LiveView view = LiveView::Committed;
  std::int64_t beat = 0;
  Scope scope() const { return scope_; }
  bool is_gone() const { return closing_; }

  void welcome(const Welcome& w) {
    for (const Text& text : w.texts) push(text, false);
    push_frame(w.frame);
  }

  void push(const Text& text, bool droppable) {
    if (closing_) return;
    const ServerLimits& limits = server_.limits;
    const bool many = queue_.size() >= limits.queued_texts / (droppable ? 2 : 1), large = queued_ + text->size() > limits.queued_bytes;
    if ((many || large) && droppable) {
      ++server_.n_dropped;
      return;
    }
    if (many || (large && !queue_.empty())) return close(websocket::close_code::policy_error, "this client reads too slowly");
    queued_ += text->size();
    queue_.push_back(text);
    pump();
  }

  void push_frame(const std::shared_ptr<const Frame>& frame) {
    if (closing_ || frame == nullptr) return;
    if (next_ != nullptr) ++server_.n_skipped;
    next_ = frame;
    pump();
  }

 private:
  void accepted(Code code) {
    if (code) return finished();
    ++server_.n_streams;
    server_.join(shared_from_this());
    read();
  }

  void read() { ws_.async_read(buffer_, beast::bind_front_handler(&Stream::was_read, shared_from_this())); }

  void was_read(Code code, std::size_t) {
    if (code) return finished();
    if (!ws_.got_text()) return close(websocket::close_code::unknown_data, "text messages only");
    const std::string text(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    buffer_.consume(buffer_.size());
    handle(text);
    if (!closing_) read();
  }

  void handle(const std::string& text) {
    const bool in_time = bucket_.take();
    if (!in_time && ++excess_ > 10 * wire::kCommandsPerSecond) return close(websocket::close_code::policy_error, "too many messages");
    core::Result<ClientMessage> message = parse_client_message(text);
    if (!message) return notice("bad", message.error().text());
    if (auto* want = std::get_if<WantMessage>(&message.value())) {
      rate = want->rate;
      view = want->view;
      beat = 0;  // beats of another rate are other numbers
      if (client != 0 && server_.source.want) server_.source.want(client, *want);
      return server_.update_rates();
    }
    if (auto* control = std::get_if<ControlMessage>(&message.value())) {
      if (!in_time) return;
      if (scope_ != Scope::All) return notice("bad", "this token may only look");
      return server_.source.control(client, *control, answer([](Stream& s, const core::Status& done) {
                                      if (!done) s.notice("warn", done.error().text());
                                    }));
    }
    auto& command = std::get<CommandMessage>(message.value());
    if (!in_time) return acknowledge(command.seq, "too many commands: at most 100 a second");
    if (scope_ != Scope::All) return acknowledge(command.seq, "this token may only look");
    if (!command.action) return acknowledge(command.seq, command.action.error().text());
    const std::int64_t seq = command.seq;
    server_.source.act(client, std::move(command.action).value(),
                       answer([seq](Stream& s, const core::Status& done) { s.acknowledge(seq, done ? std::string() : done.error().text()); }));
  }

  // an answer from another thread comes home to the network thread
  template <class F> std::function<void(core::Status)> answer(F f) {
    return [weak = weak_from_this(), f](core::Status done) {
      const std::shared_ptr<Stream> self = weak.lock();
      if (self == nullptr) return;
      asio::post(self->ws_.get_executor(), [self, f, done = std::move(done)] { f(*self, done); });
    };
  }

  void acknowledge(std::int64_t seq, const std::string& error) {
    Json ack = {{"type", wire::kAck}, {"seq", seq}, {"ok", error.empty()}};
    if (!error.empty()) ack["error"] = error;
    push(std::make_shared<const std::string>(dump(ack)), false);
  }
  void notice(const char* level, const std::string& text) {
    push(std::make_shared<const std::string>(dump(Json{{"type", wire::kNotice}, {"level", level}, {"text", text}})), false);
  }

  void pump() {
    if (writing_ || closing_ || client == 0) return;
    if (!queue_.empty()) {
      sending_text_ = queue_.front();
      queue_.pop_front();
      queued_ -= sending_text_->size();
      return write(true, sending_text_->data(), sending_text_->size());
    }
    if (next_ == nullptr) return;
    if (next_->roster != roster_) {  // a frame means nothing without its roster
      roster_ = next_->roster;
      sending_text_ = next_->roster_text;
      return write(true, sending_text_->data(), sending_text_->size());
    }
    sending_ = std::exchange(next_, nullptr);
    ++server_.n_frames;
    write(false, sending_->bytes.data(), sending_->bytes.size());
  }

  void write(bool text, const void* data, std::size_t size) {
    writing_ = true;
    ws_.text(text);
    server_.n_bytes += size;
    ws_.async_write(asio::buffer(data, size), beast::bind_front_handler(&Stream::written, shared_from_this()));
  }

  void written(Code code, std::size_t) {
    writing_ = false;
    sending_ = nullptr;
    sending_text_ = nullptr;
    if (code) return finished();
    if (closing_) return say_goodbye();
    pump();
  }

  void close(websocket::close_code why, const char* text) {
    if (closing_) return;
    closing_ = true;
    reason_ = websocket::close_reason(why, text);
    server_.leave(client);
    queue_.clear();
    next_ = nullptr;
    // a client that does not read cannot be told; the timeout cuts it off
    if (!writing_) say_goodbye();
  }
  void say_goodbye() {
    if (std::exchange(said_goodbye_, true)) return;
    ws_.async_close(reason_, [self = shared_from_this()](Code) { self->finished(); });
  }

  void finished() {
    closing_ = true;
    if (std::exchange(counted_out_, true)) return;
    server_.leave(client);
    --server_.n_open;
    Code ignored;
    beast::get_lowest_layer(ws_).socket().close(ignored);
  }

  websocket::stream<beast::tcp_stream> ws_;
  Server::Impl& server_;
  Scope scope_;
  beast::flat_buffer buffer_;
  Bucket bucket_;
  std::int64_t excess_ = 0;
  std::deque<Text> queue_;
  std::size_t queued_ = 0;
  Text sending_text_;
  std::shared_ptr<const Frame> sending_, next_;
  std::uint32_t roster_ = 0;
  bool writing_ = false, closing_ = false, said_goodbye_ = false, counted_out_ = false;
  websocket::close_reason reason_;
};

// ---------------------------------------------------------------- a connection

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Server::Impl& server) : stream_(std::move(socket)), server_(server) {}
  ~Connection() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(server_.limits.header_bytes));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // the header says how much may follow it
    stream_.expires_after(seconds(server_.limits.request_seconds));
    http::async_read_header(stream_, buffer_, *parser_, beast::bind_front_handler(&Connection::header_was_read, shared_from_this()));
  }

 private:
  void header_was_read(Code code, std::size_t n) {
    if (code) return was_read(code, n);
    const std::size_t usual = server_.limits.body_bytes;
    most_bytes_ = server_.api->most_bytes(plain_request(parser_->get()), usual);
    parser_->body_limit(most_bytes_);
    if (parser_->content_length().value_or(0) > most_bytes_) return was_read(http::error::body_limit, n);
    if (most_bytes_ > usual) stream_.expires_after(seconds(server_.limits.upload_seconds));
    http::async_read(stream_, buffer_, *parser_, beast::bind_front_handler(&Connection::was_read, shared_from_this()));
  }

  void was_read(Code code, std::size_t) {
    if (code == http::error::header_limit) return refuse(431, "the header is larger than 16 kB");
    if (code == http::error::body_limit) return refuse(413, fmt::format("the body is larger than {} MB", most_bytes_ >> 20));
    if (code == http::error::end_of_stream) return finish();
    if (code && code.category() == http::make_error_code(http::error::bad_method).category() && code != http::error::partial_message)
      return refuse(400, "this is not HTTP: " + code.message());
    if (code) return finish();

    keep_alive_ = parser_->keep_alive();
    is_head_ = parser_->get().method() == http::verb::head;
    request_ = plain_request(parser_->get());
    if (websocket::is_upgrade(parser_->get())) return upgrade();
    const bool acts = request_.method != "GET" && request_.method != "HEAD";
    if (acts && !bucket_.take()) return respond(error_response(429, "too many commands: at most 100 a second"));
    stream_.expires_never();
    asio::post(server_.requests, [self = shared_from_this()] { self->answer(); });
  }

  // on the thread of requests: files and YAML may take a while
  void answer() {
    const auto done = [self = shared_from_this()](Response r) { asio::post(self->stream_.get_executor(), [self, r = std::move(r)] { self->respond(r); }); };
    try {
      server_.api->handle(request_, done);
    } catch (const std::exception& e) {
      done(error_response(500, fmt::format("this request failed: {}", e.what())));
    }
  }

  void upgrade() {
    if (auto refused = refuse_stranger(request_, server_.site, true)) return refuse(*refused);
    const core::Result<Target> target = parse_target(request_.target);
    if (!target || target.value().path() != wire::kEndpoint) return refuse(404, "the stream is at /ws");
    const Scope scope = server_.gate->scope_of(request_);
    if (scope == Scope::None) return refuse(401, "a token is needed: log in first");
    std::make_shared<Stream>(std::move(stream_), server_, scope)->run(parser_->get());
    handed_over_ = true;
  }

  void refuse(int status, const std::string& text) { refuse(error_response(status, text)); }
  void refuse(const Response& response) {
    keep_alive_ = false;
    respond(response);
  }

  void respond(const Response& r) {
    stream_.expires_after(seconds(server_.limits.response_seconds));
    header_ = {};
    header_.result(static_cast<unsigned>(r.status));
    header_.reason(reason_of(r.status));
    header_.version(11);
    const bool has_body = r.status != 304 && r.status != 204;
    if (has_body) header_.set(http::field::content_type, r.type);
    for (const auto& [name, value] : security_headers(server_.site)) header_.set(name, value);
    for (const auto& [name, value] : r.headers) header_.set(name, value);
    const bool sends_file = has_body && r.file.has_value();
    const std::uint64_t length = sends_file ? r.file->length : r.body.size();
    if (has_body) header_.set(http::field::content_length, std::to_string(length));
    header_.keep_alive(keep_alive_);
    body_ = has_body && !is_head_ && !sends_file ? r.body : std::string();
    left_ = 0;
    if (sends_file && !is_head_) {
      descriptor_ = ::open(r.file->path.c_str(), O_RDONLY | O_CLOEXEC);
      if (descriptor_ < 0) return respond(error_response(404, "the file no longer exists"));
      offset_ = r.file->offset;
      left_ = length;
    }
    serializer_.emplace(header_);
    http::async_write_header(stream_, *serializer_, beast::bind_front_handler(&Connection::header_written, shared_from_this()));
  }

  void header_written(Code code, std::size_t size) {
    server_.n_bytes += size;
    if (code) return finish();
    if (left_ > 0) return send_piece();
    if (body_.empty()) return responded();
    server_.n_bytes += body_.size();
    asio::async_write(stream_, asio::buffer(body_), [self = shared_from_this()](Code c, std::size_t) { c ? self->finish() : self->responded(); });
  }

  void send_piece() {
    body_.resize(std::min<std::uint64_t>(left_, kFilePiece));
    const ssize_t n = pread(descriptor_, body_.data(), body_.size(), static_cast<off_t>(offset_));
    if (n <= 0) return finish();  // the file shrank: the client notices that bytes are missing
    offset_ += static_cast<std::uint64_t>(n);
    left_ -= static_cast<std::uint64_t>(n);
    server_.n_bytes += static_cast<std::uint64_t>(n);
    stream_.expires_after(seconds(server_.limits.response_seconds));
    asio::async_write(stream_, asio::buffer(body_.data(), static_cast<std::size_t>(n)), [self = shared_from_this()](Code c, std::size_t) {
      if (c) return self->finish();
      self->left_ > 0 ? self->send_piece() : self->responded();
    });
  }

  void responded() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    keep_alive_ ? read() : finish();
  }

  void finish() {
    if (handed_over_ || std::exchange(counted_out_, true)) return;
    --server_.n_open;
    Code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.close();
  }

  beast::tcp_stream stream_;
  Server::Impl& server_;
  beast::flat_buffer buffer_{256u << 10};
  std::optional<http::request_parser<http::string_body>> parser_;
  Request request_;
  Bucket bucket_;
  http::response<http::empty_body> header_;
  std::optional<http::response_serializer<http::empty_body>> serializer_;
  std::string body_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0, left_ = 0;
  std::size_t most_bytes_ = 0;  // of the body that is read now
  bool keep_alive_ = false, is_head_ = false, handed_over_ = false, counted_out_ = false;
};

// ---------------------------------------------------------------- all of them

void Server::Impl::accept() {
  acceptor.async_accept([this](Code code, tcp::socket socket) { accepted(code, std::move(socket)); });
}

void Server::Impl::accepted(Code code, tcp::socket socket) {
  if (code == asio::error::operation_aborted) return;
  if (code) {  // out of descriptors, perhaps: look again in a moment
    pause.expires_after(std::chrono::milliseconds(100));
    return pause.async_wait([this](Code c) {
      if (!c) accept();
    });
  }
  ++n_connections;
  Code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  if (n_open >= limits.connections) {
    refuse(std::move(socket));
  } else {
    ++n_open;
    std::make_shared<Connection>(std::move(socket), *this)->read();
  }
  accept();
}

void Server::Impl::refuse(tcp::socket socket) {
  ++n_refused;
  static const std::string kBusy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 5\r\nConnection: close\r\n\r\n";
  Code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(kBusy), ignored);
  socket.shutdown(tcp::socket::shutdown_both, ignored);
}

void Server::Impl::join(const std::shared_ptr<Stream>& stream) {
  stream->client = next_client++;
  source.join(stream->client, stream->scope(), [this, weak = std::weak_ptr<Stream>(stream)](Welcome w) {
    asio::post(network, [this, weak, w = std::move(w)] {
      const std::shared_ptr<Stream> s = weak.lock();
      if (s == nullptr || s->is_gone()) return;
      streams[s->client] = s;
      s->welcome(w);
      update_rates();
    });
  });
}

void Server::Impl::leave(std::uint32_t client) {
  if (client == 0) return;
  source.leave(client);
  if (streams.erase(client) > 0) update_rates();
}

void Server::Impl::update_rates() {
  std::set<std::pair<double, LiveView>> rates;
  for (const auto& [client, stream] : streams) rates.insert({stream->rate, stream->view});
  source.set_rates({rates.begin(), rates.end()});
}

void Server::Impl::deliver(const std::vector<Outgoing>& messages) {
  // closing a stream changes the map
  std::vector<std::shared_ptr<Stream>> all;
  for (const auto& [client, stream] : streams) all.push_back(stream);
  for (const Outgoing& m : messages)
    for (const auto& stream : all) {
      const bool meant = m.client == 0 ? stream->client != m.except : stream->client == m.client;
      if (meant) stream->push(m.view_text != nullptr && stream->scope() != Scope::All ? m.view_text : m.text, m.droppable);
    }
}

void Server::Impl::deliver_frame(const std::shared_ptr<const Frame>& frame, double now) {
  for (const auto& [client, stream] : streams) {
    const std::int64_t beat = beat_of(now, stream->rate);
    if (beat <= stream->beat || stream->view != frame->view) continue;
    stream->beat = beat;
    stream->push_frame(frame);
  }
}

Server::Server() : impl_(std::make_unique<Impl>()) {}
Server::~Server() { stop(); }

core::Result<std::unique_ptr<Server>> Server::open(Site site, ServerLimits limits, bool other_ports) {
  std::unique_ptr<Server> server(new Server());
  Impl& s = *server->impl_;
  Code code;
  const std::string literal = site.address == "localhost" ? "127.0.0.1" : site.address;
  const auto address = asio::ip::make_address(literal, code);
  if (code) return core::Error{.message = "'" + site.address.substr(0, 60) + "' is not an address", .suggestion = "such as 127.0.0.1 or 0.0.0.0"};
  for (int k = 0; k < (other_ports ? kPortsTried : 1); ++k) {
    const unsigned port = site.port == 0 ? 0u : site.port + static_cast<unsigned>(k);
    if (port > 65535) break;
    const tcp::endpoint endpoint(address, static_cast<unsigned short>(port));
    s.acceptor.close(code);
    s.acceptor.open(endpoint.protocol(), code);
    if (!code) s.acceptor.set_option(asio::socket_base::reuse_address(true), code);
    if (!code) s.acceptor.bind(endpoint, code);
    if (!code) s.acceptor.listen(asio::socket_base::max_listen_connections, code);
    if (!code || code != asio::error::address_in_use) break;
  }
  if (code) {
    const bool taken = code == asio::error::address_in_use;
    return core::Error{.message = fmt::format("cannot listen on {}:{}: {}", site.address, site.port, code.message()),
                       .suggestion = taken ? "is another server running? --port takes another one" : ""};
  }
  site.port = s.acceptor.local_endpoint(code).port();
  s.site = std::move(site);
  s.limits = limits;
  return server;
}

const Site& Server::site() const { return impl_->site; }

std::string Server::url() const {
  const Site& site = impl_->site;
  const bool is_v6 = site.address.find(':') != std::string::npos;
  return is_v6 ? fmt::format("http://[{}]:{}/", site.address, site.port) : fmt::format("http://{}:{}/", site.address, site.port);
}

void Server::start(Api& api, Gate& gate, StreamSource source) {
  impl_->api = &api;
  impl_->gate = &gate;
  impl_->source = std::move(source);
  impl_->accept();
  impl_->thread = std::thread([this] { impl_->network.run(); });
}

void Server::stop() {
  if (!impl_->thread.joinable()) return;
  impl_->network.stop();
  impl_->thread.join();
  impl_->requests.stop();
  impl_->requests.join();
  impl_->streams.clear();
}

void Server::send(std::vector<Outgoing> messages) {
  asio::post(impl_->network, [s = impl_.get(), messages = std::move(messages)] { s->deliver(messages); });
}

void Server::offer(std::shared_ptr<const Frame> frame, double now) {
  asio::post(impl_->network, [s = impl_.get(), frame = std::move(frame), now] { s->deliver_frame(frame, now); });
}

Server::Counters Server::counters() const {
  const Impl& s = *impl_;
  return {s.n_connections, s.n_refused, s.n_streams, s.n_frames, s.n_skipped, s.n_dropped, s.n_bytes};
}

double Server::network_cpu_seconds() const {
  clockid_t clock{};
  timespec t{};
  if (!impl_->thread.joinable() || pthread_getcpuclockid(impl_->thread.native_handle(), &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace volary::server
