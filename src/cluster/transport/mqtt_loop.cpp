// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The reading thread of an MQTT connection: connect, serve until it breaks, rest, and again.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include <fmt/format.h>

#include "cluster/transport/mqtt_client.hpp"

namespace volary::cluster {

namespace {
constexpr std::int64_t kMs = 1'000'000;
constexpr int kFirstRestMs = 50, kLongestRestMs = 2000, kIdleMs = 500;
// On a connection that only sends, nothing comes but confirmations of what was sent. They are read now and then: to wake a thread for every one of them costs more than to send.
constexpr int kConfirmationsMs = 50;
constexpr std::int64_t kLinger = 300 * kMs;  // for what is not yet written when we close

// a broker that wants TLS or a certificate just closes the connection
std::string guess(const MqttOptions& o) {
  const char* text = "it may want TLS (ca_file)";
  if (!o.ca_file.empty())
    text = o.certificate_file.empty() ? "it may want a certificate of this client (certificate_file, key_file)"
                                      : "it may not trust the certificate of this client";
  return fmt::format(" before it answered: {}", text);
}
}  // namespace

core::Status MqttClient::start() {
  mailbox_.change(LinkReport::Connecting, {});
  thread_ = std::thread([this] { run(); });
  std::string error;
  {
    std::unique_lock lock(state_);
    changed_.wait(lock, [&] { return has_first_; });
    error = first_error_;
  }
  if (error.empty()) return core::ok();
  close();
  return core::Error{.message = fmt::format("no connection to the broker {}:{}: {}", options_.broker.host, options_.broker.port, error)};
}

void MqttClient::poke() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(poke_, &one, sizeof one);
}

void MqttClient::settle_first(std::string error) {
  const std::lock_guard lock(state_);
  if (has_first_) return;
  has_first_ = true;
  first_error_ = std::move(error);
  changed_.notify_all();
}

void MqttClient::run() {
  for (int failures = 0; !is_closing_;) {
    std::string reason = attempt();
    bool was_up = false;
    if (reason.empty()) {
      reason = serve();
      {
        const std::lock_guard lock(state_);
        was_up = is_up_;
        is_up_ = false;
        changed_.notify_all();
      }
      if (!was_up && refusal_.empty()) reason += guess(options_);
      if (!is_closing_) forget_unwritten();
    }
    if (is_closing_) break;
    mailbox_.change(LinkReport::Down, reason);
    settle_first(reason);
    failures = was_up ? 0 : failures + 1;
    rest(failures);
    if (!is_closing_) mailbox_.change(LinkReport::Connecting, {});
  }
  finish();
}

// why not, or nothing when the connection is being made
std::string MqttClient::attempt() {
  // libmosquitto connects without a time limit and says little; this says who answers, and in time
  if (const core::Status s = reach(options_.broker, options_.connect_timeout_ns); !s) return s.error().message;
  const std::lock_guard lock(library_);
  last_log_.clear();
  refusal_.clear();
  mosquitto_property* properties = nullptr;
  // the broker need not send what we would drop: the message, its topic, and room for what MQTT adds
  if (options_.version == 5)
    mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, static_cast<std::uint32_t>(options_.max_message + kMaxTopic + 1024));
  errno = 0;
  const int rc = mosquitto_connect_bind_v5(client_.get(), options_.broker.host.c_str(), options_.broker.port, options_.keep_alive_s, nullptr, properties);
  const int system_error = errno;
  mosquitto_property_free_all(&properties);
  return rc == MOSQ_ERR_SUCCESS ? std::string() : explain_library(rc, system_error, last_log_);
}

// until the connection breaks or is closed; says why
std::string MqttClient::serve() {
  const std::int64_t answer_by = monotonic_ns() + options_.connect_timeout_ns;
  while (!is_closing_) {
    pollfd fds[2] = {{.fd = -1, .events = POLLIN, .revents = 0}, {.fd = poke_, .events = POLLIN, .revents = 0}};
    bool only_sends = false;
    {
      const std::lock_guard lock(state_);
      only_sends = is_up_ && subscriptions_.empty();
    }
    if (only_sends) fds[0].events = POLLRDHUP;
    {
      const std::lock_guard lock(library_);
      fds[0].fd = mosquitto_socket(client_.get());
      if (fds[0].fd < 0) return refusal_.empty() ? explain_library(MOSQ_ERR_CONN_LOST, 0, {}) : refusal_;
      if (mosquitto_want_write(client_.get())) fds[0].events |= POLLOUT;
    }
    const bool is_time = ::poll(fds, 2, only_sends ? kConfirmationsMs : kIdleMs) == 0;
    const bool is_poked = fds[1].revents != 0;
    if (is_poked) {
      std::uint64_t n = 0;
      [[maybe_unused]] const auto got = ::read(poke_, &n, sizeof n);
    }
    const bool is_readable = (fds[0].revents & (POLLIN | POLLRDHUP | POLLHUP | POLLERR)) != 0 || (only_sends && (is_time || is_poked));
    std::string fault = turn(is_readable, (fds[0].revents & POLLOUT) != 0);
    if (!fault.empty()) return fault;
    const std::lock_guard lock(state_);
    if (!is_up_ && monotonic_ns() > answer_by) return "the server accepted the connection but did not answer as an MQTT broker";
  }
  return {};
}

std::string MqttClient::turn(bool is_readable, bool is_writable) {
  const std::lock_guard lock(library_);
  mosquitto* m = client_.get();
  errno = 0;
  int rc = is_readable ? mosquitto_loop_read(m, 1) : MOSQ_ERR_SUCCESS;
  if (rc == MOSQ_ERR_SUCCESS && (is_writable || mosquitto_want_write(m))) rc = mosquitto_loop_write(m, 1);
  const int system_error = errno;
  if (rc == MOSQ_ERR_SUCCESS) rc = mosquitto_loop_misc(m);
  if (!refusal_.empty()) return refusal_;
  return rc == MOSQ_ERR_SUCCESS ? std::string() : explain_library(rc, system_error, last_log_);
}

// the longer the more attempts failed; jitter, so that a broker that is back does not meet everybody at once
void MqttClient::rest(int failures) {
  const int most = std::min(kLongestRestMs, kFirstRestMs << std::min(failures, 6));
  static thread_local std::minstd_rand random(std::random_device{}());
  const int ms = std::uniform_int_distribution(most / 2, most)(random);
  const std::int64_t until = monotonic_ns() + ms * kMs;
  for (std::int64_t left = ms; left > 0 && !is_closing_; left = (until - monotonic_ns()) / kMs) {
    pollfd poke{.fd = poke_, .events = POLLIN, .revents = 0};
    if (::poll(&poke, 1, static_cast<int>(left)) <= 0) continue;
    std::uint64_t n = 0;
    [[maybe_unused]] const auto got = ::read(poke_, &n, sizeof n);
  }
}

// the library throws away what it has not written at quality 0 when it connects again; what is at quality 1 it sends again
void MqttClient::forget_unwritten() {
  const std::lock_guard lock(library_);
  std::erase_if(pending_, [&](const auto& entry) {
    const Pending& p = entry.second;
    if (p.qos > 0) return false;
    pending_bytes_ -= p.size;
    mailbox_.unsent(p.size, LinkDrop::NotConnected);
    return true;
  });
}

// what is pending is written, then we say goodbye
void MqttClient::finish() {
  const std::lock_guard lock(library_);
  mosquitto* m = client_.get();
  const std::int64_t until = monotonic_ns() + kLinger;
  while (mosquitto_socket(m) >= 0 && !pending_.empty() && monotonic_ns() < until) {
    pollfd ready{.fd = mosquitto_socket(m), .events = static_cast<short>(POLLIN | (mosquitto_want_write(m) ? POLLOUT : 0)), .revents = 0};
    ::poll(&ready, 1, 20);
    if (ready.revents & POLLIN) mosquitto_loop_read(m, 1);
    if (mosquitto_want_write(m)) mosquitto_loop_write(m, 1);
  }
  if (mosquitto_socket(m) >= 0) {
    mosquitto_disconnect(m);
    if (mosquitto_want_write(m)) mosquitto_loop_write(m, 1);
  }
  mailbox_.change(LinkReport::Closed, {});
}

void MqttClient::close() {
  const std::lock_guard lock(closing_);
  if (is_closing_.exchange(true)) return;
  poke();
  if (thread_.joinable()) thread_.join();
}

}  // namespace volary::cluster
