// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mqtt_client.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <fmt/format.h>

namespace volary::cluster {

namespace {
constexpr std::size_t kMostSubscriptions = 1024;
constexpr auto kGrantPatience = std::chrono::seconds(3);

void init_library() {
  static const int once = mosquitto_lib_init();
  core::require(once == MOSQ_ERR_SUCCESS, "libmosquitto could not be initialised");
}
MqttClient& self(void* object) { return *static_cast<MqttClient*>(object); }
}  // namespace

MqttClient::MqttClient(MqttOptions options) : MailboxTransport(options.queue), options_(std::move(options)), poke_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  init_library();
  core::require(poke_ >= 0, "the system gave no event for a transport: too many open files?");
}

MqttClient::~MqttClient() {
  close();
  ::close(poke_);
}

core::Status MqttClient::prepare() {
  client_.reset(mosquitto_new(options_.client_id.empty() ? nullptr : options_.client_id.c_str(), true, this));
  if (!client_) return core::Error{.message = fmt::format("\"{}\" is no client id", options_.client_id), .field = "client_id"};
  mosquitto* m = client_.get();
  mosquitto_int_option(m, MOSQ_OPT_PROTOCOL_VERSION, options_.version);
  mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1);
  // the library's window of 20 unconfirmed messages would hold back the others; ours is the bound: max_pending
  mosquitto_int_option(m, MOSQ_OPT_SEND_MAXIMUM, 0);
  mosquitto_int_option(m, MOSQ_OPT_RECEIVE_MAXIMUM, 65535);
  if (!options_.user.empty() && mosquitto_username_pw_set(m, options_.user.c_str(), options_.password.c_str()) != MOSQ_ERR_SUCCESS)
    return core::Error{.message = "user name or password are not valid UTF-8", .field = "user"};
  if (!options_.ca_file.empty()) {
    const auto name = [](const std::string& s) { return s.empty() ? nullptr : s.c_str(); };
    const int rc = mosquitto_tls_set(m, options_.ca_file.c_str(), nullptr, name(options_.certificate_file), name(options_.key_file), nullptr);
    if (rc != MOSQ_ERR_SUCCESS) return core::Error{.message = explain_library(rc, errno, {}), .file = options_.ca_file, .field = "ca_file"};
    mosquitto_tls_opts_set(m, 1, "tlsv1.2", nullptr);  // 1.2 or newer
  }
  if (options_.will) {
    const Will& w = *options_.will;
    const int rc = mosquitto_will_set(m, w.topic.c_str(), static_cast<int>(w.bytes.size()), w.bytes.data(), w.delivery.qos, w.delivery.retained);
    if (rc != MOSQ_ERR_SUCCESS) return core::Error{.message = mosquitto_strerror(rc), .field = "will"};
  }
  install_callbacks();
  return core::ok();
}

void MqttClient::install_callbacks() {
  mosquitto* m = client_.get();
  mosquitto_connect_v5_callback_set(m, [](mosquitto*, void* object, int code, int, const mosquitto_property*) { self(object).on_connect(code); });
  mosquitto_publish_v5_callback_set(m, [](mosquitto*, void* object, int mid, int reason, const mosquitto_property*) { self(object).on_publish(mid, reason); });
  mosquitto_message_v5_callback_set(
      m, [](mosquitto*, void* object, const mosquitto_message* message, const mosquitto_property*) { self(object).on_message(*message); });
  mosquitto_subscribe_v5_callback_set(m, [](mosquitto*, void* object, int mid, int n, const int* granted, const mosquitto_property*) {
    self(object).on_subscribe(mid, n > 0 ? granted[0] : 128);
  });
  mosquitto_log_callback_set(m, [](mosquitto*, void* object, int level, const char* text) {
    if (level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING) self(object).last_log_ = text;
  });
}

void MqttClient::on_connect(int code) {
  if (code != 0) {
    refusal_ = explain_refusal(code, options_.version, options_);
    return;
  }
  refusal_.clear();
  accepted();
}

// subscriptions first, so that what others answer to our backlog reaches us
void MqttClient::accepted() {
  const std::lock_guard lock(state_);
  for (const Subscription& s : subscriptions_) mosquitto_subscribe(client_.get(), nullptr, s.pattern.c_str(), s.qos);
  for (; !backlog_.empty(); backlog_.pop_front()) {
    const Backlog& b = backlog_.front();
    if (const LinkDrop reason = send(b.topic, b.bytes, b.delivery); reason != LinkDrop::None) mailbox_.unsent(b.bytes.size(), reason);
  }
  backlog_bytes_ = 0;
  is_up_ = true;
  mailbox_.change(LinkReport::Up, {});
  has_first_ = true;
  changed_.notify_all();
}

void MqttClient::on_publish(int mid, int reason) {
  const auto found = pending_.find(mid);
  const std::size_t size = found == pending_.end() ? 0 : found->second.size;
  if (found == pending_.end()) {
    is_current_done_ = true;
  } else {
    pending_bytes_ -= size;
    pending_.erase(found);
  }
  if (reason >= 128) mailbox_.unsent(size, LinkDrop::Refused);
}

void MqttClient::on_message(const mosquitto_message& message) {
  const auto size = static_cast<std::size_t>(message.payloadlen);
  if (size > options_.max_message) return mailbox_.dropped_in(LinkDrop::TooLarge);
  const std::string_view topic = message.topic;
  if (topic.size() > kMaxTopic) return mailbox_.dropped_in(LinkDrop::BadTopic);
  const auto* bytes = static_cast<const std::byte*>(message.payload);
  mailbox_.put({std::string(topic), std::vector<std::byte>(bytes, bytes + size), monotonic_ns(), message.qos, message.retain});
}

void MqttClient::on_subscribe(int mid, int granted) {
  const std::lock_guard lock(state_);
  granted_[mid] = granted;
  // answers that nobody waits for any more
  while (granted_.size() > kMostSubscriptions) granted_.erase(granted_.begin());
  changed_.notify_all();
}

// under library_
LinkDrop MqttClient::send(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) {
  if (pending_.size() >= options_.max_pending || pending_bytes_ + bytes.size() > options_.max_pending_bytes) return LinkDrop::QueueFull;
  int mid = 0;
  is_current_done_ = false;
  const int rc = mosquitto_publish_v5(client_.get(), &mid, std::string(topic).c_str(), static_cast<int>(bytes.size()), bytes.data(), delivery.qos,
                                      delivery.retained, nullptr);
  switch (rc) {
    case MOSQ_ERR_SUCCESS: break;
    case MOSQ_ERR_OVERSIZE_PACKET:
    case MOSQ_ERR_PAYLOAD_SIZE: return LinkDrop::TooLarge;
    case MOSQ_ERR_INVAL:
    case MOSQ_ERR_MALFORMED_UTF8: return LinkDrop::BadTopic;
    default: return LinkDrop::NotConnected;
  }
  if (!is_current_done_) {
    pending_[mid] = {bytes.size(), delivery.qos};
    pending_bytes_ += bytes.size();
  }
  return LinkDrop::None;
}

// under state_
LinkDrop MqttClient::keep_for_later(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) {
  if (delivery.qos == 0) return LinkDrop::NotConnected;
  if (backlog_.size() >= options_.max_pending || backlog_bytes_ + bytes.size() > options_.max_pending_bytes) return LinkDrop::QueueFull;
  backlog_bytes_ += bytes.size();
  backlog_.push_back({std::string(topic), {bytes.begin(), bytes.end()}, delivery});
  return LinkDrop::None;
}

LinkDrop MqttClient::publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) {
  if (!is_topic(topic)) return mailbox_.dropped_out(LinkDrop::BadTopic);
  if (bytes.size() > options_.max_message) return mailbox_.dropped_out(LinkDrop::TooLarge);
  if (is_closing_) return mailbox_.dropped_out(LinkDrop::NotConnected);
  LinkDrop answer = LinkDrop::None;
  bool waits = false, goes_later = false;
  {
    const std::lock_guard lock(state_);
    goes_later = !is_up_;
    if (goes_later) answer = keep_for_later(topic, bytes, delivery);
  }
  if (!goes_later) {
    const std::lock_guard lock(library_);
    answer = send(topic, bytes, delivery);
    waits = mosquitto_want_write(client_.get()) || 2 * pending_.size() > options_.max_pending;  // or confirmations may wait to be read
    // a lock taken after the connection broke: the message waits like any other
    if (answer == LinkDrop::NotConnected && delivery.qos > 0) {
      const std::lock_guard state_lock(state_);
      if (!is_up_) answer = keep_for_later(topic, bytes, delivery);
    }
  }
  if (waits) poke();
  if (answer != LinkDrop::None) return mailbox_.dropped_out(answer);
  mailbox_.sent(bytes.size());
  return LinkDrop::None;
}

core::Status MqttClient::subscribe(std::string_view pattern, int qos) {
  if (!is_pattern(pattern)) return core::Error{.message = fmt::format("\"{}\" is no pattern of topics", pattern), .field = "pattern"};
  if (is_closing_) return core::Error{.message = "the connection is closed"};
  {
    const std::lock_guard lock(state_);
    const auto is_same = [&](const Subscription& s) { return s.pattern == pattern; };
    std::erase_if(subscriptions_, is_same);
    if (subscriptions_.size() >= kMostSubscriptions)
      return core::Error{.message = fmt::format("more than {} subscriptions", kMostSubscriptions), .field = "pattern"};
    subscriptions_.push_back({std::string(pattern), qos});
    if (!is_up_) return core::ok();  // made when the link is up
  }
  int mid = 0;
  {
    const std::lock_guard lock(library_);
    if (mosquitto_subscribe(client_.get(), &mid, std::string(pattern).c_str(), qos) != MOSQ_ERR_SUCCESS) return core::ok();  // the link just broke
  }
  poke();
  return await_grant(mid, pattern);
}

core::Status MqttClient::await_grant(int mid, std::string_view pattern) {
  std::unique_lock lock(state_);
  const auto is_over = [&] { return granted_.contains(mid) || !is_up_; };
  if (!changed_.wait_for(lock, kGrantPatience, is_over))
    return core::Error{.message = fmt::format("the broker did not answer the subscription to \"{}\"", pattern)};
  if (!granted_.contains(mid)) return core::ok();  // the link broke: subscribed again when it is back
  const int granted = granted_[mid];
  granted_.erase(mid);
  if (granted < 128) return core::ok();
  std::erase_if(subscriptions_, [&](const Subscription& s) { return s.pattern == pattern; });
  return core::Error{.message = fmt::format("the broker does not permit the subscription to \"{}\"", pattern)};
}

}  // namespace volary::cluster
