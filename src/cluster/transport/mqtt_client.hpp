// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The connection behind connect_mqtt. Every call into libmosquitto is made under one lock; the reading thread polls outside of it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <mosquitto.h>
#include <mqtt_protocol.h>

#include "cluster/transport/mailbox.hpp"
#include "cluster/transport/mqtt.hpp"

namespace volary::cluster {

class MqttClient final : public MailboxTransport {
 public:
  explicit MqttClient(MqttOptions options);
  ~MqttClient() override;

  // prepares the library's client: user, TLS, will
  core::Status prepare();
  // starts the thread and waits for the broker's first answer
  core::Status start();

  LinkDrop publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery) override;
  core::Status subscribe(std::string_view pattern, int qos) override;
  void close() override;

 private:
  struct Free {
    void operator()(mosquitto* m) const { mosquitto_destroy(m); }
  };
  struct Backlog {
    std::string topic;
    std::vector<std::byte> bytes;
    Delivery delivery;
  };
  struct Subscription {
    std::string pattern;
    int qos;
  };

  // the reading thread (mqtt_loop.cpp)
  void run();
  std::string attempt();
  std::string serve();
  std::string turn(bool is_readable, bool is_writable);
  void rest(int failures);
  void settle_first(std::string error);
  void forget_unwritten();
  void finish();
  void poke();

  // answers of the library, all under library_
  void install_callbacks();
  void accepted();
  void on_connect(int code);
  void on_publish(int mid, int reason);
  void on_message(const mosquitto_message& message);
  void on_subscribe(int mid, int granted);
  LinkDrop send(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery);
  LinkDrop keep_for_later(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery);
  core::Status await_grant(int mid, std::string_view pattern);

  const MqttOptions options_;
  const int poke_;  // wakes the reading thread

  std::mutex library_;  // before state_, where both are taken
  std::unique_ptr<mosquitto, Free> client_;
  struct Pending {
    std::size_t size;
    int qos;
  };
  std::map<int, Pending> pending_;  // by message id: not written yet, or at quality 1 not confirmed
  std::size_t pending_bytes_ = 0;
  bool is_current_done_ = false;  // the message that is being sent was written at once
  std::string refusal_;           // what the broker answered instead of accepting
  std::string last_log_;          // the library's last complaint: it alone knows why TLS failed

  mutable std::mutex state_;
  std::condition_variable changed_;
  bool is_up_ = false;
  bool has_first_ = false;
  std::string first_error_;
  std::deque<Backlog> backlog_;
  std::size_t backlog_bytes_ = 0;
  std::vector<Subscription> subscriptions_;
  std::map<int, int> granted_;  // by message id, for those who wait

  std::atomic<bool> is_closing_ = false;
  std::mutex closing_;
  std::thread thread_;
};

// in words, what a return code of the library or an answer of the broker means
std::string explain_library(int code, int system_error, const std::string& log);
std::string explain_refusal(int reason, int version, const MqttOptions& options);

}  // namespace volary::cluster
